#include "core/results/importers/trtllmbench.h"

#include "core/base/text.h"
#include "core/results/fieldreader.h"
#include "core/results/filename.h"
#include "core/results/importers/rows.h"

#include <array>

// The report of `trtllm-bench --report_json`. It drives the engine without a server, so its figures are not those of a service: a note
// says so. TPOT and TTFT are there only with --streaming.

namespace wb::results {

using base::json::Value;

namespace {

bool isReport(const Value& object)
{
    return hasAll(object, {"world_info", "performance"});
}

/// A block of the report, and a reader of it.
FieldReader readerOf(const Input& input, const Row& row, Point& point, const Value& block, std::initializer_list<std::string_view> path)
{
    std::vector<PathStep> steps;
    std::string prefix;
    for (const std::string_view step : path) {
        steps.emplace_back(std::string(step));
        prefix.append(step).append(".");
    }
    return {point, block, prefix, placesIn(input, row, steps)};
}

struct Percentiles {
    std::string_view block, key, field;
};
constexpr auto percentiles = std::to_array<Percentiles>({
    {"performance", "request_latency_percentiles_ms", "e2eMs"},
    {"streaming_metrics", "tpot_percentiles", "tpotMs"},
    {"streaming_metrics", "ttft_percentiles", "ttftMs"},
});
struct Statistic {
    std::string_view key, field;
};
constexpr auto statistics = std::to_array<Statistic>({{"average", "mean"}, {"p50", "p50"}, {"p90", "p90"}, {"p95", "p95"}, {"p99", "p99"}});

void takeWorld(const Input& input, const Row& row, Point& point)
{
    FieldReader reader = readerOf(input, row, point, *row.object->find("world_info"), {"world_info"});
    for (const auto& [field, key] : {std::pair("tp", "tp_size"), std::pair("pp", "pp_size"), std::pair("ep", "ep_size")})
        reader.take(field, {key});
    if (!reader.takeMeasured("gpus.total", {"world_size"}))
        return;
    reader.takeMeasured("gpus.working", {"world_size"});
    point.gpus.origin = "the file";
}

void takeRequests(const Input& input, const Row& row, Point& point)
{
    const Value* info = row.object->find("request_info");
    if (!info)
        return;
    FieldReader reader = readerOf(input, row, point, *info, {"request_info"});
    reader.take("completed", {"num_requests"});
    reader.takeMeasured("isl", {"avg_input_length"});
    reader.takeMeasured("osl", {"avg_output_length"});
    reader.takeMeasured("concurrency", {"avg_num_concurrent_requests"});
    if (point.concurrency)
        addNote(point, "The concurrency is the measured mean; the report does not hold the one that was asked for.");
}

void takePerformance(const Input& input, const Row& row, Point& point)
{
    FieldReader reader = readerOf(input, row, point, *row.object->find("performance"), {"performance"});
    reader.take("durationS", {"total_latency_ms"}, 1e-3);
    reader.take("requestsPerS", {"request_throughput_req_s"});
    reader.take("outputTps", {"system_output_throughput_tok_s"});
    reader.take("totalTps", {"system_total_throughput_tok_s"});
    reader.takeMeasured("e2eMs.mean", {"avg_request_latency_ms"});
    if (const Value* streaming = row.object->find("streaming_metrics"); streaming && streaming->isObject()) {
        FieldReader stream = readerOf(input, row, point, *streaming, {"streaming_metrics"});
        stream.takeMeasured("ttftMs.mean", {"avg_ttft_ms"});
        stream.takeMeasured("tpotMs.mean", {"avg_tpot_ms"});
        stream.takeMeasured("tpsPerUserRates", {"token_output_speed_tok_s"});
    }
    for (const Percentiles& group : percentiles)
        if (const Value* block = row.object->at({group.block, group.key}); block && block->isObject()) {
            FieldReader values = readerOf(input, row, point, *block, {group.block, group.key});
            for (const Statistic& statistic : statistics)
                values.takeMeasured(std::string(group.field) + '.' + std::string(statistic.field), {statistic.key});
        }
}

Point readRow(const Input& input, const Row& row)
{
    Point point = pointOf(input, "trtllm-bench", row.index);
    if (const Value* engine = row.object->find("engine"); engine && engine->isObject()) {
        FieldReader reader = readerOf(input, row, point, *engine, {"engine"});
        reader.takeText("model", point.model, {"model", "model_path"});
        reader.takeText("precision", point.precision, {"quantization", "dtype"});
    }
    point.engine = "trtllm";
    point.origins["engine"] = {{}, "the format", "trtllm-bench"};
    if (const Value* machine = row.object->find("machine"); machine && machine->isObject())
        readerOf(input, row, point, *machine, {"machine"}).takeText("hardware", point.hardware, {"name"});
    takeWorld(input, row, point);
    takeRequests(input, row, point);
    takePerformance(input, row, point);
    addNote(point, "Measured without a server: trtllm-bench drives the engine itself.");
    point.run.text = runNameFor(input.path);
    return point;
}

} // namespace

bool sniffTrtllmBench(const Input& input)
{
    return anyRow(input, isReport);
}

Result<PointSet> readTrtllmBench(const Input& input, std::stop_token stop)
{
    return readRows(
        input, stop, "a report of trtllm-bench", [](const Row& row) { return isReport(*row.object); },
        [&](const Row& row) { return readRow(input, row); });
}

} // namespace wb::results
