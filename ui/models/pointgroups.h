#pragma once

#include "ui/models/pointsmodel.h"

#include <QAbstractItemModel>

#include <string>
#include <vector>

namespace wb::ui {

/// The rows of a PointsModel below the values of one of the points' keys ("hardware"). Made anew as a whole: `regroup` after each change
/// of the points, `release` before it.
class PointGroups final : public QAbstractItemModel
{
    Q_OBJECT

public:
    explicit PointGroups(PointsModel& points, QObject* parent = nullptr);

    void regroup(const std::string& key);
    void release(); ///< Has no rows until the next `regroup`.

    [[nodiscard]] bool isGroup(const QModelIndex& index) const { return index.isValid() && index.internalId() == 0; }
    /// Row of the points' model; -1 for a group.
    [[nodiscard]] int sourceRow(const QModelIndex& index) const;
    /// Of a row of the points' model; invalid when there is none.
    [[nodiscard]] QModelIndex indexOf(int sourceRow) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Group {
        QString title;
        std::vector<int> rows; ///< Of the points' model.
    };

    PointsModel& m_points;
    std::vector<Group> m_groups;
};

} // namespace wb::ui
