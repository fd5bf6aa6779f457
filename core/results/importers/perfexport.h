// The export that aiperf and genai-perf share: an object of metrics, each {unit, avg, p50, p90, ...}. The unit stands beside the numbers.
#pragma once

#include "core/results/fieldreader.h"
#include "core/results/importer.h"

#include <array>
#include <functional>

namespace wb::results {

/// An export, and where the members of one of its metrics stand.
struct PerfExport {
    const base::json::Value& object;
    std::string prefix = {}; ///< Goes before the keys in the provenance.
    std::function<PlaceOf(std::string_view metric)> placesOf;
};

[[nodiscard]] bool isPerfExport(const base::json::Value& object);
/// A metric of the exports, and the number or the statistics of a point that it is.
struct PerfMetric {
    std::string_view metric, field;
};
inline constexpr auto perfMeans = std::to_array<PerfMetric>({{"request_throughput", "requestsPerS"},
                                                             {"goodput", "goodput"},
                                                             {"request_goodput", "goodput"},
                                                             {"output_token_throughput", "outputTps"},
                                                             {"total_token_throughput", "totalTps"},
                                                             {"input_sequence_length", "isl"},
                                                             {"output_sequence_length", "osl"},
                                                             {"output_token_throughput_per_user", "tpsPerUserRates"},
                                                             {"request_count", "completed"},
                                                             {"error_request_count", "failed"}});
inline constexpr auto perfLatencies =
    std::to_array<PerfMetric>({{"time_to_first_token", "ttftMs"}, {"inter_token_latency", "itlMs"}, {"request_latency", "e2eMs"}});
/// A statistic of a latency by its key in the exports, and the statistic of a point that it is.
struct PerfStatistic {
    std::string_view key, field;
};
inline constexpr auto perfStatistics =
    std::to_array<PerfStatistic>({{"avg", "mean"}, {"p50", "p50"}, {"p90", "p90"}, {"p95", "p95"}, {"p99", "p99"}});

/// Written by genai-perf, not by aiperf.
[[nodiscard]] bool isOfGenaiPerf(const base::json::Value& object);

/// Lengths, counts, rates and latencies of the metrics. The ITL of both tools is a mean over each request.
void takePerfMetrics(const PerfExport& source, Point& point);
/// What stands in `input_config` and beside it: model, concurrency, rate, GPUs seen by the telemetry, whether it was cancelled.
void takePerfSettings(const PerfExport& source, Point& point);

/// Factor from a unit of time to milliseconds; nothing for other units.
[[nodiscard]] std::optional<double> millisecondsIn(std::string_view unit);

/// "qwen-openai-chat-concurrency2", "concurrency_10": the number behind the word, in the last part of a path.
[[nodiscard]] std::optional<double> concurrencyInName(std::string_view path);
/// The folder that holds all runs of a sweep, when the path shows that there was one ("x/concurrency_10/...", "x/sweep_aggregate/...").
[[nodiscard]] std::string sweepFolderOf(std::string_view path);

} // namespace wb::results
