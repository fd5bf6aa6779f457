// How series look: colours that colour-blind people can tell apart (Okabe and Ito), and a shape for each, because colour alone is not
// enough.
#pragma once

#include <QColor>
#include <QPainterPath>

#include <cstddef>

class QPainter;
class QPalette;

namespace wb::ui::charts {

enum class Shape { Disc, Square, Diamond, Triangle, TriangleDown, Cross, Pentagon, Star };

/// So many series have a look of their own; the ones behind them are grey.
inline constexpr std::size_t colouredSeries = 8;

struct SeriesStyle {
    QColor colour;
    Shape shape = Shape::Disc;

    friend bool operator==(const SeriesStyle&, const SeriesStyle&) = default;
};

/// At least 3:1 against the palette's base.
[[nodiscard]] SeriesStyle seriesStyle(std::size_t index, const QPalette& palette);
/// Outline around the origin; shapes of one radius look equally large.
[[nodiscard]] QPainterPath markerPath(Shape shape, double radius);

enum class Fill { Solid, Hollow };
void paintMarker(QPainter& painter, const QPointF& centre, const SeriesStyle& style, double radius, Fill fill, const QColor& background);

} // namespace wb::ui::charts
