#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffMlperfEndpoints(const Input& input);
[[nodiscard]] Result<PointSet> readMlperfEndpoints(const Input& input, std::stop_token stop);

} // namespace wb::results
