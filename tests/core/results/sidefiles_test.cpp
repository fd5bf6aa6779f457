#include "core/results/sidefiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb::results {
namespace {

using testing::HasSubstr;

struct Case {
    const char* path;
    const char* text;
    FileState state;
    const char* words; ///< Part of the reason.
};

class SideFile : public testing::TestWithParam<Case>
{
};

TEST_P(SideFile, IsToldForWhatItIs)
{
    const Case& side = GetParam();
    const ImportedFile file = importText(side.path, side.text);
    EXPECT_EQ(name(file.state), name(side.state)) << side.path << ": " << file.reason;
    EXPECT_THAT(file.reason, HasSubstr(side.words)) << side.path;
    EXPECT_TRUE(file.reason.ends_with('.')) << file.reason;
    EXPECT_TRUE(file.points.empty());
}

constexpr FileState ignored = FileState::Ignored;
constexpr FileState refused = FileState::Refused;

INSTANTIATE_TEST_SUITE_P(
    Known, SideFile,
    testing::Values(Case{"r.pytorch.json", R"([{"benchmark": {"name": "vLLM"}, "model": {}, "metric": {}}])", ignored, "PyTorch"},
                    Case{"4711.json", R"({"version": "2.0", "job_id": "4711", "resources": {}})", ignored, "metadata of a srt-slurm run"},
                    Case{"sweep/summary.json", R"([{"max_concurrency": 4, "completed": 1, "duration": 1, "mean_ttft_ms": 1}])", ignored,
                         "vLLM sweep"},
                    Case{"4711.json", R"({"run_metadata": {}, "profiler_metadata": {}})", ignored, "metadata of a srt-slurm run"},
                    Case{"resource_snapshot.json", R"({"gpus": {"configured_total": 4}})", ignored, "resource snapshot"},
                    Case{"fingerprint_decode_w0.json", R"({"hostname": "n", "pip_packages": {}})", ignored, "fingerprint"},
                    Case{"node0_config.json", R"({"gpu_info": {}, "config": {"server_args": {}}})", ignored, "worker"},
                    Case{"recipe.lock.yaml", "name: x\nlock: {}\n", ignored, "lockfile"},
                    Case{"config.yaml", "name: x\n", ignored, "configuration"}, Case{"sweep_4711.log", "starting\n", ignored, "log"},
                    Case{"node0_prefill_w0.out", "starting\n", ignored, "log"}, Case{"node0_prefill_w0.out", "", ignored, "empty"},
                    Case{"gsm8k_run0.json", R"({"accuracy": 0.9, "num_questions": 100})", ignored, "accuracy score"},
                    Case{"node0_prefill_w0.csv", "timestamp,dp,tp,ep,batch_type,new_seq\n", ignored, "metrics of a srt-slurm run"},
                    Case{"profile_export.jsonl", R"({"metadata": {"request_start_ns": 1}, "metrics": {}})", ignored,
                         "single requests of an aiperf run"},
                    Case{"summary.csv", "exp_name,tp,users\n", ignored, "InferenceX sweep"},
                    Case{"client.log", "============ Serving Benchmark Result ============\n", refused, "name it as \"client-console\""},
                    Case{"profile_export_aiperf.csv", "Metric,avg,min\r\n", refused, "name it as \"aiperf-csv\""},
                    Case{"benchmarks.json", R"({"benchmarks": [{"metrics": {}}]})", refused, "\"benchmarks\""},
                    Case{"out.jsonl", R"({"config": {"client_args": {}}, "resul)", refused, "line 1"}),
    [](const auto& parameter) { return "case" + std::to_string(parameter.index); });

INSTANTIATE_TEST_SUITE_P(
    Bad, SideFile,
    testing::Values(Case{"empty.json", "", refused, "empty"}, Case{"blank.json", " \n\t\n", refused, "blanks"},
                    Case{"cut.json", "{\"max_concurrency\": 4,\n \"completed\": ", refused, "line 2"},
                    Case{"wrong.json", "{\"max_concurrency\": 4 \"completed\": 5}", refused, "column 23"},
                    Case{"other.json", R"({"name": "x", "steps": [1], "on": true, "a": 1, "b": 2})", refused,
                         "\"name\", \"steps\", \"on\", \"a\", ..."},
                    Case{"list.json", "[1, 2, 3]", refused, "without an object"}, Case{"object.json", "{}", refused, "empty JSON object"},
                    Case{"utf16.json", "\xFF\xFE{", refused, "UTF-16"}, Case{"latin.dat", "caf\xE9 caf\xE9 caf\xE9", refused, "binary"},
                    Case{"story.txt", "Once upon a time\n", refused, "text"}, Case{"table.csv", "a,b\n1,2\n", refused, "text"}),
    [](const auto& parameter) { return "case" + std::to_string(parameter.index); });

TEST(SideFile, BinaryDataIsNamed)
{
    const std::string bytes("\x7f"
                            "ELF\0\0\1",
                            7);
    EXPECT_THAT(importText("a.out.bin", bytes).reason, HasSubstr("binary"));
}

TEST(SideFile, SomeNamesAreEnough)
{
    EXPECT_EQ(verdictOnName("/a/plot.PNG")->state, ignored);
    EXPECT_EQ(verdictOnName("/a/final.parquet")->state, ignored);
    EXPECT_THAT(verdictOnName("/a/result.json.gz")->reason, HasSubstr("unpack"));
    EXPECT_EQ(verdictOnName("/a/result.json"), std::nullopt);
    EXPECT_EQ(verdictOnName("/a/benchmark.out"), std::nullopt) << "a log may hold a result";
}

TEST(SideFile, SomeFoldersAreNotLookedInto)
{
    EXPECT_THAT(*reasonToSkipFolder("warmup"), HasSubstr("warm-up"));
    EXPECT_THAT(*reasonToSkipFolder(".git"), HasSubstr("hidden"));
    EXPECT_EQ(reasonToSkipFolder("warmup_results_kept"), std::nullopt);
    EXPECT_EQ(reasonToSkipFolder(".."), std::nullopt);
}

TEST(SideFile, PatternsKnowTheStarOnly)
{
    EXPECT_TRUE(matches("*.log", "a.log"));
    EXPECT_TRUE(matches("*config*.yaml", "my_config_1.yaml"));
    EXPECT_TRUE(matches("*", ""));
    EXPECT_TRUE(matches("a*a*a", "aaa"));
    EXPECT_FALSE(matches("a*a*a", "aa"));
    EXPECT_FALSE(matches("*.log", "a.log.txt"));
    EXPECT_FALSE(matches("?.log", "a.log"));
}

} // namespace
} // namespace wb::results
