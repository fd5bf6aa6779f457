#include "core/engines/sglang.h"

#include "core/plan/paths.h"
#include "core/plan/ports.h"

namespace wb::engines {

Words sglangCommand(const Worker& worker)
{
    const plan::Process& process = worker.process;
    const bool isBehindOwnRouter = worker.job.frontend.type == "sglang";
    const bool isAggregated = process.mode == plan::Mode::Agg;
    const std::int64_t number = process.sysPort.value_or(plan::ports::system) - plan::ports::system;

    Words words{"python3", "-m", isBehindOwnRouter ? "sglang.launch_server" : "dynamo.sglang"};
    const auto add = [&](std::string_view flag, std::string value) {
        words.emplace_back(flag);
        words.push_back(std::move(value));
    };
    add("--model-path", plan::modelArgument(worker.job));
    add("--served-model-name", nameInFlags(worker.job));
    add("--host", "0.0.0.0");
    add("--port", std::to_string(process.httpPort.value_or(0)));
    add("--nccl-port", std::to_string(plan::ports::nccl + number));
    if (!isAggregated)
        add("--disaggregation-mode", std::string(plan::name(process.mode)));
    if (process.mode == plan::Mode::Prefill && process.bootstrapPort)
        add("--disaggregation-bootstrap-port", std::to_string(*process.bootstrapPort));
    if (worker.spansNodes()) {
        add("--dist-init-addr", worker.leaderAddress() + ":" + std::to_string(plan::ports::distInit));
        add("--nnodes", std::to_string(worker.nodes.size()));
        add("--node-rank", std::to_string(worker.nodeRank()));
    }
    if (!isBehindOwnRouter)
        add("--dump-config-to", dumpFile(worker));
    if (auto events = kvEvents(worker))
        add("--kv-events-config", std::move(*events));
    if (!isBehindOwnRouter)
        add("--request-plane", textAt(worker.job.config, "dynamo.request_plane"));

    Flags flags(worker.settings().flags);
    for (const std::string_view given : {"model-path", "served-model-name", "nccl-port"})
        flags.drop(given);
    const Words own = flags.words();
    words.insert(words.end(), own.begin(), own.end());
    return words;
}

} // namespace wb::engines
