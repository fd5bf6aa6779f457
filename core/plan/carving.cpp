#include "core/plan/carving.h"

#include <algorithm>
#include <numeric>

namespace wb::plan {

namespace {

/// Workers on consecutive nodes of the allocation.
Carving withWorkers(std::int64_t nodes, std::int64_t firstWorker, std::int64_t count)
{
    Carving carving;
    carving.nodes = nodes;
    carving.workers.resize(static_cast<std::size_t>(count));
    std::iota(carving.workers.begin(), carving.workers.end(), firstWorker);
    return carving;
}

/// One node, the first or (with a client of its own) the last, takes all dedicated roles.
Carving carveShared(std::int64_t nodes, const Reserved& roles)
{
    const bool atEnd = roles.client;
    const std::int64_t service = atEnd ? nodes - 1 : 0;
    const std::int64_t firstWorker = atEnd ? 0 : 1;
    Carving carving = withWorkers(nodes, firstWorker, nodes - 1);
    carving.head = roles.frontend ? service : firstWorker;
    carving.bench = atEnd ? service : carving.head;
    carving.infra = roles.infra ? service : carving.head;
    return carving;
}

/// A node for each role: infra and frontend from the front, the client last, as the orchestrator runs on the first node.
Carving carveApart(std::int64_t nodes, const Reserved& roles)
{
    const std::int64_t front = (roles.infra ? 1 : 0) + (roles.frontend ? 1 : 0);
    Carving carving = withWorkers(nodes, front, nodes - roles.nodes());
    carving.head = roles.frontend ? front - 1 : front;
    carving.infra = roles.infra ? 0 : carving.head;
    carving.bench = roles.client ? nodes - 1 : carving.head;
    return carving;
}

Carving carveHeterogeneous(std::int64_t firstGroup, std::int64_t secondGroup, bool dedicatedInfra)
{
    const std::int64_t nodes = firstGroup + secondGroup;
    const std::int64_t firstWorker = dedicatedInfra ? 1 : 0;
    Carving carving = withWorkers(nodes, firstWorker, nodes - firstWorker);
    carving.head = firstWorker;
    carving.infra = 0;
    carving.bench = firstWorker;
    carving.firstOfSecondGroup = firstGroup - firstWorker;
    return carving;
}

} // namespace

std::optional<Carving> carve(const recipe::Job& job)
{
    const std::vector<std::int64_t> components = allocation(job);
    if (isHeterogeneous(job)) {
        if (components[0] <= (job.etcdNatsDedicatedNode ? 1 : 0) || components[1] <= 0)
            return std::nullopt;
        return carveHeterogeneous(components[0], components[1], job.etcdNatsDedicatedNode);
    }
    const Reserved roles = reserved(job);
    const std::int64_t nodes = components[0];
    if (nodes <= roles.nodes())
        return std::nullopt;
    Carving carving = roles.nodes() == 0 ? withWorkers(nodes, 0, nodes)
                      : roles.shared     ? carveShared(nodes, roles)
                                         : carveApart(nodes, roles);
    // The pools of services follow the workers.
    const std::int64_t pools = std::min<std::int64_t>(job.poolNodes, static_cast<std::int64_t>(carving.workers.size()));
    carving.workers.resize(carving.workers.size() - static_cast<std::size_t>(pools));
    return carving;
}

} // namespace wb::plan
