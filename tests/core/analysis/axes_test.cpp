#include "core/analysis/axes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace wb::analysis {
namespace {

using testing::HasSubstr;

AxisValue on(std::string_view id, const results::Point& point)
{
    const Axis* axis = findAxis(id);
    EXPECT_NE(axis, nullptr) << id;
    return axis ? valueOn(*axis, point) : AxisValue{};
}

results::Point split()
{
    results::Point p;
    p.outputTps = 1200;
    p.totalTps = 2400;
    p.inputTps = 1200;
    p.concurrency = 60;
    p.requestsPerS = 3;
    p.tpotMs = {25, 20, 40, 45, 50};
    p.ttftMs = {300, 200, 400, 450, 500};
    p.gpus = {12, 4, 8, 12, 16, "file name"};
    return p;
}

TEST(Axes, HaveTheContractsIds)
{
    for (const char* id : {"tps-per-user", "tps-per-user-mean", "tps-per-user-rates", "output-tps-per-gpu", "total-tps-per-gpu",
                           "output-tps-per-decode-gpu", "output-tps-per-allocated-gpu", "output-tps", "ttft-p50", "ttft-p99", "tpot-mean",
                           "itl-p99", "e2e-p50", "concurrency", "requests-per-s"})
        EXPECT_NE(findAxis(id), nullptr) << id;
    EXPECT_NE(findAxis(defaultX), nullptr);
    EXPECT_NE(findAxis(defaultY), nullptr);
}

TEST(Axes, EachSaysWhatItIs)
{
    std::set<std::string> ids;
    std::set<std::string> titles;
    for (const Axis& axis : axes()) {
        EXPECT_TRUE(ids.insert(axis.id).second) << axis.id << " is there twice";
        EXPECT_TRUE(titles.insert(axis.title).second) << axis.title << " is there twice";
        EXPECT_FALSE(axis.definition.empty()) << axis.id;
        EXPECT_FALSE(axis.unit.empty()) << axis.id;
        EXPECT_NE(axis.value, nullptr) << axis.id;
        EXPECT_NE(results::findNumberField(axis.field), nullptr) << axis.id << " is made from a field that is not there";
        if (!axis.divisor.empty()) {
            EXPECT_NE(results::findNumberField(axis.divisor), nullptr) << axis.id;
        }
        if (!axis.rate.empty()) {
            EXPECT_NE(results::findNumberField(axis.rate), nullptr) << axis.id;
        }
    }
}

TEST(Axes, TimesCostsAndEnergiesAreBetterWhenLessAllElseWhenMore)
{
    const std::set<std::string> less{"ms", "s", "GPU h", "$/Mtok", "J/tok"};
    for (const Axis& axis : axes())
        EXPECT_EQ(axis.direction == Direction::LessIsBetter, less.contains(axis.unit)) << axis.id;
}

TEST(Axes, OfCostAndEnergyComeFromWhatOneGpuCostsAndDraws)
{
    results::Point p = split();
    EXPECT_FALSE(on("cost-per-m-output-tokens", p).value);
    EXPECT_THAT(on("cost-per-m-output-tokens", p).reason, HasSubstr("price of a GPU-hour is not known"));
    EXPECT_THAT(on("output-tps-per-mw", p).reason, HasSubstr("--power"));
    p.gpuHourPrice = 3.0;
    p.gpuPowerW = 1000.0;
    // 12 working GPUs at 3 $/h make 1200 tok/s: 36 $ for 4.32 million tokens.
    EXPECT_DOUBLE_EQ(*on("cost-per-m-output-tokens", p).value, 36.0 / 4.32);
    EXPECT_DOUBLE_EQ(*on("cost-per-m-total-tokens", p).value, 36.0 / 8.64);
    EXPECT_DOUBLE_EQ(*on("cost-per-m-output-tokens-per-allocated-gpu", p).value, 48.0 / 4.32);
    // 12 kW for 1200 tok/s: 10 J each, 100,000 tok/s from a megawatt.
    EXPECT_DOUBLE_EQ(*on("joules-per-output-token", p).value, 10.0);
    EXPECT_DOUBLE_EQ(*on("output-tps-per-mw", p).value, 100'000.0);
    EXPECT_DOUBLE_EQ(*on("total-tps-per-mw-per-allocated-gpu", p).value, 150'000.0);
    p.outputTps = 0;
    EXPECT_FALSE(on("joules-per-output-token", p).value) << "nothing came out";
    p.gpus.working.reset();
    EXPECT_FALSE(on("cost-per-m-total-tokens", p).value) << "the allocated GPUs do not stand in for the working ones";
    EXPECT_TRUE(on("cost-per-m-total-tokens-per-allocated-gpu", p).value);
}

TEST(Axes, OfTheStartAndOfGoodputAreLeftOutWhereNothingTellsThem)
{
    results::Point p = split();
    EXPECT_FALSE(on("time-to-ready", p).value);
    EXPECT_FALSE(on("idle-gpu-hours", p).value);
    EXPECT_FALSE(on("goodput-per-gpu", p).value) << "the throughput of requests is no goodput";
    p.timeToReadyS = 650;
    p.goodput = 2.4;
    EXPECT_DOUBLE_EQ(*on("time-to-ready", p).value, 650);
    EXPECT_DOUBLE_EQ(*on("idle-gpu-hours", p).value, 650.0 * 16 / 3600);
    EXPECT_DOUBLE_EQ(*on("goodput-per-gpu", p).value, 0.2);
}

TEST(Axes, EachDivisorIsItsOwn)
{
    const results::Point p = split();
    EXPECT_DOUBLE_EQ(*on("output-tps", p).value, 1200);
    EXPECT_DOUBLE_EQ(*on("output-tps-per-gpu", p).value, 100);
    EXPECT_DOUBLE_EQ(*on("output-tps-per-allocated-gpu", p).value, 75);
    EXPECT_DOUBLE_EQ(*on("output-tps-per-decode-gpu", p).value, 150);
    EXPECT_DOUBLE_EQ(*on("output-tps-per-prefill-gpu", p).value, 300);
    EXPECT_DOUBLE_EQ(*on("total-tps-per-gpu", p).value, 200);
    EXPECT_DOUBLE_EQ(*on("input-tps-per-prefill-gpu", p).value, 300);
}

TEST(Axes, EachDefinitionOfInteractivityIsItsOwn)
{
    results::Point p = split();
    p.tpsPerUserRates = 55;
    EXPECT_DOUBLE_EQ(*on("tps-per-user", p).value, 50);
    EXPECT_DOUBLE_EQ(*on("tps-per-user-mean", p).value, 40);
    EXPECT_DOUBLE_EQ(*on("tps-per-user-p90", p).value, 25);
    EXPECT_DOUBLE_EQ(*on("tps-per-user-rates", p).value, 55);
    EXPECT_DOUBLE_EQ(*on("tps-per-user-throughput", p).value, 20);
}

TEST(Axes, AMissingValueIsAReasonAndNoFallback)
{
    results::Point p = split();
    p.tpotMs.p50.reset();
    EXPECT_EQ(on("tps-per-user", p).value, std::nullopt) << "the mean must not stand in for the median";
    EXPECT_THAT(on("tps-per-user", p).reason, HasSubstr("median TPOT is not known"));
    EXPECT_EQ(on("tps-per-user-rates", p).value, std::nullopt);
    p.itlMs.p50 = 10;
    EXPECT_EQ(on("tps-per-user", p).value, std::nullopt) << "ITL is not TPOT";
}

TEST(Axes, AllocatedGpusDoNotStandInForWorkingOnes)
{
    results::Point p = split();
    p.gpus.working.reset();
    const AxisValue value = on("output-tps-per-gpu", p);
    EXPECT_EQ(value.value, std::nullopt);
    EXPECT_THAT(value.reason, AllOf(HasSubstr("working GPUs"), HasSubstr("allocated: 16")));
    p.gpus = {};
    EXPECT_EQ(on("output-tps-per-gpu", p).reason, "The number of working GPUs is not known.");
    p.gpus.working = 0;
    EXPECT_EQ(on("output-tps-per-gpu", p).value, std::nullopt);
}

TEST(Axes, AFilesOwnFigureOfTheSameDefinitionIsTakenAndTold)
{
    results::Point p = split();
    p.tpotMs.p50.reset();
    p.tpsPerUserGiven = 48.5;
    EXPECT_DOUBLE_EQ(*on("tps-per-user", p).value, 48.5);
    EXPECT_THAT(on("tps-per-user", p).note, HasSubstr("own"));
    EXPECT_DOUBLE_EQ(*on("tps-per-user-mean", p).value, 40) << "it is no mean";
}

TEST(Axes, AnItlOverEachRequestIsATpotAndTold)
{
    results::Point p = split();
    p.tpotMs = {};
    p.itlMs.p50 = 10;
    p.itlPerRequest = true;
    EXPECT_DOUBLE_EQ(*on("tps-per-user", p).value, 100);
    EXPECT_THAT(on("tps-per-user", p).note, HasSubstr("ITL"));
    EXPECT_TRUE(on("tps-per-user", p).isSubstitute);
}

TEST(Axes, ATpotThatCountsTheFirstTokenGivesWayToTheItl)
{
    results::Point p = split();
    p.tpotMs.p50 = 40;
    p.itlMs.p50 = 10;
    p.itlPerRequest = true;
    p.tpotHasFirstToken = true;
    EXPECT_DOUBLE_EQ(*on("tps-per-user", p).value, 100);
    EXPECT_THAT(on("tps-per-user", p).note, HasSubstr("counts the first token"));
    EXPECT_DOUBLE_EQ(*on("tpot-p50", p).value, 40) << "its own is shown as it is";
}

TEST(Axes, NeverGiveWhatIsNotFinite)
{
    results::Point p = split();
    p.tpotMs.p50 = 0.0;
    EXPECT_EQ(on("tps-per-user", p).value, std::nullopt);
    EXPECT_FALSE(on("tps-per-user", p).reason.empty());
    EXPECT_EQ(on("tps-per-user", p).reason, "The TPOT is 0 ms, which is no measurement.");
    p.tpotMs.p50 = -5.0;
    EXPECT_EQ(on("tps-per-user", p).reason, "The TPOT is -5 ms, which is no measurement.") << "it is not 0";
    p.outputTps = std::numeric_limits<double>::infinity();
    EXPECT_EQ(on("output-tps", p).value, std::nullopt);
    p.outputTps = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(on("output-tps-per-gpu", p).value, std::nullopt);
}

TEST(Axes, AWrongNameIsToldWithTheNearestOne)
{
    const auto axis = axisNamed("tps-per-usr");
    ASSERT_FALSE(axis);
    EXPECT_THAT(axis.error().message, AllOf(HasSubstr("\"tps-per-usr\""), HasSubstr("\"tps-per-user\"")));
}

} // namespace
} // namespace wb::analysis
