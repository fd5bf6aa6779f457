#pragma once

#include "core/analysis/chart.h"
#include "core/analysis/viewfile.h"
#include "ui/async/debounce.h"
#include "ui/charts/chartview.h"
#include "ui/shell/session.h"

#include <QWidget>

#include <optional>

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;

namespace wb::ui {

class MatchedPanel;
class MessageBar;

/// The Pareto chart over the imported points: which axes, which groups, which limits, and the groups against each other. Click pins a point
/// and selects it, double click opens its recipe and selects its job.
class FrontierPane final : public QWidget
{
    Q_OBJECT

public:
    FrontierPane(Session& session, QWidget* parent = nullptr);

    /// The view as a file would hold it, and back.
    [[nodiscard]] analysis::ChartViewFile viewFile() const;
    void applyView(const analysis::ChartViewFile& view);
    void openView(const QString& file);
    void saveView(const QString& file);
    /// By the name's ending: a picture (.png, .svg, .pdf) or a table (.csv).
    void exportTo(const QString& file);
    void exportComparison(const QString& file); ///< As comma-separated values.
    /// Writes the view as one HTML file, with the comparison of runs when there is one; asks for the name.
    void exportReport();

private:
    struct Charted {
        std::shared_ptr<const analysis::Chart> chart; ///< Null when it could not be made.
        std::optional<Error> error;
        std::vector<std::string> notSimulated; ///< Why variants of the open recipe gave no simulated points.
    };

    QWidget* makeControls();
    void fillDragMenu(QMenu& menu);
    void fillShowMenu(QMenu& menu);
    void fillFileMenu(QMenu& menu);
    void addPart(QMenu& menu, const QString& title, const QString& tip, bool charts::ChartParts::*part);
    void setPart(bool charts::ChartParts::*part, bool isOn);
    void setLine(analysis::Line line);
    void setDragMode(charts::DragMode mode);
    void showMenuState();
    [[nodiscard]] analysis::ChartRequest request() const;
    void recompute();
    void show(const Charted& charted);
    void followFilter();
    [[nodiscard]] QStringList notesOf(const analysis::Chart& chart) const;
    void writeReport(const QString& file);

    Session& m_session;
    charts::ChartView* m_chart;
    MatchedPanel* m_matched;
    MessageBar* m_message;
    QComboBox* m_x;
    QComboBox* m_y;
    QComboBox* m_group;
    QLineEdit* m_where;
    QLineEdit* m_slo;
    QToolButton* m_drag;
    QToolButton* m_show;
    QToolButton* m_compare;
    QLabel* m_notes;
    std::vector<std::pair<QAction*, std::function<bool()>>> m_checks; ///< Checkable actions and whether they are on.
    analysis::Line m_line = analysis::Line::Stairs;
    std::map<std::string, std::size_t> m_ranks; ///< Of the view that was opened.
    std::string m_title;                        ///< As above.
    bool m_withSimulated = true;
    bool m_simulatesOpen = false; ///< Points of the open recipe are computed and shown, too.
    std::optional<analysis::ChartViewFile::Zoom> m_zoomToCome;
    std::optional<std::vector<std::string>> m_hiddenToCome;
    async::Debounce m_debounce;
    async::LatestJob<Charted> m_job;
};

} // namespace wb::ui
