#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffGenaiPerf(const Input& input);
[[nodiscard]] Result<PointSet> readGenaiPerf(const Input& input, std::stop_token stop);

} // namespace wb::results
