#include "core/recipe/rulesv2.h"

#include "core/base/arithmetic.h"
#include "core/base/text.h"
#include "core/schema/pack.h"
#include "core/syntax/yaml.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace wb::recipe {

using syntax::Diagnostic;
using syntax::Kind;
using syntax::Member;
using syntax::Severity;
using syntax::ValuePtr;

namespace second {

std::string text(const ValuePtr& block, std::string_view key)
{
    const ValuePtr value = block ? block->find(key) : nullptr;
    return value && value->isString() ? value->text : std::string();
}

std::string textAt(const RuleFindings& findings, std::string_view path)
{
    const ValuePtr value = findings.at(path);
    return value && value->isString() ? value->text : std::string();
}

bool isTrueAt(const RuleFindings& findings, std::string_view path)
{
    const ValuePtr value = findings.at(path);
    return value && value->kind == Kind::Bool && value->boolean;
}

bool isGiven(const RuleFindings& findings, std::string_view path)
{
    const ValuePtr value = findings.at(path);
    return value && !value->isNull();
}

std::optional<std::int64_t> integerAt(const RuleFindings& findings, std::string_view path)
{
    const ValuePtr value = findings.at(path);
    return value && value->kind == Kind::Integer ? std::optional(value->integer) : std::nullopt;
}

namespace {

std::string pathOf(std::string_view role, std::string_view key)
{
    return "roles." + std::string(role) + "." + std::string(key);
}

} // namespace

bool isDeclared(const RuleFindings& findings, std::string_view role)
{
    return isGiven(findings, "roles." + std::string(role));
}

std::int64_t workers(const RuleFindings& findings, std::string_view role)
{
    return integerAt(findings, pathOf(role, "workers")).value_or(0);
}

bool isDisaggregated(const RuleFindings& findings)
{
    return isDeclared(findings, "prefill") || isDeclared(findings, "decode");
}

std::string engineOf(const RuleFindings& findings, std::string_view role)
{
    if (std::string own = textAt(findings, pathOf(role, "engine.type")); !own.empty())
        return own;
    const std::string shared = textAt(findings, "engine.type");
    return shared.empty() ? "sglang" : shared;
}

bool hasRoleEngines(const RuleFindings& findings)
{
    return std::any_of(roles.begin(), roles.end(), [&](std::string_view role) { return isGiven(findings, pathOf(role, "engine")); });
}

bool isColocated(const RuleFindings& findings)
{
    return textAt(findings, "roles.decode.nodes") == "colocate";
}

std::int64_t gpusOf(const RuleFindings& findings, std::string_view role)
{
    if (const auto written = integerAt(findings, pathOf(role, "gpus")))
        return *written;
    const std::int64_t perNode = findings.job().resources.gpusPerNode;
    const std::int64_t nodes = integerAt(findings, pathOf(role, "nodes")).value_or(0);
    const std::int64_t count = workers(findings, role);
    if (nodes > 0 && count > 0)
        return base::product(nodes, perNode) / count;
    return role == "decode" && isColocated(findings) ? gpusOf(findings, "prefill") : perNode;
}

const Member* flag(const RuleFindings& findings, std::string_view role, std::string_view dashed)
{
    const ValuePtr args = findings.at(pathOf(role, "args"));
    if (!args)
        return nullptr;
    for (const Member& member : args->members) {
        if (base::replacedAll(member.key, "_", "-") == dashed && !member.value->isNull())
            return &member;
    }
    return nullptr;
}

std::optional<std::int64_t> flagNumber(const RuleFindings& findings, std::string_view role, std::string_view dashed)
{
    const Member* found = flag(findings, role, dashed);
    if (!found)
        return std::nullopt;
    if (found->value->kind == Kind::Integer)
        return found->value->integer;
    return found->value->isString() ? base::integerOf(found->value->text) : std::nullopt;
}

std::int64_t dataParallel(const RuleFindings& findings, std::string_view role)
{
    return flagNumber(findings, role, "data-parallel-size").value_or(1);
}

bool hasSidecar(const RuleFindings& findings)
{
    return isTrueAt(findings, "dynamo.sidecar") ||
           std::any_of(roles.begin(), roles.end(), [&](std::string_view role) { return isTrueAt(findings, pathOf(role, "sidecar")); });
}

const Service* serviceOf(const RuleFindings& findings, std::string_view type)
{
    const auto& services = findings.job().services;
    const auto found = std::find_if(services.begin(), services.end(), [&](const Service& s) { return s.isEnabled && s.type == type; });
    return found == services.end() ? nullptr : &*found;
}

bool hasDiscoveryConnector(const RuleFindings& findings)
{
    const auto isDiscovery = [](std::string_view word) { return word == "moriio"; };
    if (isDiscovery(textAt(findings, "engine.connector")))
        return true;
    return std::any_of(roles.begin(), roles.end(), [&](std::string_view role) {
        const Member* own = flag(findings, role, "connector");
        return isDiscovery(textAt(findings, pathOf(role, "engine.connector"))) ||
               (own && own->value->isString() && isDiscovery(own->value->text));
    });
}

bool isSafeSubfolder(std::string_view path)
{
    if (path.empty() || path == "." || path.front() == '/' || path.front() == '~')
        return false;
    const auto parts = base::splitAt(path, '/');
    return std::find(parts.begin(), parts.end(), "..") == parts.end();
}

void offer(Diagnostic& problem, const RuleFindings& findings, std::string_view path, std::string_view text)
{
    const ValuePtr value = findings.at(path);
    if (!value || value->range.isEmpty() || !value->definition.isEmpty() || value->source != syntax::Source::Recipe || value->isUnwritten())
        return;
    problem.fixes.push_back({"Change to \"" + std::string(text) + "\"", {{value->range, std::string(text)}}});
}

Diagnostic& reportIn(RuleFindings& findings, const ValuePtr& block, const std::string& path, std::string_view key, Severity severity,
                     std::string message)
{
    Diagnostic& problem = findings.report(path, severity, std::move(message));
    const Member* member = block ? block->member(key) : nullptr;
    if (!member || member->keyRange.isEmpty())
        member = block ? block->member("name") : nullptr;
    problem.path = path + (key.empty() ? "" : "." + std::string(key));
    if (!member)
        return problem;
    const bool isScalar = member->value->isScalar() && !member->value->range.isEmpty();
    problem.range = isScalar ? member->value->range : member->keyRange;
    problem.source = member->value->source;
    return problem;
}

Diagnostic& reportFlag(RuleFindings& findings, std::string_view role, const Member& flag, Severity severity, std::string message)
{
    Diagnostic& problem = findings.report(pathOf(role, "args"), severity, std::move(message));
    problem.path = pathOf(role, "args." + flag.key);
    problem.range = flag.value->isScalar() && !flag.value->range.isEmpty() ? flag.value->range : flag.keyRange;
    problem.source = flag.value->source;
    return problem;
}

namespace {

// --- roles -----------------------------------------------------------------------------------------------------------------------------

void checkRoleCounts(RuleFindings& findings)
{
    for (const std::string_view role : roles) {
        const Member* member = findings.at("roles") ? findings.at("roles")->member(role) : nullptr;
        if (member && member->value->isNull() && !member->keyRange.isEmpty())
            findings.report("roles." + std::string(role), Severity::Error,
                            "\"roles." + std::string(role) + "\" has no value; give it nodes and workers, or delete it.");
    }
    const ValuePtr nodes = findings.at("roles.decode.nodes");
    if (!nodes || nodes->isNull())
        return;
    if (nodes->isString() && nodes->text != "colocate") {
        findings.report("roles.decode.nodes", Severity::Error,
                        "\"roles.decode.nodes\" is " + syntax::shown(*nodes) +
                            "; it must be a whole number of at least 1, or \"colocate\".");
    } else if (nodes->kind == Kind::Integer && nodes->integer < 1) {
        Diagnostic& problem = findings.report(
            "roles.decode.nodes", Severity::Error,
            nodes->integer == 0 ? "\"roles.decode.nodes\" is 0; decode workers that share the prefill nodes say \"colocate\"."
                                : "\"roles.decode.nodes\" is " + nodes->text + "; it must be at least 1, or \"colocate\".");
        if (nodes->integer == 0 && !nodes->range.isEmpty())
            problem.fixes.push_back({"Change to \"colocate\"", {{nodes->range, "colocate"}}});
    }
}

void checkColocation(RuleFindings& findings)
{
    if (!isColocated(findings))
        return;
    for (const std::string_view role : {"prefill", "decode"}) {
        if (!isGiven(findings, pathOf(role, "gpus"))) {
            Diagnostic& problem = findings.report(pathOf(role, "gpus"), Severity::Error,
                                                  "Prefill and decode share nodes, so \"" + pathOf(role, "gpus") +
                                                      "\" must say how many GPUs a worker takes.");
            findings.note(problem, "roles.decode.nodes", "The decode workers are put on the prefill nodes here.");
            return;
        }
    }
    const std::int64_t nodes = integerAt(findings, "roles.prefill.nodes").value_or(0);
    if (nodes < 1 || workers(findings, "prefill") < 1) {
        Diagnostic& problem = findings.report(nodes < 1 ? "roles.prefill.nodes" : "roles.prefill.workers", Severity::Error,
                                              std::string("Decode workers share the prefill nodes, but there is no prefill ") +
                                                  (nodes < 1 ? "node." : "worker."));
        findings.note(problem, "roles.decode.nodes", "The decode workers are put on the prefill nodes here.");
        return;
    }
    const auto room = base::exactProduct(nodes, findings.job().resources.gpusPerNode);
    const auto ofPrefill = base::exactProduct(workers(findings, "prefill"), gpusOf(findings, "prefill"));
    const auto ofDecode = base::exactProduct(workers(findings, "decode"), gpusOf(findings, "decode"));
    const auto demand = ofPrefill && ofDecode ? base::exactSum(*ofPrefill, *ofDecode) : std::nullopt;
    if (room && demand && *demand > *room) {
        Diagnostic& problem = findings.report("roles.decode.gpus", Severity::Error,
                                              "Prefill and decode workers need " + std::to_string(*demand) +
                                                  " GPUs, but the nodes that they share have " + std::to_string(*room) + ".");
        findings.note(problem, "roles.prefill.nodes", "The nodes that they share.");
    }
}

void checkAnyRole(RuleFindings& findings)
{
    if (textAt(findings, "frontend.type") == "none")
        return;
    for (const std::string_view role : roles) {
        if (workers(findings, role) > 0)
            return;
    }
    const bool isWritten = std::any_of(roles.begin(), roles.end(), [&](std::string_view role) { return isDeclared(findings, role); });
    findings.report(
        isWritten ? "roles" : "frontend.type", Severity::Error,
        "No worker is asked for; give a role \"nodes\" and \"workers\", or say frontend type \"none\" for a job of services alone.");
}

void checkMixedRoles(RuleFindings& findings)
{
    if (!isDisaggregated(findings) || workers(findings, "agg") == 0)
        return;
    Diagnostic& problem =
        findings.report("roles.agg", Severity::Error,
                        "A job has prefill and decode workers or agg workers, not both: srtctl reserves no node for the agg workers.");
    findings.note(problem, isDeclared(findings, "prefill") ? "roles.prefill" : "roles.decode", "The other workers.");
}

void checkRoleKeys(RuleFindings& findings)
{
    for (const std::string_view role : roles) {
        if (!isDeclared(findings, role))
            continue;
        const std::string engine = engineOf(findings, role);
        if (isGiven(findings, pathOf(role, "extra_args")) && engine != "trtllm")
            findings.report(pathOf(role, "extra_args"), Severity::Error,
                            "\"extra_args\" is for TensorRT-LLM only, and these workers run " + engine + "; use \"args\".");
        if (isGiven(findings, pathOf(role, "kv_events")) && engine != "sglang" && engine != "vllm")
            findings.report(pathOf(role, "kv_events"), Severity::Error,
                            "\"kv_events\" is for SGLang and vLLM only, and these workers run " + engine + "; delete it.");
        if (const std::string container = textAt(findings, pathOf(role, "container"));
            isGiven(findings, pathOf(role, "container")) && base::trimmed(container).empty())
            findings.report(pathOf(role, "container"), Severity::Error,
                            "The container of this role is blank; name an image, or delete the key.");
        const ValuePtr restart = findings.at(pathOf(role, "restart"));
        const bool isKnown =
            !restart || !restart->isString() || restart->text == "never" || restart->text == "on-failure" || restart->text == "always";
        if (!isKnown)
            findings.report(pathOf(role, "restart"), Severity::Error,
                            "\"" + pathOf(role, "restart") + "\" is " + syntax::shown(*restart) +
                                R"(; it must be "never", "on-failure" or "always".)");
    }
}

void checkRoleEngines(RuleFindings& findings)
{
    if (!hasRoleEngines(findings))
        return;
    if (isGiven(findings, "engine")) {
        findings.report("engine", Severity::Error, "An engine stands at the top level and in a role; keep one of the two.");
        return;
    }
    std::string_view first;
    for (const std::string_view role : roles) {
        if (!isDeclared(findings, role))
            continue;
        if (isGiven(findings, pathOf(role, "engine"))) {
            first = first.empty() ? role : first;
        } else {
            findings.report(
                "roles." + std::string(role), Severity::Error,
                "This role names no engine, but another one does; give each role its engine, or one engine to all at the top level.");
            return;
        }
    }
    const std::string place = pathOf(first, "engine");
    const auto refuse = [&](std::string_view path, const std::string& what) {
        Diagnostic& problem = findings.report(path, Severity::Error, "Engines in the roles do not go with " + what + ".");
        findings.note(problem, place, "A role names its engine here.");
    };
    if (textAt(findings, "frontend.type") == "dynamo")
        refuse("frontend.type", "the frontend \"dynamo\"");
    if (hasSidecar(findings))
        refuse("dynamo.sidecar", "sidecars");
    if (isTrueAt(findings, "resources.het_jobs"))
        refuse("resources.het_jobs", "a heterogeneous job");
    if (const std::string profiler = textAt(findings, "profiling.type"); !profiler.empty() && profiler != "none")
        refuse("profiling.type", "profiling");
    if (isTrueAt(findings, "observability.enabled") && isTrueAt(findings, "observability.nsys.enabled"))
        refuse("observability.enabled", "automatic profiles");
    if (hasDiscoveryConnector(findings))
        refuse(place, "a connector by which the workers find each other");
    if (serviceOf(findings, "mooncake-master"))
        refuse("services", "a Mooncake store");
    for (const std::string_view role : roles) {
        if (!isDeclared(findings, role))
            continue;
        if (isGiven(findings, pathOf(role, "engine.failover")))
            refuse(pathOf(role, "engine.failover"), "failover");
        if (const Member* grpc = flag(findings, role, "grpc-mode"); grpc && engineOf(findings, role) == "sglang")
            refuse(pathOf(role, "args"), "the gRPC mode of SGLang");
        const std::int64_t gpus = gpusOf(findings, role);
        const std::int64_t perNode = findings.job().resources.gpusPerNode;
        if (gpus > perNode && gpus % perNode != 0)
            refuse(pathOf(role, "gpus"), "workers over several nodes that do not fill them");
        else if (gpus > perNode && engineOf(findings, role) == "trtllm")
            refuse(pathOf(role, "gpus"), "TensorRT-LLM workers over several nodes");
    }
}

void checkSidecars(RuleFindings& findings)
{
    std::optional<bool> said;
    std::string where;
    for (const std::string_view role : roles) {
        const ValuePtr own = findings.at(pathOf(role, "sidecar"));
        if (!own || own->kind != Kind::Bool)
            continue;
        if (said && *said != own->boolean) {
            Diagnostic& problem = findings.report(pathOf(role, "sidecar"), Severity::Error,
                                                  "Sidecars are for all roles or for none, and the roles disagree.");
            findings.note(problem, where, "The other role.");
            return;
        }
        said = own->boolean;
        where = pathOf(role, "sidecar");
    }
    if (said && !*said && isTrueAt(findings, "dynamo.sidecar")) {
        Diagnostic& problem =
            findings.report(where, Severity::Error, "The role switches sidecars off, but \"dynamo.sidecar\" switches them on.");
        findings.note(problem, "dynamo.sidecar", "They are switched on here.");
        return;
    }
    if (!hasSidecar(findings))
        return;
    const std::string place = said ? where : "dynamo.sidecar";
    if (textAt(findings, "frontend.type") != "dynamo") {
        Diagnostic& problem = findings.report(place, Severity::Error, "Sidecars need the frontend \"dynamo\".");
        findings.note(problem, "frontend.type", "The frontend is chosen here.");
    }
    const std::string engine = findings.job().backend.type;
    if (engine != "sglang" && engine != "vllm" && engine != "trtllm")
        findings.report(place, Severity::Error, "Sidecars are for sglang, vllm and trtllm, not for " + engine + ".");
    if (textAt(findings, "engine.dp_launch_mode") == "per_gpu" && engine == "vllm") {
        Diagnostic& problem = findings.report("engine.dp_launch_mode", Severity::Error, "With sidecars vLLM is launched \"per_node\".");
        findings.note(problem, place, "Sidecars are switched on here.");
    }
}

void checkVllmRanks(RuleFindings& findings)
{
    for (const std::string_view role : roles) {
        if (!isDeclared(findings, role) || engineOf(findings, role) != "vllm")
            continue;
        const Member* size = flag(findings, role, "data-parallel-size");
        if (!size)
            continue;
        const auto ranks = flagNumber(findings, role, "data-parallel-size");
        if (!ranks || *ranks < 1) {
            reportFlag(findings, role, *size, Severity::Error,
                       "\"" + size->key + "\" is " + syntax::shown(*size->value) + "; it must be a whole number of at least 1.");
            continue;
        }
        const std::string own = textAt(findings, pathOf(role, "engine.dp_launch_mode"));
        const bool isPerGpu = (own.empty() ? textAt(findings, "engine.dp_launch_mode") : own) == "per_gpu";
        if (isPerGpu && textAt(findings, "frontend.type") != "vllm") {
            Diagnostic& problem =
                findings.report(own.empty() ? "engine.dp_launch_mode" : pathOf(role, "engine.dp_launch_mode"), Severity::Warning,
                                "Launching a process for each rank is an old way that srtctl advises against; use \"per_node\".");
            findings.note(problem, pathOf(role, "args." + size->key), "The ranks are asked for here.");
        }
        if (isPerGpu)
            continue;
        if (const Member* headless = flag(findings, role, "headless"); headless && *ranks > 1)
            reportFlag(findings, role, *headless, Severity::Error,
                       "\"headless\" is worked out by srtctl for the ranks of a worker; delete it.");
        if (const Member* hybrid = flag(findings, role, "data-parallel-hybrid-lb"))
            reportFlag(findings, role, *hybrid, Severity::Warning,
                       "\"" + hybrid->key + "\" is set by srtctl where it is needed; delete it.");
    }
}

// --- whole job -------------------------------------------------------------------------------------------------------------------------

void checkJobScopedPorts(RuleFindings& findings)
{
    if (!isTrueAt(findings, "job_scoped_ports"))
        return;
    const auto refuse = [&](std::string_view path, const std::string& what) {
        Diagnostic& problem = findings.report("job_scoped_ports", Severity::Error, "Ports that follow the job id need " + what + ".");
        findings.note(problem, path, "This stands against it.");
    };
    if (findings.job().backend.type != "vllm")
        refuse("engine", "the engine vllm");
    else if (textAt(findings, "frontend.type") != "dynamo")
        refuse("frontend.type", "the frontend \"dynamo\"");
    else if (isDisaggregated(findings))
        refuse("roles", "aggregated workers");
    else if (isGiven(findings, "engine.connector"))
        refuse("engine.connector", "\"connector: null\" in the engine");
    else if (hasSidecar(findings) || isGiven(findings, "engine.failover") || serviceOf(findings, "mooncake-master"))
        refuse(hasSidecar(findings)                   ? "dynamo.sidecar"
               : isGiven(findings, "engine.failover") ? "engine.failover"
                                                      : "services",
               "a job without sidecars, failover and Mooncake store");
}

void checkHetJobs(RuleFindings& findings)
{
    if (!isTrueAt(findings, "resources.het_jobs"))
        return;
    const auto refuse = [&](std::string_view path, const std::string& message) {
        Diagnostic& problem = findings.report("resources.het_jobs", Severity::Error, message);
        findings.note(problem, path, "This stands against it.");
        offer(problem, findings, "resources.het_jobs", "false");
    };
    if (!isDisaggregated(findings)) {
        refuse("roles", "A heterogeneous job needs prefill and decode roles; set \"het_jobs: false\".");
        return;
    }
    for (const std::string_view role : {"prefill", "decode"}) {
        if (integerAt(findings, pathOf(role, "nodes")).value_or(0) < 1)
            refuse(pathOf(role, "nodes"), "A heterogeneous job needs nodes for " + std::string(role) + ".");
    }
    if (findings.job().backend.type != "sglang")
        refuse("engine", "Heterogeneous jobs are for the engine sglang only.");
    if (textAt(findings, "frontend.placement.node") == "dedicated")
        refuse("frontend.placement.node", "A heterogeneous job has no dedicated node for the frontend.");
    if (textAt(findings, "benchmark.placement.node") == "dedicated")
        refuse("benchmark.placement.node", "A heterogeneous job has no dedicated node for the benchmark.");
    if (findings.job().poolNodes > 0)
        refuse("services", "A heterogeneous job has no pools of nodes for services.");
}

void checkFailover(RuleFindings& findings)
{
    if (!isGiven(findings, "engine.failover"))
        return;
    const auto refuse = [&](std::string_view path, const std::string& message) {
        Diagnostic& problem = findings.report("engine.failover", Severity::Error, message);
        findings.note(problem, path, "This stands against it.");
    };
    if (textAt(findings, "frontend.type") != "dynamo")
        refuse("frontend.type", "Failover needs the frontend \"dynamo\".");
    if (hasSidecar(findings))
        refuse("dynamo.sidecar", "Failover does not go with sidecars.");
    const std::string folder = textAt(findings, "engine.failover.shared_dir");
    if (folder.empty() || folder.front() != '/' || folder == "/")
        findings.report("engine.failover.shared_dir", Severity::Error,
                        "The folder that worker and shadows share must be an absolute path, and not \"/\".");
    for (const std::string_view role : roles) {
        if (dataParallel(findings, role) > 1)
            refuse(pathOf(role, "args"), "Failover does not go with data-parallel ranks.");
        const Member* format = flag(findings, role, "load-format");
        if (format && !(format->value->isString() && format->value->text == "gms"))
            reportFlag(findings, role, *format, Severity::Error,
                       "With failover the weights come from the memory service; delete \"" + format->key + "\" or say \"gms\".");
    }
    if (isTrueAt(findings, "dynamo.install") && textAt(findings, "frontend.type") == "dynamo")
        findings.report(
            "engine.failover", Severity::Warning,
            "Failover needs a Dynamo that is built for it, and this job installs another one over it; set \"dynamo.install: false\".");
}

bool isMovingRevision(std::string_view revision)
{
    return revision == "main" || revision == "master" || revision == "HEAD";
}

void checkDynamoSource(RuleFindings& findings)
{
    if (!isGiven(findings, "dynamo.source"))
        return;
    if (isTrueAt(findings, "dynamo.top_of_tree")) {
        Diagnostic& problem = findings.report("dynamo.top_of_tree", Severity::Error,
                                              "The newest source and a named one exclude each other; keep one of the two.");
        findings.note(problem, "dynamo.source", "The source is named here.");
    }
    const bool hasGit = isGiven(findings, "dynamo.source.git") || isGiven(findings, "dynamo.source.rev");
    std::vector<std::string> given;
    if (hasGit)
        given.emplace_back(isGiven(findings, "dynamo.source.git") ? "git" : "rev");
    for (const std::string_view key : {"pypi", "wheel"}) {
        if (isGiven(findings, "dynamo.source." + std::string(key)))
            given.emplace_back(key);
    }
    if (given.size() != 1) {
        Diagnostic& problem =
            findings.report(given.empty() ? "dynamo.source" : "dynamo.source." + given[1], Severity::Error,
                            given.empty() ? "\"dynamo.source\" names no source; give one of git, pypi and wheel."
                                          : "\"dynamo.source\" names several sources; keep one of " + base::joined(given, " and ") + ".");
        if (!given.empty())
            findings.note(problem, "dynamo.source." + given[0], "The other source.");
    }
    for (const std::string_view key : {"rev", "sha", "patches"}) {
        const std::string path = "dynamo.source." + std::string(key);
        if (isGiven(findings, path) && !hasGit)
            findings.report(path, Severity::Error, "\"" + std::string(key) + "\" belongs to a git source.");
    }
    if (isGiven(findings, "dynamo.source.git") && !isGiven(findings, "dynamo.source.rev"))
        findings.report("dynamo.source.git", Severity::Error, "A git source needs \"rev\", so that every run builds the same.");
    const std::string revision = textAt(findings, "dynamo.source.rev");
    if (isGiven(findings, "dynamo.source.rev") && (base::trimmed(revision).empty() || isMovingRevision(revision)))
        findings.report("dynamo.source.rev", Severity::Error,
                        base::trimmed(revision).empty() ? "The revision is blank."
                                                        : base::inQuotes(revision) + " moves; name a commit or a tag.");
    const std::string commit = textAt(findings, "dynamo.source.sha");
    const bool isHex = std::all_of(commit.begin(), commit.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    if (isGiven(findings, "dynamo.source.sha") && (!isHex || commit.size() < 4 || commit.size() > 40))
        findings.report("dynamo.source.sha", Severity::Error,
                        base::inQuotes(commit) + " is no commit: 4 to 40 digits 0-9 and a-f are needed.");
    for (const std::string_view key : {"pypi", "wheel"}) {
        const std::string path = "dynamo.source." + std::string(key);
        const std::string version = textAt(findings, path);
        if (isGiven(findings, path) && base::trimmed(version).empty())
            findings.report(path, Severity::Error, "The version is blank.");
        else if (version.ends_with(".whl") || version.find('/') != std::string::npos)
            findings.report(path, Severity::Error, base::inQuotes(version) + " is a file; name the version alone.");
    }
}

void checkBenchmarkKeys(RuleFindings& findings)
{
    const auto pack = schema::builtInPack("v2");
    const schema::Record* record = pack ? pack->record("benchmark") : nullptr;
    const ValuePtr block = findings.at("benchmark");
    if (!record || !block)
        return;
    const std::string type = text(block, "type");
    for (const Member& member : block->members) {
        const schema::Field* field = record->find(member.key);
        if (!field || field->readBy.empty() || std::find(field->readBy.begin(), field->readBy.end(), type) != field->readBy.end())
            continue;
        if (member.value->isUnwritten() || (field->defaultValue && syntax::toJson(*member.value) == *field->defaultValue))
            continue;
        Diagnostic& problem = findings.report("benchmark." + member.key, Severity::Error,
                                              "The benchmark " + base::inQuotes(type) + " has no \"" + member.key + "\"; it is for " +
                                                  base::joined(field->readBy, ", ") + ".");
        findings.note(problem, "benchmark.type", "The benchmark is chosen here.");
    }
}

/// Mistakes that no flavour of regular expressions takes; whatever else is wrong is left to the cluster.
std::optional<std::string> faultOfPattern(std::string_view pattern)
{
    int open = 0;
    bool isInClass = false;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        if (c == '\\') {
            if (++i == pattern.size())
                return "ends with a backslash";
        } else if (isInClass) {
            isInClass = c != ']';
        } else if (c == '[') {
            isInClass = true;
            if (i + 1 < pattern.size() && pattern[i + 1] == '^')
                ++i;
            if (i + 1 < pattern.size() && pattern[i + 1] == ']') // a bracket right behind the opening one stands for itself
                ++i;
        } else if (c == '(') {
            ++open;
        } else if (c == ')') {
            if (--open < 0)
                return "closes a group that is not open";
        } else if ((c == '*' || c == '+' || c == '?') &&
                   (i == 0 || ((pattern[i - 1] == '(' || pattern[i - 1] == '|') && !(c == '?' && pattern[i - 1] == '(')))) {
            return "repeats nothing";
        }
    }
    if (isInClass)
        return "leaves a \"[\" open";
    return open > 0 ? std::optional<std::string>("leaves a group open") : std::nullopt;
}

void checkLogPatterns(RuleFindings& findings)
{
    const ValuePtr patterns = findings.at("health_check.extra_fatal_log_patterns");
    for (const ValuePtr& pattern : patterns ? patterns->items : std::vector<ValuePtr>()) {
        const auto fault = faultOfPattern(pattern->text);
        if (!fault)
            continue;
        Diagnostic& problem = findings.report("health_check.extra_fatal_log_patterns", Severity::Error,
                                              base::inQuotes(pattern->text) + " is no regular expression: it " + *fault + ".");
        if (!pattern->range.isEmpty())
            problem.range = pattern->range;
    }
}

void checkHostSetup(RuleFindings& findings)
{
    bool hasCommands = false;
    for (const std::string_view key : {"commands", "teardown"}) {
        const std::string path = "host_setup." + std::string(key);
        const ValuePtr lines = findings.at(path);
        if (!lines || lines->items.empty())
            continue;
        hasCommands = hasCommands || key == "commands";
        for (const ValuePtr& line : lines->items) {
            if (!base::trimmed(line->text).empty())
                continue;
            Diagnostic& problem = findings.report(path, Severity::Error, "A command in \"" + path + "\" is blank; delete it.");
            if (!line->range.isEmpty())
                problem.range = line->range;
        }
        if (key == "teardown" && !hasCommands)
            findings.report(path, Severity::Warning, "\"teardown\" without \"commands\" does nothing.");
    }
}

void checkPostEval(RuleFindings& findings)
{
    const ValuePtr names = findings.at("post_eval.passthrough_env");
    for (const ValuePtr& name : names ? names->items : std::vector<ValuePtr>()) {
        const auto isPart = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
        const std::string& word = name->text;
        if (!word.empty() && std::all_of(word.begin(), word.end(), isPart) && !(word.front() >= '0' && word.front() <= '9'))
            continue;
        Diagnostic& problem = findings.report("post_eval.passthrough_env", Severity::Error,
                                              base::inQuotes(word) + " is no name of a variable: letters, digits and \"_\" are needed.");
        if (!name->range.isEmpty())
            problem.range = name->range;
    }
    const ValuePtr command = findings.at("post_eval.command");
    if (command && command->isSequence() && command->items.empty())
        findings.report("post_eval.command", Severity::Error, "\"post_eval.command\" is an empty list; name a program, or delete the key.");
}

void checkPublishers(RuleFindings& findings)
{
    const ValuePtr publishers = findings.at("reporting.publishers");
    std::set<std::string> names;
    std::size_t index = 0;
    for (const ValuePtr& publisher : publishers ? publishers->items : std::vector<ValuePtr>()) {
        const std::string path = "reporting.publishers[" + std::to_string(index++) + "]";
        const std::string name = text(publisher, "name");
        const auto isPart = [](char c) {
            return c == '_' || c == '-' || c == '.' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        };
        const bool isName = !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), isPart) &&
                            std::string_view("._-").find(name.front()) == std::string_view::npos;
        if (!isName)
            reportIn(findings, publisher, path, "name", Severity::Error,
                     base::inQuotes(name) +
                         " is no name of a publisher: at most 64 letters, digits, \".\", \"_\" and \"-\", the first a letter or digit.");
        else if (!names.insert(name).second)
            reportIn(findings, publisher, path, "name", Severity::Error, "Two publishers are called " + base::inQuotes(name) + ".");
        if (const ValuePtr command = publisher->find("command"); command && command->items.empty())
            reportIn(findings, publisher, path, "command", Severity::Error,
                     "The command of the publisher is an empty list; name a program.");
    }
}

void checkEngineWords(RuleFindings& findings)
{
    const ValuePtr bind = findings.at("engine.numa_memory_bind");
    if (bind && bind->isString() && bind->text != "local")
        findings.report("engine.numa_memory_bind", Severity::Error,
                        "\"engine.numa_memory_bind\" is " + syntax::shown(*bind) + "; it must be true, false, null or \"local\".");
}

} // namespace

} // namespace second

std::span<const Rule> rulesOfSecond()
{
    using namespace second;
    static constexpr Rule all[] = {
        {"role-counts", Packs::Second, "Each role has nodes of at least 1; only decode may be put on the nodes of prefill.",
         checkRoleCounts},
        {"role-workers", Packs::Second, "Some role has workers, or the job says that it has none.", checkAnyRole},
        {"role-mix", Packs::Second, "A job has prefill and decode workers, or agg workers.", checkMixedRoles},
        {"role-keys", Packs::Second, "Keys of a role that one engine reads are not given to another.", checkRoleKeys},
        {"role-engines", Packs::Second,
         "Engines stand at the top level or in every role, and in the roles only with what can work with it.", checkRoleEngines},
        {"role-colocation", Packs::Second, "Workers that share the prefill nodes say their GPUs and fit on them.", checkColocation},
        {"sidecars", Packs::Second, "Sidecars are for all roles, under Dynamo, with an engine that has them.", checkSidecars},
        {"vllm-ranks", Packs::Second, "Data-parallel ranks of vLLM are a number, and srtctl alone says which of them are headless.",
         checkVllmRanks},
        {"engine-words", Packs::Second, "Settings of an engine that are a switch or a word have one of their words.", checkEngineWords},
        {"job-scoped-ports", Packs::Second, "Ports that follow the job id are for aggregated vLLM under Dynamo.", checkJobScopedPorts},
        {"worker-selection", Packs::Second, "Rules for choosing workers need Dynamo and exclude a policy file.", checkWorkerSelection},
        {"profiling-roles", Packs::Second, "A profile names the phases of the roles that the job has, and workers that exist.",
         checkProfilingOfSecond},
        {"automatic-profiles", Packs::Second, "Automatic profiles of the measured part need a benchmark that marks it.",
         checkAutomaticProfiles},
        {"tachometer-exporters", Packs::Second, "Tachometer has exporters that can be started and a folder of its own.",
         checkTachometerOfSecond},
        {"power-telemetry", Packs::Second, "Power telemetry has something to sample and a benchmark that it can time.",
         checkTelemetryOfSecond},
        {"trtllm-perf-metrics", Packs::Second, "TensorRT-LLM workers behind \"trtllm_serve\" give the metrics that it shows.",
         checkPerfMetrics},
        {"mooncake-store", Packs::Second, "A Mooncake store is one that the engine uses.", checkMooncakeOfSecond},
        {"het-roles", Packs::Second, "A heterogeneous job is disaggregated SGLang without dedicated nodes and pools.", checkHetJobs},
        {"frontend-engine", Packs::Second, "The frontend speaks to the engine of every role.", checkFrontendOfSecond},
        {"frontend-single", Packs::Second, "A frontend that cannot be several is one, over the workers that it can serve.",
         checkSingleServer},
        {"vllm-router-ranks", Packs::Second, "The vLLM router sees the same number of ranks in every worker.", checkVllmRouter},
        {"tilert-router", Packs::Second, "The TileRT router has one vLLM prefill worker and decode workers on one node each.",
         checkTilertRouter},
        {"frontend-none", Packs::Second, "A job without frontend has no workers.", checkNoFrontend},
        {"failover", Packs::Second, "Failover runs under Dynamo without sidecars, ranks and another way to load weights.", checkFailover},
        {"discovery-connector", Packs::Second, "Workers that find each other by their connector stand behind the vLLM router.",
         checkDiscovery},
        {"dynamo-source", Packs::Second, "Dynamo comes from one source that does not move.", checkDynamoSource},
        {"benchmark-keys", Packs::Second, "A benchmark has no keys of another one.", checkBenchmarkKeys},
        {"log-patterns", Packs::Second, "Patterns of fatal log lines are regular expressions.", checkLogPatterns},
        {"host-setup", Packs::Second, "Commands on the hosts are not blank.", checkHostSetup},
        {"post-eval", Packs::Second, "The evaluation has a program and names of variables.", checkPostEval},
        {"publishers", Packs::Second, "Publishers have names of their own and a program.", checkPublishers},
        {"service-names", Packs::Second, "Each service has a name of its own.", checkServiceNames},
        {"service-commands", Packs::Second, "A generic service has a command; a kind with one of its own takes none.",
         checkServiceCommands},
        {"service-placement", Packs::Second, "A service runs where its kind can run.", checkServicePlacement},
        {"service-pools", Packs::Second, "A pool belongs to the service that reserves it.", checkServicePools},
        {"service-readiness", Packs::Second, "A service is ready by exactly one sign.", checkServiceReadiness},
        {"service-source", Packs::Second, "The source of a service is fetched on one node, from a revision that does not move.",
         checkServiceSource},
        {"service-options", Packs::Second, "Options are those of the kind.", checkServiceOptions},
        {"service-needs", Packs::Second, "What a service works with is there.", checkServiceNeeds},
        {"service-life", Packs::Second, "A service that ends the job stands alone with it, and one that runs elsewhere is not started.",
         checkServiceLife},
    };
    return all;
}

} // namespace wb::recipe
