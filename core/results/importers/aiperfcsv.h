#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffAiperfCsv(const Input& input);
[[nodiscard]] Result<PointSet> readAiperfCsv(const Input& input, std::stop_token stop);

} // namespace wb::results
