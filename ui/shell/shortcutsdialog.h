#pragma once

#include "ui/shell/shortcuts.h"

#include <QDialog>

class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace wb::ui {

/// All commands with their keys: found by name or by key, changed with a warning of who has the key already, put back, exported and
/// imported.
class ShortcutsDialog final : public QDialog
{
    Q_OBJECT

public:
    ShortcutsDialog(Shortcuts& shortcuts, QWidget* parent = nullptr);

private:
    void fill();
    void applyFilter();
    void refreshCurrent();
    void refreshConflict();
    void assign();
    void exportKeys();
    void importKeys();
    [[nodiscard]] QAction* current() const;

    Shortcuts& m_shortcuts;
    QLineEdit* m_filter;
    QTreeWidget* m_list;
    QKeySequenceEdit* m_keys;
    QPushButton* m_assign;
    QPushButton* m_reset;
    QLabel* m_note;
};

} // namespace wb::ui
