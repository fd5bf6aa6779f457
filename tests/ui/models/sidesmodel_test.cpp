#include "ui/models/sidesmodel.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <gmock/gmock.h>

namespace wb::ui {
namespace {

check::SideCell cell(const std::string& value, const std::string& from = "base")
{
    return {.isSet = true, .value = value, .from = from, .source = syntax::Source::Recipe, .range = {1, 2}, .isScalar = true};
}

std::vector<check::SideRow> rows(const std::string& isl = "8192")
{
    return {{"benchmark.isl", {cell("1024"), cell(isl, "override_long")}, false}, {"name", {cell("a"), check::SideCell{}}, false}};
}

const QStringList both{QStringLiteral("one"), QStringLiteral("two")};

TEST(SidesModel, ShowsAKeyInARowAndAJobInAColumn)
{
    SidesModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setSides(rows(), both);
    ASSERT_EQ(model.rowCount(), 2);
    ASSERT_EQ(model.columnCount(), 3);
    EXPECT_EQ(model.index(0, 2).data().toString(), QStringLiteral("8192"));
    EXPECT_EQ(model.index(0, 2).data(SidesModel::FromRole).toString(), QStringLiteral("override_long"));
    EXPECT_TRUE(model.index(0, 2).data(SidesModel::StandsOut).toBool());
    EXPECT_TRUE(model.index(1, 2).data(SidesModel::AbsentRole).toBool());
    EXPECT_EQ(model.index(1, 2).data().toString(), QStringLiteral("(not set)"));
    EXPECT_FALSE(model.index(1, 2).data(SidesModel::SortRole).isValid()) << "what is not set sorts last";
}

TEST(SidesModel, SaysWhereTheValuesOfASingleJobComeFrom)
{
    SidesModel model;
    model.setSides({{"benchmark.isl", {cell("1024", "sweep")}, true}}, {QStringLiteral("one")});
    ASSERT_EQ(model.columnCount(), 3);
    EXPECT_EQ(model.index(0, 2).data().toString(), QStringLiteral("sweep"));
}

TEST(SidesModel, ShowsNoSecretAndEditsItAllTheSame)
{
    SidesModel model;
    model.setSides({{"environment.HF_TOKEN", {cell("hf_secret")}, true},
                    {"benchmark.command", {cell("run --api-key abcdef")}, true},
                    {"environment.OTHER_KEY", {check::SideCell{}}, true}},
                   {QStringLiteral("one")}, true);
    EXPECT_EQ(model.index(0, 1).data().toString(), QStringLiteral("********"));
    EXPECT_FALSE(model.index(0, 1).data(Qt::ToolTipRole).toString().contains(QStringLiteral("hf_secret")));
    EXPECT_EQ(model.index(0, 1).data(Qt::EditRole).toString(), QStringLiteral("hf_secret"));
    EXPECT_EQ(model.index(1, 1).data().toString(), QStringLiteral("run --api-key ********"));
    EXPECT_EQ(model.index(2, 1).data().toString(), QStringLiteral("(not set)"));
}

TEST(SidesModel, KeepsItsRowsWhileValuesChange)
{
    SidesModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setSides(rows(), both);
    const QPersistentModelIndex kept = model.index(0, 2);
    model.setSides(rows("9"), both);
    ASSERT_TRUE(kept.isValid());
    EXPECT_EQ(kept.data().toString(), QStringLiteral("9"));
}

TEST(SidesModel, TellsWhatWasTypedAndChangesNothing)
{
    SidesModel model;
    model.setSides(rows(), both, true);
    std::string told;
    QObject::connect(&model, &SidesModel::edited, &model, [&](const check::SideCell&, const QString& path, const QString& typed) {
        told = (path + u'=' + typed).toStdString();
    });
    EXPECT_TRUE(model.index(0, 2).flags().testFlag(Qt::ItemIsEditable));
    EXPECT_FALSE(model.index(1, 2).flags().testFlag(Qt::ItemIsEditable)) << "it is written nowhere";
    EXPECT_TRUE(model.setData(model.index(0, 2), QStringLiteral("4096"), Qt::EditRole));
    EXPECT_EQ(told, "benchmark.isl=4096");
    EXPECT_EQ(model.index(0, 2).data().toString(), QStringLiteral("8192"));
}

TEST(MatrixModel, ShowsAJobInARowAndAKeyInAColumn)
{
    MatrixModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setSides(rows(), both, true);
    ASSERT_EQ(model.rowCount(), 2);
    ASSERT_EQ(model.columnCount(), 3);
    EXPECT_EQ(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("isl"));
    EXPECT_EQ(model.headerData(1, Qt::Horizontal, Qt::ToolTipRole).toString(), QStringLiteral("benchmark.isl"));
    EXPECT_EQ(model.index(1, 1).data().toString(), QStringLiteral("8192"));
    EXPECT_TRUE(model.index(1, 1).flags().testFlag(Qt::ItemIsEditable));
}

} // namespace
} // namespace wb::ui
