#pragma once

#include "ui/models/processesmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QLabel;
class QScrollArea;
class QToolButton;

namespace wb::ui {

class MessageBar;
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
    QWidget* makeBar();
    void exportSvg();

    Session& m_session;
    ProcessesModel m_model;
    TopologyMap* m_map;
    TableView* m_table;
    QLabel* m_summary;
    QScrollArea* m_area;
    QToolButton* m_zoom; ///< Says the zoom; back to 100 % by a click.
    QToolButton* m_export;
    MessageBar* m_message;
};

} // namespace wb::ui
