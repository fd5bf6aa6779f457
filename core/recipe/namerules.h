// Rules about how models and images are named. Which names the cluster file has is told when its defaults are laid under a recipe.
#pragma once

namespace wb::recipe {

class RuleFindings;

void checkModelName(RuleFindings& findings);
void checkImageNames(RuleFindings& findings);
void checkModelCache(RuleFindings& findings);
void checkStageFolder(RuleFindings& findings);

} // namespace wb::recipe
