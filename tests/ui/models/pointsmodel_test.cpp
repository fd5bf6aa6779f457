#include "tests/ui/models/modeltest.h"
#include "ui/models/pointsmodel.h"
#include "ui/models/text.h"

#include <QAbstractItemModelTester>
#include <gmock/gmock.h>

#include <set>

namespace wb::ui {
namespace {

results::Point point(std::string id)
{
    results::Point out;
    out.id = {std::move(id)};
    out.run = {"run-1"};
    out.concurrency = 64;
    return out;
}

Points points(std::vector<results::Point> all)
{
    return std::make_shared<const std::vector<results::Point>>(std::move(all));
}

QModelIndex cell(const PointsModel& model, int row, std::string_view field)
{
    return model.index(row, PointsModel::columnOf(field));
}

TEST(PointsModel, ShowsADashForWhatTheFileDoesNotTell)
{
    PointsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setPoints(points({point("a")}));
    EXPECT_EQ(cell(model, 0, "concurrency").data().toString(), QStringLiteral("64"));
    EXPECT_EQ(cell(model, 0, "ttftMs.p50").data().toString(), dash());
    EXPECT_FALSE(cell(model, 0, "ttftMs.p50").data(PointsModel::SortRole).isValid()) << "unknown is not a number to sort by";
    EXPECT_FALSE(cell(model, 0, "ttftMs.p50").data(Qt::ToolTipRole).toString().isEmpty());
}

TEST(PointsModel, ShowsAZeroThatTheFileTells)
{
    results::Point zero = point("a");
    zero.failed = 0;
    PointsModel model;
    model.setPoints(points({zero}));
    EXPECT_EQ(cell(model, 0, "failed").data().toString(), QStringLiteral("0"));
}

TEST(PointsModel, TellsWhereAFigureCameFrom)
{
    results::Point measured = point("a");
    measured.tpotMs.p50 = 12.5;
    measured.origins["tpotMs.p50"] = {.file = "run/result.json", .key = "median_tpot_ms", .raw = "12.5"};
    PointsModel model;
    model.setPoints(points({measured}));
    const std::string tip = cell(model, 0, "tpotMs.p50").data(Qt::ToolTipRole).toString().toStdString();
    EXPECT_THAT(tip, testing::HasSubstr("median_tpot_ms = 12.5"));
    EXPECT_THAT(tip, testing::HasSubstr("run/result.json"));
}

TEST(PointsModel, GivesTheReasonOfAnInvalidPoint)
{
    results::Point bad = point("a");
    bad.valid = false;
    bad.reasons = {"No request completed."};
    PointsModel model;
    model.setPoints(points({bad}));
    EXPECT_EQ(cell(model, 0, "valid").data().toString(), QStringLiteral("no"));
    EXPECT_EQ(cell(model, 0, "reasons").data().toString(), QStringLiteral("No request completed."));
    EXPECT_FALSE(model.index(0, 0).data(PointsModel::ValidRole).toBool());
}

TEST(PointsModel, TellsWhatStoodWhereANumberBelongs)
{
    results::Point odd = point("a");
    odd.source = "run/r.json";
    odd.origins["ttftMs.p50"] = {.file = {}, .key = "median_ttft_ms", .raw = "soon", .place = "line 2, column 7"};
    PointsModel model;
    model.setPoints(points({odd}));
    EXPECT_EQ(cell(model, 0, "ttftMs.p50").data().toString(), dash());
    EXPECT_THAT(cell(model, 0, "ttftMs.p50").data(Qt::ToolTipRole).toString().toStdString(),
                testing::AllOf(testing::HasSubstr("\"median_ttft_ms\" is \"soon\""), testing::HasSubstr("line 2, column 7")));
}

TEST(PointsModel, SaysTheUnitInTheTitle)
{
    const PointsModel model;
    for (const results::NumberField& field : results::numberFields()) {
        if (!field.inContract || field.unit.empty() || field.unit == "GPUs" || field.unit == "requests" || field.unit == "users")
            continue; // counts name what they count
        const std::string title =
            model.headerData(PointsModel::columnOf(field.key), Qt::Horizontal, Qt::DisplayRole).toString().toStdString();
        EXPECT_THAT(title, testing::HasSubstr(std::string(field.unit))) << field.key;
    }
}

TEST(PointsModel, HasAColumnForEachFieldOnce)
{
    const PointsModel model;
    std::set<std::string> titles;
    for (int column = 0; column < model.columnCount(); ++column) {
        EXPECT_FALSE(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
        EXPECT_TRUE(titles.insert(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().toStdString()).second);
    }
    EXPECT_EQ(PointsModel::columnOf("no such field"), -1);
}

TEST(PointsModel, SurvivesRandomChanges)
{
    PointsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    test::Shuffler shuffler;
    for (int round = 0; round < 100; ++round) {
        std::vector<results::Point> all;
        for (const int number : shuffler.some(12))
            all.push_back(point("p" + std::to_string(number)));
        model.setPoints(points(all));
        ASSERT_EQ(static_cast<std::size_t>(model.rowCount()), all.size());
        for (int row = 0; row < model.rowCount(); ++row)
            ASSERT_EQ(model.rowOf(all[static_cast<std::size_t>(row)].id), row);
    }
}

} // namespace
} // namespace wb::ui
