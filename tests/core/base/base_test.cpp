// Files, hashes, the thread pool.
#include "core/base/files.h"
#include "core/base/parallel.h"
#include "core/base/sha256.h"

#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <vector>

namespace wb::base {
namespace {

namespace fs = std::filesystem;

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

TEST(ParallelFor, CallsEachIndexOnce)
{
    std::vector<std::atomic<int>> calls(10'000);
    EXPECT_TRUE(parallelFor(calls.size(), [&](std::size_t i) { ++calls[i]; }));
    for (const auto& count : calls)
        EXPECT_EQ(count, 1);
    EXPECT_TRUE(parallelFor(0, [](std::size_t) { FAIL(); }));
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
