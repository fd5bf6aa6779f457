#include "tests/support/golden.h"

#include "core/base/text.h"
#include "tests/support/corpus.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

namespace wb::test {

namespace {

using base::json::Value;
using recipe::Job;
using syntax::Kind;
using syntax::ValuePtr;

std::vector<GoldenFile> readAll(std::string_view cluster)
{
    std::vector<GoldenFile> files;
    const auto folder = shared("corpus/v1/golden/" + std::string(cluster));
    if (!folder)
        return files;
    for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
        auto facts = base::json::read(bytesOf(entry.path()));
        if (facts)
            files.push_back({entry.path().filename().string(), std::move(*facts)});
    }
    std::sort(files.begin(), files.end(), [](const GoldenFile& a, const GoldenFile& b) { return a.name < b.name; });
    return files;
}

std::string text(const ValuePtr& config, std::string_view path)
{
    const ValuePtr value = syntax::at(config, path);
    return value && value->isString() ? value->text : std::string();
}

std::optional<std::string> optionalText(const ValuePtr& config, std::string_view path)
{
    const ValuePtr value = syntax::at(config, path);
    if (!value || !value->isString())
        return std::nullopt;
    return value->text;
}

std::optional<std::int64_t> integer(const ValuePtr& config, std::string_view path)
{
    const ValuePtr value = syntax::at(config, path);
    if (!value || value->kind != Kind::Integer)
        return std::nullopt;
    return value->integer;
}

bool isTrue(const ValuePtr& config, std::string_view path)
{
    const ValuePtr value = syntax::at(config, path);
    return value && value->kind == Kind::Bool && value->boolean;
}

recipe::TextPairs pairs(const ValuePtr& config, std::string_view path)
{
    recipe::TextPairs out;
    const ValuePtr value = syntax::at(config, path);
    if (value)
        for (const syntax::Member& member : value->members)
            out.emplace_back(member.key, member.value->text);
    return out;
}

recipe::ModeSettings mode(const ValuePtr& config, const std::string& engine, const std::string& key)
{
    const ValuePtr flags = syntax::at(config, "backend." + engine + "_config." + key);
    return {pairs(config, "backend." + key + "_environment"), flags && flags->isMapping() ? flags : nullptr};
}

std::vector<std::int64_t> concurrencies(const ValuePtr& config)
{
    std::vector<std::int64_t> out;
    const ValuePtr value = syntax::at(config, "benchmark.concurrencies");
    if (!value)
        return out;
    for (const ValuePtr& item : value->items)
        out.push_back(item->integer);
    if (value->isString())
        for (const std::string_view piece : base::splitAt(value->text, 'x'))
            if (const auto number = base::integerOf(piece))
                out.push_back(*number);
    return out;
}

} // namespace

const std::vector<GoldenFile>& goldenFiles(std::string_view cluster)
{
    static std::map<std::string, std::vector<GoldenFile>, std::less<>> read;
    auto found = read.find(cluster);
    if (found == read.end())
        found = read.emplace(cluster, readAll(cluster)).first;
    return found->second;
}

std::vector<GoldenJob> goldenJobs(std::string_view cluster)
{
    std::vector<GoldenJob> jobs;
    for (const GoldenFile& file : goldenFiles(cluster)) {
        const Value* list = file.facts.find("jobs");
        if (!list)
            continue;
        for (const Value& job : list->array()) {
            const Value* config = job.find("config");
            if (config)
                jobs.push_back({file.name + " " + textAt(job, "suffix") + " " + textAt(job, "name"), &job, jobOf(valueOf(*config))});
        }
    }
    return jobs;
}

recipe::Cluster goldenCluster(std::string_view name)
{
    recipe::Cluster cluster;
    cluster.isKnown = true;
    cluster.name = name;
    if (name == "gb200") {
        cluster.gpusPerNode = 4;
        cluster.networkInterface = "enP6p9s0np0";
        cluster.srtctlRoot = "/opt/srt-slurm";
        cluster.outputDir = "/shared/bench/outputs";
    } else {
        cluster.gpusPerNode = 8;
        cluster.networkInterface.clear();
        cluster.gpusPerNodeDirective = false;
        cluster.segmentDirective = false;
        cluster.exclusiveDirective = true;
        cluster.defaultMounts = {{"/lustre/fsw/aiperf-cache", "/aiperf_mmap_cache"}, {"$HOME/hf-hub-cache", "/hf_hub_cache"}};
        cluster.bashPreamble = "ulimit -n 1048576 -s unlimited";
    }
    return cluster;
}

ValuePtr valueOf(const Value& json)
{
    auto value = std::make_shared<syntax::Value>();
    switch (json.kind()) {
    case Value::Kind::Null:
        break;
    case Value::Kind::Bool:
        value->kind = Kind::Bool;
        value->boolean = *json.boolean();
        value->text = value->boolean ? "true" : "false";
        break;
    case Value::Kind::Integer:
        value->kind = Kind::Integer;
        value->integer = *json.integer();
        value->number = static_cast<double>(value->integer);
        value->text = std::to_string(value->integer);
        break;
    case Value::Kind::Number:
        value->kind = Kind::Float;
        value->number = *json.number();
        value->text = base::textOf(value->number);
        break;
    case Value::Kind::String:
        value->kind = Kind::String;
        value->text = *json.string();
        break;
    case Value::Kind::List:
        value->kind = Kind::Sequence;
        for (const Value& item : json.array())
            value->items.push_back(valueOf(item));
        break;
    case Value::Kind::Map:
        value->kind = Kind::Mapping;
        for (const auto& member : json.object()) {
            syntax::Member made;
            made.key = member.key;
            made.value = valueOf(member.value);
            value->members.push_back(std::move(made));
        }
        break;
    }
    return value;
}

Job jobOf(const ValuePtr& config)
{
    Job job;
    job.config = config;
    job.name = text(config, "name");
    job.modelPath = text(config, "model.path");
    job.container = text(config, "model.container");
    job.precision = text(config, "model.precision");
    job.stageDir = optionalText(config, "model.stage_dir");
    recipe::Resources& resources = job.resources;
    resources.gpuType = text(config, "resources.gpu_type");
    resources.gpusPerNode = integer(config, "resources.gpus_per_node").value_or(4);
    resources.prefillNodes = integer(config, "resources.prefill_nodes");
    resources.decodeNodes = integer(config, "resources.decode_nodes");
    resources.aggNodes = integer(config, "resources.agg_nodes");
    resources.prefillWorkers = integer(config, "resources.prefill_workers");
    resources.decodeWorkers = integer(config, "resources.decode_workers");
    resources.aggWorkers = integer(config, "resources.agg_workers");
    resources.gpusPerPrefill = integer(config, "resources.gpus_per_prefill");
    resources.gpusPerDecode = integer(config, "resources.gpus_per_decode");
    resources.gpusPerAgg = integer(config, "resources.gpus_per_agg");
    resources.spreadWorkers = isTrue(config, "resources.spread_workers");
    resources.hetJobs = isTrue(config, "resources.het_jobs");
    job.account = optionalText(config, "slurm.account");
    job.partition = optionalText(config, "slurm.partition");
    job.timeLimit = optionalText(config, "slurm.time_limit");
    job.backend.type = text(config, "backend.type");
    job.backend.prefill = mode(config, job.backend.type, "prefill");
    job.backend.decode = mode(config, job.backend.type, "decode");
    job.backend.agg = mode(config, job.backend.type, "aggregated");
    job.backend.options = syntax::at(config, "backend");
    job.frontend.type = text(config, "frontend.type");
    job.frontend.multiple = isTrue(config, "frontend.enable_multiple_frontends");
    job.frontend.additional = integer(config, "frontend.num_additional_frontends").value_or(9);
    job.frontend.nginxContainer = text(config, "frontend.nginx_container");
    job.frontend.dedicatedNode = isTrue(config, "frontend.dedicated_node");
    job.frontend.orchestratorPlacement = text(config, "frontend.orchestrator_placement");
    job.frontend.block = syntax::at(config, "frontend");
    job.benchmark.type = text(config, "benchmark.type");
    job.benchmark.isl = integer(config, "benchmark.isl");
    job.benchmark.osl = integer(config, "benchmark.osl");
    job.benchmark.concurrencies = concurrencies(config);
    job.benchmark.clientPlacement = text(config, "benchmark.client_placement");
    job.benchmark.clientDedicatedNode = isTrue(config, "benchmark.client_dedicated_node");
    job.benchmark.colocateWithFrontend = isTrue(config, "benchmark.colocate_with_frontend");
    job.benchmark.block = syntax::at(config, "benchmark");
    job.installsDynamo = isTrue(config, "dynamo.install");
    job.etcdNatsDedicatedNode = isTrue(config, "infra.etcd_nats_dedicated_node");
    job.environment = pairs(config, "environment");
    job.containerMounts = pairs(config, "container_mounts");
    if (const ValuePtr mounts = syntax::at(config, "extra_mount"))
        for (const ValuePtr& item : mounts->items)
            job.extraMounts.push_back(item->text);
    job.srunOptions = pairs(config, "srun_options");
    job.sbatchDirectives = pairs(config, "sbatch_directives");
    job.setupScript = optionalText(config, "setup_script");
    return job;
}

std::string textAt(const Value& object, std::string_view key)
{
    const Value* value = object.find(key);
    const std::string* found = value ? value->string() : nullptr;
    return found ? *found : std::string();
}

} // namespace wb::test
