#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffLlmdReport(const Input& input);
[[nodiscard]] Result<PointSet> readLlmdReport(const Input& input, std::stop_token stop);

} // namespace wb::results
