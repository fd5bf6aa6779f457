#include "core/results/importers/llmperf.h"

#include "core/base/text.h"
#include "core/results/fieldreader.h"
#include "core/results/filename.h"
#include "core/results/importers/rows.h"
#include "core/results/numbers.h"

#include <array>
#include <cmath>

// The summary of llmperf's token benchmark: seconds, whole numbers in quotes here and there. Its lengths are those that were asked for.

namespace wb::results {

using base::json::Value;

namespace {

constexpr double msPerS = 1000.0;

bool isSummary(const Value& object)
{
    return hasAll(object, {"results_ttft_s_mean"});
}

struct Group {
    std::string_view field, key;
};
constexpr auto groups = std::to_array<Group>(
    {{"ttftMs", "results_ttft_s_"}, {"itlMs", "results_inter_token_latency_s_"}, {"e2eMs", "results_end_to_end_latency_s_"}});

struct Name {
    std::string_view field, key;
};
constexpr auto names = std::to_array<Name>(
    {{"mean", "mean"}, {"p50", "quantiles_p50"}, {"p90", "quantiles_p90"}, {"p95", "quantiles_p95"}, {"p99", "quantiles_p99"}});

void noteLength(const FieldReader& reader, Point& point)
{
    const auto measured = reader.number("results_number_output_tokens_mean");
    if (measured && point.osl && std::abs(*measured - *point.osl) > 0.05 * *point.osl)
        addNote(point, "The answers had " + significant(*measured) + " tokens on average; " + significant(*point.osl) + " were asked for.");
}

Point readRow(const Input& input, const Row& row)
{
    Point point = pointOf(input, "llmperf", row.index);
    FieldReader reader(point, *row.object, {}, placesIn(input, row));
    reader.takeText("model", point.model, {"model"});
    reader.takeText("engine", point.engine, {"framework"});
    reader.take("concurrency", {"num_concurrent_requests"});
    reader.take("isl", {"mean_input_tokens"});
    reader.take("osl", {"mean_output_tokens"});
    reader.take("completed", {"results_num_completed_requests"});
    reader.take("failed", {"results_number_errors"});
    reader.take("requested", {"results_num_requests_started"});
    reader.take("outputTps", {"results_mean_output_throughput_token_per_s"});
    reader.take("requestsPerS", {"results_num_completed_requests_per_min"}, 1.0 / 60.0);
    for (const Group& group : groups)
        for (const Name& name : names)
            reader.takeMeasured(std::string(group.field) + '.' + std::string(name.field), {std::string(group.key) + std::string(name.key)},
                                msPerS);
    point.itlPerRequest = true;
    addNote(point, "The ITL is a mean over each request that counts its first token, too.");
    noteLength(reader, point);
    point.run.text = point.engine ? *point.engine + ' ' + point.model.value_or("") : runNameFor(input.path);
    return point;
}

} // namespace

bool sniffLlmperf(const Input& input)
{
    return anyRow(input, isSummary);
}

Result<PointSet> readLlmperf(const Input& input, std::stop_token stop)
{
    return readRows(
        input, stop, "a summary of llmperf", [](const Row& row) { return isSummary(*row.object); },
        [&](const Row& row) { return readRow(input, row); });
}

} // namespace wb::results
