#include "core/recipe/telemetryrules.h"

#include "core/base/text.h"
#include "core/recipe/packdefaults.h"
#include "core/recipe/rulewords.h"

#include <set>

namespace wb::recipe {

using syntax::Diagnostic;
using syntax::Severity;
using syntax::ValuePtr;

namespace {

constexpr double longestPeriod = 3.0;  // seconds between samples that srtctl's validator of power data allows
constexpr double shortestScrape = 0.5; // seconds; srtctl never scrapes faster

bool hasTelemetry(const RuleFindings& findings)
{
    return isTrue(findings, "telemetry.enabled");
}

bool hasTachometer(const RuleFindings& findings)
{
    return isTrue(findings, "observability.tachometer.enabled");
}

} // namespace

void checkTachometerObservability(RuleFindings& findings)
{
    if (!hasTachometer(findings) || isTrue(findings, "observability.enabled"))
        return;
    Diagnostic& problem =
        findings.report("observability.tachometer.enabled", Severity::Error, "Tachometer needs \"observability.enabled: true\".");
    if (isWritten(findings, "observability.enabled"))
        findings.note(problem, "observability.enabled", "It is switched off here.");
}

void checkTachometerExporter(RuleFindings& findings)
{
    if (!hasTachometer(findings) || !hasTelemetry(findings) || !isGiven(findings, "observability.tachometer.dcgm_exporter"))
        return;
    Diagnostic& problem = findings.report("observability.tachometer.dcgm_exporter", Severity::Error,
                                          "Two DCGM exporters would run: with telemetry on, Tachometer shares the one below \"telemetry\"; "
                                          "delete this one.");
    findings.note(problem, "telemetry.dcgm_exporter", "The one that is shared.");
}

void checkTachometerFolder(RuleFindings& findings)
{
    if (!hasTachometer(findings))
        return;
    constexpr std::string_view path = "observability.tachometer.storage_subdir";
    const std::string folder = textAt(findings, path);
    if (!isSafeFolder(folder)) {
        findings.report(path, Severity::Error,
                        "\"" + std::string(path) + "\" is " + base::inQuotes(folder) +
                            "; it must be a folder below the logs, without \"..\".");
    } else if (hasTelemetry(findings) && folder == textAt(findings, "telemetry.storage_subdir")) {
        Diagnostic& problem = findings.report(path, Severity::Error,
                                              "Tachometer and telemetry would both write into the folder " + base::inQuotes(folder) + ".");
        findings.note(problem, "telemetry.storage_subdir", "The folder of telemetry.");
    }
}

void checkTachometerBinary(RuleFindings& findings)
{
    if (hasTachometer(findings) && base::trimmed(textAt(findings, "observability.tachometer.binary_path")).empty())
        findings.report("observability.tachometer.binary_path", Severity::Error, "\"observability.tachometer.binary_path\" is empty.");
}

void checkExporterImages(RuleFindings& findings)
{
    const auto check = [&](std::string_view exporter) {
        const std::string path = std::string(exporter) + ".container_image";
        if (isGiven(findings, exporter) && base::trimmed(textAt(findings, path)).empty())
            findings.report(path, Severity::Error, "\"" + path + "\" is empty; the exporter runs in a container.");
    };
    if (hasTachometer(findings)) {
        check("observability.tachometer.dcgm_exporter");
        check("observability.tachometer.node_exporter");
    }
    if (hasTelemetry(findings))
        check("telemetry.dcgm_exporter");
}

void checkTelemetryExporter(RuleFindings& findings)
{
    if (hasTelemetry(findings) && !isGiven(findings, "telemetry.dcgm_exporter"))
        findings.report("telemetry.enabled", Severity::Error,
                        "Telemetry needs \"telemetry.dcgm_exporter\" with a container image and a port.");
}

void checkTelemetryPeriod(RuleFindings& findings)
{
    if (!hasTelemetry(findings))
        return;
    const double period = numberAt(findings, "telemetry.default_frequency").value_or(0);
    if (period > longestPeriod)
        findings.report("telemetry.default_frequency", Severity::Error,
                        "\"telemetry.default_frequency\" is " + base::textOf(period) +
                            "; it is the period in seconds here, and above 3 the power data are refused for their gaps.");
}

void checkTelemetryJoin(RuleFindings& findings)
{
    if (!hasTelemetry(findings))
        return;
    constexpr std::string_view requestTimeout = "telemetry.request_timeout_seconds";
    const auto join = numberAt(findings, "telemetry.collector_join_timeout_seconds");
    const double request = numberAt(findings, requestTimeout).value_or(defaultAmount("v1", requestTimeout).value_or(0));
    const double cycles = 2 * (2 * request + 1);
    if (!join || *join > cycles)
        return;
    Diagnostic& problem =
        findings.report("telemetry.collector_join_timeout_seconds", Severity::Error,
                        "\"telemetry.collector_join_timeout_seconds\" is " + base::textOf(*join) +
                            "; it must be longer than two cycles of the collector, which are " + base::textOf(cycles) + " s.");
    findings.note(problem, requestTimeout, "The time limit of a request, from which a cycle follows.");
}

void checkTelemetryFolder(RuleFindings& findings)
{
    const std::string folder = textAt(findings, "telemetry.storage_subdir");
    if (hasTelemetry(findings) && !isSafeFolder(folder))
        findings.report("telemetry.storage_subdir", Severity::Error,
                        "\"telemetry.storage_subdir\" is " + base::inQuotes(folder) +
                            "; it must be a folder below the logs, without \"..\".");
}

void checkTelemetryBenchmark(RuleFindings& findings)
{
    const std::string& type = findings.job().benchmark.type;
    if (!hasTelemetry(findings) || type == "sa-bench")
        return;
    Diagnostic& problem = findings.report("telemetry.enabled", Severity::Error,
                                          "Power telemetry measures \"sa-bench\" only, not " + base::inQuotes(type) + ".");
    findings.note(problem, "benchmark.type", "The benchmark of this job.");
}

void checkTelemetryClock(RuleFindings& findings)
{
    if (!hasTelemetry(findings))
        return;
    const Job& job = findings.job();
    const auto report = [&](std::string_view path, const std::string& what) {
        Diagnostic& problem = findings.report("telemetry.enabled", Severity::Error,
                                              "Power telemetry needs the client on the batch host, whose clock it reads: " + what + ".");
        findings.note(problem, path, "This moves it.");
    };
    if (job.benchmark.clientPlacement != "head")
        report("benchmark.client_placement", "\"benchmark.client_placement\" must be \"head\"");
    if (job.benchmark.clientDedicatedNode)
        report("benchmark.client_dedicated_node", "\"benchmark.client_dedicated_node\" must be false, though srtctl does not check it");
    if (job.etcdNatsDedicatedNode)
        report("infra.etcd_nats_dedicated_node", "\"infra.etcd_nats_dedicated_node\" must be false");
}

void checkTelemetryConcurrencies(RuleFindings& findings)
{
    if (!hasTelemetry(findings))
        return;
    const std::vector<std::int64_t>& levels = findings.job().benchmark.concurrencies;
    std::set<std::int64_t> seen;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        if (seen.insert(levels[i]).second)
            continue;
        const ValuePtr written = findings.at("benchmark.concurrencies");
        const std::string message = "Power telemetry tells its windows apart by their concurrency, and " + std::to_string(levels[i]) +
                                    " stands twice in \"benchmark.concurrencies\".";
        Diagnostic& problem = written && written->isSequence() ? findings.reportItem("benchmark.concurrencies", i, Severity::Error, message)
                                                               : findings.report("benchmark.concurrencies", Severity::Error, message);
        findings.note(problem, "telemetry.enabled", "Telemetry is switched on here.");
        return;
    }
}

void checkOtel(RuleFindings& findings)
{
    const bool isOn = isTrue(findings, "observability.enable_otel");
    const bool hasEndpoint = !base::trimmed(textAt(findings, "observability.otel_endpoint")).empty();
    if (isOn && !hasEndpoint)
        findings.report("observability.enable_otel", Severity::Warning,
                        "Nothing is traced: \"observability.enable_otel\" needs \"observability.otel_endpoint\".");
    else if (!isOn && hasEndpoint)
        findings.report("observability.otel_endpoint", Severity::Warning,
                        "\"observability.otel_endpoint\" has no effect without \"observability.enable_otel: true\".");
}

void checkScrapeInterval(RuleFindings& findings)
{
    const auto interval = numberAt(findings, "observability.scrape_interval_seconds");
    if (interval && *interval < shortestScrape)
        findings.report("observability.scrape_interval_seconds", Severity::Warning,
                        "\"observability.scrape_interval_seconds\" is " + base::textOf(*interval) +
                            "; srtctl scrapes every 0.5 s at most.");
}

void checkQuotedObservability(RuleFindings& findings)
{
    // The switch off, and yet its variables written: the text "false" is true for the one and false for the other.
    const ValuePtr trace = findings.at("frontend.env.DYN_REQUEST_TRACE");
    if (!isTrue(findings, "observability.enabled") && trace && trace->isUnwritten())
        findings.report(
            "observability.enabled", Severity::Warning,
            "\"observability.enabled\" is a text, which srtctl takes for true when it writes the tracing variables and for false "
            "afterwards; write it without quotes.");
}

void checkPublishedEvents(RuleFindings& findings)
{
    const ValuePtr publish = findings.at("backend.publish_events_and_metrics");
    const bool isOff = publish && publish->kind == syntax::Kind::Bool && !publish->boolean && !publish->isUnwritten();
    if (findings.job().backend.type != "trtllm" || !isOff || !isTrue(findings, "observability.enabled"))
        return;
    Diagnostic& problem = findings.report("backend.publish_events_and_metrics", Severity::Warning,
                                          "The workers publish no metrics, although observability is on.");
    findings.note(problem, "observability.enabled", "Observability is switched on here.");
}

} // namespace wb::recipe
