// A run's folder as a whole, and the odd values of a client: what is taken for what.
#include "core/results/importer.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

namespace wb::results {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

constexpr auto result = R"({"backend": "dynamo", "max_concurrency": 8, "num_prompts": 80, "completed": 80, "duration": 10.0,
    "total_input_tokens": 8000, "total_output_tokens": 8000, "output_throughput": 800.0, "median_ttft_ms": 20.0, "median_tpot_ms": 10.0})";

TEST(Detection, ARunsFolderGivesItsPointsOnceAndNamesEverythingElse)
{
    const test::TemporaryFolder folder;
    const std::string results = "1001/logs/sa-bench_isl_100_osl_100/";
    folder.put("1001/1001.json", R"({"version": "2.0", "job_id": "1001", "job_name": "job", "resources": {"gpu_type": "gb200"}})");
    folder.put("1001/recipe.lock.yaml", "name: job\nlock: {version: 2}\n");
    folder.put("1001/config.yaml", "name: job\n");
    folder.put(results + "results_concurrency_8_gpus_8.json", result);
    folder.put(results + "results_concurrency_8_gpus_8.pytorch.json", R"([{"benchmark": {"name": "x"}, "model": {}, "metric": {}}])");
    folder.put("1001/logs/fingerprint_decode_w0.json", R"({"hostname": "n", "pip_packages": {}})");
    folder.put("1001/logs/resource_snapshot.json", R"({"gpus": {"configured_total": 8, "backend_total": 4}})");
    folder.put("1001/logs/benchmark-rollup.json",
               R"({"benchmark_type": "sa-bench", "config": {"model": "m"}, "runs": [{"concurrency": 8, "throughput_toks": 800.0}]})");
    folder.put("1001/logs/node_metrics/n0_decode_w0.csv", "timestamp,dp,tp,ep,batch_type,new_seq\n");
    folder.put("1001/logs/sweep_1001.log", "started\n");
    folder.put("1001/logs/status.json", R"({"state": "done"})");
    folder.put("1001/logs/artifacts/warmup/profile_export_aiperf.json", "{}");
    const Imported imported = importPaths({folder.path().string()});
    EXPECT_THAT(imported.points(), SizeIs(1));
    for (const ImportedFile& file : imported.files) {
        const bool isResult = file.path.ends_with("gpus_8.json");
        EXPECT_EQ(name(file.state), isResult ? "imported" : "ignored") << file.path << ": " << file.reason;
        EXPECT_EQ(file.reason.empty(), isResult) << file.path;
    }
    const Point p = imported.points()[0];
    EXPECT_EQ(p.gpus.allocated, 8);
    EXPECT_EQ(p.gpus.working, 4);
}

TEST(Detection, LookAlikesAreToldApartByTheirContent)
{
    const std::map<std::string, std::string> formats = {
        {result, "sa-bench"},
        {R"({"endpoint_type": "vllm", "backend": "vllm", "label": null, "max_concurrency": 8, "completed": 1, "duration": 1})",
         "vllm-bench-serve"},
        {R"({"max_concurrency": 8, "completed": 1, "duration": 1, "good_completed": 1, "median_ttft": 0.1})", "inferencex-slo"},
        {R"({"max_concurrency": 8, "completed": 1, "duration": 1, "median_ttft_ms": 1, "random_range_ratio": 1.0})",
         "sglang-bench-serving"},
        {R"({"hw": "x", "framework": "f", "infmax_model_prefix": "m", "tput_per_gpu": 1.0, "tp": 1, "conc": 1})", "inferencex-agg"},
        {R"({"hw": "x", "framework": "f", "conc": 1, "metrics": {"total_token_throughput": 5.0}})", "inferencex-agg"},
        {R"({"request_latency": {"unit": "ms", "avg": 1.0}, "input_config": {"loadgen": {}}, "aiperf_version": "0.8"})", "aiperf"},
        {R"({"request_latency": {"unit": "ms", "avg": 1.0}, "input_config": {"perf_analyzer": {}}})", "genai-perf"},
    };
    for (const auto& [text, format] : formats)
        EXPECT_EQ(importText("result.json", text).format, format) << text;
}

TEST(Mapping, PercentilesBeyondP99AreNotTakenForIt)
{
    const Point p = importText("r.json", R"({"backend": "vllm", "max_concurrency": 8, "completed": 5, "duration": 1, "median_ttft_ms": 1,
        "p99_ttft_ms": 9.0, "p99.9_ttft_ms": 30.0, "p25_ttft_ms": 0.5, "std_ttft_ms": 2.0, "median_tpot_ms": 3.0})")
                        .points.at(0);
    EXPECT_EQ(p.ttftMs, (Statistics{{}, 1, {}, {}, 9}));
    EXPECT_EQ(p.e2eMs, Statistics{}) << "vLLM writes none unless asked";
}

TEST(Mapping, RatesThatAreNoNumbers)
{
    const auto rate = [](const std::string& written) {
        const ImportedFile file = importText("r.json", R"({"backend": "vllm", "max_concurrency": null, "completed": 5, "duration": 1,
            "median_tpot_ms": 3.0, "request_rate": )" + written +
                                                           "}");
        EXPECT_TRUE(file.warnings.empty()) << written << ": " << testing::PrintToString(file.warnings);
        EXPECT_EQ(file.points.at(0).concurrency, std::nullopt);
        return file.points.at(0).requestRate;
    };
    for (const char* written : {"\"inf\"", "Infinity", "\"trace\"", "null"})
        EXPECT_EQ(rate(written), std::nullopt) << written;
    EXPECT_EQ(rate("2.5"), 2.5);
    EXPECT_EQ(rate("\"2.5\""), 2.5);
}

TEST(Mapping, RepeatsOfAnOperatingPointStayReplicas)
{
    const test::TemporaryFolder folder;
    folder.put("run/m_conc8.json", result);
    folder.put("run/m_conc8_rerun.json", result);
    folder.put("run/m_conc8_retry2.json", result);
    const Imported imported = importPaths({folder.path().string()});
    ASSERT_THAT(imported.points(), SizeIs(3));
    for (const Point& point : imported.points())
        EXPECT_EQ(point.run, imported.points()[0].run) << point.source;
}

} // namespace
} // namespace wb::results
