#include "ui/shell/mainwindow.h"

#include "core/analysis/runside.h"
#include "core/schema/pack.h"
#include "core/snapshot/capturemanifest.h"
#include "ui/async/background.h"
#include "ui/editor/recipeeditor.h"
#include "ui/models/text.h"
#include "ui/panes/frontierpane.h"
#include "ui/panes/keptcolumns.h"
#include "ui/panes/messagebar.h"
#include "ui/panes/tableview.h"
#include "ui/shell/commandpalette.h"
#include "ui/shell/conversiondialog.h"
#include "ui/shell/draftsdialog.h"
#include "ui/shell/editorarea.h"
#include "ui/shell/layouts.h"
#include "ui/shell/notifications.h"
#include "ui/shell/panes.h"
#include "ui/shell/sampleworkspace.h"
#include "ui/shell/shortcutsdialog.h"
#include "ui/shell/sshquestiondialog.h"
#include "ui/shell/statuspanel.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDialogButtonBox>
#include <QDir>
#include <QDirIterator>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QShortcut>
#include <QStatusBar>
#include <QTextBrowser>
#include <QToolBar>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>

namespace wb::ui {

namespace {

constexpr int mostRecent = 12;
const QString recentKey = QStringLiteral("recent/paths");
const QString recentCommandsKey = QStringLiteral("recent/commands");

QString translated(const char* context, const char* words)
{
    return QCoreApplication::translate(context, words);
}

QString withoutMnemonic(QString words)
{
    static const QString both = QStringLiteral("&&");
    words.replace(both, QStringLiteral("\x1f"));
    words.remove(QLatin1Char('&'));
    words.replace(QLatin1Char('\x1f'), QLatin1Char('&'));
    return words;
}

bool isYaml(const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    return suffix == QLatin1String("yaml") || suffix == QLatin1String("yml");
}

struct Contents {
    bool recipes = false;
    bool results = false;
};

/// What a folder is for, as far as a short look tells.
Contents contentsOf(const QString& folder)
{
    Contents found;
    QDirIterator files(folder, QDir::Files, QDirIterator::Subdirectories);
    for (int looked = 0; files.hasNext() && looked < 2000 && !(found.recipes && found.results); ++looked) {
        const QString file = files.next();
        if (isYaml(file))
            found.recipes = true;
        else if (file.endsWith(QLatin1String(".json")) || file.endsWith(QLatin1String(".jsonl")) || file.endsWith(QLatin1String(".csv")))
            found.results = true;
    }
    return found;
}

/// "PATH:VARIANT" apart, unless a file of that very name is there.
std::pair<QString, std::string> splitSelector(const QString& argument)
{
    const qsizetype colon = argument.lastIndexOf(QLatin1Char(':'));
    if (colon <= 0 || QFileInfo::exists(argument) || !QFileInfo(argument.left(colon)).isFile())
        return {argument, {}};
    return {argument.left(colon), argument.mid(colon + 1).toStdString()};
}

} // namespace

MainWindow::MainWindow(Session& session, QSettings& settings, QWidget* parent)
    : QMainWindow(parent)
    , m_session(session)
    , m_settings(settings)
    , m_shortcuts(settings)
    , m_refresh(std::chrono::milliseconds(0), [this] { refreshActions(); })
{
    setObjectName(QStringLiteral("mainWindow"));
    setWindowIcon(programIcon());
    setAcceptDrops(true);
    setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setMinimumSize(640, 400);

    makeActions();
    m_editors = new EditorArea(session, makeWelcome(), this);
    setCentralWidget(m_editors);
    makeDocks();
    makeMenus();
    makeToolBar();
    makeStatusBar();
    for (const MenuRow& menu : menuRows()) {
        for (const ActionRow& row : actionRows()) {
            if (row.menu == menu.menu)
                m_shortcuts.add(action(row.id), withoutMnemonic(translated("wb::ui::Action", menu.title)));
        }
    }
    for (const Pane& pane : panes())
        m_shortcuts.add(action(std::string("pane.") + pane.id), tr("Panel"));
    for (const Layout& layout : layouts())
        m_shortcuts.add(action(std::string("layout.") + layout.id), tr("Layout"));
    connect(&m_shortcuts, &Shortcuts::changed, &m_refresh, &async::Debounce::trigger);
    m_palette = new CommandPalette(this);
    connect(m_palette, &CommandPalette::chosen, this, [this](const QString& id) {
        QStringList recent = m_settings.value(recentCommandsKey).toStringList();
        recent.removeAll(id);
        recent.prepend(id);
        m_settings.setValue(recentCommandsKey, recent.mid(0, mostRecent));
    });

    connect(m_editors, &EditorArea::currentChanged, this, &MainWindow::refreshTitle);
    connect(m_editors, &EditorArea::currentChanged, this, &MainWindow::refreshCursor);
    connect(m_editors, &EditorArea::cursorMoved, this, &MainWindow::refreshCursor);
    connect(m_editors, &EditorArea::closeRequested, this, &MainWindow::requestClose);
    connect(m_editors, &EditorArea::historyChanged, &m_refresh, &async::Debounce::trigger);
    connect(&session.selection(), &Selection::variantChanged, &m_refresh, &async::Debounce::trigger);
    connect(&session.documents(), &Documents::stateChanged, &m_refresh, &async::Debounce::trigger);
    connect(&session.library(), &Library::folderChanged, &m_refresh, &async::Debounce::trigger);
    connect(&session.results(), &Results::importChanged, &m_refresh, &async::Debounce::trigger);
    connect(&session, &Session::clusterChanged, &m_refresh, &async::Debounce::trigger);
    connect(&session.clusters(), &Clusters::currentChanged, &m_refresh, &async::Debounce::trigger);
    connect(&session.clusters(), &Clusters::preflightChanged, &m_refresh, &async::Debounce::trigger);
    connect(&session.clusters(), &Clusters::submissionChanged, &m_refresh, &async::Debounce::trigger);
    connect(&session.documents(), &Documents::opened, this, [this](DocumentId id) {
        if (const Document* document = m_session.documents().find(id); document && !document->path.isEmpty())
            rememberRecent(document->path);
    });
    connect(&session, &Session::paneWanted, this, [this](const QString& id) { showPane(id.toStdString()); });
    connect(&session.conversions(), &Conversions::ready, this,
            [this](const Conversion& conversion) { (new ConversionDialog(m_session, conversion, this))->open(); });
    connect(&session.snapshots(), &Snapshots::restoreWanted, this, &MainWindow::makeRestoreManifest);
    connect(&session.snapshots(), &Snapshots::captureWanted, this, &MainWindow::makeCaptureManifest);
    connect(&session.snapshots(), &Snapshots::templateWanted, this, &MainWindow::newManifest);
    connect(&session.conversions(), &Conversions::failed, this, [this](const Error& error) { m_editors->messages().showError(error); });
    connect(m_editors, &EditorArea::textEdited, this, &MainWindow::refreshUndo);
    connect(&session.results(), &Results::imported, this, [this](const QString& summary) { statusBar()->showMessage(summary, 8000); });
    connect(&session.log(), &Log::errorAdded, this, [this](const QString& text) { statusBar()->showMessage(text, 8000); });
    connect(&session.drafts(), &Drafts::found, this,
            [this](const std::vector<store::Orphan>& orphans) { (new DraftsDialog(m_session, orphans, this))->open(); });
    connect(qApp, &QGuiApplication::applicationStateChanged, this, [this](Qt::ApplicationState state) {
        if (state == Qt::ApplicationActive) {
            m_session.documents().lookForChanges();
            m_session.library().refresh();
            m_session.jobs().load();
        }
    });
    (void)new Notifications(session.jobs(), session.remoteWorkers(), *this);
    connect(&session.connections(), &Connections::asked, this, [this] {
        if (const auto question = m_session.connections().question())
            (new SshQuestionDialog(m_session.connections(), *question, this))->open();
    });
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { followFocus(now); });

    resize(1440, 900);
    restoreGeometry(m_settings.value(QStringLiteral("window/geometry")).toByteArray());
    m_layouts->switchTo(m_settings.value(QStringLiteral("layouts/current"), QStringLiteral("author")).toString());
    refreshTitle();
    refreshActions();
}

MainWindow::~MainWindow()
{
    // The bases of the window hide it, which moves the focus: by then it is no MainWindow any more.
    disconnect(qApp, nullptr, this, nullptr);
}

QDockWidget* MainWindow::dock(const std::string& pane) const
{
    const auto found = m_docks.find(pane);
    return found == m_docks.end() ? nullptr : found->second;
}

QAction* MainWindow::action(const std::string& id) const
{
    const auto found = m_actions.find(id);
    return found == m_actions.end() ? nullptr : found->second;
}

// --- building the window --------------------------------------------------------------------------------------------------------------

void MainWindow::makeDocks()
{
    for (const Pane& pane : panes()) {
        auto* dock = new QDockWidget(translated("wb::ui::Pane", pane.title), this);
        dock->setObjectName(QStringLiteral("dock.") + QLatin1String(pane.id));
        dock->setWidget(pane.make(m_session, dock));
        dock->widget()->setObjectName(QStringLiteral("pane.") + QLatin1String(pane.id));
        dock->setAccessibleName(translated("wb::ui::Pane", pane.title));
        auto* back = new QShortcut(QKeySequence(Qt::Key_Escape), dock);
        back->setContext(Qt::WidgetWithChildrenShortcut);
        connect(back, &QShortcut::activated, m_editors, &EditorArea::focusEditor);
        m_docks.emplace(pane.id, dock);
        addDockWidget(pane.area, dock);
    }
    for (TableView* table : findChildren<TableView*>()) {
        table->setUserWidths(m_settings.value(QStringLiteral("columns/") + table->objectName()).toString());
        showKeptColumns(*table, m_settings.value(QStringLiteral("shown-columns/") + table->objectName()).toString());
    }
    m_layouts = new LayoutKeeper(*this, m_docks, m_settings);
    connect(m_layouts, &LayoutKeeper::changed, this, &MainWindow::refreshLayouts);
}

QAction* MainWindow::addAction(const std::string& id, const QString& text, const QString& tip, const QString& shortcuts)
{
    auto* made = new QAction(text, this);
    made->setObjectName(QString::fromStdString(id));
    made->setProperty("tip", tip);
    made->setToolTip(tip);
    made->setStatusTip(tip);
    if (!shortcuts.isEmpty())
        made->setShortcuts(QKeySequence::listFromString(shortcuts));
    QMainWindow::addAction(made);
    m_actions.emplace(id, made);
    return made;
}

void MainWindow::makeActions()
{
    for (const ActionRow& row : actionRows()) {
        QAction* made = addAction(row.id, translated("wb::ui::Action", row.text), translated("wb::ui::Action", row.tip),
                                  QString::fromLatin1(row.shortcut));
        if (*row.icon != '\0')
            made->setIcon(icon(row.icon));
        connect(made, &QAction::triggered, this, [this, run = row.run] { run(*this); });
    }
}

void MainWindow::makeMenus()
{
    for (const MenuRow& row : menuRows()) {
        const QString title = translated("wb::ui::Action", row.title);
        QMenu* menu = row.parent == row.menu ? menuBar()->addMenu(title) : m_menus.at(row.parent)->addMenu(title);
        menu->setToolTipsVisible(true);
        m_menus.emplace(row.menu, menu);
        if (row.menu == Menu::View)
            makePaneActions(*menu->addMenu(tr("&Panels")));
        if (row.menu == Menu::Layout)
            makeLayoutActions(*menu);
    }
    for (const ActionRow& row : actionRows()) {
        QMenu& menu = *m_menus.at(row.menu);
        if (row.group == Group::New)
            menu.addSeparator();
        menu.addAction(action(row.id));
        if (std::string_view(row.id) == "file.quickOpen") {
            m_recentMenu = menu.addMenu(tr("Open &recent"));
            connect(m_recentMenu, &QMenu::aboutToShow, this, [this] { makeRecentMenu(*m_recentMenu); });
        }
    }
    auto* themes = new QActionGroup(this);
    for (QAction* each : m_menus.at(Menu::Theme)->actions()) {
        each->setCheckable(true);
        themes->addAction(each);
    }
    const Theme theme = themeOf(m_settings.value(QStringLiteral("window/theme")).toString());
    action("theme." + id(theme).toStdString())->setChecked(true);
}

void MainWindow::makeRecentMenu(QMenu& menu)
{
    menu.clear();
    for (const QString& path : m_settings.value(recentKey).toStringList()) {
        QAction* each = menu.addAction(path, this, [this, path] { openPaths({path}); });
        if (!QFileInfo::exists(path)) {
            each->setEnabled(false);
            each->setToolTip(tr("It is not there any more."));
        }
    }
    if (menu.isEmpty())
        menu.addAction(tr("Nothing was opened yet"))->setEnabled(false);
    menu.addSeparator();
    QAction* clear = menu.addAction(tr("Remove those that are gone"), this, [this] {
        QStringList kept;
        for (const QString& path : m_settings.value(recentKey).toStringList()) {
            if (QFileInfo::exists(path))
                kept += path;
        }
        m_settings.setValue(recentKey, kept);
    });
    clear->setToolTip(tr("Forget files and folders that do not exist any more"));
}

void MainWindow::makePaneActions(QMenu& menu)
{
    for (const Pane& pane : panes()) {
        const QString title = translated("wb::ui::Pane", pane.title);
        QAction* made = addAction(std::string("pane.") + pane.id, title, tr("Show %1 and give it the keyboard").arg(title),
                                  QString::fromLatin1(pane.shortcut));
        connect(made, &QAction::triggered, this, [this, id = std::string(pane.id)] { showPane(id); });
        menu.addAction(made);
    }
}

void MainWindow::makeLayoutActions(QMenu& menu)
{
    m_layoutGroup = new QActionGroup(this);
    for (const Layout& layout : layouts()) {
        const QString title = translated("wb::ui::Layout", layout.title);
        QAction* made = addAction(std::string("layout.") + layout.id, title, tr("Arrange the panels as %1").arg(title),
                                  QString::fromLatin1(layout.shortcut));
        made->setCheckable(true);
        made->setData(QString::fromLatin1(layout.id));
        m_layoutGroup->addAction(made);
        menu.addAction(made);
    }
    connect(m_layoutGroup, &QActionGroup::triggered, this, [this](QAction* chosen) { m_layouts->switchTo(chosen->data().toString()); });
}

void MainWindow::makeToolBar()
{
    QToolBar* bar = addToolBar(tr("Toolbar"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setIconSize({18, 18});
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->toggleViewAction()->setObjectName(QStringLiteral("view.toolBar"));
    for (const ActionRow& row : actionRows()) {
        if (row.where == Where::MenuAndToolbar && row.menu != Menu::View)
            bar->addAction(action(row.id));
    }
    auto* space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    for (const Layout& layout : layouts())
        bar->addAction(action(std::string("layout.") + layout.id));
    bar->addSeparator();
    for (const ActionRow& row : actionRows()) {
        if (row.where == Where::MenuAndToolbar && row.menu == Menu::View)
            bar->addAction(action(row.id));
    }
    for (QAction* each : bar->actions()) {
        if (QWidget* widget = bar->widgetForAction(each); widget && each->isSeparator() == false && !each->text().isEmpty())
            widget->setAccessibleName(withoutMnemonic(each->text()));
    }
}

void MainWindow::makeStatusBar()
{
    m_status = new StatusPanel(m_session, *statusBar());
    connect(m_status, &StatusPanel::problemsClicked, this, [this] { showPane("problems"); });
    connect(m_status, &StatusPanel::variantsClicked, this, [this] { showPane("variants"); });
    connect(m_status, &StatusPanel::clusterClicked, this, &MainWindow::chooseCluster);
    connect(m_status, &StatusPanel::taskClicked, this, [this] { showPane("tasks"); });
}

QWidget* MainWindow::makeWelcome()
{
    auto* page = new QWidget;
    page->setObjectName(QStringLiteral("welcomePage"));
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
    auto* column = new QVBoxLayout(page);
    column->addStretch(2);
    auto* title = new QLabel(tr("SRT Workbench"), page);
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 1.8);
    title->setFont(large);
    auto* words = new QLabel(tr("Write a recipe, read everything that would run, compare what came back."), page);
    words->setWordWrap(true);
    words->setAlignment(Qt::AlignHCenter);
    column->addWidget(title, 0, Qt::AlignHCenter);
    column->addWidget(words);
    column->addSpacing(16);
    bool isFirst = true;
    for (const char* id : {"file.sample", "file.open", "file.openFolder", "file.new", "results.importFiles"}) {
        QAction* does = action(id);
        auto* button = new QPushButton(does->icon(), withoutMnemonic(does->text()), page);
        button->setToolTip(does->toolTip());
        button->setMinimumWidth(260);
        connect(button, &QPushButton::clicked, does, &QAction::trigger);
        column->addWidget(button, 0, Qt::AlignHCenter);
        if (std::exchange(isFirst, false))
            page->setFocusProxy(button);
    }
    column->addSpacing(16);
    m_recentList = new QWidget(page);
    m_recentList->setObjectName(QStringLiteral("recentList"));
    auto* list = new QVBoxLayout(m_recentList);
    list->setContentsMargins(0, 0, 0, 0);
    list->setSpacing(2);
    column->addWidget(m_recentList, 0, Qt::AlignHCenter);
    refreshRecent();
    column->addStretch(3);
    return page;
}

void MainWindow::refreshRecent()
{
    if (!m_recentList)
        return;
    constexpr int mostShown = 6;
    for (QWidget* old : m_recentList->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        old->deleteLater();
    auto* list = static_cast<QVBoxLayout*>(m_recentList->layout());
    const QStringList recent = m_settings.value(recentKey).toStringList().mid(0, mostShown);
    if (!recent.isEmpty())
        list->addWidget(new QLabel(tr("Opened lately"), m_recentList), 0, Qt::AlignHCenter);
    for (const QString& path : recent) {
        auto* button = new QToolButton(m_recentList);
        const QFileInfo file(path);
        button->setText(QStringLiteral("%1 \u2014 %2").arg(file.fileName(), file.dir().dirName()));
        button->setToolTip(path);
        button->setAutoRaise(true);
        button->setAccessibleName(tr("Open %1").arg(path));
        connect(button, &QToolButton::clicked, this, [this, path] { openPaths({path}); });
        list->addWidget(button, 0, Qt::AlignHCenter);
    }
    m_recentList->setVisible(!recent.isEmpty());
}

void MainWindow::refreshUndo()
{
    const RecipeEditor* editor = m_editors->current();
    const auto name = [&](const char* id, const QString& plain, const QString& step) {
        action(id)->setText(step.isEmpty() ? plain : plain + QLatin1Char(' ') + step);
    };
    name("edit.undo", tr("&Undo"), editor ? editor->undoStep() : QString());
    name("edit.redo", tr("&Redo"), editor ? editor->redoStep() : QString());
}

// --- keeping it in step ---------------------------------------------------------------------------------------------------------------

void MainWindow::refreshActions()
{
    for (const ActionRow& row : actionRows()) {
        QAction* each = action(row.id);
        const QString whyNot = row.whyNot ? row.whyNot(*this) : QString();
        each->setEnabled(whyNot.isEmpty());
        const QString tip = each->property("tip").toString();
        const QString keys = each->shortcut().toString(QKeySequence::NativeText);
        each->setToolTip(whyNot.isEmpty() ? (keys.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, keys))
                                          : tip + QLatin1Char('\n') + whyNot);
        each->setStatusTip(whyNot.isEmpty() ? tip : whyNot);
    }
    refreshUndo();
}

void MainWindow::refreshTitle()
{
    const Document* document = m_session.documents().current();
    setWindowModified(document && document->isModified);
    setWindowTitle(document ? tr("%1[*] \u2014 SRT Workbench").arg(document->title) : tr("SRT Workbench"));
    setWindowFilePath(document ? document->path : QString());
    m_refresh.trigger();
}

void MainWindow::refreshCursor()
{
    const Document* document = m_session.documents().current();
    const RecipeEditor* editor = m_editors->current();
    if (!document || !editor)
        return m_status->hideCursor();
    // By the editor's own text: the session has the newest one an event later.
    const std::string_view before = std::string_view(editor->utf8Text()).substr(0, editor->cursorOffset());
    const std::size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
    const auto isStartOfCharacter = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
    m_status->showCursor(
        static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
        static_cast<std::size_t>(std::count_if(before.begin() + static_cast<std::ptrdiff_t>(lineStart), before.end(), isStartOfCharacter)) +
            1);
}

void MainWindow::refreshLayouts()
{
    for (QAction* each : m_userLayoutActions)
        delete each;
    m_userLayoutActions.clear();
    QMenu& menu = *m_menus.at(Menu::Layout);
    QAction* before = action("layout.saveAs");
    for (const QString& name : m_layouts->userLayouts()) {
        auto* made = new QAction(name, this);
        made->setCheckable(true);
        made->setData(QStringLiteral("user/") + name);
        m_layoutGroup->addAction(made);
        menu.insertAction(before, made);
        m_userLayoutActions.push_back(made);
    }
    for (QAction* each : m_layoutGroup->actions())
        each->setChecked(each->data().toString() == m_layouts->current());
    m_refresh.trigger();
}

void MainWindow::followFocus(QWidget* now)
{
    for (QWidget* at = now; at; at = at->parentWidget()) {
        auto* panel = qobject_cast<QDockWidget*>(at);
        if (!panel)
            continue;
        if (m_lastPanel != panel) {
            m_lastPanel = panel;
            m_refresh.trigger();
        }
        return;
    }
}

// --- documents ------------------------------------------------------------------------------------------------------------------------

void MainWindow::newRecipe()
{
    m_session.documents().add({});
    m_editors->focusEditor();
}

void MainWindow::newManifest(const QString& id)
{
    const auto open = [this](const snapshot::ManifestTemplate& chosen) {
        m_session.documents().add(chosen.text);
        m_editors->focusEditor();
    };
    if (const snapshot::ManifestTemplate* chosen = snapshot::findTemplate(id.toStdString()))
        return open(*chosen);
    std::vector<CommandPalette::Item> items;
    for (const snapshot::ManifestTemplate& each : snapshot::manifestTemplates())
        items.push_back({.id = {}, .title = text(each.title), .detail = {}, .whyNot = {}, .run = [open, &each] { open(each); }});
    m_palette->open(tr("New manifest of NVIDIA Snapshot"), std::move(items));
}

void MainWindow::makeCaptureManifest()
{
    const auto wish = m_session.captureOfRecipe();
    if (!wish)
        return m_editors->messages().showError(wish.error());
    m_session.documents().add(snapshot::captureManifest(*wish));
    m_editors->focusEditor();
    showPane("snapshot");
}

void MainWindow::openFiles()
{
    auto* dialog = new QFileDialog(this, tr("Open recipes"), m_session.library().folder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({tr("Recipes (*.yaml *.yml)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& files) {
        for (const QString& file : files)
            m_session.documents().open(file);
    });
    dialog->open();
}

void MainWindow::openFolder()
{
    auto* dialog = new QFileDialog(this, tr("Open a folder of recipes"), m_session.library().folder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        rememberRecent(folder);
        m_session.library().setFolder(folder);
        showPane("recipes");
    });
    dialog->open();
}

void MainWindow::quickOpen()
{
    std::vector<CommandPalette::Item> items;
    const Library& library = m_session.library();
    for (const std::string& file : library.listing().files) {
        const QString path = library.folder() + QLatin1Char('/') + text(file);
        items.push_back(
            {.id = {}, .title = text(file), .detail = {}, .whyNot = {}, .run = [this, path] { m_editors->openAndFocus(path); }});
    }
    m_palette->open(tr("Open a recipe of %1").arg(QDir(library.folder()).dirName()), std::move(items));
}

void MainWindow::openSample()
{
    async::runInBackground(
        m_session.workers(), this, [data = m_session.dataFolder(), share = shareFolder()] { return sampleWorkspace(share, data); },
        [this](const Result<SampleWorkspace>& sample) {
            if (!sample) {
                m_session.log().error(sample.error());
                m_editors->messages().showError(sample.error());
                return;
            }
            m_session.library().setFolder(sample->folder);
            if (!sample->cluster.isEmpty() && m_session.clusterPath().isEmpty())
                m_session.setClusterFile(sample->cluster);
            if (!sample->first.isEmpty())
                m_session.documents().open(sample->first);
            if (!sample->results.isEmpty())
                m_session.results().import({sample->results});
        });
}

void MainWindow::openPaths(const QStringList& paths)
{
    struct Found {
        QString path;
        std::string variant;
        bool isFolder = false;
        bool isRecipe = false;
        Contents contents;
    };
    // What lies below a folder is found out on a worker: it may be far away.
    async::runInBackground(
        m_session.workers(), this,
        [paths] {
            std::vector<Found> all;
            for (const QString& argument : paths) {
                Found found;
                std::tie(found.path, found.variant) = splitSelector(argument);
                found.isFolder = QFileInfo(found.path).isDir();
                if (found.isFolder)
                    found.contents = contentsOf(found.path);
                else
                    found.isRecipe = isYaml(found.path) || !QFileInfo::exists(found.path);
                all.push_back(std::move(found));
            }
            return all;
        },
        [this](const std::vector<Found>& all) {
            QStringList toImport;
            for (const Found& found : all) {
                if (found.isFolder) {
                    if (found.contents.recipes) {
                        rememberRecent(QFileInfo(found.path).absoluteFilePath());
                        m_session.library().setFolder(found.path);
                    }
                    if (found.contents.results || !found.contents.recipes)
                        toImport += found.path;
                } else if (found.path.endsWith(QLatin1String(".srtview"))) {
                    m_session.openChartView(found.path);
                } else if (found.isRecipe) {
                    m_session.documents().open(found.path, {.variant = found.variant, .offset = {}});
                } else {
                    toImport += found.path;
                }
            }
            m_session.results().import(toImport);
        });
}

void MainWindow::compare(const QStringList& paths)
{
    const bool hasRun =
        std::any_of(paths.begin(), paths.end(), [](const QString& path) { return analysis::isRunPath(path.toStdString()); });
    if (hasRun)
        return m_session.compareRuns(paths);
    std::vector<Comparison::Part> parts;
    for (const QString& argument : paths) {
        const auto [path, variant] = splitSelector(argument);
        parts.push_back({.path = QDir::cleanPath(QFileInfo(path).absoluteFilePath()), .variant = variant});
    }
    m_session.compare(std::move(parts));
}

void MainWindow::compareFiles()
{
    auto* dialog = new QFileDialog(this, tr("Compare recipes"), m_session.library().folder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({tr("Recipes (*.yaml *.yml)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& files) {
        // One file alone is compared with the text that is open.
        const Document* document = m_session.documents().current();
        compare(files.size() == 1 && document && !document->path.isEmpty() ? QStringList{document->path} + files : files);
    });
    dialog->open();
}

void MainWindow::compareRuns()
{
    auto* dialog = new QFileDialog(this, tr("Compare runs: a file of each, such as its recipe.lock.yaml or config.yaml"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({tr("Files of runs (*.yaml *.yml *.json)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& files) {
        QStringList runs;
        for (const QString& file : files) // a lockfile stands for its run; of another file the folder does
            runs += analysis::isRunPath(file.toStdString()) ? file : QFileInfo(file).absolutePath();
        runs.removeDuplicates();
        m_session.compareRuns(runs);
    });
    dialog->open();
}

void MainWindow::saveReport()
{
    showPane("frontier");
    if (auto* pane = qobject_cast<FrontierPane*>(dock("frontier")->widget()))
        pane->exportReport();
}

void MainWindow::compareJobs()
{
    const Document* document = m_session.documents().current();
    const CheckedPtr checked = m_session.selection().checked();
    if (!document || !checked)
        return;
    std::vector<std::size_t> jobs = m_session.selection().chosen();
    if (jobs.size() < 2) {
        jobs.clear();
        for (std::size_t i = 0; i < std::min(checked->variants.size(), Comparison::mostSides); ++i)
            jobs.push_back(i);
    }
    std::vector<Comparison::Part> parts;
    for (const std::size_t job : jobs)
        parts.push_back({.path = document->path, .variant = {}, .checked = checked, .job = job, .title = document->title});
    m_session.compare(std::move(parts));
}

void MainWindow::explode()
{
    const Document* document = m_session.documents().current();
    if (!document)
        return;
    std::vector<std::size_t> jobs = m_session.selection().chosen();
    if (jobs.size() < 2)
        jobs.clear();
    m_session.conversions().explode(document->id, std::move(jobs));
}

void MainWindow::makeRestoreManifest()
{
    const Document* document = m_session.documents().current();
    if (!document)
        return;
    auto capture = snapshot::captureAt(document->source->text(), m_session.documents().cursor(document->id));
    if (!capture)
        return m_editors->messages().showError(capture.error());
    if (!capture->needsSnapshotName)
        return m_session.conversions().restoreManifest(document->id, *capture, {});
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Make a restore manifest"));
    dialog->setLabelText(tr("Name of the PodSnapshot that is captured from this %1:").arg(text(capture->kind)));
    dialog->setTextValue(text(capture->podSnapshot));
    connect(dialog, &QInputDialog::textValueSelected, this, [this, id = document->id, found = *capture](const QString& name) {
        m_session.conversions().restoreManifest(id, found, {.snapshot = name.trimmed().toStdString(), .name = {}});
    });
    dialog->open();
}

void MainWindow::importStartup()
{
    showPane("snapshot");
    Q_EMIT m_session.snapshots().importWanted();
    auto* dialog = new QFileDialog(this, tr("Import startup times"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({tr("Results (*.json *.ndjson *.log *.txt *.csv *.md)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& files) { m_session.snapshots().importStartup(files); });
    dialog->open();
}

void MainWindow::editShortcuts()
{
    (new ShortcutsDialog(m_shortcuts, this))->open();
}

bool MainWindow::restoreSession()
{
    m_session.results().load();
    if (!m_settings.contains(QStringLiteral("session/folder"))) {
        openSample();
        return false;
    }
    const QString folder = m_settings.value(QStringLiteral("session/folder")).toString();
    if (QFileInfo(folder).isDir())
        m_session.library().setFolder(folder);
    if (const QString cluster = m_settings.value(QStringLiteral("session/cluster")).toString(); !cluster.isEmpty())
        m_session.setClusterFile(cluster);
    if (const QString profile = m_settings.value(QStringLiteral("session/profile")).toString(); !profile.isEmpty())
        m_session.clusters().setCurrent(profile);
    restoreDocuments();
    return true;
}

void MainWindow::restoreDocuments()
{
    const QString current = m_settings.value(QStringLiteral("session/current")).toString();
    bool isCurrentThere = false;
    const int count = m_settings.beginReadArray(QStringLiteral("session/documents"));
    for (int i = 0; i < count; ++i) {
        m_settings.setArrayIndex(i);
        const QString path = m_settings.value(QStringLiteral("path")).toString();
        if (!QFileInfo::exists(path))
            continue;
        isCurrentThere = isCurrentThere || path == current;
        std::vector<int> folds;
        for (const QString& line : m_settings.value(QStringLiteral("folds")).toStringList())
            folds.push_back(line.toInt());
        if (!folds.empty())
            m_editors->foldWhenOpened(path, std::move(folds));
        m_session.documents().open(path, {.variant = m_settings.value(QStringLiteral("variant")).toString().toStdString(),
                                          .offset = m_settings.value(QStringLiteral("cursor")).toULongLong()});
    }
    m_settings.endArray();
    if (isCurrentThere && count > 1)
        m_session.documents().open(current);
}

void MainWindow::save()
{
    const Document* document = m_session.documents().current();
    if (!document)
        return;
    if (document->path.isEmpty())
        return saveAs();
    m_session.documents().save(document->id);
}

void MainWindow::saveAs()
{
    if (const Document* document = m_session.documents().current())
        saveThen(document->id, {});
}

void MainWindow::saveThen(DocumentId id, const std::function<void()>& then)
{
    const Document* document = m_session.documents().find(id);
    if (!document)
        return;
    const auto done = [then](bool isSaved) {
        if (isSaved && then)
            then();
    };
    if (then && !document->path.isEmpty())
        return m_session.documents().save(id, {}, done);
    auto* dialog = new QFileDialog(this, tr("Save recipe"), document->path.isEmpty() ? m_session.library().folder() : document->path);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("yaml"));
    dialog->setNameFilters({tr("Recipes (*.yaml *.yml)"), tr("All files (*)")});
    if (!document->path.isEmpty())
        dialog->selectFile(document->path);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, id, done](const QString& file) { m_session.documents().save(id, file, done); });
    dialog->open();
}

void MainWindow::closeCurrent()
{
    if (const Document* document = m_session.documents().current())
        requestClose(document->id);
}

void MainWindow::requestClose(DocumentId id)
{
    const Document* document = m_session.documents().find(id);
    if (!document)
        return;
    if (!document->isModified)
        return m_session.documents().close(id);
    auto* question = new QMessageBox(QMessageBox::Question, tr("Unsaved changes"),
                                     tr("Save the changes of %1 before it is closed?").arg(document->title),
                                     QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setDefaultButton(QMessageBox::Save);
    connect(question, &QMessageBox::buttonClicked, this, [this, id, question](QAbstractButton* button) {
        const auto role = question->standardButton(button);
        if (role == QMessageBox::Discard)
            m_session.documents().close(id);
        else if (role == QMessageBox::Save)
            saveThen(id, [this, id] { m_session.documents().close(id); });
    });
    question->open();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_session.documents().hasModified() && !m_mayClose) {
        event->ignore();
        return askToClose();
    }
    if (m_session.results().isImporting() && !m_mayClose) {
        event->ignore();
        auto* question = new QMessageBox(QMessageBox::Question, tr("An import is running"),
                                         tr("Stop the import and close the workbench? Nothing of it is kept; jobs on a cluster go on."),
                                         QMessageBox::Close | QMessageBox::Cancel, this);
        question->setAttribute(Qt::WA_DeleteOnClose);
        question->setDefaultButton(QMessageBox::Cancel);
        connect(question, &QMessageBox::buttonClicked, this, [this, question](QAbstractButton* button) {
            if (question->standardButton(button) != QMessageBox::Close)
                return;
            m_mayClose = true;
            m_session.results().cancel();
            close();
        });
        question->open();
        return;
    }
    if (m_session.clusters().submission().isRunning && !m_mayClose) {
        event->ignore();
        auto* question = new QMessageBox(QMessageBox::Question, tr("A submission is running"),
                                         tr("Stop the submission and close the workbench? Jobs that were asked for stay on the cluster; "
                                            "submitting the same again goes on with the others."),
                                         QMessageBox::Close | QMessageBox::Cancel, this);
        question->setAttribute(Qt::WA_DeleteOnClose);
        question->setDefaultButton(QMessageBox::Cancel);
        connect(question->button(QMessageBox::Close), &QAbstractButton::clicked, this, [this] {
            m_mayClose = true;
            m_session.clusters().stopSubmission();
            close();
        });
        question->open();
        return;
    }
    remember();
    event->accept();
}

void MainWindow::askToClose()
{
    QStringList names;
    std::vector<DocumentId> ids;
    for (const DocumentId id : m_session.documents().ids()) {
        const Document* document = m_session.documents().find(id);
        if (document->isModified) {
            names += document->title;
            ids.push_back(id);
        }
    }
    auto* question = new QMessageBox(QMessageBox::Question, tr("Unsaved changes"),
                                     tr("Save the changes of these recipes before the workbench is closed?"),
                                     QMessageBox::SaveAll | QMessageBox::Discard | QMessageBox::Cancel, this);
    question->setInformativeText(names.join(QLatin1Char('\n')));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setDefaultButton(QMessageBox::SaveAll);
    connect(question, &QMessageBox::buttonClicked, this, [this, ids, question](QAbstractButton* button) {
        const auto role = question->standardButton(button);
        if (role == QMessageBox::Discard) {
            m_mayClose = true;
            close();
        } else if (role == QMessageBox::SaveAll) {
            saveAllAndClose(ids);
        }
    });
    question->open();
}

void MainWindow::saveAllAndClose(std::vector<DocumentId> ids)
{
    if (ids.empty()) {
        close();
        return;
    }
    const DocumentId next = ids.back();
    ids.pop_back();
    m_session.documents().setCurrent(next);
    saveThen(next, [this, ids] { saveAllAndClose(ids); });
}

void MainWindow::remember()
{
    m_layouts->remember();
    for (const TableView* table : findChildren<TableView*>()) {
        m_settings.setValue(QStringLiteral("columns/") + table->objectName(), table->userWidths());
        m_settings.setValue(QStringLiteral("shown-columns/") + table->objectName(), keptColumns(*table));
    }
    m_settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    m_settings.setValue(QStringLiteral("session/folder"), m_session.library().folder());
    m_settings.setValue(QStringLiteral("session/cluster"), m_session.isClusterChosen() ? m_session.clusterPath() : QString());
    m_settings.setValue(QStringLiteral("session/profile"), text(m_session.clusters().current().name));
    const Document* current = m_session.documents().current();
    m_settings.setValue(QStringLiteral("session/current"), current ? current->path : QString());
    m_settings.remove(QStringLiteral("session/documents"));
    m_settings.beginWriteArray(QStringLiteral("session/documents"));
    int count = 0;
    for (const DocumentId id : m_editors->tabOrder()) {
        const Document* document = m_session.documents().find(id);
        if (!document || document->path.isEmpty())
            continue;
        QStringList folds;
        for (const int line : m_editors->foldedLines(id))
            folds += QString::number(line);
        m_settings.setArrayIndex(count++);
        m_settings.setValue(QStringLiteral("path"), document->path);
        m_settings.setValue(QStringLiteral("cursor"), static_cast<qulonglong>(m_session.documents().cursor(id)));
        m_settings.setValue(QStringLiteral("variant"), QString::fromStdString(m_session.selection().key(id)));
        m_settings.setValue(QStringLiteral("folds"), folds);
    }
    m_settings.endArray();
}

void MainWindow::rememberRecent(const QString& path)
{
    QStringList recent = m_settings.value(recentKey).toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    m_settings.setValue(recentKey, recent.mid(0, mostRecent));
    refreshRecent();
}

// --- results and cluster --------------------------------------------------------------------------------------------------------------

void MainWindow::importFiles()
{
    auto* dialog = new QFileDialog(this, tr("Import result files"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({tr("Results (*.json *.jsonl *.csv)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& files) { m_session.results().import(files); });
    dialog->open();
}

void MainWindow::importFolder()
{
    auto* dialog = new QFileDialog(this, tr("Import results below a folder"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) { m_session.results().import({folder}); });
    dialog->open();
}

void MainWindow::chooseCluster()
{
    auto* dialog = new QFileDialog(this, tr("Choose a cluster file"), m_session.clusterPath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Cluster files (*.yaml *.yml)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { m_session.setClusterFile(file); });
    dialog->open();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    QStringList paths;
    bool hasRemote = false;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile())
            paths += url.toLocalFile();
        else
            hasRemote = true;
    }
    event->acceptProposedAction();
    if (hasRemote)
        statusBar()->showMessage(tr("Only files and folders of this machine can be dropped here."), 8000);
    if (paths.size() == 1 && QFileInfo(paths.first()).isDir())
        return offerFolder(paths.first(), mapToGlobal(event->position().toPoint()));
    if (paths.size() > 1 && std::all_of(paths.begin(), paths.end(), isYaml))
        return offerFiles(paths, mapToGlobal(event->position().toPoint()));
    openPaths(paths);
}

void MainWindow::offerFiles(const QStringList& paths, const QPoint& at)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Open %1 recipes").arg(paths.size()), this, [this, paths] { openPaths(paths); });
    menu->addAction(tr("Compare them"), this, [this, paths] { compare(paths); });
    menu->addAction(tr("Write them as one\u2026"), this, [this, paths] { m_session.conversions().consolidate(paths); });
    menu->popup(at);
}

void MainWindow::offerFolder(const QString& path, const QPoint& at)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Open as the folder of recipes"), this, [this, path] {
        rememberRecent(path);
        m_session.library().setFolder(path);
        showPane("recipes");
    });
    menu->addAction(tr("Import the results below it"), this, [this, path] { m_session.results().import({path}); });
    menu->popup(at);
}

// --- editor, panels, palette ----------------------------------------------------------------------------------------------------------

RecipeEditor* MainWindow::focusedEditor() const
{
    // The text of an artifact is shown by the same widget: find works where the keyboard is.
    for (QWidget* at = QApplication::focusWidget(); at; at = at->parentWidget()) {
        if (auto* editor = qobject_cast<RecipeEditor*>(at))
            return editor;
    }
    return m_editors->current();
}

void MainWindow::find()
{
    if (RecipeEditor* editor = focusedEditor())
        editor->showFindBar();
}

void MainWindow::findNext()
{
    if (RecipeEditor* editor = focusedEditor())
        editor->findNext();
}

void MainWindow::findPrevious()
{
    if (RecipeEditor* editor = focusedEditor())
        editor->findPrevious();
}

void MainWindow::showFixes()
{
    if (RecipeEditor* editor = m_editors->current()) {
        editor->setFocus();
        editor->showFixes();
    }
}

void MainWindow::openPalette()
{
    std::vector<CommandPalette::Item> items;
    const auto add = [&](QAction* each, const QString& prefix) {
        const QString title = withoutMnemonic(each->text());
        QString whyNot;
        if (!each->isEnabled())
            whyNot = each->toolTip();
        items.push_back({.id = each->objectName(),
                         .title = prefix.isEmpty() ? title : prefix + QStringLiteral(": ") + title,
                         .detail = each->shortcut().toString(QKeySequence::NativeText),
                         .whyNot = whyNot,
                         .run = [action = QPointer<QAction>(each)] {
                             if (action)
                                 action->trigger();
                         }});
    };
    refreshActions();
    for (const ActionRow& row : actionRows()) {
        const auto menu = std::find_if(menuRows().begin(), menuRows().end(), [&](const MenuRow& each) { return each.menu == row.menu; });
        add(action(row.id), withoutMnemonic(translated("wb::ui::Action", menu->title)));
    }
    for (const Pane& pane : panes())
        add(action(std::string("pane.") + pane.id), tr("Panel"));
    for (QAction* each : m_layoutGroup->actions())
        add(each, tr("Layout"));
    if (const RecipeEditor* editor = m_editors->current()) {
        for (QAction* each : editor->actions()) {
            // Those without a key here are commands of the window and listed already.
            if (!each->shortcuts().isEmpty())
                add(each, tr("Editor"));
        }
    }
    m_palette->open(tr("Type a part of a command's name"), std::move(items), m_settings.value(recentCommandsKey).toStringList());
}

void MainWindow::goToVariant()
{
    std::vector<CommandPalette::Item> items;
    const CheckedPtr checked = m_session.selection().checked();
    for (std::size_t i = 0; checked && i < checked->variants.size(); ++i) {
        const check::CheckedVariant& variant = checked->variants[i];
        items.push_back(
            {.id = {},
             .title = text(variant.name),
             .detail = variant.job ? tr("%n GPU(s)", nullptr, static_cast<int>(variant.counts.gpusAllocated)) : tr("has errors"),
             .whyNot = {},
             .run = [this, i] { m_session.selection().setVariant(i); }});
    }
    m_palette->open(tr("Select a job"), std::move(items));
}

void MainWindow::showPane(const std::string& id)
{
    QDockWidget* at = dock(id);
    if (!at)
        return;
    at->show();
    at->raise();
    at->widget()->setFocus(Qt::ShortcutFocusReason);
    m_lastPanel = at; // also when the window is not active, and so no focus changes
}

void MainWindow::cycleFocus(int step)
{
    std::vector<QWidget*> stops{m_editors};
    for (const Pane& pane : panes()) {
        QDockWidget* at = dock(pane.id);
        if (at->isVisible() && !at->visibleRegion().isEmpty())
            stops.push_back(at->widget());
    }
    const QWidget* now = QApplication::focusWidget();
    std::size_t here = 0;
    for (std::size_t i = 0; i < stops.size(); ++i) {
        if (now && (stops[i] == now || stops[i]->isAncestorOf(now)))
            here = i;
    }
    const std::size_t next = (here + stops.size() + static_cast<std::size_t>(step + static_cast<int>(stops.size()))) % stops.size();
    if (next == 0)
        m_editors->focusEditor();
    else
        stops[next]->setFocus(Qt::TabFocusReason);
}

void MainWindow::saveLayoutAs()
{
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save layout"));
    dialog->setLabelText(tr("Name of the layout:"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) { m_layouts->saveAs(name); });
    dialog->open();
}

void MainWindow::removeLayout()
{
    std::vector<CommandPalette::Item> items;
    for (const QString& name : m_layouts->userLayouts())
        items.push_back({.id = {}, .title = name, .detail = {}, .whyNot = {}, .run = [this, name] { m_layouts->remove(name); }});
    m_palette->open(tr("Remove a layout of your own"), std::move(items));
}

void MainWindow::movePanel(Qt::DockWidgetArea area)
{
    QDockWidget* panel = m_lastPanel; // moving it sends the keyboard elsewhere for a moment, and that would be the last panel then
    if (!panel)
        return;
    panel->setFloating(false);
    addDockWidget(area, panel);
    panel->show();
    panel->raise();
    panel->widget()->setFocus(Qt::ShortcutFocusReason);
    m_lastPanel = panel;
}

void MainWindow::floatPanel()
{
    QDockWidget* panel = m_lastPanel;
    if (!panel)
        return;
    panel->setFloating(!panel->isFloating());
    m_lastPanel = panel;
}

void MainWindow::tabPanel()
{
    if (!m_lastPanel)
        return;
    std::vector<CommandPalette::Item> items;
    for (const Pane& pane : panes()) {
        QDockWidget* other = dock(pane.id);
        if (other == m_lastPanel || other->isHidden())
            continue;
        items.push_back({.id = {}, .title = other->windowTitle(), .detail = {}, .whyNot = {}, .run = [this, other] {
                             m_lastPanel->setFloating(false);
                             tabifyDockWidget(other, m_lastPanel);
                             m_lastPanel->raise();
                         }});
    }
    m_palette->open(tr("Put %1 behind").arg(m_lastPanel->windowTitle()), std::move(items));
}

void MainWindow::closePanel()
{
    if (m_lastPanel)
        m_lastPanel->hide();
}

void MainWindow::setTheme(Theme theme)
{
    applyTheme(theme);
    m_settings.setValue(QStringLiteral("window/theme"), id(theme));
    action("theme." + id(theme).toStdString())->setChecked(true);
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange || event->type() == QEvent::ActivationChange)
        m_session.jobs().setWatching(isVisible() && !isMinimized());
    if (event->type() == QEvent::PaletteChange) {
        // Buttons keep pixmaps of their icons; these were drawn in the old colours.
        for (const ActionRow& row : actionRows()) {
            if (*row.icon != '\0' && action(row.id))
                action(row.id)->setIcon(icon(row.icon));
        }
    }
}

void MainWindow::showShortcuts()
{
    QString rows;
    const auto add = [&](const QAction* each) {
        if (!each->shortcut().isEmpty())
            rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;&nbsp;</td><td>%2</td></tr>")
                        .arg(withoutMnemonic(each->text()).toHtmlEscaped(),
                             QKeySequence::listToString(each->shortcuts(), QKeySequence::NativeText).toHtmlEscaped());
    };
    const auto heading = [&](const QString& title) {
        rows += QStringLiteral("<tr><th align=left colspan=2><br>%1</th></tr>").arg(title.toHtmlEscaped());
    };
    for (const MenuRow& menu : menuRows()) {
        heading(withoutMnemonic(translated("wb::ui::Action", menu.title)));
        for (const ActionRow& row : actionRows()) {
            if (row.menu == menu.menu)
                add(action(row.id));
        }
        if (menu.menu == Menu::Layout) {
            for (const QAction* each : m_layoutGroup->actions())
                add(each);
        }
    }
    heading(tr("Panels"));
    for (const Pane& pane : panes())
        add(action(std::string("pane.") + pane.id));
    if (const RecipeEditor* editor = m_editors->current()) {
        heading(tr("Editor"));
        for (const QAction* each : editor->actions())
            add(each);
    }
    auto* dialog = new QDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Keyboard shortcuts"));
    auto* view = new QTextBrowser(dialog);
    view->setAccessibleName(tr("Keyboard shortcuts"));
    view->setHtml(QStringLiteral("<table>%1</table>").arg(rows));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* column = new QVBoxLayout(dialog);
    column->addWidget(view);
    column->addWidget(buttons);
    dialog->resize(560, 640);
    dialog->open();
}

void MainWindow::showAbout()
{
    QStringList packs;
    for (const std::string_view each : schema::builtInPackIds()) {
        if (const auto pack = schema::builtInPack(each))
            packs += tr("%1 (%2)").arg(text(pack->title()), text(pack->state()));
    }
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("About SRT Workbench"),
                                tr("SRT Workbench %1").arg(QCoreApplication::applicationVersion()), QMessageBox::Ok, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIconPixmap(programIcon().pixmap(64, 64));
    box->setTextInteractionFlags(Qt::TextSelectableByMouse);
    box->setInformativeText(
        tr("Workbench for srt-slurm benchmark recipes and results.\n\nRecipe languages: %1\nQt %2\n\nFree software under the GNU General "
           "Public License, version 3 or later.")
            .arg(packs.join(QStringLiteral(", ")), QString::fromLatin1(qVersion())));
    box->open();
}

} // namespace wb::ui
