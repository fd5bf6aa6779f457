// RunResult files of Snapshot's own benchmark tool (benchmarks/snapshot_benchmarks): one model, measured by Kubernetes' stamps, with the
// agent's phases beside. Schema 1, and 2 with a flat "gpu_product".
#pragma once

#include "core/snapshot/startupimport.h"

namespace wb::snapshot::startup {

[[nodiscard]] bool isRunResult(const StartupInput& input);
[[nodiscard]] Result<std::vector<StartupRun>> readRunResult(const StartupInput& input);

} // namespace wb::snapshot::startup
