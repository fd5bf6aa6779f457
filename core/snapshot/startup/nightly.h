// Snapshot's nightly end-to-end tests: one envelope a file, and the monthly index with one a line. Their cold start is no measurement: it
// is estimated from the offset of the event "source.ready", which holds scheduling too.
#pragma once

#include "core/snapshot/startupimport.h"

namespace wb::snapshot::startup {

[[nodiscard]] bool isNightly(const StartupInput& input);
[[nodiscard]] Result<std::vector<StartupRun>> readNightly(const StartupInput& input);

} // namespace wb::snapshot::startup
