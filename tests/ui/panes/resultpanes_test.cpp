// The panes of results over the sample results that come with the program, imported into a catalogue of the test's own.
#include "core/results/pointtable.h"
#include "tests/support/corpus.h"
#include "tests/ui/shell/sessionfixture.h"
#include "ui/charts/chartview.h"
#include "ui/models/importmodel.h"
#include "ui/models/pointfacts.h"
#include "ui/models/pointsmodel.h"
#include "ui/panes/frontierpane.h"
#include "ui/panes/importpane.h"
#include "ui/panes/matchedpanel.h"
#include "ui/panes/ratesdialog.h"
#include "ui/panes/resultspane.h"
#include "ui/panes/tableview.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDesktopServices>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QTextBrowser>
#include <QToolButton>
#include <unistd.h>

#include <map>
#include <set>

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

TEST_F(ResultPanesTest, PricesAndPowerThatAreGivenMakeAxesOfCostAndEnergyAndAreKept)
{
    FrontierPane pane(session);
    show(pane);
    session.results().import({write(QStringLiteral("r.json"), R"([
        {"backend": "vllm", "job_name": "a", "max_concurrency": 8, "completed": 10, "duration": 10, "num_gpus": 2, "hardware": "gb200",
         "output_throughput": 100, "median_tpot_ms": 10},
        {"backend": "vllm", "job_name": "b", "max_concurrency": 8, "completed": 10, "duration": 10, "num_gpus": 2, "hardware": "h100",
         "output_throughput": 100, "median_tpot_ms": 10}])")});
    ASSERT_TRUE(settles());
    auto& y = child<QComboBox>(pane, "frontierY");
    y.setCurrentIndex(y.findData(QStringLiteral("cost-per-m-output-tokens")));
    ASSERT_TRUE(settles());
    EXPECT_THAT(child<QLabel>(pane, "frontierNotes").text().toStdString(), HasSubstr("2 without cost-per-m-output-tokens"));

    child<QToolButton>(pane, "frontierRates").click();
    auto* dialog = pane.findChild<RatesDialog*>();
    ASSERT_TRUE(dialog);
    const auto field = [&](const char* name) {
        for (QLineEdit* each : dialog->findChildren<QLineEdit*>())
            if (each->accessibleName() == QLatin1String(name))
                return each;
        throw std::runtime_error(std::string("no field ") + name);
    };
    field("US dollars a GPU-hour of gb200")->setText(QStringLiteral("cheap"));
    dialog->accept();
    EXPECT_TRUE(dialog->isVisible()) << "what is wrong is not taken";
    EXPECT_THAT(child<QLabel>(*dialog, "ratesFault").text().toStdString(), HasSubstr("\"cheap\" is no number above 0"));
    field("US dollars a GPU-hour of gb200")->setText(QStringLiteral("3.6"));
    field("Watts of All other GPUs")->setText(QStringLiteral("1000"));
    dialog->accept();
    ASSERT_TRUE(settles());
    const analysis::Chart& chart = *child<charts::ChartView>(pane, "frontierChart").chart();
    ASSERT_EQ(chart.series.size(), 1U);
    EXPECT_DOUBLE_EQ(chart.series.front().points.front().y, 20.0);
    EXPECT_THAT(chart.y.definition, HasSubstr("gb200 3.6"));
    EXPECT_THAT(child<QLabel>(pane, "frontierNotes").text().toStdString(), HasSubstr("1 without cost-per-m-output-tokens"));
    y.setCurrentIndex(y.findData(QStringLiteral("joules-per-output-token")));
    ASSERT_TRUE(settles());
    EXPECT_EQ(child<charts::ChartView>(pane, "frontierChart").chart()->withoutY, 0U);

    ResultsPane table(session);
    const auto& model = *child<TableView>(table, "resultsView").model();
    std::set<QString> costs;
    for (int row = 0; row < model.rowCount(); ++row)
        costs.insert(model.index(row, PointsModel::columnOf("cost-per-m-output-tokens")).data().toString());
    EXPECT_EQ(costs, (std::set<QString>{QStringLiteral("20"), QStringLiteral("\u2014")}));
    Session later({.dataFolder = session.dataFolder(), .mode = async::Mode::Pool, .environment = {}});
    later.results().load();
    ASSERT_TRUE(QTest::qWaitFor([&] { return later.workers().isIdle(); }, 20'000));
    EXPECT_EQ(later.results().rates(), session.results().rates());
    EXPECT_EQ(*later.results().points(), *session.results().points());
}

TEST_F(ResultPanesTest, APointIsMeasuredAgainByTrialValuesOfItsRecipe)
{
    write(QStringLiteral("recipes/tiny.yaml"), wb::ui::test::plainRecipe);
    session.library().setFolder(folder.filePath(QStringLiteral("recipes")));
    session.results().import({write(QStringLiteral("r.json"), R"([
        {"backend": "sglang", "job_name": "j", "recipe": "tiny.yaml", "max_concurrency": 8, "completed": 10, "duration": 10,
         "output_throughput": 100, "median_tpot_ms": 10},
        {"backend": "sglang", "job_name": "j", "recipe": "tiny.yaml", "max_concurrency": 32, "completed": 10, "duration": 10,
         "output_throughput": 200, "median_tpot_ms": 20},
        {"backend": "sglang", "job_name": "k", "recipe": "gone.yaml", "max_concurrency": 8, "completed": 10, "duration": 10,
         "output_throughput": 100, "median_tpot_ms": 10}])")});
    ASSERT_TRUE(settles());
    const auto& points = *session.results().points();
    const auto find = [&](const char* run, double concurrency) {
        for (const results::Point& point : points)
            if (point.run.text == run && point.concurrency == concurrency)
                return point.id;
        throw std::runtime_error("no such point");
    };
    ResultsPane pane(session);
    auto& view = child<TableView>(pane, "resultsView");
    const auto actionOf = [&](const PointId& id, const char* name, QMenu& menu) {
        session.selection().setPoint(id);
        Q_EMIT view.menuRequested(menu, view.currentSource());
        return menu.findChild<QAction*>(QString::fromLatin1(name));
    };
    QMenu gone;
    const QAction* impossible = actionOf(find("k", 8), "rerunAgain", gone);
    ASSERT_TRUE(impossible);
    EXPECT_FALSE(impossible->isEnabled());
    EXPECT_THAT(impossible->toolTip().toStdString(), HasSubstr("gone.yaml"));

    QMenu again;
    actionOf(find("j", 8), "rerunAgain", again)->trigger();
    ASSERT_TRUE(settles());
    const Document* document = session.documents().current();
    ASSERT_TRUE(document);
    ASSERT_EQ(document->trial.size(), 1U);
    EXPECT_EQ(document->trial.front().key, "benchmark.concurrencies");
    EXPECT_EQ(document->trial.front().text, "[8]");
    EXPECT_FALSE(document->isModified) << "the file stays as it is";
    ASSERT_TRUE(document->checked->variants.front().job);
    EXPECT_THAT(document->checked->variants.front().job->benchmark.concurrencies, testing::ElementsAre(8));

    QMenu near;
    actionOf(find("j", 8), "rerunNear", near)->trigger(); // the recipe is open and checked already
    ASSERT_TRUE(settles());
    ASSERT_EQ(session.documents().current()->trial.size(), 1U) << "in place of the value before";
    EXPECT_EQ(session.documents().current()->trial.front().text, "[5, 8, 16]");
    EXPECT_THAT(logged().back(), HasSubstr("trial value benchmark.concurrencies=[5, 8, 16]"));
}

TEST_F(ResultPanesTest, ARerunThatCameToNothingIsNotMadeLater)
{
    const QString recipe = write(QStringLiteral("recipes/tiny.yaml"), wb::ui::test::plainRecipe);
    session.library().setFolder(folder.filePath(QStringLiteral("recipes")));
    session.results().import({write(QStringLiteral("r.json"), R"({"backend": "sglang", "job_name": "j", "recipe": "tiny.yaml",
        "max_concurrency": 8, "completed": 10, "duration": 10, "output_throughput": 100, "median_tpot_ms": 10})")});
    ASSERT_TRUE(settles());
    QFile::remove(recipe); // the library knows it still
    session.prepareRerun(session.results().points()->front().id, Session::Rerun::Again);
    ASSERT_TRUE(settles());
    write(QStringLiteral("recipes/tiny.yaml"), wb::ui::test::plainRecipe);
    session.documents().open(recipe);
    ASSERT_TRUE(settles());
    ASSERT_TRUE(session.documents().current());
    EXPECT_TRUE(session.documents().current()->trial.empty());
}

TEST_F(ResultPanesTest, PricesThatCannotBeReadAreToldAndKept)
{
    FrontierPane pane(session);
    show(pane);
    write(QStringLiteral("data/rates.json"), "{\"prices\": \"dear\"}");
    session.results().import({write(QStringLiteral("r.json"), R"([
        {"backend": "vllm", "job_name": "a", "max_concurrency": 8, "completed": 1, "duration": 1, "hardware": "GB200", "median_tpot_ms": 1},
        {"backend": "vllm", "job_name": "b", "max_concurrency": 8, "completed": 1, "duration": 1, "hardware": "gb200", "median_tpot_ms": 1}])")});
    ASSERT_TRUE(settles());
    child<QToolButton>(pane, "frontierRates").click();
    auto* dialog = pane.findChild<RatesDialog*>();
    ASSERT_TRUE(dialog);
    EXPECT_THAT(child<QLabel>(*dialog, "ratesFault").text().toStdString(), HasSubstr("rates.json"));
    QStringList kinds;
    for (const QLineEdit* each : dialog->findChildren<QLineEdit*>())
        if (each->accessibleName().startsWith(QStringLiteral("Watts of")))
            kinds += each->accessibleName().toLower();
    EXPECT_EQ(kinds, (QStringList{QStringLiteral("watts of gb200"), QStringLiteral("watts of all other gpus")})) << "one kind, one row";
    for (QLineEdit* each : dialog->findChildren<QLineEdit*>())
        if (each->accessibleName() == QStringLiteral("Watts of All other GPUs"))
            each->setText(QStringLiteral("700"));
    dialog->accept();
    ASSERT_TRUE(settles());
    EXPECT_EQ(bytesOf(folder.filePath(QStringLiteral("data/rates.json.unread"))), "{\"prices\": \"dear\"}");
    EXPECT_THAT(bytesOf(folder.filePath(QStringLiteral("data/rates.json"))), HasSubstr("700"));
    EXPECT_EQ(session.results().ratesFault(), "");
}

TEST_F(ResultPanesTest, ARecipeWithoutConcurrenciesSaysWhyNothingIsPrefilled)
{
    std::string recipe = wb::ui::test::plainRecipe;
    recipe = recipe.substr(0, recipe.find("benchmark:")) + "benchmark:\n  type: manual\n";
    write(QStringLiteral("recipes/tiny.yaml"), recipe);
    session.library().setFolder(folder.filePath(QStringLiteral("recipes")));
    session.results().import({write(QStringLiteral("r.json"), R"({"backend": "sglang", "job_name": "j", "recipe": "tiny.yaml",
        "max_concurrency": 8, "completed": 10, "duration": 10, "output_throughput": 100, "median_tpot_ms": 10})")});
    ASSERT_TRUE(settles());
    session.prepareRerun(session.results().points()->front().id, Session::Rerun::Near);
    ASSERT_TRUE(settles());
    EXPECT_TRUE(session.documents().current()->trial.empty());
    EXPECT_THAT(logged().back(), HasSubstr("\"manual\""));
}

TEST_F(ResultPanesTest, TheStartOfARunStandsInItsRowAndARestoreBesideIt)
{
    write(QStringLiteral("run/1.json"), R"({"version": "2.0", "job_id": "1", "model": {"path": "Org/M"}, "backend_type": "vllm",
        "resources": {"gpu_type": "b200", "gpus_per_node": 4, "agg_nodes": 1, "agg_workers": 1, "gpus_per_agg": 4}})");
    write(QStringLiteral("run/run_lifecycle.json"), R"({"milestones": {}, "durations_s": {"time_to_ready": 720.0}})");
    write(QStringLiteral("run/logs/r_conc8.json"), R"({"backend": "vllm", "max_concurrency": 8, "completed": 10, "duration": 10,
        "output_throughput": 100, "median_tpot_ms": 10})");
    session.results().import({folder.filePath(QStringLiteral("run"))});
    ASSERT_TRUE(settles());
    ASSERT_EQ(session.results().points()->size(), 1U);
    ResultsPane pane(session);
    show(pane);
    session.selection().setPoint(session.results().points()->front().id);
    const auto& model = *child<TableView>(pane, "resultsView").model();
    EXPECT_EQ(model.index(0, PointsModel::columnOf("timeToReadyS")).data().toString(), QStringLiteral("720"));
    EXPECT_EQ(model.index(0, PointsModel::columnOf("idle-gpu-hours")).data().toString(), QStringLiteral("0.8"));
    const auto reference = [&] {
        const auto& facts = *child<TableView>(pane, "pointFacts").model();
        for (int row = 0; row < facts.rowCount(); ++row)
            if (facts.index(row, 0).data().toString() == QLatin1String("Snapshot reference"))
                return facts.index(row, 1).data().toString().toStdString();
        return std::string("no row");
    };
    EXPECT_EQ(reference(), "no row") << "nothing was imported";
    session.snapshots().importStartup(
        {write(QStringLiteral("s.csv"), "model,engine,gpu,gpus,cold_start_s,restore_total_s\nM,vllm,NVIDIA B200,4,100,10\n")});
    ASSERT_TRUE(settles());
    EXPECT_THAT(reference(), HasSubstr("restore 10 s (exact)")) << "beside the point, in place of nothing";
    EXPECT_EQ(session.results().points()->front().timeToReadyS, 720.0);
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
    ASSERT_TRUE(settles()); // it is written on a worker
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
    ASSERT_TRUE(settles()); // it is written on a worker
    EXPECT_THAT(bytesOf(csv), HasSubstr("# x: "));
    const QString table = folder.filePath(QStringLiteral("comparison.csv"));
    pane.exportComparison(table);
    ASSERT_TRUE(settles()); // it is written on a worker
    EXPECT_THAT(bytesOf(table), HasSubstr("measured"));
    other.openView(write(QStringLiteral("no.srtview"), "{}"));
    EXPECT_FALSE(child<QWidget>(other, "messageBar").isHidden());
}

TEST_F(ResultPanesTest, FrontierHasTheIdsThatSrtwbParetoGives)
{
    FrontierPane pane(session);
    show(pane);
    importSamples();
    auto& group = child<QComboBox>(pane, "frontierGroup");
    group.setCurrentIndex(group.findData(QStringLiteral("hardware")));
    child<QLineEdit>(pane, "frontierWhere").setText(QStringLiteral("concurrency>=2"));
    child<QLineEdit>(pane, "frontierSlo").setText(QStringLiteral("ttft-p99<=100000"));
    QTest::keyClick(&child<QLineEdit>(pane, "frontierSlo"), Qt::Key_Return);
    ASSERT_TRUE(settles());
    auto& chart = child<charts::ChartView>(pane, "frontierChart");
    ASSERT_TRUE(chart.chart());
    std::map<std::string, std::vector<std::string>> ours;
    for (const analysis::ChartSeries& series : chart.chart()->series) {
        for (const std::size_t index : series.frontier)
            ours[series.key].push_back(series.points[index].id.text);
    }

    QProcess program;
    program.start(QStringLiteral(SRTWB_PROGRAM),
                  {QStringLiteral("pareto"), QStringLiteral("--catalogue"), session.results().catalogueFile(), QStringLiteral("--group"),
                   QStringLiteral("hardware"), QStringLiteral("--where"), QStringLiteral("concurrency>=2"), QStringLiteral("--slo"),
                   QStringLiteral("ttft-p99<=100000"), QStringLiteral("--json")});
    ASSERT_TRUE(program.waitForFinished(60'000));
    ASSERT_EQ(program.exitCode(), 0) << program.readAllStandardError().toStdString();
    const auto document = base::json::read(program.readAllStandardOutput().toStdString());
    ASSERT_TRUE(document);
    std::map<std::string, std::vector<std::string>> theirs;
    for (const base::json::Value& each : document->find("groups")->array()) {
        for (const base::json::Value& id : each.find("frontier")->array())
            theirs[*each.find("key")->string()].push_back(*id.string());
    }
    EXPECT_FALSE(theirs.empty());
    EXPECT_EQ(ours, theirs);
}

TEST_F(ResultPanesTest, ResultsAreGroupedAndKeepSelectionAndColumns)
{
    ResultsPane pane(session);
    show(pane);
    importSamples();
    auto& view = child<TableView>(pane, "resultsView");
    const int runs = PointsModel::columnOf("run");
    const int pp = PointsModel::columnOf("pp");
    EXPECT_TRUE(view.isColumnHidden(pp)) << "not all columns at first";
    auto* columns = child<QToolButton>(pane, "resultsColumns").menu();
    for (QAction* action : columns->actions()) {
        if (action->text() == QStringLiteral("PP"))
            action->trigger();
    }
    EXPECT_FALSE(view.isColumnHidden(pp));
    const PointId last = session.results().points()->back().id;
    session.selection().setPoint(last);
    auto& group = child<QComboBox>(pane, "resultsGroup");
    group.setCurrentIndex(group.findData(QStringLiteral("run")));
    EXPECT_FALSE(view.isColumnHidden(pp)) << "the columns stay as they were chosen";
    std::set<std::string> names;
    for (const results::Point& point : *session.results().points())
        names.insert(point.run.text);
    ASSERT_EQ(view.model()->rowCount(), static_cast<int>(names.size()));
    int children = 0;
    for (int row = 0; row < view.model()->rowCount(); ++row) {
        children += view.model()->rowCount(view.model()->index(row, 0));
        EXPECT_THAT(view.model()->index(row, runs).data().toString().toStdString(), HasSubstr("point"));
    }
    EXPECT_EQ(children, static_cast<int>(session.results().points()->size()));
    EXPECT_EQ(view.currentSource().data(PointsModel::PointIdRole).toString().toStdString(), last.text);
    session.results().setFilter(QStringLiteral("run=\"%1\"").arg(QString::fromStdString(*names.begin())));
    EXPECT_EQ(view.model()->rowCount(), 1) << "groups without a point that is looked for are not there";
    group.setCurrentIndex(0);
    session.results().setFilter({});
    EXPECT_EQ(view.model()->rowCount(), static_cast<int>(session.results().points()->size()));
}

TEST_F(ResultPanesTest, APointLeadsToItsFolderItsRecipeAndItsJob)
{
    session.library().setFolder(QString::fromStdString(wb::test::own("").string()));
    ResultsPane pane(session);
    show(pane);
    importSamples();
    auto& view = child<TableView>(pane, "resultsView");
    const results::Point point = session.results().points()->front();
    store::JobEntry job;
    job.id = "0123456789abcdef";
    job.name = "fetched";
    job.step = store::Step::Submitted;
    job.fetched = point.folder;
    session.jobs().take({job});
    session.selection().setPoint(point.id);
    ASSERT_TRUE(settles());
    ASSERT_EQ(session.selection().job(), job.id) << "its results were fetched from that job";
    QTextBrowser opened; // stands in for the desktop's file manager
    QDesktopServices::setUrlHandler(QStringLiteral("file"), &opened, "setSource");
    QStringList panes;
    QObject::connect(&session, &Session::paneWanted, &pane, [&](const QString& id) { panes += id; });
    const auto choose = [&](const char* words) {
        QMenu menu;
        Q_EMIT view.menuRequested(menu, view.currentSource());
        for (QAction* action : menu.actions()) {
            if (action->text() == QLatin1String(words)) {
                EXPECT_TRUE(action->isEnabled()) << words;
                action->trigger();
                return;
            }
        }
        ADD_FAILURE() << "the menu has no " << words;
    };
    choose("Open the folder of its run");
    EXPECT_EQ(opened.source().toLocalFile().toStdString(), point.folder);
    choose("Open the folder of its file");
    EXPECT_EQ(opened.source().toLocalFile().toStdString() + "/", point.source.substr(0, point.source.rfind('/') + 1));
    QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
    choose("Show its job");
    EXPECT_EQ(panes, QStringList(QStringLiteral("jobs")));
    choose("Open its recipe and job");
    ASSERT_TRUE(settles());
    ASSERT_TRUE(session.documents().current());
    EXPECT_THAT(session.documents().current()->path.toStdString(), HasSubstr("recipes/dsr1-disagg-chunked-prefill.yaml"));
    ASSERT_TRUE(session.selection().checkedVariant());
    EXPECT_EQ(session.selection().checkedVariant()->name, *point.variant);
}

TEST_F(ResultPanesTest, ResultsLeaveByCopyAndCsvWithEmptyForUnknown)
{
    ResultsPane pane(session);
    show(pane);
    importSamples();
    auto& view = child<TableView>(pane, "resultsView");
    view.copyTable();
    const QString copied = QGuiApplication::clipboard()->text();
    EXPECT_EQ(copied.count(QLatin1Char('\n')), static_cast<int>(session.results().points()->size()));
    EXPECT_FALSE(copied.contains(QChar(0x2014))) << "a dash is no value";
    session.results().setFilter(QStringLiteral("valid=true"));
    const QString file = folder.filePath(QStringLiteral("points.csv"));
    pane.exportCsv(file);
    ASSERT_TRUE(settles()); // it is written on a worker
    std::vector<results::Point> valid;
    for (const results::Point& point : *session.results().points()) {
        if (point.valid)
            valid.push_back(point);
    }
    EXPECT_EQ(bytesOf(file), results::asCsv(valid)) << "as srtwb points --csv writes them";
}

TEST_F(ResultPanesTest, TheCardCorrectsTheGpuCountAndKeepsNoteAndTags)
{
    ResultsPane pane(session);
    show(pane);
    importSamples();
    child<QToolButton>(pane, "resultsDetails").click();
    const results::Point before = session.results().points()->front();
    session.selection().setPoint(before.id);
    auto& facts = child<TableView>(pane, "pointFacts");
    const auto rowOf = [&facts](const char* field) {
        for (int row = 0; row < facts.model()->rowCount(); ++row) {
            if (facts.model()->index(row, PointFacts::Title).data().toString() ==
                QString::fromUtf8(results::findNumberField(field)->title.data()))
                return row;
        }
        return -1;
    };
    ASSERT_GE(rowOf("gpus.working"), 0);
    const QModelIndex cell = facts.model()->index(rowOf("gpus.working"), PointFacts::Value);
    EXPECT_TRUE(cell.flags().testFlag(Qt::ItemIsEditable));
    ASSERT_TRUE(facts.filter().setData(cell, QStringLiteral("4096"), Qt::EditRole));
    ASSERT_TRUE(settles());
    const auto now = [&] { return *session.results().find(before.id); };
    EXPECT_EQ(now().gpus.working, 4096);
    EXPECT_EQ(facts.model()->index(rowOf("gpus.working"), PointFacts::From).data().toString(), QStringLiteral("told by you"));
    if (before.gpus.working) {
        EXPECT_THAT(now().notes, testing::Contains(HasSubstr("you said 4096"))) << "both are shown";
    }
    EXPECT_FALSE(facts.filter().setData(cell, QStringLiteral("4096"), Qt::EditRole)) << "nothing changed";
    ASSERT_TRUE(
        facts.filter().setData(facts.model()->index(rowOf("gpus.working"), PointFacts::Value), QStringLiteral("many"), Qt::EditRole));
    ASSERT_TRUE(settles());
    EXPECT_FALSE(child<QWidget>(pane, "messageBar").isHidden()) << "no number";
    EXPECT_EQ(now().gpus.working, 4096);

    auto& tags = child<QLineEdit>(pane, "pointTags");
    tags.setText(QStringLiteral("night  best night"));
    QTest::keyClick(&tags, Qt::Key_Return);
    auto& note = child<QLineEdit>(pane, "pointNote");
    note.setText(QStringLiteral("after the driver update"));
    QTest::keyClick(&note, Qt::Key_Return);
    ASSERT_TRUE(settles());
    EXPECT_THAT(now().tags, testing::ElementsAre("best", "night"));
    EXPECT_EQ(now().userNote, "after the driver update");

    Session later({.dataFolder = session.dataFolder(), .mode = async::Mode::Pool, .environment = {}});
    later.results().load();
    ASSERT_TRUE(QTest::qWaitFor([&] { return later.workers().isIdle(); }, 20'000));
    EXPECT_EQ(later.results().find(before.id)->gpus.working, 4096) << "kept in the catalogue";
    session.results().edit(before.source, std::nullopt, "gpus.working", std::nullopt);
    ASSERT_TRUE(settles());
    EXPECT_EQ(now().gpus.working, before.gpus.working) << "taken back";
}

TEST_F(ResultPanesTest, TheImportReportTellsOfEveryFileAndLearnsMore)
{
    ImportPane pane(session);
    show(pane);
    write(QStringLiteral("in/cut.json"), "{\"median_tpot_ms\": 1.0, ");
    write(QStringLiteral("in/notes.txt"), "nothing");
    write(QStringLiteral("in/odd.json"), "{\"a\": 1}");
    session.results().import({folder.filePath(QStringLiteral("in"))});
    ASSERT_TRUE(settles());
    auto& view = child<TableView>(pane, "importView");
    EXPECT_EQ(view.model()->rowCount(), 3);
    for (int row = 0; row < 3; ++row)
        EXPECT_FALSE(view.model()->index(row, ImportModel::Reason).data().toString().isEmpty()) << "each has a reason";
    auto& state = child<QComboBox>(pane, "importState");
    state.setCurrentIndex(state.findData(QStringLiteral("refused")));
    EXPECT_EQ(view.model()->rowCount(), 3);
    state.setCurrentIndex(state.findData(QStringLiteral("imported")));
    EXPECT_EQ(view.model()->rowCount(), 0);
    state.setCurrentIndex(0);
    child<QLineEdit>(pane, "importFilter").setText(QStringLiteral("odd"));
    ASSERT_EQ(view.model()->rowCount(), 1);
    auto& tell = child<QPushButton>(pane, "importTell");
    EXPECT_FALSE(tell.isEnabled()) << "nothing is selected";
    view.selectAll();
    ASSERT_TRUE(tell.isEnabled());
    auto& format = child<QComboBox>(pane, "importFormat");
    format.setCurrentIndex(format.findData(QStringLiteral("vllm-bench-serve")));
    tell.click();
    ASSERT_TRUE(settles());
    ASSERT_EQ(view.model()->rowCount(), 1) << "the same file, its last word";
    EXPECT_THAT(view.model()->index(0, ImportModel::Format).data().toString().toStdString() +
                    view.model()->index(0, ImportModel::Reason).data().toString().toStdString(),
                HasSubstr("vLLM"));
}

TEST_F(ResultPanesTest, TheImportReportIsToldTheGpus)
{
    ImportPane pane(session);
    show(pane);
    importSamples();
    auto& view = child<TableView>(pane, "importView");
    view.selectAll();
    child<QLineEdit>(pane, "importGpus").setText(QStringLiteral("512"));
    QTest::keyClick(&child<QLineEdit>(pane, "importGpus"), Qt::Key_Return);
    ASSERT_TRUE(settles());
    for (const results::Point& point : *session.results().points())
        EXPECT_EQ(point.gpus.working, 512) << point.id.text;
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
