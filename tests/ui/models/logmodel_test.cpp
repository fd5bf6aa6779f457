#include "ui/models/logmodel.h"

#include <QAbstractItemModelTester>
#include <gmock/gmock.h>

namespace wb::ui {
namespace {

TEST(LogModel, AddsAtTheEndAndClears)
{
    LogModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.append({"1", QDateTime::currentDateTime(), syntax::Severity::Info, QStringLiteral("first"), {}});
    model.append({"2", QDateTime::currentDateTime(), syntax::Severity::Error, QStringLiteral("second"), QStringLiteral("why")});
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.index(1, LogModel::MessageColumn).data().toString(), QStringLiteral("second"));
    EXPECT_THAT(model.index(1, LogModel::MessageColumn).data(Qt::ToolTipRole).toString().toStdString(), testing::HasSubstr("why"));
    model.clear();
    EXPECT_EQ(model.rowCount(), 0);
}

} // namespace
} // namespace wb::ui
