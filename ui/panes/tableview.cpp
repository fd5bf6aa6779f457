#include "ui/panes/tableview.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScopedValueRollback>

#include <algorithm>

namespace wb::ui {

TableView::TableView(QAbstractItemModel* model, int sortRole, const QString& name, QWidget* parent)
    : QTreeView(parent)
{
    m_filter.setSourceModel(model);
    m_filter.setSortRole(sortRole);
    setModel(&m_filter);
    setAccessibleName(name);
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAlternatingRowColors(true);
    setAllColumnsShowFocus(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);
    header()->setSectionsMovable(true);
    // A model may have its columns only when it has something to show.
    connect(header(), &QHeaderView::sectionCountChanged, this, [this](int before, int) {
        applyWidths(before);
        stretch();
    });
    connect(header(), &QHeaderView::sectionResized, this, &TableView::takeWidth);
    header()->setAccessibleName(tr("Columns of %1").arg(name));
    header()->setContextMenuPolicy(Qt::NoContextMenu);
    connect(&m_filter, &QAbstractItemModel::rowsInserted, viewport(), QOverload<>::of(&QWidget::update));
    connect(&m_filter, &QAbstractItemModel::rowsRemoved, viewport(), QOverload<>::of(&QWidget::update));
}

void TableView::setEmptyText(const QString& text)
{
    m_emptyText = text;
    setAccessibleDescription(text);
    viewport()->update();
}

void TableView::setColumnWidths(std::initializer_list<int> characters, int stretched)
{
    const QScopedValueRollback arranging(m_isArranging, true);
    const int character = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    m_widths.clear();
    for (const int count : characters)
        m_widths.push_back((count + 2) * character);
    applyWidths(0);
    if (stretched >= 0 && stretched < static_cast<int>(m_widths.size()))
        m_leastStretched = m_widths[static_cast<std::size_t>(stretched)];
    m_stretched = stretched;
    if (stretched < 0)
        return;
    header()->setStretchLastSection(false);
    stretch();
}

void TableView::setColumnShown(int column, bool isShown)
{
    const QScopedValueRollback arranging(m_isArranging, true);
    setColumnHidden(column, !isShown);
    stretch();
}

QString TableView::userWidths() const
{
    QStringList parts;
    for (const auto& [column, width] : m_userWidths)
        parts += QStringLiteral("%1:%2").arg(column).arg(width);
    return parts.join(QLatin1Char(','));
}

void TableView::setUserWidths(const QString& kept)
{
    constexpr int widest = 4000;
    for (const QString& part : kept.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        bool isColumn = false;
        bool isWidth = false;
        const int column = part.section(QLatin1Char(':'), 0, 0).toInt(&isColumn);
        const int width = part.section(QLatin1Char(':'), 1).toInt(&isWidth);
        if (isColumn && isWidth && column >= 0 && column < static_cast<int>(m_widths.size()) && width > 0 && width <= widest)
            m_userWidths[column] = width;
    }
    applyWidths(0);
    stretch();
}

void TableView::takeWidth(int column, int before, int now)
{
    int last = header()->count() - 1;
    while (last > 0 && header()->isSectionHidden(header()->logicalIndex(last)))
        --last;
    const bool isFilling = header()->stretchLastSection() && header()->visualIndex(column) == last;
    // A column that is hidden or shown goes to or comes from nothing.
    if (!m_isArranging && !isFilling && before > 0 && now > 0 && column < static_cast<int>(m_widths.size()))
        m_userWidths[column] = now;
}

void TableView::applyWidths(int first)
{
    const QScopedValueRollback arranging(m_isArranging, true);
    for (int column = first; column < std::min(header()->count(), static_cast<int>(m_widths.size())); ++column) {
        const auto own = m_userWidths.find(column);
        setColumnWidth(column, own == m_userWidths.end() ? m_widths[static_cast<std::size_t>(column)] : own->second);
    }
}

void TableView::stretch()
{
    if (m_stretched < 0 || isColumnHidden(m_stretched) || m_userWidths.contains(m_stretched))
        return;
    const QScopedValueRollback arranging(m_isArranging, true);
    const int others = header()->length() - columnWidth(m_stretched);
    setColumnWidth(m_stretched, std::max(m_leastStretched, viewport()->width() - others));
}

void TableView::resizeEvent(QResizeEvent* event)
{
    QTreeView::resizeEvent(event);
    stretch();
}

QModelIndex TableView::currentSource() const
{
    return m_filter.mapToSource(currentIndex().siblingAtColumn(0));
}

QModelIndexList TableView::selectedSources() const
{
    QModelIndexList sources;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        sources.append(m_filter.mapToSource(index));
    return sources;
}

void TableView::showCurrent(const QModelIndex& source)
{
    const QScopedValueRollback quiet(m_isQuiet, true);
    const QModelIndex index = m_filter.mapFromSource(source);
    if (!index.isValid()) {
        setCurrentIndex({});
        clearSelection();
        return;
    }
    if (index.row() == currentIndex().row() && index.parent() == currentIndex().parent() &&
        selectionModel()->isRowSelected(index.row(), index.parent()))
        return;
    setCurrentIndex(index);
}

void TableView::changeQuietly(const std::function<void()>& change)
{
    const QScopedValueRollback quiet(m_isQuiet, true);
    change();
}

QString TableView::cellsOf(const QModelIndex& row) const
{
    QStringList cells;
    for (int visual = 0; visual < header()->count(); ++visual) {
        const int column = header()->logicalIndex(visual);
        if (!isColumnHidden(column))
            cells += row.siblingAtColumn(column).data(m_copyRole).toString();
    }
    return cells.join(QLatin1Char('\t'));
}

void TableView::copySelection() const
{
    QModelIndexList rows = selectionModel()->selectedRows();
    if (rows.isEmpty() && currentIndex().isValid())
        rows += currentIndex();
    std::sort(rows.begin(), rows.end());
    QStringList lines;
    for (const QModelIndex& row : rows)
        lines += cellsOf(row);
    if (!lines.isEmpty())
        QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void TableView::copyTable() const
{
    QStringList titles;
    for (int visual = 0; visual < header()->count(); ++visual) {
        const int column = header()->logicalIndex(visual);
        if (!isColumnHidden(column))
            titles += m_filter.headerData(column, Qt::Horizontal).toString();
    }
    QStringList lines{titles.join(QLatin1Char('\t'))};
    const std::function<void(const QModelIndex&)> add = [&](const QModelIndex& parent) {
        for (int row = 0; row < m_filter.rowCount(parent); ++row) {
            const QModelIndex index = m_filter.index(row, 0, parent);
            lines += cellsOf(index);
            add(index);
        }
    };
    add({});
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void TableView::paintEvent(QPaintEvent* event)
{
    QTreeView::paintEvent(event);
    if (m_filter.rowCount() > 0)
        return;
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const bool isFiltered = m_filter.sourceModel()->rowCount() > 0;
    const int margin = fontMetrics().height();
    painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin),
                     static_cast<int>(Qt::AlignHCenter) | Qt::AlignTop | Qt::TextWordWrap,
                     isFiltered ? tr("Nothing passes the filter.") : m_emptyText);
}

void TableView::contextMenuEvent(QContextMenuEvent* event)
{
    QModelIndex index = event->reason() == QContextMenuEvent::Keyboard ? currentIndex() : indexAt(event->pos());
    const QPoint at =
        event->reason() == QContextMenuEvent::Keyboard ? viewport()->mapToGlobal(visualRect(index).bottomLeft()) : event->globalPos();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    Q_EMIT menuRequested(*menu, m_filter.mapToSource(index.siblingAtColumn(0)));
    if (!menu->isEmpty())
        menu->addSeparator();
    QAction* copy = menu->addAction(tr("Copy rows"), QKeySequence::Copy, this, [this] { copySelection(); });
    copy->setEnabled(selectionModel()->hasSelection());
    QAction* copyCell = menu->addAction(tr("Copy cell"), this, [index] { QGuiApplication::clipboard()->setText(index.data().toString()); });
    copyCell->setEnabled(index.isValid());
    menu->addAction(tr("Copy table"), this, [this] { copyTable(); })->setEnabled(m_filter.rowCount() > 0);
    addSorting(*menu);
    menu->popup(at);
}

/// The titles of the columns cannot be reached by keys.
void TableView::addSorting(QMenu& menu)
{
    QMenu* sorting = menu.addMenu(tr("Sort by"));
    const auto add = [&](const QString& title, int column) {
        QAction* each = sorting->addAction(title, this, [this, column] {
            const bool isAgain = header()->sortIndicatorSection() == column && header()->sortIndicatorOrder() == Qt::AscendingOrder;
            sortByColumn(column, isAgain ? Qt::DescendingOrder : Qt::AscendingOrder);
        });
        each->setCheckable(true);
        each->setChecked(header()->sortIndicatorSection() == column);
    };
    for (int visual = 0; visual < header()->count(); ++visual) {
        const int column = header()->logicalIndex(visual);
        if (!isColumnHidden(column))
            add(m_filter.headerData(column, Qt::Horizontal).toString(), column);
    }
    sorting->addSeparator();
    add(tr("Nothing: as they stand"), -1);
}

void TableView::editRow()
{
    QModelIndex index = currentIndex();
    for (int column = 0; column < m_filter.columnCount() && !index.flags().testFlag(Qt::ItemIsEditable); ++column) {
        const QModelIndex other = index.siblingAtColumn(column);
        if (!isColumnHidden(column) && other.flags().testFlag(Qt::ItemIsEditable))
            index = other;
    }
    if (!index.flags().testFlag(Qt::ItemIsEditable))
        return;
    setCurrentIndex(index);
    edit(index);
}

void TableView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        return copySelection();
    const bool isEditing = state() == EditingState; // the Enter that ends an edit comes here, too
    if (!isEditing && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid()) {
        Q_EMIT sourceActivated(currentSource());
        return;
    }
    if (!isEditing && event->key() == Qt::Key_F2 && editTriggers().testFlag(EditKeyPressed))
        return editRow();
    QTreeView::keyPressEvent(event);
}

void TableView::mouseDoubleClickEvent(QMouseEvent* event)
{
    QTreeView::mouseDoubleClickEvent(event);
    if (event->button() == Qt::LeftButton && indexAt(event->pos()).isValid())
        Q_EMIT sourceActivated(currentSource());
}

void TableView::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTreeView::currentChanged(current, previous);
    if (!m_isQuiet && current.isValid())
        Q_EMIT currentSourceChanged(currentSource());
}

} // namespace wb::ui
