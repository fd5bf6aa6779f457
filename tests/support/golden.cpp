#include "tests/support/golden.h"

#include "core/base/text.h"
#include "core/recipe/lower.h"
#include "tests/support/corpus.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

namespace wb::test {

namespace {

using base::json::Value;
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
                jobs.push_back(
                    {file.name + " " + textAt(job, "suffix") + " " + textAt(job, "name"), &job, recipe::lower(valueOf(*config))});
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

std::string textAt(const Value& object, std::string_view key)
{
    const Value* value = object.find(key);
    const std::string* found = value ? value->string() : nullptr;
    return found ? *found : std::string();
}

} // namespace wb::test
