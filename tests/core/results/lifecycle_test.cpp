#include "core/results/lifecycle.h"
#include "tests/support/corpus.h"
#include "tests/support/temporaryfolder.h"

#include <dirent.h>
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <cerrno>
#include <string>

/// A disk that fails while a folder is listed: readdir of this program stands before that of the C library.
static bool failReaddir = false;
extern "C" dirent* readdir(DIR* folder)
{
    static const auto real = reinterpret_cast<dirent* (*)(DIR*)>(::dlsym(RTLD_NEXT, "readdir"));
    if (!failReaddir)
        return real(folder);
    errno = EIO;
    return nullptr;
}

namespace wb::results {
namespace {

constexpr auto log = "2026-10-02 02:23:10 [INFO] Starting infrastructure services\r\n"
                     "2026-10-02 02:23:19 [INFO] Starting backend workers\n"
                     "[node0] 2026-10-02 02:23:25 [INFO] Starting frontend layer\n"
                     "Model is ready. (no time on this line)\n"
                     "2026-10-02 02:34:09 [INFO] Model is ready. Have 4 prefill and 3 decode workers\n"
                     "2026-10-03 02:34:09 [INFO] Model is ready. Again\n";

TEST(Lifecycle, ComesFromTheLogOfASweepAndTheFirstHitWins)
{
    const auto read = readLifecycle(log);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->timeToReady, 650.0);
    EXPECT_EQ(read->readinessGap, 644.0);
    EXPECT_EQ(read->benchmark, std::nullopt);
    EXPECT_EQ(read->total, std::nullopt);
    EXPECT_EQ(read->startedAt, "2026-10-02 02:23:10");
    EXPECT_NEAR(*idleGpuHours(*read, 28), 650.0 * 28 / 3600, 1e-9);
}

TEST(Lifecycle, OfARunThatNeverGotReadyIsNotZero)
{
    const auto read = readLifecycle("2026-10-02 03:00:00 [INFO] Starting infrastructure services\n"
                                    "2026-10-02 03:00:08 [INFO] Starting backend workers\n"
                                    "2026-10-02 03:30:20 [ERROR] ✗ Sweep failed: server did not become healthy\n");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->timeToReady, std::nullopt);
    EXPECT_EQ(read->total, 1820.0);
    EXPECT_EQ(idleGpuHours(*read, 8), std::nullopt);
}

TEST(Lifecycle, ARunIsKnownToHaveNeverBeenReadyOnlyFromItsStartToItsEnd)
{
    const std::string infra = "2026-10-02 03:00:00 [INFO] Starting infrastructure services\n";
    const std::string workers = "2026-10-02 03:00:08 [INFO] Starting backend workers\n";
    const std::string end = "2026-10-02 03:30:20 [ERROR] ✗ Sweep failed: server did not become healthy\n";
    const auto ofLog = [](const std::string& text) { return readLifecycle(text)->wasNeverReady; };
    EXPECT_TRUE(ofLog(infra + workers + end));
    EXPECT_FALSE(ofLog(infra + end)) << "the log begins behind the start of the workers, or they never started";
    EXPECT_FALSE(ofLog(infra + workers)) << "it may still become ready";
    for (const char* ready : {"2026-10-02 03:10:00 [INFO] Model is ready\n", "Model is ready. Have 4 decodes\n",
                              "2026-10-02 03:10:00 [INFO] Server is healthy - starting benchmark\n", "Server is healthy\n",
                              "2026-10-02 03:10:00 [INFO] Benchmark completed\n"}) {
        EXPECT_FALSE(ofLog(infra + workers + ready + end)) << ready;
        EXPECT_EQ(readLifecycle(infra + workers + ready + end)->timeToReady, std::nullopt) << ready;
    }
    const auto ofJson = [](const std::string& milestones, const std::string& cause) {
        return readLifecycle(R"({"milestones": {)" + milestones + R"(}, "terminal_cause": )" + cause +
                             R"(, "durations_s": {"time_to_ready": null}})")
            ->wasNeverReady;
    };
    const std::string started = R"("workers_start": "2026-10-02 03:00:08")";
    EXPECT_TRUE(ofJson(started + R"(, "model_ready": null, "run_end": "2026-10-02 03:30:20")", "null"));
    EXPECT_TRUE(ofJson(started, "\"failed\""));
    EXPECT_FALSE(ofJson(started, "null")) << "it did not end";
    EXPECT_FALSE(ofJson(R"("workers_start": null)", "\"failed\""));
    EXPECT_FALSE(ofJson(started + R"(, "benchmark_start": "2026-10-02 03:10:00")", "\"failed\""));
}

TEST(Lifecycle, IsRefusedForOtherTexts)
{
    for (const char* text : {"", "hello", "{}", "{\"durations_s\": 1}", "Starting backend workers",
                             "2026-99-02 03:00:08 Starting backend workers", "{\"durations_s\": {\"time_to_ready\": 1}"}) {
        EXPECT_FALSE(readLifecycle(text)) << text;
    }
}

TEST(Lifecycle, AFolderThatStopsBeingReadableIsNoEndOfTheProgram)
{
    const test::TemporaryFolder folder;
    folder.put("logs/sweep_12.log", log);
    failReaddir = true;
    EXPECT_NO_THROW(EXPECT_FALSE(lifecycleOfRun(folder.path())));
    failReaddir = false;
    EXPECT_TRUE(lifecycleOfRun(folder.path()));
}

TEST(Lifecycle, IsFoundInTheFolderOfARun)
{
    const test::TemporaryFolder folder;
    EXPECT_FALSE(lifecycleOfRun(folder.path()));
    EXPECT_FALSE(lifecycleOfRun(folder.path() / "absent"));
    folder.put("logs/sweep_12.log", log);
    folder.put("logs/other.log", "Model is ready.");
    ASSERT_TRUE(lifecycleOfRun(folder.path()));
    EXPECT_EQ(lifecycleOfRun(folder.path())->timeToReady, 650.0);
    folder.put("run_lifecycle.json", R"({"milestones": {}, "durations_s": {"time_to_ready": 12.5, "readiness_gap": null}})");
    EXPECT_EQ(lifecycleOfRun(folder.path())->timeToReady, 12.5) << "srt-slurm's own numbers come first";
}

TEST(Lifecycle, OfTheSharedRunsIsTheSameFromTheLogAndFromItsJson)
{
    SRTWB_NEEDS_SHARED("snapshot/srt");
    for (const auto& [folder, number, ready] :
         {std::tuple("run1", "100001", std::optional(650.0)), std::tuple("run2-never-ready", "100002", std::optional<double>())}) {
        const auto base = *test::shared("snapshot/srt") / folder;
        const auto fromJson = readLifecycle(test::bytesOf(base / "run_lifecycle.json"));
        const auto fromLog = readLifecycle(test::bytesOf(base / ("sweep_" + std::string(number) + ".log")));
        ASSERT_TRUE(fromJson && fromLog);
        EXPECT_EQ(*fromJson, *fromLog);
        EXPECT_EQ(fromLog->timeToReady, ready);
    }
}

} // namespace
} // namespace wb::results
