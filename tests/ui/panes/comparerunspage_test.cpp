// The comparison of runs in the Compare pane.
#include "tests/support/corpus.h"
#include "tests/ui/panes/panefixture.h"
#include "ui/panes/comparepane.h"

#include <QCheckBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTabWidget>

namespace wb::ui {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class CompareRunsTest : public test::PaneTest
{
protected:
    CompareRunsTest() { makePane<ComparePane>(); }

    static QString lockOf(const char* stem)
    {
        return QString::fromStdString((*wb::test::shared("results/real/srt-slurm") / (std::string(stem) + "__recipe.lock.yaml")).string());
    }

    void compare(const QStringList& paths)
    {
        session.compareRuns(paths);
        ASSERT_TRUE(settles());
    }

    [[nodiscard]] std::string verdict() const { return child<QLabel>("runVerdict").text().toStdString(); }

    /// "fact: state" of the rows that are shown.
    [[nodiscard]] std::vector<std::string> shown() const
    {
        const auto facts = column("runFacts", 1);
        const auto states = column("runFacts", 2);
        std::vector<std::string> out;
        for (std::size_t i = 0; i < facts.size(); ++i)
            out.push_back(facts[i] + ": " + states[i]);
        return out;
    }
};

TEST_F(CompareRunsTest, NamesTheSingleVariableOfTheGoldenPair)
{
    SRTWB_NEEDS_SHARED("results/real/srt-slurm");
    const QSignalSpy wanted(&session, &Session::paneWanted);
    compare({lockOf("nightly-a749-revert-pr41015-15975"), lockOf("nightly-a749-revert-pr41135-15984")});
    EXPECT_EQ(wanted.count(), 1);
    EXPECT_THAT(verdict(), HasSubstr("SINGLE VARIABLE"));
    EXPECT_THAT(verdict(), HasSubstr("setup_script"));
    EXPECT_EQ(child<QTabWidget>("compareTabs").currentIndex(), 2);
    EXPECT_THAT(shown(), Contains("setup_script: different"));
    EXPECT_THAT(shown(), Contains(HasSubstr("output tokens/s: different (shown, not counted)"))) << "the outcome stands below";
}

TEST_F(CompareRunsTest, NamesTheWheelAndTheVariableOfTheOtherGoldenPair)
{
    SRTWB_NEEDS_SHARED("results/real/srt-slurm");
    compare({lockOf("good-pr-container-15908"), lockOf("nightly-a749-15902")});
    EXPECT_THAT(verdict(), HasSubstr("DIFFERENCES"));
    EXPECT_THAT(shown(), Contains(HasSubstr("TORCH_CUDA_ARCH_LIST")));
    EXPECT_THAT(shown(), Contains(HasSubstr("pip.vllm")));
}

TEST_F(CompareRunsTest, HidesNoiseAndWhatIsTheSameAndCountsThem)
{
    SRTWB_NEEDS_SHARED("results/real/srt-slurm");
    compare({lockOf("good-pr-container-15908"), lockOf("nightly-a749-15902"), lockOf("official-v0201-15963")});
    const std::size_t few = shown().size();
    auto* same = &child<QCheckBox>("showSameFacts");
    auto* noise = &child<QCheckBox>("showNoise");
    const auto counted = [](const QCheckBox* box) { return box->text().section(QLatin1Char('('), 1).chopped(1).toULongLong(); };
    EXPECT_GT(counted(same), 0U);
    EXPECT_GT(counted(noise), 0U);
    same->setChecked(true);
    EXPECT_EQ(shown().size(), few + counted(same));
    noise->setChecked(true);
    EXPECT_EQ(shown().size(), few + counted(same) + counted(noise));
}

TEST_F(CompareRunsTest, OpensFromTheSelectedPoints)
{
    session.results().import({QString::fromStdString(wb::test::own("resources/samples/results").string())});
    ASSERT_TRUE(settles());
    const auto& points = *session.results().points();
    std::vector<PointId> ids;
    for (const results::Point& point : points)
        ids.push_back(point.id);
    session.compareRunsOf(ids);
    ASSERT_TRUE(settles());
    ASSERT_TRUE(session.runs().result());
    EXPECT_THAT(session.runs().result()->titles, testing::UnorderedElementsAre(QStringLiteral("1001"), QStringLiteral("1002")));
    EXPECT_THAT(session.runs().result()->errors, IsEmpty());
    session.compareRunsOf({ids.front()});
    EXPECT_THAT(logged().back(), HasSubstr("fewer than two runs"));
}

TEST_F(CompareRunsTest, WhatIsNoRunIsToldAndTheOthersStay)
{
    const QString run = QString::fromStdString(wb::test::own("resources/samples/results/outputs/1001").string());
    compare({run, folder.path()});
    EXPECT_THAT(verdict(), HasSubstr("Fewer than two runs"));
    ASSERT_EQ(session.runs().result()->errors.size(), 1U);
    EXPECT_THAT(session.runs().result()->errors.front().message, HasSubstr("holds no run"));
}

TEST_F(CompareRunsTest, ARecipeStandsBesideARun)
{
    const QString run = QString::fromStdString(wb::test::own("resources/samples/results/outputs/1001").string());
    compare({run, write(QStringLiteral("tiny.yaml"), test::plainRecipe)});
    EXPECT_EQ(session.runs().result()->paths.size(), 2);
    EXPECT_THAT(verdict(), testing::AnyOf(HasSubstr("DIFFERENCES"), HasSubstr("UNKNOWN")));
    compare({run, write(QStringLiteral("two.yaml"), test::overrideRecipe())});
    EXPECT_THAT(session.runs().result()->errors.front().message, HasSubstr("stands for 2 jobs"));
}

} // namespace
} // namespace wb::ui
