// Where everything of a job runs: nodes, endpoints, processes, GPUs, ports. Facts: the packing rules of srt-slurm, state of 2026-08-21.
#pragma once

#include "core/recipe/job.h"
#include "core/syntax/diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::plan {

using recipe::Mode;

/// In the order in which workers are placed.
inline constexpr Mode allModes[] = {Mode::Prefill, Mode::Decode, Mode::Agg};

[[nodiscard]] std::string_view name(Mode mode); ///< "prefill", "decode", "agg"

/// A job above these is refused before anything is built for it: no cluster has so many, a slip of the finger has.
inline constexpr std::int64_t maxNodes = 10'000;
inline constexpr std::int64_t maxGpusPerNode = 128;
inline constexpr std::int64_t maxWorkers = 10'000;
inline constexpr std::int64_t maxGpus = 100'000;

/// GPUs of one worker of that mode, by the recipe's own figures; may be 0 or negative when the recipe is wrong.
[[nodiscard]] std::int64_t gpusPerWorker(const recipe::Resources& resources, Mode mode);
[[nodiscard]] std::int64_t workers(const recipe::Resources& resources, Mode mode);

/// What a job takes from the cluster.
struct Counts {
    std::int64_t nodes = 0;         ///< Of the allocation, dedicated nodes included.
    std::int64_t workerNodes = 0;   ///< Of those, the ones for workers.
    std::int64_t gpusAllocated = 0; ///< nodes x GPUs per node
    std::int64_t gpusWorking = 0;   ///< Sum over workers.
    std::int64_t prefillGpus = 0;
    std::int64_t decodeGpus = 0;                          ///< Decode workers'; aggregated workers count in gpusWorking only.
    std::optional<double> hours;                          ///< Time limit in force (see `timeLimit`); unknown when it is not a time.
    [[nodiscard]] std::optional<double> gpuHours() const; ///< Allocated GPUs x time limit: the most it can cost.
};

/// A worker, or one replica of an engine: GPUs on one or more nodes.
struct Endpoint {
    Mode mode = Mode::Agg;
    std::int64_t index = 0;
    std::vector<std::string> nodes;
    std::vector<std::int64_t> gpus;       ///< Indices on each of its nodes.
    std::optional<std::int64_t> hetGroup; ///< Component of a heterogeneous job: 0 prefill, 1 decode.

    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

/// A process as srun starts it. A port that it does not have is absent; a follower's http port is 0.
struct Process {
    std::string node;
    Mode mode = Mode::Agg;
    std::int64_t index = 0;
    std::int64_t rank = 0; ///< Within the endpoint: of the node, or the first data-parallel rank where vLLM counts those.
    std::vector<std::int64_t> gpus;
    std::optional<std::int64_t> httpPort, sysPort, bootstrapPort, kvEventsPort, nixlPort, dpRpcPort;
    std::optional<std::int64_t> hetGroup;

    friend bool operator==(const Process&, const Process&) = default;
};

struct Topology {
    std::vector<std::string> nodes;       ///< node000, node001, ... in order of allocation.
    std::vector<std::string> workerNodes; ///< Without the nodes of the services' pools, which come behind them.
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

/// What srtctl asks for when neither the recipe nor the cluster names a time limit.
inline constexpr std::string_view defaultTimeLimit = "01:00:00";
/// The time limit that the batch system gets: the last directive "time", else the recipe's or the cluster's, else the default.
[[nodiscard]] std::string timeLimit(const recipe::Job& job);

/// Roles that have a node of their own, and whether they share one.
struct Reserved {
    bool infra = false;
    bool frontend = false;
    bool client = false;
    bool shared = true; ///< One node for all of them.

    [[nodiscard]] std::int64_t nodes() const;
};
[[nodiscard]] Reserved reserved(const recipe::Job& job);

/// Prefill and decode workers of vLLM are packed behind each other on shared nodes, as the recipe allows it and they fit.
[[nodiscard]] bool packsTogether(const recipe::Job& job);
/// Schema 2: no worker at all, only services.
[[nodiscard]] bool isServicesOnly(const recipe::Job& job);
/// Two components with node lists of their own, prefill and decode.
[[nodiscard]] bool isHeterogeneous(const recipe::Job& job);

/// How vLLM divides the workers of a mode into data-parallel ranks. Absent for other engines and for modes without data-parallel-size.
struct DataParallel {
    std::int64_t size = 1;    ///< Ranks of an endpoint.
    std::int64_t replica = 1; ///< GPUs of a rank: tensor x pipeline parallel.
    bool perGpu = false;      ///< A process for each GPU; else one for each node.
};
[[nodiscard]] std::optional<DataParallel> dataParallel(const recipe::Job& job, Mode mode);

/// Slurm's spellings of a time limit ("90", "4:00:00", "1-12:00") in hours; nothing for anything else, and for no limit.
[[nodiscard]] std::optional<double> timeLimitHours(std::string_view text);
/// A time limit as Slurm reads it, "UNLIMITED" and 0 included.
[[nodiscard]] bool isSlurmTime(std::string_view text);

} // namespace wb::plan
