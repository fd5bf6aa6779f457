#include "core/render/artifact.h"
#include "tests/support/jobs.h"

#include <gmock/gmock.h>

namespace wb::render {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view aggregated = "name: a\nslurm: {account: acct, partition: batch, time_limit: '02:00:00'}\n"
                                        "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 2, agg_workers: 2}\n";

TEST(Directives, AskAnMpiEngineForATaskOnEachGpu)
{
    recipe::Job job = test::jobFrom(aggregated);
    EXPECT_THAT(directives(job, {}),
                ElementsAre("job-name=a", "output=<SRTCTL_ROOT>/outputs/%j/logs/sweep_%j.log", "nodes=2", "ntasks=2", "ntasks-per-node=1",
                            "gpus-per-node=8", "segment=2", "account=acct", "time=02:00:00", "partition=batch"));
    job.backend.type = "trtllm";
    EXPECT_THAT(directives(job, {}), testing::AllOf(Contains("ntasks=16"), Contains("ntasks-per-node=8")));
}

TEST(Directives, RepeatEverythingForTheSecondComponentButNameAndOutput)
{
    const recipe::Job job =
        test::jobFrom("name: h\nslurm: {account: acct, partition: batch}\nsbatch_directives: {mem: '0', hold: ''}\n"
                      "resources: {gpu_type: h100, gpus_per_node: 8, het_jobs: true, prefill_nodes: 1, prefill_workers: 1, "
                      "decode_nodes: 2, decode_workers: 2}\n");
    recipe::Cluster cluster;
    cluster.gpusPerNodeDirective = false;
    cluster.exclusiveDirective = true;
    cluster.outputDir = "/out";
    EXPECT_THAT(directives(job, cluster),
                ElementsAre("job-name=h", "output=/out/%j/logs/sweep_%j.log", "nodes=1", "ntasks=1", "ntasks-per-node=1", "segment=1",
                            "exclusive", "account=acct", "time=01:00:00", "partition=batch", "mem=0", "hold", "hetjob", "nodes=2",
                            "ntasks=2", "ntasks-per-node=1", "segment=2", "exclusive", "account=acct", "time=01:00:00", "partition=batch",
                            "mem=0", "hold"));
}

TEST(Directives, LeaveOutAnAccountAndAPartitionThatNobodyNames)
{
    const recipe::Job job = test::jobFrom("name: a\nresources: {gpu_type: h100, agg_nodes: 1, agg_workers: 1}\n");
    EXPECT_THAT(directives(job, {}), testing::AllOf(Not(Contains(StartsWith("account"))), Not(Contains(StartsWith("partition")))));
}

} // namespace
} // namespace wb::render
