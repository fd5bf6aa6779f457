#pragma once

#include "ui/models/cellsmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace wb::ui {

class MessageBar;
class TableView;

/// Snapshot on a cluster, by kubectl: what the server says to the manifest that is open, and what becomes of the objects that were created.
class SnapshotCluster final : public QWidget
{
    Q_OBJECT

public:
    SnapshotCluster(Session& session, QWidget* parent = nullptr);

private:
    QWidget* makePlace();
    QWidget* makeCommands();
    void takePlace();
    void refresh();
    void refreshConnection();
    void refreshFollowed();
    void refreshTimeline();
    void askToCreate();
    void askToDelete(std::size_t index);
    void addToMenu(class QMenu& menu, const QModelIndex& source);

    Session& m_session;
    CellsModel m_findings;
    CellsModel m_objects;
    CellsModel m_timeline;
    QLineEdit* m_host;
    QLineEdit* m_context;
    QLineEdit* m_space;
    QLabel* m_place;
    QLabel* m_state;
    QToolButton* m_dryRun;
    QToolButton* m_create;
    TableView* m_findingView;
    TableView* m_objectView;
    TableView* m_timelineView;
    MessageBar* m_message;
};

} // namespace wb::ui
