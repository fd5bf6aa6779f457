#include "ui/models/variantsmodel.h"

#include "core/base/secrets.h"
#include "core/plan/cost.h"
#include "core/syntax/rewrite.h"
#include "core/syntax/value.h"
#include "ui/models/text.h"

#include <array>
#include <string_view>
#include <unordered_map>

namespace wb::ui {

namespace {

struct ColumnInfo {
    const char* title;
    const char* tip;
};

constexpr std::array<ColumnInfo, VariantsModel::ColumnCount> columns{{
    {QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Job"),
     QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Name under which the job is submitted")},
    {QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Suffix"),
     QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Suffix of the override or zip slice")},
    {QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Changed"),
     QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Keys that this job sets otherwise than the base, or the parameters of the sweep")},
    {QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Nodes"),
     QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Nodes of the allocation, dedicated ones included")},
    {QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "GPUs"),
     QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Allocated GPUs: nodes \u00d7 GPUs a node")},
    {QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Time limit"),
     QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Time limit, hours:minutes:seconds")},
    {QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "GPU-h"),
     QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Allocated GPUs \u00d7 time limit: the most that the job can cost")},
    {QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Problems"),
     QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Problems of this job, those that other jobs have too among them")},
    {QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Marks"),
     QT_TRANSLATE_NOOP("wb::ui::VariantsModel",
                       "An earlier job with the same resolved recipe but for its name; a name that several jobs have")},
    {QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Health wait"),
     QT_TRANSLATE_NOOP("wb::ui::VariantsModel",
                       "How long the job waits at most for the model to be served before it gives up, hours:minutes:seconds; that time is "
                       "a part of what it can cost")},
    {QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Points"),
     QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Benchmark points that the job is expected to give: one for each concurrency")},
    {QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Results"),
     QT_TRANSLATE_NOOP("wb::ui::VariantsModel", "Concurrencies of the job of which the catalogue has a valid point")},
}};

/// On one line; a list or mapping as it could be written there.
QString valueText(const syntax::Value& value)
{
    return text(value.isScalar() ? syntax::shown(value) : syntax::flowText(value));
}

QString unknownReason(const VariantRow& row, int column)
{
    if (!row.variant().job)
        return VariantsModel::tr("Not known: the job has errors.");
    if (column == VariantsModel::TimeColumn || column == VariantsModel::GpuHoursColumn)
        return VariantsModel::tr("Not known: the recipe and the cluster file give no time limit.");
    if (column == VariantsModel::PointsColumn)
        return VariantsModel::tr("Not known: the benchmark of the job tells no concurrencies.");
    return {};
}

QString problemsText(const VariantRow& row)
{
    QStringList parts;
    if (row.errors > 0)
        parts += VariantsModel::tr("%n error(s)", nullptr, static_cast<int>(row.errors));
    if (row.warnings > 0)
        parts += VariantsModel::tr("%n warning(s)", nullptr, static_cast<int>(row.warnings));
    if (parts.isEmpty())
        return row.variant().valid ? QString() : VariantsModel::tr("see the recipe's problems");
    return parts.join(QStringLiteral(", "));
}

QString marks(const VariantRow& row)
{
    QStringList parts;
    const auto& of = row.variant().duplicateOf;
    if (of && *of < row.checked->variants.size())
        parts += VariantsModel::tr("same as %1").arg(text(row.checked->variants[*of].name));
    if (row.sameName > 1)
        parts += VariantsModel::tr("name of %1 jobs").arg(row.sameName);
    return parts.join(QStringLiteral(", "));
}

plan::Cost costOf(const VariantRow& row)
{
    return plan::cost(*row.variant().job, row.variant().counts);
}

QString pointsText(const VariantRow& row)
{
    const std::size_t count = row.variant().job ? costOf(row).concurrencies.size() : 0;
    return count == 0 ? dash() : wholeNumber(static_cast<std::int64_t>(count));
}

/// "2 of 3", "none"; how many there are where nobody tells how many are expected.
QString resultsText(const VariantRow& row)
{
    if (!row.measured)
        return {};
    if (!row.measured->hasResults())
        return VariantsModel::tr("none");
    const auto valid = static_cast<int>(row.measured->valid);
    if (!row.measured->isExpectationKnown)
        return VariantsModel::tr("%n point(s)", nullptr, valid);
    const std::size_t expected = costOf(row).concurrencies.size();
    return VariantsModel::tr("%1 of %2").arg(expected - row.measured->missing.size()).arg(expected);
}

/// Which are missing, and of how many points it was said.
QString resultsTip(const VariantRow& row)
{
    if (!row.measured)
        return {};
    QString out = VariantsModel::tr("%n point(s) in the catalogue", nullptr, static_cast<int>(row.measured->points));
    if (row.measured->points > row.measured->valid)
        out += VariantsModel::tr(", %n of them not valid", nullptr, static_cast<int>(row.measured->points - row.measured->valid));
    QStringList levels;
    for (const std::int64_t level : row.measured->missing)
        levels += QString::number(level);
    return levels.isEmpty() ? out : out + VariantsModel::tr("; concurrencies without one: %1").arg(levels.join(QStringLiteral(", ")));
}

QVariant display(const VariantRow& row, int column)
{
    const check::CheckedVariant& variant = row.variant();
    const bool known = variant.job != nullptr;
    switch (column) {
    case VariantsModel::NameColumn:
        return variant.name.empty() ? dash() : text(variant.name);
    case VariantsModel::SuffixColumn:
        return variant.variant.suffix ? text(*variant.variant.suffix) : QString();
    case VariantsModel::ParamsColumn:
        return paramsText(variant);
    case VariantsModel::NodesColumn:
        return known ? wholeNumber(variant.counts.nodes) : dash();
    case VariantsModel::GpusColumn:
        return known ? wholeNumber(variant.counts.gpusAllocated) : dash();
    case VariantsModel::TimeColumn:
        return known ? duration(variant.counts.hours) : dash();
    case VariantsModel::GpuHoursColumn:
        return known ? number(variant.counts.gpuHours()) : dash();
    case VariantsModel::ProblemsColumn:
        return problemsText(row);
    case VariantsModel::MarkColumn:
        return marks(row);
    case VariantsModel::HealthColumn:
        return known ? duration(static_cast<double>(costOf(row).healthBudgetSeconds) / 3600.0) : dash();
    case VariantsModel::PointsColumn:
        return pointsText(row);
    case VariantsModel::ResultsColumn:
        return resultsText(row);
    default:
        return {};
    }
}

QVariant sortValue(const VariantRow& row, int column)
{
    const check::CheckedVariant& variant = row.variant();
    const bool known = variant.job != nullptr;
    switch (column) {
    case VariantsModel::NodesColumn:
        return known ? QVariant::fromValue<qlonglong>(variant.counts.nodes) : QVariant(qlonglong{-1});
    case VariantsModel::GpusColumn:
        return known ? QVariant::fromValue<qlonglong>(variant.counts.gpusAllocated) : QVariant(qlonglong{-1});
    case VariantsModel::TimeColumn:
        return known && variant.counts.hours ? *variant.counts.hours : -1.0;
    case VariantsModel::GpuHoursColumn:
        return known && variant.counts.gpuHours() ? *variant.counts.gpuHours() : -1.0;
    case VariantsModel::ProblemsColumn:
        return static_cast<qulonglong>(row.errors) * 1'000'000 + row.warnings;
    case VariantsModel::HealthColumn:
        return known ? QVariant::fromValue<qlonglong>(costOf(row).healthBudgetSeconds) : QVariant(qlonglong{-1});
    case VariantsModel::PointsColumn:
        return known ? static_cast<int>(costOf(row).concurrencies.size()) : -1;
    case VariantsModel::ResultsColumn:
        return row.measured ? static_cast<int>(row.measured->valid) : -1;
    default:
        return display(row, column);
    }
}

bool isNumeric(int column)
{
    return (column >= VariantsModel::NodesColumn && column <= VariantsModel::GpuHoursColumn) || column == VariantsModel::HealthColumn ||
           column == VariantsModel::PointsColumn;
}

QString paramsToEdit(const check::CheckedVariant& variant)
{
    const auto params = changeableParams(variant);
    QStringList parts;
    for (const auto& [key, value] : params)
        parts += QStringLiteral("%1 = %2").arg(text(key), text(value->text));
    return parts.join(QStringLiteral("; "));
}

} // namespace

std::vector<std::string> variantKeys(const check::Checked& checked)
{
    std::vector<std::string> keys;
    keys.reserve(checked.variants.size());
    for (const check::CheckedVariant& checkedVariant : checked.variants) {
        const expand::Variant& variant = checkedVariant.variant;
        if (variant.suffix || checked.form != expand::Form::Sweep) {
            keys.push_back(variant.suffix.value_or(std::string()));
            continue;
        }
        std::string key;
        for (const auto& [name, value] : variant.params)
            key += (key.empty() ? "" : ",") + name + "=" + (value ? syntax::shown(*value) : std::string());
        keys.push_back(std::move(key));
    }
    return keys;
}

QString paramsText(const check::CheckedVariant& variant)
{
    QStringList parts;
    QStringList last; // The name has a column of its own, and every override changes it.
    for (const auto& [key, value] : variant.variant.params)
        (key == "name" ? last : parts) +=
            value ? QStringLiteral("%1 = %2").arg(text(key), text(base::shownValue(key, valueText(*value).toStdString())))
                  : VariantsModel::tr("%1 deleted").arg(text(key));
    return (parts + last).join(QStringLiteral(", "));
}

std::vector<std::pair<std::string, syntax::ValuePtr>> changeableParams(const check::CheckedVariant& variant)
{
    std::vector<std::pair<std::string, syntax::ValuePtr>> out;
    for (const auto& [key, value] : variant.variant.params) {
        const bool isOneValue = value && value->isScalar() && value->source == syntax::Source::Recipe && !value->range.isEmpty();
        // What parts two parameters in the field cannot stand in one.
        if (isOneValue && value->text.find_first_of(";\n") == std::string::npos)
            out.emplace_back(key, value);
    }
    return out;
}

bool isSuffixChangeable(const check::CheckedVariant& variant)
{
    const auto& suffix = variant.variant.suffix;
    return suffix && !suffix->empty() && variant.variant.section == "override_" + *suffix;
}

VariantsModel::VariantsModel(QObject* parent)
    : RowsModel(parent)
{
}

void VariantsModel::setVariants(const std::shared_ptr<const check::Checked>& checked)
{
    std::vector<VariantRow> rows;
    if (checked) {
        std::unordered_map<std::string_view, std::size_t> names;
        for (const check::CheckedVariant& variant : checked->variants)
            names[variant.name] += variant.name.empty() ? 0 : 1;
        std::vector<std::string> keys = variantKeys(*checked);
        rows.reserve(keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const check::CheckedVariant& variant = checked->variants[i];
            rows.push_back({std::move(keys[i]), checked, i, variant.errors, variant.warnings, names[variant.name]});
            // Until the points are looked through again; a key press changes nothing of them.
            if (i < this->rows().size() && this->rows()[i].id == rows.back().id && variant.job)
                rows.back().measured = this->rows()[i].measured;
        }
    }
    setRows(std::move(rows));
}

void VariantsModel::setMeasured(const std::vector<std::optional<analysis::Measured>>& measured)
{
    std::vector<VariantRow> changed = rows();
    if (measured.size() != changed.size())
        return;
    for (VariantRow& row : changed)
        row.measured = measured[row.index];
    setRows(std::move(changed));
}

int VariantsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant VariantsModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const VariantRow& row = this->row(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return display(row, index.column());
    case SortRole:
        return sortValue(row, index.column());
    case SeverityRole:
        if (row.errors > 0 || !row.variant().valid)
            return static_cast<int>(syntax::Severity::Error);
        return row.warnings > 0 ? QVariant(static_cast<int>(syntax::Severity::Warning)) : QVariant();
    case Qt::EditRole:
        return index.column() == ParamsColumn ? paramsToEdit(row.variant()) : display(row, index.column());
    case Qt::TextAlignmentRole:
        return isNumeric(index.column()) ? QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ToolTipRole: {
        if (index.column() == ResultsColumn)
            return resultsTip(row);
        const QString shown = display(row, index.column()).toString();
        return shown == dash() ? unknownReason(row, index.column()) : shown;
    }
    default:
        return {};
    }
}

QVariant VariantsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const ColumnInfo& column = columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return tr(column.title);
    if (role == Qt::ToolTipRole)
        return tr(column.tip);
    if (role == Qt::TextAlignmentRole && isNumeric(section))
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

Qt::ItemFlags VariantsModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = RowsModel::flags(index);
    if (!index.isValid())
        return flags;
    const check::CheckedVariant& variant = row(index.row()).variant();
    const bool mayEdit = (index.column() == SuffixColumn && isSuffixChangeable(variant)) ||
                         (index.column() == ParamsColumn && !changeableParams(variant).empty());
    return mayEdit ? flags | Qt::ItemIsEditable : flags;
}

bool VariantsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role == Qt::EditRole && flags(index).testFlag(Qt::ItemIsEditable) && value.toString() != data(index, role).toString())
        Q_EMIT edited(index.row(), index.column(), value.toString());
    return false;
}

} // namespace wb::ui
