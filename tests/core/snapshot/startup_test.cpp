// Startup results: every shared form, the numbers that follow from them, and files that are none.
#include "core/base/text.h"
#include "core/results/csv.h"
#include "core/snapshot/goduration.h"
#include "core/snapshot/payoff.h"
#include "core/snapshot/startupimport.h"
#include "tests/support/corpus.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace wb::snapshot {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string sharedPath(std::string_view below)
{
    return test::shared("snapshot")->string() + "/" + std::string(below);
}

StartupText importShared(std::string_view below)
{
    return importStartupText(sharedPath(below), test::bytesOf(sharedPath(below)));
}

std::optional<double> phase(const std::vector<StartupPhase>& phases, std::string_view id)
{
    const auto found = std::find_if(phases.begin(), phases.end(), [id](const StartupPhase& p) { return p.id == id; });
    return found == phases.end() ? std::nullopt : found->time.seconds;
}

/// Rows of a CSV as column -> text.
std::vector<std::map<std::string, std::string>> table(std::string_view below)
{
    const auto rows = results::readCsv(test::bytesOf(sharedPath(below)));
    std::vector<std::map<std::string, std::string>> out;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        auto& row = out.emplace_back();
        for (std::size_t column = 0; column < rows[i].cells.size(); ++column)
            row[rows.front().cells[column]] = rows[i].cells[column];
    }
    return out;
}

double number(const std::string& text)
{
    const auto out = base::numberOf(text);
    EXPECT_TRUE(out) << text;
    return out.value_or(std::nan(""));
}

TEST(GoDuration, IsReadInAllItsForms)
{
    EXPECT_NEAR(*goDuration("1m2.5s"), 62.5, 1e-9);
    EXPECT_NEAR(*goDuration("75.2ms"), 0.0752, 1e-12);
    EXPECT_NEAR(*goDuration("250\xC2\xB5s"), 0.00025, 1e-12);
    EXPECT_NEAR(*goDuration("250\xCE\xBCs"), 0.00025, 1e-12);
    EXPECT_NEAR(*goDuration("1h0m0.5s"), 3600.5, 1e-9);
    EXPECT_EQ(goDuration("0s"), 0.0);
    EXPECT_EQ(goDuration("0"), 0.0);
    EXPECT_NEAR(*goDuration("-1.5s"), -1.5, 1e-12);
    for (const char* text : {"", "s", "1", "1x", "1.2.3s", "-", "1s x"})
        EXPECT_FALSE(goDuration(text)) << text;
}

TEST(StartupImport, ReadsThePublishedTablesAndTheirSpeedUps)
{
    SRTWB_NEEDS_SHARED("snapshot/results/published");
    std::map<std::string, std::map<std::string, std::string>> derived;
    for (auto& row : table("results/published/v0.1.0_derived.csv"))
        derived[row.at("model")] = row;
    ASSERT_EQ(derived.size(), 7U);
    for (const char* file : {"results/published/v0.1.0_single_gpu.csv", "results/published/benchmarks_v0.1.0.md"}) {
        SCOPED_TRACE(file);
        const StartupText read = importShared(file);
        ASSERT_EQ(read.file.state, StartupFileState::Imported) << read.file.reason;
        ASSERT_EQ(read.runs.size(), 7U);
        for (const StartupRun& run : read.runs) {
            SCOPED_TRACE(run.model);
            const auto& wanted = derived.at(run.model);
            EXPECT_DOUBLE_EQ(run.cold.seconds.value(), number(wanted.at("cold_start_s")));
            EXPECT_DOUBLE_EQ(run.restore.seconds.value(), number(wanted.at("restore_total_s")));
            EXPECT_DOUBLE_EQ(run.weightsBytes.value(), number(wanted.at("weights_gb")) * 1e9);
            const Payoff payoff = payoffOf(run);
            EXPECT_NEAR(payoff.speedup.value(), number(wanted.at("speedup")), 0.01);
            EXPECT_NEAR(payoff.savedSeconds.value(), number(wanted.at("saved_s_per_replica")), 0.06);
            EXPECT_NEAR(payoff.criuShare.value(), number(wanted.at("criu_share")), 0.001);
            EXPECT_FALSE(payoff.isMixed);
            EXPECT_FALSE(payoff.isEstimated);
            EXPECT_FALSE(payoff.speedupLeast);
            EXPECT_THAT(confoundsOf(run), IsEmpty()) << "the parts add up within the tolerance";
            // No checkpoint time is published: not known, never 0.
            EXPECT_FALSE(run.checkpoint.seconds);
            EXPECT_EQ(shown(payoff.sourceNeeded), "not known");
            EXPECT_EQ(shown(payoff.captureExtra), "not known");
            EXPECT_FALSE(payoff.isCheckpointPlusRestoreFaster);
        }
    }
    EXPECT_EQ(importShared("results/published/draft_single_gpu_restore_only_extra.csv").runs.size(), 4U);
    EXPECT_FALSE(importShared("results/published/draft_single_gpu_restore_only_extra.csv").runs.front().cold.seconds);
    EXPECT_EQ(importShared("results/published/v0.1.0_derived.csv").file.state, StartupFileState::Ignored);
    EXPECT_EQ(importShared("results/published/article_2026_ranges.json").file.state, StartupFileState::Ignored);
}

/// The nightly table: date, engine, speed-up, N_a, N_b, K + R < C.
struct Night {
    std::string date;
    std::string engine;
    double speedup;
    long long sourceNeeded;
    long long captureExtra;
    bool isFaster;
};
const std::vector<Night> nights = {
    {"2026-09-18", "vllm", 2.56, 1, 3, true},          {"2026-09-21", "vllm", 2.31, 1, 3, true},
    {"2026-09-24", "vllm", 2.17, 2, 3, false},         {"2026-10-01", "vllm", 2.44, 1, 3, true},
    {"2026-10-07", "vllm", 2.42, 1, 3, true},          {"2026-09-18", "sglang", 1.82, 2, 4, false},
    {"2026-09-24", "sglang", 1.62, 2, 5, false},       {"2026-09-18", "tensorrt-llm", 1.44, 2, 5, false},
    {"2026-09-24", "tensorrt-llm", 1.47, 2, 5, false}, {"2026-10-01", "tensorrt-llm", 1.46, 2, 5, false},
};

TEST(StartupImport, ReadsTheNightlyResultsOnceAndTheirBreakEvens)
{
    SRTWB_NEEDS_SHARED("snapshot/results/nightly");
    const StartupImport read = importStartup({sharedPath("results/nightly")});
    ASSERT_EQ(read.runs.size(), 11U) << "the files and their index are the same runs";
    std::size_t doubles = 0;
    for (const StartupFile& file : read.files) {
        EXPECT_NE(file.state, StartupFileState::Refused) << file.path << " " << file.reason;
        doubles += file.doubles;
    }
    EXPECT_EQ(doubles, 11U);
    for (const StartupRun& run : read.runs)
        EXPECT_EQ(run.series.empty(), run.outcome != "passed") << "the index tells the comparison key";
    for (const Night& night : nights) {
        SCOPED_TRACE(night.date + " " + night.engine);
        const auto run = std::find_if(read.runs.begin(), read.runs.end(),
                                      [&](const StartupRun& r) { return r.date.starts_with(night.date) && r.engine == night.engine; });
        ASSERT_NE(run, read.runs.end());
        const Payoff payoff = payoffOf(*run);
        EXPECT_NEAR(payoff.speedup.value(), night.speedup, 0.01);
        EXPECT_EQ(shown(payoff.sourceNeeded), std::to_string(night.sourceNeeded));
        EXPECT_EQ(shown(payoff.captureExtra), std::to_string(night.captureExtra));
        EXPECT_EQ(payoff.isCheckpointPlusRestoreFaster, night.isFaster);
        EXPECT_TRUE(payoff.isEstimated) << "the cold start is the offset of source.ready";
        EXPECT_FALSE(payoff.isMixed);
    }
    const auto failed = std::find_if(read.runs.begin(), read.runs.end(), [](const StartupRun& r) { return r.outcome != "passed"; });
    ASSERT_NE(failed, read.runs.end());
    EXPECT_EQ(failed->outcome, "infrastructure_failed");
    EXPECT_FALSE(failed->cold.seconds || failed->restore.seconds || failed->checkpoint.seconds);
    EXPECT_FALSE(payoffOf(*failed).speedup);
    EXPECT_THAT(failed->warnings, Contains("no benchmark artifact was uploaded"));
}

TEST(StartupImport, HasTheNightlyMeasurementsThatTheTableHas)
{
    SRTWB_NEEDS_SHARED("snapshot/results/nightly");
    const StartupImport read = importStartup({sharedPath("results/nightly/results")});
    const auto rows = table("results/nightly/nightly_flat.csv");
    ASSERT_EQ(rows.size(), 11U);
    for (const auto& row : rows) {
        SCOPED_TRACE(row.at("date") + " " + row.at("engine"));
        const auto run = std::find_if(read.runs.begin(), read.runs.end(), [&](const StartupRun& r) {
            return r.date.starts_with(row.at("date")) && r.engine == row.at("engine");
        });
        ASSERT_NE(run, read.runs.end());
        const auto same = [&row](const std::string& column, const std::optional<double>& value) {
            const std::string& text = row.at(column);
            EXPECT_EQ(text.empty(), !value.has_value()) << column;
            if (value && !text.empty()) {
                EXPECT_NEAR(*value, number(text), 1e-6) << column;
            }
        };
        same("source_ready_offset_s", run->cold.seconds);
        same("checkpoint.duration", run->checkpoint.seconds);
        same("restore.to_traffic.duration", run->restore.seconds);
        same("restore.pod_create_to_traffic.duration", run->restoreFromPod.seconds);
        same("restore.criu_restore.duration", phase(run->restorePhases, "criu_restore"));
        same("restore.cuda_restore.duration", phase(run->restorePhases, "cuda_restore"));
        same("checkpoint.criu_dump.duration", phase(run->checkpointPhases, "criu_dump"));
        same("checkpoint.unaccounted.duration", phase(run->checkpointPhases, "unaccounted"));
        EXPECT_EQ(run->driver, row.at("driver"));
        EXPECT_EQ(run->storage, row.at("storage_class"));
        if (row.at("date") == "2026-10-01" && row.at("engine") == "vllm") {
            EXPECT_EQ(run->engineVersion, "0.27.1");
            EXPECT_THAT(run->warnings, Contains(HasSubstr("phases were not collected")));
        }
    }
}

TEST(StartupImport, ReadsRunResultsAndMarksWhatIsMadeUp)
{
    SRTWB_NEEDS_SHARED("snapshot/results/runresult");
    const StartupImport read = importStartup({sharedPath("results/runresult")});
    EXPECT_EQ(read.files.size(), 12U);
    EXPECT_EQ(read.runs.size(), 10U);
    std::map<std::string, std::string> reasons;
    for (const StartupFile& file : read.files) {
        if (file.state == StartupFileState::Refused)
            reasons[file.path.substr(file.path.rfind('/') + 1)] = file.reason;
    }
    ASSERT_THAT(reasons, SizeIs(2));
    EXPECT_THAT(reasons.at("unsupported-schema-7.json"), HasSubstr("schema_version 7"));
    EXPECT_THAT(reasons.at("legacy-flat-gpu-vllm_wake-qwen3-0-6b-both.json"), HasSubstr("schema_version 0"));
    for (const StartupRun& run : read.runs)
        EXPECT_TRUE(run.isSynthetic) << run.source;
    EXPECT_THAT(groupsOf(read.runs, false), IsEmpty()) << "made-up runs are left out unless asked for";
    EXPECT_THAT(groupsOf(read.runs, true), testing::Not(IsEmpty()));

    const auto find = [&read](std::string_view file) {
        return *std::find_if(read.runs.begin(), read.runs.end(), [file](const StartupRun& r) { return r.source.ends_with(file); });
    };
    const StartupRun small = find("qwen3-0-6b-both.json");
    EXPECT_EQ(small.cold.seconds, 52.0);
    EXPECT_EQ(small.restore.seconds, 3.0);
    EXPECT_EQ(small.checkpoint.seconds, 15.0);
    EXPECT_EQ(small.artifactBytes, 3690000000.0);
    EXPECT_EQ(phase(small.restorePhases, "criu_restore"), 2.359);
    // A stamp of whole seconds leaves much open on 3 s: 51/4 to 53/2.
    const Payoff payoff = payoffOf(small);
    EXPECT_NEAR(payoff.speedup.value(), 17.33, 0.01);
    EXPECT_NEAR(payoff.speedupLeast.value(), 12.75, 0.01);
    EXPECT_NEAR(payoff.speedupMost.value(), 26.5, 0.01);
    EXPECT_EQ(shown(payoff.sourceNeeded), "1");
    EXPECT_EQ(shown(payoff.captureExtra), "2");
    const auto wake =
        std::find_if(small.restorePhases.begin(), small.restorePhases.end(), [](const auto& p) { return p.id == "wake_remap_approx"; });
    ASSERT_NE(wake, small.restorePhases.end());
    EXPECT_FALSE(wake->time.seconds) << "null is not measured, never 0";
    EXPECT_TRUE(wake->time.isApproximate);

    const StartupRun coldOnly = find("cold-start-only-qwen3-8b.json");
    EXPECT_EQ(coldOnly.cold.seconds, 58.0);
    EXPECT_FALSE(coldOnly.restore.seconds);
    EXPECT_EQ(shown(payoffOf(coldOnly).sourceNeeded), "not known");
    EXPECT_THAT(find("no-agent-log-qwen3-14b.json").restorePhases, IsEmpty());
    EXPECT_THAT(confoundsOf(find("heterogeneous-gpu-gpt-oss-120b.json")), Contains(HasSubstr("NVIDIA H200")));
}

TEST(StartupImport, ReadsSchemaTwoWithItsFlatGpu)
{
    SRTWB_NEEDS_SHARED("snapshot/results/runresult");
    const std::string text = test::bytesOf(sharedPath("results/runresult/legacy-flat-gpu-vllm_wake-qwen3-0-6b-both.json"));
    const auto withVersion = [&text](const std::string& version) {
        return importStartupText("x.json", base::replacedAll(text, "\"schema_version\": 0", "\"schema_version\": " + version));
    };
    const StartupText read = withVersion("2");
    ASSERT_EQ(read.runs.size(), 1U) << read.file.reason;
    EXPECT_EQ(read.runs.front().gpu, "NVIDIA B200");
    EXPECT_EQ(read.runs.front().driver, "595.58.03");
    for (const std::string version : {"\"1\"", "true", "1.0", "null", "3", "[1]"}) {
        EXPECT_EQ(withVersion(version).file.state, StartupFileState::Refused) << version;
        EXPECT_THAT(withVersion(version).file.reason, HasSubstr("schema_version")) << version;
    }
}

TEST(StartupImport, ReadsTheAgentsLogWithoutMixingItsClock)
{
    SRTWB_NEEDS_SHARED("snapshot/logs");
    const StartupText restore = importShared("logs/agent-restore.log");
    ASSERT_EQ(restore.runs.size(), 2U) << restore.file.reason;
    const StartupRun& first = restore.runs.front();
    EXPECT_NEAR(first.restore.seconds.value(), 3.506021, 1e-9);
    EXPECT_EQ(first.restore.clock, Clock::Agent);
    EXPECT_TRUE(first.restore.isApproximate) << "it ends before the workload wakes";
    EXPECT_NEAR(*phase(first.restorePhases, "criu_restore"), 2.359102, 1e-9);
    EXPECT_NEAR(*phase(first.restorePhases, "gpu_device_map"), 0.0752, 1e-12);
    EXPECT_EQ(phase(first.restorePhases, "pagebroker_stage"), 0.0);
    EXPECT_NEAR(restore.runs[1].restore.seconds.value(), 62.5, 1e-9);
    EXPECT_NEAR(payoffOf(first).criuShare.value(), 2.359102 / 3.506021, 1e-9);
    EXPECT_THAT(confoundsOf(first), IsEmpty());
    EXPECT_THAT(first.warnings, Contains(HasSubstr("called Ready")));

    const StartupText checkpoint = importShared("logs/agent-checkpoint.log");
    ASSERT_EQ(checkpoint.runs.size(), 1U);
    EXPECT_NEAR(checkpoint.runs.front().checkpoint.seconds.value(), 60.409716, 1e-9);
    EXPECT_NEAR(*phase(checkpoint.runs.front().checkpointPhases, "criu_dump"), 58.76906, 1e-9);

    StartupRun mixed = first;
    mixed.cold = {52.0, Clock::Kubernetes, false, ""};
    EXPECT_TRUE(payoffOf(mixed).isMixed);
    EXPECT_THAT(confoundsOf(mixed), Contains(HasSubstr("clock")));
}

TEST(StartupImport, ReadsTheLifecycleOfSrtSlurmOnce)
{
    SRTWB_NEEDS_SHARED("snapshot/srt");
    const StartupImport read = importStartup({sharedPath("srt")});
    ASSERT_EQ(read.runs.size(), 2U) << "the log of a run and its json are one run";
    EXPECT_EQ(read.runs[0].cold.seconds, 650.0);
    EXPECT_FALSE(read.runs[1].cold.seconds);
    EXPECT_EQ(read.runs[1].outcome, "never ready");
}

TEST(StartupImport, ALifecycleWithoutTheStartOfTheWorkersIsNoFailure)
{
    const test::TemporaryFolder folder;
    folder.put("sweep_1.log", "2026-10-02 03:00:00 [INFO] Starting infrastructure services\n2026-10-02 03:30:20 End: done\n");
    const StartupImport read = importStartup({folder.path().string()});
    ASSERT_EQ(read.runs.size(), 1U);
    EXPECT_EQ(read.runs[0].outcome, "");
    EXPECT_FALSE(read.runs[0].cold.seconds);
    EXPECT_THAT(read.runs[0].cold.note, HasSubstr("is not told"));
}

TEST(StartupImport, ExportsComeBackEqual)
{
    SRTWB_NEEDS_SHARED("snapshot/results");
    const StartupImport read = importStartup({sharedPath("results"), sharedPath("logs"), sharedPath("srt")});
    ASSERT_GT(read.runs.size(), 30U);
    const StartupText json = importStartupText("export.json", base::json::write(exportJson(read.runs)));
    ASSERT_EQ(json.file.state, StartupFileState::Imported) << json.file.reason;
    const StartupText csv = importStartupText("export.csv", exportCsv(read.runs));
    ASSERT_EQ(csv.file.state, StartupFileState::Imported) << csv.file.reason;
    ASSERT_EQ(json.runs.size(), read.runs.size());
    ASSERT_EQ(csv.runs.size(), read.runs.size());
    for (std::size_t i = 0; i < read.runs.size(); ++i) {
        EXPECT_EQ(json.runs[i], read.runs[i]) << read.runs[i].source;
        EXPECT_EQ(csv.runs[i], read.runs[i]) << read.runs[i].source;
    }
}

TEST(StartupImport, ListsBadFilesAndGoesOn)
{
    const test::TemporaryFolder folder;
    const std::string cut = folder.put("a/cut.json", "{\"schema_version\": 1, \"model\": {");
    folder.put("a/empty.json", "");
    folder.put("b/words.txt", "nothing | of | interest\n");
    folder.put("b/list.json", "[1, 2]");
    folder.put("b/log.log", "x Restore timing summary {\"restore\": \n");
    folder.put("b/good.md", "| Model | Cold start | Snapshot |\n|---|---|---|\n| m | 10 | 20 |\n");
    folder.put("b/noise.bin", std::string("\0\xff\xfe", 3));
    folder.put("b/odd.json", R"({"schema_version": 1, "model": 3, "cold_start": [], "restore": "x", "environment": null})");
    folder.put("b/odd2.json", R"({"schemaVersion": 1, "identity": [], "measurements": {}, "events": 3})");
    const StartupImport read = importStartup({folder.path().string(), folder.below("absent")});
    EXPECT_EQ(read.files.size(), 10U);
    std::size_t refused = 0;
    for (const StartupFile& file : read.files) {
        refused += file.state == StartupFileState::Refused ? 1 : 0;
        EXPECT_EQ(file.state == StartupFileState::Imported, file.reason.empty()) << file.path;
    }
    EXPECT_EQ(refused, 3U) << "the cut one, the log without a summary, and the path that is not there";
    const auto good = std::find_if(read.runs.begin(), read.runs.end(), [](const StartupRun& r) { return r.model == "m"; });
    ASSERT_NE(good, read.runs.end());
    EXPECT_EQ(shown(payoffOf(*good).sourceNeeded), "never") << "the restore is slower than the cold start";
    EXPECT_EQ(shown(payoffOf(*good).captureExtra), "never");
}

TEST(Payoff, CountsStartsUpToTheEdges)
{
    using State = BreakEven::State;
    EXPECT_EQ(breakEvenOf(10.0, 20.0, 10.0), (BreakEven{State::After, 1}));
    EXPECT_EQ(breakEvenOf(10.1, 20.0, 10.0), (BreakEven{State::After, 2}));
    EXPECT_EQ(breakEvenOf(10.0, 20.0, 20.0), (BreakEven{State::Never, 0}));
    EXPECT_EQ(breakEvenOf(10.0, 20.0, 21.0), (BreakEven{State::Never, 0}));
    EXPECT_EQ(breakEvenOf(std::nullopt, 20.0, 21.0), (BreakEven{State::Never, 0})) << "whatever the checkpoint costs";
    EXPECT_EQ(breakEvenOf(std::nullopt, 20.0, 10.0), (BreakEven{State::NotKnown, 0}));
    EXPECT_EQ(breakEvenOf(10.0, std::nullopt, 10.0), (BreakEven{State::NotKnown, 0}));
    EXPECT_EQ(breakEvenOf(10.0, 20.0, std::nullopt), (BreakEven{State::NotKnown, 0}));
    EXPECT_EQ(breakEvenOf(1e300, 1.0, std::nextafter(1.0, 0.0)).state, State::Never);
}

StartupRun runOf(std::optional<double> cold, std::optional<double> checkpoint, std::optional<double> restore)
{
    StartupRun run;
    run.model = "m";
    run.engine = "vllm";
    run.gpu = "NVIDIA B200";
    run.cold = {cold, Clock::Published, false, ""};
    run.checkpoint = {checkpoint, Clock::Published, false, ""};
    run.restore = {restore, Clock::Published, false, ""};
    return run;
}

TEST(Payoff, TellsTheStorageFloorAndWhatIsBelowIt)
{
    StartupRun run = runOf(1000.0, 100.0, 42.0);
    EXPECT_FALSE(storageFloorOf(run, 25.0)) << "the size is not known";
    run.artifactBytes = 520e9;
    const auto floor = storageFloorOf(run, 25.0);
    ASSERT_TRUE(floor);
    EXPECT_NEAR(floor->seconds, 20.8, 1e-9);
    EXPECT_NEAR(floor->gbPerSecond.value(), 520.0 / 42.0, 1e-9);
    EXPECT_FALSE(floor->isBelow);
    run.restore.seconds = 10.0;
    EXPECT_TRUE(storageFloorOf(run, 25.0)->isBelow);
    EXPECT_FALSE(storageFloorOf(run, 0.0));
    run.restore.seconds.reset();
    EXPECT_FALSE(storageFloorOf(run, 25.0)->gbPerSecond);
}

TEST(Payoff, TellsHowFastTheArtifactWasRead)
{
    StartupRun run;
    EXPECT_FALSE(readRateOf(run).restore);
    run.artifactBytes = 520e9;
    run.restore.seconds = 26.0;
    EXPECT_DOUBLE_EQ(*readRateOf(run).restore, 20.0);
    EXPECT_FALSE(readRateOf(run).criu);
    run.restorePhases = {{"criu_restore", {.seconds = 10.4}}};
    EXPECT_DOUBLE_EQ(*readRateOf(run).criu, 50.0);
    run.restore.seconds = 0.0;
    EXPECT_FALSE(readRateOf(run).restore);
}

TEST(Payoff, CountsGpuHours)
{
    StartupRun run = runOf(100.0, 30.0, 10.0);
    EXPECT_FALSE(savedGpuHours(run, 4.0, true)) << "the number of GPUs is not known";
    run.gpus = 8;
    EXPECT_NEAR(savedGpuHours(run, 4.0, true).value(), (4 * 90.0 - 30.0) * 8 / 3600, 1e-9);
    EXPECT_NEAR(savedGpuHours(run, 1.0, false).value(), (90.0 - 130.0) * 8 / 3600, 1e-9);
    run.checkpoint.seconds.reset();
    EXPECT_FALSE(savedGpuHours(run, 4.0, true));
}

TEST(Groups, ShowTheMedianAndWhatDiffers)
{
    std::vector<StartupRun> runs = {runOf(100.0, 30.0, 10.0), runOf(110.0, 30.0, 12.0), runOf(105.0, {}, 30.0), runOf({}, {}, {})};
    runs[0].driver = "595.58.03";
    runs[1].driver = "615.71.09";
    runs[2].driver = "595.60.01";
    runs[1].gpu = "NVIDIA-B200";
    runs.push_back(runOf(1.0, 1.0, 1.0));
    runs.back().outcome = "failed";
    const auto groups = groupsOf(runs, false);
    ASSERT_EQ(groups.size(), 1U);
    EXPECT_EQ(groups.front().runs.size(), 3U) << "labels write dashes; failed runs and those without times are left out";
    EXPECT_EQ(groups.front().restore.median, 12.0);
    EXPECT_EQ(groups.front().restore.least, 10.0);
    EXPECT_EQ(groups.front().restore.most, 30.0);
    EXPECT_EQ(groups.front().checkpoint.count, 2U);
    EXPECT_TRUE(groups.front().needsCheck) << "more than a factor of 2";
    EXPECT_THAT(groups.front().confounds, Contains("Different drivers: 595, 615."));
}

TEST(RestoreReference, SaysHowWellItFits)
{
    std::vector<StartupRun> runs = {runOf({}, {}, 10.0), runOf({}, {}, 12.0), runOf({}, {}, {})};
    for (StartupRun& run : runs) {
        run.modelId = "Org/Some-Model";
        run.gpus = 1;
    }
    runs[1].date = "2026-10-01";
    const auto exact = restoreReference(runs, "some model", "vllm", "NVIDIA-B200", 1);
    EXPECT_EQ(exact.quality, MatchQuality::Exact);
    EXPECT_EQ(exact.run, &runs[1]) << "the latest";
    EXPECT_EQ(restoreReference(runs, "Org/Some-Model", "vllm", "NVIDIA H200", 1).quality, MatchQuality::OtherGpu);
    EXPECT_EQ(restoreReference(runs, "Org/Some-Model", "vllm", "NVIDIA B200", {}).quality, MatchQuality::OtherGpu)
        << "not known is not the same";
    EXPECT_EQ(restoreReference(runs, "Org/Some-Model", "sglang", "NVIDIA B200", 1).run, nullptr);
    EXPECT_EQ(restoreReference(runs, "", "vllm", "NVIDIA B200", 1).quality, MatchQuality::None);
    EXPECT_EQ(restoreReference(runs, "Org/Some-Model", "vllm", "b200", 1).quality, MatchQuality::Exact) << "as recipes write it";
    runs[1].engine = "tensorrt-llm";
    EXPECT_EQ(restoreReference(runs, "Org/Some-Model", "trtllm", "B200", 1).run, &runs[1]) << "as recipes write it";
}

TEST(Trends, TellDeltasGapsAndStaleness)
{
    SRTWB_NEEDS_SHARED("snapshot/results/nightly");
    const StartupImport read = importStartup({sharedPath("results/nightly")});
    const auto trends = trendsOf(read.runs, &StartupRun::restore, "2026-10-09");
    std::size_t gaps = 0;
    std::size_t stale = 0;
    for (const Trend& trend : trends) {
        stale += trend.isStale ? 1 : 0;
        EXPECT_FALSE(trend.points.front().previousDelta) << "nothing comes before the first";
        for (const TrendPoint& point : trend.points)
            gaps += point.value ? 0 : 1;
    }
    EXPECT_EQ(gaps, 1U);
    const auto sglang = std::find_if(trends.begin(), trends.end(), [](const Trend& t) { return t.points.back().run->outcome != "passed"; });
    ASSERT_NE(sglang, trends.end());
    EXPECT_EQ(sglang->points.size(), 3U) << "the failed night is a gap in the series of its engine";
    EXPECT_GT(stale, 0U);
    const auto vllm = std::find_if(trends.begin(), trends.end(), [](const Trend& t) {
        return t.points.front().run->date.starts_with("2026-09-18") && t.points.front().run->engine == "vllm";
    });
    ASSERT_NE(vllm, trends.end());
    EXPECT_FALSE(vllm->isStale) << "its last night is 2026-10-07";
    ASSERT_EQ(vllm->points.size(), 5U);
    EXPECT_NEAR(vllm->points[1].previousDelta.value(), 55.601235 - 52.590306, 1e-6);
    EXPECT_NEAR(vllm->points[2].medianDelta.value(), 59.547747 - (52.590306 + 55.601235) / 2, 1e-6);
}

} // namespace
} // namespace wb::snapshot
