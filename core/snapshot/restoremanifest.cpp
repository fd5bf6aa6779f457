#include "core/snapshot/restoremanifest.h"

#include "core/base/text.h"
#include "core/snapshot/documents.h"
#include "core/snapshot/findings.h"
#include "core/snapshot/names.h"
#include "core/snapshot/podcontract.h"
#include "core/snapshot/yamledit.h"

#include <algorithm>
#include <array>
#include <optional>

namespace wb::snapshot {

using base::inQuotes;
using syntax::ValuePtr;

namespace {

constexpr std::string_view seccompProfile = "profiles/block-iouring.json";

/// Names that are used as label values.
constexpr std::size_t longestName = 63;

struct EngineReadiness {
    std::string_view inImage;
    std::string_view file; ///< That the restored workload writes once it serves again.
};
constexpr std::array engines = {
    EngineReadiness{"sglang", "sglang-restore-ready"},
    EngineReadiness{"tensorrt-llm", "trtllm-restore-ready"},
    EngineReadiness{"trtllm", "trtllm-restore-ready"},
    EngineReadiness{"vllm", "vllm-restore-ready"},
};

Steps joined(Steps base, std::initializer_list<Step> more)
{
    base.insert(base.end(), more.begin(), more.end());
    return base;
}

Steps key(const char* name)
{
    return {std::string(name)};
}

std::string defaultName(std::string_view capture)
{
    constexpr std::string_view suffix = "-restored";
    std::string out(capture.substr(0, longestName - suffix.size()));
    while (out.ends_with('-') || out.ends_with('.'))
        out.pop_back();
    return out + std::string(suffix);
}

ValuePtr execProbe(std::string_view file, long long threshold)
{
    return newMapping({
        {"exec", newMapping({{"command", newList({newText("cat"), newText(std::string(controlPath) + "/" + std::string(file))})}})},
        {"periodSeconds", newInteger(1)},
        {"failureThreshold", newInteger(threshold)},
    });
}

class Maker
{
public:
    Maker(std::string text, std::string kind, const RestoreOptions& options)
        : m_edit(std::move(text))
        , m_kind(std::move(kind))
        , m_options(options)
    {
    }

    Result<RestoreManifest> make()
    {
        if (auto named = readNames(); !named)
            return tl::unexpected(std::move(named.error()));
        const auto container = findContainer();
        if (!container)
            return failure(ErrorCode::Malformed, "The " + m_kind + " has no container of the name that it captures.");
        editObject();
        editPod();
        editContainer(*container);
        m_out.text = m_edit.text();
        m_out.areCommentsKept = m_edit.areCommentsKept();
        return std::move(m_out);
    }

private:
    [[nodiscard]] bool isJob() const { return m_kind == "SnapshotJob"; }
    [[nodiscard]] bool isPod() const { return m_kind == "Pod"; }
    [[nodiscard]] Node rootNode() const { return {m_edit.root(), "", {}}; }
    [[nodiscard]] Steps podMetadata() const
    {
        return isPod() ? key("metadata") : Steps{std::string("spec"), std::string("template"), std::string("metadata")};
    }
    [[nodiscard]] Steps podSpec() const
    {
        return isPod() ? key("spec") : Steps{std::string("spec"), std::string("template"), std::string("spec")};
    }

    Result<void> readNames()
    {
        const std::string captured(textOf(rootNode().child("metadata"), "name"));
        m_snapshot = !m_options.snapshot.empty() ? m_options.snapshot : isJob() ? captured : std::string();
        if (m_snapshot.empty())
            return failure(ErrorCode::Malformed, "A " + m_kind + " does not say under which name its PodSnapshot is made; give the name.");
        if (!isDnsSubdomain(m_snapshot))
            return failure(ErrorCode::Malformed, inQuotes(m_snapshot) + " is not a valid PodSnapshot name.");
        m_out.name = !m_options.name.empty() ? m_options.name : defaultName(captured);
        if (!isDnsSubdomain(m_out.name) || m_out.name.size() > longestName)
            return failure(ErrorCode::Malformed,
                           inQuotes(m_out.name) +
                               " is no name for the restored object; give one of at most 63 lower-case letters, digits, dashes and dots.");
        return {};
    }

    /// Index of the container that is captured.
    std::optional<std::size_t> findContainer()
    {
        const Node root = rootNode();
        const PodView pod = podOf(root, m_kind);
        const Node containers = pod.spec ? pod.spec.child("containers") : Node();
        if (!containers || containers.value->items.empty())
            return std::nullopt;
        std::string target = "main";
        if (isJob()) {
            const Node targets = root.at({"spec", "podSnapshotTemplate", "targetContainers"});
            if (targets && !targets.value->items.empty())
                target = targets.value->items.front()->text;
        } else if (containers.value->items.size() == 1) {
            target = textOf(containers.item(0), "name");
        }
        m_gpus = gpusOf(pod);
        for (std::size_t i = 0; i < containers.value->items.size(); ++i) {
            if (textOf(containers.item(i), "name") == target) {
                m_container = target;
                return i;
            }
        }
        return std::nullopt;
    }

    void removeAllBut(const Steps& mapping, std::initializer_list<std::string_view> kept)
    {
        const ValuePtr value = m_edit.at(mapping);
        if (!value)
            return;
        for (const syntax::Member& member : value->members) {
            if (std::find(kept.begin(), kept.end(), member.key) == kept.end())
                m_edit.remove(joined(mapping, {member.key}));
        }
    }

    void editObject()
    {
        m_edit.set({std::string("metadata"), std::string("name")}, newText(m_out.name));
        removeAllBut(key("metadata"), {"name", "namespace", "labels", "annotations"});
        m_edit.remove(key("status"));
        if (isPod())
            return;
        if (isJob()) {
            m_edit.set(key("apiVersion"), newText("apps/v1"));
            m_edit.set(key("kind"), newText("Deployment"));
            m_edit.rename({std::string("spec"), std::string("podTemplate")}, "template");
            removeAllBut(key("spec"), {"template"});
        }
        const Steps spec = key("spec");
        m_edit.set(joined(spec, {std::string("replicas")}), newInteger(1), "template");
        m_edit.set(joined(spec, {std::string("strategy")}), newMapping({{"type", newText("Recreate")}}), "template");
        m_edit.set(joined(spec, {std::string("selector")}), newMapping({{"matchLabels", newMapping({{"app", newText(m_out.name)}})}}),
                   "template");
    }

    void editPod()
    {
        const Steps metadata = podMetadata();
        const Steps annotations = joined(metadata, {std::string("annotations")});
        if (!m_edit.at(metadata))
            m_edit.set(metadata, newMapping({{"annotations", newMapping({{std::string(restoreFromKey), newText(m_snapshot)}})}}), "spec");
        else
            m_edit.set(joined(annotations, {std::string(restoreFromKey)}), newText(m_snapshot));
        // What was said of the capture does not hold for the restore.
        if (const ValuePtr all = m_edit.at(annotations)) {
            for (const syntax::Member& member : all->members) {
                if (member.key.starts_with("nvidia.com/") && member.key != restoreFromKey)
                    m_edit.remove(joined(annotations, {member.key}));
            }
        }
        if (!isPod()) {
            m_edit.remove(joined(metadata, {std::string("name")}));
            m_edit.set(joined(metadata, {std::string("labels"), std::string("app")}), newText(m_out.name));
        }
        const Steps spec = podSpec();
        for (const char* gone : {"initContainers", "restartPolicy", "activeDeadlineSeconds", "nodeName"})
            m_edit.remove(joined(spec, {std::string(gone)}));
        if (!m_edit.at(joined(spec, {std::string("runtimeClassName")})))
            m_edit.set(joined(spec, {std::string("runtimeClassName")}), newText("nvidia"), "containers");
        const Steps security = joined(spec, {std::string("securityContext"), std::string("seccompProfile")});
        const ValuePtr profile = newMapping({{"type", newText("Localhost")}, {"localhostProfile", newText(std::string(seccompProfile))}});
        if (m_edit.at(joined(spec, {std::string("securityContext")})))
            m_edit.set(security, profile);
        else
            m_edit.set(joined(spec, {std::string("securityContext")}), newMapping({{"seccompProfile", profile}}), "containers");
        ensureVolume(joined(spec, {std::string("volumes")}));
    }

    void ensureVolume(const Steps& volumes)
    {
        const ValuePtr list = m_edit.at(volumes);
        const auto emptyDir = newMapping({});
        for (std::size_t i = 0; list && i < list->items.size(); ++i) {
            const Node volume{list->items[i], "", {}};
            if (textOf(volume, "name") != controlVolume)
                continue;
            if (!volume.child("emptyDir"))
                m_out.notes.emplace_back("The volume \"snapshot-control\" of the capture is no emptyDir; make it one.");
            return;
        }
        m_edit.append(volumes, newMapping({{"name", newText(std::string(controlVolume))}, {"emptyDir", emptyDir}}));
    }

    void editContainer(std::size_t index)
    {
        const Steps container = joined(podSpec(), {std::string("containers"), index});
        const std::string image(textOf({m_edit.at(container), "", {}}, "image"));
        for (const char* gone :
             {"args", "envFrom", "lifecycle", "livenessProbe", "startupProbe", "readinessProbe", "stdin", "tty", "workingDir"})
            m_edit.remove(joined(container, {std::string(gone)}));
        m_edit.set(joined(container, {std::string("command")}),
                   newList({newText("/bin/sh"), newText("-c"), newText("exec sleep infinity")}));
        m_edit.set(joined(container, {std::string("env")}),
                   newList({newMapping({{"name", newText(std::string(controlVariable))}, {"value", newText(std::string(controlPath))}})}));
        ensureMount(joined(container, {std::string("volumeMounts")}));
        setProbe(container, image);
        if (image.find("sha256:") == std::string::npos) {
            m_out.notes.push_back("The image " + inQuotes(image) +
                                  " is named by its tag; the restore needs the very digest that was captured: pin it.");
        }
    }

    void ensureMount(const Steps& mounts)
    {
        const ValuePtr list = m_edit.at(mounts);
        for (std::size_t i = 0; list && i < list->items.size(); ++i) {
            const Node mount{list->items[i], "", {}};
            if (textOf(mount, "name") != controlVolume)
                continue;
            m_edit.set(joined(mounts, {i, std::string("mountPath")}), newText(std::string(controlPath)));
            m_edit.set(joined(mounts, {i, std::string("subPath")}), newText(m_container));
            for (const char* gone : {"readOnly", "subPathExpr", "mountPropagation"})
                m_edit.remove(joined(mounts, {i, std::string(gone)}));
            return;
        }
        m_edit.append(mounts, newMapping({{"name", newText(std::string(controlVolume))},
                                          {"mountPath", newText(std::string(controlPath))},
                                          {"subPath", newText(m_container)}}));
    }

    void setProbe(const Steps& container, std::string_view image)
    {
        const auto engine =
            std::find_if(engines.begin(), engines.end(), [image](const EngineReadiness& e) { return image.find(e.inImage) != image.npos; });
        // Restores of several GPUs read far more.
        const long long threshold = m_gpus > 1.0 ? 3600 : 1200;
        if (engine != engines.end()) {
            m_edit.set(joined(container, {std::string("readinessProbe")}), execProbe(engine->file, threshold), "volumeMounts");
            return;
        }
        m_edit.set(joined(container, {std::string("startupProbe")}), execProbe("restore-complete", 1800), "volumeMounts");
        m_out.notes.push_back("The image " + inQuotes(image) +
                              " tells of no engine that is known here: the Pod counts as started once the restore is complete; add a "
                              "readinessProbe for when it serves again.");
    }

    YamlEdit m_edit;
    std::string m_kind;
    const RestoreOptions& m_options;
    RestoreManifest m_out;
    std::string m_snapshot;
    std::string m_container;
    double m_gpus = 0.0;
};

} // namespace

Result<RestoreManifest> restoreManifestOf(std::string_view capture, const RestoreOptions& options)
{
    const syntax::SourceText source{std::string(capture)};
    for (const Document& document : documentsOf(source)) {
        const syntax::ValuePtr& root = document.parsed.root;
        const std::string kind(root && root->isMapping() ? textOf({root, "", {}}, "kind") : std::string_view());
        if (kind != "SnapshotJob" && kind != "Deployment" && kind != "Pod")
            continue;
        if (!document.parsed.complete)
            return failure(ErrorCode::Malformed, "The capture manifest has syntax errors; \"srtwb snapshot check\" shows them.");
        return Maker(document.parsed.source->text(), kind, options).make();
    }
    return failure(ErrorCode::Malformed, "There is no SnapshotJob, Deployment or Pod to restore in it.");
}

} // namespace wb::snapshot
