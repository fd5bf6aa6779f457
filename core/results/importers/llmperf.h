#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffLlmperf(const Input& input);
[[nodiscard]] Result<PointSet> readLlmperf(const Input& input, std::stop_token stop);

} // namespace wb::results
