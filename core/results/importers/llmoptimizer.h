#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffLlmOptimizer(const Input& input);
[[nodiscard]] Result<PointSet> readLlmOptimizer(const Input& input, std::stop_token stop);

} // namespace wb::results
