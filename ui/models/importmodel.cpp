#include "ui/models/importmodel.h"

#include "core/base/text.h"
#include "ui/models/text.h"

#include <array>

namespace wb::ui {

namespace {

QString formatTitle(const std::string& id)
{
    const results::Importer* importer = id.empty() ? nullptr : results::findImporter(id);
    return importer ? text(importer->title) : text(id);
}

ImportRow shownRow(const results::ReportLine& line)
{
    ImportRow row;
    row.id = row.file = line.path;
    row.state = text(results::name(line.state));
    row.path = text(base::printable(line.path));
    row.format = line.format.empty() ? dash() : formatTitle(line.format);
    row.count = line.points;
    row.points = line.format.empty() && line.points == 0 ? QString() : wholeNumber(static_cast<std::int64_t>(line.points));
    std::vector<std::string> words;
    if (!line.reason.empty())
        words.push_back(line.reason);
    words.insert(words.end(), line.warnings.begin(), line.warnings.end());
    row.reason = text(base::printable(base::joined(words, " ")));
    row.isProblem = line.state == results::FileState::Refused;
    return row;
}

ImportRow shownRow(const results::RunReport& run, const results::IdentityFact& fact)
{
    ImportRow row;
    row.id = run.folder + '\x1f' + run.run.text + '\x1f' + fact.field;
    row.state = text(results::name(fact.state));
    row.path = text(base::printable(run.folder));
    row.format = ImportModel::tr("identity of %1").arg(text(run.run.text));
    row.reason = fact.observed.empty()
                     ? ImportModel::tr("%1: declared %2, not seen").arg(text(fact.field), text(fact.declared))
                     : ImportModel::tr("%1: declared %2, seen %3").arg(text(fact.field), text(fact.declared), text(fact.observed));
    row.isProblem = fact.state == results::IdentityState::Failed;
    return row;
}

} // namespace

ImportModel::ImportModel(QObject* parent)
    : RowsModel(parent)
{
}

void ImportModel::setReport(const std::vector<results::ReportLine>& lines, const std::vector<results::RunReport>& runs)
{
    std::vector<ImportRow> rows;
    for (const results::ReportLine& line : lines)
        rows.push_back(shownRow(line));
    for (const results::RunReport& run : runs) {
        for (const results::IdentityFact& fact : run.identity)
            rows.push_back(shownRow(run, fact));
        for (std::size_t i = 0; i < run.notes.size(); ++i) {
            ImportRow row;
            row.id = run.folder + '\x1f' + run.run.text + "\x1fnote " + std::to_string(i);
            row.state = tr("note");
            row.path = text(base::printable(run.folder));
            row.format = tr("run %1").arg(text(run.run.text));
            row.reason = text(base::printable(run.notes[i]));
            rows.push_back(std::move(row));
        }
    }
    setRows(std::move(rows));
}

int ImportModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ImportModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const ImportRow& line = row(index.row());
    const std::array<const QString*, ColumnCount> cells{&line.state, &line.path, &line.format, &line.points, &line.reason};
    const QString& cell = *cells[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return cell;
    case SortRole:
        return index.column() == Points ? QVariant(static_cast<qulonglong>(line.count)) : QVariant(cell);
    case Qt::ToolTipRole:
        return cell;
    case Qt::TextAlignmentRole:
        return index.column() == Points ? QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    default:
        return {};
    }
}

QVariant ImportModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const std::array<QString, ColumnCount> titles{tr("State"), tr("File or folder"), tr("Taken for"), tr("Points"),
                                                  tr("Why, and what was noticed")};
    return section >= 0 && section < ColumnCount ? titles[static_cast<std::size_t>(section)] : QString();
}

} // namespace wb::ui
