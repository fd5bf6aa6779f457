#include "core/base/text.h"
#include "core/results/fieldreader.h"
#include "core/results/importer.h"
#include "core/results/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::results {

namespace {

std::string percent(double share)
{
    return base::textOf(std::round(share * 1000.0) / 10.0) + " %";
}

std::string rounded(double number)
{
    return significant(number, 3);
}

std::string withUnit(double number, const NumberField& field)
{
    return significant(number) + (field.unit.empty() ? "" : ' ' + std::string(field.unit));
}

/// What describes the run and was not measured: nonsense there is told, and does not make the point invalid.
bool isSetting(const NumberField& field)
{
    constexpr auto settings = std::to_array<std::string_view>({"concurrency", "users", "requestRate", "tp", "pp", "ep"});
    return std::ranges::find(settings, field.key) != settings.end() || field.key.starts_with("gpus.");
}

void judgeNumbers(Point& point)
{
    for (const NumberField& field : numberFields()) {
        const std::optional<double>& number = field.of(point);
        if (number && !std::isfinite(*number))
            point.reasons.push_back(std::string(field.title) + " is not finite.");
        else if (number && *number < 0)
            point.reasons.push_back(std::string(field.title) + " is " + withUnit(*number, field) + ", less than nothing.");
    }
    for (const NumberField* field : faultyFields(point)) {
        std::string fault = *whyUnknown(point, field->key);
        if (isSetting(*field))
            addNote(point, std::move(fault));
        else
            point.reasons.push_back(std::move(fault));
    }
    if (point.durationS == 0.0)
        point.reasons.emplace_back("Duration is 0 s: nothing can be measured in that time.");
}

/// 0, or a 0 in the file that was not taken for a value.
bool isZero(const Point& point, const NumberField& field)
{
    const auto origin = point.origins.find(std::string(field.key));
    return field.of(point) ? *field.of(point) == 0.0 : origin != point.origins.end() && base::numberOf(origin->second.raw) == 0.0;
}

/// Clients write a TPOT of 0 when no request had a second token, and when nothing was measured. Only the first may be.
void judgeZeros(Point& point)
{
    if (point.completed == 0.0)
        return; // said already, and the cause of all of them
    std::string zeros;
    for (const NumberField& field : numberFields())
        if (field.key.starts_with("tpotMs.") && isZero(point, field))
            zeros += (zeros.empty() ? "" : ", ") + std::string(field.title);
    if (!zeros.empty() && point.osl && *point.osl > 0 && *point.osl <= 1.0)
        addNote(point, "Requests of one output token have no TPOT.");
    else if (!zeros.empty())
        point.reasons.push_back(zeros + " is 0 ms, which is no measurement.");
    if (isZero(point, *findNumberField("osl")))
        point.reasons.emplace_back("No output token was counted.");
    else if (point.outputTps == 0.0)
        point.reasons.emplace_back("Output tokens/s is 0 tok/s: no token was generated.");
}

void judgeFailures(Point& point, const Gate& gate)
{
    if (point.completed == 0.0) {
        point.reasons.push_back(point.requested ? "None of " + base::textOf(*point.requested) + " requests completed."
                                                : std::string("No request completed."));
        return;
    }
    if (!point.completed)
        addNote(point, "How many requests completed is not known.");
    const auto requested = point.requested                   ? point.requested
                           : point.completed && point.failed ? std::optional(*point.completed + *point.failed)
                                                             : std::nullopt;
    if (point.failed && requested && *requested > 0 && *point.failed / *requested > gate.mostFailures)
        point.reasons.push_back(base::textOf(*point.failed) + " of " + base::textOf(*requested) + " requests failed (" +
                                percent(*point.failed / *requested) + "), more than " + percent(gate.mostFailures) + '.');
}

bool hasAnyOf(const Point& point, std::initializer_list<std::string_view> prefixes)
{
    return std::ranges::any_of(numberFields(), [&](const NumberField& field) {
        return field.of(point) && std::ranges::any_of(prefixes, [&](std::string_view prefix) { return field.key.starts_with(prefix); });
    });
}

void judgeContent(Point& point)
{
    if (!hasAnyOf(point, {"ttftMs.", "tpotMs.", "itlMs.", "e2eMs.", "outputTps", "totalTps", "inputTps", "requestsPerS", "tpsPerUser"}))
        point.reasons.emplace_back("The file has neither a throughput nor a latency for it.");
}

/// The same fact told by two numbers of the file: far apart, one of them is not what it says.
void crossCheck(Point& point, std::optional<double> expected, std::optional<double> found, double least, double most,
                const std::string& sentence)
{
    if (!expected || !found || !(*expected > 0) || !(*found > 0))
        return;
    const double ratio = *found / *expected;
    if (ratio < least || ratio > most)
        addNote(point, sentence + " (" + rounded(*found) + " against " + rounded(*expected) + ").");
}

std::optional<double> times(std::optional<double> a, std::optional<double> b)
{
    return a && b ? std::optional(*a * *b) : std::nullopt;
}

void checkConsistency(Point& point)
{
    const auto tokens = times(point.completed, point.osl);
    crossCheck(point, tokens && point.durationS && *point.durationS > 0 ? std::optional(*tokens / *point.durationS) : std::nullopt,
               point.outputTps, 0.98, 1.02, "Output tokens/s do not agree with tokens and duration");
    const auto decode = point.osl ? times(point.tpotMs.mean, *point.osl - 1.0) : std::nullopt;
    crossCheck(point, decode && point.ttftMs.mean ? std::optional(*decode + *point.ttftMs.mean) : std::nullopt, point.e2eMs.mean, 0.9, 1.1,
               "Mean E2E latency is not TTFT + TPOT x (output tokens - 1)");
    const auto inFlight = times(point.requestsPerS, point.e2eMs.mean);
    crossCheck(point, point.users ? std::nullopt : point.concurrency, inFlight ? std::optional(*inFlight / 1000.0) : std::nullopt, 0.7,
               1.05, "The requests in flight (rate x latency) do not agree with the concurrency");
    if (point.totalTps && point.outputTps && *point.totalTps == *point.outputTps && point.isl)
        addNote(point, "Total tokens/s equal output tokens/s: the input seems not to be counted.");
}

void addReason(Point& point, std::string reason)
{
    if (std::ranges::find(point.reasons, reason) == point.reasons.end())
        point.reasons.push_back(std::move(reason));
}

void checkPlausibility(Point& point)
{
    for (const auto& tpot : {point.tpotMs.mean, point.tpotMs.p50})
        if (tpot && std::isfinite(*tpot) && *tpot > 0 && (*tpot < 0.1 || *tpot > 10'000.0))
            addReason(point, "A TPOT of " + rounded(*tpot) + " ms is implausible: the unit may be another one.");
    if (point.ttftMs.mean && point.e2eMs.mean && *point.ttftMs.mean > *point.e2eMs.mean)
        addReason(point, "Mean TTFT is above mean E2E latency, which cannot be.");
    if (point.ttftMs.p50 && point.e2eMs.p50 && *point.ttftMs.p50 > *point.e2eMs.p50)
        addReason(point, "Median TTFT is above median E2E latency, which cannot be.");
    struct Group {
        std::string_view name;
        const Statistics& statistics;
    };
    for (const Group& group :
         {Group{"TTFT", point.ttftMs}, Group{"TPOT", point.tpotMs}, Group{"ITL", point.itlMs}, Group{"E2E latency", point.e2eMs}})
        if (group.statistics.p50 && group.statistics.p99 && *group.statistics.p99 < *group.statistics.p50)
            addNote(point, "P99 " + std::string(group.name) + " is below the median.");
    if (!point.itlPerRequest && point.itlMs.p50 && point.tpotMs.p50 && *point.tpotMs.p50 > 0)
        if (const double ratio = *point.itlMs.p50 / *point.tpotMs.p50; ratio > 1.5 || ratio < 1.0 / 1.5)
            addNote(point, "Median ITL is " + rounded(ratio) + " times median TPOT: ITL is the gap between chunks, not between tokens.");
}

} // namespace

void judge(Point& point, const Gate& gate)
{
    point.reasons = point.objections;
    judgeNumbers(point);
    judgeFailures(point, gate);
    judgeZeros(point);
    judgeContent(point);
    checkConsistency(point);
    checkPlausibility(point);
    point.valid = point.reasons.empty();
}

} // namespace wb::results
