#include "core/engines/engine.h"
#include "core/engines/launch.h"
#include "tests/support/jobs.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace wb::engines {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<Launch> launchesOf(std::string_view yaml)
{
    const recipe::Job job = test::jobFrom(yaml);
    recipe::Cluster cluster;
    cluster.outputDir = "/out";
    const plan::Plan made = plan::plan(job, cluster);
    EXPECT_TRUE(made.topology) << (made.diagnostics.empty() ? "" : made.diagnostics.front().message);
    return made.topology ? workerLaunches(job, cluster, *made.topology) : std::vector<Launch>();
}

std::string commandOf(const Launch& launch)
{
    std::string out;
    for (const std::string& word : launch.command)
        out += (out.empty() ? "" : " ") + word;
    return out;
}

/// The variable's value, "-" when it is not set.
std::string valueOf(const Launch& launch, std::string_view name)
{
    for (const Variable& variable : launch.environment)
        if (variable.name == name)
            return variable.value;
    return "-";
}

std::string sourceOf(const Launch& launch, std::string_view name)
{
    for (const Variable& variable : launch.environment)
        if (variable.name == name)
            return variable.source;
    return "-";
}

constexpr std::string_view oneNode =
    "model: {path: /models/r1, container: x, precision: fp8}\ndynamo: {install: false, request_plane: tcp}\n"
    "resources: {gpu_type: h100, gpus_per_node: 2, agg_nodes: 1, agg_workers: 1}\n";
constexpr std::string_view twoNodes =
    "model: {path: /models/r1, container: x, precision: fp8}\ndynamo: {install: false, request_plane: tcp}\n"
    "resources: {gpu_type: h100, gpus_per_node: 2, agg_nodes: 2, agg_workers: 1}\n";
constexpr std::string_view apart =
    "model: {path: /models/r1, container: x, precision: fp8}\ndynamo: {install: false, request_plane: tcp}\n"
    "resources: {gpu_type: h100, gpus_per_node: 2, prefill_nodes: 1, prefill_workers: 1, decode_nodes: 1, decode_workers: 1}\n";

std::string with(std::string_view resources, std::string_view settings)
{
    return "name: a\n" + std::string(resources) + std::string(settings);
}

TEST(Engines, HaveAnIdATitleADocAndACommand)
{
    std::set<std::string_view> ids;
    for (const Engine& engine : engines()) {
        EXPECT_TRUE(ids.insert(engine.id).second) << engine.id;
        EXPECT_FALSE(engine.title.empty() || engine.doc.empty()) << engine.id;
        EXPECT_TRUE(engine.command && engine.servedName) << engine.id;
        EXPECT_EQ(find(engine.id)->title, engine.title);
    }
    EXPECT_EQ(find("sgl"), nullptr);
    EXPECT_THAT(launchesOf(with(oneNode, "backend: {type: other}\n")), IsEmpty());
}

TEST(Engines, ServeTheModelUnderTheFirstNameInTheFlags)
{
    EXPECT_EQ(nameInFlags(test::jobFrom(
                  with(apart, "backend: {type: vllm, vllm_config: {decode: {served-model-name: d}, prefill: {served_model_name: p}}}\n"))),
              "p");
    EXPECT_EQ(nameInFlags(test::jobFrom(
                  with(apart, "backend: {type: vllm, vllm_config: {decode: {served-model-name: d}, prefill: {served-model-name: ''}}}\n"))),
              "d");
    EXPECT_EQ(nameInFlags(test::jobFrom(with(apart, "backend: {type: vllm}\n"))), "r1");
    EXPECT_EQ(nameInFlags(test::jobFrom("name: a\nmodel: {path: 'hf:org/name', container: x, precision: y}\n")), "name");
}

// --- environment -------------------------------------------------------------------------------------------------------------------------

TEST(WorkerEnvironment, LetsTheGeneralBlockWinOverTheModesAndSaysWhereEachCameFrom)
{
    const auto launches = launchesOf(
        with(oneNode, "backend: {type: sglang, aggregated_environment: {A: mode, B: mode, DYN_LOG: debug}}\nenvironment: {B: general}\n"));
    ASSERT_THAT(launches, testing::SizeIs(1));
    EXPECT_EQ(valueOf(launches[0], "A"), "mode");
    EXPECT_EQ(valueOf(launches[0], "B"), "general");
    EXPECT_EQ(sourceOf(launches[0], "B"), "environment");
    EXPECT_EQ(valueOf(launches[0], "DYN_LOG"), "debug");
    EXPECT_EQ(sourceOf(launches[0], "DYN_LOG"), "backend.aggregated_environment");
    EXPECT_EQ(sourceOf(launches[0], "ETCD_ENDPOINTS"), "srtctl");
    EXPECT_EQ(valueOf(launches[0], "CUDA_VISIBLE_DEVICES"), "-") << "the worker has the whole node";
}

TEST(WorkerEnvironment, FillsInTheNodeButNoOtherName)
{
    const auto launches =
        launchesOf(with(twoNodes, "backend: {type: sglang, aggregated_environment: {N: '{node}/{node_id}/{other} {\"a\": {}}'}}\n"));
    ASSERT_THAT(launches, testing::SizeIs(2));
    EXPECT_EQ(valueOf(launches[1], "N"), "node001/1/{other} {\"a\": {}}");
    const auto mpi = launchesOf(with(twoNodes, "backend: {type: trtllm, aggregated_environment: {N: '{node}'}}\n"));
    ASSERT_THAT(mpi, testing::SizeIs(1));
    EXPECT_EQ(valueOf(mpi[0], "N"), "{node}") << "one step over several nodes has no node to name";
}

TEST(WorkerEnvironment, CarriesTracingAndTheEventPlaneWhenTheRecipeHasThem)
{
    const std::string recipe = "name: a\nmodel: {path: /m, container: x, precision: y}\ndynamo: {request_plane: tcp, event_plane: zmq}\n"
                               "observability: {enable_otel: true, otel_endpoint: 'http://otel:4317'}\nbackend: {type: sglang}\n"
                               "resources: {gpu_type: h100, gpus_per_node: 2, agg_nodes: 1, agg_workers: 1}\n";
    const auto launches = launchesOf(recipe);
    ASSERT_THAT(launches, testing::SizeIs(1));
    EXPECT_EQ(valueOf(launches[0], "DYN_EVENT_PLANE"), "zmq");
    EXPECT_EQ(valueOf(launches[0], "OTEL_SERVICE_NAME"), "dynamo-agg");
    EXPECT_EQ(valueOf(launches[0], "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), "http://otel:4317");
}

TEST(WorkerEnvironment, TellsWorkersWhereMooncakeIs)
{
    const auto launches = launchesOf(with(
        oneNode, "backend: {type: vllm, mooncake_kv_store: {env: {MC_X: '1', MOONCAKE_MASTER: mine, MOONCAKE_LOCAL_HOSTNAME: nic}}}\n"));
    ASSERT_THAT(launches, testing::SizeIs(1));
    EXPECT_EQ(valueOf(launches[0], "MOONCAKE_MASTER"), "<node000-ip>:8700") << "the recipe cannot know it, so its own value does not count";
    EXPECT_EQ(valueOf(launches[0], "MOONCAKE_TE_META_DATA_SERVER"), "http://<node000-ip>:8701/metadata");
    EXPECT_EQ(valueOf(launches[0], "MOONCAKE_LOCAL_HOSTNAME"), "nic");
    EXPECT_EQ(valueOf(launches[0], "MOONCAKE_CONFIG_PATH"), "/logs/mooncake_store_config.json");
    EXPECT_EQ(valueOf(launches[0], "MC_X"), "1");
    const auto sglang = launchesOf(with(oneNode, "backend: {type: sglang, mooncake_kv_store: {env: {}}}\n"));
    EXPECT_EQ(valueOf(sglang.at(0), "MOONCAKE_LOCAL_HOSTNAME"), "<node000-ip>");
    EXPECT_EQ(valueOf(sglang.at(0), "MOONCAKE_CONFIG_PATH"), "-");
}

TEST(WorkerEnvironment, GivesTheBlockManagerItsPortsAndItsLeader)
{
    const auto launches =
        launchesOf(with(twoNodes, "backend: {type: vllm}\nenvironment: {DYN_CONNECTOR: KVBM, DYN_KVBM_LEADER_ZMQ_ACK_PORT: '9'}\n"));
    ASSERT_THAT(launches, testing::SizeIs(2));
    EXPECT_EQ(valueOf(launches[1], "DYN_KVBM_LEADER_ZMQ_HOST"), "<node000-ip>");
    EXPECT_EQ(valueOf(launches[1], "DYN_KVBM_LEADER_ZMQ_PUB_PORT"), "5600") << "by the leader's port";
    EXPECT_EQ(valueOf(launches[1], "DYN_KVBM_LEADER_ZMQ_ACK_PORT"), "9") << "the recipe's own stays";
}

TEST(WorkerEnvironment, TakesThePortOfVllmAwayFromWorkersThatSpanNodes)
{
    EXPECT_THAT(launchesOf(with(twoNodes, "backend: {type: vllm}\n")).at(0).unset, ElementsAre("VLLM_PORT"));
    EXPECT_THAT(launchesOf(with(oneNode, "backend: {type: vllm}\n")).at(0).unset, IsEmpty());
}

// --- commands ----------------------------------------------------------------------------------------------------------------------------

TEST(VllmCommand, PassesEachRankItsOwnNumberPerGpu)
{
    const auto launches = launchesOf(
        with(oneNode, "backend: {type: vllm, connector: null, dp_launch_mode: per_gpu, vllm_config: {aggregated: {data-parallel-size: 2, "
                      "data-parallel-rpc-port: 1}}}\n"));
    ASSERT_THAT(launches, testing::SizeIs(2));
    EXPECT_EQ(
        commandOf(launches[1]),
        "python3 -m dynamo.vllm --model /model --served-model-name r1 --device-ids 1 --data-parallel-rank 1 --data-parallel-address "
        "<node000-ip> "
        "--data-parallel-rpc-port 8400 --request-plane tcp --dump-config-to /out/<JOB_ID>/logs/node000_config.json --data-parallel-size 2");
    EXPECT_NE(launches[0].name, launches[1].name) << "ranks of one node need names of their own";
}

TEST(VllmCommand, RunsFollowersOfRanksThatSpanNodesHeadless)
{
    const auto launches =
        launchesOf("name: a\nmodel: {path: /models/r1, container: x, precision: fp8}\ndynamo: {request_plane: tcp}\n"
                   "resources: {gpu_type: h100, gpus_per_node: 2, agg_nodes: 4, agg_workers: 1}\n"
                   "backend: {type: vllm, connector: none, vllm_config: {aggregated: {data-parallel-size: 2, tensor-parallel-size: 4, "
                   "data_parallel_rpc_port: 13345}}}\n");
    ASSERT_THAT(launches, testing::SizeIs(4));
    EXPECT_THAT(commandOf(launches[2]),
                HasSubstr("--master-addr <node000-ip> --nnodes 4 --node-rank 2 --data-parallel-address <node000-ip> "
                          "--data-parallel-rpc-port 13345 --headless --request-plane"));
    EXPECT_THAT(launches[0].command, Not(Contains("--headless")));
    EXPECT_EQ(std::count(launches[2].command.begin(), launches[2].command.end(), "--data-parallel-rpc-port"), 1);
}

TEST(VllmCommand, ServesByItselfUnderItsOwnFrontend)
{
    const auto launches =
        launchesOf(with(twoNodes, "frontend: {type: vllm}\nbackend: {type: vllm, vllm_config: {aggregated: {port: 9000, headless: true, "
                                  "api_server_count: 4, tensor-parallel-size: 4}}}\n"));
    ASSERT_THAT(launches, testing::SizeIs(2));
    EXPECT_EQ(commandOf(launches[0]),
              "vllm serve /model --host 0.0.0.0 --port 8000 --master-addr <node000-ip> --nnodes 2 --node-rank 0 --device-ids 0,1 "
              "--api-server-count 4 --served-model-name r1 --tensor-parallel-size 4");
    EXPECT_EQ(commandOf(launches[1]), "vllm serve /model --master-addr <node000-ip> --nnodes 2 --node-rank 1 --headless --device-ids 0,1 "
                                      "--served-model-name r1 --tensor-parallel-size 4");
}

TEST(VllmCommand, ExpandsTheShortNamesOfConnectorsAndPassesOtherTextOn)
{
    const auto transfer = [](std::string_view backend, std::string_view mode) {
        const auto launches = launchesOf(
            with(oneNode, "backend: {type: vllm" + std::string(backend) + ", vllm_config: {aggregated: {" + std::string(mode) + "}}}\n"));
        const Words& command = launches.at(0).command;
        const auto flag = std::find(command.begin(), command.end(), "--kv-transfer-config");
        return flag == command.end() ? std::string("-") : *(flag + 1);
    };
    EXPECT_EQ(transfer(", connector: LMCache", ""), R"({"kv_connector": "LMCacheConnectorV1", "kv_role": "kv_both"})");
    EXPECT_THAT(transfer(", connector: kvbm", ""), HasSubstr("\"kv_connector_module_path\": \"kvbm.vllm_integration.connector\""));
    EXPECT_EQ(transfer(", connector: nixl", "connector: '{\"mine\": 1}'"), "{\"mine\": 1}") << "the mode's own goes first";
    EXPECT_EQ(transfer(", connector: nixl", "connector: null"), R"({"kv_connector": "NixlConnector", "kv_role": "kv_both"})");
    EXPECT_EQ(transfer(", connector: none", ""), "-");
    EXPECT_EQ(transfer(", connector: null", ""), "-");
}

TEST(VllmCommand, BindsDevicesByVariableWhereAsked)
{
    const auto launches =
        launchesOf("name: a\nmodel: {path: /m, container: x, precision: y}\nbackend: {type: vllm, set_cuda_visible_devices: true}\n"
                   "resources: {gpu_type: h100, gpus_per_node: 4, agg_nodes: 1, agg_workers: 2}\n");
    ASSERT_THAT(launches, testing::SizeIs(2));
    EXPECT_THAT(launches[1].command, Not(Contains("--device-ids")));
    EXPECT_EQ(valueOf(launches[1], "CUDA_VISIBLE_DEVICES"), "2,3");
}

TEST(SglangCommand, LeavesDynamosFlagsOutBehindItsOwnRouter)
{
    const auto launches =
        launchesOf(with(apart, "frontend: {type: sglang}\nbackend: {type: sglang, kv_events_config: {decode: {topic: mine}}}\n"));
    ASSERT_THAT(launches, testing::SizeIs(2));
    EXPECT_THAT(commandOf(launches[0]), testing::StartsWith("python3 -m sglang.launch_server --model-path /model"));
    EXPECT_THAT(launches[0].command,
                testing::AllOf(Not(Contains("--dump-config-to")), Not(Contains("--request-plane")), Not(Contains("--kv-events-config"))));
    EXPECT_THAT(launches[1].command, Contains(R"({"publisher": "zmq", "topic": "mine", "endpoint": "tcp://*:5201"})"));
}

TEST(TrtllmCommand, BindsMemoryOnGraceBlackwellOrWhereAsked)
{
    const auto command = [](std::string_view gpu, std::string_view bind) {
        return commandOf(launchesOf("name: a\nmodel: {path: /m, container: x, precision: y}\nbackend: {type: trtllm" + std::string(bind) +
                                    "}\n"
                                    "resources: {gpu_type: " +
                                    std::string(gpu) +
                                    ", gpus_per_node: 2, prefill_nodes: 1, prefill_workers: 1, decode_nodes: 1, decode_workers: 1}\n")
                             .at(0));
    };
    EXPECT_THAT(command("gb300", ""), testing::StartsWith("numactl -m 0,1 trtllm-llmapi-launch python3 -m dynamo.trtllm"));
    EXPECT_THAT(command("gb300", ", numa_memory_bind: false"), testing::StartsWith("trtllm-llmapi-launch"));
    EXPECT_THAT(command("h100", ""), testing::StartsWith("trtllm-llmapi-launch"));
    EXPECT_THAT(command("h100", ", numa_memory_bind: true"), testing::StartsWith("numactl"));
}

TEST(TrtllmCommand, ReadsTheStagedCopyOfTheModel)
{
    const auto launches =
        launchesOf("name: a\nmodel: {path: /models/r1, container: x, precision: y, stage_dir: /raid/models}\nbackend: {type: trtllm, "
                   "publish_events_and_metrics: true}\n"
                   "dynamo: {request_plane: tcp}\nresources: {gpu_type: h100, gpus_per_node: 2, agg_nodes: 1, agg_workers: 1}\n");
    EXPECT_EQ(commandOf(launches.at(0)),
              "trtllm-llmapi-launch python3 -m dynamo.trtllm --model-path /raid/models/r1 --served-model-name r1 "
              "--extra-engine-args /logs/trtllm_config_agg.yaml --request-plane tcp --publish-events-and-metrics");
}

TEST(TrtllmCommand, ServesOnThePublicPortWhenAggregatedUnderItsOwnServer)
{
    const auto launches = launchesOf(
        with(oneNode, "frontend: {type: trtllm_serve}\nbackend: {type: trtllm, trtllm_config: {aggregated: {tensor_parallel_size: 2}}}\n"));
    EXPECT_EQ(commandOf(launches.at(0)), "trtllm-llmapi-launch trtllm-serve /model --host 0.0.0.0 --port 8000 --tensor_parallel_size 2 "
                                         "--config /logs/trtllm_config_agg.yaml");
    EXPECT_FALSE(launches.at(0).installsDynamo);
}

TEST(MockerCommand, SaysModeBootstrapAndWhatDiffersFromTheDefaults)
{
    const auto launches = launchesOf(
        with(apart, "backend: {type: mocker, engine_type: sglang, speedup_ratio: 100.0, data_parallel_size: 1, num_gpu_blocks_override: "
                    "16384, max_num_seqs: 256, "
                    "max_num_batched_tokens: 8192, decode_speedup_ratio: 2.0, block_size: null, num_workers: 1, startup_time: 3, "
                    "enable_prefix_caching: false, enable_chunked_prefill: true, mocker_config: {prefill: {max-num-seqs: 512}}}\n"));
    ASSERT_THAT(launches, testing::SizeIs(2));
    EXPECT_EQ(commandOf(launches[0]), "python3 -m dynamo.mocker --model-path /model --disaggregation-mode prefill --bootstrap-ports 7200 "
                                      "--engine-type sglang --speedup-ratio 100.0 "
                                      "--data-parallel-size 1 --num-gpu-blocks-override 16384 --max-num-seqs 256 --max-num-batched-tokens "
                                      "8192 --decode-speedup-ratio 2.0 --startup-time 3.0 "
                                      "--no-enable-prefix-caching --max-num-seqs 512");
    EXPECT_THAT(launches[1].command, Not(Contains("--bootstrap-ports")));
}

// --- profiling ---------------------------------------------------------------------------------------------------------------------------

TEST(Profiling, WrapsWorkersByTimeWhenAsked)
{
    const std::string timed =
        "profiling: {type: nsys-time, delay_secs: 60, duration_secs: 30, benchmark_duration_secs: 300, extra_nsys_args: [--x]}\n";
    const auto sglang = launchesOf(with(oneNode, timed + "frontend: {type: dynamo}\nbackend: {type: sglang}\n"));
    EXPECT_THAT(commandOf(sglang.at(0)),
                testing::StartsWith("nsys profile -t cuda,nvtx --cuda-graph-trace=node --force-overwrite true --delay 60 --duration 30 --x "
                                    "--trace-fork-before-exec=true -o /logs/profiles/agg/node000_agg_w0_profile_gpu0-1 python3"));
    EXPECT_EQ(valueOf(sglang.at(0), "PROFILE_BENCHMARK_DURATION_SECS"), "300");
    const auto trtllm = launchesOf(with(oneNode, timed + "backend: {type: trtllm}\n"));
    EXPECT_THAT(
        commandOf(trtllm.at(0)),
        testing::StartsWith(
            "nsys profile -t cuda,nvtx,ucx --sample=none --cuda-graph-trace=node --delay 60 --duration 30 --x --kill none --wait all "
            "--force-overwrite true -o /logs/profiles/agg/node000_agg_w0_profile_rank%q{SLURM_PROCID} trtllm-llmapi-launch"));
}

TEST(Profiling, TellsVllmTheStepsToProfile)
{
    const auto launches =
        launchesOf(with(oneNode, "profiling: {type: nsys, aggregated: {start_step: 10, stop_step: 30}}\nbackend: {type: vllm}\n"));
    EXPECT_THAT(launches.at(0).command, Contains(R"({"profiler": "cuda", "delay_iterations": 10, "max_iterations": 20})"));
    EXPECT_EQ(valueOf(launches.at(0), "TLLM_PROFILE_START_STOP"), "10-30");
}

} // namespace
} // namespace wb::engines
