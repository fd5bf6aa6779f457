// What is worth running next to a point that was measured.
#pragma once

#include "core/results/point.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wb::analysis {

/// The point's concurrency and those halfway (by ratio) to the next ones that its run has with the same recipe and workload, ascending.
/// Beyond the outermost ones a half more, or a third less. Only its own when there is nothing between; empty when it is not known.
[[nodiscard]] std::vector<std::int64_t> concurrenciesNear(const std::vector<results::Point>& points, const results::Point& point);

/// As srt-slurm's `benchmark.concurrencies` takes them, in a list: "[48, 64, 96]".
[[nodiscard]] std::string asConcurrencies(const std::vector<std::int64_t>& concurrencies);

} // namespace wb::analysis
