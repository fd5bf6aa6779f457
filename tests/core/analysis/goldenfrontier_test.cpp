// Two real sweeps of one topology, and the frontiers an independent script found for them.
#include "core/analysis/chart.h"
#include "core/base/text.h"
#include "core/results/csv.h"
#include "core/results/importer.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace wb::analysis {
namespace {

struct Axes {
    std::string x, y;
};
const std::map<std::string, Axes> axesOfGolden = {
    {"median TPOT x output/GPU", {"tps-per-user", "output-tps-per-gpu"}},
    {"median TPOT x total/GPU", {"tps-per-user", "total-tps-per-gpu"}},
    {"mean TPOT x output/GPU (upstream dashboard, working GPUs)", {"tps-per-user-mean", "output-tps-per-gpu"}},
    {"median E2E (min) x output/GPU", {"e2e-p50", "output-tps-per-gpu"}},
};

/// "root@4" for a point of root__concurrency_4_….json
std::string shortName(const results::Point& point)
{
    return point.run.text.substr(point.run.text.rfind('/') + 1) + '@' + base::textOf(*point.concurrency);
}

TEST(GoldenFrontier, EqualsTheReferenceOnEveryPairOfAxesPerRunAndGlobally)
{
    SRTWB_NEEDS_SHARED("results/golden/frontier_vllm_minimax_root.csv");
    const auto imported = results::importPaths({test::shared("results/real/vllm-bench-serve")->string()});
    std::vector<results::Point> points;
    std::map<std::string, std::string> names;
    for (const results::Point& point : imported.points())
        if (point.source.find("/minimax__") != std::string::npos || point.source.find("/root__") != std::string::npos) {
            points.push_back(point);
            names[point.id.text] = shortName(point);
        }
    ASSERT_EQ(points.size(), 16U);

    const auto rows = results::readCsv(test::bytesOf(*test::shared("results/golden/frontier_vllm_minimax_root.csv")));
    ASSERT_GE(rows.size(), 10U);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto& cells = rows[i].cells;
        ASSERT_EQ(cells.size(), 4U);
        ASSERT_TRUE(axesOfGolden.contains(cells[0])) << cells[0];
        ChartRequest request;
        request.x = axesOfGolden.at(cells[0]).x;
        request.y = axesOfGolden.at(cells[0]).y;
        request.group = cells[1] == "global" ? "none" : "run";
        const auto chart = makeChart(points, request);
        ASSERT_TRUE(chart) << chart.error().message;
        std::string found;
        for (const ChartSeries& series : chart->series)
            if (cells[1] == "global" || series.key.ends_with('/' + cells[1]))
                for (const std::size_t index : series.frontier)
                    found += (found.empty() ? "" : " ") + names.at(series.points[index].id.text);
        EXPECT_EQ(found, cells[3]) << cells[0] << ", " << cells[1];
    }
}

TEST(GoldenFrontier, CoordinatesEqualTheReference)
{
    SRTWB_NEEDS_SHARED("results/golden/frontier_vllm_minimax_root_points.csv");
    const auto imported = results::importPaths({test::shared("results/real/vllm-bench-serve")->string()});
    std::map<std::string, results::Point> byName;
    for (const results::Point& point : imported.points())
        byName.emplace(shortName(point), point);
    const auto rows = results::readCsv(test::bytesOf(*test::shared("results/golden/frontier_vllm_minimax_root_points.csv")));
    ASSERT_EQ(rows.size(), 17U);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto found = byName.find(rows[i].cells[0] + '@' + rows[i].cells[1]);
        ASSERT_NE(found, byName.end()) << rows[i].cells[0];
        const auto expectEqual = [&](std::string_view axis, double expected) {
            const auto value = valueOn(*findAxis(axis), found->second).value;
            ASSERT_TRUE(value) << axis;
            EXPECT_NEAR(*value, expected, expected * 1e-9) << axis << " of " << found->first;
        };
        expectEqual("tps-per-user", *base::numberOf(rows[i].cells[2]));
        expectEqual("tps-per-user-mean", *base::numberOf(rows[i].cells[3]));
        expectEqual("output-tps-per-gpu", *base::numberOf(rows[i].cells[4]));
        expectEqual("total-tps-per-gpu", *base::numberOf(rows[i].cells[5]));
        expectEqual("e2e-p50", *base::numberOf(rows[i].cells[6]) * 1000.0);
    }
}

TEST(GoldenFrontier, NoRealPointWithoutATokenOrARequestStandsOnAnyFrontier)
{
    SRTWB_NEEDS_SHARED("results/real");
    const auto points = results::importPaths({test::shared("results/real")->string()}).points();
    std::map<std::string, const results::Point*> byId;
    for (const results::Point& point : points)
        byId[point.id.text] = &point;
    for (const Axis& x : axes())
        for (const char* y : {"output-tps-per-gpu", "output-tps", "total-tps", "ttft-p50", "requests-per-s"}) {
            ChartRequest request;
            request.x = x.id;
            request.y = y;
            request.group = "none";
            const auto chart = makeChart(points, request);
            ASSERT_TRUE(chart);
            for (const ChartSeries& series : chart->series)
                for (const std::size_t index : series.frontier) {
                    const results::Point& point = *byId.at(series.points[index].id.text);
                    EXPECT_NE(point.completed, 0.0) << x.id << ", " << y << ": " << point.source;
                    EXPECT_NE(point.tpotMs.p50, 0.0) << x.id << ", " << y << ": " << point.source;
                    EXPECT_TRUE(point.valid) << x.id << ", " << y << ": " << point.source;
                }
        }
}

} // namespace
} // namespace wb::analysis
