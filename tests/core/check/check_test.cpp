#include "core/check/check.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

namespace wb::check {
namespace {

using testing::SizeIs;
using wb::test::Marked;

const std::string head =
    "name: n\nmodel: {path: hf:org/model, container: image:1, precision: fp8}\n"
    "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
    "backend:\n  type: sglang\n  sglang_config:\n    aggregated: {tensor-parallel-size: 8, mem-fraction-static: 0.8}\n";

std::string benchmark(const std::string& osl)
{
    return "benchmark: {type: sa-bench, isl: 1024, osl: " + osl + ", concurrencies: \"4x8\"}\n";
}

TEST(CheckedVariant, CountsItsOwnProblemsInASweep)
{
    const Checked checked = check(Marked(head + benchmark("\"{osl}\"") + "sweep:\n  osl: [1024, many]\n").source(), {});
    ASSERT_THAT(checked.variants, SizeIs(2));
    EXPECT_EQ(checked.variants[0].errors, 0U);
    EXPECT_TRUE(checked.variants[0].valid);
    EXPECT_EQ(checked.variants[1].errors, 1U) << "\"many\" is no number";
    EXPECT_FALSE(checked.variants[1].valid);
}

TEST(CheckedVariant, AProblemOfBaseIsOfNoVariant)
{
    const auto variantsOf = [](const std::string& text) {
        std::vector<std::string> out;
        for (const syntax::Diagnostic& problem : check(Marked(text).source(), {}).diagnostics)
            out.push_back(problem.variant);
        return out;
    };
    const std::string base = "base:\n  name: n\n  model: {path: p, container: c, precision: fp8}\n"
                             "  resources: {gpu_type: h100, agg_nodes: 1, agg_workers: 1}\n";
    const std::string wrong = base + "  bogus: 1\n";
    EXPECT_THAT(variantsOf(wrong + "override_a: {}\noverride_b: {}\n"), testing::ElementsAre(""));
    EXPECT_THAT(variantsOf(wrong + "override_a: {}\n"), testing::ElementsAre(""));
    EXPECT_THAT(variantsOf(wrong + "override_a: {bogus: null}\noverride_b: {}\n"), testing::ElementsAre("b")) << "one of two has it";
    EXPECT_THAT(variantsOf(base + "override_a: {bogus: 1}\n"), testing::ElementsAre("a")) << "it stands in the variant";
    EXPECT_THAT(variantsOf(base + "override_a: {bogus: 1}\noverride_b: {}\n"), testing::ElementsAre("a"));
    EXPECT_THAT(variantsOf(wrong + "zip_override_z: {environment: {A: ['1', '2']}}\n"), testing::ElementsAre(""));
}

TEST(Check, APlaceholderWithoutQuotesIsToldOnce)
{
    const Marked text("name: n\nmodel: {path: p, container: c, precision: fp8}\n"
                      "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
                      "backend: {type: sglang, sglang_config: {aggregated: {mem-fraction-static: [[{ mem }]], tp-size: [[{ tp }]]}}}\n"
                      "sweep: {mem: [0.8], tp: [8]}\n");
    std::vector<std::string> ids;
    for (const syntax::Diagnostic& problem : check(text.source(), {}).diagnostics)
        ids.emplace_back(syntax::id(problem));
    EXPECT_THAT(ids, testing::ElementsAre("unquoted-placeholder", "unquoted-placeholder")) << "not as an object that should be JSON, too";
}

TEST(CheckedVariant, CountsWhatItSharesWithOthersToo)
{
    const Checked checked = check(Marked(head + "nonsense: 1\n" + benchmark("\"{osl}\"") + "sweep:\n  osl: [1024, 2048]\n").source(), {});
    ASSERT_THAT(checked.variants, SizeIs(2));
    EXPECT_EQ(checked.variants[0].errors, 1U);
    EXPECT_EQ(checked.variants[1].errors, 1U);
}

} // namespace
} // namespace wb::check
