// How long a run of srt-slurm took to get ready, from its own files: `run_lifecycle.json` or the log of the sweep (`sweep_<jobid>.log`).
// The times are those that srt-slurm's ingest writes: time to ready is from the start of the workers to "Model is ready.".
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::results {

/// Seconds; nothing when one of the two milestones was never reached.
struct RunLifecycle {
    std::optional<double> timeToReady;  ///< Workers started until the model was ready.
    std::optional<double> readinessGap; ///< Frontend started until the model was ready.
    std::optional<double> benchmark;    ///< Benchmark started until it ended.
    std::optional<double> total;        ///< Infrastructure started until the run ended.
    std::string startedAt;              ///< When the infrastructure started, as written; empty when it is not known.
    std::string end;                    ///< The line that ended the run; empty when none did.
    bool wasNeverReady = false;         ///< It is known: workers started, the run ended, and nothing in between says that it was ready.
    std::string file = {};              ///< Set by `lifecycleOfRun`: where it was read.

    friend bool operator==(const RunLifecycle&, const RunLifecycle&) = default;
};

/// The file looks like a run_lifecycle.json.
[[nodiscard]] bool isLifecycleJson(std::string_view text);
/// The text looks like the log of a sweep: one of the milestones stands in it with its time.
[[nodiscard]] bool isSweepLog(std::string_view text);

/// Of either kind of text. An error when it is neither.
[[nodiscard]] Result<RunLifecycle> readLifecycle(std::string_view text);

/// The files of a run's folder that may tell it, in the order in which they are asked.
[[nodiscard]] std::vector<std::string> lifecycleFilesOf(const std::filesystem::path& folder);
/// Of a run's folder: its run_lifecycle.json, else the log of its sweep, there or in logs/. Nothing when it has neither.
[[nodiscard]] std::optional<RunLifecycle> lifecycleOfRun(const std::filesystem::path& folder);

/// GPU-hours that stood idle while the run got ready; nothing when the time is not known.
[[nodiscard]] std::optional<double> idleGpuHours(const RunLifecycle& lifecycle, double gpus);

} // namespace wb::results
