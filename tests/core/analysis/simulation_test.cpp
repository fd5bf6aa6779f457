// The model of serving: its laws, its fit on real sweeps, and what it refuses.
#include "core/analysis/simulation.h"
#include "core/results/importer.h"
#include "tests/support/corpus.h"
#include "tests/support/jobs.h"

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

namespace wb::analysis {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

constexpr ServiceTimes plainTimes{
    .prefillBaseMs = 50, .prefillMsPerToken = 0.05, .stepMs = 10, .stepMsPerRoot = 0.3, .stepMsPerRequest = 0.05};

Layout layoutWith(bool isDisaggregated, std::optional<double> maxBatch = std::nullopt)
{
    Layout layout;
    layout.isDisaggregated = isDisaggregated;
    layout.prefillWorkers = 2;
    layout.decodeWorkers = isDisaggregated ? 3 : 2;
    layout.isl = 1024;
    layout.osl = 512;
    layout.maxBatch = maxBatch;
    return layout;
}

TEST(Simulation, ThroughputRisesUntilSaturationAndNoLatencyFalls)
{
    for (const Layout& layout : {layoutWith(true), layoutWith(false), layoutWith(true, 16), layoutWith(false, 16)}) {
        Simulated before;
        for (double concurrency = 1; concurrency <= 1 << 16; concurrency *= 2) {
            const Simulated now = simulate(plainTimes, layout, concurrency);
            EXPECT_GE(now.outputTps, before.outputTps * (1 - 1e-9)) << concurrency;
            EXPECT_GE(now.ttftMs, before.ttftMs * (1 - 1e-9)) << concurrency;
            EXPECT_GE(now.tpotMs, before.tpotMs * (1 - 1e-9)) << concurrency;
            EXPECT_GE(now.e2eMs, before.e2eMs * (1 - 1e-9)) << concurrency;
            before = now;
        }
    }
}

TEST(Simulation, KeepsLittlesLaw)
{
    for (const Layout& layout : {layoutWith(true), layoutWith(false), layoutWith(true, 16)}) {
        for (const double concurrency : {1.0, 17.0, 300.0, 5000.0}) {
            const Simulated now = simulate(plainTimes, layout, concurrency);
            EXPECT_NEAR(now.requestsPerS * now.e2eMs / 1000.0, concurrency, concurrency * 1e-6);
        }
    }
}

TEST(Simulation, OneClientWaitsForNobody)
{
    const Simulated alone = simulate(plainTimes, layoutWith(true), 1);
    EXPECT_NEAR(alone.ttftMs, 50 + 1024 * 0.05, 1.0);
    EXPECT_NEAR(alone.tpotMs, 10 + 0.3, 0.3);
}

TEST(Simulation, AFullBatchMakesTheOthersWait)
{
    const Simulated limited = simulate(plainTimes, layoutWith(true, 8), 1000);
    const Simulated open = simulate(plainTimes, layoutWith(true), 1000);
    EXPECT_LT(limited.tpotMs, open.tpotMs);
    EXPECT_GT(limited.ttftMs, open.ttftMs);
    EXPECT_NEAR(limited.tpotMs, 10 + 0.3 * std::sqrt(8.0) + 0.05 * 8, 1e-9);
}

std::vector<results::Point> pointsOf(const ServiceTimes& times, const Layout& layout)
{
    std::vector<results::Point> out;
    for (const double concurrency : {1.0, 4.0, 16.0, 64.0, 128.0}) {
        const Simulated made = simulate(times, layout, concurrency);
        results::Point point;
        point.source = "folder/file.json";
        point.concurrency = concurrency;
        point.isl = layout.isl;
        point.osl = layout.osl;
        point.outputTps = made.outputTps;
        point.tpotMs.mean = made.tpotMs;
        point.ttftMs.mean = made.ttftMs;
        if (layout.isDisaggregated)
            point.gpus.prefill = point.gpus.decode = 8;
        out.push_back(std::move(point));
    }
    return out;
}

TEST(Calibration, FindsTheTimesThatMadeTheFigures)
{
    Layout layout = layoutWith(true);
    layout.prefillWorkers = layout.decodeWorkers = 1;
    std::vector<std::string> skipped;
    const auto found = calibrate(pointsOf(plainTimes, layout), skipped);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_NEAR(found[0].times.stepMs, 10, 0.05);
    EXPECT_NEAR(found[0].times.stepMsPerRoot, 0.3, 0.03);
    EXPECT_NEAR(found[0].times.stepMsPerRequest, 0.05, 0.005);
    EXPECT_LT(found[0].medianOutputTpsError, 0.01);
    EXPECT_LT(found[0].medianTpotError, 0.01);
}

TEST(Calibration, ForetellsTheRealSweepsWithinItsBounds)
{
    SRTWB_NEEDS_SHARED("results/real/vllm-bench-serve");
    const auto points = results::importPaths({test::shared("results/real/vllm-bench-serve")->string()}).points();
    std::vector<results::Point> sweeps;
    for (const results::Point& point : points) {
        if (point.source.find("minimax__") != std::string::npos || point.source.find("root__") != std::string::npos)
            sweeps.push_back(point);
    }
    ASSERT_THAT(sweeps, SizeIs(16));
    std::vector<std::string> skipped;
    const auto found = calibrate(sweeps, skipped);
    EXPECT_THAT(skipped, testing::IsEmpty());
    ASSERT_THAT(found, SizeIs(2));
    for (const Calibration& one : found) {
        EXPECT_EQ(one.points, 8U);
        EXPECT_LE(one.medianOutputTpsError, 0.20) << one.series;
        EXPECT_LE(one.medianTpotError, 0.30) << one.series;
        ASSERT_THAT(one.heldOut, SizeIs(8));
    }
}

TEST(Calibration, LeavesOutWhatIsTooLittleAndWhatWasNotMeasured)
{
    std::vector<results::Point> points = pointsOf(plainTimes, layoutWith(true));
    points.resize(3);
    std::vector<std::string> skipped;
    EXPECT_THAT(calibrate(points, skipped), testing::IsEmpty());
    EXPECT_THAT(skipped, testing::ElementsAre(HasSubstr("3 concurrencies are too few")));
    points = pointsOf(plainTimes, layoutWith(true));
    for (results::Point& point : points)
        point.simulated = true;
    skipped.clear();
    EXPECT_THAT(calibrate(points, skipped), testing::IsEmpty()) << "a model is not fitted on a model";
}

const std::string recipe = "name: n\nmodel: {path: m, container: c, precision: fp8}\n"
                           "resources: {gpu_type: gb200, gpus_per_node: 4, prefill_nodes: 1, decode_nodes: 2, prefill_workers: 1, "
                           "decode_workers: 2}\nbackend: {type: vllm, vllm_config: {decode: {max_num_seqs: 32}}}\n";

TEST(SimulatedPoints, AreMarkedAndHaveNoTail)
{
    const auto points = simulate(test::jobFrom(recipe + "benchmark: {type: sa-bench, isl: 1024, osl: 1024, concurrencies: [4, 64]}\n"),
                                 builtInParameters(), "r.yaml");
    ASSERT_TRUE(points) << points.error().message;
    ASSERT_THAT(*points, SizeIs(2));
    const results::Point& point = points->front();
    EXPECT_TRUE(point.simulated);
    EXPECT_EQ(point.tpotMs.p50, point.tpotMs.mean);
    EXPECT_FALSE(point.tpotMs.p99);
    EXPECT_EQ(point.gpus.working, 12);
    EXPECT_FALSE(point.gpus.allocated) << "the model does not know the nodes of the job";
    EXPECT_FALSE(point.completed) << "nothing was measured";
    EXPECT_NE((*points)[0].id, (*points)[1].id);
}

TEST(SimulatedPoints, NeedALoadToCarry)
{
    const auto none = simulate(test::jobFrom(recipe + "benchmark: {type: manual}\n"), builtInParameters(), "r.yaml");
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("ISL and OSL"));
}

TEST(SimulationParameters, AreReadStrictly)
{
    EXPECT_TRUE(readParameters(
        R"({"rows": [{"prefillBaseMs": 1, "prefillMsPerToken": 0, "stepMs": 1, "stepMsPerRoot": 0, "stepMsPerRequest": 0}]})", "f"));
    EXPECT_THAT(readParameters("{}", "f").error().message, HasSubstr("no list \"rows\""));
    EXPECT_THAT(readParameters(R"({"rows": [{"stepMs": -1}]})", "f").error().message, HasSubstr("Row 1"));
    EXPECT_THAT(readParameters("{", "f").error().message, HasSubstr("\"f\""));
    const Parameters& builtIn = builtInParameters();
    ASSERT_TRUE(builtIn.find("vllm", "gb200"));
    EXPECT_EQ(builtIn.find("vllm", "gb200")->hardware, "gb200");
    EXPECT_EQ(builtIn.find("vllm", "some new thing")->hardware, "");
}

} // namespace
} // namespace wb::analysis
