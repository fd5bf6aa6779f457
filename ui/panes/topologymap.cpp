#include "ui/panes/topologymap.h"

#include "ui/models/processesmodel.h"
#include "ui/models/text.h"
#include "ui/theme/severity.h"

#include <QBuffer>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollArea>
#include <QSvgGenerator>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <map>

namespace wb::ui {

namespace {

/// Told apart by people who do not see all colours; the letter in the cell says the same.
QColor modeColor(plan::Mode mode)
{
    switch (mode) {
    case plan::Mode::Prefill:
        return QColor(0xE6, 0x9F, 0x00);
    case plan::Mode::Decode:
        return QColor(0x56, 0xB4, 0xE9);
    case plan::Mode::Agg:
        return QColor(0x2B, 0xB8, 0x8A);
    }
    return {};
}

QChar modeLetter(plan::Mode mode)
{
    switch (mode) {
    case plan::Mode::Prefill:
        return QLatin1Char('P');
    case plan::Mode::Decode:
        return QLatin1Char('D');
    case plan::Mode::Agg:
        return QLatin1Char('A');
    }
    return QLatin1Char('?');
}

void addPort(QString& rows, const QString& title, const std::optional<std::int64_t>& port)
{
    if (port)
        rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2</td></tr>").arg(title.toHtmlEscaped()).arg(*port);
}

constexpr int gap = 10;
constexpr int padding = 8;
constexpr double zoomStep = 1.2;
constexpr std::size_t mostLinks = 64; ///< Of more only those of the selected worker can be told apart.

/// Every prefill worker may hand its caches to every decode worker.
std::vector<std::pair<std::size_t, std::size_t>> linksOf(const plan::Topology& topology)
{
    std::vector<std::size_t> prefill;
    std::vector<std::size_t> decode;
    for (std::size_t i = 0; i < topology.processes.size(); ++i) {
        const plan::Process& process = topology.processes[i];
        if (process.rank != 0 || process.mode == plan::Mode::Agg)
            continue;
        (process.mode == plan::Mode::Prefill ? prefill : decode).push_back(i);
    }
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (const std::size_t from : prefill) {
        for (const std::size_t to : decode)
            out.emplace_back(from, to);
    }
    return out;
}

} // namespace

TopologyMap::TopologyMap(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("topologyMap"));
    setAccessibleName(tr("Topology map"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    measure();
}

const plan::Topology* TopologyMap::topology() const
{
    return m_dryRun ? m_dryRun->topology.get() : nullptr;
}

void TopologyMap::setDryRun(std::shared_ptr<const DryRun> dryRun)
{
    m_dryRun = std::move(dryRun);
    rebuildCells();
    const bool isGone = m_selected && (!topology() || *m_selected >= topology()->processes.size());
    if (isGone)
        m_selected.reset();
    refreshSize();
}

void TopologyMap::refreshSize()
{
    updateGeometry();
    setMinimumHeight(heightForWidth(width()));
    update();
}

void TopologyMap::rebuildCells()
{
    m_cells.clear();
    const plan::Topology* at = topology();
    if (!at)
        return measure();
    std::map<std::pair<std::string, std::int64_t>, std::size_t> owners;
    std::int64_t gpusPerNode = std::max<std::int64_t>(m_dryRun->gpusPerNode, 0);
    for (std::size_t i = 0; i < at->processes.size(); ++i) {
        for (const std::int64_t gpu : at->processes[i].gpus) {
            owners.emplace(std::pair(at->processes[i].node, gpu), i);
            gpusPerNode = std::max(gpusPerNode, gpu + 1);
        }
    }
    for (std::size_t node = 0; node < at->nodes.size(); ++node) {
        for (std::int64_t gpu = 0; gpu < gpusPerNode; ++gpu) {
            const auto owner = owners.find({at->nodes[node], gpu});
            m_cells.push_back({node, gpu, owner == owners.end() ? std::nullopt : std::optional(owner->second)});
        }
    }
    measure();
}

void TopologyMap::measure()
{
    const plan::Topology* at = topology();
    const std::size_t nodes = at ? at->nodes.size() : 0;
    const int perNode = nodes == 0 ? 1 : static_cast<int>(m_cells.size() / nodes);
    const int title = fontMetrics().horizontalAdvance(QStringLiteral("node000  head \u00b7 infra \u00b7 bench"));
    m_metrics.cellWidth = std::max(fontMetrics().horizontalAdvance(QStringLiteral("P00")) + 12, 34);
    m_metrics.cellHeight = fontMetrics().height() + 10;
    m_metrics.line = fontMetrics().height();
    m_metrics.card = {std::max(perNode * m_metrics.cellWidth, title) + 2 * padding,
                      m_metrics.line + 4 + m_metrics.cellHeight + 2 * padding};
    m_metrics.legend = m_metrics.line + gap;
}

void TopologyMap::setZoom(double zoom)
{
    zoom = std::clamp(zoom, leastZoom, mostZoom);
    if (std::abs(zoom - m_zoom) < 1e-6)
        return;
    m_zoom = zoom;
    refreshSize();
    Q_EMIT zoomChanged();
}

void TopologyMap::zoomBy(int steps)
{
    const double now = std::log(m_zoom) / std::log(zoomStep);
    setZoom(std::pow(zoomStep, std::round(now) + steps));
}

void TopologyMap::fit(const QSize& view)
{
    const double before = m_zoom;
    double best = leastZoom;
    for (double zoom = 1.0; zoom >= leastZoom; zoom /= 1.05) {
        m_zoom = zoom;
        if (heightForWidth(view.width()) <= view.height() && m_metrics.card.width() * zoom + 2 * gap <= view.width()) {
            best = zoom;
            break;
        }
    }
    m_zoom = before;
    setZoom(best);
}

void TopologyMap::setLinksShown(bool shown)
{
    m_areLinksShown = shown;
    update();
}

bool TopologyMap::hasLinks() const
{
    return topology() && !linksOf(*topology()).empty();
}

std::vector<std::pair<std::size_t, std::size_t>> TopologyMap::shownLinks() const
{
    const plan::Topology* at = topology();
    if (!at || !m_areLinksShown)
        return {};
    std::vector<std::pair<std::size_t, std::size_t>> links = linksOf(*at);
    if (!m_selected || *m_selected >= at->processes.size())
        return links.size() <= mostLinks ? links : std::vector<std::pair<std::size_t, std::size_t>>();
    const plan::Process& chosen = at->processes[*m_selected];
    const auto isOfChosen = [&](std::size_t process) {
        return at->processes[process].mode == chosen.mode && at->processes[process].index == chosen.index;
    };
    std::erase_if(links, [&](const auto& link) { return !isOfChosen(link.first) && !isOfChosen(link.second); });
    return links;
}

QByteArray TopologyMap::svg() const
{
    const plan::Topology* at = topology();
    if (!at)
        return {};
    const int perRow = columns(width());
    const int rows = (static_cast<int>(at->nodes.size()) + perRow - 1) / perRow;
    const QSize size(std::min(perRow, static_cast<int>(at->nodes.size())) * (m_metrics.card.width() + gap) + gap,
                     m_metrics.legend + rows * (m_metrics.card.height() + gap) + gap);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setTitle(m_dryRun ? text(m_dryRun->title) : QString());
    generator.setDescription(tr("Nodes and GPUs of the job"));
    QPainter painter(&generator);
    painter.setFont(font());
    painter.fillRect(QRect(QPoint(0, 0), size), palette().color(QPalette::Base));
    paintMap(painter, QRect(QPoint(0, 0), size));
    painter.end();
    return bytes;
}

void TopologyMap::setSelected(std::optional<std::size_t> process)
{
    if (m_selected == process)
        return;
    m_selected = process;
    if (const plan::Topology* at = topology(); at && m_selected && *m_selected < at->processes.size()) {
        const plan::Process& chosen = at->processes[*m_selected];
        setAccessibleDescription(tr("%1 on %2").arg(processTitle(chosen), text(chosen.node)));
    }
    update();
}

int TopologyMap::columns(int width) const
{
    return std::max(1, (static_cast<int>(width / m_zoom) - gap) / (m_metrics.card.width() + gap));
}

QSize TopologyMap::sizeHint() const
{
    const int width = static_cast<int>((2 * (m_metrics.card.width() + gap) + gap) * m_zoom);
    return {width, heightForWidth(width)};
}

int TopologyMap::heightForWidth(int width) const
{
    const plan::Topology* at = topology();
    if (!at || at->nodes.empty())
        return m_metrics.card.height();
    const int perRow = columns(width);
    const int rows = (static_cast<int>(at->nodes.size()) + perRow - 1) / perRow;
    return static_cast<int>(std::ceil((m_metrics.legend + rows * (m_metrics.card.height() + gap) + gap) * m_zoom));
}

QRect TopologyMap::cardRect(std::size_t node) const
{
    const int perRow = columns(width());
    const int row = static_cast<int>(node) / perRow;
    const int column = static_cast<int>(node) % perRow;
    const QSize card = m_metrics.card;
    return {QPoint(gap + column * (card.width() + gap), m_metrics.legend + gap + row * (card.height() + gap)), card};
}

QRect TopologyMap::cellRect(const Cell& cell) const
{
    const QRect card = cardRect(cell.node);
    return {card.left() + padding + static_cast<int>(cell.gpu) * m_metrics.cellWidth, card.top() + padding + m_metrics.line + 4,
            m_metrics.cellWidth - 4, m_metrics.cellHeight};
}

const TopologyMap::Cell* TopologyMap::cellAt(const QPoint& position) const
{
    const QPoint place = (QPointF(position) / m_zoom).toPoint();
    const auto found = std::find_if(m_cells.begin(), m_cells.end(), [&](const Cell& cell) { return cellRect(cell).contains(place); });
    return found == m_cells.end() ? nullptr : &*found;
}

const TopologyMap::Cell* TopologyMap::cellOf(std::size_t process) const
{
    const auto found = std::find_if(m_cells.begin(), m_cells.end(), [&](const Cell& cell) { return cell.process == process; });
    return found == m_cells.end() ? nullptr : &*found;
}

QRect TopologyMap::onScreen(const QRect& rect) const
{
    return {(QPointF(rect.topLeft()) * m_zoom).toPoint(), QSizeF(rect.size() * m_zoom).toSize()};
}

QString TopologyMap::nodeRoles(const std::string& node) const
{
    const plan::Topology& at = *topology();
    QStringList roles;
    if (node == at.head)
        roles += tr("head");
    if (node == at.infra)
        roles += tr("infra");
    if (node == at.bench)
        roles += tr("bench");
    return roles.join(QStringLiteral(" \u00b7 "));
}

void TopologyMap::paintEvent(QPaintEvent* event)
{
    if (!topology())
        return;
    QPainter painter(this);
    painter.scale(m_zoom, m_zoom);
    const QRectF dirty = event->rect();
    paintMap(painter, QRectF(dirty.topLeft() / m_zoom, dirty.size() / m_zoom).toAlignedRect());
}

void TopologyMap::paintMap(QPainter& painter, const QRect& clip) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    paintLegend(painter);
    for (std::size_t node = 0; node < topology()->nodes.size(); ++node) {
        if (cardRect(node).intersects(clip))
            paintCard(painter, node);
    }
    for (const Cell& cell : m_cells) {
        if (cellRect(cell).intersects(clip))
            paintCell(painter, cell);
    }
    paintLinks(painter);
}

void TopologyMap::paintLinks(QPainter& painter) const
{
    QColor line = palette().color(QPalette::Text);
    line.setAlphaF(m_selected ? 0.85F : 0.3F);
    constexpr double head = 5.0;
    for (const auto& [from, to] : shownLinks()) {
        const Cell* prefill = cellOf(from);
        const Cell* decode = cellOf(to);
        if (!prefill || !decode)
            continue;
        QRectF start = cellRect(*prefill);
        QRectF end = cellRect(*decode);
        const bool isBelow = end.top() > start.bottom();
        const bool isAbove = end.bottom() < start.top();
        // Out of one cell's edge and into the other's, so that the letters in them stay free.
        const QPointF begin(start.center().x(), isAbove ? start.top() : start.bottom());
        const QPointF tip(end.center().x(), isBelow ? end.top() : end.bottom());
        const double bend = isBelow || isAbove ? (tip.y() - begin.y()) / 2.0 : 0.6 * m_metrics.cellHeight;
        const QPointF last(tip.x(), isBelow || isAbove ? tip.y() - bend : tip.y() + bend);
        QPainterPath path(begin);
        path.cubicTo(QPointF(begin.x(), begin.y() + bend), last, tip);
        painter.setPen(QPen(line, m_selected ? 1.8 : 1.2));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(path);
        const double side = tip.y() > last.y() ? -head : head;
        painter.setBrush(line);
        painter.setPen(Qt::NoPen);
        painter.drawPolygon(QPolygonF{tip, QPointF(tip.x() - head / 2.0, tip.y() + side), QPointF(tip.x() + head / 2.0, tip.y() + side)});
    }
}

void TopologyMap::paintLegend(QPainter& painter) const
{
    const int side = fontMetrics().height() - 2;
    int x = gap;
    const auto add = [&](const QString& title, const QPen& pen, const QBrush& brush) {
        painter.setPen(pen);
        painter.setBrush(brush);
        painter.drawRoundedRect(QRectF(x + 0.5, gap + 0.5, side, side), 3, 3);
        x += side + 6;
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QRect(x, gap, fontMetrics().horizontalAdvance(title) + 2, side + 1),
                         static_cast<int>(Qt::AlignLeft) | Qt::AlignVCenter, title);
        x += fontMetrics().horizontalAdvance(title) + 2 * gap;
    };
    const std::vector<plan::Process>& processes = topology()->processes;
    for (const auto& [mode, title] : {std::pair(plan::Mode::Prefill, tr("P prefill")), std::pair(plan::Mode::Decode, tr("D decode")),
                                      std::pair(plan::Mode::Agg, tr("A aggregated"))}) {
        const auto isOfMode = [wanted = mode](const plan::Process& process) { return process.mode == wanted; };
        if (std::any_of(processes.begin(), processes.end(), isOfMode))
            add(title, QPen(modeColor(mode).darker(140), 1), modeColor(mode));
    }
    if (std::any_of(m_cells.begin(), m_cells.end(), [](const Cell& cell) { return !cell.process; }))
        add(tr("idle"), QPen(palette().color(QPalette::PlaceholderText), 1, Qt::DashLine), Qt::NoBrush);
    if (!m_areLinksShown || !hasLinks())
        return;
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const QString words = !shownLinks().empty() ? tr("lines: caches go from prefill to decode") : tr("choose a worker to see its links");
    painter.drawText(QRect(x, gap, fontMetrics().horizontalAdvance(words) + 2, side + 1),
                     static_cast<int>(Qt::AlignLeft) | Qt::AlignVCenter, words);
}

void TopologyMap::paintCard(QPainter& painter, std::size_t node) const
{
    const QRectF card = QRectF(cardRect(node)).adjusted(0.5, 0.5, -0.5, -0.5);
    QColor line = palette().color(QPalette::Text);
    line.setAlphaF(0.25F);
    painter.setPen(QPen(line, 1));
    painter.setBrush(palette().color(QPalette::AlternateBase));
    painter.drawRoundedRect(card, 5, 5);
    const QRectF title(card.left() + padding, card.top() + padding - 2, card.width() - 2 * padding, m_metrics.line);
    painter.setPen(palette().color(QPalette::Text));
    const std::string& name = topology()->nodes[node];
    painter.drawText(title, static_cast<int>(Qt::AlignLeft) | Qt::AlignVCenter, text(name));
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(title, static_cast<int>(Qt::AlignRight) | Qt::AlignVCenter, nodeRoles(name));
}

void TopologyMap::paintCell(QPainter& painter, const Cell& cell) const
{
    const QRectF box = QRectF(cellRect(cell)).adjusted(0.5, 0.5, -0.5, -0.5);
    if (!cell.process) {
        QColor line = palette().color(QPalette::Text);
        line.setAlphaF(0.35F);
        painter.setPen(QPen(line, 1, Qt::DashLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box, 3, 3);
        return;
    }
    const plan::Process& process = topology()->processes[*cell.process];
    QColor fill = modeColor(process.mode);
    // Neighbouring workers of one mode differ in shade, so that one sees where a worker ends.
    if (process.index % 2 == 1)
        fill = fill.darker(125);
    const bool isSelected = m_selected == cell.process;
    painter.setPen(isSelected ? QPen(palette().color(QPalette::Text), 2.5) : QPen(fill.darker(140), 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(isSelected ? box.adjusted(0.5, 0.5, -0.5, -0.5) : box, 3, 3);
    painter.setPen(QColor(0x10, 0x14, 0x18));
    QFont font = this->font();
    font.setBold(isSelected);
    painter.setFont(font);
    painter.drawText(box, Qt::AlignCenter, QString(modeLetter(process.mode)) + QString::number(process.index));
    painter.setFont(this->font());
}

QString TopologyMap::tip(const Cell& cell) const
{
    const plan::Topology& at = *topology();
    if (!cell.process)
        return tr("GPU %1 of %2: idle, allocated and used by no worker").arg(cell.gpu).arg(text(at.nodes[cell.node])).toHtmlEscaped();
    const plan::Process& process = at.processes[*cell.process];
    QStringList gpus;
    for (const std::int64_t gpu : process.gpus)
        gpus += QString::number(gpu);
    QString rows;
    addPort(rows, tr("HTTP port"), process.httpPort);
    addPort(rows, tr("System port"), process.sysPort);
    addPort(rows, tr("Bootstrap port"), process.bootstrapPort);
    addPort(rows, tr("KV events port"), process.kvEventsPort);
    addPort(rows, tr("NIXL port"), process.nixlPort);
    addPort(rows, tr("DP RPC port"), process.dpRpcPort);
    return QStringLiteral("<b>%1</b><br>%2<table>%3</table>")
        .arg(processTitle(process).toHtmlEscaped(),
             tr("%1, GPU %2, rank %3").arg(text(process.node), gpus.join(QStringLiteral(", "))).arg(process.rank).toHtmlEscaped(), rows);
}

bool TopologyMap::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        if (const Cell* cell = cellAt(help->pos()))
            QToolTip::showText(help->globalPos(), tip(*cell), this, onScreen(cellRect(*cell)));
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void TopologyMap::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    setMinimumHeight(heightForWidth(width()));
}

void TopologyMap::mousePressEvent(QMouseEvent* event)
{
    const Cell* cell = cellAt(event->pos());
    if (event->button() == Qt::LeftButton && cell && cell->process)
        choose(*cell->process);
}

void TopologyMap::choose(std::size_t process)
{
    setSelected(process);
    Q_EMIT processSelected(process);
}

void TopologyMap::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return moveCursor(-1, 0);
    case Qt::Key_Right:
        return moveCursor(1, 0);
    case Qt::Key_Up:
        return moveCursor(0, -1);
    case Qt::Key_Down:
        return moveCursor(0, 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomBy(1);
    case Qt::Key_Minus:
        return zoomBy(-1);
    case Qt::Key_0:
        return setZoom(1.0);
    default:
        QWidget::keyPressEvent(event);
    }
}

void TopologyMap::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers() != Qt::ControlModifier)
        return event->ignore(); // the view scrolls
    if (const int steps = event->angleDelta().y() / 120; steps != 0)
        zoomBy(steps);
    event->accept();
}

void TopologyMap::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        measure();
        refreshSize();
    }
}

void TopologyMap::moveCursor(int dx, int dy)
{
    const plan::Topology* at = topology();
    if (!at || at->processes.empty())
        return;
    if (!m_selected)
        return choose(0);
    const auto here = std::find_if(m_cells.begin(), m_cells.end(), [this](const Cell& cell) { return cell.process == m_selected; });
    if (here == m_cells.end())
        return;
    const QPoint from = cellRect(*here).center();
    // The nearest other process on that side; across counts double, so that one stays in the row or column.
    std::optional<std::size_t> best;
    int bestDistance = 0;
    for (const Cell& cell : m_cells) {
        if (!cell.process || cell.process == m_selected)
            continue;
        const QPoint way = cellRect(cell).center() - from;
        const int along = dx != 0 ? way.x() * dx : way.y() * dy;
        const int across = std::abs(dx != 0 ? way.y() : way.x());
        const int distance = along + 2 * across;
        if (along > 0 && (!best || distance < bestDistance)) {
            best = cell.process;
            bestDistance = distance;
        }
    }
    // At the end of a row the next one follows.
    if (!best && dx != 0) {
        const std::size_t count = at->processes.size();
        best = (*m_selected + (dx > 0 ? 1 : count - 1)) % count;
    }
    if (!best)
        return;
    choose(*best);
    for (QWidget* above = parentWidget(); above; above = above->parentWidget()) {
        if (auto* area = qobject_cast<QScrollArea*>(above)) {
            const auto shown =
                std::find_if(m_cells.begin(), m_cells.end(), [this](const Cell& cell) { return cell.process == m_selected; });
            if (shown != m_cells.end())
                area->ensureVisible(onScreen(cellRect(*shown)).center().x(), onScreen(cellRect(*shown)).center().y());
            break;
        }
    }
}

} // namespace wb::ui
