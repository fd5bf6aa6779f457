// A recipe that passed its checks, as typed facts: what planning, rendering and the engines read. Nothing here is optional by accident:
// an absent std::optional is a `null` or absent key of the recipe whose meaning the reader of the field must know.
#pragma once

#include "core/syntax/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wb::recipe {

/// Name and text, in the order of the file.
using TextPairs = std::vector<std::pair<std::string, std::string>>;

struct Resources {
    std::string gpuType;
    std::int64_t gpusPerNode = 4;
    std::optional<std::int64_t> prefillNodes;
    std::optional<std::int64_t> decodeNodes;
    std::optional<std::int64_t> aggNodes;
    std::optional<std::int64_t> prefillWorkers;
    std::optional<std::int64_t> decodeWorkers;
    std::optional<std::int64_t> aggWorkers;
    std::optional<std::int64_t> gpusPerPrefill; ///< As written; `plan::gpusPerWorker` gives the one in force.
    std::optional<std::int64_t> gpusPerDecode;
    std::optional<std::int64_t> gpusPerAgg;
    bool spreadWorkers = false;
    bool hetJobs = false;

    bool declaresPhases = false; ///< Schema 2: a prefill or a decode role is declared, with nodes or without.

    /// Prefill and decode apart: either node count is given, or in schema 2 either role.
    [[nodiscard]] bool isDisaggregated() const { return declaresPhases || prefillNodes.has_value() || decodeNodes.has_value(); }
};

enum class Mode { Prefill, Decode, Agg };

/// What one mode of the engine gets.
struct ModeSettings {
    TextPairs environment;
    syntax::ValuePtr flags; ///< Mapping of engine flags, or null: the mode has none.
};

struct Backend {
    std::string type; ///< sglang, vllm, trtllm, mocker; in schema 2 also atom and tilert. Where each role has its own: the serving one.
    ModeSettings prefill;
    ModeSettings decode;
    ModeSettings agg;
    syntax::ValuePtr options; ///< The whole backend block with defaults, for what only one engine reads.

    [[nodiscard]] const ModeSettings& of(Mode mode) const;
};

struct Frontend {
    /// In the words of schema 1 ("sglang" is the router) and, for what only schema 2 has, in its own: vllm-router, atomesh, tilert-router,
    /// none, and "sglang-server" for a single server without a router, which schema 2 calls "sglang".
    std::string type = "dynamo";
    bool multiple = true;
    std::int64_t additional = 9;
    std::string nginxContainer;
    bool dedicatedNode = false;
    std::string orchestratorPlacement = "head";
    syntax::ValuePtr block; ///< The whole frontend block with defaults.
};

struct Benchmark {
    std::string type = "manual";
    std::optional<std::int64_t> isl;
    std::optional<std::int64_t> osl;
    std::vector<std::int64_t> concurrencies; ///< From a list or a text such as "4x8"; empty when not given or not numbers.
    std::string clientPlacement = "head";
    bool clientDedicatedNode = false;
    bool colocateWithFrontend = true;
    syntax::ValuePtr block; ///< The whole benchmark block with defaults.
};

/// A process beside the workers (schema 2).
struct Service {
    std::string name;
    std::string type = "generic";
    bool isEnabled = true;
    std::int64_t nodes = 0;  ///< Of a pool of its own; 0: it has none.
    syntax::ValuePtr block;  ///< The whole entry with defaults.
    syntax::Range nameRange; ///< Where its name stands, for messages.
};

struct Job {
    int schema = 1; ///< Of the recipe language: 1 or 2.
    std::string name;
    std::string modelPath;
    std::string container;
    std::string containerAsWritten; ///< In the recipe: the alias, where `container` was looked up in the cluster file. Set by the checker.
    std::string precision;
    std::optional<std::string> stageDir;
    Resources resources;
    std::optional<std::string> account;
    std::optional<std::string> partition;
    std::optional<std::string> timeLimit;
    Backend backend;
    Frontend frontend;
    Benchmark benchmark;
    bool installsDynamo = true;
    bool etcdNatsDedicatedNode = false;
    std::int64_t healthMaxAttempts = 180;
    std::int64_t healthIntervalSeconds = 10;
    TextPairs environment;
    TextPairs containerMounts;
    std::vector<std::string> extraMounts;
    TextPairs srunOptions;
    TextPairs sbatchDirectives; ///< The recipe's in file order, then the cluster's that it lacks.
    std::optional<std::string> setupScript;
    std::vector<Service> services; ///< Schema 2: as declared; those that run by themselves are not among them.
    std::int64_t poolNodes = 0;    ///< Nodes of the services' pools, behind those of the workers.

    /// The whole resolved recipe, every default written out; values know where they came from. Of a recipe in schema 2 it is the part that
    /// schema 1 can say, under the keys of schema 1: what plan, engines and shared rules read is one for both (core/recipe/renames.h).
    syntax::ValuePtr config;
    syntax::ValuePtr written; ///< The resolved recipe in its own language; the same as `config` for schema 1.
};

/// Settings of a cluster, from srtslurm.yaml; the defaults are those of a missing file.
struct Cluster {
    bool isKnown = false; ///< A cluster file was given and is good.
    std::string path;
    std::string name;
    std::optional<std::int64_t> gpusPerNode;
    std::string networkInterface = "eth0";
    bool gpusPerNodeDirective = true;
    bool segmentDirective = true;
    bool exclusiveDirective = false;
    std::string srtctlRoot;
    std::string outputDir;
    TextPairs defaultMounts;
    std::string bashPreamble;
    TextPairs modelPaths;
    TextPairs containers;
    syntax::ValuePtr config; ///< The whole file with defaults; null when not known.
};

} // namespace wb::recipe
