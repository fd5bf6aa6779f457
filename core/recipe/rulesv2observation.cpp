// Rules of schema 2 about profiles, scrapers and power.
#include "core/base/text.h"
#include "core/recipe/defaultsv2.h"
#include "core/recipe/packdefaults.h"
#include "core/recipe/rulesv2.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace wb::recipe::second {

using syntax::Diagnostic;
using syntax::Member;
using syntax::Severity;
using syntax::ValuePtr;

namespace {

double numberAt(const RuleFindings& findings, std::string_view path, double otherwise)
{
    const ValuePtr value = findings.at(path);
    return value && (value->kind == syntax::Kind::Float || value->kind == syntax::Kind::Integer) ? value->number : otherwise;
}

struct Phase {
    std::string_view role;
    std::string_view key;
};
constexpr Phase phases[] = {{"prefill", "prefill"}, {"decode", "decode"}, {"agg", "aggregated"}};

void checkNsys(RuleFindings& findings)
{
    for (const std::string_view key : {"nsys_trace", "capture_range_end"}) {
        const std::string path = "profiling." + std::string(key);
        if (isGiven(findings, path) && base::trimmed(textAt(findings, path)).empty())
            findings.report(path, Severity::Error, "\"" + path + "\" is blank; delete it to take the default.");
    }
    const ValuePtr folders = findings.at("profiling.nsys_library_paths");
    for (const ValuePtr& folder : folders ? folders->items : std::vector<ValuePtr>()) {
        if (base::trimmed(folder->text).empty())
            findings.report("profiling.nsys_library_paths", Severity::Error,
                            "A folder in \"profiling.nsys_library_paths\" is blank; delete it.");
    }
}

void checkPhases(RuleFindings& findings)
{
    const bool isApart = isDisaggregated(findings);
    for (const auto& [role, key] : phases) {
        const std::string path = "profiling." + std::string(key);
        const bool isWanted = isApart == (role != "agg");
        const bool isThere = isGiven(findings, path);
        if (isThere && !isWanted) {
            Diagnostic& problem = findings.report(
                path, Severity::Error,
                isApart ? "The job has prefill and decode workers, so the profile names \"prefill\" and \"decode\", not \"aggregated\"."
                        : "The job has agg workers, so the profile names \"aggregated\", not \"" + std::string(key) + "\".");
            findings.note(problem, "roles", "The roles of the job.");
        } else if (!isThere && isWanted) {
            Diagnostic& problem =
                findings.report("profiling.type", Severity::Error,
                                "The profile says nothing of the " + std::string(role) + " workers; add \"" + path + "\".");
            findings.note(problem, "roles." + std::string(role), "These workers.");
        }
        if (isWanted && workers(findings, role) <= 0)
            findings.report("roles." + std::string(role) + ".workers", Severity::Error,
                            "There is no " + std::string(role) + " worker to profile.");
    }
}

void checkSelected(RuleFindings& findings)
{
    for (const auto& [role, key] : phases) {
        const std::string path = "profiling." + std::string(key);
        if (!isGiven(findings, path) || findings.job().backend.type == "trtllm")
            continue;
        const std::int64_t index = integerAt(findings, path + ".worker_index").value_or(0);
        const std::int64_t rank = integerAt(findings, path + ".worker_rank").value_or(0);
        if (textAt(findings, path + ".capture_scope") != "selected") {
            if (index != 0 || rank != 0)
                findings.report(path, Severity::Warning,
                                "\"worker_index\" and \"worker_rank\" choose a worker only with \"capture_scope: selected\".");
            continue;
        }
        if (index >= workers(findings, role)) {
            Diagnostic& problem = findings.report(path + ".worker_index", Severity::Error,
                                                  "There is no " + std::string(role) + " worker " + std::to_string(index) +
                                                      "; they count from 0 and there are " + std::to_string(workers(findings, role)) + ".");
            findings.note(problem, "roles." + std::string(role) + ".workers", "The workers.");
        }
        const std::int64_t perNode = std::max<std::int64_t>(1, findings.job().resources.gpusPerNode);
        const std::int64_t ranks = std::max<std::int64_t>(1, (gpusOf(findings, role) + perNode - 1) / perNode);
        const bool isLeaderOnly = textAt(findings, "frontend.type") == "vllm" || hasSidecar(findings);
        if (rank >= ranks)
            findings.report(path + ".worker_rank", Severity::Error,
                            "There is no rank " + std::to_string(rank) + " in a " + std::string(role) +
                                " worker; they count from 0 and there are " + std::to_string(ranks) + ".");
        else if (rank > 0 && isLeaderOnly)
            findings.report(path + ".worker_rank", Severity::Error, "Here only the leader of a worker can be told to profile; say rank 0.");
    }
}

void checkExporter(RuleFindings& findings, const std::string& path)
{
    if (!isGiven(findings, path))
        return;
    if (textAt(findings, path + ".container_image").empty() && textAt(findings, path + ".binary").empty())
        findings.report(path + ".container_image", Severity::Error, "The exporter has neither an image nor a \"binary\".");
}

void checkFolder(RuleFindings& findings, const std::string& path)
{
    if (!isSafeSubfolder(textAt(findings, path)))
        findings.report(path, Severity::Error, "\"" + path + "\" must be a plain relative path below the log folder.");
}

void checkConcurrencies(RuleFindings& findings)
{
    const auto& levels = findings.job().benchmark.concurrencies;
    std::set<std::int64_t> seen;
    if (levels.empty()) {
        Diagnostic& problem = findings.report("benchmark.concurrencies", Severity::Error,
                                              "Power telemetry is cut by concurrency, and the benchmark lists none.");
        findings.note(problem, "telemetry.enabled", "Power telemetry is switched on here.");
        return;
    }
    for (const std::int64_t level : levels) {
        if (level > 0 && seen.insert(level).second)
            continue;
        Diagnostic& problem =
            findings.report("benchmark.concurrencies", Severity::Error,
                            level > 0 ? "The concurrency " + std::to_string(level) + " stands there twice; power telemetry needs each once."
                                      : "A concurrency is above 0, not " + std::to_string(level) + ".");
        findings.note(problem, "telemetry.enabled", "Power telemetry is switched on here.");
        return;
    }
}

void checkGpuPower(RuleFindings& findings)
{
    checkExporter(findings, "telemetry.dcgm_exporter");
    constexpr std::array<std::string_view, 3> timed = {"custom", "manual", "sa-bench"};
    const std::string benchmark = textAt(findings, "benchmark.type");
    const auto refuse = [&](std::string_view path, const std::string& message) {
        Diagnostic& problem = findings.report(path, Severity::Error, message);
        findings.note(problem, "telemetry.enabled", "Power telemetry is switched on here.");
    };
    if (std::find(timed.begin(), timed.end(), benchmark) == timed.end())
        refuse("benchmark.type", "Power telemetry goes with the benchmarks custom, manual and sa-bench, not with " + benchmark + ".");
    const std::string node = textAt(findings, "benchmark.placement.node");
    if (!node.empty() && node != "head" && node != "dedicated")
        refuse("benchmark.placement.node", "Power telemetry needs the clock of the head node, so the client must run there.");
    for (const std::string_view type : {"etcd", "nats"}) {
        const Service* service = serviceOf(findings, type);
        if (service && text(service->block->find("placement"), "node") == "dedicated") {
            Diagnostic& problem =
                reportIn(findings, service->block, "services", "placement", Severity::Error,
                         "Power telemetry needs the clock of the head node, so " + std::string(type) + " must not have a node of its own.");
            findings.note(problem, "telemetry.enabled", "Power telemetry is switched on here.");
            break;
        }
    }
    if (benchmark == "sa-bench" || isGiven(findings, "benchmark.concurrencies"))
        checkConcurrencies(findings);
}

} // namespace

void checkProfilingOfSecond(RuleFindings& findings)
{
    const std::string type = textAt(findings, "profiling.type");
    if (type.empty() || type == "none")
        return;
    if (type == "torch" && findings.job().backend.type == "trtllm") {
        Diagnostic& problem = findings.report("profiling.type", Severity::Error, "TensorRT-LLM has no PyTorch profile; use nsys.");
        findings.note(problem, "engine", "The engine is chosen here.");
        return;
    }
    if (type != "torch")
        checkNsys(findings);
    if (type == "nsys-time") {
        if (!isGiven(findings, "profiling.delay_secs") || !isGiven(findings, "profiling.duration_secs"))
            findings.report("profiling.type", Severity::Error, "A profile by time needs \"delay_secs\" and \"duration_secs\".");
        return;
    }
    checkPhases(findings);
    if (type != "nsys")
        return;
    checkSelected(findings);
    for (const std::string_view role : roles) {
        const ValuePtr args = findings.at("roles." + std::string(role) + ".args");
        if (!args || engineOf(findings, role) != "vllm")
            continue;
        for (const Member& member : args->members) {
            if (base::replacedAll(member.key, "_", "-").starts_with("profiler-config"))
                reportFlag(findings, role, member, Severity::Error, "\"" + member.key + "\" is worked out from the profile; delete it.");
        }
    }
}

void checkAutomaticProfiles(RuleFindings& findings)
{
    const std::string profiler = textAt(findings, "profiling.type");
    const bool isOn = isTrueAt(findings, "observability.enabled") && isTrueAt(findings, "observability.nsys.enabled") &&
                      (profiler.empty() || profiler == "none");
    const std::string injection = textAt(findings, "observability.nsys.nvtx_injection_path");
    if (isGiven(findings, "observability.nsys.nvtx_injection_path") && !injection.starts_with('/'))
        findings.report("observability.nsys.nvtx_injection_path", Severity::Error,
                        "\"observability.nsys.nvtx_injection_path\" must be an absolute path.");
    if (!isOn || textAt(findings, "observability.nsys.capture_window") != "measured_workload")
        return;
    constexpr std::array<std::string_view, 6> marking = {"sa-bench", "sglang-bench", "trace-replay", "mooncake-router", "custom", "manual"};
    const std::string benchmark = textAt(findings, "benchmark.type");
    if (std::find(marking.begin(), marking.end(), benchmark) == marking.end()) {
        Diagnostic& problem =
            findings.report("benchmark.type", Severity::Error,
                            "Observability profiles the measured part of the benchmark, which " + benchmark +
                                " does not mark; set \"observability.nsys.enabled: false\", or its capture_window to including_startup.");
        findings.note(problem, "observability.enabled", "Observability is switched on here.");
    }
    const ValuePtr args = findings.at("benchmark.aiperf_args");
    if (!args || !args->isMapping() || (benchmark != "trace-replay" && benchmark != "mooncake-router"))
        return;
    for (const Member& member : args->members) {
        if (member.key.find("warmup") == std::string::npos)
            continue;
        Diagnostic& problem = findings.report(
            "benchmark.aiperf_args." + member.key, Severity::Error,
            "A warm-up of AIPerf would be profiled as part of the measurement; delete it, or switch automatic profiles off.");
        findings.note(problem, "observability.enabled", "Observability is switched on here.");
    }
}

void checkTachometerOfSecond(RuleFindings& findings)
{
    const ValuePtr enabled = findings.at("observability.tachometer.enabled");
    if (enabled && enabled->kind == syntax::Kind::Bool && !enabled->boolean)
        return;
    const std::string tachometer = "observability.tachometer.";
    const bool hasTelemetry = isTrueAt(findings, "telemetry.enabled");
    if (hasTelemetry && isGiven(findings, tachometer + "dcgm_exporter") && isGiven(findings, "telemetry.dcgm_exporter")) {
        Diagnostic& problem = findings.report(tachometer + "dcgm_exporter", Severity::Error,
                                              "Tachometer shares the GPU exporter of power telemetry; delete this one.");
        findings.note(problem, "telemetry.dcgm_exporter", "The other exporter.");
    }
    if (hasTelemetry && textAt(findings, tachometer + "storage_subdir") == textAt(findings, "telemetry.storage_subdir")) {
        Diagnostic& problem =
            findings.report(tachometer + "storage_subdir", Severity::Error, "Tachometer and power telemetry need folders of their own.");
        findings.note(problem, "telemetry.storage_subdir", "The other folder.");
    }
    for (const std::string_view exporter : {"default_gpu_exporter", "dcgm_exporter", "node_exporter", "process_exporter"})
        checkExporter(findings, tachometer + std::string(exporter));
    checkFolder(findings, tachometer + "storage_subdir");
}

void checkTelemetryOfSecond(RuleFindings& findings)
{
    const bool hasGpuLeg = isGiven(findings, "telemetry.dcgm_exporter");
    const bool hasExporterLeg = isGiven(findings, "telemetry.cpu_power_exporter");
    const bool hasCpuLeg = hasExporterLeg || isTrueAt(findings, "telemetry.cpu_power.enabled");
    if (!isTrueAt(findings, "telemetry.enabled")) {
        const std::string source = textAt(findings, "telemetry.cpu_power.source");
        for (const auto& [key, isOn] : {std::pair("enabled", isTrueAt(findings, "telemetry.cpu_power.enabled")),
                                        std::pair("required", isTrueAt(findings, "telemetry.cpu_power.required")),
                                        std::pair("source", !source.empty() && source != "auto")}) {
            if (!isOn)
                continue;
            findings.report("telemetry.cpu_power." + std::string(key), Severity::Error,
                            "CPU power is asked for, but telemetry is off; set \"telemetry.enabled: true\".");
            return;
        }
        return;
    }
    if (!hasGpuLeg && !hasCpuLeg) {
        findings.report("telemetry.enabled", Severity::Error,
                        "Telemetry is on, but there is nothing to sample; add \"dcgm_exporter\", \"cpu_power_exporter\" or \"cpu_power\".");
        return;
    }
    if (hasGpuLeg)
        checkGpuPower(findings);
    checkFolder(findings, "telemetry.storage_subdir");
    constexpr std::string_view requestTimeout = "telemetry.request_timeout_seconds";
    const double request = numberAt(findings, requestTimeout, defaultAmount("v2", requestTimeout).value_or(0));
    const double least = 2 * (2 * request + 1);
    if (isGiven(findings, "telemetry.collector_join_timeout_seconds") &&
        numberAt(findings, "telemetry.collector_join_timeout_seconds", 0) <= least)
        findings.report("telemetry.collector_join_timeout_seconds", Severity::Error,
                        "The collector needs longer than two rounds to end: more than " + base::textOf(least) + " seconds.");
    if (!hasCpuLeg)
        return;
    if (isTrueAt(findings, "telemetry.cpu_power.enabled")) {
        checkFolder(findings, "telemetry.cpu_power.storage_subdir");
        for (const std::string_view other : {"telemetry.storage_subdir", "observability.tachometer.storage_subdir"}) {
            if (textAt(findings, "telemetry.cpu_power.storage_subdir") != textAt(findings, other))
                continue;
            Diagnostic& problem =
                findings.report("telemetry.cpu_power.storage_subdir", Severity::Error, "CPU power needs a folder of its own.");
            findings.note(problem, other, "The other folder.");
        }
    }
    const auto port = integerAt(findings, "telemetry.cpu_power_exporter.port");
    for (const std::string_view other :
         {"telemetry.dcgm_exporter.port", "observability.tachometer.dcgm_exporter.port", "observability.tachometer.node_exporter.port"}) {
        if (!port || integerAt(findings, other) != port)
            continue;
        Diagnostic& problem = findings.report("telemetry.cpu_power_exporter.port", Severity::Error,
                                              "The port " + std::to_string(*port) + " is that of another exporter.");
        findings.note(problem, other, "The other exporter.");
    }
}

void checkPerfMetrics(RuleFindings& findings)
{
    if (textAt(findings, "frontend.type") != "trtllm_serve" || isTruthy(findings.at("observability.enabled")))
        return;
    for (const std::string_view role : roles) {
        const std::string path = "roles." + std::string(role) + ".args.return_perf_metrics";
        const ValuePtr written = findings.at(path);
        const bool isOff = written && written->kind == syntax::Kind::Bool && !written->boolean;
        if (isOff && engineOf(findings, role) == "trtllm")
            findings.report(path, Severity::Warning,
                            "\"return_perf_metrics\" is false, so that the frontend \"trtllm_serve\" has no metrics to show.");
    }
}

} // namespace wb::recipe::second
