#pragma once

#include "ui/models/processesmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QLabel;

namespace wb::ui {

class TableView;
class TopologyMap;

/// Which process runs on which node and GPUs, with which ports: as a map, and as a table that says the same.
class TopologyPane final : public QWidget
{
    Q_OBJECT

public:
    TopologyPane(Session& session, QWidget* parent = nullptr);

private:
    void refresh();

    Session& m_session;
    ProcessesModel m_model;
    TopologyMap* m_map;
    TableView* m_table;
    QLabel* m_summary;
};

} // namespace wb::ui
