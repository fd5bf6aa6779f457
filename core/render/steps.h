// The steps by which a job is started, in their order: infrastructure, model, workers, frontends, telemetry, benchmark. Each is one call of
// srun: command, variables, options, image. Facts: what srt-slurm starts, state of 2026-08-21; where we differ on purpose, the test of the
// golden launches (tests/core/render/launches_test.cpp) lists it with the reason.
#pragma once

#include "core/engines/launch.h"
#include "core/plan/topology.h"
#include "core/recipe/job.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::render {

enum class Phase { Infra, Model, Workers, Frontend, Telemetry, Benchmark };

[[nodiscard]] std::string_view name(Phase phase); ///< "infra", "workers", "frontend", "benchmark"

/// One call of srun.
struct Step {
    Phase phase = Phase::Workers;
    std::string role;          ///< For people: "prefill worker 0", "nginx", "sa-bench".
    engines::Launch launch;    ///< Its name is unique among the steps of the job.
    std::string log;           ///< Name of its log in the log folder.
    std::string image;         ///< Container image; empty: on the host.
    bool usesShell = true;     ///< A shell sets the variables and runs what comes before the command.
    bool remapsRoot = false;   ///< ENROOT_REMAP_ROOT is exported to it, as dynamo is installed in its container.
    bool isInlineText = false; ///< The command is a text of the recipe's author, not words.
    bool isProxy = false;      ///< nginx before the frontends.
};

/// All steps. Empty commands do not occur: a benchmark without a step of its own ("manual") or a type that nobody knows has none.
[[nodiscard]] std::vector<Step> steps(const recipe::Job& job, const recipe::Cluster& cluster, const plan::Topology& topology);

/// A frontend process and its port.
struct FrontendPlace {
    std::string node;
    std::int64_t port = 0;
};

/// Who answers where.
struct FrontendPlaces {
    std::string publicNode;               ///< Answers on the public port: nginx, the only frontend, or the engine itself.
    bool hasNginx = false;                ///< Several frontends stand behind it.
    std::vector<FrontendPlace> frontends; ///< Empty where the engine answers by itself.
};
[[nodiscard]] FrontendPlaces frontendPlaces(const recipe::Job& job, const plan::Topology& topology);

/// The leader of each worker of a mode, in the order of the workers.
[[nodiscard]] std::vector<const plan::Process*> leaders(const plan::Topology& topology, plan::Mode mode);

/// When the model counts as served.
struct Health {
    std::int64_t prefill = 0; ///< Instances, which for data-parallel vLLM under dynamo are more than workers.
    std::int64_t others = 0;  ///< Decode or aggregated.
    std::string text;         ///< "2P + 4D", "1 agg"
};
[[nodiscard]] Health health(const recipe::Job& job, const plan::Topology& topology);

/// nginx.conf of several frontends; empty when there is none.
[[nodiscard]] std::string nginxConfig(const recipe::Job& job, const plan::Topology& topology);
/// ser.yaml of trtllm_serve's orchestrator; empty when there is none.
[[nodiscard]] std::string orchestratorConfig(const recipe::Job& job, const plan::Topology& topology);

/// Where a benchmark's process runs.
[[nodiscard]] std::string benchmarkNode(const recipe::Job& job, const plan::Topology& topology);
/// The step of the benchmark; nothing when it has none.
[[nodiscard]] std::optional<Step> benchmarkStep(const recipe::Job& job, const recipe::Cluster& cluster, const plan::Topology& topology);
/// Frontends, nginx first.
[[nodiscard]] std::vector<Step> frontendSteps(const recipe::Job& job, const plan::Topology& topology);

/// What comes before the workers where the recipe asks for it: Mooncake's master, the download of the model or its copies on the nodes.
[[nodiscard]] std::vector<Step> stepsBeforeWorkers(const recipe::Job& job, const plan::Topology& topology);
/// Exporters of power and load on the nodes of the workers, and Tachometer, which reads them.
[[nodiscard]] std::vector<Step> telemetrySteps(const recipe::Job& job, const recipe::Cluster& cluster, const plan::Topology& topology);
/// mooncake_store_config.json, which vLLM reads; empty when there is none.
[[nodiscard]] std::string mooncakeStoreConfig(const recipe::Job& job, const plan::Topology& topology);

/// nats and etcd are started for this frontend.
[[nodiscard]] bool startsInfra(const recipe::Job& job);

/// GPUs as sa-bench counts them for the names of its results. Aggregated: of all nodes, idle ones too.
struct BenchmarkGpus {
    std::int64_t total = 0;
    std::int64_t prefill = 0;
    std::int64_t decode = 0;
};
[[nodiscard]] BenchmarkGpus benchmarkGpus(const recipe::Job& job);

} // namespace wb::render
