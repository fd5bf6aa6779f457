#pragma once

#include "core/results/point.h"

#include <string>
#include <vector>

namespace wb::results {

/// The points as comma-separated values, a row each: the keys of the contract, nested ones with a dot ("ttftMs.p50"). Unknown is empty.
[[nodiscard]] std::string asCsv(const std::vector<Point>& points);

} // namespace wb::results
