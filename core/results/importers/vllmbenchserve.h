#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffVllmBenchServe(const Input& input);
[[nodiscard]] Result<PointSet> readVllmBenchServe(const Input& input, std::stop_token stop);

} // namespace wb::results
