#include "tests/support/marked.h"
#include "ui/editor/problemlayer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb::ui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

syntax::Diagnostic problemAt(syntax::Range range, syntax::Severity severity = syntax::Severity::Error)
{
    syntax::Diagnostic problem;
    problem.code = syntax::Code::UnknownKey;
    problem.severity = severity;
    problem.range = range;
    problem.message = "resources has no key \"node\".";
    problem.fixes = {{.title = "Change to \"nodes\"", .edits = {{.range = range, .text = "nodes"}}}};
    return problem;
}

std::string covered(const ProblemLayer& layer, const std::string& text, std::size_t index = 0)
{
    const syntax::Range range = layer.problems().at(index).range;
    return text.substr(range.begin, range.end - range.begin);
}

TEST(ProblemLayer, MovesTheProblemsOfAnOlderTextToTheirPlaceInTheNewOne)
{
    const test::Marked old("name: a\n[[node]]: 4\n");
    const std::string now = "name: something longer\nnode: 4\n";
    ProblemLayer layer;
    layer.set(old.text(), now, {problemAt(old.range())});
    ASSERT_EQ(layer.problems().size(), 1U);
    EXPECT_EQ(covered(layer, now), "node");
    EXPECT_EQ(syntax::applyEdits(now, layer.problems()[0].fixes.at(0).edits), "name: something longer\nnodes: 4\n");
}

TEST(ProblemLayer, DropsWhatWasTakenAndTheFixesOfWhatWasTouched)
{
    const test::Marked old("[[node]]: 4\n[[gpu]]: 1\n");
    const std::string now = "node: 4\ngpXu: 1\n";
    ProblemLayer layer;
    layer.set(old.text(), now, {problemAt(old.range(0)), problemAt(old.range(1))});
    ASSERT_EQ(layer.problems().size(), 2U);
    EXPECT_EQ(covered(layer, now, 1), "gpXu") << "typing within a problem keeps it marked until the next check";
    EXPECT_EQ(layer.problems()[0].fixes.size(), 1U);
    EXPECT_THAT(layer.problems()[1].fixes, IsEmpty());

    layer.set(old.text(), "node: 4\n", {problemAt(old.range(0)), problemAt(old.range(1))});
    ASSERT_EQ(layer.problems().size(), 1U);
    EXPECT_EQ(covered(layer, "node: 4\n"), "node");
}

TEST(ProblemLayer, FindsTheEditsOfAFixAsItWasHandedOver)
{
    const test::Marked old("[[node]]: 4\n");
    const syntax::Diagnostic problem = problemAt(old.range());
    ProblemLayer layer;
    layer.set(old.text(), old.text(), {problem});
    layer.follow({0, 0, 3});
    const auto edits = layer.editsOf(problem.fixes[0]);
    ASSERT_TRUE(edits);
    EXPECT_EQ(edits->at(0).range, (syntax::Range{3, 7}));
    layer.follow({4, 4, 5});
    EXPECT_FALSE(layer.editsOf(problem.fixes[0])) << "its place was changed";
}

TEST(ProblemLayer, LeavesOutProblemsOfOtherTexts)
{
    syntax::Diagnostic elsewhere = problemAt({0, 4});
    elsewhere.source = syntax::Source::Cluster;
    ProblemLayer layer;
    layer.set("node: 4", "node: 4", {elsewhere});
    EXPECT_THAT(layer.problems(), IsEmpty());
}

TEST(ProblemLayer, GivesTheMostSevereOfAPlaceFirst)
{
    ProblemLayer layer;
    layer.set("node: 4", "node: 4",
              {problemAt({0, 7}, syntax::Severity::Hint), problemAt({0, 4}, syntax::Severity::Error), problemAt({6, 7})});
    EXPECT_THAT(layer.within({1, 2}), ElementsAre(0U, 1U));
    EXPECT_EQ(layer.problems()[0].severity, syntax::Severity::Error);
    EXPECT_THAT(layer.within({4, 4}), ElementsAre(0U, 1U)) << "a cursor right behind a word is at the word";
}

TEST(ProblemLayer, GoesRoundFromTheLastProblemToTheFirst)
{
    ProblemLayer layer;
    EXPECT_EQ(layer.after(0), std::nullopt);
    layer.set("0123456789", "0123456789", {problemAt({2, 3}), problemAt({6, 7})});
    EXPECT_EQ(layer.after(0), 0U);
    EXPECT_EQ(layer.after(2), 1U);
    EXPECT_EQ(layer.after(6), 0U);
    EXPECT_EQ(layer.before(6), 0U);
    EXPECT_EQ(layer.before(2), 1U);
}

TEST(ProblemLayer, KeepsARangeBehindTheEndWithinTheText)
{
    ProblemLayer layer;
    layer.set("ab", "ab", {problemAt({1, 99})});
    EXPECT_EQ(layer.problems()[0].range, (syntax::Range{1, 2}));
}

} // namespace
} // namespace wb::ui
