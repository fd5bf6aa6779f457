// Panes over a session made of real checks: what they show, and what they call.
#include "tests/ui/shell/sessionfixture.h"
#include "ui/editor/recipeeditor.h"
#include "ui/panes/artifactspane.h"
#include "ui/panes/logpane.h"
#include "ui/panes/problemspane.h"
#include "ui/panes/recipespane.h"
#include "ui/panes/tableview.h"
#include "ui/panes/topologymap.h"
#include "ui/panes/topologypane.h"
#include "ui/panes/variantspane.h"

#include <QLabel>
#include <QMenu>

namespace wb::ui {
namespace {

using testing::HasSubstr;

class PanesTest : public test::SessionTest
{
protected:
    template <typename Widget>
    static Widget& child(const QWidget& pane, const char* name)
    {
        auto* found = pane.findChild<Widget*>(QString::fromLatin1(name));
        if (!found)
            throw std::runtime_error(std::string("the pane has no ") + name);
        return *found;
    }

    void open(const std::string& bytes)
    {
        session.documents().open(write(QStringLiteral("a.yaml"), bytes));
        ASSERT_TRUE(settles());
    }

    static void show(QWidget& pane)
    {
        pane.resize(700, 400);
        pane.show();
    }
};

TEST_F(PanesTest, ProblemsLeadToTheirPlace)
{
    ProblemsPane pane(session);
    show(pane);
    const std::string broken = test::plainRecipe + "nonsense: 1\n";
    open(broken);
    auto& view = child<TableView>(pane, "problemsView");
    ASSERT_GE(view.model()->rowCount(), 1);
    std::optional<std::size_t> asked;
    QObject::connect(&session.documents(), &Documents::placeRequested, &pane, [&](DocumentId, std::size_t offset) { asked = offset; });
    int row = 0;
    while (row < view.model()->rowCount() && !view.model()->index(row, 0).data().toString().contains(QStringLiteral("nonsense")))
        ++row;
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(view.model()->index(row, 0)).center());
    EXPECT_EQ(asked, broken.find("nonsense"));
}

TEST_F(PanesTest, ProblemsOfferTheirFixes)
{
    ProblemsPane pane(session);
    show(pane);
    std::string broken = test::plainRecipe;
    broken.replace(broken.find("resources:"), 10, "resurces: ");
    open(broken);
    auto& view = child<TableView>(pane, "problemsView");
    std::optional<syntax::Fix> asked;
    QObject::connect(&session.documents(), &Documents::fixRequested, &pane, [&](DocumentId, const syntax::Fix& fix) { asked = fix; });
    for (int row = 0; row < view.model()->rowCount() && !asked; ++row) {
        QMenu menu;
        Q_EMIT view.menuRequested(menu, view.filter().mapToSource(view.model()->index(row, 0)));
        if (!menu.actions().isEmpty())
            menu.actions().first()->trigger();
    }
    ASSERT_TRUE(asked);
    EXPECT_THAT(asked->title, HasSubstr("resources"));
}

TEST_F(PanesTest, VariantsSelectTheJobForAllPanes)
{
    VariantsPane pane(session);
    show(pane);
    open(test::overrideRecipe());
    auto& view = child<TableView>(pane, "variantsView");
    ASSERT_EQ(view.model()->rowCount(), 2) << "base is no job by itself";
    EXPECT_EQ(view.currentSource().row(), 0) << "the selected job is marked";
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(view.model()->index(1, 0)).center());
    EXPECT_EQ(session.selection().variant(), 1U);
    EXPECT_THAT(child<QLabel>(pane, "variantsSummary").text().toStdString(), HasSubstr("2 job"));
    EXPECT_THAT(child<QLabel>(pane, "variantsSummary").text().toStdString(), HasSubstr("24 GPUs"));
}

TEST_F(PanesTest, VariantsCountNothingThatIsNotKnown)
{
    check::Checked checked;
    checked.variants.resize(2);
    EXPECT_EQ(variantsSummary(checked).toStdString().find("GPU"), std::string::npos) << "jobs with errors take no known GPUs";
    EXPECT_THAT(variantsSummary(checked).toStdString(), HasSubstr("2 with errors"));
}

TEST_F(PanesTest, ArtifactsShowTheBytesOfTheSelectedJob)
{
    ArtifactsPane pane(session);
    show(pane);
    open(test::overrideRecipe());
    auto& view = child<TableView>(pane, "artifactsView");
    ASSERT_GE(view.model()->rowCount(), 2);
    auto& text = child<RecipeEditor>(pane, "artifactText");
    EXPECT_TRUE(text.isReadOnly());
    for (std::size_t row = 0; row < session.dryRun()->artifacts->size(); ++row) {
        view.scrollTo(view.model()->index(static_cast<int>(row), 0));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(view.model()->index(static_cast<int>(row), 0)).center());
        EXPECT_EQ(text.utf8Text(), (*session.dryRun()->artifacts)[row].bytes);
    }
}

TEST_F(PanesTest, ArtifactsStayAtTheSameFileOfAnotherJob)
{
    ArtifactsPane pane(session);
    show(pane);
    open(test::overrideRecipe());
    auto& view = child<TableView>(pane, "artifactsView");
    const QModelIndex last = view.model()->index(view.model()->rowCount() - 1, 0); // a file that every job has
    view.scrollTo(last);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(last).center());
    const QString name = last.data().toString();
    session.selection().setVariant(1);
    ASSERT_TRUE(settles());
    EXPECT_EQ(view.currentIndex().siblingAtColumn(0).data().toString(), name);
}

TEST_F(PanesTest, TopologyShowsMapAndTableOfOneJob)
{
    TopologyPane pane(session);
    show(pane);
    open(test::overrideRecipe());
    session.selection().setVariant(1);
    ASSERT_TRUE(settles());
    EXPECT_EQ(child<TableView>(pane, "processesView").model()->rowCount(), static_cast<int>(session.dryRun()->topology->processes.size()));
    EXPECT_THAT(child<QLabel>(pane, "topologySummary").text().toStdString(), HasSubstr("2 node"));
    QTest::keyClick(&child<TopologyMap>(pane, "topologyMap"), Qt::Key_Right);
    EXPECT_EQ(child<TableView>(pane, "processesView").currentSource().row(), 0) << "the table follows the map";
}

TEST_F(PanesTest, RecipesOpenTheFileThatIsChosen)
{
    write(QStringLiteral("r/a.yaml"), test::plainRecipe);
    RecipesPane pane(session);
    show(pane);
    session.library().setFolder(folder.filePath(QStringLiteral("r")));
    ASSERT_TRUE(settles());
    auto& view = child<TableView>(pane, "recipesView");
    ASSERT_EQ(view.model()->rowCount(), 1);
    view.setCurrentIndex(view.model()->index(0, 0));
    QTest::keyClick(&view, Qt::Key_Return);
    ASSERT_TRUE(settles());
    ASSERT_TRUE(session.documents().current());
    EXPECT_EQ(session.documents().current()->title, QStringLiteral("a.yaml"));
}

TEST_F(PanesTest, LogShowsErrorsWithTheirDetails)
{
    LogPane pane(session);
    show(pane);
    session.log().error({ErrorCode::Denied, "It failed.", "because"});
    auto& view = child<TableView>(pane, "logView");
    ASSERT_EQ(view.model()->rowCount(), 1);
    EXPECT_THAT(view.model()->index(0, LogModel::MessageColumn).data(Qt::ToolTipRole).toString().toStdString(), HasSubstr("because"));
}

} // namespace
} // namespace wb::ui
