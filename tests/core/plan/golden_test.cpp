// The plan of every job of the corpus against what the reference planned.
#include "core/plan/topology.h"
#include "tests/support/corpus.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>

namespace wb::plan {
namespace {

using base::json::Value;

std::vector<std::string> texts(const Value* list)
{
    std::vector<std::string> out;
    if (list)
        for (const Value& item : list->array())
            out.push_back(item.string() ? *item.string() : "?");
    return out;
}

std::vector<std::int64_t> numbers(const Value* list)
{
    std::vector<std::int64_t> out;
    if (list)
        for (const Value& item : list->array())
            out.push_back(item.integer().value_or(-1));
    return out;
}

std::optional<std::int64_t> integerAt(const Value& object, std::string_view key)
{
    const Value* value = object.find(key);
    return value ? value->integer() : std::nullopt;
}

/// Everything of a process in one line, so that a difference can be read.
std::string shown(const Process& process)
{
    std::string out = process.node + " " + std::string(name(process.mode)) + std::to_string(process.index) + " rank " +
                      std::to_string(process.rank) + " gpus";
    for (const std::int64_t gpu : process.gpus)
        out += " " + std::to_string(gpu);
    const auto add = [&](std::string_view what, const std::optional<std::int64_t>& port) {
        out += " " + std::string(what) + "=" + (port ? std::to_string(*port) : "null");
    };
    add("http", process.httpPort);
    add("sys", process.sysPort);
    add("bootstrap", process.bootstrapPort);
    add("kv", process.kvEventsPort);
    add("nixl", process.nixlPort);
    add("dpRpc", process.dpRpcPort);
    add("het", process.hetGroup);
    return out;
}

Mode modeOf(const std::string& text)
{
    return text == "prefill" ? Mode::Prefill : text == "decode" ? Mode::Decode : Mode::Agg;
}

Process processOf(const Value& facts)
{
    Process process;
    process.node = test::textAt(facts, "node");
    process.mode = modeOf(test::textAt(facts, "mode"));
    process.index = integerAt(facts, "index").value_or(-1);
    process.rank = integerAt(facts, "node_rank").value_or(-1);
    process.gpus = numbers(facts.find("gpus"));
    process.httpPort = integerAt(facts, "http_port");
    process.sysPort = integerAt(facts, "sys_port");
    process.bootstrapPort = integerAt(facts, "bootstrap_port");
    process.kvEventsPort = integerAt(facts, "kv_events_port");
    process.nixlPort = integerAt(facts, "nixl_port");
    process.dpRpcPort = integerAt(facts, "dp_rpc_port");
    process.hetGroup = integerAt(facts, "het_group");
    return process;
}

void expectPlacement(const Topology& topology, const Value& placement)
{
    const Value& nodes = *placement.find("nodes");
    EXPECT_EQ(topology.head, test::textAt(nodes, "head"));
    EXPECT_EQ(topology.infra, test::textAt(nodes, "infra"));
    EXPECT_EQ(topology.bench, test::textAt(nodes, "bench"));
    EXPECT_EQ(topology.workerNodes, texts(nodes.find("worker")));
    EXPECT_EQ(topology.het, nodes.find("het")->boolean());

    std::vector<Endpoint> endpoints;
    for (const Value& facts : placement.find("endpoints")->array())
        endpoints.push_back({modeOf(test::textAt(facts, "mode")), *integerAt(facts, "index"), texts(facts.find("nodes")),
                             numbers(facts.find("gpus")), integerAt(facts, "het_group")});
    EXPECT_EQ(topology.endpoints, endpoints);

    std::vector<std::string> expected;
    std::vector<std::string> actual;
    for (const Value& facts : placement.find("processes")->array())
        expected.push_back(shown(processOf(facts)));
    for (const Process& process : topology.processes)
        actual.push_back(shown(process));
    EXPECT_EQ(actual, expected);
}

TEST(PlanGolden, PlacesEveryWorkerAndPortAsTheReference)
{
    SRTWB_NEEDS_SHARED("corpus/v1/golden/gb200");
    const recipe::Cluster cluster = test::goldenCluster("gb200");
    std::size_t compared = 0;
    for (const test::GoldenJob& golden : test::goldenJobs("gb200")) {
        const Value* placement = golden.facts->find("placement");
        if (!placement)
            continue;
        SCOPED_TRACE(golden.label);
        const Plan made = plan(golden.job, cluster);
        ASSERT_TRUE(made.topology) << (made.diagnostics.empty() ? "" : made.diagnostics.front().message);
        expectPlacement(*made.topology, *placement);
        ++compared;
    }
    EXPECT_EQ(compared, 682U);
}

TEST(PlanGolden, CountsNodesAndGpusAsTheReference)
{
    SRTWB_NEEDS_SHARED("corpus/v1/golden/hopper");
    std::size_t compared = 0;
    for (const std::string_view name : {"gb200", "hopper"}) {
        const recipe::Cluster cluster = test::goldenCluster(name);
        const auto jobs = test::goldenJobs(name);
        EXPECT_EQ(jobs.size(), 682U);
        for (const test::GoldenJob& golden : jobs) {
            SCOPED_TRACE(std::string(name) + " " + golden.label);
            const Value& summary = *golden.facts->find("summary");
            if (!summary.find("total_nodes")) // jobs of sweeps
                continue;
            ++compared;
            const recipe::Resources& resources = golden.job.resources;
            const Counts counts = count(golden.job, cluster);
            EXPECT_EQ(counts.workerNodes, integerAt(summary, "total_nodes"));
            EXPECT_EQ(workers(resources, Mode::Prefill), integerAt(summary, "prefill_workers"));
            EXPECT_EQ(workers(resources, Mode::Decode), integerAt(summary, "decode_workers"));
            EXPECT_EQ(workers(resources, Mode::Agg), integerAt(summary, "agg_workers"));
            EXPECT_EQ(gpusPerWorker(resources, Mode::Prefill), integerAt(summary, "gpus_per_prefill"));
            EXPECT_EQ(gpusPerWorker(resources, Mode::Decode), integerAt(summary, "gpus_per_decode"));
            EXPECT_EQ(gpusPerWorker(resources, Mode::Agg), integerAt(summary, "gpus_per_agg"));
            EXPECT_EQ(resources.isDisaggregated(), summary.find("disaggregated")->boolean());
            const auto directives = texts(golden.facts->find("directives"));
            if (!directives.empty()) {
                EXPECT_THAT(directives, testing::Contains("nodes=" + std::to_string(counts.nodes)));
            }
        }
    }
    EXPECT_GE(compared, 1360U);
}

TEST(PlanGolden, FindsOnlyKnownFaultsInJobsThatTheReferenceTakes)
{
    SRTWB_NEEDS_SHARED("corpus/v1/golden/gb200");
    const recipe::Cluster cluster = test::goldenCluster("gb200");
    std::vector<std::string> idle;
    std::vector<std::string> partly;
    std::vector<std::string> errors;
    for (const test::GoldenJob& golden : test::goldenJobs("gb200")) {
        for (const syntax::Diagnostic& diagnostic : plan(golden.job, cluster).diagnostics) {
            const std::string told = golden.job.name + ": " + diagnostic.message;
            if (diagnostic.code == syntax::Code::IdleNodes && diagnostic.severity == syntax::Severity::Warning)
                idle.push_back(told);
            else if (diagnostic.code == syntax::Code::IdleNodes && diagnostic.severity == syntax::Severity::Info)
                partly.push_back(told);
            else
                errors.push_back(golden.label + ": " + diagnostic.message);
        }
    }
    using testing::StartsWith;
    EXPECT_THAT(idle, testing::UnorderedElementsAre(StartsWith("b200-fp4-mtp-max-tpt-dep4-4p-dep8-1d: 2 of 5 nodes"),
                                                    StartsWith("b200-fp4-mtp-max-tpt-dep4-7p-dep8-2d: 3 of 9 nodes"),
                                                    StartsWith("b200-fp4-stp-max-tpt-dep4-7p-dep8-2d: 3 of 9 nodes"),
                                                    StartsWith("b200-fp4-mtp-low-latency-dep4-2p-tep8-5d: 1 of 7 nodes"),
                                                    StartsWith("b200-fp4-stp-low-latency-dep4-2p-tep8-5d: 1 of 7 nodes")));
    EXPECT_EQ(partly.size(), 122U) << "public jobs use nodes in part on purpose: they are told, not warned of";
    // The one public recipe whose engines ask for more GPUs than its workers have.
    EXPECT_THAT(errors, testing::Each(StartsWith("up__examples__example-override.yaml.json")));
    EXPECT_THAT(errors, testing::Contains(testing::HasSubstr("(tensor 64) need 64 GPUs, but it has 8: the engine will not start.")));
}

} // namespace
} // namespace wb::plan
