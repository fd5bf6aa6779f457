#include "ui/shell/actions.h"

#include "ui/editor/recipeeditor.h"
#include "ui/shell/editorarea.h"
#include "ui/shell/layouts.h"
#include "ui/shell/mainwindow.h"
#include "ui/shell/theme.h"

#include <QCoreApplication>

namespace wb::ui {

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("wb::ui::Action", text);
}

// --- why something cannot be done -----------------------------------------------------------------------------------------------------

QString noDocument(const MainWindow& window)
{
    return window.session().documents().current() ? QString() : translated(QT_TRANSLATE_NOOP("wb::ui::Action", "No recipe is open."));
}

QString nothingToSave(const MainWindow& window)
{
    const Document* document = window.session().documents().current();
    if (!document)
        return noDocument(window);
    return document->isModified || document->path.isEmpty() ? QString()
                                                            : translated(QT_TRANSLATE_NOOP("wb::ui::Action", "The recipe has no changes."));
}

QString noProblem(const MainWindow& window)
{
    const CheckedPtr checked = window.session().selection().checked();
    if (!checked)
        return noDocument(window);
    return checked->diagnostics.empty() ? translated(QT_TRANSLATE_NOOP("wb::ui::Action", "The recipe has no problems.")) : QString();
}

QString noText(const MainWindow& window)
{
    const RecipeEditor* editor = window.editors().current();
    if (!editor)
        return noDocument(window);
    return editor->isReadOnly() ? translated(QT_TRANSLATE_NOOP("wb::ui::Action", "The text is read-only.")) : QString();
}

QString noWayBack(const MainWindow& window)
{
    return window.editors().canGoBack() ? QString() : translated(QT_TRANSLATE_NOOP("wb::ui::Action", "No place was left yet."));
}

QString noWayForward(const MainWindow& window)
{
    return window.editors().canGoForward() ? QString()
                                           : translated(QT_TRANSLATE_NOOP("wb::ui::Action", "This is the place that was visited last."));
}

QString noVariant(const MainWindow& window)
{
    return window.session().selection().variant() ? QString()
                                                  : translated(QT_TRANSLATE_NOOP("wb::ui::Action", "There is no recipe with a job."));
}

QString noPoints(const MainWindow& window)
{
    return window.session().results().points()->empty() ? translated(QT_TRANSLATE_NOOP("wb::ui::Action", "No results are imported."))
                                                        : QString();
}

QString noImport(const MainWindow& window)
{
    return window.session().results().isImporting() ? QString() : translated(QT_TRANSLATE_NOOP("wb::ui::Action", "No import is running."));
}

QString noCluster(const MainWindow& window)
{
    return window.session().clusterPath().isEmpty() ? translated(QT_TRANSLATE_NOOP("wb::ui::Action", "No cluster file is chosen."))
                                                    : QString();
}

QString noFolder(const MainWindow& window)
{
    return window.session().library().folder().isEmpty() ? translated(QT_TRANSLATE_NOOP("wb::ui::Action", "No folder is open."))
                                                         : QString();
}

QString noRecipe(const MainWindow& window)
{
    const CheckedPtr checked = window.session().selection().checked();
    return checked && checked->pack && !check::isClusterFile(*checked)
               ? QString()
               : translated(QT_TRANSLATE_NOOP("wb::ui::Action", "No recipe is open."));
}

QString noSweep(const MainWindow& window)
{
    const CheckedPtr checked = window.session().selection().checked();
    return checked && checked->form == expand::Form::Sweep ? QString()
                                                           : translated(QT_TRANSLATE_NOOP("wb::ui::Action", "No sweep is open."));
}

QString noOverrides(const MainWindow& window)
{
    const CheckedPtr checked = window.session().selection().checked();
    return checked && checked->form == expand::Form::Override
               ? QString()
               : translated(QT_TRANSLATE_NOOP("wb::ui::Action", "No recipe with overrides is open."));
}

QString notOfFirst(const MainWindow& window)
{
    if (QString none = noRecipe(window); !none.isEmpty())
        return none;
    return window.session().selection().checked()->schema == 1
               ? QString()
               : translated(QT_TRANSLATE_NOOP("wb::ui::Action", "The recipe is in schema 2 already."));
}

void convert(MainWindow& window, void (Conversions::*run)(DocumentId))
{
    if (const Document* document = window.session().documents().current())
        (window.session().conversions().*run)(document->id);
}

QString noCapture(const MainWindow& window)
{
    const Document* document = window.session().documents().current();
    return document && document->isManifest ? QString()
                                            : translated(QT_TRANSLATE_NOOP("wb::ui::Action", "No manifest of Kubernetes is open."));
}

QString noCaptureOfJob(const MainWindow& window)
{
    const auto wish = window.session().captureOfRecipe();
    return wish ? QString() : QString::fromStdString(wish.error().message);
}

QString noPreflight(const MainWindow& window)
{
    return window.session().clusters().whyNoPreflight();
}

QString noSubmit(const MainWindow& window)
{
    return window.session().clusters().whyNoSubmit();
}

QString noPanel(const MainWindow& window)
{
    return window.lastPanel() ? QString() : translated(QT_TRANSLATE_NOOP("wb::ui::Action", "No panel was used yet: click into one first."));
}

QString noUserLayout(const MainWindow& window)
{
    return window.layoutKeeper().userLayouts().isEmpty()
               ? translated(QT_TRANSLATE_NOOP("wb::ui::Action", "No layout of your own is saved."))
               : QString();
}

// --- the table ------------------------------------------------------------------------------------------------------------------------

#define WB_TR(words) QT_TRANSLATE_NOOP("wb::ui::Action", words)

using enum Menu;
using enum Group;
constexpr auto inMenu = Where::Menu;
constexpr auto onToolbar = Where::MenuAndToolbar;

constexpr ActionRow all[] = {
    {"file.new", File, WB_TR("&New recipe"), WB_TR("Begin a new recipe"), "Ctrl+N", "new", inMenu, Same,
     [](MainWindow& w) { w.newRecipe(); }, nullptr},
    {"snapshot.new", File, WB_TR("New mani&fest\u2026"), WB_TR("Begin a manifest of NVIDIA Snapshot: capture or restore, by engine"), "", "",
     inMenu, Same, [](MainWindow& w) { w.newManifest(); }, nullptr},
    {"file.open", File, WB_TR("&Open\u2026"), WB_TR("Open recipes"), "Ctrl+O", "open", onToolbar, Same,
     [](MainWindow& w) { w.openFiles(); }, nullptr},
    {"file.openFolder", File, WB_TR("Open &folder\u2026"), WB_TR("Open a folder of recipes"), "Ctrl+Alt+O", "folder", onToolbar, Same,
     [](MainWindow& w) { w.openFolder(); }, nullptr},
    {"file.quickOpen", File, WB_TR("&Quick open\u2026"), WB_TR("Open a recipe of the folder by typing a part of its name"), "Ctrl+P", "",
     inMenu, Same, [](MainWindow& w) { w.quickOpen(); }, noFolder},
    {"file.sample", File, WB_TR("Open sa&mple workspace"), WB_TR("Example recipes and results that come with the program"), "", "", inMenu,
     Same, [](MainWindow& w) { w.openSample(); }, nullptr},
    {"file.compare", File, WB_TR("Com&pare\u2026"), WB_TR("Recipes side by side, by their resolved values and as text"), "", "", inMenu,
     Same, [](MainWindow& w) { w.compareFiles(); }, nullptr},
    {"results.compareRuns", File, WB_TR("Compare &runs\u2026"),
     WB_TR("What two to eight runs differ in: recipe, lock, fingerprint, resources, results"), "", "", inMenu, Same,
     [](MainWindow& w) { w.compareRuns(); }, nullptr},
    {"file.save", File, WB_TR("&Save"), WB_TR("Save the recipe"), "Ctrl+S", "save", onToolbar, New, [](MainWindow& w) { w.save(); },
     nothingToSave},
    {"file.saveAs", File, WB_TR("Save &as\u2026"), WB_TR("Save the recipe under another name"), "Ctrl+Shift+S", "", inMenu, Same,
     [](MainWindow& w) { w.saveAs(); }, noDocument},
    {"file.close", File, WB_TR("&Close recipe"), WB_TR("Close the recipe"), "Ctrl+W", "", inMenu, Same,
     [](MainWindow& w) { w.closeCurrent(); }, noDocument},
    {"results.importFiles", File, WB_TR("&Import results\u2026"), WB_TR("Import result files"), "Ctrl+I", "import", onToolbar, New,
     [](MainWindow& w) { w.importFiles(); }, nullptr},
    {"results.importFolder", File, WB_TR("Import results &below a folder\u2026"), WB_TR("Import every result file below a folder"),
     "Ctrl+Shift+I", "", inMenu, Same, [](MainWindow& w) { w.importFolder(); }, nullptr},
    {"snapshot.import", File, WB_TR("Import startup &times\u2026"),
     WB_TR("Import cold starts and restores (NVIDIA Snapshot): RunResults, agent logs, nightly results, tables"), "", "", inMenu, Same,
     [](MainWindow& w) { w.importStartup(); }, nullptr},
    {"results.report", File, WB_TR("Save a &report\u2026"),
     WB_TR("The chart as it is shown, its points, what they mean and where they come from, as one HTML file"), "", "", inMenu, Same,
     [](MainWindow& w) { w.saveReport(); }, noPoints},
    {"results.cancelImport", File, WB_TR("Cancel import"), WB_TR("Stop the import; nothing of it is kept"), "", "stop", inMenu, Same,
     [](MainWindow& w) { w.session().results().cancel(); }, noImport},
    {"cluster.choose", File, WB_TR("Choose cl&uster file\u2026"), WB_TR("Choose the srtslurm.yaml whose defaults and aliases count"), "",
     "cluster", inMenu, New, [](MainWindow& w) { w.chooseCluster(); }, nullptr},
    {"cluster.forget", File, WB_TR("No cluster file"), WB_TR("Check recipes without a cluster file"), "", "", inMenu, Same,
     [](MainWindow& w) { w.session().setClusterFile({}); }, noCluster},
    {"file.quit", File, WB_TR("&Quit"), WB_TR("Close the workbench; jobs on a cluster go on"), "Ctrl+Q", "", inMenu, New,
     [](MainWindow& w) { w.close(); }, nullptr},

    {"edit.undo", Edit, WB_TR("&Undo"), WB_TR("Undo the last change of the text"), "Ctrl+Z", "undo", inMenu, Same,
     [](MainWindow& w) { w.editors().current()->undo(); }, noDocument},
    {"edit.redo", Edit, WB_TR("&Redo"), WB_TR("Make the undone change again"), "Ctrl+Shift+Z", "redo", inMenu, Same,
     [](MainWindow& w) { w.editors().current()->redo(); }, noDocument},
    {"edit.find", Edit, WB_TR("&Find\u2026"), WB_TR("Find in the text that has the keyboard"), "Ctrl+F", "", inMenu, New,
     [](MainWindow& w) { w.find(); }, noDocument},
    {"edit.findNext", Edit, WB_TR("Find &next"), WB_TR("Next place where the text occurs"), "F3", "", inMenu, Same,
     [](MainWindow& w) { w.findNext(); }, noDocument},
    {"edit.findPrevious", Edit, WB_TR("Find &previous"), WB_TR("Previous place where the text occurs"), "Shift+F3", "", inMenu, Same,
     [](MainWindow& w) { w.findPrevious(); }, noDocument},
    {"edit.replace", Edit, WB_TR("&Replace\u2026"), WB_TR("Find and replace in the recipe, with regular expressions if wanted"), "Ctrl+H",
     "", inMenu, Same, [](MainWindow& w) { w.editors().current()->showReplaceBar(); }, noText},
    {"edit.complete", Edit, WB_TR("Co&mplete"), WB_TR("List what can be written at the cursor"), "Ctrl+Space", "", inMenu, New,
     [](MainWindow& w) { w.editors().current()->complete(); }, noText},
    {"edit.describe", Edit, WB_TR("A&bout this place"), WB_TR("What is known about the key or value at the cursor"), "Ctrl+Shift+Space", "",
     inMenu, Same, [](MainWindow& w) { w.editors().current()->describe(); }, noDocument},
    {"edit.rename", Edit, WB_TR("Rena&me\u2026"), WB_TR("Rename the placeholder or anchor at the cursor in the whole recipe"), "F2", "",
     inMenu, Same, [](MainWindow& w) { w.editors().current()->rename(); }, noText},
    {"edit.comment", Edit, WB_TR("&Comment or uncomment"), WB_TR("Make comments of the selected lines, or take the marks away"), "Ctrl+/",
     "", inMenu, New, [](MainWindow& w) { w.editors().current()->toggleComment(); }, noText},
    {"edit.moveUp", Edit, WB_TR("Move lines &up"), WB_TR("Move the selected lines above the line before them"), "Alt+Up", "", inMenu, Same,
     [](MainWindow& w) { w.editors().current()->moveLinesUp(); }, noText},
    {"edit.moveDown", Edit, WB_TR("Move lines &down"), WB_TR("Move the selected lines below the line behind them"), "Alt+Down", "", inMenu,
     Same, [](MainWindow& w) { w.editors().current()->moveLinesDown(); }, noText},
    {"edit.duplicate", Edit, WB_TR("Dup&licate lines"), WB_TR("Copy the selected lines below themselves"), "Shift+Alt+Down", "", inMenu,
     Same, [](MainWindow& w) { w.editors().current()->duplicateLines(); }, noText},
    {"edit.fix", Edit, WB_TR("Quick fi&x\u2026"), WB_TR("Fixes of the problem at the cursor"), "Ctrl+.", "", inMenu, New,
     [](MainWindow& w) { w.showFixes(); }, noProblem},

    {"view.palette", View, WB_TR("&Command palette\u2026"), WB_TR("Find any command by typing a part of its name"),
     "Ctrl+Shift+P; Ctrl+Alt+I", "search", onToolbar, Same, [](MainWindow& w) { w.openPalette(); }, nullptr},
    {"view.toggleDocks", View, WB_TR("&Hide or show all panels"), WB_TR("Nothing but the editor, and back"), "F11", "", inMenu, New,
     [](MainWindow& w) { w.layoutKeeper().toggleAll(); }, nullptr},
    {"view.nextPane", View, WB_TR("Next pane"), WB_TR("Give the keyboard to the next pane"), "F6", "", inMenu, Same,
     [](MainWindow& w) { w.cycleFocus(1); }, nullptr},
    {"view.previousPane", View, WB_TR("Previous pane"), WB_TR("Give the keyboard to the pane before"), "Shift+F6", "", inMenu, Same,
     [](MainWindow& w) { w.cycleFocus(-1); }, nullptr},
    {"view.zoomIn", View, WB_TR("&Larger text"), WB_TR("Larger text in the editors"), "Ctrl++; Ctrl+=", "", inMenu, New,
     [](MainWindow& w) { w.editors().zoom(1); }, nullptr},
    {"view.zoomOut", View, WB_TR("S&maller text"), WB_TR("Smaller text in the editors"), "Ctrl+-", "", inMenu, Same,
     [](MainWindow& w) { w.editors().zoom(-1); }, nullptr},
    {"view.zoomReset", View, WB_TR("Text size of the system"), WB_TR("Text in the editors as large as the system has it"), "Ctrl+0", "",
     inMenu, Same, [](MainWindow& w) { w.editors().zoom(0); }, nullptr},

    {"view.fold", View, WB_TR("&Fold block"), WB_TR("Hide what stands below the line of the cursor"), "Ctrl+Shift+[", "", inMenu, New,
     [](MainWindow& w) { w.focusedEditor()->foldBlock(); }, noDocument},
    {"view.unfold", View, WB_TR("&Unfold block"), WB_TR("Show what the line of the cursor hides"), "Ctrl+Shift+]", "", inMenu, Same,
     [](MainWindow& w) { w.focusedEditor()->unfoldBlock(); }, noDocument},
    {"view.foldAll", View, WB_TR("Fold all"), WB_TR("Hide everything below the outermost keys"), "", "", inMenu, Same,
     [](MainWindow& w) { w.focusedEditor()->foldAll(); }, noDocument},
    {"view.unfoldAll", View, WB_TR("Unfold all"), WB_TR("Show the whole text"), "", "", inMenu, Same,
     [](MainWindow& w) { w.focusedEditor()->unfoldAll(); }, noDocument},
    {"view.whitespace", View, WB_TR("Show or hide &blanks and tabs"), WB_TR("Mark blanks and tabs in the editors"), "", "", inMenu, Same,
     [](MainWindow& w) { w.editors().setWhitespaceShown(!w.editors().isWhitespaceShown()); }, noDocument},

    {"layout.saveAs", Layout, WB_TR("&Save layout as\u2026"), WB_TR("Keep the present arrangement under a name"), "", "", inMenu, New,
     [](MainWindow& w) { w.saveLayoutAs(); }, nullptr},
    {"layout.remove", Layout, WB_TR("Remove a saved layout\u2026"), WB_TR("Forget a layout of your own"), "", "", inMenu, Same,
     [](MainWindow& w) { w.removeLayout(); }, noUserLayout},
    {"layout.reset", Layout, WB_TR("&Reset layout"), WB_TR("Put the panels of this layout back where they were"), "", "", inMenu, Same,
     [](MainWindow& w) { w.layoutKeeper().reset(); }, nullptr},

    {"panel.moveLeft", MovePanel, WB_TR("&Left"), WB_TR("Move the panel used last to the left side"), "", "", inMenu, Same,
     [](MainWindow& w) { w.movePanel(Qt::LeftDockWidgetArea); }, noPanel},
    {"panel.moveRight", MovePanel, WB_TR("&Right"), WB_TR("Move the panel used last to the right side"), "", "", inMenu, Same,
     [](MainWindow& w) { w.movePanel(Qt::RightDockWidgetArea); }, noPanel},
    {"panel.moveBottom", MovePanel, WB_TR("&Bottom"), WB_TR("Move the panel used last to the bottom"), "", "", inMenu, Same,
     [](MainWindow& w) { w.movePanel(Qt::BottomDockWidgetArea); }, noPanel},
    {"panel.moveTop", MovePanel, WB_TR("&Top"), WB_TR("Move the panel used last to the top"), "", "", inMenu, Same,
     [](MainWindow& w) { w.movePanel(Qt::TopDockWidgetArea); }, noPanel},
    {"panel.float", MovePanel, WB_TR("&Float, or dock again"), WB_TR("Make the panel used last a window of its own, or put it back"), "",
     "", inMenu, New, [](MainWindow& w) { w.floatPanel(); }, noPanel},
    {"panel.tab", MovePanel, WB_TR("T&ab with\u2026"), WB_TR("Put the panel used last behind another one"), "", "", inMenu, Same,
     [](MainWindow& w) { w.tabPanel(); }, noPanel},
    {"panel.close", MovePanel, WB_TR("&Close"), WB_TR("Hide the panel used last"), "", "", inMenu, Same,
     [](MainWindow& w) { w.closePanel(); }, noPanel},

    {"theme.system", Theme, WB_TR("As the &desktop"), WB_TR("Light or dark as the desktop has it"), "", "", inMenu, Same,
     [](MainWindow& w) { w.setTheme(ui::Theme::System); }, nullptr},
    {"theme.light", Theme, WB_TR("&Light"), WB_TR("Light colours"), "", "", inMenu, Same,
     [](MainWindow& w) { w.setTheme(ui::Theme::Light); }, nullptr},
    {"theme.dark", Theme, WB_TR("D&ark"), WB_TR("Dark colours"), "", "", inMenu, Same, [](MainWindow& w) { w.setTheme(ui::Theme::Dark); },
     nullptr},

    {"go.nextProblem", Go, WB_TR("&Next problem"), WB_TR("Go to the next problem of the recipe"), "F8", "", inMenu, Same,
     [](MainWindow& w) { w.editors().current()->goToNextProblem(); }, noProblem},
    {"go.previousProblem", Go, WB_TR("&Previous problem"), WB_TR("Go to the problem before"), "Shift+F8", "", inMenu, Same,
     [](MainWindow& w) { w.editors().current()->goToPreviousProblem(); }, noProblem},
    {"go.back", Go, WB_TR("&Back"), WB_TR("Back to the place before the last leap"), "Alt+Left", "", inMenu, New,
     [](MainWindow& w) { w.editors().goBack(); }, noWayBack},
    {"go.forward", Go, WB_TR("&Forward"), WB_TR("Forward again"), "Alt+Right", "", inMenu, Same,
     [](MainWindow& w) { w.editors().goForward(); }, noWayForward},
    {"go.definition", Go, WB_TR("Go to &definition"),
     WB_TR("Where the alias, anchor, placeholder or key at the cursor is defined, in the cluster file too (Ctrl+click)"), "F12", "", inMenu,
     Same, [](MainWindow& w) { w.editors().current()->goToDefinition(); }, noDocument},
    {"go.references", Go, WB_TR("Go to a &use\u2026"), WB_TR("All places that mean the same as the one at the cursor"), "Shift+F12", "",
     inMenu, Same, [](MainWindow& w) { w.editors().current()->showReferences(); }, noDocument},
    {"go.line", Go, WB_TR("Go to &line\u2026"), WB_TR("Go to a line by its number"), "Ctrl+G", "", inMenu, Same,
     [](MainWindow& w) { w.focusedEditor()->goToLine(); }, noDocument},
    {"go.key", Go, WB_TR("Go to &key\u2026"), WB_TR("Find a key of the recipe by typing a part of its path, in the Outline"),
     "Ctrl+Shift+O", "", inMenu, Same, [](MainWindow& w) { w.showPane("outline"); }, noDocument},
    {"go.variant", Go, WB_TR("Go to &variant\u2026"), WB_TR("Select a job by typing a part of its name"), "Ctrl+T", "", inMenu, Same,
     [](MainWindow& w) { w.goToVariant(); }, noVariant},
    {"go.editor", Go, WB_TR("&Editor"), WB_TR("Give the keyboard back to the editor (Esc in a panel)"), "", "", inMenu, New,
     [](MainWindow& w) { w.editors().focusEditor(); }, nullptr},
    {"go.nextDocument", Go, WB_TR("Next recipe"), WB_TR("Next open recipe"), "Ctrl+Tab; Ctrl+PgDown", "", inMenu, Same,
     [](MainWindow& w) { w.editors().showNext(1); }, noDocument},
    {"go.previousDocument", Go, WB_TR("Previous recipe"), WB_TR("Previous open recipe"), "Ctrl+Shift+Tab; Ctrl+PgUp", "", inMenu, Same,
     [](MainWindow& w) { w.editors().showNext(-1); }, noDocument},

    {"recipe.asZip", Recipe, WB_TR("Sweep as a &zip\u2026"),
     WB_TR("The jobs of the sweep as a base and lists side by side, with proof that they are the same jobs"), "", "", inMenu, Same,
     [](MainWindow& w) { convert(w, &Conversions::asZip); }, noSweep},
    {"recipe.asSweep", Recipe, WB_TR("Overrides as a &sweep\u2026"),
     WB_TR("Jobs that make a full grid as a sweep, with proof that they are the same jobs"), "", "", inMenu, Same,
     [](MainWindow& w) { convert(w, &Conversions::asSweep); }, noOverrides},
    {"recipe.explode", Recipe, WB_TR("Jobs as files of their &own\u2026"),
     WB_TR("A recipe for each job that is marked in Variants, or all, with proof"), "", "", inMenu, Same,
     [](MainWindow& w) { w.explode(); }, noVariant},
    {"recipe.migrate", Recipe, WB_TR("&Migrate to schema 2\u2026"),
     WB_TR("The recipe in schema 2 as a difference, with proof that it is the same jobs"), "", "", inMenu, Same,
     [](MainWindow& w) { convert(w, &Conversions::migrate); }, notOfFirst},
    {"snapshot.capture", Recipe, WB_TR("Make a capture mani&fest\u2026"),
     WB_TR("What captures a worker of the selected job (NVIDIA Snapshot), as a new text"), "", "", inMenu, Same,
     [](MainWindow& w) { w.makeCaptureManifest(); }, noCaptureOfJob},
    {"snapshot.restore", Recipe, WB_TR("Make a &restore manifest\u2026"),
     WB_TR("What restores the capture at the cursor (NVIDIA Snapshot), as one more document of the text"), "", "", inMenu, Same,
     [](MainWindow& w) { w.makeRestoreManifest(); }, noCapture},
    {"recipe.compareJobs", Recipe, WB_TR("&Compare its jobs"), WB_TR("The marked jobs of the recipe side by side, or all of them"), "", "",
     inMenu, New, [](MainWindow& w) { w.compareJobs(); }, noVariant},
    {"recipe.preflight", Recipe, WB_TR("&Preflight"), WB_TR("Look for what the chosen jobs need, here and on the cluster"), "", "", inMenu,
     New,
     [](MainWindow& w) {
         w.showPane("cluster");
         w.session().clusters().startPreflight(false);
     },
     noPreflight},
    {"recipe.submit", Recipe, WB_TR("&Submit\u2026"), WB_TR("See what would be sent and what it can cost, then submit the chosen jobs"), "",
     "", inMenu, Same,
     [](MainWindow& w) {
         w.showPane("cluster");
         w.session().clusters().prepare();
     },
     noSubmit},
    {"recipe.check", Recipe, WB_TR("Check the &folder again"), WB_TR("List the open folder and check what changed in it"), "", "", inMenu,
     New, [](MainWindow& w) { w.session().library().refresh(); }, noFolder},

    {"help.context", Help, WB_TR("&Help on this place"), WB_TR("What the problem or the key at the cursor means"), "F1", "", inMenu, Same,
     [](MainWindow& w) { w.session().showHelpAtCursor(); }, nullptr},
    {"help.codes", Help, WB_TR("All &codes and rules"), WB_TR("What each problem means"), "", "", inMenu, Same,
     [](MainWindow& w) { w.session().showHelp({}); }, nullptr},
    {"help.editShortcuts", Help, WB_TR("Change keyboard &shortcuts\u2026"), WB_TR("Give commands other keys"), "", "", inMenu, New,
     [](MainWindow& w) { w.editShortcuts(); }, nullptr},
    {"help.shortcuts", Help, WB_TR("&Keyboard shortcuts"), WB_TR("All commands with their keys"), "", "", inMenu, Same,
     [](MainWindow& w) { w.showShortcuts(); }, nullptr},
    {"help.about", Help, WB_TR("&About SRT Workbench"), WB_TR("Version, recipe languages, licence"), "", "", inMenu, Same,
     [](MainWindow& w) { w.showAbout(); }, nullptr},
};

constexpr MenuRow allMenus[] = {
    {File, File, WB_TR("&File")},
    {Edit, Edit, WB_TR("&Edit")},
    {View, View, WB_TR("&View")},
    {Layout, View, WB_TR("La&yout")},
    {MovePanel, View, WB_TR("Mo&ve panel to")},
    {Theme, View, WB_TR("&Colours")},
    {Go, Go, WB_TR("&Go")},
    {Recipe, Recipe, WB_TR("&Recipe")},
    {Help, Help, WB_TR("&Help")},
};

#undef WB_TR

} // namespace

std::span<const ActionRow> actionRows()
{
    return all;
}

std::span<const MenuRow> menuRows()
{
    return allMenus;
}

} // namespace wb::ui
