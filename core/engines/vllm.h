#pragma once

#include "core/engines/engine.h"

namespace wb::engines {

[[nodiscard]] Words vllmCommand(const Worker& worker);
void vllmEnvironment(const Worker& worker, Environment& environment);
[[nodiscard]] bool vllmSetsVisibleDevices(const recipe::Job& job);

} // namespace wb::engines
