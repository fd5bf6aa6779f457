#include "ui/charts/pointcloud.h"

#include <QPainter>
#include <QPalette>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wb::ui::charts {
namespace {

constexpr double bucketSide = 12.0;            ///< Logical pixels.
constexpr std::size_t scannedPoints = 150'000; ///< Up to here looking at each point takes well below a millisecond.
constexpr double fadedOpacity = 0.25;
constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

/// Premultiplied `front` over `back`.
std::uint32_t over(std::uint32_t front, std::uint32_t back)
{
    const std::uint32_t rest = 255U - (front >> 24U);
    const std::uint32_t even = (((back & 0x00ff00ffU) * rest + 0x00800080U) >> 8U) & 0x00ff00ffU;
    const std::uint32_t odd = ((((back >> 8U) & 0x00ff00ffU) * rest + 0x00800080U)) & 0xff00ff00U;
    return front + even + odd;
}

} // namespace

/// A marker's pixels that are not empty, and which of them tell whether it would be seen at all.
struct PointCloud::Stamp {
    struct Pixel {
        int dx = 0;
        int dy = 0;
        std::ptrdiff_t offset = 0; ///< In the image it is made for.
        std::uint32_t colour = 0;
    };
    std::vector<Pixel> pixels;
    std::vector<std::ptrdiff_t> outermost; ///< Offsets of the pixels that lie furthest in eight directions.
    int reach = 0;

    Stamp(const SeriesStyle& style, double radius, Fill fill, double opacity, const QColor& background, qsizetype stride)
    {
        reach = static_cast<int>(std::ceil(radius * 1.5)) + 1;
        const int side = 2 * reach + 1;
        QImage image(side, side, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        painter.setOpacity(opacity);
        paintMarker(painter, QPointF(reach + 0.5, reach + 0.5), style, radius, fill, background);
        painter.end();
        for (int y = 0; y < side; ++y) {
            const auto* line = reinterpret_cast<const std::uint32_t*>(image.constScanLine(y));
            for (int x = 0; x < side; ++x) {
                if ((line[x] >> 24U) != 0)
                    pixels.push_back({.dx = x - reach, .dy = y - reach, .offset = (y - reach) * stride + (x - reach), .colour = line[x]});
            }
        }
        for (const auto& [right, down] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}) {
            const auto far = [right = right, down = down](const Pixel& pixel) { return pixel.dx * right + pixel.dy * down; };
            const auto furthest = std::max_element(pixels.begin(), pixels.end(),
                                                   [&far](const Pixel& one, const Pixel& other) { return far(one) < far(other); });
            if (furthest != pixels.end())
                outermost.push_back(furthest->offset);
        }
    }

    /// Puts it beneath what is there already. `centre` is in the image, which ends `left`, `up`, `right`, `down` pixels from there.
    void putUnder(std::uint32_t* centre, int left, int up, int right, int down) const
    {
        if (left >= reach && up >= reach && right >= reach && down >= reach) {
            const auto isCovered = [centre](std::ptrdiff_t offset) { return (centre[offset] >> 24U) == 255U; };
            if (isCovered(0) && std::all_of(outermost.begin(), outermost.end(), isCovered))
                return;
            for (const Pixel& pixel : pixels) {
                // Most pixels are empty or full, and neither needs any arithmetic.
                std::uint32_t& there = centre[pixel.offset];
                if (there == 0)
                    there = pixel.colour;
                else if ((there >> 24U) != 255U)
                    there = over(there, pixel.colour);
            }
            return;
        }
        for (const Pixel& pixel : pixels) {
            if (pixel.dx >= -left && pixel.dx <= right && pixel.dy >= -up && pixel.dy <= down)
                centre[pixel.offset] = over(centre[pixel.offset], pixel.colour);
        }
    }
};

void PointCloud::setChart(const analysis::Chart* chart)
{
    m_chart = chart;
    m_points.clear();
    m_firstOfSeries.clear();
    m_looks = chart ? looksOf(*chart) : std::vector<std::size_t>();
    m_frontToBack = charts::frontToBack(m_looks);
    if (chart) {
        for (std::size_t series = 0; series < chart->series.size(); ++series) {
            m_firstOfSeries.push_back(m_points.size());
            const auto& points = chart->series[series].points;
            for (std::size_t i = 0; i < points.size(); ++i)
                m_points.push_back({.x = nowhere,
                                    .y = nowhere,
                                    .series = static_cast<std::uint32_t>(series),
                                    .point = static_cast<std::uint32_t>(i),
                                    .isHollow = !points[i].eligible || points[i].simulated});
        }
    }
    m_isAnyMarked = false;
    m_hidden.assign(m_firstOfSeries.size(), false);
    setScales(m_scaleX, m_scaleY);
}

void PointCloud::setScales(AxisScale x, AxisScale y)
{
    m_scaleX = x;
    m_scaleY = y;
    for (Place& place : m_points) {
        const analysis::ChartPoint& point = m_chart->series[place.series].points[place.point];
        const std::optional<double> px = x.place(point.x);
        const std::optional<double> py = y.place(point.y);
        place.x = px && py ? *px : nowhere;
        place.y = px && py ? *py : nowhere;
    }
    m_imageValid = m_bucketsValid = false;
}

void PointCloud::setHidden(std::vector<bool> hidden)
{
    m_hidden = std::move(hidden);
    m_hidden.resize(m_firstOfSeries.size(), false);
    m_imageValid = m_bucketsValid = false;
}

void PointCloud::setMarked(const std::vector<PointRef>& refs)
{
    if (refs.empty() && !m_isAnyMarked)
        return;
    for (Place& place : m_points)
        place.marked = false;
    for (const PointRef ref : refs)
        m_points[indexOf(ref)].marked = true;
    m_isAnyMarked = !refs.empty();
    m_imageValid = false;
}

void PointCloud::setView(const Span& x, const Span& y, const QRectF& area)
{
    if (m_x == x && m_y == y && m_area == area)
        return;
    m_x = x;
    m_y = y;
    m_area = area;
    m_imageValid = m_bucketsValid = false;
}

QPointF PointCloud::toPixels(const Place& place) const
{
    return {m_area.left() + (place.x - m_x.from) / m_x.length() * m_area.width(),
            m_area.bottom() - (place.y - m_y.from) / m_y.length() * m_area.height()};
}

bool PointCloud::isInView(const Place& place) const
{
    // False for NaN, too.
    return place.x >= m_x.from && place.x <= m_x.to && place.y >= m_y.from && place.y <= m_y.to && !m_hidden[place.series];
}

std::optional<QPointF> PointCloud::positionOf(PointRef ref) const
{
    const Place& place = m_points.at(indexOf(ref));
    if (std::isnan(place.x))
        return std::nullopt;
    return toPixels(place);
}

std::size_t PointCloud::withoutPlace() const
{
    return static_cast<std::size_t>(std::count_if(m_points.begin(), m_points.end(),
                                                  [this](const Place& place) { return std::isnan(place.x) && !m_hidden[place.series]; }));
}

double PointCloud::markerRadius() const
{
    return m_points.size() <= 300 ? 4.5 : m_points.size() <= 3000 ? 3.5 : m_points.size() <= 20'000 ? 2.8 : 2.0;
}

/// Few points let their neighbours and the frontier shine through; blending many would cost too much.
double PointCloud::opacity() const
{
    return m_points.size() > 3000 ? 1.0 : 0.75;
}

void PointCloud::ensureBuckets() const
{
    if (m_bucketsValid)
        return;
    m_bucketsValid = true;
    m_bucketColumns = static_cast<int>(m_area.width() / bucketSide) + 1;
    m_bucketRows = static_cast<int>(m_area.height() / bucketSide) + 1;
    const auto bucketOf = [this](const Place& place) {
        const QPointF at = toPixels(place);
        const int column = std::clamp(static_cast<int>((at.x() - m_area.left()) / bucketSide), 0, m_bucketColumns - 1);
        const int row = std::clamp(static_cast<int>((at.y() - m_area.top()) / bucketSide), 0, m_bucketRows - 1);
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(m_bucketColumns) + static_cast<std::size_t>(column);
    };
    // Counting sort: within a bucket the points stay in their order.
    m_bucketStart.assign(static_cast<std::size_t>(m_bucketColumns) * static_cast<std::size_t>(m_bucketRows) + 1, 0);
    std::vector<std::uint32_t> bucket(m_points.size(), std::numeric_limits<std::uint32_t>::max());
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        if (!isInView(m_points[i]))
            continue;
        bucket[i] = static_cast<std::uint32_t>(bucketOf(m_points[i]));
        ++m_bucketStart[bucket[i] + 1];
    }
    for (std::size_t i = 1; i < m_bucketStart.size(); ++i)
        m_bucketStart[i] += m_bucketStart[i - 1];
    m_bucketPoints.resize(m_bucketStart.back());
    std::vector<std::uint32_t> next(m_bucketStart.begin(), m_bucketStart.end() - 1);
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        if (bucket[i] != std::numeric_limits<std::uint32_t>::max())
            m_bucketPoints[next[bucket[i]]++] = static_cast<std::uint32_t>(i);
    }
}

/// Every point is looked at: less than it costs to sort them into squares, for the one look-up that a view may get.
std::optional<std::uint32_t> PointCloud::nearestByScan(const QPointF& place, double reach) const
{
    const double scaleX = m_area.width() / m_x.length();
    const double scaleY = m_area.height() / m_y.length();
    const double left = m_area.left() - place.x() - m_x.from * scaleX;
    const double bottom = m_area.bottom() - place.y() + m_y.from * scaleY;
    double best = reach * reach;
    std::optional<std::uint32_t> found;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const double x = m_points[i].x * scaleX + left;
        const double y = bottom - m_points[i].y * scaleY;
        const double distance = x * x + y * y; // NaN is less than nothing
        if ((distance < best || (distance == best && !found)) && isInView(m_points[i])) {
            best = distance;
            found = static_cast<std::uint32_t>(i);
        }
    }
    return found;
}

std::optional<PointRef> PointCloud::nearest(const QPointF& place, double reach) const
{
    if (m_points.size() <= scannedPoints) {
        const auto index = nearestByScan(place, reach);
        return index ? std::optional(PointRef{m_points[*index].series, m_points[*index].point}) : std::nullopt;
    }
    ensureBuckets();
    const auto column = [&](double x) {
        return std::clamp(static_cast<int>(std::floor((x - m_area.left()) / bucketSide)), 0, m_bucketColumns - 1);
    };
    const auto row = [&](double y) {
        return std::clamp(static_cast<int>(std::floor((y - m_area.top()) / bucketSide)), 0, m_bucketRows - 1);
    };
    double best = reach * reach;
    std::optional<std::uint32_t> found;
    for (int r = row(place.y() - reach); r <= row(place.y() + reach); ++r) {
        for (int c = column(place.x() - reach); c <= column(place.x() + reach); ++c) {
            const std::size_t bucket =
                static_cast<std::size_t>(r) * static_cast<std::size_t>(m_bucketColumns) + static_cast<std::size_t>(c);
            for (std::uint32_t i = m_bucketStart[bucket]; i < m_bucketStart[bucket + 1]; ++i) {
                const std::uint32_t candidate = m_bucketPoints[i];
                const QPointF away = toPixels(m_points[candidate]) - place;
                const double distance = away.x() * away.x() + away.y() * away.y();
                if (distance < best || (distance == best && (!found || candidate < *found))) {
                    best = distance;
                    found = candidate;
                }
            }
        }
    }
    if (!found)
        return std::nullopt;
    return PointRef{m_points[*found].series, m_points[*found].point};
}

std::vector<PointRef> PointCloud::coincident(PointRef ref) const
{
    const Place& at = m_points.at(indexOf(ref));
    std::vector<PointRef> found;
    for (const Place& place : m_points) {
        if (place.x == at.x && place.y == at.y && !m_hidden[place.series])
            found.push_back({place.series, place.point});
    }
    return found;
}

std::vector<PointRef> PointCloud::inside(const QPolygonF& shape) const
{
    const QRectF box = shape.boundingRect();
    std::vector<PointRef> found;
    for (const Place& place : m_points) {
        if (!isInView(place))
            continue;
        if (const QPointF at = toPixels(place); box.contains(at) && shape.containsPoint(at, Qt::OddEvenFill))
            found.push_back({place.series, place.point});
    }
    return found;
}

std::optional<PointRef> PointCloud::nextByX(std::optional<PointRef> from, int by) const
{
    // By x, then by index: as a number line that is walked without sorting it.
    const std::size_t none = m_points.size();
    const std::size_t start = from ? indexOf(*from) : none;
    const auto isBefore = [&](std::size_t a, std::size_t b) {
        return m_points[a].x != m_points[b].x ? m_points[a].x < m_points[b].x : a < b;
    };
    std::size_t best = none;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        if (!isInView(m_points[i]) || i == start)
            continue;
        const bool isBeyond = start == none || (by > 0 ? isBefore(start, i) : isBefore(i, start));
        if (isBeyond && (best == none || (by > 0 ? isBefore(i, best) : isBefore(best, i))))
            best = i;
    }
    return best == none ? std::nullopt : std::optional(PointRef{m_points[best].series, m_points[best].point});
}

std::size_t PointCloud::countInView() const
{
    return static_cast<std::size_t>(std::ranges::count_if(m_points, [this](const Place& place) { return isInView(place); }));
}

const QImage& PointCloud::image(double devicePixelRatio, int margin, const QPalette& palette)
{
    const QSize size(static_cast<int>(std::lround((m_area.width() + 2 * margin) * devicePixelRatio)),
                     static_cast<int>(std::lround((m_area.height() + 2 * margin) * devicePixelRatio)));
    if (m_imageValid && m_image.size() == size && m_imagePalette == palette.cacheKey())
        return m_image;
    if (m_image.size() != size)
        m_image = QImage(size, QImage::Format_ARGB32_Premultiplied);
    m_image.setDevicePixelRatio(devicePixelRatio);
    m_image.fill(Qt::transparent);
    if (!m_points.empty() && !size.isEmpty())
        stampAll(m_image, devicePixelRatio, margin, palette);
    m_imageValid = true;
    m_imagePalette = palette.cacheKey();
    return m_image;
}

/// From the front to the back: in a dense cloud most points are not seen, and to find that out costs less than to paint them.
void PointCloud::stampAll(QImage& image, double ratio, int margin, const QPalette& palette)
{
    const int width = image.width();
    const int height = image.height();
    const qsizetype stride = image.bytesPerLine() / 4;
    auto* const pixels = reinterpret_cast<std::uint32_t*>(image.bits());

    // Four looks for each coloured series and for the grey rest: solid and hollow, and both faded.
    std::vector<Stamp> stamps;
    for (std::size_t look = 0; look <= colouredSeries; ++look) {
        for (const double strength : {opacity(), fadedOpacity}) {
            for (const Fill fill : {Fill::Solid, Fill::Hollow})
                stamps.emplace_back(seriesStyle(look, palette), markerRadius() * ratio, fill, strength, palette.color(QPalette::Base),
                                    stride);
        }
    }

    const double scaleX = m_area.width() / m_x.length() * ratio;
    const double scaleY = m_area.height() / m_y.length() * ratio;
    const double left = margin * ratio - m_x.from * scaleX;
    const double bottom = (margin + m_area.height()) * ratio + m_y.from * scaleY;
    const auto stampOf = [&](std::size_t series, bool isFaded) {
        const std::size_t end = series + 1 < m_firstOfSeries.size() ? m_firstOfSeries[series + 1] : m_points.size();
        for (std::size_t i = end; i-- > m_firstOfSeries[series];) {
            const Place& place = m_points[i];
            if (!isInView(place) || (m_isAnyMarked && place.marked == isFaded))
                continue;
            const int x = static_cast<int>(left + place.x * scaleX);
            const int y = static_cast<int>(bottom - place.y * scaleY);
            if (x < 0 || y < 0 || x >= width || y >= height)
                continue;
            const Stamp& stamp = stamps[m_looks[series] * 4 + (isFaded ? 2 : 0) + (place.isHollow ? 1 : 0)];
            stamp.putUnder(pixels + y * stride + x, x, y, width - 1 - x, height - 1 - y);
        }
    };
    // Those that stand out lie over all that fade.
    for (const bool isFaded : m_isAnyMarked ? std::vector{false, true} : std::vector{false})
        for (const std::size_t series : m_frontToBack)
            if (!m_hidden[series])
                stampOf(series, isFaded);
}

void PointCloud::paintShapes(QPainter& painter, const QPalette& palette) const
{
    const QColor background = palette.color(QPalette::Base);
    painter.save();
    for (auto each = m_frontToBack.rbegin(); each != m_frontToBack.rend(); ++each) {
        const std::size_t series = *each;
        const SeriesStyle style = seriesStyle(m_looks[series], palette);
        const std::size_t end = series + 1 < m_firstOfSeries.size() ? m_firstOfSeries[series + 1] : m_points.size();
        for (std::size_t i = m_firstOfSeries[series]; i < end; ++i) {
            if (!isInView(m_points[i]))
                continue;
            painter.setOpacity(m_isAnyMarked && !m_points[i].marked ? fadedOpacity : opacity());
            paintMarker(painter, toPixels(m_points[i]), style, markerRadius(), m_points[i].isHollow ? Fill::Hollow : Fill::Solid,
                        background);
        }
    }
    painter.restore();
}

} // namespace wb::ui::charts
