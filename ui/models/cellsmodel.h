#pragma once

#include "ui/models/rowsmodel.h"

#include <QString>
#include <QStringList>
#include <QVariant>

#include <cstdint>
#include <string>
#include <vector>

namespace wb::ui {

/// What a cell says beside its words; a delegate makes a colour and a mark of it.
enum class CellLook : std::uint8_t { Plain, Good, Bad, Warning, Unknown, Quiet };

struct Cell {
    QString text;
    QVariant sort = {}; ///< Raw value; invalid: the text.
    QString tip = {};   ///< Empty: the text.
    CellLook look = CellLook::Plain;
    bool isEditable = false;

    friend bool operator==(const Cell&, const Cell&) = default;
};

struct CellsRow {
    std::string id;
    std::vector<Cell> cells;
    bool isQuiet = false; ///< Of those that a filter takes away first: the same on all sides, noise.

    friend bool operator==(const CellsRow&, const CellsRow&) = default;
};

/// A table of words that were made elsewhere. Other titles are another table; with the same ones selection and scroll survive.
class CellsModel final : public RowsModel<CellsRow>
{
    Q_OBJECT

public:
    enum Role {
        SortRole = Qt::UserRole,
        LookRole,  ///< CellLook as int
        QuietRole, ///< bool, of the row
    };

    explicit CellsModel(QObject* parent = nullptr);

    void setTable(const QStringList& titles, std::vector<CellsRow> rows);

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Changes nothing here: what was typed is told, and comes back with the next rows.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void edited(const QString& row, int column, const QString& typed);

private:
    [[nodiscard]] const Cell* cell(const QModelIndex& index) const;

    QStringList m_titles;
};

} // namespace wb::ui
