#include "ui/panes/tableview.h"

#include <QClipboard>
#include <QGuiApplication>
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

} // namespace
} // namespace wb::ui
