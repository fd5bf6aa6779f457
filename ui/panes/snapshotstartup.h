#pragma once

#include "ui/models/cellsmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;

namespace wb::ui {

namespace charts {
class StartupChart;
}
class TableView;

/// Startup results: a chart of cold starts against restores and the runs that it is drawn from, with what they come to.
class SnapshotStartup final : public QWidget
{
    Q_OBJECT

public:
    SnapshotStartup(Session& session, QWidget* parent = nullptr);

    /// By the name's ending: the runs (.json, .csv; they can be imported again) or the chart (.svg, .png).
    void exportRuns(const QString& file);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeBar();
    QWidget* makeChartBar();
    void refresh();
    void refreshRuns();
    void refreshChart();
    void refreshControls();
    void chooseFiles();
    void chooseFolder();
    void chooseExport();

    Session& m_session;
    CellsModel m_runs;
    CellsModel m_files;
    charts::StartupChart* m_chart;
    QComboBox* m_view;
    QComboBox* m_group;
    QCheckBox* m_log;
    QCheckBox* m_shares;
    QCheckBox* m_synthetic;
    QDoubleSpinBox* m_bandwidth;
    QDoubleSpinBox* m_starts;
    QLabel* m_summary;
    TableView* m_runView;
    TableView* m_fileView;
};

} // namespace wb::ui
