#include "tests/support/temporaryfolder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace wb::test {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder()
{
    std::string made = (fs::temp_directory_path() / "srtwb-test-XXXXXX").string();
    EXPECT_NE(::mkdtemp(made.data()), nullptr);
    m_path = made;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

std::string TemporaryFolder::put(std::string_view name, std::string_view bytes) const
{
    const fs::path path = m_path / name;
    fs::create_directories(path.parent_path());
    std::ofstream out(path, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    EXPECT_TRUE(out) << "cannot write " << path;
    return path.string();
}

} // namespace wb::test
