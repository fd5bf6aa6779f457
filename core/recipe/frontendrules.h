// Rules about frontends: which engine and layout each serves, and where it runs.
#pragma once

namespace wb::recipe {

class RuleFindings;

void checkFrontendEngine(RuleFindings& findings);
void checkSingleFrontend(RuleFindings& findings);
void checkVllmFrontendLayout(RuleFindings& findings);
void checkServedWorkers(RuleFindings& findings);
void checkMockerFrontend(RuleFindings& findings);
void checkPlacedOrchestrator(RuleFindings& findings);
void checkDedicatedFrontend(RuleFindings& findings);
void checkPlacedClient(RuleFindings& findings);
void checkPlacementDecode(RuleFindings& findings);
void checkSeveralPlaced(RuleFindings& findings);
void checkRemoteClient(RuleFindings& findings);

} // namespace wb::recipe
