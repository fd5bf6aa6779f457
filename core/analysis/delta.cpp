#include "core/analysis/delta.h"

#include "core/results/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::analysis {

using results::Point;

namespace {

constexpr std::string_view unknown = "\u2014";

/// Measured quantities of the card, besides the shown axes. To add one: an axis' id.
constexpr auto measured = std::to_array<std::string_view>({"output-tps", "total-tps-per-gpu", "requests-per-s", "ttft-p50", "ttft-p99",
                                                           "tpot-p50", "tpot-p99", "itl-p50", "itl-p99", "e2e-p50", "e2e-p99"});

/// Keys of what was set up. To add one: a key of a text or number field.
constexpr auto setup = std::to_array<std::string_view>(
    {"run",         "variant", "recipe", "model", "precision", "engine", "hardware",     "format",       "concurrency", "users",
     "requestRate", "isl",     "osl",    "tp",    "pp",        "ep",     "gpus.working", "gpus.prefill", "gpus.decode", "gpus.allocated"});

std::string shown(const std::optional<double>& value, const std::string& unit)
{
    if (!value)
        return std::string(unknown);
    const std::string number = std::abs(*value) >= 1000.0 ? results::significant(std::round(*value), 12) : results::significant(*value, 4);
    return unit.empty() ? number : number + ' ' + unit;
}

DeltaRow rowOf(const std::string& title, const std::string& unit, Direction direction, const std::optional<double>& a,
               const std::optional<double>& b)
{
    DeltaRow row{.title = title, .first = shown(a, unit), .second = shown(b, unit), .change = {}, .isBetter = {}};
    if (!a || !b)
        return row;
    if (*a != 0.0)
        row.change = *b / *a - 1.0;
    if (*a != *b)
        row.isBetter = (*b > *a) == (direction == Direction::MoreIsBetter);
    return row;
}

std::string titleOf(std::string_view key)
{
    if (const results::TextField* text = results::findTextField(key))
        return std::string(text->title);
    const results::NumberField* number = results::findNumberField(key);
    return number ? std::string(number->title) : std::string(key);
}

} // namespace

std::vector<DeltaRow> deltaOf(const Point& first, const Point& second, const Axis& x, const Axis& y)
{
    std::vector<DeltaRow> rows;
    const auto add = [&](const Axis& axis, bool isWanted) {
        const auto a = valueOn(axis, first).value;
        const auto b = valueOn(axis, second).value;
        if (isWanted || a || b)
            rows.push_back(rowOf(axis.title, axis.unit, axis.direction, a, b));
    };
    add(x, true);
    add(y, true);
    for (const std::string_view id : measured) {
        const Axis* axis = findAxis(id);
        if (axis && axis != &x && axis != &y)
            add(*axis, false);
    }
    for (const std::string_view key : setup) {
        const auto a = results::fieldText(first, key);
        const auto b = results::fieldText(second, key);
        if (a == b)
            continue;
        rows.push_back({.title = titleOf(key),
                        .first = a.value_or(std::string(unknown)),
                        .second = b.value_or(std::string(unknown)),
                        .change = {},
                        .isBetter = {},
                        .isSetup = true});
    }
    return rows;
}

std::vector<DeltaRow> deltaOf(const Chart& chart, PlaceInChart first, PlaceInChart second)
{
    const ChartPoint& a = chart.series[first.series].points[first.point];
    const ChartPoint& b = chart.series[second.series].points[second.point];
    std::vector<DeltaRow> rows{rowOf(chart.x.title, chart.x.unit, chart.x.direction, a.x, b.x),
                               rowOf(chart.y.title, chart.y.unit, chart.y.direction, a.y, b.y)};
    for (const auto& [title, text] : a.labels) {
        const auto other = std::ranges::find(b.labels, title, [](const auto& label) { return label.first; });
        if (title == chart.x.title || title == chart.y.title || other == b.labels.end() || other->second == text)
            continue;
        rows.push_back({.title = title, .first = text, .second = other->second, .change = {}, .isBetter = {}, .isSetup = true});
    }
    return rows;
}

} // namespace wb::analysis
