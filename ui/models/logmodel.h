#pragma once

#include "core/syntax/diagnostic.h"
#include "ui/models/rowsmodel.h"

#include <QDateTime>

namespace wb::ui {

struct LogRow {
    std::string id; ///< Serial number.
    QDateTime time; ///< Local.
    syntax::Severity severity = syntax::Severity::Info;
    QString text;
    QString detail; ///< Empty: nothing more is known.

    friend bool operator==(const LogRow&, const LogRow&) = default;
};

/// What happened, a row each, in order.
class LogModel final : public RowsModel<LogRow>
{
    Q_OBJECT

public:
    enum Column { TimeColumn, MessageColumn, ColumnCount };
    enum Role {
        SortRole = Qt::UserRole,
        SeverityRole, ///< syntax::Severity as int
        DetailRole,
    };

    explicit LogModel(QObject* parent = nullptr);

    void append(LogRow row);
    void clear();

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

} // namespace wb::ui
