// The processes of placed workers, with their ports.
#pragma once

#include "core/plan/carving.h"
#include "core/plan/findings.h"
#include "core/plan/packing.h"
#include "core/plan/topology.h"

#include <vector>

namespace wb::plan {

/// Processes of the workers, in the order in which they get their system ports. Data-parallel figures must have been checked.
[[nodiscard]] std::vector<Process> processesOf(const recipe::Job& job, const std::vector<Placement>& workers, const Carving& carving,
                                               const std::vector<std::string>& nodeNames);

/// Tells of vLLM workers whose ranks and replicas do not make up their GPUs; false when there are any.
[[nodiscard]] bool checkDataParallel(Findings& findings, const std::vector<Placement>& workers);

} // namespace wb::plan
