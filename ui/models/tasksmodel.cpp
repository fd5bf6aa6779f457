#include "ui/models/tasksmodel.h"

#include "core/syntax/diagnostic.h"
#include "ui/models/text.h"

#include <array>

namespace wb::ui {

namespace {

constexpr std::array headers{
    QT_TRANSLATE_NOOP("wb::ui::TasksModel", "Task"),    QT_TRANSLATE_NOOP("wb::ui::TasksModel", "State"),
    QT_TRANSLATE_NOOP("wb::ui::TasksModel", "Done"),    QT_TRANSLATE_NOOP("wb::ui::TasksModel", "Started"),
    QT_TRANSLATE_NOOP("wb::ui::TasksModel", "Seconds"), QT_TRANSLATE_NOOP("wb::ui::TasksModel", "Outcome"),
};
static_assert(headers.size() == TasksModel::ColumnCount);

QString display(const TaskRow& row, int column)
{
    switch (column) {
    case TasksModel::TitleColumn:
        return row.title;
    case TasksModel::StateColumn:
        return row.state;
    case TasksModel::ProgressColumn:
        return row.progress.isEmpty() ? dash() : row.progress;
    case TasksModel::StartedColumn:
        return row.started.toString(QStringLiteral("HH:mm:ss"));
    case TasksModel::TimeColumn:
        return row.milliseconds < 0 ? dash() : number(static_cast<double>(row.milliseconds) / 1000.0, 3);
    case TasksModel::OutcomeColumn:
        return row.outcome.section(QLatin1Char('\n'), 0, 0);
    default:
        return {};
    }
}

} // namespace

TasksModel::TasksModel(QObject* parent)
    : RowsModel(parent)
{
}

void TasksModel::setTasks(std::vector<TaskRow> rows)
{
    setRows(std::move(rows));
}

int TasksModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant TasksModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const TaskRow& row = this->row(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return display(row, index.column());
    case SortRole:
        if (index.column() == StartedColumn)
            return row.started;
        if (index.column() == TimeColumn)
            return row.milliseconds < 0 ? QVariant() : QVariant(row.milliseconds);
        return display(row, index.column());
    case SeverityRole:
        return row.hasFailed ? QVariant(static_cast<int>(syntax::Severity::Error)) : QVariant();
    case Qt::ToolTipRole:
        if (index.column() == StartedColumn)
            return row.started.toUTC().toString(Qt::ISODate);
        return index.column() == OutcomeColumn ? row.outcome : display(row, index.column());
    default:
        return {};
    }
}

QVariant TasksModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= ColumnCount)
        return {};
    return tr(headers[static_cast<std::size_t>(section)]);
}

} // namespace wb::ui
