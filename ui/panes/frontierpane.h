#pragma once

#include "core/analysis/chart.h"
#include "ui/async/debounce.h"
#include "ui/shell/session.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;

namespace wb::ui {

namespace charts {
class ChartView;
}
class MessageBar;

/// The Pareto chart over the imported points: which axes, which groups, which limits; a click on a point opens its recipe and selects its
/// job.
class FrontierPane final : public QWidget
{
    Q_OBJECT

public:
    FrontierPane(Session& session, QWidget* parent = nullptr);

    /// Writes the view as one HTML file, with the comparison of runs when there is one; asks for the name.
    void exportReport();

private:
    using Charted = std::shared_ptr<const Result<analysis::Chart>>;

    QWidget* makeControls();
    [[nodiscard]] analysis::ChartRequest request() const;
    void recompute();
    void show(const Result<analysis::Chart>& chart);
    void exportPicture();
    void writeReport(const QString& file);

    Session& m_session;
    charts::ChartView* m_chart;
    MessageBar* m_message;
    QComboBox* m_x;
    QComboBox* m_y;
    QComboBox* m_group;
    QComboBox* m_line;
    QLineEdit* m_where;
    QLineEdit* m_slo;
    QLabel* m_notes;
    async::Debounce m_debounce;
    async::LatestJob<Charted> m_job;
};

} // namespace wb::ui
