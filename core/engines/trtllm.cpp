#include "core/engines/trtllm.h"

#include "core/plan/paths.h"
#include "core/plan/ports.h"
#include "core/syntax/pythontext.h"

namespace wb::engines {

namespace {

/// Memory is bound to the sockets of a Grace-Blackwell node unless the recipe says otherwise; never for aggregated workers.
bool bindsMemory(const Worker& worker)
{
    if (worker.process.mode == plan::Mode::Agg)
        return false;
    const syntax::ValuePtr bind = worker.job.backend.options ? worker.job.backend.options->find("numa_memory_bind") : nullptr;
    if (bind && bind->kind == syntax::Kind::Bool)
        return bind->boolean;
    const std::string& gpu = worker.job.resources.gpuType;
    return gpu == "gb200" || gpu == "gb300";
}

/// The copy on the node's own disk when there is one: only this engine reads it.
std::string modelArgument(const recipe::Job& job)
{
    const std::string staged = plan::stagedModel(job);
    return staged.empty() ? plan::modelArgument(job) : staged;
}

Words serverWords(const Worker& worker)
{
    const bool isPublic = worker.process.mode == plan::Mode::Agg;
    const std::int64_t port = isPublic ? plan::ports::publicApi : worker.process.httpPort.value_or(0);
    Words words{"trtllm-serve", modelArgument(worker.job), "--host", "0.0.0.0", "--port", std::to_string(port)};
    const syntax::ValuePtr& flags = worker.settings().flags;
    for (const std::string_view key : {"tensor_parallel_size", "moe_expert_parallel_size", "pipeline_parallel_size"}) {
        const syntax::ValuePtr value = flags ? flags->find(key) : nullptr;
        if (value && !value->isNull()) {
            words.push_back("--" + std::string(key));
            words.push_back(syntax::pythonText(*value));
        }
    }
    words.emplace_back("--config");
    words.push_back("/logs/" + trtllmConfigFile(worker.process.mode));
    return words;
}

Words dynamoWords(const Worker& worker)
{
    Words words{
        "python3", "-m", "dynamo.trtllm", "--model-path", modelArgument(worker.job), "--served-model-name", plan::modelName(worker.job)};
    if (worker.process.mode != plan::Mode::Agg) {
        words.emplace_back("--disaggregation-mode");
        words.emplace_back(plan::name(worker.process.mode));
    }
    words.emplace_back("--extra-engine-args");
    words.push_back("/logs/" + trtllmConfigFile(worker.process.mode));
    words.emplace_back("--request-plane");
    words.push_back(textAt(worker.job.config, "dynamo.request_plane"));
    if (isTrueAt(worker.job.backend.options, "publish_events_and_metrics"))
        words.emplace_back("--publish-events-and-metrics");
    return words;
}

} // namespace

void trtllmModeEnvironment(const Worker&, Environment& environment)
{
    environment.set("TRTLLM_EPLB_SHM_NAME", "moe_shared_" + std::string(plan::unknownUuid), "srtctl");
}

std::string trtllmConfigFile(plan::Mode mode)
{
    return "trtllm_config_" + std::string(plan::name(mode)) + ".yaml";
}

Words trtllmCommand(const Worker& worker)
{
    Words words;
    if (bindsMemory(worker))
        words = {"numactl", "-m", "0,1"};
    words.emplace_back("trtllm-llmapi-launch");
    const Words rest = worker.job.frontend.type == "trtllm_serve" ? serverWords(worker) : dynamoWords(worker);
    words.insert(words.end(), rest.begin(), rest.end());
    return words;
}

} // namespace wb::engines
