#pragma once

#include "core/results/importer.h"

namespace wb::results {

[[nodiscard]] bool sniffTrtllmConsole(const Input& input);
[[nodiscard]] Result<PointSet> readTrtllmConsole(const Input& input, std::stop_token stop);

} // namespace wb::results
