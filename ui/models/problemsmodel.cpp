#include "ui/models/problemsmodel.h"

#include "ui/models/text.h"

#include <array>

namespace wb::ui {

namespace {

constexpr std::array headers{
    QT_TRANSLATE_NOOP("wb::ui::ProblemsModel", "Problem"),
    QT_TRANSLATE_NOOP("wb::ui::ProblemsModel", "Place"),
    QT_TRANSLATE_NOOP("wb::ui::ProblemsModel", "Variant"),
    QT_TRANSLATE_NOOP("wb::ui::ProblemsModel", "Code"),
};
static_assert(headers.size() == ProblemsModel::ColumnCount);

QString placeText(const ProblemRow& row)
{
    const QString place = QStringLiteral("%1:%2").arg(row.place.line).arg(row.place.column);
    switch (row.problem.source) {
    case syntax::Source::Recipe:
        return place;
    case syntax::Source::Cluster:
        return ProblemsModel::tr("cluster file %1").arg(place);
    case syntax::Source::CommandLine:
        return ProblemsModel::tr("command line");
    }
    return place;
}

QString toolTip(const syntax::Diagnostic& problem)
{
    QString tip = text(problem.message);
    if (!problem.path.empty())
        tip += QStringLiteral("\n") + ProblemsModel::tr("Key: %1").arg(text(problem.path));
    for (const syntax::Note& note : problem.notes)
        tip += QStringLiteral("\n") + text(note.message);
    for (const syntax::Fix& fix : problem.fixes)
        tip += QStringLiteral("\n") + ProblemsModel::tr("Fix: %1").arg(text(fix.title));
    return tip;
}

} // namespace

ProblemsModel::ProblemsModel(QObject* parent)
    : RowsModel(parent)
{
}

void ProblemsModel::setProblems(const std::shared_ptr<const syntax::SourceText>& source, const std::vector<syntax::Diagnostic>& problems,
                                const std::shared_ptr<const syntax::SourceText>& cluster)
{
    std::vector<ProblemRow> rows;
    rows.reserve(problems.size());
    for (const syntax::Diagnostic& problem : problems) {
        const auto& in = problem.source == syntax::Source::Recipe ? source : cluster;
        std::string id = std::string(syntax::id(problem)) + '\n' + problem.path + '\n' + problem.variant;
        rows.push_back({std::move(id), problem, in ? in->lineCol(problem.range.begin) : syntax::LineCol{}});
    }
    setRows(std::move(rows));
}

int ProblemsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const ProblemRow& row = this->row(index.row());
    switch (role) {
    case SeverityRole:
        return static_cast<int>(row.problem.severity);
    case HasFixesRole:
        return !row.problem.fixes.empty();
    case Qt::ToolTipRole:
        return toolTip(row.problem);
    case SortRole:
        if (index.column() == PlaceColumn)
            return static_cast<qulonglong>(row.place.line) * 100'000 + std::min<qulonglong>(row.place.column, 99'999);
        if (index.column() == MessageColumn) // the worst first, as their icons stand there
            return QString::number(static_cast<int>(row.problem.severity)) + text(row.problem.message);
        [[fallthrough]];
    case Qt::DisplayRole:
        switch (index.column()) {
        case MessageColumn:
            return text(row.problem.message);
        case PlaceColumn:
            return placeText(row);
        case VariantColumn:
            return text(row.problem.variant);
        case CodeColumn:
            return text(syntax::id(row.problem));
        default:
            return {};
        }
    default:
        return {};
    }
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= ColumnCount)
        return {};
    return tr(headers[static_cast<std::size_t>(section)]);
}

} // namespace wb::ui
