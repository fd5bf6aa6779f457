#include "tests/ui/models/modeltest.h"
#include "ui/models/cellsmodel.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QSignalSpy>
#include <gmock/gmock.h>

namespace wb::ui {
namespace {

CellsRow rowOf(int number)
{
    return {.id = std::to_string(number),
            .cells = {{.text = QString::number(number), .sort = number}, {.text = QStringLiteral("x"), .isEditable = true}}};
}

TEST(CellsModel, KeepsWhatAViewHoldsThroughEveryChange)
{
    CellsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    test::Shuffler shuffler;
    for (int round = 0; round < 60; ++round) {
        std::vector<CellsRow> rows;
        for (const int number : shuffler.some(12))
            rows.push_back(rowOf(number));
        const QPersistentModelIndex held = model.rowCount() > 0 ? model.index(0, 0) : QModelIndex();
        const QString words = held.isValid() ? held.data().toString() : QString();
        model.setTable({QStringLiteral("A"), QStringLiteral("B")}, rows);
        EXPECT_EQ(model.rowCount(), static_cast<int>(rows.size()));
        if (held.isValid()) {
            EXPECT_EQ(held.data().toString(), words);
        }
    }
}

TEST(CellsModel, AnotherTableHasOtherColumns)
{
    CellsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setTable({QStringLiteral("A"), QStringLiteral("B")}, {rowOf(1)});
    model.setTable({QStringLiteral("A")}, {rowOf(2)});
    EXPECT_EQ(model.columnCount({}), 1);
    EXPECT_EQ(model.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("A"));
    EXPECT_EQ(model.index(0, 0).data(CellsModel::SortRole).toInt(), 2);
}

TEST(CellsModel, TellsWhatWasTypedAndChangesNothing)
{
    CellsModel model;
    model.setTable({QStringLiteral("A"), QStringLiteral("B")}, {rowOf(1)});
    const QSignalSpy spy(&model, &CellsModel::edited);
    EXPECT_FALSE(model.setData(model.index(0, 0), QStringLiteral("2"), Qt::EditRole)) << "not editable";
    EXPECT_FALSE(model.setData(model.index(0, 1), QStringLiteral("x"), Qt::EditRole)) << "the same";
    EXPECT_TRUE(model.setData(model.index(0, 1), QStringLiteral("y"), Qt::EditRole));
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(spy.first()[0].toString(), QStringLiteral("1"));
    EXPECT_EQ(spy.first()[2].toString(), QStringLiteral("y"));
    EXPECT_EQ(model.index(0, 1).data().toString(), QStringLiteral("x"));
}

} // namespace
} // namespace wb::ui
