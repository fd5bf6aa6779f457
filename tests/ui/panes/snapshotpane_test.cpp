// The Snapshot pane: which nodes can restore, what a restore brings.
#include "core/base/json.h"
#include "tests/support/corpus.h"
#include "tests/ui/panes/panefixture.h"
#include "ui/charts/startupchart.h"
#include "ui/models/cellsmodel.h"
#include "ui/panes/snapshotpane.h"
#include "ui/panes/snapshotstartup.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QTabBar>
#include <QTabWidget>

#include <set>

namespace wb::ui {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class SnapshotPaneTest : public test::PaneTest
{
protected:
    void makePane() { PaneTest::makePane<SnapshotPane>(); }

    void import(const char* below)
    {
        session.snapshots().importStartup({QString::fromStdString(wb::test::shared(below)->string())});
        ASSERT_TRUE(settles());
    }
};

TEST_F(SnapshotPaneTest, GivesTheExpectedMismatchesOfEveryPair)
{
    SRTWB_NEEDS_SHARED("snapshot/compat/pairs.json");
    makePane();
    const auto pairs = base::json::read(wb::test::bytesOf(*wb::test::shared("snapshot/compat/pairs.json")));
    ASSERT_TRUE(pairs);
    ASSERT_EQ(pairs->array().size(), 17U);
    for (const base::json::Value& pair : pairs->array()) {
        SCOPED_TRACE(*pair.find("name")->string());
        session.snapshots().readCaptured(write(QStringLiteral("source.json"), base::json::write(*pair.find("source"))));
        session.snapshots().readNodes(write(QStringLiteral("target.json"), base::json::write(*pair.find("target"))));
        ASSERT_TRUE(settles());
        std::vector<std::string> wanted;
        for (const base::json::Value& one : pair.find("expected")->array())
            wanted.push_back(*one.find("check")->string());
        std::vector<std::string> shown;
        const auto checks = column("preflightChecks", 0);
        const auto states = column("preflightChecks", 2);
        for (std::size_t i = 0; i < checks.size(); ++i) {
            if (states[i] == "mismatch")
                shown.push_back(checks[i]);
        }
        EXPECT_EQ(shown, wanted);
        EXPECT_THAT(column("preflightNodes", 1), ElementsAre(wanted.empty() ? testing::AnyOf("can restore", "not known")
                                                                            : testing::AnyOf("would be refused", "would be refused")));
    }
}

TEST_F(SnapshotPaneTest, WhatIsNotKnownNeverRefusesAndIsNeverShownAsFine)
{
    makePane();
    snapshot::ClusterNode node;
    node.facts.name = "bare";
    session.snapshots().setNode(0, node);
    EXPECT_THAT(column("preflightNodes", 1), ElementsAre("not known"));
    EXPECT_THAT(column("preflightChecks", 2), Not(Contains("mismatch")));
    EXPECT_THAT(column("preflightChecks", 2), Not(Contains("ok")));
}

TEST_F(SnapshotPaneTest, FactsThatAreTypedOverTellWhatWouldComeOfThem)
{
    makePane();
    auto& facts = child<TableView>("preflightFacts");
    const auto type = [&](const char* title, int column, const char* value) {
        const QModelIndexList found =
            facts.model()->match(facts.model()->index(0, 0), Qt::DisplayRole, QLatin1String(title), 1, Qt::MatchExactly);
        ASSERT_FALSE(found.isEmpty()) << title;
        facts.model()->setData(found.first().siblingAtColumn(column), QLatin1String(value), Qt::EditRole);
    };
    snapshot::ClusterNode node;
    node.facts.name = "n";
    session.snapshots().setNode(0, node);
    type("Driver", 1, "595.58.03");
    type("Driver", 2, "595.58.03");
    EXPECT_EQ(session.snapshots().outcomes().front().verdict, snapshot::Verdict::NotKnown);
    type("Driver", 2, "615.71.09");
    EXPECT_EQ(session.snapshots().outcomes().front().verdict, snapshot::Verdict::Refused);
    EXPECT_THAT(column("preflightNodes", 2), ElementsAre("driver-version"));
    type("Driver", 2, "");
    EXPECT_EQ(session.snapshots().outcomes().front().verdict, snapshot::Verdict::NotKnown);
}

TEST_F(SnapshotPaneTest, TakesTheFactsOfARealContent)
{
    SRTWB_NEEDS_SHARED("snapshot/status/psc-ready-with-source.json");
    makePane();
    session.snapshots().readCaptured(QString::fromStdString(wb::test::shared("snapshot/status/psc-ready-with-source.json")->string()));
    ASSERT_TRUE(settles());
    EXPECT_THAT(column("preflightFacts", 1), Contains(HasSubstr("NVIDIA B200")));
}

TEST_F(SnapshotPaneTest, ABadDescriptionIsToldAndLeavesWhatIsThere)
{
    makePane();
    session.snapshots().readNodes(write(QStringLiteral("bad.json"), "{"));
    ASSERT_TRUE(settles());
    EXPECT_THAT(logged().back(), HasSubstr("bad.json"));
    EXPECT_TRUE(session.snapshots().nodes().empty());
}

TEST_F(SnapshotPaneTest, ShowsWhatThePublishedTableComesTo)
{
    SRTWB_NEEDS_SHARED("snapshot/results/published/benchmarks_v0.1.0.md");
    makePane();
    import("snapshot/results/published/benchmarks_v0.1.0.md");
    EXPECT_THAT(column("startupRuns", 6), testing::UnorderedElementsAre("14.9×", "7.22×", "4.82×", "2.74×", "4.09×", "4.55×", "2.39×"));
    EXPECT_THAT(column("startupRuns", 7), testing::Each("—")) << "there is no checkpoint in the table";
}

TEST_F(SnapshotPaneTest, ShowsTheBreakEvenOfTheNights)
{
    SRTWB_NEEDS_SHARED("snapshot/results/nightly/results");
    makePane();
    import("snapshot/results/nightly/results");
    const auto engines = column("startupRuns", 1);
    const auto dates = column("startupRuns", 17);
    const auto needed = column("startupRuns", 7);
    const auto extra = column("startupRuns", 8);
    const auto claim = column("startupRuns", 9);
    std::vector<std::string> told;
    for (std::size_t i = 0; i < engines.size(); ++i)
        told.push_back(engines[i].substr(0, engines[i].find(' ')) + " " + dates[i].substr(5, 5) + " " + needed[i] + " " + extra[i] + " " +
                       claim[i]);
    EXPECT_THAT(told, testing::IsSupersetOf({"vllm 09-18 1 3 yes", "vllm 09-24 2 3 no", "sglang 09-18 2 4 no", "sglang 09-24 2 5 no",
                                             "tensorrt-llm 10-01 2 5 no"}));
    EXPECT_THAT(column("startupRuns", 6), Contains(HasSubstr("estimated"))) << "the offset of an event is no cold start";
}

TEST_F(SnapshotPaneTest, MadeUpRunsAreBadgedAndLeftOutOfTheChart)
{
    SRTWB_NEEDS_SHARED("snapshot/results/runresult");
    makePane();
    import("snapshot/results/runresult");
    EXPECT_THAT(column("startupRuns", 0), testing::Each(HasSubstr("[synthetic]")));
    EXPECT_EQ(child<QComboBox>("startupGroup").count(), 0);
    child<QCheckBox>("takeSynthetic").setChecked(true);
    EXPECT_GT(child<QComboBox>("startupGroup").count(), 0);
    EXPECT_THAT(child<QLabel>("startupSummary").text().toStdString(), HasSubstr("refused")) << "schema 7 is not read";
    EXPECT_THAT(column("startupFiles", 3), Contains(HasSubstr("schema_version 7")));
}

TEST_F(SnapshotPaneTest, SaysTheStorageFloorOfAGivenBandwidth)
{
    makePane();
    snapshot::StartupRun run;
    run.id = "a";
    run.format = "csv";
    run.source = "/x";
    run.model = "m";
    run.artifactBytes = 520e9;
    run.restore = {.seconds = 18.0, .clock = snapshot::Clock::Agent, .note = {}};
    session.snapshots().importStartup({write(QStringLiteral("runs.json"), base::json::write(snapshot::exportJson(std::vector{run})))});
    ASSERT_TRUE(settles());
    EXPECT_THAT(column("startupRuns", 11), ElementsAre("—"));
    child<QDoubleSpinBox>("bandwidth").setValue(25.0);
    EXPECT_THAT(column("startupRuns", 11), ElementsAre("20.8 (restore is below)"));
}

TEST_F(SnapshotPaneTest, StartupResultsAreThereAgainAndExportsReimportEqual)
{
    SRTWB_NEEDS_SHARED("snapshot/results");
    SRTWB_NEEDS_SHARED("snapshot/logs");
    makePane();
    import("snapshot/results");
    import("snapshot/logs");
    const auto runs = session.snapshots().startup()->runs;
    ASSERT_GT(runs.size(), 20U);
    Session later({.dataFolder = session.dataFolder(), .mode = async::Mode::Pool, .environment = {}});
    later.snapshots().loadStartup();
    ASSERT_TRUE(QTest::qWaitFor([&] { return later.workers().isIdle(); }, 20'000));
    EXPECT_EQ(later.snapshots().startup()->runs, runs);
}

TEST_F(SnapshotPaneTest, ExportsOfThePaneReimportEqual)
{
    SRTWB_NEEDS_SHARED("snapshot/results");
    SRTWB_NEEDS_SHARED("snapshot/logs");
    SRTWB_NEEDS_SHARED("snapshot/srt");
    makePane();
    for (const char* below : {"snapshot/results", "snapshot/logs", "snapshot/srt"})
        import(below);
    const auto runs = session.snapshots().startup()->runs;
    ASSERT_GT(runs.size(), 20U);
    auto* startup = pane->findChild<SnapshotStartup*>();
    ASSERT_TRUE(startup);
    for (const char* suffix : {"json", "csv"}) {
        SCOPED_TRACE(suffix);
        const QString file = folder.filePath(QStringLiteral("runs.") + QLatin1String(suffix));
        startup->exportRuns(file);
        ASSERT_TRUE(settles());
        ASSERT_TRUE(QFileInfo::exists(file)) << logged().back();
        QTemporaryDir other;
        Session later({.dataFolder = other.path(), .mode = async::Mode::Pool, .environment = {}});
        later.snapshots().importStartup({file});
        ASSERT_TRUE(QTest::qWaitFor([&] { return later.workers().isIdle(); }, 20'000));
        EXPECT_EQ(later.snapshots().startup()->runs, runs);
    }
}

TEST_F(SnapshotPaneTest, BadFilesAreListedAndStopNothing)
{
    SRTWB_NEEDS_SHARED("snapshot/results");
    makePane();
    write(QStringLiteral("in/cut.json"), "{\"schema_version\": 1, ");
    write(QStringLiteral("in/empty.csv"), "");
    write(QStringLiteral("in/words.txt"), "nothing of startup\n");
    write(QStringLiteral("in/good.csv"), "model,engine,gpu,cold_start_s,restore_total_s\nm,vllm,B200,100,10\n");
    session.snapshots().importStartup(
        {folder.filePath(QStringLiteral("in")), QString::fromStdString(wb::test::shared("snapshot/results/runresult")->string())});
    ASSERT_TRUE(settles());
    std::vector<std::string> listed;
    for (const std::string& file : column("startupFiles", 0))
        listed.push_back(file.substr(file.rfind('/') + 1));
    EXPECT_THAT(listed, Contains("cut.json"));
    EXPECT_THAT(listed, Contains(HasSubstr("unsupported-schema-7")));
    EXPECT_THAT(column("startupRuns", 0), Contains("m"));
}

TEST_F(SnapshotPaneTest, EverythingIsReachedByTheKeyboard)
{
    makePane();
    auto& tabs = child<QTabWidget>("snapshotTabs");
    for (int tab = 0; tab < tabs.count(); ++tab) {
        tabs.setCurrentIndex(tab);
        SCOPED_TRACE(tabs.tabText(tab).toStdString());
        std::set<const QWidget*> wanted;
        for (const QWidget* each : tabs.widget(tab)->findChildren<QWidget*>()) {
            const bool isControl = qobject_cast<const QAbstractButton*>(each) || qobject_cast<const QComboBox*>(each) ||
                                   qobject_cast<const QLineEdit*>(each) || qobject_cast<const QAbstractSpinBox*>(each) ||
                                   qobject_cast<const QAbstractItemView*>(each);
            const bool isPart = qobject_cast<const QComboBox*>(each->parentWidget()) ||
                                qobject_cast<const QAbstractSpinBox*>(each->parentWidget()) ||
                                qobject_cast<const QLineEdit*>(each->parentWidget()) || qobject_cast<const QHeaderView*>(each) ||
                                each->objectName().startsWith(QLatin1String("qt_"));
            if (isControl && !isPart && each->isVisibleTo(pane.get()) && each->isEnabled())
                wanted.insert(each);
        }
        EXPECT_FALSE(wanted.empty());
        tabs.tabBar()->setFocus();
        for (int step = 0; step < 200 && !wanted.empty(); ++step) {
            QWidget* now = pane->focusWidget();
            ASSERT_TRUE(now);
            for (QWidget* each = now; each; each = each->parentWidget())
                wanted.erase(each);
            QTest::keyClick(now, Qt::Key_Tab);
        }
        for (const QWidget* each : wanted)
            ADD_FAILURE() << each->metaObject()->className() << " \"" << each->objectName().toStdString() << "\" is never reached by Tab";
    }
}

TEST_F(SnapshotPaneTest, EveryViewOfTheChartIsDrawnAndExported)
{
    SRTWB_NEEDS_SHARED("snapshot/results");
    makePane();
    import("snapshot/results");
    child<QTabWidget>("snapshotTabs").setCurrentIndex(2);
    child<QCheckBox>("takeSynthetic").setChecked(true);
    auto& chart = child<charts::StartupChart>("startupChart");
    std::vector<QImage> seen;
    for (int view = 0; view < 4; ++view) {
        child<QComboBox>("startupView").setCurrentIndex(view);
        const QImage image = chart.grab().toImage();
        for (const QImage& other : seen)
            EXPECT_NE(image, other);
        seen.push_back(image);
        for (const char* suffix : {"png", "svg"}) {
            const QString file = folder.filePath(QStringLiteral("chart%1.%2").arg(view).arg(QLatin1String(suffix)));
            const auto written = chart.write(file);
            ASSERT_TRUE(written) << written.error().message;
            EXPECT_GT(QFileInfo(file).size(), 1000);
        }
    }
    EXPECT_FALSE(chart.write(folder.filePath(QStringLiteral("chart.bmp"))));
}

} // namespace
} // namespace wb::ui
