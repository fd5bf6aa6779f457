#include "core/snapshot/celrules.h"

#include "core/base/text.h"
#include "core/snapshot/names.h"

#include <algorithm>
#include <array>
#include <set>

namespace wb::snapshot {

namespace {

/// What became of a rule; `place` is the value at fault.
struct Outcome {
    bool holds = true;
    syntax::Range place;
};

Outcome fails(syntax::Range place)
{
    return {false, place};
}

Outcome nameIsLabel(const Node& self, const Schema& /*schema*/)
{
    const Node name = self.at({"metadata", "name"});
    return name && base::codePoints(name.value->text) > 63 ? fails(name.value->range) : Outcome{};
}

/// The names of the list, or its default when it is not there.
std::vector<std::string> targetsOf(const Node& targets, const Schema& schema)
{
    std::vector<std::string> out;
    if (targets) {
        for (const syntax::ValuePtr& item : targets.value->items)
            out.push_back(item->text);
        return out;
    }
    const SchemaPtr own = schema.at({"podSnapshotTemplate", "targetContainers"});
    if (own && own->standard) {
        for (const base::json::Value& item : own->standard->array()) {
            if (const std::string* text = item.string())
                out.push_back(*text);
        }
    }
    return out;
}

Outcome targetsExist(const Node& self, const Schema& schema)
{
    const Node pod = self.child("podTemplate");
    const Node capture = self.child("podSnapshotTemplate");
    const Node spec = pod.child("spec");
    const Node containers = spec.child("containers");
    // Without the pod or its containers the schema has found that already; a pod without a spec passes the schema and fails here.
    if (!pod || !capture || (spec && !containers))
        return {};
    std::set<std::string> names;
    if (containers) {
        for (const syntax::ValuePtr& container : containers.value->items) {
            if (const syntax::ValuePtr name = container->find("name"))
                names.insert(name->text);
        }
    }
    const Node targets = capture.child("targetContainers");
    const std::vector<std::string> wanted = targetsOf(targets, schema);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (!names.contains(wanted[i]))
            return fails(targets ? targets.value->items[i]->range : capture.place);
    }
    return {};
}

/// The first key of a mapping below self for which the test fails.
template <typename Test>
Outcome eachMember(const Node& self, std::string_view key, const Test& isGood)
{
    const Node map = self.child(key);
    if (!map)
        return {};
    for (const syntax::Member& member : map.value->members) {
        if (!isGood(member))
            return fails(member.keyRange);
    }
    return {};
}

Outcome labelKeys(const Node& self, const Schema& /*schema*/)
{
    return eachMember(self, "labels", [](const syntax::Member& m) { return isQualifiedName(m.key); });
}

Outcome annotationKeys(const Node& self, const Schema& /*schema*/)
{
    return eachMember(self, "annotations", [](const syntax::Member& m) { return isQualifiedName(m.key); });
}

Outcome labelValues(const Node& self, const Schema& /*schema*/)
{
    return eachMember(self, "labels", [](const syntax::Member& m) { return base::codePoints(m.value->text) <= 63; });
}

Outcome noLabel(const Node& self, std::string_view label)
{
    const Node labels = self.at({"metadata", "labels"});
    const syntax::Member* member = labels ? labels.value->member(label) : nullptr;
    return member ? fails(member->keyRange) : Outcome{};
}

Outcome noJobLabel(const Node& self, const Schema& /*schema*/)
{
    return noLabel(self, "nvidia.com/snapshot-job");
}

Outcome noJobUidLabel(const Node& self, const Schema& /*schema*/)
{
    return noLabel(self, "nvidia.com/snapshot-job-uid");
}

struct Row {
    std::string_view rule;
    Outcome (*check)(const Node&, const Schema&); ///< Null for rules on changes.
};

constexpr std::array rows = {
    Row{"self == oldSelf", nullptr},
    Row{"size(self.metadata.name) <= 63", nameIsLabel},
    Row{"self.podSnapshotTemplate.targetContainers.all(c, c in self.podTemplate.spec.containers.map(x, x.name))", targetsExist},
    Row{"!has(self.labels) || self.labels.all(k, !format.qualifiedName().validate(k).hasValue())", labelKeys},
    Row{"!has(self.annotations) || self.annotations.all(k, !format.qualifiedName().validate(k).hasValue())", annotationKeys},
    Row{"!has(self.labels) || self.labels.all(k, size(self.labels[k]) <= 63)", labelValues},
    Row{"!has(self.metadata) || !has(self.metadata.labels) || !('nvidia.com/snapshot-job' in self.metadata.labels)", noJobLabel},
    Row{"!has(self.metadata) || !has(self.metadata.labels) || !('nvidia.com/snapshot-job-uid' in self.metadata.labels)", noJobUidLabel},
};

const Row* rowOf(std::string_view rule)
{
    const auto* found = std::find_if(rows.begin(), rows.end(), [rule](const Row& row) { return row.rule == rule; });
    return found == rows.end() ? nullptr : found;
}

} // namespace

bool isKnownRule(std::string_view rule)
{
    return rowOf(rule) != nullptr;
}

void checkRules(const Node& node, const Schema& schema, Findings& findings)
{
    for (const CelRule& rule : schema.rules) {
        const Row* row = rowOf(rule.rule);
        if (!row) {
            const bool isOnChanges = rule.rule.find("oldSelf") != std::string::npos;
            if (!isOnChanges)
                findings.info("cel.server-only", node, "A rule of the schema is checked by the server only: " + rule.rule);
            continue;
        }
        if (!row->check)
            continue;
        const Outcome outcome = row->check(node, schema);
        if (outcome.holds)
            continue;
        Node at = node;
        if (!outcome.place.isEmpty())
            at.place = outcome.place;
        findings.error("cel", at, (rule.message.empty() ? "The rule does not hold: " + rule.rule : rule.message) + ".");
    }
}

} // namespace wb::snapshot
