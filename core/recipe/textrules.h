// Rules about texts that another program reads: sbatch, srun, the shell, the templates of srtctl.
#pragma once

namespace wb::recipe {

class RuleFindings;

void checkName(RuleFindings& findings);
void checkDirectiveNames(RuleFindings& findings);
void checkDirectiveValues(RuleFindings& findings);
void checkOwnDirectives(RuleFindings& findings);
void checkEnvironmentNames(RuleFindings& findings);
void checkEnvironmentTemplates(RuleFindings& findings);
void checkMountTemplates(RuleFindings& findings);
void checkMountPaths(RuleFindings& findings);
void checkExtraMounts(RuleFindings& findings);
void checkCommandTemplates(RuleFindings& findings);

} // namespace wb::recipe
