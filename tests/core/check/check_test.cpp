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

TEST(CheckedVariant, CountsWhatItSharesWithOthersToo)
{
    const Checked checked = check(Marked(head + "nonsense: 1\n" + benchmark("\"{osl}\"") + "sweep:\n  osl: [1024, 2048]\n").source(), {});
    ASSERT_THAT(checked.variants, SizeIs(2));
    EXPECT_EQ(checked.variants[0].errors, 1U);
    EXPECT_EQ(checked.variants[1].errors, 1U);
}

} // namespace
} // namespace wb::check
