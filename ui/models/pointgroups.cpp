#include "ui/models/pointgroups.h"

#include "ui/models/text.h"

#include <algorithm>
#include <map>

namespace wb::ui {

PointGroups::PointGroups(PointsModel& points, QObject* parent)
    : QAbstractItemModel(parent)
    , m_points(points)
{
}

void PointGroups::regroup(const std::string& key)
{
    beginResetModel();
    m_groups.clear();
    std::map<std::string, std::size_t> places;
    for (int row = 0; row < m_points.rowCount(); ++row) {
        // Unknown has a group of its own, and no value is called that.
        const auto value = results::fieldText(m_points.row(row).point(), key);
        const auto [place, isNew] = places.try_emplace(value.value_or(std::string()), m_groups.size());
        if (isNew)
            m_groups.push_back({value ? text(*value) : dash(), {}});
        m_groups[place->second].rows.push_back(row);
    }
    endResetModel();
}

void PointGroups::release()
{
    beginResetModel();
    m_groups.clear();
    endResetModel();
}

int PointGroups::sourceRow(const QModelIndex& index) const
{
    if (!index.isValid() || isGroup(index))
        return -1;
    return m_groups[static_cast<std::size_t>(index.internalId() - 1)].rows[static_cast<std::size_t>(index.row())];
}

QModelIndex PointGroups::indexOf(int sourceRow) const
{
    for (std::size_t group = 0; group < m_groups.size(); ++group) {
        const auto& rows = m_groups[group].rows;
        if (const auto found = std::ranges::find(rows, sourceRow); found != rows.end())
            return createIndex(static_cast<int>(found - rows.begin()), 0, static_cast<quintptr>(group + 1));
    }
    return {};
}

QModelIndex PointGroups::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row() + 1) : quintptr{0});
}

QModelIndex PointGroups::parent(const QModelIndex& index) const
{
    return !index.isValid() || isGroup(index) ? QModelIndex() : createIndex(static_cast<int>(index.internalId()) - 1, 0, quintptr{0});
}

int PointGroups::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_groups.size());
    return isGroup(parent) && parent.column() == 0 ? static_cast<int>(m_groups[static_cast<std::size_t>(parent.row())].rows.size()) : 0;
}

int PointGroups::columnCount(const QModelIndex&) const
{
    return m_points.columnCount();
}

QVariant PointGroups::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    if (!isGroup(index))
        return m_points.index(sourceRow(index), index.column()).data(role);
    const Group& group = m_groups[static_cast<std::size_t>(index.row())];
    if (index.column() != 0)
        return {};
    if (role == PointsModel::SortRole)
        return group.title;
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole || role == PointsModel::CopyRole)
        return tr("%1 (%n point(s))", nullptr, static_cast<int>(group.rows.size())).arg(group.title);
    return {};
}

QVariant PointGroups::headerData(int section, Qt::Orientation orientation, int role) const
{
    return m_points.headerData(section, orientation, role);
}

} // namespace wb::ui
