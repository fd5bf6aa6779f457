#pragma once

#include "ui/models/rowsmodel.h"

#include <QDateTime>
#include <QString>

namespace wb::ui {

struct TaskRow {
    std::string id; ///< Serial number.
    QString title;
    QString state;    ///< "running", "done", ...
    QString progress; ///< "412 of 2318"; empty: nothing is known of it.
    QDateTime started;
    qint64 milliseconds = -1; ///< -1: it still runs.
    QString outcome;
    bool isRunning = false;
    bool hasFailed = false;
    bool canCancel = false;
    bool canRetry = false;

    friend bool operator==(const TaskRow&, const TaskRow&) = default;
};

/// What runs in the background and what ran, the newest first.
class TasksModel final : public RowsModel<TaskRow>
{
    Q_OBJECT

public:
    enum Column { TitleColumn, StateColumn, ProgressColumn, StartedColumn, TimeColumn, OutcomeColumn, ColumnCount };
    enum Role {
        SortRole = Qt::UserRole,
        SeverityRole, ///< syntax::Severity as int; invalid: nothing is wrong.
    };

    explicit TasksModel(QObject* parent = nullptr);

    void setTasks(std::vector<TaskRow> rows);

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

} // namespace wb::ui
