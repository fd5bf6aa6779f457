// Which node of the allocation does what.
#pragma once

#include "core/plan/topology.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace wb::plan {

/// Positions in the allocation's node list.
struct Carving {
    std::int64_t nodes = 0;
    std::int64_t head = 0;
    std::int64_t infra = 0;
    std::int64_t bench = 0;
    std::vector<std::int64_t> workers;   ///< Nodes for workers, in order; of a heterogeneous job component 0 first.
    std::int64_t firstOfSecondGroup = 0; ///< Position in `workers` at which component 1 begins; heterogeneous jobs only.
};

/// Needs counts within the limits; nothing when a component has no node left for workers.
[[nodiscard]] std::optional<Carving> carve(const recipe::Job& job);

} // namespace wb::plan
