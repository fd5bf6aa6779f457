// What runs that are compared have measured, side by side: the section "outcome" of a comparison.
#pragma once

#include "core/analysis/comparison.h"
#include "core/results/point.h"

#include <span>
#include <vector>

namespace wb::analysis {

/// A row for each concurrency and metric that at least one run has; several points of a run at one concurrency are their least and most.
/// Points that are not valid or simulated do not count. The state says whether the numbers are equal; none of them is a difference of the
/// experiment, so none is counted.
[[nodiscard]] Section outcomeOf(std::span<const std::vector<results::Point>> runs);

} // namespace wb::analysis
