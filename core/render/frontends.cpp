// The processes between client and workers: the table of frontends, nginx before several of them, and the files that both read.
//
// To add one: a row in `frontends` with the function that gives its command.
#include "core/engines/engine.h"
#include "core/plan/paths.h"
#include "core/plan/ports.h"
#include "core/render/block.h"
#include "core/render/steps.h"
#include "core/syntax/pythontext.h"
#include "core/syntax/yaml.h"

#include <algorithm>
#include <string>
#include <utility>

namespace wb::render {

namespace {

using engines::Environment;
using engines::Words;
using plan::Mode;
using recipe::Job;

void addArguments(const Job& job, Words& words)
{
    const syntax::ValuePtr arguments = job.frontend.block ? job.frontend.block->find("args") : nullptr;
    if (!arguments)
        return;
    for (const syntax::Member& member : arguments->members) {
        const syntax::Value& value = *member.value;
        const bool isSwitch = value.kind == syntax::Kind::Bool;
        if (value.isNull() || (isSwitch && !value.boolean))
            continue;
        words.push_back("--" + member.key);
        if (!isSwitch)
            words.push_back(syntax::pythonText(value));
    }
}

void addOwnVariables(const Job& job, Environment& environment)
{
    const syntax::ValuePtr own = job.frontend.block ? job.frontend.block->find("env") : nullptr;
    if (!own)
        return;
    for (const syntax::Member& member : own->members)
        environment.set(member.key, member.value->isString() ? member.value->text : syntax::pythonText(*member.value), "frontend.env");
}

Words dynamoCommand(const Job& job, const plan::Topology&, std::int64_t port)
{
    Words words{"python3", "-m", "dynamo.frontend", "--http-port=" + std::to_string(port)};
    addArguments(job, words);
    return words;
}

/// gRPC where the mode's flags ask for it.
std::string workerUrl(const Job& job, const plan::Process& leader)
{
    const syntax::ValuePtr grpc = engines::Flags(job.backend.of(leader.mode).flags).find("grpc-mode");
    const bool isGrpc = grpc && grpc->kind == syntax::Kind::Bool && grpc->boolean;
    return (isGrpc ? "grpc://" : "http://") + plan::addressOf(leader.node) + ":" + std::to_string(leader.httpPort.value_or(0));
}

Words routerCommand(const Job& job, const plan::Topology& topology, std::int64_t port)
{
    Words words{"python", "-m", "sglang_router.launch_router"};
    const auto prefill = leaders(topology, Mode::Prefill);
    const auto decode = leaders(topology, Mode::Decode);
    if (!prefill.empty() || !decode.empty()) {
        words.emplace_back("--pd-disaggregation");
        for (const plan::Process* leader : prefill) {
            words.emplace_back("--prefill");
            words.push_back(workerUrl(job, *leader));
            if (leader->bootstrapPort)
                words.push_back(std::to_string(*leader->bootstrapPort));
        }
        for (const plan::Process* leader : decode) {
            words.emplace_back("--decode");
            words.push_back(workerUrl(job, *leader));
        }
    } else {
        words.emplace_back("--worker-urls");
        for (const plan::Process* leader : leaders(topology, Mode::Agg))
            words.push_back(workerUrl(job, *leader));
    }
    for (std::string word : {std::string("--host"), std::string("0.0.0.0"), std::string("--port"), std::to_string(port)})
        words.push_back(std::move(word));
    addArguments(job, words);
    return words;
}

Words orchestratorCommand(const Job& job, const plan::Topology&, std::int64_t)
{
    Words words{"trtllm-serve", "disaggregated", "--config", "/logs/ser.yaml"};
    addArguments(job, words);
    return words;
}

void dynamoVariables(const Job& job, const plan::Topology& topology, Environment& environment)
{
    constexpr std::string_view bySrtctl = "srtctl";
    environment.set("ETCD_ENDPOINTS", "http://" + topology.infra + ":" + std::to_string(plan::ports::etcd), bySrtctl);
    environment.set("NATS_SERVER", "nats://" + topology.infra + ":" + std::to_string(plan::ports::nats), bySrtctl);
    environment.set("DYN_REQUEST_PLANE", engines::textAt(job.config, "dynamo.request_plane"), "dynamo.request_plane");
    environment.set("DYN_SKIP_SGLANG_LOG_FORMATTING", "1", bySrtctl);
    if (const std::string plane = engines::textAt(job.config, "dynamo.event_plane"); !plane.empty())
        environment.set("DYN_EVENT_PLANE", plane, "dynamo.event_plane");
    engines::addTracing(job, "dynamo-frontend", environment);
    for (const engines::Variable& variable : engines::generalVariables(job))
        environment.set(variable.name, variable.value, variable.source);
}

struct FrontendType {
    std::string_view id; ///< As in `frontend.type`, in the words of schema 1.
    std::string_view logWord;
    bool isNumbered = true;
    std::string_view mpi;
    bool mayInstallDynamo = false;
    Words (*command)(const Job&, const plan::Topology&, std::int64_t port) = nullptr;
    void (*variables)(const Job&, const plan::Topology&, Environment&) = nullptr; ///< Null: only `frontend.env`.
};

constexpr FrontendType frontends[] = {
    {"dynamo", "frontend", true, "pmix", true, dynamoCommand, dynamoVariables},
    {"sglang", "router", true, "", false, routerCommand, nullptr},
    {"trtllm_serve", "trtllm_serve_orchestrator", false, "pmix", false, orchestratorCommand, nullptr},
};

Step nginxStep(const Job& job, const std::string& node)
{
    Step step;
    step.phase = Phase::Frontend;
    step.role = "nginx";
    step.isProxy = true;
    step.log = node + "_nginx.out";
    step.image = job.frontend.nginxContainer;
    step.usesShell = false;
    step.launch.name = node + "_nginx";
    step.launch.nodes = {node};
    const bool raises = engines::isTrueAt(job.frontend.block, "nginx_raise_ulimit");
    step.launch.command = {"bash", "-c", std::string(raises ? "ulimit -n 1048576 && " : "") + "nginx -c /logs/nginx.conf -g 'daemon off;'"};
    step.launch.srunOptions = {{"container-remap-root", ""}};
    return step;
}

Step frontendStep(const Job& job, const FrontendType& type, const plan::Topology& topology, const FrontendPlace& place, std::size_t number)
{
    Step step;
    step.phase = Phase::Frontend;
    step.role = type.isNumbered ? std::string(type.logWord) + " " + std::to_string(number) : "orchestrator";
    step.launch.name = place.node + "_" + std::string(type.logWord) + (type.isNumbered ? "_" + std::to_string(number) : "");
    step.log = step.launch.name + ".out";
    step.image = job.container;
    step.launch.nodes = {place.node};
    step.launch.command = type.command(job, topology, place.port);
    step.launch.mpi = type.mpi;
    step.launch.installsDynamo = type.mayInstallDynamo && job.installsDynamo;
    step.remapsRoot = step.launch.installsDynamo;
    Environment environment;
    if (type.variables)
        type.variables(job, topology, environment);
    addOwnVariables(job, environment);
    step.launch.environment = engines::sortedVariables(job, environment);
    return step;
}

syntax::ValuePtr servers(const std::vector<const plan::Process*>& processes, const syntax::ValuePtr& router)
{
    auto urls = std::make_shared<syntax::Value>();
    urls->kind = syntax::Kind::Sequence;
    for (const plan::Process* process : processes)
        urls->items.push_back(syntax::makeString(plan::addressOf(process->node) + ":" + std::to_string(process->httpPort.value_or(0)),
                                                 syntax::Layer::Default));
    syntax::ValuePtr out =
        syntax::with(nullptr, "num_instances", syntax::makeInteger(static_cast<std::int64_t>(processes.size()), syntax::Layer::Default));
    out = syntax::with(out, "urls", urls);
    if (router && router->isMapping())
        out = syntax::with(out, "router", router);
    return out;
}

} // namespace

std::vector<Step> frontendSteps(const Job& job, const plan::Topology& topology)
{
    std::vector<Step> out;
    const auto* type =
        std::find_if(std::begin(frontends), std::end(frontends), [&](const auto& each) { return each.id == job.frontend.type; });
    if (type == std::end(frontends))
        return out;
    const FrontendPlaces places = frontendPlaces(job, topology);
    if (places.hasNginx)
        out.push_back(nginxStep(job, places.publicNode));
    for (std::size_t i = 0; i < places.frontends.size(); ++i)
        out.push_back(frontendStep(job, *type, topology, places.frontends[i], i));
    return out;
}

std::string nginxConfig(const Job& job, const plan::Topology& topology)
{
    const FrontendPlaces places = frontendPlaces(job, topology);
    if (!places.hasNginx)
        return {};
    const syntax::ValuePtr& block = job.frontend.block;
    const Block words(block);
    const std::string keepAlive = words.filledOr("nginx_keepalive_timeout", "600s");
    const bool hasAffinity = engines::isTrueAt(block, "nginx_session_affinity");
    std::string header = words.filledOr("nginx_session_affinity_header", "X-Dynamo-Session-ID");
    std::transform(header.begin(), header.end(), header.begin(), [](char c) {
        return c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    std::string out = "worker_processes auto;\n";
    if (engines::isTrueAt(block, "nginx_raise_ulimit"))
        out += "worker_rlimit_nofile 1048576;\n";
    out += "\nevents {\n    worker_connections 65535;\n    multi_accept on;\n    use epoll;\n}\n\nhttp {\n"
           "    access_log off;\n    client_max_body_size 45m;\n    keepalive_timeout " +
           keepAlive + ";\n\n";
    if (hasAffinity)
        out += "    map $http_" + header + " $session {\n        default $http_" + header + ";\n        \"\" $request_id;\n    }\n\n";
    out += "    upstream frontends {\n";
    if (hasAffinity)
        out += "        hash $session consistent;\n";
    for (const FrontendPlace& place : places.frontends)
        out += "        server " + plan::addressOf(place.node) + ":" + std::to_string(place.port) + ";\n";
    out += "        keepalive 512;\n        keepalive_timeout " + keepAlive + ";\n    }\n\n    server {\n        listen " +
           std::to_string(plan::ports::publicApi) +
           ";\n        location / {\n            proxy_pass http://frontends;\n            proxy_http_version 1.1;\n"
           "            proxy_set_header Connection \"\";\n            proxy_buffering off;\n            proxy_read_timeout 24h;\n"
           "            proxy_send_timeout 24h;\n        }\n    }\n}\n";
    return out;
}

std::string orchestratorConfig(const Job& job, const plan::Topology& topology)
{
    if (job.frontend.type != "trtllm_serve" || !job.resources.isDisaggregated())
        return {};
    const syntax::ValuePtr& block = job.frontend.block;
    const auto own = [&](std::string_view key) { return block ? block->find(key) : nullptr; };
    syntax::ValuePtr out = syntax::with(nullptr, "hostname", syntax::makeString("0.0.0.0", syntax::Layer::Default));
    out = syntax::with(out, "port", syntax::makeInteger(plan::ports::publicApi, syntax::Layer::Default));
    out = syntax::with(out, "context_servers", servers(leaders(topology, Mode::Prefill), own("ctx_router")));
    out = syntax::with(out, "generation_servers", servers(leaders(topology, Mode::Decode), own("gen_router")));
    if (const syntax::ValuePtr extra = own("server_config_extra"); extra && extra->isMapping()) {
        for (const syntax::Member& member : extra->members)
            out = syntax::with(out, member.key, member.value);
    }
    return syntax::emit(*out);
}

} // namespace wb::render
