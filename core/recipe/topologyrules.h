// Rules about nodes, workers and heterogeneous jobs. Whether the workers fit their nodes is the plan's affair (core/plan).
#pragma once

namespace wb::recipe {

class RuleFindings;

void checkTopology(RuleFindings& findings);
void checkMixedTopology(RuleFindings& findings);
void checkAggregatedNodes(RuleFindings& findings);
void checkHetLayout(RuleFindings& findings);
void checkHetNodes(RuleFindings& findings);
void checkHetEngine(RuleFindings& findings);
void checkHetDedicated(RuleFindings& findings);
void checkSpread(RuleFindings& findings);
void checkVllmColocation(RuleFindings& findings);

} // namespace wb::recipe
