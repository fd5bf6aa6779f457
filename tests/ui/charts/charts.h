// Charts made of a few numbers, for the tests of the widget.
#pragma once

#include "core/analysis/chart.h"

#include <string>
#include <vector>

namespace wb::test {

/// A series of points p0, p1, ... with its key before them: "a0", "a1", ...; the frontier is computed.
[[nodiscard]] inline analysis::ChartSeries seriesOf(const std::string& key, const std::vector<analysis::XY>& places)
{
    analysis::ChartSeries series;
    series.key = key;
    for (std::size_t i = 0; i < places.size(); ++i) {
        analysis::ChartPoint point;
        point.id = PointId{key + std::to_string(i)};
        point.x = places[i].x;
        point.y = places[i].y;
        point.labels = {{"Concurrency", std::to_string(1U << (i % 12)) + " requests"}};
        point.source = "results/" + key + "/result_" + std::to_string(i) + ".json";
        series.points.push_back(std::move(point));
    }
    series.frontier = analysis::paretoFrontier(places, analysis::Direction::MoreIsBetter, analysis::Direction::MoreIsBetter);
    return series;
}

[[nodiscard]] inline analysis::Chart chartOf(std::vector<analysis::ChartSeries> series)
{
    analysis::Chart chart;
    chart.x = {.id = "tps-per-user", .title = "Tokens/s per user", .unit = "tok/s/user", .definition = "1000 / median TPOT in ms."};
    chart.y = {.id = "output-tps-per-gpu",
               .title = "Output tokens/s per working GPU",
               .unit = "tok/s/GPU",
               .definition = "Output tokens per second over working GPUs."};
    chart.group = "run";
    chart.series = std::move(series);
    for (std::size_t i = 0; i < chart.series.size(); ++i)
        chart.series[i].rank = i;
    return chart;
}

} // namespace wb::test
