#include "ui/models/pointsmodel.h"

#include "core/analysis/axes.h"
#include "core/base/text.h"
#include "ui/models/text.h"

#include <span>

namespace wb::ui {

namespace {

using results::Point;

/// What a cell holds: a number, or words; neither: not known.
struct Cell {
    std::optional<double> number;
    std::optional<std::string> words;
    std::string why;  ///< Why it is not known, where more can be said than that the file does not tell it.
    std::string note; ///< How the number was had, where it is not the file's own.
};

// To add a column: a row.
struct ColumnInfo {
    const char* field; ///< Name in the contract; key of Point::origins.
    const char* title;
    const char* tip;
    bool isNumeric;
    Cell (*cell)(const Point&);
};

Cell words(std::string value)
{
    return {std::nullopt, value.empty() ? std::nullopt : std::optional(std::move(value)), {}, {}};
}

Cell words(const std::optional<std::string>& value)
{
    return {std::nullopt, value, {}, {}};
}

Cell figure(std::optional<double> value)
{
    return {value, std::nullopt, {}, {}};
}

/// What a chart would show there: the same number by the same definition.
Cell onAxis(std::string_view id, const Point& point)
{
    const analysis::Axis* axis = analysis::findAxis(id);
    Q_ASSERT(axis);
    analysis::AxisValue found = analysis::valueOn(*axis, point);
    return {found.value, std::nullopt, std::move(found.reason), axis->definition + (found.note.empty() ? "" : "\n" + found.note)};
}

#define WB_TR(words) QT_TRANSLATE_NOOP("wb::ui::PointsModel", words)

constexpr ColumnInfo all[] = {
    {"run", WB_TR("Run"), WB_TR("The run that the point belongs to"), false, [](const Point& p) { return words(p.run.text); }},
    {"valid", WB_TR("Valid"), WB_TR("Whether the point may stand on a frontier; the reason is in the cell's tooltip"), false,
     [](const Point& p) { return words(std::string(p.valid ? "yes" : "no")); }},
    {"reasons", WB_TR("Why not"), WB_TR("Why the point cannot be trusted"), false,
     [](const Point& p) {
         return Cell{std::nullopt, base::joined(p.reasons, "; "), {}, {}};
     }},
    {"simulated", WB_TR("Simulated"), WB_TR("Made by a simulation, not measured"), false,
     [](const Point& p) {
         return Cell{std::nullopt, p.simulated ? "simulated" : "", {}, {}};
     }},
    {"model", WB_TR("Model"), WB_TR("Model that was served"), false, [](const Point& p) { return words(p.model); }},
    {"engine", WB_TR("Engine"), WB_TR("Inference engine"), false, [](const Point& p) { return words(p.engine); }},
    {"precision", WB_TR("Precision"), WB_TR("Precision of the weights"), false, [](const Point& p) { return words(p.precision); }},
    {"hardware", WB_TR("Hardware"), WB_TR("GPU type"), false, [](const Point& p) { return words(p.hardware); }},
    {"variant", WB_TR("Variant"), WB_TR("Variant of the recipe"), false, [](const Point& p) { return words(p.variant); }},
    {"isl", WB_TR("ISL (tokens)"), WB_TR("Input tokens a request"), true, [](const Point& p) { return figure(p.isl); }},
    {"osl", WB_TR("OSL (tokens)"), WB_TR("Output tokens a request"), true, [](const Point& p) { return figure(p.osl); }},
    {"concurrency", WB_TR("Concurrency"), WB_TR("Requests in flight"), true, [](const Point& p) { return figure(p.concurrency); }},
    {"tps-per-user", WB_TR("tok/s/user"), WB_TR("Output tokens/s that one user sees; the chart's first x axis"), true,
     [](const Point& p) { return onAxis(analysis::defaultX, p); }},
    {"output-tps-per-gpu", WB_TR("tok/s/GPU"), WB_TR("Output tokens/s for each working GPU; the chart's first y axis"), true,
     [](const Point& p) { return onAxis(analysis::defaultY, p); }},
    {"users", WB_TR("Users"), WB_TR("Simultaneous users"), true, [](const Point& p) { return figure(p.users); }},
    {"requestRate", WB_TR("Request rate (req/s)"), WB_TR("Requests/s offered; not known for an unlimited rate"), true,
     [](const Point& p) { return figure(p.requestRate); }},
    {"completed", WB_TR("Completed"), WB_TR("Requests that completed"), true, [](const Point& p) { return figure(p.completed); }},
    {"requested", WB_TR("Requested"), WB_TR("Requests that were sent"), true, [](const Point& p) { return figure(p.requested); }},
    {"failed", WB_TR("Failed"), WB_TR("Requests that failed"), true, [](const Point& p) { return figure(p.failed); }},
    {"durationS", WB_TR("Duration (s)"), WB_TR("Length of the measurement, seconds"), true,
     [](const Point& p) { return figure(p.durationS); }},
    {"outputTps", WB_TR("Output tok/s"), WB_TR("Output tokens/s of the whole system"), true,
     [](const Point& p) { return figure(p.outputTps); }},
    {"totalTps", WB_TR("Total tok/s"), WB_TR("Input and output tokens/s of the whole system"), true,
     [](const Point& p) { return figure(p.totalTps); }},
    {"inputTps", WB_TR("Input tok/s"), WB_TR("Input tokens/s of the whole system"), true,
     [](const Point& p) { return figure(p.inputTps); }},
    {"requestsPerS", WB_TR("Throughput (req/s)"), WB_TR("Requests completed a second"), true,
     [](const Point& p) { return figure(p.requestsPerS); }},
    {"ttftMs.mean", WB_TR("TTFT mean (ms)"), WB_TR("Time to first token, mean, ms"), true,
     [](const Point& p) { return figure(p.ttftMs.mean); }},
    {"ttftMs.p50", WB_TR("TTFT p50 (ms)"), WB_TR("Time to first token, median, ms"), true,
     [](const Point& p) { return figure(p.ttftMs.p50); }},
    {"ttftMs.p90", WB_TR("TTFT p90 (ms)"), WB_TR("Time to first token, 90th percentile, ms"), true,
     [](const Point& p) { return figure(p.ttftMs.p90); }},
    {"ttftMs.p95", WB_TR("TTFT p95 (ms)"), WB_TR("Time to first token, 95th percentile, ms"), true,
     [](const Point& p) { return figure(p.ttftMs.p95); }},
    {"ttftMs.p99", WB_TR("TTFT p99 (ms)"), WB_TR("Time to first token, 99th percentile, ms"), true,
     [](const Point& p) { return figure(p.ttftMs.p99); }},
    {"tpotMs.mean", WB_TR("TPOT mean (ms)"), WB_TR("Time per output token, mean, ms"), true,
     [](const Point& p) { return figure(p.tpotMs.mean); }},
    {"tpotMs.p50", WB_TR("TPOT p50 (ms)"), WB_TR("Time per output token, median, ms"), true,
     [](const Point& p) { return figure(p.tpotMs.p50); }},
    {"tpotMs.p90", WB_TR("TPOT p90 (ms)"), WB_TR("Time per output token, 90th percentile, ms"), true,
     [](const Point& p) { return figure(p.tpotMs.p90); }},
    {"tpotMs.p95", WB_TR("TPOT p95 (ms)"), WB_TR("Time per output token, 95th percentile, ms"), true,
     [](const Point& p) { return figure(p.tpotMs.p95); }},
    {"tpotMs.p99", WB_TR("TPOT p99 (ms)"), WB_TR("Time per output token, 99th percentile, ms"), true,
     [](const Point& p) { return figure(p.tpotMs.p99); }},
    {"itlMs.mean", WB_TR("ITL mean (ms)"), WB_TR("Time between tokens, mean, ms"), true,
     [](const Point& p) { return figure(p.itlMs.mean); }},
    {"itlMs.p50", WB_TR("ITL p50 (ms)"), WB_TR("Time between tokens, median, ms"), true,
     [](const Point& p) { return figure(p.itlMs.p50); }},
    {"itlMs.p90", WB_TR("ITL p90 (ms)"), WB_TR("Time between tokens, 90th percentile, ms"), true,
     [](const Point& p) { return figure(p.itlMs.p90); }},
    {"itlMs.p95", WB_TR("ITL p95 (ms)"), WB_TR("Time between tokens, 95th percentile, ms"), true,
     [](const Point& p) { return figure(p.itlMs.p95); }},
    {"itlMs.p99", WB_TR("ITL p99 (ms)"), WB_TR("Time between tokens, 99th percentile, ms"), true,
     [](const Point& p) { return figure(p.itlMs.p99); }},
    {"e2eMs.mean", WB_TR("E2E mean (ms)"), WB_TR("Time of a whole request, mean, ms"), true,
     [](const Point& p) { return figure(p.e2eMs.mean); }},
    {"e2eMs.p50", WB_TR("E2E p50 (ms)"), WB_TR("Time of a whole request, median, ms"), true,
     [](const Point& p) { return figure(p.e2eMs.p50); }},
    {"e2eMs.p90", WB_TR("E2E p90 (ms)"), WB_TR("Time of a whole request, 90th percentile, ms"), true,
     [](const Point& p) { return figure(p.e2eMs.p90); }},
    {"e2eMs.p95", WB_TR("E2E p95 (ms)"), WB_TR("Time of a whole request, 95th percentile, ms"), true,
     [](const Point& p) { return figure(p.e2eMs.p95); }},
    {"e2eMs.p99", WB_TR("E2E p99 (ms)"), WB_TR("Time of a whole request, 99th percentile, ms"), true,
     [](const Point& p) { return figure(p.e2eMs.p99); }},
    {"gpus.total", WB_TR("GPUs"), WB_TR("GPUs as the file counts them"), true, [](const Point& p) { return figure(p.gpus.total); }},
    {"gpus.prefill", WB_TR("Prefill GPUs"), WB_TR("GPUs of the prefill workers"), true,
     [](const Point& p) { return figure(p.gpus.prefill); }},
    {"gpus.decode", WB_TR("Decode GPUs"), WB_TR("GPUs of the decode workers"), true, [](const Point& p) { return figure(p.gpus.decode); }},
    {"gpus.working", WB_TR("Working GPUs"), WB_TR("GPUs of all workers"), true, [](const Point& p) { return figure(p.gpus.working); }},
    {"gpus.allocated", WB_TR("Allocated GPUs"), WB_TR("GPUs of all nodes of the job"), true,
     [](const Point& p) { return figure(p.gpus.allocated); }},
    {"gpus.origin", WB_TR("GPUs from"), WB_TR("Who says how many GPUs there were"), false,
     [](const Point& p) { return words(p.gpus.origin); }},
    {"format", WB_TR("Format"), WB_TR("Format of the file"), false, [](const Point& p) { return words(p.format); }},
    {"recipe", WB_TR("Recipe"), WB_TR("Recipe that the run was made from"), false, [](const Point& p) { return words(p.recipe); }},
    {"tags", WB_TR("Tags"), WB_TR("The user's, of the run"), false, [](const Point& p) { return words(base::joined(p.tags, " ")); }},
    {"note", WB_TR("Note"), WB_TR("The user's, of the run"), false, [](const Point& p) { return words(p.userNote); }},
    {"tp", WB_TR("TP"), WB_TR("Tensor parallel size, where it is the same for all workers"), true, [](const Point& p) { return figure(p.tp); }},
    {"pp", WB_TR("PP"), WB_TR("Pipeline parallel size, as above"), true, [](const Point& p) { return figure(p.pp); }},
    {"ep", WB_TR("EP"), WB_TR("Expert parallel size, as above"), true, [](const Point& p) { return figure(p.ep); }},
    {"failure-rate", WB_TR("Failed (%)"), WB_TR("Requests that failed / requests that were sent"), true,
     [](const Point& p) {
         const bool isKnown = p.failed && p.requested && *p.requested > 0;
         return figure(isKnown ? std::optional(100.0 * *p.failed / *p.requested) : std::nullopt);
     }},
    {"goodput", WB_TR("Goodput (req/s)"), WB_TR("Requests a second that kept the limits which the client was given"), true,
     [](const Point& p) { return figure(p.goodput); }},
    {"accuracy", WB_TR("Accuracy"), WB_TR("Score of the accuracy benchmark that ran beside: speed may be bought with wrong answers"), true,
     [](const Point& p) { return figure(p.accuracy); }},
    {"accuracyTask", WB_TR("Accuracy of"), WB_TR("The task of the accuracy benchmark"), false,
     [](const Point& p) { return words(p.accuracyTask); }},
    {"timeToReadyS", WB_TR("Time to ready (s)"), WB_TR("From the start of the run's workers until its model was ready"), true,
     [](const Point& p) { return figure(p.timeToReadyS); }},
    {"idle-gpu-hours", WB_TR("Idle at the start (GPU h)"), WB_TR("GPU-hours that went by before the first request"), true,
     [](const Point& p) { return onAxis("idle-gpu-hours", p); }},
    {"gpuHourPrice", WB_TR("$/GPU-hour"), WB_TR("Price of a GPU-hour, as you gave it under Prices and power"), true,
     [](const Point& p) { return figure(p.gpuHourPrice); }},
    {"gpuPowerW", WB_TR("Power of a GPU (W)"), WB_TR("Measured where the file tells it, else as you gave it under Prices and power"), true,
     [](const Point& p) { return figure(p.gpuPowerW); }},
    {"cost-per-m-output-tokens", WB_TR("$/M output tokens"), WB_TR("Cost of a million output tokens on the working GPUs"), true,
     [](const Point& p) { return onAxis("cost-per-m-output-tokens", p); }},
    {"joules-per-output-token", WB_TR("J/output token"), WB_TR("Energy of each output token on the working GPUs"), true,
     [](const Point& p) { return onAxis("joules-per-output-token", p); }},
    {"source", WB_TR("File"), WB_TR("File that the point was read from"), false, [](const Point& p) { return words(p.source); }},
};

#undef WB_TR

std::span<const ColumnInfo> columns()
{
    return all;
}

QString shown(const Cell& cell)
{
    if (cell.words)
        return text(*cell.words);
    return cell.number ? number(cell.number) : dash();
}

QString toolTip(const Point& point, const ColumnInfo& column)
{
    if (std::string_view(column.field) == "valid" && !point.reasons.empty())
        return text(base::joined(point.reasons, "\n"));
    const auto origin = point.origins.find(column.field);
    const Cell cell = column.cell(point);
    if (!cell.number && !cell.words)
        if (const auto why = results::whyUnknown(point, column.field))
            return PointsModel::tr("Not known: %1").arg(text(*why));
    if (!cell.number && !cell.words)
        return cell.why.empty() ? PointsModel::tr("Not known: the file does not tell it.")
                                : PointsModel::tr("Not known: %1").arg(text(cell.why));
    if (!cell.note.empty())
        return shown(cell) + QLatin1Char('\n') + text(cell.note);
    if (origin == point.origins.end())
        return shown(cell);
    return PointsModel::tr("%1 = %2\nin %3").arg(text(origin->second.key), text(origin->second.raw), text(origin->second.file));
}

} // namespace

PointsModel::PointsModel(QObject* parent)
    : RowsModel(parent)
{
}

void PointsModel::setPoints(const Points& points)
{
    std::vector<PointRow> rows;
    if (points) {
        rows.reserve(points->size());
        for (std::size_t i = 0; i < points->size(); ++i)
            rows.push_back({(*points)[i].id.text, points, i});
    }
    setRows(std::move(rows));
}

QString PointsModel::titleOf(int column)
{
    return tr(columns()[static_cast<std::size_t>(column)].title);
}

const char* PointsModel::fieldOf(int column)
{
    return columns()[static_cast<std::size_t>(column)].field;
}

int PointsModel::columnOf(std::string_view field)
{
    for (std::size_t i = 0; i < columns().size(); ++i) {
        if (columns()[i].field == field)
            return static_cast<int>(i);
    }
    return -1;
}

int PointsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(columns().size());
}

QVariant PointsModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const Point& point = row(index.row()).point();
    const ColumnInfo& column = columns()[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return shown(column.cell(point));
    case SortRole: {
        const Cell cell = column.cell(point);
        if (column.isNumeric)
            return cell.number ? QVariant(*cell.number) : QVariant();
        return cell.words ? QVariant(text(*cell.words)) : QVariant();
    }
    case CopyRole: {
        const Cell cell = column.cell(point);
        return cell.words ? text(*cell.words) : cell.number ? text(base::textOf(*cell.number)) : QString();
    }
    case ValidRole:
        return point.valid;
    case PointIdRole:
        return text(point.id.text);
    case Qt::ToolTipRole:
        return toolTip(point, column);
    case Qt::TextAlignmentRole:
        return column.isNumeric ? QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    default:
        return {};
    }
}

QVariant PointsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const ColumnInfo& column = columns()[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return tr(column.title);
    if (role == Qt::ToolTipRole)
        return tr(column.tip);
    if (role == Qt::TextAlignmentRole && column.isNumeric)
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

} // namespace wb::ui
