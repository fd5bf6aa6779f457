#include "core/results/importer.h"
#include "tests/support/corpus.h"
#include "tests/support/samplerun.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace wb::results {
namespace {

namespace fs = std::filesystem;

TEST(Samples, AreWhatTheirModelGives)
{
    const fs::path folder = test::own("resources/samples/results");
    for (const auto& [name, bytes] : test::sampleResults()) {
        if (std::getenv("SRTWB_UPDATE_GOLDEN")) {
            fs::create_directories((folder / name).parent_path());
            std::ofstream(folder / name, std::ios::binary) << bytes;
        }
        EXPECT_EQ(test::bytesOf(folder / name), bytes) << name;
    }
}

TEST(Samples, AreImportedAsSimulatedPointsOfTheirRecipe)
{
    const Imported imported = importPaths({test::own("resources/samples/results").string()});
    std::map<std::string, std::set<double>> concurrencies;
    for (const Point& point : imported.points()) {
        EXPECT_TRUE(point.simulated) << point.source;
        EXPECT_TRUE(point.valid) << point.source;
        EXPECT_THAT(point.notes, testing::IsEmpty()) << point.source << ": the numbers of a sample must agree with each other";
        EXPECT_EQ(point.format, "sa-bench");
        EXPECT_EQ(point.recipe, "recipes/dsr1-disagg-chunked-prefill.yaml");
        EXPECT_EQ(point.gpus.working, 12.0);
        EXPECT_EQ(point.gpus.allocated, 12.0);
        EXPECT_EQ(point.hardware, "gb200");
        EXPECT_EQ(point.engine, "sglang");
        EXPECT_EQ(point.precision, "fp8");
        concurrencies[point.variant.value_or("")].insert(point.concurrency.value_or(0));
    }
    const std::set<double> levels{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
    EXPECT_EQ(concurrencies, (std::map<std::string, std::set<double>>{{"dsr1-disagg-chunked-prefill_chunked16384", levels},
                                                                      {"dsr1-disagg-chunked-prefill_chunked8192", levels}}));
}

TEST(Samples, NameARecipeThatIsThere)
{
    EXPECT_TRUE(fs::is_regular_file(test::own("recipes/dsr1-disagg-chunked-prefill.yaml")));
}

} // namespace
} // namespace wb::results
