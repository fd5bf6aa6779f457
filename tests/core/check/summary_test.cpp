#include "core/check/summary.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace wb::check {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

const std::string body = "model: {path: hf:org/model, container: image:1, precision: fp8}\n"
                         "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
                         "backend:\n  type: sglang\n  sglang_config:\n    aggregated: {tensor-parallel-size: 8, mem-fraction-static: 0.8}\n"
                         "benchmark: {type: sa-bench, isl: 1024, osl: 1024, concurrencies: \"4x8\"}\n";

Summary summaryOfText(const std::string& text)
{
    return summaryOf(check(std::make_shared<syntax::SourceText>(text, "recipe.yaml"), {}));
}

const SummaryValue* valueAt(const Summary& summary, const std::string& path)
{
    for (const SummaryValue& value : summary.values) {
        if (value.path == path)
            return &value;
    }
    return nullptr;
}

std::vector<std::size_t> groupsOf(const std::vector<Summary>& summaries)
{
    std::vector<const Summary*> all;
    for (const Summary& each : summaries)
        all.push_back(&each);
    return alikeGroups(all);
}

TEST(Summary, SaysWhatARecipeIs)
{
    const Summary summary = summaryOfText("name: n\n" + body);
    EXPECT_TRUE(summary.isRecipe);
    EXPECT_EQ(summary.jobs, 1U);
    EXPECT_EQ(summary.engine, "sglang");
    EXPECT_EQ(summary.gpu, "h100");
    EXPECT_EQ(summary.topology, "1 agg");
    EXPECT_THAT(summary.names, ElementsAre("n"));
    ASSERT_TRUE(valueAt(summary, "benchmark.isl"));
    EXPECT_THAT(valueAt(summary, "benchmark.isl")->values, ElementsAre("1024"));
}

TEST(Summary, HoldsAValueForEachJobWhereTheyDiffer)
{
    std::string text = "name: \"n\"\n" + body + "sweep:\n  isl: [1024, 8192]\n";
    text.replace(text.find("isl: 1024"), 9, "isl: \"{isl}\"");
    const Summary summary = summaryOfText(text);
    EXPECT_EQ(summary.jobs, 2U);
    ASSERT_TRUE(valueAt(summary, "benchmark.isl"));
    EXPECT_THAT(valueAt(summary, "benchmark.isl")->values, ElementsAre("1024", "8192"));
    EXPECT_EQ(valueAt(summary, "benchmark.osl")->values.size(), 1U);
}

TEST(Summary, GivesNoVerdictOnWhatIsNoRecipe)
{
    const Summary summary =
        summaryOf(check(std::make_shared<syntax::SourceText>("hello: 1\n"), {}, {.expansion = {}, .version = 0, .isNamed = false}));
    EXPECT_FALSE(summary.isRecipe);
    EXPECT_TRUE(summary.values.empty());
}

TEST(AlikeGroups, JoinRecipesThatShareMostOfWhatTheySay)
{
    std::string near = "name: other\n" + body;
    near.replace(near.find("0.8"), 3, "0.9");
    std::string far = near;
    for (const auto& [from, to] : std::map<std::string, std::string>{
             {"h100", "b200"}, {"gpus_per_node: 8", "gpus_per_node: 4"}, {"isl: 1024", "isl: 8192"}, {"fp8", "fp4"}, {"4x8", "64"}})
        far.replace(far.find(from), from.size(), to);
    EXPECT_THAT(groupsOf({summaryOfText("name: n\n" + body), summaryOfText(far), summaryOfText(near)}), ElementsAre(1U, 0U, 1U));
}

TEST(AlikeGroups, FindTheFamiliesOfTheCorpus)
{
    SRTWB_NEEDS_SHARED("corpus/v1/recipes");
    std::vector<Summary> summaries;
    for (const auto& entry : fs::recursive_directory_iterator(*test::shared("corpus/v1/recipes"))) {
        if (entry.path().extension() != ".yaml" || entry.path().string().find("b200-fp8") == std::string::npos)
            continue;
        summaries.push_back(summaryOf(check(std::make_shared<syntax::SourceText>(test::bytesOf(entry.path())), {})));
    }
    const std::vector<std::size_t> groups = groupsOf(summaries);
    ASSERT_GT(groups.size(), 5U);
    EXPECT_GT(std::count_if(groups.begin(), groups.end(), [](std::size_t group) { return group > 0; }), 1)
        << "upstream keeps these by hand, nearly the same, in separate files";
}

} // namespace
} // namespace wb::check
