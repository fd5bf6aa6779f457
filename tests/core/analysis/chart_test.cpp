#include "core/analysis/chart.h"
#include "core/results/csv.h"
#include "core/results/importer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace wb::analysis {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

results::Point point(const std::string& id, const std::string& run, double tpotMs, double outputTps)
{
    results::Point p;
    p.id.text = id;
    p.run.text = run;
    p.format = "sa-bench";
    p.source = "/data/" + id + ".json";
    p.model = "m";
    p.precision = "fp8";
    p.isl = 1024;
    p.osl = 1024;
    p.concurrency = outputTps;
    p.completed = 100;
    p.requested = 100;
    p.outputTps = outputTps;
    p.tpotMs.p50 = tpotMs;
    p.ttftMs.p99 = 10 * outputTps;
    p.gpus.working = 1;
    p.origins["requestRate"] = {{}, "request_rate", "inf"};
    return p;
}

/// Two runs: "a" with two points on its frontier and one off it, "b" with one.
std::vector<results::Point> twoRuns()
{
    return {point("a1", "a", 10, 100), point("a2", "a", 20, 200), point("a3", "a", 20, 150), point("b1", "b", 5, 50)};
}

Chart made(const std::vector<results::Point>& points, const ChartRequest& request = {})
{
    auto chart = makeChart(points, request);
    EXPECT_TRUE(chart) << (chart ? "" : chart.error().message);
    return chart ? std::move(*chart) : Chart{};
}

std::vector<std::string> frontierIds(const ChartSeries& series)
{
    std::vector<std::string> ids;
    for (const std::size_t index : series.frontier)
        ids.push_back(series.points[index].id.text);
    return ids;
}

TEST(Chart, HasAFrontierForEachGroup)
{
    const Chart chart = made(twoRuns());
    ASSERT_THAT(chart.series, SizeIs(2));
    EXPECT_EQ(chart.series[0].key, "a");
    EXPECT_THAT(frontierIds(chart.series[0]), ElementsAre("a2", "a1"));
    EXPECT_THAT(frontierIds(chart.series[1]), ElementsAre("b1"));
    EXPECT_THAT(chart.excluded, IsEmpty());
}

TEST(Chart, GoodputOfSeveralRunsIsToldToGoByLimitsThatAreNotKnown)
{
    std::vector<results::Point> points = twoRuns();
    for (results::Point& each : points)
        each.goodput = 2;
    ChartRequest request;
    request.y = "goodput-per-gpu";
    EXPECT_THAT(made(points, request).warnings, Contains(HasSubstr("each of the 2 runs was measured by are not known")));
    EXPECT_THAT(made(points).warnings, testing::Not(Contains(HasSubstr("was measured by")))) << "another axis";
    points.pop_back(); // the only point of "b"
    EXPECT_THAT(made(points, request).warnings, testing::Not(Contains(HasSubstr("was measured by")))) << "one run, one client";
}

TEST(Chart, WithoutGroupsThereIsOneFrontier)
{
    ChartRequest request;
    request.group = "none";
    const Chart chart = made(twoRuns(), request);
    ASSERT_THAT(chart.series, SizeIs(1));
    EXPECT_THAT(frontierIds(chart.series[0]), ElementsAre("a2", "a1", "b1"));
}

TEST(Chart, GroupsByAnyKeyAndCallsMissingOnesUnknown)
{
    auto points = twoRuns();
    points[0].hardware = "gb200";
    ChartRequest request;
    request.group = "hardware";
    const Chart chart = made(points, request);
    ASSERT_THAT(chart.series, SizeIs(2));
    EXPECT_EQ(chart.series[0].key, "gb200");
    EXPECT_EQ(chart.series[1].key, "unknown");
    request.group = "isl";
    EXPECT_EQ(made(points, request).series.at(0).key, "1024");
}

TEST(Chart, ExactTiesAreAllOnTheFrontier)
{
    auto points = twoRuns();
    points.push_back(point("a4", "a", 10, 100));
    EXPECT_THAT(frontierIds(made(points).series.at(0)), ElementsAre("a2", "a1", "a4"));
}

TEST(Chart, InvalidPointsAreDrawnAndKeptOffTheFrontier)
{
    auto points = twoRuns();
    points[1].failed = 20;
    for (auto& p : points)
        results::judge(p);
    const Chart chart = made(points);
    EXPECT_THAT(frontierIds(chart.series[0]), ElementsAre("a3", "a1"));
    const ChartPoint& drawn = chart.series[0].points[1];
    EXPECT_FALSE(drawn.eligible);
    EXPECT_THAT(drawn.reason, HasSubstr("20 of 100 requests failed"));
    EXPECT_THAT(chart.excluded, ElementsAre(testing::Field(&Excluded::reason, drawn.reason)));
}

TEST(Chart, PointsOutsideALimitAreDrawnAndKeptOffTheFrontier)
{
    ChartRequest request;
    request.slo = "ttft-p99<=1600";
    const Chart chart = made(twoRuns(), request);
    EXPECT_THAT(frontierIds(chart.series[0]), ElementsAre("a3", "a1"));
    EXPECT_THAT(chart.series[0].points, SizeIs(3));
    ASSERT_THAT(chart.excluded, SizeIs(1));
    EXPECT_THAT(chart.excluded[0].reason, HasSubstr("ttft-p99<=1600"));
}

TEST(Chart, AFilterLeavesPointsOutAndCountsThem)
{
    ChartRequest request;
    request.where = "run=a concurrency<180";
    const Chart chart = made(twoRuns(), request);
    ASSERT_THAT(chart.series, SizeIs(1));
    EXPECT_THAT(frontierIds(chart.series[0]), ElementsAre("a3", "a1"));
    EXPECT_EQ(chart.filteredOut, 2U);
    EXPECT_THAT(chart.excluded, IsEmpty());
}

TEST(Chart, PointsWithoutAValueOnAnAxisAreNotDrawnButTold)
{
    auto points = twoRuns();
    points[1].gpus = {};
    points[3].tpotMs.p50.reset();
    const Chart chart = made(points);
    EXPECT_THAT(chart.series, SizeIs(1));
    ASSERT_THAT(chart.excluded, SizeIs(2));
    EXPECT_THAT(chart.excluded[0].reason, AllOf(HasSubstr("output-tps-per-gpu"), HasSubstr("not known")));
    EXPECT_THAT(chart.excluded[1].reason, HasSubstr("tps-per-user"));
}

TEST(Chart, HypervolumeCountsFromZeroAndFromTheWorstValueOfAllSeries)
{
    Chart chart = made(twoRuns());
    EXPECT_DOUBLE_EQ(*chart.series[0].hypervolume, 100 * 100 + 50 * 100);
    EXPECT_DOUBLE_EQ(*chart.series[1].hypervolume, 200 * 50);
    ChartRequest request;
    request.x = "tpot-p50";
    chart = made(twoRuns(), request);
    EXPECT_DOUBLE_EQ(*chart.series[0].hypervolume, (20 - 10) * 100) << "a2 stands at the worst value and adds nothing";
    EXPECT_DOUBLE_EQ(*chart.series[1].hypervolume, (20 - 5) * 50);
}

TEST(Chart, ASeriesWithoutEligiblePointsHasNoHypervolume)
{
    ChartRequest request;
    request.slo = "ttft-p99<=1";
    const Chart chart = made(twoRuns(), request);
    EXPECT_EQ(chart.series.at(0).hypervolume, std::nullopt);
    EXPECT_THAT(chart.series[0].frontier, IsEmpty());
}

TEST(Chart, SaysInWhatThePointsOfASeriesDiffer)
{
    auto points = twoRuns();
    EXPECT_THAT(made(points).warnings, IsEmpty());
    points[0].isl = 8192;
    points[0].model = "other";
    points[0].requestRate = 4;
    points[0].hardware = "gb200";
    points[1].hardware = "h100";
    points[2].hardware = "h100";
    points[1].precision.reset();
    EXPECT_THAT(made(points).warnings,
                ElementsAre("a: points differ in model (m, other), ISL (1024, 8192), hardware (gb200, h100), request rate (limited, "
                            "unlimited); not known: precision (for 1 of 3)"));
}

TEST(Chart, AllTogetherSaysWhatIsMixed)
{
    auto points = twoRuns();
    points[3].model = "other";
    points[3].osl = 8192;
    ChartRequest request;
    request.group = "none";
    EXPECT_THAT(made(points, request).warnings, ElementsAre("all points: points differ in model (m, other), OSL (1024, 8192)"));
}

TEST(Chart, LengthsWithinFivePercentAreOneWorkload)
{
    auto points = twoRuns();
    points[0].osl = 1000;
    points[1].osl = 1049;
    points[2].osl = 1010;
    EXPECT_THAT(made(points).warnings, IsEmpty());
    points[1].osl = 1051;
    EXPECT_THAT(made(points).warnings, ElementsAre("a: points differ in OSL (1000, 1010, 1051)"));
}

TEST(Chart, APointThatAnotherWorkloadKeepsOffTheFrontierCounts)
{
    auto points = twoRuns();
    points[2].isl = 8192; // a3 is dominated
    EXPECT_THAT(made(points).warnings, ElementsAre("a: points differ in ISL (1024, 8192)"));
    points[2].valid = false;
    points[2].reasons = {"No."};
    EXPECT_THAT(made(points).warnings, IsEmpty()) << "what may not stand there is not compared";
}

TEST(Chart, MeasuredAndSimulatedPointsShareNoFrontier)
{
    auto points = twoRuns();
    points[0].simulated = true;
    points[3].simulated = true;
    Chart chart = made(points);
    ASSERT_THAT(chart.series, SizeIs(3));
    EXPECT_EQ(chart.series[0].key, "a");
    EXPECT_FALSE(chart.series[0].simulated);
    EXPECT_EQ(chart.series[1].key, "a (simulated)");
    EXPECT_TRUE(chart.series[1].simulated);
    EXPECT_THAT(frontierIds(chart.series[1]), ElementsAre("a1"));
    EXPECT_EQ(chart.series[2].key, "b") << "nothing to tell it from";
    EXPECT_TRUE(chart.series[2].simulated);
    EXPECT_TRUE(chart.simulated);
    ChartRequest request;
    request.where = "simulated=true";
    chart = made(points, request);
    EXPECT_EQ(chart.series.at(0).key, "a (simulated)") << "a filter changes no key";
    request = {};
    request.group = "none";
    chart = made(points, request);
    ASSERT_THAT(chart.series, SizeIs(2));
    EXPECT_EQ(chart.series[1].key, "all points (simulated)");
}

TEST(Chart, RanksOfSeriesDoNotDependOnTheFilter)
{
    ChartRequest request;
    request.where = "run=b";
    const Chart chart = made(twoRuns(), request);
    ASSERT_THAT(chart.series, SizeIs(1));
    EXPECT_EQ(chart.series[0].rank, 1U);
    EXPECT_EQ(made(twoRuns()).series.at(1).rank, 1U);
}

TEST(Chart, SaysWhereAnotherMetricStandsIn)
{
    auto points = twoRuns();
    points[0].tpotMs = {};
    points[0].itlMs.p50 = 10;
    points[0].itlPerRequest = true;
    const Chart chart = made(points);
    EXPECT_THAT(chart.warnings, ElementsAre("a: Tokens/s per user (1000 / median TPOT) is from the file's ITL, which is a mean over each "
                                            "request, for 1 of 3 points"));
    EXPECT_EQ(chart.series[0].points[0].note, "tps-per-user: from the file's ITL, which is a mean over each request");
    EXPECT_EQ(chart.series[0].points[1].note, "");
    const auto rows = results::readCsv(asCsv(chart));
    EXPECT_EQ(rows.at(0).cells.back(), "note");
    EXPECT_THAT(rows.at(1).cells.back(), HasSubstr("ITL"));
    const auto json = paretoJson(chart);
    ASSERT_THAT(json.find("notes")->array(), SizeIs(1));
    EXPECT_EQ(*json.find("notes")->array()[0].find("id")->string(), "a1");
    EXPECT_THAT(chart.series[0].points[0].labels, Contains(testing::Pair(HasSubstr("median TPOT"), HasSubstr("ITL"))));
}

TEST(Chart, LabelsSayUnknownAndNeverZero)
{
    auto points = twoRuns();
    points[0].isl.reset();
    const Chart chart = made(points);
    const auto& labels = chart.series[0].points[0].labels;
    EXPECT_THAT(labels, Contains(testing::Pair("ISL / OSL", "\u2014 / 1024 tokens")));
    EXPECT_THAT(labels, Contains(testing::Pair("Concurrency", "100 requests")));
}

TEST(Chart, WrongWordsAreErrorsThatNameThem)
{
    const auto error = [](ChartRequest request) {
        const auto chart = makeChart({}, request);
        EXPECT_FALSE(chart);
        return chart ? std::string() : chart.error().message;
    };
    ChartRequest request;
    request.x = "tps-per-usr";
    EXPECT_THAT(error(request), HasSubstr("tps-per-user"));
    request = {};
    request.y = "nothing";
    EXPECT_THAT(error(request), HasSubstr("\"nothing\""));
    request = {};
    request.group = "hardwar";
    EXPECT_THAT(error(request), AllOf(HasSubstr("\"hardwar\""), HasSubstr("\"hardware\"")));
    request = {};
    request.where = "concurrency>>4";
    EXPECT_THAT(error(request), HasSubstr("concurrency>>4"));
    request = {};
    request.slo = "x<1";
    EXPECT_THAT(error(request), HasSubstr("\"x<1\""));
}

TEST(Chart, OfNoPointsIsEmpty)
{
    const Chart chart = made({});
    EXPECT_THAT(chart.series, IsEmpty());
    EXPECT_EQ(chart.x.id, "tps-per-user");
    EXPECT_EQ(chart.y.id, "output-tps-per-gpu");
}

TEST(Chart, ComesBackFromItsSpecification)
{
    auto points = twoRuns();
    points[1].failed = 20;
    points[0].simulated = true;
    points[3].gpus = {};
    for (auto& p : points)
        results::judge(p);
    ChartRequest request;
    request.x = "ttft-p99";
    request.line = Line::Straight;
    request.title = "A \"title\"";
    request.where = "concurrency!=150";
    const Chart chart = made(points, request);
    const auto text = base::json::write(toJson(chart));
    const auto value = base::json::read(text);
    ASSERT_TRUE(value);
    const auto back = chartFromJson(*value);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, chart);
}

TEST(Chart, ABrokenSpecificationIsRefused)
{
    for (const char* text : {"{}", "[]", R"({"x":{},"y":{},"series":[],"line":"spline"})",
                             R"({"x":{},"y":{},"line":"stairs","series":[{"key":"a","points":[{"x":1}]}]})",
                             R"({"x":{},"y":{},"line":"stairs","series":[{"key":"a","points":[],"frontier":[0]}]})"}) {
        const auto value = base::json::read(text);
        ASSERT_TRUE(value) << text;
        EXPECT_FALSE(chartFromJson(*value)) << text;
    }
}

TEST(Chart, ParetoJsonHasTheKeysOfTheContract)
{
    auto points = twoRuns();
    points[3].gpus = {};
    const auto json = paretoJson(made(points));
    EXPECT_EQ(*json.at({"x", "id"})->string(), "tps-per-user");
    EXPECT_EQ(*json.at({"y", "direction"})->string(), "max");
    const auto& groups = json.find("groups")->array();
    ASSERT_THAT(groups, SizeIs(1));
    EXPECT_EQ(*groups[0].find("key")->string(), "a");
    EXPECT_EQ(*groups[0].find("frontier")->array().at(0).string(), "a2");
    EXPECT_DOUBLE_EQ(*groups[0].find("hypervolume")->number(), 15000);
    EXPECT_EQ(*json.find("excluded")->array().at(0).find("id")->string(), "b1");
}

TEST(Chart, CsvHasALineForEveryPointDrawnOrNot)
{
    auto points = twoRuns();
    points[3].gpus = {};
    points[0].source = "/with, comma.json";
    const auto rows = results::readCsv(asCsv(made(points)));
    ASSERT_THAT(rows, SizeIs(5));
    for (const auto& row : rows)
        EXPECT_THAT(row.cells, SizeIs(rows[0].cells.size())) << "line " << row.line;
    EXPECT_THAT(rows[0].cells, ElementsAre("run", "id", "tps-per-user", "output-tps-per-gpu", "frontier", "eligible", "simulated", "reason",
                                           "source", "note"));
    EXPECT_THAT(rows[1].cells, ElementsAre("a", "a1", "100", "100", "true", "true", "false", "", "/with, comma.json", ""));
    EXPECT_THAT(rows[3].cells, ElementsAre("a", "a3", "50", "150", "false", "true", "false", "", "/data/a3.json", ""));
    EXPECT_EQ(rows[4].cells[1], "b1");
    EXPECT_EQ(rows[4].cells[2], "") << "unknown is empty, never 0";
    EXPECT_THAT(rows[4].cells[7], HasSubstr("not known"));
}

TEST(Chart, LinesHaveTheNamesOfTheCommandLine)
{
    for (const Line line : {Line::Stairs, Line::Straight, Line::None})
        EXPECT_EQ(lineNamed(name(line)), line);
    EXPECT_EQ(name(Line::Stairs), "stairs");
    EXPECT_EQ(lineNamed("spline"), std::nullopt);
}

} // namespace
} // namespace wb::analysis
