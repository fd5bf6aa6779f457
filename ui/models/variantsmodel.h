#pragma once

#include "core/analysis/measured.h"
#include "core/check/check.h"
#include "ui/models/rowsmodel.h"

#include <memory>
#include <optional>

namespace wb::ui {

/// Stable keys of the variants of a text, one each: the suffix of an override or zip slice, the parameters of a sweep's job.
[[nodiscard]] std::vector<std::string> variantKeys(const check::Checked& checked);
/// The changed keys of a variant in one line: "chunked-prefill-size = 8192, tp = [4, 8]".
[[nodiscard]] QString paramsText(const check::CheckedVariant& variant);
/// Those of its parameters that stand as single values in the recipe, so that they can be changed where they are written.
[[nodiscard]] std::vector<std::pair<std::string, syntax::ValuePtr>> changeableParams(const check::CheckedVariant& variant);
/// The suffix is a part of the key of the job's section ("override_lowmem"), so that it can be changed there.
[[nodiscard]] bool isSuffixChangeable(const check::CheckedVariant& variant);

struct VariantRow {
    std::string id;
    std::shared_ptr<const check::Checked> checked;
    std::size_t index = 0;
    std::size_t errors = 0;
    std::size_t warnings = 0;
    std::size_t sameName = 0;                        ///< Jobs of that name, this one too; 0 where it has none of its own to share.
    std::optional<analysis::Measured> measured = {}; ///< Nothing until the points were looked through, and of a job with errors.

    [[nodiscard]] const check::CheckedVariant& variant() const { return checked->variants[index]; }
    friend bool operator==(const VariantRow&, const VariantRow&) = default;
};

/// The jobs that a recipe stands for, a row each.
class VariantsModel final : public RowsModel<VariantRow>
{
    Q_OBJECT

public:
    enum Column {
        NameColumn,
        SuffixColumn,
        ParamsColumn,
        NodesColumn,
        GpusColumn,
        TimeColumn,
        GpuHoursColumn,
        ProblemsColumn,
        MarkColumn,
        HealthColumn,
        PointsColumn,
        ResultsColumn,
        ColumnCount
    };
    enum Role {
        SortRole = Qt::UserRole,
        SeverityRole, ///< syntax::Severity as int of the worst problem; invalid when there is none.
    };

    explicit VariantsModel(QObject* parent = nullptr);

    void setVariants(const std::shared_ptr<const check::Checked>& checked); ///< Null: none.
    /// What the imported points say of the variants, one for each; another number counts for nothing.
    void setMeasured(const std::vector<std::optional<analysis::Measured>>& measured);

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Changes nothing here: what was typed is told, and comes back with the next variants. Parameters are typed as "tp = 4; isl = 1024".
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void edited(int row, int column, const QString& typed);
};

} // namespace wb::ui
