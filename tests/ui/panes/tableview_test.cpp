#include "ui/panes/keptcolumns.h"
#include "ui/panes/tableview.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QStandardItemModel>
#include <QTest>
#include <gmock/gmock.h>

namespace wb::ui {
namespace {

class TableViewTest : public testing::Test
{
protected:
    TableViewTest()
        : view(&model, Qt::DisplayRole, QStringLiteral("Things"))
    {
        for (const char* name : {"a", "b", "c"})
            model.appendRow(
                {new QStandardItem(QString::fromLatin1(name)), new QStandardItem(QString::fromLatin1(name) + QStringLiteral("2"))});
        QObject::connect(&view, &TableView::currentSourceChanged, &view,
                         [this](const QModelIndex& source) { chosen.push_back(source.row()); });
        QObject::connect(&view, &TableView::sourceActivated, &view,
                         [this](const QModelIndex& source) { activated.push_back(source.row()); });
        view.resize(300, 200);
        view.show();
    }

    QStandardItemModel model;
    TableView view;
    std::vector<int> chosen;
    std::vector<int> activated;
};

TEST_F(TableViewTest, TellsTheRowOfTheSourceThatWasChosen)
{
    view.sortByColumn(0, Qt::DescendingOrder);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(view.model()->index(0, 0)).center());
    EXPECT_THAT(chosen, testing::ElementsAre(2));
    QTest::keyClick(&view, Qt::Key_Return);
    EXPECT_THAT(activated, testing::ElementsAre(2));
}

TEST_F(TableViewTest, IsQuietWhenItIsToldWhatToShow)
{
    view.showCurrent(model.index(1, 0));
    EXPECT_EQ(view.currentSource().row(), 1);
    view.changeQuietly([this] { model.removeRow(1); });
    view.showCurrent({});
    EXPECT_FALSE(view.currentSource().isValid());
    EXPECT_THAT(chosen, testing::IsEmpty());
}

TEST_F(TableViewTest, CopiesRowsAsTheyStand)
{
    view.showCurrent(model.index(0, 0));
    QTest::keySequence(&view, QKeySequence::Copy);
    EXPECT_EQ(QGuiApplication::clipboard()->text(), QStringLiteral("a\ta2"));
}

TEST_F(TableViewTest, KeepsTheWidthsThatTheUserGave)
{
    view.setColumnWidths({10, 10}, 1);
    EXPECT_EQ(view.userWidths(), QString()) << "nobody moved anything";
    view.resize(500, 200);
    EXPECT_EQ(view.userWidths(), QString()) << "the view gave its room to the column that takes what is left";
    view.header()->resizeSection(0, 77);
    EXPECT_EQ(view.userWidths(), QStringLiteral("0:77"));
    view.setColumnShown(0, false);
    view.setColumnShown(0, true);
    EXPECT_EQ(view.userWidths(), QStringLiteral("0:77"));
    TableView other(&model, Qt::DisplayRole, QStringLiteral("Others"));
    other.setColumnWidths({10, 10}, 1);
    other.setUserWidths(QStringLiteral("0:77,9:5,x:y,1:-3"));
    EXPECT_EQ(other.columnWidth(0), 77);
    EXPECT_EQ(other.userWidths(), QStringLiteral("0:77")) << "what is no width counts for nothing";
}

TEST_F(TableViewTest, KeepsWhichColumnsAreShownAndWhere)
{
    const QStringList keys{QStringLiteral("first"), QStringLiteral("second")};
    EXPECT_EQ(keptColumns(view), QString()) << "nobody asked for it";
    keepColumns(view, keys);
    EXPECT_EQ(keptColumns(view), QString()) << "nobody changed anything";
    view.resize(500, 200);
    EXPECT_EQ(keptColumns(view), QString()) << "the last column takes what is left";
    view.setColumnShown(0, false);
    EXPECT_EQ(keptColumns(view), QStringLiteral("second"));
    TableView other(&model, Qt::DisplayRole, QStringLiteral("Others"));
    keepColumns(other, keys);
    showKeptColumns(other, QStringLiteral("gone=7,nothing"));
    EXPECT_FALSE(other.isColumnHidden(0)) << "a text that names no column counts for nothing";
    showKeptColumns(other, QStringLiteral("second=55,first,gone=3"));
    EXPECT_EQ(other.header()->logicalIndex(0), 1);
    EXPECT_EQ(other.columnWidth(1), 55);
    EXPECT_FALSE(other.isColumnHidden(0));
    showKeptColumns(other, keptColumns(view));
    EXPECT_TRUE(other.isColumnHidden(0));
}

TEST_F(TableViewTest, EditsWhatCanBeChangedInTheRowOnF2)
{
    for (int row = 0; row < 3; ++row)
        model.item(row, 0)->setEditable(false);
    view.setEditTriggers(QAbstractItemView::EditKeyPressed);
    view.setFocus();
    view.setCurrentIndex(view.model()->index(1, 0));
    QTest::keyClick(&view, Qt::Key_F2);
    auto* edit = view.findChild<QLineEdit*>();
    ASSERT_TRUE(edit);
    EXPECT_EQ(edit->text(), QStringLiteral("b2"));
}

TEST_F(TableViewTest, OffersToSortByEveryColumn)
{
    model.setHorizontalHeaderLabels({QStringLiteral("First"), QStringLiteral("Second")});
    view.setCurrentIndex(view.model()->index(0, 0));
    QContextMenuEvent asked(QContextMenuEvent::Keyboard, {}, {});
    QApplication::sendEvent(&view, &asked);
    auto* menu = view.findChild<QMenu*>(QString(), Qt::FindDirectChildrenOnly);
    ASSERT_TRUE(menu);
    QAction* second = nullptr;
    for (QMenu* each : menu->findChildren<QMenu*>()) {
        for (QAction* action : each->actions())
            second = action->text() == QStringLiteral("Second") ? action : second;
    }
    ASSERT_TRUE(second);
    second->trigger();
    EXPECT_EQ(view.header()->sortIndicatorSection(), 1);
    EXPECT_EQ(view.model()->index(0, 0).data().toString(), QStringLiteral("a"));
    menu->close();
}

} // namespace
} // namespace wb::ui
