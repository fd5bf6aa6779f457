#include "core/results/importers/trtllmconsole.h"

#include "core/results/fieldreader.h"
#include "core/results/filename.h"
#include "core/results/importers/labels.h"
#include "core/results/importers/rows.h"

#include <array>

// The tables that trtllm-bench prints: each block between two lines of "=", the values behind their labels. One run prints one set of
// them, begun by its performance overview's block of requests; a log may hold several runs.

namespace wb::results {

namespace {

constexpr std::string_view engineMark = " BACKEND\n";
constexpr std::string_view runMark = "= REQUEST DETAILS";
constexpr std::string_view overviewMark = "= PERFORMANCE OVERVIEW";

struct Line {
    std::string_view field, label;
    double factor = 1.0;
};
constexpr auto lines = std::to_array<Line>({
    {"requestsPerS", "Request Throughput (req/sec)"},
    {"outputTps", "Total Output Throughput (tokens/sec)"},
    {"totalTps", "Total Token Throughput (tokens/sec)"},
    {"durationS", "Total Latency (ms)", 1e-3},
    {"isl", "Average Input Length (tokens)"},
    {"osl", "Average Output Length (tokens)"},
    {"completed", "Number of requests"},
    {"concurrency", "Number of concurrent requests"},
    {"e2eMs.mean", "Average request latency (ms)"},
    {"ttftMs.mean", "Average time-to-first-token [TTFT] (ms)"},
    {"tpotMs.mean", "Average time-per-output-token [TPOT] (ms)"},
    {"tpsPerUserRates", "Per User Output Speed (tps/user)"},
    {"e2eMs.p50", "[Latency] P50"},
    {"e2eMs.p90", "[Latency] P90"},
    {"e2eMs.p95", "[Latency] P95"},
    {"e2eMs.p99", "[Latency] P99"},
    {"ttftMs.p50", "[TTFT] P50"},
    {"ttftMs.p90", "[TTFT] P90"},
    {"ttftMs.p95", "[TTFT] P95"},
    {"ttftMs.p99", "[TTFT] P99"},
    {"tpotMs.p50", "[TPOT] P50"},
    {"tpotMs.p90", "[TPOT] P90"},
    {"tpotMs.p95", "[TPOT] P95"},
    {"tpotMs.p99", "[TPOT] P99"},
});

void takeGpus(const Labels& labels, FieldReader& reader, Point& point)
{
    const auto tp = reader.number("TP Size");
    if (!tp || *tp <= 0)
        return;
    const double gpus = *tp * reader.number("PP Size").value_or(1.0);
    setDerived(point, "gpus.total", gpus, labels.object.find("PP Size") ? "TP Size x PP Size" : "TP Size");
    setDerived(point, "gpus.working", gpus, labels.object.find("PP Size") ? "TP Size x PP Size" : "TP Size");
    point.gpus.origin = "the file";
}

Point readRun(const Input& input, std::size_t begin, std::size_t end, std::size_t index)
{
    const Labels labels = readLabels(input.text, begin, end);
    Point point = pointOf(input, "trtllm-bench-console", index);
    FieldReader reader(point, labels.object, {}, placesIn(input, labels));
    reader.takeText("model", point.model, {"Model", "Model Path"});
    reader.takeText("precision", point.precision, {"Quantization", "Dtype"});
    point.engine = "trtllm";
    point.origins["engine"] = {{}, "the format", "trtllm-bench"};
    for (const Line& line : lines)
        reader.takeMeasured(line.field, {line.label}, line.factor);
    takeGpus(labels, reader, point);
    addNote(point, "Measured without a server: trtllm-bench drives the engine itself.");
    point.run.text = runNameFor(input.path);
    return point;
}

/// The engine's block stands before the requests' one and belongs to the same run.
std::size_t beginOfNextRun(std::string_view text, std::size_t from)
{
    const std::size_t requests = text.find(runMark, from);
    if (requests == std::string_view::npos)
        return text.size();
    const std::size_t engine = text.rfind(engineMark, requests);
    return engine != std::string_view::npos && engine > from ? engine : requests;
}

} // namespace

bool sniffTrtllmConsole(const Input& input)
{
    return input.text.find(runMark) != std::string_view::npos && input.text.find(overviewMark) != std::string_view::npos;
}

Result<PointSet> readTrtllmConsole(const Input& input, std::stop_token stop)
{
    PointSet set;
    std::size_t begin = 0;
    for (std::size_t mark = input.text.find(overviewMark); mark != std::string_view::npos;) {
        if (stop.stop_requested())
            return failure(ErrorCode::Cancelled, "The import was stopped.");
        const std::size_t next = input.text.find(overviewMark, mark + overviewMark.size());
        const std::size_t end = beginOfNextRun(input.text, mark);
        set.points.push_back(readRun(input, begin, end, set.points.size()));
        begin = end;
        mark = next;
    }
    return set;
}

} // namespace wb::results
