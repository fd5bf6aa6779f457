// The cold start of a run of srt-slurm: run_lifecycle.json, or the log of a sweep.
#pragma once

#include "core/snapshot/startupimport.h"

namespace wb::snapshot::startup {

[[nodiscard]] bool isSrtLifecycle(const StartupInput& input);
[[nodiscard]] Result<std::vector<StartupRun>> readSrtLifecycle(const StartupInput& input);

} // namespace wb::snapshot::startup
