#include "core/plan/cost.h"
#include "tests/support/jobs.h"

#include <gmock/gmock.h>

namespace wb::plan {
namespace {

recipe::Job jobWith(const std::string& more)
{
    return test::jobFrom("name: n\nmodel: {path: /m, container: c, precision: fp8}\n"
                         "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 2, agg_workers: 2}\nbackend: {type: sglang}\n" +
                         more);
}

TEST(Cost, IsNodesAndGpusTimesTheTimeLimit)
{
    const recipe::Job job = jobWith("slurm: {time_limit: \"01:30:00\"}\nhealth_check: {max_attempts: 20, interval_seconds: 30}\n"
                                    "benchmark: {type: sa-bench, concurrencies: [4, 8]}\n");
    const Cost made = cost(job, count(job, {}));
    EXPECT_EQ(made.nodeHours, 3.0);
    EXPECT_EQ(made.gpuHours, 24.0);
    EXPECT_EQ(made.healthBudgetSeconds, 600);
    EXPECT_THAT(made.concurrencies, testing::ElementsAre(4, 8));
}

TEST(Cost, IsUnknownWithoutATime)
{
    const recipe::Job job = jobWith("slurm: {time_limit: long}\nbenchmark: {type: manual, concurrencies: [4]}\n");
    const Cost made = cost(job, count(job, {}));
    EXPECT_FALSE(made.nodeHours);
    EXPECT_FALSE(made.gpuHours);
    EXPECT_THAT(made.concurrencies, testing::IsEmpty()) << "nothing is measured";
}

} // namespace
} // namespace wb::plan
