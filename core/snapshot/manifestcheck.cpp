#include "core/snapshot/manifestcheck.h"

#include "core/base/text.h"
#include "core/snapshot/celrules.h"
#include "core/snapshot/names.h"
#include "core/snapshot/podcontract.h"

#include <algorithm>
#include <array>

namespace wb::snapshot {

using base::inQuotes;

namespace {

constexpr std::array<std::string_view, 15> metadataFields = {
    "name",
    "generateName",
    "namespace",
    "labels",
    "annotations",
    "finalizers",
    "ownerReferences",
    "uid",
    "generation",
    "resourceVersion",
    "selfLink",
    "creationTimestamp",
    "deletionTimestamp",
    "managedFields",
    "deletionGracePeriodSeconds",
};

constexpr std::string_view snapshotGroup = "nvidia.com/";

class ObjectCheck
{
public:
    ObjectCheck(const CrdSet& crds, CheckedManifest& out, Findings& findings)
        : m_crds(crds)
        , m_out(out)
        , m_findings(findings)
    {
    }

    void run(const Node& root, std::size_t offset)
    {
        CheckedObject object;
        object.apiVersion = textOf(root, "apiVersion");
        object.kind = textOf(root, "kind");
        const Node metadata = root.child("metadata");
        object.name = textOf(metadata, "name");
        object.space = textOf(metadata, "namespace");
        object.path = root.path;
        object.range = m_findings.whole(root.value->range);
        object.offset = offset;
        object.root = root.value;
        if (const ResourceKind* kind = kindFor(root, object)) {
            object.isChecked = true;
            check(root, *kind);
        }
        m_out.objects.push_back(std::move(object));
    }

private:
    /// The schema for an object; nothing when there is none, which is told.
    const ResourceKind* kindFor(const Node& root, const CheckedObject& object)
    {
        if (object.kind.empty() || object.apiVersion.empty()) {
            m_findings.error("required", root,
                             "The object lacks the required key " + inQuotes(object.kind.empty() ? "kind" : "apiVersion") + ".");
            return nullptr;
        }
        if (const ResourceKind* kind = m_crds.find(object.apiVersion, object.kind))
            return kind;
        const ResourceKind* sameKind = m_crds.findKind(object.kind);
        const Node apiVersion = root.child("apiVersion");
        if (sameKind && (object.apiVersion.starts_with(snapshotGroup) || !sameKind->isCustom)) {
            syntax::Diagnostic& finding =
                m_findings.error("kind", apiVersion,
                                 "The schemas in force have " + object.kind + " in " + inQuotes(sameKind->apiVersion()) + " only, not in " +
                                     inQuotes(object.apiVersion) + ".");
            finding.fixes = {
                {"Change to " + inQuotes(sameKind->apiVersion()), {{m_findings.whole(apiVersion.value->range), sameKind->apiVersion()}}}};
            return nullptr;
        }
        reportKind(root.child("kind"), object);
        return nullptr;
    }

    void reportKind(const Node& at, const CheckedObject& object)
    {
        std::vector<std::string_view> kinds;
        for (const ResourceKind& kind : m_crds.kinds) {
            if (kind.apiVersion() == object.apiVersion)
                kinds.push_back(kind.kind);
        }
        const std::string near(base::nearestName(object.kind, kinds));
        if (near.empty()) {
            m_findings.info("kind", at, object.kind + " of " + object.apiVersion + " is not checked here.");
            return;
        }
        syntax::Diagnostic& finding = m_findings.error(
            "kind", at, "The schemas in force have no kind " + inQuotes(object.kind) + "; did you mean " + inQuotes(near) + "?");
        finding.fixes = {{"Change to " + inQuotes(near), {{m_findings.whole(at.value->range), near}}}};
    }

    void check(const Node& root, const ResourceKind& kind)
    {
        std::vector<FilledDefault> defaults;
        checkStructure(withoutMetadata(root), *rootSchema(kind), m_findings, &defaults);
        m_out.defaults.insert(m_out.defaults.end(), defaults.begin(), defaults.end());
        checkRules(root, *kind.schema, m_findings);
        checkMetadata(root);
        if (kind.kind == "PodSnapshotContent")
            m_findings.info("kind", root.child("kind"), "The operator makes PodSnapshotContent objects; they are not for writing by hand.");
        if (kind.kind == "PodSnapshot") {
            if (const Node name = root.at({"spec", "source", "podRef", "name"}))
                checkPlaceholder(name, m_findings);
        }
        const bool hasPod = kind.kind == "Pod" || kind.kind == "Deployment" || kind.kind == "SnapshotJob";
        if (hasPod)
            checkPod(podOf(root, kind.kind), m_findings);
        if (kind.kind == "Deployment")
            checkSelector(root);
        checkImmutable(root, kind);
    }

    /// Every object has metadata that its definition does not describe; and the root's CEL rules read it.
    static SchemaPtr rootSchema(const ResourceKind& kind)
    {
        auto out = std::make_shared<Schema>(*kind.schema);
        out->rules.clear();
        return out;
    }

    static Node withoutMetadata(const Node& root) { return {syntax::without(root.value, "metadata"), root.path, root.place}; }

    void checkMetadata(const Node& root)
    {
        const Node metadata = root.child("metadata");
        if (!metadata) {
            m_findings.error("required", root, "The object lacks the required key \"metadata\" with its name.");
            return;
        }
        if (!metadata.value->isMapping()) {
            m_findings.error("type", metadata, "\"metadata\" is " + syntax::shown(*metadata.value) + ": expected object.");
            return;
        }
        for (const syntax::Member& member : metadata.value->members) {
            if (std::find(metadataFields.begin(), metadataFields.end(), member.key) == metadataFields.end())
                reportField(metadata, member);
        }
        checkName(metadata);
        for (const std::string_view key : {"labels", "annotations"}) {
            const Node map = metadata.child(key);
            if (map)
                checkTexts(map);
        }
    }

    void reportField(const Node& metadata, const syntax::Member& member)
    {
        const std::string near(base::nearestName(member.key, metadataFields));
        m_findings.error("unknown", metadata.child(member.key),
                         "Metadata has no field " + inQuotes(member.key) +
                             ": the server would drop it, and kubectl --validate=strict refuses it" +
                             (near.empty() ? "." : "; did you mean " + inQuotes(near) + "?"));
    }

    void checkName(const Node& metadata)
    {
        const Node name = metadata.child("name");
        if (!name) {
            if (!metadata.child("generateName"))
                m_findings.error("required", metadata, "\"metadata\" lacks the required key \"name\".");
            return;
        }
        Node at = name;
        at.place = name.value->range;
        if (!name.value->isString()) {
            syntax::Diagnostic& finding = m_findings.error("type", at, "\"name\" is " + syntax::shown(*name.value) + ": expected string.");
            if (name.value->isScalar())
                finding.fixes = {{"Put it in quotes", {{m_findings.whole(name.value->range), "\"" + name.value->text + "\""}}}};
        } else if (!placeholderIn(name.value->text).empty()) {
            checkPlaceholder(name, m_findings);
        } else if (!isDnsSubdomain(name.value->text)) {
            m_findings.error("name", at,
                             inQuotes(name.value->text) +
                                 " is no name that the server takes: lower-case letters, digits, dashes and dots, at most 253.");
        }
    }

    void checkTexts(const Node& map)
    {
        if (!map.value->isMapping()) {
            m_findings.error("type", map, "It is " + syntax::shown(*map.value) + ": expected object.");
            return;
        }
        for (const syntax::Member& member : map.value->members) {
            if (member.value->isString() || member.value->kind == syntax::Kind::Timestamp)
                continue;
            syntax::Diagnostic& finding =
                m_findings.error("type", {member.value, map.path + "." + member.key, member.keyRange},
                                 inQuotes(member.key) + " is " + syntax::shown(*member.value) + ": expected string.");
            if (member.value->isScalar() && !member.value->isNull())
                finding.fixes = {{"Put it in quotes", {{m_findings.whole(member.value->range), "\"" + member.value->text + "\""}}}};
        }
    }

    /// A Deployment whose selector does not fit its own Pods is refused by the server.
    void checkSelector(const Node& root)
    {
        const Node selector = root.at({"spec", "selector", "matchLabels"});
        const Node labels = root.at({"spec", "template", "metadata", "labels"});
        if (!selector || !selector.value->isMapping())
            return;
        for (const syntax::Member& member : selector.value->members) {
            const Node label = labels.child(member.key);
            if (!label || !syntax::sameData(*label.value, *member.value)) {
                m_findings.error("selector", selector.child(member.key),
                                 "The selector's label " + inQuotes(member.key) +
                                     " is not that of the Pod template: the server refuses it.");
            }
        }
    }

    /// What came from a cluster cannot be changed there.
    void checkImmutable(const Node& root, const ResourceKind& kind)
    {
        const Node metadata = root.child("metadata");
        const Node spec = kind.isCustom ? root.child("spec") : Node();
        const SchemaPtr schema = kind.schema->at({"spec"});
        const bool isFixed = schema && std::any_of(schema->rules.begin(), schema->rules.end(),
                                                   [](const CelRule& rule) { return rule.rule == "self == oldSelf"; });
        if (spec && isFixed && (metadata.child("uid") || metadata.child("resourceVersion"))) {
            m_findings.info("immutable", spec,
                            "The object is on a cluster, where its spec is immutable: to change it, delete it and create it again.");
        }
    }

    const CrdSet& m_crds;
    CheckedManifest& m_out;
    Findings& m_findings;
};

void checkDocument(const Document& document, const CrdSet& crds, CheckedManifest& out)
{
    for (syntax::Diagnostic finding : document.parsed.diagnostics) {
        finding.range = {finding.range.begin + document.offset, finding.range.end + document.offset};
        for (syntax::Note& note : finding.notes)
            note.range = {note.range.begin + document.offset, note.range.end + document.offset};
        for (syntax::Fix& fix : finding.fixes) {
            for (syntax::TextEdit& edit : fix.edits)
                edit.range = {edit.range.begin + document.offset, edit.range.end + document.offset};
        }
        out.findings.push_back(std::move(finding));
    }
    const syntax::ValuePtr& root = document.parsed.root;
    if (!root)
        return;
    Findings findings(document.offset);
    // A root is pointed at by its first key: the whole of it would mark the document.
    const auto nodeOf = [](const syntax::ValuePtr& value, std::string path) {
        const bool hasKey = value->isMapping() && !value->members.empty() && !value->members.front().keyRange.isEmpty();
        return Node{value, std::move(path), hasKey ? value->members.front().keyRange : value->range};
    };
    const Node node = nodeOf(root, "");
    if (!root->isMapping()) {
        findings.error("type", node, "The document is " + syntax::shown(*root) + ": expected an object of Kubernetes.");
    } else if (textOf(node, "kind") == "List") {
        const Node items = node.child("items");
        for (std::size_t i = 0; items && i < items.value->items.size(); ++i) {
            const Node item = items.item(i);
            if (item.value->isMapping())
                ObjectCheck(crds, out, findings).run(nodeOf(item.value, item.path), document.offset);
            else
                findings.error("type", item, "The item is " + syntax::shown(*item.value) + ": expected object.");
        }
    } else {
        ObjectCheck(crds, out, findings).run(node, document.offset);
    }
    // Of a broken text what seems to be missing may stand in the part that could not be read.
    const bool isPart = document.parsed.lossy || (!document.parsed.complete && !document.parsed.mended);
    for (syntax::Diagnostic& finding : findings.all()) {
        if (!isPart || finding.rule != "required")
            out.findings.push_back(std::move(finding));
    }
}

} // namespace

bool CheckedManifest::hasVerdict() const
{
    return !valid || std::any_of(objects.begin(), objects.end(), [](const CheckedObject& object) { return object.isChecked; });
}

CheckedManifest checkManifest(std::shared_ptr<const syntax::SourceText> source, const CrdSet& crds)
{
    CheckedManifest out;
    out.source = std::move(source);
    const std::vector<Document> documents = documentsOf(*out.source);
    if (documents.empty()) {
        Findings findings(0);
        findings.error("empty", {}, "The file holds no object.");
        out.findings = findings.all();
    }
    for (const Document& document : documents)
        checkDocument(document, crds, out);
    syntax::sortAndUnite(out.findings);
    out.valid = !syntax::hasErrors(out.findings);
    return out;
}

} // namespace wb::snapshot
