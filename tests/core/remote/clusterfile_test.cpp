#include "core/base/sha256.h"
#include "core/remote/clusterfile.h"
#include "core/remote/localtransport.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

namespace wb::remote {
namespace {

using testing::HasSubstr;

class ClusterFileTest : public testing::Test
{
protected:
    const test::TemporaryFolder folder;
    LocalTransport here;
};

TEST_F(ClusterFileTest, ReadsTheFileAsItIs)
{
    const std::string bytes = "cluster: it's\r\n# \xC3\xA9 and a byte that is no text: \xFF\nlast line without an end";
    const std::string path = folder.put("it's a $(folder)/srtslurm.yaml", bytes);
    const auto file = readClusterFile(here, path);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->bytes, bytes);
    EXPECT_EQ(file->path, path);
    EXPECT_EQ(file->sha256, base::sha256Hex(bytes));
    const auto empty = readClusterFile(here, folder.put("empty.yaml", ""));
    ASSERT_TRUE(empty) << empty.error().message;
    EXPECT_EQ(empty->bytes, "");
}

TEST_F(ClusterFileTest, TakesTheOneThatALoginShellNames)
{
    const std::string path = folder.put("named here.yaml", "cluster: x\n");
    // The login shell is a program of the test's, which prints what such shells print.
    const std::string shell = folder.put("bin/bash", "#!/bin/sh\necho Welcome\nSRTSLURM_CONFIG='" + path + "' exec /bin/sh -c \"$2\"\n");
    std::filesystem::permissions(shell, std::filesystem::perms::owner_all);
    LocalTransport named({.path = folder.below("bin") + ":/usr/bin:/bin"});
    const auto file = readClusterFile(named, "");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->path, path);

    folder.put("bin/bash", "#!/bin/sh\nexit 1\n");
    const auto none = readClusterFile(named, "");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::NotFound);
    EXPECT_THAT(none.error().message, HasSubstr("SRTSLURM_CONFIG"));
}

TEST_F(ClusterFileTest, SaysWhatIsWrongWithTheFile)
{
    const auto missing = readClusterFile(here, folder.below("none.yaml"));
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
    EXPECT_THAT(missing.error().message, HasSubstr("none.yaml"));
    const auto large = readClusterFile(here, folder.put("large.yaml", std::string((std::size_t{1} << 20) + 1, '#')));
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().code, ErrorCode::Malformed);
    const auto directory = readClusterFile(here, folder.path().string());
    ASSERT_FALSE(directory);
    EXPECT_EQ(directory.error().code, ErrorCode::Denied);
    const std::string pipe = folder.below("pipe");
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const auto endless = readClusterFile(here, pipe);
    ASSERT_FALSE(endless);
    EXPECT_THAT(endless.error().message, HasSubstr("no regular file"));
}

} // namespace
} // namespace wb::remote
