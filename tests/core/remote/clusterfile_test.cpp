#include "core/base/sha256.h"
#include "core/remote/clusterfile.h"
#include "core/remote/localtransport.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
}

} // namespace
} // namespace wb::remote
