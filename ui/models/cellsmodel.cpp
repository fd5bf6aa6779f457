#include "ui/models/cellsmodel.h"

#include "ui/models/text.h"

namespace wb::ui {

CellsModel::CellsModel(QObject* parent)
    : RowsModel(parent)
{
}

void CellsModel::setTable(const QStringList& titles, std::vector<CellsRow> rows)
{
    if (titles != m_titles) {
        setRows({});
        beginResetModel();
        m_titles = titles;
        endResetModel();
    }
    setRows(std::move(rows));
}

const Cell* CellsModel::cell(const QModelIndex& index) const
{
    if (!index.isValid())
        return nullptr;
    const std::vector<Cell>& cells = row(index.row()).cells;
    return static_cast<std::size_t>(index.column()) < cells.size() ? &cells[static_cast<std::size_t>(index.column())] : nullptr;
}

int CellsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_titles.size());
}

QVariant CellsModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    if (role == QuietRole)
        return row(index.row()).isQuiet;
    const Cell* at = cell(index);
    if (!at)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return at->text;
    case Qt::EditRole:
        return at->text == dash() ? QString() : at->text;
    case Qt::ToolTipRole:
        return at->tip.isEmpty() ? at->text : at->tip;
    case SortRole:
        return at->sort.isValid() ? at->sort : QVariant(at->text);
    case LookRole:
        return static_cast<int>(at->look);
    default:
        return {};
    }
}

QVariant CellsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    return role == Qt::DisplayRole || role == Qt::ToolTipRole ? QVariant(m_titles[section]) : QVariant();
}

Qt::ItemFlags CellsModel::flags(const QModelIndex& index) const
{
    const Cell* at = cell(index);
    const Qt::ItemFlags plain = QAbstractTableModel::flags(index);
    return at && at->isEditable ? plain | Qt::ItemIsEditable : plain;
}

bool CellsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const Cell* at = cell(index);
    if (role != Qt::EditRole || !at || !at->isEditable || value.toString() == data(index, Qt::EditRole).toString())
        return false;
    const QString id = text(row(index.row()).id); // the rows may be other ones before this returns
    Q_EMIT edited(id, index.column(), value.toString());
    return true;
}

} // namespace wb::ui
