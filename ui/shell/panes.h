// The panes of the window.
//
// To add one: ui/panes/<id>.{h,cpp}, a row in panes.cpp, and its place in the layouts of layouts.cpp that show it. The main window makes
// its docks, its View menu, its shortcuts and its saved layouts from the rows and knows no pane by name. Ids are stored in users' settings:
// never renamed.
#pragma once

#include <QWidget>

#include <span>

namespace wb::ui {

class Session;

struct Pane {
    const char* id;
    const char* title;       ///< QT_TRANSLATE_NOOP("wb::ui::Pane", ...)
    const char* shortcut;    ///< Shows the pane and gives it the keyboard.
    Qt::DockWidgetArea area; ///< Where it goes when a layout does not place it.
    QWidget* (*make)(Session&, QWidget* parent);
};

[[nodiscard]] std::span<const Pane> panes();

} // namespace wb::ui
