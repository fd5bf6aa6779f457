// A pack: one recipe language as data. The rows are read from resources/schema/*.json (built in, or a file of the user's), and everything
// that knows a field is derived from its row: reader, shape problems, completion, hover, form, JSON Schema, manual.
//
// To add a field: a row in resources/schema/<pack>.json (and its line in the lowering, core/recipe/lower.cpp, when the job needs it).
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wb::schema {

/// What a value may be. `String` takes text only, never a number; `Path` is text with templates and may not be null.
enum class TypeKind { String, Integer, Number, Boolean, Any, Path, List, Map, Record, Union, Variant };

struct Type {
    TypeKind kind = TypeKind::Any;
    std::string record;          ///< Record: its name.
    std::vector<Type> inner;     ///< List: items. Map: values. Union: alternatives in the order they are tried.
    std::string selector;        ///< Variant: the key that chooses the record ("type").
    std::string selectorDefault; ///< Variant: the choice when that key is absent.
    std::vector<std::pair<std::string, std::string>> records; ///< Variant: choice -> record name, in order.
    bool valuesNullable = false;                              ///< Map, List: a value may be null.
    bool isStrict = false;                                    ///< Boolean: no words or numbers for true and false.
};

struct Choice {
    std::string value;
    std::string doc;
};

/// Bounds of a number. In a list, a map or a union they hold for each number in it; they never refuse a text.
struct Limits {
    std::optional<double> least;
    std::optional<double> most;
    bool aboveLeast = false; ///< `least` itself is refused.

    [[nodiscard]] bool allow(double number) const;
};

/// A former or foreign name of a field, so that a message can say what it is called here.
struct OtherName {
    std::string name;
    std::string why; ///< A clause: "schema 2 calls it so".
};

struct Field {
    std::string key;
    Type type;
    bool required = false;
    bool nullable = false;
    std::optional<base::json::Value> defaultValue; ///< Absent: required, or a record whose own defaults count.
    std::vector<Choice> choices;
    bool openChoices = false; ///< Other words are taken, with a warning.
    std::string otherChoice;  ///< What another word leads to, as a sentence; empty where it may well be right.
    Limits limits;
    std::string unit;
    std::string doc;                 ///< In our own words, one or two sentences.
    std::string group;               ///< Heading in the form.
    bool expert = false;             ///< Shown in the expert form only.
    std::string inert;               ///< Why the key does nothing, when it is accepted and read by nothing. Else empty.
    std::string deprecated;          ///< What to use instead. Else empty.
    std::string readBySelector;      ///< Dotted path of the key that decides whether this one is read ("benchmark.type").
    std::vector<std::string> readBy; ///< Its values under which it is; empty: always.
    std::vector<OtherName> otherNames;

    [[nodiscard]] const Choice* choice(std::string_view word) const;
};

struct Record {
    std::string name; ///< "resources"
    std::string doc;
    std::vector<Field> fields; ///< In the order of the manual and the form.

    [[nodiscard]] const Field* find(std::string_view key) const;
    /// The field that people write `key` for when it is no key itself; `why` of the match says where the name comes from.
    [[nodiscard]] std::pair<const Field*, const OtherName*> findByOtherName(std::string_view key) const;

    std::vector<std::uint16_t> sorted; ///< Positions in `fields` by key; filled by readPack, may be empty in a record made by hand.
};

/// The forms that a document may take.
enum class Form { Plain, Override, Sweep };

/// What stands under a top-level key that is no field.
enum class Content { Recipe, Changes, ZippedChanges, Parameters, Anything };

/// A top-level key that is no field of the recipe. The first one without "*" of a form makes a document that form.
struct FormKey {
    std::string key; ///< A "*" at the end stands for any name of at least one character.
    Form form = Form::Plain;
    Content holds = Content::Anything;
    std::string doc;

    [[nodiscard]] bool matches(std::string_view written) const;
};

class Pack
{
public:
    [[nodiscard]] const std::string& id() const { return m_id; } ///< "v1", "v2", "cluster"
    [[nodiscard]] const std::string& title() const { return m_title; }
    [[nodiscard]] const std::string& state() const { return m_state; } ///< Date or version of the language it describes.
    [[nodiscard]] bool isOfCluster() const; ///< It describes the cluster file, not recipes; told by its id, "cluster...".
    [[nodiscard]] bool isSecond() const;    ///< Recipes of schema 2, which have roles, or cluster files as srtctl 2.x reads them.
    [[nodiscard]] const Record& root() const;
    [[nodiscard]] const Record* record(std::string_view name) const;
    [[nodiscard]] const std::map<std::string, Record, std::less<>>& records() const { return m_records; }

    [[nodiscard]] const std::vector<FormKey>& forms() const { return m_forms; } ///< Empty: plain documents only.
    /// The field at a dotted path from the root ("benchmark.type"), through records; a variant is entered by its default. Null: none.
    [[nodiscard]] const Field* fieldAt(std::string_view path) const;

    /// The record that a type means for the chosen word: of a Variant by that word (null when it is no choice), of a Record always its own.
    /// Null for a scalar. Of a union the first alternative that has a record counts, of a list or map what it holds.
    [[nodiscard]] const Record* recordFor(const Type& type, std::string_view choice) const;

private:
    friend Result<std::shared_ptr<const Pack>> readPack(std::string_view json, std::string_view name);
    std::string m_id;
    std::string m_title;
    std::string m_state;
    std::string m_root;
    std::vector<FormKey> m_forms;
    std::map<std::string, Record, std::less<>> m_records;
};

/// Reads a pack; every fault of the data (unknown type, missing record, default outside its limits) is an error that names the field. The
/// message tells the first fault, the detail all of them, a line each.
[[nodiscard]] Result<std::shared_ptr<const Pack>> readPack(std::string_view json, std::string_view name);

/// Built in: "v1" and "v2" (recipes), "cluster" and "cluster-v2" (srtslurm.yaml as srtctl 1.x and 2.x read it). Null for an unknown id.
/// Each is read once, on first use.
[[nodiscard]] std::shared_ptr<const Pack> builtInPack(std::string_view id);
[[nodiscard]] std::span<const std::string_view> builtInPackIds();
/// Id of the built-in pack that a recipe is meant for: that of schema 2 when a key that only schema 2 has stands at its top, or at that of
/// its `base`. `has` tells whether a key stands at the top (`block` empty) or directly in the block of that name at the top.
[[nodiscard]] std::string_view packMeant(const std::function<bool(std::string_view block, std::string_view key)>& has);

/// The type as messages say it, with article: "a whole number", "a list of texts or a text".
[[nodiscard]] std::string inWords(const Type& type);

// The manual and the exchange format, derived from the rows.
[[nodiscard]] std::string asText(const Pack& pack);
/// The entries of one key ("concurrencies", "benchmark.concurrencies") or block, each under the name of its block; empty when there is
/// none.
[[nodiscard]] std::string asText(const Pack& pack, std::string_view path);
/// The key of the pack that was most likely meant by the last part of a path; empty when none is near.
[[nodiscard]] std::string_view nearestKey(const Pack& pack, std::string_view path);
[[nodiscard]] std::string asMarkdown(const Pack& pack);
[[nodiscard]] base::json::Value asJsonSchema(const Pack& pack); ///< JSON Schema 2020-12, with the forms of the pack.

} // namespace wb::schema
