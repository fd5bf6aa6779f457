#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffInferencexSlo(const Input& input);
[[nodiscard]] Result<PointSet> readInferencexSlo(const Input& input, std::stop_token stop);

} // namespace wb::results
