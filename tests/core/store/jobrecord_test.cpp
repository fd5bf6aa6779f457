#include "core/store/jobrecord.h"
#include "tests/support/corpus.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

namespace wb::store {
namespace {

using testing::HasSubstr;
using Access = JobRecord::Access;

JobEntry entry(const std::string& id)
{
    JobEntry job;
    job.id = id;
    job.call = "c";
    job.host = "hopper";
    job.name = "a \"job\"\nof two lines";
    job.files = {{"job.sh", "ab", 12}};
    job.step = Step::Submitted;
    job.attempt = 2;
    job.attempted = 99;
    job.jobId = "123";
    job.submitted = 100;
    job.exitCode = 0;
    job.said = "123\n";
    return job;
}

TEST(JobRecordTest, GivesBackWhatWasPut)
{
    const test::TemporaryFolder folder;
    {
        auto record = JobRecord::open(folder.path().string(), Access::Write);
        ASSERT_TRUE(record) << record.error().message;
        ASSERT_TRUE(record->put(CallEntry{"c", "hopper", "plan", 5, std::nullopt}));
        ASSERT_TRUE(record->put(entry("1")));
        JobEntry second = entry("2");
        second.step = Step::Planned;
        ASSERT_TRUE(record->put(second));
        second.step = Step::Submitting;
        ASSERT_TRUE(record->put(second));
    }
    const auto record = JobRecord::open(folder.path().string(), Access::Read);
    ASSERT_TRUE(record);
    ASSERT_EQ(record->jobs().size(), 2U);
    EXPECT_EQ(record->jobs()[0], entry("1"));
    EXPECT_EQ(record->find("2")->step, Step::Submitting);
    ASSERT_EQ(record->calls().size(), 1U);
    EXPECT_EQ(record->calls().front().plan, "plan");
    EXPECT_FALSE(record->find("3"));
    EXPECT_TRUE(record->warnings().empty());
}

TEST(JobRecordTest, AFolderWithoutOneIsEmptyAndReadingMakesNothing)
{
    const test::TemporaryFolder folder;
    const auto record = JobRecord::open(folder.below("state"), Access::Read);
    ASSERT_TRUE(record);
    EXPECT_TRUE(record->jobs().empty());
    EXPECT_FALSE(std::filesystem::exists(folder.below("state")));
}

TEST(JobRecordTest, EveryCutLeavesTheLinesBeforeIt)
{
    const test::TemporaryFolder folder;
    {
        auto record = JobRecord::open(folder.path().string(), Access::Write);
        ASSERT_TRUE(record);
        ASSERT_TRUE(record->put(entry("1")));
        ASSERT_TRUE(record->put(entry("2")));
    }
    const std::string whole = test::bytesOf(folder.below("jobs.jsonl"));
    const std::size_t firstLine = whole.find('\n') + 1;
    for (const std::size_t length : {firstLine, firstLine + 1, whole.size() / 2 + 40, whole.size() - 1}) {
        std::ofstream(folder.below("jobs.jsonl"), std::ios::binary | std::ios::trunc) << whole.substr(0, length);
        auto record = JobRecord::open(folder.path().string(), Access::Write);
        ASSERT_TRUE(record);
        EXPECT_EQ(record->jobs().size(), 1U) << length;
        ASSERT_TRUE(record->put(entry("3")));
        const auto again = JobRecord::open(folder.path().string(), Access::Read);
        ASSERT_TRUE(again);
        EXPECT_EQ(again->jobs().size(), 2U) << length;
        EXPECT_TRUE(again->warnings().empty()) << length;
    }
}

TEST(JobRecordTest, LinesThatCannotBeReadAreKeptAndTold)
{
    const test::TemporaryFolder folder;
    folder.put("jobs.jsonl", "{\"future\": 1}\nnonsense\n");
    {
        auto record = JobRecord::open(folder.path().string(), Access::Write);
        ASSERT_TRUE(record);
        EXPECT_EQ(record->warnings().size(), 2U);
        ASSERT_TRUE(record->put(entry("1")));
    }
    EXPECT_THAT(test::bytesOf(folder.below("jobs.jsonl")), testing::StartsWith("{\"future\": 1}\nnonsense\n"));
}

TEST(JobRecordTest, KeysOfANewerVersionSurvive)
{
    const test::TemporaryFolder folder;
    folder.put("jobs.jsonl", "{\"job\":\"1\",\"step\":\"hovering\",\"newKey\":[1]}\n");
    auto record = JobRecord::open(folder.path().string(), Access::Write);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->jobs().front().step, Step::Submitting) << "an unknown step is looked into before anything is asked for again";
    JobEntry job = record->jobs().front();
    job.state = "running";
    ASSERT_TRUE(record->put(job));
    EXPECT_THAT(test::bytesOf(folder.below("jobs.jsonl")), testing::ContainsRegex("running.*newKey"));
}

TEST(JobRecordTest, OneWritesAndOthersWatch)
{
    const test::TemporaryFolder folder;
    auto writer = JobRecord::open(folder.path().string(), Access::Write);
    ASSERT_TRUE(writer);
    const auto second = JobRecord::open(folder.path().string(), Access::Write);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::Refused);
    EXPECT_THAT(second.error().message, HasSubstr(std::to_string(::getpid())));
    auto watcher = JobRecord::open(folder.path().string(), Access::Read);
    ASSERT_TRUE(watcher);
    ASSERT_TRUE(writer->put(entry("1")));
    ASSERT_TRUE(watcher->reload());
    EXPECT_EQ(watcher->jobs().size(), 1U);
    EXPECT_FALSE(watcher->put(entry("2")));
    writer = JobRecord::open(folder.below("elsewhere"), Access::Write);
    EXPECT_TRUE(JobRecord::open(folder.path().string(), Access::Write)) << "the lock goes with its holder";
}

TEST(JobRecordTest, AKilledWriterLeavesItsLinesAndNoLock)
{
    const test::TemporaryFolder folder;
    const pid_t child = ::fork();
    if (child == 0) {
        auto record = JobRecord::open(folder.path().string(), Access::Write);
        for (int i = 0; record; ++i)
            (void)record->put(entry(std::to_string(i)));
        ::_exit(1);
    }
    const std::string file = folder.below("jobs.jsonl");
    std::error_code ignored;
    const auto isLongEnough = [&] { return std::filesystem::exists(file, ignored) && std::filesystem::file_size(file, ignored) >= 2000; };
    bool hasEnded = false; // it ends by itself only when it cannot write
    while (!isLongEnough() && !hasEnded) {
        ::usleep(1000);
        hasEnded = ::waitpid(child, nullptr, WNOHANG) == child;
    }
    if (!hasEnded) {
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
    }
    ASSERT_FALSE(hasEnded) << "the writer could not open the record";
    auto record = JobRecord::open(folder.path().string(), Access::Write);
    ASSERT_TRUE(record) << record.error().message;
    EXPECT_GT(record->jobs().size(), 3U);
    EXPECT_TRUE(record->warnings().empty());
    for (std::size_t i = 0; i < record->jobs().size(); ++i)
        EXPECT_EQ(record->jobs()[i].id, std::to_string(i));
}

TEST(JobRecordTest, OldLinesGoWhenThereAreMany)
{
    const test::TemporaryFolder folder;
    {
        auto record = JobRecord::open(folder.path().string(), Access::Write);
        ASSERT_TRUE(record);
        for (int i = 0; i < 600; ++i) {
            JobEntry job = entry("1");
            job.attempt = i;
            ASSERT_TRUE(record->put(std::vector<JobEntry>{job}));
        }
    }
    auto record = JobRecord::open(folder.path().string(), Access::Write);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->find("1")->attempt, 599);
    const std::string text = test::bytesOf(folder.below("jobs.jsonl"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
    ASSERT_TRUE(record->put(entry("2")));
    EXPECT_EQ(JobRecord::open(folder.path().string(), Access::Read)->jobs().size(), 2U);
}

} // namespace
} // namespace wb::store
