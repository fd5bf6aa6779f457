#include "ui/models/wordsmodel.h"

#include <utility>

namespace wb::ui {

WordsModel::WordsModel(QStringList titles, QObject* parent)
    : RowsModel(parent)
    , m_titles(std::move(titles))
{
}

void WordsModel::setWords(std::vector<WordsRow> rows)
{
    setRows(std::move(rows));
}

int WordsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_titles.size());
}

QVariant WordsModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const WordsRow& row = this->row(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return row.cells.value(index.column()).section(QLatin1Char('\n'), 0, 0);
    case SortRole:
        return row.cells.value(index.column());
    case SeverityRole:
        return row.severity ? QVariant(*row.severity) : QVariant();
    case Qt::ToolTipRole:
        return row.tip.isEmpty() ? row.cells.value(index.column()) : row.tip;
    default:
        return {};
    }
}

QVariant WordsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return orientation == Qt::Horizontal && role == Qt::DisplayRole ? QVariant(m_titles.value(section)) : QVariant();
}

} // namespace wb::ui
