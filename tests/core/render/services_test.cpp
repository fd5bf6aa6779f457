// Steps that no golden launch has: Mooncake's master, the model brought into place, power telemetry, Tachometer. The facts (words of the
// commands, nodes, images, logs) are those of srt-slurm, state of 2026-08-21.
#include "core/base/json.h"
#include "core/render/artifact.h"
#include "core/render/steps.h"
#include "tests/support/jobs.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace wb::render {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

const std::string head = "name: n\nmodel: {path: /models/deep, container: /i.sqsh, precision: fp8}\nfrontend: {type: dynamo}\n"
                         "srun_options: {cpu-bind: none}\n";
const std::string twoNodes = "resources: {gpu_type: h100, gpus_per_node: 8, prefill_nodes: 1, prefill_workers: 1, decode_nodes: 1, "
                             "decode_workers: 1}\nbenchmark: {type: sa-bench, isl: 1, osl: 1, concurrencies: [1]}\n";

struct Made {
    recipe::Job job;
    plan::Plan plan;
    std::vector<Step> all;

    explicit Made(const std::string& recipe)
        : job(test::jobFrom(recipe))
        , plan(plan::plan(job, {}))
    {
        if (plan.topology)
            all = steps(job, {}, *plan.topology);
        EXPECT_FALSE(all.empty());
    }

    [[nodiscard]] std::vector<std::string> names() const
    {
        std::vector<std::string> out;
        for (const Step& step : all)
            out.push_back(step.launch.name);
        return out;
    }
    [[nodiscard]] const Step& step(std::string_view name) const
    {
        const auto found = std::find_if(all.begin(), all.end(), [&](const Step& each) { return each.launch.name == name; });
        EXPECT_NE(found, all.end()) << name;
        return found == all.end() ? all.front() : *found;
    }
};

TEST(MooncakeMaster, RunsBesideTheInfrastructureWithTheRecipesMoreWords)
{
    const Made made(head + twoNodes +
                    "backend: {type: sglang, mooncake_kv_store: {container: /moon.sqsh, master_extra_args: ['--max_threads=64', '-v']}}\n");
    EXPECT_THAT(made.names(), ElementsAre("infra", "mooncake_master", "node000_prefill_w0", "node001_decode_w0", "node000_nginx",
                                          "node001_frontend_0", "benchmark"));
    const Step& master = made.step("mooncake_master");
    EXPECT_THAT(master.launch.command,
                ElementsAre("mooncake_master", "--port=8700", "--enable_http_metadata_server=true", "--http_metadata_server_port=8701",
                            "--eviction_high_watermark_ratio=0.9", "--default_kv_lease_ttl=10000", "--rpc_thread_num=16",
                            "--enable_metric_reporting=true", "--metrics_port=8702", "--max_threads=64", "-v"));
    EXPECT_THAT(master.launch.nodes, ElementsAre("node000"));
    EXPECT_EQ(master.image, "/moon.sqsh");
    EXPECT_EQ(master.log, "mooncake_master.out");
    EXPECT_THAT(master.launch.environment, IsEmpty());
    EXPECT_THAT(master.launch.srunOptions, IsEmpty()) << "the recipe's options do not reach it";
    EXPECT_EQ(mooncakeStoreConfig(made.job, *made.plan.topology), "") << "SGLang is told by variables alone";
}

TEST(MooncakeMaster, OfVllmWritesTheStoresFileWithItsOwnAddress)
{
    const Made made(head + twoNodes +
                    "backend: {type: vllm, mooncake_kv_store: {store_config: {protocol: rdma, global_segment_size: 4, "
                    "master_server_address: mine}}}\n");
    EXPECT_EQ(made.step("mooncake_master").image, "/i.sqsh") << "without one of its own the job's";
    EXPECT_EQ(mooncakeStoreConfig(made.job, *made.plan.topology),
              "{\n  \"protocol\": \"rdma\",\n  \"global_segment_size\": 4,\n  \"master_server_address\": \"<node000-ip>:8700\"\n}");
    const auto artifacts = render(made.job, {}, made.plan, {.launcher = Launcher::Srtctl, .resolvedYaml = "x: 1\n"});
    ASSERT_TRUE(artifacts);
    const auto file = std::find_if(artifacts->begin(), artifacts->end(),
                                   [](const Artifact& artifact) { return artifact.name == "mooncake_store_config.json"; });
    ASSERT_NE(file, artifacts->end());
    EXPECT_TRUE(file->predicted);
    const Made empty(head + twoNodes + "backend: {type: vllm, mooncake_kv_store: {store_config: null}}\n");
    EXPECT_THAT(mooncakeStoreConfig(empty.job, *empty.plan.topology), HasSubstr("master_server_address")) << "null writes only that";
}

TEST(ModelCopies, AreMadeOnEachNodeOfTheWorkersBeforeTheyStart)
{
    const Made made("name: n\nmodel: {path: /models/deep/, container: /i.sqsh, precision: fp8, stage_dir: /raid/m}\n"
                    "frontend: {type: dynamo}\nbackend: {type: trtllm}\n" +
                    twoNodes);
    EXPECT_THAT(made.names(), ElementsAre("infra", "stage_model_node000", "stage_model_node001", "node000_prefill_w0", "node001_decode_w0",
                                          "node000_nginx", "node001_frontend_0", "benchmark"));
    const Step& copy = made.step("stage_model_node001");
    EXPECT_THAT(copy.launch.command, ElementsAre("bash", "/srtctl-runtime/stage_model.sh", "/model", "/raid/m/deep"));
    EXPECT_THAT(copy.launch.nodes, ElementsAre("node001"));
    EXPECT_EQ(copy.log, "stage_model_node001.out");
    EXPECT_THAT(made.step("node000_prefill_w0").launch.command, testing::Contains("/raid/m/deep")) << "this engine reads the copy";
}

TEST(ModelDownload, RunsOnceOnTheFirstNodeWhereAModeNamesTheSharedFolder)
{
    const std::string fetched =
        "name: n\nmodel: {path: 'hf:org/model', container: /i.sqsh, precision: fp8}\nfrontend: {type: dynamo}\n" + twoNodes;
    const Made made(fetched + "backend: {type: sglang, decode_environment: {HF_HOME: /lustre/it's, HF_TOKEN: hf_abcdef}}\n");
    const Step& download = made.step("model_download");
    EXPECT_THAT(download.launch.nodes, ElementsAre("node000"));
    EXPECT_THAT(download.launch.command, SizeIs(3));
    EXPECT_THAT(download.launch.command.back(), HasSubstr("export HF_HOME='/lustre/it'\\''s'\n"));
    EXPECT_THAT(download.launch.command.back(), HasSubstr("download org/model --quiet"));
    EXPECT_THAT(download.launch.environment, IsEmpty()) << "the step has no shell around it that would set the token";
    EXPECT_FALSE(download.usesShell);
    const auto has = [](const std::string& recipe) {
        const std::vector<std::string> names = Made(recipe).names();
        return std::find(names.begin(), names.end(), "model_download") != names.end();
    };
    EXPECT_FALSE(has(fetched + "backend: {type: sglang}\nenvironment: {HF_HOME: /lustre}\n")) << "the general block is not looked at";
    EXPECT_FALSE(has(head + twoNodes + "backend: {type: sglang, decode_environment: {HF_HOME: /lustre}}\n")) << "the model is a folder";
}

const std::string power = "telemetry: {enabled: true, storage_subdir: power, dcgm_exporter: {container_image: /dcgm.sqsh, port: 9400}}\n";

TEST(PowerTelemetry, RunsAnExporterOnEveryNodeOfTheWorkers)
{
    const Made made(head + twoNodes + "backend: {type: sglang}\n" + power);
    const Step& exporter = made.step("telemetry_dcgm_exporter");
    EXPECT_EQ(exporter.phase, Phase::Telemetry);
    EXPECT_THAT(exporter.launch.command, ElementsAre("dcgm-exporter", "--collect-interval=100", "--address", ":9400"));
    EXPECT_THAT(exporter.launch.nodes, ElementsAre("node000", "node001"));
    EXPECT_EQ(exporter.launch.tasks, 2);
    EXPECT_EQ(exporter.image, "/dcgm.sqsh");
    EXPECT_EQ(exporter.log, "telemetry_dcgm_exporter.out");
    EXPECT_FALSE(exporter.usesShell) << "its images have none";
    EXPECT_THAT(exporter.launch.srunOptions, ElementsAre(Pair("cpu-bind", "none")));
    const Step& benchmark = made.step("benchmark");
    const auto& variables = benchmark.launch.environment;
    EXPECT_TRUE(std::any_of(variables.begin(), variables.end(), [](const Variable& each) {
        return each.name == "SRT_MEASUREMENT_WINDOW_DIR" && each.value == "/logs/power/windows";
    }));
    EXPECT_EQ(&made.all.back(), &benchmark) << "what measures is there before the benchmark";
}

TEST(PowerTelemetry, TakesTheRecipesCommandWithItsQuotes)
{
    const Made made(
        head + twoNodes +
        "backend: {type: sglang}\ntelemetry: {enabled: true, storage_subdir: power, dcgm_exporter: {container_image: /d, port: 9, "
        "command: \"exporter --at :{port} --name 'a b' c\\\\ d\"}}\n");
    EXPECT_THAT(made.step("telemetry_dcgm_exporter").launch.command, ElementsAre("exporter", "--at", ":9", "--name", "a b", "c d"));
}

TEST(PowerTelemetry, OfAHeterogeneousJobIsAStepForEachComponent)
{
    const Made made(head +
                    "resources: {gpu_type: h100, gpus_per_node: 8, prefill_nodes: 1, prefill_workers: 1, decode_nodes: 2, "
                    "decode_workers: 2, het_jobs: true}\nbackend: {type: sglang}\n" +
                    power);
    const Step& second = made.step("telemetry_dcgm_exporter_g1");
    EXPECT_THAT(made.step("telemetry_dcgm_exporter_g0").launch.nodes, ElementsAre("node000"));
    EXPECT_THAT(second.launch.nodes, ElementsAre("node001", "node002"));
    EXPECT_EQ(second.launch.hetGroup, 1);
    EXPECT_EQ(second.log, "telemetry_dcgm_exporter.g1.out");
}

TEST(Tachometer, StartsItsExportersAndItselfOnTheHost)
{
    const std::string scraper = "observability: {tachometer: {enabled: true, binary_path: /bin/scraper, storage_subdir: tach, "
                                "sync_interval_secs: 120, compaction_threads: 4, dcgm_exporter: {container_image: /d, port: 9400}, "
                                "node_exporter: {container_image: /n, port: 9100}}}\n";
    const Made made(head + twoNodes + "backend: {type: sglang}\n" + scraper);
    const Step& self = made.step("tachometer");
    EXPECT_THAT(self.launch.command,
                ElementsAre("/bin/scraper", "--config", "<SRTCTL_ROOT>/outputs/<JOB_ID>/logs/tachometer_config.toml", "--local-dir",
                            "<SRTCTL_ROOT>/outputs/<JOB_ID>/logs/tach/local", "--sync-interval", "120"));
    EXPECT_EQ(self.image, "");
    EXPECT_THAT(self.launch.environment, ElementsAre(Variable{"POLARS_MAX_THREADS", "4", "observability.tachometer.compaction_threads"}));
    EXPECT_THAT(made.step("tachometer_node_exporter").launch.command,
                ElementsAre("/bin/node_exporter", "--web.listen-address=:9100", "--collector.disable-defaults", "--collector.cpu",
                            "--collector.infiniband", "--collector.meminfo"));
    EXPECT_EQ(made.step("tachometer_dcgm_exporter").image, "/d");
    const std::vector<std::string> names = Made(head + twoNodes + "backend: {type: sglang}\n" + scraper + power).names();
    EXPECT_THAT(names, testing::Contains("telemetry_dcgm_exporter"));
    EXPECT_THAT(names, testing::Not(testing::Contains("tachometer_dcgm_exporter"))) << "one exporter of GPUs on a node";
}

} // namespace
} // namespace wb::render
