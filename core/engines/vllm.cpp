#include "core/engines/vllm.h"

#include "core/base/text.h"
#include "core/engines/mooncake.h"
#include "core/engines/profiling.h"
#include "core/plan/paths.h"
#include "core/plan/ports.h"

#include <optional>
#include <utility>

namespace wb::engines {

namespace {

using plan::DataParallel;

/// The short names of connectors, and what vLLM is told.
struct Connector {
    std::string_view name;
    std::string_view config;
};
constexpr Connector connectors[] = {
    {"nixl", R"({"kv_connector": "NixlConnector", "kv_role": "kv_both"})"},
    {"lmcache", R"({"kv_connector": "LMCacheConnectorV1", "kv_role": "kv_both"})"},
    {"kvbm", R"({"kv_connector": "DynamoConnector", "kv_connector_module_path": "kvbm.vllm_integration.connector", "kv_role": "kv_both"})"},
};

class Line
{
public:
    explicit Line(Words words)
        : m_words(std::move(words))
    {
    }

    void add(std::string_view flag) { m_words.emplace_back(flag); }
    void add(std::string_view flag, std::string value)
    {
        m_words.emplace_back(flag);
        m_words.push_back(std::move(value));
    }
    void add(std::string_view flag, std::int64_t value) { add(flag, std::to_string(value)); }
    void addAll(const Words& words) { m_words.insert(m_words.end(), words.begin(), words.end()); }

    Words take() { return std::move(m_words); }

private:
    Words m_words;
};

/// What `--kv-transfer-config` gets; nothing when the connector is off. The mode's own goes before the backend's.
std::optional<std::string> transferConfig(const Worker& worker, const Flags& flags)
{
    syntax::ValuePtr connector = flags.find("connector");
    if (!connector || connector->isNull())
        connector = worker.job.backend.options ? worker.job.backend.options->find("connector") : nullptr;
    if (!connector || !connector->isString() || connector->text.empty() || connector->text == "null" || connector->text == "none")
        return std::nullopt;
    const std::string lowered = base::lowered(connector->text);
    for (const Connector& known : connectors)
        if (known.name == lowered)
            return std::string(known.config);
    return connector->text;
}

void addDevices(const Worker& worker, Line& line)
{
    if (!vllmSetsVisibleDevices(worker.job) && !worker.process.gpus.empty())
        line.add("--device-ids", worker.gpuList());
}

/// A rank's place among the nodes of a worker that spans them.
void addRendezvous(const Worker& worker, Line& line)
{
    line.add("--master-addr", worker.leaderAddress());
    line.add("--nnodes", static_cast<std::int64_t>(worker.nodes.size()));
    line.add("--node-rank", worker.nodeRank());
}

/// Port at which data-parallel ranks meet: the plan's, else the recipe's, else the first of the range.
std::int64_t rpcPort(const Worker& worker, const Flags& flags)
{
    if (worker.process.dpRpcPort)
        return *worker.process.dpRpcPort;
    const syntax::ValuePtr own = flags.find("data-parallel-rpc-port");
    return own && own->kind == syntax::Kind::Integer ? own->integer : plan::ports::dpRpc;
}

void addDataParallel(const Worker& worker, const DataParallel& ranks, Flags& flags, Line& line)
{
    const std::int64_t port = rpcPort(worker, flags);
    flags.drop("data-parallel-rpc-port");
    const auto gpus = static_cast<std::int64_t>(worker.process.gpus.size());
    if (ranks.perGpu) {
        line.add("--data-parallel-rank", worker.process.rank);
        line.add("--data-parallel-address", worker.leaderAddress());
        line.add("--data-parallel-rpc-port", port);
        return;
    }
    for (const std::string_view derived : {"data-parallel-size-local", "data-parallel-start-rank", "data-parallel-hybrid-lb", "headless"})
        flags.drop(derived);
    if (ranks.replica > gpus) {
        addRendezvous(worker, line);
        line.add("--data-parallel-address", worker.leaderAddress());
        line.add("--data-parallel-rpc-port", port);
        if (worker.nodeRank() > 0)
            line.add("--headless");
        return;
    }
    line.add("--data-parallel-size-local", gpus / ranks.replica);
    line.add("--data-parallel-start-rank", worker.process.rank);
    line.add("--data-parallel-address", worker.leaderAddress());
    line.add("--data-parallel-rpc-port", port);
    line.add("--data-parallel-hybrid-lb");
}

/// Under the frontend "vllm": one server, whose first node answers the public port.
Words serverCommand(const Worker& worker, Flags flags)
{
    for (const std::string_view derived : {"headless", "host", "port", "master-addr", "nnodes", "node-rank", "connector"})
        flags.drop(derived);
    if (!flags.find("served-model-name"))
        flags.set("served-model-name", nameInFlags(worker.job));
    Line line({"vllm", "serve", plan::modelArgument(worker.job)});
    if (worker.nodeRank() == 0) {
        line.add("--host", "0.0.0.0");
        line.add("--port", plan::ports::publicApi);
    }
    if (worker.spansNodes())
        addRendezvous(worker, line);
    if (worker.nodeRank() > 0) {
        line.add("--headless");
        flags.drop("api-server-count");
    }
    addDevices(worker, line);
    line.addAll(flags.words());
    return line.take();
}

} // namespace

Words vllmCommand(const Worker& worker)
{
    const plan::Process& process = worker.process;
    Flags flags(worker.settings().flags);
    if (auto profiler = vllmProfiler(worker.job, process.mode))
        flags.set("profiler-config", std::move(*profiler));
    if (worker.job.frontend.type == "vllm")
        return serverCommand(worker, std::move(flags));

    Line line({"python3", "-m", "dynamo.vllm"});
    line.add("--model", plan::modelArgument(worker.job));
    line.add("--served-model-name", nameInFlags(worker.job));
    if (process.mode != plan::Mode::Agg)
        line.add("--disaggregation-mode", std::string(plan::name(process.mode)));
    if (auto transfer = transferConfig(worker, flags))
        line.add("--kv-transfer-config", std::move(*transfer));
    flags.drop("connector");
    addDevices(worker, line);
    if (const auto ranks = plan::dataParallel(worker.job, process.mode)) {
        addDataParallel(worker, *ranks, flags, line);
    } else if (worker.spansNodes()) {
        addRendezvous(worker, line);
        if (worker.nodeRank() > 0)
            line.add("--headless");
    }
    line.add("--request-plane", textAt(worker.job.config, "dynamo.request_plane"));
    line.add("--dump-config-to", dumpFile(worker));
    if (auto events = kvEvents(worker, "enable_kv_cache_events"))
        line.add("--kv-events-config", std::move(*events));
    line.addAll(flags.words());
    return line.take();
}

void vllmEnvironment(const Worker& worker, Environment& environment)
{
    const plan::Process& process = worker.process;
    if (process.kvEventsPort)
        environment.set("DYN_VLLM_KV_EVENT_PORT", std::to_string(*process.kvEventsPort), "ports");
    if (process.nixlPort) {
        environment.set("VLLM_NIXL_SIDE_CHANNEL_PORT", std::to_string(*process.nixlPort), "ports");
        environment.set("VLLM_NIXL_SIDE_CHANNEL_HOST", plan::addressOf(process.node), "ports");
    }
    const std::int64_t number = process.sysPort.value_or(plan::ports::system) - plan::ports::system;
    environment.set("VLLM_PORT", std::to_string(plan::ports::vllm + plan::ports::vllmStep * number), "ports");
    addMooncake(worker, environment);
    if (const syntax::ValuePtr store = worker.job.backend.options ? worker.job.backend.options->find("mooncake_kv_store") : nullptr;
        store && store->isMapping())
        environment.set("MOONCAKE_CONFIG_PATH", "/logs/mooncake_store_config.json", "mooncake");
}

bool vllmSetsVisibleDevices(const recipe::Job& job)
{
    return isTrueAt(job.backend.options, "set_cuda_visible_devices");
}

} // namespace wb::engines
