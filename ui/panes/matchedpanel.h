// The groups of a chart against each other, below it: at one x, or at their best within the limits.
#pragma once

#include "core/analysis/chart.h"
#include "ui/models/matchedmodel.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;
class QLineEdit;

namespace wb::ui {

class TableView;

class MatchedPanel final : public QWidget
{
    Q_OBJECT

public:
    explicit MatchedPanel(QWidget* parent = nullptr);

    /// Null: there is none. `hidden`: the series that are not shown; they are not compared.
    void setChart(std::shared_ptr<const analysis::Chart> chart, std::vector<bool> hidden);
    void setHidden(std::vector<bool> hidden);

    [[nodiscard]] std::optional<double> x() const; ///< Nothing: none was given, or what was given is no number.
    [[nodiscard]] std::string baseline() const;
    void setRequest(std::optional<double> x, const std::string& baseline);
    [[nodiscard]] const analysis::MatchedComparison& comparison() const { return m_comparison; }

Q_SIGNALS:
    void pointWanted(const wb::PointId& id);

private:
    void refresh();
    void fillBaselines();

    std::shared_ptr<const analysis::Chart> m_chart;
    std::vector<bool> m_hidden;
    analysis::MatchedComparison m_comparison;
    std::string m_baseline; ///< As chosen; its group may be away for a while.
    MatchedModel m_model;
    TableView* m_view;
    QLineEdit* m_x;
    QComboBox* m_baselines;
    QLabel* m_note;
};

} // namespace wb::ui
