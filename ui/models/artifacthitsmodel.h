#pragma once

#include "core/render/artifactviews.h"
#include "ui/models/rowsmodel.h"

namespace wb::ui {

struct ArtifactHitRow {
    std::string id;
    std::string name; ///< Of the artifact.
    render::ArtifactHit hit;

    friend bool operator==(const ArtifactHitRow&, const ArtifactHitRow&) = default;
};

/// The lines of a job's artifacts in which something was found, a row each.
class ArtifactHitsModel final : public RowsModel<ArtifactHitRow>
{
    Q_OBJECT

public:
    enum Column { NameColumn, LineColumn, TextColumn, ColumnCount };
    enum Role { SortRole = Qt::UserRole };

    explicit ArtifactHitsModel(QObject* parent = nullptr);

    /// `names`: of the artifacts that were searched, in their order.
    void setHits(const std::vector<render::ArtifactHit>& hits, const std::vector<std::string>& names);

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

} // namespace wb::ui
