#pragma once

#include "core/plan/findings.h"

namespace wb::plan {

/// Tells of modes whose engine flags ask for more GPUs than a worker has.
void checkParallelSizes(Findings& findings);

} // namespace wb::plan
