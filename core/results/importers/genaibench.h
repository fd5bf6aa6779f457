#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffGenaiBench(const Input& input);
[[nodiscard]] Result<PointSet> readGenaiBench(const Input& input, std::stop_token stop);

} // namespace wb::results
