#pragma once

#include "ui/models/cellsmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;

namespace wb::ui {

class TableView;

/// The objects of the manifest that is open, what the server would fill in, and the schemas that it is checked against.
class SnapshotManifest final : public QWidget
{
    Q_OBJECT

public:
    SnapshotManifest(Session& session, QWidget* parent = nullptr);

private:
    void refresh();
    void refreshCapture();
    void refreshCrds();
    void chooseCrds(int index);

    Session& m_session;
    CellsModel m_objects;
    CellsModel m_defaults;
    QComboBox* m_crds;
    QLabel* m_origin;
    QLabel* m_summary;
    QToolButton* m_capture;
    QToolButton* m_restore;
    TableView* m_objectView;
    TableView* m_defaultView;
};

} // namespace wb::ui
