// Where everything of a job runs: nodes, endpoints, processes, GPUs, ports. Facts: the packing rules of srt-slurm, state of 2026-08-21.
#pragma once

#include "core/recipe/job.h"
#include "core/syntax/diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wb::plan {

using recipe::Mode;

[[nodiscard]] std::string_view name(Mode mode); ///< "prefill", "decode", "agg"

/// GPUs of one worker of that mode, by the recipe's own figures; may be 0 or negative when the recipe is wrong.
[[nodiscard]] std::int64_t gpusPerWorker(const recipe::Resources& resources, Mode mode);
[[nodiscard]] std::int64_t workers(const recipe::Resources& resources, Mode mode);

/// What a job takes from the cluster.
struct Counts {
    std::int64_t nodes = 0;         ///< Of the allocation, dedicated nodes included.
    std::int64_t gpusAllocated = 0; ///< nodes x GPUs per node
    std::int64_t gpusWorking = 0;   ///< Sum over workers.
    std::int64_t prefillGpus = 0;
    std::int64_t decodeGpus = 0;                          ///< Decode workers'; aggregated workers count in gpusWorking only.
    std::optional<double> hours;                          ///< Time limit; unknown when it is absent or not a time.
    [[nodiscard]] std::optional<double> gpuHours() const; ///< Allocated GPUs x time limit: the most it can cost.
};

/// A worker, or one replica of an engine: GPUs on one or more nodes.
struct Endpoint {
    Mode mode = Mode::Agg;
    std::int64_t index = 0;
    std::vector<std::string> nodes;
    std::vector<std::int64_t> gpus; ///< Indices on each of its nodes.
};

/// A process as srun starts it. A port that it does not have is absent; a follower's http port is 0.
struct Process {
    std::string node;
    Mode mode = Mode::Agg;
    std::int64_t index = 0;
    std::int64_t rank = 0; ///< Node rank within the endpoint.
    std::vector<std::int64_t> gpus;
    std::optional<std::int64_t> httpPort, sysPort, bootstrapPort, kvEventsPort, nixlPort, dpRpcPort;
    std::optional<std::int64_t> hetGroup;
};

struct Topology {
    std::vector<std::string> nodes; ///< node000, node001, ... in order of allocation.
    std::vector<std::string> workerNodes;
    std::string head, infra, bench;
    bool het = false;
    std::vector<Endpoint> endpoints;
    std::vector<Process> processes;
};

struct Plan {
    Counts counts;
    std::optional<Topology> topology; ///< Absent when the workers cannot be placed; a diagnostic says why.
    std::vector<syntax::Diagnostic> diagnostics;
};

/// Counts only: cheap enough for thousands of variants.
[[nodiscard]] Counts count(const recipe::Job& job, const recipe::Cluster& cluster);
/// Nodes of the batch system's allocation, components in order (one, or two for a heterogeneous job).
[[nodiscard]] std::vector<std::int64_t> allocation(const recipe::Job& job);
[[nodiscard]] Plan plan(const recipe::Job& job, const recipe::Cluster& cluster);

/// Slurm's spellings of a time limit ("90", "4:00:00", "1-12:00") in hours; nothing for anything else.
[[nodiscard]] std::optional<double> timeLimitHours(std::string_view text);

} // namespace wb::plan
