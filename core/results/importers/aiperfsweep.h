#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffAiperfSweep(const Input& input);
[[nodiscard]] Result<PointSet> readAiperfSweep(const Input& input, std::stop_token stop);

} // namespace wb::results
