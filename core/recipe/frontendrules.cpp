#include "core/recipe/frontendrules.h"

#include "core/base/text.h"
#include "core/recipe/rulewords.h"

#include <algorithm>
#include <array>

namespace wb::recipe {

using syntax::Diagnostic;
using syntax::Severity;

namespace {

/// Frontends that talk to one engine only. "dynamo" serves them all.
struct Pairing {
    std::string_view frontend;
    std::string_view engine;
    bool isSingle;        ///< One process, never behind nginx.
    std::string_view why; ///< What upstream does about a wrong engine.
};

constexpr std::array<Pairing, 3> pairings = {{{"sglang", "sglang", false, "; srtctl loads such a recipe, and its router finds no worker"},
                                              {"trtllm_serve", "trtllm", true, ""},
                                              {"vllm", "vllm", true, ""}}};

const Pairing* pairing(const Job& job)
{
    const auto isIt = [&](const Pairing& p) { return p.frontend == job.frontend.type; };
    const auto found = std::find_if(pairings.begin(), pairings.end(), isIt);
    return found == pairings.end() ? nullptr : &*found;
}

bool isOnDecode(std::string_view placement)
{
    return placement == "first_decode" || placement == "last_decode";
}

} // namespace

void checkFrontendEngine(RuleFindings& findings)
{
    const Job& job = findings.job();
    const Pairing* pair = pairing(job);
    if (!pair || pair->engine == job.backend.type || job.backend.type == "mocker")
        return;
    Diagnostic& problem = findings.report("frontend.type", Severity::Error,
                                          "The frontend " + base::inQuotes(pair->frontend) + " serves " + std::string(pair->engine) +
                                              " workers only, not " + base::inQuotes(job.backend.type) + std::string(pair->why) + ".");
    findings.note(problem, "backend.type", "The engine of the workers.");
}

void checkSingleFrontend(RuleFindings& findings)
{
    const Job& job = findings.job();
    const Pairing* pair = pairing(job);
    if (!pair || !pair->isSingle || !job.frontend.multiple)
        return;
    constexpr std::string_view key = "frontend.enable_multiple_frontends";
    const bool isOwn = isWritten(findings, key);
    Diagnostic& problem = findings.report(isOwn ? key : "frontend.type", Severity::Error,
                                          "The frontend " + base::inQuotes(pair->frontend) +
                                              " is a single process; \"frontend.enable_multiple_frontends\" must be false" +
                                              (isOwn ? "." : ", and it is true when it is absent."));
    if (isOwn)
        findings.note(problem, "frontend.type", "The frontend.");
    const auto value = findings.at(key);
    if (isOwn && !value->range.isEmpty() && value->source == syntax::Source::Recipe)
        problem.fixes.push_back({"Change to \"false\"", {{value->range, "false"}}});
}

void checkVllmFrontendLayout(RuleFindings& findings)
{
    const Job& job = findings.job();
    if (job.frontend.type != "vllm" || !job.resources.isDisaggregated())
        return;
    Diagnostic& problem =
        findings.report("frontend.type", Severity::Error,
                        "The frontend \"vllm\" is the worker itself, so it cannot serve prefill and decode workers apart.");
    findings.note(problem, job.resources.prefillNodes ? "resources.prefill_nodes" : "resources.decode_nodes", "These split the workers.");
}

void checkServedWorkers(RuleFindings& findings)
{
    const Job& job = findings.job();
    const Pairing* pair = pairing(job);
    const std::int64_t workers = job.resources.aggWorkers.value_or(0);
    if (!pair || !pair->isSingle || job.resources.isDisaggregated() || workers == 1)
        return;
    Diagnostic& problem = findings.report("resources.agg_workers", Severity::Error,
                                          "The frontend " + base::inQuotes(pair->frontend) +
                                              " of an aggregated job serves exactly 1 worker, not " + std::to_string(workers) + ".");
    findings.note(problem, "frontend.type", "The frontend.");
}

void checkMockerFrontend(RuleFindings& findings)
{
    const Job& job = findings.job();
    if (job.backend.type != "mocker" || job.frontend.type == "dynamo")
        return;
    Diagnostic& problem =
        findings.report("frontend.type", Severity::Error,
                        "Mocker workers speak to the frontend \"dynamo\" only, not to " + base::inQuotes(job.frontend.type) +
                            "; srtctl loads such a recipe, and the job never gets ready.");
    findings.note(problem, "backend.type", "The engine of the workers.");
}

void checkPlacedOrchestrator(RuleFindings& findings)
{
    const Frontend& frontend = findings.job().frontend;
    if (!frontend.dedicatedNode || frontend.orchestratorPlacement == "head")
        return;
    Diagnostic& problem =
        findings.report("frontend.orchestrator_placement", Severity::Error,
                        "With \"frontend.orchestrator_placement\" on a decode node the dedicated node of the frontend would "
                        "stay unused; place it on \"head\" or dedicate no node.");
    findings.note(problem, "frontend.dedicated_node", "This reserves the node.");
}

void checkDedicatedFrontend(RuleFindings& findings)
{
    const Job& job = findings.job();
    const bool hasNginx = job.frontend.type == "dynamo" || job.frontend.type == "sglang";
    if (!job.frontend.dedicatedNode || !hasNginx || !hasSeveralFrontends(findings))
        return;
    Diagnostic& problem =
        findings.report("frontend.dedicated_node", Severity::Warning,
                        "Only nginx gets the dedicated node: with several frontends these stay on the nodes of the workers.");
    findings.note(problem, "frontend.enable_multiple_frontends", "This makes several frontends.");
}

void checkPlacedClient(RuleFindings& findings)
{
    const Benchmark& benchmark = findings.job().benchmark;
    if (!benchmark.clientDedicatedNode || benchmark.clientPlacement == "head")
        return;
    Diagnostic& problem =
        findings.report("benchmark.client_placement", Severity::Error,
                        "With \"benchmark.client_placement\" on a decode node the dedicated node of the client would stay "
                        "unused; place it on \"head\" or dedicate no node.");
    findings.note(problem, "benchmark.client_dedicated_node", "This reserves the node.");
}

void checkPlacementDecode(RuleFindings& findings)
{
    const Job& job = findings.job();
    const bool hasDecode = job.resources.isDisaggregated() && job.resources.decodeWorkers.value_or(0) > 0;
    if (hasDecode)
        return;
    for (const auto& [path, placement] : {std::pair("frontend.orchestrator_placement", job.frontend.orchestratorPlacement),
                                          std::pair("benchmark.client_placement", job.benchmark.clientPlacement)}) {
        if (!isOnDecode(placement))
            continue;
        Diagnostic& problem = findings.report(path, Severity::Error,
                                              "\"" + std::string(path) + "\" is " + base::inQuotes(placement) +
                                                  ", but the job has no decode worker; it fails once it has its nodes.");
        findings.note(problem, job.resources.isDisaggregated() ? "resources.decode_workers" : "resources.agg_workers", "The workers.");
    }
}

void checkSeveralPlaced(RuleFindings& findings)
{
    const Job& job = findings.job();
    const bool packsTogether = isTrue(findings, "backend.allow_prefill_decode_colocation"); // then the nodes are fewer
    if (!isOnDecode(job.frontend.orchestratorPlacement) || job.frontend.dedicatedNode || packsTogether || !hasSeveralFrontends(findings))
        return;
    Diagnostic& problem =
        findings.report("frontend.orchestrator_placement", Severity::Error,
                        "With several frontends srtctl leaves nginx on the head node and still looks for it on the decode "
                        "node, so the job never gets ready; set \"enable_multiple_frontends: false\" or place it on \"head\".");
    findings.note(problem, "frontend.enable_multiple_frontends", "This makes several frontends.");
}

void checkRemoteClient(RuleFindings& findings)
{
    const Job& job = findings.job();
    const Benchmark& benchmark = job.benchmark;
    if (benchmark.type == "custom" || benchmark.type == "manual")
        return;
    const bool isTogether = benchmark.clientPlacement == job.frontend.orchestratorPlacement && !benchmark.clientDedicatedNode;
    const bool shareNode = benchmark.clientDedicatedNode && job.frontend.dedicatedNode && benchmark.colocateWithFrontend;
    if (isTogether || shareNode)
        return;
    const bool isDedicated = benchmark.clientDedicatedNode;
    const bool isClient = isDedicated || benchmark.clientPlacement != "head";
    const std::string_view path = isDedicated ? "benchmark.client_dedicated_node"
                                  : isClient  ? "benchmark.client_placement"
                                              : "frontend.orchestrator_placement";
    Diagnostic& problem =
        findings.report(path, Severity::Warning,
                        "The benchmark " + base::inQuotes(benchmark.type) +
                            " calls localhost:8000, and with this placement the frontend is on another node than the client.");
    findings.note(problem, "benchmark.type", "Only \"custom\" commands can use another address.");
}

} // namespace wb::recipe
