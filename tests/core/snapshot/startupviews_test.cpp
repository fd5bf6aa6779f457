// What the charts of startup results draw.
#include "core/snapshot/startupimport.h"
#include "core/snapshot/startupviews.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace wb::snapshot {
namespace {

using testing::Contains;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

StartupRun runOf(double cold, Clock coldClock, double restore, Clock restoreClock)
{
    StartupRun run;
    run.model = "m";
    run.engine = "vllm";
    run.gpu = "NVIDIA B200";
    run.cold = {.seconds = cold, .clock = coldClock, .note = {}};
    run.restore = {.seconds = restore, .clock = restoreClock, .note = {}};
    return run;
}

TEST(StartupGroups, NeverMixTwoClocks)
{
    const std::vector<StartupRun> runs = {runOf(100, Clock::Kubernetes, 10, Clock::Kubernetes),
                                          runOf(120, Clock::Events, 30, Clock::Agent)};
    const auto groups = groupsOf(runs, false);
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0].runs.size(), 1U);
    EXPECT_THAT(speedupWords(groups[0]), "10×");
    EXPECT_THAT(speedupWords(groups[1]), HasSubstr("mixed clocks"));
}

TEST(PhaseStack, AddsUpToTheWholeAndSaysWhatIsMissing)
{
    StartupRun run = runOf(100, Clock::Kubernetes, 11, Clock::Kubernetes);
    const auto phase = [](const char* id, std::optional<double> seconds, bool isApproximate = false) {
        return StartupPhase{id, {.seconds = seconds, .clock = Clock::Agent, .isApproximate = isApproximate, .note = {}}};
    };
    run.restorePhases = {phase("criu_restore", 4.0),
                         phase("cuda_restore", 3.0),
                         phase("pagebroker_stage", {}),
                         phase("unaccounted", 0.5),
                         phase("criu_restore_approx", 4.1, true),
                         phase("agent_duration", 8.0)};
    const auto stack = restoreStack(run);
    ASSERT_TRUE(stack);
    EXPECT_EQ(stack->clock, Clock::Agent);
    EXPECT_EQ(stack->whole, 8.0) << "the agent's own, not the 11 s of the other clock";
    double sum = 0.0;
    for (const PhasePart& part : stack->parts)
        sum += part.seconds;
    EXPECT_DOUBLE_EQ(sum, stack->whole);
    EXPECT_THAT(stack->parts, Contains(PhasePart{"unaccounted", 1.0}));
    EXPECT_THAT(stack->missing, ElementsAre("pagebroker_stage"));
    EXPECT_FALSE(checkpointStack(run));
}

TEST(PhaseStack, OfPublishedTablesHasTheRestUnaccounted)
{
    SRTWB_NEEDS_SHARED("snapshot/results/published/v0.1.0_single_gpu.csv");
    const auto imported = importStartup({test::shared("snapshot/results/published/v0.1.0_single_gpu.csv")->string()});
    ASSERT_EQ(imported.runs.size(), 7U);
    for (const StartupRun& run : imported.runs) {
        const auto stack = restoreStack(run);
        ASSERT_TRUE(stack) << run.model;
        EXPECT_EQ(stack->clock, Clock::Published);
        EXPECT_DOUBLE_EQ(stack->whole, *run.restore.seconds);
        const auto rest =
            std::find_if(stack->parts.begin(), stack->parts.end(), [](const PhasePart& part) { return part.isUnaccounted(); });
        ASSERT_NE(rest, stack->parts.end()) << "the four stages miss 12 to 14 ms in every row";
        EXPECT_THAT(rest->seconds, DoubleNear(0.013, 0.0015));
    }
}

TEST(PayoffCurves, CrossWhereTheBreakEvenSays)
{
    StartupRun run = runOf(134.8, Clock::Events, 52.6, Clock::Events);
    run.checkpoint = {.seconds = 62.7, .clock = Clock::Events, .note = {}};
    run.gpus = 1;
    const std::vector<StartupRun> runs = {run};
    const auto curves = payoffCurves(groupsOf(runs, false).front());
    ASSERT_TRUE(curves);
    EXPECT_EQ(shown(curves->sourceNeeded), "1");
    EXPECT_EQ(shown(curves->captureExtra), "3");
    EXPECT_LT(curves->neededAt(1), curves->coldAt(1));
    EXPECT_GT(curves->extraAt(2), curves->coldAt(2));
    EXPECT_LT(curves->extraAt(3), curves->coldAt(3));
    EXPECT_FALSE(curves->isPerGpu);
    EXPECT_GE(curves->mostStarts, 4);
}

TEST(PayoffCurves, NeverCrossWhereARestoreTakesAsLong)
{
    StartupRun run = runOf(10.0, Clock::Events, 12.0, Clock::Events);
    run.checkpoint = {.seconds = 5.0, .clock = Clock::Events, .note = {}};
    const std::vector<StartupRun> runs = {run};
    const auto curves = payoffCurves(groupsOf(runs, false).front());
    ASSERT_TRUE(curves);
    EXPECT_EQ(shown(curves->captureExtra), "never");
    EXPECT_TRUE(curves->isPerGpu) << "the number of GPUs is not told";
    run.checkpoint.seconds.reset();
    const std::vector<StartupRun> unknown = {run};
    EXPECT_FALSE(payoffCurves(groupsOf(unknown, false).front())) << "a missing time is not 0";
}

} // namespace
} // namespace wb::snapshot
