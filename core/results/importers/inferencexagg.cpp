#include "core/results/importers/inferencexagg.h"

#include "core/base/text.h"
#include "core/results/fieldreader.h"
#include "core/results/importers/rows.h"

#include <utility>

// Rows of InferenceX: the aggregate of a fixed-sequence run, the first two generations of agentic rows, and the baselines that carry a
// client's summary below "metrics". Latencies are in seconds without a suffix; below "metrics" in milliseconds with one.

namespace wb::results {

using base::json::Value;

namespace {

constexpr double msPerS = 1000.0;

bool isBaseline(const Value& object)
{
    const Value* metrics = object.find("metrics");
    return metrics && metrics->find("total_token_throughput");
}

bool isRow(const Value& object)
{
    return hasAll(object, {"hw", "framework"}) && (hasAny(object, {"infmax_model_prefix"}) || isBaseline(object));
}

bool isAgentic(const FieldReader& reader)
{
    return reader.text("scenario_type").value_or("").starts_with("agentic");
}

/// "mi355x-amds_04" is the machine of a mi355x.
std::string withoutRunner(std::string hardware)
{
    const std::size_t dash = hardware.find('-');
    const std::size_t line = hardware.rfind('_');
    if (dash != std::string::npos && line != std::string::npos && dash < line &&
        base::integerOf(std::string_view(hardware).substr(line + 1)))
        hardware.resize(dash);
    return hardware;
}

/// One series for each configuration: a file may hold many, and the runner in the file name changes from row to row.
std::string runName(const Point& point, const FieldReader& reader)
{
    std::string name = point.hardware.value_or("unknown hardware");
    const auto add = [&](std::string_view label, std::string_view key) {
        if (const auto text = reader.text(key))
            name.append(" ").append(label).append(*text);
        else if (const auto number = reader.number(key); number && *number != 0.0)
            name.append(" ").append(label).append(base::textOf(*number));
    };
    add("", reader.has("infmax_model_prefix") ? "infmax_model_prefix" : "profile");
    add("", "framework");
    add("", "precision");
    for (const std::string_view key : {"tp", "pp", "ep", "prefill_tp", "prefill_num_workers", "decode_tp", "decode_num_workers"})
        add(std::string(key), key);
    add("spec-", "spec_decoding");
    add("offload-", reader.has("offload_mode") ? "offload_mode" : "offloading");
    add("isl", "isl");
    add("osl", "osl");
    if (const auto tuning = reader.number("tuning"))
        name += *tuning != 0.0 ? " tuned" : " untuned";
    add("", "cluster");
    return name;
}

void takeIdentity(FieldReader& reader, Point& point)
{
    reader.takeText("hardware", point.hardware, {"hw"});
    if (point.hardware)
        point.hardware = withoutRunner(*point.hardware);
    reader.takeText("model", point.model, {"model"});
    reader.takeText("engine", point.engine, {"framework"});
    reader.takeText("precision", point.precision, {"precision"});
    reader.take("concurrency", {"conc"});
    for (const std::string_view size : {std::string_view("tp"), std::string_view("pp"), std::string_view("ep")})
        if (reader.number(size).value_or(0) > 0)
            reader.take(size, {size});
    reader.take("isl", {"isl"});
    reader.take("osl", {"osl"});
}

/// GPUs of a row. Prefill and decode apart when the row has them; else the product by which the row was divided.
void takeGpus(FieldReader& reader, Point& point)
{
    point.gpus.origin = "the file";
    const auto prefill = reader.number("num_prefill_gpu");
    const auto decode = reader.number("num_decode_gpu");
    if (prefill && decode) {
        reader.take("gpus.prefill", {"num_prefill_gpu"});
        reader.take("gpus.decode", {"num_decode_gpu"});
        setDerived(point, "gpus.total", *prefill + *decode, "num_prefill_gpu + num_decode_gpu");
        setDerived(point, "gpus.working", *prefill + *decode, "num_prefill_gpu + num_decode_gpu");
        return;
    }
    const auto tp = reader.number("tp");
    if (!tp || *tp <= 0) {
        point.gpus.origin.clear();
        return;
    }
    double gpus = *tp;
    std::string how = "tp";
    for (const std::string_view key : {"pp", "pcp_size"})
        if (const auto factor = reader.number(key); factor && *factor > 0) {
            gpus *= *factor;
            how.append(" x ").append(key);
        }
    setDerived(point, "gpus.total", gpus, how);
    setDerived(point, "gpus.working", gpus, how);
}

/// The row's per-GPU figures: output is divided by decode GPUs, input by prefill GPUs, total by all. Absolute ones follow from them.
void takePerGpu(FieldReader& reader, Point& point)
{
    reader.takeMeasured("totalTpsPerGpu", {"tput_per_gpu"});
    reader.takeMeasured("outputTpsPerDecodeGpu", {"output_tput_per_gpu"});
    reader.takeMeasured("inputTpsPerPrefillGpu", {"input_tput_per_gpu"});
    const bool isSplit = point.gpus.prefill.value_or(0) > 0 && point.gpus.decode.value_or(0) > 0;
    const auto derive = [&](std::string_view field, std::optional<double> perGpu, std::string_view key, std::optional<double> gpus,
                            std::string_view divisor) {
        if (perGpu && gpus && *gpus > 0)
            setDerived(point, field, *perGpu * *gpus, std::string(key) + " x " + base::textOf(*gpus) + ' ' + std::string(divisor));
    };
    derive("totalTps", point.totalTpsPerGpu, "tput_per_gpu", point.gpus.total, "GPUs");
    derive("outputTps", point.outputTpsPerDecodeGpu, "output_tput_per_gpu", isSplit ? point.gpus.decode : point.gpus.total,
           isSplit ? "decode GPUs" : "GPUs");
    derive("inputTps", point.inputTpsPerPrefillGpu, "input_tput_per_gpu", isSplit ? point.gpus.prefill : point.gpus.total,
           isSplit ? "prefill GPUs" : "GPUs");
}

void readFixedSequence(FieldReader& reader, Point& point)
{
    takeGpus(reader, point);
    takePerGpu(reader, point);
    reader.takeStatistics("ttftMs", "ttft", "", msPerS);
    reader.takeStatistics("tpotMs", "tpot", "", msPerS);
    reader.takeStatistics("itlMs", "itl", "", msPerS);
    reader.takeStatistics("e2eMs", "e2el", "", msPerS);
    reader.takeMeasured("tpsPerUserGiven", {"median_intvty"});
}

void readAgentic(FieldReader& reader, Point& point)
{
    if (reader.take("users", {"users"})) {
        setDerived(point, "concurrency", *point.users, "users");
        addNote(point, "The concurrency is the number of users; while they think, fewer requests are in flight.");
    }
    reader.take("requested", {"num_requests_total"});
    reader.take("completed", {"num_requests_successful"});
    if (point.requested && point.completed)
        setDerived(point, "failed", *point.requested - *point.completed, "num_requests_total - num_requests_successful");
    reader.take("durationS", {"duration_seconds"});
    reader.takeMeasured("isl", {"mean_input_tokens"});
    reader.takeMeasured("osl", {"mean_output_tokens_actual"});
    readFixedSequence(reader, point);
    reader.takeStatistics("e2eMs", "ttlt", "", msPerS);
    reader.takeMeasured("outputTps", {"output_tput_tps"});
    reader.takeMeasured("inputTps", {"input_tput_tps"});
    reader.takeMeasured("totalTps", {"total_tput_tps"});
    reader.takeMeasured("requestsPerS", {"mean_qps"});
    point.tpsPerUserGiven.reset(); // here the percentiles of rates are those of the fast tail
    point.origins.erase("tpsPerUserGiven");
    point.itlPerRequest = true;
    if (point.totalTps)
        addNote(point, "Input and total tokens/s count input that came from the cache.");
}

/// The third generation nests what the others have flat. Its percentiles of latencies are those of the slow tail; of rates it has the
/// fast one, so interactivity is worked out from the ITL, which here is a mean over each request.
void readNestedAgentic(FieldReader& reader, Point& point, const Value& object, const PlaceOf& placeInRow)
{
    takeGpus(reader, point);
    const Value* metrics = object.find("request_metrics");
    const auto child = [&](const Value* parent, std::string_view key) { return parent ? parent->find(key) : nullptr; };
    // Places are those of the whole block: one look-up deeper than that is not worth its code here.
    const PlaceOf place = [&](std::string_view) { return placeInRow("request_metrics"); };
    if (const Value* accounting = object.find("request_accounting")) {
        FieldReader counts(point, *accounting, "request_accounting.", [&](std::string_view) { return placeInRow("request_accounting"); });
        counts.take("requested", {"total", "num_requests_total"});
        counts.take("completed", {"successful", "completed", "num_requests_successful"});
        if (!counts.take("failed", {"failed", "errors"}) && point.requested && point.completed)
            setDerived(point, "failed", *point.requested - *point.completed, "request_accounting: total - successful");
    }
    const Value* latency = child(metrics, "latency");
    for (const auto& [key, group] :
         {std::pair("ttft", "ttftMs"), std::pair("tpot", "tpotMs"), std::pair("itl", "itlMs"), std::pair("e2el", "e2eMs")})
        if (const Value* statistics = child(latency, key)) {
            FieldReader values(point, *statistics, std::string("request_metrics.latency.") + key + '.', place);
            for (const StatisticName& name : statisticNames())
                values.takeMeasured(std::string(group) + '.' + std::string(name.field), {name.name}, msPerS);
        }
    if (const Value* perGpu = child(child(metrics, "throughput"), "per_gpu")) {
        FieldReader values(point, *perGpu, "request_metrics.throughput.per_gpu.", place);
        values.takeMeasured("totalTpsPerGpu", {"total_tput_tps"});
        // By which GPUs the output of a split run is divided the row does not say.
        if (const auto output = values.number("output_tput_tps"); output && *output > 0 && point.gpus.total && !point.gpus.prefill)
            setDerived(point, "outputTps", *output * *point.gpus.total,
                       "request_metrics.throughput.per_gpu.output_tput_tps x " + base::textOf(*point.gpus.total) + " GPUs");
        if (point.totalTpsPerGpu && point.gpus.total)
            setDerived(point, "totalTps", *point.totalTpsPerGpu * *point.gpus.total,
                       "request_metrics.throughput.per_gpu.total_tput_tps x " + base::textOf(*point.gpus.total) + " GPUs");
    }
    if (metrics) {
        FieldReader values(point, *metrics, "request_metrics.", place);
        values.takeMeasured("requestsPerS", {"qps"});
    }
    point.itlPerRequest = true;
    if (point.totalTps)
        addNote(point, "Total tokens/s count input that came from the cache.");
}

void readBaseline(FieldReader& reader, Point& point, const Value& object, PlaceOf placeInMetrics)
{
    FieldReader metrics(point, *object.find("metrics"), "metrics.", std::move(placeInMetrics));
    metrics.take("completed", {"successful_requests"});
    metrics.take("outputTps", {"output_token_throughput"});
    metrics.take("totalTps", {"total_token_throughput"});
    metrics.take("requestsPerS", {"request_throughput"});
    if (point.totalTps && point.outputTps)
        setDerived(point, "inputTps", *point.totalTps - *point.outputTps,
                   "metrics.total_token_throughput - metrics.output_token_throughput");
    metrics.takeStatistics("ttftMs", "ttft", "_ms");
    metrics.takeStatistics("tpotMs", "tpot", "_ms");
    metrics.takeStatistics("itlMs", "itl", "_ms");
    metrics.takeStatistics("e2eMs", "e2el", "_ms");
    takeGpus(reader, point);
    const Value* gpu = object.find("gpu");
    const auto counted = gpu ? FieldReader(point, *gpu).number("n_gpus") : std::nullopt;
    if (!counted)
        return;
    if (point.gpus.total && *point.gpus.total != *counted)
        addNote(point, "The file counts " + base::textOf(*counted) + " GPUs (gpu.n_gpus) and runs with tp " +
                           base::textOf(*point.gpus.total) + "; per-GPU figures divide by " + base::textOf(*counted) + ".");
    point.gpus.origin = "the file";
    FieldReader(point, *gpu, "gpu.").takeMeasured("gpuPowerW", {"mean_power_per_gpu_w"});
    setDerived(point, "gpus.total", *counted, "gpu.n_gpus");
    setDerived(point, "gpus.working", *counted, "gpu.n_gpus");
}

Point readRow(const Input& input, const Row& row)
{
    Point point = pointOf(input, "inferencex-agg", row.index);
    FieldReader reader(point, *row.object, {}, placesIn(input, row));
    takeIdentity(reader, point);
    if (isBaseline(*row.object))
        readBaseline(reader, point, *row.object, placesIn(input, row, {std::string("metrics")}));
    else if (row.object->find("request_metrics"))
        readNestedAgentic(reader, point, *row.object, placesIn(input, row));
    else if (isAgentic(reader))
        readAgentic(reader, point);
    else
        readFixedSequence(reader, point);
    point.run.text = runName(point, reader);
    return point;
}

} // namespace

bool sniffInferencexAgg(const Input& input)
{
    return anyRow(input, isRow);
}

Result<PointSet> readInferencexAgg(const Input& input, std::stop_token stop)
{
    return readRows(
        input, stop, "a row of InferenceX results", [](const Row& row) { return isRow(*row.object); },
        [&](const Row& row) { return readRow(input, row); });
}

} // namespace wb::results
