#include "core/plan/topology.h"
#include "tests/support/jobs.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

namespace wb::plan {
namespace {

using syntax::Code;
using syntax::Severity;
using test::Marked;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

Plan planned(std::string_view yaml)
{
    return plan(test::jobFrom(yaml), {});
}

testing::Matcher<const syntax::Diagnostic&> finding(Code code, Severity severity, syntax::Range range, const std::string& words)
{
    return testing::AllOf(Field("code", &syntax::Diagnostic::code, code), Field("severity", &syntax::Diagnostic::severity, severity),
                          Field("range", &syntax::Diagnostic::range, range),
                          Field("message", &syntax::Diagnostic::message, HasSubstr(words)));
}

/// "prefill0 node000 0-3"
std::vector<std::string> places(const Plan& made)
{
    std::vector<std::string> out;
    if (made.topology) {
        for (const Endpoint& endpoint : made.topology->endpoints) {
            std::string line = std::string(name(endpoint.mode)) + std::to_string(endpoint.index);
            for (const std::string& node : endpoint.nodes)
                line += " " + node;
            out.push_back(line + " " + std::to_string(endpoint.gpus.front()) + "-" + std::to_string(endpoint.gpus.back()));
        }
    }
    return out;
}

// --- carving -----------------------------------------------------------------------------------------------------------------------------

constexpr std::string_view twoAndTwo =
    "resources: {gpu_type: h100, gpus_per_node: 8, prefill_nodes: 1, prefill_workers: 1, decode_nodes: 1, decode_workers: 1}\n";

/// Head, bench, infra and worker nodes of a job with these roles.
std::string roles(std::string_view settings)
{
    const Plan made = planned("name: a\n" + std::string(twoAndTwo) + std::string(settings));
    if (!made.topology)
        return "none";
    const auto digit = [](const std::string& node) { return node.substr(node.size() - 1); };
    std::string out = "head " + digit(made.topology->head) + " bench " + digit(made.topology->bench) + " infra " +
                      digit(made.topology->infra) + " workers";
    for (const std::string& node : made.topology->workerNodes)
        out += " " + digit(node);
    return out;
}

TEST(Carving, GivesEverythingToTheFirstNodeWhenNoRoleIsDedicated)
{
    EXPECT_EQ(roles(""), "head 0 bench 0 infra 0 workers 0 1");
}

TEST(Carving, SharesTheFirstNodeAmongRolesWithoutAClient)
{
    EXPECT_EQ(roles("infra: {etcd_nats_dedicated_node: true}\n"), "head 1 bench 1 infra 0 workers 1 2");
    EXPECT_EQ(roles("frontend: {dedicated_node: true}\n"), "head 0 bench 0 infra 0 workers 1 2");
    EXPECT_EQ(roles("infra: {etcd_nats_dedicated_node: true}\nfrontend: {dedicated_node: true}\n"), "head 0 bench 0 infra 0 workers 1 2");
}

TEST(Carving, SharesTheLastNodeWhenTheClientIsAmongTheRoles)
{
    EXPECT_EQ(roles("benchmark: {client_dedicated_node: true}\n"), "head 0 bench 2 infra 0 workers 0 1");
    EXPECT_EQ(roles("benchmark: {client_dedicated_node: true}\nfrontend: {dedicated_node: true}\n"), "head 2 bench 2 infra 2 workers 0 1");
    EXPECT_EQ(roles("benchmark: {client_dedicated_node: true}\ninfra: {etcd_nats_dedicated_node: true}\n"),
              "head 0 bench 2 infra 2 workers 0 1");
}

TEST(Carving, GivesEachRoleItsNodeWhenTheyAreApart)
{
    EXPECT_EQ(roles("infra: {etcd_nats_dedicated_node: true}\nfrontend: {dedicated_node: true}\n"
                    "benchmark: {client_dedicated_node: true, colocate_with_frontend: false}\n"),
              "head 1 bench 4 infra 0 workers 2 3");
    EXPECT_EQ(roles("benchmark: {client_dedicated_node: true, colocate_with_frontend: false}\n"), "head 0 bench 2 infra 0 workers 0 1")
        << "the client takes the last node, never the first, where the orchestrator runs";
    EXPECT_EQ(roles("infra: {etcd_nats_dedicated_node: true}\nbenchmark: {colocate_with_frontend: false}\n"),
              "head 1 bench 1 infra 0 workers 1 2");
}

TEST(Carving, PutsTheInfrastructureOfAHeterogeneousJobOnTheFirstNode)
{
    const std::string resources =
        "name: a\nresources: {gpu_type: h100, gpus_per_node: 8, het_jobs: true, prefill_nodes: 1, prefill_workers: 2, "
        "decode_nodes: 2, decode_workers: 2}\n";
    const Plan shared = planned(resources);
    EXPECT_THAT(places(shared), ElementsAre("prefill0 node000 0-3", "prefill1 node000 4-7", "decode0 node001 0-7", "decode1 node002 0-7"));
    ASSERT_TRUE(shared.topology);
    EXPECT_TRUE(shared.topology->het);
    EXPECT_EQ(shared.topology->head, "node000");
    EXPECT_EQ(shared.topology->processes.front().hetGroup, 0);
    EXPECT_EQ(shared.topology->processes.back().hetGroup, 1);

    const Plan dedicated = planned(resources + "infra: {etcd_nats_dedicated_node: true}\n");
    ASSERT_TRUE(dedicated.topology);
    EXPECT_EQ(dedicated.topology->infra, "node000");
    EXPECT_EQ(dedicated.topology->head, "node001");
    EXPECT_THAT(dedicated.topology->workerNodes, ElementsAre("node001", "node002", "node003"));
}

// --- packing -----------------------------------------------------------------------------------------------------------------------------

TEST(Packing, LeavesAPartlyUsedNodeBeforeDecodeWhileAnotherIsLeft)
{
    EXPECT_THAT(
        places(planned("name: a\nresources: {gpu_type: h100, gpus_per_node: 8, prefill_nodes: 1, prefill_workers: 1, gpus_per_prefill: 4, "
                       "decode_nodes: 1, decode_workers: 2, gpus_per_decode: 4}\n")),
        ElementsAre("prefill0 node000 0-3", "decode0 node001 0-3", "decode1 node001 4-7"));
    EXPECT_THAT(
        places(planned("name: a\nresources: {gpu_type: h100, gpus_per_node: 8, prefill_nodes: 2, prefill_workers: 6, decode_nodes: 0, "
                       "decode_workers: 2}\n")),
        ElementsAre("prefill0 node000 0-1", "prefill1 node000 2-3", "prefill2 node000 4-5", "prefill3 node000 6-7", "prefill4 node001 0-1",
                    "prefill5 node001 2-3", "decode0 node001 4-5", "decode1 node001 6-7"));
}

TEST(Packing, StartsOnANewNodeWhenTheRestOfOneIsTooSmall)
{
    EXPECT_THAT(places(planned("name: a\nresources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 2, agg_workers: 3, gpus_per_agg: 3}\n")),
                ElementsAre("agg0 node000 0-2", "agg1 node000 3-5", "agg2 node001 0-2"));
}

TEST(Packing, SpreadsSmallWorkersOverNodesWhenAsked)
{
    EXPECT_THAT(places(planned("name: a\nresources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 3, agg_workers: 3, gpus_per_agg: 2, "
                               "spread_workers: true}\n")),
                ElementsAre("agg0 node000 0-1", "agg1 node001 0-1", "agg2 node002 0-1"));
}

TEST(Packing, KeepsColocatedVllmWorkersBehindEachOther)
{
    EXPECT_THAT(
        places(planned(
            "name: a\nbackend: {type: vllm, allow_prefill_decode_colocation: true}\nresources: {gpu_type: h100, gpus_per_node: 8, "
            "prefill_nodes: 1, prefill_workers: 2, gpus_per_prefill: 2, decode_nodes: 1, decode_workers: 1, gpus_per_decode: 4}\n")),
        ElementsAre("prefill0 node000 0-1", "prefill1 node000 2-3", "decode0 node000 4-7"));
}

// --- processes ---------------------------------------------------------------------------------------------------------------------------

/// "node000 rank0 gpus1 http6100 rpc8400 nixl5400 kv5200"
std::vector<std::string> processes(const Plan& made)
{
    std::vector<std::string> out;
    if (!made.topology)
        return out;
    const auto port = [](const std::optional<std::int64_t>& value) { return value ? std::to_string(*value) : std::string("-"); };
    for (const Process& process : made.topology->processes)
        out.push_back(process.node + " rank" + std::to_string(process.rank) + " gpus" + std::to_string(process.gpus.size()) + " http" +
                      port(process.httpPort) + " boot" + port(process.bootstrapPort) + " kv" + port(process.kvEventsPort) + " nixl" +
                      port(process.nixlPort) + " rpc" + port(process.dpRpcPort));
    return out;
}

std::string vllm(std::string_view launchMode, std::string_view flags, std::string_view resources)
{
    return "name: a\nbackend: {type: vllm, dp_launch_mode: " + std::string(launchMode) + ", vllm_config: {prefill: {" + std::string(flags) +
           "}}}\nresources: {gpu_type: h100, decode_nodes: 1, decode_workers: 1, prefill_workers: 1, " + std::string(resources) + "}\n";
}

TEST(VllmDataParallel, PerGpuMakesAProcessForEachRank)
{
    const Plan made = planned(vllm("per_gpu", "data-parallel-size: 4", "gpus_per_node: 2, prefill_nodes: 2"));
    EXPECT_THAT(processes(made), ElementsAre("node000 rank0 gpus1 http6100 boot7200 kv5200 nixl5400 rpc8400",
                                             "node000 rank1 gpus1 http0 boot- kv5201 nixl5400 rpc8400",
                                             "node001 rank2 gpus1 http0 boot- kv5202 nixl5400 rpc8400",
                                             "node001 rank3 gpus1 http0 boot- kv5203 nixl5400 rpc8400",
                                             "node002 rank0 gpus2 http6100 boot- kv5204 nixl5404 rpc-"));
}

TEST(VllmDataParallel, PerGpuLeavesFollowersOfOtherModesWithoutABootstrapPort)
{
    const Plan made = planned(
        "name: a\nbackend: {type: vllm, dp_launch_mode: per_gpu, vllm_config: {decode: {data-parallel-size: 2}}}\n"
        "resources: {gpu_type: h100, gpus_per_node: 2, prefill_nodes: 2, prefill_workers: 1, decode_nodes: 1, decode_workers: 1}\n");
    EXPECT_THAT(processes(made), ElementsAre("node000 rank0 gpus2 http6100 boot7200 kv5200 nixl5400 rpc-",
                                             "node001 rank1 gpus2 http0 boot- kv5201 nixl5401 rpc-",
                                             "node002 rank0 gpus1 http6100 boot- kv5202 nixl5402 rpc8400",
                                             "node002 rank1 gpus1 http0 boot- kv5203 nixl5402 rpc8400"));
}

TEST(VllmDataParallel, PerNodeCountsTheRanksOfTheNodesBefore)
{
    const Plan made = planned(vllm("per_node", "data-parallel-size: 4, tensor-parallel-size: 2", "gpus_per_node: 4, prefill_nodes: 2"));
    EXPECT_THAT(processes(made), ElementsAre("node000 rank0 gpus4 http6100 boot7200 kv5200 nixl5400 rpc8400",
                                             "node001 rank2 gpus4 http6100 boot7200 kv5202 nixl5400 rpc8400",
                                             "node002 rank0 gpus4 http6100 boot- kv5204 nixl5404 rpc-"));
}

TEST(VllmDataParallel, RanksThatSpanNodesAreRankedByNode)
{
    const Plan made = planned(vllm("per_node", "data-parallel-size: 2, tensor-parallel-size: 4", "gpus_per_node: 2, prefill_nodes: 4"));
    EXPECT_THAT(processes(made), ElementsAre("node000 rank0 gpus2 http6100 boot7200 kv5200 nixl5400 rpc-",
                                             "node001 rank1 gpus2 http0 boot7200 kv5201 nixl5401 rpc-",
                                             "node002 rank2 gpus2 http0 boot7200 kv5202 nixl5402 rpc-",
                                             "node003 rank3 gpus2 http0 boot7200 kv5203 nixl5403 rpc-",
                                             "node004 rank0 gpus2 http6100 boot- kv5204 nixl5404 rpc-"));
}

TEST(VllmDataParallel, DoesNotCountUnderTheFrontendVllm)
{
    const Plan made = planned("frontend: {type: vllm}\n" + vllm("per_node", "data-parallel-size: 4", "gpus_per_node: 4, prefill_nodes: 1"));
    EXPECT_THAT(processes(made), ElementsAre("node000 rank0 gpus4 http6100 boot7200 kv5200 nixl5400 rpc-",
                                             "node001 rank0 gpus4 http6100 boot- kv5201 nixl5401 rpc-"));
}

TEST(VllmDataParallel, TellsRanksThatDoNotMakeUpTheGpus)
{
    const Marked recipe(
        "name: a\nbackend:\n  type: vllm\n  vllm_config:\n    prefill:\n      tensor-parallel-size: [[1]]\n      data-parallel-size: "
        "[[5]]\n"
        "resources:\n  gpu_type: gb200\n  gpus_per_node: 4\n  prefill_nodes: 2\n  prefill_workers: 1\n  gpus_per_prefill: [[8]]\n"
        "  decode_nodes: 1\n  decode_workers: 1\n");
    const Plan made = planned(recipe.text());
    EXPECT_FALSE(made.topology);
    ASSERT_THAT(made.diagnostics, ElementsAre(finding(Code::DoesNotFit, Severity::Error, recipe.range(1), "5 ranks of 1 GPU")));
    EXPECT_THAT(made.diagnostics[0].notes,
                ElementsAre(Field(&syntax::Note::range, recipe.range(2)), Field(&syntax::Note::range, recipe.range(0))));
}

// --- what does not fit -------------------------------------------------------------------------------------------------------------------

TEST(DoesNotFit, BlamesTheModeThatWantsMoreThanItsNodes)
{
    const Marked recipe(
        "name: a\nresources:\n  gpu_type: gb200\n  prefill_nodes: [[4]]\n  decode_nodes: 8\n  prefill_workers: [[3]]\n  decode_workers: 1\n"
        "  gpus_per_node: 4\n");
    const Plan made = planned(recipe.text());
    EXPECT_FALSE(made.topology);
    EXPECT_THAT(made.diagnostics,
                testing::Contains(finding(Code::DoesNotFit, Severity::Error, recipe.range(1),
                                          "3 prefill workers of 5 GPUs need 6 nodes of 4 GPUs, but only 4 are reserved")));
    EXPECT_EQ(made.diagnostics.back().notes.front().range, recipe.range(0));
}

TEST(DoesNotFit, StandsAtTheGpusOfAWorkerWhenTheyAreWritten)
{
    const Marked recipe(
        "name: a\nresources:\n  gpu_type: h100\n  gpus_per_node: 8\n  agg_nodes: 2\n  agg_workers: 8\n  gpus_per_agg: [[4]]\n");
    const Plan made = planned(recipe.text());
    EXPECT_THAT(made.diagnostics,
                ElementsAre(finding(Code::DoesNotFit, Severity::Error, recipe.range(), "8 aggregated workers of 4 GPUs need 4 nodes")));
}

TEST(DoesNotFit, TellsADecodeWorkerForWhichThePrefillWorkersLeaveNothing)
{
    const Marked recipe(
        "name: a\nresources:\n  gpu_type: h100\n  gpus_per_node: 8\n  prefill_nodes: 2\n  decode_nodes: 0\n  prefill_workers: [[16]]\n"
        "  decode_workers: [[2]]\n");
    const Plan made = planned(recipe.text());
    ASSERT_THAT(made.diagnostics,
                ElementsAre(finding(Code::DoesNotFit, Severity::Error, recipe.range(1), "no room left for decode worker 0 of 1 GPU")));
    EXPECT_THAT(made.diagnostics[0].notes, testing::Contains(Field(&syntax::Note::range, recipe.range(0))));
}

TEST(DoesNotFit, TellsAWorkerOfWholeNodesThatMeetsAnother)
{
    const Marked recipe(
        "name: a\nresources:\n  gpu_type: h100\n  gpus_per_node: 8\n  prefill_nodes: 1\n  decode_nodes: 0\n  prefill_workers: 1\n"
        "  decode_workers: 1\n  gpus_per_prefill: [[4]]\n  gpus_per_decode: [[8]]\n");
    const Plan made = planned(recipe.text());
    EXPECT_FALSE(made.topology);
    ASSERT_THAT(made.diagnostics,
                ElementsAre(finding(Code::DoesNotFit, Severity::Error, recipe.range(1), "belong to prefill worker 0 already")));
    EXPECT_EQ(made.diagnostics[0].notes.front().range, recipe.range(0));
}

TEST(DoesNotFit, TellsWorkersAmongWhomTheGpusDoNotGoRound)
{
    const Marked recipe(
        "name: a\nresources:\n  gpu_type: gb200\n  prefill_nodes: 1\n  decode_nodes: 1\n  prefill_workers: 1\n  decode_workers: [[5]]\n"
        "  gpus_per_node: 4\n");
    EXPECT_THAT(planned(recipe.text()).diagnostics, ElementsAre(finding(Code::DoesNotFit, Severity::Error, recipe.range(),
                                                                        "5 decode workers share 4 GPUs: none is left for each")));
}

TEST(DoesNotFit, WarnsOfAWorkerThatTakesMoreThanItUses)
{
    const Marked recipe("name: a\nbackend: {type: sglang}\nresources:\n  gpu_type: h100\n  gpus_per_node: 8\n  agg_nodes: 2\n  "
                        "agg_workers: 1\n  gpus_per_agg: [[12]]\n");
    const Plan made = planned(recipe.text());
    EXPECT_TRUE(made.topology);
    EXPECT_THAT(made.diagnostics, ElementsAre(finding(Code::DoesNotFit, Severity::Warning, recipe.range(), "of 12 GPUs takes 16")));
    const Plan mpi = planned("name: a\nbackend: {type: trtllm}\nresources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 2, agg_workers: "
                             "1, gpus_per_agg: 12}\n");
    EXPECT_FALSE(mpi.topology) << "an MPI engine starts a rank on each GPU that it holds, and fails";
}

TEST(DoesNotFit, WarnsOfGpusThatTheWorkersCannotShareEvenly)
{
    const Marked recipe("name: a\nresources:\n  gpu_type: h100\n  gpus_per_node: 8\n  agg_nodes: 1\n  agg_workers: [[3]]\n");
    const Plan made = planned(recipe.text());
    EXPECT_TRUE(made.topology);
    EXPECT_THAT(made.diagnostics, ElementsAre(finding(Code::DoesNotFit, Severity::Warning, recipe.range(), "each gets 2 and 2 stay idle")));
}

TEST(DoesNotFit, TellsEngineFlagsThatAskForMoreGpusThanAWorkerHas)
{
    const Marked recipe("name: a\nbackend:\n  type: sglang\n  sglang_config:\n    aggregated:\n      tp-size: [[8]]\n      pp_size: 2\n"
                        "resources:\n  gpu_type: h100\n  gpus_per_node: 8\n  agg_nodes: 1\n  agg_workers: [[1]]\n");
    const Plan made = planned(recipe.text());
    EXPECT_TRUE(made.topology) << "the workers have their places all the same";
    ASSERT_THAT(made.diagnostics, ElementsAre(finding(Code::DoesNotFit, Severity::Warning, recipe.range(0),
                                                      "(tensor 8 x pipeline 2) need 16 GPUs, but it has 8")));
    EXPECT_EQ(made.diagnostics[0].notes.front().range, recipe.range(1));
}

TEST(DoesNotFit, CountsNoDataParallelRanksThatLieWithinTheTensorGroup)
{
    const std::string head =
        "name: a\nresources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\nbackend: {type: sglang, sglang_config: "
        "{aggregated: {tp-size: 8, dp-size: 8";
    EXPECT_THAT(planned(head + ", enable-dp-attention: true}}}\n").diagnostics, IsEmpty());
    EXPECT_THAT(planned(head + "}}}\n").diagnostics, testing::SizeIs(1)) << "without it each rank is a copy with GPUs of its own";
}

TEST(DoesNotFit, TellsAHeterogeneousJobWithAnEmptySide)
{
    const Marked recipe("name: a\nresources:\n  gpu_type: h100\n  het_jobs: [[true]]\n  prefill_nodes: 2\n  decode_nodes: [[0]]\n  "
                        "prefill_workers: 2\n  decode_workers: 2\n");
    const Plan made = planned(recipe.text());
    ASSERT_THAT(made.diagnostics, ElementsAre(finding(Code::DoesNotFit, Severity::Error, recipe.range(1), "nodes on both sides")));
    EXPECT_EQ(made.diagnostics[0].notes.front().range, recipe.range(0));
}

TEST(IdleNodes, AreWarnedOfAtTheNodesOfTheGenerousMode)
{
    const Marked recipe("name: a\nresources:\n  gpu_type: b200\n  gpus_per_node: 8\n  prefill_nodes: [[4]]\n  prefill_workers: 4\n  "
                        "gpus_per_prefill: [[4]]\n"
                        "  decode_nodes: 1\n  decode_workers: 1\n");
    const Plan made = planned(recipe.text());
    EXPECT_TRUE(made.topology);
    ASSERT_THAT(made.diagnostics, ElementsAre(finding(Code::IdleNodes, Severity::Warning, recipe.range(0), "2 of 5 nodes get no worker")));
    EXPECT_EQ(made.diagnostics[0].notes.front().range, recipe.range(1));
}

TEST(IdleGpus, AreToldWhereANodeIsUsedInPart)
{
    const Marked recipe("name: a\nresources:\n  gpu_type: b200\n  gpus_per_node: 8\n  agg_nodes: [[1]]\n  agg_workers: 1\n  gpus_per_agg: "
                        "[[2]]\n");
    const Plan made = planned(recipe.text());
    EXPECT_TRUE(made.topology);
    ASSERT_THAT(made.diagnostics, ElementsAre(finding(Code::IdleNodes, Severity::Info, recipe.range(1),
                                                      "6 of 8 GPUs get no worker: 1 node is used in part")));
    EXPECT_EQ(made.diagnostics[0].notes.front().range, recipe.range(0));
    EXPECT_THAT(planned("name: a\nresources: {gpu_type: b200, gpus_per_node: 8, agg_nodes: 1, agg_workers: 2}\n").diagnostics, IsEmpty());
}

TEST(IdleNodes, AreAnErrorWhereASideHasNoWorkers)
{
    const Marked recipe(
        "name: a\nresources:\n  gpu_type: b200\n  prefill_nodes: 1\n  prefill_workers: 1\n  decode_nodes: 1\n  decode_workers: [[0]]\n");
    EXPECT_THAT(planned(recipe.text()).diagnostics,
                ElementsAre(finding(Code::IdleNodes, Severity::Error, recipe.range(), "There is no decode worker")));
    const Marked missing("name: a\nresources:\n  gpu_type: b200\n  agg_nodes: [[2]]\n");
    EXPECT_THAT(planned(missing.text()).diagnostics,
                ElementsAre(finding(Code::IdleNodes, Severity::Error, missing.range(), "set \"agg_workers\"")));
}

TEST(Plan, TellsATimeLimitThatSlurmCannotRead)
{
    const Marked recipe("name: a\nslurm:\n  time_limit: [[\"2 hours\"]]\nresources: {gpu_type: h100, agg_nodes: 1, agg_workers: 1}\n");
    const Plan made = planned(recipe.text());
    EXPECT_TRUE(made.topology);
    EXPECT_THAT(made.diagnostics, ElementsAre(finding(Code::Rule, Severity::Error, recipe.range(), "\"2 hours\" is no time")));
}

// --- ports -------------------------------------------------------------------------------------------------------------------------------

TEST(PortClash, IsToldWhenWorkersOfANodeMeet)
{
    const Marked recipe(
        "name: a\nbackend: {type: sglang}\nresources:\n  gpu_type: x\n  gpus_per_node: 40\n  prefill_nodes: 1\n  prefill_workers: [[40]]\n"
        "  decode_nodes: 1\n  decode_workers: 1\n");
    const Plan made = planned(recipe.text());
    EXPECT_TRUE(made.topology);
    EXPECT_THAT(made.diagnostics, ElementsAre(finding(Code::PortClash, Severity::Error, recipe.range(), "meet at 7200")));
}

TEST(PortClash, IsAWarningWhenARangeRunsIntoTheNextOnOtherNodes)
{
    const Plan made =
        planned("name: a\nbackend: {type: vllm}\nresources: {gpu_type: x, gpus_per_node: 1, agg_nodes: 201, agg_workers: 201}\n");
    EXPECT_TRUE(made.topology);
    ASSERT_THAT(made.diagnostics, testing::SizeIs(1));
    EXPECT_EQ(made.diagnostics[0].code, Code::PortClash);
    EXPECT_EQ(made.diagnostics[0].severity, Severity::Warning);
    EXPECT_THAT(made.diagnostics[0].message, HasSubstr("kv-events ports (5200 to 5400) run into the NIXL ports"));
    EXPECT_THAT(planned("name: a\nbackend: {type: vllm}\nresources: {gpu_type: x, gpus_per_node: 1, agg_nodes: 200, agg_workers: 200}\n")
                    .diagnostics,
                IsEmpty());
}

TEST(PortClash, IsToldWhenThereAreNoPortsLeft)
{
    const Plan made =
        planned("name: a\nbackend: {type: vllm}\nresources: {gpu_type: x, gpus_per_node: 1, agg_nodes: 1000, agg_workers: 1000}\n");
    EXPECT_THAT(made.diagnostics, testing::Contains(Field(&syntax::Diagnostic::message, HasSubstr("ports end at 65535"))));
}

// --- figures beyond reason ---------------------------------------------------------------------------------------------------------------

TEST(Plan, RefusesFiguresBeyondReasonAtTheirKeys)
{
    struct Case {
        std::string_view resources;
        std::string_view words;
    };
    for (const Case& each : {
             Case{"gpus_per_node: [[0]], agg_nodes: 1, agg_workers: 1", "it must be at least 1"},
             Case{"gpus_per_node: [[-8]], agg_nodes: 1, agg_workers: 1", "it must be at least 1"},
             Case{"gpus_per_node: [[1000000]], agg_nodes: 1, agg_workers: 1", "more than 128 GPUs per node are not planned"},
             Case{"agg_nodes: [[1000000000000000000]], agg_workers: 1", "more than 10000 nodes are not planned"},
             Case{"prefill_nodes: 1, prefill_workers: 1, decode_workers: 1, decode_nodes: [[9223372036854775807]]",
                  "more than 10000 nodes"},
             Case{"agg_nodes: 1, agg_workers: [[-3]]", "it must be at least 0"},
             Case{"agg_nodes: 1, agg_workers: [[1000000000000]]", "more than 10000 workers"},
             Case{"agg_nodes: 1, agg_workers: 1, gpus_per_agg: [[-1]]", "it must be at least 1"},
             Case{"prefill_nodes: [[-3]], prefill_workers: 1, decode_nodes: 1, decode_workers: 1", "it must be at least 0"},
         }) {
        const Marked recipe("name: a\nresources: {gpu_type: x, " + std::string(each.resources) + "}\n");
        const Plan made = planned(recipe.text());
        EXPECT_FALSE(made.topology) << recipe.text();
        EXPECT_THAT(made.diagnostics, ElementsAre(finding(Code::DoesNotFit, Severity::Error, recipe.range(), std::string(each.words))))
            << recipe.text();
    }
}

TEST(Plan, SurvivesEveryPairOfExtremeFigures)
{
    const std::optional<std::int64_t> extremes[] = {std::nullopt, std::numeric_limits<std::int64_t>::min(), -1, 0, 1, 7,
                                                    10'000,       std::numeric_limits<std::int64_t>::max()};
    std::size_t planned = 0;
    for (const std::string_view engine : {"sglang", "vllm", "trtllm"}) {
        for (const auto& nodes : extremes) {
            for (const auto& count : extremes) {
                for (const auto& gpus : extremes) {
                    recipe::Job job;
                    job.backend.type = engine;
                    job.resources.gpusPerNode = 8;
                    job.resources.prefillNodes = nodes;
                    job.resources.prefillWorkers = count;
                    job.resources.gpusPerPrefill = gpus;
                    job.resources.decodeNodes = count;
                    job.resources.decodeWorkers = nodes;
                    const Plan made = plan(job, {});
                    EXPECT_TRUE(made.topology || syntax::hasErrors(made.diagnostics)) << "no topology, and no word why";
                    ++planned;
                }
            }
        }
    }
    EXPECT_EQ(planned, 3U * 8 * 8 * 8);
}

TEST(Plan, NeverPutsTwoWorkersOnOneGpu)
{
    // Small random jobs, compared with the definition: every GPU of a node belongs to one worker, every worker has its GPUs.
    std::uint32_t state = 12345;
    const auto random = [&](std::uint32_t limit) {
        state = state * 1'664'525U + 1'013'904'223U;
        return static_cast<std::int64_t>((state >> 8U) % limit);
    };
    std::size_t placed = 0;
    for (int round = 0; round < 5'000; ++round) {
        recipe::Job job;
        job.resources.gpusPerNode = 1 + random(8);
        job.resources.prefillNodes = random(4);
        job.resources.decodeNodes = random(4);
        job.resources.prefillWorkers = random(5);
        job.resources.decodeWorkers = random(5);
        if (random(2) == 1)
            job.resources.gpusPerPrefill = 1 + random(12);
        if (random(2) == 1)
            job.resources.gpusPerDecode = 1 + random(12);
        job.resources.spreadWorkers = random(4) == 0;
        job.resources.hetJobs = random(4) == 0;
        const Plan made = plan(job, {});
        if (!made.topology)
            continue;
        ++placed;
        std::vector<std::string> used;
        for (const Endpoint& endpoint : made.topology->endpoints) {
            EXPECT_GE(static_cast<std::int64_t>(endpoint.nodes.size() * endpoint.gpus.size()), gpusPerWorker(job.resources, endpoint.mode));
            for (const std::string& node : endpoint.nodes)
                for (const std::int64_t gpu : endpoint.gpus)
                    used.push_back(node + " " + std::to_string(gpu));
        }
        std::sort(used.begin(), used.end());
        EXPECT_EQ(std::adjacent_find(used.begin(), used.end()), used.end()) << "round " << round;
        EXPECT_EQ(static_cast<std::int64_t>(made.topology->endpoints.size()),
                  workers(job.resources, Mode::Prefill) + workers(job.resources, Mode::Decode));
    }
    EXPECT_GT(placed, 500U);
}

} // namespace
} // namespace wb::plan
