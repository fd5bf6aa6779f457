#include "core/results/importers/perfexport.h"

#include "core/base/text.h"
#include "core/results/filename.h"
#include "core/results/importers/rows.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace wb::results {

using base::json::Value;

namespace {

struct Unit {
    std::string_view name;
    double milliseconds;
};
constexpr auto units = std::to_array<Unit>({{"ms", 1.0},
                                            {"s", 1e3},
                                            {"sec", 1e3},
                                            {"seconds", 1e3},
                                            {"us", 1e-3},
                                            {"ns", 1e-6},
                                            {"milliseconds", 1.0},
                                            {"microseconds", 1e-3},
                                            {"nanoseconds", 1e-6}});

FieldReader readerOf(const PerfExport& source, Point& point, std::string_view metric, const Value& value)
{
    return {point, value, source.prefix + std::string(metric) + '.', source.placesOf ? source.placesOf(metric) : PlaceOf()};
}

/// The unit that stands there; milliseconds where none does.
std::optional<double> factorOf(Point& point, std::string_view metric, const Value& value)
{
    const Value* unit = value.find("unit");
    const std::string* text = unit ? unit->string() : nullptr;
    const auto factor = text ? millisecondsIn(*text) : std::optional(1.0);
    if (!factor)
        addNote(point, base::inQuotes(metric) + " is in " + base::inQuotes(*text) + ", which is no unit of time: left out.");
    return factor;
}

void takeCounts(Point& point)
{
    if (!point.completed && point.failed.value_or(0) > 0)
        setDerived(point, "completed", 0, "no request_count beside error_request_count: none completed");
    if (point.completed && point.failed)
        setDerived(point, "requested", *point.completed + *point.failed, "request_count + error_request_count");
}

/// Mean of the GPUs' mean powers; nothing when one of them has none, or another unit.
std::optional<double> meanPower(const Value& endpoints)
{
    double sum = 0;
    double count = 0;
    for (const base::json::Member& endpoint : endpoints.object()) {
        const Value* gpus = endpoint.value.find("gpus");
        if (!gpus)
            continue;
        for (const base::json::Member& gpu : gpus->object()) {
            const Value* power = gpu.value.at({"metrics", "gpu_power_usage"});
            const Value* unit = power ? power->find("unit") : nullptr;
            const Value* mean = power ? power->find("avg") : nullptr;
            if (!unit || !unit->string() || *unit->string() != "W" || !mean || !mean->number())
                return std::nullopt;
            sum += *mean->number();
            ++count;
        }
    }
    return count > 0 && sum > 0 ? std::optional(sum / count) : std::nullopt;
}

/// GPUs that the telemetry saw. They are those of the nodes, of which the server may use fewer.
void takeTelemetry(const Value& object, Point& point)
{
    double gpus = 0;
    std::string how;
    if (const Value* endpoints = object.at({"telemetry_data", "endpoints"})) {
        for (const base::json::Member& endpoint : endpoints->object())
            if (const Value* seen = endpoint.value.find("gpus"))
                gpus += static_cast<double>(std::max(seen->object().size(), seen->array().size()));
        how = "telemetry_data.endpoints: GPUs seen";
        if (const auto power = meanPower(*endpoints))
            setDerived(point, "gpuPowerW", *power, "telemetry_data.endpoints: mean of gpu_power_usage.avg");
    } else if (const Value* stats = object.find("telemetry_stats"); stats && !stats->object().empty()) {
        const base::json::Object& seen = stats->object().front().value.object();
        gpus = static_cast<double>(
            std::count_if(seen.begin(), seen.end(), [](const base::json::Member& member) { return member.key.starts_with("gpu"); }));
        how = "telemetry_stats: GPUs seen";
    }
    if (gpus <= 0)
        return;
    setDerived(point, "gpus.total", gpus, how);
    setDerived(point, "gpus.allocated", gpus, how);
    point.gpus.origin = "telemetry of the client";
    addNote(point, "The GPUs are those that the telemetry saw on the nodes; the server may use fewer.");
}

std::optional<std::string> modelIn(const Value& config)
{
    for (const Value* names : {config.at({"endpoint", "model_names"}), config.find("model_names")}) {
        if (!names)
            continue;
        if (names->string())
            return *names->string();
        std::string all;
        for (const Value& name : names->array())
            if (name.string())
                all += (all.empty() ? "" : ", ") + *name.string();
        if (!all.empty())
            return all;
    }
    return std::nullopt;
}

void takeConcurrency(Point& point, const Value* config, std::string_view path)
{
    if (point.concurrency)
        return;
    const Value* folder = config ? config->at({"output", "artifact_directory"}) : nullptr;
    if (folder && folder->string())
        if (const auto number = concurrencyInName(*folder->string())) {
            setDerived(point, "concurrency", *number, "input_config.output.artifact_directory");
            return;
        }
    if (const auto number = concurrencyInName(folderOf(path)))
        setDerived(point, "concurrency", *number, "folder name");
}

} // namespace

std::optional<double> millisecondsIn(std::string_view unit)
{
    const auto* found = std::ranges::find(units, base::lowered(unit), &Unit::name);
    return found == units.end() ? std::nullopt : std::optional(found->milliseconds);
}

std::optional<double> concurrencyInName(std::string_view path)
{
    constexpr std::string_view word = "concurrency";
    std::string_view name = lastPart(path);
    const std::size_t at = name.rfind(word);
    if (at == std::string_view::npos)
        return std::nullopt;
    name.remove_prefix(at + word.size());
    if (name.starts_with('_') || name.starts_with('-'))
        name.remove_prefix(1);
    const auto* end = std::ranges::find_if_not(name, [](unsigned char c) { return std::isdigit(c) != 0; });
    const auto number = base::integerOf(std::string_view(name.begin(), static_cast<std::size_t>(end - name.begin())));
    return number && *number > 0 ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

std::string sweepFolderOf(std::string_view path)
{
    const auto isPart = [](std::string_view name) {
        return name == "profile_runs" || name == "aggregate" || name == "sweep_aggregate" || name.starts_with("trial_") ||
               name.starts_with("concurrency_") || name.starts_with("request_rate_");
    };
    std::string_view folder = folderOf(path);
    if (!isPart(lastPart(folder)))
        return {};
    while (isPart(lastPart(folder)))
        folder = folderOf(folder);
    return std::string(folder);
}

bool isPerfExport(const Value& object)
{
    const Value* latency = object.find("request_latency");
    return (latency && latency->find("unit") && latency->find("avg")) || hasAll(object, {"input_config", "request_count"}) ||
           hasAll(object, {"input_config", "error_request_count"});
}

bool isOfGenaiPerf(const Value& object)
{
    const Value* config = object.find("input_config");
    return config && config->find("perf_analyzer") && !object.find("aiperf_version");
}

void takePerfMetrics(const PerfExport& source, Point& point)
{
    for (const PerfMetric& mean : perfMeans)
        if (const Value* value = source.object.find(mean.metric); value && value->isObject())
            readerOf(source, point, mean.metric, *value).take(mean.field, {"avg"});
    for (const PerfMetric& group : perfLatencies) {
        const Value* value = source.object.find(group.metric);
        const auto factor = value && value->isObject() ? factorOf(point, group.metric, *value) : std::nullopt;
        if (!factor)
            continue;
        FieldReader reader = readerOf(source, point, group.metric, *value);
        for (const PerfStatistic& statistic : perfStatistics)
            reader.takeMeasured(std::string(group.field) + '.' + std::string(statistic.field), {statistic.key}, *factor);
    }
    if (const Value* value = source.object.find("benchmark_duration"); value && value->isObject())
        if (const auto factor = factorOf(point, "benchmark_duration", *value))
            readerOf(source, point, "benchmark_duration", *value).take("durationS", {"avg"}, value->find("unit") ? *factor / 1000.0 : 1.0);
    if (point.totalTps && point.outputTps)
        setDerived(point, "inputTps", *point.totalTps - *point.outputTps, "total_token_throughput - output_token_throughput");
    point.itlPerRequest = true;
    takeCounts(point);
}

void takePerfSettings(const PerfExport& source, Point& point)
{
    const Value* config = source.object.find("input_config");
    const PlaceOf place = source.placesOf ? source.placesOf("input_config") : PlaceOf();
    if (config) {
        if (auto model = modelIn(*config)) {
            point.origins["model"] = {{}, source.prefix + "input_config: model_names", *model};
            point.model = std::move(model);
        }
        struct Holder {
            std::string_view name;
            const Value* value;
        };
        for (const Holder& holder : {Holder{"loadgen.", config->find("loadgen")},
                                     Holder{"perf_analyzer.stimulus.", config->at({"perf_analyzer", "stimulus"})}, Holder{"", config}}) {
            if (!holder.value || !holder.value->isObject())
                continue;
            FieldReader reader(point, *holder.value, source.prefix + "input_config." + std::string(holder.name), place);
            if (const auto number = reader.number("concurrency"); number && !point.concurrency) // a list is a sweep, of which this is one
                reader.take("concurrency", {"concurrency"});
            if (reader.number("request_rate") && !point.requestRate)
                reader.take("requestRate", {"request_rate"});
        }
    }
    takeConcurrency(point, config, point.source);
    takeTelemetry(source.object, point);
    if (const Value* cancelled = source.object.find("was_cancelled"); cancelled && cancelled->boolean().value_or(false))
        point.objections.emplace_back("The run was cancelled before its end.");
    if (const Value* warmup = source.object.find("warmup_metrics"); warmup && warmup->isObject() && !point.completed)
        point.objections.emplace_back("Only the warm-up was measured.");
    point.folder = sweepFolderOf(point.source);
    const std::string folder = point.folder.empty() ? tellingFolder(folderOf(point.source)) : tellingFolder(point.folder);
    point.run.text = folder.empty() ? runNameFor(point.source) : folder;
}

} // namespace wb::results
