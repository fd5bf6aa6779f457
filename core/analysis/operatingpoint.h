// Which points belong together: those of one sweep differ in nothing but the load, replicas in nothing at all.
#pragma once

#include "core/results/point.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace wb::analysis {

using PointPointers = std::span<const results::Point* const>;

/// Points of one configuration and workload, measured at one load (concurrency, users, request rate), whichever run they come from: groups
/// of two or more indices. Lengths count as the same within 5 %. Points without a concurrency and without a request rate are in none, as
/// nothing tells that they are the same.
[[nodiscard]] std::vector<std::vector<std::size_t>> replicasAmong(PointPointers points);

/// Points of one run, configuration and workload by concurrency: groups of two or more concurrencies. Those of one concurrency stand
/// together as a group of their own within it.
[[nodiscard]] std::vector<std::vector<std::vector<std::size_t>>> sweepsAmong(PointPointers points);

/// "TP4 EP4", "8P+16D GPUs", "16 GPUs": how the work is spread; empty when nothing tells it.
[[nodiscard]] std::string parallelismOf(const results::Point& point);

} // namespace wb::analysis
