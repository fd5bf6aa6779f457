#include "core/engines/launch.h"

#include "core/base/text.h"
#include "core/engines/profiling.h"
#include "core/plan/paths.h"
#include "core/plan/ports.h"
#include "core/recipe/renames.h"

#include <algorithm>
#include <utility>

namespace wb::engines {

namespace {

using plan::Mode;
using plan::Process;
using recipe::Job;

constexpr std::string_view bySrtctl = "srtctl";

bool installsDynamo(const Job& job)
{
    return job.frontend.type == "dynamo" && job.installsDynamo;
}

/// The two names that srtctl replaces in variables of workers that are started one by one.
std::string filledIn(const Worker& worker, const std::string& value)
{
    if (value.find('{') == std::string::npos)
        return value;
    const auto& nodes = worker.topology.workerNodes;
    const auto id = std::find(nodes.begin(), nodes.end(), worker.process.node) - nodes.begin();
    return base::replacedAll(base::replacedAll(value, "{node}", worker.process.node), "{node_id}", std::to_string(id));
}

void addBasics(const Worker& worker, const Engine& engine, Environment& environment)
{
    const Job& job = worker.job;
    environment.set("HEAD_NODE_IP", plan::addressOf(worker.topology.head), bySrtctl);
    environment.set("ETCD_ENDPOINTS", "http://" + worker.topology.infra + ":" + std::to_string(plan::ports::etcd), bySrtctl);
    environment.set("NATS_SERVER", "nats://" + worker.topology.infra + ":" + std::to_string(plan::ports::nats), bySrtctl);
    environment.set("DYN_SYSTEM_PORT", std::to_string(worker.process.sysPort.value_or(0)), "ports");
    if (engine.starting == Starting::EachProcess)
        environment.set("DYN_REQUEST_PLANE", textAt(job.config, "dynamo.request_plane"), "dynamo.request_plane");
    environment.set("DYN_SKIP_SGLANG_LOG_FORMATTING", "1", bySrtctl);
    if (const std::string plane = textAt(job.config, "dynamo.event_plane"); !plane.empty())
        environment.set("DYN_EVENT_PLANE", plane, "dynamo.event_plane");
    addTracing(job, "dynamo-" + std::string(plan::name(worker.process.mode)), environment);
    environment.set("DYN_LOG", "info,dynamo_runtime::pipeline::network::ingress::push_handler=warn", bySrtctl);
}

void addOfRecipe(const Worker& worker, const Engine& engine, Environment& environment)
{
    const bool isTemplated = engine.starting == Starting::EachProcess;
    const auto value = [&](const std::string& text) { return isTemplated ? filledIn(worker, text) : text; };
    const std::string source =
        "backend." + std::string(worker.process.mode == Mode::Agg ? "aggregated" : plan::name(worker.process.mode)) + "_environment";
    for (const auto& [name, text] : worker.settings().environment)
        environment.set(name, value(text), source);
    if (engine.modeEnvironment)
        engine.modeEnvironment(worker, environment);
    for (const Variable& variable : generalVariables(worker.job))
        environment.set(variable.name, value(variable.value), variable.source);
}

void addDevices(const Worker& worker, const Engine& engine, Environment& environment)
{
    if (engine.setsVisibleDevices && !engine.setsVisibleDevices(worker.job))
        return;
    if (static_cast<std::int64_t>(worker.process.gpus.size()) < worker.job.resources.gpusPerNode)
        environment.set("CUDA_VISIBLE_DEVICES", worker.gpuList(), "resources");
}

/// Sockets of the block manager's leader, so that workers of one node do not take each other's.
void addBlockManager(const Worker& worker, const Process& leader, Environment& environment)
{
    const Variable* connector = environment.find("DYN_CONNECTOR");
    if (!connector || base::lowered(connector->value) != "kvbm")
        return;
    constexpr std::string_view source = "ports";
    if (worker.spansNodes())
        environment.setDefault("DYN_KVBM_LEADER_ZMQ_HOST", worker.leaderAddress(), source);
    if (!leader.kvEventsPort)
        return;
    const std::int64_t publish = plan::ports::kvbm + 2 * std::max<std::int64_t>(0, *leader.kvEventsPort - plan::ports::kvEvents);
    if (publish + 1 > plan::ports::last)
        return;
    environment.setDefault("DYN_KVBM_LEADER_ZMQ_PUB_PORT", std::to_string(publish), source);
    environment.setDefault("DYN_KVBM_LEADER_ZMQ_ACK_PORT", std::to_string(publish + 1), source);
}

std::vector<Variable> environmentOf(const Worker& worker, const Engine& engine, const Process& leader)
{
    Environment environment;
    addBasics(worker, engine, environment);
    addOfRecipe(worker, engine, environment);
    addProfiling(worker.job, worker.cluster, worker.process.mode, environment);
    addDevices(worker, engine, environment);
    if (engine.environment)
        engine.environment(worker, environment);
    addBlockManager(worker, leader, environment);
    return sortedVariables(worker.job, environment);
}

std::string profileFile(const Worker& worker, const Engine& engine)
{
    const std::string mode(plan::name(worker.process.mode));
    std::string gpus = worker.gpuList();
    std::replace(gpus.begin(), gpus.end(), ',', '-');
    const std::string which = engine.starting == Starting::AsOneByMpi ? "rank%q{SLURM_PROCID}" : "gpu" + gpus;
    return "/logs/profiles/" + mode + "/" + worker.process.node + "_" + mode + "_w" + std::to_string(worker.process.index) + "_profile_" +
           which;
}

Launch launchOf(const Worker& worker, const Engine& engine, const Process& leader)
{
    const Process& process = worker.process;
    const bool isByMpi = engine.starting == Starting::AsOneByMpi;
    Launch launch;
    launch.mode = process.mode;
    launch.index = process.index;
    launch.name = process.node + "_" + std::string(plan::name(process.mode)) + "_w" + std::to_string(process.index);
    if (const auto ranks = plan::dataParallel(worker.job, process.mode); ranks && ranks->perGpu)
        launch.name += "_r" + std::to_string(process.rank); // upstream gives all ranks of a node one name, and one log
    launch.nodes = isByMpi ? worker.nodes : std::vector<std::string>{process.node};
    launch.tasks = isByMpi ? static_cast<std::int64_t>(worker.nodes.size() * process.gpus.size()) : 1;
    launch.command = profilerPrefix(worker.job, profileFile(worker, engine));
    const Words own = engine.command(worker);
    launch.command.insert(launch.command.end(), own.begin(), own.end());
    launch.environment = environmentOf(worker, engine, leader);
    if (worker.spansNodes() && !engine.unsetAcrossNodes.empty())
        launch.unset.emplace_back(engine.unsetAcrossNodes);
    launch.installsDynamo = installsDynamo(worker.job);
    if (isByMpi) {
        launch.mpi = "pmix";
        launch.cpuBind = "verbose,none";
        launch.isOversubscribed = true;
    } else {
        launch.srunOptions = worker.job.srunOptions;
    }
    launch.hetGroup = process.hetGroup;
    return launch;
}

/// Processes of one worker stand together in the list.
std::vector<std::string> nodesOf(const std::vector<Process>& processes, std::size_t begin, std::size_t end)
{
    std::vector<std::string> nodes;
    for (std::size_t i = begin; i < end; ++i)
        if (std::find(nodes.begin(), nodes.end(), processes[i].node) == nodes.end())
            nodes.push_back(processes[i].node);
    return nodes;
}

} // namespace

void addTracing(const Job& job, const std::string& service, Environment& environment)
{
    const std::string collector = textAt(job.config, "observability.otel_endpoint");
    if (!isTrueAt(job.config, "observability.enable_otel") || collector.empty())
        return;
    constexpr std::string_view source = "observability";
    environment.set("DYN_LOGGING_JSONL", "1", source);
    environment.set("OTEL_EXPORT_ENABLED", "1", source);
    environment.set("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", collector, source);
    environment.set("OTEL_SERVICE_NAME", service, source);
}

std::vector<Variable> sortedVariables(const Job& job, const Environment& environment)
{
    std::vector<Variable> variables = environment.variables();
    std::sort(variables.begin(), variables.end(), [](const Variable& a, const Variable& b) { return a.name < b.name; });
    if (job.schema == 2) {
        for (Variable& variable : variables)
            variable.source = recipe::inSecond(variable.source);
    }
    return variables;
}

std::vector<Variable> generalVariables(const Job& job)
{
    std::vector<Variable> out;
    if (const std::string wheel = textAt(job.config, "dynamo.wheel"); !wheel.empty()) {
        out.push_back({"DYNAMO_WHEEL_NAME", "ai_dynamo-" + wheel + "-py3-none-any.whl", "dynamo.wheel"});
        out.push_back({"DYNAMO_VERSION", wheel, "dynamo.wheel"});
    }
    for (const auto& [name, value] : job.environment)
        out.push_back({name, value, "environment"});
    return out;
}

std::vector<Launch> workerLaunches(const Job& job, const recipe::Cluster& cluster, const plan::Topology& topology)
{
    std::vector<Launch> launches;
    const Engine* engine = find(job.backend.type);
    if (!engine)
        return launches;
    const std::vector<Process>& processes = topology.processes;
    for (std::size_t begin = 0; begin < processes.size();) {
        std::size_t end = begin + 1;
        while (end < processes.size() && processes[end].mode == processes[begin].mode && processes[end].index == processes[begin].index)
            ++end;
        const std::vector<std::string> nodes = nodesOf(processes, begin, end);
        const std::size_t started = engine->starting == Starting::AsOneByMpi ? begin + 1 : end;
        for (std::size_t i = begin; i < started; ++i)
            launches.push_back(launchOf(Worker{job, cluster, topology, processes[i], nodes}, *engine, processes[begin]));
        begin = end;
    }
    return launches;
}

} // namespace wb::engines
