// Whether a checkpoint pays: speed-up, the number of starts after which it has, and how fast storage lets it be.
//
// With C cold start, K checkpoint, R restore (seconds): N_a = ceil(K / (C - R)) starts when the source was needed anyway; N_b = ceil((C +
// K) / (C - R)) when the capture run is cost alone (the source is always ended). Never when R >= C. What is not known is not known, never
// 0.
#pragma once

#include "core/snapshot/startuprun.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::snapshot {

/// How many starts until it pays.
struct BreakEven {
    enum class State { After, Never, NotKnown };
    State state = State::NotKnown;
    long long starts = 0; ///< For After.

    friend bool operator==(const BreakEven&, const BreakEven&) = default;
};
[[nodiscard]] std::string shown(const BreakEven& breakEven); ///< "3", "never", "not known"

struct Payoff {
    std::optional<double> speedup;      ///< C / R
    std::optional<double> speedupLeast; ///< With what the coarse clocks leave open; empty when they leave nothing.
    std::optional<double> speedupMost;
    bool isMixed = false;                              ///< C and R are by different clocks.
    bool isEstimated = false;                          ///< C or R is approximate.
    std::optional<double> savedSeconds;                ///< C - R for each start.
    BreakEven sourceNeeded;                            ///< N_a
    BreakEven captureExtra;                            ///< N_b
    std::optional<bool> isCheckpointPlusRestoreFaster; ///< K + R < C
    std::optional<double> criuShare;                   ///< Of the restore's time, both by one clock.

    friend bool operator==(const Payoff&, const Payoff&) = default;
};

[[nodiscard]] Payoff payoffOf(const StartupRun& run);
[[nodiscard]] BreakEven breakEvenOf(std::optional<double> upfront, std::optional<double> cold, std::optional<double> restore);

/// GPU-hours that N starts save; negative before it pays. `isSourceNeeded`: the source would have run anyway.
[[nodiscard]] std::optional<double> savedGpuHours(const StartupRun& run, double starts, bool isSourceNeeded);

/// How fast the artifact was read, decimal GB/s: over the whole restore, and over the agent's CRIU phase alone.
struct ReadRate {
    std::optional<double> restore;
    std::optional<double> criu;
};
[[nodiscard]] ReadRate readRateOf(const StartupRun& run);

/// What the storage allows.
struct StorageFloor {
    double seconds = 0.0;              ///< Artifact bytes by bandwidth.
    std::optional<double> gbPerSecond; ///< Of the measured restore, decimal.
    bool isBelow = false;              ///< The restore was faster than that: from a cache, or a wrong number.
};
/// `gbPerSecond` is decimal. Nothing when the artifact's size is not known or the bandwidth is not positive.
[[nodiscard]] std::optional<StorageFloor> storageFloorOf(const StartupRun& run, double gbPerSecond);

/// Where the restored run differs from the captured one, or the agent's parts from their sum: said beside every number.
[[nodiscard]] std::vector<std::string> confoundsOf(const StartupRun& run);
/// Where runs that are shown side by side differ: GPU, driver, storage, engine version.
[[nodiscard]] std::vector<std::string> confoundsAmong(std::span<const StartupRun* const> runs);

/// Repeats of one start: median with least and most, never the best alone.
struct Spread {
    std::optional<double> median;
    std::optional<double> least;
    std::optional<double> most;
    std::size_t count = 0; ///< Of the values that are known.
};
[[nodiscard]] Spread spreadOf(std::vector<double> values);

/// Runs of one model on one engine and GPU, by the same clocks: times of two clocks never come into one median. Pointers into the runs that
/// were given.
struct StartupGroup {
    std::string model;
    std::string engine;
    std::string gpu;
    Clock coldClock = Clock::Kubernetes; ///< Of the cold starts; that of the restores where no run was started cold.
    Clock restoreClock = Clock::Kubernetes;
    std::vector<const StartupRun*> runs;
    Spread cold;
    Spread checkpoint;
    Spread restore;
    Spread speedup;
    std::vector<std::string> confounds;
    bool needsCheck = false; ///< Two restores on equal hardware differ by more than a factor of 2.
};
/// Failed runs and those without any time are left out; synthetic ones too, unless asked for.
[[nodiscard]] std::vector<StartupGroup> groupsOf(std::span<const StartupRun> runs, bool isSyntheticTaken);

/// How well a measured restore fits a run that was started cold.
enum class MatchQuality { None, OtherGpu, Exact };
[[nodiscard]] std::string_view name(MatchQuality quality); ///< "none", "same model, other GPU", "exact"

/// A restore that was measured, to stand beside a cold run of the same model; it never stands in for a value of that run.
struct RestoreReference {
    MatchQuality quality = MatchQuality::None;
    const StartupRun* run = nullptr; ///< Null for None. Of several the latest.
};
/// For a run of that model and engine on so many GPUs of one node. Model ids and labels count, with or without their organisation.
[[nodiscard]] RestoreReference restoreReference(std::span<const StartupRun> runs, std::string_view model, std::string_view engine,
                                                std::string_view gpu, std::optional<int> gpus);

/// One night of a series.
struct TrendPoint {
    const StartupRun* run = nullptr;
    std::optional<double> value;         ///< Nothing for a failed run: a gap.
    std::optional<double> previousDelta; ///< To the last known value before it.
    std::optional<double> medianDelta;   ///< To the median of up to 7 known values before it.
};
struct Trend {
    std::string series;             ///< Comparison key, or what stands for it.
    std::string title;              ///< "vllm, Qwen/Qwen3-0.6B, NVIDIA A100"
    std::vector<TrendPoint> points; ///< By date.
    bool isStale = false;           ///< The last run is more than three days before `today`.
};
/// Of the nightly runs. A run that failed before it could tell what it compares to stands in the latest series of its engine, as a gap.
/// `today` is "2026-10-08" as the caller's clock has it; empty: nothing is called stale.
[[nodiscard]] std::vector<Trend> trendsOf(std::span<const StartupRun> runs, Measured StartupRun::*field, std::string_view today);

} // namespace wb::snapshot
