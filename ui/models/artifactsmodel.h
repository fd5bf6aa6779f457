#pragma once

#include "core/render/artifact.h"
#include "ui/models/rowsmodel.h"

#include <memory>

namespace wb::ui {

using Artifacts = std::shared_ptr<const std::vector<render::Artifact>>;

struct ArtifactRow {
    std::string id; ///< The artifact's name.
    Artifacts artifacts;
    std::size_t index = 0;

    [[nodiscard]] const render::Artifact& artifact() const { return (*artifacts)[index]; }
    friend bool operator==(const ArtifactRow&, const ArtifactRow&) = default;
};

/// The artifacts of one job, a row each.
class ArtifactsModel final : public RowsModel<ArtifactRow>
{
    Q_OBJECT

public:
    enum Column { NameColumn, KindColumn, SizeColumn, Sha256Column, ColumnCount };
    enum Role { SortRole = Qt::UserRole };

    explicit ArtifactsModel(QObject* parent = nullptr);

    void setArtifacts(const Artifacts& artifacts); ///< Null: none.

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

} // namespace wb::ui
