// The panes of results over the sample results that come with the program, imported into a catalogue of the test's own.
#include "tests/support/corpus.h"
#include "tests/ui/shell/sessionfixture.h"
#include "ui/charts/chartview.h"
#include "ui/models/pointsmodel.h"
#include "ui/panes/frontierpane.h"
#include "ui/panes/matchedpanel.h"
#include "ui/panes/resultspane.h"
#include "ui/panes/tableview.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <unistd.h>

namespace wb::ui {
namespace {

using testing::HasSubstr;

class ResultPanesTest : public test::SessionTest
{
protected:
    template <typename Widget>
    static Widget& child(const QWidget& pane, const char* name)
    {
        auto* found = pane.findChild<Widget*>(QString::fromLatin1(name));
        if (!found)
            throw std::runtime_error(std::string("the pane has no ") + name);
        return *found;
    }

    void importSamples()
    {
        session.results().import({QString::fromStdString(wb::test::own("resources/samples/results").string())});
        ASSERT_TRUE(settles());
        ASSERT_FALSE(session.results().points()->empty()) << logged().back();
    }

    static void show(QWidget& pane)
    {
        pane.resize(900, 600);
        pane.show();
    }
};

TEST_F(ResultPanesTest, ResultsListEveryPointAndFollowTheSelection)
{
    ResultsPane pane(session);
    show(pane);
    importSamples();
    auto& view = child<TableView>(pane, "resultsView");
    EXPECT_EQ(static_cast<std::size_t>(view.model()->rowCount()), session.results().points()->size());
    const PointId last = session.results().points()->back().id;
    session.selection().setPoint(last);
    EXPECT_EQ(view.currentSource().data(PointsModel::PointIdRole).toString().toStdString(), last.text);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(view.model()->index(0, 0)).center());
    EXPECT_EQ(session.selection().point(), session.results().points()->front().id);
}

TEST_F(ResultPanesTest, ResultsAreThereAgainInTheNextSession)
{
    importSamples();
    Session later({.dataFolder = session.dataFolder(), .mode = async::Mode::Pool, .environment = {}});
    later.results().load();
    ASSERT_TRUE(QTest::qWaitFor([&] { return later.workers().isIdle(); }, 20'000));
    EXPECT_EQ(later.results().points()->size(), session.results().points()->size());
}

TEST_F(ResultPanesTest, AnImportThatIsCancelledKeepsNothing)
{
    session.results().import({QString::fromStdString(wb::test::own("resources/samples/results").string())});
    EXPECT_TRUE(session.results().isImporting());
    session.results().cancel();
    EXPECT_FALSE(session.results().isImporting());
    ASSERT_TRUE(settles());
    EXPECT_TRUE(session.results().points()->empty());
    EXPECT_THAT(logged().back(), HasSubstr("stopped"));
}

TEST_F(ResultPanesTest, ForgottenFilesTakeTheirPointsWithThem)
{
    importSamples();
    const std::size_t before = session.results().points()->size();
    const std::string source = session.results().points()->front().source;
    session.results().forget({QString::fromStdString(source)});
    ASSERT_TRUE(settles());
    EXPECT_LT(session.results().points()->size(), before);
    for (const results::Point& point : *session.results().points())
        EXPECT_NE(point.source, source);
}

TEST_F(ResultPanesTest, TellWhatWasNotImported)
{
    session.results().import({write(QStringLiteral("cut.json"), "{\"median_tpot_ms\": 1.0, ")});
    ASSERT_TRUE(settles());
    EXPECT_TRUE(session.results().points()->empty());
    EXPECT_THAT(logged(), testing::Contains(HasSubstr("Imported 0 point")));
}

TEST_F(ResultPanesTest, ACatalogueThatMayOnlyBeReadIsShownAndSaysSo)
{
    if (::geteuid() == 0)
        GTEST_SKIP() << "root may write everything";
    importSamples();
    const QString file = session.results().catalogueFile();
    QFile::setPermissions(file, QFileDevice::ReadOwner);
    Session later({.dataFolder = session.dataFolder(), .mode = async::Mode::Pool, .environment = {}});
    ResultsPane pane(later);
    later.results().load();
    ASSERT_TRUE(QTest::qWaitFor([&] { return later.workers().isIdle(); }, 20'000));
    EXPECT_EQ(later.results().points()->size(), session.results().points()->size());
    EXPECT_EQ(later.results().whyReadOnly(), QStringLiteral("permission denied"));
    EXPECT_THAT(child<QLabel>(pane, "resultsSummary").text().toStdString(), HasSubstr("read-only"));
    QFile::setPermissions(file, QFileDevice::ReadOwner | QFileDevice::WriteOwner);
}

TEST_F(ResultPanesTest, FrontierDrawsThePointsAndOpensOneByClick)
{
    FrontierPane pane(session);
    show(pane);
    importSamples();
    auto& chart = child<charts::ChartView>(pane, "frontierChart");
    const PointId id = session.results().points()->front().id;
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart.positionOf(id).has_value(); }));
    EXPECT_THAT(child<QLabel>(pane, "frontierNotes").text().toStdString(), HasSubstr("drawn"));
    EXPECT_THAT(child<QLabel>(pane, "frontierNotes").text().toStdString(), HasSubstr("simulated"));
    Q_EMIT chart.pointActivated(id);
    EXPECT_EQ(session.selection().point(), id);
    EXPECT_EQ(chart.selected(), id);
}

TEST_F(ResultPanesTest, FrontierAndTableShareFilterAndSelection)
{
    FrontierPane pane(session);
    ResultsPane table(session);
    show(pane);
    importSamples();
    auto& chart = child<charts::ChartView>(pane, "frontierChart");
    auto& view = child<TableView>(table, "resultsView");
    const auto& points = *session.results().points();
    ASSERT_GT(points.size(), 2U);

    Q_EMIT chart.pointsMarked({points[0].id, points[2].id});
    ASSERT_EQ(view.selectedSources().size(), 2);
    EXPECT_EQ(view.selectedSources()[1].data(PointsModel::PointIdRole).toString().toStdString(), points[2].id.text);
    view.selectAll();
    EXPECT_EQ(chart.marked().size(), points.size()) << "and back";

    const double least = points.front().concurrency.value_or(1) + 1;
    child<QLineEdit>(table, "resultsFilter").setText(QStringLiteral("concurrency<%1").arg(least));
    QTest::keyClick(&child<QLineEdit>(table, "resultsFilter"), Qt::Key_Return);
    ASSERT_TRUE(settles());
    EXPECT_EQ(child<QLineEdit>(pane, "frontierWhere").text(), QStringLiteral("concurrency<%1").arg(least));
    EXPECT_LT(view.model()->rowCount(), static_cast<int>(points.size()));
    ASSERT_TRUE(chart.chart());
    EXPECT_EQ(chart.chart()->filteredOut, points.size() - static_cast<std::size_t>(view.model()->rowCount()));
}

TEST_F(ResultPanesTest, FrontierComparesGroupsAndKeepsItsViewInAFile)
{
    FrontierPane pane(session);
    show(pane);
    importSamples();
    auto& chart = child<charts::ChartView>(pane, "frontierChart");
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart.chart() && !chart.chart()->series.empty(); }));
    auto& matched = child<MatchedPanel>(pane, "matchedPanel");
    EXPECT_TRUE(matched.isHidden());
    child<QToolButton>(pane, "frontierCompare").click();
    EXPECT_FALSE(matched.isHidden());
    const analysis::ChartPoint& best = chart.chart()->series[0].points[chart.chart()->series[0].frontier[0]];
    child<QLineEdit>(pane, "matchedX").setText(QString::number(best.x, 'g', 17));
    ASSERT_TRUE(matched.comparison().groups[0].value);
    EXPECT_DOUBLE_EQ(*matched.comparison().groups[0].value, best.y);
    EXPECT_EQ(child<TableView>(pane, "matchedView").model()->rowCount(), static_cast<int>(chart.chart()->series.size()));

    chart.setParts({.labels = charts::PointLabels::Concurrency, .overall = true, .curves = true});
    chart.setScale(Qt::Horizontal, charts::Scale::Log);
    chart.setZoom(analysis::ChartViewFile::Zoom{best.x / 2, best.x * 2, best.y / 2, best.y * 2});
    auto& group = child<QComboBox>(pane, "frontierGroup");
    const QString file = folder.filePath(QStringLiteral("view.srtview"));
    pane.saveView(file);
    const std::string saved = base::json::write(analysis::toJson(pane.viewFile()));

    FrontierPane other(session);
    show(other);
    child<QComboBox>(other, "frontierX").setCurrentIndex(3);
    ASSERT_TRUE(settles());
    other.openView(file);
    ASSERT_TRUE(settles());
    EXPECT_EQ(base::json::write(analysis::toJson(other.viewFile())), saved);
    EXPECT_EQ(child<QComboBox>(other, "frontierGroup").currentText(), group.currentText());
    EXPECT_TRUE(child<charts::ChartView>(other, "frontierChart").isZoomed());

    const QString csv = folder.filePath(QStringLiteral("points.csv"));
    pane.exportTo(csv);
    EXPECT_THAT(bytesOf(csv), HasSubstr("# x: "));
    other.openView(write(QStringLiteral("no.srtview"), "{}"));
    EXPECT_FALSE(child<QWidget>(other, "messageBar").isHidden());
}

TEST_F(ResultPanesTest, FrontierSimulatesTheOpenRecipe)
{
    FrontierPane pane(session);
    show(pane);
    auto& chart = child<charts::ChartView>(pane, "frontierChart");
    session.documents().open(write(QStringLiteral("tiny.yaml"), test::plainRecipe));
    ASSERT_TRUE(settles());
    auto* toggle = pane.findChild<QAction*>(QStringLiteral("frontierSimulate"));
    ASSERT_TRUE(toggle);
    toggle->trigger();
    ASSERT_TRUE(settles());
    ASSERT_TRUE(chart.chart());
    ASSERT_FALSE(chart.chart()->series.empty());
    for (const analysis::ChartSeries& series : chart.chart()->series)
        EXPECT_TRUE(series.simulated) << series.key;
    toggle->trigger();
    ASSERT_TRUE(settles());
    EXPECT_TRUE(chart.chart()->series.empty());
}

TEST_F(ResultPanesTest, FrontierSaysWhatIsWrongWithAFilter)
{
    FrontierPane pane(session);
    show(pane);
    importSamples();
    auto& where = child<QLineEdit>(pane, "frontierWhere");
    where.setText(QStringLiteral("concurrency>=>"));
    QTest::keyClick(&where, Qt::Key_Return);
    ASSERT_TRUE(settles());
    EXPECT_FALSE(child<QWidget>(pane, "messageBar").isHidden());
    where.setText(QStringLiteral("concurrency>=8"));
    QTest::keyClick(&where, Qt::Key_Return);
    ASSERT_TRUE(settles());
    EXPECT_TRUE(child<QWidget>(pane, "messageBar").isHidden());
}

} // namespace
} // namespace wb::ui
