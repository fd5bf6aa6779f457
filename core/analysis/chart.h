// The chart as data: which points, on which axes, in which groups, with their frontiers. The pane, `srtwb pareto` and the exported picture
// are made from the same value, so they cannot disagree.
#pragma once

#include "core/analysis/frontier.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/results/point.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wb::analysis {

enum class Line { Stairs, Straight, None };

[[nodiscard]] std::string_view name(Line line); ///< "stairs", "straight", "none"
[[nodiscard]] std::optional<Line> lineNamed(std::string_view name);

struct ChartRequest {
    std::string x = std::string(defaultX);
    std::string y = std::string(defaultY);
    std::string group = "run"; ///< A point's key, or "none".
    std::string where;         ///< Filter: "concurrency>=8 hardware=gb200"; see filter.h.
    std::string slo;           ///< Limits: "ttft-p99<=2000"; points outside are shown and kept off the frontier.
    Line line = Line::Stairs;
    std::string title;
    bool takesWords = false;   ///< `where` may hold words, too: see `parseSearch`.
    bool withSimulated = true; ///< False leaves simulated points out; they are counted.
    /// Ranks that series had when a view was saved, by key; so they look the same on other results. Those of other keys come after.
    std::map<std::string, std::size_t> ranks;
};

struct ChartPoint {
    PointId id;
    double x = 0.0;
    double y = 0.0;
    bool eligible = true;                                    ///< May stand on a frontier.
    std::string reason;                                      ///< Why not.
    std::vector<std::pair<std::string, std::string>> labels; ///< For the hover card: "concurrency" -> "64 requests", in order.
    std::string source;                                      ///< File it came from.
    bool simulated = false;
    std::string note = {}; ///< "tps-per-user: from the file's ITL, ...": where a value was had in another way than its axis says.
    std::optional<double> concurrency = {};
    std::string parallelism = {}; ///< "TP4 EP4", "8P+16D": how the work is spread over GPUs; empty when that is not known.

    friend bool operator==(const ChartPoint&, const ChartPoint&) = default;
};

/// What was measured more than once at one operating point.
struct Spread {
    XY mean, least, most;
    std::vector<std::size_t> points; ///< Indices into the series' points, two or more.

    friend bool operator==(const Spread&, const Spread&) = default;
};

struct ChartSeries {
    /// Value of the group key; "unknown" when the points have none. Measured and simulated points never share a series: where a group
    /// has both, the key of the second one ends in " (simulated)".
    std::string key;
    std::vector<ChartPoint> points;
    std::vector<std::size_t> frontier; ///< Indices into `points`, by x ascending, exact ties all in.
    std::optional<double> hypervolume; ///< Against 0 on an axis where more is better, else against the worst eligible value of all series.
    bool simulated = false;            ///< All of its points are.
    std::size_t rank = 0; ///< Among the series of all points that were given: the same whatever a filter or an axis leaves of them.
    /// One curve for each sweep of two or more concurrencies, by concurrency, through the means of replicas: no frontier, it shows where
    /// more load gives less. Points that are not valid are left out.
    std::vector<std::vector<XY>> curves = {};
    std::vector<Spread> spreads = {};

    friend bool operator==(const ChartSeries&, const ChartSeries&) = default;
};

struct Excluded {
    PointId id;
    std::string reason; ///< "tps-per-user: The median TPOT is not known."

    friend bool operator==(const Excluded&, const Excluded&) = default;
};

struct AxisTitle {
    std::string id, title, unit, definition;
    Direction direction = Direction::MoreIsBetter;

    friend bool operator==(const AxisTitle&, const AxisTitle&) = default;
};

/// A limit that lies on a shown axis: what is beyond it is infeasible.
struct ChartLimit {
    bool isX = true;
    bool isMost = true; ///< Values above it are infeasible; else those below it.
    double value = 0.0; ///< On the axis; may differ from what is written, where the limit is on the inverse of the axis.
    std::string written;

    friend bool operator==(const ChartLimit&, const ChartLimit&) = default;
};

struct Chart {
    std::string title;
    AxisTitle x, y;
    std::string group;
    Line line = Line::Stairs;
    std::vector<ChartSeries> series;
    std::vector<Excluded> excluded;    ///< Points that are not drawn, or drawn and kept off the frontier.
    std::vector<std::string> warnings; ///< Points of one series that are not comparable, and values that stand in for others.
    std::size_t filteredOut = 0;       ///< Points that `where` left out; they are in no list.
    bool simulated = false;            ///< At least one point is simulated: said on the chart.
    std::vector<ChartLimit> limits = {};
    std::size_t withoutX = 0; ///< Points that pass the filter and have no value on x; they are among `excluded`.
    std::size_t withoutY = 0; ///< As above, of those that have one on x.
    std::size_t simulatedLeftOut = 0;

    friend bool operator==(const Chart&, const Chart&) = default;
};

/// Fails on an axis, group key, filter or limit that does not exist, with what was meant.
[[nodiscard]] Result<Chart> makeChart(const std::vector<results::Point>& points, const ChartRequest& request);

/// A point of a chart by its place.
struct PlaceInChart {
    std::size_t series = 0;
    std::size_t point = 0;

    friend bool operator==(const PlaceInChart&, const PlaceInChart&) = default;
};

/// The frontier over the series that are not hidden (by index; none: all), by x ascending, and the area below it. Where any of them is
/// measured, the simulated ones are not asked.
struct OverallFrontier {
    std::vector<PlaceInChart> points;
    std::optional<double> hypervolume; ///< Against the same reference as the series'.
};
[[nodiscard]] OverallFrontier overallFrontier(const Chart& chart, const std::vector<bool>& hidden = {});

[[nodiscard]] base::json::Value toJson(const Chart& chart); ///< The specification for `srt-workbench --render-chart`.
[[nodiscard]] Result<Chart> chartFromJson(const base::json::Value& value);
[[nodiscard]] base::json::Value paretoJson(const Chart& chart); ///< The contract of `srtwb pareto --json`.
/// A line for each drawn and each excluded point; unknown is an empty cell with its reason.
[[nodiscard]] std::string asCsv(const Chart& chart);

/// What a table that travels alone says in lines of "# " before its head.
struct CsvNotes {
    std::string filters, limits, date;
};
[[nodiscard]] std::string asCsv(const Chart& chart, const CsvNotes& notes);

} // namespace wb::analysis
