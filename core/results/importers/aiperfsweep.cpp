#include "core/results/importers/aiperfsweep.h"

#include "core/base/text.h"
#include "core/results/fieldreader.h"
#include "core/results/filename.h"
#include "core/results/importers/perfexport.h"
#include "core/results/importers/rows.h"

#include <algorithm>
#include <array>

// What aiperf works out over the runs of a sweep: for each combination of parameters the mean over its trials of every metric and
// statistic ("time_to_first_token_p99": {mean, std, ci_low, ci_high, unit}). Where the exports of the runs are imported too, they go
// before these. Three shapes: a list of {parameters, metrics}, an object of metrics by parameter value, and the aggregate of one
// combination.

namespace wb::results {

using base::json::Value;

namespace {

bool isList(const Value& object)
{
    const Value* list = object.find("per_combination_metrics");
    return list && !list->array().empty();
}

bool isByValue(const Value& object)
{
    const Value* values = object.find("per_value_metrics");
    return values && !values->object().empty();
}

bool isAggregate(const Value& object)
{
    const Value* kind = object.at({"metadata", "aggregation_type"});
    return kind && kind->string() && *kind->string() == "confidence" && object.find("metrics");
}

bool isMine(const Value& object)
{
    return isList(object) || isByValue(object) || isAggregate(object);
}

/// Where the numbers of one combination are, in messages and provenance.
struct Source {
    const Input& input;
    const Row& row;
    std::vector<PathStep> path;
    std::string prefix;
};

/// The mean over the trials of one metric, times what its unit asks for.
bool takeMean(const Source& source, const Value& all, Point& point, const std::string& field, const std::string& key, bool isTime)
{
    const Value* value = all.find(key);
    if (!value || !value->isObject())
        return false;
    const Value* unit = value->find("unit");
    const auto factor = isTime && unit && unit->string() ? millisecondsIn(*unit->string()) : std::optional(1.0);
    std::vector<PathStep> path = source.path;
    path.emplace_back(key);
    FieldReader reader(point, *value, source.prefix + key + '.', placesIn(source.input, source.row, path));
    if (!factor)
        return false;
    return isTime ? reader.takeMeasured(field, {"mean"}, *factor) : reader.take(field, {"mean"});
}

void takeMetrics(const Source& source, const Value& all, Point& point)
{
    for (const PerfMetric& mean : perfMeans)
        takeMean(source, all, point, std::string(mean.field), std::string(mean.metric) + "_avg", false);
    const auto takeLatency = [&](const PerfMetric& latency) {
        for (const PerfStatistic& statistic : perfStatistics) {
            const std::string field = std::string(latency.field) + '.' + std::string(statistic.field);
            const std::string key = std::string(latency.metric) + '_' + std::string(statistic.key);
            if (!takeMean(source, all, point, field, key, true))
                takeMean(source, all, point, field, key + "_ms", true);
        }
    };
    std::ranges::for_each(perfLatencies, takeLatency);
    takeLatency({"ttft", "ttftMs"}); // another name of the first
    if (point.totalTps && point.outputTps)
        setDerived(point, "inputTps", *point.totalTps - *point.outputTps, "total_token_throughput - output_token_throughput");
    point.itlPerRequest = true;
}

Point pointFor(const Input& input, std::size_t index)
{
    Point point = pointOf(input, "aiperf-sweep", index);
    point.folder = sweepFolderOf(input.path);
    const std::string folder = tellingFolder(point.folder.empty() ? folderOf(input.path) : std::string_view(point.folder));
    point.run.text = folder.empty() ? "sweep" : folder;
    addNote(point, "A mean over the trials of a sweep.");
    return point;
}

/// "concurrency", or "phases.profiling.concurrency" in newer versions.
void takeParameters(const Source& source, const Value& parameters, Point& point)
{
    std::string words;
    for (const base::json::Member& member : parameters.object()) {
        const std::string_view name = std::string_view(member.key).substr(member.key.rfind('.') + 1);
        FieldReader reader(point, parameters, source.prefix, placesIn(source.input, source.row, source.path));
        if (name == "concurrency")
            reader.take("concurrency", {member.key});
        else if (name == "request_rate")
            reader.take("requestRate", {member.key});
        else if (const auto number = member.value.number())
            words.append(words.empty() ? "" : ", ").append(member.key).append(" ").append(base::textOf(*number));
        else if (const auto* text = member.value.string())
            words.append(words.empty() ? "" : ", ").append(member.key).append(" ").append(*text);
    }
    if (!words.empty())
        point.variant = words;
}

void readList(const Input& input, const Row& row, PointSet& set)
{
    const base::json::Array& list = row.object->find("per_combination_metrics")->array();
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Value* values = list[i].find("metrics");
        if (!values)
            continue;
        Point point = pointFor(input, set.points.size());
        const std::string prefix = "per_combination_metrics[" + std::to_string(i) + "].";
        const std::vector<PathStep> path{std::string("per_combination_metrics"), i};
        const auto below = [&](const char* key) {
            std::vector<PathStep> steps = path;
            steps.emplace_back(std::string(key));
            return Source{input, row, steps, prefix + key + '.'};
        };
        if (const Value* parameters = list[i].find("parameters"))
            takeParameters(below("parameters"), *parameters, point);
        takeMetrics(below("metrics"), *values, point);
        set.points.push_back(std::move(point));
    }
}

void readByValue(const Input& input, const Row& row, PointSet& set)
{
    const Value* name = row.object->at({"metadata", "parameter_name"});
    const bool isConcurrency = name && name->string() && *name->string() == "concurrency";
    for (const base::json::Member& member : row.object->find("per_value_metrics")->object()) {
        Point point = pointFor(input, set.points.size());
        const auto number = base::numberOf(member.key);
        if (isConcurrency && number)
            setDerived(point, "concurrency", *number, "per_value_metrics: " + member.key);
        else if (name && name->string())
            point.variant = *name->string() + ' ' + member.key;
        takeMetrics({input, row, {std::string("per_value_metrics"), member.key}, "per_value_metrics." + member.key + '.'}, member.value,
                    point);
        set.points.push_back(std::move(point));
    }
}

void readAggregate(const Input& input, const Row& row, PointSet& set)
{
    Point point = pointFor(input, set.points.size());
    if (const auto number = concurrencyInName(folderOf(input.path)))
        setDerived(point, "concurrency", *number, "folder name");
    takeMetrics({input, row, {std::string("metrics")}, "metrics."}, *row.object->find("metrics"), point);
    set.points.push_back(std::move(point));
}

} // namespace

bool sniffAiperfSweep(const Input& input)
{
    return anyRow(input, isMine);
}

Result<PointSet> readAiperfSweep(const Input& input, std::stop_token stop)
{
    PointSet set;
    for (const Row& row : rowsOf(input)) {
        if (stop.stop_requested())
            return failure(ErrorCode::Cancelled, "The import was stopped.");
        if (isList(*row.object))
            readList(input, row, set);
        else if (isByValue(*row.object))
            readByValue(input, row, set);
        else if (isAggregate(*row.object))
            readAggregate(input, row, set);
    }
    return set;
}

} // namespace wb::results
