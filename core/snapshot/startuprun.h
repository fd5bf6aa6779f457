// One measured start of an inference server: cold, by checkpoint and restore, or both. Times are seconds, sizes bytes. What was not
// measured is not there, with the reason where the source gives one; it is never 0.
//
// Two clocks are never mixed: what Kubernetes stamps (whole seconds, from creation to ready), what the agent logs (parts of seconds, ends
// before the workload wakes), what a test's own events say, and what a table publishes. Every duration says which it is.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::snapshot {

enum class Clock { Kubernetes, Agent, Events, Published, Log };
[[nodiscard]] std::string_view name(Clock clock); ///< "kubernetes", "agent", "events", "published", "log"
[[nodiscard]] std::optional<Clock> clockOf(std::string_view name);

/// A duration, or why there is none.
struct Measured {
    std::optional<double> seconds;
    Clock clock = Clock::Kubernetes;
    bool isApproximate = false; ///< Estimated, or its ends are not those that the name says.
    std::string note;           ///< Why it is missing, or what makes it approximate; may be empty.

    /// Half the width of what it may be: 1 s for whole-second stamps, 0 where it is not known to be coarse.
    [[nodiscard]] double uncertainty() const { return clock == Clock::Kubernetes ? 1.0 : 0.0; }

    friend bool operator==(const Measured&, const Measured&) = default;
};

/// A part of a checkpoint or restore: "criu_restore", "cuda_restore", "unaccounted", ...
struct StartupPhase {
    std::string id;
    Measured time;

    friend bool operator==(const StartupPhase&, const StartupPhase&) = default;
};

struct StartupRun {
    std::string id;           ///< Unique among runs of its format.
    std::string format;       ///< Id of the importer.
    std::string source;       ///< Path of the file.
    std::string sha256;       ///< Of its bytes.
    bool isSynthetic = false; ///< The file says that it is made up: shown, and left out of comparisons unless asked for.
    std::string date;         ///< As written, RFC 3339 where it is a time.
    std::string outcome;      ///< "passed", "failed", ...; empty when the source has no such thing.
    std::string series;       ///< What makes nights comparable; empty when the source has none.

    std::string model;
    std::string modelId; ///< As on the model hub; empty when it is not told.
    std::string engine;
    std::string engineVersion;
    std::string gpu;        ///< Product at the capture.
    std::string restoreGpu; ///< Product at the restore; empty when it is not told.
    std::optional<int> gpus;
    std::string driver;
    std::string restoreDriver;
    std::string storage;   ///< Storage class, or the words of the source.
    std::string placement; ///< "same_node", "different_node" or empty.

    Measured coldTotal; ///< With scheduling or container start, where the source has that.
    Measured cold;      ///< From the start of the container until ready: what a restore replaces.
    Measured containerStart;
    Measured checkpoint;
    Measured restore;        ///< From the request (or the container's start) until it serves.
    Measured restoreFromPod; ///< From the creation of the Pod until it serves.
    std::vector<StartupPhase> checkpointPhases;
    std::vector<StartupPhase> restorePhases;
    std::optional<double> weightsBytes;
    std::optional<double> artifactBytes;
    std::vector<std::string> warnings;

    friend bool operator==(const StartupRun&, const StartupRun&) = default;
};

/// A field that holds a duration, with its name in exports.
struct DurationField {
    std::string_view id;
    Measured StartupRun::*member;
};
inline constexpr std::array durationFields = {
    DurationField{"cold_total", &StartupRun::coldTotal},
    DurationField{"cold", &StartupRun::cold},
    DurationField{"container_start", &StartupRun::containerStart},
    DurationField{"checkpoint", &StartupRun::checkpoint},
    DurationField{"restore", &StartupRun::restore},
    DurationField{"restore_from_pod", &StartupRun::restoreFromPod},
};

/// A field that holds a text, with its name in exports.
struct TextField {
    std::string_view id;
    std::string StartupRun::*member;
};
inline constexpr std::array textFields = {
    TextField{"id", &StartupRun::id},
    TextField{"format", &StartupRun::format},
    TextField{"source", &StartupRun::source},
    TextField{"sha256", &StartupRun::sha256},
    TextField{"date", &StartupRun::date},
    TextField{"outcome", &StartupRun::outcome},
    TextField{"series", &StartupRun::series},
    TextField{"model", &StartupRun::model},
    TextField{"model_id", &StartupRun::modelId},
    TextField{"engine", &StartupRun::engine},
    TextField{"engine_version", &StartupRun::engineVersion},
    TextField{"gpu", &StartupRun::gpu},
    TextField{"restore_gpu", &StartupRun::restoreGpu},
    TextField{"driver", &StartupRun::driver},
    TextField{"restore_driver", &StartupRun::restoreDriver},
    TextField{"storage", &StartupRun::storage},
    TextField{"placement", &StartupRun::placement},
};

} // namespace wb::snapshot
