#include "core/recipe/lower.h"

#include "core/base/text.h"
#include "core/recipe/coerce.h"

#include <utility>

namespace wb::recipe {

using syntax::Value;
using syntax::ValuePtr;

namespace {

std::string text(const Value& block, std::string_view key, std::string_view otherwise = {})
{
    const ValuePtr value = block.find(key);
    return value && value->isString() ? value->text : std::string(otherwise);
}

std::optional<std::string> optionalText(const Value& block, std::string_view key)
{
    const ValuePtr value = block.find(key);
    return value && value->isString() ? std::optional(value->text) : std::nullopt;
}

std::optional<std::int64_t> optionalInteger(const Value& block, std::string_view key)
{
    const ValuePtr value = block.find(key);
    return value && value->kind == syntax::Kind::Integer ? std::optional(value->integer) : std::nullopt;
}

std::int64_t integer(const Value& block, std::string_view key, std::int64_t otherwise)
{
    return optionalInteger(block, key).value_or(otherwise);
}

bool flag(const Value& block, std::string_view key, bool otherwise)
{
    const ValuePtr value = block.find(key);
    return value && value->kind == syntax::Kind::Bool ? value->boolean : otherwise;
}

TextPairs pairs(const Value& block, std::string_view key)
{
    TextPairs out;
    if (const ValuePtr map = block.find(key)) {
        for (const syntax::Member& member : map->members) {
            if (member.value->isString())
                out.emplace_back(member.key, member.value->text);
        }
    }
    return out;
}

std::vector<std::string> texts(const Value& block, std::string_view key)
{
    std::vector<std::string> out;
    if (const ValuePtr list = block.find(key)) {
        for (const ValuePtr& item : list->items) {
            if (item->isString())
                out.push_back(item->text);
        }
    }
    return out;
}

/// A list of numbers, or a text such as "4x8x16".
std::vector<std::int64_t> concurrencies(const ValuePtr& value)
{
    std::vector<std::int64_t> out;
    if (!value)
        return out;
    for (const ValuePtr& item : value->items) {
        if (const auto whole = asInteger(*item))
            out.push_back(whole->value);
    }
    if (!value->isString())
        return out;
    for (const std::string_view part : base::splitAt(value->text, 'x')) {
        const auto whole = base::integerOf(base::trimmed(part));
        if (!whole)
            return {};
        out.push_back(*whole);
    }
    return out;
}

/// The mapping below `key`; an empty one when it is absent or null, so that callers need not ask.
ValuePtr block(const Value& parent, std::string_view key)
{
    ValuePtr value = parent.find(key);
    if (value && value->isMapping())
        return value;
    static const ValuePtr none = [] {
        auto empty = std::make_shared<Value>();
        empty->kind = syntax::Kind::Mapping;
        empty->layer = syntax::Layer::Default;
        return empty;
    }();
    return none;
}

Resources resourcesOf(const Value& from)
{
    Resources out;
    out.gpuType = text(from, "gpu_type");
    out.gpusPerNode = integer(from, "gpus_per_node", out.gpusPerNode);
    out.prefillNodes = optionalInteger(from, "prefill_nodes");
    out.decodeNodes = optionalInteger(from, "decode_nodes");
    out.aggNodes = optionalInteger(from, "agg_nodes");
    out.prefillWorkers = optionalInteger(from, "prefill_workers");
    out.decodeWorkers = optionalInteger(from, "decode_workers");
    out.aggWorkers = optionalInteger(from, "agg_workers");
    out.gpusPerPrefill = optionalInteger(from, "gpus_per_prefill");
    out.gpusPerDecode = optionalInteger(from, "gpus_per_decode");
    out.gpusPerAgg = optionalInteger(from, "gpus_per_agg");
    out.spreadWorkers = flag(from, "spread_workers", false);
    out.hetJobs = flag(from, "het_jobs", false);
    return out;
}

Backend backendOf(const ValuePtr& from)
{
    Backend out;
    out.type = text(*from, "type", "sglang");
    out.options = from;
    const ValuePtr flags = block(*from, out.type + "_config");
    const auto mode = [&](std::string_view environment, std::string_view key) {
        const ValuePtr own = flags->find(key);
        return ModeSettings{pairs(*from, environment), own && own->isMapping() ? own : nullptr};
    };
    out.prefill = mode("prefill_environment", "prefill");
    out.decode = mode("decode_environment", "decode");
    out.agg = mode("aggregated_environment", "aggregated");
    return out;
}

Frontend frontendOf(const ValuePtr& from)
{
    Frontend out;
    out.type = text(*from, "type", out.type);
    out.multiple = flag(*from, "enable_multiple_frontends", out.multiple);
    out.additional = integer(*from, "num_additional_frontends", out.additional);
    out.nginxContainer = text(*from, "nginx_container");
    out.dedicatedNode = flag(*from, "dedicated_node", false);
    out.orchestratorPlacement = text(*from, "orchestrator_placement", out.orchestratorPlacement);
    out.block = from;
    return out;
}

Benchmark benchmarkOf(const ValuePtr& from)
{
    Benchmark out;
    out.type = text(*from, "type", out.type);
    out.isl = optionalInteger(*from, "isl");
    out.osl = optionalInteger(*from, "osl");
    out.concurrencies = concurrencies(from->find("concurrencies"));
    out.clientPlacement = text(*from, "client_placement", out.clientPlacement);
    out.clientDedicatedNode = flag(*from, "client_dedicated_node", false);
    out.colocateWithFrontend = flag(*from, "colocate_with_frontend", true);
    out.block = from;
    return out;
}

} // namespace

const ModeSettings& Backend::of(Mode mode) const
{
    switch (mode) {
    case Mode::Prefill:
        return prefill;
    case Mode::Decode:
        return decode;
    case Mode::Agg:
        break;
    }
    return agg;
}

Job lower(const ValuePtr& config)
{
    Job out;
    out.config = config;
    out.written = config;
    out.name = text(*config, "name");
    const ValuePtr model = block(*config, "model");
    out.modelPath = text(*model, "path");
    out.container = text(*model, "container");
    out.precision = text(*model, "precision");
    out.stageDir = optionalText(*model, "stage_dir");
    out.resources = resourcesOf(*block(*config, "resources"));
    const ValuePtr slurm = block(*config, "slurm");
    out.account = optionalText(*slurm, "account");
    out.partition = optionalText(*slurm, "partition");
    out.timeLimit = optionalText(*slurm, "time_limit");
    out.backend = backendOf(block(*config, "backend"));
    out.frontend = frontendOf(block(*config, "frontend"));
    out.benchmark = benchmarkOf(block(*config, "benchmark"));
    out.installsDynamo = flag(*block(*config, "dynamo"), "install", true);
    out.etcdNatsDedicatedNode = flag(*block(*config, "infra"), "etcd_nats_dedicated_node", false);
    const ValuePtr health = block(*config, "health_check");
    out.healthMaxAttempts = integer(*health, "max_attempts", out.healthMaxAttempts);
    out.healthIntervalSeconds = integer(*health, "interval_seconds", out.healthIntervalSeconds);
    out.environment = pairs(*config, "environment");
    out.containerMounts = pairs(*config, "container_mounts");
    out.extraMounts = texts(*config, "extra_mount");
    out.srunOptions = pairs(*config, "srun_options");
    out.sbatchDirectives = pairs(*config, "sbatch_directives");
    out.setupScript = optionalText(*config, "setup_script");
    return out;
}

Cluster lowerCluster(const ValuePtr& config, std::string path)
{
    Cluster out;
    out.isKnown = true;
    out.path = std::move(path);
    out.config = config;
    out.name = text(*config, "cluster");
    out.gpusPerNode = optionalInteger(*config, "gpus_per_node");
    out.networkInterface = text(*config, "network_interface", out.networkInterface);
    out.gpusPerNodeDirective = flag(*config, "use_gpus_per_node_directive", out.gpusPerNodeDirective);
    out.segmentDirective = flag(*config, "use_segment_sbatch_directive", out.segmentDirective);
    out.exclusiveDirective = flag(*config, "use_exclusive_sbatch_directive", out.exclusiveDirective);
    out.srtctlRoot = text(*config, "srtctl_root");
    out.outputDir = text(*config, "output_dir");
    out.defaultMounts = pairs(*config, "default_mounts");
    out.bashPreamble = text(*config, "default_bash_preamble");
    out.modelPaths = pairs(*config, "model_paths");
    out.containers = pairs(*config, "containers");
    return out;
}

} // namespace wb::recipe
