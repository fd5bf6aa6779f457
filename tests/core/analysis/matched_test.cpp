#include "core/analysis/delta.h"
#include "core/analysis/matched.h"
#include "core/analysis/viewfile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

results::Point point(const std::string& run, double concurrency, double perUser, double outputTps)
{
    results::Point p;
    p.id.text = run + '-' + std::to_string(static_cast<int>(concurrency)) + '-' + std::to_string(static_cast<int>(outputTps));
    p.run.text = run;
    p.format = "sa-bench";
    p.model = "m";
    p.isl = 1024;
    p.osl = 1024;
    p.concurrency = concurrency;
    p.completed = p.requested = 100;
    p.outputTps = outputTps;
    p.tpotMs.p50 = 1000.0 / perUser;
    p.ttftMs.p99 = 10 * concurrency;
    p.gpus.working = 1;
    return p;
}

/// "a" from (10, 400) to (40, 100); "b" from (20, 500) to (50, 50); "c" is one point.
std::vector<results::Point> threeRuns()
{
    return {point("a", 4, 10, 400), point("a", 2, 20, 300), point("a", 1, 40, 100), point("b", 4, 20, 500),
            point("b", 2, 30, 250), point("b", 1, 50, 50),  point("c", 1, 100, 10)};
}

Chart made(const std::vector<results::Point>& points, const ChartRequest& request = {})
{
    auto chart = makeChart(points, request);
    EXPECT_TRUE(chart) << (chart ? "" : chart.error().message);
    return chart ? std::move(*chart) : Chart{};
}

TEST(Matched, TellsMeasuredFromInterpolatedAndGivesNothingBeyondAFrontier)
{
    const Chart chart = made(threeRuns());
    const MatchedComparison at = matchedComparison(chart, {.x = 20, .baseline = "a", .hidden = {}});
    ASSERT_THAT(at.groups, SizeIs(3));
    EXPECT_EQ(at.groups[0].found, Found::Measured);
    EXPECT_DOUBLE_EQ(*at.groups[0].value, 300);
    EXPECT_TRUE(at.groups[0].isBaseline);
    EXPECT_FALSE(at.groups[0].share) << "the baseline against itself";
    EXPECT_NEAR(*at.groups[1].share, 500.0 / 300 - 1, 1e-12);
    EXPECT_EQ(at.groups[2].found, Found::Nothing);
    EXPECT_FALSE(at.groups[2].value);
    EXPECT_THAT(at.groups[2].reason, HasSubstr("from 100 to 100"));

    const MatchedComparison between = matchedComparison(chart, {.x = 25, .baseline = "a", .hidden = {}});
    EXPECT_EQ(between.groups[0].found, Found::Interpolated);
    EXPECT_DOUBLE_EQ(*between.groups[0].value, 250) << "a quarter of the way from 300 to 100";
    ASSERT_TRUE(between.groups[0].left && between.groups[0].right);
    EXPECT_EQ(chart.series[0].points[between.groups[0].left->point].y, 300);
    EXPECT_EQ(chart.series[0].points[between.groups[0].right->point].y, 100);
    EXPECT_DOUBLE_EQ(*between.groups[1].value, 375);
}

TEST(Matched, WithoutAnXGivesTheBestWithinTheLimits)
{
    const Chart chart = made(threeRuns(), {.slo = "ttft-p99<=20"});
    const MatchedComparison best = matchedComparison(chart, {});
    EXPECT_DOUBLE_EQ(*best.groups[0].value, 300) << "400 has a TTFT of 40 ms";
    EXPECT_EQ(best.groups[0].found, Found::Measured);
    EXPECT_EQ(best.baseline, "a") << "the first with a value";
    EXPECT_DOUBLE_EQ(*best.groups[1].value, 250);
    const MatchedComparison none = matchedComparison(made(threeRuns(), {.slo = "ttft-p99<=1"}), {});
    EXPECT_EQ(none.baseline, "");
    EXPECT_FALSE(none.groups[0].value);
    EXPECT_THAT(none.groups[0].reason, HasSubstr("may stand on a frontier"));
}

TEST(Matched, MeasuresAreasOverTheRangeThatFrontiersShare)
{
    const MatchedComparison all = matchedComparison(made(threeRuns()), {.x = 25, .baseline = "b", .hidden = {}});
    ASSERT_TRUE(all.common);
    EXPECT_EQ(*all.common, (Range{20, 40})) << "a single point has no range and takes none from the others";
    EXPECT_DOUBLE_EQ(*all.groups[0].area, 20 * 200.0) << "from 300 to 100";
    EXPECT_DOUBLE_EQ(*all.groups[1].area, 10 * 375.0 + 10 * 200.0) << "500, 250, and 150 at 40";
    EXPECT_NEAR(*all.groups[0].areaShare, 4000.0 / 5750 - 1, 1e-12);
    EXPECT_FALSE(all.groups[2].area);
    const MatchedComparison apart =
        matchedComparison(made({point("a", 1, 10, 9), point("a", 2, 20, 5), point("b", 1, 30, 9), point("b", 2, 40, 5)}), {});
    EXPECT_FALSE(apart.common);
    EXPECT_FALSE(apart.groups[0].area);
}

TEST(Matched, LeavesHiddenSeriesOutAndWritesATable)
{
    const Chart chart = made(threeRuns());
    const MatchedComparison some = matchedComparison(chart, {.x = 25, .baseline = "a", .hidden = {true, false, false}});
    ASSERT_THAT(some.groups, SizeIs(2));
    EXPECT_EQ(some.baseline, "b") << "the one that was wanted is hidden";
    const std::string csv = asCsv(some, chart);
    EXPECT_THAT(csv, HasSubstr("\nb,25,"));
    EXPECT_THAT(csv, HasSubstr(",interpolated,b-4-500,b-2-250,true,,")) << "with its neighbours";
    EXPECT_THAT(csv, HasSubstr("c,25,,nothing,")) << "unknown is empty";
}

TEST(Chart, JoinsASweepInTheOrderOfItsConcurrency)
{
    // More load gives less from 2 to 4 on: the frontier hides that, the curve does not.
    const Chart chart = made({point("a", 4, 5, 250), point("a", 1, 40, 100), point("a", 2, 20, 300)});
    ASSERT_THAT(chart.series, SizeIs(1));
    ASSERT_THAT(chart.series[0].curves, SizeIs(1));
    EXPECT_THAT(chart.series[0].curves[0], ElementsAre(XY{40, 100}, XY{20, 300}, XY{5, 250}));
    EXPECT_THAT(chart.series[0].frontier, SizeIs(2));
}

TEST(Chart, KeepsReplicasAndShowsHowFarTheyLieApart)
{
    std::vector<results::Point> points{point("a", 2, 20, 300), point("again", 2, 25, 320), point("a", 1, 40, 100)};
    const Chart chart = made(points, {.group = "model"});
    ASSERT_THAT(chart.series, SizeIs(1));
    ASSERT_THAT(chart.series[0].spreads, SizeIs(1));
    const Spread& spread = chart.series[0].spreads[0];
    EXPECT_THAT(spread.points, SizeIs(2));
    EXPECT_NEAR(spread.least.x, 20, 1e-9);
    EXPECT_NEAR(spread.most.x, 25, 1e-9);
    EXPECT_NEAR(spread.mean.y, 310, 1e-9);
    points[1].gpus.working = 2;
    EXPECT_THAT(made(points, {.group = "model"}).series[0].spreads, IsEmpty()) << "on other GPUs it is another point";
    points[1].gpus.working = 1;
    points[1].isl = 8192;
    EXPECT_THAT(made(points, {.group = "model"}).series[0].spreads, IsEmpty()) << "with other lengths, too";
}

TEST(Chart, SaysWhereLimitsLieOnItsAxes)
{
    const Chart chart = made(threeRuns(), {.slo = "tps-per-user>=15 tpot-p50<=25 outputTps<500 ttft-p99<=9999", .line = Line::None});
    ASSERT_THAT(chart.limits, SizeIs(2)) << "one as it stands, one on the inverse; the others are on no shown axis";
    EXPECT_EQ(chart.limits[0], (ChartLimit{.isX = true, .isMost = false, .value = 15, .written = "tps-per-user>=15"}));
    EXPECT_EQ(chart.limits[1], (ChartLimit{.isX = true, .isMost = false, .value = 40, .written = "tpot-p50<=25"})) << "1000 / 25";
    const Chart latency = made(threeRuns(), {.x = "ttft-p99", .slo = "ttftMs.p99<=20"});
    ASSERT_THAT(latency.limits, SizeIs(1));
    EXPECT_TRUE(latency.limits[0].isMost);
}

TEST(Chart, CountsPointsWithoutAnAxisValueAndSimulatedOnesThatAreLeftOut)
{
    std::vector<results::Point> points = threeRuns();
    points[0].tpotMs.p50.reset();
    points[1].gpus.working.reset();
    points[2].simulated = true;
    const Chart chart = made(points, {.withSimulated = false});
    EXPECT_EQ(chart.withoutX, 1U);
    EXPECT_EQ(chart.withoutY, 1U);
    EXPECT_EQ(chart.simulatedLeftOut, 1U);
    EXPECT_FALSE(chart.simulated);
}

TEST(Chart, FindsTheFrontierOfAllGroupsWithoutSimulatedPoints)
{
    std::vector<results::Point> points = threeRuns();
    const auto ids = [](const Chart& chart, const std::vector<bool>& hidden) {
        std::vector<std::string> all;
        for (const PlaceInChart& place : overallFrontier(chart, hidden).points)
            all.push_back(chart.series[place.series].points[place.point].id.text);
        return all;
    };
    const Chart chart = made(points);
    const Chart together = made(points, {.group = "none"});
    std::vector<std::string> expected;
    for (const std::size_t index : together.series[0].frontier)
        expected.push_back(together.series[0].points[index].id.text);
    EXPECT_EQ(ids(chart, {}), expected) << "as if all were one group";
    EXPECT_EQ(overallFrontier(chart).hypervolume, together.series[0].hypervolume);
    for (results::Point& p : points)
        p.simulated = p.run.text == "b";
    EXPECT_THAT(ids(made(points), {}), ElementsAre("a-4-400", "a-2-300", "a-1-100", "c-1-10"));
    EXPECT_THAT(ids(made(points), {true, false, true}), SizeIs(3)) << "where nothing measured is shown, the simulated ones have one";
}

TEST(Chart, FiltersByWordsAndTermsWhereTheyAreTyped)
{
    std::vector<results::Point> points = threeRuns();
    points[0].engine = "vllm";
    EXPECT_FALSE(makeChart(points, {.where = "vllm"})) << "a script writes engine=vllm";
    const Chart chart = made(points, {.where = "VLLM concurrency>=4", .takesWords = true});
    EXPECT_EQ(chart.filteredOut, points.size() - 1);
}

TEST(Chart, ComesBackFromItsSpecificationWithCurvesSpreadsAndLimits)
{
    std::vector<results::Point> points = threeRuns();
    points.push_back(point("a", 2, 21, 310));
    points[0].tp = 4;
    points[0].ep = 8;
    const Chart chart = made(points, {.slo = "tps-per-user>=15"});
    EXPECT_EQ(chart.series[0].points[0].parallelism, "TP4 EP8");
    const auto again = chartFromJson(toJson(chart));
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, chart);
}

TEST(Chart, WritesATableThatSaysWhatItIs)
{
    const std::string csv = asCsv(made(threeRuns(), {.where = "run=a"}), CsvNotes{.filters = "run=a", .limits = "", .date = "2026-08-21"});
    EXPECT_THAT(csv, HasSubstr("# Output tokens/s per working GPU over Tokens/s per user"));
    EXPECT_THAT(csv, HasSubstr("# x: Tokens/s per user (1000 / median TPOT) (tok/s/user): 1000 / median TPOT in ms\n"));
    EXPECT_THAT(csv, HasSubstr("# Filter: run=a\n"));
    EXPECT_THAT(csv, HasSubstr("# Date: 2026-08-21\nrun,id,"));
    EXPECT_THAT(csv, testing::Not(HasSubstr("# Limits")));
}

TEST(Delta, TellsByHowMuchAndInWhatTwoPointsDiffer)
{
    results::Point a = point("a", 4, 20, 300);
    results::Point b = point("b", 4, 30, 250);
    b.precision = "fp8";
    const std::vector<DeltaRow> rows = deltaOf(a, b, *findAxis(defaultX), *findAxis(defaultY));
    EXPECT_NEAR(*rows[0].change, 0.5, 1e-12);
    EXPECT_EQ(rows[0].isBetter, true);
    EXPECT_NEAR(*rows[1].change, -1.0 / 6, 1e-12);
    EXPECT_EQ(rows[1].isBetter, false);
    const auto rowOf = [&rows](const std::string& title) {
        const auto found = std::ranges::find(rows, title, &DeltaRow::title);
        return found == rows.end() ? DeltaRow() : *found;
    };
    EXPECT_EQ(rowOf("Precision").first, "\u2014") << "unknown is not the same";
    EXPECT_EQ(rowOf("Precision").second, "fp8");
    EXPECT_TRUE(rowOf("Precision").isSetup);
    EXPECT_EQ(rowOf("Concurrency").title, "") << "what is the same is not told";
    EXPECT_EQ(rowOf("TTFT, P99").isBetter, std::nullopt) << "equal";
}

TEST(ViewFile, ComesBackAsItWasSaved)
{
    ChartViewFile view;
    view.request.x = "ttft-p99";
    view.request.group = "hardware";
    view.request.where = "engine=vllm \"DeepSeek R1\"";
    view.request.slo = "tpot-p50<=20";
    view.request.line = Line::Straight;
    view.request.ranks = {{"gb200", 3}, {"h100", 0}};
    view.request.withSimulated = false;
    view.scaleY = "log";
    view.zoom = {1, 2, 3, 4};
    view.hidden = {"h100"};
    view.labels = "parallelism";
    view.shows = {"overall", "curves"};
    view.matchX = 55.5;
    view.baseline = "gb200";
    const auto again = readViewFile(base::json::write(toJson(view)));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(base::json::write(toJson(*again)), base::json::write(toJson(view)));
    EXPECT_EQ(again->request.ranks, view.request.ranks);
    EXPECT_EQ(again->zoom, view.zoom);
    EXPECT_EQ(again->matchX, view.matchX);
}

TEST(ViewFile, RefusesWhatIsNoneAndWhatIsNewer)
{
    EXPECT_THAT(readViewFile("{\"x\": \"ttft-p99\"}").error().message, HasSubstr("no view"));
    EXPECT_THAT(readViewFile("{\"srtview\": 2}").error().message, HasSubstr("newer"));
    EXPECT_FALSE(readViewFile("{"));
    EXPECT_TRUE(readViewFile("{\"srtview\": 1, \"later\": true}")) << "all else may be absent or unknown";
}

TEST(ViewFile, SeriesLookTheSameOnOtherResults)
{
    const Chart before = made(threeRuns());
    ChartRequest request;
    for (const ChartSeries& series : before.series)
        request.ranks[series.key] = series.rank;
    std::vector<results::Point> more = threeRuns();
    more.push_back(point("aa", 1, 30, 200));
    const Chart after = made(more, request);
    ASSERT_THAT(after.series, SizeIs(4));
    EXPECT_EQ(after.series[0].rank, 0U);
    EXPECT_EQ(after.series[1].key, "aa");
    EXPECT_EQ(after.series[1].rank, 3U) << "the new one comes after those of the view";
    EXPECT_EQ(after.series[2].rank, 1U);
}

} // namespace
} // namespace wb::analysis
