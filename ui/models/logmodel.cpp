#include "ui/models/logmodel.h"

namespace wb::ui {

LogModel::LogModel(QObject* parent)
    : RowsModel(parent)
{
}

void LogModel::append(LogRow row)
{
    appendRow(std::move(row));
}

void LogModel::clear()
{
    setRows({});
}

int LogModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LogModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const LogRow& row = this->row(index.row());
    switch (role) {
    case SeverityRole:
        return static_cast<int>(row.severity);
    case DetailRole:
        return row.detail;
    case SortRole:
        return index.column() == TimeColumn ? QVariant(row.time) : QVariant(row.text);
    case Qt::DisplayRole:
        return index.column() == TimeColumn ? row.time.toString(QStringLiteral("HH:mm:ss")) : row.text;
    case Qt::ToolTipRole:
        if (index.column() == TimeColumn)
            return tr("%1 UTC").arg(row.time.toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz")));
        return row.detail.isEmpty() ? row.text : row.text + QLatin1Char('\n') + row.detail;
    default:
        return {};
    }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == TimeColumn ? tr("Time") : tr("Event");
}

} // namespace wb::ui
