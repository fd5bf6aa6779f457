#include "tests/support/corpus.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace wb::test {

std::optional<std::filesystem::path> shared(std::string_view below)
{
    std::filesystem::path path = std::filesystem::path(SRTWB_SHARED_DIR) / below;
    if (!std::filesystem::exists(path))
        return std::nullopt;
    return path;
}

std::filesystem::path own(std::string_view below)
{
    return std::filesystem::path(SRTWB_SOURCE_DIR) / below;
}

std::string bytesOf(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    EXPECT_TRUE(in) << "cannot read " << path;
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

} // namespace wb::test
