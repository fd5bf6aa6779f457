#include "core/results/importers/genaibench.h"

#include "core/base/text.h"
#include "core/results/fieldreader.h"
#include "core/results/filename.h"
#include "core/results/importers/rows.h"

#include <array>

// genai-bench writes a file for each concurrency. Latencies are in seconds unless `_time_unit` says "ms"; the model, the engine and the
// GPUs stand in experiment_metadata.json beside it, see runfacts.h.

namespace wb::results {

using base::json::Value;

namespace {

bool isResult(const Value& object)
{
    const Value* metrics = object.find("aggregated_metrics");
    return metrics && metrics->find("stats");
}

struct Group {
    std::string_view field, key;
};
constexpr auto groups = std::to_array<Group>({{"ttftMs", "ttft"}, {"tpotMs", "tpot"}, {"e2eMs", "e2e_latency"}});

/// The statistics of a metric. Old files have a list of objects, one a metric, in place of the object.
const Value* statisticsOf(const Value& stats, std::string_view metric)
{
    if (const Value* found = stats.find(metric))
        return found;
    for (const Value& item : stats.array()) {
        if (const Value* found = item.find(metric))
            return found;
        const Value* name = item.find("metric");
        if (name && name->string() && *name->string() == metric)
            return &item;
    }
    return nullptr;
}

double factorOf(const Value& object, const Value& metrics)
{
    for (const Value* each : {&object, &metrics})
        if (const Value* unit = each->find("_time_unit"); unit && unit->string() && *unit->string() == "ms")
            return 1.0;
    return 1000.0;
}

/// A backend that does not stream gives the first token with the last: what is called TTFT is a constant, and TPOT holds the prefill.
void noteConstantTtft(Point& point, const Value& ttft)
{
    const Value* least = ttft.find("min");
    const Value* most = ttft.find("max");
    if (point.completed.value_or(0) > 1 && least && most && least->number() && least->number() == most->number())
        addNote(point, "TTFT is the same for every request: the server did not stream, and TPOT holds the prefill.");
}

void takeCounts(FieldReader& reader, Point& point)
{
    reader.take("completed", {"num_completed_requests"});
    reader.take("requested", {"num_requests"});
    reader.take("failed", {"num_error_requests"});
    if (reader.number("error_rate") == 0.0 && point.failed.value_or(0) > 0)
        addNote(point, "\"error_rate\" is 0, but " + base::textOf(*point.failed) + " requests failed.");
}

Point readRow(const Input& input, const Row& row)
{
    Point point = pointOf(input, "genai-bench", row.index);
    const Value& metrics = *row.object->find("aggregated_metrics");
    FieldReader reader(point, metrics, "aggregated_metrics.", placesIn(input, row, {std::string("aggregated_metrics")}));
    reader.take("concurrency", {"num_concurrency", "concurrency"});
    takeCounts(reader, point);
    reader.take("durationS", {"run_duration"});
    if (!reader.take("requestsPerS", {"requests_per_second"}))
        reader.take("requestsPerS", {"requests_per_minute"}, 1.0 / 60.0);
    reader.take("outputTps", {"mean_output_throughput_tokens_per_s"});
    reader.take("inputTps", {"mean_input_throughput_tokens_per_s"});
    reader.take("totalTps", {"mean_total_tokens_throughput_tokens_per_s"});
    reader.takeText("variant", point.variant, {"scenario"});
    const Value& stats = *metrics.find("stats");
    const auto groupReader = [&](std::string_view key, const Value& statistics) {
        return FieldReader(point, statistics, "aggregated_metrics.stats." + std::string(key) + '.',
                           placesIn(input, row, {std::string("aggregated_metrics"), std::string("stats"), std::string(key)}));
    };
    const double factor = factorOf(*row.object, metrics);
    for (const Group& group : groups)
        if (const Value* statistics = statisticsOf(stats, group.key)) {
            FieldReader values = groupReader(group.key, *statistics);
            for (const StatisticName& name : statisticNames())
                values.takeMeasured(std::string(group.field) + '.' + std::string(name.field), {name.name}, factor);
        }
    for (const auto& [field, key] : {std::pair("isl", "num_input_tokens"), std::pair("osl", "num_output_tokens")})
        if (const Value* statistics = statisticsOf(stats, key))
            groupReader(key, *statistics).take(field, {"mean"});
    if (const Value* ttft = statisticsOf(stats, "ttft"))
        noteConstantTtft(point, *ttft);
    const std::string folder = tellingFolder(folderOf(input.path));
    point.run.text = folder.empty() ? point.variant.value_or("genai-bench") : folder;
    return point;
}

} // namespace

bool sniffGenaiBench(const Input& input)
{
    return anyRow(input, isResult);
}

Result<PointSet> readGenaiBench(const Input& input, std::stop_token stop)
{
    return readRows(
        input, stop, "a result of genai-bench", [](const Row& row) { return isResult(*row.object); },
        [&](const Row& row) { return readRow(input, row); });
}

} // namespace wb::results
