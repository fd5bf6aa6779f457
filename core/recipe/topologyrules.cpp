#include "core/recipe/topologyrules.h"

#include "core/base/text.h"
#include "core/recipe/rulewords.h"

#include <array>

namespace wb::recipe {

using syntax::Diagnostic;
using syntax::Severity;

namespace {

/// What to do where it is the cluster file that asks for heterogeneous jobs.
std::string wayOut(const RuleFindings& findings)
{
    const auto value = findings.at("resources.het_jobs");
    const bool isClusters = value && value->source == syntax::Source::Cluster;
    return isClusters ? "; the cluster file asks for them (use_het_jobs), and \"het_jobs: false\" below \"resources\" says otherwise."
                      : ".";
}

} // namespace

void checkTopology(RuleFindings& findings)
{
    const Resources& resources = findings.job().resources;
    const bool hasNone = !resources.prefillNodes && !resources.decodeNodes && !resources.aggNodes && !resources.prefillWorkers &&
                         !resources.decodeWorkers && !resources.aggWorkers;
    if (hasNone)
        findings.report("resources.agg_nodes", Severity::Error,
                        "\"resources\" says neither how many nodes nor how many workers; set agg_nodes and agg_workers, or the prefill and "
                        "decode ones.");
}

void checkMixedTopology(RuleFindings& findings)
{
    constexpr std::array<std::string_view, 2> aggregated = {"resources.agg_nodes", "resources.agg_workers"};
    constexpr std::array<std::string_view, 4> apart = {"resources.prefill_nodes", "resources.decode_nodes", "resources.prefill_workers",
                                                       "resources.decode_workers"};
    for (const std::string_view agg : aggregated) {
        if (!isGiven(findings, agg))
            continue;
        for (const std::string_view other : apart) {
            if (!isGiven(findings, other))
                continue;
            Diagnostic& problem =
                findings.report(agg, Severity::Error,
                                "Workers are either aggregated or split into prefill and decode: \"" + std::string(agg) + "\" and \"" +
                                    std::string(other) + "\" do not go together; srtctl's preflight refuses the job.");
            findings.note(problem, other, "The other kind of workers.");
            return;
        }
    }
}

void checkAggregatedNodes(RuleFindings& findings)
{
    const Resources& resources = findings.job().resources;
    if (resources.isDisaggregated() || resources.aggWorkers.value_or(0) < 1 || resources.aggNodes.value_or(0) != 0)
        return;
    Diagnostic& problem =
        findings.report("resources.agg_nodes", Severity::Warning,
                        "The job takes 1 node, as \"resources.agg_nodes\" does not say how many; srtctl's preflight refuses "
                        "it for that.");
    findings.note(problem, "resources.agg_workers", "The workers.");
}

void checkHetLayout(RuleFindings& findings)
{
    const Job& job = findings.job();
    if (!job.resources.hetJobs || job.resources.isDisaggregated())
        return;
    Diagnostic& problem =
        findings.report("resources.het_jobs", Severity::Error,
                        "A heterogeneous job has a prefill and a decode half, but this job is aggregated" + wayOut(findings));
    findings.note(problem, "resources.agg_nodes", "The nodes of the aggregated workers.");
}

void checkHetNodes(RuleFindings& findings)
{
    const Resources& resources = findings.job().resources;
    if (!resources.hetJobs || !resources.isDisaggregated())
        return;
    for (const auto& [path, nodes] :
         {std::pair("resources.prefill_nodes", resources.prefillNodes), std::pair("resources.decode_nodes", resources.decodeNodes)}) {
        if (nodes.value_or(0) >= 1)
            continue;
        Diagnostic& problem = findings.report(path, Severity::Error,
                                              "A heterogeneous job needs nodes in both halves: \"" + std::string(path) +
                                                  "\" must be at least 1" + wayOut(findings));
        findings.note(problem, "resources.het_jobs", "This divides the job in two.");
    }
}

void checkHetEngine(RuleFindings& findings)
{
    const Job& job = findings.job();
    if (!job.resources.hetJobs || job.backend.type == "sglang")
        return;
    Diagnostic& problem = findings.report("resources.het_jobs", Severity::Error,
                                          "Heterogeneous jobs run sglang only, not " + base::inQuotes(job.backend.type) + wayOut(findings));
    findings.note(problem, "backend.type", "The engine of this job.");
}

void checkHetDedicated(RuleFindings& findings)
{
    const Job& job = findings.job();
    if (!job.resources.hetJobs)
        return;
    for (const auto& [path, isDedicated] : {std::pair("frontend.dedicated_node", job.frontend.dedicatedNode),
                                            std::pair("benchmark.client_dedicated_node", job.benchmark.clientDedicatedNode)}) {
        if (!isDedicated)
            continue;
        Diagnostic& problem =
            findings.report("resources.het_jobs", Severity::Error,
                            "A heterogeneous job has no node to dedicate: \"" + std::string(path) + "\" must be false" + wayOut(findings));
        findings.note(problem, path, "This asks for a node of its own.");
    }
}

void checkSpread(RuleFindings& findings)
{
    const Resources& resources = findings.job().resources;
    if (!resources.spreadWorkers || !resources.hetJobs)
        return;
    Diagnostic& problem = findings.report("resources.spread_workers", Severity::Warning,
                                          "\"resources.spread_workers\" has no effect in a heterogeneous job.");
    findings.note(problem, "resources.het_jobs", "This makes the job heterogeneous.");
}

void checkVllmColocation(RuleFindings& findings)
{
    constexpr std::string_view across = "backend.allow_prefill_decode_colocation_across_nodes";
    if (findings.job().backend.type != "vllm" || !isTrue(findings, across) || isTrue(findings, "backend.allow_prefill_decode_colocation"))
        return;
    Diagnostic& problem = findings.report(
        across, Severity::Warning, "\"" + std::string(across) + "\" has no effect without \"allow_prefill_decode_colocation: true\".");
    findings.note(problem, "backend.allow_prefill_decode_colocation", "It is switched off here.");
}

} // namespace wb::recipe
