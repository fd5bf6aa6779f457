#pragma once

#include "ui/shell/session.h"

#include <QDialog>

#include <vector>

class QPushButton;
class QTreeWidget;

namespace wb::ui {

/// Offers unsaved texts that a workbench which did not close in order left behind. Closing it keeps them for the next start.
class DraftsDialog final : public QDialog
{
    Q_OBJECT

public:
    DraftsDialog(Session& session, std::vector<store::Orphan> orphans, QWidget* parent);

private:
    void refill();
    void refreshButtons();
    [[nodiscard]] const store::Orphan* chosen() const;
    void remove(const std::string& file);
    void showDifference();
    void restore();
    void restoreAll();
    void discard();

    Session& m_session;
    std::vector<store::Orphan> m_orphans;
    QTreeWidget* m_list;
    QPushButton* m_difference;
    QPushButton* m_restore;
    QPushButton* m_discard;
};

} // namespace wb::ui
