#pragma once

#include "core/results/point.h"
#include "ui/models/rowsmodel.h"

#include <memory>

namespace wb::ui {

using Points = std::shared_ptr<const std::vector<results::Point>>;

struct PointRow {
    std::string id; ///< The point's id.
    Points points;
    std::size_t index = 0;

    [[nodiscard]] const results::Point& point() const { return (*points)[index]; }
    friend bool operator==(const PointRow&, const PointRow&) = default;
};

/// Imported operating points, a row each, every figure a column. Units stand in the title, the place a figure came from in
/// the cell's.
class PointsModel final : public RowsModel<PointRow>
{
    Q_OBJECT

public:
    enum Role {
        SortRole = Qt::UserRole, ///< Numbers as numbers; an unknown one is invalid.
        ValidRole,
        PointIdRole, ///< QString
        CopyRole,    ///< The exact value as a table of values has it; empty for what is not known.
    };

    explicit PointsModel(QObject* parent = nullptr);

    void setPoints(const Points& points); ///< Null: none.
    [[nodiscard]] int rowOf(const PointId& id) const { return RowsModel::rowOf(id.text); }
    [[nodiscard]] static QString titleOf(int column);
    [[nodiscard]] static const char* fieldOf(int column); ///< Name of the contract, or an axis' id.
    /// The column with that field name of the contract ("concurrency", "ttftMs.p50"); -1 when there is none.
    [[nodiscard]] static int columnOf(std::string_view field);

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

} // namespace wb::ui
