#include "core/store/atomicfile.h"
#include "core/store/tarball.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace wb::store {
namespace {

std::string contents(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

TEST(Tarball, IsReadByTar)
{
    const test::TemporaryFolder folder;
    const std::string deep = std::string(90, 'd') + "/" + std::string(90, 'e');
    const std::vector<FolderFile> files{
        {"a.txt", "one\n", ""}, {"sub/exact", std::string(512, 'x'), ""}, {"empty", "", ""}, {deep, "deep", ""}};
    const auto bytes = tarball("job", files);
    ASSERT_TRUE(bytes) << bytes.error().message;
    const std::string archive = folder.below("a.tar");
    ASSERT_TRUE(writeAtomically(archive, *bytes));
    ASSERT_EQ(std::system(("tar -xf '" + archive + "' -C '" + folder.path().string() + "'").c_str()),
              0); // NOLINT: the other program's word counts
    for (const FolderFile& file : files)
        EXPECT_EQ(contents(folder.below("job/" + file.name)), file.bytes) << file.name;
}

TEST(Tarball, IsTheSameForTheSameFiles)
{
    const std::vector<FolderFile> files{{"a", "1", ""}};
    EXPECT_EQ(*tarball("j", files), *tarball("j", files));
    EXPECT_EQ(tarball("j", files)->size(), 2048U) << "a header, a block and two empty ones";
}

TEST(Tarball, RefusesANameThatTheFormatCannotHold)
{
    const std::vector<FolderFile> files{{std::string(120, 'n'), "1", ""}};
    const auto bytes = tarball("", files);
    ASSERT_FALSE(bytes);
    EXPECT_THAT(bytes.error().message, testing::HasSubstr("too long"));
}

} // namespace
} // namespace wb::store
