#include "ui/panes/filterproxy.h"

#include <algorithm>

namespace wb::ui {

FilterProxy::FilterProxy(QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setRecursiveFilteringEnabled(true);
    setAutoAcceptChildRows(true); // what is below a folder that was looked for belongs to it
    setSortCaseSensitivity(Qt::CaseInsensitive);
}

void FilterProxy::setWords(const QString& words)
{
    m_words = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

void FilterProxy::setCondition(std::function<bool(const QModelIndex&)> condition)
{
    m_condition = std::move(condition);
    invalidateFilter();
}

bool FilterProxy::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QAbstractItemModel& model = *sourceModel();
    if (m_condition && !m_condition(model.index(row, 0, parent)))
        return false;
    const int columns = model.columnCount(parent);
    return std::all_of(m_words.begin(), m_words.end(), [&](const QString& word) {
        for (int column = 0; column < columns; ++column) {
            if (model.index(row, column, parent).data().toString().contains(word, Qt::CaseInsensitive))
                return true;
        }
        return false;
    });
}

bool FilterProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const bool leftKnown = left.data(sortRole()).isValid();
    const bool rightKnown = right.data(sortRole()).isValid();
    if (leftKnown && rightKnown)
        return QSortFilterProxyModel::lessThan(left, right);
    if (leftKnown == rightKnown)
        return false;
    return sortOrder() == Qt::AscendingOrder ? leftKnown : rightKnown;
}

} // namespace wb::ui
