#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffRollupJson(const Input& input);
[[nodiscard]] Result<PointSet> readRollupJson(const Input& input, std::stop_token stop);

} // namespace wb::results
