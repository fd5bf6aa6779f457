#include "core/plan/carving.h"

#include <numeric>

namespace wb::plan {

namespace {

/// One node, the first or (with a client of its own) the last, takes all dedicated roles.
Carving carveShared(std::int64_t nodes, const Reserved& roles)
{
    Carving carving{.nodes = nodes};
    const bool atEnd = roles.client;
    const std::int64_t service = atEnd ? nodes - 1 : 0;
    const std::int64_t firstWorker = atEnd ? 0 : 1;
    carving.head = roles.frontend ? service : firstWorker;
    carving.bench = atEnd ? service : carving.head;
    carving.infra = roles.infra ? service : carving.head;
    carving.workers.resize(static_cast<std::size_t>(nodes - 1));
    std::iota(carving.workers.begin(), carving.workers.end(), firstWorker);
    return carving;
}

/// A node for each role: infra and frontend from the front, the client last, as the orchestrator runs on the first node.
Carving carveApart(std::int64_t nodes, const Reserved& roles)
{
    Carving carving{.nodes = nodes};
    const std::int64_t front = (roles.infra ? 1 : 0) + (roles.frontend ? 1 : 0);
    carving.head = roles.frontend ? front - 1 : front;
    carving.infra = roles.infra ? 0 : carving.head;
    carving.bench = roles.client ? nodes - 1 : carving.head;
    carving.workers.resize(static_cast<std::size_t>(nodes - roles.nodes()));
    std::iota(carving.workers.begin(), carving.workers.end(), front);
    return carving;
}

Carving carveHeterogeneous(std::int64_t firstGroup, std::int64_t secondGroup, bool dedicatedInfra)
{
    Carving carving{.nodes = firstGroup + secondGroup};
    const std::int64_t firstWorker = dedicatedInfra ? 1 : 0;
    carving.head = firstWorker;
    carving.infra = 0;
    carving.bench = firstWorker;
    carving.workers.resize(static_cast<std::size_t>(carving.nodes - firstWorker));
    std::iota(carving.workers.begin(), carving.workers.end(), firstWorker);
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
    if (roles.nodes() > 0)
        return roles.shared ? carveShared(nodes, roles) : carveApart(nodes, roles);
    Carving carving{.nodes = nodes};
    carving.workers.resize(static_cast<std::size_t>(nodes));
    std::iota(carving.workers.begin(), carving.workers.end(), 0);
    return carving;
}

} // namespace wb::plan
