#include "core/results/importers/mlperfloadgen.h"

#include "core/base/text.h"
#include "core/results/fieldreader.h"
#include "core/results/filename.h"
#include "core/results/importers/labels.h"
#include "core/results/importers/rows.h"

#include <array>

// MLPerf LoadGen's summary: three blocks of "key : value", times in ns. A result that LoadGen calls INVALID is one that must not be
// compared. The scenario is printed as Server for Interactive submissions too, so the path goes first; the GPUs stand in the description
// of the system, see runfacts.h.

namespace wb::results {

namespace {

constexpr std::string_view title = "MLPerf Results Summary";
constexpr double msPerNs = 1e-6;

struct Line {
    std::string_view field, label;
    double factor = 1.0;
};
constexpr auto latencies = std::to_array<Line>({
    {"e2eMs.mean", "Mean latency (ns)"},
    {"e2eMs.p50", "50.00 percentile latency (ns)"},
    {"e2eMs.p90", "90.00 percentile latency (ns)"},
    {"e2eMs.p95", "95.00 percentile latency (ns)"},
    {"e2eMs.p99", "99.00 percentile latency (ns)"},
    {"ttftMs.mean", "Mean First Token latency (ns)"},
    {"ttftMs.p50", "50.00 percentile first token latency (ns)"},
    {"ttftMs.p90", "90.00 percentile first token latency (ns)"},
    {"ttftMs.p95", "95.00 percentile first token latency (ns)"},
    {"ttftMs.p99", "99.00 percentile first token latency (ns)"},
    {"tpotMs.mean", "Mean Time to Output Token (ns)"},
    {"tpotMs.p50", "50.00 percentile time to output token (ns)"},
    {"tpotMs.p90", "90.00 percentile time to output token (ns)"},
    {"tpotMs.p95", "95.00 percentile time to output token (ns)"},
    {"tpotMs.p99", "99.00 percentile time to output token (ns)"},
});

constexpr auto scenarios = std::to_array<std::string_view>({"Interactive", "Server", "Offline", "SingleStream", "MultiStream"});

/// From the path when it names one, as the file says Server for Interactive too.
std::optional<std::string> scenarioOf(std::string_view path, const FieldReader& reader)
{
    for (const std::string_view scenario : scenarios)
        if (base::lowered(path).find(base::lowered(scenario)) != std::string::npos)
            return std::string(scenario);
    return reader.text("Scenario");
}

} // namespace

bool sniffMlperfLoadgen(const Input& input)
{
    return input.text.substr(0, 4096).find(title) != std::string_view::npos && input.text.find("Result is") != std::string_view::npos;
}

Result<PointSet> readMlperfLoadgen(const Input& input, std::stop_token)
{
    PointSet set;
    const Labels labels = readLabels(input.text, 0, input.text.size());
    Point point = pointOf(input, "mlperf-loadgen", 0);
    FieldReader reader(point, labels.object, {}, placesIn(input, labels));
    point.variant = scenarioOf(input.path, reader);
    reader.take("outputTps", {"Completed tokens per second", "Tokens per second"});
    reader.take("requestsPerS", {"Completed samples per second", "Samples per second"});
    reader.take("requestRate", {"target_qps"});
    for (const Line& line : latencies)
        reader.takeMeasured(line.field, {line.label}, msPerNs);
    const std::string verdict = reader.text("Result is").value_or("not told");
    if (verdict != "VALID")
        point.objections.push_back("LoadGen's verdict on the result is " + verdict + '.');
    if (const auto mode = reader.text("Mode"); mode && *mode != "PerformanceOnly")
        point.objections.push_back("LoadGen ran in mode " + *mode + ", which measures no performance.");
    point.run.text = runNameFor(input.path);
    set.points.push_back(std::move(point));
    return set;
}

} // namespace wb::results
