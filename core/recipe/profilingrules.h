// Rules about profiling: which phases it needs, and who can start a capture.
#pragma once

namespace wb::recipe {

class RuleFindings;

void checkTorchProfiling(RuleFindings& findings);
void checkTimedProfiling(RuleFindings& findings);
void checkProfilingPhases(RuleFindings& findings);
void checkProfilingWorkers(RuleFindings& findings);
void checkProfilerFlag(RuleFindings& findings);
void checkEmptyPhases(RuleFindings& findings);
void checkProfilingSteps(RuleFindings& findings);
void checkProfilingTrigger(RuleFindings& findings);

} // namespace wb::recipe
