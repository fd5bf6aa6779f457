// Flag tables as people read them.
#include "core/base/text.h"
#include "core/schema/flags.h"

#include <algorithm>

namespace wb::schema {

namespace {

namespace json = base::json;

std::string partsInWords(std::uint8_t parts, bool isMany)
{
    if ((parts & FlagType::Any) != 0)
        return isMany ? "values" : "any value";
    std::vector<std::string> words;
    const auto add = [&](FlagType::Part part, const char* one, const char* many) {
        if ((parts & part) != 0)
            words.emplace_back(isMany ? many : one);
    };
    add(FlagType::Integer, "a whole number", "whole numbers");
    add(FlagType::Number, "a number", "numbers");
    add(FlagType::Text, "a text", "texts");
    add(FlagType::Boolean, "true or false", "switches");
    add(FlagType::Json, "JSON", "JSON");
    add(FlagType::Object, "a mapping", "mappings");
    return base::joined(words, " or ");
}

std::string limitsInWords(const Flag& flag)
{
    std::vector<std::string> parts;
    if (flag.limits.least)
        parts.push_back((flag.limits.aboveLeast ? "above " : "at least ") + base::textOf(*flag.limits.least));
    if (flag.limits.most)
        parts.push_back((flag.belowMost ? "below " : "at most ") + base::textOf(*flag.limits.most));
    return base::joined(parts, ", ");
}

std::string certaintyInWords(const FlagTable& table)
{
    switch (table.certainty()) {
    case Certainty::Refuses:
        return "What is not here is refused by the engine of that state.";
    case Certainty::Likely:
        return "All flags of that state are here; another version may have others.";
    case Certainty::Partial:
        break;
    }
    return "Not all flags are here.";
}

std::string headOf(const FlagTable& table)
{
    std::string out = "State: " + table.state() + ". " + certaintyInWords(table);
    const std::vector<std::string> gaps(table.notRead().begin(), table.notRead().end());
    if (!gaps.empty())
        out += " Not read: " + base::joined(gaps, "; ") + ".";
    return out;
}

std::string defaultInWords(const Flag& flag)
{
    if (flag.isRequired)
        return "required";
    if (!flag.defaultKnown)
        return "?";
    return flag.defaultValue.isNull() ? "-" : json::write(flag.defaultValue, 0);
}

/// All that there is to say about a flag beside its type.
std::vector<std::string> remarks(const Flag& flag)
{
    std::vector<std::string> all;
    if (!flag.doc.empty())
        all.push_back(flag.doc);
    if (flag.negatable)
        all.push_back("no-" + flag.name + ": true switches it off.");
    if (flag.openChoices && !flag.choices.empty())
        all.emplace_back("Other words are possible.");
    if (flag.isRemoved)
        all.push_back("Gone" + (flag.removedIn.empty() ? std::string() : " in " + flag.removedIn) +
                      (flag.renamedTo.empty() ? "." : ": " + flag.renamedTo + " takes its place."));
    else if (!flag.deprecated.empty())
        all.push_back("Deprecated. " + flag.deprecated);
    if (!flag.since.empty())
        all.push_back("Since " + flag.since + ".");
    if (!flag.srtctlDoc.empty())
        all.push_back(flag.srtctlDoc);
    if (flag.onlyWith == "tensorrt")
        all.emplace_back("TensorRT backend only.");
    if (flag.onlyWith == "dynamo")
        all.emplace_back("Workers of Dynamo only.");
    if (flag.isUnread)
        all.emplace_back("Its keys were not read.");
    if (flag.seenOnly)
        all.emplace_back("Known from recipes alone.");
    if (!flag.variable.empty())
        all.push_back("Variable: " + flag.variable + ".");
    return all;
}

std::string names(const Flag& flag)
{
    std::string out = flag.name;
    for (const std::string& alias : flag.aliases)
        out += ", " + alias;
    return out;
}

void addText(const Flag& flag, std::size_t indent, std::string& out)
{
    const std::string margin(indent, ' ');
    out += margin + names(flag) + ": " + inWords(flag) + " [" + defaultInWords(flag) + "]\n";
    const std::vector<std::string> said = remarks(flag);
    if (!said.empty())
        out += margin + "    " + base::joined(said, " ") + "\n";
    for (const Flag& key : flag.keys)
        addText(key, indent + 4, out);
}

std::string cell(std::string_view text)
{
    return base::replacedAll(base::replacedAll(text, "|", "\\|"), "<", "&lt;");
}

void addRow(const Flag& flag, const std::string& within, std::string& out)
{
    out += "| `" + within + names(flag) + "` | " + cell(inWords(flag)) + " | " + cell(defaultInWords(flag)) + " | " +
           cell(base::joined(remarks(flag), " ")) + " |\n";
    for (const Flag& key : flag.keys)
        addRow(key, within + flag.name + ".", out);
}

json::Value typesOf(const Flag& flag)
{
    if (flag.kind == FlagKind::Switch || flag.kind == FlagKind::OptionalSwitch)
        return json::Array{"boolean", "null"};
    json::Array types;
    const auto add = [&](FlagType::Part part, const char* name) {
        if ((flag.type.parts & part) != 0)
            types.emplace_back(name);
    };
    add(FlagType::Integer, "integer");
    add(FlagType::Number, "number");
    add(FlagType::Boolean, "boolean");
    add(FlagType::Object, "object");
    if (flag.type.takesList())
        types.emplace_back("array");
    types.emplace_back("string");
    types.emplace_back("null");
    return types;
}

json::Value schemaOf(const Flag& flag)
{
    json::Value out(json::Object{});
    // Engines read numbers that are written as text, and JSON of any kind: only what is certain is said.
    const bool isFree = (flag.type.parts & (FlagType::Any | FlagType::Json)) != 0;
    if (!isFree)
        out.set("type", typesOf(flag));
    if (!flag.choices.empty()) {
        json::Array words;
        for (const std::string& choice : flag.choices)
            words.emplace_back(choice);
        out.set("examples", std::move(words));
    }
    if (flag.defaultKnown)
        out.set("default", flag.defaultValue);
    if (flag.isRemoved || !flag.deprecated.empty())
        out.set("deprecated", true);
    out.set("description", inWords(flag) + ". " + base::joined(remarks(flag), " "));
    if (!flag.keys.empty()) {
        json::Value properties(json::Object{});
        for (const Flag& key : flag.keys)
            properties.set(key.name, schemaOf(key));
        out.set("properties", std::move(properties));
    }
    return out;
}

} // namespace

std::string inWords(const Flag& flag)
{
    if (flag.kind == FlagKind::Switch || flag.kind == FlagKind::OptionalSwitch)
        return "true or nothing";
    if (!flag.choices.empty() && !flag.openChoices)
        return (flag.type.items != 0 ? "a list of " : "one of ") + base::joined(flag.choices, ", ");
    std::vector<std::string> words;
    if (flag.type.parts != 0)
        words.push_back(partsInWords(flag.type.parts, false));
    if (flag.type.items != 0)
        words.push_back("a list of " + partsInWords(flag.type.items, true));
    std::string out = base::joined(words, " or ");
    if (flag.takesUnits)
        out += ", with a unit if need be (16k)";
    if (const std::string limits = limitsInWords(flag); !limits.empty())
        out += ", " + limits;
    return out;
}

std::string asText(const FlagTable& table)
{
    std::string out = "Flags of " + table.title() + "\n" + headOf(table) + "\n\n";
    for (const Flag& flag : table.flags())
        addText(flag, 0, out);
    return out;
}

std::string asText(const Flag& flag)
{
    std::string out;
    addText(flag, 0, out);
    return out;
}

json::Value asJsonSchema(const FlagTable& table)
{
    json::Value properties(json::Object{});
    for (const Flag& flag : table.flags()) {
        const json::Value schema = schemaOf(flag);
        properties.set(flag.name, schema);
        for (const std::string& alias : flag.aliases)
            properties.set(alias, schema);
        if (flag.negatable)
            properties.set("no-" + flag.name, json::Object{{"type", "boolean"}, {"description", "Switches " + flag.name + " off."}});
    }
    return json::Object{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                        {"title", "Flags of " + table.title()},
                        {"description", headOf(table)},
                        {"type", "object"},
                        {"properties", std::move(properties)}};
}

std::string asMarkdown(const FlagTable& table)
{
    std::string out = "# Flags of " + table.title() + "\n\n" + headOf(table) + " Made from resources/engines/" + table.engine() +
                      ".json. A default of ? is not known, one of - is left to the engine.\n\n"
                      "| flag | value | default | meaning |\n| --- | --- | --- | --- |\n";
    for (const Flag& flag : table.flags())
        addRow(flag, {}, out);
    return out;
}

} // namespace wb::schema
