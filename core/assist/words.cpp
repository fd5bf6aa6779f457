#include "core/assist/words.h"

#include "core/base/text.h"
#include "core/recipe/defaults.h"
#include "core/recipe/defaultsv2.h"
#include "core/syntax/yaml.h"

#include <algorithm>

namespace wb::assist {

namespace {

void write(const syntax::Value& value, std::string& out, std::size_t most)
{
    if (out.size() > most)
        return;
    const auto begin = [&](char c) { out += c; };
    switch (value.kind) {
    case syntax::Kind::Sequence:
        begin('[');
        for (std::size_t i = 0; i < value.items.size() && out.size() <= most; ++i) {
            out += i == 0 ? "" : ", ";
            write(*value.items[i], out, most);
        }
        out += ']';
        break;
    case syntax::Kind::Mapping:
        begin('{');
        for (std::size_t i = 0; i < value.members.size() && out.size() <= most; ++i) {
            out += (i == 0 ? "" : ", ") + value.members[i].key + ": ";
            write(*value.members[i].value, out, most);
        }
        out += '}';
        break;
    case syntax::Kind::Null:
        out += "null";
        break;
    case syntax::Kind::String:
        out += value.text.empty() ? "\"\"" : value.text;
        break;
    default:
        out += value.text.empty() && value.kind == syntax::Kind::Bool ? (value.boolean ? "true" : "false") : value.text;
    }
}

std::string shown(const base::json::Value& value)
{
    if (value.isNull())
        return "null";
    if (const std::string* text = value.string())
        return text->empty() ? "\"\"" : *text;
    return base::json::write(value, 0);
}

std::string oneLine(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        const bool isBreak = c == '\n' || c == '\r' || c == '\t' || c == ' ';
        if (!isBreak)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    return out;
}

} // namespace

std::string cutTo(std::string text, std::size_t most)
{
    if (base::codePoints(text) <= most)
        return text;
    std::size_t at = 0;
    for (std::size_t seen = 0; seen + 1 < most && at < text.size(); ++seen) {
        ++at;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U)
            ++at;
    }
    text.resize(at);
    return text + "\u2026";
}

std::string defaultOf(const schema::Field& field)
{
    if (!field.defaultValue)
        return {};
    return cutTo(shown(*field.defaultValue), 60);
}

std::string defaultOf(const schema::Flag& flag)
{
    if (!flag.defaultKnown)
        return {};
    return flag.defaultValue.isNull() ? "chosen by the engine" : cutTo(shown(flag.defaultValue), 60);
}

std::string limitsOf(const schema::Limits& limits)
{
    if (limits.least && limits.most && !limits.aboveLeast)
        return base::textOf(*limits.least) + " to " + base::textOf(*limits.most);
    std::string out;
    if (limits.least)
        out = (limits.aboveLeast ? "more than " : "at least ") + base::textOf(*limits.least);
    if (limits.most)
        out += (out.empty() ? "at most " : ", at most ") + base::textOf(*limits.most);
    return out;
}

std::string shortText(const syntax::Value& value, std::size_t most)
{
    std::string out;
    write(value, out, most * 4);
    return cutTo(oneLine(out), most);
}

std::string shortText(const Skeleton& skeleton, Skeleton::Id id, std::size_t most)
{
    const Skeleton::Node& node = skeleton.node(id);
    syntax::Range range = node.value;
    range.end = std::min(range.end, range.begin + most * 8);
    return cutTo(oneLine(skeleton.text(range)), most);
}

std::string whyNotRead(const Document& document, const Meaning& meaning)
{
    const schema::Field* field = meaning.field;
    if (!field || field->readBy.empty() || field->readBySelector.empty())
        return {};
    std::string word = document.wordAt(meaning.section, field->readBySelector);
    if (word.empty() && document.pack()) {
        const schema::Field* selector = document.pack()->fieldAt(field->readBySelector);
        if (selector && selector->defaultValue && selector->defaultValue->string())
            word = *selector->defaultValue->string();
    }
    if (word.empty() || std::find(field->readBy.begin(), field->readBy.end(), word) != field->readBy.end())
        return {};
    return "With " + field->readBySelector + " " + base::inQuotes(word) + " nothing reads it; it is read with " +
           base::joined(field->readBy, ", ") + ".";
}

std::string_view aliasListOf(const Document& document, const Meaning& meaning)
{
    Path path = meaning.inner;
    while (!path.empty() && path.back().isItem()) // in a zip
        path.pop_back();
    if (path.empty())
        return {};
    const std::string name = dotted(path);
    if (document.pack() && document.pack()->isSecond()) {
        std::vector<std::string_view> keys;
        for (const Step& step : path) {
            if (!step.isItem())
                keys.push_back(step.key);
        }
        return name == "model.path" ? "model_paths" : recipe::mayNameImage(keys) ? "containers" : "";
    }
    const auto places = recipe::namedPlaces();
    const auto found = std::find_if(places.begin(), places.end(), [&](const recipe::NamedPlace& place) { return place.path == name; });
    return found == places.end() ? std::string_view() : found->names;
}

const recipe::TextPairs& aliasesFor(const Document& document, const Meaning& meaning)
{
    static const recipe::TextPairs none;
    const std::string_view list = aliasListOf(document, meaning);
    const recipe::Cluster* cluster = document.cluster();
    if (list.empty() || !cluster)
        return none;
    return list == "model_paths" ? cluster->modelPaths : cluster->containers;
}

std::string asScalar(const std::string& text, char quote)
{
    if (quote == '\'')
        return "'" + base::replacedAll(text, "'", "''") + "'";
    if (quote == '"' || !syntax::isSafePlain(text))
        return "\"" + base::replacedAll(base::replacedAll(text, "\\", "\\\\"), "\"", "\\\"") + "\"";
    return text;
}

} // namespace wb::assist
