// What charts of startup results draw: where the time of a checkpoint or restore goes, and what starts cost altogether. Every time in one
// picture is by one clock, which is said.
#pragma once

#include "core/snapshot/payoff.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::snapshot {

/// A part of the whole, in seconds.
struct PhasePart {
    std::string id; ///< "criu_restore", "unaccounted", ...
    double seconds = 0.0;

    [[nodiscard]] bool isUnaccounted() const { return id == "unaccounted"; }
    friend bool operator==(const PhasePart&, const PhasePart&) = default;
};

/// Parts that add up to the whole; what none of them accounts for is a part of its own, "unaccounted".
struct PhaseStack {
    Clock clock = Clock::Agent;
    std::vector<PhasePart> parts;
    std::vector<std::string> missing; ///< Parts that were not measured: never drawn as nothing.
    double whole = 0.0;
};
/// Nothing when no part was measured. Estimates and parts by another clock than the first are left out.
[[nodiscard]] std::optional<PhaseStack> restoreStack(const StartupRun& run);
[[nodiscard]] std::optional<PhaseStack> checkpointStack(const StartupRun& run);

/// "criu_restore" in the words of people: "CRIU restore".
[[nodiscard]] std::string phaseTitle(std::string_view id);

/// GPU-seconds against the number of starts; with an unknown number of GPUs, seconds (`gpus` 1, `isPerGpu` true).
struct PayoffCurves {
    double cold = 0.0;    ///< Of one start.
    double restore = 0.0; ///< Of one start.
    double checkpoint = 0.0;
    double gpus = 1.0;
    bool isPerGpu = false;
    bool isMixed = false;     ///< Cold starts and restores are by different clocks.
    long long mostStarts = 2; ///< As far as it is worth drawing: past both crossings.
    BreakEven sourceNeeded;   ///< N_a
    BreakEven captureExtra;   ///< N_b

    [[nodiscard]] double coldAt(double starts) const { return starts * cold * gpus; }
    [[nodiscard]] double neededAt(double starts) const { return (checkpoint + starts * restore) * gpus; }       ///< Source needed anyway.
    [[nodiscard]] double extraAt(double starts) const { return (cold + checkpoint + starts * restore) * gpus; } ///< Capture is extra.
};
/// Of the medians of a group; nothing when one of the three times is not known.
[[nodiscard]] std::optional<PayoffCurves> payoffCurves(const StartupGroup& group);

/// "Qwen3 8B · vllm · NVIDIA B200", parts that are not known left out.
[[nodiscard]] std::string titleOf(const StartupGroup& group);
/// What stands beside the bars of a group: "7.22×", "2.44× estimated", "4.1× mixed clocks"; "—" when it is not known.
[[nodiscard]] std::string speedupWords(const StartupGroup& group);

} // namespace wb::snapshot
