// Files, hashes, the thread pool.
#include "core/base/arithmetic.h"
#include "core/base/files.h"
#include "core/base/parallel.h"
#include "core/base/sha256.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>
#include <vector>

namespace wb::base {
namespace {

namespace fs = std::filesystem;

TEST(Arithmetic, TellsWhatNoNumberHolds)
{
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(exactProduct(3, -4), -12);
    EXPECT_FALSE(exactProduct(most, 2));
    EXPECT_EQ(exactSum(most, -1), most - 1);
    EXPECT_FALSE(exactSum(most, 1));
    EXPECT_EQ(product(most, 2), most);
    EXPECT_EQ(product(most, -2), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(sum(most, 1), most);
    EXPECT_EQ(sum(-most, -most), std::numeric_limits<std::int64_t>::min());
}

TEST(Sha256Hex, GivesTheKnownDigests)
{
    EXPECT_EQ(sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(ReadFile, SaysWhatIsWrongWithAPath)
{
    const fs::path folder = fs::temp_directory_path();
    const auto none = readFile(folder / "not there.yaml");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::NotFound);
    EXPECT_THAT(none.error().message, testing::HasSubstr("no such file or directory"));
    EXPECT_THAT(readFile(folder).error().message, testing::EndsWith("is a folder, not a file."));
    EXPECT_THAT(readFile("/dev/null").error().message, testing::EndsWith("is not a regular file."));
}

TEST(ReadFile, GivesTheBytesAndKeepsTheLimit)
{
    const fs::path path = fs::path(testing::TempDir()) / "srtwb_readfile";
    std::ofstream(path, std::ios::binary) << std::string("a\0b\r\n", 5);
    EXPECT_EQ(readFile(path).value(), std::string("a\0b\r\n", 5));
    EXPECT_THAT(readFile(path, 3).error().message, testing::HasSubstr("has 5 bytes, more than the 3"));
    fs::remove(path);
}

TEST(FilesBelow, TellsWhatItCouldNotReadAndGoesOn)
{
    const fs::path folder = fs::path(testing::TempDir()) / "srtwb_filesbelow";
    fs::remove_all(folder);
    for (const char* name : {"a/1.yaml", "m/2.yaml", "z/deep/3.yaml", "z/other.txt"}) {
        fs::create_directories((folder / name).parent_path());
        std::ofstream(folder / name) << "x";
    }
    fs::create_symlink("../a/1.yaml", folder / "z/link.yaml");
    fs::create_symlink("..", folder / "z/back");
    fs::create_symlink("nowhere", folder / "z/broken.yaml");
    fs::permissions(folder / "m", fs::perms::none);
    const auto isYaml = [](const fs::path& path) { return path.extension() == ".yaml"; };
    const FilesBelow found = filesBelow(folder, isYaml);
    const bool isRoot = ::geteuid() == 0;
    std::vector<fs::path> expected = {folder / "a/1.yaml", folder / "z/deep/3.yaml", folder / "z/link.yaml"};
    if (isRoot)
        expected.insert(expected.begin() + 1, folder / "m/2.yaml");
    EXPECT_EQ(found.files, expected);
    ASSERT_EQ(found.errors.size(), isRoot ? 1U : 2U);
    EXPECT_EQ(found.errors.back().detail, (folder / "z/broken.yaml").string());
    if (!isRoot) {
        EXPECT_EQ(found.errors.front().detail, (folder / "m").string());
        EXPECT_EQ(found.errors.front().code, ErrorCode::Denied);
    }
    EXPECT_FALSE(found.truncated);
    const FilesBelow some = filesBelow(folder, isYaml, {}, 2);
    EXPECT_EQ(some.files.size(), 2U);
    EXPECT_TRUE(some.truncated);
    EXPECT_EQ(filesBelow(folder / "none", isYaml).errors.at(0).code, ErrorCode::NotFound);
    fs::permissions(folder / "m", fs::perms::owner_all);
    fs::remove_all(folder);
}

TEST(Error, SaysOnceWhatWasBeingDone)
{
    EXPECT_EQ(systemError(ENOSPC, "k.yaml", "Saving").within("Saving").message, systemError(ENOSPC, "k.yaml", "Saving").message);
    EXPECT_EQ((Error{ErrorCode::Denied, "It is locked.", {}}.within("Saving").message), "Saving: It is locked.");
}

TEST(ParallelFor, CallsEachIndexOnce)
{
    std::vector<std::atomic<int>> calls(10'000);
    EXPECT_TRUE(parallelFor(calls.size(), [&](std::size_t i) { ++calls[i]; }));
    for (const auto& count : calls)
        EXPECT_EQ(count, 1);
    EXPECT_TRUE(parallelFor(0, [](std::size_t) { FAIL(); }));
}

TEST(ParallelFor, WithinAnotherStaysInItsThread)
{
    std::vector<std::atomic<int>> strays(64);
    EXPECT_TRUE(parallelFor(strays.size(), [&](std::size_t i) {
        const std::thread::id own = std::this_thread::get_id();
        parallelFor(200, [&](std::size_t) { strays[i] += std::this_thread::get_id() == own ? 0 : 1; });
    }));
    for (const std::atomic<int>& count : strays)
        EXPECT_EQ(count, 0);
}

TEST(ParallelFor, LeavesOutTheRestWhenStopped)
{
    std::stop_source stop;
    std::atomic<std::size_t> done = 0;
    const auto work = [&](std::size_t) {
        if (++done == 5)
            stop.request_stop();
    };
    EXPECT_FALSE(parallelFor(1'000'000, work, stop.get_token()));
    EXPECT_LT(done, 1000U);
}

} // namespace
} // namespace wb::base
