// Rules about the names of models and images, which the cluster file may know.
#pragma once

namespace wb::recipe {

class RuleFindings;

void checkModelName(RuleFindings& findings);
void checkImageNames(RuleFindings& findings);
void checkModelCache(RuleFindings& findings);
void checkStageFolder(RuleFindings& findings);

} // namespace wb::recipe
