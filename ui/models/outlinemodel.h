#pragma once

#include "core/assist/navigation.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace wb::ui {

using Symbols = std::shared_ptr<const std::vector<assist::Symbol>>;

/// The keys of a text as a tree.
class OutlineModel final : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { NameColumn, ValueColumn, ColumnCount };
    enum Role {
        SortRole = Qt::UserRole, ///< Place in the text.
        OffsetRole,              ///< Byte offset of the name, qulonglong.
        PathRole,                ///< "base.backend.type": stable over changes of the text.
        IsSectionRole,
    };

    using QAbstractItemModel::QAbstractItemModel;

    /// Null: none. True: rows were kept, because the same keys stand in the same order.
    bool setSymbols(Symbols symbols);
    [[nodiscard]] std::size_t count() const { return m_symbols ? m_symbols->size() : 0; }
    /// The symbol around the byte offset; invalid: none.
    [[nodiscard]] QModelIndex indexAt(std::size_t offset) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] const std::vector<std::size_t>& childrenOf(const QModelIndex& parent) const;
    [[nodiscard]] QString pathOf(std::size_t symbol) const;

    Symbols m_symbols;
    std::vector<std::vector<std::size_t>> m_children; ///< Of each symbol; the last entry holds the top level.
    std::vector<int> m_rows;                          ///< Of each symbol among its siblings.
};

} // namespace wb::ui
