#include "core/results/importers/llmdreport.h"

#include "core/base/text.h"
#include "core/results/fieldreader.h"
#include "core/results/filename.h"
#include "core/results/importers/perfexport.h"
#include "core/results/importers/rows.h"
#include "core/results/numbers.h"
#include "core/syntax/yaml.h"

#include <array>
#include <memory>

// The benchmark report of llm-d, a YAML (or JSON) document: version 0.1 has `metrics`, 0.2 has `results.request_performance.aggregate`.
// Each statistic names its unit. Reports are known whose units or rates cannot be: those contradict themselves and are refused, unless the
// user says that it is one.

namespace wb::results {

using base::json::Value;

namespace {

bool hasLine(std::string_view text, std::string_view beginning)
{
    return text.starts_with(beginning) || text.find('\n' + std::string(beginning)) != std::string_view::npos;
}

bool isReport(const Value& value)
{
    const Value* version = value.find("version");
    const std::string* text = version ? version->string() : nullptr;
    return value.find("scenario") && (value.find("metrics") || value.find("results")) &&
           ((text && text->starts_with("0.")) || (version && version->number()));
}

Result<Value> documentOf(const Input& input)
{
    if (!input.json.empty())
        return input.json.front().value;
    const syntax::Parsed parsed =
        syntax::parse(std::make_shared<const syntax::SourceText>(std::string(input.text), std::string(input.path)));
    if (parsed.complete && parsed.root)
        return syntax::toJson(*parsed.root);
    // Of a broken text the reader gives what was probably meant: no number of a report may come from a guess.
    for (const syntax::Diagnostic& problem : parsed.diagnostics) {
        if (problem.severity != syntax::Severity::Error)
            continue;
        const syntax::LineCol at = parsed.source->lineCol(problem.range.begin);
        return failure(ErrorCode::Malformed, "The file is no YAML document: line " + std::to_string(at.line) + ", column " +
                                                 std::to_string(at.column) + ": " + problem.message);
    }
    return failure(ErrorCode::Malformed, "The file is no YAML document.");
}

/// Keys of the two generations for the same thing.
struct Rate {
    std::string_view field, old, now;
};
constexpr auto rates = std::to_array<Rate>({{"inputTps", "input_tokens_per_sec", "input_token_rate"},
                                            {"outputTps", "output_tokens_per_sec", "output_token_rate"},
                                            {"totalTps", "total_tokens_per_sec", "total_token_rate"},
                                            {"requestsPerS", "requests_per_sec", "request_rate"}});
struct Group {
    std::string_view field, key;
};
constexpr auto groups = std::to_array<Group>({{"ttftMs", "time_to_first_token"},
                                              {"tpotMs", "time_per_output_token"},
                                              {"itlMs", "inter_token_latency"},
                                              {"e2eMs", "request_latency"}});

void takeRates(const Value& throughput, const std::string& prefix, Point& point)
{
    for (const Rate& rate : rates) {
        FieldReader reader(point, throughput, prefix + "throughput.");
        if (reader.take(rate.field, {rate.old}))
            continue;
        if (const Value* value = throughput.find(rate.now); value && value->isObject())
            FieldReader(point, *value, prefix + "throughput." + std::string(rate.now) + '.').take(rate.field, {"mean"});
    }
}

void takeLatencies(const Value& latency, const std::string& prefix, Point& point)
{
    for (const Group& group : groups) {
        const Value* value = latency.find(group.key);
        if (!value || !value->isObject())
            continue;
        const Value* units = value->find("units");
        const std::string unit = units && units->string() ? *units->string() : "ms";
        const auto factor = millisecondsIn(std::string_view(unit).substr(0, unit.find('/'))); // "s/token"
        if (!factor) {
            addNote(point, base::inQuotes(group.key) + " is in " + base::inQuotes(unit) + ", which is no unit of time: left out.");
            continue;
        }
        FieldReader reader(point, *value, prefix + "latency." + std::string(group.key) + '.');
        for (const StatisticName& name : statisticNames())
            reader.takeMeasured(std::string(group.field) + '.' + std::string(name.field), {name.name}, *factor);
    }
}

void takeRequests(const Value& requests, const std::string& prefix, Point& point)
{
    FieldReader reader(point, requests, prefix + "requests.");
    reader.take("requested", {"total"});
    reader.take("failed", {"failures"});
    if (point.requested && point.failed)
        setDerived(point, "completed", *point.requested - *point.failed, "requests.total - requests.failures");
    for (const auto& [field, key] : {std::pair("isl", "input_length"), std::pair("osl", "output_length")})
        if (const Value* value = requests.find(key); value && value->isObject())
            FieldReader(point, *value, prefix + "requests." + key + '.').takeMeasured(field, {"mean"});
}

/// "PT49.97S" in seconds.
std::optional<double> secondsOf(std::string_view duration)
{
    if (!duration.starts_with("PT") || !duration.ends_with('S'))
        return std::nullopt;
    duration.remove_prefix(2);
    duration.remove_suffix(1);
    double seconds = 0;
    for (const auto& [mark, factor] : {std::pair('H', 3600.0), std::pair('M', 60.0)})
        if (const std::size_t at = duration.find(mark); at != std::string_view::npos) {
            seconds += base::numberOf(duration.substr(0, at)).value_or(0) * factor;
            duration.remove_prefix(at + 1);
        }
    const auto rest = base::numberOf(duration);
    return rest ? std::optional(seconds + *rest) : std::nullopt;
}

/// GPUs of the engines: old reports list an accelerator for each instance, new ones count replicas.
void takeGpus(const Value& report, Point& point)
{
    std::optional<double> prefill;
    std::optional<double> decode;
    double all = 0;
    const auto add = [&](double gpus, std::string_view role) {
        all += gpus;
        if (role == "prefill")
            prefill = prefill.value_or(0) + gpus;
        else if (role == "decode")
            decode = decode.value_or(0) + gpus;
    };
    std::string how;
    const auto roleIn = [](const Value* role) { return role && role->string() ? *role->string() : std::string(); };
    if (const Value* accelerators = report.at({"scenario", "host", "accelerator"})) {
        const Value* types = report.at({"scenario", "host", "type"});
        for (std::size_t i = 0; i < accelerators->array().size(); ++i) {
            const Value* count = accelerators->array()[i].find("count");
            if (count && count->number())
                add(*count->number(), types && i < types->array().size() ? roleIn(&types->array()[i]) : std::string());
        }
        how = "scenario.host.accelerator: count";
    } else if (const Value* stack = report.at({"scenario", "stack"})) {
        for (const Value& component : stack->array()) {
            const Value* count = component.at({"standardized", "accelerator", "count"});
            const Value* replicas = component.at({"standardized", "replicas"});
            if (count && count->number())
                add(*count->number() * (replicas ? replicas->number().value_or(1.0) : 1.0), roleIn(component.at({"standardized", "role"})));
        }
        how = "scenario.stack: accelerator.count x replicas";
    }
    if (all <= 0)
        return;
    setDerived(point, "gpus.total", all, how);
    setDerived(point, "gpus.working", all, how);
    if (prefill && decode) {
        setDerived(point, "gpus.prefill", *prefill, how);
        setDerived(point, "gpus.decode", *decode, how);
    }
    point.gpus.origin = "the file";
}

void takeIdentity(const Value& report, Point& point)
{
    const auto first = [&](std::initializer_list<std::string_view> list, std::initializer_list<std::string_view> path) -> const Value* {
        if (const Value* items = report.at(list))
            for (const Value& item : items->array())
                if (const Value* found = item.at(path))
                    return found;
        return nullptr;
    };
    const auto take = [&](std::optional<std::string>& slot, std::string_view field, const Value* value, std::string_view key) {
        if (slot || !value || !value->string())
            return;
        slot = *value->string();
        point.origins[std::string(field)] = {{}, std::string(key), *slot};
    };
    take(point.model, "model", report.at({"scenario", "model", "name"}), "scenario.model.name");
    take(point.model, "model", first({"scenario", "stack"}, {"standardized", "model", "name"}), "scenario.stack: model.name");
    take(point.hardware, "hardware", first({"scenario", "host", "accelerator"}, {"model"}), "scenario.host.accelerator: model");
    take(point.hardware, "hardware", first({"scenario", "stack"}, {"standardized", "accelerator", "model"}),
         "scenario.stack: accelerator.model");
    take(point.engine, "engine", first({"scenario", "platform", "engine"}, {"name"}), "scenario.platform.engine: name");
    if (const Value* load = report.at({"scenario", "load", "standardized"}); load && load->isObject()) {
        FieldReader reader(point, *load, "scenario.load.standardized.");
        if (const auto number = reader.number("concurrency"); number && *number < 1e9)
            reader.take("concurrency", {"concurrency"});
        reader.take("requestRate", {"rate_qps"});
    }
}

void takeDuration(const Value& report, Point& point)
{
    if (const Value* time = report.at({"metrics", "time"}); time && time->isObject())
        FieldReader(point, *time, "metrics.time.").take("durationS", {"duration"});
    else if (const Value* duration = report.at({"run", "time", "duration"}); duration && duration->string())
        if (const auto seconds = secondsOf(*duration->string()))
            setDerived(point, "durationS", *seconds, "run.time.duration");
}

/// Why the report cannot be true; empty when nothing speaks against it.
std::string contradictionIn(const Value& report, const Point& point)
{
    const Value* time = report.at({"metrics", "time"});
    const Value* start = time ? time->find("start") : nullptr;
    const Value* stop = time ? time->find("stop") : nullptr;
    if (start && stop && start->number() && stop->number() && *stop->number() < *start->number())
        return "the run stops " + significant(*start->number() - *stop->number(), 3) + " s before it starts";
    if (point.requested && point.durationS && *point.durationS > 0 && point.requestsPerS) {
        const double rate = *point.requested / *point.durationS;
        if (*point.requestsPerS > 2 * rate || *point.requestsPerS < rate / 2)
            return "it gives " + significant(*point.requestsPerS, 4) + " requests/s, but " + significant(*point.requested) +
                   " requests in " + significant(*point.durationS, 4) + " s";
    }
    return {};
}

} // namespace

bool sniffLlmdReport(const Input& input)
{
    if (!input.json.empty())
        return isReport(input.json.front().value);
    return hasLine(input.text, "scenario:") &&
           (hasLine(input.text, "version: '0.") || hasLine(input.text, "version: \"0.") || hasLine(input.text, "version: 0."));
}

Result<PointSet> readLlmdReport(const Input& input, std::stop_token)
{
    const Result<Value> report = documentOf(input);
    if (!report)
        return tl::unexpected<Error>(report.error());
    const Value* old = report->find("metrics");
    const Value* results = old ? old : report->at({"results", "request_performance", "aggregate"});
    if (!results)
        return failure(ErrorCode::Malformed,
                       "The llm-d benchmark report has neither \"metrics\" nor \"results.request_performance.aggregate\".");
    const std::string prefix = old ? "metrics." : "results.request_performance.aggregate.";
    PointSet set;
    Point point = pointOf(input, "llm-d-report", 0);
    takeIdentity(*report, point);
    takeDuration(*report, point);
    if (const Value* requests = results->find("requests"); requests && requests->isObject())
        takeRequests(*requests, prefix, point);
    if (const Value* throughput = results->find("throughput"); throughput && throughput->isObject())
        takeRates(*throughput, prefix, point);
    if (const Value* latency = results->find("latency"); latency && latency->isObject())
        takeLatencies(*latency, prefix, point);
    takeGpus(*report, point);
    point.run.text = runNameFor(input.path);
    if (const std::string contradiction = contradictionIn(*report, point); !contradiction.empty()) {
        if (!input.isTold)
            return failure(ErrorCode::Malformed,
                           "The llm-d benchmark report contradicts itself, as examples of the format do: " + contradiction + '.');
        point.objections.push_back("The report contradicts itself: " + contradiction + '.');
    }
    set.points.push_back(std::move(point));
    return set;
}

} // namespace wb::results
