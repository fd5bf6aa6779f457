#include "ui/models/pointfacts.h"

#include "core/base/text.h"
#include "core/results/importer.h"
#include "ui/models/text.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace wb::ui {

namespace {

using results::Point;

/// What the user may say of a point that its file does not tell, or tells wrongly: `results::setByUser` takes them. These are listed also
/// where they are not known.
constexpr std::array<std::string_view, 20> editable{"gpus.working", "gpus.total", "gpus.prefill", "gpus.decode", "gpus.allocated",
                                                    "isl",          "osl",        "concurrency",  "model",       "engine",
                                                    "precision",    "hardware",   "recipe",       "variant",     "tp",
                                                    "pp",           "ep",         "gpuHourPrice", "gpuPowerW",   "timeToReadyS"};

bool isEditable(std::string_view field)
{
    return std::ranges::find(editable, field) != editable.end();
}

FactRow rowOf(const Point& point, std::string_view key, std::string_view title, std::string_view unit)
{
    FactRow row;
    row.id = key;
    row.title = text(title);
    row.isEditable = isEditable(key);
    const auto value = results::fieldText(point, key);
    row.written = value ? text(*value) : QString();
    row.value = value ? row.written + (unit.empty() ? QString() : QLatin1Char(' ') + text(unit)) : dash();
    if (const auto origin = results::originOf(point, key)) {
        row.isByUser = origin->key == results::toldByUser;
        row.from = row.isByUser ? PointFacts::tr("told by you")
                                : PointFacts::tr("%1 = %2 in %3").arg(text(origin->key), text(origin->raw), text(origin->file));
    } else if (!value) {
        const auto why = results::whyUnknown(point, key);
        row.from = why ? text(*why) : PointFacts::tr("no file tells it");
    }
    if (key.starts_with("gpus.") && value && !row.isByUser && row.from.isEmpty() && !point.gpus.origin.empty())
        row.from = text(point.gpus.origin);
    return row;
}

std::vector<FactRow> rowsOf(const Point& point)
{
    std::vector<FactRow> rows;
    const auto say = [&rows](std::string_view id, const QString& title, const std::vector<std::string>& sentences) {
        for (std::size_t i = 0; i < sentences.size(); ++i)
            rows.push_back(
                {.id = std::string(id) + ' ' + std::to_string(i), .title = title, .value = text(sentences[i]), .from = {}, .written = {}});
    };
    rows.push_back({.id = "valid",
                    .title = PointFacts::tr("Valid"),
                    .value = point.valid ? PointFacts::tr("yes") : PointFacts::tr("no: kept off every frontier"),
                    .from = {},
                    .written = {}});
    say("reason", PointFacts::tr("Why not"), point.reasons);
    say("note", PointFacts::tr("Noticed"), point.notes);
    for (const std::string_view key : editable)
        if (const results::NumberField* field = results::findNumberField(key))
            rows.push_back(rowOf(point, key, field->title, field->unit));
        else
            rows.push_back(rowOf(point, key, results::findTextField(key)->title, {}));
    for (const results::TextField& field : results::textFields())
        if (!isEditable(field.key) && field.key != "valid" && field.key != "tags" && field.key != "note" && field.text(point))
            rows.push_back(rowOf(point, field.key, field.title, {}));
    for (const results::NumberField& field : results::numberFields())
        if (!isEditable(field.key) && (field.of(point) || results::whyUnknown(point, field.key)))
            rows.push_back(rowOf(point, field.key, field.title, field.unit));
    return rows;
}

} // namespace

PointFacts::PointFacts(QObject* parent)
    : RowsModel(parent)
{
}

void PointFacts::setPoint(const results::Point* point, std::vector<FactRow> beside)
{
    std::vector<FactRow> rows = point ? rowsOf(*point) : std::vector<FactRow>();
    const auto first = std::ranges::find_if(rows, [](const FactRow& row) { return isEditable(row.id); });
    rows.insert(first, std::make_move_iterator(beside.begin()), std::make_move_iterator(beside.end()));
    setRows(std::move(rows));
}

int PointFacts::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

Qt::ItemFlags PointFacts::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags given = RowsModel::flags(index);
    return index.isValid() && index.column() == Value && row(index.row()).isEditable ? given | Qt::ItemIsEditable : given;
}

QVariant PointFacts::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const FactRow& fact = row(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == Title ? fact.title : index.column() == Value ? fact.value : fact.from;
    case Qt::EditRole:
        return fact.written;
    case SortRole:
        return index.row();
    case Qt::ToolTipRole:
        return fact.isEditable
                   ? tr("%1\nF2 or a double click changes it; the file stays as it is").arg(fact.from.isEmpty() ? fact.value : fact.from)
               : fact.from.isEmpty() ? fact.value
                                     : fact.from;
    default:
        return {};
    }
}

QVariant PointFacts::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Title ? tr("Field") : section == Value ? tr("Value") : section == From ? tr("From") : QString();
}

bool PointFacts::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !index.isValid() || !row(index.row()).isEditable)
        return false;
    const QString text = value.toString().trimmed();
    if (text == row(index.row()).written)
        return false;
    Q_EMIT edited(ui::text(row(index.row()).id), text);
    return true;
}

} // namespace wb::ui
