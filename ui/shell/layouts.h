// Named layouts of the docks: built-in ones as rows, the user's own as saved states.
//
// To add a built-in one: a row in layouts.cpp. Ids are stored in users' settings: never renamed.
#pragma once

#include <QMainWindow>
#include <QObject>
#include <QStringList>

#include <map>
#include <span>
#include <string>
#include <vector>

class QDockWidget;
class QSettings;

namespace wb::ui {

enum class Arrangement : unsigned char {
    Side,   ///< At the side of the window (beside what is there already).
    Below,  ///< Below the place before it.
    Tabbed, ///< Behind the place before it.
};

struct Place {
    const char* pane;
    Qt::DockWidgetArea area;
    Arrangement arrangement;
    int share; ///< Per cent of the window: of its width at the left and right, of its height at the bottom and for Below; 0: as it comes.
};

struct Layout {
    const char* id;
    const char* title; ///< QT_TRANSLATE_NOOP("wb::ui::Layout", ...)
    const char* shortcut;
    std::span<const Place> places; ///< Panes that are not listed are hidden.
};

[[nodiscard]] std::span<const Layout> layouts();

/// Puts the docks of a window where a layout wants them, and keeps what the user changed of each layout.
class LayoutKeeper final : public QObject
{
    Q_OBJECT

public:
    /// `docks`: by pane id.
    LayoutKeeper(QMainWindow& window, std::map<std::string, QDockWidget*> docks, QSettings& settings);

    /// Id of a built-in layout, or "user/<name>".
    [[nodiscard]] const QString& current() const { return m_current; }
    [[nodiscard]] QStringList userLayouts() const; ///< Names.

    void switchTo(const QString& id); ///< What was changed of the present one is kept.
    void saveAs(const QString& name); ///< The present arrangement under a name of the user's.
    void remove(const QString& name);
    void reset();     ///< The present layout as it is built in; a user's own as it was saved last.
    void remember();  ///< Writes the present arrangement to the settings.
    void toggleAll(); ///< Hides every dock, or shows those again that were hidden so.

Q_SIGNALS:
    void changed();

private:
    void apply(const QString& id);
    bool restore(const QString& key);
    void write(const QString& key) const;
    void arrange(const Layout& layout);
    void resize(const Layout& layout);
    [[nodiscard]] QDockWidget* dock(const char* pane) const;

    QMainWindow& m_window;
    std::map<std::string, QDockWidget*> m_docks;
    QSettings& m_settings;
    QString m_current;
    std::vector<QDockWidget*> m_hidden; ///< By toggleAll.
};

} // namespace wb::ui
