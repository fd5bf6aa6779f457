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

/// The runs of a known model on known GPUs: 4 of them to each worker.
std::vector<results::Point> runsOf(const ServiceTimes& times, const Layout& layout)
{
    std::vector<results::Point> out = pointsOf(times, layout);
    for (results::Point& point : out) {
        point.model = "/models/M/";
        point.engine = "vllm";
        point.hardware = "GB200";
        point.precision = "fp8";
        if (layout.isDisaggregated) {
            point.gpus.prefill = 4 * layout.prefillWorkers;
            point.gpus.decode = 4 * layout.decodeWorkers;
        }
        point.gpus.working = 4 * (layout.decodeWorkers + (layout.isDisaggregated ? layout.prefillWorkers : 0));
    }
    return out;
}

Parameters fittedOn(const std::vector<results::Point>& points)
{
    std::vector<std::string> said;
    Parameters made = parametersOf(calibrate(points, said), said);
    EXPECT_THAT(said, testing::IsEmpty());
    return made;
}

recipe::Job jobWith(const std::string& resources, const std::string& model = "hf:owner/m", const std::string& precision = "fp8")
{
    return test::jobFrom(
        "name: n\nmodel: {path: '" + model + "', container: c, precision: " + precision +
        "}\nresources: {gpu_type: gb200, gpus_per_node: 4, " + resources +
        "}\nbackend: {type: vllm}\nbenchmark: {type: sa-bench, isl: 1024, osl: 512, concurrencies: [1, 4, 16, 64, 128]}\n");
}

const std::string threeDecoders = "prefill_nodes: 2, decode_nodes: 3, prefill_workers: 2, decode_workers: 3";

TEST(Calibration, TheRunsOfSeveralWorkersAreForetoldForTheirOwnRecipe)
{
    const std::vector<results::Point> runs = runsOf(plainTimes, layoutWith(true));
    const auto made = simulate(jobWith(threeDecoders), fittedOn(runs), "r.yaml");
    ASSERT_TRUE(made) << made.error().message;
    ASSERT_THAT(*made, SizeIs(runs.size()));
    for (std::size_t i = 0; i < runs.size(); ++i) {
        EXPECT_NEAR(*(*made)[i].outputTps / *runs[i].outputTps, 1, 0.02) << "concurrency " << *runs[i].concurrency;
        EXPECT_NEAR(*(*made)[i].tpotMs.mean / *runs[i].tpotMs.mean, 1, 0.02) << "concurrency " << *runs[i].concurrency;
    }
    EXPECT_THAT(made->front().notes, testing::ElementsAre(HasSubstr("vllm, gb200, fp8, ISL 1024, OSL 512, 8 + 12 GPUs")));
}

TEST(Calibration, AggregatedRunsOfThreeWorkersAreForetold)
{
    Layout layout = layoutWith(false);
    layout.prefillWorkers = layout.decodeWorkers = 3;
    const std::vector<results::Point> runs = runsOf(plainTimes, layout);
    const auto made = simulate(jobWith("agg_nodes: 3, agg_workers: 3"), fittedOn(runs), "r.yaml");
    ASSERT_TRUE(made) << made.error().message;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        EXPECT_NEAR(*(*made)[i].outputTps / *runs[i].outputTps, 1, 0.03) << "concurrency " << *runs[i].concurrency;
        EXPECT_NEAR(*(*made)[i].tpotMs.mean / *runs[i].tpotMs.mean, 1, 0.03) << "concurrency " << *runs[i].concurrency;
    }
}

TEST(Calibration, OtherCountsOfTheSameGpusAreTakenInProportion)
{
    Layout doubled = layoutWith(true);
    doubled.prefillWorkers = 4;
    doubled.decodeWorkers = 6;
    const auto made = simulate(jobWith("prefill_nodes: 4, decode_nodes: 6, prefill_workers: 4, decode_workers: 6"),
                               fittedOn(runsOf(plainTimes, layoutWith(true))), "r.yaml");
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_NEAR(*made->back().outputTps / simulate(plainTimes, doubled, 128).outputTps, 1, 0.03);
    EXPECT_NEAR(*made->back().tpotMs.mean / simulate(plainTimes, doubled, 128).tpotMs, 1, 0.03);
    EXPECT_THAT(made->front().notes, testing::ElementsAre(HasSubstr("8 prefill and 12 decode GPUs, taken in proportion")));
}

TEST(Calibration, AFitIsForJobsOfItsKindOnly)
{
    const Parameters fitted = fittedOn(runsOf(plainTimes, layoutWith(true)));
    EXPECT_TRUE(fitted.find(jobWith(threeDecoders)));
    EXPECT_TRUE(fitted.find(jobWith(threeDecoders, "/hub/models--owner--M/snapshots/0123")));
    EXPECT_FALSE(fitted.find(jobWith(threeDecoders, "hf:owner/another")));
    EXPECT_FALSE(fitted.find(jobWith(threeDecoders, "hf:owner/m", "fp4")));
    EXPECT_FALSE(fitted.find(jobWith("agg_nodes: 3, agg_workers: 3")));
    EXPECT_FALSE(fitted.find("vllm", "gb200")) << "a fit is no row for all models";
}

TEST(Calibration, TwoModelsOfOneFolderAreTwoFits)
{
    ServiceTimes slow = plainTimes;
    slow.stepMs *= 3;
    std::vector<results::Point> runs = runsOf(slow, layoutWith(true));
    for (results::Point& point : runs)
        point.model = "a-slow-one";
    const auto quick = runsOf(plainTimes, layoutWith(true));
    runs.insert(runs.end(), quick.begin(), quick.end());
    const Parameters fitted = fittedOn(runs);
    ASSERT_THAT(fitted.rows, SizeIs(2));
    ASSERT_TRUE(fitted.find(jobWith(threeDecoders)));
    EXPECT_NEAR(fitted.find(jobWith(threeDecoders))->times.stepMs, 10, 0.1);
    EXPECT_NEAR(fitted.find(jobWith(threeDecoders, "a-slow-one"))->times.stepMs, 30, 0.3);
}

TEST(Calibration, OfSeveralFitsThatOfTheSameLoadAndGpusIsTaken)
{
    Layout other = layoutWith(true);
    other.osl = 256;
    std::vector<results::Point> runs = runsOf(plainTimes, other);
    Layout larger = layoutWith(true);
    larger.decodeWorkers = 6;
    for (const Layout& layout : {larger, layoutWith(true)}) {
        const auto more = runsOf(plainTimes, layout);
        runs.insert(runs.end(), more.begin(), more.end());
    }
    const Parameters fitted = fittedOn(runs);
    ASSERT_THAT(fitted.rows, SizeIs(3));
    EXPECT_THAT(fitted.find(jobWith(threeDecoders))->series, HasSubstr("OSL 512, 8 + 12 GPUs"));
}

TEST(Calibration, EnginesHardwareAndPrecisionAreNotMixed)
{
    const std::vector<results::Point> plain = runsOf(plainTimes, layoutWith(true));
    using Change = void (*)(results::Point&);
    const Change changes[] = {[](results::Point& point) { point.engine = "sglang"; },
                              [](results::Point& point) { point.hardware = "h100"; },
                              [](results::Point& point) { point.precision = "fp4"; },
                              [](results::Point& point) { std::swap(*point.gpus.prefill, *point.gpus.decode); }};
    for (const Change change : changes) {
        std::vector<results::Point> runs = plain;
        for (results::Point point : plain) {
            change(point);
            runs.push_back(std::move(point));
        }
        std::vector<std::string> skipped;
        EXPECT_THAT(calibrate(runs, skipped), SizeIs(2));
    }
}

TEST(Calibration, RunsThatDoNotTellWhatTheyRanOnAreForNoRecipe)
{
    std::vector<results::Point> runs = runsOf(plainTimes, layoutWith(true));
    for (results::Point& point : runs) {
        point.hardware.reset();
        point.engine.reset();
    }
    std::vector<std::string> skipped;
    const auto found = calibrate(runs, skipped);
    EXPECT_THAT(found, SizeIs(1)) << "how well the model foretells them is known all the same";
    std::vector<std::string> leftOut;
    EXPECT_THAT(parametersOf(found, leftOut).rows, testing::IsEmpty());
    EXPECT_THAT(leftOut, testing::ElementsAre(HasSubstr("do not tell engine, hardware;")));
}

TEST(Calibration, ARepeatDoesNotTellWhatIsToBeForetold)
{
    std::vector<results::Point> runs = pointsOf(plainTimes, layoutWith(true));
    *runs[2].outputTps /= 2;
    *runs[2].tpotMs.mean *= 2;
    std::vector<std::string> skipped;
    const auto once = calibrate(runs, skipped);
    runs.push_back(runs[2]);
    const auto twice = calibrate(runs, skipped);
    ASSERT_THAT(once, SizeIs(1));
    ASSERT_THAT(twice, SizeIs(1));
    ASSERT_THAT(twice[0].heldOut, SizeIs(6));
    EXPECT_EQ(twice[0].heldOut[2].concurrency, 16);
    EXPECT_EQ(twice[0].heldOut[2].outputTpsError, once[0].heldOut[2].outputTpsError);
    EXPECT_EQ(twice[0].heldOut[3].tpotError, once[0].heldOut[2].tpotError);
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
