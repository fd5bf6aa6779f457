// The editor in the window: its commands as rows, definitions in the cluster file, back and forward, the outline that follows.
#include "tests/core/assist/documents.h"
#include "tests/ui/shell/windowfixture.h"
#include "ui/editor/codeedit.h"
#include "ui/editor/completionpopup.h"
#include "ui/editor/recipeeditor.h"
#include "ui/models/outlinemodel.h"
#include "ui/shell/editorarea.h"

#include <QLineEdit>
#include <QTreeView>

namespace wb::ui {
namespace {

class EditingTest : public test::WindowTest
{
protected:
    void open(const std::string& bytes, const QString& name = QStringLiteral("a.yaml"))
    {
        session.documents().open(write(name, bytes));
        ASSERT_TRUE(settles());
        ASSERT_TRUE(window->editors().current());
        window->editors().focusEditor();
        ASSERT_TRUE(QTest::qWaitFor([&] { return area().hasFocus(); }));
    }
    [[nodiscard]] RecipeEditor& editor() { return *window->editors().current(); }
    [[nodiscard]] CodeEdit& area() { return *editor().findChild<CodeEdit*>(); }
    [[nodiscard]] QString outlineRow() { return child<QTreeView>("outlineView").currentIndex().siblingAtColumn(0).data().toString(); }
};

TEST_F(EditingTest, CompletesWithTheNamesOfTheClusterFile)
{
    const QString cluster = write(QStringLiteral("srtslurm.yaml"), std::string(wb::test::clusterText));
    session.setClusterFile(cluster);
    ASSERT_TRUE(settles());
    open("model:\n  container: \n");
    editor().goTo(editor().utf8Text().size() - 1);
    QTest::keyClick(&area(), Qt::Key_Space, Qt::ControlModifier);
    const auto* popup = editor().findChild<CompletionPopup*>();
    ASSERT_TRUE(popup->isVisible()) << "the window's key reaches the editor";
    EXPECT_EQ(popup->labels().front(), QStringLiteral("sglang-dev"));
}

TEST_F(EditingTest, ALongTextComesWithTheDocumentThatItsWorkerMade)
{
    std::string content = test::plainRecipe;
    while (content.size() < (std::size_t{256} << 10))
        content += "# one of many lines\n";
    session.documents().open(write(QStringLiteral("long.yaml"), content), {.variant = {}, .offset = content.size() - 3});
    ASSERT_TRUE(settles());
    ASSERT_TRUE(window->editors().current());
    EXPECT_EQ(editor().utf8Text(), content);
    EXPECT_EQ(editor().cursorOffset(), content.size() - 3);
    EXPECT_EQ(editor().document()->parent(), &area()) << "an editor's own document is a child of another one";
    QTest::keyClicks(&area(), QStringLiteral("x"));
    ASSERT_TRUE(settles());
    EXPECT_TRUE(session.documents().current()->isModified);
    editor().undo();
    ASSERT_TRUE(settles());
    EXPECT_FALSE(session.documents().current()->isModified);
    EXPECT_EQ(editor().utf8Text(), content);
}

TEST_F(EditingTest, GoesToTheClusterFileAndBack)
{
    const QString cluster = write(QStringLiteral("srtslurm.yaml"), std::string(wb::test::clusterText));
    session.setClusterFile(cluster);
    ASSERT_TRUE(settles());
    open("name: x\nmodel:\n  container: nginx\n");
    const std::size_t from = editor().utf8Text().find("nginx") + 2;
    editor().goTo(from);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->action("go.definition")->isEnabled(); }));
    EXPECT_FALSE(window->action("go.back")->isEnabled());
    window->action("go.definition")->trigger();
    ASSERT_TRUE(settles());
    ASSERT_EQ(session.documents().current()->path, cluster);
    EXPECT_EQ(editor().cursorOffset(), wb::test::clusterText.find("nginx"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->action("go.back")->isEnabled(); }));
    window->action("go.back")->trigger();
    EXPECT_EQ(session.documents().current()->title, QStringLiteral("a.yaml"));
    EXPECT_EQ(editor().cursorOffset(), from);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->action("go.forward")->isEnabled(); }));
    window->action("go.forward")->trigger();
    EXPECT_EQ(session.documents().current()->path, cluster);
    session.documents().close(session.documents().current()->id);
    EXPECT_FALSE(window->editors().canGoForward()) << "a closed text is no place to go to";
}

TEST_F(EditingTest, TheOutlineFollowsTheCursorAndLeadsToKeys)
{
    open(test::overrideRecipe());
    auto& view = child<QTreeView>("outlineView");
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.model()->rowCount() == 3; })) << "base and two overrides";
    editor().goTo(editor().utf8Text().find("tensor-parallel-size") + 3);
    EXPECT_EQ(outlineRow(), QStringLiteral("tensor-parallel-size"));
    auto& filter = child<QLineEdit>("outlineFilter");
    filter.setFocus();
    QTest::keyClicks(&filter, QStringLiteral("time_limit"));
    QTest::keyClick(&filter, Qt::Key_Return);
    EXPECT_EQ(editor().cursorOffset(), editor().utf8Text().find("time_limit"));
    EXPECT_TRUE(area().hasFocus());
    EXPECT_TRUE(filter.text().isEmpty());
    editor().goTo(editor().utf8Text().size());
    QTest::keyClicks(&area(), QStringLiteral("override_new:"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return view.model()->rowCount() == 4; }, 10'000)) << "a new section shows itself";
}

TEST_F(EditingTest, CommandsOfTheEditorWorkByTheirKeys)
{
    open("name: a\nmodel: b\n");
    editor().goTo(0);
    QTest::keyClick(&area(), Qt::Key_Slash, Qt::ControlModifier);
    EXPECT_EQ(editor().utf8Text(), "# name: a\nmodel: b\n");
    QTest::keyClick(&area(), Qt::Key_Slash, Qt::ControlModifier);
    QTest::keyClick(&area(), Qt::Key_Down, Qt::AltModifier);
    EXPECT_EQ(editor().utf8Text(), "model: b\nname: a\n");
    QTest::keyClick(&area(), Qt::Key_Down, Qt::AltModifier | Qt::ShiftModifier);
    EXPECT_EQ(editor().utf8Text(), "model: b\nname: a\nname: a\n");
    QTest::keyClick(&area(), Qt::Key_H, Qt::ControlModifier);
    EXPECT_TRUE(editor().findChild<QLineEdit*>(QStringLiteral("replaceText"))->isVisible());
    QTest::keyClick(editor().findChild<QLineEdit*>(QStringLiteral("findText")), Qt::Key_Escape);
    QTest::keyClick(&area(), Qt::Key_G, Qt::ControlModifier);
    EXPECT_TRUE(editor().findChild<QLineEdit*>(QStringLiteral("inlineText"))->isVisible());
    window->action("view.whitespace")->trigger();
    EXPECT_TRUE(area().isWhitespaceShown());
}

} // namespace
} // namespace wb::ui
