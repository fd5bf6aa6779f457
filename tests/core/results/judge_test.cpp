#include "core/results/importer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace wb::results {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A point whose numbers agree: 100 requests of 101 tokens in 10 s, 10 at a time.
Point good()
{
    Point p;
    p.concurrency = 10;
    p.requested = 100;
    p.completed = 100;
    p.failed = 0;
    p.osl = 101;
    p.isl = 100;
    p.durationS = 10;
    p.outputTps = 1010;
    p.totalTps = 2010;
    p.requestsPerS = 10;
    p.ttftMs = {100, 90, {}, {}, 150};
    p.tpotMs = {8, 8, {}, {}, 10};
    p.itlMs = {8, 8, {}, {}, 12};
    p.e2eMs = {900, 890, {}, {}, 1200};
    return p;
}

Point judged(Point p)
{
    judge(p);
    return p;
}

TEST(Judge, HasNothingToSayAboutAGoodPoint)
{
    const Point p = judged(good());
    EXPECT_TRUE(p.valid);
    EXPECT_THAT(p.reasons, IsEmpty());
    EXPECT_THAT(p.notes, IsEmpty());
}

TEST(Judge, RefusesARunInWhichNothingCompleted)
{
    Point p = good();
    p.completed = 0;
    EXPECT_THAT(judged(p).reasons, ElementsAre("None of 100 requests completed."));
    p.requested.reset();
    EXPECT_THAT(judged(p).reasons, ElementsAre("No request completed."));
    EXPECT_FALSE(judged(p).valid);
}

TEST(Judge, RefusesMoreThanFivePercentOfFailures)
{
    Point p = good();
    p.failed = 5;
    p.completed = 95;
    EXPECT_TRUE(judged(p).valid) << "5 % is still allowed";
    p.failed = 6;
    p.completed = 94;
    EXPECT_THAT(judged(p).reasons, ElementsAre("6 of 100 requests failed (6 %), more than 5 %."));
    p.requested.reset();
    EXPECT_FALSE(judged(p).valid) << "completed and failed tell how many there were";
}

TEST(Judge, DoesNotHoldUnknownCountsAgainstAPoint)
{
    Point p = good();
    p.completed.reset();
    p.failed.reset();
    p.requested.reset();
    EXPECT_TRUE(judged(p).valid);
    EXPECT_THAT(judged(p).notes, Contains("How many requests completed is not known.")) << "unknown is told";
}

TEST(Judge, RefusesAPointWithoutAnyResult)
{
    Point p;
    p.concurrency = 4;
    p.completed = 10;
    EXPECT_THAT(judged(p).reasons, ElementsAre(HasSubstr("neither a throughput nor a latency")));
}

TEST(Judge, RefusesNumbersThatCannotBe)
{
    Point p = good();
    p.tpotMs.p50 = -1;
    EXPECT_THAT(judged(p).reasons, ElementsAre("Median TPOT is -1 ms, less than nothing."));
    p.tpotMs.p50 = std::numeric_limits<double>::infinity();
    EXPECT_THAT(judged(p).reasons, ElementsAre("Median TPOT is not finite."));
}

TEST(Judge, RefusesATpotOfZero)
{
    Point p = good();
    p.tpotMs = {};
    p.origins["tpotMs.p50"] = {{}, "median_tpot_ms", "0.0"};
    p.origins["tpotMs.mean"] = {{}, "mean_tpot_ms", "0"};
    EXPECT_THAT(judged(p).reasons, ElementsAre("Mean TPOT, Median TPOT is 0 ms, which is no measurement."));
    p.osl.reset();
    EXPECT_FALSE(judged(p).valid) << "nothing says that there was no second token";
    p = good();
    p.tpotMs.p50 = 0;
    EXPECT_FALSE(judged(p).valid);
}

TEST(Judge, RequestsOfOneTokenHaveNoTpotAndAreNoFault)
{
    Point p = good();
    p.osl = 1;
    p.outputTps = 10;
    p.tpotMs = {};
    p.itlMs = {};
    p.origins["tpotMs.p50"] = {{}, "median_tpot_ms", "0.0"};
    EXPECT_TRUE(judged(p).valid);
    EXPECT_THAT(judged(p).notes, Contains("Requests of one output token have no TPOT."));
    EXPECT_EQ(whyUnknown(p, "tpotMs.p50"), "0 in \"median_tpot_ms\" was taken as \"not measured\".");
}

TEST(Judge, RefusesARunOfNoTime)
{
    Point p = good();
    p.durationS = 0;
    EXPECT_THAT(judged(p).reasons, ElementsAre("Duration is 0 s: nothing can be measured in that time."));
    p.durationS = -2;
    EXPECT_THAT(judged(p).reasons, ElementsAre("Duration is -2 s, less than nothing."));
}

TEST(Judge, RefusesRequestsThatGaveNoToken)
{
    Point p = good();
    p.outputTps = 0;
    EXPECT_THAT(judged(p).reasons, ElementsAre("Output tokens/s is 0 tok/s: no token was generated."));
    p = good();
    p.osl.reset();
    p.origins["osl"] = {{}, "total_output_tokens", "0"};
    EXPECT_THAT(judged(p).reasons, ElementsAre("No output token was counted."));
}

TEST(Judge, RefusesWordsWhereAMeasuredNumberBelongsAndNotesThemElsewhere)
{
    Point p = good();
    p.source = "run/r.json";
    p.ttftMs.p50.reset();
    p.origins["ttftMs.p50"] = {{}, "median_ttft_ms", "NaN", "line 2, column 5"};
    EXPECT_THAT(judged(p).reasons, ElementsAre("\"median_ttft_ms\" is \"NaN\" in r.json, line 2, column 5, where a number belongs."));
    p = good();
    p.source = "run/r.json";
    p.concurrency.reset();
    p.origins["concurrency"] = {{}, "max_concurrency", "many", "line 1, column 9"};
    EXPECT_TRUE(judged(p).valid) << "a setting is no measurement";
    EXPECT_THAT(judged(p).notes, Contains(HasSubstr("\"max_concurrency\" is \"many\"")));
}

TEST(Judge, NotesNumbersThatContradictEachOther)
{
    Point p = good();
    p.outputTps = 900;
    EXPECT_THAT(judged(p).notes, Contains(HasSubstr("do not agree with tokens and duration")));
    p = good();
    p.e2eMs.mean = 1200;
    EXPECT_THAT(judged(p).notes, Contains(HasSubstr("TTFT + TPOT")));
    p = good();
    p.concurrency = 20;
    EXPECT_THAT(judged(p).notes, Contains(HasSubstr("requests in flight")));
    p = good();
    p.ttftMs.p99 = 50;
    EXPECT_THAT(judged(p).notes, Contains("P99 TTFT is below the median."));
    p = good();
    p.itlMs.p50 = 60;
    EXPECT_THAT(judged(p).notes, Contains(HasSubstr("ITL is 7.5 times median TPOT")));
    EXPECT_TRUE(judged(p).valid) << "a note is no verdict";
}

TEST(Judge, RefusesNumbersThatNoServerHas)
{
    for (const double tpot : {0.01, 20'000.0}) {
        Point p = good();
        p.tpotMs.p50 = tpot;
        EXPECT_THAT(judged(p).reasons, ElementsAre(HasSubstr("implausible"))) << tpot;
    }
    Point p = good();
    p.ttftMs.mean = 1000;
    EXPECT_THAT(judged(p).reasons, ElementsAre("Mean TTFT is above mean E2E latency, which cannot be."));
    p = good();
    p.ttftMs.p50 = 1000;
    EXPECT_THAT(judged(p).reasons, ElementsAre("Median TTFT is above median E2E latency, which cannot be."));
}

TEST(Judge, WhatTheFileItselfSaysAgainstAPointIsAReason)
{
    Point p = good();
    p.objections = {"The run was cancelled before its end."};
    EXPECT_THAT(judged(p).reasons, ElementsAre("The run was cancelled before its end."));
    EXPECT_FALSE(judged(p).valid);
}

TEST(Judge, HowManyMayFailCanBeSet)
{
    Point p = good();
    p.completed = 92;
    p.failed = 8;
    judge(p, {.mostFailures = 0.1});
    EXPECT_TRUE(p.valid) << testing::PrintToString(p.reasons);
    judge(p, {.mostFailures = 0.01});
    EXPECT_THAT(p.reasons, ElementsAre("8 of 100 requests failed (8 %), more than 1 %."));
}

TEST(Judge, UsersWhoThinkAreNoContradiction)
{
    Point p = good();
    p.users = 20;
    p.concurrency = 20;
    EXPECT_THAT(judged(p).notes, IsEmpty());
}

TEST(Judge, TwiceChangesNothing)
{
    Point once = good();
    once.failed = 50;
    once.e2eMs.mean = 1200;
    judge(once);
    EXPECT_EQ(judged(once), once);
}

} // namespace
} // namespace wb::results
