#include "tests/support/marked.h"
#include "tests/ui/models/modeltest.h"
#include "ui/models/problemsmodel.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <gmock/gmock.h>

namespace wb::ui {
namespace {

using wb::test::Marked;

syntax::Diagnostic problem(std::string path, syntax::Range range, syntax::Severity severity = syntax::Severity::Error)
{
    syntax::Diagnostic out;
    out.code = syntax::Code::UnknownKey;
    out.severity = severity;
    out.range = range;
    out.path = std::move(path);
    out.message = "There is no key \"" + out.path + "\".";
    return out;
}

QString shown(const ProblemsModel& model, int row, int column)
{
    return model.index(row, column).data().toString();
}

TEST(ProblemsModel, ShowsMessagePlaceVariantAndCode)
{
    const Marked yaml("name: a\n[[nam]]: b\n");
    ProblemsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    syntax::Diagnostic found = problem("nam", yaml.range());
    found.variant = "lowmem";
    model.setProblems(yaml.source(), {found});
    ASSERT_EQ(model.rowCount(), 1);
    EXPECT_EQ(shown(model, 0, ProblemsModel::MessageColumn), QStringLiteral("There is no key \"nam\"."));
    EXPECT_EQ(shown(model, 0, ProblemsModel::PlaceColumn), QStringLiteral("2:1"));
    EXPECT_EQ(shown(model, 0, ProblemsModel::VariantColumn), QStringLiteral("lowmem"));
    EXPECT_EQ(shown(model, 0, ProblemsModel::CodeColumn), QStringLiteral("unknown-key"));
    EXPECT_EQ(model.index(0, 0).data(ProblemsModel::SeverityRole).toInt(), static_cast<int>(syntax::Severity::Error));
}

TEST(ProblemsModel, SaysWhenThePlaceIsInTheClusterFile)
{
    const Marked recipe("name: a\n");
    const Marked cluster("a: 1\nb: [[x]]\n");
    syntax::Diagnostic found = problem("b", cluster.range());
    found.source = syntax::Source::Cluster;
    ProblemsModel model;
    model.setProblems(recipe.source(), {found}, cluster.source("srtslurm.yaml"));
    EXPECT_EQ(shown(model, 0, ProblemsModel::PlaceColumn), QStringLiteral("cluster file 2:4"));
}

TEST(ProblemsModel, KeepsTheSelectedProblemWhenOthersComeAndGo)
{
    const Marked yaml("[[a]]: 1\n[[b]]: 2\n[[c]]: 3\n");
    ProblemsModel model;
    model.setProblems(yaml.source(), {problem("a", yaml.range(0)), problem("c", yaml.range(2))});
    const QPersistentModelIndex selected = model.index(1, 0);
    model.setProblems(yaml.source(), {problem("b", yaml.range(1)), problem("c", yaml.range(2))});
    ASSERT_TRUE(selected.isValid());
    EXPECT_EQ(selected.row(), 1);
    EXPECT_EQ(model.row(selected.row()).problem.path, "c");
}

TEST(ProblemsModel, SurvivesRandomChanges)
{
    const Marked yaml("a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\n");
    ProblemsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    test::Shuffler shuffler;
    for (int round = 0; round < 300; ++round) {
        std::vector<syntax::Diagnostic> problems;
        for (const int number : shuffler.some(12)) {
            // Two of them have the same id on purpose.
            problems.push_back(
                problem("key" + std::to_string(number % 11), {static_cast<std::size_t>(number), static_cast<std::size_t>(number) + 1}));
            problems.back().message += shuffler.random()() % 2 == 0 ? " " : "";
        }
        std::vector<QPersistentModelIndex> kept;
        std::vector<std::string> ids;
        for (int row = 0; row < model.rowCount(); ++row) {
            kept.emplace_back(model.index(row, 0));
            ids.push_back(model.row(row).id);
        }
        model.setProblems(yaml.source(), problems);
        ASSERT_EQ(static_cast<std::size_t>(model.rowCount()), problems.size());
        for (int row = 0; row < model.rowCount(); ++row)
            ASSERT_EQ(model.row(row).problem, problems[static_cast<std::size_t>(row)]) << "round " << round << " row " << row;
        for (std::size_t i = 0; i < kept.size(); ++i)
            ASSERT_EQ(kept[i].isValid() ? kept[i].row() : -1, model.rowOf(ids[i])) << "an index follows its row, or goes with it";
    }
}

TEST(ProblemsModel, NamesTheRuleThatFoundIt)
{
    const Marked yaml("[[name]]: a\n");
    syntax::Diagnostic found = problem("name", yaml.range());
    found.code = syntax::Code::Rule;
    found.rule = "job-name";
    ProblemsModel model;
    model.setProblems(yaml.source(), {found});
    EXPECT_EQ(shown(model, 0, ProblemsModel::CodeColumn), QStringLiteral("job-name"));
}

TEST(ProblemsModel, SortsByHowBadItIs)
{
    const Marked yaml("[[a]]: 1\n[[b]]: 2\n");
    ProblemsModel model;
    model.setProblems(yaml.source(), {problem("a", yaml.range(0), syntax::Severity::Hint), problem("b", yaml.range(1))});
    const auto key = [&](int row) { return model.index(row, ProblemsModel::MessageColumn).data(ProblemsModel::SortRole).toString(); };
    EXPECT_LT(key(1), key(0)) << "an error before a hint";
}

} // namespace
} // namespace wb::ui
