#include "ui/charts/startupchart.h"

#include "core/snapshot/startupviews.h"
#include "core/store/atomicfile.h"
#include "ui/charts/picture.h"
#include "ui/charts/scales.h"
#include "ui/charts/seriesstyle.h"
#include "ui/theme/colours.h"
#include "ui/theme/severity.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <map>

namespace wb::ui::charts {

namespace {

QString words(const std::string& text)
{
    return QString::fromStdString(text);
}

QString seconds(double value)
{
    return StartupChart::tr("%1 s").arg(shortNumber(value));
}

/// The latest run of the group that tells its phases; null: none does.
const snapshot::StartupRun* runWithPhases(const snapshot::StartupGroup& group)
{
    const snapshot::StartupRun* out = nullptr;
    for (const snapshot::StartupRun* run : group.runs) {
        if ((snapshot::restoreStack(*run) || snapshot::checkpointStack(*run)) && (!out || run->date >= out->date))
            out = run;
    }
    return out;
}

bool isSynthetic(const snapshot::StartupGroup& group)
{
    return std::any_of(group.runs.begin(), group.runs.end(), [](const snapshot::StartupRun* run) { return run->isSynthetic; });
}

struct StackRow {
    QString title;
    snapshot::PhaseStack stack;
};

std::vector<StackRow> stacksOf(const StartupPicture& picture)
{
    std::vector<StackRow> out;
    for (const snapshot::StartupGroup& group : picture.groups) {
        const snapshot::StartupRun* run = runWithPhases(group);
        if (!run)
            continue;
        const QString title = words(snapshot::titleOf(group)) + (run->isSynthetic ? StartupChart::tr(" [synthetic]") : QString());
        if (auto stack = snapshot::checkpointStack(*run))
            out.push_back({StartupChart::tr("%1 \u2014 checkpoint").arg(title), *std::move(stack)});
        if (auto stack = snapshot::restoreStack(*run))
            out.push_back({StartupChart::tr("%1 \u2014 restore").arg(title), *std::move(stack)});
    }
    return out;
}

} // namespace

/// One drawing: where things are, and in which colours.
class StartupChart::Painting
{
public:
    Painting(QPainter& painter, const QSizeF& size, const QPalette& colours, const StartupPicture& picture)
        : m_painter(painter)
        , m_size(size)
        , m_colours(colours)
        , m_picture(picture)
        , m_back(colours.color(QPalette::Base))
        , m_ink(colours.color(QPalette::Text))
        , m_quiet(quietText(colours))
        , m_line(painter.fontMetrics().height())
    {
        painter.fillRect(QRectF({0, 0}, size), m_back);
        painter.setRenderHint(QPainter::Antialiasing);
    }

    void bars(bool isLogarithmic);
    void phases(bool areShares);
    void breakEven();
    void trend();

    void say(const QString& sentence)
    {
        m_painter.setPen(m_quiet);
        const double margin = m_line;
        m_painter.drawText(QRectF(margin, margin, m_size.width() - 2 * margin, m_size.height() - 2 * margin),
                           static_cast<int>(Qt::AlignHCenter) | Qt::AlignTop | Qt::TextWordWrap, sentence);
    }

private:
    [[nodiscard]] double width(const QString& text) const { return m_painter.fontMetrics().horizontalAdvance(text); }
    void text(const QPointF& at, const QString& words, const QColor& colour, bool isBold = false)
    {
        const QFont before = m_painter.font();
        if (isBold) {
            QFont bold = before;
            bold.setBold(true);
            m_painter.setFont(bold);
        }
        m_painter.setPen(colour);
        m_painter.drawText(at, words);
        m_painter.setFont(before);
    }
    [[nodiscard]] QString elided(const QString& words, double room) const
    {
        return m_painter.fontMetrics().elidedText(words, Qt::ElideMiddle, static_cast<int>(std::max(room, 0.0)));
    }
    /// The colours behind the first ones are their paler sisters.
    [[nodiscard]] QColor colour(std::size_t index) const
    {
        const QColor full = seriesStyle(index % colouredSeries, m_colours).colour;
        return index < colouredSeries ? full : blended(full, m_back, 0.45);
    }
    [[nodiscard]] QColor warning() const { return severityColor(syntax::Severity::Warning, m_colours); }

    /// Grid and labels of a horizontal axis between two heights.
    void horizontalAxis(const Span& span, bool isLog, const QRectF& plot, const QString& title)
    {
        for (const Tick& tick : ticks(span, isLog, std::max(2, static_cast<int>(plot.width() / (5.0 * m_line))))) {
            const double x = plot.left() + (tick.place - span.from) / span.length() * plot.width();
            if (x < plot.left() - 0.5 || x > plot.right() + 0.5)
                continue;
            m_painter.setPen(QPen(blended(m_ink, m_back, tick.label.isEmpty() ? 0.07 : 0.16), 1.0));
            m_painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
            if (!tick.label.isEmpty())
                text({x - width(tick.label) / 2, plot.bottom() + m_line}, tick.label, m_quiet);
        }
        text({plot.left() + (plot.width() - width(title)) / 2, plot.bottom() + 2.2 * m_line}, title, m_ink);
    }
    void verticalAxis(const Span& span, const QRectF& plot)
    {
        for (const Tick& tick : ticks(span, false, std::max(2, static_cast<int>(plot.height() / (3.0 * m_line))))) {
            const double y = plot.bottom() - (tick.place - span.from) / span.length() * plot.height();
            m_painter.setPen(QPen(blended(m_ink, m_back, 0.13), 1.0));
            m_painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
            if (!tick.label.isEmpty())
                text({plot.left() - width(tick.label) - 6, y + m_line / 3}, tick.label, m_quiet);
        }
    }
    void bar(const QRectF& box, const QColor& fill, bool isHatched)
    {
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(isHatched ? blended(fill, m_back, 0.35) : fill);
        m_painter.drawRect(box);
        if (isHatched) {
            m_painter.setBrush(QBrush(fill, Qt::BDiagPattern));
            m_painter.drawRect(box);
            m_painter.setPen(QPen(fill, 1.0));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawRect(box);
        }
    }
    /// Returns the place behind it.
    double legend(double x, double y, const QColor& fill, const QString& words, bool isHatched = false)
    {
        bar(QRectF(x, y - 0.7 * m_line, 0.8 * m_line, 0.8 * m_line), fill, isHatched);
        text({x + 1.1 * m_line, y}, words, m_ink);
        return x + 2.2 * m_line + width(words);
    }

    QPainter& m_painter;
    QSizeF m_size;
    const QPalette& m_colours;
    const StartupPicture& m_picture;
    QColor m_back;
    QColor m_ink;
    QColor m_quiet;
    double m_line;
};

// --- cold starts against restores -----------------------------------------------------------------------------------------------------

void StartupChart::Painting::bars(bool isLogarithmic)
{
    ValueRange range;
    for (const snapshot::StartupGroup& group : m_picture.groups) {
        for (const snapshot::Spread* spread : {&group.cold, &group.restore}) {
            for (const std::optional<double>& value : {spread->least, spread->most}) {
                if (value)
                    range.add(*value);
            }
        }
    }
    if (range.finite == 0)
        return say(StartupChart::tr("No run tells a cold start or a restore."));
    const bool isLog = isLogarithmic && range.positive == range.finite;
    Span span = fullSpan(range, isLog);
    if (!isLog)
        span.from = 0.0;
    const AxisScale scale{isLog};
    if (isLog)
        span.from = std::min(span.from, *scale.place(range.leastPositive) - 0.3); // a bar of the least value is still a bar
    const double margin = 0.8 * m_line;
    const double rowHeight = 4.2 * m_line;
    double labelRoom = 0.0;
    for (const snapshot::StartupGroup& group : m_picture.groups)
        labelRoom = std::max(labelRoom, width(words(snapshot::speedupWords(group))) * 1.1);
    labelRoom += 5.5 * m_line;
    const double top = 2.2 * m_line;
    const QRectF plot(margin, top, std::max(m_size.width() - 2 * margin - labelRoom, 60.0),
                      static_cast<double>(m_picture.groups.size()) * rowHeight + 0.3 * m_line);
    double x = legend(margin, 1.3 * m_line, colour(0), StartupChart::tr("cold start"));
    x = legend(x, 1.3 * m_line, colour(1), StartupChart::tr("restore"));
    legend(x, 1.3 * m_line, colour(1), StartupChart::tr("not comparable or estimated"), true);
    horizontalAxis(span, isLog, plot,
                   isLog ? StartupChart::tr("seconds until it serves, logarithmic (shorter is better)")
                         : StartupChart::tr("seconds until it serves (shorter is better)"));
    const auto placed = [&](double value) {
        const auto place = scale.place(value);
        return plot.left() + (place ? std::max(*place - span.from, 0.0) : 0.0) / span.length() * plot.width();
    };
    double y = plot.top() + 0.2 * m_line;
    for (const snapshot::StartupGroup& group : m_picture.groups) {
        QString title = words(snapshot::titleOf(group));
        if (group.runs.size() > 1)
            title += StartupChart::tr(" \u00b7 %n run(s), median and range", nullptr, static_cast<int>(group.runs.size()));
        if (isSynthetic(group))
            title += StartupChart::tr(" [synthetic]");
        QStringList doubts;
        for (const std::string& doubt : group.confounds)
            doubts += words(doubt);
        if (group.needsCheck)
            doubts += StartupChart::tr("Two restores on equal hardware differ by more than a factor of 2: check.");
        const QString speedup = words(snapshot::speedupWords(group));
        const bool isDoubtful = !doubts.isEmpty() || speedup.contains(QLatin1Char(' '));
        const double room = m_size.width() - 2 * margin;
        const double titleWidth = width(title) + m_line;
        text({plot.left(), y + 0.8 * m_line}, elided(title, room), m_ink);
        if (!doubts.isEmpty() && room > titleWidth + 6 * m_line)
            text({plot.left() + titleWidth, y + 0.8 * m_line}, elided(doubts.join(QLatin1Char(' ')), room - titleWidth), warning());
        double barTop = y + 1.1 * m_line;
        double end = plot.left();
        for (const auto& [spread, index] : {std::pair(&group.cold, 0), std::pair(&group.restore, 1)}) {
            const QColor fill = colour(static_cast<std::size_t>(index));
            if (!spread->median) {
                text({plot.left() + 4, barTop + 0.85 * m_line},
                     index == 0 ? StartupChart::tr("cold start not known") : StartupChart::tr("restore not known"), m_quiet);
            } else {
                const double right = placed(*spread->median);
                bar(QRectF(plot.left(), barTop, std::max(right - plot.left(), 1.0), 1.1 * m_line), fill, index == 1 && isDoubtful);
                double behind = right;
                if (spread->count > 1) {
                    const double from = placed(*spread->least);
                    const double to = placed(*spread->most);
                    const double middle = barTop + 0.55 * m_line;
                    m_painter.setPen(QPen(m_ink, 1.4));
                    m_painter.drawLine(QPointF(from, middle), QPointF(to, middle));
                    for (const double edge : {from, to})
                        m_painter.drawLine(QPointF(edge, middle - 4), QPointF(edge, middle + 4));
                    behind = std::max(behind, to);
                }
                const bool isCoarse = (index == 0 ? group.coldClock : group.restoreClock) == snapshot::Clock::Kubernetes;
                const QString value = seconds(*spread->median) + (isCoarse ? StartupChart::tr(" \u00b11") : QString());
                text({behind + 6, barTop + 0.85 * m_line}, value, m_ink);
                end = std::max(end, behind + 6 + width(value));
            }
            barTop += 1.25 * m_line;
        }
        if (group.speedup.median)
            text({end + 0.8 * m_line, y + 2.85 * m_line}, speedup, isDoubtful ? warning() : m_ink, true);
        y += rowHeight;
    }
}

// --- phases ---------------------------------------------------------------------------------------------------------------------------

void StartupChart::Painting::phases(bool areShares)
{
    const std::vector<StackRow> rows = stacksOf(m_picture);
    if (rows.empty())
        return say(StartupChart::tr("No run tells its phases: they are in the agent's log, in RunResults and in published tables."));
    std::map<std::string, std::size_t> looks;
    std::vector<std::string> order;
    double most = 0.0;
    for (const StackRow& row : rows) {
        most = std::max(most, row.stack.whole);
        for (const snapshot::PhasePart& part : row.stack.parts) {
            if (!part.isUnaccounted() && looks.emplace(part.id, looks.size()).second)
                order.push_back(part.id);
        }
    }
    const double margin = 0.8 * m_line;
    double x = margin;
    double y = 1.3 * m_line;
    const auto entry = [&](const QColor& fill, const QString& words, bool isHatched) {
        if (x > margin && x + 2.2 * m_line + width(words) > m_size.width() - margin) {
            x = margin;
            y += 1.3 * m_line;
        }
        x = legend(x, y, fill, words, isHatched);
    };
    for (const std::string& id : order)
        entry(colour(looks.at(id)), words(snapshot::phaseTitle(id)), false);
    entry(m_quiet, words(snapshot::phaseTitle("unaccounted")), true);
    const double labelRoom = 5.0 * m_line;
    const QRectF plot(margin, y + 0.9 * m_line, std::max(m_size.width() - 2 * margin - labelRoom, 60.0),
                      static_cast<double>(rows.size()) * 2.9 * m_line);
    const Span span{0.0, areShares ? 100.0 : most * 1.02};
    horizontalAxis(span, false, plot, areShares ? StartupChart::tr("share of the whole, %") : StartupChart::tr("seconds"));
    y = plot.top();
    for (const StackRow& row : rows) {
        QString title = row.title + StartupChart::tr(" (clock: %1)").arg(QString::fromUtf8(snapshot::name(row.stack.clock).data()));
        if (!row.stack.missing.empty()) {
            QStringList missing;
            for (const std::string& id : row.stack.missing)
                missing += words(snapshot::phaseTitle(id));
            title += StartupChart::tr(" \u00b7 not measured: %1").arg(missing.join(QStringLiteral(", ")));
        }
        text({plot.left(), y + 0.9 * m_line}, elided(title, m_size.width() - 2 * margin), m_ink);
        double left = plot.left();
        for (const snapshot::PhasePart& part : row.stack.parts) {
            const double value = areShares ? part.seconds / row.stack.whole * 100.0 : part.seconds;
            const double wide = value / span.length() * plot.width();
            bar(QRectF(left, y + 1.2 * m_line, wide, 1.2 * m_line), part.isUnaccounted() ? m_quiet : colour(looks.at(part.id)),
                part.isUnaccounted());
            left += wide;
        }
        text({left + 6, y + 2.1 * m_line}, seconds(row.stack.whole), m_ink);
        y += 2.9 * m_line;
    }
}

// --- break-even -----------------------------------------------------------------------------------------------------------------------

void StartupChart::Painting::breakEven()
{
    if (m_picture.group >= m_picture.groups.size())
        return say(StartupChart::tr("There is no group of runs."));
    const snapshot::StartupGroup& group = m_picture.groups[m_picture.group];
    const auto curves = snapshot::payoffCurves(group);
    const QString title = words(snapshot::titleOf(group));
    if (!curves)
        return say(StartupChart::tr("%1: when it pays is not known, as the cold start, the checkpoint or the restore was not measured.")
                       .arg(title));
    const double starts = static_cast<double>(curves->mostStarts);
    const double most = std::max({curves->coldAt(starts), curves->extraAt(starts), curves->neededAt(starts)});
    const double left = 5.0 * m_line;
    const QRectF plot(left, 3.6 * m_line, std::max(m_size.width() - left - 1.5 * m_line, 80.0),
                      std::max(m_size.height() - 7.0 * m_line, 80.0));
    QString heading = title;
    heading += StartupChart::tr(" \u00b7 pays after %1 (source needed anyway), %2 (capture is extra)")
                   .arg(words(snapshot::shown(curves->sourceNeeded)), words(snapshot::shown(curves->captureExtra)));
    if (isSynthetic(group))
        heading += StartupChart::tr(" [synthetic]");
    text({0.8 * m_line, 1.1 * m_line}, elided(heading, 0.88 * m_size.width() - 1.6 * m_line), m_ink, true); // bold is wider
    double x = legend(0.8 * m_line, 2.5 * m_line, colour(0), StartupChart::tr("cold"));
    x = legend(x, 2.5 * m_line, colour(1), StartupChart::tr("restored, source needed anyway"));
    x = legend(x, 2.5 * m_line, colour(2), StartupChart::tr("restored, capture is extra"));
    if (curves->isMixed)
        text({x, 2.5 * m_line}, StartupChart::tr("mixed clocks"), warning());
    const Span xs{0.0, starts};
    const Span ys{0.0, most * 1.05};
    verticalAxis(ys, plot);
    horizontalAxis(xs, false, plot,
                   curves->isPerGpu ? StartupChart::tr("starts (up: seconds of each GPU)")
                                    : StartupChart::tr("starts (up: GPU-seconds of %n GPU(s))", nullptr, static_cast<int>(curves->gpus)));
    const auto at = [&](double n, double value) {
        return QPointF(plot.left() + n / xs.length() * plot.width(), plot.bottom() - value / ys.length() * plot.height());
    };
    const auto line = [&](std::size_t index, double from, double to, Qt::PenStyle style) {
        m_painter.setPen(QPen(colour(index), 2.2, style));
        m_painter.drawLine(at(0, from), at(starts, to));
    };
    line(0, 0.0, curves->coldAt(starts), Qt::SolidLine);
    line(1, curves->neededAt(0), curves->neededAt(starts), Qt::SolidLine);
    line(2, curves->extraAt(0), curves->extraAt(starts), Qt::DashLine);
    for (const auto& [crossing, name] : {std::pair(curves->sourceNeeded, "N_a"), std::pair(curves->captureExtra, "N_b")}) {
        if (crossing.state != snapshot::BreakEven::State::After || static_cast<double>(crossing.starts) > starts)
            continue;
        const double n = static_cast<double>(crossing.starts);
        const QPointF place = at(n, curves->coldAt(n));
        m_painter.setPen(QPen(m_quiet, 1.0, Qt::DotLine));
        m_painter.drawLine(place, QPointF(place.x(), plot.bottom()));
        m_painter.setPen(QPen(m_ink, 1.6));
        m_painter.setBrush(m_back);
        m_painter.drawEllipse(place, 4.5, 4.5);
        const QString label = QStringLiteral("%1 = %2").arg(QLatin1String(name)).arg(crossing.starts);
        text({place.x() - width(label) - 8, place.y() - 6}, label, m_ink, true);
    }
}

// --- nights ---------------------------------------------------------------------------------------------------------------------------

void StartupChart::Painting::trend()
{
    std::vector<std::string> days;
    double most = 0.0;
    for (const snapshot::Trend& trend : m_picture.trends) {
        for (const snapshot::TrendPoint& point : trend.points) {
            days.push_back(point.run->date.substr(0, 10));
            most = std::max(most, point.value.value_or(0.0));
        }
    }
    std::sort(days.begin(), days.end());
    days.erase(std::unique(days.begin(), days.end()), days.end());
    if (days.empty() || most <= 0.0)
        return say(StartupChart::tr("There are no nightly results."));
    double y = 1.3 * m_line;
    for (std::size_t i = 0; i < m_picture.trends.size(); ++i) {
        const snapshot::Trend& trend = m_picture.trends[i];
        const QString title =
            words(trend.title) + (trend.isStale ? StartupChart::tr(" \u00b7 stale: no run for more than three days") : QString());
        paintMarker(m_painter, {1.2 * m_line, y - 0.3 * m_line}, seriesStyle(i, m_colours), 5.0, Fill::Solid, m_back);
        text({2.0 * m_line, y}, elided(title, m_size.width() - 3.0 * m_line), trend.isStale ? warning() : m_ink);
        y += 1.25 * m_line;
    }
    const double left = 4.0 * m_line;
    const QRectF plot(left, y, std::max(m_size.width() - left - 2.0 * m_line, 80.0), std::max(m_size.height() - y - 3.0 * m_line, 60.0));
    const Span ys{0.0, most * 1.08};
    verticalAxis(ys, plot);
    const auto xOf = [&](const std::string& date) {
        const auto index = std::lower_bound(days.begin(), days.end(), date.substr(0, 10)) - days.begin();
        const double step = plot.width() / static_cast<double>(std::max<std::size_t>(days.size(), 2));
        return plot.left() + (static_cast<double>(index) + 0.5) * step;
    };
    double free = plot.left() - 1.0;
    for (const std::string& day : days) {
        const QString label = words(day.substr(5));
        const double x = xOf(day) - width(label) / 2;
        if (x < free)
            continue;
        text({x, plot.bottom() + m_line}, label, m_quiet);
        free = x + width(label) + 0.8 * m_line;
    }
    const QString title = StartupChart::tr("night (up: seconds of a restore until it serves; \u00d7: no value that night)");
    text({plot.left() + (plot.width() - width(title)) / 2, plot.bottom() + 2.2 * m_line}, title, m_ink);
    for (std::size_t i = 0; i < m_picture.trends.size(); ++i) {
        const SeriesStyle style = seriesStyle(i, m_colours);
        std::optional<QPointF> before;
        for (const snapshot::TrendPoint& point : m_picture.trends[i].points) {
            const double x = xOf(point.run->date);
            if (!point.value) { // a gap: nothing is drawn across it
                before.reset();
                text({x - width(QStringLiteral("\u00d7")) / 2, plot.bottom() - 0.3 * m_line}, QStringLiteral("\u00d7"), style.colour, true);
                continue;
            }
            const QPointF place(x, plot.bottom() - *point.value / ys.length() * plot.height());
            m_painter.setPen(QPen(style.colour, 1.8));
            if (before)
                m_painter.drawLine(*before, place);
            before = place;
        }
        for (const snapshot::TrendPoint& point : m_picture.trends[i].points) {
            if (point.value)
                paintMarker(m_painter, {xOf(point.run->date), plot.bottom() - *point.value / ys.length() * plot.height()}, style, 5.0,
                            Fill::Solid, m_back);
        }
    }
}

// --- the widget -----------------------------------------------------------------------------------------------------------------------

StartupChart::StartupChart(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("startupChart"));
    setAccessibleName(tr("Chart of startup times"));
    setAccessibleDescription(tr("The table beside it has the same numbers."));
    setBackgroundRole(QPalette::Base);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::MinimumExpanding);
}

void StartupChart::setPicture(StartupPicture picture)
{
    m_picture = std::move(picture);
    refresh();
}

void StartupChart::setView(StartupView view)
{
    m_view = view;
    refresh();
}

void StartupChart::setLogarithmic(bool isLogarithmic)
{
    m_isLogarithmic = isLogarithmic;
    refresh();
}

void StartupChart::setShares(bool areShares)
{
    m_areShares = areShares;
    refresh();
}

void StartupChart::refresh()
{
    updateGeometry();
    update();
}

QSize StartupChart::minimumSizeHint() const
{
    const int line = fontMetrics().height();
    const auto rows = [&](std::size_t count, double height) {
        return static_cast<int>((static_cast<double>(count) * height + 6.0) * line);
    };
    switch (m_view) {
    case StartupView::Bars:
        return {30 * line, rows(m_picture.groups.size(), 4.2)};
    case StartupView::Phases:
        return {30 * line, rows(stacksOf(m_picture).size() + 1, 2.9)};
    case StartupView::BreakEven:
    case StartupView::Trend:
        break;
    }
    return {30 * line, 18 * line};
}

QSize StartupChart::sizeHint() const
{
    return minimumSizeHint();
}

void StartupChart::draw(QPainter& painter, const QSizeF& size, const QPalette& colours) const
{
    Painting painting(painter, size, colours, m_picture);
    if (m_picture.groups.empty() && m_view != StartupView::Trend)
        return painting.say(tr("Import RunResults, agent logs, nightly results or published tables, or drop them here."));
    switch (m_view) {
    case StartupView::Bars:
        return painting.bars(m_isLogarithmic);
    case StartupView::Phases:
        return painting.phases(m_areShares);
    case StartupView::BreakEven:
        return painting.breakEven();
    case StartupView::Trend:
        return painting.trend();
    }
}

void StartupChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    draw(painter, QSizeF(size()), palette());
}

Result<void> StartupChart::write(const QString& file) const
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    const QSize box(std::max(width(), minimumSizeHint().width()), std::max(height(), minimumSizeHint().height()));
    QBuffer bytes;
    if (!bytes.open(QIODevice::WriteOnly))
        return failure(ErrorCode::Refused, "The picture could not be drawn.");
    if (suffix == QLatin1String("svg")) {
        QSvgGenerator generator;
        generator.setOutputDevice(&bytes);
        generator.setSize(box);
        generator.setViewBox(QRect(QPoint(), box));
        generator.setTitle(tr("Startup times"));
        QPainter painter(&generator);
        painter.setFont(font());
        draw(painter, QSizeF(box), pictureColours());
    } else if (suffix == QLatin1String("png")) {
        QImage image(box * 2, QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(2.0);
        QPainter painter(&image);
        painter.setFont(font());
        draw(painter, QSizeF(box), pictureColours());
        painter.end();
        if (!image.save(&bytes, "png"))
            return failure(ErrorCode::Refused, "The picture could not be drawn; it may be too large.");
    } else {
        return failure(ErrorCode::Unsupported, "The picture \"" + file.toStdString() + "\" must end in .png or .svg.");
    }
    const bool isSvg = suffix == QLatin1String("svg");
    return store::writeAtomically(file.toStdString(), (isSvg ? withFallbackFont(bytes.data()) : bytes.data()).toStdString());
}

} // namespace wb::ui::charts
