#include "ui/charts/seriesstyle.h"

#include "core/analysis/chart.h"
#include "ui/theme/colours.h"

#include <QPainter>
#include <QPalette>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace wb::ui::charts {
namespace {

/// Corners on a circle, the first at the top; every other one on the inner circle when there is one.
QPainterPath polygon(int corners, double radius, double inner, double turn)
{
    QPolygonF shape;
    for (int i = 0; i < corners; ++i) {
        const double angle = -std::numbers::pi / 2 + turn + 2 * std::numbers::pi * i / corners;
        const double distance = inner > 0.0 && i % 2 == 1 ? inner : radius;
        shape << QPointF(distance * std::cos(angle), distance * std::sin(angle));
    }
    QPainterPath path;
    path.addPolygon(shape);
    path.closeSubpath();
    return path;
}

QPainterPath crossPath(double radius)
{
    const double long_ = radius * 1.05;
    const double thick = radius * 0.38;
    QPolygonF cross;
    cross << QPointF(-thick, -long_) << QPointF(thick, -long_) << QPointF(thick, -thick) << QPointF(long_, -thick) << QPointF(long_, thick)
          << QPointF(thick, thick) << QPointF(thick, long_) << QPointF(-thick, long_) << QPointF(-thick, thick) << QPointF(-long_, thick)
          << QPointF(-long_, -thick) << QPointF(-thick, -thick);
    QPainterPath path;
    path.addPolygon(cross);
    path.closeSubpath();
    return path;
}

} // namespace

std::vector<std::size_t> looksOf(const analysis::Chart& chart)
{
    std::vector<std::size_t> looks(chart.series.size(), colouredSeries);
    std::array<bool, colouredSeries> isTaken{};
    const auto take = [&](std::size_t series, std::size_t look) {
        looks[series] = look;
        isTaken[look] = true;
    };
    for (std::size_t series = 0; series < looks.size(); ++series)
        if (const std::size_t rank = chart.series[series].rank; rank < colouredSeries && !isTaken[rank])
            take(series, rank);
    for (std::size_t series = 0; series < looks.size(); ++series) {
        if (looks[series] < colouredSeries)
            continue;
        const auto* free = std::find(isTaken.begin(), isTaken.end(), false);
        if (const std::size_t own = chart.series[series].rank % colouredSeries; !isTaken[own])
            take(series, own);
        else if (free != isTaken.end())
            take(series, static_cast<std::size_t>(free - isTaken.begin()));
    }
    return looks;
}

std::vector<std::size_t> frontToBack(const std::vector<std::size_t>& looks)
{
    std::vector<std::size_t> order(looks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(), [&](std::size_t series) { return looks[series] < colouredSeries; });
    return order;
}

SeriesStyle seriesStyle(std::size_t index, const QPalette& palette)
{
    struct Row {
        QColor colour;
        Shape shape;
    };
    static const std::array<Row, colouredSeries> rows = {{
        {QColor(0x00, 0x72, 0xb2), Shape::Disc},
        {QColor(0xd5, 0x5e, 0x00), Shape::Square},
        {QColor(0x00, 0x9e, 0x73), Shape::Triangle},
        {QColor(0xcc, 0x79, 0xa7), Shape::Diamond},
        {QColor(0xe6, 0x9f, 0x00), Shape::TriangleDown},
        {QColor(0x56, 0xb4, 0xe9), Shape::Cross},
        {QColor(0x80, 0x80, 0x80), Shape::Pentagon}, // black of the original set: the palette's text, see below
        {QColor(0xf0, 0xe4, 0x42), Shape::Star},
    }};
    const QColor base = palette.color(QPalette::Base);
    const QColor text = palette.color(QPalette::Text);
    if (index >= rows.size())
        return {readable(blended(text, base, 0.35), base, 2.0), Shape::Disc};
    const Row& row = rows[index];
    return {row.shape == Shape::Pentagon ? blended(text, base, 0.9) : readable(row.colour, base, 3.0), row.shape};
}

QPainterPath markerPath(Shape shape, double radius)
{
    constexpr double quarter = std::numbers::pi / 4;
    QPainterPath path;
    switch (shape) {
    case Shape::Disc:
        path.addEllipse(QPointF(0, 0), radius, radius);
        break;
    case Shape::Square:
        path = polygon(4, radius * 1.24, 0.0, quarter);
        break;
    case Shape::Diamond:
        path = polygon(4, radius * 1.28, 0.0, 0.0);
        break;
    case Shape::Triangle:
        path = polygon(3, radius * 1.35, 0.0, 0.0);
        path.translate(0, radius * 0.2);
        break;
    case Shape::TriangleDown:
        path = polygon(3, radius * 1.35, 0.0, std::numbers::pi);
        path.translate(0, -radius * 0.2);
        break;
    case Shape::Cross:
        path = crossPath(radius);
        break;
    case Shape::Pentagon:
        path = polygon(5, radius * 1.15, 0.0, 0.0);
        break;
    case Shape::Star:
        path = polygon(10, radius * 1.4, radius * 0.62, 0.0);
        break;
    }
    return path;
}

void paintMarker(QPainter& painter, const QPointF& centre, const SeriesStyle& style, double radius, Fill fill, const QColor& background)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(centre);
    if (fill == Fill::Hollow) {
        painter.setPen(QPen(style.colour, std::max(1.0, radius * 0.32)));
        painter.setBrush(background);
        painter.drawPath(markerPath(style.shape, radius * 0.9));
    } else {
        painter.setPen(Qt::NoPen);
        painter.setBrush(style.colour);
        painter.drawPath(markerPath(style.shape, radius));
    }
    painter.restore();
}

} // namespace wb::ui::charts
