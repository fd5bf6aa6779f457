#include "core/schema/flags.h"

#include "core/base/text.h"
#include "core/schema/builtin.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <set>
#include <utility>

namespace wb::schema {

namespace {

namespace json = base::json;
using base::inQuotes;

constexpr auto tableIds =
    std::to_array<std::string_view>({"sglang", "vllm", "trtllm", "mocker", "dynamo-frontend", "sglang-router", "aiperf"});

constexpr std::pair<std::string_view, Certainty> certainties[] = {
    {"refuses", Certainty::Refuses}, {"likely", Certainty::Likely}, {"partial", Certainty::Partial}};
constexpr std::pair<std::string_view, FlagKind> kinds[] = {{"value", FlagKind::Value},
                                                           {"switch", FlagKind::Switch},
                                                           {"optionalSwitch", FlagKind::OptionalSwitch},
                                                           {"repeated", FlagKind::Repeated}};
constexpr std::pair<std::string_view, SrtctlUse> uses[] = {{"reads", SrtctlUse::Reads},
                                                           {"drops", SrtctlUse::Drops},
                                                           {"repeats", SrtctlUse::Repeats},
                                                           {"clashes", SrtctlUse::Clashes},
                                                           {"derives", SrtctlUse::Derives}};
constexpr std::pair<std::string_view, FlagType::Part> parts[] = {
    {"int", FlagType::Integer}, {"float", FlagType::Number},  {"str", FlagType::Text}, {"bool", FlagType::Boolean},
    {"json", FlagType::Json},   {"object", FlagType::Object}, {"any", FlagType::Any}};

template <typename T, std::size_t Count>
std::optional<T> named(const std::pair<std::string_view, T> (&rows)[Count], std::string_view name)
{
    for (const auto& [word, value] : rows) {
        if (word == name)
            return value;
    }
    return std::nullopt;
}

/// "str|list[str]" -> its parts; a "|" within brackets belongs to the items.
std::optional<FlagType> typeOf(std::string_view text)
{
    FlagType out;
    while (!text.empty()) {
        std::size_t depth = 0;
        std::size_t end = 0;
        for (; end < text.size() && (depth > 0 || text[end] != '|'); ++end) {
            if (text[end] == '[')
                ++depth;
            else if (text[end] == ']' && depth > 0)
                --depth;
        }
        const std::string_view one = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (one.starts_with("list[") && one.ends_with(']')) {
            const auto items = typeOf(one.substr(5, one.size() - 6));
            if (!items)
                return std::nullopt;
            out.items =
                static_cast<std::uint8_t>(out.items | (items->items != 0 ? static_cast<std::uint8_t>(FlagType::Any) : items->parts));
        } else if (one.starts_with("map[")) {
            out.parts |= FlagType::Object;
        } else if (const auto part = named(parts, one)) {
            out.parts = static_cast<std::uint8_t>(out.parts | *part);
        } else {
            return std::nullopt;
        }
    }
    return out.parts != 0 || out.items != 0 ? std::optional(out) : std::nullopt;
}

class TableReader
{
public:
    std::vector<std::string> faults;

    Flag readFlag(const json::Value& row, const std::string& within)
    {
        m_where = within;
        Flag flag;
        flag.name = text(row, "name");
        m_where = within + flag.name;
        checkAttributes(row);
        flag.aliases = texts(row, "aliases");
        flag.shortNames = texts(row, "short");
        flag.formerNames = texts(row, "formerNames");
        flag.abbreviations = texts(row, "abbreviations");
        flag.typeText = text(row, "type");
        if (const auto type = typeOf(flag.typeText))
            flag.type = *type;
        else
            fault("the type " + inQuotes(flag.typeText) + " is not known");
        flag.kind = word(row, "kind", kinds).value_or(FlagKind::Value);
        flag.negatable = truth(row, "negatable");
        flag.nargs = text(row, "nargs");
        flag.nullable = truth(row, "nullable");
        if (const json::Value* preset = row.find("default")) {
            flag.defaultKnown = true;
            flag.defaultValue = *preset;
        }
        flag.choices = texts(row, "choices");
        flag.openChoices = truth(row, "openChoices");
        readLimits(row, flag);
        const std::string accepts = text(row, "accepts");
        flag.takesNone = accepts == "none";
        flag.takesUnits = accepts == "units";
        flag.isRequired = truth(row, "required");
        flag.srtctl = word(row, "srtctl", uses).value_or(SrtctlUse::None);
        flag.srtctlDoc = text(row, "srtctlDoc");
        flag.deprecated = text(row, "deprecated");
        flag.renamedTo = text(row, "renamedTo");
        flag.isRemoved = truth(row, "removed");
        flag.removedIn = text(row, "removedIn");
        flag.since = text(row, "since");
        readSeen(row, flag);
        flag.onlyWith = text(row, "onlyWith");
        flag.seenOnly = truth(row, "seenOnly");
        flag.status = text(row, "status");
        flag.isHidden = truth(row, "hidden");
        flag.variable = text(row, "variable");
        flag.isUnread = truth(row, "unread");
        if (const json::Value* count = row.find("uses"))
            flag.uses = static_cast<std::size_t>(count->integer().value_or(0));
        flag.doc = text(row, "doc");
        readKeys(row, flag);
        return flag;
    }

private:
    void fault(const std::string& what) { faults.push_back(inQuotes(m_where) + ": " + what + "."); }

    void checkAttributes(const json::Value& row)
    {
        static const std::set<std::string_view> known = {
            "name",       "aliases",   "short",   "formerNames", "abbreviations", "type",     "kind",     "negatable", "nargs",
            "nullable",   "default",   "choices", "openChoices", "limits",        "accepts",  "required", "srtctl",    "srtctlDoc",
            "deprecated", "renamedTo", "removed", "removedIn",   "since",         "seenIn",   "onlyWith", "seenOnly",  "status",
            "hidden",     "variable",  "unread",  "keys",        "discriminator", "variants", "uses",     "doc"};
        for (const json::Member& member : row.object()) {
            if (!known.contains(member.key))
                fault("the attribute " + inQuotes(member.key) + " is not known");
        }
    }

    std::string text(const json::Value& row, std::string_view key)
    {
        const json::Value* value = row.find(key);
        if (!value)
            return {};
        if (!value->string()) {
            fault(inQuotes(key) + " must be a text");
            return {};
        }
        return *value->string();
    }

    bool truth(const json::Value& row, std::string_view key)
    {
        const json::Value* value = row.find(key);
        if (value && !value->boolean())
            fault(inQuotes(key) + " must be true or false");
        return value && value->boolean().value_or(false);
    }

    std::vector<std::string> texts(const json::Value& row, std::string_view key)
    {
        std::vector<std::string> out;
        if (const json::Value* list = row.find(key)) {
            for (const json::Value& item : list->array())
                out.push_back(item.string() ? *item.string() : json::write(item, 0));
        }
        return out;
    }

    template <typename T, std::size_t Count>
    std::optional<T> word(const json::Value& row, std::string_view key, const std::pair<std::string_view, T> (&rows)[Count])
    {
        const std::string written = text(row, key);
        if (written.empty())
            return std::nullopt;
        const auto found = named(rows, written);
        if (!found)
            fault(inQuotes(key) + " cannot be " + inQuotes(written));
        return found;
    }

    void readLimits(const json::Value& row, Flag& flag)
    {
        const json::Value* limits = row.find("limits");
        if (!limits)
            return;
        const auto number = [&](std::string_view key) {
            const json::Value* value = limits->find(key);
            return value ? value->number() : std::nullopt;
        };
        flag.limits.least = number("least");
        flag.limits.most = number("most");
        flag.limits.aboveLeast = truth(*limits, "aboveLeast");
        flag.belowMost = truth(*limits, "belowMost");
        flag.leastItems = static_cast<std::size_t>(number("leastItems").value_or(0.0));
    }

    void readSeen(const json::Value& row, Flag& flag)
    {
        const std::vector<std::string> seen = texts(row, "seenIn");
        if (seen.empty())
            return;
        const auto low = versionOf(seen.front());
        const auto high = versionOf(seen.back());
        if (seen.size() == 2 && low && high)
            flag.seenIn = {*low, *high};
        else
            fault("\"seenIn\" must be two versions");
    }

    void readKeys(const json::Value& row, Flag& flag)
    {
        const std::string where = m_where;
        if (const json::Value* keys = row.find("keys")) {
            for (const json::Value& key : keys->array())
                flag.keys.push_back(readFlag(key, where + "."));
        }
        m_where = where;
        flag.discriminator = text(row, "discriminator");
        if (const json::Value* variants = row.find("variants")) {
            for (const json::Member& variant : variants->object()) {
                std::optional<std::vector<std::string>> names;
                if (variant.value.isArray())
                    names = texts(*variants, variant.key);
                flag.variants.emplace_back(variant.key, std::move(names));
            }
        }
        if (flag.discriminator.empty() != flag.variants.empty())
            fault("\"discriminator\" and \"variants\" go together");
        for (const auto& [name, names] : flag.variants) {
            for (const std::string& key : names.value_or(std::vector<std::string>())) {
                if (!flag.key(key))
                    fault("the variant " + inQuotes(name) + " has the key " + inQuotes(key) + ", which \"keys\" lacks");
            }
        }
    }

    std::string m_where;
};

char folded(char c)
{
    return c == '_' ? '-' : c;
}

/// Each is read when it is first asked for: all of them together cost more than the start of a command may take.
template <std::size_t At>
const FlagTable& builtIn()
{
    static const FlagTable table = [] {
        const std::string file = std::string(tableIds[At]) + ".json";
        auto read = readFlagTable(resources::engineFlags(file), file);
        assert(read && "resources/engines holds good tables; a test reads all of them");
        return read ? *std::move(read) : FlagTable();
    }();
    return table;
}

template <std::size_t... At>
const FlagTable* builtInNamed(std::string_view id, std::index_sequence<At...>)
{
    const FlagTable* found = nullptr;
    static_cast<void>(((tableIds[At] == id && (found = &builtIn<At>(), true)) || ...));
    return found;
}

} // namespace

std::size_t FlagTable::Hash::operator()(std::string_view name) const noexcept
{
    std::uint64_t hash = 0xcbf29ce484222325ULL; // FNV-1a over the folded letters
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(folded(c))) * 0x100000001b3ULL;
    return static_cast<std::size_t>(hash);
}

bool FlagTable::Same::operator()(std::string_view a, std::string_view b) const noexcept
{
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return folded(x) == folded(y); });
}

const Flag* Flag::key(std::string_view wanted) const
{
    for (const Flag& one : keys) {
        if (one.name == wanted || std::find(one.aliases.begin(), one.aliases.end(), wanted) != one.aliases.end())
            return &one;
    }
    return nullptr;
}

FlagTable::Match FlagTable::match(std::string_view name) const
{
    const auto found = m_byName.find(name);
    if (found == m_byName.end())
        return {};
    return {&m_flags[found->second.flag], found->second.isNegated, found->second.isFormer};
}

const Flag* FlagTable::abbreviated(std::string_view name) const
{
    // TensorRT-LLM reads a file, AIPerf's command line takes no short forms.
    if (m_engine == "trtllm" || m_engine == "aiperf" || name.size() < 2)
        return nullptr;
    const Flag* only = nullptr;
    for (const Flag& flag : m_flags) {
        const auto isSeen = [&](const std::string& seen) { return Same()(seen, name); };
        if (std::any_of(flag.abbreviations.begin(), flag.abbreviations.end(), isSeen))
            return &flag;
        const auto begins = [&](std::string_view full) { return full.size() > name.size() && Same()(full.substr(0, name.size()), name); };
        if (flag.isRemoved || !(begins(flag.name) || std::any_of(flag.aliases.begin(), flag.aliases.end(), begins)))
            continue;
        if (only)
            return nullptr;
        only = &flag;
    }
    return only;
}

std::string_view FlagTable::nearest(std::string_view name) const
{
    std::vector<std::string_view> names;
    for (const Flag& flag : m_flags) {
        if (std::find(flag.shortNames.begin(), flag.shortNames.end(), name) != flag.shortNames.end())
            return flag.name;
        if (flag.isRemoved)
            continue;
        names.emplace_back(flag.name);
        names.insert(names.end(), flag.aliases.begin(), flag.aliases.end());
    }
    return base::nearestName(name, names);
}

Result<FlagTable> readFlagTable(std::string_view text, std::string_view name)
{
    auto document = json::read(text);
    if (!document)
        return passedOn(std::move(document.error()), "Reading the flag table " + inQuotes(name));
    const auto bad = [&](const std::string& what) {
        return failure(ErrorCode::Malformed, "The flag table " + inQuotes(name) + " cannot be used: " + what);
    };
    const auto headText = [&](std::string_view key) {
        const json::Value* value = document->find(key);
        return value && value->string() ? *value->string() : std::string();
    };
    FlagTable out;
    out.m_engine = headText("engine");
    out.m_title = headText("title");
    out.m_state = headText("state");
    const auto certainty = named(certainties, headText("certainty"));
    const json::Value* rows = document->find("flags");
    if (out.m_engine.empty() || out.m_title.empty() || out.m_state.empty() || !certainty || !rows || !rows->isArray())
        return bad("its head needs \"engine\", \"title\", \"state\", \"certainty\" and \"flags\".");
    out.m_certainty = *certainty;
    out.m_newest = versionOf(headText("newest"));
    const json::Value* mayBeNewer = document->find("unknownMayBeNewer");
    out.m_isComplete = mayBeNewer && !mayBeNewer->boolean().value_or(true);
    if (const json::Value* gaps = document->find("notRead")) {
        for (const json::Value& gap : gaps->array())
            out.m_notRead.push_back(gap.string() ? *gap.string() : std::string());
    }
    TableReader reader;
    for (const json::Value& row : rows->array()) {
        Flag flag = reader.readFlag(row, {});
        const auto add = [&](const std::string& spelling, FlagTable::Entry entry) {
            entry.flag = out.m_flags.size();
            if (!out.m_byName.emplace(spelling, entry).second)
                reader.faults.push_back(inQuotes(spelling) + ": the name is there twice.");
        };
        add(flag.name, {});
        for (const std::string& alias : flag.aliases)
            add(alias, {});
        for (const std::string& former : flag.formerNames)
            add(former, {.isFormer = true});
        out.m_flags.push_back(std::move(flag));
    }
    // Negations come last: a flag that has such a name of its own comes first.
    for (std::size_t i = 0; i < out.m_flags.size(); ++i) {
        const Flag& flag = out.m_flags[i];
        if (!flag.negatable)
            continue;
        out.m_byName.emplace("no-" + flag.name, FlagTable::Entry{.flag = i, .isNegated = true});
        for (const std::string& former : flag.formerNames)
            out.m_byName.emplace("no-" + former, FlagTable::Entry{.flag = i, .isNegated = true, .isFormer = true});
    }
    if (!reader.faults.empty()) {
        return tl::unexpected(Error{ErrorCode::Malformed, "The flag table " + inQuotes(name) + " cannot be used: " + reader.faults.front(),
                                    base::joined(reader.faults, "\n")});
    }
    return out;
}

const FlagTable* flagTable(std::string_view engine)
{
    return builtInNamed(engine, std::make_index_sequence<tableIds.size()>());
}

std::span<const std::string_view> flagTableIds()
{
    return tableIds;
}

} // namespace wb::schema
