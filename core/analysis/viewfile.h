// A view of the chart as a file (".srtview"): axes, groups, filter, limits and how it is drawn, so that it can be opened again on other
// results. It holds no results.
//
// {"srtview": 1, "x": "tps-per-user", "y": ..., "group": ..., "where": ..., "slo": ..., "line": "stairs", "scales": {"x": "auto", ...},
//  "zoom": {"x": [from, to], "y": [from, to]}, "hidden": [keys], "ranks": {key: rank}, "labels": "none", "shows": ["curves", ...],
//  "match": {"x": 50, "baseline": key}}
// All but "srtview" may be absent; keys that are not known are left out of account.
#pragma once

#include "core/analysis/chart.h"

#include <map>
#include <set>

namespace wb::analysis {

struct ChartViewFile {
    ChartRequest request;
    std::string scaleX = "auto", scaleY = "auto"; ///< "auto", "linear", "log"
    struct Zoom {
        double fromX = 0.0, toX = 0.0, fromY = 0.0, toY = 0.0; ///< In values.
        friend bool operator==(const Zoom&, const Zoom&) = default;
    };
    std::optional<Zoom> zoom;
    std::vector<std::string> hidden; ///< Keys of series.
    std::string labels = "none";     ///< "none", "concurrency", "parallelism"
    std::set<std::string> shows;     ///< "overall", "curves", "spreads", "simulation"
    std::optional<double> matchX;
    std::string baseline;
};

[[nodiscard]] base::json::Value toJson(const ChartViewFile& view);
/// Fails on a text that is no view, and on one of a newer program.
[[nodiscard]] Result<ChartViewFile> viewFromJson(const base::json::Value& json);
[[nodiscard]] Result<ChartViewFile> readViewFile(std::string_view text);

} // namespace wb::analysis
