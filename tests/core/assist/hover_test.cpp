#include "core/assist/hover.h"
#include "tests/core/assist/documents.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace wb::assist {
namespace {

using test::Marked;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr std::string_view recipe = R"(base:
  name: dsr1
  model:
    path: dsr1
    container: sglang-dev
    precision: fp8
  resources:
    gpu_type: gb200
    agg_nodes: 1
    agg_workers: 1
  backend:
    type: sglang
    sglang_config:
      aggregated:
        mem-fraction-static: 0.8
  benchmark:
    type: sa-bench
    isl: 1024
    osl: 1024
    concurrencies: "4x8"
)";

std::optional<Hover> hovered(const Marked& text)
{
    return hoverAt(test::checkedDocument(text.source()), text.cursor());
}

std::string fact(const Hover& hover, std::string_view label)
{
    for (const Fact& each : hover.facts) {
        if (each.label == label)
            return each.value;
    }
    return {};
}

TEST(Hover, TellsTypeDefaultAndDocOfAField)
{
    const Marked text("name: x\nresources:\n  gpus_per_n^ode: 8\n");
    const auto hover = hovered(text);
    ASSERT_TRUE(hover);
    EXPECT_EQ(hover->title, "resources.gpus_per_node");
    EXPECT_EQ(fact(*hover, "Type"), "a whole number");
    EXPECT_EQ(fact(*hover, "Default"), "4");
    EXPECT_FALSE(hover->doc.empty());
}

TEST(Hover, TellsWhatAKeyComesToInEveryVariantAndFromWhere)
{
    const Marked text(
        std::string(recipe) +
        "override_big:\n  resources:\n    agg_nod^es: 2\nzip_override_mem:\n  backend:\n    sglang_config:\n      aggregated:\n"
        "        mem-fraction-static: [0.7, 0.75]\n");
    const Document document = test::checkedDocument(text.source());
    const auto over = hoverAt(document, text.cursor());
    ASSERT_TRUE(over);
    EXPECT_EQ(fact(*over, "In base"), "1");
    ASSERT_THAT(over->values, SizeIs(1)) << "of this section's job alone";
    EXPECT_EQ(over->values[0].value, "2");
    EXPECT_EQ(over->values[0].from, "override_big");

    const auto base = hoverAt(document, text.text().find("mem-fraction-static") + 3);
    ASSERT_TRUE(base);
    ASSERT_THAT(base->values, SizeIs(3));
    EXPECT_EQ(base->values[0].value, "0.8");
    EXPECT_EQ(base->values[0].from, "base");
    EXPECT_EQ(base->jobs, 3U);
    std::vector<std::string> all;
    for (const ResolvedValue& each : base->values)
        all.push_back(each.value + " from " + each.from);
    EXPECT_THAT(all, Contains("0.75 from zip_override_mem[1]"));
    EXPECT_THAT(base->values[1].variants, ElementsAre("mem_0"));
}

TEST(Hover, TellsTheRowOfAFlag)
{
    Marked text("backend:\n  type: sglang\n  sglang_config:\n    prefill:\n      attention-b^ackend: fa3\n");
    const auto hover = hovered(text);
    ASSERT_TRUE(hover);
    EXPECT_THAT(fact(*hover, "Choices"), HasSubstr("fa3"));
    EXPECT_FALSE(fact(*hover, "Type").empty());
    const Marked unknown("backend:\n  type: sglang\n  sglang_config:\n    prefill:\n      no-such-f^lag-here: 1\n");
    const auto none = hovered(unknown);
    ASSERT_TRUE(none);
    EXPECT_THAT(none->facts.front().value, HasSubstr("no-such-flag-here"));
    EXPECT_TRUE(none->facts.front().isWarning);
}

TEST(Hover, TellsTheTargetOfAnAlias)
{
    const auto hover = hovered(Marked("model:\n  path: dsr^1\n"));
    ASSERT_TRUE(hover);
    EXPECT_EQ(fact(*hover, "Alias for"), "/models/DeepSeek-R1");
}

TEST(Hover, TellsTheValuesOfAPlaceholder)
{
    const auto hover = hovered(Marked("name: x\nbenchmark:\n  isl: \"{le^n}\"\nsweep:\n  len: [1024, 8192]\n"));
    ASSERT_TRUE(hover);
    EXPECT_EQ(hover->title, "{len}");
    EXPECT_EQ(fact(*hover, "Values"), "1024, 8192");
    EXPECT_EQ(fact(*hover, "Used in"), "benchmark.isl");
}

TEST(Hover, TellsWhatAnAnchorStandsFor)
{
    const auto hover = hovered(Marked("x-e: &env\n  A: \"1\"\n  B: \"2\"\nbase:\n  environment: *e^nv\n"));
    ASSERT_TRUE(hover);
    EXPECT_EQ(fact(*hover, "Stands for"), "A, B");
}

TEST(Hover, TellsTheDocOfTheChoiceUnderTheMouse)
{
    const auto hover = hovered(Marked("benchmark:\n  type: sa-be^nch\n"));
    ASSERT_TRUE(hover);
    EXPECT_FALSE(fact(*hover, "sa-bench").empty());
}

TEST(Hover, TellsWhatIsNotRead)
{
    const auto hover = hovered(Marked("benchmark:\n  type: mmlu\n  concurr^encies: [1]\n"));
    ASSERT_TRUE(hover);
    const auto warning = std::find_if(hover->facts.begin(), hover->facts.end(), [](const Fact& each) { return each.isWarning; });
    ASSERT_NE(warning, hover->facts.end());
    EXPECT_THAT(warning->value, HasSubstr("mmlu"));
}

TEST(Hover, SaysNothingOfCommentsAndBlanks)
{
    EXPECT_FALSE(hovered(Marked("name: x # a comm^ent\n")));
    EXPECT_FALSE(hovered(Marked("name: x\n\n^\n")));
    EXPECT_FALSE(hovered(Marked("^")));
}

} // namespace
} // namespace wb::assist
