#pragma once

#include "core/engines/engine.h"

namespace wb::engines {

/// Where the workers find mooncake's store, when the recipe has `mooncake_kv_store`.
void addMooncake(const Worker& worker, Environment& environment);

} // namespace wb::engines
