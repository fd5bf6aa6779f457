// The engines that serve the model: what is theirs in a worker's command and environment.
//
// To add one: <id>.h and <id>.cpp with its functions, and a row in engines.cpp. Ids are those of `backend.type` and are never renamed.
#pragma once

#include "core/engines/environment.h"
#include "core/engines/words.h"
#include "core/plan/topology.h"
#include "core/recipe/job.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::engines {

/// A process that is to be started, with all that its command depends on.
struct Worker {
    const recipe::Job& job;
    const recipe::Cluster& cluster;
    const plan::Topology& topology;
    const plan::Process& process;   ///< Of an engine that starts a worker as one step: its leader.
    std::vector<std::string> nodes; ///< All nodes of the worker, the leader's first.

    [[nodiscard]] bool spansNodes() const { return nodes.size() > 1; }
    /// Position of the process's node among them.
    [[nodiscard]] std::int64_t nodeRank() const;
    [[nodiscard]] std::string leaderAddress() const;
    [[nodiscard]] const recipe::ModeSettings& settings() const { return job.backend.of(process.mode); }
    /// "0,1,2,3"
    [[nodiscard]] std::string gpuList() const;
};

/// How the processes of a worker are started.
enum class Starting {
    EachProcess, ///< A step for each.
    AsOneByMpi,  ///< One step over all nodes, a task for each GPU.
};

struct Engine {
    std::string_view id; ///< As in `backend.type`.
    std::string_view title;
    std::string_view doc;
    Starting starting = Starting::EachProcess;
    /// Name under which the model is served.
    std::string (*servedName)(const recipe::Job&) = nullptr;
    /// The command behind a profiler's prefix.
    Words (*command)(const Worker&) = nullptr;
    /// Variables that this engine lays over the mode's own, below the recipe's general ones; null when there are none.
    void (*modeEnvironment)(const Worker&, Environment&) = nullptr;
    /// Variables that this engine lays over all of the recipe's; null when there are none.
    void (*environment)(const Worker&, Environment&) = nullptr;
    /// Whether CUDA_VISIBLE_DEVICES tells a worker its GPUs; null: always.
    bool (*setsVisibleDevices)(const recipe::Job&) = nullptr;
    /// A variable that is taken away again from workers that span nodes; empty: none.
    std::string_view unsetAcrossNodes = {};
    /// A file that the engine reads in each mode: its name by the mode; null when there is none. The content is the mode's flags.
    std::string (*configFile)(plan::Mode) = nullptr;
};

[[nodiscard]] std::span<const Engine> engines();
/// The engine of that id, or null.
[[nodiscard]] const Engine* find(std::string_view id);

/// The name that the first of these modes gives: prefill, aggregated, decode; else the model's own.
[[nodiscard]] std::string nameInFlags(const recipe::Job& job);
/// The model's own name, whatever the flags say.
[[nodiscard]] std::string nameOfModel(const recipe::Job& job);

/// What `--kv-events-config` gets, or nothing when the mode has it off. `extra` names a key that this engine sets to true.
[[nodiscard]] std::optional<std::string> kvEvents(const Worker& worker, std::string_view extra = {});
/// Text of a key of the recipe by its dotted path; empty when it is absent or no text.
[[nodiscard]] std::string textAt(const syntax::ValuePtr& root, std::string_view path);
[[nodiscard]] bool isTrueAt(const syntax::ValuePtr& root, std::string_view path);

/// File into which a worker writes its configuration, on the host; upstream passes it as it is, though containers see another path.
[[nodiscard]] std::string dumpFile(const Worker& worker);

} // namespace wb::engines
