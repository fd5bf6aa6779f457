#pragma once

#include "ui/models/cellsmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QLabel;

namespace wb::ui {

class TableView;

/// Whether a checkpoint can be restored: the nodes with their verdicts, the checks for the chosen one by the agent's names, and the facts
/// of both sides, which can be typed over to see what would come of it.
class SnapshotPreflight final : public QWidget
{
    Q_OBJECT

public:
    SnapshotPreflight(Session& session, QWidget* parent = nullptr);

private:
    void refresh();
    void refreshNode();
    void takeTyped(const QString& row, int column, const QString& typed);
    void typeNode();
    void takeOpenManifest();
    void choose(const QString& title, void (Snapshots::*read)(const QString&));
    [[nodiscard]] const snapshot::NodeOutcome* current() const; ///< Null: there is none.

    Session& m_session;
    CellsModel m_nodes;
    CellsModel m_checks;
    CellsModel m_facts;
    QLabel* m_summary;
    TableView* m_nodeView;
    TableView* m_checkView;
    TableView* m_factView;
    std::string m_wanted; ///< Name of the node that was chosen last.
};

} // namespace wb::ui
