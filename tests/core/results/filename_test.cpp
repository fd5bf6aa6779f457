#include "core/results/filename.h"

#include <gtest/gtest.h>

namespace wb::results {
namespace {

TEST(FactsInName, ReadsEveryGenerationOfClientNames)
{
    const NameFacts split = factsInName("logs/results_concurrency_8_gpus_12_ctx_4_gen_8.json");
    EXPECT_EQ(split.concurrency, 8);
    EXPECT_EQ(split.gpus, 12);
    EXPECT_EQ(split.prefill, 4);
    EXPECT_EQ(split.decode, 8);
    EXPECT_EQ(split.rest, "");

    EXPECT_EQ(factsInName("results_concurrency_8_gpus_16.json").gpus, 16);
    EXPECT_EQ(factsInName("results_concurrency_8_gpus_16.json").prefill, std::nullopt);

    const NameFacts older = factsInName("concurrency_4_req_rate_inf_gpus_16_ctx_8_gen_8.json");
    EXPECT_EQ(older.concurrency, 4);
    EXPECT_EQ(older.gpus, 16);
    EXPECT_EQ(older.rest, "");

    const NameFacts oldest = factsInName("isl_1024_osl_512_concurrency_32_req_rate_2.5.json");
    EXPECT_EQ(oldest.isl, 1024);
    EXPECT_EQ(oldest.osl, 512);
    EXPECT_EQ(oldest.concurrency, 32);
    EXPECT_EQ(oldest.rest, "");

    EXPECT_EQ(factsInName("concurrency_64.json").concurrency, 64);
    EXPECT_EQ(factsInName("agg_dsr1_tp8_users128_conc128_x.json").users, 128);
    EXPECT_EQ(factsInName("NAME_CONFIG_conc16_gpus_8_ctx_4_gen_4.json").rest, "NAME_CONFIG");
}

TEST(FactsInName, RepeatsBelongToTheRunTheyRepeat)
{
    EXPECT_EQ(factsInName("kimi_8k1k_conc64.json").rest, "kimi_8k1k");
    EXPECT_EQ(factsInName("kimi_8k1k_conc64_rerun.json").rest, "kimi_8k1k");
    EXPECT_EQ(factsInName("kimi_8k1k_conc64_retry2.json").rest, "kimi_8k1k");
    EXPECT_EQ(factsInName("retryable_conc64.json").rest, "retryable");
}

TEST(FactsInName, FindsNothingWhereThereIsNothing)
{
    const NameFacts none = factsInName("results_gpus_many_concurrency.json");
    EXPECT_EQ(none.gpus, std::nullopt);
    EXPECT_EQ(none.concurrency, std::nullopt);
    EXPECT_EQ(none.rest, "results_gpus_many_concurrency");
    EXPECT_EQ(factsInName("").rest, "");
}

TEST(RunNameFor, TakesTheFolderThatSaysSomething)
{
    EXPECT_EQ(runNameFor("/a/minimax/concurrency_4_gpus_16.json"), "minimax");
    EXPECT_EQ(runNameFor("/a/results/minimax__concurrency_4_gpus_16.json"), "a/minimax");
    EXPECT_EQ(runNameFor("/x/15908/logs/sa-bench_isl_8_osl_8/results_concurrency_4_gpus_8.json"), "15908");
    EXPECT_EQ(runNameFor("m_conc4.json"), "m");
    EXPECT_EQ(runNameFor("conc4.json"), "conc4.json");
}

TEST(RunNameFor, PathsTakeApart)
{
    EXPECT_EQ(lastPart("/a/b/c.json"), "c.json");
    EXPECT_EQ(lastPart("/a/b/"), "b");
    EXPECT_EQ(folderOf("/a/b/c.json"), "/a/b");
    EXPECT_EQ(folderOf("c.json"), "");
}

} // namespace
} // namespace wb::results
