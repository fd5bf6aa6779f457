// A chart laid out for a size: axes, frontiers, points, legend, notes. The view shows one and the exported picture is one, so they look
// alike.
#pragma once

#include "core/analysis/chart.h"
#include "ui/charts/chartview.h"
#include "ui/charts/pointcloud.h"
#include "ui/charts/scales.h"

#include <QGraphicsScene>
#include <QPalette>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

class QChart;
class QValueAxis;

namespace wb::ui::charts {

/// The points are a raster on the screen and shapes in a picture that others scale.
enum class Medium { Screen, Shapes };

/// The part of both axes that is seen, in axis coordinates.
struct View {
    Span x;
    Span y;

    friend bool operator==(const View&, const View&) = default;
};

struct LegendEntry {
    QString text;
    QString full;                    ///< The whole key, for the tooltip; of the grey rest all keys.
    bool isRest = false;             ///< The grey series.
    std::vector<std::size_t> series; ///< More than one for the grey rest.
    QRectF box;
};

class ChartScene final : public QGraphicsScene
{
    Q_OBJECT

public:
    explicit ChartScene(QObject* parent = nullptr);
    ~ChartScene() override;

    void setChart(std::shared_ptr<const analysis::Chart> chart);
    [[nodiscard]] const analysis::Chart* chart() const { return m_chart.get(); }
    void setColours(const QPalette& palette);
    void setMedium(Medium medium) { m_medium = medium; }
    /// Lines below the title and definitions at the foot, as a picture that travels alone needs them.
    void setNotes(std::optional<PictureNotes> notes);
    void setSize(const QSizeF& size);

    void setParts(const ChartParts& parts);
    [[nodiscard]] const ChartParts& parts() const { return m_parts; }
    [[nodiscard]] const analysis::OverallFrontier& overall() const
    {
        return m_overall;
    } ///< Over what is visible; empty unless it is shown.

    void setScale(Qt::Orientation axis, Scale scale);
    [[nodiscard]] Scale scale(Qt::Orientation axis) const { return axis == Qt::Horizontal ? m_scaleX : m_scaleY; }
    void setLine(analysis::Line line);
    [[nodiscard]] analysis::Line line() const { return m_line; }

    [[nodiscard]] View view() const { return m_view; }
    [[nodiscard]] View fullView() const { return m_full; }
    void setView(const View& view);
    /// Magnifies about a place of the scene; only one axis when the place is beside the plot.
    void zoomAt(const QPointF& place, double factor);
    void pan(const QPointF& pixels);
    void zoomTo(const QRectF& box); ///< In the scene.
    void resetView();
    [[nodiscard]] bool isZoomed() const { return m_zoomed; }

    void setHiddenKeys(std::set<std::string> keys);
    [[nodiscard]] const std::set<std::string>& hiddenKeys() const { return m_hiddenKeys; }
    [[nodiscard]] bool isHidden(std::size_t series) const;
    [[nodiscard]] std::vector<bool> hiddenSeries() const;

    void setSelected(const PointId& id);
    [[nodiscard]] const PointId& selected() const { return m_selected; }
    void setMarked(const std::vector<PointId>& ids); ///< Those that are not here are kept for the next chart.
    [[nodiscard]] const std::vector<PointId>& marked() const { return m_marked; }
    /// Points with a ring of their own, the second with a line from the first.
    void setPinned(std::optional<PointRef> first, std::optional<PointRef> second);
    void setHovered(std::optional<PointRef> ref);
    [[nodiscard]] std::optional<PointRef> hovered() const { return m_hovered; }
    void setZoomBox(const QRectF& box);    ///< Shown while it is drawn; empty for none.
    void setLasso(const QPolygonF& lasso); ///< As the box.
    [[nodiscard]] std::optional<PointRef> placeOf(const PointId& id) const;

    [[nodiscard]] QRectF plotArea() const { return m_plot; }
    [[nodiscard]] double heightAround() const { return m_heightAround; } ///< What title, legend, axes and notes take of the height.
    [[nodiscard]] const std::vector<LegendEntry>& legend() const { return m_legend; }
    [[nodiscard]] const LegendEntry* legendAt(const QPointF& place) const;
    [[nodiscard]] PointCloud& cloud() { return m_cloud; }
    [[nodiscard]] const PointCloud& cloud() const { return m_cloud; }
    [[nodiscard]] SeriesStyle styleOf(std::size_t series) const { return seriesStyle(m_cloud.looks().at(series), m_palette); }
    [[nodiscard]] QString simulatedTag() const; ///< "SIMULATED", with the series when others are measured; empty when all are.
    [[nodiscard]] const analysis::ChartPoint& point(PointRef ref) const { return m_chart->series.at(ref.series).points.at(ref.point); }
    [[nodiscard]] bool isOnFrontier(PointRef ref) const;
    /// Points of all visible frontiers that are in view, by x.
    [[nodiscard]] std::vector<PointRef> frontierInView() const;
    [[nodiscard]] QStringList noteLines() const { return m_noteLines; } ///< Warnings and counts, as shown below the chart.
    [[nodiscard]] const std::vector<Tick>& ticksOf(Qt::Orientation axis) const { return axis == Qt::Horizontal ? m_ticksX : m_ticksY; }
    [[nodiscard]] bool isLogarithmic(Qt::Orientation axis) const { return (axis == Qt::Horizontal ? m_axisX : m_axisY).isLog; }
    [[nodiscard]] QString tipAt(const QPointF& place) const; ///< Of what is there: a series, an axis, the notes; empty for nothing.
    [[nodiscard]] QString summary() const;                   ///< For those who cannot see it.

Q_SIGNALS:
    void viewChanged();

private:
    class Backdrop;
    class CloudItem;
    class Overlay;
    friend class Backdrop;
    friend class CloudItem;
    friend class Overlay;

    void placePoints();
    void makeFrontiers();
    void addLine(const QList<QPointF>& path, const QColor& colour, double width, Qt::PenStyle style = Qt::SolidLine);
    void applyMarks();
    [[nodiscard]] QPalette inkOf(const QPalette& palette) const;
    [[nodiscard]] QList<QPointF> frontierPath(const std::vector<PointRef>& refs) const;
    [[nodiscard]] QPointF toScene(double x, double y) const; ///< From axis coordinates.
    void paintLimits(QPainter& painter) const;
    void paintSweeps(QPainter& painter) const;
    void paintLabels(QPainter& painter) const;
    void paintCrosshair(QPainter& painter) const;
    void paintFrontierPoints(QPainter& painter) const;
    void paintSimulatedTag(QPainter& painter) const;
    void paintRing(QPainter& painter, std::optional<PointRef> ref, double width, double more) const;
    void makeNotes();
    void layOut();
    void layOutLegend(double top, double width);
    void showView();
    void paintBackdrop(QPainter& painter) const;
    void paintAxes(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;
    void paintTexts(QPainter& painter) const;
    void paintCloud(QPainter& painter);
    void paintOverlay(QPainter& painter) const;
    [[nodiscard]] QString titleFor(const analysis::AxisTitle& axis, bool isLog, double width) const;
    [[nodiscard]] QString axisTitle(const analysis::AxisTitle& axis, bool isLog) const;
    [[nodiscard]] QString legendText(std::size_t series, qsizetype longest) const;
    [[nodiscard]] double legendHeight(const LegendEntry& entry, double width) const;
    [[nodiscard]] double lineHeight(const QString& line, double width) const;

    std::shared_ptr<const analysis::Chart> m_chart;
    PointCloud m_cloud;
    QChart* m_qchart;
    QValueAxis* m_valueX;
    QValueAxis* m_valueY;
    Backdrop* m_backdrop;
    CloudItem* m_cloudItem;
    Overlay* m_overlay;

    QPalette m_palette, m_givenPalette;
    ChartParts m_parts;
    analysis::OverallFrontier m_overall;
    std::vector<PointId> m_marked;
    std::optional<PointRef> m_pinned, m_second;
    QPolygonF m_lasso;
    QFont m_font;
    QSizeF m_size{640, 480};
    Medium m_medium = Medium::Screen;
    std::optional<PictureNotes> m_notes;
    Scale m_scaleX = Scale::Auto;
    Scale m_scaleY = Scale::Auto;
    analysis::Line m_line = analysis::Line::Stairs;
    AxisScale m_axisX, m_axisY;
    View m_view, m_full;
    bool m_zoomed = false;
    std::set<std::string> m_hiddenKeys;
    PointId m_selected;
    std::optional<PointRef> m_selectedRef;
    std::optional<PointRef> m_hovered;
    QRectF m_zoomBox;

    QRectF m_plot;
    double m_heightAround = 0.0;
    QRectF m_titleBox, m_subtitleBox, m_notesBox, m_titleXBox, m_titleYBox;
    QStringList m_subtitles, m_noteLines, m_definitions;
    QStringList m_shownNotes; ///< Of the note lines: fewer where they would crowd the plot out.
    std::vector<LegendEntry> m_legend;
    std::vector<Tick> m_ticksX, m_ticksY;
    double m_labelWidth = 0.0; ///< Widest label of y since the last whole view: the plot must not jump while it is moved.
};

} // namespace wb::ui::charts
