#pragma once

#include "core/plan/findings.h"
#include "core/plan/topology.h"

namespace wb::plan {

/// Tells of ports beyond 65535, of ranges that run into the next one, and of processes that meet on a port of their node. Costs next to
/// nothing as long as no range is overrun.
void checkPorts(Findings& findings, const Topology& topology);

} // namespace wb::plan
