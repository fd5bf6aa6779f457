#pragma once

#include "core/store/jobrecord.h"
#include "ui/models/rowsmodel.h"

#include <QString>

namespace wb::ui {

struct JobRow {
    std::string id;
    store::JobEntry job;
    std::int64_t seconds = -1; ///< That it ran, or runs; -1: it has not begun.

    friend bool operator==(const JobRow&, const JobRow&) = default;
};

/// The jobs that were submitted, the newest first.
class JobsModel final : public RowsModel<JobRow>
{
    Q_OBJECT

public:
    enum Column {
        StateColumn,
        NameColumn,
        HostColumn,
        JobIdColumn,
        StageColumn,
        WorkersColumn, ///< That serve, of those that are to.
        FiguresColumn, ///< What the client measured last.
        ElapsedColumn,
        StartColumn, ///< When it began, or is expected to.
        ReasonColumn,
        NodesColumn,
        SubmittedColumn,
        ExitColumn,
        ResultsColumn,
        ColumnCount
    };
    enum Role {
        SortRole = Qt::UserRole,
        SeverityRole, ///< syntax::Severity as int; invalid: nothing is wrong.
    };

    explicit JobsModel(QObject* parent = nullptr);

    /// `now`: seconds since 1970, for what runs.
    void setJobs(const std::vector<store::JobEntry>& jobs, std::int64_t now);

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

/// Slurm's state, or how far the submission is.
[[nodiscard]] QString jobState(const store::JobEntry& job);
/// "0:12:05", "2-03:00:00"; a dash when negative.
[[nodiscard]] QString clockText(std::int64_t seconds);

} // namespace wb::ui
