// Rules about an engine's block: launching of vLLM ranks, KV events, the Mooncake store. Single flags are flagrules' affair.
#pragma once

namespace wb::recipe {

class RuleFindings;

void checkVllmHeadless(RuleFindings& findings);
void checkVllmHybrid(RuleFindings& findings);
void checkVllmPerGpu(RuleFindings& findings);
void checkVllmSizes(RuleFindings& findings);
void checkVllmConnector(RuleFindings& findings);
void checkMooncakeTransfer(RuleFindings& findings);
void checkMooncakeArguments(RuleFindings& findings);
void checkKvEventModes(RuleFindings& findings);

} // namespace wb::recipe
