#include "core/results/importers/guidellm.h"

#include "core/base/text.h"
#include "core/results/fieldreader.h"
#include "core/results/filename.h"
#include "core/results/importers/rows.h"
#include "core/results/numbers.h"

#include <array>

// GuideLLM's report: a list of benchmarks, each a point. Of every metric the `successful` requests count. request_latency is in seconds,
// the others name their milliseconds. Its time per output token counts the first token, its inter-token latency does not.

namespace wb::results {

using base::json::Value;

namespace {

bool isBenchmark(const Value& value)
{
    const Value* metrics = value.find("metrics");
    return metrics && hasAny(*metrics, {"request_totals", "request_latency", "output_tokens_per_second"});
}

bool isReport(const Value& object)
{
    const Value* benchmarks = object.find("benchmarks");
    return benchmarks && !benchmarks->array().empty() && isBenchmark(benchmarks->array().front());
}

struct Group {
    std::string_view field, key;
    double factor;
};
constexpr auto groups = std::to_array<Group>({{"ttftMs", "time_to_first_token_ms", 1.0},
                                              {"tpotMs", "time_per_output_token_ms", 1.0},
                                              {"itlMs", "inter_token_latency_ms", 1.0},
                                              {"e2eMs", "request_latency", 1000.0}});

struct Mean {
    std::string_view field, key;
};
constexpr auto means = std::to_array<Mean>({{"requestsPerS", "requests_per_second"},
                                            {"outputTps", "output_tokens_per_second"},
                                            {"totalTps", "tokens_per_second"},
                                            {"inputTps", "prompt_tokens_per_second"},
                                            {"isl", "prompt_token_count"},
                                            {"osl", "output_token_count"}});

/// One benchmark of the report, and how its parts are reached.
struct Benchmark {
    const Input& input;
    const Row& row;
    std::size_t position;
    const Value& value;

    [[nodiscard]] FieldReader reader(Point& point, std::initializer_list<std::string_view> path, const Value& object) const
    {
        std::vector<PathStep> steps{std::string("benchmarks"), position};
        std::string prefix;
        for (const std::string_view step : path) {
            steps.emplace_back(std::string(step));
            prefix.append(step).append(".");
        }
        return {point, object, prefix, placesIn(input, row, steps)};
    }
};

void takeMetric(const Benchmark& benchmark, Point& point, const Group& group)
{
    const Value* successful = benchmark.value.at({"metrics", group.key, "successful"});
    if (!successful)
        return;
    const auto field = [&](std::string_view statistic) { return std::string(group.field) + '.' + std::string(statistic); };
    FieldReader reader = benchmark.reader(point, {"metrics", group.key, "successful"}, *successful);
    reader.takeMeasured(field("mean"), {"mean"}, group.factor);
    const Value* percentiles = successful->find("percentiles");
    if (!percentiles) {
        reader.takeMeasured(field("p50"), {"median"}, group.factor);
        return;
    }
    FieldReader inner = benchmark.reader(point, {"metrics", group.key, "successful", "percentiles"}, *percentiles);
    for (const std::string_view statistic :
         {std::string_view("p50"), std::string_view("p90"), std::string_view("p95"), std::string_view("p99")})
        inner.takeMeasured(field(statistic), {statistic}, group.factor);
}

/// How many were sent and how: `config` in the second format, `args` in the older ones.
void takeStrategy(const Benchmark& benchmark, Point& point)
{
    for (const std::string_view holder : {std::string_view("config"), std::string_view("args")}) {
        const Value* strategy = benchmark.value.at({holder, "strategy"});
        if (!strategy)
            continue;
        FieldReader reader = benchmark.reader(point, {holder, "strategy"}, *strategy);
        const std::string kind = reader.text("type_").value_or(reader.text("kind").value_or(""));
        reader.take("requestRate", {"rate"});
        if (kind == "concurrent")
            reader.take("concurrency", {"streams"});
        else if (kind == "synchronous")
            setDerived(point, "concurrency", 1, std::string(holder) + ".strategy: synchronous");
        point.variant = kind.empty() ? std::nullopt : std::optional(kind);
    }
    const Value* measured = benchmark.value.at({"metrics", "request_concurrency", "successful", "mean"});
    if (!point.concurrency && measured && measured->number())
        addNote(point, significant(*measured->number()) + " requests were in flight on average; the strategy sets no concurrency.");
}

void takeCounts(const Benchmark& benchmark, Point& point)
{
    const Value* totals = benchmark.value.at({"metrics", "request_totals"});
    const Value* made = totals ? nullptr : benchmark.value.at({"run_stats", "requests_made"});
    if (!totals && !made)
        return;
    FieldReader reader = totals ? benchmark.reader(point, {"metrics", "request_totals"}, *totals)
                                : benchmark.reader(point, {"run_stats", "requests_made"}, *made);
    reader.take("completed", {"successful"});
    reader.take("failed", {"errored"});
    if (point.completed && point.failed) // requests that the end of the run cut off count as neither
        setDerived(point, "requested", *point.completed + *point.failed, "successful + errored");
    if (const auto cut = reader.number("incomplete"); cut && *cut > 0)
        addNote(point, base::textOf(*cut) + " requests were cut off by the end of the run and count as neither completed nor failed.");
}

/// Seconds from the begin of the measurement to its end, by the names that the formats have for them.
void takeDuration(const Benchmark& benchmark, Point& point)
{
    struct Span {
        std::string_view holder, begin, end;
    };
    for (const Span& span : {Span{"scheduler_metrics", "measure_start_time", "measure_end_time"},
                             Span{"run_stats", "start_time", "end_time"}, Span{"", "start_time", "end_time"}}) {
        const Value* holder = span.holder.empty() ? &benchmark.value : benchmark.value.find(span.holder);
        const Value* begin = holder ? holder->find(span.begin) : nullptr;
        const Value* end = holder ? holder->find(span.end) : nullptr;
        if (!begin || !end || !begin->number() || !end->number())
            continue;
        const std::string prefix = span.holder.empty() ? "" : std::string(span.holder) + '.';
        setDerived(point, "durationS", *end->number() - *begin->number(),
                   prefix + std::string(span.end) + " - " + prefix + std::string(span.begin));
        return;
    }
}

void takeModel(const Benchmark& benchmark, Point& point)
{
    for (const auto& path : {std::pair("config", "backend"), std::pair("worker", "backend"), std::pair("args", "backend")})
        if (const Value* backend = benchmark.value.at({path.first, path.second}); backend && backend->isObject() && !point.model)
            benchmark.reader(point, {path.first, path.second}, *backend).takeText("model", point.model, {"model", "backend_model"});
    const Value& report = *benchmark.row.object;
    if (const Value* arguments = report.find("args"); arguments && !point.model)
        FieldReader(point, *arguments, "args.", placesIn(benchmark.input, benchmark.row, {std::string("args")}))
            .takeText("model", point.model, {"model"});
}

Point readBenchmark(const Benchmark& benchmark, std::size_t index)
{
    Point point = pointOf(benchmark.input, "guidellm", index);
    takeModel(benchmark, point);
    takeStrategy(benchmark, point);
    takeCounts(benchmark, point);
    takeDuration(benchmark, point);
    for (const Mean& mean : means)
        if (const Value* successful = benchmark.value.at({"metrics", mean.key, "successful"}))
            benchmark.reader(point, {"metrics", mean.key, "successful"}, *successful).take(mean.field, {"mean"});
    for (const Group& group : groups)
        takeMetric(benchmark, point, group);
    point.itlPerRequest = true;
    point.tpotHasFirstToken = true;
    point.run.text = runNameFor(benchmark.input.path);
    return point;
}

} // namespace

bool sniffGuidellm(const Input& input)
{
    return anyRow(input, isReport);
}

Result<PointSet> readGuidellm(const Input& input, std::stop_token stop)
{
    PointSet set;
    std::size_t index = 0;
    for (const Row& row : rowsOf(input)) {
        if (!isReport(*row.object))
            continue;
        const base::json::Array& benchmarks = row.object->find("benchmarks")->array();
        for (std::size_t position = 0; position < benchmarks.size(); ++position) {
            if (stop.stop_requested())
                return failure(ErrorCode::Cancelled, "The import was stopped.");
            if (isBenchmark(benchmarks[position]))
                set.points.push_back(readBenchmark({input, row, position, benchmarks[position]}, index));
            else
                set.warnings.push_back(row.place + ": benchmark " + std::to_string(position + 1) + " was left out, it has no metrics.");
            ++index;
        }
    }
    return set;
}

} // namespace wb::results
