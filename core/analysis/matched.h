// Groups compared where they can be: at one x, or at the limits, or over the range of x that their frontiers have in common.
//
// Between two neighbours on a frontier the value is interpolated linearly in the axes' own units (also where an axis is drawn as a
// logarithm), and said to be; beyond its ends a frontier has no value.
#pragma once

#include "core/analysis/chart.h"

#include <optional>
#include <string>
#include <vector>

namespace wb::analysis {

enum class Found { Measured, Interpolated, Nothing };

[[nodiscard]] std::string_view name(Found found); ///< "measured", "interpolated", "nothing"

struct MatchRequest {
    std::optional<double> x;  ///< Nothing: the best y of each group within the limits.
    std::string baseline;     ///< Key of a group; empty or none of the chart's: the first group that has a value.
    std::vector<bool> hidden; ///< By series; those are left out. Empty: none.
};

struct Range {
    double from = 0.0;
    double to = 0.0;

    friend bool operator==(const Range&, const Range&) = default;
};

struct MatchedGroup {
    std::size_t series = 0;
    std::string key;
    Found found = Found::Nothing;
    std::optional<double> value;
    std::string reason; ///< Why there is no value.
    /// The measured points beside x, by x; of a measured value the point itself is both.
    std::optional<PlaceInChart> left, right;
    std::optional<double> share; ///< value / baseline's value - 1.
    bool isBaseline = false;
    std::optional<double> area;      ///< Below the frontier over `common`; where less y is better, too: then less is better.
    std::optional<Range> shared;     ///< The range of x that it has in common with the baseline.
    std::optional<double> areaShare; ///< Area over `shared` / the baseline's over it - 1.
};

struct MatchedComparison {
    std::optional<double> x;
    std::string baseline;             ///< The key that was taken; empty when no group has a value.
    std::optional<Range> common;      ///< Of all groups with two or more places on their frontier; nothing when they have none in common.
    std::vector<MatchedGroup> groups; ///< In the order of the series.
};

[[nodiscard]] MatchedComparison matchedComparison(const Chart& chart, const MatchRequest& request);

/// Rows of a table with a head; what is not known is empty.
[[nodiscard]] std::string asCsv(const MatchedComparison& comparison, const Chart& chart);

} // namespace wb::analysis
