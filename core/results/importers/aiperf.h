#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffAiperf(const Input& input);
[[nodiscard]] Result<PointSet> readAiperf(const Input& input, std::stop_token stop);

} // namespace wb::results
