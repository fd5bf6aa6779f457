#pragma once

#include "ui/async/debounce.h"
#include "ui/shell/actions.h"
#include "ui/shell/session.h"
#include "ui/shell/shortcuts.h"
#include "ui/shell/theme.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QPointer>

#include <functional>
#include <map>
#include <string>
#include <vector>

class QActionGroup;
class QSettings;

namespace wb::ui {

class CommandPalette;
class EditorArea;
class LayoutKeeper;
class StatusPanel;
struct Pane;

/// The window: docks, menus, toolbar and shortcuts from the tables of panes, layouts and actions. What the actions do is public, one
/// function each.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    MainWindow(Session& session, QSettings& settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Session& session() const { return m_session; }
    [[nodiscard]] EditorArea& editors() const { return *m_editors; }
    /// The editor that has the keyboard, be it of an artifact, else the one of the current document; null: none.
    [[nodiscard]] class RecipeEditor* focusedEditor() const;
    [[nodiscard]] LayoutKeeper& layoutKeeper() const { return *m_layouts; }
    [[nodiscard]] QDockWidget* lastPanel() const { return m_lastPanel; } ///< The one that had the keyboard last; null: none yet.
    [[nodiscard]] QDockWidget* dock(const std::string& pane) const;
    [[nodiscard]] QAction* action(const std::string& id) const; ///< Rows of actionRows(), "pane.<id>", "layout.<id>".

    /// Recipes (PATH or PATH:VARIANT) are opened, a folder with recipes becomes the open folder, anything else is imported.
    void openPaths(const QStringList& paths);
    /// PATH or PATH:SELECTOR each, side by side in the Compare pane; a selector may name several jobs.
    void compare(const QStringList& paths);
    [[nodiscard]] Shortcuts& shortcuts() { return m_shortcuts; }
    /// Folder, recipes and cluster file of the last time. False: there was none, and the sample workspace is opened.
    bool restoreSession();

    void newRecipe();
    void newManifest(const QString& id = {}); ///< From a template of NVIDIA Snapshot; empty: asks which.
    void makeCaptureManifest();               ///< Of the selected job, as a new text.
    void openFiles();
    void openFolder();
    void quickOpen();
    void openSample();
    void compareFiles();
    void compareRuns();
    void saveReport();
    void compareJobs();
    void explode();
    void makeRestoreManifest();
    void importStartup();
    void editShortcuts();
    void save();
    void saveAs();
    void closeCurrent();
    void importFiles();
    void importFolder();
    void chooseCluster();
    void find();
    void findNext();
    void findPrevious();
    void showFixes();
    void openPalette();
    void cycleFocus(int step);
    void showPane(const std::string& id);
    void saveLayoutAs();
    void removeLayout();
    void movePanel(Qt::DockWidgetArea area);
    void floatPanel();
    void tabPanel();
    void closePanel();
    void setTheme(Theme theme);
    void goToVariant();
    void showShortcuts();
    void showAbout();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makeDocks();
    void makeActions();
    void makeMenus();
    void makeRecentMenu(QMenu& menu);
    void makePaneActions(QMenu& menu);
    void makeLayoutActions(QMenu& menu);
    void makeToolBar();
    void makeStatusBar();
    [[nodiscard]] QWidget* makeWelcome();
    QAction* addAction(const std::string& id, const QString& text, const QString& tip, const QString& shortcuts);
    void refreshActions();
    void refreshTitle();
    void refreshCursor();
    void refreshLayouts();
    void followFocus(QWidget* now);
    void requestClose(DocumentId id);
    void saveThen(DocumentId id, const std::function<void()>& then);
    void askToClose();
    void saveAllAndClose(std::vector<DocumentId> ids);
    void remember();
    void rememberRecent(const QString& path);
    void offerFolder(const QString& path, const QPoint& at);
    void offerFiles(const QStringList& paths, const QPoint& at);
    void refreshRecent();
    void refreshUndo();
    void restoreDocuments();

    Session& m_session;
    QSettings& m_settings;
    Shortcuts m_shortcuts;
    std::map<std::string, QDockWidget*> m_docks;
    std::map<std::string, QAction*> m_actions;
    std::map<Menu, QMenu*> m_menus;
    QActionGroup* m_layoutGroup = nullptr;
    QMenu* m_recentMenu = nullptr;
    QWidget* m_recentList = nullptr; ///< On the welcome page.
    std::vector<QAction*> m_userLayoutActions;
    EditorArea* m_editors = nullptr;
    LayoutKeeper* m_layouts = nullptr;
    StatusPanel* m_status = nullptr;
    CommandPalette* m_palette = nullptr;
    QPointer<QDockWidget> m_lastPanel;
    async::Debounce m_refresh;
    bool m_mayClose = false;
};

} // namespace wb::ui
