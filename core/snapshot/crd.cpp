#include "core/snapshot/crd.h"

#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/snapshot/builtin.h"
#include "core/snapshot/documents.h"
#include "core/snapshot/jsonfields.h"

#include <algorithm>
#include <array>
#include <map>

namespace wb::snapshot {

using base::json::Value;

namespace {

/// No schema of Kubernetes is nearly as deep; a file that is must not end the program.
constexpr int deepest = 80;

/// Of the files in resources/, the newest first.
constexpr std::array<std::string_view, 2> builtinNames = {"latest", "main-b7e707c"};

constexpr std::array typeNames = {
    std::pair{std::string_view("object"), Schema::Type::Object}, std::pair{std::string_view("array"), Schema::Type::Array},
    std::pair{std::string_view("string"), Schema::Type::String}, std::pair{std::string_view("integer"), Schema::Type::Integer},
    std::pair{std::string_view("number"), Schema::Type::Number}, std::pair{std::string_view("boolean"), Schema::Type::Boolean},
};

bool isTrue(const Value& object, std::string_view key)
{
    const Value* found = object.find(key);
    return found && found->boolean() == true;
}

std::optional<std::size_t> countAt(const Value& object, std::string_view key)
{
    const Value* found = object.find(key);
    const auto number = found ? found->integer() : std::nullopt;
    return number && *number >= 0 ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

std::vector<std::string> textsAt(const Value& object, std::string_view key)
{
    std::vector<std::string> out;
    if (const Value* found = object.find(key)) {
        for (const Value& item : found->array()) {
            if (const std::string* text = item.string())
                out.push_back(*text);
        }
    }
    return out;
}

/// Reads schema nodes; patterns are compiled once each, for they repeat.
class Reader
{
public:
    explicit Reader(SchemaPtr podSpec)
        : m_podSpec(std::move(podSpec))
    {
    }

    SchemaPtr schema(const Value& node, int depth = 0)
    {
        if (m_podSpec && isTrue(node, "x-wb-pod-spec"))
            return m_podSpec;
        auto out = std::make_shared<Schema>();
        if (depth > deepest || !node.isObject()) {
            out->isOpen = true;
            return out;
        }
        const std::string type = textAt(node, {"type"});
        for (const auto& [name, value] : typeNames) {
            if (type == name)
                out->type = value;
        }
        out->description = textAt(node, {"description"});
        readObject(node, *out, depth);
        readList(node, *out, depth);
        readScalar(node, *out);
        if (const Value* standard = node.find("default"))
            out->standard = *standard;
        if (const Value* rules = node.find("x-kubernetes-validations")) {
            for (const Value& rule : rules->array())
                out->rules.push_back({oneLine(textAt(rule, {"rule"})), oneLine(textAt(rule, {"message"}))});
        }
        return out;
    }

private:
    void readObject(const Value& node, Schema& out, int depth)
    {
        if (const Value* properties = node.find("properties")) {
            for (const base::json::Member& member : properties->object())
                out.properties.push_back({member.key, schema(member.value, depth + 1)});
        }
        if (const Value* additional = node.find("additionalProperties")) {
            if (additional->isObject())
                out.additional = schema(*additional, depth + 1);
            else
                out.isOpen = additional->boolean() == true;
        }
        out.isOpen = out.isOpen || isTrue(node, "x-kubernetes-preserve-unknown-fields");
        out.isNullable = isTrue(node, "nullable");
        out.required = textsAt(node, "required");
        out.maxProperties = countAt(node, "maxProperties");
    }

    void readList(const Value& node, Schema& out, int depth)
    {
        if (const Value* items = node.find("items"); items && items->isObject())
            out.items = schema(*items, depth + 1);
        out.minItems = countAt(node, "minItems");
        out.maxItems = countAt(node, "maxItems");
        const std::string listType = textAt(node, {"x-kubernetes-list-type"});
        out.listType = listType == "map" ? Schema::ListType::Map : listType == "set" ? Schema::ListType::Set : Schema::ListType::Atomic;
        out.listMapKeys = textsAt(node, "x-kubernetes-list-map-keys");
    }

    void readScalar(const Value& node, Schema& out)
    {
        out.isIntOrString = isTrue(node, "x-kubernetes-int-or-string");
        out.format = textAt(node, {"format"});
        out.minLength = countAt(node, "minLength");
        out.maxLength = countAt(node, "maxLength");
        if (const Value* minimum = node.find("minimum"))
            out.minimum = minimum->number();
        if (const Value* maximum = node.find("maximum"))
            out.maximum = maximum->number();
        out.choices = textsAt(node, "enum");
        out.pattern = textAt(node, {"pattern"});
        if (!out.pattern.empty())
            out.expression = expression(out.pattern);
    }

    std::shared_ptr<const std::regex> expression(const std::string& pattern)
    {
        const auto found = m_expressions.find(pattern);
        if (found != m_expressions.end())
            return found->second;
        std::shared_ptr<const std::regex> made;
        try {
            made = std::make_shared<const std::regex>(pattern, std::regex::ECMAScript);
        } catch (const std::regex_error&) { // a notation of Go that ECMAScript lacks: the server alone can tell
        }
        m_expressions.emplace(pattern, made);
        return made;
    }

    static std::string oneLine(std::string_view text)
    {
        std::string out;
        for (const char c : base::trimmed(text)) {
            const bool isBlank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
            if (!isBlank)
                out += c;
            else if (!out.ends_with(' '))
                out += ' ';
        }
        return out;
    }

    SchemaPtr m_podSpec;
    std::map<std::string, std::shared_ptr<const std::regex>> m_expressions;
};

void addKinds(const Value& crd, Reader& reader, bool isCustom, std::vector<ResourceKind>& out)
{
    const Value* spec = crd.find("spec");
    const Value* versions = spec ? spec->find("versions") : nullptr;
    const Value* names = spec ? spec->find("names") : nullptr;
    if (textAt(crd, {"kind"}) != "CustomResourceDefinition" || !versions || !names)
        return;
    for (const Value& version : versions->array()) {
        const Value* schema = version.at({"schema", "openAPIV3Schema"});
        if (!schema || !schema->isObject())
            continue;
        ResourceKind kind;
        kind.group = textAt(*spec, {"group"});
        kind.version = textAt(version, {"name"});
        kind.kind = textAt(*names, {"kind"});
        kind.plural = textAt(*names, {"plural"});
        kind.isNamespaced = textAt(*spec, {"scope"}) != "Cluster";
        kind.isCustom = isCustom;
        kind.schema = reader.schema(*schema);
        out.push_back(std::move(kind));
    }
}

void addWorkloads(CrdSet& set)
{
    Reader reader(set.podSpec());
    const auto workloads = base::json::read(resources::snapshotCrds("workloads.json"));
    if (!workloads)
        return;
    for (const Value& item : workloads->find("items")->array())
        addKinds(item, reader, false, set.kinds);
}

std::shared_ptr<const CrdSet> readBuiltin(const std::string& name)
{
    const std::string_view bytes = resources::snapshotCrds(name + ".json");
    auto set = readBareCrds(bytes, name);
    if (!set)
        return nullptr;
    if (const auto document = base::json::read(bytes))
        set->origin = "built in: " + textAt(*document, {"origin"});
    addWorkloads(*set);
    return std::make_shared<const CrdSet>(*std::move(set));
}

} // namespace

std::string_view name(Schema::Type type)
{
    switch (type) {
    case Schema::Type::Object:
        return "object";
    case Schema::Type::Array:
        return "array";
    case Schema::Type::String:
        return "string";
    case Schema::Type::Integer:
        return "integer";
    case Schema::Type::Number:
        return "number";
    case Schema::Type::Boolean:
        return "boolean";
    case Schema::Type::Any:
        break;
    }
    return "value";
}

const Schema* Schema::property(std::string_view name) const
{
    const auto found = std::find_if(properties.begin(), properties.end(), [name](const Property& p) { return p.name == name; });
    return found == properties.end() ? nullptr : found->schema.get();
}

SchemaPtr Schema::at(std::initializer_list<std::string_view> path) const
{
    const Schema* node = this;
    SchemaPtr out;
    for (const std::string_view name : path) {
        const auto found =
            std::find_if(node->properties.begin(), node->properties.end(), [name](const Property& p) { return p.name == name; });
        if (found == node->properties.end())
            return nullptr;
        out = found->schema;
        node = out.get();
    }
    return out;
}

const ResourceKind* CrdSet::find(std::string_view apiVersion, std::string_view kind) const
{
    const auto found =
        std::find_if(kinds.begin(), kinds.end(), [&](const ResourceKind& k) { return k.kind == kind && k.apiVersion() == apiVersion; });
    return found == kinds.end() ? nullptr : &*found;
}

const ResourceKind* CrdSet::findKind(std::string_view kind) const
{
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const ResourceKind& k) { return k.kind == kind; });
    return found == kinds.end() ? nullptr : &*found;
}

SchemaPtr CrdSet::podSpec() const
{
    const ResourceKind* job = findKind("SnapshotJob");
    return job ? job->schema->at({"spec", "podTemplate", "spec"}) : nullptr;
}

const std::vector<std::string>& builtinCrdNames()
{
    static const std::vector<std::string> names(builtinNames.begin(), builtinNames.end());
    return names;
}

std::shared_ptr<const CrdSet> builtinCrds(std::string_view name)
{
    static const std::vector<std::shared_ptr<const CrdSet>> sets = [] {
        std::vector<std::shared_ptr<const CrdSet>> all;
        for (const std::string_view each : builtinNames)
            all.push_back(readBuiltin(std::string(each)));
        return all;
    }();
    for (const auto& set : sets) {
        if (set && set->name == name)
            return set;
    }
    return nullptr;
}

Result<CrdSet> readBareCrds(std::string_view text, std::string name)
{
    auto objects = objectsOf(text);
    if (!objects)
        return passedOn(std::move(objects.error()), "Reading the definitions of " + base::pathInQuotes(name));
    CrdSet out;
    out.sha256 = base::sha256Hex(text);
    Reader reader(nullptr);
    for (const Value& object : *objects)
        addKinds(object, reader, true, out.kinds);
    if (out.kinds.empty())
        return failure(ErrorCode::Malformed, base::pathInQuotes(name) + " holds no CustomResourceDefinition with a schema.");
    out.origin = name;
    out.name = std::move(name);
    return out;
}

Result<CrdSet> readCrds(std::span<const std::string> texts, std::string name)
{
    CrdSet out;
    std::string bytes;
    for (const std::string& text : texts) {
        auto one = readBareCrds(text, name);
        if (!one)
            return one;
        out.kinds.insert(out.kinds.end(), one->kinds.begin(), one->kinds.end());
        bytes += text;
    }
    out.origin = name;
    out.name = std::move(name);
    out.sha256 = base::sha256Hex(bytes);
    if (const auto latest = builtinCrds("latest")) {
        for (const ResourceKind& kind : latest->kinds) {
            if (!kind.isCustom || out.findKind(kind.kind))
                continue;
            out.borrowed.push_back(kind.kind);
            out.kinds.push_back(kind);
        }
    }
    addWorkloads(out);
    return out;
}

} // namespace wb::snapshot
