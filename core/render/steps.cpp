#include "core/render/steps.h"

#include "core/engines/engine.h"
#include "core/plan/paths.h"
#include "core/plan/ports.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace wb::render {

namespace {

constexpr std::array<std::string_view, 6> phaseNames = {"infra", "model", "workers", "frontend", "telemetry", "benchmark"};

bool isDirect(const recipe::Job& job)
{
    return job.frontend.type == "vllm" || (job.frontend.type == "trtllm_serve" && !job.resources.isDisaggregated());
}

Step infraStep(const recipe::Job& job, const recipe::Cluster& cluster, const plan::Topology& topology)
{
    Step step;
    step.phase = Phase::Infra;
    step.role = "nats and etcd";
    step.log = "infra.out";
    step.image = job.container;
    step.launch.name = "infra";
    step.launch.nodes = {topology.infra};
    step.launch.command = {"python3", "/tmp/setup_head.py", "--name", job.name, "--log-dir", plan::logFolder(cluster)};
    const syntax::ValuePtr payload = job.config ? syntax::at(job.config, "infra.nats_max_payload_mb") : nullptr;
    if (payload && payload->kind == syntax::Kind::Integer) {
        step.launch.command.emplace_back("--nats-max-payload-mb");
        step.launch.command.push_back(std::to_string(payload->integer));
    }
    return step;
}

Step workerStep(const recipe::Job& job, engines::Launch launch)
{
    Step step;
    step.phase = Phase::Workers;
    step.role = std::string(plan::name(launch.mode)) + " worker " + std::to_string(launch.index);
    step.log = launch.name + ".out";
    step.image = job.container;
    step.remapsRoot = launch.installsDynamo;
    step.launch = std::move(launch);
    return step;
}

/// Instances that dynamo's frontend sees of the workers of a mode.
std::int64_t instances(const recipe::Job& job, const plan::Topology& topology, plan::Mode mode)
{
    const std::int64_t workers = plan::workers(job.resources, mode);
    if (job.frontend.type != "dynamo" || job.backend.type != "vllm")
        return workers;
    const auto ranks = plan::dataParallel(job, mode);
    if (!ranks)
        return workers;
    std::int64_t processes = 0;
    bool replicasSpanNodes = false;
    for (const plan::Process& process : topology.processes) {
        if (process.mode != mode)
            continue;
        ++processes;
        replicasSpanNodes = replicasSpanNodes || ranks->replica > static_cast<std::int64_t>(process.gpus.size());
    }
    return replicasSpanNodes && !ranks->perGpu ? workers : processes;
}

} // namespace

std::string_view name(Phase phase)
{
    return phaseNames[static_cast<std::size_t>(phase)];
}

std::vector<const plan::Process*> leaders(const plan::Topology& topology, plan::Mode mode)
{
    std::vector<const plan::Process*> out;
    for (const plan::Process& process : topology.processes) {
        if (process.mode == mode && (out.empty() || out.back()->index != process.index))
            out.push_back(&process);
    }
    return out;
}

FrontendPlaces frontendPlaces(const recipe::Job& job, const plan::Topology& topology)
{
    FrontendPlaces out;
    out.publicNode = topology.head;
    if (isDirect(job)) {
        const auto aggregated = leaders(topology, plan::Mode::Agg);
        if (!aggregated.empty())
            out.publicNode = aggregated.front()->node;
        return out;
    }
    const std::vector<std::string>& nodes = topology.workerNodes;
    const std::int64_t wanted = job.frontend.additional + 1;
    if (job.frontend.type != "trtllm_serve" && job.frontend.multiple && nodes.size() > 1 && wanted > 0) {
        out.hasNginx = true;
        for (const std::string& node : nodes) {
            if (node != topology.head && static_cast<std::int64_t>(out.frontends.size()) < wanted)
                out.frontends.push_back({node, plan::ports::frontend});
        }
        return out;
    }
    const auto decode = leaders(topology, plan::Mode::Decode);
    if (!decode.empty() && job.frontend.orchestratorPlacement == "first_decode")
        out.publicNode = decode.front()->node;
    if (!decode.empty() && job.frontend.orchestratorPlacement == "last_decode")
        out.publicNode = decode.back()->node;
    out.frontends.push_back({out.publicNode, plan::ports::publicApi});
    return out;
}

Health health(const recipe::Job& job, const plan::Topology& topology)
{
    Health out;
    const std::int64_t aggregated = plan::workers(job.resources, plan::Mode::Agg);
    std::string workers = std::to_string(aggregated) + " agg";
    if (aggregated > 0) {
        out.others = instances(job, topology, plan::Mode::Agg);
    } else {
        out.prefill = instances(job, topology, plan::Mode::Prefill);
        out.others = instances(job, topology, plan::Mode::Decode);
        workers = std::to_string(plan::workers(job.resources, plan::Mode::Prefill)) + "P + " +
                  std::to_string(plan::workers(job.resources, plan::Mode::Decode)) + "D";
    }
    out.text = workers;
    if (job.backend.type == "vllm" && job.frontend.type == "dynamo")
        out.text =
            std::to_string(out.prefill) + "P + " + std::to_string(out.others) + "D Dynamo generate instances; logical workers: " + workers;
    return out;
}

bool startsInfra(const recipe::Job& job)
{
    return job.frontend.type == "dynamo" || job.frontend.type == "sglang";
}

std::vector<Step> steps(const recipe::Job& job, const recipe::Cluster& cluster, const plan::Topology& topology)
{
    std::vector<Step> out;
    std::vector<engines::Launch> workers = engines::workerLaunches(job, cluster, topology);
    if (workers.empty())
        return out; // an engine whose commands are not known
    if (startsInfra(job))
        out.push_back(infraStep(job, cluster, topology));
    const auto add = [&out](std::vector<Step> more) { std::move(more.begin(), more.end(), std::back_inserter(out)); };
    add(stepsBeforeWorkers(job, topology));
    for (engines::Launch& worker : workers)
        out.push_back(workerStep(job, std::move(worker)));
    add(frontendSteps(job, topology));
    add(telemetrySteps(job, cluster, topology));
    if (auto benchmark = benchmarkStep(job, cluster, topology))
        out.push_back(*std::move(benchmark));
    if (topology.het) {
        // Where a node of the second component leads, the step goes there; all steps name their component.
        for (Step& step : out) {
            if (step.phase == Phase::Workers)
                continue;
            step.launch.hetGroup = 0;
            for (const plan::Endpoint& endpoint : topology.endpoints)
                if (std::find(endpoint.nodes.begin(), endpoint.nodes.end(), step.launch.nodes.front()) != endpoint.nodes.end())
                    step.launch.hetGroup = endpoint.hetGroup;
        }
    }
    return out;
}

} // namespace wb::render
