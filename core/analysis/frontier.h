// Pareto frontiers by definition: b dominates a when it is no worse on both axes and strictly better on one. Equal points all stay.
#pragma once

#include "core/analysis/axes.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace wb::analysis {

struct XY {
    double x = 0.0;
    double y = 0.0;

    friend bool operator==(const XY&, const XY&) = default;
};

/// Indices of the points on the frontier, by x ascending, then y, then index. Points that are not finite are never on it.
[[nodiscard]] std::vector<std::size_t> paretoFrontier(std::span<const XY> points, Direction x, Direction y);

/// Area dominated by the frontier up to the reference point; nothing when the frontier is empty or the reference is not worse on both axes.
[[nodiscard]] std::optional<double> hypervolume(std::span<const XY> frontier, Direction x, Direction y, XY reference);

} // namespace wb::analysis
