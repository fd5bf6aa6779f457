#include "core/render/artifact.h"

namespace wb::render {

namespace {

using base::json::Array;
using base::json::Object;
using base::json::Value;

template <typename T>
Value listOf(const std::vector<T>& items)
{
    Array out;
    out.reserve(items.size());
    for (const T& item : items)
        out.emplace_back(item);
    return out;
}

Value processOf(const plan::Process& process)
{
    return Object{
        {"node", process.node},         {"mode", plan::name(process.mode)},       {"index", process.index},
        {"rank", process.rank},         {"gpus", listOf(process.gpus)},           {"httpPort", process.httpPort},
        {"sysPort", process.sysPort},   {"bootstrapPort", process.bootstrapPort}, {"kvEventsPort", process.kvEventsPort},
        {"nixlPort", process.nixlPort}, {"dpRpcPort", process.dpRpcPort},         {"hetGroup", process.hetGroup},
    };
}

} // namespace

Value toJson(const plan::Topology& topology)
{
    Array processes;
    processes.reserve(topology.processes.size());
    for (const plan::Process& process : topology.processes)
        processes.push_back(processOf(process));
    return Object{
        {"nodes", listOf(topology.nodes)},   {"head", topology.head}, {"infra", topology.infra}, {"bench", topology.bench},
        {"processes", std::move(processes)},
    };
}

} // namespace wb::render
