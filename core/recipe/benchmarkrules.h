// Rules about what each type of benchmark needs and reads.
#pragma once

namespace wb::recipe {

class RuleFindings;

void checkConcurrencies(RuleFindings& findings);
void checkRepeatedConcurrencies(RuleFindings& findings);
void checkTraceConcurrencies(RuleFindings& findings);
void checkSaBench(RuleFindings& findings);
void checkBenchmarkNeeds(RuleFindings& findings);
void checkRequestRate(RuleFindings& findings);
void checkGsm8kNumbers(RuleFindings& findings);
void checkGsm8kRepeat(RuleFindings& findings);
void checkRouterFrontend(RuleFindings& findings);
void checkSlowDown(RuleFindings& findings);
void checkBenchmarkSweep(RuleFindings& findings);

} // namespace wb::recipe
