#include "ui/charts/chartscene.h"

#include "ui/theme/colours.h"

#include <QApplication>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QGraphicsItem>
#include <QPainter>
#include <QtCharts/QChart>
#include <QtCharts/QLegend>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_set>

namespace wb::ui::charts {
namespace {

constexpr double margin = 12.0;
constexpr double gap = 6.0;
constexpr int cloudMargin = 8;          ///< Markers at the edge of the plot are whole.
constexpr std::size_t fewShapes = 5000; ///< More points than this are a raster in every picture: files of shapes would be huge.
constexpr std::size_t mostLabels = 400;
constexpr std::size_t mostReasons = 3;
constexpr std::size_t mostWarnings = 3;
constexpr double closestZoom = 1e-7; ///< Share of the whole view.
constexpr double farthestZoom = 20.0;
constexpr int longestLegendText = 44;
const QString simulatedMark = QStringLiteral(" (simulated)"); ///< Also what tells the keys of two series of one group apart.
constexpr double widestTag = 0.35;                            ///< Of the plot.
constexpr double legendMarker = 24.0;                         ///< Left of an entry's text.
constexpr double legendRight = 12.0;                          ///< Right of it.
constexpr int legendWrap = Qt::TextWrapAnywhere | Qt::AlignLeft | Qt::AlignVCenter;
constexpr double leastScreenPlot = 200.0; ///< Below that height notes give way to the plot.
constexpr double noteFont = 0.9;          ///< Of the size of the other texts.

QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

Span magnified(const Span& span, double about, double factor, const Span& full)
{
    const double length = std::clamp(span.length() / factor, full.length() * closestZoom, full.length() * farthestZoom);
    const double share = (about - span.from) / span.length();
    return {about - share * length, about + (1.0 - share) * length};
}

QFont scaled(QFont font, double factor)
{
    font.setPixelSize(static_cast<int>(std::lround(font.pixelSize() * factor)));
    return font;
}

QFont titleFont(const QFont& font)
{
    QFont bold = scaled(font, 1.25);
    bold.setBold(true);
    return bold;
}

/// "3 × no TPOT; 2 × no GPUs; 1 for other reasons"
QString counted(const std::map<std::string, std::size_t>& reasons)
{
    std::vector<std::pair<std::size_t, std::string>> sorted;
    std::size_t total = 0;
    for (const auto& [reason, count] : reasons) {
        sorted.emplace_back(count, reason);
        total += count;
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    QStringList parts;
    for (std::size_t i = 0; i < std::min(mostReasons, sorted.size()); ++i) {
        QString reason = text(sorted[i].second);
        while (reason.endsWith(u'.'))
            reason.chop(1);
        parts.append(sorted.size() == 1 || sorted[i].first == 1 ? reason : QStringLiteral("%1 × %2").arg(sorted[i].first).arg(reason));
        total -= sorted[i].first;
    }
    if (total > 0)
        parts.append(ChartScene::tr("%1 for other reasons").arg(total));
    return parts.join(QStringLiteral("; "));
}

QString pointsCounted(std::size_t count)
{
    return count == 1 ? ChartScene::tr("1 point") : ChartScene::tr("%1 points").arg(count);
}

} // namespace

/// All that lies under the points: background, grid, texts, legend.
class ChartScene::Backdrop final : public QGraphicsItem
{
public:
    explicit Backdrop(ChartScene& scene)
        : m_scene(scene)
    {
    }
    [[nodiscard]] QRectF boundingRect() const override { return {QPointF(0, 0), m_scene.m_size}; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override { m_scene.paintBackdrop(*painter); }
    void resized() { prepareGeometryChange(); }

private:
    ChartScene& m_scene;
};

class ChartScene::CloudItem final : public QGraphicsItem
{
public:
    explicit CloudItem(ChartScene& scene)
        : m_scene(scene)
    {
    }
    [[nodiscard]] QRectF boundingRect() const override
    {
        return m_scene.m_plot.adjusted(-cloudMargin, -cloudMargin, cloudMargin, cloudMargin);
    }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override { m_scene.paintCloud(*painter); }
    void resized() { prepareGeometryChange(); }

private:
    ChartScene& m_scene;
};

/// What lies over the points: the frontiers' points, the selected one, crosshair and zoom box.
class ChartScene::Overlay final : public QGraphicsItem
{
public:
    explicit Overlay(ChartScene& scene)
        : m_scene(scene)
    {
    }
    [[nodiscard]] QRectF boundingRect() const override { return {QPointF(0, 0), m_scene.m_size}; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override { m_scene.paintOverlay(*painter); }
    void resized() { prepareGeometryChange(); }

private:
    ChartScene& m_scene;
};

ChartScene::ChartScene(QObject* parent)
    : QGraphicsScene(parent)
    , m_qchart(new QChart)
    , m_valueX(new QValueAxis)
    , m_valueY(new QValueAxis)
    , m_backdrop(new Backdrop(*this))
    , m_cloudItem(new CloudItem(*this))
    , m_overlay(new Overlay(*this))
    , m_palette(QApplication::palette())
    , m_givenPalette(m_palette)
    , m_font(QApplication::font())
{
    // In pixels: a picture's device has other dots per inch than the screen that the layout is measured on.
    m_font.setPixelSize(std::max(11, QFontInfo(m_font).pixelSize()));
    // An index of items would be built anew at each change; there are five of them.
    setItemIndexMethod(QGraphicsScene::NoIndex);
    m_qchart->setAnimationOptions(QChart::NoAnimation);
    m_qchart->setBackgroundVisible(false);
    m_qchart->setPlotAreaBackgroundVisible(false);
    m_qchart->legend()->hide(); // It has one row and cuts what does not fit: the backdrop paints one that goes on in further rows.
    m_qchart->setAcceptedMouseButtons(Qt::NoButton);
    m_qchart->setAcceptHoverEvents(false);
    m_qchart->addAxis(m_valueX, Qt::AlignBottom);
    m_qchart->addAxis(m_valueY, Qt::AlignLeft);
    for (QValueAxis* axis : {m_valueX, m_valueY})
        axis->setVisible(false); // The backdrop paints labels and grid: QValueAxis cannot place them at 1-2-5 steps of a logarithm.
    addItem(m_backdrop);
    addItem(m_cloudItem);
    addItem(m_qchart);
    addItem(m_overlay);
    m_backdrop->setZValue(0);
    m_cloudItem->setZValue(1);
    m_qchart->setZValue(2);
    m_overlay->setZValue(3);
}

ChartScene::~ChartScene() = default;

// --- what is shown --------------------------------------------------------------------------------------------------------------------

void ChartScene::setChart(std::shared_ptr<const analysis::Chart> chart)
{
    const bool sameAxes = m_chart && chart && m_chart->x.id == chart->x.id && m_chart->y.id == chart->y.id;
    const View before = m_view;
    const bool wasZoomed = m_zoomed && sameAxes;
    const AxisScale oldX = m_axisX;
    const AxisScale oldY = m_axisY;
    m_hovered.reset();
    m_pinned.reset();
    m_second.reset();
    m_cloud.setChart(nullptr);
    m_chart = std::move(chart);
    m_cloud.setChart(m_chart.get());
    applyMarks();
    m_line = m_chart ? m_chart->line : m_line;
    if (!sameAxes)
        m_hiddenKeys.clear();
    setSelected(m_selected);
    m_zoomed = false;
    placePoints();
    if (wasZoomed && oldX == m_axisX && oldY == m_axisY)
        setView(before);
}

void ChartScene::setScale(Qt::Orientation axis, Scale scale)
{
    (axis == Qt::Horizontal ? m_scaleX : m_scaleY) = scale;
    m_zoomed = false;
    placePoints();
}

void ChartScene::setLine(analysis::Line line)
{
    m_line = line;
    makeFrontiers();
    update();
}

void ChartScene::setNotes(std::optional<PictureNotes> notes)
{
    m_notes = std::move(notes);
    makeNotes();
    layOut();
}

/// High contrast is black on white or white on black, whatever the theme's greys are.
QPalette ChartScene::inkOf(const QPalette& palette) const
{
    if (!m_parts.contrast)
        return palette;
    QPalette ink = palette;
    ink.setColor(QPalette::Base, isDark(palette) ? Qt::black : Qt::white);
    ink.setColor(QPalette::Text, isDark(palette) ? Qt::white : Qt::black);
    return ink;
}

void ChartScene::setParts(const ChartParts& parts)
{
    if (m_parts == parts)
        return;
    m_parts = parts;
    m_palette = inkOf(m_givenPalette);
    makeFrontiers();
    makeNotes();
    layOut();
}

void ChartScene::setColours(const QPalette& palette)
{
    m_givenPalette = palette;
    m_palette = inkOf(palette);
    makeFrontiers();
    update();
}

void ChartScene::setSize(const QSizeF& size)
{
    m_size = size;
    m_backdrop->resized();
    m_overlay->resized();
    setSceneRect(QRectF(QPointF(0, 0), size));
    layOut();
}

void ChartScene::setHiddenKeys(std::set<std::string> keys)
{
    m_hiddenKeys = std::move(keys);
    const View before = m_view;
    const bool wasZoomed = m_zoomed;
    m_hovered.reset();
    placePoints();
    if (wasZoomed)
        setView(before);
}

bool ChartScene::isHidden(std::size_t series) const
{
    return m_chart && m_hiddenKeys.contains(m_chart->series[series].key);
}

void ChartScene::setSelected(const PointId& id)
{
    m_selected = id;
    m_selectedRef = placeOf(id);
    m_overlay->update();
}

std::optional<PointRef> ChartScene::placeOf(const PointId& id) const
{
    for (std::size_t series = 0; m_chart && !id.isEmpty() && series < m_chart->series.size(); ++series) {
        const auto& points = m_chart->series[series].points;
        const auto found = std::ranges::find(points, id, &analysis::ChartPoint::id);
        if (found != points.end())
            return PointRef{series, static_cast<std::size_t>(found - points.begin())};
    }
    return std::nullopt;
}

void ChartScene::setMarked(const std::vector<PointId>& ids)
{
    m_marked = ids;
    applyMarks();
    update();
}

/// One row is selected nearly always: that is no choice among points, and fades none.
void ChartScene::applyMarks()
{
    std::vector<PointRef> refs;
    if (m_chart && m_marked.size() > 1) {
        const std::unordered_set<PointId> wanted(m_marked.begin(), m_marked.end());
        for (std::size_t series = 0; series < m_chart->series.size(); ++series)
            for (std::size_t i = 0; i < m_chart->series[series].points.size(); ++i)
                if (wanted.contains(m_chart->series[series].points[i].id))
                    refs.push_back({series, i});
    }
    m_cloud.setMarked(refs);
}

void ChartScene::setPinned(std::optional<PointRef> first, std::optional<PointRef> second)
{
    m_pinned = first;
    m_second = second;
    m_overlay->update();
}

void ChartScene::setLasso(const QPolygonF& lasso)
{
    m_lasso = lasso;
    m_overlay->update();
}

std::vector<bool> ChartScene::hiddenSeries() const
{
    std::vector<bool> hidden;
    for (std::size_t series = 0; m_chart && series < m_chart->series.size(); ++series)
        hidden.push_back(isHidden(series));
    return hidden;
}

void ChartScene::setHovered(std::optional<PointRef> ref)
{
    m_hovered = ref;
    m_overlay->update();
}

void ChartScene::setZoomBox(const QRectF& box)
{
    m_zoomBox = box;
    m_overlay->update();
}

/// Decides the axes' scales, places the points on them, and shows all of them.
void ChartScene::placePoints()
{
    ValueRange x;
    ValueRange y;
    std::vector<bool> hidden;
    if (m_chart) {
        for (std::size_t series = 0; series < m_chart->series.size(); ++series) {
            hidden.push_back(isHidden(series));
            if (hidden.back())
                continue;
            for (const analysis::ChartPoint& each : m_chart->series[series].points) {
                if (!std::isfinite(each.x) || !std::isfinite(each.y))
                    continue;
                x.add(each.x);
                y.add(each.y);
            }
        }
    }
    m_axisX.isLog = charts::isLogarithmic(m_scaleX, x);
    m_axisY.isLog = charts::isLogarithmic(m_scaleY, y);
    m_cloud.setScales(m_axisX, m_axisY);
    m_cloud.setHidden(std::move(hidden));
    m_full = {fullSpan(x, m_axisX.isLog), fullSpan(y, m_axisY.isLog)};
    m_view = m_full;
    m_zoomed = false;
    m_labelWidth = 0.0;
    makeFrontiers();
    makeNotes();
    layOut();
    Q_EMIT viewChanged();
}

void ChartScene::makeFrontiers()
{
    m_qchart->removeAllSeries();
    m_overall = m_chart && m_parts.overall ? analysis::overallFrontier(*m_chart, hiddenSeries()) : analysis::OverallFrontier();
    if (!m_chart)
        return;
    const double extra = m_parts.contrast ? 1.0 : 0.0;
    if (m_line != analysis::Line::None && m_overall.points.size() > 1) {
        std::vector<PointRef> refs;
        for (const analysis::PlaceInChart& place : m_overall.points)
            refs.push_back({place.series, place.point});
        // Behind the groups' lines, and wider: where it runs along one of them both are seen.
        addLine(frontierPath(refs),
                blended(m_palette.color(QPalette::Text), m_palette.color(QPalette::Base), m_parts.contrast ? 0.6 : 0.28), 7.0 + extra);
    }
    // The first series lies on top, as its points do.
    const std::vector<std::size_t>& order = m_cloud.frontToBack();
    for (auto next = order.rbegin(); next != order.rend(); ++next) {
        const std::size_t series = *next;
        const auto& frontier = m_chart->series[series].frontier;
        if (m_line == analysis::Line::None || frontier.size() < 2 || isHidden(series))
            continue;
        std::vector<PointRef> refs;
        for (const std::size_t index : frontier)
            refs.push_back({series, index});
        const QList<QPointF> path = frontierPath(refs);
        const bool isRest = m_cloud.looks()[series] >= colouredSeries;
        // In a dense cloud a line of its colour needs a seam to be seen.
        if (m_cloud.size() > fewShapes && !isRest)
            addLine(path, m_palette.color(QPalette::Base), 4.5);
        addLine(path, styleOf(series).colour, (isRest ? 1.0 : 2.0) + extra,
                m_chart->series[series].simulated ? Qt::DashLine : Qt::SolidLine);
    }
}

QList<QPointF> ChartScene::frontierPath(const std::vector<PointRef>& refs) const
{
    QList<QPointF> path;
    for (const PointRef ref : refs) {
        const analysis::ChartPoint& each = point(ref);
        const std::optional<double> x = m_axisX.place(each.x);
        const std::optional<double> y = m_axisY.place(each.y);
        if (!x || !y)
            continue;
        // The corner is the worse of the two on each axis: what the frontier's points attain, and no more.
        if (!path.isEmpty() && m_line == analysis::Line::Stairs)
            path.append(m_chart->x.direction == analysis::Direction::MoreIsBetter ? QPointF(path.back().x(), *y)
                                                                                  : QPointF(*x, path.back().y()));
        path.append(QPointF(*x, *y));
    }
    return path;
}

void ChartScene::addLine(const QList<QPointF>& path, const QColor& colour, double width, Qt::PenStyle style)
{
    auto* line = new QLineSeries;
    QPen pen(colour, width, style);
    pen.setJoinStyle(Qt::MiterJoin);
    line->setPen(pen);
    line->replace(path);
    m_qchart->addSeries(line);
    line->attachAxis(m_valueX);
    line->attachAxis(m_valueY);
}

/// The lines below the chart: what is not comparable, not drawn, or kept off the frontier, and how much of it.
void ChartScene::makeNotes()
{
    m_noteLines.clear();
    m_subtitles.clear();
    m_definitions.clear();
    if (!m_chart)
        return;
    for (std::size_t i = 0; i < std::min(mostWarnings, m_chart->warnings.size()); ++i)
        m_noteLines.append(QStringLiteral("⚠ ") + text(m_chart->warnings[i]));
    if (m_chart->warnings.size() > mostWarnings)
        m_noteLines.append(QStringLiteral("⚠ ") + tr("%1 more warnings").arg(m_chart->warnings.size() - mostWarnings));

    std::unordered_set<PointId> hollow;
    std::map<std::string, std::size_t> hollowReasons;
    std::size_t total = 0;
    for (const analysis::ChartSeries& series : m_chart->series) {
        for (const analysis::ChartPoint& each : series.points) {
            ++total;
            if (each.eligible)
                continue;
            hollow.insert(each.id);
            ++hollowReasons[each.reason];
        }
    }
    if (!hollow.empty())
        m_noteLines.append(tr("%1 hollow, kept off the frontier: %2").arg(pointsCounted(hollow.size()), counted(hollowReasons)));
    std::map<std::string, std::size_t> reasons;
    std::size_t left = 0;
    for (const analysis::Excluded& each : m_chart->excluded) {
        if (hollow.contains(each.id))
            continue;
        ++left;
        ++reasons[each.reason];
    }
    if (left > 0)
        m_noteLines.append(tr("%1 not drawn: %2").arg(pointsCounted(left), counted(reasons)));
    if (m_chart->filteredOut > 0)
        m_noteLines.append(tr("%1 left out by the filter").arg(pointsCounted(m_chart->filteredOut)));
    if (m_chart->simulatedLeftOut > 0)
        m_noteLines.append(tr("%1 simulated and not shown").arg(pointsCounted(m_chart->simulatedLeftOut)));
    if (m_parts.overall && m_overall.points.size() > 1) {
        const auto hidden = std::ranges::count(hiddenSeries(), true);
        m_noteLines.append(
            tr("Grey band: the frontier over all %1 groups that are shown").arg(m_chart->series.size() - static_cast<std::size_t>(hidden)));
    }
    if (m_parts.curves)
        m_noteLines.append(tr("Thin lines: each sweep in the order of its concurrency; no frontier"));
    if (const std::size_t lost = m_cloud.withoutPlace(); lost > 0)
        m_noteLines.append(tr("%1 at or below 0 without a place on a logarithmic axis").arg(pointsCounted(lost)));
    for (const auto& [wanted, axis, title] : {std::tuple{m_scaleX, m_axisX, &m_chart->x}, std::tuple{m_scaleY, m_axisY, &m_chart->y}}) {
        if (wanted == Scale::Log && !axis.isLog && total > 0)
            m_noteLines.append(tr("%1 is linear: no value is above 0").arg(text(title->title)));
    }
    if (!m_notes)
        return;
    if (!m_notes->filters.isEmpty())
        m_subtitles.append(tr("Filter: %1").arg(m_notes->filters));
    if (!m_notes->date.isEmpty())
        m_subtitles.append(m_notes->date);
    for (const analysis::AxisTitle* axis : {&m_chart->x, &m_chart->y}) {
        if (!axis->definition.empty())
            m_definitions.append((axis == &m_chart->x ? tr("x: %1") : tr("y: %1")).arg(text(axis->definition)));
    }
}

// --- layout ---------------------------------------------------------------------------------------------------------------------------

/// On the screen a line is cut and told in full by its tooltip; a picture has it whole.
double ChartScene::lineHeight(const QString& line, double width) const
{
    const QFontMetricsF metrics(scaled(m_font, noteFont));
    return m_notes ? std::ceil(metrics.boundingRect(QRectF(0, 0, width, 1e4), Qt::TextWordWrap, line).height()) + 1.0
                   : std::ceil(metrics.height());
}

void ChartScene::layOut()
{
    const QFontMetricsF metrics(m_font);
    const double width = std::max(80.0, m_size.width() - 2 * margin);
    double top = margin;
    m_titleBox = m_subtitleBox = {};
    if (m_chart && !m_chart->title.empty()) {
        const QFontMetricsF title(titleFont(m_font));
        const double wrapped = title.boundingRect(QRectF(0, 0, width, 1e4), Qt::TextWordWrap, text(m_chart->title)).height();
        m_titleBox = QRectF(margin, top, width, m_notes ? std::max(title.height(), std::ceil(wrapped)) : title.height());
        top = m_titleBox.bottom() + gap / 2;
    }
    if (!m_subtitles.isEmpty()) {
        m_subtitleBox = QRectF(margin, top, width, lineHeight(m_subtitles.join(QStringLiteral("  ·  ")), width));
        top = m_subtitleBox.bottom() + gap;
    }
    layOutLegend(top, width);
    for (const LegendEntry& entry : m_legend)
        top = std::max(top, entry.box.bottom() + gap);

    double bottom = m_size.height() - margin;
    const auto heightOf = [&](const QStringList& all) {
        double height = 0.0;
        for (const QString& each : all)
            height += lineHeight(each, width);
        return height;
    };
    m_shownNotes = m_noteLines;
    if (!m_notes && m_noteLines.size() > 1 && bottom - heightOf(m_noteLines) - 4 * metrics.height() - top < leastScreenPlot)
        m_shownNotes = QStringList{tr("%1 remarks, point here to read them: %2").arg(m_noteLines.size()).arg(m_noteLines.first())};
    const double notes = heightOf(m_shownNotes + m_definitions);
    m_notesBox = QRectF(margin, bottom - notes, width, notes);
    if (notes > 0)
        bottom -= notes + gap;
    const double line = std::ceil(metrics.height());
    m_titleXBox = QRectF(margin, bottom - line, width, line);
    bottom -= line + gap / 2 + line + gap; // title and labels

    const double left = margin + line + gap;
    // The plot's width must not depend on the labels, nor the labels' on a plot that they shift: y needs only the height.
    m_heightAround = m_size.height() - (bottom - top - line / 2);
    const double height = std::max(40.0, m_size.height() - m_heightAround);
    m_ticksY =
        m_chart && m_cloud.size() > 0 ? ticks(m_view.y, m_axisY.isLog, static_cast<int>(height / (line * 2.2))) : std::vector<Tick>();
    for (const Tick& tick : m_ticksY)
        m_labelWidth = std::max(m_labelWidth, metrics.horizontalAdvance(tick.label));
    const double plotLeft = std::ceil(left + m_labelWidth + gap);
    m_plot = QRectF(plotLeft, std::ceil(top + line / 2), std::max(40.0, std::floor(m_size.width() - margin - cloudMargin - plotLeft)),
                    std::floor(height));
    m_titleXBox.setLeft(m_plot.left());
    m_titleXBox.setWidth(m_plot.width());
    m_titleYBox = QRectF(margin, m_plot.top() - line / 2, line, m_titleXBox.bottom() - m_plot.top() + line / 2);
    showView();
}

/// The key, cut when it is longer than `longest`, and that its points were computed: a badge alone would not say which.
QString ChartScene::legendText(std::size_t series, qsizetype longest) const
{
    const analysis::ChartSeries& each = m_chart->series[series];
    QString key = text(each.key);
    if (each.simulated && key.endsWith(simulatedMark))
        key.chop(simulatedMark.size());
    if (key.size() > longest) {
        const QFontMetricsF metrics(m_font);
        key = metrics.elidedText(key, Qt::ElideMiddle, metrics.averageCharWidth() * static_cast<double>(longest));
    }
    return each.simulated ? key + simulatedMark : key;
}

/// On the screen an entry is one line; a picture has names whole, however long.
double ChartScene::legendHeight(const LegendEntry& entry, double width) const
{
    const QFontMetricsF metrics(m_font);
    const double line = std::ceil(metrics.height() + 6);
    if (!m_notes)
        return line;
    const QRectF room(0, 0, width - legendMarker, 1e4);
    return std::max(line, std::ceil(metrics.boundingRect(room, legendWrap, entry.text).height()) + 6);
}

void ChartScene::layOutLegend(double top, double width)
{
    m_legend.clear();
    if (!m_chart)
        return;
    const QFontMetricsF metrics(m_font);
    LegendEntry rest{.text = {}, .full = {}, .isRest = true, .series = {}, .box = {}};
    QStringList restKeys;
    for (std::size_t series = 0; series < m_chart->series.size(); ++series) {
        const QString key = legendText(series, std::numeric_limits<qsizetype>::max());
        if (m_cloud.looks()[series] >= colouredSeries) {
            rest.series.push_back(series);
            restKeys.append(key);
            continue;
        }
        m_legend.push_back(
            {.text = m_notes ? key : legendText(series, longestLegendText), .full = key, .isRest = false, .series = {series}, .box = {}});
    }
    if (!rest.series.empty()) {
        rest.text = restKeys.size() == 1 ? tr("1 other") : tr("%1 others").arg(restKeys.size());
        rest.full = tr("Grey: %1").arg(restKeys.join(QStringLiteral(", ")));
        if (m_notes)
            rest.text = rest.full; // nobody can point at a picture
        m_legend.push_back(std::move(rest));
    }
    double x = margin;
    double y = top;
    double height = 0.0; // of the row
    for (LegendEntry& entry : m_legend) {
        const double entryWidth = std::min(width, std::ceil(legendMarker + metrics.horizontalAdvance(entry.text) + legendRight));
        if (x > margin && x + entryWidth > margin + width) {
            x = margin;
            y += height;
            height = 0.0;
        }
        entry.box = QRectF(x, y, entryWidth, legendHeight(entry, entryWidth));
        height = std::max(height, entry.box.height());
        x += entryWidth + 4;
    }
}

void ChartScene::showView()
{
    const QFontMetricsF metrics(m_font);
    // Numbers on the axes of nothing would be invented.
    if (m_chart && m_cloud.size() > 0) {
        const double widest = metrics.horizontalAdvance(QStringLiteral("000000")) + 14;
        m_ticksX = ticks(m_view.x, m_axisX.isLog, static_cast<int>(m_plot.width() / widest));
        m_ticksY = ticks(m_view.y, m_axisY.isLog, static_cast<int>(m_plot.height() / (metrics.height() * 2.2)));
    } else {
        m_ticksX.clear();
        m_ticksY.clear();
    }
    m_valueX->setRange(m_view.x.from, m_view.x.to);
    m_valueY->setRange(m_view.y.from, m_view.y.to);
    if (m_qchart->geometry() != QRectF(QPointF(0, 0), m_size))
        m_qchart->setGeometry(QRectF(QPointF(0, 0), m_size));
    if (m_qchart->plotArea() != m_plot)
        m_qchart->setPlotArea(m_plot);
    m_cloud.setView(m_view.x, m_view.y, m_plot);
    m_cloudItem->resized();
    update();
}

void ChartScene::setView(const View& view)
{
    if (!(view.x.length() > 0.0) || !(view.y.length() > 0.0))
        return;
    m_view = view;
    m_zoomed = !(m_view == m_full);
    double needed = m_labelWidth;
    for (const Tick& tick : ticks(m_view.y, m_axisY.isLog, static_cast<int>(m_plot.height() / (QFontMetricsF(m_font).height() * 2.2))))
        needed = std::max(needed, QFontMetricsF(m_font).horizontalAdvance(tick.label));
    if (needed > m_labelWidth)
        layOut();
    else
        showView();
    Q_EMIT viewChanged();
}

void ChartScene::resetView()
{
    m_labelWidth = 0.0;
    m_view = m_full;
    m_zoomed = false;
    layOut();
    Q_EMIT viewChanged();
}

void ChartScene::zoomAt(const QPointF& place, double factor)
{
    const double x = m_view.x.from + (place.x() - m_plot.left()) / m_plot.width() * m_view.x.length();
    const double y = m_view.y.from + (m_plot.bottom() - place.y()) / m_plot.height() * m_view.y.length();
    const bool besideY = place.x() < m_plot.left();
    const bool below = place.y() > m_plot.bottom();
    View next = m_view;
    if (!besideY)
        next.x = magnified(m_view.x, x, factor, m_full.x);
    if (!below)
        next.y = magnified(m_view.y, y, factor, m_full.y);
    setView(next);
}

void ChartScene::pan(const QPointF& pixels)
{
    const double dx = -pixels.x() / m_plot.width() * m_view.x.length();
    const double dy = pixels.y() / m_plot.height() * m_view.y.length();
    setView({{m_view.x.from + dx, m_view.x.to + dx}, {m_view.y.from + dy, m_view.y.to + dy}});
}

void ChartScene::zoomTo(const QRectF& box)
{
    const QRectF part = box.normalized().intersected(m_plot);
    if (part.width() < 4 || part.height() < 4)
        return;
    const auto x = [this](double at) { return m_view.x.from + (at - m_plot.left()) / m_plot.width() * m_view.x.length(); };
    const auto y = [this](double at) { return m_view.y.from + (m_plot.bottom() - at) / m_plot.height() * m_view.y.length(); };
    const View next{{x(part.left()), x(part.right())}, {y(part.bottom()), y(part.top())}};
    if (next.x.length() > m_full.x.length() * closestZoom && next.y.length() > m_full.y.length() * closestZoom)
        setView(next);
}

// --- questions ------------------------------------------------------------------------------------------------------------------------

const LegendEntry* ChartScene::legendAt(const QPointF& place) const
{
    const auto found =
        std::find_if(m_legend.begin(), m_legend.end(), [&place](const LegendEntry& entry) { return entry.box.contains(place); });
    return found == m_legend.end() ? nullptr : &*found;
}

bool ChartScene::isOnFrontier(PointRef ref) const
{
    const auto& frontier = m_chart->series.at(ref.series).frontier;
    return std::find(frontier.begin(), frontier.end(), ref.point) != frontier.end();
}

std::vector<PointRef> ChartScene::frontierInView() const
{
    std::vector<std::pair<double, PointRef>> found;
    for (std::size_t series = 0; m_chart && series < m_chart->series.size(); ++series) {
        if (isHidden(series))
            continue;
        for (const std::size_t index : m_chart->series[series].frontier) {
            const PointRef ref{series, index};
            const std::optional<QPointF> at = m_cloud.positionOf(ref);
            if (at && m_plot.adjusted(-0.5, -0.5, 0.5, 0.5).contains(*at))
                found.emplace_back(at->x(), ref);
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<PointRef> refs;
    for (const auto& [x, ref] : found)
        refs.push_back(ref);
    return refs;
}

QString ChartScene::tipAt(const QPointF& place) const
{
    if (const LegendEntry* entry = legendAt(place)) {
        QString tip = entry->full;
        if (entry->series.size() == 1) {
            const analysis::ChartSeries& each = m_chart->series[entry->series.front()];
            tip += u'\n' + tr("%1, %2 on the frontier").arg(pointsCounted(each.points.size())).arg(each.frontier.size());
            tip += u'\n' + (each.hypervolume ? tr("Hypervolume %1").arg(shortNumber(*each.hypervolume)) : tr("Hypervolume not defined"));
        }
        return tip + u'\n' + tr("Click shows or hides it, double-click shows it alone.");
    }
    if (m_chart && m_titleXBox.contains(place))
        return text(m_chart->x.definition);
    if (m_chart && m_titleYBox.contains(place))
        return text(m_chart->y.definition);
    return m_notesBox.contains(place) ? m_noteLines.join(u'\n') : QString();
}

QString ChartScene::simulatedTag() const
{
    if (!m_chart || !m_chart->simulated)
        return {};
    QStringList keys;
    bool isAnyMarked = false;
    bool isAnyMeasured = false;
    for (std::size_t series = 0; series < m_chart->series.size(); ++series) {
        const bool isSimulated = m_chart->series[series].simulated;
        isAnyMarked = isAnyMarked || isSimulated;
        if (isHidden(series))
            continue;
        isAnyMeasured = isAnyMeasured || !isSimulated;
        if (isSimulated)
            keys.append(text(m_chart->series[series].key).remove(simulatedMark));
    }
    if (isAnyMarked && keys.isEmpty())
        return {}; // those that are simulated are hidden
    return isAnyMeasured && isAnyMarked ? tr("SIMULATED: %1").arg(keys.join(QStringLiteral(", "))) : tr("SIMULATED");
}

QString ChartScene::summary() const
{
    if (!m_chart)
        return tr("No chart.");
    std::size_t points = 0;
    std::size_t best = 0;
    for (const analysis::ChartSeries& series : m_chart->series) {
        points += series.points.size();
        best += series.frontier.size();
    }
    QString said = tr("%1 over %2: %3 in %4 series, %5 on frontiers.")
                       .arg(axisTitle(m_chart->y, m_axisY.isLog), axisTitle(m_chart->x, m_axisX.isLog), pointsCounted(points))
                       .arg(m_chart->series.size())
                       .arg(best);
    if (m_chart->simulated)
        said += u' ' + tr("Simulated points are among them.") + u' ' + simulatedTag();
    return m_noteLines.isEmpty() ? said : said + u' ' + m_noteLines.join(QStringLiteral(". ")) + u'.';
}

/// As much of the title as fits, and which way is better.
QString ChartScene::titleFor(const analysis::AxisTitle& axis, bool isLog, double width) const
{
    const QFontMetricsF metrics(m_font);
    const bool more = axis.direction == analysis::Direction::MoreIsBetter;
    const QString better = more ? tr("better →") : tr("← better");
    const QString between = QStringLiteral("   ");
    const double space = width - metrics.horizontalAdvance(better + between) - 4;
    QString title = axisTitle(axis, isLog);
    if (metrics.horizontalAdvance(title) > space)
        title = axisTitle(axis, false);
    if (metrics.horizontalAdvance(title) > space)
        title = metrics.elidedText(text(axis.title), Qt::ElideRight, space);
    return more ? title + between + better : better + between + title;
}

QString ChartScene::axisTitle(const analysis::AxisTitle& axis, bool isLog) const
{
    QString title = text(axis.title);
    if (!axis.unit.empty())
        title += QStringLiteral(" (%1)").arg(text(axis.unit));
    if (isLog)
        title += QStringLiteral(", log");
    return title;
}

// --- painting -------------------------------------------------------------------------------------------------------------------------

void ChartScene::paintBackdrop(QPainter& painter) const
{
    painter.fillRect(QRectF(QPointF(0, 0), m_size), m_palette.color(QPalette::Base));
    if (!m_chart)
        return;
    painter.setRenderHint(QPainter::TextAntialiasing);
    paintAxes(painter);
    paintLegend(painter);
    paintTexts(painter);
}

void ChartScene::paintAxes(QPainter& painter) const
{
    const QColor base = m_palette.color(QPalette::Base);
    const QColor textColour = m_palette.color(QPalette::Text);
    const QColor quiet = readable(blended(textColour, base, 0.72), base);
    const QPen grid(blended(textColour, base, 0.13), 1.0);
    const QFontMetricsF metrics(m_font);
    painter.setFont(m_font);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintLimits(painter);

    double free = -1e9; // A label is left out rather than painted over its neighbour.
    for (const Tick& tick : m_ticksX) {
        const double x = std::round(m_plot.left() + (tick.place - m_view.x.from) / m_view.x.length() * m_plot.width());
        painter.setPen(grid);
        painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));
        const double width = metrics.horizontalAdvance(tick.label);
        const double left = std::min(x - width / 2, m_size.width() - 2 - width);
        if (left < free)
            continue;
        free = left + width + 8;
        painter.setPen(quiet);
        painter.drawText(QRectF(left - 1, m_plot.bottom() + gap, width + 2, metrics.height()), Qt::AlignCenter | Qt::TextDontClip,
                         tick.label);
    }
    for (const Tick& tick : m_ticksY) {
        const double y = std::round(m_plot.bottom() - (tick.place - m_view.y.from) / m_view.y.length() * m_plot.height());
        painter.setPen(grid);
        painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
        painter.setPen(quiet);
        painter.drawText(QRectF(margin, y - metrics.height() / 2, m_plot.left() - gap - margin, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, tick.label);
    }
    painter.setPen(QPen(blended(textColour, base, 0.45), 1.0));
    painter.drawLine(m_plot.bottomLeft(), m_plot.bottomRight());
    painter.drawLine(m_plot.topLeft(), m_plot.bottomLeft());

    painter.setPen(textColour);
    painter.drawText(m_titleXBox, Qt::AlignCenter | Qt::TextDontClip, titleFor(m_chart->x, m_axisX.isLog, m_titleXBox.width()));
    const QString titleY = titleFor(m_chart->y, m_axisY.isLog, m_titleYBox.height());
    // Beside the middle of the plot where it fits, else of the whole height.
    const double half = metrics.horizontalAdvance(titleY) / 2;
    const double middle =
        std::clamp(m_plot.center().y(), m_titleYBox.top() + half, std::max(m_titleYBox.top() + half, m_titleYBox.bottom() - half));
    painter.save();
    painter.translate(m_titleYBox.center().x(), middle);
    painter.rotate(-90);
    painter.drawText(QRectF(-half - 1, -m_titleYBox.width() / 2, 2 * half + 2, m_titleYBox.width()), Qt::AlignCenter | Qt::TextDontClip,
                     titleY);
    painter.restore();
}

void ChartScene::paintLegend(QPainter& painter) const
{
    const QColor base = m_palette.color(QPalette::Base);
    const QColor textColour = m_palette.color(QPalette::Text);
    const QFontMetricsF metrics(m_font);
    for (const LegendEntry& entry : m_legend) {
        const bool hidden = std::all_of(entry.series.begin(), entry.series.end(), [this](std::size_t series) { return isHidden(series); });
        SeriesStyle style = styleOf(entry.series.front());
        if (hidden)
            style.colour = blended(textColour, base, 0.35);
        const QPointF marker(entry.box.left() + 12, entry.box.top() + std::ceil(metrics.height() + 6) / 2); // of the first line
        paintMarker(painter, marker, style, 4.5, hidden ? Fill::Hollow : Fill::Solid, base);
        QFont font = m_font;
        font.setStrikeOut(hidden);
        painter.setFont(font);
        painter.setPen(hidden ? readable(blended(textColour, base, 0.5), base) : textColour);
        const QRectF box = entry.box.adjusted(legendMarker, 0, 0, 0);
        if (m_notes)
            painter.drawText(box, legendWrap, entry.text);
        else
            painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(entry.text, Qt::ElideMiddle, box.width()));
    }
    painter.setFont(m_font);
}

void ChartScene::paintTexts(QPainter& painter) const
{
    const QColor base = m_palette.color(QPalette::Base);
    const QColor textColour = m_palette.color(QPalette::Text);
    const QColor quiet = readable(blended(textColour, base, 0.72), base);
    painter.setPen(textColour);
    if (!m_titleBox.isEmpty()) {
        const QFont bold = titleFont(m_font);
        painter.setFont(bold);
        if (m_notes)
            painter.drawText(m_titleBox, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text(m_chart->title));
        else
            painter.drawText(m_titleBox, Qt::AlignLeft | Qt::AlignVCenter,
                             QFontMetricsF(bold).elidedText(text(m_chart->title), Qt::ElideRight, m_titleBox.width()));
    }
    painter.setFont(scaled(m_font, noteFont));
    painter.setPen(quiet);
    if (!m_subtitleBox.isEmpty())
        painter.drawText(m_subtitleBox, Qt::TextWordWrap, m_subtitles.join(QStringLiteral("  ·  ")));
    double y = m_notesBox.top();
    const QFontMetricsF metrics(scaled(m_font, noteFont));
    for (const QString& line : m_shownNotes + m_definitions) {
        const double height = lineHeight(line, m_notesBox.width());
        if (m_notes)
            painter.drawText(QRectF(m_notesBox.left(), y, m_notesBox.width(), height + 2), Qt::TextWordWrap, line);
        else
            painter.drawText(QRectF(m_notesBox.left(), y, m_notesBox.width(), height), Qt::AlignVCenter,
                             metrics.elidedText(line, Qt::ElideRight, m_notesBox.width()));
        y += height;
    }
    painter.setFont(m_font);
    if (m_cloud.size() == 0) {
        painter.setPen(quiet);
        painter.drawText(m_plot, Qt::AlignCenter | Qt::TextWordWrap, tr("No point has a value on both axes"));
    }
}

void ChartScene::paintCloud(QPainter& painter)
{
    if (!m_chart || m_cloud.size() == 0)
        return;
    paintSweeps(painter);
    if (m_medium == Medium::Shapes && m_cloud.size() <= fewShapes) {
        m_cloud.paintShapes(painter, m_palette);
        return;
    }
    // A picture's own scale counts: 2 for a PNG, more for paper.
    const double ratio =
        m_medium == Medium::Shapes ? 3.0 : painter.device()->devicePixelRatioF() * std::max(1.0, painter.worldTransform().m11());
    const QImage& image = m_cloud.image(ratio, cloudMargin, m_palette);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, m_medium == Medium::Shapes);
    painter.drawImage(m_plot.adjusted(-cloudMargin, -cloudMargin, cloudMargin, cloudMargin), image);
}

void ChartScene::paintOverlay(QPainter& painter) const
{
    if (!m_chart)
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    paintFrontierPoints(painter);
    paintLabels(painter);
    paintSimulatedTag(painter);
    paintCrosshair(painter);
    if (m_pinned && m_second) {
        const std::optional<QPointF> from = m_cloud.positionOf(*m_pinned);
        const std::optional<QPointF> to = m_cloud.positionOf(*m_second);
        if (from && to && m_plot.contains(*from) && m_plot.contains(*to)) {
            painter.setPen(QPen(m_palette.color(QPalette::Base), 3.5));
            painter.drawLine(*from, *to);
            painter.setPen(QPen(m_palette.color(QPalette::Text), 1.2, Qt::DotLine));
            painter.drawLine(*from, *to);
        }
    }
    paintRing(painter, m_hovered, 1.5, 4.0);
    paintRing(painter, m_selectedRef, 2.2, 5.5);
    paintRing(painter, m_pinned, 1.5, 8.0);
    paintRing(painter, m_second, 1.5, 8.0);
    if (m_zoomBox.isEmpty() && m_lasso.size() < 2)
        return;
    QColor fill = m_palette.color(QPalette::Highlight);
    painter.setPen(QPen(fill, 1.0));
    fill.setAlphaF(0.18F);
    painter.setBrush(fill);
    if (!m_zoomBox.isEmpty())
        painter.drawRect(m_zoomBox.intersected(m_plot));
    painter.setClipRect(m_plot);
    painter.drawPolygon(m_lasso);
    painter.setClipping(false);
}

void ChartScene::paintFrontierPoints(QPainter& painter) const
{
    const QColor base = m_palette.color(QPalette::Base);
    const double radius = m_cloud.markerRadius();
    const std::vector<std::size_t>& order = m_cloud.frontToBack();
    for (auto next = order.rbegin(); next != order.rend(); ++next) {
        const std::size_t series = *next;
        if (isHidden(series))
            continue;
        const SeriesStyle style = styleOf(series);
        for (const std::size_t index : m_chart->series[series].frontier) {
            const PointRef ref{series, index};
            const std::optional<QPointF> at = m_cloud.positionOf(ref);
            if (!at || !m_plot.adjusted(-0.5, -0.5, 0.5, 0.5).contains(*at) || m_cloud.isFaded(ref))
                continue;
            const Fill fill = point(ref).simulated ? Fill::Hollow : Fill::Solid;
            if (m_cloud.looks()[series] >= colouredSeries) {
                paintMarker(painter, *at, style, radius, fill, base);
                continue;
            }
            const double size = std::max(radius, 3.5) + 1.0;
            paintMarker(painter, *at, {m_parts.contrast ? m_palette.color(QPalette::Text) : base, style.shape}, size + 1.5, Fill::Solid,
                        base);
            paintMarker(painter, *at, style, size, fill, base);
        }
    }
}

void ChartScene::paintSimulatedTag(QPainter& painter) const
{
    const QString whole = simulatedTag();
    if (whole.isEmpty())
        return;
    const QColor base = m_palette.color(QPalette::Base);
    QFont font = scaled(m_font, 0.85);
    font.setBold(true);
    font.setLetterSpacing(QFont::AbsoluteSpacing, 1.0);
    painter.setFont(font);
    // A long one would lie over points; the legend marks the same series.
    const bool isLong = QFontMetricsF(font).horizontalAdvance(whole) > m_plot.width() * widestTag;
    const auto simulated = std::ranges::count_if(m_chart->series, &analysis::ChartSeries::simulated);
    const QString tag = isLong ? tr("SIMULATED: %1 of %2 series").arg(simulated).arg(m_chart->series.size()) : whole;
    const double width = QFontMetricsF(font).horizontalAdvance(tag) + 16;
    const QRectF box(m_plot.right() - width - 6, m_plot.top() + 6, width, QFontMetricsF(font).height() + 6);
    const QColor colour = readable(QColor(0xb2, 0x5f, 0x00), base);
    painter.setPen(QPen(colour, 1.2));
    painter.setBrush(base);
    painter.drawRoundedRect(box, 4, 4);
    painter.drawText(box, Qt::AlignCenter, tag);
    painter.setFont(m_font);
}

void ChartScene::paintCrosshair(QPainter& painter) const
{
    if (!m_hovered)
        return;
    const std::optional<QPointF> at = m_cloud.positionOf(*m_hovered);
    if (!at || !m_plot.adjusted(-0.5, -0.5, 0.5, 0.5).contains(*at))
        return;
    painter.setPen(QPen(blended(m_palette.color(QPalette::Text), m_palette.color(QPalette::Base), 0.55), 1.0, Qt::DashLine));
    painter.drawLine(QPointF(m_plot.left(), at->y()), QPointF(at->x(), at->y()));
    painter.drawLine(QPointF(at->x(), m_plot.bottom()), QPointF(at->x(), at->y()));
}

void ChartScene::paintRing(QPainter& painter, std::optional<PointRef> ref, double width, double more) const
{
    const std::optional<QPointF> at = ref ? m_cloud.positionOf(*ref) : std::nullopt;
    if (!at || !m_plot.adjusted(-0.5, -0.5, 0.5, 0.5).contains(*at) || isHidden(ref->series))
        return;
    const double radius = m_cloud.markerRadius() + more;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_palette.color(QPalette::Base), width + 2.5));
    painter.drawEllipse(*at, radius, radius);
    painter.setPen(QPen(m_palette.color(QPalette::Text), width));
    painter.drawEllipse(*at, radius, radius);
}

/// Beside the points, those of frontiers first; one that would lie over another is left out, and many are too many to be read.
void ChartScene::paintLabels(QPainter& painter) const
{
    if (m_parts.labels == PointLabels::None)
        return;
    std::vector<PointRef> refs = frontierInView();
    if (m_cloud.countInView() <= mostLabels)
        for (std::size_t series = 0; series < m_chart->series.size(); ++series)
            for (std::size_t i = 0; i < m_chart->series[series].points.size() && !isHidden(series); ++i)
                refs.push_back({series, i});
    const QFont font = scaled(m_font, 0.85);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    const QColor base = m_palette.color(QPalette::Base);
    const double away = m_cloud.markerRadius() + 4.0;
    std::vector<QRectF> taken;
    std::set<std::pair<std::size_t, std::size_t>> done;
    for (const PointRef ref : refs) {
        const std::optional<QPointF> at = m_cloud.positionOf(ref);
        if (!at || !m_plot.contains(*at) || taken.size() >= mostLabels || !done.insert({ref.series, ref.point}).second)
            continue;
        const analysis::ChartPoint& each = point(ref);
        const QString label = m_parts.labels == PointLabels::Parallelism ? text(each.parallelism)
                              : each.concurrency                         ? shortNumber(*each.concurrency)
                                                                         : QString();
        if (label.isEmpty())
            continue;
        const QSizeF size(metrics.horizontalAdvance(label) + 2, metrics.height());
        const std::array<QPointF, 4> corners{*at + QPointF(away, -size.height() - away / 2), *at + QPointF(away, away / 2),
                                             *at + QPointF(-away - size.width(), -size.height() - away / 2),
                                             *at + QPointF(-away - size.width(), away / 2)};
        for (const QPointF& corner : corners) {
            const QRectF box(corner, size);
            if (!m_plot.contains(box) || std::ranges::any_of(taken, [&box](const QRectF& other) { return other.intersects(box); }))
                continue;
            taken.push_back(box);
            QColor behind = base;
            behind.setAlphaF(0.75F);
            painter.fillRect(box, behind);
            painter.setPen(readable(styleOf(ref.series).colour, base));
            painter.drawText(box, Qt::AlignCenter | Qt::TextDontClip, label);
            break;
        }
    }
    painter.setFont(m_font);
}

QPointF ChartScene::toScene(double x, double y) const
{
    return {m_plot.left() + (x - m_view.x.from) / m_view.x.length() * m_plot.width(),
            m_plot.bottom() - (y - m_view.y.from) / m_view.y.length() * m_plot.height()};
}

/// Beneath the points: curves in the order of the concurrency, and how far replicas lie apart.
void ChartScene::paintSweeps(QPainter& painter) const
{
    if (!m_parts.curves && !m_parts.spreads)
        return;
    painter.save();
    painter.setClipRect(m_plot);
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, m_cloud.size() <= fewShapes);
    const auto placed = [this](const analysis::XY& at) -> std::optional<QPointF> {
        const auto x = m_axisX.place(at.x);
        const auto y = m_axisY.place(at.y);
        return x && y ? std::optional(toScene(*x, *y)) : std::nullopt;
    };
    for (std::size_t series = 0; series < m_chart->series.size(); ++series) {
        if (isHidden(series))
            continue;
        const QColor colour = blended(styleOf(series).colour, m_palette.color(QPalette::Base), m_parts.contrast ? 1.0 : 0.6);
        painter.setPen(QPen(colour, 1.0));
        for (const std::vector<analysis::XY>& curve : m_chart->series[series].curves) {
            if (!m_parts.curves)
                break;
            QPolygonF line;
            for (const analysis::XY& at : curve)
                if (const auto place = placed(at))
                    line.append(*place);
            painter.drawPolyline(line);
        }
        painter.setPen(QPen(colour, 1.6));
        for (const analysis::Spread& spread : m_chart->series[series].spreads) {
            if (!m_parts.spreads)
                break;
            const auto mean = placed(spread.mean);
            const auto least = placed(spread.least);
            const auto most = placed(spread.most);
            if (!mean || !least || !most)
                continue;
            constexpr double cap = 3.0;
            painter.drawLine(QPointF(least->x(), mean->y()), QPointF(most->x(), mean->y()));
            painter.drawLine(QPointF(mean->x(), least->y()), QPointF(mean->x(), most->y()));
            for (const double x : {least->x(), most->x()})
                painter.drawLine(QPointF(x, mean->y() - cap), QPointF(x, mean->y() + cap));
            for (const double y : {least->y(), most->y()})
                painter.drawLine(QPointF(mean->x() - cap, y), QPointF(mean->x() + cap, y));
        }
    }
    painter.restore();
}

/// What is beyond a limit, hatched and named at its edge.
void ChartScene::paintLimits(QPainter& painter) const
{
    const QColor base = m_palette.color(QPalette::Base);
    const QColor ink = m_palette.color(QPalette::Text);
    const QFont font = scaled(m_font, 0.85);
    const QFontMetricsF metrics(font);
    double line = m_plot.top() + 2;
    for (const analysis::ChartLimit& limit : m_chart->limits) {
        const auto at = (limit.isX ? m_axisX : m_axisY).place(limit.value);
        if (!at)
            continue; // at or below 0 on a logarithm: no point is there
        const QPointF edge = toScene(limit.isX ? *at : m_view.x.from, limit.isX ? m_view.y.from : *at);
        QRectF beyond = m_plot;
        if (limit.isX && limit.isMost)
            beyond.setLeft(std::clamp(edge.x(), m_plot.left(), m_plot.right()));
        else if (limit.isX)
            beyond.setRight(std::clamp(edge.x(), m_plot.left(), m_plot.right()));
        else if (limit.isMost)
            beyond.setBottom(std::clamp(edge.y(), m_plot.top(), m_plot.bottom()));
        else
            beyond.setTop(std::clamp(edge.y(), m_plot.top(), m_plot.bottom()));
        if (beyond.width() < 1 || beyond.height() < 1)
            continue;
        painter.fillRect(beyond, blended(ink, base, 0.06));
        painter.fillRect(beyond, QBrush(blended(ink, base, 0.2), Qt::BDiagPattern));
        painter.setPen(QPen(blended(ink, base, 0.6), 1.2, Qt::DashLine));
        if (limit.isX && m_plot.left() < edge.x() && edge.x() < m_plot.right())
            painter.drawLine(QPointF(edge.x(), m_plot.top()), QPointF(edge.x(), m_plot.bottom()));
        if (!limit.isX && m_plot.top() < edge.y() && edge.y() < m_plot.bottom())
            painter.drawLine(QPointF(m_plot.left(), edge.y()), QPointF(m_plot.right(), edge.y()));
        const QString words = tr("outside %1").arg(text(limit.written));
        const double width = metrics.horizontalAdvance(words) + 8;
        QRectF box(limit.isMost ? beyond.left() + 2 : beyond.right() - width - 2, line, width, metrics.height());
        if (!limit.isX)
            box = QRectF(m_plot.left() + 6, limit.isMost ? beyond.bottom() - metrics.height() - 2 : beyond.top() + 2, width,
                         metrics.height());
        else
            line += metrics.height() + 2;
        box.moveLeft(std::clamp(box.left(), m_plot.left() + 1, std::max(m_plot.left() + 1, m_plot.right() - width)));
        painter.fillRect(box, base);
        painter.setFont(font);
        painter.setPen(readable(blended(ink, base, 0.8), base));
        painter.drawText(box, Qt::AlignCenter | Qt::TextDontClip, words);
    }
    painter.setFont(m_font);
}

} // namespace wb::ui::charts
