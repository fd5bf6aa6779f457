#include "core/check/sidebyside.h"

#include <gmock/gmock.h>

#include <array>

namespace wb::check {
namespace {

const std::string body = "  model: {path: hf:org/model, container: image:1, precision: fp8}\n"
                         "  resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
                         "  backend:\n    type: sglang\n    sglang_config:\n      aggregated: {tensor-parallel-size: 8}\n"
                         "  benchmark: {type: sa-bench, isl: 1024, osl: 1024, concurrencies: \"4x8\"}\n";
const std::string recipe =
    "base:\n  name: n\n" + body + "override_long:\n  benchmark: {isl: 8192}\noverride_wide:\n  resources: {agg_nodes: 2, agg_workers: 2}\n";

Checked checkedText(const std::string& text)
{
    return check(std::make_shared<syntax::SourceText>(text, "recipe.yaml"), {});
}

const SideRow* rowAt(const std::vector<SideRow>& rows, const std::string& path)
{
    for (const SideRow& row : rows) {
        if (row.path == path)
            return &row;
    }
    return nullptr;
}

TEST(SideBySide, TellsWhereTheJobsDifferAndWhereTheValuesComeFrom)
{
    const Checked checked = checkedText(recipe);
    ASSERT_EQ(checked.variants.size(), 2U);
    const std::array sides{Side{&checked, 0}, Side{&checked, 1}};
    const auto rows = sideBySide(sides);
    const SideRow* isl = rowAt(rows, "benchmark.isl");
    ASSERT_TRUE(isl);
    EXPECT_FALSE(isl->isSame);
    EXPECT_EQ(isl->cells[0].value, "8192");
    EXPECT_EQ(isl->cells[0].from, "override_long");
    EXPECT_EQ(isl->cells[1].value, "1024");
    EXPECT_EQ(isl->cells[1].from, "base");
    EXPECT_TRUE(isl->cells[0].isScalar);
    EXPECT_EQ(recipe.substr(isl->cells[0].range.begin, 4), "8192");
    ASSERT_TRUE(rowAt(rows, "benchmark.osl"));
    EXPECT_TRUE(rowAt(rows, "benchmark.osl")->isSame);
    const auto different = sideBySide(sides, true);
    EXPECT_FALSE(rowAt(different, "benchmark.osl"));
    EXPECT_TRUE(rowAt(different, "resources.agg_nodes"));
}

TEST(SideBySide, AKeyThatOneSideLacksIsNotTheSame)
{
    const Checked a = checkedText("name: a\n" + std::string("model: {path: hf:o/m, container: c, precision: fp8}\n") +
                                  "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\nbackend: {type: sglang}\n");
    const Checked b = checkedText("name: a\n" + std::string("model: {path: hf:o/m, container: c, precision: fp8}\n") +
                                  "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
                                  "backend:\n  type: sglang\n  aggregated_environment: {A: \"1\"}\n");
    ASSERT_EQ(a.variants.size(), 1U);
    ASSERT_EQ(b.variants.size(), 1U);
    const std::array sides{Side{&a, 0}, Side{&b, 0}};
    const auto rows = sideBySide(sides, true);
    const SideRow* extra = rowAt(rows, "backend.aggregated_environment.A");
    ASSERT_TRUE(extra);
    EXPECT_FALSE(extra->cells[0].isSet);
    EXPECT_TRUE(extra->cells[1].isSet);
}

} // namespace
} // namespace wb::check
