#include "core/store/atomicfile.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace wb::store {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class AtomicFile : public testing::Test
{
protected:
    void SetUp() override
    {
        std::string made = (fs::temp_directory_path() / "srtwb-store-XXXXXX").string();
        ASSERT_NE(::mkdtemp(made.data()), nullptr);
        folder = made;
    }
    void TearDown() override
    {
        fs::permissions(folder, fs::perms::owner_all);
        fs::remove_all(folder);
    }

    std::string put(const std::string& name, const std::string& bytes)
    {
        std::ofstream(folder / name, std::ios::binary) << bytes;
        return (folder / name).string();
    }
    [[nodiscard]] std::size_t filesInFolder() const
    {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }

    fs::path folder;
};

TEST_F(AtomicFile, WritesANewFileAndLeavesNothingElseBehind)
{
    const std::string path = (folder / "new.yaml").string();
    ASSERT_TRUE(writeAtomically(path, std::string("a\0b\n", 4)));
    EXPECT_EQ(test::bytesOf(path), std::string("a\0b\n", 4));
    EXPECT_EQ(filesInFolder(), 1U);
}

TEST_F(AtomicFile, ANewFileHasTheModeOfTheUsersMask)
{
    const mode_t before = ::umask(027);
    const std::string path = (folder / "new.yaml").string();
    const bool isWritten = writeAtomically(path, "x").has_value();
    ::umask(before);
    ASSERT_TRUE(isWritten);
    EXPECT_EQ(fs::status(path).permissions(), static_cast<fs::perms>(0640));
}

TEST_F(AtomicFile, ReplacesTheBytesAndKeepsTheMode)
{
    const std::string path = put("old.sh", "old and longer than the new one");
    fs::permissions(path, static_cast<fs::perms>(0751));
    ASSERT_TRUE(writeAtomically(path, "new"));
    EXPECT_EQ(test::bytesOf(path), "new");
    EXPECT_EQ(fs::status(path).permissions(), static_cast<fs::perms>(0751));
}

TEST_F(AtomicFile, KeepsTheOwnerWhereItMay)
{
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root can make a file of another user";
    const std::string path = put("theirs.yaml", "old");
    ASSERT_EQ(::chown(path.c_str(), 12345, 23456), 0);
    ASSERT_TRUE(writeAtomically(path, "new"));
    struct stat status = {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, 12345U);
    EXPECT_EQ(status.st_gid, 23456U);
}

TEST_F(AtomicFile, FollowsALinkAndKeepsIt)
{
    fs::create_directory(folder / "real");
    const std::string target = put("real/recipe.yaml", "old");
    fs::create_symlink("real/recipe.yaml", folder / "one");
    fs::create_symlink("one", folder / "two");
    ASSERT_TRUE(writeAtomically((folder / "two").string(), "new"));
    EXPECT_EQ(test::bytesOf(target), "new");
    EXPECT_TRUE(fs::is_symlink(folder / "two"));
    EXPECT_TRUE(fs::is_symlink(folder / "one"));
}

TEST_F(AtomicFile, ALinkThatLeadsNowhereGetsItsFile)
{
    fs::create_symlink("later.yaml", folder / "link");
    ASSERT_TRUE(writeAtomically((folder / "link").string(), "new"));
    EXPECT_EQ(test::bytesOf(folder / "later.yaml"), "new");
}

TEST_F(AtomicFile, ALoopOfLinksIsAnErrorWithThePath)
{
    fs::create_symlink("b", folder / "a");
    fs::create_symlink("a", folder / "b");
    const auto result = writeAtomically((folder / "a").string(), "new");
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, HasSubstr((folder / "a").string().substr(0, 30)));
}

/// A full disk, as far as one process can have it: no file may grow beyond some bytes.
class SizeLimit
{
public:
    explicit SizeLimit(rlim_t bytes)
        : m_handler(std::signal(SIGXFSZ, SIG_IGN))
    {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    SizeLimit(const SizeLimit&) = delete;
    SizeLimit& operator=(const SizeLimit&) = delete;
    ~SizeLimit()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }

private:
    rlimit m_before = {};
    void (*m_handler)(int);
};

TEST_F(AtomicFile, WhenThereIsNoRoomTheOldBytesStay)
{
    const std::string path = put("old.yaml", "the old bytes");
    Result<void> result;
    {
        const SizeLimit full(4096);
        result = writeAtomically(path, std::string(100'000, 'x'));
    }
    ASSERT_FALSE(result) << "more was written than there was room for";
    EXPECT_THAT(result.error().message, HasSubstr("Saving"));
    EXPECT_EQ(test::bytesOf(path), "the old bytes");
    EXPECT_EQ(filesInFolder(), 1U) << "the half-written file was left behind";
}

TEST_F(AtomicFile, AFolderThatIsNotThereIsNamed)
{
    const auto result = writeAtomically((folder / "nowhere" / "x.yaml").string(), "new");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::NotFound);
}

TEST_F(AtomicFile, AFolderInPlaceOfTheFileIsRefused)
{
    fs::create_directory(folder / "recipe.yaml");
    const auto result = writeAtomically((folder / "recipe.yaml").string(), "new");
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, HasSubstr("not a plain file"));
    EXPECT_EQ(filesInFolder(), 1U);
}

TEST_F(AtomicFile, AWriteProtectedFileIsNotReplaced)
{
    if (::geteuid() == 0)
        GTEST_SKIP() << "root may write everything";
    const std::string path = put("locked.yaml", "old");
    fs::permissions(path, fs::perms::owner_read);
    const auto result = writeAtomically(path, "new");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Denied);
    EXPECT_EQ(test::bytesOf(path), "old");
}

TEST_F(AtomicFile, MakesAFolderWithItsParentsOnceOrTwice)
{
    const std::string path = (folder / "a" / "b" / "c").string();
    ASSERT_TRUE(makeFolder(path));
    ASSERT_TRUE(makeFolder(path));
    EXPECT_TRUE(fs::is_directory(path));
}

TEST_F(AtomicFile, AFileInPlaceOfTheFolderIsAnError)
{
    const std::string path = put("a", "file");
    EXPECT_FALSE(makeFolder(path));
    EXPECT_FALSE(makeFolder(path + "/b"));
}

} // namespace
} // namespace wb::store
