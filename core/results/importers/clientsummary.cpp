#include "core/results/importers/clientsummary.h"

#include "core/base/text.h"
#include "core/results/importers/rows.h"

#include <algorithm>
#include <array>

namespace wb::results {

using base::json::Value;

namespace {

/// `backend` names the protocol of the client; these of its values are engines too.
constexpr auto engines = std::to_array<std::string_view>({"vllm", "sglang", "trtllm", "tensorrt-llm", "lmdeploy", "tgi"});

/// "median_ttft_ms", "percentiles_tpot_ms", ...
bool isLatencyKey(std::string_view key)
{
    return key.ends_with("_ttft_ms") || key.ends_with("_tpot_ms") || key.ends_with("_itl_ms") || key.ends_with("_e2el_ms");
}

/// Older clients wrote percentiles as [[99.0, value], ...].
void takePercentileLists(Point& point, const Value& object, const PlaceOf& placeOf, std::string_view group, std::string_view metric)
{
    const std::string key = "percentiles_" + std::string(metric) + "_ms";
    const Value* list = object.find(key);
    if (!list)
        return;
    for (const Value& pair : list->array()) {
        if (pair.array().size() != 2 || !pair.array()[0].number())
            continue;
        const std::string name = "p" + base::textOf(*pair.array()[0].number());
        const auto known = std::ranges::find(statisticNames(), name, &StatisticName::name);
        if (known == statisticNames().end())
            continue;
        Value flat;
        flat.set(key + "[" + name + "]", pair.array()[1]);
        const auto place = [&](std::string_view) { return placeOf(key); };
        FieldReader(point, flat, {}, place).takeMeasured(std::string(group) + '.' + std::string(known->field), {key + "[" + name + "]"});
    }
}

void takeLatencies(FieldReader& reader, Point& point, const Value& object, const PlaceOf& placeOf)
{
    struct Metric {
        std::string_view group, name;
    };
    for (const Metric& metric : {Metric{"ttftMs", "ttft"}, Metric{"tpotMs", "tpot"}, Metric{"itlMs", "itl"}, Metric{"e2eMs", "e2el"}}) {
        reader.takeStatistics(metric.group, metric.name, "_ms");
        takePercentileLists(point, object, placeOf, metric.group, metric.name);
    }
}

} // namespace

void takeClientCounts(FieldReader& reader, Point& point)
{
    reader.take("completed", {"completed"});
    reader.take("requested", {"num_prompts"});
    if (!reader.take("failed", {"failed"}) && point.requested && point.completed)
        setDerived(point, "failed", *point.requested - *point.completed, "num_prompts - completed");
    const auto input = reader.counted("isl", reader.has("total_input_tokens") ? "total_input_tokens" : "total_input");
    const auto output = reader.counted("osl", reader.has("total_output_tokens") ? "total_output_tokens" : "total_output");
    if (!point.completed || *point.completed <= 0)
        return;
    if (input)
        setDerived(point, "isl", *input / *point.completed, "total_input_tokens / completed");
    if (output)
        setDerived(point, "osl", *output / *point.completed, "total_output_tokens / completed");
}

void takeEngineOfBackend(FieldReader& reader, Point& point)
{
    const std::string backend = reader.text("backend").value_or("");
    for (const std::string_view engine : engines)
        if (backend == engine || (backend.starts_with(engine) && backend[engine.size()] == '-')) {
            reader.takeText("engine", point.engine, {"backend"});
            point.engine = engine;
        }
}

namespace {

/// "inf" and the token Infinity mean that the client sends as fast as the concurrency lets it: known, and no number.
void takeRequestRate(FieldReader& reader)
{
    reader.take("requestRate", {"request_rate"}); // leaves its origin, by which unlimited is told from unknown
}

void takeRates(FieldReader& reader, Point& point)
{
    reader.take("durationS", {"duration"});
    reader.take("outputTps", {"output_throughput"});
    reader.take("totalTps", {"total_token_throughput"});
    reader.take("requestsPerS", {"request_throughput"});
    reader.take("goodput", {"request_goodput", "request_goodput:"}); // some versions write the colon
    if (point.totalTps && point.outputTps)
        setDerived(point, "inputTps", *point.totalTps - *point.outputTps, "total_token_throughput - output_throughput");
    takeRequestRate(reader);
}

/// What people give with --metadata: strings under names of their own choice, of which these are usual.
void takeMetadata(FieldReader& reader, Point& point)
{
    reader.takeText("model", point.model, {"model_id", "model"});
    reader.takeText("hardware", point.hardware, {"hardware", "gpu_type", "hw"});
    reader.takeText("precision", point.precision, {"precision"});
    reader.takeText("recipe", point.recipe, {"recipe"});
    reader.takeText("variant", point.variant, {"variant", "job_name"});
    if (!reader.takeText("engine", point.engine, {"engine", "framework"}))
        takeEngineOfBackend(reader, point);
    reader.take("tp", {"tensor_parallel_size", "tp"});
    reader.take("pp", {"pipeline_parallel_size", "pp"});
    point.simulated = reader.isTrue("simulated");
    if (reader.takeMeasured("gpus.total", {"num_gpus"})) {
        setDerived(point, "gpus.working", *point.gpus.total, "num_gpus");
        point.gpus.origin = "the file";
    }
}

} // namespace

void takeClientConcurrency(FieldReader& reader, Point& point, const NameFacts& name)
{
    reader.takeMeasured("concurrency", {"max_concurrency"});
    if (!name.concurrency)
        return;
    if (!point.concurrency)
        setDerived(point, "concurrency", *name.concurrency, "file name");
    else if (*point.concurrency != *name.concurrency)
        addNote(point, "The file says concurrency " + base::textOf(*point.concurrency) + ", its name says " +
                           base::textOf(*name.concurrency) + ".");
}

namespace {

void takeGpusOfName(Point& point, const NameFacts& name)
{
    if (!name.gpus)
        return;
    setDerived(point, "gpus.total", *name.gpus, "file name");
    point.gpus.origin = "file name";
    if (!name.prefill || !name.decode || *name.prefill + *name.decode == 0.0) {
        // Without ctx and gen the client counts nodes times GPUs of a node.
        setDerived(point, "gpus.allocated", *name.gpus, "file name");
        return;
    }
    setDerived(point, "gpus.prefill", *name.prefill, "file name");
    setDerived(point, "gpus.decode", *name.decode, "file name");
    setDerived(point, "gpus.working", *name.prefill + *name.decode, "file name");
    if (*name.prefill + *name.decode != *name.gpus)
        addNote(point, "The file name says " + base::textOf(*name.gpus) + " GPUs, but " + base::textOf(*name.prefill) + " + " +
                           base::textOf(*name.decode) + " for prefill and decode.");
}

} // namespace

// When the totals tell nothing, the folder or file name may ("sa-bench_isl_1024_osl_1024").
void takeLengthsOfName(Point& point, const NameFacts& file, const NameFacts& folder)
{
    if (!point.isl && (file.isl || folder.isl))
        setDerived(point, "isl", file.isl ? *file.isl : *folder.isl, file.isl ? "file name" : "folder name");
    if (!point.osl && (file.osl || folder.osl))
        setDerived(point, "osl", file.osl ? *file.osl : *folder.osl, file.osl ? "file name" : "folder name");
}

namespace {

Point readSummary(const Input& input, const Row& row, std::string_view format)
{
    Point point = pointOf(input, format, row.index);
    const PlaceOf placeOf = placesIn(input, row);
    FieldReader reader(point, *row.object, {}, placeOf);
    const NameFacts name = factsInName(input.path);
    takeMetadata(reader, point);
    takeClientConcurrency(reader, point, name);
    takeClientCounts(reader, point);
    takeRates(reader, point);
    takeLatencies(reader, point, *row.object, placeOf);
    if (!point.gpus.total)
        takeGpusOfName(point, name);
    takeLengthsOfName(point, name, factsInName(folderOf(input.path)));
    point.run.text = reader.text("job_name").value_or(runNameFor(input.path));
    return point;
}

} // namespace

bool isClientSummary(const Value& object)
{
    if (!hasAll(object, {"completed", "duration"}) || !hasAny(object, {"max_concurrency", "request_rate"}))
        return false;
    if (hasAny(object, {"random_range_ratio", "total_output_tokens_retokenized", "mean_e2e_latency_ms", "random_input_len"}))
        return false; // SGLang's
    return object.find("endpoint_type") != nullptr ||
           std::ranges::any_of(object.object(), [](const base::json::Member& member) { return isLatencyKey(member.key); });
}

bool isSaBench(const Value& object, std::string_view path)
{
    if (!isClientSummary(object) || hasAny(object, {"endpoint_type", "label"}))
        return false;
    const Value* backend = object.find("backend");
    const std::string* name = backend ? backend->string() : nullptr;
    return (name && *name == "dynamo") || object.find("reuse_http_connections") || lastPart(folderOf(path)).starts_with("sa-bench_");
}

bool isSweepSummary(const Input& input)
{
    return lastPart(input.path) == "summary.json" && !input.json.empty() && input.json.front().value.isArray() &&
           !input.json.front().value.array().empty() && isClientSummary(input.json.front().value.array().front());
}

Result<PointSet> readClientSummaries(const Input& input, std::string_view format, const std::stop_token& stop)
{
    return readRows(
        input, stop, "a summary of the benchmark client", [](const Row& row) { return isClientSummary(*row.object); },
        [&](const Row& row) { return readSummary(input, row, format); });
}

} // namespace wb::results
