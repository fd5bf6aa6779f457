// The base of the flat models: takes a whole new list of rows and applies the difference by the rows' ids, so that selection, current row
// and scroll position of the views survive.
//
// `Row` has `std::string id` and `operator==` (equal: nothing to repaint). An id that occurs twice is told apart by its order.
#pragma once

#include <QAbstractTableModel>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace wb::ui {

template <typename Row>
class RowsModel : public QAbstractTableModel
{
public:
    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const final
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    [[nodiscard]] const Row& row(int index) const { return m_rows[static_cast<std::size_t>(index)]; }
    [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }

    /// -1 when there is no such row.
    [[nodiscard]] int rowOf(const std::string& id) const
    {
        const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) { return row.id == id; });
        return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
    }

protected:
    void setRows(std::vector<Row> rows)
    {
        makeIdsUnique(rows);
        removeMissing(rows);
        const auto places = placesOf(rows);
        reorderSurvivors(places);
        insertNew(rows);
        replaceChanged(std::move(rows));
    }

    void appendRow(Row row)
    {
        const int at = static_cast<int>(m_rows.size());
        this->beginInsertRows({}, at, at);
        m_rows.push_back(std::move(row));
        this->endInsertRows();
    }

private:
    using Places = std::unordered_map<std::string, std::size_t>;

    static Places placesOf(const std::vector<Row>& rows)
    {
        Places places;
        places.reserve(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            places.emplace(rows[i].id, i);
        return places;
    }

    static void makeIdsUnique(std::vector<Row>& rows)
    {
        std::unordered_map<std::string, std::size_t> seen;
        seen.reserve(rows.size());
        for (Row& row : rows) {
            const std::size_t times = ++seen[row.id];
            if (times > 1)
                row.id += '\x1f' + std::to_string(times);
        }
    }

    void removeMissing(const std::vector<Row>& rows)
    {
        const Places wanted = placesOf(rows);
        for (std::size_t end = m_rows.size(); end > 0;) {
            if (wanted.contains(m_rows[end - 1].id)) {
                --end;
                continue;
            }
            std::size_t begin = end - 1;
            while (begin > 0 && !wanted.contains(m_rows[begin - 1].id))
                --begin;
            this->beginRemoveRows({}, static_cast<int>(begin), static_cast<int>(end) - 1);
            m_rows.erase(m_rows.begin() + static_cast<std::ptrdiff_t>(begin), m_rows.begin() + static_cast<std::ptrdiff_t>(end));
            this->endRemoveRows();
            end = begin;
        }
    }

    void reorderSurvivors(const Places& places)
    {
        const auto before = [&](const Row& a, const Row& b) { return places.at(a.id) < places.at(b.id); };
        if (std::is_sorted(m_rows.begin(), m_rows.end(), before))
            return;
        Q_EMIT this->layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
        const QModelIndexList from = this->persistentIndexList();
        std::vector<std::string> ids;
        ids.reserve(static_cast<std::size_t>(from.size()));
        for (const QModelIndex& index : from)
            ids.push_back(m_rows[static_cast<std::size_t>(index.row())].id);
        std::sort(m_rows.begin(), m_rows.end(), before);
        const Places now = placesOf(m_rows);
        QModelIndexList to;
        to.reserve(from.size());
        for (qsizetype i = 0; i < from.size(); ++i)
            to.append(this->index(static_cast<int>(now.at(ids[static_cast<std::size_t>(i)])), from[i].column()));
        this->changePersistentIndexList(from, to);
        Q_EMIT this->layoutChanged({}, QAbstractItemModel::VerticalSortHint);
    }

    void insertNew(const std::vector<Row>& rows)
    {
        for (std::size_t i = 0; i < rows.size();) {
            const auto isHere = [&](std::size_t at) { return i < m_rows.size() && m_rows[i].id == rows[at].id; };
            if (isHere(i)) {
                ++i;
                continue;
            }
            std::size_t end = i + 1;
            while (end < rows.size() && !isHere(end))
                ++end;
            this->beginInsertRows({}, static_cast<int>(i), static_cast<int>(end) - 1);
            m_rows.insert(m_rows.begin() + static_cast<std::ptrdiff_t>(i), rows.begin() + static_cast<std::ptrdiff_t>(i),
                          rows.begin() + static_cast<std::ptrdiff_t>(end));
            this->endInsertRows();
            i = end;
        }
    }

    void replaceChanged(std::vector<Row> rows)
    {
        m_rows.swap(rows); // `rows` holds the old ones now, at the same places.
        const int lastColumn = this->columnCount() - 1;
        for (std::size_t i = 0; i < m_rows.size();) {
            if (m_rows[i] == rows[i]) {
                ++i;
                continue;
            }
            std::size_t end = i + 1;
            while (end < m_rows.size() && !(m_rows[end] == rows[end]))
                ++end;
            Q_EMIT this->dataChanged(this->index(static_cast<int>(i), 0), this->index(static_cast<int>(end) - 1, lastColumn));
            i = end;
        }
    }

    std::vector<Row> m_rows;
};

} // namespace wb::ui
