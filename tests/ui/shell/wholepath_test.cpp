// The whole path of a user, in one window: open, err, fix, choose a variant, read what would run, import, look at the frontier, go back to
// the recipe of a point.
#include "tests/support/corpus.h"
#include "tests/ui/shell/windowfixture.h"
#include "ui/charts/chartview.h"
#include "ui/editor/recipeeditor.h"
#include "ui/models/artifactsmodel.h"
#include "ui/models/problemsmodel.h"
#include "ui/models/variantsmodel.h"
#include "ui/shell/editorarea.h"
#include "ui/shell/layouts.h"

#include <QDockWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTreeView>

#include <algorithm>

namespace wb::ui {
namespace {

using testing::HasSubstr;

class WholePathTest : public test::WindowTest
{
protected:
    static std::vector<std::string> cells(const QTreeView& view, int column)
    {
        std::vector<std::string> out;
        for (int row = 0; row < view.model()->rowCount(); ++row)
            out.push_back(view.model()->index(row, column).data().toString().toStdString());
        return out;
    }

    static bool clickRow(QTreeView& view, int row)
    {
        const QRect at = view.visualRect(view.model()->index(row, 0));
        if (at.isEmpty())
            return false;
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at.center());
        return true;
    }
};

TEST_F(WholePathTest, FromARecipeToAPointAndBack)
{
    // The sample workspace, as on the first start.
    window->openSample();
    ASSERT_TRUE(settles());
    ASSERT_TRUE(session.documents().current()) << "the sample workspace opens a recipe";
    const QString recipe = session.documents().current()->path;
    RecipeEditor* editor = window->editors().current();
    auto& problems = child<QTreeView>("problemsView");
    const auto before = cells(problems, ProblemsModel::MessageColumn);

    // An error is typed and shown.
    const std::string good = editor->utf8Text();
    const std::size_t key = good.find("resources:");
    ASSERT_NE(key, std::string::npos);
    editor->goTo(key);
    ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    editor->setFocus();
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Delete);
    ASSERT_TRUE(settles());
    ASSERT_THAT(editor->utf8Text(), HasSubstr("resurces:"));
    EXPECT_THAT(cells(problems, ProblemsModel::MessageColumn), testing::Contains(HasSubstr("resurces")));

    // Its fix is made from the problem.
    const auto& diagnostics = session.selection().checked()->diagnostics;
    const auto unknown = std::find_if(diagnostics.begin(), diagnostics.end(), [](const syntax::Diagnostic& each) {
        return each.code == syntax::Code::UnknownKey && !each.fixes.empty();
    });
    ASSERT_NE(unknown, diagnostics.end());
    session.documents().applyFix(session.documents().current()->id, session.documents().current()->version, unknown->fixes.front());
    ASSERT_TRUE(settles());
    EXPECT_EQ(editor->utf8Text(), good);
    EXPECT_EQ(cells(problems, ProblemsModel::MessageColumn), before);

    // Every job of the sweep is a row; another one is chosen.
    auto& variants = child<QTreeView>("variantsView");
    ASSERT_GE(variants.model()->rowCount(), 2);
    ASSERT_TRUE(clickRow(variants, 1));
    ASSERT_TRUE(settles());
    EXPECT_EQ(session.selection().variant(), 1U);

    // What would run is the text of its job script.
    ASSERT_TRUE(session.dryRun());
    EXPECT_EQ(session.dryRun()->variant, 1U);
    window->showPane("artifacts");
    auto& artifacts = child<QTreeView>("artifactsView");
    const auto names = cells(artifacts, ArtifactsModel::KindColumn);
    const auto script = std::find_if(names.begin(), names.end(), [](const std::string& kind) { return kind.starts_with("job-script"); });
    ASSERT_NE(script, names.end());
    ASSERT_TRUE(clickRow(artifacts, static_cast<int>(script - names.begin())));
    EXPECT_THAT(child<RecipeEditor>("artifactText").utf8Text(), HasSubstr("#SBATCH --nodes="));

    // The sample results are on the frontier.
    ASSERT_FALSE(session.results().points()->empty()) << "the sample workspace holds results";
    window->layoutKeeper().switchTo(QStringLiteral("analyse"));
    auto& chart = child<charts::ChartView>("frontierChart");
    const results::Point& point = session.results().points()->front();
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart.positionOf(point.id).has_value(); }));

    // A click on a point selects and pins it, a double click leads to its recipe and job.
    session.documents().close(session.documents().current()->id);
    ASSERT_FALSE(session.documents().current());
    const QPointF at = *chart.positionOf(point.id);
    QWidget* under = chart.childAt(at.toPoint());
    ASSERT_TRUE(under);
    QTest::mouseClick(under, Qt::LeftButton, {}, under->mapFrom(&chart, at.toPoint()));
    EXPECT_EQ(session.selection().point(), point.id);
    EXPECT_EQ(chart.pinned(), point.id);
    QTest::mouseDClick(under, Qt::LeftButton, {}, under->mapFrom(&chart, at.toPoint()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session.documents().current() != nullptr; })) << logged().back();
    ASSERT_TRUE(settles());
    EXPECT_EQ(session.selection().point(), point.id);
    EXPECT_EQ(session.documents().current()->path, recipe);
    ASSERT_TRUE(session.selection().checkedVariant());
    EXPECT_EQ(session.selection().checkedVariant()->name, point.variant.value_or("(the point names no job)"));
}

} // namespace
} // namespace wb::ui
