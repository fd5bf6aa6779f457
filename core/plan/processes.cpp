#include "core/plan/processes.h"

#include "core/plan/modes.h"
#include "core/plan/numbers.h"
#include "core/plan/ports.h"

#include <iterator>
#include <numeric>
#include <string>
#include <utility>

namespace wb::plan {

namespace {

using recipe::Job;

/// Gives out ports: some ranges count for the whole job, others begin anew on each node.
class PortCounter
{
public:
    explicit PortCounter(std::size_t nodes)
        : m_node(nodes)
    {
    }

    std::int64_t nextHttp(std::int64_t node) { return ports::http + ports::httpStep * at(node).http++; }
    std::int64_t nextBootstrap(std::int64_t node) { return ports::bootstrap + at(node).bootstrap++; }
    std::int64_t nextDpRpc(std::int64_t node) { return ports::dpRpc + at(node).dpRpc++; }
    std::int64_t nextSystem() { return m_system++; }
    std::int64_t kvEventsBlock(std::int64_t size) { return std::exchange(m_kvEvents, m_kvEvents + size); }
    std::int64_t nixlBlock(std::int64_t size) { return std::exchange(m_nixl, m_nixl + size); }

private:
    struct OfNode {
        std::int64_t http = 0;
        std::int64_t bootstrap = 0;
        std::int64_t dpRpc = 0;
    };
    OfNode& at(std::int64_t node) { return m_node[static_cast<std::size_t>(node)]; }

    std::vector<OfNode> m_node;
    std::int64_t m_system = ports::system;
    std::int64_t m_kvEvents = ports::kvEvents;
    std::int64_t m_nixl = ports::nixl;
};

std::vector<std::int64_t> gpuIndices(const Placement& worker)
{
    std::vector<std::int64_t> gpus(static_cast<std::size_t>(worker.gpus));
    std::iota(gpus.begin(), gpus.end(), worker.firstGpu);
    return gpus;
}

class ProcessMaker
{
public:
    ProcessMaker(const Job& job, const Carving& carving, const std::vector<std::string>& nodeNames)
        : m_carving(carving)
        , m_nodeNames(nodeNames)
        , m_ports(carving.workers.size())
    {
        for (const Mode mode : allModes) {
            const auto& ranks = m_dataParallel[static_cast<std::size_t>(mode)] = dataParallel(job, mode);
            m_isPerGpu = m_isPerGpu || (ranks && ranks->perGpu && workers(job.resources, mode) > 0);
        }
    }

    void add(const Placement& worker)
    {
        const std::optional<DataParallel>& ranks = m_dataParallel[static_cast<std::size_t>(worker.mode)];
        if (ranks && ranks->perGpu)
            addPerGpu(worker, *ranks);
        else if (ranks)
            addPerNode(worker, *ranks);
        else
            addPlain(worker);
    }

    std::vector<Process> take() { return std::move(m_processes); }

private:
    Process made(const Placement& worker, std::int64_t node, std::int64_t rank)
    {
        const std::int64_t position = m_carving.workers[static_cast<std::size_t>(node)];
        Process process;
        process.node = m_nodeNames[static_cast<std::size_t>(position)];
        process.mode = worker.mode;
        process.index = worker.index;
        process.rank = rank;
        process.gpus = gpuIndices(worker);
        process.sysPort = m_ports.nextSystem();
        process.hetGroup = worker.hetGroup;
        return process;
    }

    /// One process on each node; the first leads and has the ports that others call.
    void addPlain(const Placement& worker)
    {
        const std::optional<std::int64_t> bootstrap = bootstrapOn(worker, worker.firstNode);
        for (std::int64_t k = 0; k < worker.nodes; ++k) {
            Process process = made(worker, worker.firstNode + k, k);
            process.httpPort = k == 0 ? m_ports.nextHttp(worker.firstNode) : 0;
            if (k == 0 || !m_isPerGpu)
                process.bootstrapPort = bootstrap;
            process.kvEventsPort = m_ports.kvEventsBlock(1);
            process.nixlPort = m_ports.nixlBlock(1);
            m_processes.push_back(std::move(process));
        }
    }

    void addPerNode(const Placement& worker, const DataParallel& ranks)
    {
        if (ranks.replica > worker.gpus) {
            addPlain(worker); // a rank spans nodes: they are ranked as ever
            return;
        }
        const std::int64_t local = worker.gpus / ranks.replica;
        const std::int64_t rpc = m_ports.nextDpRpc(worker.firstNode);
        const std::int64_t nixl = m_ports.nixlBlock(ranks.size);
        for (std::int64_t k = 0; k < worker.nodes; ++k) {
            const std::int64_t node = worker.firstNode + k;
            Process process = made(worker, node, k * local);
            process.httpPort = m_ports.nextHttp(node);
            process.bootstrapPort = bootstrapOn(worker, node);
            process.kvEventsPort = m_ports.kvEventsBlock(local);
            process.nixlPort = nixl;
            process.dpRpcPort = rpc;
            m_processes.push_back(std::move(process));
        }
    }

    void addPerGpu(const Placement& worker, const DataParallel& ranks)
    {
        const std::int64_t rpc = m_ports.nextDpRpc(worker.firstNode);
        const std::int64_t nixl = m_ports.nixlBlock(ranks.size);
        std::int64_t rank = 0;
        for (std::int64_t k = 0; k < worker.nodes; ++k) {
            for (std::int64_t gpu = worker.firstGpu; gpu < worker.firstGpu + worker.gpus; ++gpu, ++rank) {
                const std::int64_t node = worker.firstNode + k;
                Process process = made(worker, node, rank);
                process.gpus = {gpu};
                process.httpPort = rank == 0 ? m_ports.nextHttp(node) : 0;
                if (rank == 0)
                    process.bootstrapPort = bootstrapOn(worker, node);
                process.kvEventsPort = m_ports.kvEventsBlock(1);
                process.nixlPort = nixl;
                process.dpRpcPort = rpc;
                m_processes.push_back(std::move(process));
            }
        }
    }

    std::optional<std::int64_t> bootstrapOn(const Placement& worker, std::int64_t node)
    {
        if (worker.mode != Mode::Prefill)
            return std::nullopt;
        return m_ports.nextBootstrap(node);
    }

    const Carving& m_carving;
    const std::vector<std::string>& m_nodeNames;
    PortCounter m_ports;
    std::optional<DataParallel> m_dataParallel[std::size(allModes)];
    bool m_isPerGpu = false; ///< Some mode has a process for each GPU: then only leaders have a bootstrap port.
    std::vector<Process> m_processes;
};

std::string number(std::int64_t value)
{
    return std::to_string(value);
}

bool checkRanks(Findings& findings, const Placement& worker, const DataParallel& ranks)
{
    const std::string dashed = flagKey("vllm_config", worker.mode, "data-parallel-size");
    const std::string underscored = flagKey("vllm_config", worker.mode, "data_parallel_size");
    const std::int64_t gpus = worker.nodes * worker.gpus;
    std::string fault;
    if (ranks.size <= 0 || ranks.replica <= 0)
        fault = "parallel sizes must be above 0";
    else if (ranks.perGpu && ranks.size != gpus)
        fault = "with \"per_gpu\" each GPU is a rank, but the worker has " + number(gpus) + " GPUs";
    else if (!ranks.perGpu && product(ranks.size, ranks.replica) != gpus)
        fault = counted(ranks.size, "rank") + " of " + counted(ranks.replica, "GPU") + " (tensor x pipeline parallel) need " +
                number(product(ranks.size, ranks.replica)) + ", but the worker has " + number(gpus);
    else if (!ranks.perGpu && ranks.replica <= worker.gpus && worker.gpus % ranks.replica != 0)
        fault = "the " + number(worker.gpus) + " GPUs of a node are no multiple of the " + number(ranks.replica) + " of a rank";
    else if (!ranks.perGpu && ranks.replica > worker.gpus && ranks.replica % worker.gpus != 0)
        fault = "the " + number(ranks.replica) + " GPUs of a rank are no multiple of the " + number(worker.gpus) + " of a node";
    if (fault.empty())
        return true;
    findings.add(syntax::Code::DoesNotFit, syntax::Severity::Error, {dashed, underscored, gpusKey(worker.mode)},
                 "The data-parallel-size " + number(ranks.size) + " of the " + std::string(name(worker.mode)) +
                     " workers does not fit: " + fault + ".");
    findings.note({gpusKey(worker.mode), workersKey(worker.mode)}, "This gives each worker its GPUs.");
    findings.note(
        {flagKey("vllm_config", worker.mode, "tensor-parallel-size"), flagKey("vllm_config", worker.mode, "tensor_parallel_size")},
        "GPUs of each rank.");
    return false;
}

} // namespace

std::vector<Process> processesOf(const Job& job, const std::vector<Placement>& workers, const Carving& carving,
                                 const std::vector<std::string>& nodeNames)
{
    ProcessMaker maker(job, carving, nodeNames);
    for (const Placement& worker : workers)
        maker.add(worker);
    return maker.take();
}

bool checkDataParallel(Findings& findings, const std::vector<Placement>& workers)
{
    bool isGood = true;
    for (const Mode mode : allModes) {
        const auto ranks = dataParallel(findings.job(), mode);
        if (!ranks)
            continue;
        for (const Placement& worker : workers) {
            if (worker.mode == mode) { // the workers of a mode are alike
                isGood = checkRanks(findings, worker, *ranks) && isGood;
                break;
            }
        }
    }
    return isGood;
}

} // namespace wb::plan
