#include "core/base/sha256.h"
#include "core/store/sentfiles.h"
#include "tests/support/temporaryfolder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace wb::store {
namespace {

namespace fs = std::filesystem;

class SentFilesTest : public testing::Test
{
protected:
    void keep(const std::string& bytes, std::size_t most = mostSentFiles)
    {
        const std::string sha256 = base::sha256Hex(bytes);
        const SentBytes file{sha256, bytes};
        ASSERT_TRUE(keepSent(folder.path().string(), {&file, 1}, most));
    }

    test::TemporaryFolder folder;
};

TEST_F(SentFilesTest, ComeBackByTheirHashAndAreTheirOwnersAlone)
{
    keep("#!/bin/bash\necho\n");
    const std::string sha256 = base::sha256Hex("#!/bin/bash\necho\n");
    const auto bytes = sentBytes(folder.path().string(), sha256);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(*bytes, "#!/bin/bash\necho\n");
    const fs::perms everybody = fs::perms::group_all | fs::perms::others_all;
    EXPECT_EQ(fs::status(folder.path() / "sent").permissions() & everybody, fs::perms::none);
    EXPECT_EQ(fs::status(folder.path() / "sent" / sha256).permissions() & everybody, fs::perms::none);
}

TEST_F(SentFilesTest, AreNoneWhereNoneWereKeptOrTheyWereChanged)
{
    const std::string path = folder.path().string();
    EXPECT_FALSE(sentBytes(path, base::sha256Hex("never")));
    EXPECT_FALSE(sentBytes(path, "../record"));
    keep("one");
    std::ofstream(folder.path() / "sent" / base::sha256Hex("one")) << "two";
    EXPECT_FALSE(sentBytes(path, base::sha256Hex("one")));
    EXPECT_FALSE(keepSent("/proc/nowhere", {}));
}

TEST_F(SentFilesTest, TheOldestGoWhereThereAreTooMany)
{
    keep("old");
    fs::last_write_time(folder.path() / "sent" / base::sha256Hex("old"), fs::file_time_type::clock::now() - std::chrono::hours(1));
    keep("new", 1);
    EXPECT_FALSE(sentBytes(folder.path().string(), base::sha256Hex("old")));
    EXPECT_TRUE(sentBytes(folder.path().string(), base::sha256Hex("new")));
}

} // namespace
} // namespace wb::store
