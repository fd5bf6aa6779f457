#include "core/results/importers/mlperfendpoints.h"

#include "core/base/text.h"
#include "core/results/fieldreader.h"
#include "core/results/filename.h"
#include "core/results/importers/labels.h"
#include "core/results/importers/rows.h"

#include <algorithm>
#include <array>

// The report.txt of MLPerf's endpoints client: a summary, then a block for each latency with its statistics and, below "Percentiles:", its
// percentiles. Everything is rounded to two decimals.

namespace wb::results {

namespace {

struct Block {
    std::string_view heading, field;
};
constexpr auto blocks = std::to_array<Block>({{"TTFT:", "ttftMs"}, {"TPOT:", "tpotMs"}, {"Latency:", "e2eMs"}});
struct Statistic {
    std::string_view label, field;
};
constexpr auto statistics = std::to_array<Statistic>({{"Avg.", "mean"}, {"Median", "p50"}});
constexpr auto percentiles = std::to_array<Statistic>({{"90.0", "p90"}, {"95.0", "p95"}, {"99.0", "p99"}});

/// From the line that is the heading to the next one that begins at the margin.
std::pair<std::size_t, std::size_t> blockAt(std::string_view text, std::string_view heading)
{
    const std::size_t found = text.find('\n' + std::string(heading) + '\n');
    if (found == std::string_view::npos)
        return {text.size(), text.size()};
    std::size_t end = found + heading.size() + 2;
    while (end < text.size() && (text[end] == ' ' || text[end] == '\n'))
        end = std::min(text.find('\n', end), text.size() - 1) + 1;
    return {found + heading.size() + 2, end};
}

/// `target_concurrency=64` in the run's configuration; None when a rate was set instead.
std::optional<double> configured(std::string_view text, std::string_view key)
{
    const std::size_t found = text.find(std::string(key) + '=');
    if (found == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = text.substr(found + key.size() + 1);
    return base::numberOf(rest.substr(0, rest.find_first_of(", \n")));
}

} // namespace

bool sniffMlperfEndpoints(const Input& input)
{
    return input.text.find("- Summary -") != std::string_view::npos && input.text.find("\nVersion:") != std::string_view::npos &&
           input.text.find("\nTPS:") != std::string_view::npos;
}

Result<PointSet> readMlperfEndpoints(const Input& input, std::stop_token)
{
    PointSet set;
    Point point = pointOf(input, "mlperf-endpoints", 0);
    const Labels summary = readLabels(input.text, 0, std::min(input.text.find("Latency Breakdowns"), input.text.size()));
    FieldReader reader(point, summary.object, {}, placesIn(input, summary));
    reader.take("requested", {"Total samples issued"});
    reader.take("completed", {"Total samples completed"});
    reader.take("failed", {"Total samples failed"});
    reader.take("durationS", {"Duration"});
    reader.take("requestsPerS", {"QPS"});
    reader.take("outputTps", {"TPS"});
    if (const auto concurrency = configured(input.text, "target_concurrency"))
        setDerived(point, "concurrency", *concurrency, "load_pattern: target_concurrency");
    if (const auto rate = configured(input.text, "target_qps"))
        setDerived(point, "requestRate", *rate, "load_pattern: target_qps");
    for (const Block& block : blocks) {
        const auto [begin, end] = blockAt(input.text, block.heading);
        const Labels values = readLabels(input.text, begin, end);
        FieldReader latency(point, values.object, std::string(block.heading) + ' ', placesIn(input, values));
        for (const Statistic& statistic : statistics)
            latency.takeMeasured(std::string(block.field) + '.' + std::string(statistic.field), {statistic.label});
        for (const Statistic& percentile : percentiles) // the first of the two tables: the second holds estimates
            latency.takeMeasured(std::string(block.field) + '.' + std::string(percentile.field), {percentile.label});
    }
    const auto [begin, end] = blockAt(input.text, "Output sequence lengths:");
    const Labels lengths = readLabels(input.text, begin, end);
    FieldReader(point, lengths.object, "Output sequence lengths: ", placesIn(input, lengths)).take("osl", {"Avg."});
    addNote(point, "The numbers are rounded to two decimals.");
    point.run.text = runNameFor(input.path);
    set.points.push_back(std::move(point));
    return set;
}

} // namespace wb::results
