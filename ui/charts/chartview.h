// The Pareto chart: a cloud of points, a frontier per series, legend, zoom, hover card, and its pictures. It shows an analysis::Chart and
// decides nothing about it.
//
// Qt Charts gives plot area, legend and frontier lines; the points are one raster item, because a QScatterSeries of 100,000 points takes
// most of a minute to show. Logarithmic axes are log10 on linear axes: QLogValueAxis has no labels within a decade and drops a
// whole series for one value that is not positive.
#pragma once

#include "core/analysis/chart.h"
#include "core/analysis/delta.h"
#include "core/analysis/viewfile.h"
#include "core/base/ids.h"
#include "core/base/result.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QImage;
class QMenu;

namespace wb::ui::charts {

enum class Scale {
    Auto, ///< Logarithmic when every value is positive and they span much.
    Linear,
    Log, ///< Values that are not positive are left out and counted below the chart; when none is positive the axis is linear and says so.
};

enum class DragMode { Pan, Zoom, Select, Lasso };

enum class PointLabels { None, Concurrency, Parallelism };

/// What is drawn besides the points and the groups' frontiers.
struct ChartParts {
    PointLabels labels = PointLabels::None;
    bool overall = false; ///< The frontier over all visible series.
    bool curves = false;  ///< Through the points of a sweep in the order of their concurrency.
    bool spreads = true;  ///< From the least to the most of replicas.
    bool contrast = false;

    friend bool operator==(const ChartParts&, const ChartParts&) = default;
};

/// What a picture says besides the chart itself; empty parts are left out.
struct PictureNotes {
    QString filters; ///< "concurrency>=8"
    QString date;
};

class ChartView final : public QWidget
{
    Q_OBJECT

public:
    explicit ChartView(QWidget* parent = nullptr);
    ~ChartView() override;

    /// The zoom, the hidden series (by key) and the selection stay when the axes are the same as before.
    void setChart(const analysis::Chart& chart);
    void setChart(std::shared_ptr<const analysis::Chart> chart); ///< Without copying it.
    void clear();

    void setSelected(const PointId& id); ///< An empty or unknown id selects nothing.
    [[nodiscard]] PointId selected() const;
    /// The points that others chose together, as rows of a table: two or more stand out, the others fade.
    void setMarked(const std::vector<PointId>& ids);
    [[nodiscard]] std::vector<PointId> marked() const;

    /// The card of a point that stays; an empty id takes it away, and the one of two points with it.
    void pin(const PointId& id);
    [[nodiscard]] PointId pinned() const;
    /// The card of the pinned point against another one.
    void compareWith(const PointId& id);
    [[nodiscard]] PointId comparedWith() const; ///< Empty: none.
    void swapCompared();
    /// Tells more of two points than the chart knows; without it the card has the axes and the labels that differ.
    void setDeltaSource(std::function<std::vector<analysis::DeltaRow>(const PointId& first, const PointId& second)> source);

    void setScale(Qt::Orientation axis, Scale scale); ///< Horizontal is x.
    [[nodiscard]] Scale scale(Qt::Orientation axis) const;
    void setLine(analysis::Line line);
    void setParts(const ChartParts& parts);
    [[nodiscard]] const ChartParts& parts() const;
    /// What dragging with the left button does. Shift+drag zooms while it pans and pans while it zooms, and adds to what is selected while
    /// it selects; Ctrl+drag selects in a box whatever the mode; the middle button pans.
    void setDragMode(DragMode mode);
    [[nodiscard]] DragMode dragMode() const;

    void zoomIn();
    void zoomOut();
    void resetZoom();
    [[nodiscard]] bool isZoomed() const;
    /// The part that is seen, in values; nothing when all is.
    [[nodiscard]] std::optional<analysis::ChartViewFile::Zoom> zoom() const;
    void setZoom(const std::optional<analysis::ChartViewFile::Zoom>& zoom);

    void setSeriesVisible(const QString& key, bool visible);
    void showOnly(const QString& key); ///< Isolates one series; once more shows all again.
    void showAllSeries();
    [[nodiscard]] bool isSeriesVisible(const QString& key) const;
    [[nodiscard]] std::vector<std::string> hiddenKeys() const;
    void setHiddenKeys(const std::vector<std::string>& keys);
    [[nodiscard]] std::vector<bool> hiddenSeries() const; ///< By series of the chart.
    [[nodiscard]] const analysis::Chart* chart() const;   ///< Null when there is none.

    /// Where a point is drawn, in this widget's coordinates; nothing when it is not drawn.
    [[nodiscard]] std::optional<QPointF> positionOf(const PointId& id) const;
    /// The point nearest to a place, within reach of the mouse; empty when there is none.
    [[nodiscard]] PointId pointAt(const QPointF& position) const;

    /// .png (twice the size), .svg or .pdf, by the file's suffix. Shows all series that are visible here, at the zoom of here.
    [[nodiscard]] Result<void> exportTo(const QString& file, const PictureNotes& notes = {}) const;
    void copyToClipboard() const; ///< The picture, and the points as CSV for those who paste text.

Q_SIGNALS:
    void pointPicked(wb::PointId id);                       ///< Clicked, or Space on the one under the crosshair: it is pinned.
    void pointActivated(wb::PointId id);                    ///< Double click, or Enter on the one under the crosshair.
    void pointsMarked(const std::vector<wb::PointId>& ids); ///< By box, lasso, Ctrl+click or keys; may be none.
    void visibilityChanged();                               ///< Series were shown or hidden.
    void deltaChanged();                                    ///< Another card, or none.
    void pointHovered(wb::PointId id);                      ///< Empty when the mouse has left the points.
    void zoomChanged();
    void menuWanted(QMenu& menu, const wb::PointId& id); ///< The menu of a point is being made: others add to it.

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

/// The picture of a chart as a view shows it (labels, parts, scales, zoom, hidden series; its request is not asked), for `srt-workbench
/// --render-chart`. Needs a QApplication, any platform.
[[nodiscard]] Result<void> renderChart(const analysis::Chart& chart, const QString& file, const PictureNotes& notes = {},
                                       const analysis::ChartViewFile& view = {.shows = {"spreads"}});

/// True for the endings that `renderChart` and `ChartView::exportTo` write: .png, .svg, .pdf.
[[nodiscard]] bool isPictureName(const QString& file);
/// Any picture, in the kind that the suffix names: the file is there whole or as it was before.
[[nodiscard]] Result<void> saveImage(const QImage& image, const QString& file);

} // namespace wb::ui::charts
