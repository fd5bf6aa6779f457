// From the files of the corpus to their jobs: names, counts and directives, in the order of the files.
#include "core/check/check.h"
#include "core/render/artifact.h"
#include "core/render/steps.h"
#include "tests/support/corpus.h"
#include "tests/support/golden.h"
#include "tests/support/launches.h"

#include <gmock/gmock.h>

#include <memory>

namespace wb::render {
namespace {

using base::json::Value;

std::shared_ptr<const syntax::SourceText> sourceOf(const std::filesystem::path& path)
{
    return std::make_shared<syntax::SourceText>(test::bytesOf(path), path.string());
}

/// The words by which frontends are called, whose arguments stand in the order of the file.
void expectFrontends(const std::vector<Step>& steps, const Value& launches)
{
    std::vector<std::vector<std::string>> due;
    for (const Value& facts : launches.array())
        if (test::textAt(facts, "phase") == "frontend")
            due.push_back(test::texts(facts.find("command")));
    std::vector<std::vector<std::string>> made;
    for (const Step& step : steps) {
        if (step.phase != Phase::Frontend)
            continue;
        made.emplace_back();
        for (const std::string& word : step.launch.command)
            made.back().push_back(test::inTheirTerms(word));
    }
    EXPECT_EQ(made, due);
}

class Corpus : public testing::TestWithParam<const char*>
{
};

TEST_P(Corpus, BecomesTheJobsOfTheReference)
{
    SRTWB_NEEDS_SHARED("corpus/v1/golden/hopper");
    const std::string name = GetParam();
    const check::ClusterFile file = check::readCluster(sourceOf(*test::shared("corpus/clusters/" + name + ".yaml")));
    ASSERT_TRUE(file.cluster);
    const check::Facts facts = check::factsFor(file);
    std::size_t files = 0;
    std::size_t jobs = 0;
    for (const test::GoldenFile& golden : test::goldenFiles(name)) {
        const auto path = test::shared("corpus/v1/" + test::textAt(golden.facts, "recipe"));
        ASSERT_TRUE(path) << golden.name;
        const check::Checked checked = check::check(sourceOf(*path), facts);
        SCOPED_TRACE(name + " " + golden.name);
        const base::json::Array& expected = golden.facts.find("jobs")->array();
        std::vector<const check::CheckedVariant*> made;
        for (const check::CheckedVariant& variant : checked.variants)
            if (variant.job)
                made.push_back(&variant);
        // Two recipes name a benchmark type that nobody has: the reference takes them and cannot run them.
        if (made.empty() && golden.name.find("gsm8k-bench") != std::string::npos)
            continue;
        ASSERT_EQ(made.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(made[i]->job->name, test::textAt(expected[i], "name"));
            const plan::Plan plan = plan::plan(*made[i]->job, *file.cluster);
            EXPECT_TRUE(plan.topology);
            if (const Value* asked = expected[i].find("directives")) {
                EXPECT_EQ(directives(*made[i]->job, *file.cluster), test::texts(asked));
            }
            if (const Value* launches = expected[i].find("launches"); launches && plan.topology)
                expectFrontends(steps(*made[i]->job, *file.cluster, *plan.topology), *launches);
            ++jobs;
        }
        ++files;
    }
    EXPECT_GE(files, 558U);
    EXPECT_GE(jobs, 680U);
}

INSTANTIATE_TEST_SUITE_P(Clusters, Corpus, testing::Values("gb200", "hopper"));

} // namespace
} // namespace wb::render
