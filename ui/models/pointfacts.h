#pragma once

#include "core/results/point.h"
#include "ui/models/rowsmodel.h"

#include <QString>

namespace wb::ui {

struct FactRow {
    std::string id; ///< The field's key, or "reason 0", "note 0".
    QString title, value;
    QString from;    ///< Key, value and file that it was read from; why it is not known.
    QString written; ///< What an editor begins with; empty when it is not known.
    bool isEditable = false;
    bool isByUser = false; ///< The user said so.

    friend bool operator==(const FactRow&, const FactRow&) = default;
};

/// All that is known of one point, a row each, with where it comes from; what speaks against it and what was noticed first. The user may
/// put a value of their own in place of some.
class PointFacts final : public RowsModel<FactRow>
{
    Q_OBJECT

public:
    enum Column { Title, Value, From, ColumnCount };
    enum Role { SortRole = Qt::UserRole };

    explicit PointFacts(QObject* parent = nullptr);

    /// Null: none. `beside`: rows from elsewhere that stand behind what speaks against the point.
    void setPoint(const results::Point* point, std::vector<FactRow> beside = {});

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void edited(const QString& field, const QString& text); ///< The model itself changes only with the next `setPoint`.
};

} // namespace wb::ui
