#include "core/analysis/matched.h"

#include "core/base/text.h"
#include "core/results/csv.h"
#include "core/results/numbers.h"

#include <algorithm>
#include <array>

namespace wb::analysis {

namespace {

/// The places of a frontier by x, ties once.
struct Corner {
    XY at;
    std::size_t point = 0;
};

std::vector<Corner> cornersOf(const ChartSeries& series)
{
    std::vector<Corner> corners;
    for (const std::size_t index : series.frontier) {
        const ChartPoint& point = series.points[index];
        if (corners.empty() || !(corners.back().at == XY{point.x, point.y}))
            corners.push_back({{point.x, point.y}, index});
    }
    return corners;
}

double between(const Corner& left, const Corner& right, double x)
{
    const double share = (x - left.at.x) / (right.at.x - left.at.x);
    return left.at.y + share * (right.at.y - left.at.y);
}

/// The first corner that is not left of x.
std::vector<Corner>::const_iterator notBefore(const std::vector<Corner>& corners, double x)
{
    return std::ranges::lower_bound(corners, x, {}, [](const Corner& corner) { return corner.at.x; });
}

void findAt(MatchedGroup& group, const std::vector<Corner>& corners, double x)
{
    const auto right = notBefore(corners, x);
    const auto place = [&](const Corner& corner) { return PlaceInChart{group.series, corner.point}; };
    if (right != corners.end() && right->at.x == x) {
        group.found = Found::Measured;
        group.value = right->at.y;
        group.left = group.right = place(*right);
        return;
    }
    if (right != corners.begin())
        group.left = place(*std::prev(right));
    if (right != corners.end())
        group.right = place(*right);
    if (!group.left || !group.right) {
        group.reason = corners.empty() ? std::string("No point of it may stand on a frontier.")
                                       : "Its frontier reaches from " + results::significant(corners.front().at.x, 4) + " to " +
                                             results::significant(corners.back().at.x, 4) + '.';
        return;
    }
    group.found = Found::Interpolated;
    group.value = between(*std::prev(right), *right, x);
}

void findBest(MatchedGroup& group, const std::vector<Corner>& corners, Direction direction)
{
    const auto worse = [direction](const Corner& a, const Corner& b) {
        return direction == Direction::MoreIsBetter ? a.at.y < b.at.y : a.at.y > b.at.y;
    };
    const auto best = std::ranges::max_element(corners, worse);
    if (best == corners.end()) {
        group.reason = "No point of it may stand on a frontier.";
        return;
    }
    group.found = Found::Measured;
    group.value = best->at.y;
    group.left = group.right = PlaceInChart{group.series, best->point};
}

std::optional<Range> rangeOf(const std::vector<Corner>& corners)
{
    if (corners.size() < 2)
        return std::nullopt;
    return Range{corners.front().at.x, corners.back().at.x};
}

std::optional<Range> commonOf(const std::optional<Range>& a, const std::optional<Range>& b)
{
    if (!a || !b)
        return std::nullopt;
    const Range both{std::max(a->from, b->from), std::min(a->to, b->to)};
    return both.from < both.to ? std::optional(both) : std::nullopt;
}

double valueAt(const std::vector<Corner>& corners, double x)
{
    const auto right = notBefore(corners, x);
    if (right == corners.end())
        return corners.back().at.y;
    return right->at.x == x || right == corners.begin() ? right->at.y : between(*std::prev(right), *right, x);
}

/// Of trapezoids; the range lies within the corners'.
double areaOver(const std::vector<Corner>& corners, const Range& range)
{
    double area = 0.0;
    XY last{range.from, valueAt(corners, range.from)};
    const auto goTo = [&](const XY& next) {
        area += (next.x - last.x) * (next.y + last.y) / 2.0;
        last = next;
    };
    for (const Corner& corner : corners)
        if (corner.at.x > range.from && corner.at.x < range.to)
            goTo(corner.at);
    goTo({range.to, valueAt(corners, range.to)});
    return area;
}

std::optional<double> shareOf(const std::optional<double>& value, const std::optional<double>& baseline)
{
    return value && baseline && *baseline != 0.0 ? std::optional(*value / *baseline - 1.0) : std::nullopt;
}

} // namespace

std::string_view name(Found found)
{
    static constexpr auto names = std::to_array<std::string_view>({"measured", "interpolated", "nothing"});
    return names[static_cast<std::size_t>(found)];
}

MatchedComparison matchedComparison(const Chart& chart, const MatchRequest& request)
{
    MatchedComparison result;
    result.x = request.x;
    std::vector<std::vector<Corner>> corners;
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
        if (i < request.hidden.size() && request.hidden[i])
            continue;
        corners.push_back(cornersOf(chart.series[i]));
        MatchedGroup group;
        group.series = i;
        group.key = chart.series[i].key;
        if (request.x)
            findAt(group, corners.back(), *request.x);
        else
            findBest(group, corners.back(), chart.y.direction);
        result.groups.push_back(std::move(group));
    }

    auto baseline = std::ranges::find(result.groups, request.baseline, &MatchedGroup::key);
    if (baseline == result.groups.end())
        baseline = std::ranges::find_if(result.groups, [](const MatchedGroup& group) { return group.value.has_value(); });
    bool isFirst = true;
    for (const std::vector<Corner>& each : corners)
        if (const auto range = rangeOf(each)) {
            result.common = isFirst ? range : commonOf(result.common, range);
            isFirst = false;
        }
    for (std::size_t i = 0; i < result.groups.size(); ++i)
        if (result.common && corners[i].size() > 1)
            result.groups[i].area = areaOver(corners[i], *result.common);
    if (baseline == result.groups.end())
        return result;
    result.baseline = baseline->key;
    baseline->isBaseline = true;
    const std::vector<Corner>& ofBaseline = corners[static_cast<std::size_t>(baseline - result.groups.begin())];
    for (std::size_t i = 0; i < result.groups.size(); ++i) {
        MatchedGroup& group = result.groups[i];
        if (group.isBaseline)
            continue;
        group.share = shareOf(group.value, baseline->value);
        group.shared = commonOf(rangeOf(corners[i]), rangeOf(ofBaseline));
        if (group.shared)
            group.areaShare = shareOf(areaOver(corners[i], *group.shared), areaOver(ofBaseline, *group.shared));
    }
    return result;
}

std::string asCsv(const MatchedComparison& comparison, const Chart& chart)
{
    using results::csvCell;
    const auto number = [](const std::optional<double>& value) { return value ? base::textOf(*value) : std::string(); };
    const auto id = [&](const std::optional<PlaceInChart>& place) {
        return place ? csvCell(chart.series[place->series].points[place->point].id.text) : std::string();
    };
    std::string csv =
        "group," + chart.x.id + ',' + chart.y.id + ",found,left,right,baseline,share,area,shared from,shared to,area share,reason\n";
    for (const MatchedGroup& group : comparison.groups)
        csv += csvCell(group.key) + ',' + number(comparison.x) + ',' + number(group.value) + ',' + std::string(name(group.found)) + ',' +
               id(group.left) + ',' + id(group.right) + ',' + (group.isBaseline ? "true" : "false") + ',' + number(group.share) + ',' +
               number(group.area) + ',' + (group.shared ? base::textOf(group.shared->from) : "") + ',' +
               (group.shared ? base::textOf(group.shared->to) : "") + ',' + number(group.areaShare) + ',' + csvCell(group.reason) + '\n';
    return csv;
}

} // namespace wb::analysis
