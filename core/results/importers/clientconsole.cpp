#include "core/results/importers/clientconsole.h"

#include "core/base/text.h"
#include "core/results/fieldreader.h"
#include "core/results/filename.h"
#include "core/results/importers/labels.h"
#include "core/results/importers/rows.h"

#include <algorithm>
#include <array>
#include <map>

// The table that vLLM's, SGLang's and srt-slurm's clients print at the end of a run. A log holds the table of each concurrency, and of
// some the warm-up's before it: the last one of a concurrency counts.

namespace wb::results {

namespace {

constexpr std::string_view mark = "Serving Benchmark Result";

struct Line {
    std::string_view field;
    std::array<std::string_view, 2> labels; ///< vLLM's, SGLang's.
};
constexpr auto counts = std::to_array<Line>({
    {"concurrency", {"Maximum request concurrency", "Max request concurrency"}},
    {"completed", {"Successful requests", ""}},
    {"failed", {"Failed requests", ""}},
    {"durationS", {"Benchmark duration (s)", ""}},
    {"requestRate", {"Request rate configured (RPS)", "Traffic request rate"}},
    {"requestsPerS", {"Request throughput (req/s)", ""}},
    {"outputTps", {"Output token throughput (tok/s)", ""}},
    {"inputTps", {"Input token throughput (tok/s)", ""}},
});
constexpr auto totals = std::to_array<std::string_view>({"Total token throughput (tok/s)", "Total Token throughput (tok/s)"});

struct Latency {
    std::string_view field, label;
};
constexpr auto latencies =
    std::to_array<Latency>({{"ttftMs", "TTFT"}, {"tpotMs", "TPOT"}, {"itlMs", "ITL"}, {"e2eMs", "E2EL"}, {"e2eMs", "E2E Latency"}});
struct Statistic {
    std::string_view field, label;
};
constexpr auto statistics = std::to_array<Statistic>({{"mean", "Mean"}, {"p50", "Median"}, {"p90", "P90"}, {"p95", "P95"}, {"p99", "P99"}});

/// Of what the client printed about its arguments before the table: model='name'.
std::optional<std::string> modelBefore(std::string_view text)
{
    constexpr std::string_view key = " model='";
    const std::size_t found = text.rfind(key);
    if (found == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = text.substr(found + key.size());
    const std::size_t end = rest.find('\'');
    return end == std::string_view::npos || end == 0 ? std::nullopt : std::optional(std::string(rest.substr(0, end)));
}

void takeLengths(FieldReader& reader, Point& point)
{
    if (point.completed.value_or(0) <= 0)
        return;
    if (const auto input = reader.counted("isl", "Total input tokens"))
        setDerived(point, "isl", *input / *point.completed, "Total input tokens / Successful requests");
    if (const auto output = reader.counted("osl", "Total generated tokens"))
        setDerived(point, "osl", *output / *point.completed, "Total generated tokens / Successful requests");
}

Point readTable(const Input& input, std::string_view format, std::size_t begin, std::size_t end, std::size_t index)
{
    const Labels labels = readLabels(input.text, begin, end);
    Point point = pointOf(input, format, index);
    FieldReader reader(point, labels.object, {}, placesIn(input, labels));
    if (auto model = modelBefore(input.text.substr(0, begin))) {
        point.origins["model"] = {{}, "model=", *model};
        point.model = std::move(model);
    }
    for (const Line& line : counts)
        reader.take(line.field, {line.labels[0], line.labels[1]});
    reader.take("totalTps", {totals[0], totals[1]});
    if (point.completed && point.failed)
        setDerived(point, "requested", *point.completed + *point.failed, "Successful + Failed requests");
    if (!point.inputTps && point.totalTps && point.outputTps)
        setDerived(point, "inputTps", *point.totalTps - *point.outputTps, "Total - Output token throughput");
    takeLengths(reader, point);
    for (const Latency& latency : latencies)
        for (const Statistic& statistic : statistics)
            reader.takeMeasured(std::string(latency.field) + '.' + std::string(statistic.field),
                                {std::string(statistic.label) + ' ' + std::string(latency.label) + " (ms)"});
    addNote(point, "Read from the client's console: the numbers are rounded to two decimals.");
    point.run.text = runNameFor(input.path);
    return point;
}

/// From behind the heading to the closing line of "=".
std::size_t endOfTable(std::string_view text, std::size_t begin)
{
    const std::size_t closing = text.find("\n==========", text.find('\n', begin));
    const std::size_t next = text.find(mark, begin + mark.size());
    return std::min({closing, next, text.size()});
}

Result<PointSet> readTables(const Input& input, std::string_view format, const std::stop_token& stop)
{
    PointSet set;
    std::map<std::optional<double>, std::size_t> byConcurrency;
    std::size_t index = 0;
    std::size_t replaced = 0;
    for (std::size_t at = input.text.find(mark); at != std::string_view::npos; at = input.text.find(mark, at + mark.size())) {
        if (stop.stop_requested())
            return failure(ErrorCode::Cancelled, "The import was stopped.");
        Point point = readTable(input, format, at + mark.size(), endOfTable(input.text, at), index++);
        const auto [found, isNew] = byConcurrency.try_emplace(point.concurrency, set.points.size());
        if (isNew || !point.concurrency)
            set.points.push_back(std::move(point));
        else
            set.points[found->second] = std::move(point), ++replaced;
    }
    if (replaced > 0)
        set.warnings.push_back(std::to_string(replaced) +
                               " earlier tables of the same concurrency were left out: the first is the warm-up's.");
    return set;
}

} // namespace

bool sniffClientConsole(const Input& input)
{
    return input.json.empty() && input.text.find(mark) != std::string_view::npos;
}

bool sniffBenchmarkLog(const Input& input)
{
    return lastPart(input.path).ends_with("benchmark.out") && sniffClientConsole(input);
}

Result<PointSet> readClientConsole(const Input& input, std::stop_token stop)
{
    return readTables(input, "client-console", stop);
}

Result<PointSet> readBenchmarkLog(const Input& input, std::stop_token stop)
{
    return readTables(input, "srt-slurm-benchmark-log", stop);
}

} // namespace wb::results
