#include "core/snapshot/nodefacts.h"

#include "core/base/text.h"
#include "core/snapshot/documents.h"
#include "core/snapshot/jsonfields.h"
#include "core/snapshot/names.h"
#include "core/snapshot/podcontract.h"
#include "core/snapshot/quantity.h"

#include <algorithm>
#include <array>

namespace wb::snapshot {

using base::json::Value;

namespace {

/// Of a container: more is a slip, and must not become as many facts.
constexpr double mostGpus = 1024.0;

/// A text, or a number that somebody wrote without quotes.
std::string scalarTextAt(const Value& object, std::initializer_list<std::string_view> path)
{
    const Value* found = object.at(path);
    if (!found)
        return {};
    if (const std::string* text = found->string())
        return *text;
    const auto number = found->number();
    return number ? base::textOf(*number) : std::string();
}

/// Keys with dots in them stand one level down at most.
std::string labelAt(const Value& node, std::string_view label)
{
    const Value* labels = node.at({"metadata", "labels"});
    const Value* found = labels ? labels->find(label) : nullptr;
    const std::string* text = found ? found->string() : nullptr;
    return text ? *text : std::string();
}

std::optional<int> countOf(std::string_view text)
{
    const auto number = base::integerOf(text);
    return number && *number >= 0 && *number < 100000 ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::vector<std::string> textsOf(const Value& list)
{
    std::vector<std::string> out;
    for (const Value& item : list.array()) {
        if (const std::string* text = item.string())
            out.push_back(*text);
    }
    return out;
}

bool isFlat(const Value& object)
{
    constexpr std::array<std::string_view, 7> keys = {"arch", "kernel", "driver", "gpus", "image_id", "memory", "mounts"};
    return object.isObject() && !object.find("kind") &&
           std::any_of(keys.begin(), keys.end(), [&object](std::string_view key) { return object.find(key) != nullptr; });
}

CompatFacts flatFacts(const Value& object)
{
    CompatFacts out;
    out.name = scalarTextAt(object, {"name"});
    out.architecture = scalarTextAt(object, {"arch"});
    out.kernelVersion = scalarTextAt(object, {"kernel"});
    out.image = scalarTextAt(object, {"image_id"});
    out.memory = scalarTextAt(object, {"memory"});
    out.cpu = scalarTextAt(object, {"cpu"});
    out.driverVersion = scalarTextAt(object, {"driver"});
    if (const Value* gpus = object.find("gpus"))
        out.gpus = textsOf(*gpus);
    if (const Value* mounts = object.find("mounts"); mounts && mounts->isArray())
        out.mounts = textsOf(*mounts);
    return out;
}

CompatFacts contentFacts(const Value& source)
{
    CompatFacts out;
    out.name = textAt(source, {"node", "name"});
    out.architecture = textAt(source, {"node", "architecture"});
    out.kernelVersion = textAt(source, {"node", "kernelVersion"});
    out.image = textAt(source, {"pod", "imageDigest"});
    if (out.image.empty())
        out.image = textAt(source, {"pod", "image"});
    out.memory = textAt(source, {"pod", "memory"});
    out.cpu = textAt(source, {"pod", "cpu"});
    out.driverVersion = textAt(source, {"devices", "nvidia", "driverVersion"});
    if (const Value* instances = source.at({"devices", "nvidia", "instances"})) {
        for (const Value& instance : instances->array()) {
            if (std::string product = textAt(instance, {"productName"}); !product.empty())
                out.gpus.push_back(std::move(product));
        }
    }
    return out;
}

/// GPU Feature Discovery's labels, newer and older; a version that lacks a part is not known.
void readDriver(const Value& node, CompatFacts& out)
{
    out.driverVersion = labelAt(node, "nvidia.com/cuda.driver-version.full");
    constexpr std::array<std::array<std::string_view, 3>, 2> parts = {{
        {"nvidia.com/cuda.driver-version.major", "nvidia.com/cuda.driver-version.minor", "nvidia.com/cuda.driver-version.revision"},
        {"nvidia.com/cuda.driver.major", "nvidia.com/cuda.driver.minor", "nvidia.com/cuda.driver.rev"},
    }};
    for (const auto& [majorKey, minorKey, revisionKey] : parts) {
        const std::string major = labelAt(node, majorKey);
        const std::string minor = labelAt(node, minorKey);
        const std::string revision = labelAt(node, revisionKey);
        if (!out.driverMajor)
            out.driverMajor = countOf(major);
        if (out.driverVersion.empty() && !major.empty() && !minor.empty() && !revision.empty())
            out.driverVersion = major + "." + minor + "." + revision;
    }
}

ClusterNode clusterNode(const Value& node)
{
    ClusterNode out;
    CompatFacts& facts = out.facts;
    facts.name = textAt(node, {"metadata", "name"});
    facts.architecture = textAt(node, {"status", "nodeInfo", "architecture"});
    if (facts.architecture.empty())
        facts.architecture = labelAt(node, "kubernetes.io/arch");
    facts.kernelVersion = textAt(node, {"status", "nodeInfo", "kernelVersion"});
    facts.nodeGpuProduct = labelAt(node, "nvidia.com/gpu.product");
    const Value* allocatable = node.at({"status", "allocatable"});
    const Value* gpus = allocatable ? allocatable->find(gpuResource) : nullptr;
    facts.nodeGpuCount = gpus && gpus->string() ? countOf(*gpus->string()) : countOf(labelAt(node, "nvidia.com/gpu.count"));
    readDriver(node, facts);
    const Value* unschedulable = node.at({"spec", "unschedulable"});
    out.isUnschedulable = unschedulable && unschedulable->boolean() == true;
    if (const Value* conditions = node.at({"status", "conditions"})) {
        for (const Value& condition : conditions->array()) {
            if (textAt(condition, {"type"}) == "Ready")
                out.isReady = textAt(condition, {"status"}) == "True";
        }
    }
    const std::string config = labelAt(node, "nvidia.com/mig.config");
    const bool isMig = facts.nodeGpuProduct.find("-MIG-") != std::string::npos;
    if (isMig || (!config.empty() && config != "all-disabled"))
        out.mig = config.empty() ? facts.nodeGpuProduct : config;
    return out;
}

Node targetContainer(const Node& root, std::string_view kind, const PodView& pod)
{
    if (kind == "SnapshotJob") {
        const Node targets = root.at({"spec", "podSnapshotTemplate", "targetContainers"});
        const bool hasTarget = targets && !targets.value->items.empty();
        return containerOf(pod, hasTarget ? std::string_view(targets.value->items.front()->text) : std::string_view("main"));
    }
    const std::vector<ContainerPair> pairs = restorePairs(pod);
    return pairs.empty() ? Node() : containerOf(pod, pairs.front().destination);
}

std::string scalarAt(const Node& node, std::string_view key)
{
    const Node found = node.child(key);
    return found && found.value->isScalar() ? found.value->text : std::string();
}

PodFacts podFacts(const Node& container)
{
    PodFacts out;
    out.container = textOf(container, "name");
    out.image = textOf(container, "image");
    const Node limits = container.at({"resources", "limits"});
    out.memory = scalarAt(limits, "memory");
    out.cpu = scalarAt(limits, "cpu");
    if (const auto gpus = quantityOf(scalarAt(limits, gpuResource)))
        out.gpus = static_cast<int>(std::clamp(*gpus, 0.0, mostGpus));
    out.mounts.emplace_back("/");
    const Node mounts = container.child("volumeMounts");
    for (std::size_t i = 0; mounts && i < mounts.value->items.size(); ++i)
        out.mounts.emplace_back(textOf(mounts.item(i), "mountPath"));
    return out;
}

} // namespace

Result<CompatFacts> readSourceFacts(std::string_view text)
{
    auto objects = objectsOf(text);
    if (!objects)
        return tl::unexpected(std::move(objects.error()));
    for (const Value& object : *objects) {
        if (textAt(object, {"kind"}) == "PodSnapshotContent") {
            const Value* source = object.at({"status", "source"});
            if (!source || !source->isObject()) {
                return failure(
                    ErrorCode::NotFound,
                    "The PodSnapshotContent has no \"status.source\": its Snapshot is older than October 2026, or it is not ready.");
            }
            return contentFacts(*source);
        }
        if (isFlat(object))
            return flatFacts(object);
        if (textAt(object, {"kind"}) == "Node")
            return clusterNode(object).facts;
    }
    return failure(ErrorCode::Malformed, "There is no PodSnapshotContent and no description of a node in it.");
}

Result<std::vector<ClusterNode>> readNodes(std::string_view text)
{
    auto objects = objectsOf(text);
    if (!objects)
        return tl::unexpected(std::move(objects.error()));
    std::vector<ClusterNode> out;
    for (const Value& object : *objects) {
        if (textAt(object, {"kind"}) == "Node")
            out.push_back(clusterNode(object));
        else if (isFlat(object))
            out.push_back({flatFacts(object), {}, false, {}});
        else if (const Value* source = object.at({"status", "source"}); source && textAt(object, {"kind"}) == "PodSnapshotContent")
            out.push_back({contentFacts(*source), {}, false, {}});
    }
    if (out.empty())
        return failure(ErrorCode::Malformed, "There is no Node and no description of a node in it.");
    return out;
}

Result<PodFacts> readPodFacts(std::string_view manifest)
{
    const syntax::SourceText source{std::string(manifest)};
    for (const Document& document : documentsOf(source)) {
        if (!document.parsed.root || !document.parsed.root->isMapping())
            continue;
        const Node root{document.parsed.root, "", {}};
        const std::string_view kind = textOf(root, "kind");
        if (kind != "Pod" && kind != "Deployment" && kind != "SnapshotJob")
            continue;
        const PodView pod = podOf(root, kind);
        const Node container = pod.spec ? targetContainer(root, kind, pod) : Node();
        if (!container)
            return failure(ErrorCode::Malformed, "The " + std::string(kind) + " has no container to look at.");
        return podFacts(container);
    }
    return failure(ErrorCode::Malformed, "There is no Pod, Deployment or SnapshotJob in it.");
}

namespace {

std::vector<std::string> partsOf(std::string_view text)
{
    std::vector<std::string> out;
    for (const std::string_view part : base::splitAt(text, ',')) {
        if (const std::string_view trimmed = base::trimmed(part); !trimmed.empty())
            out.emplace_back(trimmed);
    }
    return out;
}

/// "NVIDIA B200 x8" is eight of them.
std::vector<std::string> gpusOf(std::string_view text)
{
    constexpr long long most = 1024;
    std::vector<std::string> out;
    for (const std::string& part : partsOf(text)) {
        const std::size_t times = part.rfind(" x");
        const auto count = times == std::string::npos ? std::nullopt : base::integerOf(part.substr(times + 2));
        if (count && *count > 0 && *count <= most)
            out.insert(out.end(), static_cast<std::size_t>(*count), part.substr(0, times));
        else
            out.push_back(part);
    }
    return out;
}

std::string textOfGpus(const std::vector<std::string>& gpus)
{
    std::vector<std::string> out;
    for (std::size_t i = 0; i < gpus.size();) {
        std::size_t end = i;
        while (end < gpus.size() && gpus[end] == gpus[i])
            ++end;
        out.push_back(end - i == 1 ? gpus[i] : gpus[i] + " x" + std::to_string(end - i));
        i = end;
    }
    return base::joined(out, ", ");
}

constexpr std::array factRows = {
    FactField{"arch", "Architecture", false, [](const CompatFacts& facts) { return facts.architecture; },
              [](CompatFacts& facts, std::string_view text) { facts.architecture = text; }},
    FactField{"kernel", "Kernel", false, [](const CompatFacts& facts) { return facts.kernelVersion; },
              [](CompatFacts& facts, std::string_view text) { facts.kernelVersion = text; }},
    FactField{"memory", "Memory limit", true, [](const CompatFacts& facts) { return facts.memory; },
              [](CompatFacts& facts, std::string_view text) { facts.memory = text; }},
    FactField{"cpu", "CPU limit", true, [](const CompatFacts& facts) { return facts.cpu; },
              [](CompatFacts& facts, std::string_view text) { facts.cpu = text; }},
    FactField{"image_id", "Image", true, [](const CompatFacts& facts) { return facts.image; },
              [](CompatFacts& facts, std::string_view text) { facts.image = text; }},
    FactField{"mounts", "Mounts", true,
              [](const CompatFacts& facts) { return facts.mounts ? base::joined(*facts.mounts, ", ") : std::string(); },
              [](CompatFacts& facts, std::string_view text) {
                  if (text.empty())
                      facts.mounts.reset();
                  else
                      facts.mounts = partsOf(text);
              }},
    FactField{"gpus", "GPUs", false,
              [](const CompatFacts& facts) {
                  if (!facts.gpus.empty() || facts.nodeGpuProduct.empty())
                      return textOfGpus(facts.gpus);
                  return facts.nodeGpuProduct + (facts.nodeGpuCount ? " x" + std::to_string(*facts.nodeGpuCount) : std::string());
              },
              [](CompatFacts& facts, std::string_view text) {
                  facts.gpus = gpusOf(text);
                  facts.nodeGpuProduct = facts.gpus.empty() ? std::string() : facts.gpus.front();
                  facts.nodeGpuCount = facts.gpus.empty() ? std::nullopt : std::optional(static_cast<int>(facts.gpus.size()));
              }},
    FactField{"driver", "Driver", false,
              [](const CompatFacts& facts) {
                  return !facts.driverVersion.empty() || !facts.driverMajor ? facts.driverVersion : std::to_string(*facts.driverMajor);
              },
              [](CompatFacts& facts, std::string_view text) {
                  const bool isBuild = text.find('.') != std::string_view::npos;
                  facts.driverVersion = isBuild ? text : std::string_view();
                  const auto major = base::integerOf(text.substr(0, text.find('.')));
                  facts.driverMajor = major && *major > 0 && *major < 100'000 ? std::optional(static_cast<int>(*major)) : std::nullopt;
              }},
};

} // namespace

std::span<const FactField> factFields()
{
    return factRows;
}

CompatFacts targetOn(const ClusterNode& node, const PodFacts& pod)
{
    CompatFacts out = node.facts;
    out.image = pod.image;
    out.memory = pod.memory;
    out.cpu = pod.cpu;
    out.mounts = pod.mounts;
    const std::string product = !out.nodeGpuProduct.empty() ? out.nodeGpuProduct : out.gpus.empty() ? std::string() : out.gpus.front();
    if (pod.gpus && !product.empty())
        out.gpus.assign(static_cast<std::size_t>(std::max(*pod.gpus, 0)), product);
    return out;
}

CompatFacts completedBy(CompatFacts source, const PodFacts& capture)
{
    if (source.image.empty())
        source.image = capture.image;
    if (source.memory.empty())
        source.memory = capture.memory;
    if (source.cpu.empty())
        source.cpu = capture.cpu;
    if (!source.mounts)
        source.mounts = capture.mounts;
    return source;
}

std::vector<NodeAdvice> adviceOn(const ClusterNode& node)
{
    std::vector<NodeAdvice> out;
    const std::string& architecture = node.facts.architecture;
    out.push_back(
        {"amd64",
         architecture.empty()      ? CheckState::Unknown
         : architecture == "amd64" ? CheckState::Good
                                   : CheckState::Mismatch,
         architecture.empty() || architecture == "amd64" ? "" : "Snapshot runs on amd64 only; the node is " + architecture + "."});
    out.push_back({"mig", node.mig.empty() ? CheckState::Unknown : CheckState::Mismatch,
                   node.mig.empty() ? "No label tells of MIG." : "MIG is on (" + node.mig + "), and Snapshot takes whole GPUs only."});
    out.push_back({"ready",
                   !node.isReady   ? CheckState::Unknown
                   : *node.isReady ? CheckState::Good
                                   : CheckState::Mismatch,
                   !node.isReady   ? "It is not known whether the node is Ready."
                   : *node.isReady ? ""
                                   : "The node is not Ready."});
    if (node.isUnschedulable)
        out.push_back({"schedulable", CheckState::Mismatch, "The node is cordoned: no new Pod is put on it."});
    return out;
}

} // namespace wb::snapshot
