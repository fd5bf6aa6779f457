// A walk through the window as pictures, to be looked at by people: window_walk DIR [folder of recipes] [light|dark]. QT_SCALE_FACTOR=2
// gives them at twice the size; on a real display (Xvfb) they are what a user sees.
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
#include <QDir>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <cstdio>
#include <functional>

using namespace wb;

namespace {

QString write(const QTemporaryDir& folder, const char* name, const QByteArray& text)
{
    const QString path = folder.filePath(QString::fromLatin1(name));
    QFile file(path);
    static_cast<void>(file.open(QIODevice::WriteOnly));
    file.write(text);
    return path;
}

const QByteArray sweep =
    "# A sweep of two parameters\nname: qwen-sweep\nmodel: {path: hf:Qwen/Qwen3-32B, container: lmsysorg/sglang:latest, precision: bf16}\n"
    "resources:\n  gpu_type: h100\n  gpus_per_node: 8\n  agg_nodes: 1\n  agg_workers: 1\nslurm:\n  time_limit: \"2:00:00\"\n"
    "backend:\n  type: sglang\n  sglang_config:\n    aggregated:\n      tensor-parallel-size: 8\n"
    "      mem-fraction-static: \"{mem}\"\nbenchmark:\n  type: sa-bench\n  isl: \"{isl}\"\n  osl: 1024\n"
    "  concurrencies: \"4x8x16\"\nsweep:\n  isl: [1024, 4096, 8192]   # lengths\n  mem: [0.8, 0.85, 0.9]\n";

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    ui::EnglishPlurals plurals;
    QCoreApplication::installTranslator(&plurals);
    const QString out = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral(".");
    const QString recipes = argc > 2 ? QString::fromLocal8Bit(argv[2]) : QStringLiteral(SRTWB_SHARED_DIR "/corpus/v1/recipes");
    const QTemporaryDir data;
    QSettings settings(data.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    ui::applyTheme(ui::themeOf(argc > 3 ? QString::fromLocal8Bit(argv[3]) : QStringLiteral("light")));
    ui::Session session({.dataFolder = data.path(), .mode = ui::async::Mode::Pool, .environment = {}});
    ui::MainWindow window(session, settings);
    window.resize(1440, 900);
    window.show();
    window.activateWindow();
    static_cast<void>(QTest::qWaitForWindowActive(&window));
    test::WindowPictures walk(session, window, out);
    const auto show = [&](const char* pane) {
        window.showPane(pane);
        walk.rest();
    };

    walk.picture("first-steps");
    session.library().setFolder(recipes);
    walk.rest();
    walk.picture("folder");
    walk.child<QLineEdit>("recipesFilter").setText(QStringLiteral("gpu_type=gb200 isl>4000"));
    window.dock("recipes")->setFloating(false);
    window.resizeDocks({window.dock("recipes")}, {760}, Qt::Horizontal);
    walk.picture("folder-filtered");
    walk.child<QLineEdit>("recipesFilter").setText(QStringLiteral("alike>0"));
    walk.picture("folder-alike");
    walk.child<QLineEdit>("recipesFilter").setText(QStringLiteral("nokey=1"));
    walk.picture("folder-unknown-key");
    walk.child<QLineEdit>("recipesFilter").clear();
    window.layoutKeeper().reset();

    const QString file = write(data, "sweep.yaml", sweep);
    session.documents().open(file);
    walk.rest();
    session.selection().setVariant(4);
    walk.picture("sweep-resolved");
    walk.child<QTabWidget>("variantsTabs").setCurrentIndex(1);
    window.resizeDocks({window.dock("variants")}, {700}, Qt::Horizontal);
    walk.picture("sweep-matrix");
    walk.child<QLineEdit>("trialValues").setText(QStringLiteral("resources.agg_nodes=2; resources.agg_workers=2"));
    QTest::keyClick(&walk.child<QLineEdit>("trialValues"), Qt::Key_Return);
    walk.picture("trial-values");
    walk.child<QLineEdit>("trialValues").clear();
    walk.child<QTabWidget>("variantsTabs").setCurrentIndex(0);
    walk.rest();
    session.conversions().asZip(session.documents().current()->id);
    walk.picture("sweep-as-zip");
    walk.closeDialogs();
    session.conversions().migrate(session.documents().current()->id);
    walk.picture("migrate");
    walk.closeDialogs();
    window.layoutKeeper().reset();
    show("form");
    window.resizeDocks({window.dock("form")}, {480}, Qt::Horizontal);
    auto& form = walk.child<ui::TableView>("formView");
    form.expandAll();
    form.setCurrentIndex(form.model()->index(1, 0));
    walk.picture("form");
    walk.child<QCheckBox>("formExpert").setChecked(true);
    walk.picture("form-expert");
    window.layoutKeeper().reset();
    window.compareJobs();
    window.resizeDocks({window.dock("compare")}, {420}, Qt::Vertical);
    walk.picture("compare-jobs");
    const QStringList some = QDir(recipes + QStringLiteral("/b200-fp8")).entryList({QStringLiteral("*.yaml")}, QDir::Files);
    QStringList paths;
    for (const QString& each : some.mid(2, 3))
        paths += recipes + QStringLiteral("/b200-fp8/") + each;
    if (paths.size() > 1) {
        window.compare(paths);
        walk.picture("compare-recipes");
        walk.child<QTabWidget>("compareTabs").setCurrentIndex(1);
        walk.picture("compare-text");
        session.conversions().consolidate(paths);
        walk.picture("consolidate");
        walk.closeDialogs();
    }
    show("tasks");
    walk.picture("tasks");
    window.layoutKeeper().reset();
    window.editors().current()->goTo(window.editors().current()->utf8Text().find("sglang_config"));
    session.showHelpAtCursor();
    walk.picture("help-field");
    session.showHelp(QStringLiteral("zip-length"));
    walk.picture("help-code");
    window.editShortcuts();
    walk.picture("shortcuts");
    walk.closeDialogs();
    window.openPalette();
    walk.picture("palette");
    walk.child<QLineEdit>("paletteEdit").setText(QStringLiteral("recipe"));
    walk.picture("palette-narrowed");
    QTest::keyClick(&walk.child<QLineEdit>("paletteEdit"), Qt::Key_Escape);

    // What floats over the text.
    auto* text = window.editors().current()->findChild<QPlainTextEdit*>(QStringLiteral("editorText"));
    window.layoutKeeper().reset();
    walk.rest();
    // The list is there only while one types into the text of the active window, and no window manager made it that again.
    window.activateWindow();
    static_cast<void>(QTest::qWaitForWindowActive(&window));
    text->setFocus();
    window.editors().current()->goTo(window.editors().current()->utf8Text().find("\nbackend:"));
    QTest::keyClick(text, Qt::Key_Return);
    QTest::keyClick(text, Qt::Key_Space, Qt::ControlModifier);
    QTest::qWait(300);
    walk.picture("completion");
    QTest::keyClicks(text, QStringLiteral("par"));
    QTest::qWait(300);
    walk.picture("completion-narrowed");
    QTest::keyClick(text, Qt::Key_Escape);
    while (window.editors().current()->utf8Text() != sweep.toStdString() && session.documents().current()->isModified)
        window.editors().current()->undo();
    walk.rest();
    window.editors().current()->goTo(window.editors().current()->utf8Text().find("mem-fraction") + 3);
    window.editors().current()->describe();
    walk.picture("hover");
    QTest::keyClick(text, Qt::Key_Escape);

    // A recipe with problems, its sweep marked; the place of a problem.
    QByteArray bad = sweep;
    bad.replace("isl: [1024, 4096, 8192]", "isl: [1024, many, 8192]");
    bad.replace("gpu_type", "gpu_typ");
    session.documents().open(write(data, "bad.yaml", bad));
    walk.rest();
    show("problems");
    show("variants");
    text = window.editors().current()->findChild<QPlainTextEdit*>(QStringLiteral("editorText"));
    text->setFocus();
    window.editors().current()->goToNextProblem();
    walk.picture("problems");
    window.editors().current()->showFixes();
    walk.picture("fixes");
    for (QWidget* top : QApplication::topLevelWidgets()) {
        if (qobject_cast<QMenu*>(top))
            top->close();
    }

    // The dry run of a large recipe: artifacts, what was found in them, what differs, the map.
    const QString large = recipes + QStringLiteral("/gb300-fp8/glm5.yaml");
    session.documents().open(QFileInfo::exists(large) ? large : file);
    walk.rest();
    window.layoutKeeper().switchTo(QStringLiteral("dry-run"));
    show("artifacts");
    walk.picture("artifacts");
    walk.child<QLineEdit>("artifactWords").setText(QStringLiteral("port"));
    QTest::qWait(300);
    walk.picture("artifacts-found");
    walk.child<QLineEdit>("artifactWords").clear();
    auto& compared = walk.child<QComboBox>("artifactsCompared");
    if (compared.count() > 1) {
        compared.setCurrentIndex(1);
        Q_EMIT compared.activated(1);
    }
    walk.picture("artifacts-compared");
    show("topology");
    walk.picture("topology");
    walk.child<QToolButton>("topologyFit").click();
    walk.picture("topology-fit");

    // Many tabs, and a cluster file.
    window.layoutKeeper().switchTo(QStringLiteral("author"));
    const QStringList all = QDir(recipes + QStringLiteral("/b200-fp8")).entryList({QStringLiteral("*.yaml")}, QDir::Files);
    for (const QString& each : all.mid(0, 24))
        session.documents().open(recipes + QStringLiteral("/b200-fp8/") + each);
    walk.picture("many-tabs");
    session.documents().open(write(data, "srtslurm.yaml",
                                   "default_account: me\ndefault_partition: gpu\ngpus_per_node: 8\nmodel_paths:\n  qwen: /models/qwen\n"));
    walk.picture("cluster-file");
    return 0;
}
