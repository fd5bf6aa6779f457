#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffGuidellm(const Input& input);
[[nodiscard]] Result<PointSet> readGuidellm(const Input& input, std::stop_token stop);

} // namespace wb::results
