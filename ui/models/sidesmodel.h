#pragma once

#include "core/check/sidebyside.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <cstddef>
#include <optional>
#include <vector>

namespace wb::ui {

/// Resolved values of jobs side by side, in either direction. Takes whole new rows and keeps selection and scroll where the keys are the
/// same.
class SidesTable : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Role {
        SortRole = Qt::UserRole,
        FromRole,   ///< Origin of the cell's value, QString; empty: it has none.
        SameRole,   ///< The row is the same on all sides. Of SidesModel.
        StandsOut,  ///< The cell differs from that of the first side. Of SidesModel.
        AbsentRole, ///< The side does not have the key.
    };

    /// `titles`: of the sides. `mayEdit`: a value that is written as one scalar is changed in place, see `edited`.
    void setSides(std::vector<check::SideRow> rows, const QStringList& titles, bool mayEdit = false);

    [[nodiscard]] const std::vector<check::SideRow>& rows() const { return m_rows; }
    [[nodiscard]] const check::SideCell* cell(const QModelIndex& index) const; ///< Null: the column is no value's.

    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const final;
    /// Changes nothing here: what was typed is told, and comes back with the next rows.
    bool setData(const QModelIndex& index, const QVariant& value, int role) final;

Q_SIGNALS:
    void edited(const wb::check::SideCell& cell, const QString& path, const QString& typed);

protected:
    using QAbstractTableModel::QAbstractTableModel;

    /// A value: which key, which job.
    struct Where {
        std::size_t key = 0;
        std::size_t job = 0;
    };
    [[nodiscard]] virtual std::optional<Where> where(const QModelIndex& index) const = 0;
    /// Tells what became other; the keys and the jobs are the same.
    virtual void tellChanges(const std::vector<check::SideRow>& before) = 0;

    [[nodiscard]] const QStringList& titles() const { return m_titles; }
    /// What both directions give for the cell of a job.
    [[nodiscard]] QVariant valueData(const QModelIndex& index, int role) const;

private:
    std::vector<check::SideRow> m_rows;
    QStringList m_titles;
    bool m_mayEdit = false;
};

/// A row for each key, a column for each job, and for a single job one that says where the value comes from.
class SidesModel final : public SidesTable
{
    Q_OBJECT

public:
    static constexpr int keyColumn = 0;

    explicit SidesModel(QObject* parent = nullptr);

    [[nodiscard]] bool hasOriginColumn() const { return titles().size() == 1; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    [[nodiscard]] std::optional<Where> where(const QModelIndex& index) const override;
    void tellChanges(const std::vector<check::SideRow>& before) override;
};

/// The same rows turned: a row for each job, a column for each key in which they differ.
class MatrixModel final : public SidesTable
{
    Q_OBJECT

public:
    static constexpr int nameColumn = 0;

    explicit MatrixModel(QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    [[nodiscard]] std::optional<Where> where(const QModelIndex& index) const override;
    void tellChanges(const std::vector<check::SideRow>& before) override;
};

} // namespace wb::ui
