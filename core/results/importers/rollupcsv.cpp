#include "core/results/importers/rollupcsv.h"

#include "core/base/text.h"
#include "core/results/csv.h"
#include "core/results/fieldreader.h"
#include "core/results/importers/rows.h"

#include <algorithm>
#include <array>

// benchmark-rollup.csv of srt-slurm: 12 columns, or 15 with the working GPU counts. tok/s and ms, an empty cell is a missing value.

namespace wb::results {

namespace {

struct Column {
    std::string_view title;
    std::string_view field;
    bool isMeasured; ///< 0 means "not measured".
};
constexpr auto columns = std::to_array<Column>({
    {"Concurrency", "concurrency", true},
    {"Total Token Throughput", "totalTps", false},
    {"Output Token Throughput", "outputTps", false},
    {"Median TTFT", "ttftMs.p50", true},
    {"Median TPOT", "tpotMs.p50", true},
    {"Median ITL", "itlMs.p50", true},
    {"Output Token Throughput per User", "tpsPerUserGiven", true},
    {"Total Token Throughput per GPU", "totalTpsPerGpu", true},
    {"Total GPU Count", "gpus.allocated", true},
    {"Total Working GPU Count", "gpus.working", true},
});

/// The rollup writes "nan" for a value that its source does not have.
bool isMissing(const std::string& cell)
{
    return base::lowered(base::trimmed(cell)) == "nan";
}

/// A row as an object, so that the same reader takes it.
base::json::Value objectOf(const CsvRow& header, const CsvRow& row)
{
    base::json::Value object;
    for (std::size_t i = 0; i < row.cells.size() && i < header.cells.size(); ++i)
        object.set(header.cells[i], isMissing(row.cells[i]) ? std::string() : row.cells[i]);
    return object;
}

void takeGpus(FieldReader& reader, Point& point)
{
    const bool hasWorking = point.gpus.working.has_value();
    reader.takeMeasured("gpus.total", {hasWorking ? "Total Working GPU Count" : "Total GPU Count"});
    reader.take("gpus.decode", {hasWorking ? "Decode Working GPU Count" : "Decode GPU Count"});
    reader.take("gpus.prefill", {"Prefill Working GPU Count"});
    if (point.gpus.total)
        point.gpus.origin = "the file";
    if (!hasWorking && point.gpus.total)
        addNote(point, "The GPU counts are those of the nodes (allocated); the file has none of the workers.");
    const double split = point.gpus.prefill.value_or(0) + point.gpus.decode.value_or(0);
    if (hasWorking && point.gpus.prefill && split > 0 && split != *point.gpus.working)
        addNote(point, "The file says " + base::textOf(*point.gpus.working) + " working GPUs, but " + base::textOf(split) +
                           " for prefill and decode together.");
}

/// Where the cell below a title stands.
PlaceOf placesIn(const Input& input, const CsvRow& header, const CsvRow& row)
{
    return [&](std::string_view title) -> std::string {
        const auto column = static_cast<std::size_t>(std::ranges::find(header.cells, title) - header.cells.begin());
        return column < row.begins.size() ? lineAndColumn(input.text, row.begins[column]) : std::string();
    };
}

Point readRow(const Input& input, const CsvRow& header, const CsvRow& row, std::size_t index)
{
    const base::json::Value object = objectOf(header, row);
    Point point = pointOf(input, "srt-slurm-rollup-csv", index);
    FieldReader reader(point, object, {}, placesIn(input, header, row));
    for (const Column& column : columns) {
        if (column.isMeasured)
            reader.takeMeasured(column.field, {column.title});
        else
            reader.take(column.field, {column.title});
    }
    takeGpus(reader, point);
    if (point.totalTps && point.outputTps)
        setDerived(point, "inputTps", *point.totalTps - *point.outputTps, "Total Token Throughput - Output Token Throughput");
    reader.takeText("variant", point.variant, {"Config"});
    point.run.text = point.variant.value_or("unnamed");
    return point;
}

bool isHeader(const CsvRow& row)
{
    const auto has = [&](std::string_view title) { return std::ranges::find(row.cells, title) != row.cells.end(); };
    return has("Config") && has("Concurrency") && has("Output Token Throughput");
}

} // namespace

bool sniffRollupCsv(const Input& input)
{
    const std::vector<CsvRow> rows = readCsv(input.text.substr(0, input.text.find('\n')));
    return !rows.empty() && isHeader(rows.front());
}

Result<PointSet> readRollupCsv(const Input& input, std::stop_token stop)
{
    const std::vector<CsvRow> rows = readCsv(input.text);
    PointSet set;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        if (stop.stop_requested())
            return failure(ErrorCode::Cancelled, "The import was stopped.");
        const std::vector<std::string>& cells = rows[i].cells;
        if (cells.size() != rows.front().cells.size()) {
            set.warnings.push_back("line " + std::to_string(rows[i].line) + ": left out, " + std::to_string(cells.size()) +
                                   " cells below " + std::to_string(rows.front().cells.size()) + " titles.");
            continue;
        }
        for (std::size_t c = 0; c < cells.size(); ++c)
            if (isMissing(cells[c]))
                set.warnings.push_back(base::inQuotes(rows.front().cells[c]) + " is " + base::inQuotes(cells[c]) + " in " +
                                       lineAndColumn(input.text, rows[i].begins[c]) + ": taken as not known.");
        set.points.push_back(readRow(input, rows.front(), rows[i], i - 1));
    }
    return set;
}

} // namespace wb::results
