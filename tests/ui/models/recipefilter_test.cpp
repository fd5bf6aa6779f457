#include "ui/models/recipefilter.h"

#include <gmock/gmock.h>

namespace wb::ui {
namespace {

RecipeSummary summary()
{
    RecipeSummary out;
    out.isRecipe = true;
    out.jobs = 2;
    out.engine = "sglang";
    out.gpu = "gb200";
    out.model = "hf:deepseek-ai/DeepSeek-R1";
    out.topology = "4P1D";
    out.warnings = 1;
    out.group = 3;
    out.values = {{"backend.sglang_config.decode.tensor-parallel-size", {"8"}},
                  {"benchmark.isl", {"1024", "8192"}},
                  {"benchmark.osl", {"1024", "1"}}};
    return out;
}

bool passes(const char* written, const std::string& path = "dsv4/8k1k/a.yaml")
{
    const auto filter = RecipeFilter::read(QString::fromUtf8(written));
    EXPECT_TRUE(filter) << written;
    const RecipeSummary checked = summary();
    return filter && filter->passes(path, &checked);
}

TEST(RecipeFilter, TakesWordsAndTerms)
{
    EXPECT_TRUE(passes("8k1k SGLANG"));
    EXPECT_TRUE(passes("gpu_type=gb200 isl>4000"));
    EXPECT_FALSE(passes("gpu_type=h100"));
    EXPECT_TRUE(passes("deepseek engine=sglang jobs>1 verdict=warnings alike=3 topology=4P1D"));
    EXPECT_FALSE(passes("nothing-like-it"));
}

TEST(RecipeFilter, FindsKeysByTheirEndAndWithEitherMark)
{
    EXPECT_TRUE(passes("tensor_parallel_size=8"));
    EXPECT_TRUE(passes("decode.tensor-parallel-size=8"));
    EXPECT_FALSE(passes("parallel-size=8")) << "only whole keys";
    EXPECT_FALSE(passes("osl2=1"));
}

TEST(RecipeFilter, WantsAllTermsInOneJob)
{
    EXPECT_TRUE(passes("isl=8192 osl=1"));
    EXPECT_TRUE(passes("isl=1024 osl=1024"));
    EXPECT_FALSE(passes("isl=8192 osl=1024")) << "no job has both";
}

TEST(RecipeFilter, GivesNoTermToWhatIsNotKnown)
{
    const auto filter = RecipeFilter::read(QStringLiteral("isl>1"));
    ASSERT_TRUE(filter);
    EXPECT_FALSE(filter->passes("a.yaml", nullptr));
    RecipeSummary broken;
    broken.unreadable = "no";
    EXPECT_FALSE(filter->passes("a.yaml", &broken));
    EXPECT_TRUE(RecipeFilter::read(QStringLiteral("verdict=unreadable"))->passes("a.yaml", &broken));
    EXPECT_FALSE(RecipeFilter::read(QStringLiteral("isl>")));
}

TEST(RecipeFilter, NamesAKeyThatNoRecipeHas)
{
    RecipeSummaries all;
    all.emplace("a.yaml", summary());
    EXPECT_EQ(RecipeFilter::read(QStringLiteral("isl>1 gpus_total=2"))->unknownKey(all), "gpus_total");
    EXPECT_EQ(RecipeFilter::read(QStringLiteral("isl>1 engine=x"))->unknownKey(all), "");
}

} // namespace
} // namespace wb::ui
