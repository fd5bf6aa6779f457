#pragma once

#include "core/analysis/matched.h"
#include "ui/models/rowsmodel.h"

#include <QString>
#include <QVariant>

#include <array>

namespace wb::ui {

/// A group of the comparison, as it is shown.
struct MatchedRow {
    static constexpr std::size_t columnCount = 9;

    std::string id; ///< The group's key.
    std::array<QString, columnCount> cells;
    std::array<std::optional<double>, columnCount> numbers; ///< What a cell is sorted by; nothing: not known, or a text.
    QString tip;
    PointId nearest; ///< The measured point to the left of x, else the one to the right; empty: none.
    bool isBaseline = false;

    friend bool operator==(const MatchedRow&, const MatchedRow&) = default;
};

/// The groups of a chart at one x, or at their best within the limits.
class MatchedModel final : public RowsModel<MatchedRow>
{
    Q_OBJECT

public:
    enum Column { Group, ValueAt, How, Left, Right, Against, Area, AreaAgainst, Hypervolume };
    enum Role {
        SortRole = Qt::UserRole, ///< Numbers as numbers; an unknown one is invalid.
    };

    explicit MatchedModel(QObject* parent = nullptr);

    void setComparison(const analysis::MatchedComparison& comparison, const analysis::Chart& chart);
    void clear() { setRows({}); }

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

/// "+12.5 %"; a dash when not known.
[[nodiscard]] QString percent(std::optional<double> share);

} // namespace wb::ui
