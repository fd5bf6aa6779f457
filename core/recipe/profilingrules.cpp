#include "core/recipe/profilingrules.h"

#include "core/base/text.h"
#include "core/recipe/rulewords.h"

#include <algorithm>
#include <array>

namespace wb::recipe {

using syntax::Diagnostic;
using syntax::Severity;
using syntax::ValuePtr;

namespace {

/// "" when profiling is off.
std::string profilingType(const RuleFindings& findings)
{
    const std::string type = textAt(findings, "profiling.type");
    return type == "none" ? std::string() : type;
}

/// Captures from one step to another; "nsys-time" counts seconds.
bool isBySteps(std::string_view type)
{
    return type == "nsys" || type == "torch";
}

std::string phasePath(const ModeKeys& mode)
{
    return "profiling." + std::string(mode.key);
}

bool isOfLayout(const Job& job, const ModeKeys& mode)
{
    return (mode.mode == Mode::Agg) != job.resources.isDisaggregated();
}

/// Given as the recipe has it: the reader leaves null where there is none.
bool hasPhase(const RuleFindings& findings, const ModeKeys& mode)
{
    return isGiven(findings, phasePath(mode));
}

} // namespace

void checkTorchProfiling(RuleFindings& findings)
{
    if (profilingType(findings) != "torch" || findings.job().backend.type != "trtllm")
        return;
    Diagnostic& problem =
        findings.report("profiling.type", Severity::Error, "TensorRT-LLM workers cannot be profiled with \"torch\"; use \"nsys\".");
    findings.note(problem, "backend.type", "The engine of the workers.");
    const ValuePtr type = findings.at("profiling.type");
    if (!type->range.isEmpty())
        problem.fixes.push_back({"Change to \"nsys\"", {{type->range, "nsys"}}});
}

void checkTimedProfiling(RuleFindings& findings)
{
    if (profilingType(findings) != "nsys-time")
        return;
    for (const std::string_view key : {"delay_secs", "duration_secs"}) {
        const std::string path = "profiling." + std::string(key);
        if (isGiven(findings, path))
            continue;
        Diagnostic& problem = findings.report("profiling.type", Severity::Error, "\"nsys-time\" needs \"" + path + "\".");
        findings.note(problem, key == "delay_secs" ? "profiling.duration_secs" : "profiling.delay_secs", "The other one is here.");
    }
}

void checkProfilingPhases(RuleFindings& findings)
{
    const std::string type = profilingType(findings);
    if (!isBySteps(type))
        return;
    const Job& job = findings.job();
    const bool isSplit = job.resources.isDisaggregated();
    const std::string_view layout = isSplit ? (job.resources.prefillNodes ? "resources.prefill_nodes" : "resources.decode_nodes")
                                    : job.resources.aggNodes ? "resources.agg_nodes"
                                                             : "resources.agg_workers";
    for (const ModeKeys& mode : modeKeys) {
        const bool isOwn = isOfLayout(job, mode);
        if (isOwn == hasPhase(findings, mode))
            continue;
        const std::string path = phasePath(mode);
        Diagnostic& problem = isOwn
                                  ? findings.report("profiling.type", Severity::Error,
                                                    "Profiling " + std::string(isSplit ? "prefill and decode" : "aggregated") +
                                                        " workers needs \"" + path + "\" with its steps.")
                                  : findings.report(path, Severity::Error,
                                                    "\"" + path + "\" is given, but the job has no " + std::string(mode.key) + " workers.");
        findings.note(problem, layout, isSplit ? "This makes prefill and decode workers." : "The workers are aggregated.");
    }
}

void checkProfilingWorkers(RuleFindings& findings)
{
    if (!isBySteps(profilingType(findings)))
        return;
    const Job& job = findings.job();
    const auto count = [&](Mode mode) {
        return (mode == Mode::Prefill  ? job.resources.prefillWorkers
                : mode == Mode::Decode ? job.resources.decodeWorkers
                                       : job.resources.aggWorkers)
            .value_or(0);
    };
    for (const ModeKeys& mode : modeKeys) {
        if (!isOfLayout(job, mode) || count(mode.mode) > 0)
            continue;
        const std::string path = "resources." + std::string(mode.count) + "_workers";
        Diagnostic& problem = findings.report(path, Severity::Error, "Profiling needs workers: \"" + path + "\" must be at least 1.");
        findings.note(problem, "profiling.type", "Profiling is switched on here.");
    }
}

void checkProfilerFlag(RuleFindings& findings)
{
    const Job& job = findings.job();
    if (profilingType(findings) != "nsys" || job.backend.type != "vllm")
        return;
    for (const ModeKeys& mode : modeKeys) {
        const ValuePtr& flags = job.backend.of(mode.mode).flags;
        if (!flags)
            continue;
        for (const syntax::Member& member : flags->members) {
            if (!base::replacedAll(member.key, "_", "-").starts_with("profiler-config"))
                continue;
            Diagnostic& problem = findings.reportKey(flagsPath(job, mode), member, Severity::Error,
                                                     "srtctl makes " + base::inQuotes(member.key) + " from \"profiling\"; delete it here.");
            findings.note(problem, "profiling.type", "Profiling is switched on here.");
        }
    }
}

void checkEmptyPhases(RuleFindings& findings)
{
    if (!isBySteps(profilingType(findings)))
        return;
    for (const ModeKeys& mode : modeKeys) {
        const std::string path = phasePath(mode);
        if (!isOfLayout(findings.job(), mode) || !hasPhase(findings, mode))
            continue;
        for (const std::string_view key : {".start_step", ".stop_step"}) {
            if (isGiven(findings, path + std::string(key)))
                continue;
            Diagnostic& problem = findings.report(path, Severity::Warning,
                                                  "\"" + path + "\" has no" + (key == ".start_step" ? " start_step" : " stop_step") +
                                                      ", so nothing is captured at the steps that were meant.");
            findings.note(problem, "profiling.type", "The kind of profiling.");
            break;
        }
    }
}

void checkProfilingSteps(RuleFindings& findings)
{
    if (!isBySteps(profilingType(findings)))
        return;
    for (const ModeKeys& mode : modeKeys) {
        const auto start = numberAt(findings, phasePath(mode) + ".start_step");
        const auto stop = numberAt(findings, phasePath(mode) + ".stop_step");
        if (!start || !stop || *stop > *start)
            continue;
        Diagnostic& problem = findings.report(phasePath(mode) + ".stop_step", Severity::Error,
                                              "The capture would stop at step " + base::textOf(*stop) + ", before it starts at step " +
                                                  base::textOf(*start) + ".");
        findings.note(problem, phasePath(mode) + ".start_step", "It starts here.");
    }
}

void checkProfilingTrigger(RuleFindings& findings)
{
    const std::string type = profilingType(findings);
    if (!isBySteps(type))
        return;
    const Job& job = findings.job();
    constexpr std::array<std::string_view, 3> triggering = {"sa-bench", "sglang-bench", "trace-replay"};
    const bool canTrigger = std::find(triggering.begin(), triggering.end(), job.benchmark.type) != triggering.end();
    const bool isDirect = job.frontend.type == "vllm" || job.frontend.type == "trtllm_serve";
    const bool isTrace = job.benchmark.type == "trace-replay";
    if (canTrigger && isDirect && (!isTrace || job.frontend.type == "vllm")) {
        Diagnostic& problem =
            findings.report("profiling.type", Severity::Error,
                            "The benchmark " + base::inQuotes(job.benchmark.type) + " cannot start a capture through the frontend " +
                                base::inQuotes(job.frontend.type) + " and ends with an error before its first request.");
        findings.note(problem, "frontend.type", "The frontend.");
        findings.note(problem, "benchmark.type", "The benchmark.");
    } else if (!canTrigger && (type == "torch" || job.backend.type == "sglang")) {
        Diagnostic& problem = findings.report("profiling.type", Severity::Warning,
                                              "Nothing is captured: the benchmark " + base::inQuotes(job.benchmark.type) +
                                                  " never starts a capture; sa-bench, sglang-bench and trace-replay do.");
        findings.note(problem, "benchmark.type", "The benchmark.");
    }
}

} // namespace wb::recipe
