// A pack as people read it: in the terminal, and as the committed manual.
#include "core/base/text.h"
#include "core/schema/pack.h"

#include <algorithm>
#include <array>

namespace wb::schema {

namespace {

namespace json = base::json;

constexpr std::size_t lineWidth = 100;

/// The text broken at blanks, each line indented.
std::string wrapped(std::string_view text, std::size_t indent)
{
    const std::string margin(indent, ' ');
    std::string out;
    std::size_t column = 0;
    for (const std::string_view word : base::splitAt(text, ' ')) {
        const std::size_t width = base::codePoints(word);
        if (column > 0 && column + 1 + width > lineWidth) {
            out += '\n';
            column = 0;
        }
        if (column == 0) {
            out += margin;
            column = indent;
        } else {
            out += ' ';
            ++column;
        }
        out += word;
        column += width;
    }
    return out + '\n';
}

std::string shown(const json::Value& value)
{
    return json::write(value, 0);
}

/// "at least 1, at most 65535"
std::string limitsInWords(const Limits& limits)
{
    std::vector<std::string> parts;
    if (limits.least)
        parts.push_back((limits.aboveLeast ? "above " : "at least ") + base::textOf(*limits.least));
    if (limits.most)
        parts.push_back("at most " + base::textOf(*limits.most));
    return base::joined(parts, ", ");
}

/// What a value may be: type, null, limits and unit.
std::string valueInWords(const Field& field)
{
    std::string words = inWords(field.type);
    if (field.nullable)
        words += " or null";
    if (const std::string limits = limitsInWords(field.limits); !limits.empty())
        words += ", " + limits;
    if (!field.unit.empty())
        words += " (" + field.unit + ")";
    return words;
}

std::string defaultInWords(const Field& field)
{
    if (field.required)
        return "required";
    return field.defaultValue ? shown(*field.defaultValue) : "its own defaults";
}

/// All that there is to say about a field beyond its first line.
std::vector<std::string> remarks(const Field& field)
{
    std::vector<std::string> all = {field.doc};
    if (!field.inert.empty())
        all.push_back("No effect. " + field.inert);
    if (!field.deprecated.empty())
        all.push_back("Deprecated: " + field.deprecated);
    if (!field.readBy.empty())
        all.push_back("Read with " + field.readBySelector + " " + base::joined(field.readBy, ", ") + ".");
    return all;
}

/// The records in a type and in what it holds, each with the word that chooses it (empty: it is the only one).
void collectRecords(const Type& type, std::vector<std::pair<std::string, std::string>>& out)
{
    if (type.kind == TypeKind::Record && std::find(out.begin(), out.end(), std::pair(std::string(), type.record)) == out.end())
        out.emplace_back("", type.record);
    out.insert(out.end(), type.records.begin(), type.records.end());
    for (const Type& inner : type.inner)
        collectRecords(inner, out);
}

std::vector<std::pair<std::string, std::string>> recordsOf(const Type& type)
{
    std::vector<std::pair<std::string, std::string>> out;
    collectRecords(type, out);
    return out;
}

/// Where the map of a field is described: "resources" or "sglang: sglang_backend, ...".
std::string mapsOf(const Type& type)
{
    std::vector<std::string> parts;
    for (const auto& [word, record] : recordsOf(type))
        parts.push_back(word.empty() ? record : base::joined(std::array{word, record}, ": "));
    return base::joined(parts, ", ");
}

/// The records in the order in which a reader meets them, the root first.
std::vector<const Record*> inReadingOrder(const Pack& pack)
{
    std::vector<const Record*> order = {&pack.root()};
    const auto meet = [&](const std::string& name) {
        const Record* record = pack.record(name);
        if (record && std::find(order.begin(), order.end(), record) == order.end())
            order.push_back(record);
    };
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Record* record = order[i];
        for (const Field& field : record->fields) {
            for (const auto& [word, name] : recordsOf(field.type))
                meet(name);
        }
    }
    return order;
}

std::vector<std::string_view> groupsOf(const Record& record)
{
    std::vector<std::string_view> groups;
    for (const Field& field : record.fields) {
        if (std::find(groups.begin(), groups.end(), field.group) == groups.end())
            groups.emplace_back(field.group);
    }
    return groups;
}

// --- Markdown ------------------------------------------------------------------------------------------------------------------------

std::string cell(std::string_view text)
{
    return base::replacedAll(base::replacedAll(text, "|", "\\|"), "<", "&lt;");
}

std::string code(std::string_view text)
{
    return "`" + std::string(text) + "`";
}

std::string link(std::string_view record)
{
    return "[" + std::string(record) + "](#" + std::string(record) + ")";
}

std::string linksOf(const Type& type)
{
    std::vector<std::string> parts;
    for (const auto& [word, record] : recordsOf(type))
        parts.push_back(link(record));
    return base::joined(parts, ", ");
}

std::string markdownRow(const Field& field)
{
    std::string meaning = base::joined(remarks(field), " ");
    if (const std::string links = linksOf(field.type); !links.empty())
        meaning = cell(meaning) + " See " + links + ".";
    else
        meaning = cell(meaning);
    const std::string given = field.required ? "**required**" : field.defaultValue ? code(shown(*field.defaultValue)) : std::string();
    return "| " + code(field.key) + (field.expert ? " ◦" : "") + " | " + cell(valueInWords(field)) + " | " + cell(given) + " | " + meaning +
           " |\n";
}

std::string markdownWords(const Field& field)
{
    std::string out = "\nWords of " + code(field.key) + (field.openChoices ? " (others are possible)" : "") + ":\n\n";
    for (const Choice& choice : field.choices)
        out += "- " + code(choice.value) + ": " + cell(choice.doc) + "\n";
    return out;
}

std::string markdownRecord(const Record& record)
{
    std::string out = "\n## " + record.name + "\n\n" + cell(record.doc) + "\n";
    const auto groups = groupsOf(record);
    for (const std::string_view group : groups) {
        if (groups.size() > 1)
            out += "\n### " + std::string(group) + "\n";
        out += "\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n";
        std::string words;
        for (const Field& field : record.fields) {
            if (field.group != group)
                continue;
            out += markdownRow(field);
            if (!field.choices.empty())
                words += markdownWords(field);
        }
        out += words;
    }
    return out;
}

std::string markdownForms(const Pack& pack)
{
    if (pack.forms().empty())
        return {};
    std::string out = "\n## Top-level keys beside the recipe's own\n\n| key | meaning |\n| --- | --- |\n";
    for (const FormKey& form : pack.forms())
        out += "| " + code(form.key) + " | " + cell(form.doc) + " |\n";
    return out;
}

std::string textEntry(const Field& field)
{
    std::string out = "\n  " + field.key + ": " + valueInWords(field) + " [" + defaultInWords(field) + "]\n";
    for (const std::string& remark : remarks(field))
        out += wrapped(remark, 6);
    if (const std::string maps = mapsOf(field.type); !maps.empty())
        out += wrapped("See " + maps + ".", 6);
    for (const Choice& choice : field.choices)
        out += wrapped(choice.value + ": " + choice.doc, 8);
    return out;
}

std::string textEntry(const FormKey& form)
{
    return "\n  " + form.key + "\n" + wrapped(form.doc, 6);
}

} // namespace

std::string asText(const Pack& pack, std::string_view path)
{
    const std::size_t dot = path.rfind('.');
    const std::string_view key = path.substr(dot == std::string_view::npos ? 0 : dot + 1);
    const std::string_view block = dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
    const std::string_view parent = block.substr(block.rfind('.') == std::string_view::npos ? 0 : block.rfind('.') + 1);
    std::string out;
    for (const FormKey& form : pack.forms()) {
        if (form.key == path)
            out += textEntry(form);
    }
    for (const Record* record : inReadingOrder(pack)) {
        if (record->name == path)
            out += "\n" + record->name + "\n" + wrapped(record->doc, 2);
        for (const Field& field : record->fields) {
            // A record is mostly called as the key that holds it; where it is not, the key alone finds it.
            const bool isInBlock =
                parent.empty() || record->name == parent || record->name.starts_with(parent) || record->name.ends_with(parent);
            if (field.key == key && isInBlock)
                out += "\n" + record->name + textEntry(field);
        }
    }
    return out;
}

std::string_view nearestKey(const Pack& pack, std::string_view path)
{
    std::vector<std::string_view> keys;
    for (const Record* record : inReadingOrder(pack)) {
        for (const Field& field : record->fields)
            keys.emplace_back(field.key);
    }
    return base::nearestName(path.substr(path.rfind('.') == std::string_view::npos ? 0 : path.rfind('.') + 1), keys);
}

std::string asText(const Pack& pack)
{
    std::string out = pack.title() + ", state of " + pack.state() + "\n";
    for (const FormKey& form : pack.forms())
        out += textEntry(form);
    for (const Record* record : inReadingOrder(pack)) {
        out += "\n" + record->name + "\n" + wrapped(record->doc, 2);
        for (const Field& field : record->fields)
            out += textEntry(field);
    }
    return out;
}

std::string asMarkdown(const Pack& pack)
{
    std::string out = "# " + pack.title() + "\n\nState of " + pack.state() + ". Made from resources/schema/" + pack.id() +
                      ".json; a test compares the two, so change the rows there. Keys with ◦ are for experts.\n";
    out += markdownForms(pack);
    for (const Record* record : inReadingOrder(pack))
        out += markdownRecord(*record);
    return out;
}

} // namespace wb::schema
