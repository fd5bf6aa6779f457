// Steps that no public recipe exercises: other benchmarks, placements, engines that answer by themselves, heterogeneous jobs.
#include "core/recipe/lower.h"
#include "core/render/steps.h"
#include "core/syntax/yaml.h"
#include "tests/support/jobs.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace wb::render {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string head =
    "name: n\nmodel: {path: /models/deep, container: /i.sqsh, precision: fp8}\ndynamo: {request_plane: tcp, install: true}\n";
const std::string twoByTwo = "resources: {gpu_type: h100, gpus_per_node: 8, prefill_nodes: 1, prefill_workers: 1, decode_nodes: 2, "
                             "decode_workers: 2}\nbackend: {type: sglang}\n";
const std::string oneNode = "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n";

struct Made {
    recipe::Job job;
    plan::Topology topology;
    std::vector<Step> all;

    explicit Made(const std::string& more)
        : job(test::jobFrom(head + more))
    {
        const auto plan = plan::plan(job, {});
        if (!plan.topology) {
            ADD_FAILURE() << "no topology: " << (plan.diagnostics.empty() ? "" : plan.diagnostics.front().message);
            return;
        }
        topology = *plan.topology;
        all = steps(job, {}, topology);
    }

    [[nodiscard]] std::vector<const Step*> of(Phase phase) const
    {
        std::vector<const Step*> out;
        for (const Step& step : all)
            if (step.phase == phase)
                out.push_back(&step);
        return out;
    }
    [[nodiscard]] std::string variable(Phase phase, std::string_view name) const
    {
        for (const Step* step : of(phase))
            for (const engines::Variable& variable : step->launch.environment)
                if (variable.name == name)
                    return variable.value;
        return "<none>";
    }
    [[nodiscard]] std::vector<std::string> benchmark() const
    {
        const auto found = of(Phase::Benchmark);
        return found.empty() ? std::vector<std::string>() : found.front()->launch.command;
    }
};

std::vector<std::string> benchmarkOf(const std::string& block, const std::string& backend = "backend: {type: sglang}\n")
{
    return Made(oneNode + backend + "frontend: {type: dynamo}\nbenchmark: {" + block + "}\n").benchmark();
}

TEST(BenchmarkStep, IsCalledAsItsScriptWants)
{
    const std::string local = "http://localhost:8000";
    EXPECT_THAT(benchmarkOf("type: sglang-bench, isl: 10, osl: 20, concurrencies: [1, 2], req_rate: 5"),
                ElementsAre("bash", "/srtctl-benchmarks/sglang-bench/bench.sh", local, "10", "20", "1x2", "5"));
    EXPECT_THAT(benchmarkOf("type: mmlu, num_threads: 0"),
                ElementsAre("bash", "/srtctl-benchmarks/mmlu/bench.sh", local, "200", "2048", "8", "512"))
        << "0 counts as absent";
    EXPECT_THAT(benchmarkOf("type: gpqa"), ElementsAre("bash", "/srtctl-benchmarks/gpqa/bench.sh", local, "198", "32768", "8", "128"));
    EXPECT_THAT(benchmarkOf("type: longbenchv2, categories: [a, b], num_examples: 7"),
                ElementsAre("bash", "/srtctl-benchmarks/longbenchv2/bench.sh", local, "128000", "16", "16384", "7", "a,b"));
    EXPECT_THAT(benchmarkOf("type: router"),
                ElementsAre("bash", "/srtctl-benchmarks/router/bench.sh", local, "14000", "200", "200", "20", "0.1 0.3 0.5 0.7 0.9"));
    EXPECT_THAT(benchmarkOf("type: lm-eval"), ElementsAre("bash", "/srtctl-benchmarks/lm-eval/bench.sh", local, "/infmax-workspace"));
    EXPECT_THAT(
        benchmarkOf("type: gsm8k", "backend: {type: vllm}\n"),
        ElementsAre("bash", "/srtctl-benchmarks/gsm8k/vllm-bench.sh", "http://localhost", "8000", "deep", "1319", "256", "5", "0.0", "1"));
    EXPECT_THAT(benchmarkOf("type: trace-replay, trace_file: /t.jsonl, concurrencies: [4, 8], aiperf_args: {a: true, b: false, c: 3}"),
                ElementsAre("bash", "/srtctl-benchmarks/trace-replay/bench.sh", local, "deep", "/t.jsonl", "4,8", "2000", "25", "/model",
                            "--a", "--c", "3"));
    EXPECT_THAT(benchmarkOf("type: manual"), IsEmpty());
    EXPECT_THAT(benchmarkOf("type: nobody-knows"), IsEmpty());
}

TEST(BenchmarkStep, OfACustomCommandHasItsOwnImageAndVariables)
{
    const Made made(twoByTwo + "frontend: {type: dynamo}\nenvironment: {A: general}\n"
                               "benchmark: {type: custom, command: \"run it\", container_image: /c.sqsh, env: {A: own, N: 1}}\n");
    const Step& step = *made.of(Phase::Benchmark).front();
    EXPECT_THAT(step.launch.command, ElementsAre("bash", "-lc", "run it"));
    EXPECT_EQ(step.image, "/c.sqsh");
    EXPECT_EQ(made.variable(Phase::Benchmark, "A"), "own");
    EXPECT_EQ(made.variable(Phase::Benchmark, "N"), "1");
    EXPECT_EQ(made.variable(Phase::Benchmark, "SRT_DECODE_ENDPOINTS"), "<node001-ip>:7501,<node002-ip>:7502");
}

TEST(BenchmarkStep, RunsWhereTheClientIsPlaced)
{
    const auto nodeOf = [](const std::string& placement) {
        const Made made(twoByTwo + "frontend: {type: dynamo}\nbenchmark: {type: mmlu, client_placement: " + placement + "}\n");
        return made.of(Phase::Benchmark).front()->launch.nodes.front();
    };
    EXPECT_EQ(nodeOf("head"), "node000");
    EXPECT_EQ(nodeOf("first_decode"), "node001");
    EXPECT_EQ(nodeOf("last_decode"), "node002");
}

TEST(BenchmarkStep, OfADedicatedClientRunsOnItsOwnNode)
{
    const Made made(twoByTwo +
                    "frontend: {type: dynamo}\nbenchmark: {type: mmlu, client_dedicated_node: true, colocate_with_frontend: false}\n");
    EXPECT_EQ(made.of(Phase::Benchmark).front()->launch.nodes.front(), "node003");
    EXPECT_EQ(made.topology.workerNodes.size(), 3U);
}

TEST(FrontendSteps, AreNoneWhereTheEngineAnswersItself)
{
    const Made vllm(oneNode + "backend: {type: vllm}\nfrontend: {type: vllm}\n");
    EXPECT_THAT(vllm.of(Phase::Frontend), IsEmpty());
    EXPECT_THAT(vllm.of(Phase::Infra), IsEmpty());
    EXPECT_EQ(frontendPlaces(vllm.job, vllm.topology).publicNode, "node000");
    const Made trtllm(oneNode + "backend: {type: trtllm}\nfrontend: {type: trtllm_serve}\n");
    EXPECT_THAT(trtllm.of(Phase::Frontend), IsEmpty());
}

TEST(FrontendSteps, StandWhereTheOrchestratorIsPlaced)
{
    const Made made(
        twoByTwo +
        "frontend: {type: dynamo, enable_multiple_frontends: false, orchestrator_placement: last_decode}\nbenchmark: {type: mmlu}\n");
    EXPECT_EQ(made.of(Phase::Frontend).front()->launch.nodes.front(), "node002");
    EXPECT_EQ(made.variable(Phase::Benchmark, "SRT_FRONTEND_HOST"), "<node002-ip>") << "one function decides for both";
}

TEST(FrontendSteps, OfSeveralFrontendsAreAskedAtNginxWhateverThePlacementSays)
{
    const Made made(twoByTwo + "frontend: {type: dynamo, num_additional_frontends: 9, orchestrator_placement: last_decode}\n"
                               "benchmark: {type: mmlu}\n");
    EXPECT_EQ(made.of(Phase::Frontend).size(), 3U) << "nginx and a frontend on each worker node but the head";
    EXPECT_EQ(made.variable(Phase::Benchmark, "SRT_FRONTEND_HOST"), "<node000-ip>");
}

TEST(FrontendSteps, OfDynamoGetTracingAndItsOwnVariablesLast)
{
    const Made made(oneNode + "backend: {type: sglang}\nfrontend: {type: dynamo, args: {a_b: 0, off: false, on: true}, env: {X: own}}\n"
                              "environment: {X: general}\nobservability: {enable_otel: true, otel_endpoint: \"http://c:4317\"}\n");
    EXPECT_EQ(made.variable(Phase::Frontend, "X"), "own");
    EXPECT_EQ(made.variable(Phase::Frontend, "OTEL_SERVICE_NAME"), "dynamo-frontend");
    EXPECT_EQ(made.variable(Phase::Workers, "OTEL_SERVICE_NAME"), "dynamo-agg");
    EXPECT_THAT(made.of(Phase::Frontend).front()->launch.command,
                ElementsAre("python3", "-m", "dynamo.frontend", "--http-port=8000", "--a_b", "0", "--on"));
}

TEST(FrontendSteps, OfSglangSpeakGrpcToModesThatAskForIt)
{
    const Made made(oneNode + "backend: {type: sglang, sglang_config: {aggregated: {grpc-mode: true}}}\nfrontend: {type: sglang}\n");
    EXPECT_THAT(made.of(Phase::Frontend).front()->launch.command, testing::Contains("grpc://<node000-ip>:6100"));
}

TEST(InfraStep, TellsTheLimitOfMessages)
{
    const Made made(oneNode + "backend: {type: sglang}\nfrontend: {type: dynamo}\ninfra: {nats_max_payload_mb: 24}\n");
    const auto& words = made.of(Phase::Infra).front()->launch.command;
    EXPECT_EQ(words.back(), "24");
    EXPECT_EQ(words[words.size() - 2], "--nats-max-payload-mb");
}

TEST(HeterogeneousSteps, NameTheComponentOfTheirNode)
{
    const Made made(
        "resources: {gpu_type: h100, gpus_per_node: 8, prefill_nodes: 1, prefill_workers: 1, decode_nodes: 2, decode_workers: 2, "
        "het_jobs: true}\nbackend: {type: sglang}\nfrontend: {type: dynamo}\nbenchmark: {type: mmlu}\n");
    ASSERT_TRUE(made.topology.het);
    for (const Step& step : made.all) {
        ASSERT_TRUE(step.launch.hetGroup) << step.launch.name;
        EXPECT_EQ(*step.launch.hetGroup, step.launch.nodes.front() == "node000" ? 0 : 1) << step.launch.name;
    }
}

TEST(NginxConfig, KeepsSessionsTogetherByTheirHeader)
{
    const Made made(twoByTwo + "frontend: {type: dynamo, nginx_session_affinity: true, nginx_session_affinity_header: X-My-Session, "
                               "nginx_raise_ulimit: true, nginx_keepalive_timeout: 30s}\n");
    const std::string config = nginxConfig(made.job, made.topology);
    EXPECT_THAT(config, HasSubstr("map $http_x_my_session $session {"));
    EXPECT_THAT(config, HasSubstr("hash $session consistent;"));
    EXPECT_THAT(config, HasSubstr("worker_rlimit_nofile 1048576;"));
    EXPECT_THAT(config, HasSubstr("keepalive_timeout 30s;"));
    EXPECT_THAT(made.of(Phase::Frontend).front()->launch.command.back(), HasSubstr("ulimit -n 1048576 && nginx"));
    EXPECT_EQ(nginxConfig(Made(oneNode + "backend: {type: sglang}\nfrontend: {type: dynamo}\n").job, made.topology).empty(), false);
}

TEST(OrchestratorConfig, ListsTheServersAndLaysTheExtraOverThem)
{
    const Made made(
        "resources: {gpu_type: h100, gpus_per_node: 8, prefill_nodes: 1, prefill_workers: 1, decode_nodes: 1, decode_workers: 1}\n"
        "backend: {type: trtllm}\nfrontend: {type: trtllm_serve, ctx_router: {type: kv}, server_config_extra: {port: 9}}\n");
    EXPECT_EQ(
        orchestratorConfig(made.job, made.topology),
        "hostname: \"0.0.0.0\"\nport: 9\ncontext_servers:\n  num_instances: 1\n  urls:\n    - <node000-ip>:6100\n  router:\n    type: kv\n"
        "generation_servers:\n  num_instances: 1\n  urls:\n    - <node001-ip>:6100\n");
    EXPECT_THAT(made.of(Phase::Frontend).front()->launch.command,
                ElementsAre("trtllm-serve", "disaggregated", "--config", "/logs/ser.yaml"));
}

TEST(HealthOfVllm, CountsTheRanksThatReport)
{
    const Made perNode("resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 2, agg_workers: 1}\n"
                       "backend: {type: vllm, vllm_config: {aggregated: {data-parallel-size: 16}}}\nfrontend: {type: dynamo}\n");
    EXPECT_EQ(health(perNode.job, perNode.topology).others, 2);
    const Made perGpu("resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
                      "backend: {type: vllm, dp_launch_mode: per_gpu, vllm_config: {aggregated: {data-parallel-size: 8}}}\n"
                      "frontend: {type: dynamo}\n");
    EXPECT_EQ(health(perGpu.job, perGpu.topology).others, 8);
    std::vector<std::string> names;
    for (const Step& step : perGpu.all)
        names.push_back(step.log);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << "ranks of a node do not share a log";
}

} // namespace
} // namespace wb::render
