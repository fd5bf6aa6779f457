#include "ui/models/importmodel.h"
#include "ui/models/matchedmodel.h"
#include "ui/models/pointfacts.h"
#include "ui/models/pointgroups.h"
#include "ui/models/text.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb::ui {
namespace {

using testing::HasSubstr;
using enum QAbstractItemModelTester::FailureReportingMode;

results::Point point(const std::string& id, const std::optional<std::string>& hardware, std::optional<double> concurrency)
{
    results::Point p;
    p.id.text = id;
    p.run.text = "r";
    p.hardware = hardware;
    p.concurrency = concurrency;
    return p;
}

Points points(std::vector<results::Point> all)
{
    return std::make_shared<const std::vector<results::Point>>(std::move(all));
}

TEST(PointGroups, PutsPointsBelowTheirValueAndUnknownApart)
{
    PointsModel model;
    PointGroups groups(model);
    const QAbstractItemModelTester tester(&groups, Fatal);
    model.setPoints(points({point("a", "h100", 1), point("b", {}, 2), point("c", "h100", 4)}));
    groups.regroup("hardware");
    ASSERT_EQ(groups.rowCount(), 2);
    const QModelIndex first = groups.index(0, 0);
    EXPECT_TRUE(groups.isGroup(first));
    EXPECT_EQ(groups.sourceRow(first), -1);
    EXPECT_EQ(groups.rowCount(first), 2);
    EXPECT_EQ(groups.sourceRow(groups.index(1, 0, first)), 2);
    EXPECT_EQ(groups.index(1, PointsModel::columnOf("concurrency"), first).data().toString(), QStringLiteral("4"));
    EXPECT_TRUE(groups.index(1, 0).data().toString().startsWith(dash())) << "unknown has a group of its own";
    EXPECT_EQ(groups.indexOf(1).parent(), groups.index(1, 0));
    EXPECT_FALSE(groups.indexOf(7).isValid());
    groups.release();
    model.setPoints({});
    EXPECT_EQ(groups.rowCount(), 0);
}

TEST(PointsModel, CopiesExactValuesAndNothingForUnknown)
{
    PointsModel model;
    model.setPoints(points({point("a", {}, 0.1234567890123)}));
    EXPECT_EQ(model.index(0, PointsModel::columnOf("concurrency")).data(PointsModel::CopyRole).toString(),
              QStringLiteral("0.1234567890123"));
    EXPECT_EQ(model.index(0, PointsModel::columnOf("hardware")).data(PointsModel::CopyRole).toString(), QString());
}

TEST(PointFacts, SaysWhereEachValueComesFromAndTakesTheUsers)
{
    results::Point p = point("a", "h100", 8);
    p.gpus.working = 16;
    p.origins["gpus.working"] = {.file = "run/1.json", .key = "gpus", .raw = "16"};
    p.valid = false;
    p.reasons = {"No request completed."};
    p.notes = {"GPUs: the file name says 8, the metadata says 16."};
    PointFacts facts;
    const QAbstractItemModelTester tester(&facts, Fatal);
    facts.setPoint(&p);
    const auto cell = [&facts](const std::string& id, int column) { return facts.index(facts.rowOf(id), column); };
    EXPECT_EQ(cell("reason 0", PointFacts::Value).data().toString(), QStringLiteral("No request completed."));
    EXPECT_THAT(cell("note 0", PointFacts::Value).data().toString().toStdString(), HasSubstr("says 8")) << "conflicts are shown";
    EXPECT_EQ(cell("gpus.working", PointFacts::From).data().toString(), QStringLiteral("gpus = 16 in run/1.json"));
    EXPECT_EQ(cell("gpus.decode", PointFacts::Value).data().toString(), dash()) << "what may be told is listed unknown, too";
    EXPECT_FALSE(cell("format", PointFacts::Value).flags().testFlag(Qt::ItemIsEditable));
    QSignalSpy edited(&facts, &PointFacts::edited);
    EXPECT_TRUE(facts.setData(cell("gpus.decode", PointFacts::Value), QStringLiteral(" 12 "), Qt::EditRole));
    ASSERT_EQ(edited.count(), 1);
    EXPECT_EQ(edited[0][0].toString(), QStringLiteral("gpus.decode"));
    EXPECT_EQ(edited[0][1].toString(), QStringLiteral("12"));
    EXPECT_FALSE(facts.setData(cell("gpus.working", PointFacts::Value), QStringLiteral("16"), Qt::EditRole)) << "no change";
    facts.setPoint(nullptr);
    EXPECT_EQ(facts.rowCount(), 0);
}

TEST(ImportModel, HasARowForEachFileAndEachFactOfARun)
{
    ImportModel model;
    const QAbstractItemModelTester tester(&model, Fatal);
    const results::ReportLine taken{"/r/a.json", "sa-bench", results::FileState::Imported, 3, "", {"One of 4 was left out."}};
    const results::ReportLine refused{"/r/b.json", "", results::FileState::Refused, 0, "It ends early.", {}};
    results::RunReport run{.folder = "/r", .run = {"1001"}, .identity = {}, .notes = {"No fingerprint."}};
    run.identity.push_back({"model.revision", "0366e4e", "", results::IdentityState::Unknown});
    model.setReport({taken, refused}, {run});
    ASSERT_EQ(model.rowCount(), 4);
    EXPECT_EQ(model.index(0, ImportModel::Points).data().toString(), QStringLiteral("3"));
    EXPECT_EQ(model.index(0, ImportModel::Reason).data().toString(), QStringLiteral("One of 4 was left out."));
    EXPECT_EQ(model.index(1, ImportModel::Format).data().toString(), dash());
    EXPECT_EQ(model.index(2, ImportModel::State).data().toString(), QStringLiteral("unknown"));
    EXPECT_THAT(model.index(2, ImportModel::Reason).data().toString().toStdString(), HasSubstr("declared 0366e4e, not seen"));
    EXPECT_TRUE(model.row(2).file.empty()) << "no file to be read again";
    model.setReport({refused}, {});
    EXPECT_EQ(model.rowCount(), 1);
}

TEST(MatchedModel, MarksWhatIsInterpolatedAndKeepsUnknownUnknown)
{
    analysis::Chart chart;
    chart.series.push_back({.key = "a",
                            .points = {{.id = {"a0"}, .x = 10, .y = 400, .concurrency = 8}, {.id = {"a1"}, .x = 20, .y = 300}},
                            .frontier = {0, 1},
                            .hypervolume = {}});
    chart.series.push_back({.key = "b", .points = {{.id = {"b0"}, .x = 30, .y = 1}}, .frontier = {0}, .hypervolume = 30.0});
    MatchedModel model;
    const QAbstractItemModelTester tester(&model, Fatal);
    model.setComparison(analysis::matchedComparison(chart, {.x = 15.0, .baseline = {}, .hidden = {}}), chart);
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.index(0, MatchedModel::ValueAt).data().toString(), QStringLiteral("\u2248 350"));
    EXPECT_EQ(model.index(0, MatchedModel::How).data().toString(), QStringLiteral("interpolated"));
    EXPECT_EQ(model.index(0, MatchedModel::Left).data().toString(), QStringLiteral("10 | 400 at concurrency 8"));
    EXPECT_EQ(model.index(1, MatchedModel::ValueAt).data().toString(), dash());
    EXPECT_FALSE(model.index(1, MatchedModel::ValueAt).data(MatchedModel::SortRole).isValid());
    EXPECT_EQ(model.index(1, MatchedModel::Against).data().toString(), dash());
    EXPECT_THAT(model.index(1, MatchedModel::ValueAt).data(Qt::ToolTipRole).toString().toStdString(), HasSubstr("reaches from 30"));
    EXPECT_EQ(percent(-0.125), QStringLiteral("-12.5 %"));
}

} // namespace
} // namespace wb::ui
