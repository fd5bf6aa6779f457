#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffInferencexAgg(const Input& input);
[[nodiscard]] Result<PointSet> readInferencexAgg(const Input& input, std::stop_token stop);

} // namespace wb::results
