#include "ui/models/artifactsmodel.h"

#include "ui/models/text.h"

#include <array>

namespace wb::ui {

namespace {

constexpr std::array headers{
    QT_TRANSLATE_NOOP("wb::ui::ArtifactsModel", "Artifact"), QT_TRANSLATE_NOOP("wb::ui::ArtifactsModel", "Compared"),
    QT_TRANSLATE_NOOP("wb::ui::ArtifactsModel", "Kind"),     QT_TRANSLATE_NOOP("wb::ui::ArtifactsModel", "Size"),
    QT_TRANSLATE_NOOP("wb::ui::ArtifactsModel", "SHA-256"),
};
static_assert(headers.size() == ArtifactsModel::ColumnCount);

constexpr qsizetype shownHashDigits = 12;

QString kindText(const render::Artifact& artifact)
{
    const QString kind = text(render::name(artifact.kind));
    return artifact.predicted ? ArtifactsModel::tr("%1, predicted").arg(kind) : kind;
}

QString changeText(const ArtifactRow& row)
{
    if (!row.change)
        return {};
    switch (*row.change) {
    case render::ArtifactChange::Same:
        return ArtifactsModel::tr("same");
    case render::ArtifactChange::Changed:
        return ArtifactsModel::tr("differs");
    case render::ArtifactChange::OnlyHere:
        return ArtifactsModel::tr("only here");
    case render::ArtifactChange::OnlyThere:
        return ArtifactsModel::tr("only there");
    }
    return {};
}

} // namespace

ArtifactsModel::ArtifactsModel(QObject* parent)
    : RowsModel(parent)
{
}

void ArtifactsModel::setArtifacts(const Artifacts& artifacts, const Artifacts& others, bool onlyNamed)
{
    std::vector<ArtifactRow> rows;
    if (artifacts && others) {
        for (const render::ArtifactPair& pair : render::pairedArtifacts(*artifacts, *others)) {
            const bool isThere = pair.change == render::ArtifactChange::OnlyThere;
            rows.push_back({pair.name, isThere ? others : artifacts, isThere ? pair.there : pair.here, others, pair.change, pair.there});
            if (onlyNamed && pair.change == render::ArtifactChange::OnlyHere)
                rows.back().change.reset();
        }
    } else if (artifacts) {
        rows.reserve(artifacts->size());
        for (std::size_t i = 0; i < artifacts->size(); ++i)
            rows.push_back({(*artifacts)[i].name, artifacts, i, nullptr, std::nullopt, 0});
    }
    setRows(std::move(rows));
}

int ArtifactsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ArtifactsModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const render::Artifact& artifact = row(index.row()).artifact();
    if (role == SortRole && index.column() == SizeColumn)
        return static_cast<qulonglong>(artifact.bytes.size());
    if (role == Qt::DisplayRole || role == SortRole) {
        switch (index.column()) {
        case NameColumn:
            return text(artifact.name);
        case ChangeColumn:
            return changeText(row(index.row()));
        case KindColumn:
            return kindText(artifact);
        case SizeColumn:
            return byteCount(artifact.bytes.size());
        case Sha256Column:
            return text(artifact.sha256).left(shownHashDigits);
        default:
            return {};
        }
    }
    if (role == Qt::ToolTipRole) {
        if (index.column() == Sha256Column)
            return text(artifact.sha256);
        if (index.column() == KindColumn && artifact.predicted)
            return tr("Written by srtctl on the cluster: shown as it is expected to be, not sent.");
        if (index.column() == SizeColumn)
            return tr("%n byte(s)", nullptr, static_cast<int>(artifact.bytes.size()));
        return text(artifact.name);
    }
    if (role == Qt::TextAlignmentRole && index.column() == SizeColumn)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant ArtifactsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= ColumnCount)
        return {};
    return tr(headers[static_cast<std::size_t>(section)]);
}

} // namespace wb::ui
