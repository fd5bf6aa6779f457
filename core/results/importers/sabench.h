#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffSaBench(const Input& input);
[[nodiscard]] Result<PointSet> readSaBench(const Input& input, std::stop_token stop);

} // namespace wb::results
