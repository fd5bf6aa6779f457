#include "core/base/sha256.h"
#include "core/store/atomicfile.h"
#include "core/store/ownfolder.h"
#include "core/store/temporaries.h"
#include "tests/support/corpus.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

namespace wb::store {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<FolderFile> filesOf(const std::vector<std::pair<std::string, std::string>>& all)
{
    std::vector<FolderFile> out;
    for (const auto& [name, bytes] : all)
        out.push_back({name, bytes, base::sha256Hex(bytes)});
    return out;
}

/// Names in a folder, hidden ones too.
std::vector<std::string> names(const fs::path& folder)
{
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder))
        out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
}

TEST(OwnFolder, IsReplacedAsAWhole)
{
    const test::TemporaryFolder folder;
    const std::string job = folder.below("job");
    ASSERT_TRUE(writeOwnFolder(job, filesOf({{"a", "1"}, {"deep/b", "2"}}), {"r.yaml"}, false));
    EXPECT_EQ(test::bytesOf(job + "/deep/b"), "2");
    ASSERT_TRUE(writeOwnFolder(job, filesOf({{"a", "3"}}), {"r.yaml"}, false));
    EXPECT_EQ(test::bytesOf(job + "/a"), "3");
    EXPECT_FALSE(fs::exists(job + "/deep"));
    EXPECT_THAT(names(folder.path()), ElementsAre("job"));
}

TEST(OwnFolder, KeepsWhatIsNotItsOwn)
{
    const test::TemporaryFolder folder;
    const std::string job = folder.below("job");
    const auto write = [&](const char* origin, bool mayMoveAside) {
        return writeOwnFolder(job, filesOf({{"a", "1"}}), {origin}, mayMoveAside);
    };
    ASSERT_TRUE(write("r.yaml", false));
    EXPECT_EQ(write("other.yaml", false).error().code, ErrorCode::Refused);
    folder.put("job/mine.txt", "mine");
    EXPECT_THAT(write("r.yaml", false).error().message, HasSubstr("\"mine.txt\""));
    const auto aside = write("r.yaml", true);
    ASSERT_TRUE(aside);
    EXPECT_EQ(*aside, job + ".old");
    EXPECT_EQ(test::bytesOf(job + ".old/mine.txt"), "mine");
    folder.put("job/a", "edited");
    EXPECT_FALSE(write("r.yaml", false));
    EXPECT_EQ(*write("r.yaml", true), job + ".old2");
    fs::remove_all(job);
    fs::create_directory(job);
    EXPECT_TRUE(write("r.yaml", false)) << "an empty folder is nobody's";
    fs::remove_all(job);
    folder.put("job", "a file");
    EXPECT_FALSE(write("r.yaml", false));
    EXPECT_EQ(test::bytesOf(job), "a file");
}

TEST(OwnFolder, AFullDiskLeavesTheOldOne)
{
    const test::TemporaryFolder folder;
    const std::string job = folder.below("job");
    ASSERT_TRUE(writeOwnFolder(job, filesOf({{"a", "old"}}), {"r.yaml"}, false));
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit before = {};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit limit{4096, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto written = writeOwnFolder(job, filesOf({{"b", "x"}, {"a", std::string(100'000, 'x')}}), {"r.yaml"}, false);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(written);
    EXPECT_EQ(test::bytesOf(job + "/a"), "old");
    EXPECT_FALSE(fs::exists(job + "/b"));
    EXPECT_THAT(names(folder.path()), ElementsAre("job"));
}

/// A process that does the work again and again until it is killed.
void killWhileItWorks(const std::function<void()>& work, std::chrono::microseconds after)
{
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        for (;;)
            work();
    }
    std::this_thread::sleep_for(after);
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
}

TEST(OwnFolder, AKillLeavesTheOldOrTheNewOneAndNothingForLong)
{
    const test::TemporaryFolder folder;
    const std::string job = folder.below("job");
    const auto old = filesOf({{"a", "one"}, {"b", "one"}});
    const auto young = filesOf({{"a", "two"}, {"c", "two"}});
    for (int round = 0; round < 20; ++round) {
        ASSERT_TRUE(writeOwnFolder(job, old, {"r"}, false));
        killWhileItWorks(
            [&] {
                (void)writeOwnFolder(job, young, {"r"}, false);
                (void)writeOwnFolder(job, old, {"r"}, false);
            },
            std::chrono::microseconds(300 + 157 * round));
        const bool isOld = test::bytesOf(job + "/a") == "one";
        EXPECT_THAT(names(job), isOld ? ElementsAre(".srtwb-files.json", "a", "b") : ElementsAre(".srtwb-files.json", "a", "c"));
    }
    ASSERT_TRUE(writeOwnFolder(job, old, {"r"}, false));
    EXPECT_THAT(names(folder.path()), ElementsAre("job"));
}

TEST(Leftovers, OfADeadSaveAreGoneAfterTheNextOne)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.put("k.yaml", "old");
    for (int round = 0; round < 20; ++round) {
        killWhileItWorks([&] { (void)writeAtomically(path, std::string(200'000, 'x')); }, std::chrono::microseconds(200 + 113 * round));
        const std::string bytes = test::bytesOf(path);
        EXPECT_TRUE(bytes == "old" || bytes == std::string(200'000, 'x')) << bytes.size();
        ASSERT_TRUE(writeAtomically(path, "old"));
        EXPECT_THAT(names(folder.path()), ElementsAre("k.yaml"));
    }
}

TEST(Leftovers, OfAnotherProcessStayWhileItLives)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.put("k.yaml", "old");
    folder.put(".k.yaml.tmp", "a file of the user");
    folder.put(".k.yaml.00000000-1-0.tmp", "of another machine");
    int ready[2] = {};
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        std::ofstream(temporaryBeside(path)) << "half";
        (void)!::write(ready[1], "x", 1);
        for (;;)
            ::pause();
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    ASSERT_TRUE(writeAtomically(path, "new"));
    EXPECT_THAT(names(folder.path()), testing::SizeIs(4)) << "a save that goes on was disturbed";
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(writeAtomically(path, "newer"));
    EXPECT_THAT(names(folder.path()), ElementsAre(".k.yaml.00000000-1-0.tmp", ".k.yaml.tmp", "k.yaml"));
    ::close(ready[0]);
    ::close(ready[1]);
}

TEST(Leftovers, ALongNameLeavesRoom)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.below(std::string(250, 'n'));
    EXPECT_TRUE(writeAtomically(path, "x"));
    EXPECT_EQ(test::bytesOf(path), "x");
}

} // namespace
} // namespace wb::store
