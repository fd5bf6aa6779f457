#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffMlperfLoadgen(const Input& input);
[[nodiscard]] Result<PointSet> readMlperfLoadgen(const Input& input, std::stop_token stop);

} // namespace wb::results
