#include "ui/charts/chartview.h"

#include "ui/charts/chartscene.h"
#include "ui/charts/picture.h"
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
        const bool other = event->modifiers().testFlag(Qt::ShiftModifier);
        m_boxing = m_button == Qt::LeftButton && ((d.mode == charts::DragMode::Zoom) != other);
        event->accept();
    }

    void mouseMoveEvent(QMouseEvent* event) override
    {
        const QPointF at = event->position();
        if (event->buttons() == Qt::NoButton) {
            const bool onLegend = d.scene.legendAt(at) != nullptr;
            viewport()->setCursor(onLegend ? Qt::PointingHandCursor : d.mode == charts::DragMode::Zoom ? Qt::CrossCursor : Qt::ArrowCursor);
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
            viewport()->setCursor(m_boxing ? Qt::CrossCursor : Qt::ClosedHandCursor);
        }
        if (!m_dragging)
            return;
        if (m_boxing)
            d.scene.setZoomBox(QRectF(m_pressed, at).normalized());
        else
            d.scene.pan(at - m_last);
        m_last = at;
    }

    void mouseReleaseEvent(QMouseEvent* event) override
    {
        if (event->button() != m_button)
            return;
        m_button = Qt::NoButton;
        viewport()->setCursor(d.mode == charts::DragMode::Zoom ? Qt::CrossCursor : Qt::ArrowCursor);
        if (m_dragging) {
            m_dragging = false;
            if (m_boxing) {
                d.scene.setZoomBox({});
                d.scene.zoomTo(QRectF(m_pressed, event->position()));
            }
            return;
        }
        if (event->button() == Qt::LeftButton && !m_doubleClicked)
            click(event->position());
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
        } else if (!d.scene.chart() || !d.scene.cloud().nearest(event->position(), reach)) {
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
    void click(const QPointF& at)
    {
        if (const LegendEntry* entry = d.scene.legendAt(at)) {
            d.toggle(LegendEntry(*entry));
            return;
        }
        if (!d.scene.chart())
            return;
        if (const auto ref = d.scene.cloud().nearest(at, reach))
            Q_EMIT d.q.pointActivated(d.scene.point(*ref).id);
    }

    Private& d;
    QPointF m_pressed, m_last;
    Qt::MouseButton m_button = Qt::NoButton;
    bool m_dragging = false;
    bool m_boxing = false;
    bool m_doubleClicked = false;
};

ChartView::Private::Private(ChartView& owner)
    : q(owner)
    , canvas(new Canvas(*this, &owner))
    , card(new Card(canvas->viewport()))
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
        Q_EMIT zoomChanged();
    });
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
        ChartView::tr("Page Up and Page Down go along the frontier, Enter opens a point, plus and minus zoom, arrows move."));
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

// --- series ---------------------------------------------------------------------------------------------------------------------------

void ChartView::setSeriesVisible(const QString& key, bool visible)
{
    std::set<std::string> hidden = d->scene.hiddenKeys();
    if (visible)
        hidden.erase(key.toStdString());
    else
        hidden.insert(key.toStdString());
    d->hover(std::nullopt);
    d->scene.setHiddenKeys(std::move(hidden));
    d->updateDescription();
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
    d->hover(std::nullopt);
    d->scene.setHiddenKeys(std::move(hidden));
    d->updateDescription();
}

void ChartView::showAllSeries()
{
    d->hover(std::nullopt);
    d->scene.setHiddenKeys({});
    d->updateDescription();
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
    hover(std::nullopt);
    scene.setHiddenKeys(std::move(hidden));
    updateDescription();
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
    scene.setHiddenKeys(std::move(hidden));
    updateDescription();
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
    const QString marker = markerHtml(scene.styleOf(ref.series), each.eligible ? Fill::Solid : Fill::Hollow,
                                      q.palette().color(QPalette::Window), canvas->devicePixelRatioF());
    QString html = QStringLiteral("<div>%1 <b>%2</b></div>").arg(marker, breakable(text(chart->series[ref.series].key)));
    if (!each.eligible)
        html += QStringLiteral("<div>%1</div>").arg(breakable(ChartView::tr("Kept off the frontier: %1").arg(text(each.reason))));
    else if (scene.isOnFrontier(ref))
        html += QStringLiteral("<div>%1</div>").arg(ChartView::tr("On the frontier"));
    if (const std::size_t same = scene.cloud().coincident(ref).size(); same > 1)
        html += QStringLiteral("<div>%1</div>").arg(ChartView::tr("×%1: so many points lie exactly here").arg(same));
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
    case Qt::Key_PageUp:
        d->stepAlongFrontier(-1);
        return;
    case Qt::Key_PageDown:
        d->stepAlongFrontier(1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (d->scene.hovered()) {
            Q_EMIT pointActivated(d->scene.point(*d->scene.hovered()).id);
            return;
        }
        break;
    case Qt::Key_Escape:
        if (d->scene.hovered()) {
            d->hover(std::nullopt);
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void ChartView::Private::fillMenu(QMenu& menu)
{
    menu.addAction(ChartView::tr("Whole chart"), &q, &ChartView::resetZoom)->setEnabled(q.isZoomed());
    menu.addAction(ChartView::tr("Copy picture and values"), &q, &ChartView::copyToClipboard)->setEnabled(chart != nullptr);
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
    series->addSeparator();
    for (const LegendEntry& entry : scene.legend()) {
        QAction* action = series->addAction(QString(entry.text).replace(u'&', QStringLiteral("&&")));
        action->setCheckable(true);
        action->setChecked(
            std::any_of(entry.series.begin(), entry.series.end(), [this](std::size_t each) { return !scene.isHidden(each); }));
        QObject::connect(action, &QAction::triggered, &q, [this, entry] { toggle(entry); });
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

Result<void> renderChart(const analysis::Chart& chart, const QString& file, const PictureNotes& notes)
{
    ChartScene picture;
    // The chart outlives the scene; nothing is copied.
    picture.setChart(std::shared_ptr<const analysis::Chart>(std::shared_ptr<const void>(), &chart));
    return writeAs(picture, file, notes);
}

} // namespace wb::ui::charts
