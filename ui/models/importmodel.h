#pragma once

#include "core/results/importreport.h"
#include "ui/models/rowsmodel.h"

#include <QString>

namespace wb::ui {

struct ImportRow {
    std::string id; ///< The path; of a fact of a run the folder, the run and the field.
    QString state, path, format, points, reason;
    std::string file; ///< The path, where it is a file that can be read again; empty for others.
    std::size_t count = 0;
    bool isProblem = false;

    friend bool operator==(const ImportRow&, const ImportRow&) = default;
};

/// What became of each file of the imports, and of each run what its recipe declares against what was seen.
class ImportModel final : public RowsModel<ImportRow>
{
    Q_OBJECT

public:
    enum Column { State, Path, Format, Points, Reason, ColumnCount };
    enum Role { SortRole = Qt::UserRole };

    explicit ImportModel(QObject* parent = nullptr);

    void setReport(const std::vector<results::ReportLine>& lines, const std::vector<results::RunReport>& runs);

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

} // namespace wb::ui
