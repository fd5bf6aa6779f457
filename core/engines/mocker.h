#pragma once

#include "core/engines/engine.h"

namespace wb::engines {

[[nodiscard]] Words mockerCommand(const Worker& worker);

} // namespace wb::engines
