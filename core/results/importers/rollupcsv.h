#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffRollupCsv(const Input& input);
[[nodiscard]] Result<PointSet> readRollupCsv(const Input& input, std::stop_token stop);

} // namespace wb::results
