// Rules of schema 2 about the frontend.
#include "core/base/arithmetic.h"
#include "core/base/text.h"
#include "core/recipe/rulesv2.h"

#include <algorithm>

namespace wb::recipe::second {

using syntax::Diagnostic;
using syntax::Member;
using syntax::Severity;
using syntax::ValuePtr;

namespace {

struct Pairing {
    std::string_view frontend;
    std::string_view engine; ///< Of every role.
};
constexpr Pairing pairings[] = {{"sglang-router", "sglang"}, {"vllm-router", "vllm"}, {"atomesh", "atom"},
                                {"sglang", "sglang"},        {"vllm", "vllm"},        {"trtllm_serve", "trtllm"}};

std::string frontendOf(const RuleFindings& findings)
{
    return textAt(findings, "frontend.type");
}

std::string rolePath(std::string_view role, std::string_view key = {})
{
    return "roles." + std::string(role) + (key.empty() ? "" : "." + std::string(key));
}

/// The key that names the engine of the role.
std::string enginePath(const RuleFindings& findings, std::string_view role)
{
    return isGiven(findings, rolePath(role, "engine")) ? rolePath(role, "engine.type") : "engine.type";
}

/// The word "sglang" is a trap: schema 1 means the router by it.
void offerRouter(Diagnostic& problem, const RuleFindings& findings)
{
    const std::string frontend = frontendOf(findings);
    if (frontend != "sglang" && frontend != "vllm")
        return;
    if (frontend == "sglang")
        problem.message += " In schema 1 \"sglang\" means the router, which is called \"sglang-router\" here.";
    offer(problem, findings, "frontend.type", frontend + "-router");
}

} // namespace

void checkFrontendOfSecond(RuleFindings& findings)
{
    const std::string frontend = frontendOf(findings);
    const auto pairing =
        std::find_if(std::begin(pairings), std::end(pairings), [&](const Pairing& one) { return one.frontend == frontend; });
    for (const std::string_view role : roles) {
        if (workers(findings, role) <= 0)
            continue;
        const std::string engine = engineOf(findings, role);
        if (pairing != std::end(pairings) && engine != pairing->engine) {
            Diagnostic& problem =
                findings.report("frontend.type", Severity::Error,
                                "The frontend " + base::inQuotes(frontend) + " needs the engine " + std::string(pairing->engine) +
                                    ", but the " + std::string(role) + " workers run " + engine + ".");
            findings.note(problem, enginePath(findings, role), "The engine is chosen here.");
            return;
        }
        if (engine == "tilert" && frontend != "tilert-router") {
            Diagnostic& problem = findings.report("frontend.type", Severity::Error, "TileRT workers need the frontend \"tilert-router\".");
            findings.note(problem, enginePath(findings, role), "The engine is chosen here.");
            return;
        }
    }
}

void checkSingleServer(RuleFindings& findings)
{
    const std::string frontend = frontendOf(findings);
    const bool isServer = frontend == "sglang" || frontend == "vllm";
    if (!isServer && frontend != "trtllm_serve" && frontend != "tilert-router")
        return;
    if (isTrueAt(findings, "frontend.enable_multiple_frontends")) {
        Diagnostic& problem = findings.report("frontend.enable_multiple_frontends", Severity::Error,
                                              "The frontend " + base::inQuotes(frontend) +
                                                  " is a single one; set \"frontend.enable_multiple_frontends: false\".");
        findings.note(problem, "frontend.type", "The frontend is chosen here.");
        offer(problem, findings, "frontend.enable_multiple_frontends", "false");
    }
    if (frontend == "tilert-router")
        return;
    if (isServer && isDisaggregated(findings)) {
        Diagnostic& problem = findings.report("frontend.type", Severity::Error,
                                              "The frontend " + base::inQuotes(frontend) +
                                                  " is one server that does prefill and decode; use the role agg, or a router.");
        findings.note(problem, isDeclared(findings, "prefill") ? "roles.prefill" : "roles.decode", "This role stands apart.");
        offerRouter(problem, findings);
        return;
    }
    if (!isDisaggregated(findings) && workers(findings, "agg") != 1) {
        Diagnostic& problem = findings.report("roles.agg.workers", Severity::Error,
                                              "The frontend " + base::inQuotes(frontend) + " serves exactly one worker, and there are " +
                                                  std::to_string(workers(findings, "agg")) + ".");
        findings.note(problem, "frontend.type", "The frontend is chosen here.");
        offerRouter(problem, findings);
    }
    if (frontend == "sglang" && hasSidecar(findings))
        findings.report("frontend.type", Severity::Error, "A single SGLang server has no sidecars.");
}

void checkVllmRouter(RuleFindings& findings)
{
    if (frontendOf(findings) != "vllm-router")
        return;
    const std::int64_t perNode = findings.job().resources.gpusPerNode;
    std::optional<std::int64_t> factor;
    std::string_view first;
    for (const std::string_view role : roles) {
        if (workers(findings, role) <= 0)
            continue;
        const std::int64_t ranks = dataParallel(findings, role);
        const std::int64_t gpus = gpusOf(findings, role);
        const Member* size = flag(findings, role, "data-parallel-size");
        if (ranks > 1 && size) {
            std::optional<std::int64_t> taken = ranks;
            for (const std::string_view parallel : {"tensor-parallel-size", "pipeline-parallel-size", "prefill-context-parallel-size"})
                taken = taken ? base::exactProduct(*taken, flagNumber(findings, role, parallel).value_or(1)) : std::nullopt;
            if (taken && taken != gpus) { // sizes beyond all numbers are told by others
                Diagnostic& problem = reportFlag(findings, role, *size, Severity::Error,
                                                 "The parallel sizes of the " + std::string(role) + " workers make " +
                                                     std::to_string(*taken) + " GPUs, but a worker has " + std::to_string(gpus) + ".");
                findings.note(problem, rolePath(role, "gpus"), "GPUs of a worker.");
            }
            if (textAt(findings, "engine.dp_launch_mode") == "per_gpu") {
                Diagnostic& problem =
                    findings.report("engine.dp_launch_mode", Severity::Error, "Behind the vLLM router ranks are launched \"per_node\".");
                findings.note(problem, "frontend.type", "The router is chosen here.");
            }
        }
        const std::int64_t own = gpus > perNode ? 1 : std::max<std::int64_t>(1, ranks);
        if (factor && *factor != own) {
            Diagnostic& problem = findings.report(rolePath(role, "args"), Severity::Error,
                                                  "The vLLM router counts the same number of ranks in every worker, but " +
                                                      std::string(first) + " workers have " + std::to_string(*factor) +
                                                      " on their node and " + std::string(role) + " workers " + std::to_string(own) + ".");
            findings.note(problem, rolePath(first, "args"), "The other role.");
            return;
        }
        factor = own;
        first = role;
    }
    const ValuePtr given = findings.at("frontend.args.intra-node-data-parallel-size");
    if (given && factor && given->kind == syntax::Kind::Integer && given->integer != *factor)
        findings.report("frontend.args.intra-node-data-parallel-size", Severity::Error,
                        "\"intra-node-data-parallel-size\" is " + given->text + ", but the workers have " + std::to_string(*factor) +
                            (*factor == 1 ? " rank" : " ranks") + " on a node; delete it, as srtctl works it out.");
}

void checkTilertRouter(RuleFindings& findings)
{
    if (frontendOf(findings) != "tilert-router")
        return;
    const auto refuse = [&](std::string_view path, const std::string& message) {
        Diagnostic& problem = findings.report(path, Severity::Error, message);
        findings.note(problem, "frontend.type", "The router is chosen here.");
    };
    if (workers(findings, "agg") > 0)
        refuse("roles.agg", "The TileRT router has no aggregated workers.");
    if (workers(findings, "prefill") != 1)
        refuse("roles.prefill.workers", "The TileRT router has exactly one prefill worker.");
    if (workers(findings, "decode") < 1)
        refuse("roles.decode.workers", "The TileRT router needs a decode worker.");
    if (isDeclared(findings, "prefill") && engineOf(findings, "prefill") != "vllm")
        refuse(enginePath(findings, "prefill"), "The prefill worker of the TileRT router runs vllm.");
    if (isDeclared(findings, "decode") && engineOf(findings, "decode") != "tilert")
        refuse(enginePath(findings, "decode"), "The decode workers of the TileRT router run tilert.");
    if (isDeclared(findings, "decode") && gpusOf(findings, "decode") > findings.job().resources.gpusPerNode)
        refuse("roles.decode.gpus", "A TileRT decode worker fits on one node.");
    for (const std::string_view key : {"vllm-url", "decode", "host", "port"}) {
        const std::string path = "frontend.args." + std::string(key);
        if (isGiven(findings, path))
            refuse(path, "srtctl itself tells the router \"" + std::string(key) + "\"; delete it.");
    }
    if (textAt(findings, "profiling.type") == "torch")
        refuse("profiling.type", "Behind the TileRT router there is no PyTorch profile.");
}

void checkNoFrontend(RuleFindings& findings)
{
    if (frontendOf(findings) != "none")
        return;
    for (const std::string_view role : roles) {
        if (workers(findings, role) <= 0)
            continue;
        Diagnostic& problem = findings.report("frontend.type", Severity::Error,
                                              "Without a frontend a job has no workers; choose a frontend, or delete the roles.");
        findings.note(problem, rolePath(role, "workers"), "Workers are asked for here.");
        return;
    }
    if (textAt(findings, "frontend.placement.node") == "dedicated")
        findings.report("frontend.placement.node", Severity::Error, "There is no frontend that could have a node of its own.");
}

void checkDiscovery(RuleFindings& findings)
{
    if (!hasDiscoveryConnector(findings))
        return;
    const auto refuse = [&](std::string_view path, const std::string& message) {
        Diagnostic& problem = findings.report(path, Severity::Error, message);
        findings.note(problem, "engine.connector", "The connector is chosen here.");
    };
    if (frontendOf(findings) != "vllm-router") {
        refuse("frontend.type", "Workers that find each other by their connector need the frontend \"vllm-router\".");
        return;
    }
    if (workers(findings, "prefill") < 1 || workers(findings, "decode") < 1 || workers(findings, "agg") > 0)
        refuse("roles", "This connector needs prefill and decode workers, and no agg workers.");
    if (isTrueAt(findings, "frontend.enable_multiple_frontends"))
        refuse("frontend.enable_multiple_frontends",
               "With this connector there is a single frontend; set \"frontend.enable_multiple_frontends: false\".");
    if (const std::string node = textAt(findings, "frontend.placement.node"); !node.empty() && node != "head")
        refuse("frontend.placement.node", "With this connector the frontend runs on the head node.");
}

void checkWorkerSelection(RuleFindings& findings)
{
    if (!isGiven(findings, "frontend.worker_selection"))
        return;
    if (frontendOf(findings) != "dynamo") {
        Diagnostic& problem =
            findings.report("frontend.worker_selection", Severity::Error, "\"worker_selection\" is for the frontend \"dynamo\" only.");
        findings.note(problem, "frontend.type", "The frontend is chosen here.");
    }
    const ValuePtr args = findings.at("frontend.args");
    for (const Member& member : args && args->isMapping() ? args->members : std::vector<Member>()) {
        if (base::replacedAll(member.key, "_", "-") != "router-policy-config")
            continue;
        Diagnostic& problem = findings.report("frontend.args." + member.key, Severity::Error,
                                              "srtctl writes the policy file from \"worker_selection\"; keep one of the two.");
        findings.note(problem, "frontend.worker_selection", "The other one.");
    }
    for (const std::string_view path : {"frontend.env.DYN_ROUTER_POLICY_CONFIG", "environment.DYN_ROUTER_POLICY_CONFIG"}) {
        if (!isGiven(findings, path))
            continue;
        Diagnostic& problem =
            findings.report(path, Severity::Error, "srtctl writes the policy file from \"worker_selection\"; keep one of the two.");
        findings.note(problem, "frontend.worker_selection", "The other one.");
    }
}

} // namespace wb::recipe::second
