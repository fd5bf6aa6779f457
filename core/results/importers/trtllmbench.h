#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffTrtllmBench(const Input& input);
[[nodiscard]] Result<PointSet> readTrtllmBench(const Input& input, std::stop_token stop);

} // namespace wb::results
