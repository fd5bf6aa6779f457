#include "core/check/convert.h"

#include <gmock/gmock.h>

namespace wb::check {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string sweep = "name: n\n"
                          "model: {path: hf:org/model, container: image:1, precision: fp8}\n"
                          "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1} # one node\n"
                          "backend:\n  type: sglang\n  sglang_config:\n    aggregated:\n      tensor-parallel-size: 8\n"
                          "      mem-fraction-static: \"{mem}\"\n"
                          "benchmark: {type: sa-bench, isl: \"{isl}\", osl: 1024, concurrencies: \"4x8\"}\n"
                          "sweep:\n  isl: [1024, 8192]\n  mem: [0.7, 0.8, 0.9]\n";

Checked checkedText(const std::string& text)
{
    return check(std::make_shared<syntax::SourceText>(text, "recipe.yaml"), {});
}

TEST(Convert, ASweepAsAZipStandsForTheSameJobs)
{
    const Checked before = checkedText(sweep);
    ASSERT_EQ(before.variants.size(), 6U);
    const Converted made = sweepAsZip(before, "grid", {});
    EXPECT_THAT(made.reasons, IsEmpty());
    ASSERT_TRUE(made.isEqual);
    EXPECT_THAT(made.text, HasSubstr("zip_override_grid"));
    EXPECT_EQ(checkedText(made.text).variants.size(), 6U);
}

TEST(Convert, AndBackToASweep)
{
    const Converted zip = sweepAsZip(checkedText(sweep), "grid", {});
    ASSERT_TRUE(zip.isEqual);
    const Converted made = zipAsSweep(checkedText(zip.text), {});
    EXPECT_THAT(made.reasons, IsEmpty());
    ASSERT_TRUE(made.isEqual) << made.text;
    const Checked again = checkedText(made.text);
    ASSERT_EQ(again.variants.size(), 6U);
    ASSERT_EQ(again.variants[1].variant.params.size(), 2U);
    EXPECT_EQ(again.variants[1].variant.params[0].first, "isl") << "the slow parameter first: " << made.text;
    EXPECT_FALSE(made.notes.empty()) << "the names change, and that is said";
}

TEST(Convert, JobsThatMakeNoGridAreNoSweep)
{
    std::string text = "base:\n";
    std::string plain = sweep.substr(0, sweep.find("sweep:"));
    plain.replace(plain.find("\"{mem}\""), 7, "0.7");
    plain.replace(plain.find("\"{isl}\""), 7, "1024");
    for (std::size_t at = 0; at < plain.size();) {
        const std::size_t end = plain.find('\n', at);
        text += "  " + plain.substr(at, end - at) + "\n";
        at = end + 1;
    }
    const Converted made = zipAsSweep(checkedText(text + "zip_override_x:\n  benchmark:\n    isl: [1024, 8192]\n    osl: [1, 2]\n"), {});
    EXPECT_FALSE(made.isEqual);
    EXPECT_TRUE(made.text.empty());
    EXPECT_THAT(made.reasons, ElementsAre(HasSubstr("grid would be 4 jobs, not 2")));
    const Converted lacking = zipAsSweep(
        checkedText(text + "override_a:\n  benchmark:\n    isl: 8192\noverride_b:\n  slurm:\n    time_limit: \"1:00:00\"\n"), {});
    EXPECT_THAT(lacking.reasons, ElementsAre(HasSubstr("slurm")));
}

TEST(Convert, ARecipeWithAnErrorIsNotConverted)
{
    EXPECT_THAT(sweepAsZip(checkedText("name: n\nsweep: {a: [1]}\n"), "g", {}).reasons, ElementsAre(HasSubstr("error")));
    EXPECT_THAT(zipAsSweep(checkedText(sweep), {}).reasons, ElementsAre(HasSubstr("no overrides")));
}

} // namespace
} // namespace wb::check
