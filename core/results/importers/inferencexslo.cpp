#include "core/results/importers/inferencexslo.h"

#include "core/base/text.h"
#include "core/results/fieldreader.h"
#include "core/results/filename.h"
#include "core/results/importers/clientsummary.h"
#include "core/results/importers/rows.h"

// The SLO sweep of InferenceX: keys as vLLM's, but latencies in seconds and without a suffix.

namespace wb::results {

using base::json::Value;

namespace {

constexpr double msPerS = 1000.0;

bool isSlo(const Value& object)
{
    return hasAll(object, {"good_completed", "completed", "median_ttft"});
}

/// "vllm_tp8_isl1024": the parallel size of the server is told by the name alone.
void takeGpusOfName(Point& point, std::string_view path)
{
    for (const std::string_view part : base::splitAt(lastPart(path), '_'))
        for (const std::string_view kind : {std::string_view("tp"), std::string_view("tep"), std::string_view("dep")}) {
            const auto gpus = part.starts_with(kind) ? base::integerOf(part.substr(kind.size())) : std::nullopt;
            if (!gpus || *gpus <= 0)
                continue;
            setDerived(point, "gpus.total", static_cast<double>(*gpus), "file name: " + std::string(part));
            setDerived(point, "gpus.working", static_cast<double>(*gpus), "file name: " + std::string(part));
            point.gpus.origin = "file name";
            if (kind == "tp")
                setDerived(point, "tp", static_cast<double>(*gpus), "file name: " + std::string(part));
            return;
        }
}

Point readRow(const Input& input, const Row& row)
{
    Point point = pointOf(input, "inferencex-slo", row.index);
    FieldReader reader(point, *row.object, {}, placesIn(input, row));
    reader.takeText("model", point.model, {"model_id"});
    takeClientConcurrency(reader, point, factsInName(input.path));
    takeClientCounts(reader, point);
    reader.take("requestRate", {"request_rate"});
    reader.take("durationS", {"duration"});
    reader.take("outputTps", {"output_throughput"});
    reader.take("inputTps", {"input_throughput"});
    reader.take("requestsPerS", {"request_throughput"});
    reader.take("goodput", {"request_goodput"});
    if (point.inputTps && point.outputTps)
        setDerived(point, "totalTps", *point.inputTps + *point.outputTps, "input_throughput + output_throughput");
    reader.takeStatistics("ttftMs", "ttft", "", msPerS);
    reader.takeStatistics("tpotMs", "tpot", "", msPerS);
    reader.takeStatistics("itlMs", "itl", "", msPerS);
    reader.takeStatistics("e2eMs", "e2el", "", msPerS);
    takeGpusOfName(point, input.path);
    point.run.text = runNameFor(input.path);
    return point;
}

} // namespace

bool sniffInferencexSlo(const Input& input)
{
    return anyRow(input, isSlo);
}

Result<PointSet> readInferencexSlo(const Input& input, std::stop_token stop)
{
    return readRows(
        input, stop, "a result of the SLO sweep", [](const Row& row) { return isSlo(*row.object); },
        [&](const Row& row) { return readRow(input, row); });
}

} // namespace wb::results
