// How series look: colours that colour-blind people can tell apart (Okabe and Ito), and a shape for each, because colour alone is not
// enough.
#pragma once

#include <QColor>
#include <QPainterPath>

#include <cstddef>
#include <vector>

class QPainter;
class QPalette;

namespace wb::analysis {
struct Chart;
}

namespace wb::ui::charts {

enum class Shape { Disc, Square, Diamond, Triangle, TriangleDown, Cross, Pentagon, Star };

/// So many series have a look of their own; the ones behind them are grey.
inline constexpr std::size_t colouredSeries = 8;

struct SeriesStyle {
    QColor colour;
    Shape shape = Shape::Disc;

    friend bool operator==(const SeriesStyle&, const SeriesStyle&) = default;
};

/// The look of each series, an index for `seriesStyle`. It follows the series' rank, so that a filter changes the look of none that has
/// one; a series behind the first ones takes a look that no series in the chart has, when there is one.
[[nodiscard]] std::vector<std::size_t> looksOf(const analysis::Chart& chart);
/// All series, those behind the first ones at the end: what is painted last lies on top.
[[nodiscard]] std::vector<std::size_t> frontToBack(const std::vector<std::size_t>& looks);

/// At least 3:1 against the palette's base.
[[nodiscard]] SeriesStyle seriesStyle(std::size_t index, const QPalette& palette);
/// Outline around the origin; shapes of one radius look equally large.
[[nodiscard]] QPainterPath markerPath(Shape shape, double radius);

enum class Fill { Solid, Hollow };
void paintMarker(QPainter& painter, const QPointF& centre, const SeriesStyle& style, double radius, Fill fill, const QColor& background);

} // namespace wb::ui::charts
