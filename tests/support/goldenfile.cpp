#include "tests/support/goldenfile.h"

#include "tests/support/corpus.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace wb::test {

void expectGoldenFile(std::string_view below, const std::string& actual)
{
    const std::filesystem::path path = own("tests/data/" + std::string(below));
    if (const char* update = std::getenv("SRTWB_UPDATE_GOLDEN"); update && std::string_view(update) == "1") {
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << actual;
        return;
    }
    ASSERT_TRUE(std::filesystem::exists(path)) << path << " is not there; SRTWB_UPDATE_GOLDEN=1 writes it";
    EXPECT_EQ(actual, bytesOf(path)) << path;
}

} // namespace wb::test
