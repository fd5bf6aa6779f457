// The log of Snapshot's node agent: its lines "Restore timing summary" and "Checkpoint timing summary" with JSON behind. Lines that say
// that a checkpoint is Ready and unusable are told as warnings.
#pragma once

#include "core/snapshot/startupimport.h"

namespace wb::snapshot::startup {

[[nodiscard]] bool isAgentLog(const StartupInput& input);
[[nodiscard]] Result<std::vector<StartupRun>> readAgentLog(const StartupInput& input);

} // namespace wb::snapshot::startup
