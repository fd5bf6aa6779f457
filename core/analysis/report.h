// One HTML file that shows a view of the results to somebody who has neither the workbench nor the files: the chart as drawn, every point
// of it, what the axes mean, where each number comes from, what was left out and why, and what the compared runs differ in. It needs no
// script and no network, and every text from a file is escaped.
#pragma once

#include "core/analysis/chart.h"
#include "core/analysis/comparison.h"

#include <optional>
#include <string>

namespace wb::analysis {

struct Report {
    Chart chart;
    ChartRequest request;                     ///< Filters and limits of the view.
    std::string svg;                          ///< The chart as an SVG document; empty: it could not be drawn, see `whyNoPicture`.
    std::string whyNoPicture;                 ///< One sentence.
    std::optional<RunDifferences> comparison; ///< Of the runs that are compared beside the chart.
    std::string date;                         ///< "2026-10-08"
    std::string program;                      ///< "SRT Workbench 1.0"
    std::string catalogue;                    ///< Where the points were read from, in words.
};

[[nodiscard]] std::string asHtml(const Report& report);

} // namespace wb::analysis
