#include "core/plan/packing.h"

#include "core/plan/numbers.h"

namespace wb::plan {

namespace {

class Packer {
public:
    Packer(const recipe::Resources& resources, bool spread, Packing& out) : m_resources(resources), m_spread(spread), m_out(out) {}

    /// Begins on another list of nodes.
    void openList(std::int64_t begin, std::int64_t end, std::optional<std::int64_t> hetGroup)
    {
        m_node = begin;
        m_end = end;
        m_offset = 0;
        m_hetGroup = hetGroup;
    }

    /// Leaves a partly used node when another one is left.
    void leavePartNode()
    {
        if (m_offset > 0 && m_node + 1 < m_end)
            nextNode();
    }

    /// False when the list has come to its end.
    bool place(Mode mode)
    {
        const std::int64_t count = workers(m_resources, mode);
        const std::int64_t gpus = gpusPerWorker(m_resources, mode);
        for (std::int64_t index = 0; index < count; ++index) {
            const bool placed = gpus >= m_resources.gpusPerNode ? placeWhole(mode, index, gpus) : placePart(mode, index, gpus);
            if (!placed) {
                m_out.noRoom = NoRoom{mode, index};
                return false;
            }
        }
        return true;
    }

private:
    void nextNode()
    {
        ++m_node;
        m_offset = 0;
    }

    bool placeWhole(Mode mode, std::int64_t index, std::int64_t gpus)
    {
        const std::int64_t nodes = dividedUp(gpus, m_resources.gpusPerNode);
        if (nodes > m_end - m_node)
            return false;
        // Upstream takes the node again, and two workers meet on its GPUs.
        if (m_offset > 0 && !m_out.overlap)
            m_out.overlap = Overlap{m_out.workers.size(), m_out.workers.size() - 1};
        m_out.workers.push_back({mode, index, m_node, nodes, 0, m_resources.gpusPerNode, m_hetGroup});
        m_node += nodes;
        return true;
    }

    bool placePart(Mode mode, std::int64_t index, std::int64_t gpus)
    {
        if (m_offset + gpus > m_resources.gpusPerNode)
            nextNode();
        if (m_node >= m_end)
            return false;
        m_out.workers.push_back({mode, index, m_node, 1, m_offset, gpus, m_hetGroup});
        m_offset += gpus;
        if (m_offset >= m_resources.gpusPerNode || m_spread)
            nextNode();
        return true;
    }

    const recipe::Resources& m_resources;
    bool m_spread = false;
    Packing& m_out;
    std::int64_t m_node = 0;
    std::int64_t m_end = 0;
    std::int64_t m_offset = 0;
    std::optional<std::int64_t> m_hetGroup;
};

} // namespace

Packing pack(const recipe::Job& job, std::int64_t nodes, std::int64_t firstOfSecondGroup)
{
    Packing packing;
    if (isHeterogeneous(job)) {
        Packer packer(job.resources, false, packing);
        packer.openList(0, firstOfSecondGroup, 0);
        if (packer.place(Mode::Prefill)) {
            packer.openList(firstOfSecondGroup, nodes, 1);
            (void)packer.place(Mode::Decode);
        }
        return packing;
    }
    Packer packer(job.resources, job.resources.spreadWorkers, packing);
    packer.openList(0, nodes, std::nullopt);
    if (!packer.place(Mode::Prefill))
        return packing;
    if (workers(job.resources, Mode::Decode) > 0 && !packsTogether(job))
        packer.leavePartNode();
    if (packer.place(Mode::Decode))
        (void)packer.place(Mode::Agg);
    return packing;
}

std::int64_t nodesNeeded(const recipe::Resources& resources, Mode mode)
{
    const std::int64_t count = workers(resources, mode);
    const std::int64_t gpus = gpusPerWorker(resources, mode);
    if (count <= 0 || gpus <= 0 || resources.gpusPerNode <= 0)
        return 0;
    if (gpus >= resources.gpusPerNode)
        return product(count, dividedUp(gpus, resources.gpusPerNode));
    if (resources.spreadWorkers && !resources.hetJobs)
        return count;
    return dividedUp(count, resources.gpusPerNode / gpus);
}

} // namespace wb::plan
