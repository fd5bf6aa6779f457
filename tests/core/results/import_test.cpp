// Folders, paths and what the world does to them.
#include "core/results/importer.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <map>

namespace wb::results {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr auto summary = R"({"backend": "vllm", "max_concurrency": 8, "num_prompts": 10, "completed": 10, "duration": 10,
    "output_throughput": 50.0, "median_tpot_ms": 10.0})";

std::vector<std::string> pathsOf(const Imported& imported)
{
    std::vector<std::string> paths;
    for (const ImportedFile& file : imported.files)
        paths.push_back(file.path);
    return paths;
}

TEST(ImportPaths, ReadsFoldersRecursivelyInOrder)
{
    const test::TemporaryFolder folder;
    const std::string b = folder.put("b/x_conc8.json", summary);
    const std::string a = folder.put("a/y_conc8.json", summary);
    const std::string c = folder.put("c_conc8.json", summary);
    const Imported imported = importPaths({folder.path().string()});
    EXPECT_THAT(pathsOf(imported), ElementsAre(a, b, c));
    EXPECT_THAT(imported.points(), SizeIs(3));
}

TEST(ImportPaths, PathsComeBackAsTheyWereGiven)
{
    const test::TemporaryFolder folder;
    folder.put("a/x_conc8.json", summary);
    EXPECT_THAT(pathsOf(importPaths({folder.path().string() + "/a/"})), ElementsAre(folder.below("a/x_conc8.json")));
    const std::string odd = folder.path().string() + "/a/../a";
    EXPECT_THAT(pathsOf(importPaths({odd})), ElementsAre(odd + "/x_conc8.json"));
}

TEST(ImportPaths, AFileThatIsNamedTwiceIsReadOnce)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.put("x_conc8.json", summary);
    EXPECT_THAT(importPaths({path, folder.path().string(), path}).files, SizeIs(1));
}

TEST(ImportPaths, AFileIsReadOnceHoweverItIsSpelled)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.put("a/x_conc8.json", summary);
    const std::string odd = folder.path().string() + "/./a//../a";
    EXPECT_THAT(pathsOf(importPaths({odd, folder.below("a"), path})), ElementsAre(odd + "/x_conc8.json"));

    fs::create_directory_symlink("a", folder.below("linked"));
    const Imported linked = importPaths({folder.below("a"), folder.below("linked")});
    ASSERT_THAT(pathsOf(linked), ElementsAre(path, folder.below("linked/x_conc8.json")));
    EXPECT_THAT(linked.points(), SizeIs(1));
    EXPECT_EQ(linked.files[1].state, FileState::Ignored);
    EXPECT_THAT(linked.files[1].reason, HasSubstr("The same file as "));
}

TEST(ImportPaths, APathThatIsNotThereIsToldAndTheOthersAreRead)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.put("x_conc8.json", summary);
    const Imported imported = importPaths({folder.below("nowhere"), path});
    ASSERT_THAT(imported.files, SizeIs(2));
    EXPECT_EQ(imported.files[0].state, FileState::Refused);
    EXPECT_EQ(imported.files[0].unreadable, ErrorCode::NotFound);
    EXPECT_THAT(imported.files[0].reason, HasSubstr("nowhere"));
    EXPECT_EQ(imported.files[1].state, FileState::Imported);
}

TEST(ImportPaths, WhatMayNotBeReadIsToldWithItsPath)
{
    const test::TemporaryFolder folder;
    const std::string file = folder.put("x_conc8.json", summary);
    folder.put("locked/y_conc8.json", summary);
    fs::permissions(file, fs::perms::none);
    fs::permissions(folder.path() / "locked", fs::perms::none);
    fs::permissions(folder.path(), fs::perms::others_read | fs::perms::others_exec, fs::perm_options::add);
    const bool isRoot = ::geteuid() == 0; // who may read everything: it looks as somebody else
    constexpr uid_t somebody = 65534;
    ASSERT_TRUE(!isRoot || ::seteuid(somebody) == 0);
    const Imported imported = importPaths({folder.path().string()});
    ASSERT_TRUE(!isRoot || ::seteuid(0) == 0);
    fs::permissions(folder.path() / "locked", fs::perms::owner_all);
    ASSERT_THAT(imported.files, SizeIs(2));
    for (const ImportedFile& denied : imported.files) {
        EXPECT_EQ(denied.unreadable, ErrorCode::Denied) << denied.path;
        EXPECT_THAT(denied.reason, HasSubstr(folder.path().filename().string()));
    }
}

TEST(ImportPaths, WarmUpAndHiddenFoldersAreToldAndNotEntered)
{
    const test::TemporaryFolder folder;
    folder.put("artifacts/warmup/x_conc8.json", summary);
    folder.put(".cache/x_conc8.json", summary);
    const Imported imported = importPaths({folder.path().string()});
    EXPECT_THAT(imported.points(), IsEmpty());
    EXPECT_THAT(pathsOf(imported), ElementsAre(folder.below(".cache"), folder.below("artifacts/warmup")));
    for (const ImportedFile& file : imported.files)
        EXPECT_EQ(file.state, FileState::Ignored);
    EXPECT_THAT(importPaths({folder.below("artifacts/warmup")}).points(), SizeIs(1)) << "whoever names the folder means it";
}

TEST(ImportPaths, LinksToFilesAreReadAndLoopsOfFoldersAreNot)
{
    const test::TemporaryFolder folder;
    folder.put("a/x_conc8.json", summary);
    fs::create_symlink("x_conc8.json", folder.path() / "a/link_conc8.json");
    fs::create_symlink("..", folder.path() / "a/loop");
    fs::create_symlink("nowhere", folder.path() / "a/broken");
    fs::create_symlink("self", folder.path() / "a/self");
    const test::TemporaryFolder elsewhere;
    fs::create_symlink(elsewhere.put("real.json", summary), folder.path() / "a/out_conc8.json");
    const Imported imported = importPaths({folder.path().string()});
    std::map<std::string, std::string> states;
    for (const ImportedFile& file : imported.files)
        states[fs::path(file.path).filename().string()] = name(file.state);
    EXPECT_EQ(states, (std::map<std::string, std::string>{{"broken", "refused"},
                                                          {"link_conc8.json", "ignored"},
                                                          {"loop", "ignored"},
                                                          {"out_conc8.json", "imported"},
                                                          {"self", "refused"},
                                                          {"x_conc8.json", "imported"}}))
        << "a link to a file that is read itself would give its points twice";
}

TEST(ImportPaths, AFifoIsNotWaitedFor)
{
    const test::TemporaryFolder folder;
    ASSERT_EQ(::mkfifo(folder.below("pipe.json").c_str(), 0600), 0);
    const Imported imported = importPaths({folder.path().string()});
    ASSERT_THAT(imported.files, SizeIs(1));
    EXPECT_EQ(imported.files[0].state, FileState::Ignored);
}

TEST(ImportPaths, SkippedFilesAreUnchanged)
{
    const test::TemporaryFolder folder;
    folder.put("x_conc8.json", summary);
    const Imported imported = importPaths({folder.path().string()}, {.skip = [](const fs::path&) { return true; }});
    EXPECT_EQ(imported.files.at(0).state, FileState::Unchanged);
    EXPECT_THAT(imported.points(), IsEmpty());
}

TEST(ImportPaths, TellsHowFarItIsAndCanBeStopped)
{
    const test::TemporaryFolder folder;
    for (int i = 0; i < 50; ++i)
        folder.put("f" + std::to_string(i) + "_conc8.json", summary);
    std::atomic<std::size_t> last = 0;
    ASSERT_THAT(importPaths({folder.path().string()}, {.progress =
                                                           [&](std::size_t, std::size_t total) {
                                                               ++last;
                                                               EXPECT_EQ(total, 50U);
                                                           }})
                    .points(),
                SizeIs(50));
    EXPECT_EQ(last, 50U);

    std::stop_source stop;
    stop.request_stop();
    const Imported stopped = importPaths({folder.path().string()}, {}, stop.get_token());
    EXPECT_THAT(stopped.points(), IsEmpty());
    for (const ImportedFile& file : stopped.files)
        EXPECT_THAT(file.reason, HasSubstr("stopped"));
}

TEST(ImportPaths, BytesAreKnownByTheirHash)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.put("x_conc8.json", "abc");
    EXPECT_EQ(importPaths({path}).files.at(0).sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(ImportPaths, StatesHaveTheNamesOfTheContract)
{
    EXPECT_EQ(name(FileState::Imported), "imported");
    EXPECT_EQ(name(FileState::Unchanged), "unchanged");
    EXPECT_EQ(name(FileState::Refused), "refused");
    EXPECT_EQ(name(FileState::Ignored), "ignored");
}

} // namespace
} // namespace wb::results
