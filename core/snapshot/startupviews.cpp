#include "core/snapshot/startupviews.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace wb::snapshot {

namespace {

constexpr double leastRest = 0.0005; ///< Less is rounding.

bool isWhole(std::string_view id)
{
    return id == "agent_duration" || id == "agent_started_to_complete" || id == "started_to_complete" || id == "duration";
}

std::optional<PhaseStack> stackOf(const std::vector<StartupPhase>& phases, const Measured& side)
{
    PhaseStack out;
    std::optional<double> whole;
    bool isFirst = true;
    double sum = 0.0;
    for (const StartupPhase& phase : phases) {
        if (phase.time.isApproximate || (!isFirst && phase.time.seconds && phase.time.clock != out.clock))
            continue;
        if (isWhole(phase.id)) {
            const bool isDuration = phase.id == "agent_duration" || phase.id == "duration";
            if (isDuration && phase.time.seconds && side.clock != Clock::Published)
                whole = phase.time.seconds;
            continue;
        }
        if (!phase.time.seconds) {
            out.missing.push_back(phase.id);
            continue;
        }
        if (std::exchange(isFirst, false))
            out.clock = phase.time.clock;
        sum += *phase.time.seconds;
        out.parts.push_back({phase.id, *phase.time.seconds});
    }
    if (out.parts.empty())
        return std::nullopt;
    if (side.seconds && side.clock == out.clock)
        whole = side.seconds;
    out.whole = whole ? std::max(*whole, sum) : sum;
    const double rest = out.whole - sum;
    if (rest > leastRest) {
        const auto known = std::find_if(out.parts.begin(), out.parts.end(), [](const PhasePart& part) { return part.isUnaccounted(); });
        if (known == out.parts.end())
            out.parts.push_back({"unaccounted", rest});
        else
            known->seconds += rest;
    }
    return out;
}

} // namespace

std::optional<PhaseStack> restoreStack(const StartupRun& run)
{
    return stackOf(run.restorePhases, run.restore);
}

std::optional<PhaseStack> checkpointStack(const StartupRun& run)
{
    return stackOf(run.checkpointPhases, run.checkpoint);
}

std::string phaseTitle(std::string_view id)
{
    using Title = std::pair<std::string_view, std::string_view>;
    constexpr std::array titles = {
        Title{"agent_setup", "Agent setup"},
        Title{"criu_dump", "CRIU dump"},
        Title{"criu_prepare", "CRIU preparation"},
        Title{"criu_restore", "CRIU restore"},
        Title{"cuda_checkpoint", "GPU state, checkpoint"},
        Title{"cuda_restore", "GPU state, restore"},
        Title{"gpu_device_map", "GPU device map"},
        Title{"overlay_capture", "File system layer"},
        Title{"pagebroker_commit", "Page broker, commit"},
        Title{"pagebroker_mount", "Page broker, mount"},
        Title{"pagebroker_stage", "Page broker, staging"},
        Title{"unaccounted", "Not accounted for"},
        Title{"wake_remap", "Wake and remap"},
    };
    const auto found = std::find_if(titles.begin(), titles.end(), [id](const Title& title) { return title.first == id; });
    return found == titles.end() ? base::replacedAll(id, "_", " ") : std::string(found->second);
}

std::optional<PayoffCurves> payoffCurves(const StartupGroup& group)
{
    if (!group.cold.median || !group.restore.median || !group.checkpoint.median)
        return std::nullopt;
    PayoffCurves out;
    out.cold = *group.cold.median;
    out.restore = *group.restore.median;
    out.checkpoint = *group.checkpoint.median;
    const std::optional<int> gpus = group.runs.empty() ? std::nullopt : group.runs.front()->gpus;
    const bool isOneCount = std::all_of(group.runs.begin(), group.runs.end(), [&](const StartupRun* run) { return run->gpus == gpus; });
    out.isPerGpu = !gpus || !isOneCount;
    out.gpus = out.isPerGpu ? 1.0 : static_cast<double>(*gpus);
    out.isMixed = group.coldClock != group.restoreClock;
    out.sourceNeeded = breakEvenOf(out.checkpoint, out.cold, out.restore);
    out.captureExtra = breakEvenOf(out.cold + out.checkpoint, out.cold, out.restore);
    constexpr long long least = 5;
    constexpr long long most = 1000;
    const long long last = out.captureExtra.state == BreakEven::State::After ? out.captureExtra.starts : least;
    out.mostStarts = std::clamp(last + std::max(last / 2, 2LL), least, most);
    return out;
}

std::string titleOf(const StartupGroup& group)
{
    std::vector<std::string> parts;
    for (const std::string& part : {group.model, group.engine, group.gpu}) {
        if (!part.empty())
            parts.push_back(part);
    }
    const std::optional<int> gpus = group.runs.empty() ? std::nullopt : group.runs.front()->gpus;
    if (!group.gpu.empty() && gpus && *gpus > 1)
        parts.back() += " ×" + std::to_string(*gpus);
    return parts.empty() ? "model not told" : base::joined(parts, " · ");
}

std::string speedupWords(const StartupGroup& group)
{
    if (!group.speedup.median)
        return "—";
    std::string out = base::textOf(std::round(*group.speedup.median * 100.0) / 100.0) + "×";
    if (group.coldClock != group.restoreClock)
        out += " mixed clocks";
    const bool isEstimated =
        std::any_of(group.runs.begin(), group.runs.end(), [](const StartupRun* run) { return payoffOf(*run).isEstimated; });
    if (isEstimated)
        out += " estimated";
    return out;
}

} // namespace wb::snapshot
