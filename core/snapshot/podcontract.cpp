#include "core/snapshot/podcontract.h"

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/snapshot/names.h"
#include "core/snapshot/quantity.h"

#include <algorithm>
#include <array>
#include <set>

namespace wb::snapshot {

using base::inQuotes;

namespace {

/// Labels and annotations of the contract before 0.1.0.
constexpr std::array<std::string_view, 5> alphaKeys = {"nvidia.com/snapshot-checkpoint-id", "nvidia.com/snapshot-is-restore-target",
                                                       "nvidia.com/snapshot-target-containers", "nvidia.com/snapshot-artifact-version",
                                                       "nvidia.com/snapshot-checkpoint-status"};

Node annotation(const PodView& pod, std::string_view key)
{
    return pod.metadata.child("annotations").child(key);
}

std::string_view annotationText(const PodView& pod, std::string_view key)
{
    return textOf(pod.metadata.child("annotations"), key);
}

/// The pod spec's path, at another place: what is wrong is told of the Pod and shown where it stands.
Node placedAt(const PodView& pod, const Node& where)
{
    return {pod.spec.value, pod.spec.path, where.value && !where.value->range.isEmpty() ? where.value->range : where.place};
}

Node placedAtKey(const PodView& pod, const Node& where)
{
    return {pod.spec.value, pod.spec.path, where.place};
}

std::vector<Node> itemsOf(const Node& parent, std::string_view key)
{
    std::vector<Node> out;
    const Node list = parent.child(key);
    for (std::size_t i = 0; list && i < list.value->items.size(); ++i)
        out.push_back(list.item(i));
    return out;
}

/// A list item is shown at its first line alone.
Node itemPlace(const PodView& pod, const Node& item)
{
    const Node name = item.child("name");
    return name ? placedAtKey(pod, name) : placedAtKey(pod, item);
}

bool isMentioned(const Node& container, std::string_view key, std::string_view word)
{
    const std::vector<Node> words = itemsOf(container, key);
    return std::any_of(words.begin(), words.end(), [word](const Node& n) { return n.value->text.find(word) != std::string::npos; });
}

const Node* environmentOf(const std::vector<Node>& variables, std::string_view name)
{
    const auto found = std::find_if(variables.begin(), variables.end(), [name](const Node& n) { return textOf(n, "name") == name; });
    return found == variables.end() ? nullptr : &*found;
}

/// Something that waits: `sleep infinity`, or a workload that was told to stand by.
bool isInert(const Node& container)
{
    if (isMentioned(container, "command", "sleep infinity") || isMentioned(container, "args", "sleep infinity"))
        return true;
    const bool isSplit = isMentioned(container, "command", "sleep") &&
                         (isMentioned(container, "command", "infinity") || isMentioned(container, "args", "infinity"));
    const std::vector<Node> variables = itemsOf(container, "env");
    const Node* standby = environmentOf(variables, standbyVariable);
    return isSplit || (standby && textOf(*standby, "value") == "1");
}

bool parsesAsBool(std::string_view text)
{
    constexpr std::array<std::string_view, 12> words = {"1", "t", "T", "true", "TRUE", "True", "0", "f", "F", "false", "FALSE", "False"};
    return std::find(words.begin(), words.end(), text) != words.end();
}

std::string quantityText(double number)
{
    return base::textOf(number);
}

/// The restore contract of one Pod.
class RestoreCheck
{
public:
    RestoreCheck(const PodView& pod, Findings& findings)
        : m_pod(pod)
        , m_findings(findings)
    {
    }

    void run()
    {
        checkSnapshotName();
        checkVolume();
        std::vector<ContainerPair> pairs;
        if (readMap(pairs)) {
            for (const ContainerPair& pair : pairs)
                checkDestination(pair.destination);
        }
        checkSkip();
    }

private:
    void fail(std::string rule, const Node& at, std::string message) { m_findings.error(std::move(rule), at, std::move(message)); }

    void checkSnapshotName()
    {
        const Node name = annotation(m_pod, restoreFromKey);
        const std::string& text = name.value->text;
        if (isDnsSubdomain(text))
            return;
        std::string message = "The value " + inQuotes(text) + " of " + std::string(restoreFromKey) + " is not a valid PodSnapshot name";
        const std::string_view placeholder = placeholderIn(text);
        message += placeholder.empty() ? "." : "; " + std::string(placeholder) + " is a placeholder: write the name of the PodSnapshot.";
        fail("contract.restore-from", placedAt(m_pod, name), std::move(message));
    }

    void checkVolume()
    {
        std::vector<Node> found;
        for (const Node& volume : itemsOf(m_pod.spec, "volumes")) {
            if (textOf(volume, "name") == controlVolume)
                found.push_back(volume);
        }
        if (found.empty()) {
            fail("contract.control-volume", m_pod.spec, "The Pod is missing the \"snapshot-control\" emptyDir volume.");
        } else if (found.size() > 1) {
            fail("contract.control-volume", itemPlace(m_pod, found[1]), "The volume \"snapshot-control\" must be there once only.");
        } else if (!found.front().child("emptyDir")) {
            fail("contract.control-volume", itemPlace(m_pod, found.front()), "The volume \"snapshot-control\" must be an emptyDir.");
        }
    }

    /// False when the map cannot be read, which is told.
    bool readMap(std::vector<ContainerPair>& pairs)
    {
        const Node map = annotation(m_pod, containerMapKey);
        if (!map) {
            pairs = restorePairs(m_pod);
            return true;
        }
        bool isGood = true;
        std::set<std::string> destinations;
        for (const std::string_view raw : base::splitAt(map.value->text, ',')) {
            const std::string_view entry = base::trimmed(raw);
            const std::size_t equals = entry.find('=');
            if (equals == std::string_view::npos || entry.find('=', equals + 1) != std::string_view::npos) {
                report(map, "Invalid entry " + inQuotes(entry) + " of " + std::string(containerMapKey) + ": expected source=destination.");
                isGood = false;
                continue;
            }
            const std::string source(base::trimmed(entry.substr(0, equals)));
            const std::string destination(base::trimmed(entry.substr(equals + 1)));
            if (!isDnsLabel(source) || !isDnsLabel(destination)) {
                report(map, "Invalid entry " + inQuotes(entry) + " of " + std::string(containerMapKey) + ": " +
                                inQuotes(isDnsLabel(source) ? destination : source) + " is not a container name.");
                isGood = false;
            } else if (!destinations.insert(destination).second) {
                report(map,
                       "Duplicate restore destination container " + inQuotes(destination) + " in " + std::string(containerMapKey) + ".");
                isGood = false;
            } else {
                pairs.push_back({source, destination});
            }
        }
        return isGood;
    }

    void report(const Node& map, std::string message) { fail("contract.container-map", placedAt(m_pod, map), std::move(message)); }

    void checkDestination(const std::string& name)
    {
        const Node container = containerOf(m_pod, name);
        if (!container) {
            fail("contract.destination", placedAt(m_pod, annotation(m_pod, containerMapKey)),
                 "The restore Pod has no destination container named " + inQuotes(name) + ".");
            return;
        }
        checkMount(container, name);
        checkVariable(container, name);
        if (!isInert(container)) {
            const Node command = container.child("command");
            m_findings.warning("warn.not-inert", command ? placedAtKey(m_pod, command) : itemPlace(m_pod, container),
                               "Container " + inQuotes(name) +
                                   " does not look inert (no \"sleep infinity\", no SNAPSHOT_RESTORE_STANDBY=1): what it starts would run "
                                   "beside the restored process.");
        }
    }

    void checkMount(const Node& container, const std::string& name)
    {
        std::vector<Node> mounts;
        for (const Node& mount : itemsOf(container, "volumeMounts")) {
            if (textOf(mount, "name") == controlVolume)
                mounts.push_back(mount);
        }
        const bool isGood = mounts.size() == 1 && isControlMount(mounts.front(), name);
        if (isGood)
            return;
        std::string message = "Container " + inQuotes(name) +
                              " requires volume \"snapshot-control\" mounted at /snapshot-control with subPath " + inQuotes(name);
        message += mounts.size() > 1 ? ", once only." : mounts.empty() ? "." : ", for writing and without subPathExpr or mountPropagation.";
        fail("contract.control-mount", itemPlace(m_pod, mounts.empty() ? container : mounts.front()), std::move(message));
    }

    static bool isControlMount(const Node& mount, const std::string& name)
    {
        const Node readOnly = mount.child("readOnly");
        return textOf(mount, "mountPath") == controlPath && textOf(mount, "subPath") == name && !mount.child("subPathExpr") &&
               !mount.child("mountPropagation") && !(readOnly && readOnly.value->boolean);
    }

    void checkVariable(const Node& container, const std::string& name)
    {
        std::vector<Node> found;
        for (const Node& variable : itemsOf(container, "env")) {
            if (textOf(variable, "name") == controlVariable)
                found.push_back(variable);
        }
        if (found.empty()) {
            fail("contract.control-env", itemPlace(m_pod, container),
                 "Container " + inQuotes(name) + " is missing the SNAPSHOT_CONTROL_DIR environment variable.");
        } else if (found.size() > 1 || found.front().child("valueFrom") || textOf(found.front(), "value") != controlPath) {
            const Node value = found.back().child("value");
            fail("contract.control-env", value ? placedAt(m_pod, value) : itemPlace(m_pod, found.back()),
                 "Container " + inQuotes(name) +
                     " has a conflicting SNAPSHOT_CONTROL_DIR environment variable: it must be /snapshot-control, "
                     "once.");
        }
    }

    void checkSkip()
    {
        const Node skip = annotation(m_pod, skipCompatKey);
        if (skip && skip.value->isString() && !parsesAsBool(skip.value->text)) {
            m_findings.warning("warn.skip-compat-check", placedAt(m_pod, skip),
                               "The value " + inQuotes(skip.value->text) + " of " + std::string(skipCompatKey) +
                                   " does not parse as a boolean, so the checks stay on; write \"true\".");
        }
    }

    const PodView& m_pod;
    Findings& m_findings;
};

void checkSharedMemory(const PodView& pod, Findings& findings)
{
    const Node shared = annotation(pod, sharedMemoryKey);
    if (shared && shared.value->isString() && shared.value->text != "enabled" && shared.value->text != "disabled") {
        findings.error("contract.cuda-shared-memory-support", placedAt(pod, shared),
                       std::string(sharedMemoryKey) + " is " + inQuotes(shared.value->text) +
                           ": it must be enabled or disabled, case-sensitive.");
    }
    const bool isSource = pod.role == PodRole::Job || pod.role == PodRole::Source;
    const double gpus = gpusOf(pod);
    if (isSource && !shared && gpus > 1.0) {
        const Node annotations = pod.metadata.child("annotations");
        findings.warning("warn.multi-gpu-without-shared-memory", annotations ? placedAtKey(pod, annotations) : pod.spec,
                         quantityText(gpus) + " GPUs requested but " + std::string(sharedMemoryKey) +
                             " is not set: a process on several GPUs cannot be captured without it.");
    }
}

/// A plain source Pod that waits for ready-for-snapshot has to be told where to write it.
void checkSource(const PodView& pod, Findings& findings)
{
    for (const Node& container : itemsOf(pod.spec, "containers")) {
        const std::vector<Node> mounts = itemsOf(container, "volumeMounts");
        const bool isMounted =
            std::any_of(mounts.begin(), mounts.end(), [](const Node& mount) { return textOf(mount, "name") == controlVolume; });
        const std::vector<Node> variables = itemsOf(container, "env");
        const bool isTold = environmentOf(variables, controlVariable) || environmentOf(variables, "DYN_SNAPSHOT_CONTROL_DIR");
        if (isMounted && !isTold) {
            findings.warning("warn.source-control-env", itemPlace(pod, container),
                             "Container " + inQuotes(textOf(container, "name")) +
                                 " mounts the control channel but sets no SNAPSHOT_CONTROL_DIR; the workload may not find it.");
        }
    }
}

/// Engine arguments that are JSON inside a text: a slip there shows only when the engine starts.
void checkEngineArguments(const PodView& pod, Findings& findings)
{
    for (const Node& container : itemsOf(pod.spec, "containers")) {
        for (const Node& variable : itemsOf(container, "env")) {
            const std::string_view name = textOf(variable, "name");
            const std::string_view text = base::trimmed(textOf(variable, "value"));
            if (!name.ends_with("_ENGINE_ARGS") || !(text.starts_with('{') || text.starts_with('[')))
                continue;
            const auto read = base::json::read(text);
            if (!read) {
                Node at = variable.child("value");
                findings.warning("warn.engine-args-json", at,
                                 "The value of " + std::string(name) + " is not JSON: " + read.error().message);
            }
        }
    }
}

} // namespace

PodView podOf(const Node& root, std::string_view kind)
{
    PodView out;
    const Node spec = root.child("spec");
    if (kind == "Pod") {
        out.metadata = root.child("metadata");
        out.spec = spec;
    } else if (kind == "SnapshotJob") {
        out.metadata = spec.at({"podTemplate", "metadata"});
        out.spec = spec.at({"podTemplate", "spec"});
        out.role = PodRole::Job;
        return out;
    } else {
        out.metadata = spec.at({"template", "metadata"});
        out.spec = spec.at({"template", "spec"});
    }
    const Node labels = out.metadata.child("labels");
    const Node annotations = out.metadata.child("annotations");
    const bool isAlpha = std::any_of(alphaKeys.begin(), alphaKeys.end(),
                                     [&](std::string_view key) { return labels.child(key).value || annotations.child(key).value; });
    if (annotations.child(restoreFromKey))
        out.role = PodRole::Restore;
    else if (isAlpha)
        out.role = PodRole::Alpha;
    else {
        const std::vector<Node> volumes = out.spec ? itemsOf(out.spec, "volumes") : std::vector<Node>();
        if (std::any_of(volumes.begin(), volumes.end(), [](const Node& v) { return textOf(v, "name") == controlVolume; }))
            out.role = PodRole::Source;
    }
    return out;
}

std::vector<ContainerPair> restorePairs(const PodView& pod)
{
    std::vector<ContainerPair> out;
    const std::string_view map = annotationText(pod, containerMapKey);
    if (!map.empty()) {
        for (const std::string_view entry : base::splitAt(map, ',')) {
            const std::size_t equals = entry.find('=');
            if (equals != std::string_view::npos) {
                out.push_back({std::string(base::trimmed(entry.substr(0, equals))), std::string(base::trimmed(entry.substr(equals + 1)))});
            }
        }
        return out;
    }
    // Without a map the container has the name that was captured. Which one that is stands in the PodSnapshot; a sidecar without the
    // control channel is none.
    const std::vector<Node> containers = itemsOf(pod.spec, "containers");
    for (const Node& container : containers) {
        const std::vector<Node> mounts = itemsOf(container, "volumeMounts");
        const std::vector<Node> variables = itemsOf(container, "env");
        const bool takesPart =
            std::any_of(mounts.begin(), mounts.end(), [](const Node& mount) { return textOf(mount, "name") == controlVolume; }) ||
            environmentOf(variables, controlVariable);
        const std::string name(textOf(container, "name"));
        if (takesPart || containers.size() == 1)
            out.push_back({name, name});
    }
    if (out.empty() && !containers.empty()) {
        const std::string name(textOf(containers.front(), "name"));
        out.push_back({name, name});
    }
    return out;
}

double gpusOf(const PodView& pod)
{
    double out = 0.0;
    if (!pod.spec)
        return out;
    for (const Node& container : itemsOf(pod.spec, "containers")) {
        const Node gpus = container.at({"resources", "limits"}).child(gpuResource);
        if (gpus)
            out += quantityOf(gpus.value->text).value_or(0.0);
    }
    return out;
}

Node containerOf(const PodView& pod, std::string_view name)
{
    for (Node& container : itemsOf(pod.spec, "containers")) {
        if (textOf(container, "name") == name)
            return container;
    }
    return {nullptr, pod.spec.path + ".containers", pod.spec.place};
}

void checkPlaceholder(const Node& node, Findings& findings)
{
    const std::string_view placeholder = node.value->isString() ? placeholderIn(node.value->text) : std::string_view();
    if (placeholder.empty())
        return;
    Node at = node;
    at.place = node.value->range;
    findings.warning("warn.placeholder", at,
                     inQuotes(placeholder) + " is a placeholder: no object can have this name; write the real one.");
}

void checkPod(const PodView& pod, Findings& findings)
{
    if (!pod.spec || pod.role == PodRole::Other)
        return;
    if (pod.role == PodRole::Alpha) {
        findings.warning(
            "warn.alpha-contract", pod.metadata,
            "The Pod follows the old alpha contract of Snapshot before 0.1.0 (checkpoint labels); later agents ignore it: use " +
                std::string(restoreFromKey) + ".");
        return;
    }
    checkSharedMemory(pod, findings);
    if (pod.role == PodRole::Restore && annotation(pod, restoreFromKey).value->isString())
        RestoreCheck(pod, findings).run();
    if (pod.role == PodRole::Source)
        checkSource(pod, findings);
    checkEngineArguments(pod, findings);
    for (const Node& container : itemsOf(pod.spec, "containers")) {
        if (const Node image = container.child("image"))
            checkPlaceholder(image, findings);
    }
    for (const Node& volume : itemsOf(pod.spec, "volumes")) {
        for (const Node& name : {volume.at({"persistentVolumeClaim", "claimName"}), volume.at({"configMap", "name"})}) {
            if (name)
                checkPlaceholder(name, findings);
        }
    }
}

} // namespace wb::snapshot
