#pragma once

#include "core/syntax/diagnostic.h"
#include "ui/models/rowsmodel.h"

#include <memory>

namespace wb::ui {

struct ProblemRow {
    std::string id;
    syntax::Diagnostic problem;
    syntax::LineCol place; ///< In the text that `problem.source` names; 1:1 when that text is not at hand.

    friend bool operator==(const ProblemRow&, const ProblemRow&) = default;
};

/// The problems of one recipe text, a row each.
class ProblemsModel final : public RowsModel<ProblemRow>
{
    Q_OBJECT

public:
    enum Column { MessageColumn, PlaceColumn, VariantColumn, CodeColumn, ColumnCount };
    enum Role {
        SortRole = Qt::UserRole,
        SeverityRole, ///< syntax::Severity as int
        HasFixesRole,
    };

    explicit ProblemsModel(QObject* parent = nullptr);

    /// `cluster` is the text that problems of the cluster file point into; it may be null.
    void setProblems(const std::shared_ptr<const syntax::SourceText>& source, const std::vector<syntax::Diagnostic>& problems,
                     const std::shared_ptr<const syntax::SourceText>& cluster = {});

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

} // namespace wb::ui
