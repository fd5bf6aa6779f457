// The processes of placed workers, with their ports.
#pragma once

#include "core/plan/carving.h"
#include "core/plan/findings.h"
#include "core/plan/packing.h"
#include "core/plan/topology.h"

#include <vector>

namespace wb::plan {

/// First port of each range. Ranges that count for the whole job are told from those that start anew on each node.
namespace ports {
inline constexpr std::int64_t publicApi = 8000;
inline constexpr std::int64_t kvEvents = 5200; // whole job
inline constexpr std::int64_t nixl = 5400;     // whole job
inline constexpr std::int64_t http = 6100;     // node
inline constexpr std::int64_t httpStep = 32;
inline constexpr std::int64_t bootstrap = 7200; // node
inline constexpr std::int64_t system = 7500;    // whole job
inline constexpr std::int64_t frontend = 8180;
inline constexpr std::int64_t distInit = 8300;
inline constexpr std::int64_t dpRpc = 8400; // node
inline constexpr std::int64_t mooncake = 8700;
inline constexpr std::int64_t nccl = 17'500; // + number of the process
inline constexpr std::int64_t vllm = 20'000; // + 50 x number of the process
inline constexpr std::int64_t vllmStep = 50;
inline constexpr std::int64_t last = 65'535;
} // namespace ports

/// Processes of the workers, in the order in which they get their system ports. Data-parallel figures must have been checked.
[[nodiscard]] std::vector<Process> processesOf(const recipe::Job& job, const std::vector<Placement>& workers, const Carving& carving,
                                               const std::vector<std::string>& nodeNames);

/// Tells of vLLM workers whose ranks and replicas do not make up their GPUs; false when there are any.
[[nodiscard]] bool checkDataParallel(Findings& findings, const std::vector<Placement>& workers);

} // namespace wb::plan
