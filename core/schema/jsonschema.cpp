// A pack as JSON Schema 2020-12, for editors and validators that know nothing of us.
//
// A value is described by a Shape: the JSON types it may have, and keywords that each speak of one JSON type only ("pattern" of texts,
// "minimum" of numbers, "items" of arrays, "properties" of objects). So alternatives can mostly be laid over each other, which gives
// "expected array or string" where anyOf would give a list of everything that failed.
//
// One record is described once for each flavour in which it is needed: in an override file a part of a recipe may stand, null deletes, and
// a zip may hold a list in place of any value.
#include "core/base/text.h"
#include "core/schema/pack.h"

#include <algorithm>
#include <cassert>

namespace wb::schema {

namespace {

namespace json = base::json;

struct Flavour {
    std::string_view suffix;        ///< Of the definitions.
    bool keepsRequired = true;      ///< Required keys must be there.
    bool allowsNull = false;        ///< null may stand everywhere: it deletes.
    bool zips = false;              ///< Every value may be a list of values, one for each variant.
    bool takesPlaceholders = false; ///< "{name}" may stand for a value, to be replaced by a sweep.
};

constexpr Flavour plain{.suffix = ""};
constexpr Flavour swept{.suffix = " (sweep)", .takesPlaceholders = true};
constexpr Flavour base{.suffix = " (base)", .keepsRequired = false, .takesPlaceholders = true};
constexpr Flavour changes{.suffix = " (override)", .keepsRequired = false, .allowsNull = true, .takesPlaceholders = true};
constexpr Flavour zipped{.suffix = " (zip)", .keepsRequired = false, .allowsNull = true, .zips = true, .takesPlaceholders = true};

// What upstream turns into numbers and booleans when it is written as text.
constexpr std::string_view integerText = "[ \\t\\n]*[+-]?[0-9](_?[0-9])*[ \\t\\n]*";
constexpr std::string_view countText = "[ \\t\\n]*[+]?[0-9](_?[0-9])*[ \\t\\n]*";
constexpr std::string_view numberText =
    "[ \\t\\n]*[+-]?([0-9](_?[0-9])*[.]?([0-9](_?[0-9])*)?|[.][0-9](_?[0-9])*)([eE][+-]?[0-9](_?[0-9])*)?[ \\t\\n]*";
constexpr std::string_view booleanText = "t|T|f|F|y|Y|n|N|true|True|TRUE|false|False|FALSE|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|0|1";
constexpr std::string_view clockUnit = "HH:MM:SS"; ///< Of texts that are times.
constexpr std::string_view placeholderText = ".*[{][^{}]+[}].*";
constexpr std::string_view onlyPlaceholderText = "[{][^{}]+[}]";

struct Shape {
    std::vector<std::string> types; ///< Empty: any value.
    json::Object keywords;

    [[nodiscard]] bool has(std::string_view type) const { return std::find(types.begin(), types.end(), type) != types.end(); }
    void add(std::string_view type)
    {
        if (!types.empty() && !has(type))
            types.emplace_back(type);
    }
    [[nodiscard]] bool takesAll() const { return types.empty() && keywords.empty(); }
    [[nodiscard]] const json::Value* keyword(std::string_view key) const
    {
        const auto found = std::find_if(keywords.begin(), keywords.end(), [&](const json::Member& one) { return one.key == key; });
        return found == keywords.end() ? nullptr : &found->value;
    }
    void drop(std::string_view key)
    {
        std::erase_if(keywords, [&](const json::Member& one) { return one.key == key; });
    }
    void set(std::string_view key, json::Value value)
    {
        drop(key);
        keywords.push_back({std::string(key), std::move(value)});
    }
};

std::string anchored(std::string_view pattern)
{
    return "^(" + std::string(pattern) + ")$";
}

json::Value valueOf(const Shape& shape)
{
    json::Value value(json::Object{});
    if (shape.types.size() == 1) {
        value.set("type", shape.types.front());
    } else if (!shape.types.empty()) {
        json::Value types;
        for (const std::string& type : shape.types)
            types.push(type);
        value.set("type", std::move(types));
    }
    for (const json::Member& member : shape.keywords)
        value.set(member.key, member.value);
    return value;
}

/// Both patterns where both shapes restrict texts; none where one of them takes any text.
void mergePatterns(Shape& into, const Shape& other)
{
    const json::Value* own = into.keyword("pattern");
    const json::Value* their = other.keyword("pattern");
    if ((into.has("string") && !own) || (other.has("string") && !their))
        into.drop("pattern");
    else if (own && their)
        into.set("pattern", *own->string() + "|" + *their->string());
    else if (their)
        into.set("pattern", *their);
    // What was expected can no longer be said in one of their sentences.
    into.drop("patternErrorMessage");
}

/// Lays the alternative over the shape; false when a keyword of both says different things.
bool mergeInto(Shape& into, const Shape& other)
{
    if (into.takesAll() || other.takesAll()) {
        into = {};
        return true;
    }
    const auto isOfText = [](const json::Member& member) { return member.key == "pattern" || member.key == "patternErrorMessage"; };
    for (const json::Member& member : other.keywords) {
        const json::Value* own = into.keyword(member.key);
        if (!isOfText(member) && own && !(*own == member.value))
            return false;
    }
    if (into.types.empty() || other.types.empty())
        return false;
    mergePatterns(into, other);
    for (const json::Member& member : other.keywords) {
        if (!isOfText(member))
            into.set(member.key, member.value);
    }
    for (const std::string& type : other.types)
        into.add(type);
    return true;
}

/// In a change null deletes; to delete what is required leaves no recipe.
bool mayBeNull(const Field& field, const Flavour& flavour)
{
    return field.nullable || (flavour.allowsNull && !field.required);
}

json::Value reference(const std::string& definition)
{
    return "#/$defs/" + base::replacedAll(definition, " ", "%20");
}

class SchemaMaker
{
public:
    explicit SchemaMaker(const Pack& pack)
        : m_pack(pack)
    {
    }

    json::Value document();

private:
    Shape shapeOf(const Type& type, const Field& field, const Flavour& flavour);
    Shape numberShape(const Field& field, const Flavour& flavour, std::string_view jsonType) const;
    Shape listShape(const Type& type, const Field& field, const Flavour& flavour);
    Shape mapShape(const Type& type, const Field& field, const Flavour& flavour);
    Shape unionShape(const Type& type, const Field& field, const Flavour& flavour);
    Shape variantShape(const Type& type, const Flavour& flavour);
    Shape zippedShape(const Type& type, const Field& field);
    Shape choiceShape(const Field& field, bool isNullable, const Flavour& flavour) const;

    json::Value valueSchema(const Field& field, const Flavour& flavour);
    json::Value fieldSchema(const Field& field, const Flavour& flavour);
    [[nodiscard]] std::string description(const Field& field) const;
    json::Value recordSchema(const Record& record, const Flavour& flavour);
    /// The name of the definition, which is made on first use.
    std::string definition(const Record& record, const Flavour& flavour);
    /// All records of a variant as one, for where the word is a placeholder or stands in another part of the recipe.
    std::string anyOfVariant(const Type& type, const Flavour& flavour);

    json::Value overrideForm();
    json::Value parametersSchema(const Flavour& flavour) const;
    /// The root record with the top-level keys of a form beside its own.
    std::string rootDefinition(const Flavour& flavour, Form extra);
    [[nodiscard]] std::string keyOf(Form form) const; ///< The key that makes a document this form; empty: the pack has no such form.

    const Pack& m_pack;
    std::vector<std::string> m_made;
    json::Value m_definitions{json::Object{}};
};

// --- values --------------------------------------------------------------------------------------------------------------------------

Shape SchemaMaker::numberShape(const Field& field, const Flavour& flavour, std::string_view jsonType) const
{
    const Limits& limits = field.limits;
    const bool isInteger = jsonType == "integer";
    Shape shape{{std::string(jsonType), "string"}, {}};
    if (limits.least)
        shape.set(limits.aboveLeast ? "exclusiveMinimum" : "minimum", *limits.least);
    if (limits.most)
        shape.set("maximum", *limits.most);
    const bool isCount = limits.least && *limits.least >= 0;
    std::string pattern(isInteger ? (isCount ? countText : integerText) : numberText);
    if (flavour.takesPlaceholders)
        pattern += "|" + std::string(onlyPlaceholderText);
    shape.set("pattern", anchored(pattern));
    shape.set("patternErrorMessage", isInteger ? "Expected a whole number." : "Expected a number.");
    return shape;
}

Shape SchemaMaker::listShape(const Type& type, const Field& field, const Flavour& flavour)
{
    Shape items = shapeOf(type.inner.front(), field, flavour);
    if (type.valuesNullable)
        items.add("null");
    Shape shape{{"array"}, {}};
    shape.set("items", valueOf(items));
    if (flavour.takesPlaceholders) {
        shape.add("string");
        shape.set("pattern", anchored(onlyPlaceholderText));
        shape.set("patternErrorMessage", "Expected a list, or the name of a parameter in braces.");
    }
    return shape;
}

Shape SchemaMaker::mapShape(const Type& type, const Field& field, const Flavour& flavour)
{
    Shape values = flavour.zips ? zippedShape(type.inner.front(), field) : shapeOf(type.inner.front(), field, flavour);
    if (type.valuesNullable || flavour.allowsNull)
        values.add("null");
    // PyYAML takes the letters y and n for text, other readers of YAML 1.1 for true and false: variables are often set to them.
    if (type.inner.front().kind == TypeKind::String)
        values.add("boolean");
    Shape shape{{"object"}, {}};
    shape.set("additionalProperties", valueOf(values));
    return shape;
}

Shape SchemaMaker::unionShape(const Type& type, const Field& field, const Flavour& flavour)
{
    Shape all;
    json::Value alternatives;
    bool merges = true;
    for (const Type& alternative : type.inner) {
        Shape shape = shapeOf(alternative, field, flavour);
        alternatives.push(valueOf(shape));
        if (alternatives.array().size() == 1)
            all = std::move(shape);
        else
            merges = merges && mergeInto(all, shape);
    }
    return merges ? all : Shape{{}, {{"anyOf", std::move(alternatives)}}};
}

Shape SchemaMaker::variantShape(const Type& type, const Flavour& flavour)
{
    json::Value words;
    json::Value branches;
    for (const auto& [word, name] : type.records) {
        words.push(word);
        const Record* record = m_pack.record(name);
        assert(record && "readPack has seen to it");
        json::Value isWord(json::Object{{"properties", json::Object{{type.selector, json::Object{{"const", word}}}}}});
        // An absent word means the default, but in a part of a recipe the word may stand elsewhere.
        if (!flavour.keepsRequired || word != type.selectorDefault)
            isWord.set("required", json::Array{type.selector});
        branches.push(json::Object{{"if", std::move(isWord)}, {"then", json::Object{{"$ref", reference(definition(*record, flavour))}}}});
    }
    json::Value isKnown(json::Object{{"properties", json::Object{{type.selector, json::Object{{"enum", words}}}}}});
    if (!flavour.takesPlaceholders) {
        branches.push(std::move(isKnown));
    } else {
        if (!flavour.keepsRequired)
            isKnown.set("required", json::Array{type.selector});
        branches.push(json::Object{{"if", json::Object{{"not", std::move(isKnown)}}},
                                   {"then", json::Object{{"$ref", reference(anyOfVariant(type, flavour))}}}});
    }
    return {{"object"}, {{"allOf", std::move(branches)}}};
}

/// A list stands for one value in each variant; a value that is a list itself must stand inside another one.
Shape SchemaMaker::zippedShape(const Type& type, const Field& field)
{
    Shape one = shapeOf(type, field, changes);
    if (!field.required)
        one.add("null");
    Shape shape = shapeOf(type, field, type.kind == TypeKind::List ? changes : zipped); // its items are replaced below
    if (shape.types.empty())
        return shape;
    std::erase(shape.types, "array");
    shape.types.emplace_back("array");
    shape.set("items", valueOf(one));
    shape.set("minItems", 1);
    return shape;
}

Shape SchemaMaker::shapeOf(const Type& type, const Field& field, const Flavour& flavour)
{
    switch (type.kind) {
    case TypeKind::String:
    case TypeKind::Path:
        // PyYAML takes 03:00:00 for text, as the recipe means it; other readers of YAML 1.1 for a number.
        return field.unit == clockUnit ? Shape{{"string", "integer"}, {}} : Shape{{"string"}, {}};
    case TypeKind::Integer:
        return numberShape(field, flavour, "integer");
    case TypeKind::Number:
        return numberShape(field, flavour, "number");
    case TypeKind::Boolean: {
        if (type.isStrict)
            return {{"boolean"}, {}};
        Shape shape{{"boolean", "integer", "string"}, {}};
        shape.set("minimum", 0);
        shape.set("maximum", 1);
        std::string pattern(booleanText);
        if (flavour.takesPlaceholders)
            pattern += "|" + std::string(onlyPlaceholderText);
        shape.set("pattern", anchored(pattern));
        shape.set("patternErrorMessage", "Expected true or false.");
        return shape;
    }
    case TypeKind::Any:
        return {};
    case TypeKind::List:
        return listShape(type, field, flavour);
    case TypeKind::Map:
        return mapShape(type, field, flavour);
    case TypeKind::Record: {
        const Record* record = m_pack.record(type.record);
        assert(record && "readPack has seen to it");
        return {{"object"}, {{"$ref", reference(definition(*record, flavour))}}};
    }
    case TypeKind::Union:
        return unionShape(type, field, flavour);
    case TypeKind::Variant:
        return variantShape(type, flavour);
    }
    return {};
}

// --- fields and records --------------------------------------------------------------------------------------------------------------

Shape SchemaMaker::choiceShape(const Field& field, bool isNullable, const Flavour& flavour) const
{
    json::Value words;
    json::Value docs;
    for (const Choice& choice : field.choices) {
        words.push(choice.value);
        docs.push(choice.doc);
    }
    if (isNullable) {
        words.push(nullptr);
        docs.push(field.doc);
    }
    Shape choices{{}, {{"enum", std::move(words)}, {"enumDescriptions", std::move(docs)}}};
    if (!flavour.takesPlaceholders)
        return choices;
    const json::Value placeholder(json::Object{{"type", "string"}, {"pattern", anchored(placeholderText)}});
    json::Value alternatives(json::Array{valueOf(choices), placeholder});
    if (flavour.zips)
        alternatives.push(json::Object{{"type", "array"}, {"items", valueOf(choices)}, {"minItems", 1}});
    return {{}, {{"anyOf", std::move(alternatives)}}};
}

std::string SchemaMaker::description(const Field& field) const
{
    std::string text = field.doc;
    if (!field.unit.empty())
        text += " Unit: " + field.unit + ".";
    if (!field.inert.empty())
        text += "\n\nNo effect. " + field.inert;
    if (!field.deprecated.empty())
        text += "\n\nDeprecated: " + field.deprecated;
    if (!field.readBy.empty())
        text += "\n\nRead with " + field.readBySelector + " " + base::joined(field.readBy, ", ") + ".";
    if (!field.choices.empty())
        text += "\n";
    for (const Choice& choice : field.choices)
        text += "\n- " + choice.value + ": " + choice.doc;
    return text;
}

json::Value SchemaMaker::valueSchema(const Field& field, const Flavour& flavour)
{
    const bool isNullable = mayBeNull(field, flavour);
    if (!field.choices.empty() && !field.openChoices)
        return valueOf(choiceShape(field, isNullable, flavour));
    Shape shape = flavour.zips ? zippedShape(field.type, field) : shapeOf(field.type, field, flavour);
    if (isNullable)
        shape.add("null");
    if (field.openChoices) {
        json::Value examples;
        for (const Choice& choice : field.choices)
            examples.push(choice.value);
        shape.set("examples", std::move(examples));
    }
    return valueOf(shape);
}

json::Value SchemaMaker::fieldSchema(const Field& field, const Flavour& flavour)
{
    json::Value schema = valueSchema(field, flavour);
    schema.set("description", description(field));
    if (field.defaultValue && flavour.keepsRequired)
        schema.set("default", *field.defaultValue);
    if (!field.deprecated.empty()) {
        schema.set("deprecated", true);
        schema.set("deprecationMessage", field.deprecated);
    }
    return schema;
}

json::Value SchemaMaker::recordSchema(const Record& record, const Flavour& flavour)
{
    json::Value properties(json::Object{});
    json::Value required;
    for (const Field& field : record.fields) {
        properties.set(field.key, fieldSchema(field, flavour));
        if (field.required && flavour.keepsRequired)
            required.push(field.key);
    }
    // Editors show the description of the definition in place of the field's own, so that the record's must not be called so.
    json::Value schema(json::Object{{"title", record.name}, {"$comment", record.doc}, {"properties", std::move(properties)}});
    if (required.isArray())
        schema.set("required", std::move(required));
    schema.set("additionalProperties", false);
    return schema;
}

std::string SchemaMaker::definition(const Record& record, const Flavour& flavour)
{
    std::string name = record.name + std::string(flavour.suffix);
    if (std::find(m_made.begin(), m_made.end(), name) == m_made.end()) {
        m_made.push_back(name);
        m_definitions.set(name, recordSchema(record, flavour));
    }
    return name;
}

std::string SchemaMaker::anyOfVariant(const Type& type, const Flavour& flavour)
{
    std::string name = "any of";
    for (const auto& [word, record] : type.records)
        name += " " + record;
    name += flavour.suffix;
    if (std::find(m_made.begin(), m_made.end(), name) != m_made.end())
        return name;
    m_made.push_back(name);

    std::vector<std::pair<std::string, json::Array>> keys; // Key and the different schemas that the records give it.
    for (const auto& [word, recordName] : type.records) {
        for (const Field& field : m_pack.record(recordName)->fields) {
            auto at = std::find_if(keys.begin(), keys.end(), [&](const auto& one) { return one.first == field.key; });
            if (at == keys.end())
                at = keys.insert(at, {field.key, {}});
            const json::Value schema = fieldSchema(field, flavour);
            if (std::find(at->second.begin(), at->second.end(), schema) == at->second.end())
                at->second.push_back(schema);
        }
    }
    json::Value properties(json::Object{});
    for (auto& [key, schemas] : keys)
        properties.set(key, schemas.size() == 1 ? schemas.front() : json::Value(json::Object{{"anyOf", std::move(schemas)}}));
    m_definitions.set(name, json::Object{{"properties", std::move(properties)}, {"additionalProperties", false}});
    return name;
}

// --- documents -----------------------------------------------------------------------------------------------------------------------

std::string SchemaMaker::keyOf(Form form) const
{
    const auto found = std::find_if(m_pack.forms().begin(), m_pack.forms().end(),
                                    [&](const FormKey& key) { return key.form == form && !key.key.ends_with('*'); });
    return found == m_pack.forms().end() ? std::string() : found->key;
}

json::Value SchemaMaker::parametersSchema(const Flavour& flavour) const
{
    json::Value schema(json::Object{{"type", "object"}});
    if (flavour.allowsNull)
        schema.set("type", json::Array{"object", "null"});
    schema.set("minProperties", 1);
    schema.set("additionalProperties", json::Object{{"type", "array"}, {"minItems", 1}});
    return schema;
}

std::string SchemaMaker::rootDefinition(const Flavour& flavour, Form extra)
{
    std::string name = m_pack.root().name + std::string(flavour.suffix);
    json::Value root = recordSchema(m_pack.root(), flavour);
    json::Value properties = *root.find("properties");
    for (const FormKey& key : m_pack.forms()) {
        if (key.form != extra || key.key.ends_with('*'))
            continue;
        json::Value schema = key.holds == Content::Parameters ? parametersSchema(flavour) : json::Value(json::Object{});
        schema.set("description", key.doc);
        properties.set(key.key, std::move(schema));
    }
    root.set("properties", std::move(properties));
    m_definitions.set(name, std::move(root));
    return name;
}

json::Value SchemaMaker::overrideForm()
{
    // A sweep may stand in the parts of an override file: it is worked out after the override.
    const auto partOf = [&](const Flavour& flavour) {
        return json::Value(json::Object{{"type", "object"}, {"$ref", reference(rootDefinition(flavour, Form::Sweep))}});
    };
    json::Value properties(json::Object{});
    json::Value patterns(json::Object{});
    for (const FormKey& key : m_pack.forms()) {
        if (key.form != Form::Override)
            continue;
        json::Value schema(json::Object{});
        if (key.holds != Content::Anything)
            schema = partOf(key.holds == Content::Recipe ? base : key.holds == Content::Changes ? changes : zipped);
        schema.set("description", key.doc);
        if (key.key.ends_with('*'))
            patterns.set("^" + key.key.substr(0, key.key.size() - 1) + ".", std::move(schema));
        else
            properties.set(key.key, std::move(schema));
    }
    return json::Object{{"properties", std::move(properties)}, {"patternProperties", std::move(patterns)}, {"additionalProperties", false}};
}

json::Value SchemaMaker::document()
{
    json::Value schema(json::Object{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                                    {"title", m_pack.title()},
                                    {"description", m_pack.root().doc + " State of " + m_pack.state() + "."},
                                    {"type", "object"}});
    json::Value form(json::Object{{"$ref", reference(rootDefinition(plain, Form::Plain))}});
    const auto choose = [&](const std::string& key, json::Value then) {
        if (!key.empty())
            form = json::Object{{"if", json::Object{{"required", json::Array{key}}}}, {"then", std::move(then)}, {"else", std::move(form)}};
    };
    // The last choice made is the first one asked: a document with both keys is an override file.
    if (const std::string key = keyOf(Form::Sweep); !key.empty())
        choose(key, json::Object{{"$ref", reference(rootDefinition(swept, Form::Sweep))}});
    if (const std::string key = keyOf(Form::Override); !key.empty())
        choose(key, overrideForm());
    for (const json::Member& member : form.object())
        schema.set(member.key, member.value);
    schema.set("$defs", std::move(m_definitions));
    return schema;
}

} // namespace

base::json::Value asJsonSchema(const Pack& pack)
{
    return SchemaMaker(pack).document();
}

} // namespace wb::schema
