#pragma once

#include "core/render/artifactviews.h"
#include "ui/models/rowsmodel.h"

#include <memory>
#include <optional>

namespace wb::ui {

using Artifacts = std::shared_ptr<const std::vector<render::Artifact>>;

struct ArtifactRow {
    std::string id;      ///< The artifact's name.
    Artifacts artifacts; ///< Of the job that is shown; of the other one for what only that has.
    std::size_t index = 0;
    Artifacts others;                             ///< Of the job it is compared with; null: of none.
    std::optional<render::ArtifactChange> change; ///< Nothing when it is compared with none.
    std::size_t other = 0;                        ///< Into `others`, where both jobs have it.

    [[nodiscard]] const render::Artifact& artifact() const { return (*artifacts)[index]; }
    friend bool operator==(const ArtifactRow&, const ArtifactRow&) = default;
};

/// The artifacts of one job, a row each; set against those of another job, what only that one has stands behind them.
class ArtifactsModel final : public RowsModel<ArtifactRow>
{
    Q_OBJECT

public:
    enum Column { NameColumn, ChangeColumn, KindColumn, SizeColumn, Sha256Column, ColumnCount };
    enum Role { SortRole = Qt::UserRole };

    explicit ArtifactsModel(QObject* parent = nullptr);

    /// Null: none. `others`: of the job they are compared with; null: of none. `onlyNamed`: what is not among the others is not compared.
    void setArtifacts(const Artifacts& artifacts, const Artifacts& others = nullptr, bool onlyNamed = false);

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

} // namespace wb::ui
