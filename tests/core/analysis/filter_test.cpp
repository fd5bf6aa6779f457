#include "core/analysis/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb::analysis {
namespace {

using testing::HasSubstr;

results::Point point()
{
    results::Point p;
    p.run.text = "run one";
    p.format = "sa-bench";
    p.hardware = "gb200";
    p.model = "deepseek-ai/DeepSeek-R1";
    p.concurrency = 64;
    p.tp = 8;
    p.tags = {"best", "nightly"};
    p.engine = "vLLM";
    p.outputTps = 1200;
    p.gpus.working = 12;
    p.ttftMs.p99 = 2500;
    p.tpotMs.p50 = 20;
    p.simulated = true;
    return p;
}

bool passes(std::string_view expression)
{
    const auto filter = parseFilter(expression);
    EXPECT_TRUE(filter) << expression << ": " << (filter ? "" : filter.error().message);
    return filter && holds(*filter, point());
}

std::string errorOf(std::string_view expression)
{
    const auto filter = parseFilter(expression);
    EXPECT_FALSE(filter) << expression << " was taken";
    return filter ? std::string() : filter.error().message;
}

TEST(Filter, AnEmptyOneTakesEverything)
{
    EXPECT_TRUE(passes(""));
    EXPECT_TRUE(passes("  , ,"));
}

TEST(Filter, ComparesNumbers)
{
    EXPECT_TRUE(passes("engine=vllm tp>=4 ttft-p99<2600"));
    EXPECT_FALSE(passes("engine=vllm tp>=4 ttft-p99<2000"));
    EXPECT_FALSE(passes("pp>=1")) << "what is not known satisfies nothing";
    EXPECT_TRUE(passes("tags~nightly"));
    EXPECT_TRUE(passes("concurrency=64"));
    EXPECT_TRUE(passes("concurrency==64"));
    EXPECT_TRUE(passes("concurrency!=63"));
    EXPECT_TRUE(passes("concurrency<65"));
    EXPECT_TRUE(passes("concurrency<=64"));
    EXPECT_TRUE(passes("concurrency>63.5"));
    EXPECT_TRUE(passes("concurrency>=64"));
    EXPECT_FALSE(passes("concurrency>64"));
    EXPECT_FALSE(passes("concurrency<64"));
    EXPECT_FALSE(passes("concurrency!=64"));
    EXPECT_FALSE(passes("concurrency=640"));
}

TEST(Filter, ComparesTextsWithoutRegardToCase)
{
    EXPECT_TRUE(passes("hardware=GB200"));
    EXPECT_TRUE(passes("hardware!=h100"));
    EXPECT_TRUE(passes("model~deepseek-r1"));
    EXPECT_FALSE(passes("hardware=gb20"));
    EXPECT_FALSE(passes("model~llama"));
}

TEST(Filter, AllTermsMustHoldWhateverStandsBetweenThem)
{
    EXPECT_TRUE(passes("concurrency>=8 hardware=gb200"));
    EXPECT_TRUE(passes("concurrency>=8,hardware=gb200"));
    EXPECT_TRUE(passes("concurrency >= 8 , hardware = gb200"));
    EXPECT_FALSE(passes("concurrency>=8 hardware=h100"));
    EXPECT_FALSE(passes("concurrency>=80 hardware=gb200"));
}

TEST(Filter, QuotedValuesMayHoldBlanksAndCommas)
{
    EXPECT_TRUE(passes(R"(run="run one")"));
    EXPECT_FALSE(passes(R"(run="run, one" concurrency=64)"));
}

TEST(Filter, TakesAxesAndDottedKeys)
{
    EXPECT_TRUE(passes("ttft-p99<=2500"));
    EXPECT_TRUE(passes("tps-per-user=50"));
    EXPECT_TRUE(passes("output-tps-per-gpu=100"));
    EXPECT_TRUE(passes("gpus.working=12"));
    EXPECT_TRUE(passes("ttftMs.p99>2000"));
    EXPECT_TRUE(passes("simulated=true"));
}

TEST(Filter, WhatIsNotKnownSatisfiesNoTerm)
{
    EXPECT_FALSE(passes("isl=1024"));
    EXPECT_FALSE(passes("isl!=1024")) << "unknown is neither equal nor different";
    EXPECT_FALSE(passes("engine!=vllm"));
    EXPECT_FALSE(passes("e2e-p50<1000000"));
}

TEST(Filter, ErrorsNameTheTermAndWhatIsWrong)
{
    EXPECT_THAT(errorOf("concurrency>=8 hardwre=gb200"), AllOf(HasSubstr("\"hardwre=gb200\""), HasSubstr("\"hardware\"")));
    EXPECT_THAT(errorOf("concurrency>=many"), AllOf(HasSubstr("\"concurrency>=many\""), HasSubstr("number")));
    EXPECT_THAT(errorOf("hardware<gb200"), AllOf(HasSubstr("\"hardware<gb200\""), HasSubstr("text")));
    EXPECT_THAT(errorOf("concurrency~6"), HasSubstr("concurrency~6"));
    EXPECT_THAT(errorOf("concurrency"), HasSubstr("no operator"));
    EXPECT_THAT(errorOf("concurrency="), HasSubstr("no value"));
    EXPECT_THAT(errorOf("run=\"open"), HasSubstr("quote"));
    EXPECT_THAT(errorOf(">=8"), HasSubstr("begin"));
    EXPECT_THAT(errorOf("nothing-like-it=8"), HasSubstr("no point has"));
}

TEST(Filter, SaysWhyALimitIsBroken)
{
    const auto limits = parseFilter("ttft-p99<=2000 tpot-p50<=50");
    ASSERT_TRUE(limits);
    EXPECT_EQ(reasonAgainst(*limits, point()), "ttft-p99 is 2500 ms, outside the limit ttft-p99<=2000.");
    const auto kept = parseFilter("tpot-p50<=50");
    EXPECT_EQ(reasonAgainst(*kept, point()), "");
    const auto unknown = parseFilter("e2e-p99<=50");
    EXPECT_EQ(reasonAgainst(*unknown, point()), "e2e-p99 is not known, so the limit e2e-p99<=50 cannot be checked.");
}

TEST(Query, TellsWordsFromTerms)
{
    const auto query = parseQuery("dsv4/8k1k gpu_type=gb200, isl > 4000 \"two words\" model~\"Deep Seek\"");
    ASSERT_TRUE(query) << query.error().message;
    EXPECT_THAT(query->words, testing::ElementsAre("dsv4/8k1k", "two words"));
    ASSERT_EQ(query->terms.size(), 3U);
    EXPECT_EQ(query->terms[0].key, "gpu_type");
    EXPECT_EQ(query->terms[1].number, 4000.0);
    EXPECT_EQ(query->terms[2].text, "Deep Seek");
}

TEST(Query, SaysWhatIsWrongWithATerm)
{
    EXPECT_FALSE(parseQuery("isl>"));
    EXPECT_FALSE(parseQuery("model=\"open"));
    EXPECT_TRUE(parseQuery("  ")->terms.empty());
}

TEST(Query, ComparesTextsAsNumbersWhereBothAre)
{
    const auto holds = [](std::string_view term, std::string_view value) { return holdsFor(parseQuery(term)->terms.front(), value); };
    EXPECT_TRUE(holds("isl>4000", "8192"));
    EXPECT_FALSE(holds("isl>4000", "1024"));
    EXPECT_TRUE(holds("isl=8192", "8192.0"));
    EXPECT_FALSE(holds("isl>4000", "many")) << "texts have no order";
    EXPECT_TRUE(holds("gpu=GB200", "gb200"));
    EXPECT_TRUE(holds("model~seek", "DeepSeek-R1"));
    EXPECT_TRUE(holds("engine!=vllm", "sglang"));
}

} // namespace
} // namespace wb::analysis
