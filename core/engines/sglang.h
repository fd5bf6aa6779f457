#pragma once

#include "core/engines/engine.h"

namespace wb::engines {

[[nodiscard]] Words sglangCommand(const Worker& worker);

} // namespace wb::engines
