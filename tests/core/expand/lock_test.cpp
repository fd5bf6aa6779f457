#include "core/expand/lock.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

namespace wb::expand {
namespace {

using syntax::Diagnostic;
using syntax::Severity;
using test::Marked;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Diagnostic> findings(const Marked& yaml)
{
    return expand(syntax::parse(yaml.source()), {}).diagnostics;
}

TEST(Lock, IsShownWithWhatItSaysAndNotCheckedHere)
{
    const Marked yaml(
        "name: a\n[[lock]]:\n  generated_at: \"2026-08-21T10:00:00Z\"\n  slurm: {job_id: \"42\", cluster: oci}\n  integrity: abc\n");
    const auto all = findings(yaml);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].severity, Severity::Info);
    EXPECT_EQ(all[0].code, syntax::Code::Lockfile);
    EXPECT_EQ(all[0].range, yaml.range());
    EXPECT_EQ(all[0].message,
              "This is the lockfile of job 42 on \"oci\", written 2026-08-21T10:00:00Z; the recipe in it is taken without its "
              "\"lock\", whose integrity is not checked here.");
}

TEST(Lock, SaysWhenThereIsNoHash)
{
    EXPECT_THAT(findings(Marked("name: a\nlock: {version: 2}\n")).at(0).message, HasSubstr("no integrity hash"));
}

TEST(Lock, MustBeAMappingUnlessItIsNothing)
{
    const Marked yaml("name: a\nlock: [[text]]\n");
    const auto all = findings(yaml);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].severity, Severity::Error);
    EXPECT_EQ(all[0].range, yaml.range());
    for (const std::string_view nothing : {"null", "\"\"", "[]", "{}", "false", "0", ""})
        EXPECT_THAT(findings(Marked("name: a\nlock: " + std::string(nothing) + "\n")), IsEmpty()) << nothing;
}

TEST(Lock, BesideBaseIsAWarning)
{
    const Marked yaml("base: {name: a}\noverride_x: {}\n[[lock]]: {version: 2}\n");
    const auto all = findings(yaml);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].severity, Severity::Warning);
    EXPECT_EQ(all[0].range, yaml.range());
    EXPECT_THAT(all[0].message, HasSubstr("submits all of its jobs again"));
}

TEST(Lock, InASweepIsRefusedAsUpstreamDoes)
{
    const Marked yaml("name: \"a\"\nx: \"{p}\"\nsweep: {p: [1]}\nlock:\n  version: 2\n");
    const auto all = findings(yaml);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].severity, Severity::Error);
    EXPECT_EQ(syntax::applyEdits(yaml.text(), all[0].fixes.at(0).edits), "name: \"a\"\nx: \"{p}\"\nsweep: {p: [1]}\n");
}

} // namespace
} // namespace wb::expand
