// Rules about power telemetry, Tachometer and tracing.
#pragma once

namespace wb::recipe {

class RuleFindings;

void checkTachometerObservability(RuleFindings& findings);
void checkTachometerExporter(RuleFindings& findings);
void checkTachometerFolder(RuleFindings& findings);
void checkTachometerBinary(RuleFindings& findings);
void checkExporterImages(RuleFindings& findings);
void checkTelemetryExporter(RuleFindings& findings);
void checkTelemetryPeriod(RuleFindings& findings);
void checkTelemetryJoin(RuleFindings& findings);
void checkTelemetryFolder(RuleFindings& findings);
void checkTelemetryBenchmark(RuleFindings& findings);
void checkTelemetryClock(RuleFindings& findings);
void checkTelemetryConcurrencies(RuleFindings& findings);
void checkOtel(RuleFindings& findings);
void checkScrapeInterval(RuleFindings& findings);
void checkQuotedObservability(RuleFindings& findings);
void checkPublishedEvents(RuleFindings& findings);

} // namespace wb::recipe
