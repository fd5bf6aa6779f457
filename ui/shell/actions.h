// The commands of the window.
//
// To add one: a row in actions.cpp, with a function of MainWindow for what it does. Menus, toolbar, shortcuts, the command palette and the
// list of shortcuts are made from the rows. Ids are stored in users' settings: never renamed.
#pragma once

#include <QString>

#include <span>

namespace wb::ui {

class MainWindow;

enum class Menu { File, Edit, View, Layout, MovePanel, Theme, Go, Recipe, Help };

enum class Where : unsigned char { Menu, MenuAndToolbar };
enum class Group : unsigned char { Same, New }; ///< New: a line before it.

struct ActionRow {
    const char* id;
    Menu menu;
    const char* text; ///< QT_TRANSLATE_NOOP("wb::ui::Action", ...), with its mnemonic.
    const char* tip;
    const char* shortcut; ///< Several are parted by "; "; empty: none on purpose.
    const char* icon;     ///< Of resources/icons; empty: none.
    Where where;
    Group group;
    void (*run)(MainWindow&);
    QString (*whyNot)(const MainWindow&); ///< Why it cannot be done now; empty text, or no function: it can.
};

[[nodiscard]] std::span<const ActionRow> actionRows();

struct MenuRow {
    Menu menu;
    Menu parent; ///< Itself: in the menu bar.
    const char* title;
};

[[nodiscard]] std::span<const MenuRow> menuRows();

} // namespace wb::ui
