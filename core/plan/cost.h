// What a job can cost at most, and what it is expected to give.
#pragma once

#include "core/plan/topology.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace wb::plan {

struct Cost {
    std::optional<double> nodeHours;         ///< Nodes x time limit; unknown when the limit is not a time.
    std::optional<double> gpuHours;          ///< GPUs of all nodes x time limit.
    std::int64_t healthBudgetSeconds = 0;    ///< How long the job waits for the model to be served before it gives up.
    std::vector<std::int64_t> concurrencies; ///< A benchmark point is expected for each; empty when that is not known.
};

[[nodiscard]] Cost cost(const recipe::Job& job, const Counts& counts);

} // namespace wb::plan
