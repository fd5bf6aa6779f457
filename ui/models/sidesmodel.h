#pragma once

#include "core/check/sidebyside.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace wb::ui {

/// Resolved values as a table: a row for each key, a column for each job, and for a single job one that says where the value comes from.
/// Takes whole new rows and keeps selection and scroll where the keys are the same.
class SidesModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Role {
        SortRole = Qt::UserRole,
        FromRole,   ///< Origin of the cell's value, QString; empty: it has none.
        SameRole,   ///< The row is the same on all sides.
        StandsOut,  ///< The cell differs from that of the first side.
        AbsentRole, ///< The side does not have the key.
    };
    static constexpr int keyColumn = 0;

    explicit SidesModel(QObject* parent = nullptr);

    /// `titles`: of the sides. `mayEdit`: a value that is written as one scalar is changed in place, see `edited`.
    void setSides(std::vector<check::SideRow> rows, const QStringList& titles, bool mayEdit = false);

    [[nodiscard]] const std::vector<check::SideRow>& rows() const { return m_rows; }
    [[nodiscard]] const check::SideCell* cell(const QModelIndex& index) const; ///< Null: the column is no side's.
    [[nodiscard]] bool hasOriginColumn() const { return m_titles.size() == 1; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Changes nothing here: what was typed is told, and comes back with the next rows.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void edited(const wb::check::SideCell& cell, const QString& path, const QString& typed);

private:
    std::vector<check::SideRow> m_rows;
    QStringList m_titles;
    bool m_mayEdit = false;
};

/// The same rows turned: a row for each job, a column for each key in which they differ.
class MatrixModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Role {
        SortRole = Qt::UserRole,
        FromRole,
        AbsentRole,
    };
    static constexpr int nameColumn = 0;

    explicit MatrixModel(QObject* parent = nullptr);

    void setSides(std::vector<check::SideRow> rows, const QStringList& titles, bool mayEdit = false);
    [[nodiscard]] const check::SideCell* cell(const QModelIndex& index) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void edited(const wb::check::SideCell& cell, const QString& path, const QString& typed);

private:
    std::vector<check::SideRow> m_rows;
    QStringList m_titles;
    bool m_mayEdit = false;
};

} // namespace wb::ui
