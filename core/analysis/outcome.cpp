#include "core/analysis/outcome.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace wb::analysis {

namespace {

using results::Point;

struct Metric {
    std::string_view title;
    std::optional<double> (*value)(const Point& point);
};

/// To add one: a row.
constexpr std::array metrics = {
    Metric{"output tokens/s", [](const Point& point) { return point.outputTps; }},
    Metric{"total tokens/s", [](const Point& point) { return point.totalTps; }},
    Metric{"requests/s", [](const Point& point) { return point.requestsPerS; }},
    Metric{"TTFT p50, ms", [](const Point& point) { return point.ttftMs.p50; }},
    Metric{"TPOT p50, ms", [](const Point& point) { return point.tpotMs.p50; }},
    Metric{"TPOT mean, ms", [](const Point& point) { return point.tpotMs.mean; }},
};

std::string shown(double value)
{
    const double scale = std::abs(value) >= 100.0 ? 10.0 : 1000.0;
    return base::textOf(std::round(value * scale) / scale);
}

/// "1234.5", or "1200 to 1250 (3)"; nothing for a run that does not tell it.
std::optional<std::string> valueOf(const std::vector<Point>& points, std::optional<double> concurrency, const Metric& metric)
{
    std::vector<double> values;
    for (const Point& point : points) {
        const auto value = point.valid && !point.simulated && point.concurrency == concurrency ? metric.value(point) : std::nullopt;
        if (value && std::isfinite(*value))
            values.push_back(*value);
    }
    if (values.empty())
        return std::nullopt;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (values.size() == 1)
        return shown(*least);
    return shown(*least) + " to " + shown(*most) + " (" + std::to_string(values.size()) + ")";
}

} // namespace

Section outcomeOf(std::span<const std::vector<Point>> runs)
{
    Section out{.id = "outcome", .title = "Outcome", .facts = {}};
    std::map<double, bool> concurrencies;
    bool isWithout = false;
    for (const std::vector<Point>& points : runs) {
        for (const Point& point : points) {
            if (point.concurrency)
                concurrencies[*point.concurrency] = true;
            else
                isWithout = true;
        }
    }
    std::vector<std::optional<double>> steps;
    if (isWithout)
        steps.emplace_back();
    for (const auto& [concurrency, is] : concurrencies)
        steps.emplace_back(concurrency);
    for (const std::optional<double>& step : steps) {
        for (const Metric& metric : metrics) {
            Fact fact;
            fact.key =
                (step ? "concurrency " + base::textOf(*step) + ": " : std::string("concurrency not told: ")) + std::string(metric.title);
            fact.label = true; // shown, not counted: it is what the differences have led to
            std::size_t known = 0;
            for (const std::vector<Point>& points : runs) {
                fact.values.push_back(valueOf(points, step, metric));
                known += fact.values.back() ? 1 : 0;
            }
            if (known == 0)
                continue;
            const bool isSame =
                std::all_of(fact.values.begin(), fact.values.end(), [&](const auto& value) { return value == fact.values.front(); });
            fact.state = known < runs.size() ? FactState::Unknown : isSame ? FactState::Same : FactState::Different;
            out.facts.push_back(std::move(fact));
        }
    }
    return out;
}

} // namespace wb::analysis
