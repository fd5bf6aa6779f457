#include "core/results/importers/sglangbenchserving.h"

#include "core/base/text.h"
#include "core/results/filename.h"
#include "core/results/importers/clientsummary.h"
#include "core/results/importers/rows.h"

// `bench_serving` of SGLang appends an object a line: a file mixes runs, dates and sets of keys. Milliseconds by the suffix. The mean
// lengths are totals / completed; `random_input_len` is only the largest one.

namespace wb::results {

using base::json::Value;

namespace {

bool isSglang(const Value& object)
{
    return hasAll(object, {"completed", "duration"}) && hasAny(object, {"random_range_ratio", "total_output_tokens_retokenized"});
}

/// The model and, of an aggregated server, the GPUs. Of prefill and decode servers only those are listed that the load balancer asked.
void takeServer(Point& point, const Value& object, const PlaceOf& placeInRow)
{
    const Value* info = object.find("server_info");
    if (!info || !info->isObject())
        return;
    const PlaceOf place = [&](std::string_view) { return placeInRow("server_info"); };
    for (const std::string_view role : {std::string_view("prefill"), std::string_view("decode")}) {
        const Value* servers = info->find(role);
        if (!servers || servers->array().empty())
            continue;
        FieldReader(point, servers->array().front(), "server_info." + std::string(role) + "[0].", place)
            .takeText("model", point.model, {"model_path"});
        addNote(point, "The file lists the servers that its load balancer asked, which may not be all: GPUs are not counted from it.");
        return;
    }
    FieldReader server(point, *info, "server_info.", place);
    server.takeText("model", point.model, {"model_path"});
    server.take("tp", {"tp_size"});
    server.take("pp", {"pp_size"});
    server.take("ep", {"ep_size"});
    const auto tp = server.number("tp_size");
    if (!tp || *tp <= 0)
        return;
    double gpus = *tp;
    std::string how = "server_info: tp_size";
    // With DP attention the ranks share the GPUs of TP; else each is a copy of the model.
    for (const std::string_view key : {std::string_view("pp_size"), std::string_view("dp_size")})
        if (const auto factor = server.number(key); factor && *factor > 1 && (key == "pp_size" || !server.isTrue("enable_dp_attention"))) {
            gpus *= *factor;
            how.append(" x ").append(key);
        }
    setDerived(point, "gpus.total", gpus, how);
    setDerived(point, "gpus.working", gpus, how);
    point.gpus.origin = "the file";
}

Point readRow(const Input& input, const Row& row)
{
    Point point = pointOf(input, "sglang-bench-serving", row.index);
    const PlaceOf placeOf = placesIn(input, row);
    FieldReader reader(point, *row.object, {}, placeOf);
    const NameFacts name = factsInName(input.path);
    takeEngineOfBackend(reader, point);
    reader.takeText("model", point.model, {"model_id", "model"});
    takeServer(point, *row.object, placeOf);
    takeClientConcurrency(reader, point, name);
    takeSglangMeasurements(reader, point);
    takeLengthsOfName(point, name, factsInName(folderOf(input.path)));
    if (const auto inFlight = reader.number("concurrency"); inFlight && !point.concurrency)
        addNote(point, "No limit on the requests in flight; " + base::textOf(*inFlight) + " were measured on average.");
    point.run.text = reader.text("tag").value_or(runNameFor(input.path));
    return point;
}

} // namespace

void takeSglangMeasurements(FieldReader& reader, Point& point)
{
    takeClientCounts(reader, point);
    reader.take("requestRate", {"request_rate"}); // Infinity and "trace" leave their origin
    reader.take("durationS", {"duration"});
    reader.take("outputTps", {"output_throughput"});
    reader.take("inputTps", {"input_throughput"});
    reader.take("requestsPerS", {"request_throughput"});
    if (!reader.take("totalTps", {"total_throughput"}) && point.inputTps && point.outputTps)
        setDerived(point, "totalTps", *point.inputTps + *point.outputTps, "input_throughput + output_throughput");
    reader.takeStatistics("ttftMs", "ttft", "_ms");
    reader.takeStatistics("tpotMs", "tpot", "_ms");
    reader.takeStatistics("itlMs", "itl", "_ms");
    reader.takeStatistics("e2eMs", "e2e_latency", "_ms");
}

bool sniffSglangBenchServing(const Input& input)
{
    return anyRow(input, isSglang);
}

Result<PointSet> readSglangBenchServing(const Input& input, std::stop_token stop)
{
    return readRows(
        input, stop, "a result of SGLang's bench_serving", [](const Row& row) { return isSglang(*row.object); },
        [&](const Row& row) { return readRow(input, row); });
}

} // namespace wb::results
