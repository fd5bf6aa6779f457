// The steps by which the workers of a job are started.
#pragma once

#include "core/engines/engine.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wb::engines {

struct Launch {
    plan::Mode mode = plan::Mode::Agg;
    std::int64_t index = 0;
    std::string name;               ///< "node000_prefill_w0", unique within the job; the log of a worker is called so.
    std::vector<std::string> nodes; ///< On which the step runs.
    std::int64_t tasks = 1;
    Words command;
    std::vector<Variable> environment; ///< Sorted by name.
    std::vector<std::string> unset;    ///< Variables taken away again before the command.
    bool installsDynamo = false;       ///< dynamo is installed in the container before the command.
    std::string mpi;                   ///< Empty: none.
    std::string cpuBind;               ///< Empty: the batch system's own.
    bool isOversubscribed = false;
    recipe::TextPairs srunOptions; ///< Of the recipe, as far as they reach this step.
    std::optional<std::int64_t> hetGroup;
};

/// Empty for an engine that is not known. `{node}` and `{node_id}` in variables of the recipe are replaced where srtctl does it.
[[nodiscard]] std::vector<Launch> workerLaunches(const recipe::Job& job, const recipe::Cluster& cluster, const plan::Topology& topology);

/// Variables of every step that the recipe asks for at its top: those of dynamo's wheel, then `environment`.
[[nodiscard]] std::vector<Variable> generalVariables(const recipe::Job& job);

/// Variables by which dynamo's processes report spans under that name; none unless the recipe turns it on.
void addTracing(const recipe::Job& job, const std::string& service, Environment& environment);

/// Sorted by name, their sources in the words of the recipe's language.
[[nodiscard]] std::vector<Variable> sortedVariables(const recipe::Job& job, const Environment& environment);

} // namespace wb::engines
