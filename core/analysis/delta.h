// Two points side by side: what was measured, by how much the second differs from the first, and in what they were set up differently.
#pragma once

#include "core/analysis/chart.h"

#include <optional>
#include <string>
#include <vector>

namespace wb::analysis {

struct DeltaRow {
    std::string title;            ///< "Median TTFT"
    std::string first, second;    ///< With the unit; "\u2014" for what is not known.
    std::optional<double> change; ///< second / first - 1, where both are known and the first is not 0.
    std::optional<bool> isBetter; ///< The second; nothing when they are equal or no way is better.
    bool isSetup = false;         ///< Not measured: a difference in what was run.

    friend bool operator==(const DeltaRow&, const DeltaRow&) = default;
};

/// The shown axes first, then latencies and throughputs that one of them has, then what differs in the set-up.
[[nodiscard]] std::vector<DeltaRow> deltaOf(const results::Point& first, const results::Point& second, const Axis& x, const Axis& y);
/// The shown axes and the labels that differ: what a chart alone can tell.
[[nodiscard]] std::vector<DeltaRow> deltaOf(const Chart& chart, PlaceInChart first, PlaceInChart second);

} // namespace wb::analysis
