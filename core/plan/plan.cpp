#include "core/base/text.h"
#include "core/plan/carving.h"
#include "core/plan/findings.h"
#include "core/plan/modes.h"
#include "core/plan/numbers.h"
#include "core/plan/packing.h"
#include "core/plan/parallelcheck.h"
#include "core/plan/portcheck.h"
#include "core/plan/processes.h"
#include "core/plan/topology.h"
#include "core/recipe/renames.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace wb::plan {

namespace {

using recipe::Job;
using recipe::Resources;
using syntax::Code;
using syntax::Severity;

std::string number(std::int64_t value)
{
    return std::to_string(value);
}

std::string lastPart(std::string_view path)
{
    return base::inQuotes(path.substr(path.rfind('.') + 1));
}

/// Nodes that the recipe sets aside for the mode.
std::int64_t reservedNodes(const Resources& resources, Mode mode)
{
    const std::int64_t given = givenNodes(resources, mode).value_or(0);
    if (mode != Mode::Agg)
        return given;
    return resources.isDisaggregated() ? 0 : std::max<std::int64_t>(given, 1);
}

// --- figures that make no sense --------------------------------------------------------------------------------------------------------

struct Bound {
    std::string_view path;
    std::int64_t value;
    std::int64_t least;
    std::int64_t most;
    std::string_view noun;
};

void checkFigures(Findings& findings, const Counts& counts)
{
    const Resources& r = findings.job().resources;
    const auto given = [](const std::optional<std::int64_t>& value, std::int64_t otherwise) { return value.value_or(otherwise); };
    const Bound bounds[] = {
        {"resources.gpus_per_node", r.gpusPerNode, 1, maxGpusPerNode, "GPUs per node"},
        {"resources.prefill_nodes", given(r.prefillNodes, 0), 0, maxNodes, "nodes"},
        {"resources.decode_nodes", given(r.decodeNodes, 0), 0, maxNodes, "nodes"},
        {"resources.agg_nodes", given(r.aggNodes, 0), 0, maxNodes, "nodes"},
        {"resources.prefill_workers", given(r.prefillWorkers, 0), 0, maxWorkers, "workers"},
        {"resources.decode_workers", given(r.decodeWorkers, 0), 0, maxWorkers, "workers"},
        {"resources.agg_workers", given(r.aggWorkers, 0), 0, maxWorkers, "workers"},
        {"resources.gpus_per_prefill", given(r.gpusPerPrefill, 1), 1, maxNodes * maxGpusPerNode, "GPUs"},
        {"resources.gpus_per_decode", given(r.gpusPerDecode, 1), 1, maxNodes * maxGpusPerNode, "GPUs"},
        {"resources.gpus_per_agg", given(r.gpusPerAgg, 1), 1, maxNodes * maxGpusPerNode, "GPUs"},
    };
    for (const Bound& bound : bounds) {
        if (bound.value < bound.least)
            findings.add(Code::DoesNotFit, Severity::Error, {bound.path},
                         lastPart(bound.path) + " is " + number(bound.value) + "; it must be at least " + number(bound.least) + ".");
        else if (bound.value > bound.most)
            findings.add(Code::DoesNotFit, Severity::Error, {bound.path},
                         lastPart(bound.path) + " is " + number(bound.value) + "; more than " + number(bound.most) + " " +
                             std::string(bound.noun) + " are not planned.");
    }
    if (!findings.hasErrors() && counts.gpusAllocated > maxGpus)
        findings.add(Code::DoesNotFit, Severity::Error, {"resources.gpus_per_node", "resources.prefill_nodes", "resources.agg_nodes"},
                     "The job takes " + number(counts.gpusAllocated) + " GPUs; more than " + number(maxGpus) + " are not planned.");
}

void checkTimeLimit(Findings& findings)
{
    const std::string limit = timeLimit(findings.job());
    if (isSlurmTime(limit))
        return;
    findings.add(Code::Rule, Severity::Error, {"slurm.time_limit", "sbatch_directives.time"},
                 "The time limit " + base::inQuotes(limit) +
                     " is no time for Slurm; write it as \"minutes\", \"hours:minutes:seconds\" or "
                     "\"days-hours\".");
}

/// A side without workers, or no worker at all: nodes are paid for and nothing serves.
void checkAnyWorkers(Findings& findings)
{
    const Resources& resources = findings.job().resources;
    const auto tell = [&](Mode mode, std::string_view whose) {
        findings.add(Code::IdleNodes, Severity::Error, {workersKey(mode), nodesKey(mode), gpusKey(mode), "resources.gpu_type"},
                     "There is no " + std::string(whose) + "worker; set " + lastPart(workersKey(mode)) + ".");
    };
    if (resources.isDisaggregated()) {
        for (const Mode mode : {Mode::Prefill, Mode::Decode})
            if (workers(resources, mode) == 0)
                tell(mode, std::string(word(mode)) + " ");
    } else if (workers(resources, Mode::Prefill) + workers(resources, Mode::Decode) + workers(resources, Mode::Agg) == 0) {
        tell(Mode::Agg, "");
    }
}

/// In schema 2 a TensorRT-LLM worker over several nodes begins where the one before it ended, whole nodes or not.
bool runsAcrossNodes(const Job& job)
{
    const std::int64_t perNode = job.resources.gpusPerNode;
    return job.schema == 2 && job.backend.type == "trtllm" && std::any_of(std::begin(allModes), std::end(allModes), [&](Mode mode) {
               const std::int64_t gpus = gpusPerWorker(job.resources, mode);
               return workers(job.resources, mode) > 0 && gpus > perNode && gpus % perNode != 0;
           });
}

/// False, and told, when the workers are laid out in a way that this plan does not know.
bool checkLayout(Findings& findings)
{
    if (!runsAcrossNodes(findings.job()))
        return true;
    findings.add(Code::NotRendered, Severity::Info, {gpusKey(Mode::Prefill), gpusKey(Mode::Decode), gpusKey(Mode::Agg)},
                 "These workers begin on nodes that others use as well, which this version cannot lay out: the job has no node map and no "
                 "commands here.");
    return false;
}

void checkGpusOfWorkers(Findings& findings)
{
    const Resources& resources = findings.job().resources;
    for (const Mode mode : allModes) {
        const std::int64_t count = workers(resources, mode);
        if (count == 0)
            continue;
        const std::int64_t gpus = gpusPerWorker(resources, mode);
        if (gpus <= 0) {
            findings.add(Code::DoesNotFit, Severity::Error, {gpusKey(mode), workersKey(mode)},
                         counted(count, std::string(word(mode)) + " worker") + " share " +
                             counted(product(reservedNodes(resources, mode), resources.gpusPerNode), "GPU") + ": none is left for each.");
            findings.note({nodesKey(mode)}, "The nodes that they share.").note({"resources.gpus_per_node"}, "GPUs of each node.");
        } else if (gpus > resources.gpusPerNode && gpus % resources.gpusPerNode != 0 && !runsAcrossNodes(findings.job())) {
            const std::int64_t taken = product(dividedUp(gpus, resources.gpusPerNode), resources.gpusPerNode);
            // An MPI engine starts a rank on every GPU that it holds; the others just leave some alone.
            const bool isFatal = findings.job().backend.type == "trtllm";
            findings.add(Code::DoesNotFit, isFatal ? Severity::Error : Severity::Warning, {gpusKey(mode), workersKey(mode)},
                         "Each " + std::string(word(mode)) + " worker of " + number(gpus) + " GPUs takes " + number(taken) +
                             ", as it gets whole nodes of " + number(resources.gpusPerNode) + ".");
            findings.note({nodesKey(mode)}, "The nodes of these workers.").note({"resources.gpus_per_node"}, "GPUs of each node.");
        }
    }
}

// --- placing -----------------------------------------------------------------------------------------------------------------------------

/// "3 prefill workers of 5 GPUs need 6 nodes of 4 GPUs"
std::string demand(const Resources& resources, Mode mode)
{
    const std::int64_t needed = nodesNeeded(resources, mode);
    return counted(workers(resources, mode), std::string(word(mode)) + " worker") + " of " +
           counted(gpusPerWorker(resources, mode), "GPU") + (workers(resources, mode) == 1 ? " needs " : " need ") +
           counted(needed, "node") + " of " + counted(resources.gpusPerNode, "GPU");
}

void tellNoRoom(Findings& findings, const NoRoom& noRoom)
{
    const Resources& resources = findings.job().resources;
    // The fault lies with the mode that wants more than its own nodes, which need not be the one that is placed last.
    Mode guilty = noRoom.mode;
    for (const Mode mode : allModes) {
        const std::int64_t own = reservedNodes(resources, mode);
        if (own > 0 && nodesNeeded(resources, mode) > own) {
            guilty = mode;
            break;
        }
    }
    const std::int64_t own = reservedNodes(resources, guilty);
    std::string message;
    if (own > 0 && nodesNeeded(resources, guilty) > own)
        message = demand(resources, guilty) + ", but only " + number(own) + (own == 1 ? " is" : " are") + " reserved for them.";
    else
        message = "There is no room left for " + std::string(word(noRoom.mode)) + " worker " + number(noRoom.index) + " of " +
                  counted(gpusPerWorker(resources, noRoom.mode), "GPU") + ": the workers before it fill all nodes.";
    findings.add(Code::DoesNotFit, Severity::Error, {gpusKey(guilty), workersKey(guilty), nodesKey(guilty)}, std::move(message));
    findings.note({nodesKey(guilty)}, "The nodes of these workers.").note({"resources.gpus_per_node"}, "GPUs of each node.");
    for (const Mode mode : allModes)
        if (mode != guilty && workers(resources, mode) > 0)
            findings.note({workersKey(mode)}, "These workers want nodes as well.");
}

void tellOverlap(Findings& findings, const Packing& packing, const Overlap& overlap)
{
    const Placement& worker = packing.workers[overlap.worker];
    const Placement& other = packing.workers[overlap.other];
    findings.add(Code::DoesNotFit, Severity::Error, {gpusKey(worker.mode), workersKey(worker.mode)},
                 "The " + std::string(word(worker.mode)) + " worker " + number(worker.index) +
                     " takes whole nodes, but GPUs of its first one belong to " + std::string(word(other.mode)) + " worker " +
                     number(other.index) + " already.");
    findings.note({gpusKey(other.mode), workersKey(other.mode)}, "These workers leave that node partly used.")
        .note({nodesKey(worker.mode)}, "No node is left that is empty.");
}

void tellNoWorkerNodes(Findings& findings)
{
    const Job& job = findings.job();
    if (isHeterogeneous(job)) {
        const Mode empty = job.resources.prefillNodes.value_or(0) <= 0 ? Mode::Prefill : Mode::Decode;
        findings.add(Code::DoesNotFit, Severity::Error, {nodesKey(empty), "resources.het_jobs"},
                     "A heterogeneous job needs nodes on both sides, but " + lastPart(nodesKey(empty)) + " reserves none.");
        findings.note({"resources.het_jobs"}, "This divides the job in two.");
        return;
    }
    findings.add(Code::DoesNotFit, Severity::Error, {"resources.prefill_nodes", "resources.decode_nodes", "resources.agg_nodes"},
                 "The job reserves no node for workers.");
}

void checkIdleNodes(Findings& findings, const Carving& carving, const Packing& packing)
{
    const Resources& resources = findings.job().resources;
    std::vector<bool> isUsed(carving.workers.size());
    for (const Placement& worker : packing.workers)
        for (std::int64_t k = 0; k < worker.nodes; ++k)
            isUsed[static_cast<std::size_t>(worker.firstNode + k)] = true;
    const auto idle = static_cast<std::int64_t>(std::count(isUsed.begin(), isUsed.end(), false));
    if (idle == 0)
        return;
    Mode generous = resources.isDisaggregated() ? Mode::Prefill : Mode::Agg;
    for (const Mode mode : allModes) {
        if (reservedNodes(resources, mode) > nodesNeeded(resources, mode) && workers(resources, mode) > 0) {
            generous = mode;
            break;
        }
    }
    findings.add(Code::IdleNodes, Severity::Warning, {nodesKey(generous), workersKey(generous)},
                 number(idle) + " of " + counted(static_cast<std::int64_t>(carving.workers.size()), "node") +
                     (idle == 1 ? " gets" : " get") + " no worker: " + demand(resources, generous) + ", and " +
                     number(reservedNodes(resources, generous)) + " are reserved.");
    findings.note({gpusKey(generous), workersKey(generous)}, "GPUs of these workers.")
        .note({"resources.gpus_per_node"}, "GPUs of each node.");
}

/// GPUs that nobody uses on nodes where workers run: often meant, and paid for all the same.
void checkIdleGpus(Findings& findings, const Carving& carving, const Packing& packing)
{
    const std::int64_t perNode = findings.job().resources.gpusPerNode;
    std::vector<std::int64_t> used(carving.workers.size());
    std::vector<const Placement*> last(carving.workers.size());
    for (const Placement& worker : packing.workers) {
        for (std::int64_t k = 0; k < worker.nodes; ++k) {
            const auto node = static_cast<std::size_t>(worker.firstNode + k);
            used[node] += worker.gpus;
            last[node] = &worker;
        }
    }
    std::int64_t idle = 0;
    std::int64_t nodes = 0;
    const Placement* guilty = nullptr;
    for (std::size_t node = 0; node < used.size(); ++node) {
        if (!last[node] || used[node] >= perNode)
            continue;
        idle += perNode - used[node];
        ++nodes;
        guilty = guilty ? guilty : last[node];
    }
    if (!guilty)
        return;
    findings.add(Code::IdleNodes, Severity::Info, {gpusKey(guilty->mode), workersKey(guilty->mode)},
                 number(idle) + " of " + counted(product(static_cast<std::int64_t>(used.size()), perNode), "GPU") +
                     (idle == 1 ? " gets" : " get") + " no worker: " + counted(nodes, "node") + (nodes == 1 ? " is" : " are") +
                     " used in part.");
    findings.note({nodesKey(guilty->mode)}, "The nodes of these workers.").note({"resources.gpus_per_node"}, "GPUs of each node.");
}

/// GPUs of a mode's own nodes that no worker can get, as the number of workers does not divide them. True when it told of some.
bool checkUnevenSplit(Findings& findings)
{
    bool isTold = false;
    const Resources& resources = findings.job().resources;
    for (const Mode mode : allModes) {
        const std::int64_t count = workers(resources, mode);
        const std::int64_t nodes = reservedNodes(resources, mode);
        if (count == 0 || nodes == 0 || givenGpus(resources, mode))
            continue;
        const bool isShared = mode == Mode::Prefill && resources.decodeNodes == 0 && workers(resources, Mode::Decode) > 0;
        const std::int64_t gpus = product(nodes, resources.gpusPerNode);
        const std::int64_t left = gpus - product(count, gpusPerWorker(resources, mode));
        if (isShared || left <= 0 || gpusPerWorker(resources, mode) >= resources.gpusPerNode || gpus % count == 0)
            continue;
        findings.add(Code::DoesNotFit, Severity::Warning, {workersKey(mode)},
                     counted(gpus, "GPU") + " cannot be shared evenly by " + counted(count, std::string(word(mode)) + " worker") +
                         ": each gets " + number(gpusPerWorker(resources, mode)) + " and " + number(left) +
                         (left == 1 ? " stays" : " stay") + " idle.");
        findings.note({nodesKey(mode)}, "The nodes that they share.").note({"resources.gpus_per_node"}, "GPUs of each node.");
        isTold = true;
    }
    return isTold;
}

// --- the topology ------------------------------------------------------------------------------------------------------------------------

std::string nodeName(std::int64_t position)
{
    std::array<char, 32> text{};
    const int length = std::snprintf(text.data(), text.size(), "node%03lld", static_cast<long long>(position));
    return {text.data(), static_cast<std::size_t>(length)};
}

Endpoint endpointOf(const Placement& worker, const Carving& carving, const std::vector<std::string>& nodeNames)
{
    Endpoint endpoint{.mode = worker.mode, .index = worker.index, .nodes = {}, .gpus = {}, .hetGroup = worker.hetGroup};
    for (std::int64_t k = 0; k < worker.nodes; ++k) {
        const std::int64_t position = carving.workers[static_cast<std::size_t>(worker.firstNode + k)];
        endpoint.nodes.push_back(nodeNames[static_cast<std::size_t>(position)]);
    }
    for (std::int64_t gpu = 0; gpu < worker.gpus; ++gpu)
        endpoint.gpus.push_back(worker.firstGpu + gpu);
    return endpoint;
}

Topology topologyOf(const Job& job, const Carving& carving, const Packing& packing)
{
    Topology topology;
    topology.nodes.reserve(static_cast<std::size_t>(carving.nodes));
    for (std::int64_t position = 0; position < carving.nodes; ++position)
        topology.nodes.push_back(nodeName(position));
    const auto named = [&](std::int64_t position) { return topology.nodes[static_cast<std::size_t>(position)]; };
    for (const std::int64_t position : carving.workers)
        topology.workerNodes.push_back(named(position));
    topology.head = named(carving.head);
    topology.infra = named(carving.infra);
    topology.bench = named(carving.bench);
    topology.het = isHeterogeneous(job);
    for (const Placement& worker : packing.workers)
        topology.endpoints.push_back(endpointOf(worker, carving, topology.nodes));
    topology.processes = processesOf(job, packing.workers, carving, topology.nodes);
    return topology;
}

/// The topology, or nothing when a finding says why there is none.
std::optional<Topology> placed(Findings& findings, const Counts& counts)
{
    const Job& job = findings.job();
    checkFigures(findings, counts);
    if (findings.hasErrors())
        return std::nullopt;
    const std::optional<Carving> carving = carve(job);
    if (isServicesOnly(job) && carving)
        return topologyOf(job, *carving, {}); // its own rules have seen to it that this is meant
    checkAnyWorkers(findings);
    checkGpusOfWorkers(findings);
    if (!carving)
        tellNoWorkerNodes(findings);
    const bool isPlaceable = carving && !findings.hasErrors() && checkLayout(findings);
    checkParallelSizes(findings); // whatever it finds, the workers still have their places
    if (!isPlaceable)
        return std::nullopt;

    const Packing packing = pack(job, static_cast<std::int64_t>(carving->workers.size()), carving->firstOfSecondGroup);
    if (packing.noRoom)
        tellNoRoom(findings, *packing.noRoom);
    if (packing.overlap)
        tellOverlap(findings, packing, *packing.overlap);
    if (packing.noRoom || packing.overlap || !checkDataParallel(findings, packing.workers))
        return std::nullopt;

    if (!checkUnevenSplit(findings))
        checkIdleGpus(findings, *carving, packing);
    checkIdleNodes(findings, *carving, packing);
    Topology topology = topologyOf(job, *carving, packing);
    checkPorts(findings, topology);
    return topology;
}

} // namespace

Plan plan(const Job& job, const recipe::Cluster& cluster)
{
    Plan result;
    result.counts = count(job, cluster);
    Findings findings(job, result.diagnostics);
    result.topology = placed(findings, result.counts);
    checkTimeLimit(findings);
    if (job.schema == 2)
        std::for_each(result.diagnostics.begin(), result.diagnostics.end(), recipe::turnToSecond);
    return result;
}

} // namespace wb::plan
