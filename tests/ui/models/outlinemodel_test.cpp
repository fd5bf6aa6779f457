#include "core/assist/document.h"
#include "ui/models/outlinemodel.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <gmock/gmock.h>

namespace wb::ui {
namespace {

Symbols symbolsOf(const std::string& text)
{
    const assist::Document document(std::make_shared<syntax::SourceText>(text), nullptr, nullptr);
    return std::make_shared<const std::vector<assist::Symbol>>(assist::outlineOf(document));
}

TEST(OutlineModel, ShowsKeysAsATree)
{
    OutlineModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setSymbols(symbolsOf("base:\n  name: x\n  list:\n  - id: 1\n  - id: 2\nother: y\n"));
    ASSERT_EQ(model.rowCount(), 2);
    const QModelIndex base = model.index(0, 0);
    EXPECT_EQ(base.data().toString(), QStringLiteral("base"));
    ASSERT_EQ(model.rowCount(base), 2);
    EXPECT_EQ(model.index(0, OutlineModel::ValueColumn, base).data().toString(), QStringLiteral("x"));
    const QModelIndex list = model.index(1, 0, base);
    ASSERT_EQ(model.rowCount(list), 2);
    EXPECT_EQ(model.index(1, 0, list).data().toString(), QStringLiteral("- 2"));
    EXPECT_EQ(list.data(OutlineModel::PathRole).toString(), QStringLiteral("base.list"));
    model.setSymbols(nullptr);
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(OutlineModel, KeepsItsRowsWhenOnlyValuesChange)
{
    OutlineModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setSymbols(symbolsOf("base:\n  name: x\n"));
    const QPersistentModelIndex name(model.index(0, OutlineModel::ValueColumn, model.index(0, 0)));
    EXPECT_TRUE(model.setSymbols(symbolsOf("# a comment\nbase:\n  name: longer\n")));
    ASSERT_TRUE(name.isValid());
    EXPECT_EQ(name.data().toString(), QStringLiteral("longer"));
    EXPECT_EQ(name.data(OutlineModel::OffsetRole).toULongLong(), 20U);
    EXPECT_FALSE(model.setSymbols(symbolsOf("base:\n  title: longer\n")));
}

TEST(OutlineModel, FindsTheRowAroundAPlace)
{
    OutlineModel model;
    model.setSymbols(symbolsOf("base:\n  name: x\nother: y\n"));
    EXPECT_EQ(model.indexAt(14).data().toString(), QStringLiteral("name"));
    EXPECT_EQ(model.indexAt(2).data().toString(), QStringLiteral("base"));
    EXPECT_EQ(model.indexAt(18).data().toString(), QStringLiteral("other"));
}

} // namespace
} // namespace wb::ui
