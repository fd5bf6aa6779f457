// The points of a chart as one picture: the part that has to carry 100,000 of them. No widget here, so that it can be measured and tested.
#pragma once

#include "core/analysis/chart.h"
#include "ui/charts/scales.h"
#include "ui/charts/seriesstyle.h"

#include <QImage>
#include <QPointF>
#include <QPolygonF>
#include <QRectF>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

class QPainter;

namespace wb::ui::charts {

/// Which point of the chart.
struct PointRef {
    std::size_t series = 0;
    std::size_t point = 0;

    friend bool operator==(const PointRef&, const PointRef&) = default;
};

class PointCloud
{
public:
    /// Takes the places of all points; the chart must outlive it or the next call.
    void setChart(const analysis::Chart* chart);
    /// Logarithms are taken here, once.
    void setScales(AxisScale x, AxisScale y);
    void setHidden(std::vector<bool> hidden); ///< By series.
    /// Those points stand out and all others fade; none: nothing does.
    void setMarked(const std::vector<PointRef>& refs);
    [[nodiscard]] bool isFaded(PointRef ref) const { return m_isAnyMarked && !m_points[indexOf(ref)].marked; }
    /// The part of the axes that is seen, and where (logical pixels); y grows upwards on the axis.
    void setView(const Span& x, const Span& y, const QRectF& area);

    [[nodiscard]] std::optional<QPointF> positionOf(PointRef ref) const; ///< Nothing when it has no place on the axes.
    /// The visible point nearest to a place, the first of equally near ones; nothing beyond the reach.
    [[nodiscard]] std::optional<PointRef> nearest(const QPointF& place, double reach) const;
    /// All visible points at exactly the place of this one, itself included.
    [[nodiscard]] std::vector<PointRef> coincident(PointRef ref) const;
    /// Visible points within a shape.
    [[nodiscard]] std::vector<PointRef> inside(const QPolygonF& shape) const;
    /// The visible point that comes next by x (`by` 1) or before (-1); from nothing: the first or the last.
    [[nodiscard]] std::optional<PointRef> nextByX(std::optional<PointRef> from, int by) const;
    [[nodiscard]] std::size_t countInView() const;
    /// Points of visible series that have no place, because a logarithmic axis has none for them.
    [[nodiscard]] std::size_t withoutPlace() const;
    [[nodiscard]] double markerRadius() const; ///< Smaller the more there are.
    [[nodiscard]] std::size_t size() const { return m_points.size(); }
    [[nodiscard]] const std::vector<std::size_t>& looks() const { return m_looks; }             ///< By series: see `looksOf`.
    [[nodiscard]] const std::vector<std::size_t>& frontToBack() const { return m_frontToBack; } ///< Series.

    /// The points as an image of the area and `margin` logical pixels around it.
    [[nodiscard]] const QImage& image(double devicePixelRatio, int margin, const QPalette& palette);
    /// The same as shapes, for pictures that are scaled by others; slow for many.
    void paintShapes(QPainter& painter, const QPalette& palette) const;

private:
    struct Place {
        double x = 0.0; ///< Axis coordinates; NaN without a place.
        double y = 0.0;
        std::uint32_t series = 0;
        std::uint32_t point = 0;
        bool isHollow = false;
        bool marked = false;
    };
    struct Stamp;

    [[nodiscard]] double opacity() const;
    [[nodiscard]] QPointF toPixels(const Place& place) const;
    [[nodiscard]] bool isInView(const Place& place) const;
    [[nodiscard]] std::size_t indexOf(PointRef ref) const { return m_firstOfSeries[ref.series] + ref.point; }
    void ensureBuckets() const;
    [[nodiscard]] std::optional<std::uint32_t> nearestByScan(const QPointF& place, double reach) const;
    void stampAll(QImage& image, double ratio, int margin, const QPalette& palette);

    const analysis::Chart* m_chart = nullptr;
    std::vector<Place> m_points;
    std::vector<std::size_t> m_firstOfSeries;
    std::vector<std::size_t> m_looks, m_frontToBack;
    std::vector<bool> m_hidden;
    bool m_isAnyMarked = false;
    AxisScale m_scaleX, m_scaleY;
    Span m_x, m_y;
    QRectF m_area;

    /// Points in view by squares of the area, for clouds that are too large to be looked through; made when first asked for in a view.
    mutable std::vector<std::uint32_t> m_bucketStart;
    mutable std::vector<std::uint32_t> m_bucketPoints;
    mutable int m_bucketColumns = 0;
    mutable int m_bucketRows = 0;
    mutable bool m_bucketsValid = false;

    QImage m_image;
    bool m_imageValid = false;
    qint64 m_imagePalette = 0;
};

} // namespace wb::ui::charts
