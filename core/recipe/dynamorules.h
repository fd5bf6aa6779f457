// Rules about where Dynamo is installed from.
#pragma once

namespace wb::recipe {

class RuleFindings;

void checkDynamoSources(RuleFindings& findings);
void checkDynamoWheel(RuleFindings& findings);
void checkDynamoPatches(RuleFindings& findings);
void checkDynamoHash(RuleFindings& findings);
void checkDynamoVersion(RuleFindings& findings);
void checkDynamoInstalled(RuleFindings& findings);

} // namespace wb::recipe
