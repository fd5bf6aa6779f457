// Workers onto GPUs, by the rules of srt-slurm: prefill, decode, agg, in order of index, a pointer that only moves forward.
#pragma once

#include "core/plan/topology.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace wb::plan {

/// A worker on consecutive nodes of the list of worker nodes, with the same GPUs on each.
struct Placement {
    Mode mode = Mode::Agg;
    std::int64_t index = 0;
    std::int64_t firstNode = 0; ///< Position in the list.
    std::int64_t nodes = 1;
    std::int64_t firstGpu = 0;
    std::int64_t gpus = 0; ///< On each node.
    std::optional<std::int64_t> hetGroup;
};

/// The worker for which no node was left.
struct NoRoom {
    Mode mode = Mode::Agg;
    std::int64_t index = 0;
};

/// A worker that takes whole nodes, the first of which has another worker already.
struct Overlap {
    std::size_t worker = 0; ///< Position in `workers`.
    std::size_t other = 0;
};

struct Packing {
    std::vector<Placement> workers;
    std::optional<NoRoom> noRoom;
    std::optional<Overlap> overlap;
};

/// GPUs per node and per worker must be above 0, worker counts not below 0 and within the limits. `firstOfSecondGroup` divides the list
/// of a heterogeneous job.
[[nodiscard]] Packing pack(const recipe::Job& job, std::int64_t nodes, std::int64_t firstOfSecondGroup);

/// Nodes that the workers of a mode fill when they have them to themselves.
[[nodiscard]] std::int64_t nodesNeeded(const recipe::Resources& resources, Mode mode);

} // namespace wb::plan
