#include "ui/models/outlinemodel.h"

#include "ui/models/text.h"

#include <algorithm>
#include <utility>

namespace wb::ui {

using assist::Symbol;

bool OutlineModel::setSymbols(Symbols symbols)
{
    const auto isSame = [](const Symbol& a, const Symbol& b) { return a.name == b.name && a.parent == b.parent; };
    const bool keepsRows = m_symbols && symbols && m_symbols->size() == symbols->size() &&
                           std::equal(m_symbols->begin(), m_symbols->end(), symbols->begin(), isSame);
    if (keepsRows) {
        const Symbols before = std::exchange(m_symbols, std::move(symbols));
        for (std::size_t i = 0; i < m_symbols->size(); ++i) { // places are asked for anew anyway
            if ((*before)[i].detail != (*m_symbols)[i].detail)
                Q_EMIT dataChanged(createIndex(m_rows[i], ValueColumn, i), createIndex(m_rows[i], ValueColumn, i));
        }
        return true;
    }
    beginResetModel();
    m_symbols = std::move(symbols);
    m_children.assign(count() + 1, {});
    m_rows.assign(count(), 0);
    for (std::size_t i = 0; i < count(); ++i) {
        std::vector<std::size_t>& rows = m_children[std::min((*m_symbols)[i].parent, count())];
        m_rows[i] = static_cast<int>(rows.size());
        rows.push_back(i);
    }
    endResetModel();
    return false;
}

QModelIndex OutlineModel::indexAt(std::size_t offset) const
{
    if (!m_symbols)
        return {};
    const std::size_t found = assist::symbolAt(*m_symbols, offset);
    return found == Symbol::npos ? QModelIndex() : createIndex(m_rows[found], NameColumn, found);
}

const std::vector<std::size_t>& OutlineModel::childrenOf(const QModelIndex& parent) const
{
    static const std::vector<std::size_t> none;
    if (m_children.empty())
        return none;
    return parent.isValid() ? m_children[parent.internalId()] : m_children.back();
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const
{
    const std::vector<std::size_t>& rows = childrenOf(parent);
    if (row < 0 || static_cast<std::size_t>(row) >= rows.size() || column < 0 || column >= ColumnCount || parent.column() > 0)
        return {};
    return createIndex(row, column, rows[static_cast<std::size_t>(row)]);
}

QModelIndex OutlineModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || !m_symbols)
        return {};
    const std::size_t parent = (*m_symbols)[child.internalId()].parent;
    return parent == Symbol::npos ? QModelIndex() : createIndex(m_rows[parent], NameColumn, parent);
}

int OutlineModel::rowCount(const QModelIndex& parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(childrenOf(parent).size());
}

int OutlineModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QString OutlineModel::pathOf(std::size_t symbol) const
{
    const Symbol& at = (*m_symbols)[symbol];
    return (at.parent == Symbol::npos ? QString() : pathOf(at.parent) + QLatin1Char('.')) + text(at.name);
}

QVariant OutlineModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Symbol& symbol = (*m_symbols)[index.internalId()];
    switch (role) {
    case Qt::DisplayRole:
        return text(index.column() == NameColumn ? symbol.name : symbol.detail);
    case Qt::ToolTipRole:
    case PathRole:
        return pathOf(index.internalId());
    case SortRole:
    case OffsetRole:
        return QVariant::fromValue<qulonglong>(symbol.nameRange.begin);
    case IsSectionRole:
        return symbol.isSection;
    default:
        return {};
    }
}

QVariant OutlineModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == NameColumn ? tr("Key") : tr("Value");
}

} // namespace wb::ui
