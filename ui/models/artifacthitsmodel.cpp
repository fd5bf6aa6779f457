#include "ui/models/artifacthitsmodel.h"

#include "ui/models/text.h"

#include <array>

namespace wb::ui {

namespace {

constexpr std::array headers{
    QT_TRANSLATE_NOOP("wb::ui::ArtifactHitsModel", "Artifact"),
    QT_TRANSLATE_NOOP("wb::ui::ArtifactHitsModel", "Line"),
    QT_TRANSLATE_NOOP("wb::ui::ArtifactHitsModel", "Text"),
};
static_assert(headers.size() == ArtifactHitsModel::ColumnCount);

} // namespace

ArtifactHitsModel::ArtifactHitsModel(QObject* parent)
    : RowsModel(parent)
{
}

void ArtifactHitsModel::setHits(const std::vector<render::ArtifactHit>& hits, const std::vector<std::string>& names)
{
    std::vector<ArtifactHitRow> rows;
    rows.reserve(hits.size());
    for (const render::ArtifactHit& hit : hits)
        rows.push_back({names[hit.artifact] + ':' + std::to_string(hit.line), names[hit.artifact], hit});
    setRows(std::move(rows));
}

int ArtifactHitsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ArtifactHitsModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const ArtifactHitRow& row = this->row(index.row());
    if (role == SortRole && index.column() == LineColumn)
        return static_cast<qulonglong>(row.hit.line);
    if (role == Qt::TextAlignmentRole && index.column() == LineColumn)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != SortRole && role != Qt::ToolTipRole)
        return {};
    switch (index.column()) {
    case NameColumn:
        return text(row.name);
    case LineColumn:
        return wholeNumber(static_cast<std::int64_t>(row.hit.line));
    case TextColumn:
        return text(row.hit.text);
    default:
        return {};
    }
}

QVariant ArtifactHitsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= ColumnCount)
        return {};
    return tr(headers[static_cast<std::size_t>(section)]);
}

} // namespace wb::ui
