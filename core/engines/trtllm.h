#pragma once

#include "core/engines/engine.h"

namespace wb::engines {

[[nodiscard]] Words trtllmCommand(const Worker& worker);
void trtllmModeEnvironment(const Worker& worker, Environment& environment);
/// "trtllm_config_decode.yaml"
[[nodiscard]] std::string trtllmConfigFile(plan::Mode mode);

} // namespace wb::engines
