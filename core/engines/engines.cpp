#include "core/base/text.h"
#include "core/engines/engine.h"
#include "core/engines/mocker.h"
#include "core/engines/mooncake.h"
#include "core/engines/sglang.h"
#include "core/engines/trtllm.h"
#include "core/engines/vllm.h"
#include "core/plan/paths.h"
#include "core/syntax/pythontext.h"

#include <algorithm>

namespace wb::engines {

std::span<const Engine> engines()
{
    static constexpr Engine all[] = {
        {.id = "sglang",
         .title = "SGLang",
         .doc = "SGLang workers, under dynamo or behind SGLang's own router.",
         .starting = Starting::EachProcess,
         .servedName = nameInFlags,
         .command = sglangCommand,
         .environment = addMooncake},
        {.id = "vllm",
         .title = "vLLM",
         .doc = "vLLM workers under dynamo, or one vLLM server by itself.",
         .starting = Starting::EachProcess,
         .servedName = nameInFlags,
         .command = vllmCommand,
         .environment = vllmEnvironment,
         .setsVisibleDevices = vllmSetsVisibleDevices,
         .unsetAcrossNodes = "VLLM_PORT"},
        {.id = "trtllm",
         .title = "TensorRT-LLM",
         .doc = "TensorRT-LLM workers started by MPI, under dynamo or behind its own server.",
         .starting = Starting::AsOneByMpi,
         .servedName = nameOfModel,
         .command = trtllmCommand,
         .modeEnvironment = trtllmModeEnvironment,
         .configFile = trtllmConfigFile},
        {.id = "mocker",
         .title = "Mocker",
         .doc = "Dynamo's engine without a model, for trying out the rest.",
         .starting = Starting::EachProcess,
         .servedName = nameOfModel,
         .command = mockerCommand},
    };
    return all;
}

const Engine* find(std::string_view id)
{
    const auto all = engines();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Engine& engine) { return engine.id == id; });
    return found == all.end() ? nullptr : &*found;
}

std::int64_t Worker::nodeRank() const
{
    return std::find(nodes.begin(), nodes.end(), process.node) - nodes.begin();
}

std::string Worker::leaderAddress() const
{
    return plan::addressOf(nodes.front());
}

std::string Worker::gpuList() const
{
    std::string out;
    for (const std::int64_t gpu : process.gpus)
        out += (out.empty() ? "" : ",") + std::to_string(gpu);
    return out;
}

std::string nameOfModel(const recipe::Job& job)
{
    return plan::modelName(job);
}

std::string nameInFlags(const recipe::Job& job)
{
    for (const plan::Mode mode : {plan::Mode::Prefill, plan::Mode::Agg, plan::Mode::Decode}) {
        const syntax::ValuePtr name = Flags(job.backend.of(mode).flags).find("served-model-name");
        if (name && !name->isNull() && !syntax::pythonText(*name).empty())
            return syntax::pythonText(*name);
    }
    return plan::modelName(job);
}

std::optional<std::string> kvEvents(const Worker& worker, std::string_view extra)
{
    const syntax::ValuePtr setting = worker.job.backend.options ? worker.job.backend.options->find("kv_events_config") : nullptr;
    if (!setting || !worker.process.kvEventsPort)
        return std::nullopt;
    syntax::ValuePtr own = setting;
    if (setting->isMapping())
        own = setting->find(worker.process.mode == plan::Mode::Agg ? "aggregated" : plan::name(worker.process.mode));
    else if (worker.process.mode == plan::Mode::Agg)
        return std::nullopt;
    const bool isOn = own && own->kind == syntax::Kind::Bool && own->boolean;
    if (!own || (!isOn && !own->isMapping()))
        return std::nullopt;

    syntax::ValuePtr config = syntax::with(nullptr, "publisher", syntax::makeString("zmq", syntax::Layer::Default));
    config = syntax::with(config, "topic", syntax::makeString("kv-events", syntax::Layer::Default));
    if (!extra.empty())
        config = syntax::with(config, extra, syntax::makeBool(true, syntax::Layer::Default));
    for (const syntax::Member& member : own->members)
        config = syntax::with(config, member.key, member.value);
    const std::string endpoint = "tcp://*:" + std::to_string(*worker.process.kvEventsPort);
    config = syntax::with(config, "endpoint", syntax::makeString(endpoint, syntax::Layer::Default));
    return jsonText(*config);
}

std::string textAt(const syntax::ValuePtr& root, std::string_view path)
{
    const syntax::ValuePtr value = root ? syntax::at(root, path) : nullptr;
    return value && value->isString() ? value->text : std::string();
}

bool isTrueAt(const syntax::ValuePtr& root, std::string_view path)
{
    const syntax::ValuePtr value = root ? syntax::at(root, path) : nullptr;
    return value && value->kind == syntax::Kind::Bool && value->boolean;
}

std::string dumpFile(const Worker& worker)
{
    return plan::logFolder(worker.cluster) + "/" + worker.process.node + "_config.json";
}

} // namespace wb::engines
