// The schemas of NVIDIA Snapshot's objects, as data: CustomResourceDefinitions, built in (resources/snapshot) or read from a file or from
// what `kubectl get crd ... -o json` prints. The keywords that are read are those that occur in them (structural OpenAPI schemas).
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <regex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::snapshot {

struct Schema;
using SchemaPtr = std::shared_ptr<const Schema>;

/// A rule in the Common Expression Language, with the server's words when it does not hold.
struct CelRule {
    std::string rule; ///< On one line.
    std::string message;
};

struct Property {
    std::string name;
    SchemaPtr schema;
};

/// One node of a structural schema.
struct Schema {
    enum class Type { Any, Object, Array, String, Integer, Number, Boolean };
    enum class ListType { Atomic, Set, Map };

    Type type = Type::Any;
    std::string description; ///< Empty in the built-in schemas.
    std::vector<Property> properties;
    std::vector<std::string> required;
    SchemaPtr items;            ///< Of an array; null when anything goes.
    SchemaPtr additional;       ///< additionalProperties with a schema.
    bool isOpen = false;        ///< additionalProperties: true, or unknown fields are preserved.
    bool isIntOrString = false; ///< Then `pattern` holds for strings alone.
    bool isNullable = false;
    std::optional<base::json::Value> standard; ///< The default.
    std::string pattern;
    std::shared_ptr<const std::regex> expression; ///< Null when there is no pattern, or it is one that we cannot read.
    std::optional<std::size_t> minLength;
    std::optional<std::size_t> maxLength;
    std::optional<std::size_t> minItems;
    std::optional<std::size_t> maxItems;
    std::optional<std::size_t> maxProperties;
    std::optional<double> minimum;
    std::optional<double> maximum;
    std::vector<std::string> choices; ///< enum; empty when anything goes.
    std::string format;               ///< "int32", "int64", "date-time" or empty.
    ListType listType = ListType::Atomic;
    std::vector<std::string> listMapKeys;
    std::vector<CelRule> rules;

    [[nodiscard]] const Schema* property(std::string_view name) const;
    /// Through nested properties; null when one is not there.
    [[nodiscard]] SchemaPtr at(std::initializer_list<std::string_view> path) const;
};

[[nodiscard]] std::string_view name(Schema::Type type); ///< "object", "array", "string", ...; "value" for Any.

/// One kind in one version.
struct ResourceKind {
    std::string group; ///< Empty for core/v1.
    std::string version;
    std::string kind;
    std::string plural;
    bool isNamespaced = true;
    bool isCustom = true; ///< False for Pod and Deployment, of which only an outline is here.
    SchemaPtr schema;

    [[nodiscard]] std::string apiVersion() const { return group.empty() ? version : group + "/" + version; }
};

/// The schemas that objects are checked against.
struct CrdSet {
    std::string name;   ///< "latest", "main-b7e707c" or the file's path.
    std::string origin; ///< Where it came from, in words; shown beside every check.
    std::string sha256; ///< Of the definitions' bytes.
    std::vector<ResourceKind> kinds;
    std::vector<std::string> borrowed; ///< Kinds that the file lacks and that are the built-in ones.

    [[nodiscard]] const ResourceKind* find(std::string_view apiVersion, std::string_view kind) const;
    [[nodiscard]] const ResourceKind* findKind(std::string_view kind) const;
    /// The schema of a PodSpec, from inside the SnapshotJob; null when there is none.
    [[nodiscard]] SchemaPtr podSpec() const;
};

/// Names of the built-in states, the newest first.
[[nodiscard]] const std::vector<std::string>& builtinCrdNames();
/// A built-in state with Pod and Deployment; null for another name. Read once.
[[nodiscard]] std::shared_ptr<const CrdSet> builtinCrds(std::string_view name);

/// Definitions from texts, each YAML (several documents) or JSON (one, or a List). Kinds that the texts lack are taken from the built-in
/// "latest", and Pod and Deployment come with the PodSpec of the texts. An error when a text holds no definition with a schema.
[[nodiscard]] Result<CrdSet> readCrds(std::span<const std::string> texts, std::string name);

/// Definitions as they are in one text, nothing added.
[[nodiscard]] Result<CrdSet> readBareCrds(std::string_view text, std::string name);

} // namespace wb::snapshot
