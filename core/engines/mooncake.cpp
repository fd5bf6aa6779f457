#include "core/engines/mooncake.h"

#include "core/plan/paths.h"
#include "core/plan/ports.h"

namespace wb::engines {

void addMooncake(const Worker& worker, Environment& environment)
{
    const syntax::ValuePtr store = worker.job.backend.options ? worker.job.backend.options->find("mooncake_kv_store") : nullptr;
    if (!store || !store->isMapping())
        return;
    environment.set("MOONCAKE_LOCAL_HOSTNAME", plan::addressOf(worker.process.node), "mooncake");
    if (const syntax::ValuePtr own = store->find("env"))
        for (const syntax::Member& member : own->members)
            environment.set(member.key, member.value->text, "backend.mooncake_kv_store.env");
    const std::string infra = plan::addressOf(worker.topology.infra);
    environment.set("MOONCAKE_MASTER", infra + ":" + std::to_string(plan::ports::mooncake), "mooncake");
    environment.set("MOONCAKE_TE_META_DATA_SERVER", "http://" + infra + ":" + std::to_string(plan::ports::mooncake + 1) + "/metadata",
                    "mooncake");
}

} // namespace wb::engines
