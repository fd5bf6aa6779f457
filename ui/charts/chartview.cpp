#include "ui/charts/chartview.h"

#include "ui/charts/chartscene.h"
#include "ui/charts/picture.h"
#include "ui/charts/pincard.h"
#include "ui/charts/viewparts.h"
#include "ui/theme/colours.h"

#include <QActionGroup>
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QGraphicsView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QPointer>
#include <QToolTip>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::ui::charts {
namespace {

constexpr double reach = 12.0;      ///< Of the mouse, in pixels.
constexpr double wheelFactor = 1.2; ///< One notch.
constexpr double keyFactor = 1.4;
constexpr double keyPan = 0.1; ///< Of the plot.
constexpr int widestCard = 560;
constexpr int longestWord = 38; ///< In a card; longer ones may be broken.

QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

/// Escaped for a card. Long words may be broken behind their parts: a value is never cut, what it ends with may say most.
QString breakable(const QString& value)
{
    QString out;
    int run = 0; // characters since the last place to break at
    for (qsizetype begin = 0; begin < value.size();) {
        qsizetype end = begin;
        while (end < value.size() && !value[end].isSpace())
            ++end;
        const bool isLong = end - begin > longestWord;
        for (qsizetype i = begin; i < end; ++i) {
            out += QString(value[i]).toHtmlEscaped();
            ++run;
            const bool isPart = QStringLiteral("/_-,;=").contains(value[i]);
            const bool isWhole = !value[i].isHighSurrogate() && i + 1 < end;
            if (isLong && isWhole && ((isPart && run > 3) || run >= longestWord)) {
                out += QChar(0x200b);
                run = 0;
            }
        }
        for (; end < value.size() && value[end].isSpace(); ++end)
            out += u' ';
        run = 0;
        begin = end;
    }
    return out;
}

/// Escaped, and kept on one line: a number and its unit belong together.
QString unbroken(QString value)
{
    value.replace(u' ', QChar(QChar::Nbsp)).replace(u'/', QStringLiteral("/\u2060"));
    return value.toHtmlEscaped();
}

/// The marker of a series as the chart draws it, for rich text.
QString markerHtml(const SeriesStyle& style, Fill fill, const QColor& background, double ratio)
{
    constexpr int side = 14;
    const int pixels = static_cast<int>(std::ceil(side * ratio));
    QImage image(pixels, pixels, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.scale(ratio, ratio);
    paintMarker(painter, QPointF(side / 2.0, side / 2.0), style, 4.5, fill, background);
    painter.end();
    QBuffer png;
    png.open(QIODevice::WriteOnly);
    image.save(&png, "PNG");
    return QStringLiteral("<img src=\"data:image/png;base64,%1\" width=\"%2\" height=\"%2\">")
        .arg(QString::fromLatin1(png.data().toBase64()))
        .arg(side);
}

/// "+12.5 %", "0 %"
QString percentText(double share)
{
    const double percent = share * 100.0;
    const QString number = QString::number(percent, 'f', std::abs(percent) < 100.0 ? 1 : 0);
    return (percent > 0.0 ? QStringLiteral("+") : QString()) + number + QStringLiteral(" %");
}

/// As a picture that travels alone, at least so high that the plot is not crowded out by what is said around it.
void makePicture(ChartScene& picture, const PictureNotes& notes)
{
    constexpr double leastPlot = 380.0;
    picture.setColours(pictureColours());
    picture.setNotes(notes);
    picture.setSize(pictureSize);
    if (const double missing = leastPlot - (pictureSize.height() - picture.heightAround()); missing > 0)
        picture.setSize(pictureSize + QSizeF(0, std::ceil(missing)));
}

Result<void> writeAs(ChartScene& picture, const QString& file, const PictureNotes& notes)
{
    makePicture(picture, notes);
    return writePicture(picture, file);
}

/// False: there is nothing to zoom to, or it does not lie on the axes.
bool zoomTo(ChartScene& scene, const std::optional<analysis::ChartViewFile::Zoom>& zoom)
{
    const AxisScale x{scene.isLogarithmic(Qt::Horizontal)};
    const AxisScale y{scene.isLogarithmic(Qt::Vertical)};
    const auto places = zoom ? std::array{x.place(zoom->fromX), x.place(zoom->toX), y.place(zoom->fromY), y.place(zoom->toY)}
                             : std::array<std::optional<double>, 4>();
    if (!std::ranges::all_of(places, [](const auto& place) { return place.has_value(); }))
        return false;
    scene.setView({{*places[0], *places[1]}, {*places[2], *places[3]}});
    return true;
}

struct ScaleChoice {
    Scale scale;
    const char* title;
};

constexpr std::array scaleChoices = {
    ScaleChoice{Scale::Auto, QT_TRANSLATE_NOOP("wb::ui::charts::ChartView", "Automatic")},
    ScaleChoice{Scale::Linear, QT_TRANSLATE_NOOP("wb::ui::charts::ChartView", "Linear")},
    ScaleChoice{Scale::Log, QT_TRANSLATE_NOOP("wb::ui::charts::ChartView", "Logarithmic")},
};

} // namespace

class ChartView::Private
{
public:
    class Canvas;
    class Card;

    explicit Private(ChartView& owner);
    ~Private() { delete card; }
    Private(const Private&) = delete;
    Private& operator=(const Private&) = delete;

    void hover(std::optional<PointRef> ref);
    void placeCard();
    [[nodiscard]] QString cardHtml(PointRef ref) const;
    void stepAlongFrontier(int by);
    void stepByX(int by);
    /// The card that stays, as the points are now.
    void showPin();
    [[nodiscard]] QString deltaHtml(const std::vector<analysis::DeltaRow>& rows, PointRef from, PointRef to) const;
    [[nodiscard]] QString headHtml(PointRef ref, bool withLoad) const;
    /// Takes the points as what is chosen, or adds them to it.
    void mark(const std::vector<PointRef>& refs, bool isAdded);
    void toggleMark(PointRef ref);
    void setHidden(std::set<std::string> hidden);
    [[nodiscard]] bool handleKey(const QKeyEvent& event);
    [[nodiscard]] bool handlePointKey(const QKeyEvent& event);
    void cycleScale(Qt::Orientation axis);
    void toggle(const LegendEntry& entry);
    void isolate(const LegendEntry& entry);
    void updateDescription();
    void fillMenu(QMenu& menu);
    /// A scene of its own that shows what is shown here, but for what is selected: that is nothing of the chart's.
    [[nodiscard]] std::unique_ptr<ChartScene> copyOfScene() const;

    ChartView& q;
    ChartScene scene;
    Canvas* canvas;
    QPointer<QLabel> card; ///< Belongs to the window while it is shown, so that a low pane does not cut it.
    PinCard* pin;
    PointId pinned, second;
    std::function<std::vector<analysis::DeltaRow>(const PointId&, const PointId&)> deltaSource;
    DragMode mode = DragMode::Pan;
    std::shared_ptr<const analysis::Chart> chart;
};

/// What is known of a point, painted like the editor's card.
class ChartView::Private::Card final : public QLabel
{
public:
    explicit Card(QWidget* parent)
        : QLabel(parent)
    {
        setObjectName(QStringLiteral("chartCard"));
        setTextFormat(Qt::RichText);
        setForegroundRole(QPalette::WindowText);
        setMargin(9);
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
    }

protected:
    void paintEvent(QPaintEvent* event) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), palette().color(QPalette::Window));
        painter.setPen(blended(palette().color(QPalette::WindowText), palette().color(QPalette::Window), 0.3));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
        painter.end();
        QLabel::paintEvent(event);
    }
};

/// Shows the scene and turns the mouse into calls. Mouse events stop here: the scene's items want none.
class ChartView::Private::Canvas final : public QGraphicsView
{
public:
    Canvas(Private& owner, QWidget* parent)
        : QGraphicsView(&owner.scene, parent)
        , d(owner)
    {
        setObjectName(QStringLiteral("chartCanvas"));
        setFrameShape(QFrame::NoFrame);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        // Nearly all of it changes with each move: finding out what did would cost more than painting it.
        setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
        setAlignment(Qt::AlignLeft | Qt::AlignTop);
        setFocusPolicy(Qt::NoFocus);
        viewport()->setMouseTracking(true);
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QGraphicsView::resizeEvent(event);
        d.scene.setSize(viewport()->size());
        d.hover(std::nullopt);
    }

    void mousePressEvent(QMouseEvent* event) override
    {
        d.q.setFocus(Qt::MouseFocusReason);
        m_pressed = m_last = event->position();
        m_button = event->button();
        m_dragging = m_doubleClicked = false;
        m_adding = event->modifiers().testFlag(Qt::ShiftModifier);
        m_drag = dragFor(*event);
        event->accept();
    }

    void mouseMoveEvent(QMouseEvent* event) override
    {
        const QPointF at = event->position();
        if (event->buttons() == Qt::NoButton) {
            const bool onLegend = d.scene.legendAt(at) != nullptr;
            viewport()->setCursor(onLegend ? Qt::PointingHandCursor : d.mode == charts::DragMode::Pan ? Qt::ArrowCursor : Qt::CrossCursor);
            d.hover(d.scene.chart() && d.scene.plotArea().adjusted(-reach, -reach, reach, reach).contains(at)
                        ? d.scene.cloud().nearest(at, reach)
                        : std::nullopt);
            return;
        }
        if (m_button == Qt::RightButton)
            return;
        if (!m_dragging && (at - m_pressed).manhattanLength() >= QApplication::startDragDistance() &&
            d.scene.plotArea().contains(m_pressed)) {
            m_dragging = true;
            d.hover(std::nullopt);
            viewport()->setCursor(m_drag == charts::DragMode::Pan ? Qt::ClosedHandCursor : Qt::CrossCursor);
            m_lasso = QPolygonF({m_pressed});
        }
        if (!m_dragging)
            return;
        if (m_drag == charts::DragMode::Pan) {
            d.scene.pan(at - m_last);
        } else if (m_drag == charts::DragMode::Lasso) {
            m_lasso.append(at);
            d.scene.setLasso(m_lasso);
        } else {
            d.scene.setZoomBox(QRectF(m_pressed, at).normalized());
        }
        m_last = at;
    }

    void mouseReleaseEvent(QMouseEvent* event) override
    {
        if (event->button() != m_button)
            return;
        m_button = Qt::NoButton;
        viewport()->setCursor(d.mode == charts::DragMode::Pan ? Qt::ArrowCursor : Qt::CrossCursor);
        if (m_dragging) {
            m_dragging = false;
            endDrag(QRectF(m_pressed, event->position()).normalized());
            return;
        }
        if (event->button() == Qt::LeftButton && !m_doubleClicked)
            click(event->position(), event->modifiers());
        m_doubleClicked = false;
    }

    void mouseDoubleClickEvent(QMouseEvent* event) override
    {
        if (event->button() != Qt::LeftButton)
            return;
        m_button = event->button();
        m_dragging = false;
        m_pressed = m_last = event->position();
        m_doubleClicked = true;
        if (const LegendEntry* entry = d.scene.legendAt(event->position())) {
            const LegendEntry clicked = *entry;
            d.toggle(clicked); // takes back what the first click did
            d.isolate(clicked);
        } else if (const auto ref = d.scene.chart() ? d.scene.cloud().nearest(event->position(), reach) : std::nullopt) {
            Q_EMIT d.q.pointActivated(d.scene.point(*ref).id);
        } else {
            d.q.resetZoom();
        }
    }

    void wheelEvent(QWheelEvent* event) override
    {
        const int turned = event->angleDelta().y();
        if (turned != 0 && d.scene.chart()) {
            d.hover(std::nullopt);
            d.scene.zoomAt(event->position(), std::pow(wheelFactor, turned / 120.0));
        }
        event->accept();
    }

    bool viewportEvent(QEvent* event) override
    {
        if (event->type() == QEvent::Leave)
            d.hover(std::nullopt);
        if (event->type() == QEvent::ToolTip) {
            const auto* help = static_cast<QHelpEvent*>(event);
            const QString tip = d.scene.tipAt(help->pos());
            if (tip.isEmpty())
                QToolTip::hideText();
            else
                QToolTip::showText(help->globalPos(), tip, this);
            return true;
        }
        return QGraphicsView::viewportEvent(event);
    }

    void contextMenuEvent(QContextMenuEvent* event) override { event->ignore(); }

private:
    [[nodiscard]] charts::DragMode dragFor(const QMouseEvent& event) const
    {
        using charts::DragMode;
        if (event.button() != Qt::LeftButton)
            return DragMode::Pan;
        if (event.modifiers().testFlag(Qt::ControlModifier))
            return d.mode == DragMode::Lasso ? DragMode::Lasso : DragMode::Select;
        if (event.modifiers().testFlag(Qt::ShiftModifier) && (d.mode == DragMode::Pan || d.mode == DragMode::Zoom))
            return d.mode == DragMode::Pan ? DragMode::Zoom : DragMode::Pan;
        return d.mode;
    }

    void endDrag(const QRectF& box)
    {
        d.scene.setZoomBox({});
        d.scene.setLasso({});
        if (m_drag == charts::DragMode::Zoom)
            d.scene.zoomTo(box);
        else if (m_drag == charts::DragMode::Select)
            d.mark(d.scene.cloud().inside(QPolygonF(box)), m_adding);
        else if (m_drag == charts::DragMode::Lasso)
            d.mark(d.scene.cloud().inside(m_lasso), m_adding);
    }

    void click(const QPointF& at, Qt::KeyboardModifiers modifiers)
    {
        if (const LegendEntry* entry = d.scene.legendAt(at)) {
            d.toggle(LegendEntry(*entry));
            return;
        }
        if (!d.scene.chart())
            return;
        const auto ref = d.scene.cloud().nearest(at, reach);
        if (!ref) {
            // Beside all points: what was chosen is chosen no more.
            if (d.scene.plotArea().contains(at) && d.scene.marked().size() > 1)
                d.mark({}, false);
            return;
        }
        if (modifiers.testFlag(Qt::ControlModifier))
            return d.toggleMark(*ref);
        const PointId id = d.scene.point(*ref).id;
        if (modifiers.testFlag(Qt::ShiftModifier) && !d.pinned.isEmpty())
            return d.q.compareWith(id);
        d.q.pin(id);
        Q_EMIT d.q.pointPicked(id);
    }

    Private& d;
    QPointF m_pressed, m_last;
    Qt::MouseButton m_button = Qt::NoButton;
    bool m_dragging = false;
    charts::DragMode m_drag = charts::DragMode::Pan;
    bool m_adding = false;
    QPolygonF m_lasso;
    bool m_doubleClicked = false;
};

ChartView::Private::Private(ChartView& owner)
    : q(owner)
    , canvas(new Canvas(*this, &owner))
    , card(new Card(canvas->viewport()))
    , pin(new PinCard(&owner))
{
}

ChartView::ChartView(QWidget* parent)
    : QWidget(parent)
    , d(std::make_unique<Private>(*this))
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Pareto chart"));
    setMinimumSize(220, 160);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->addWidget(d->canvas);
    d->scene.setColours(palette());
    connect(&d->scene, &ChartScene::viewChanged, this, [this] {
        d->placeCard();
        d->showPin();
        Q_EMIT zoomChanged();
    });
    connect(d->pin, &PinCard::closed, this, [this] {
        pin({});
        setFocus();
    });
    connect(d->pin, &PinCard::swapWanted, this, &ChartView::swapCompared);
    connect(d->pin, &PinCard::openWanted, this, [this] { Q_EMIT pointActivated(d->pinned); });
    d->updateDescription();
}

ChartView::~ChartView() = default;

// --- what is shown --------------------------------------------------------------------------------------------------------------------

void ChartView::setChart(const analysis::Chart& chart)
{
    setChart(std::make_shared<const analysis::Chart>(chart));
}

void ChartView::setChart(std::shared_ptr<const analysis::Chart> chart)
{
    d->hover(std::nullopt);
    d->chart = chart;
    d->scene.setChart(std::move(chart));
    d->showPin();
    d->updateDescription();
}

void ChartView::clear()
{
    setChart(std::shared_ptr<const analysis::Chart>());
}

void ChartView::Private::updateDescription()
{
    q.setAccessibleDescription(
        scene.summary() + u' ' +
        ChartView::tr(
            "Page Up and Page Down go along the frontier, with Shift through all points by x. Space pins a point, Shift+Space "
            "compares another one with it, Enter opens its recipe. Ctrl+Space chooses a point, Ctrl+A all that are seen. Plus and "
            "minus zoom, 0 shows all, arrows move. 1 to 8 show or hide a series, with Alt alone. X and Y change the scales."));
}

void ChartView::setSelected(const PointId& id)
{
    d->scene.setSelected(id);
}

PointId ChartView::selected() const
{
    return d->scene.selected();
}

void ChartView::setScale(Qt::Orientation axis, Scale scale)
{
    d->hover(std::nullopt);
    d->scene.setScale(axis, scale);
    d->updateDescription();
}

Scale ChartView::scale(Qt::Orientation axis) const
{
    return d->scene.scale(axis);
}

void ChartView::setLine(analysis::Line line)
{
    d->scene.setLine(line);
}

void ChartView::setDragMode(DragMode mode)
{
    d->mode = mode;
}

DragMode ChartView::dragMode() const
{
    return d->mode;
}

void ChartView::setParts(const ChartParts& parts)
{
    d->scene.setParts(parts);
    d->updateDescription();
}

const ChartParts& ChartView::parts() const
{
    return d->scene.parts();
}

// --- chosen and pinned points ---------------------------------------------------------------------------------------------------------

void ChartView::setMarked(const std::vector<PointId>& ids)
{
    d->scene.setMarked(ids);
}

std::vector<PointId> ChartView::marked() const
{
    return d->scene.marked();
}

void ChartView::Private::mark(const std::vector<PointRef>& refs, bool isAdded)
{
    std::vector<PointId> ids = isAdded ? scene.marked() : std::vector<PointId>();
    const std::set<std::string> before = [&ids] {
        std::set<std::string> texts;
        for (const PointId& id : ids)
            texts.insert(id.text);
        return texts;
    }();
    for (const PointRef ref : refs)
        if (!before.contains(scene.point(ref).id.text))
            ids.push_back(scene.point(ref).id);
    scene.setMarked(ids);
    Q_EMIT q.pointsMarked(ids);
}

void ChartView::Private::toggleMark(PointRef ref)
{
    std::vector<PointId> ids = scene.marked();
    const PointId& id = scene.point(ref).id;
    if (std::erase(ids, id) == 0)
        ids.push_back(id);
    scene.setMarked(ids);
    Q_EMIT q.pointsMarked(ids);
}

void ChartView::pin(const PointId& id)
{
    d->pinned = id;
    d->second = {};
    d->pin->forgetPlace();
    d->showPin();
    Q_EMIT deltaChanged();
}

PointId ChartView::pinned() const
{
    return d->pinned;
}

void ChartView::compareWith(const PointId& id)
{
    if (d->pinned.isEmpty() || id == d->pinned)
        return;
    d->second = id;
    d->showPin();
    Q_EMIT deltaChanged();
}

PointId ChartView::comparedWith() const
{
    return d->second;
}

void ChartView::swapCompared()
{
    if (d->second.isEmpty())
        return;
    std::swap(d->pinned, d->second);
    d->showPin();
    Q_EMIT deltaChanged();
}

void ChartView::setDeltaSource(std::function<std::vector<analysis::DeltaRow>(const PointId&, const PointId&)> source)
{
    d->deltaSource = std::move(source);
}

void ChartView::Private::showPin()
{
    const std::optional<PointRef> first = scene.placeOf(pinned);
    const std::optional<PointRef> other = scene.placeOf(second);
    scene.setPinned(first, other);
    if (!first || scene.isHidden(first->series)) {
        pin->hide();
        return;
    }
    if (other && !scene.isHidden(other->series)) {
        const analysis::PlaceInChart a{first->series, first->point};
        const analysis::PlaceInChart b{other->series, other->point};
        const std::vector<analysis::DeltaRow> rows = deltaSource ? deltaSource(pinned, second) : analysis::deltaOf(*chart, a, b);
        QStringList spoken;
        for (const analysis::DeltaRow& row : rows)
            spoken += QStringLiteral("%1: %2, %3").arg(text(row.title), text(row.first), text(row.second));
        pin->setContent(deltaHtml(rows, *first, *other), spoken.join(QStringLiteral("; ")), true);
    } else {
        pin->setContent(cardHtml(*first), text(scene.point(*first).source), false);
    }
    const QPointF at = scene.cloud().positionOf(*first).value_or(scene.plotArea().center());
    const QRectF plot = scene.plotArea();
    pin->placeBeside(QPointF(canvas->mapTo(&q, QPoint(0, 0))) +
                     QPointF(std::clamp(at.x(), plot.left(), plot.right()), std::clamp(at.y(), plot.top(), plot.bottom())));
}

QString ChartView::Private::deltaHtml(const std::vector<analysis::DeltaRow>& rows, PointRef from, PointRef to) const
{
    const QColor base = q.palette().color(QPalette::Window);
    const QString good = readable(QColor(0x00, 0x80, 0x50), base).name();
    const QString bad = readable(QColor(0xc0, 0x40, 0x00), base).name();
    QString html = headHtml(from, true) + headHtml(to, true);
    html += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"1\" style=\"margin-top:4px\">");
    const auto cell = [&html](const QString& value, const char* style = "padding-right:10px") {
        html += QStringLiteral("<td style=\"%1\">%2</td>").arg(QString::fromLatin1(style), value);
    };
    bool isSetup = false;
    for (const analysis::DeltaRow& row : rows) {
        if (row.isSetup && !std::exchange(isSetup, true))
            html += QStringLiteral("<tr><td colspan=\"4\" style=\"padding-top:5px\"><b>%1</b></td></tr>")
                        .arg(ChartView::tr("Set up differently"));
        html += QStringLiteral("<tr>");
        const auto shown = [&row](const std::string& value) { return row.isSetup ? breakable(text(value)) : unbroken(text(value)); };
        cell(unbroken(text(row.title)));
        cell(shown(row.first));
        cell(QStringLiteral("<b>%1</b>").arg(shown(row.second)));
        if (row.change) {
            const QString words = percentText(*row.change);
            const QString arrow = !row.isBetter ? QString() : *row.isBetter ? ChartView::tr(" better") : ChartView::tr(" worse");
            cell(row.isBetter
                     ? QStringLiteral("<span style=\"color:%1\">%2</span>").arg(*row.isBetter ? good : bad, unbroken(words + arrow))
                     : unbroken(words));
        } else {
            cell(QString());
        }
        html += QStringLiteral("</tr>");
    }
    html += QStringLiteral("</table>");
    if (!isSetup)
        html += QStringLiteral("<div>%1</div>").arg(ChartView::tr("Nothing that the points tell of their set-up differs."));
    return html;
}

QString ChartView::Private::headHtml(PointRef ref, bool withLoad) const
{
    const analysis::ChartPoint& each = scene.point(ref);
    const QString marker = markerHtml(scene.styleOf(ref.series), each.eligible && !each.simulated ? Fill::Solid : Fill::Hollow,
                                      q.palette().color(QPalette::Window), canvas->devicePixelRatioF());
    QString html = QStringLiteral("<div>%1 <b>%2</b>").arg(marker, breakable(text(chart->series[ref.series].key)));
    if (withLoad && each.concurrency)
        html += u' ' + ChartView::tr("concurrency %1").arg(shortNumber(*each.concurrency));
    return html + QStringLiteral("</div>");
}

// --- zoom -----------------------------------------------------------------------------------------------------------------------------

void ChartView::zoomIn()
{
    d->scene.zoomAt(d->scene.plotArea().center(), keyFactor);
}

void ChartView::zoomOut()
{
    d->scene.zoomAt(d->scene.plotArea().center(), 1.0 / keyFactor);
}

void ChartView::resetZoom()
{
    d->scene.resetView();
}

bool ChartView::isZoomed() const
{
    return d->scene.isZoomed();
}

std::optional<analysis::ChartViewFile::Zoom> ChartView::zoom() const
{
    if (!isZoomed())
        return std::nullopt;
    const View view = d->scene.view();
    const AxisScale x{d->scene.isLogarithmic(Qt::Horizontal)};
    const AxisScale y{d->scene.isLogarithmic(Qt::Vertical)};
    return analysis::ChartViewFile::Zoom{x.value(view.x.from), x.value(view.x.to), y.value(view.y.from), y.value(view.y.to)};
}

void ChartView::setZoom(const std::optional<analysis::ChartViewFile::Zoom>& zoom)
{
    if (!zoomTo(d->scene, zoom))
        resetZoom();
}

// --- series ---------------------------------------------------------------------------------------------------------------------------

void ChartView::setSeriesVisible(const QString& key, bool visible)
{
    std::set<std::string> hidden = d->scene.hiddenKeys();
    if (visible)
        hidden.erase(key.toStdString());
    else
        hidden.insert(key.toStdString());
    d->setHidden(std::move(hidden));
}

void ChartView::Private::setHidden(std::set<std::string> hidden)
{
    hover(std::nullopt);
    scene.setHiddenKeys(std::move(hidden));
    showPin();
    updateDescription();
    Q_EMIT q.visibilityChanged();
}

std::vector<std::string> ChartView::hiddenKeys() const
{
    const std::set<std::string>& keys = d->scene.hiddenKeys();
    return {keys.begin(), keys.end()};
}

void ChartView::setHiddenKeys(const std::vector<std::string>& keys)
{
    d->setHidden({keys.begin(), keys.end()});
}

std::vector<bool> ChartView::hiddenSeries() const
{
    return d->scene.hiddenSeries();
}

const analysis::Chart* ChartView::chart() const
{
    return d->chart.get();
}

void ChartView::showOnly(const QString& key)
{
    if (!d->chart)
        return;
    std::set<std::string> hidden;
    for (const analysis::ChartSeries& series : d->chart->series) {
        if (series.key != key.toStdString())
            hidden.insert(series.key);
    }
    if (hidden == d->scene.hiddenKeys())
        hidden.clear();
    d->setHidden(std::move(hidden));
}

void ChartView::showAllSeries()
{
    d->setHidden({});
}

bool ChartView::isSeriesVisible(const QString& key) const
{
    return !d->scene.hiddenKeys().contains(key.toStdString());
}

void ChartView::Private::toggle(const LegendEntry& entry)
{
    std::set<std::string> hidden = scene.hiddenKeys();
    const bool show = std::all_of(entry.series.begin(), entry.series.end(), [this](std::size_t series) { return scene.isHidden(series); });
    for (const std::size_t series : entry.series) {
        if (show)
            hidden.erase(chart->series[series].key);
        else
            hidden.insert(chart->series[series].key);
    }
    setHidden(std::move(hidden));
}

void ChartView::Private::isolate(const LegendEntry& entry)
{
    std::set<std::string> hidden;
    for (std::size_t series = 0; series < chart->series.size(); ++series) {
        if (std::find(entry.series.begin(), entry.series.end(), series) == entry.series.end())
            hidden.insert(chart->series[series].key);
    }
    if (hidden == scene.hiddenKeys())
        hidden.clear();
    setHidden(std::move(hidden));
}

// --- points ---------------------------------------------------------------------------------------------------------------------------

std::optional<QPointF> ChartView::positionOf(const PointId& id) const
{
    for (std::size_t series = 0; d->chart && series < d->chart->series.size(); ++series) {
        const auto& points = d->chart->series[series].points;
        const auto found = std::find_if(points.begin(), points.end(), [&id](const analysis::ChartPoint& each) { return each.id == id; });
        if (found == points.end())
            continue;
        const auto at = d->scene.cloud().positionOf({series, static_cast<std::size_t>(found - points.begin())});
        if (!at || d->scene.isHidden(series))
            return std::nullopt;
        return QPointF(d->canvas->mapTo(this, QPoint(0, 0))) + *at;
    }
    return std::nullopt;
}

PointId ChartView::pointAt(const QPointF& position) const
{
    if (!d->chart)
        return {};
    const auto ref = d->scene.cloud().nearest(position - QPointF(d->canvas->mapTo(this, QPoint(0, 0))), reach);
    return ref ? d->scene.point(*ref).id : PointId();
}

void ChartView::Private::hover(std::optional<PointRef> ref)
{
    if (ref == scene.hovered())
        return;
    scene.setHovered(ref);
    if (ref && card)
        card->setText(cardHtml(*ref));
    placeCard();
    Q_EMIT q.pointHovered(ref ? scene.point(*ref).id : PointId());
}

void ChartView::Private::placeCard()
{
    if (!card)
        return; // the window is going
    const auto ref = scene.hovered();
    const auto inScene = ref ? scene.cloud().positionOf(*ref) : std::nullopt;
    if (!inScene || !scene.plotArea().adjusted(-1, -1, 1, 1).contains(*inScene)) {
        card->hide();
        return;
    }
    QWidget* window = q.window();
    if (card->parentWidget() != window)
        card->setParent(window);
    const QPointF at = *inScene + QPointF(canvas->viewport()->mapTo(window, QPoint(0, 0)));
    const QRectF view(QPointF(0, 0), window->size());
    card->setWordWrap(false);
    card->setMinimumWidth(0);
    card->setMaximumWidth(QWIDGETSIZE_MAX);
    const int widest = std::max(120, std::min(widestCard, window->width() - 8));
    if (card->sizeHint().width() > widest) {
        card->setWordWrap(true);
        card->setFixedWidth(widest);
        card->resize(widest, card->heightForWidth(widest));
    } else {
        card->resize(card->sizeHint());
    }
    // Beside the point, never over it, and inside.
    const QSizeF size = card->size();
    QPointF corner = at + QPointF(16, 16);
    if (corner.x() + size.width() > view.right() - 4)
        corner.setX(at.x() - 16 - size.width());
    if (corner.y() + size.height() > view.bottom() - 4)
        corner.setY(at.y() - 16 - size.height());
    const double left = std::clamp(corner.x(), 4.0, std::max(4.0, view.right() - size.width() - 4));
    const double top = std::clamp(corner.y(), 4.0, std::max(4.0, view.bottom() - size.height() - 4));
    // Where it fits neither left nor right of the point nor above or below it, it must still leave the point free on one side.
    if (QRectF(QPointF(left, top), size).adjusted(-6, -6, 6, 6).contains(at) && left > 4.0)
        corner = QPointF(at.x() > view.center().x() ? 4.0 : view.right() - size.width() - 4, top);
    else
        corner = QPointF(left, top);
    card->move(corner.toPoint());
    card->show();
    card->raise();
}

QString ChartView::Private::cardHtml(PointRef ref) const
{
    const analysis::ChartPoint& each = scene.point(ref);
    QString html = headHtml(ref, false);
    if (!each.eligible)
        html += QStringLiteral("<div>%1</div>").arg(breakable(ChartView::tr("Kept off the frontier: %1").arg(text(each.reason))));
    else if (scene.isOnFrontier(ref))
        html += QStringLiteral("<div>%1</div>").arg(ChartView::tr("On the frontier"));
    if (const std::size_t same = scene.cloud().coincident(ref).size(); same > 1)
        html += QStringLiteral("<div>%1</div>").arg(ChartView::tr("×%1: so many points lie exactly here").arg(same));
    for (const analysis::Spread& spread : chart->series[ref.series].spreads) {
        if (std::ranges::find(spread.points, ref.point) == spread.points.end())
            continue;
        html += QStringLiteral("<div>%1</div>")
                    .arg(ChartView::tr("One of %1 measurements of this operating point: x %2 to %3, y %4 to %5")
                             .arg(spread.points.size())
                             .arg(shortNumber(spread.least.x), shortNumber(spread.most.x), shortNumber(spread.least.y),
                                  shortNumber(spread.most.y)));
        break;
    }
    html += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"1\" style=\"margin-top:4px\">");
    const auto row = [&html](const QString& title, const QString& value) {
        html += QStringLiteral("<tr><td style=\"padding-right:10px\">%1</td><td><b>%2</b></td></tr>")
                    .arg(title.toHtmlEscaped(), breakable(value));
    };
    for (const auto& [axis, value] : {std::pair{&chart->x, each.x}, std::pair{&chart->y, each.y}}) {
        const bool told =
            std::any_of(each.labels.begin(), each.labels.end(), [title = axis->title](const auto& label) { return label.first == title; });
        if (!told)
            row(text(axis->title), shortNumber(value) + u' ' + text(axis->unit));
    }
    for (const auto& [title, value] : each.labels)
        row(text(title), text(value));
    if (!each.source.empty())
        row(ChartView::tr("File"), text(each.source));
    return html + QStringLiteral("</table>");
}

void ChartView::Private::stepAlongFrontier(int by)
{
    const std::vector<PointRef> refs = scene.frontierInView();
    if (refs.empty())
        return;
    const auto current = scene.hovered() ? std::find(refs.begin(), refs.end(), *scene.hovered()) : refs.end();
    const auto count = static_cast<std::ptrdiff_t>(refs.size());
    const std::ptrdiff_t next = current == refs.end() ? (by > 0 ? 0 : count - 1) : (current - refs.begin() + by + count) % count;
    hover(refs[static_cast<std::size_t>(next)]);
}

void ChartView::Private::stepByX(int by)
{
    if (const auto next = chart ? scene.cloud().nextByX(scene.hovered(), by) : std::nullopt)
        hover(next);
}

void ChartView::Private::cycleScale(Qt::Orientation axis)
{
    const Scale now = q.scale(axis);
    q.setScale(axis, now == Scale::Auto ? Scale::Linear : now == Scale::Linear ? Scale::Log : Scale::Auto);
}

// --- events ---------------------------------------------------------------------------------------------------------------------------

void ChartView::keyPressEvent(QKeyEvent* event)
{
    const QRectF plot = d->scene.plotArea();
    if (event->matches(QKeySequence::Copy)) {
        copyToClipboard();
        return;
    }
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        return;
    case Qt::Key_Minus:
        zoomOut();
        return;
    case Qt::Key_0:
        resetZoom();
        return;
    case Qt::Key_Left:
        d->scene.pan({plot.width() * keyPan, 0});
        return;
    case Qt::Key_Right:
        d->scene.pan({-plot.width() * keyPan, 0});
        return;
    case Qt::Key_Up:
        d->scene.pan({0, plot.height() * keyPan});
        return;
    case Qt::Key_Down:
        d->scene.pan({0, -plot.height() * keyPan});
        return;
    default:
        break;
    }
    if (!d->handlePointKey(*event) && !d->handleKey(*event))
        QWidget::keyPressEvent(event);
}

/// Keys that go from point to point, or do something with the one under the crosshair.
bool ChartView::Private::handlePointKey(const QKeyEvent& event)
{
    const bool isShifted = event.modifiers().testFlag(Qt::ShiftModifier);
    const std::optional<PointRef> here = scene.hovered();
    switch (event.key()) {
    case Qt::Key_PageUp:
        isShifted ? stepByX(-1) : stepAlongFrontier(-1);
        return true;
    case Qt::Key_PageDown:
        isShifted ? stepByX(1) : stepAlongFrontier(1);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (here)
            Q_EMIT q.pointActivated(scene.point(*here).id);
        return here.has_value();
    case Qt::Key_Space:
        if (!here)
            return false;
        if (event.modifiers().testFlag(Qt::ControlModifier)) {
            toggleMark(*here);
        } else if (isShifted && !pinned.isEmpty()) {
            q.compareWith(scene.point(*here).id);
        } else if (const PointId id = scene.point(*here).id; id == pinned) {
            q.pin({});
        } else {
            q.pin(id);
            Q_EMIT q.pointPicked(id);
        }
        return true;
    case Qt::Key_Escape:
        if (here)
            hover(std::nullopt);
        else if (!pinned.isEmpty())
            q.pin({});
        else if (scene.marked().size() > 1)
            mark({}, false);
        else
            return false;
        return true;
    default:
        return false;
    }
}

bool ChartView::Private::handleKey(const QKeyEvent& event)
{
    if (event.matches(QKeySequence::SelectAll)) {
        mark(scene.cloud().inside(QPolygonF(scene.plotArea().adjusted(-1, -1, 1, 1))), false);
        return true;
    }
    if (event.key() >= Qt::Key_1 && event.key() <= Qt::Key_8) {
        const auto at = static_cast<std::size_t>(event.key() - Qt::Key_1);
        if (at >= scene.legend().size())
            return false;
        const LegendEntry entry = scene.legend()[at];
        event.modifiers().testFlag(Qt::AltModifier) ? isolate(entry) : toggle(entry);
        return true;
    }
    switch (event.key()) {
    case Qt::Key_S:
        q.swapCompared();
        return !second.isEmpty();
    case Qt::Key_X:
        cycleScale(Qt::Horizontal);
        return true;
    case Qt::Key_Y:
        cycleScale(Qt::Vertical);
        return true;
    default:
        return false;
    }
}

void ChartView::Private::fillMenu(QMenu& menu)
{
    menu.addAction(ChartView::tr("Whole chart"), &q, &ChartView::resetZoom)->setEnabled(q.isZoomed());
    menu.addAction(ChartView::tr("Copy picture and values"), &q, &ChartView::copyToClipboard)->setEnabled(chart != nullptr);
    if (const auto here = scene.hovered()) {
        const PointId id = scene.point(*here).id;
        menu.addSeparator();
        menu.addAction(ChartView::tr("Pin the point"), &q, [this, id] {
            q.pin(id);
            Q_EMIT q.pointPicked(id);
        });
        menu.addAction(ChartView::tr("Compare with the pinned point"), &q, [this, id] { q.compareWith(id); })
            ->setEnabled(!pinned.isEmpty() && pinned != id);
        menu.addAction(ChartView::tr("Open its recipe"), &q, [this, id] { Q_EMIT q.pointActivated(id); });
        Q_EMIT q.menuWanted(menu, id);
    }
    menu.addSeparator();
    for (const auto& [axis, title] :
         {std::pair{Qt::Horizontal, ChartView::tr("X axis")}, std::pair{Qt::Vertical, ChartView::tr("Y axis")}}) {
        QMenu* scales = menu.addMenu(title);
        auto* group = new QActionGroup(scales);
        for (const ScaleChoice& choice : scaleChoices) {
            QAction* action = scales->addAction(ChartView::tr(choice.title));
            action->setActionGroup(group);
            action->setCheckable(true);
            action->setChecked(q.scale(axis) == choice.scale);
            QObject::connect(action, &QAction::triggered, &q, [this, axis = axis, scale = choice.scale] { q.setScale(axis, scale); });
        }
    }
    QMenu* series = menu.addMenu(ChartView::tr("Series"));
    series->addAction(ChartView::tr("Show all"), &q, &ChartView::showAllSeries);
    QMenu* only = menu.addMenu(ChartView::tr("Show only"));
    series->addSeparator();
    for (const LegendEntry& entry : scene.legend()) {
        QAction* action = series->addAction(QString(entry.text).replace(u'&', QStringLiteral("&&")));
        action->setCheckable(true);
        action->setChecked(
            std::any_of(entry.series.begin(), entry.series.end(), [this](std::size_t each) { return !scene.isHidden(each); }));
        QObject::connect(action, &QAction::triggered, &q, [this, entry] { toggle(entry); });
        only->addAction(QString(entry.text).replace(u'&', QStringLiteral("&&")), &q, [this, entry] { isolate(entry); });
    }
}

void ChartView::contextMenuEvent(QContextMenuEvent* event)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("chartMenu"));
    d->fillMenu(*menu);
    menu->popup(event->globalPos());
}

void ChartView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        d->hover(std::nullopt);
        d->scene.setColours(palette());
        d->showPin();
    }
}

void ChartView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void ChartView::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void ChartView::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    d->hover(std::nullopt);
}

void ChartView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(hasFocus() ? QPalette::Highlight : QPalette::Base));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

// --- pictures -------------------------------------------------------------------------------------------------------------------------

std::unique_ptr<ChartScene> ChartView::Private::copyOfScene() const
{
    auto copy = std::make_unique<ChartScene>();
    copy->setScale(Qt::Horizontal, scene.scale(Qt::Horizontal));
    copy->setScale(Qt::Vertical, scene.scale(Qt::Vertical));
    copy->setChart(chart);
    copy->setLine(scene.line());
    copy->setParts(scene.parts());
    copy->setHiddenKeys(scene.hiddenKeys());
    if (scene.isZoomed())
        copy->setView(scene.view());
    return copy;
}

Result<void> ChartView::exportTo(const QString& file, const PictureNotes& notes) const
{
    const std::unique_ptr<ChartScene> picture = d->copyOfScene();
    return writeAs(*picture, file, notes);
}

void ChartView::copyToClipboard() const
{
    if (!d->chart)
        return;
    const std::unique_ptr<ChartScene> picture = d->copyOfScene();
    makePicture(*picture, PictureNotes());
    auto* copied = new QMimeData;
    copied->setImageData(imageOf(*picture));
    copied->setText(QString::fromStdString(analysis::asCsv(*d->chart)));
    QApplication::clipboard()->setMimeData(copied);
}

Result<void> renderChart(const analysis::Chart& chart, const QString& file, const PictureNotes& notes, const analysis::ChartViewFile& view)
{
    ChartScene picture;
    picture.setScale(Qt::Horizontal, scaleNamed(view.scaleX));
    picture.setScale(Qt::Vertical, scaleNamed(view.scaleY));
    // The chart outlives the scene; nothing is copied.
    picture.setChart(std::shared_ptr<const analysis::Chart>(std::shared_ptr<const void>(), &chart));
    picture.setParts(partsOf(view));
    picture.setHiddenKeys({view.hidden.begin(), view.hidden.end()});
    if (view.zoom)
        zoomTo(picture, view.zoom);
    return writeAs(picture, file, notes);
}

} // namespace wb::ui::charts
