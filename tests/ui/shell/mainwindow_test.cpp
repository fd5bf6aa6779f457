#include "tests/ui/shell/windowfixture.h"
#include "ui/editor/recipeeditor.h"
#include "ui/models/pointsmodel.h"
#include "ui/panes/tableview.h"
#include "ui/shell/editorarea.h"
#include "ui/shell/mainwindow.h"
#include "ui/shell/panes.h"

#include <QAccessible>
#include <QDockWidget>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>

namespace wb::ui {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class MainWindowTest : public test::WindowTest
{
protected:
    void open(const std::string& bytes = test::plainRecipe, const QString& name = QStringLiteral("a.yaml"))
    {
        session.documents().open(write(name, bytes));
        ASSERT_TRUE(settles());
        ASSERT_TRUE(window->editors().current());
    }
};

TEST_F(MainWindowTest, NamesEveryWidgetThatTakesTheKeyboard)
{
    open();
    std::vector<std::string> nameless;
    for (QWidget* widget : window->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || widget->focusProxy())
            continue;
        // Parts of a widget (the edit of a combo box, the viewport of a view) speak by the whole.
        const QString className = QString::fromLatin1(widget->metaObject()->className());
        if (widget->objectName().startsWith(QLatin1String("qt_")) || className.startsWith(QLatin1String("QComboBoxPrivate")) ||
            className == QLatin1String("QComboBoxListView") || className == QLatin1String("QScrollBar"))
            continue;
        const auto* bar = qobject_cast<QTabBar*>(widget);
        if (bar && bar->count() == 0) // Qt keeps an empty one for panels that may be tabbed later
            continue;
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
        if (!face || face->text(QAccessible::Name).isEmpty())
            nameless.push_back(className.toStdString() + " \"" + widget->objectName().toStdString() + "\" in " +
                               (widget->parentWidget() ? widget->parentWidget()->objectName().toStdString() : "nothing"));
    }
    EXPECT_THAT(nameless, IsEmpty());
}

TEST_F(MainWindowTest, ShowsAPageOfFirstStepsWhenNothingIsOpen)
{
    EXPECT_TRUE(child<QWidget>("welcomePage").isVisible());
    open();
    EXPECT_FALSE(child<QWidget>("welcomePage").isVisible());
}

TEST_F(MainWindowTest, MarksAChangedRecipeInItsTabAndTitle)
{
    open();
    auto& tabs = child<QTabWidget>("editorTabs");
    EXPECT_EQ(tabs.tabText(0), QStringLiteral("a.yaml"));
    session.documents().setText(session.documents().current()->id, "name: b\n");
    EXPECT_TRUE(tabs.tabText(0).endsWith(QStringLiteral("a.yaml")));
    EXPECT_NE(tabs.tabText(0), QStringLiteral("a.yaml"));
    EXPECT_TRUE(window->isWindowModified());
}

TEST_F(MainWindowTest, AsksBeforeAChangedRecipeIsClosed)
{
    open();
    session.documents().setText(session.documents().current()->id, "name: b\n");
    window->closeCurrent();
    auto* question = window->findChild<QMessageBox*>();
    ASSERT_TRUE(question);
    QTest::mouseClick(question->button(QMessageBox::Cancel), Qt::LeftButton);
    EXPECT_EQ(session.documents().ids().size(), 1U);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->findChild<QMessageBox*>() == nullptr; }));
    window->closeCurrent();
    QTest::mouseClick(window->findChild<QMessageBox*>()->button(QMessageBox::Save), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session.documents().ids().empty(); }));
    EXPECT_EQ(bytesOf(folder.filePath(QStringLiteral("a.yaml"))), "name: b\n");
}

TEST_F(MainWindowTest, AsksBeforeItIsClosedWithUnsavedWork)
{
    open();
    session.documents().setText(session.documents().current()->id, "name: b\n");
    window->close();
    EXPECT_TRUE(window->isVisible());
    auto* question = window->findChild<QMessageBox*>();
    ASSERT_TRUE(question);
    QTest::mouseClick(question->button(QMessageBox::Discard), Qt::LeftButton);
    EXPECT_FALSE(window->isVisible());
    EXPECT_EQ(bytesOf(folder.filePath(QStringLiteral("a.yaml"))), test::plainRecipe);
}

TEST_F(MainWindowTest, FindsACommandByAPartOfItsName)
{
    open();
    window->openPalette();
    auto& edit = child<QLineEdit>("paletteEdit");
    ASSERT_TRUE(child<QWidget>("commandPalette").isVisible());
    QTest::keyClicks(&edit, QStringLiteral("hide panels"));
    QTest::keyClick(&edit, Qt::Key_Return);
    EXPECT_FALSE(child<QWidget>("commandPalette").isVisible());
    EXPECT_TRUE(window->dock("variants")->isHidden()) << "the command ran";
}

TEST_F(MainWindowTest, ListsEveryCommandInThePalette)
{
    open();
    window->openPalette();
    const auto& model = *child<QTreeView>("paletteList").model();
    std::vector<std::string> titles;
    for (int row = 0; row < model.rowCount(); ++row)
        titles.push_back(model.index(row, 0).data().toString().toStdString());
    EXPECT_GE(titles.size(), actionRows().size() + panes().size());
    EXPECT_THAT(titles, testing::Contains("Panel: Frontier"));
    EXPECT_THAT(titles, testing::Contains("Layout: Analyse"));
    EXPECT_THAT(titles, testing::Contains("Edit: Move lines up"));
}

TEST_F(MainWindowTest, GivesTheKeyboardToPanesAndBack)
{
    open();
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    window->showPane("problems");
    EXPECT_TRUE(window->dock("problems")->isAncestorOf(QApplication::focusWidget()));
    EXPECT_EQ(window->lastPanel(), window->dock("problems"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    EXPECT_TRUE(window->editors().isAncestorOf(QApplication::focusWidget()));
    window->cycleFocus(1);
    EXPECT_FALSE(window->editors().isAncestorOf(QApplication::focusWidget()));
    window->cycleFocus(-1);
    EXPECT_TRUE(window->editors().isAncestorOf(QApplication::focusWidget()));
}

TEST_F(MainWindowTest, MovesPanelsByCommand)
{
    open();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    window->showPane("variants");
    ASSERT_EQ(window->lastPanel(), window->dock("variants"));
    window->movePanel(Qt::BottomDockWidgetArea);
    ASSERT_EQ(window->lastPanel(), window->dock("variants"));
    EXPECT_EQ(window->dockWidgetArea(window->dock("variants")), Qt::BottomDockWidgetArea);
    window->floatPanel();
    EXPECT_TRUE(window->dock("variants")->isFloating());
    window->closePanel();
    EXPECT_TRUE(window->dock("variants")->isHidden());
}

TEST_F(MainWindowTest, OpensRecipesFoldersAndResultsForWhatTheyAre)
{
    const QString recipe = write(QStringLiteral("r/a.yaml"), test::overrideRecipe());
    write(QStringLiteral("results/x.txt"), "nothing");
    window->openPaths(
        {recipe + QStringLiteral(":short"), folder.filePath(QStringLiteral("r")), folder.filePath(QStringLiteral("results"))});
    ASSERT_TRUE(settles());
    EXPECT_EQ(session.documents().current()->path, recipe);
    ASSERT_TRUE(session.selection().checkedVariant());
    EXPECT_EQ(session.selection().checkedVariant()->variant.suffix, "short");
    EXPECT_EQ(session.library().folder(), folder.filePath(QStringLiteral("r")));
    EXPECT_THAT(logged(), testing::Contains(HasSubstr("Imported 0 point")));
}

TEST_F(MainWindowTest, AFolderOfRunsIsBothRecipesAndResults)
{
    write(QStringLiteral("runs/1/config.yaml"), test::plainRecipe);
    write(QStringLiteral("runs/1/notes.json"), "{}");
    window->openPaths({folder.filePath(QStringLiteral("runs"))});
    ASSERT_TRUE(settles());
    EXPECT_EQ(session.library().folder(), folder.filePath(QStringLiteral("runs")));
    EXPECT_THAT(logged(), testing::Contains(HasSubstr("Imported 0 point")));
}

TEST_F(MainWindowTest, RestoresWhatWasOpen)
{
    session.library().setFolder(folder.path());
    open();
    window->close();
    session.documents().close(session.documents().current()->id);
    makeWindow();
    EXPECT_TRUE(window->restoreSession());
    ASSERT_TRUE(settles());
    ASSERT_TRUE(session.documents().current());
    EXPECT_EQ(session.documents().current()->title, QStringLiteral("a.yaml"));
}

TEST_F(MainWindowTest, RestoresCursorFoldsAndSelectedJob)
{
    open(test::overrideRecipe(), QStringLiteral("o.yaml"));
    open(test::plainRecipe, QStringLiteral("p.yaml"));
    session.library().setFolder(folder.path());
    session.documents().open(folder.filePath(QStringLiteral("o.yaml")));
    ASSERT_TRUE(settles());
    session.selection().setVariant(1);
    window->editors().current()->foldAll();
    const std::size_t place = test::overrideRecipe().find("override_two"); // the second job: they stand by name
    window->editors().current()->goTo(place);
    window->close();
    for (const DocumentId id : session.documents().ids())
        session.documents().close(id);
    makeWindow();
    EXPECT_TRUE(window->restoreSession());
    // What was read comes by events, in any order, also when no worker is busy any more.
    const auto isInFront = [&] {
        const Document* current = session.documents().current();
        return current && current->title == QStringLiteral("o.yaml") && current->checked && session.documents().ids().size() == 2;
    };
    const auto state = [&] {
        std::string out;
        for (const DocumentId id : session.documents().ids()) {
            const Document* each = session.documents().find(id);
            out += each->title.toStdString() + (each == session.documents().current() ? " in front" : " behind") +
                   (each->checked ? ", " : " unchecked, ");
        }
        return out;
    };
    ASSERT_TRUE(QTest::qWaitFor(isInFront)) << state();
    ASSERT_TRUE(settles());
    EXPECT_EQ(session.documents().current()->title, QStringLiteral("o.yaml"));
    EXPECT_EQ(session.selection().variant(), 1U);
    EXPECT_EQ(window->editors().current()->cursorOffset(), place);
    EXPECT_FALSE(window->editors().current()->foldedLines().empty());
}

TEST_F(MainWindowTest, ComparesRecipesByTheirPaths)
{
    const QString a = write(QStringLiteral("a.yaml"), test::plainRecipe);
    const QString b = write(QStringLiteral("b.yaml"), test::overrideRecipe());
    window->compare({a, b + QStringLiteral(":override_short")});
    ASSERT_TRUE(settles());
    ASSERT_TRUE(session.comparison().result());
    EXPECT_EQ(session.comparison().result()->sides.size(), 2U);
    EXPECT_EQ(session.comparison().result()->sides[1].title, QStringLiteral("b.yaml: short"));
    EXPECT_TRUE(window->dock("compare")->isVisible());
}

TEST_F(MainWindowTest, UndoNamesTheStepThatItTakesBack)
{
    open();
    const Document* document = session.documents().current();
    std::string changed = test::plainRecipe;
    changed.replace(changed.find("1024"), 4, "2048");
    ASSERT_TRUE(session.documents().change(document->id, document->version, QStringLiteral("set benchmark.isl"), changed));
    EXPECT_EQ(window->editors().current()->utf8Text(), changed);
    EXPECT_TRUE(QTest::qWaitFor([&] { return window->action("edit.undo")->text().contains(QStringLiteral("set benchmark.isl")); }));
    window->action("edit.undo")->trigger();
    EXPECT_EQ(window->editors().current()->utf8Text(), test::plainRecipe);
    EXPECT_TRUE(QTest::qWaitFor([&] { return window->action("edit.redo")->text().contains(QStringLiteral("set benchmark.isl")); }));
}

TEST_F(MainWindowTest, AConversionIsShownAndMadeAsOneStep)
{
    open(test::plainRecipe);
    window->action("recipe.migrate")->trigger();
    ASSERT_TRUE(settles());
    auto& apply = child<QPushButton>("applyConversion");
    EXPECT_EQ(window->editors().current()->utf8Text(), test::plainRecipe);
    apply.click();
    ASSERT_TRUE(settles());
    EXPECT_NE(window->editors().current()->utf8Text(), test::plainRecipe);
    EXPECT_EQ(session.selection().checked()->schema, 2);
    window->action("edit.undo")->trigger();
    EXPECT_EQ(window->editors().current()->utf8Text(), test::plainRecipe);
}

TEST_F(MainWindowTest, HelpOnThePlaceIsF1)
{
    open(test::plainRecipe + "nonsense: 1\n");
    window->editors().current()->goTo(test::plainRecipe.size() + 2);
    window->action("help.context")->trigger();
    EXPECT_TRUE(window->dock("help")->isVisible());
    EXPECT_EQ(window->action("help.context")->shortcut(), QKeySequence(Qt::Key_F1));
}

/// From an empty window to a changed, compared and saved recipe: nothing but keys.
TEST_F(MainWindowTest, TheWholeJobIsDoneByKeyboard)
{
    write(QStringLiteral("r/a.yaml"), test::overrideRecipe());
    session.library().setFolder(folder.filePath(QStringLiteral("r")));
    ASSERT_TRUE(settles());
    ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    QTest::keySequence(window.get(), QKeySequence(QStringLiteral("Ctrl+P")));
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("a.yaml"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    ASSERT_TRUE(settles());
    ASSERT_TRUE(session.documents().current());
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->editors().isAncestorOf(QApplication::focusWidget()); }));
    QTest::keySequence(window.get(), QKeySequence(QStringLiteral("Ctrl+2")));
    ASSERT_TRUE(window->dock("variants")->isAncestorOf(QApplication::focusWidget()));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
    EXPECT_EQ(session.selection().variant(), 1U);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    EXPECT_NE(qobject_cast<QTreeView*>(QApplication::focusWidget()), &child<QTreeView>("variantsView")) << "a table lets Tab go on";
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    ASSERT_TRUE(window->editors().isAncestorOf(QApplication::focusWidget()));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_End, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("# done"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->action("file.save")->isEnabled(); }));
    QTest::keySequence(window.get(), QKeySequence(QStringLiteral("Ctrl+S")));
    EXPECT_TRUE(QTest::qWaitFor([&] { return bytesOf(folder.filePath(QStringLiteral("r/a.yaml"))).find("# done") != std::string::npos; }));
}

TEST_F(MainWindowTest, PutsWhatCannotBeDoneBehindWhatCan)
{
    open();
    window->openPalette();
    auto& edit = child<QLineEdit>("paletteEdit");
    const auto& model = *child<QTreeView>("paletteList").model();
    for (const char* words : {"", "e", "recipe"}) {
        edit.setText(QString::fromLatin1(words));
        bool isBehind = false;
        for (int row = 0; row < model.rowCount(); ++row) {
            const bool canBe = model.index(row, 0).flags().testFlag(Qt::ItemIsEnabled);
            EXPECT_FALSE(canBe && isBehind) << model.index(row, 0).data().toString().toStdString() << " for \"" << words << '"';
            isBehind = isBehind || !canBe;
        }
        EXPECT_TRUE(isBehind) << "something cannot be done now";
    }
}

TEST_F(MainWindowTest, KeepsTheTitlesOfManyTabsReadable)
{
    for (int i = 0; i < 30; ++i)
        session.documents().open(write(QStringLiteral("a-recipe-with-a-long-name-%1.yaml").arg(i), test::plainRecipe));
    ASSERT_TRUE(settles());
    const auto& bar = *child<QTabWidget>("editorTabs").tabBar();
    ASSERT_EQ(bar.count(), 30);
    for (int tab = 0; tab < bar.count(); ++tab)
        EXPECT_GE(bar.tabRect(tab).width(), bar.fontMetrics().horizontalAdvance(bar.tabText(tab))) << tab;
    EXPECT_TRUE(bar.visibleRegion().contains(bar.tabRect(bar.currentIndex()).center())) << "the one in front is seen";
}

TEST_F(MainWindowTest, RemembersTheColumnsThatWereChosen)
{
    const int tp = PointsModel::columnOf("tp");
    const int run = PointsModel::columnOf("run");
    ASSERT_TRUE(child<TableView>("resultsView").isColumnHidden(tp));
    for (QAction* action : child<QToolButton>("resultsColumns").menu()->actions()) {
        if (action->text() == PointsModel::titleOf(tp))
            action->trigger();
    }
    child<TableView>("resultsView").header()->moveSection(child<TableView>("resultsView").header()->visualIndex(tp), 1);
    child<TableView>("resultsView").setColumnWidth(run, 321);
    window->close();
    makeWindow();
    const TableView& again = child<TableView>("resultsView");
    EXPECT_FALSE(again.isColumnHidden(tp)) << "the next start shows what was chosen";
    EXPECT_EQ(again.header()->visualIndex(tp), 1);
    EXPECT_EQ(again.columnWidth(run), 321);
    EXPECT_TRUE(again.isColumnHidden(PointsModel::columnOf("pp")));
}

TEST_F(MainWindowTest, RemembersTheWidthsOfColumns)
{
    open();
    child<TableView>("problemsView").header()->resizeSection(1, 123);
    window->close();
    session.documents().close(session.documents().current()->id);
    makeWindow();
    EXPECT_EQ(child<TableView>("problemsView").columnWidth(1), 123);
}

} // namespace
} // namespace wb::ui
