#include "ui/panes/topologymap.h"

#include "ui/models/processesmodel.h"
#include "ui/models/text.h"
#include "ui/theme/severity.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QToolTip>

#include <algorithm>
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
    updateGeometry();
    setMinimumHeight(heightForWidth(width()));
    update();
}

void TopologyMap::rebuildCells()
{
    m_cells.clear();
    const plan::Topology* at = topology();
    if (!at)
        return;
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

int TopologyMap::cellWidth() const
{
    return std::max(fontMetrics().horizontalAdvance(QStringLiteral("P00")) + 12, 34);
}

int TopologyMap::cellHeight() const
{
    return fontMetrics().height() + 10;
}

QSize TopologyMap::cardSize() const
{
    const plan::Topology* at = topology();
    const std::size_t nodes = at ? at->nodes.size() : 0;
    const int perNode = nodes == 0 ? 1 : static_cast<int>(m_cells.size() / nodes);
    const int title = fontMetrics().horizontalAdvance(QStringLiteral("node000  head \u00b7 infra \u00b7 bench"));
    return {std::max(perNode * cellWidth(), title) + 2 * padding, fontMetrics().height() + 4 + cellHeight() + 2 * padding};
}

int TopologyMap::columns(int width) const
{
    return std::max(1, (width - gap) / (cardSize().width() + gap));
}

QSize TopologyMap::sizeHint() const
{
    return {2 * (cardSize().width() + gap) + gap, heightForWidth(2 * (cardSize().width() + gap) + gap)};
}

int TopologyMap::heightForWidth(int width) const
{
    const plan::Topology* at = topology();
    if (!at || at->nodes.empty())
        return cardSize().height();
    const int perRow = columns(width);
    const int rows = (static_cast<int>(at->nodes.size()) + perRow - 1) / perRow;
    return legendHeight() + rows * (cardSize().height() + gap) + gap;
}

QRect TopologyMap::cardRect(std::size_t node) const
{
    const int perRow = columns(width());
    const int row = static_cast<int>(node) / perRow;
    const int column = static_cast<int>(node) % perRow;
    const QSize card = cardSize();
    return {QPoint(gap + column * (card.width() + gap), legendHeight() + gap + row * (card.height() + gap)), card};
}

QRect TopologyMap::cellRect(const Cell& cell) const
{
    const QRect card = cardRect(cell.node);
    return {card.left() + padding + static_cast<int>(cell.gpu) * cellWidth(), card.top() + padding + fontMetrics().height() + 4,
            cellWidth() - 4, cellHeight()};
}

const TopologyMap::Cell* TopologyMap::cellAt(const QPoint& position) const
{
    const auto found = std::find_if(m_cells.begin(), m_cells.end(), [&](const Cell& cell) { return cellRect(cell).contains(position); });
    return found == m_cells.end() ? nullptr : &*found;
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
    const plan::Topology* at = topology();
    if (!at)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintLegend(painter);
    for (std::size_t node = 0; node < at->nodes.size(); ++node) {
        if (cardRect(node).intersects(event->rect()))
            paintCard(painter, node);
    }
    for (const Cell& cell : m_cells) {
        if (cellRect(cell).intersects(event->rect()))
            paintCell(painter, cell);
    }
}

int TopologyMap::legendHeight() const
{
    return fontMetrics().height() + gap;
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
}

void TopologyMap::paintCard(QPainter& painter, std::size_t node) const
{
    const QRectF card = QRectF(cardRect(node)).adjusted(0.5, 0.5, -0.5, -0.5);
    QColor line = palette().color(QPalette::Text);
    line.setAlphaF(0.25F);
    painter.setPen(QPen(line, 1));
    painter.setBrush(palette().color(QPalette::AlternateBase));
    painter.drawRoundedRect(card, 5, 5);
    const QRectF title(card.left() + padding, card.top() + padding - 2, card.width() - 2 * padding, fontMetrics().height());
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
            QToolTip::showText(help->globalPos(), tip(*cell), this, cellRect(*cell));
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
    default:
        QWidget::keyPressEvent(event);
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
                area->ensureVisible(cellRect(*shown).center().x(), cellRect(*shown).center().y());
            break;
        }
    }
}

} // namespace wb::ui
