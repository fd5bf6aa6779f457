#include "core/results/importers/rollupjson.h"

#include "core/results/fieldreader.h"
#include "core/results/filename.h"
#include "core/results/importers/perfexport.h"
#include "core/results/importers/rows.h"

// benchmark-rollup.json of srt-slurm. For sa-bench: one object with a list of runs, one for each concurrency, and no GPU count. For
// mooncake-router: the export of aiperf below `data`.

namespace wb::results {

using base::json::Value;

namespace {

bool isRollup(const Value& object)
{
    const Value* runs = object.find("runs");
    if (!runs || runs->array().empty() || !hasAll(object, {"benchmark_type", "config"}))
        return false;
    return hasAll(runs->array().front(), {"concurrency", "throughput_toks"});
}

bool holdsExport(const Value& object)
{
    const Value* data = object.find("data");
    return data && hasAll(object, {"benchmark_type", "config"}) && isPerfExport(*data);
}

void takeCounts(FieldReader& reader, Point& point)
{
    reader.take("completed", {"completed_requests"});
    const auto input = reader.counted("isl", "total_input_tokens");
    const auto output = reader.counted("osl", "total_output_tokens");
    if (!point.completed || *point.completed <= 0)
        return;
    if (input)
        setDerived(point, "isl", *input / *point.completed, "total_input_tokens / completed_requests");
    if (output)
        setDerived(point, "osl", *output / *point.completed, "total_output_tokens / completed_requests");
}

/// `position` is the run's own in its list, `index` counts over the whole file.
Point readRun(const Input& input, const Row& row, std::size_t position, std::size_t index)
{
    const Value& config = *row.object->find("config");
    const Value& run = row.object->find("runs")->array()[position];
    Point point = pointOf(input, "srt-slurm-rollup-json", index);
    FieldReader settings(point, config, "config.", placesIn(input, row, {std::string("config")}));
    settings.takeText("model", point.model, {"model"});
    settings.takeMeasured("isl", {"isl"});
    settings.takeMeasured("osl", {"osl"});
    FieldReader reader(point, run, {}, placesIn(input, row, {std::string("runs"), position}));
    reader.takeMeasured("concurrency", {"concurrency"});
    reader.take("outputTps", {"throughput_toks"});
    reader.take("requestsPerS", {"request_throughput"});
    takeCounts(reader, point);
    struct Column {
        std::string_view field, key;
    };
    for (const Column& column :
         {Column{"ttftMs.mean", "ttft_mean_ms"}, Column{"ttftMs.p99", "ttft_p99_ms"}, Column{"tpotMs.mean", "tpot_mean_ms"},
          Column{"tpotMs.p99", "tpot_p99_ms"}, Column{"itlMs.mean", "itl_mean_ms"}, Column{"itlMs.p99", "itl_p99_ms"},
          Column{"e2eMs.mean", "e2el_mean_ms"}})
        reader.takeMeasured(column.field, {column.key});
    const std::string folder = tellingFolder(folderOf(input.path));
    point.run.text = folder.empty() ? "rollup" : folder;
    return point;
}

Point readExport(const Input& input, const Row& row, std::size_t index)
{
    Point point = pointOf(input, "srt-slurm-rollup-json", index);
    const PerfExport source{*row.object->find("data"), "data.", [&](std::string_view metric) {
                                return placesIn(input, row, {std::string("data"), std::string(metric)});
                            }};
    takePerfMetrics(source, point);
    takePerfSettings(source, point);
    FieldReader settings(point, *row.object->find("config"), "config.", placesIn(input, row, {std::string("config")}));
    if (!point.model)
        settings.takeText("model", point.model, {"model"});
    settings.takeText("variant", point.variant, {"workload"});
    return point;
}

bool isMine(const Value& object)
{
    return isRollup(object) || holdsExport(object);
}

} // namespace

bool sniffRollupJson(const Input& input)
{
    return anyRow(input, isMine);
}

Result<PointSet> readRollupJson(const Input& input, std::stop_token stop)
{
    PointSet set;
    std::size_t index = 0;
    for (const Row& row : rowsOf(input)) {
        if (holdsExport(*row.object))
            set.points.push_back(readExport(input, row, index++));
        if (!isRollup(*row.object))
            continue;
        for (std::size_t position = 0; position < row.object->find("runs")->array().size(); ++position) {
            if (stop.stop_requested())
                return failure(ErrorCode::Cancelled, "The import was stopped.");
            set.points.push_back(readRun(input, row, position, index++));
        }
    }
    return set;
}

} // namespace wb::results
