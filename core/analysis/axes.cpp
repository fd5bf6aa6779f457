#include "core/analysis/axes.h"

#include "core/base/text.h"
#include "core/results/numbers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace wb::analysis {

using results::Point;

namespace {

// ---- values ----------------------------------------------------------------------------------------------------------------------------

std::optional<double> fieldOf(const Point& point, std::string_view key)
{
    return results::findNumberField(key)->of(point);
}

AxisValue unknown(std::string_view key)
{
    return {{}, "The " + inSentence(results::findNumberField(key)->title) + " is not known.", {}};
}

AxisValue plain(const Point& point, const Axis& axis)
{
    const auto number = fieldOf(point, axis.field);
    return number ? AxisValue{number, {}, {}} : unknown(axis.field);
}

/// Why a point has no such GPU count, with the count it does have.
AxisValue unknownGpus(const Point& point, std::string_view divisor)
{
    AxisValue none = unknown(divisor);
    none.reason = "The number of " + inSentence(results::findNumberField(divisor)->title) + " is not known";
    if (divisor == "gpus.working" && point.gpus.allocated)
        none.reason += " (allocated: " + base::textOf(*point.gpus.allocated) + ')';
    none.reason += '.';
    return none;
}

AxisValue perGpu(const Point& point, const Axis& axis)
{
    const auto number = fieldOf(point, axis.field);
    if (!number)
        return unknown(axis.field);
    const auto gpus = fieldOf(point, axis.divisor);
    if (!gpus || !(*gpus > 0))
        return unknownGpus(point, axis.divisor);
    return {*number / *gpus, {}, {}};
}

std::string itlNote(const Point& point)
{
    return std::string("from the file's ITL, which is a mean over each request") +
           (point.tpotHasFirstToken ? " (its TPOT counts the first token)" : "");
}

/// 1000 / TPOT of the axis' statistic. A format whose ITL is a mean over each request gives that, and says so.
AxisValue tokensPerUser(const Point& point, const Axis& axis)
{
    const auto tpot = point.tpotHasFirstToken ? std::nullopt : fieldOf(point, axis.field);
    if (tpot)
        return *tpot > 0 ? AxisValue{1000.0 / *tpot, {}, {}}
                         : AxisValue{{}, "The TPOT is " + results::significant(*tpot) + " ms, which is no measurement.", {}};
    if (axis.field == "tpotMs.p50" && point.tpsPerUserGiven)
        return {point.tpsPerUserGiven, {}, "the file's own 1000 / median TPOT"};
    if (point.itlPerRequest)
        if (const auto itl = fieldOf(point, "itl" + axis.field.substr(4)); itl && *itl > 0)
            return {1000.0 / *itl, {}, itlNote(point), true};
    return unknown(axis.field);
}

AxisValue throughputPerUser(const Point& point, const Axis&)
{
    if (!point.outputTps)
        return unknown("outputTps");
    if (!point.concurrency || !(*point.concurrency > 0))
        return unknown("concurrency");
    return {*point.outputTps / *point.concurrency, {}, {}};
}

constexpr double secondsPerHour = 3600.0;
constexpr double million = 1e6;

/// What all GPUs of the axis' divisor cost an hour, or draw in watts.
AxisValue rateOfGpus(const Point& point, const Axis& axis)
{
    const auto rate = fieldOf(point, axis.rate);
    if (!rate)
        return {{},
                "The " + inSentence(results::findNumberField(axis.rate)->title) +
                    " is not known; give it under Prices and power, or with " + (axis.rate == "gpuHourPrice" ? "--price." : "--power."),
                {}};
    const auto gpus = fieldOf(point, axis.divisor);
    if (!gpus || !(*gpus > 0))
        return unknownGpus(point, axis.divisor);
    return {*rate * *gpus, {}, {}};
}

/// Of a rate of GPUs and tokens/s above 0, what `worth` makes of them.
AxisValue ofTokens(const Point& point, const Axis& axis, double (*worth)(double rate, double tokensPerSecond))
{
    const auto tokens = fieldOf(point, axis.field);
    if (!tokens)
        return unknown(axis.field);
    if (!(*tokens > 0))
        return {{}, "No tokens came out.", {}};
    AxisValue value = rateOfGpus(point, axis);
    if (value.value)
        value.value = worth(*value.value, *tokens);
    return value;
}

AxisValue costOfTokens(const Point& point, const Axis& axis)
{
    return ofTokens(point, axis, [](double dollarsPerHour, double tps) { return dollarsPerHour / (tps * secondsPerHour) * million; });
}

AxisValue tokensPerMegawatt(const Point& point, const Axis& axis)
{
    return ofTokens(point, axis, [](double watts, double tps) { return tps / watts * million; });
}

AxisValue joulesPerToken(const Point& point, const Axis& axis)
{
    return ofTokens(point, axis, [](double watts, double tps) { return watts / tps; });
}

/// GPU-hours that went by before the first request.
AxisValue idleGpuHours(const Point& point, const Axis& axis)
{
    const auto seconds = fieldOf(point, axis.field);
    if (!seconds)
        return unknown(axis.field);
    const auto gpus = fieldOf(point, axis.divisor);
    if (!gpus || !(*gpus > 0))
        return unknownGpus(point, axis.divisor);
    return {*seconds * *gpus / secondsPerHour, {}, {}};
}

// ---- tables ----------------------------------------------------------------------------------------------------------------------------

struct StatisticRow {
    std::string_view id, title;
};
constexpr auto statisticRows =
    std::to_array<StatisticRow>({{"p50", "median"}, {"mean", "mean"}, {"p90", "P90"}, {"p95", "P95"}, {"p99", "P99"}});

struct LatencyRow {
    std::string_view id, field, title, definition;
};
constexpr auto latencyRows = std::to_array<LatencyRow>({
    {"ttft", "ttftMs", "TTFT", "time from sending a request to its first token"},
    {"tpot", "tpotMs", "TPOT", "time for each token after the first, a mean over each request: (E2E - TTFT) / (output tokens - 1)"},
    {"itl", "itlMs", "ITL", "time between two pieces of a stream; with speculative decoding a piece holds several tokens"},
    {"e2e", "e2eMs", "E2E latency", "time from sending a request to its last token"},
});

struct RateRow {
    std::string_view id, field, title, definition;
};
constexpr auto rateRows = std::to_array<RateRow>({
    {"output-tps", "outputTps", "Output tokens/s", "generated tokens of completed requests / duration of the run"},
    {"total-tps", "totalTps", "Total tokens/s", "input and generated tokens of completed requests / duration of the run"},
    {"input-tps", "inputTps", "Input tokens/s", "input tokens of completed requests / duration of the run"},
});

struct DivisorRow {
    std::string_view id, field, title, definition;
};
constexpr auto divisorRows = std::to_array<DivisorRow>({
    {"", "", "", ""},
    {"-per-gpu", "gpus.working", "working GPU", "GPUs of all workers"},
    {"-per-allocated-gpu", "gpus.allocated", "allocated GPU", "GPUs of all nodes of the job"},
    {"-per-decode-gpu", "gpus.decode", "decode GPU", "GPUs of the decode workers"},
    {"-per-prefill-gpu", "gpus.prefill", "prefill GPU", "GPUs of the prefill workers"},
});

struct UserRow {
    std::string_view suffix, statistic, title;
};
constexpr auto userRows = std::to_array<UserRow>({
    {"", "p50", "median"},
    {"-mean", "mean", "mean"},
    {"-p90", "p90", "P90"},
    {"-p95", "p95", "P95"},
    {"-p99", "p99", "P99"},
});

void addUserAxes(std::vector<Axis>& all)
{
    for (const UserRow& row : userRows)
        all.push_back({.id = "tps-per-user" + std::string(row.suffix),
                       .title = "Tokens/s per user (1000 / " + std::string(row.title) + " TPOT)",
                       .unit = "tok/s/user",
                       .definition = "1000 / " + std::string(row.title) + " TPOT in ms",
                       .field = "tpotMs." + std::string(row.statistic),
                       .divisor = {},
                       .value = tokensPerUser});
    all.push_back({.id = "tps-per-user-rates",
                   .title = "Tokens/s per user (mean of the requests' rates)",
                   .unit = "tok/s/user",
                   .definition = "mean over requests of each request's own output rate; lies above 1000 / mean TPOT",
                   .field = "tpsPerUserRates",
                   .divisor = {},
                   .value = plain});
    all.push_back({.id = "tps-per-user-throughput",
                   .title = "Tokens/s per user (output tokens/s / concurrency)",
                   .unit = "tok/s/user",
                   .definition = "output tokens/s of the run / concurrency: with the waiting for the first token",
                   .field = "outputTps",
                   .divisor = "concurrency",
                   .value = throughputPerUser});
}

void addRateAxes(std::vector<Axis>& all)
{
    for (const RateRow& rate : rateRows)
        for (const DivisorRow& divisor : divisorRows)
            all.push_back(
                {.id = std::string(rate.id) + std::string(divisor.id),
                 .title = std::string(rate.title) + (divisor.title.empty() ? "" : " per " + std::string(divisor.title)),
                 .unit = divisor.title.empty() ? "tok/s" : "tok/s/GPU",
                 .definition = std::string(rate.definition) + (divisor.definition.empty() ? "" : " / " + std::string(divisor.definition)),
                 .field = std::string(rate.field),
                 .divisor = std::string(divisor.field),
                 .value = divisor.field.empty() ? plain : perGpu});
}

void addLatencyAxes(std::vector<Axis>& all)
{
    for (const LatencyRow& latency : latencyRows)
        for (const StatisticRow& statistic : statisticRows)
            all.push_back({.id = std::string(latency.id) + '-' + std::string(statistic.id),
                           .title = std::string(latency.title) + ", " + std::string(statistic.title),
                           .unit = "ms",
                           .definition = std::string(statistic.title) + " over requests of the " + std::string(latency.definition),
                           .direction = Direction::LessIsBetter,
                           .field = std::string(latency.field) + '.' + std::string(statistic.id),
                           .divisor = {},
                           .value = plain});
}

struct TokensRow {
    std::string_view id, field, title;
};
constexpr auto tokensRows = std::to_array<TokensRow>({{"output", "outputTps", "output"}, {"total", "totalTps", "input and output"}});

struct PayersRow {
    std::string_view suffix, field, title;
};
constexpr auto payersRows =
    std::to_array<PayersRow>({{"", "gpus.working", "working"}, {"-per-allocated-gpu", "gpus.allocated", "allocated"}});

struct WorthRow {
    std::string_view before, behind; ///< Of the id, around "output" and "total".
    std::string_view title, unit;    ///< The title's "%" is the kind of tokens.
    std::string_view definition;     ///< "%" as in the title, "#" is the kind of GPUs.
    std::string_view rate;
    Direction direction;
    AxisValue (*value)(const Point&, const Axis&);
};
constexpr auto worthRows = std::to_array<WorthRow>({
    {"cost-per-m-", "-tokens", "Cost of a million % tokens", "$/Mtok",
     "price of a GPU-hour x # GPUs / (% tokens/s of the run x 3600 s) x 1,000,000", "gpuHourPrice", Direction::LessIsBetter, costOfTokens},
    {"", "-tps-per-mw", "% tokens/s per megawatt", "tok/s/MW", "% tokens/s of the run / (power of a GPU x # GPUs)", "gpuPowerW",
     Direction::MoreIsBetter, tokensPerMegawatt},
    {"joules-per-", "-token", "Energy of each % token", "J/tok", "power of a GPU x # GPUs / % tokens/s of the run", "gpuPowerW",
     Direction::LessIsBetter, joulesPerToken},
});

void addWorthAxes(std::vector<Axis>& all)
{
    for (const WorthRow& worth : worthRows)
        for (const TokensRow& tokens : tokensRows)
            for (const PayersRow& payers : payersRows) {
                const auto filled = [&](std::string_view text) {
                    return base::replacedAll(base::replacedAll(text, "%", tokens.title), "#", payers.title);
                };
                std::string title = filled(worth.title) + " (" + std::string(payers.title) + " GPUs)";
                title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
                all.push_back(
                    {.id = std::string(worth.before) + std::string(tokens.id) + std::string(worth.behind) + std::string(payers.suffix),
                     .title = std::move(title),
                     .unit = std::string(worth.unit),
                     .definition = filled(worth.definition),
                     .direction = worth.direction,
                     .field = std::string(tokens.field),
                     .divisor = std::string(payers.field),
                     .rate = std::string(worth.rate),
                     .value = worth.value});
            }
}

void addStartAxes(std::vector<Axis>& all)
{
    all.push_back({.id = "time-to-ready",
                   .title = "Time to ready",
                   .unit = "s",
                   .definition = "from the start of the run's workers until its model was ready, as srt-slurm logs it",
                   .direction = Direction::LessIsBetter,
                   .field = "timeToReadyS",
                   .divisor = {},
                   .value = plain});
    all.push_back({.id = "idle-gpu-hours",
                   .title = "Idle GPU-hours at the start",
                   .unit = "GPU h",
                   .definition = "time to ready of the run x allocated GPUs",
                   .direction = Direction::LessIsBetter,
                   .field = "timeToReadyS",
                   .divisor = "gpus.allocated",
                   .value = idleGpuHours});
}

void addGoodputAxes(std::vector<Axis>& all)
{
    const std::string definition = "completed requests that kept the limits which the client of their run was given / duration of the run";
    all.push_back({.id = "goodput",
                   .title = "Goodput",
                   .unit = "req/s",
                   .definition = definition,
                   .field = "goodput",
                   .divisor = {},
                   .value = plain});
    all.push_back({.id = "goodput-per-gpu",
                   .title = "Goodput per working GPU",
                   .unit = "req/s/GPU",
                   .definition = definition + " / GPUs of all workers",
                   .field = "goodput",
                   .divisor = "gpus.working",
                   .value = perGpu});
}

std::vector<Axis> makeAxes()
{
    std::vector<Axis> all;
    addUserAxes(all);
    addRateAxes(all);
    addLatencyAxes(all);
    all.push_back({.id = "requests-per-s",
                   .title = "Requests/s",
                   .unit = "req/s",
                   .definition = "completed requests / duration of the run",
                   .field = "requestsPerS",
                   .divisor = {},
                   .value = plain});
    all.push_back({.id = "concurrency",
                   .title = "Concurrency",
                   .unit = "requests",
                   .definition = "most requests the client keeps in flight",
                   .field = "concurrency",
                   .divisor = {},
                   .value = plain});
    addGoodputAxes(all);
    addWorthAxes(all);
    addStartAxes(all);
    return all;
}

} // namespace

std::string inSentence(std::string_view title)
{
    std::string text(title);
    if (text.size() > 1 && text[1] >= 'a' && text[1] <= 'z')
        text[0] = base::lowered(text.substr(0, 1))[0];
    return text;
}

std::span<const Axis> axes()
{
    static const std::vector<Axis> all = makeAxes();
    return all;
}

const Axis* findAxis(std::string_view id)
{
    const auto found = std::ranges::find(axes(), id, &Axis::id);
    return found == axes().end() ? nullptr : &*found;
}

AxisValue valueOn(const Axis& axis, const Point& point)
{
    AxisValue value = axis.value(point, axis);
    if (value.value && !std::isfinite(*value.value))
        return {{}, "The value is not finite.", {}};
    return value;
}

Result<const Axis*> axisNamed(std::string_view id)
{
    if (const Axis* axis = findAxis(id))
        return axis;
    std::vector<std::string_view> ids;
    for (const Axis& axis : axes())
        ids.push_back(axis.id);
    const std::string_view near = base::nearestName(id, ids);
    return failure(ErrorCode::NotFound, "There is no axis " + base::inQuotes(id) +
                                            (near.empty() ? std::string(".") : "; did you mean " + base::inQuotes(near) + "?"));
}

} // namespace wb::analysis
