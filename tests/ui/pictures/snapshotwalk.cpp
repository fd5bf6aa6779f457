// NVIDIA Snapshot, the comparison of runs and the report in the window as pictures, to be looked at by people: snapshot_walk DIR
// [light|dark]. Needs the shared data. QT_SCALE_FACTOR=2 gives them at twice the size.
#include "tests/support/corpus.h"
#include "tests/ui/pictures/windowpictures.h"
#include "ui/editor/recipeeditor.h"
#include "ui/panes/tableview.h"
#include "ui/shell/editorarea.h"
#include "ui/shell/englishplurals.h"
#include "ui/shell/layouts.h"
#include "ui/shell/mainwindow.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDoubleSpinBox>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>

using namespace wb;

namespace {

QString sharedPath(const char* below)
{
    return QString::fromStdString(wb::test::shared(below).value_or(std::filesystem::path()).string());
}

class Walk : public wb::test::WindowPictures
{
public:
    using WindowPictures::WindowPictures;

    void run();

private:
    void manifests();
    void preflight();
    void startup();
    void runs();
};

void Walk::manifests()
{
    m_session.documents().open(sharedPath("snapshot/manifests/invalid/sj-env-value-number.yaml"));
    rest();
    m_window.showPane("snapshot");
    m_window.showPane("problems");
    m_window.editors().current()->goToNextProblem();
    picture("snapshot-manifest");
    m_window.newManifest(QStringLiteral("vllm-8-capture"));
    rest();
    picture("snapshot-new-capture");
    m_window.newManifest();
    picture("snapshot-templates");
    m_window.findChild<QWidget*>(QStringLiteral("commandPalette"))->close();
    m_session.documents().open(sharedPath("snapshot/manifests/upstream/vllm/capture/qwen3-0.6b-snapshotjob.yaml"));
    rest();
    ui::RecipeEditor& editor = *m_window.editors().current();
    editor.goTo(editor.utf8Text().find("podTemplate:"));
    editor.describe();
    picture("snapshot-hover");
    editor.goTo(editor.utf8Text().find("podTemplate:"));
    editor.complete();
    picture("snapshot-complete");
    m_window.makeRestoreManifest();
    rest();
    picture("snapshot-restore");
    for (QDialog* dialog : m_window.findChildren<QDialog*>())
        dialog->close();
}

void Walk::preflight()
{
    m_session.snapshots().readCaptured(sharedPath("snapshot/status/psc-ready-with-source.json"));
    rest();
    snapshot::ClusterNode same;
    same.facts = m_session.snapshots().captured();
    same.facts.name = "gpu-node-1";
    same.isReady = true;
    snapshot::ClusterNode newer = same;
    newer.facts.name = "gpu-node-2";
    newer.facts.driverVersion = "615.71.09";
    newer.facts.kernelVersion = "6.8.0-71-generic";
    snapshot::ClusterNode bare;
    bare.facts.name = "gpu-node-3";
    bare.facts.architecture = "amd64";
    std::size_t index = 0;
    for (const snapshot::ClusterNode& node : {newer, bare, same})
        m_session.snapshots().setNode(index++, node);
    child<QTabWidget>("snapshotTabs").setCurrentIndex(1);
    picture("snapshot-preflight");
    child<ui::TableView>("preflightNodes").setCurrentIndex(child<ui::TableView>("preflightNodes").model()->index(2, 0));
    picture("snapshot-preflight-refused");
    child<QTabWidget>("snapshotTabs").setCurrentIndex(3);
    picture("snapshot-cluster");
}

void Walk::startup()
{
    child<QTabWidget>("snapshotTabs").setCurrentIndex(2);
    picture("snapshot-startup-empty");
    m_session.snapshots().importStartup({sharedPath("snapshot/results"), sharedPath("snapshot/logs"), sharedPath("snapshot/srt")});
    rest();
    child<QDoubleSpinBox>("bandwidth").setValue(25.0);
    const char* names[] = {"snapshot-bars", "snapshot-phases", "snapshot-breakeven", "snapshot-nights"};
    for (int view = 0; view < 4; ++view) {
        child<QComboBox>("startupView").setCurrentIndex(view);
        picture(names[view]);
    }
    child<QCheckBox>("takeSynthetic").setChecked(true);
    child<QComboBox>("startupView").setCurrentIndex(0);
    picture("snapshot-bars-synthetic");
    child<QComboBox>("startupView").setCurrentIndex(1);
    child<QCheckBox>("startupShares").setChecked(true);
    picture("snapshot-phases-shares");
}

void Walk::runs()
{
    const QDir real(sharedPath("results/real/srt-slurm"));
    QStringList locks;
    for (const char* stem : {"good-pr-container-15908", "nightly-a749-15902", "official-v0201-15963"})
        locks += real.filePath(QLatin1String(stem) + QStringLiteral("__recipe.lock.yaml"));
    m_session.compareRuns(locks);
    picture("compare-runs");
    m_session.compareRuns({real.filePath(QStringLiteral("nightly-a749-revert-pr41015-15975__recipe.lock.yaml")),
                           real.filePath(QStringLiteral("nightly-a749-revert-pr41135-15984__recipe.lock.yaml"))});
    picture("compare-single");
}

void Walk::run()
{
    m_window.layoutKeeper().switchTo(QStringLiteral("author"));
    manifests();
    preflight();
    startup();
    runs();
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::fputs("usage: snapshot_walk DIR [light|dark]\n", stderr);
        return 2;
    }
    QApplication application(argc, argv);
    ui::EnglishPlurals plurals;
    QCoreApplication::installTranslator(&plurals);
    const bool isDark = argc > 2 && QByteArray(argv[2]) == "dark";
    ui::applyTheme(isDark ? ui::Theme::Dark : ui::Theme::Light);
    const QTemporaryDir aside;
    QSettings settings(aside.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    ui::Session session({.dataFolder = aside.path(), .mode = ui::async::Mode::Pool, .environment = {}});
    ui::MainWindow window(session, settings);
    window.resize(1600, 1000);
    window.show();
    Walk(session, window, QString::fromLocal8Bit(argv[1])).run();
    return 0;
}
