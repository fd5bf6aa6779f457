#include "core/plan/topology.h"
#include "tests/support/jobs.h"

#include <gmock/gmock.h>

#include <limits>

namespace wb::plan {
namespace {

using testing::ElementsAre;

recipe::Resources disaggregated(std::int64_t prefillNodes, std::int64_t prefillWorkers, std::int64_t decodeNodes,
                                std::int64_t decodeWorkers)
{
    recipe::Resources resources;
    resources.gpusPerNode = 8;
    resources.prefillNodes = prefillNodes;
    resources.prefillWorkers = prefillWorkers;
    resources.decodeNodes = decodeNodes;
    resources.decodeWorkers = decodeWorkers;
    return resources;
}

TEST(GpusPerWorker, AreTheNodesGpusSharedByTheWorkers)
{
    const auto resources = disaggregated(1, 2, 4, 1);
    EXPECT_EQ(gpusPerWorker(resources, Mode::Prefill), 4);
    EXPECT_EQ(gpusPerWorker(resources, Mode::Decode), 32);
    EXPECT_EQ(gpusPerWorker(resources, Mode::Agg), 8) << "a mode without nodes or workers counts a whole node";
}

TEST(GpusPerWorker, TakeTheWrittenFigureFirstAlsoWhenItIsWrong)
{
    auto resources = disaggregated(1, 2, 1, 1);
    resources.gpusPerPrefill = 3;
    resources.gpusPerDecode = 0;
    EXPECT_EQ(gpusPerWorker(resources, Mode::Prefill), 3);
    EXPECT_EQ(gpusPerWorker(resources, Mode::Decode), 0);
}

TEST(GpusPerWorker, OfDecodeOnPrefillNodesAreThoseOfPrefill)
{
    EXPECT_EQ(gpusPerWorker(disaggregated(2, 6, 0, 2), Mode::Decode), 2);
}

TEST(Counts, AddTheNodesOfRolesThatShareOne)
{
    recipe::Job job =
        test::jobFrom("name: a\nresources: {gpu_type: h100, gpus_per_node: 8, prefill_nodes: 1, prefill_workers: 1, decode_nodes: 2, "
                      "decode_workers: 2}\ninfra: {etcd_nats_dedicated_node: true}\nfrontend: {dedicated_node: true}\n");
    EXPECT_EQ(count(job, {}).nodes, 4);
    EXPECT_EQ(count(job, {}).workerNodes, 3);
    job.benchmark.colocateWithFrontend = false;
    EXPECT_EQ(count(job, {}).nodes, 5) << "apart, each role has a node of its own";
}

TEST(Counts, TellWhatWorksFromWhatIsAllocated)
{
    const recipe::Job job = test::jobFrom(
        "name: a\nslurm: {time_limit: '2:30:00'}\nresources: {gpu_type: h100, gpus_per_node: 8, prefill_nodes: 1, prefill_workers: 1, "
        "gpus_per_prefill: 4, decode_nodes: 2, decode_workers: 1}\n");
    const Counts counts = count(job, {});
    EXPECT_EQ(counts.gpusAllocated, 24);
    EXPECT_EQ(counts.gpusWorking, 20);
    EXPECT_EQ(counts.prefillGpus, 4);
    EXPECT_EQ(counts.decodeGpus, 16);
    EXPECT_EQ(counts.hours, 2.5);
    EXPECT_EQ(counts.gpuHours(), 60.0);
}

TEST(Counts, KnowNoHoursOfATextThatIsNoTime)
{
    recipe::Job job = test::jobFrom("name: a\nslurm: {time_limit: '2 hours'}\nresources: {gpu_type: h100, agg_nodes: 1, agg_workers: 1}\n");
    EXPECT_EQ(count(job, {}).hours, std::nullopt);
    EXPECT_EQ(count(job, {}).gpuHours(), std::nullopt);
    job.timeLimit = std::nullopt;
    EXPECT_EQ(count(job, {}).hours, 1.0) << "srtctl asks for an hour by itself";
    job.sbatchDirectives = {{"time", "30"}};
    EXPECT_EQ(count(job, {}).hours, 0.5) << "a directive of the recipe stands last and wins";
}

TEST(Counts, StayAtTheLimitForFiguresBeyondReason)
{
    recipe::Job job;
    job.resources.gpusPerNode = std::numeric_limits<std::int64_t>::max();
    job.resources.prefillNodes = 1'000'000'000'000'000'000;
    job.resources.decodeNodes = std::numeric_limits<std::int64_t>::max();
    job.resources.prefillWorkers = 3;
    job.resources.decodeWorkers = std::numeric_limits<std::int64_t>::min();
    const Counts counts = count(job, {});
    EXPECT_EQ(counts.nodes, std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(counts.gpusAllocated, std::numeric_limits<std::int64_t>::max());
}

TEST(Allocation, HasTwoComponentsForAHeterogeneousJob)
{
    recipe::Job job;
    job.resources = disaggregated(2, 2, 3, 3);
    EXPECT_THAT(allocation(job), ElementsAre(5));
    job.resources.hetJobs = true;
    EXPECT_THAT(allocation(job), ElementsAre(2, 3));
    job.etcdNatsDedicatedNode = true;
    EXPECT_THAT(allocation(job), ElementsAre(3, 3)) << "the first component holds the infrastructure";
    EXPECT_EQ(count(job, {}).nodes, 6);
}

TEST(Allocation, IsOneNodeForAnAggregatedJobThatNamesNone)
{
    recipe::Job job;
    EXPECT_THAT(allocation(job), ElementsAre(1));
    job.resources.aggNodes = 0;
    EXPECT_THAT(allocation(job), ElementsAre(1));
    job.resources.hetJobs = true;
    EXPECT_THAT(allocation(job), ElementsAre(1)) << "only a disaggregated job is divided";
}

TEST(Allocation, PacksColocatedVllmWorkersOntoTheFewestNodes)
{
    recipe::Job job;
    job.resources = disaggregated(1, 2, 1, 2);
    job.resources.gpusPerPrefill = 2;
    job.resources.gpusPerDecode = 2;
    job.backend.type = "vllm";
    job.backend.options = test::jobFrom("name: a\nbackend: {type: vllm, allow_prefill_decode_colocation: true}\n").backend.options;
    EXPECT_THAT(allocation(job), ElementsAre(1));
    job.resources.gpusPerDecode = 4;
    EXPECT_THAT(allocation(job), ElementsAre(2)) << "more than a node's GPUs: the nodes of the recipe";
    job.resources.decodeNodes = 4;
    job.backend.options =
        test::jobFrom(
            "name: a\nbackend: {type: vllm, allow_prefill_decode_colocation: true, allow_prefill_decode_colocation_across_nodes: true}\n")
            .backend.options;
    EXPECT_THAT(allocation(job), ElementsAre(2)) << "12 GPUs on nodes of 8";
    job.backend.type = "sglang";
    EXPECT_THAT(allocation(job), ElementsAre(5));
}

TEST(TimeLimit, IsReadInEverySpellingOfSlurm)
{
    EXPECT_EQ(timeLimitHours("90"), 1.5);
    EXPECT_EQ(timeLimitHours("90:30"), 1.5 + 30.0 / 3600);
    EXPECT_EQ(timeLimitHours("4:00:00"), 4.0);
    EXPECT_EQ(timeLimitHours("04:00:00"), 4.0);
    EXPECT_EQ(timeLimitHours("1-12"), 36.0);
    EXPECT_EQ(timeLimitHours("1-12:30"), 36.5);
    EXPECT_EQ(timeLimitHours("1-00:00:36"), 24.01);
}

TEST(TimeLimit, IsUnknownForAnythingElse)
{
    for (const std::string_view text :
         {"", " ", "2 hours", "4h", "1:2:3:4", "-1", "1-", "1--2", ":", "4:", "1e3", "0", "UNLIMITED", "99999999999999999999"})
        EXPECT_EQ(timeLimitHours(text), std::nullopt) << text;
}

TEST(TimeLimit, KnowsNoLimitAsATimeOfSlurm)
{
    EXPECT_TRUE(isSlurmTime("UNLIMITED"));
    EXPECT_TRUE(isSlurmTime("infinite"));
    EXPECT_TRUE(isSlurmTime("0"));
    EXPECT_TRUE(isSlurmTime("1-12:00"));
    EXPECT_FALSE(isSlurmTime("2 hours"));
    EXPECT_FALSE(isSlurmTime(""));
}

} // namespace
} // namespace wb::plan
