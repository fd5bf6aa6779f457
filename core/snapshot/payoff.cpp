#include "core/snapshot/payoff.h"

#include "core/base/text.h"
#include "core/snapshot/startup/fields.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace wb::snapshot {

namespace {

/// What a sum of parts may miss of the whole.
double tolerance(double whole)
{
    return std::max(0.05, 0.01 * whole);
}

const StartupPhase* phaseOf(const StartupRun& run, std::string_view id)
{
    const auto found = std::find_if(run.restorePhases.begin(), run.restorePhases.end(), [id](const StartupPhase& p) { return p.id == id; });
    return found == run.restorePhases.end() ? nullptr : &*found;
}

std::optional<double> secondsOf(const StartupPhase* phase)
{
    return phase ? phase->time.seconds : std::nullopt;
}

/// The whole that the agent's phases are parts of, by their clock.
std::optional<double> agentWhole(const StartupRun& run)
{
    return run.restore.clock == Clock::Agent ? run.restore.seconds : secondsOf(phaseOf(run, "agent_duration"));
}

bool isPublished(const StartupRun& run)
{
    return run.restore.clock == Clock::Published;
}

std::string driverMajor(const std::string& driver)
{
    return driver.substr(0, driver.find('.'));
}

struct Compared {
    std::string_view words;
    std::string (*value)(const StartupRun&);
};
constexpr std::array compared = {
    Compared{"GPUs", [](const StartupRun& run) { return base::replacedAll(run.gpu, "-", " "); }},
    Compared{"numbers of GPUs", [](const StartupRun& run) { return run.gpus ? std::to_string(*run.gpus) : std::string(); }},
    Compared{"drivers", [](const StartupRun& run) { return driverMajor(run.driver); }},
    Compared{"storage", [](const StartupRun& run) { return run.storage; }},
    Compared{"engine versions", [](const StartupRun& run) { return run.engineVersion; }},
};

std::optional<std::chrono::sys_days> dayOf(std::string_view date)
{
    if (date.size() < 10)
        return std::nullopt;
    const auto year = base::integerOf(date.substr(0, 4));
    const auto month = base::integerOf(date.substr(5, 2));
    const auto day = base::integerOf(date.substr(8, 2));
    if (!year || !month || !day || *month < 1 || *day < 1)
        return std::nullopt;
    const std::chrono::year_month_day out{std::chrono::year(static_cast<int>(*year)), std::chrono::month(static_cast<unsigned>(*month)),
                                          std::chrono::day(static_cast<unsigned>(*day))};
    return out.ok() ? std::optional(std::chrono::sys_days(out)) : std::nullopt;
}

/// "Qwen/Qwen3-0.6B" and "Qwen3 0.6B" are one model.
std::string modelKey(std::string_view model)
{
    if (const std::size_t slash = model.rfind('/'); slash != std::string_view::npos)
        model.remove_prefix(slash + 1);
    return base::replacedAll(base::lowered(model), " ", "-");
}

/// "NVIDIA-B200", "NVIDIA B200" and "b200" are one GPU.
std::string gpuKey(std::string_view gpu)
{
    constexpr std::string_view maker = "nvidia ";
    std::string key = base::lowered(base::replacedAll(gpu, "-", " "));
    return key.starts_with(maker) ? key.substr(maker.size()) : key;
}

using SeriesMap = std::map<std::string, std::vector<const StartupRun*>>;

/// The series of the engine with the latest night; a new one when there is none.
std::vector<const StartupRun*>& latestOf(SeriesMap& series, const std::string& engine)
{
    std::vector<const StartupRun*>* out = nullptr;
    std::string latest;
    for (auto& [key, nights] : series) {
        for (const StartupRun* night : nights) {
            if (night->engine == engine && (!out || night->date > latest)) {
                out = &nights;
                latest = night->date;
            }
        }
    }
    return out ? *out : series[engine];
}

bool hasFailed(const StartupRun& run)
{
    return !run.outcome.empty() && run.outcome != "passed" && run.outcome != "ready";
}

} // namespace

std::string shown(const BreakEven& breakEven)
{
    switch (breakEven.state) {
    case BreakEven::State::After:
        return std::to_string(breakEven.starts);
    case BreakEven::State::Never:
        return "never";
    case BreakEven::State::NotKnown:
        break;
    }
    return "not known";
}

BreakEven breakEvenOf(std::optional<double> upfront, std::optional<double> cold, std::optional<double> restore)
{
    BreakEven out;
    if (!cold || !restore)
        return out;
    const double saved = *cold - *restore;
    if (saved <= 0.0) {
        out.state = BreakEven::State::Never;
        return out;
    }
    if (!upfront)
        return out;
    const double starts = std::ceil(*upfront / saved);
    if (!(starts < 1e15)) { // a saving of next to nothing: as good as never, and no number that means something
        out.state = BreakEven::State::Never;
        return out;
    }
    out.state = BreakEven::State::After;
    out.starts = static_cast<long long>(starts);
    return out;
}

Payoff payoffOf(const StartupRun& run)
{
    Payoff out;
    const auto& cold = run.cold.seconds;
    const auto& restore = run.restore.seconds;
    const auto& checkpoint = run.checkpoint.seconds;
    out.sourceNeeded = breakEvenOf(checkpoint, cold, restore);
    out.captureExtra = breakEvenOf(cold && checkpoint ? std::optional(*cold + *checkpoint) : std::nullopt, cold, restore);
    const auto criu = secondsOf(phaseOf(run, "criu_restore"));
    const auto whole = isPublished(run) ? restore : agentWhole(run);
    if (criu && whole && *whole > 0.0)
        out.criuShare = *criu / *whole;
    if (!cold || !restore)
        return out;
    out.savedSeconds = *cold - *restore;
    out.isMixed = run.cold.clock != run.restore.clock;
    out.isEstimated = run.cold.isApproximate || run.restore.isApproximate;
    if (*restore > 0.0)
        out.speedup = *cold / *restore;
    const double coldOpen = run.cold.uncertainty();
    const double restoreOpen = run.restore.uncertainty();
    if (out.speedup && (coldOpen > 0.0 || restoreOpen > 0.0)) {
        out.speedupLeast = std::max(*cold - coldOpen, 0.0) / (*restore + restoreOpen);
        if (*restore > restoreOpen)
            out.speedupMost = (*cold + coldOpen) / (*restore - restoreOpen);
    }
    if (checkpoint)
        out.isCheckpointPlusRestoreFaster = *checkpoint + *restore < *cold;
    return out;
}

std::optional<double> savedGpuHours(const StartupRun& run, double starts, bool isSourceNeeded)
{
    const auto& cold = run.cold.seconds;
    if (!cold || !run.restore.seconds || !run.checkpoint.seconds || !run.gpus)
        return std::nullopt;
    constexpr double secondsOfHour = 3600.0;
    const double upfront = *run.checkpoint.seconds + (isSourceNeeded ? 0.0 : *cold);
    return (starts * (*cold - *run.restore.seconds) - upfront) * *run.gpus / secondsOfHour;
}

ReadRate readRateOf(const StartupRun& run)
{
    constexpr double bytesOfGb = 1e9;
    const auto rate = [&run](const std::optional<double>& seconds) {
        const bool isKnown = run.artifactBytes && *run.artifactBytes > 0 && seconds && *seconds > 0;
        return isKnown ? std::optional(*run.artifactBytes / bytesOfGb / *seconds) : std::nullopt;
    };
    return {rate(run.restore.seconds), rate(secondsOf(phaseOf(run, "criu_restore")))};
}

std::optional<StorageFloor> storageFloorOf(const StartupRun& run, double gbPerSecond)
{
    constexpr double bytesOfGb = 1e9;
    if (!run.artifactBytes || !(gbPerSecond > 0.0))
        return std::nullopt;
    StorageFloor out;
    out.seconds = *run.artifactBytes / (gbPerSecond * bytesOfGb);
    if (run.restore.seconds && *run.restore.seconds > 0.0) {
        out.gbPerSecond = *run.artifactBytes / bytesOfGb / *run.restore.seconds;
        out.isBelow = *run.restore.seconds + run.restore.uncertainty() < out.seconds;
    }
    return out;
}

std::vector<std::string> confoundsOf(const StartupRun& run)
{
    std::vector<std::string> out;
    const std::string captured = base::replacedAll(run.gpu, "-", " ");
    const std::string restored = base::replacedAll(run.restoreGpu, "-", " ");
    if (!captured.empty() && !restored.empty() && captured != restored)
        out.push_back("Captured on " + run.gpu + ", restored on " + run.restoreGpu + ".");
    if (!run.driver.empty() && !run.restoreDriver.empty() && run.driver != run.restoreDriver)
        out.push_back("Captured with driver " + run.driver + ", restored with " + run.restoreDriver + ".");
    if (run.cold.seconds && run.restore.seconds && run.cold.clock != run.restore.clock) {
        out.push_back("The cold start is by the clock \"" + std::string(name(run.cold.clock)) + "\", the restore by \"" +
                      std::string(name(run.restore.clock)) + "\".");
    }
    if (run.cold.seconds && run.cold.isApproximate)
        out.push_back("The cold start is " + run.cold.note + ".");
    const auto whole = isPublished(run) ? run.restore.seconds : agentWhole(run);
    double sum = 0.0;
    std::size_t count = 0;
    for (const StartupPhase& phase : run.restorePhases) {
        if (phase.time.isApproximate || phase.id.starts_with("agent_duration") || phase.id == "agent_started_to_complete" ||
            !phase.time.seconds)
            continue;
        sum += *phase.time.seconds;
        ++count;
    }
    if (whole && count > 1 && std::abs(*whole - sum) > tolerance(*whole)) {
        out.push_back("The phases add up to " + base::textOf(std::round(sum * 1000.0) / 1000.0) + " s of " + base::textOf(*whole) +
                      " s: the rest is not accounted for.");
    }
    return out;
}

std::vector<std::string> confoundsAmong(std::span<const StartupRun* const> runs)
{
    std::vector<std::string> out;
    for (const Compared& fact : compared) {
        std::vector<std::string> values;
        bool isUnknown = false;
        for (const StartupRun* run : runs) {
            const std::string value = fact.value(*run);
            if (value.empty())
                isUnknown = true;
            else if (std::find(values.begin(), values.end(), value) == values.end())
                values.push_back(value);
        }
        if (values.size() > 1)
            out.push_back("Different " + std::string(fact.words) + ": " + base::joined(values, ", ") + ".");
        else if (isUnknown && runs.size() > 1)
            out.push_back("Not every run tells its " + std::string(fact.words) + ".");
    }
    return out;
}

Spread spreadOf(std::vector<double> values)
{
    Spread out;
    out.count = values.size();
    if (values.empty())
        return out;
    std::sort(values.begin(), values.end());
    out.least = values.front();
    out.most = values.back();
    const std::size_t middle = values.size() / 2;
    out.median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
    return out;
}

std::vector<StartupGroup> groupsOf(std::span<const StartupRun> runs, bool isSyntheticTaken)
{
    std::map<std::tuple<std::string, std::string, std::string, Clock, Clock>, StartupGroup> groups;
    for (const StartupRun& run : runs) {
        const bool hasTime = run.cold.seconds || run.restore.seconds || run.checkpoint.seconds;
        if ((run.isSynthetic && !isSyntheticTaken) || hasFailed(run) || !hasTime)
            continue;
        const std::string gpu = base::replacedAll(run.gpu, "-", " ");
        const Measured& anyTime = run.restore.seconds ? run.restore : run.cold.seconds ? run.cold : run.checkpoint;
        const Clock coldClock = run.cold.seconds ? run.cold.clock : anyTime.clock;
        const Clock restoreClock = run.restore.seconds ? run.restore.clock : anyTime.clock;
        StartupGroup& group = groups[{run.model, run.engine, gpu, coldClock, restoreClock}];
        group.coldClock = coldClock;
        group.restoreClock = restoreClock;
        group.model = run.model;
        group.engine = run.engine;
        group.gpu = run.gpu;
        group.runs.push_back(&run);
    }
    std::vector<StartupGroup> out;
    for (auto& [key, group] : groups) {
        std::array<std::vector<double>, 4> values;
        for (const StartupRun* run : group.runs) {
            const std::array<std::optional<double>, 4> known = {run->cold.seconds, run->checkpoint.seconds, run->restore.seconds,
                                                                payoffOf(*run).speedup};
            for (std::size_t i = 0; i < known.size(); ++i) {
                if (known.at(i))
                    values.at(i).push_back(*known.at(i));
            }
        }
        group.cold = spreadOf(values[0]);
        group.checkpoint = spreadOf(values[1]);
        group.restore = spreadOf(values[2]);
        group.speedup = spreadOf(values[3]);
        group.confounds = confoundsAmong(group.runs);
        group.needsCheck = group.restore.least && *group.restore.least > 0.0 && *group.restore.most / *group.restore.least > 2.0;
        out.push_back(std::move(group));
    }
    return out;
}

std::string_view name(MatchQuality quality)
{
    switch (quality) {
    case MatchQuality::Exact:
        return "exact";
    case MatchQuality::OtherGpu:
        return "same model, other GPU";
    case MatchQuality::None:
        break;
    }
    return "none";
}

RestoreReference restoreReference(std::span<const StartupRun> runs, std::string_view model, std::string_view engine, std::string_view gpu,
                                  std::optional<int> gpus)
{
    RestoreReference out;
    const std::string wanted = modelKey(model);
    const std::string wantedGpu = gpuKey(gpu);
    const std::string wantedEngine = startup::engineName(engine);
    for (const StartupRun& run : runs) {
        const bool isSame =
            !wanted.empty() && (modelKey(run.modelId) == wanted || modelKey(run.model) == wanted) && run.engine == wantedEngine;
        if (!isSame || !run.restore.seconds || run.isSynthetic || hasFailed(run))
            continue;
        const bool isSameGpu = !wantedGpu.empty() && gpuKey(run.gpu) == wantedGpu;
        const bool isExact = isSameGpu && gpus && run.gpus == gpus;
        const MatchQuality quality = isExact ? MatchQuality::Exact : MatchQuality::OtherGpu;
        const bool isBetter = quality > out.quality || (quality == out.quality && out.run && run.date > out.run->date);
        if (isBetter)
            out = {quality, &run};
    }
    return out;
}

std::vector<Trend> trendsOf(std::span<const StartupRun> runs, Measured StartupRun::*field, std::string_view today)
{
    constexpr std::size_t window = 7;
    constexpr int staleDays = 3;
    SeriesMap series;
    std::vector<const StartupRun*> lost;
    for (const StartupRun& run : runs) {
        if (run.format != "nightly")
            continue;
        if (run.series.empty() && run.model.empty()) {
            lost.push_back(&run);
            continue;
        }
        // Without the index's key what a person would compare by stands for it.
        series[!run.series.empty() ? run.series : run.engine + "\n" + run.model + "\n" + run.gpu + "\n" + run.storage].push_back(&run);
    }
    for (const StartupRun* run : lost)
        latestOf(series, run->engine).push_back(run);
    const auto now = dayOf(today);
    std::vector<Trend> out;
    for (auto& [key, nights] : series) {
        std::stable_sort(nights.begin(), nights.end(), [](const StartupRun* a, const StartupRun* b) { return a->date < b->date; });
        Trend trend;
        trend.series = key;
        std::vector<double> known;
        for (const StartupRun* run : nights) {
            TrendPoint point;
            point.run = run;
            point.value = hasFailed(*run) ? std::nullopt : (run->*field).seconds;
            if (point.value && !known.empty()) {
                const std::size_t count = std::min(window, known.size());
                point.previousDelta = *point.value - known.back();
                point.medianDelta = *point.value - *spreadOf({known.end() - static_cast<std::ptrdiff_t>(count), known.end()}).median;
            }
            if (point.value)
                known.push_back(*point.value);
            if (!run->model.empty())
                trend.title = run->engine + ", " + run->model + ", " + run->gpu;
            trend.points.push_back(point);
        }
        if (trend.title.empty())
            trend.title = nights.front()->engine;
        const auto last = dayOf(nights.back()->date);
        trend.isStale = now && last && (*now - *last) > std::chrono::days(staleDays);
        out.push_back(std::move(trend));
    }
    return out;
}

} // namespace wb::snapshot
