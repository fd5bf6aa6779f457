#include "core/recipe/migrate.h"

#include "core/base/text.h"
#include "core/recipe/migratelines.h"
#include "core/schema/pack.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace wb::recipe {

using syntax::Kind;
using syntax::Member;
using syntax::Range;
using syntax::Value;
using syntax::ValuePtr;

namespace {

using Lines = std::vector<std::string>;

/// A role under its three names: in schema 2 and in the counts of schema 1, and in its backend.
struct RoleNames {
    std::string_view role;
    std::string_view mode;
    [[nodiscard]] std::string nodes() const { return std::string(role) + "_nodes"; }
    [[nodiscard]] std::string workers() const { return std::string(role) + "_workers"; }
    [[nodiscard]] std::string gpus() const { return "gpus_per_" + std::string(role); }
    [[nodiscard]] std::string critical() const { return std::string(role) + "_critical"; }
    [[nodiscard]] std::string environment() const { return std::string(mode) + "_environment"; }
    [[nodiscard]] std::string extraArgs() const { return std::string(mode) + "_extra_args"; }
};
constexpr std::array<RoleNames, 3> roleNames = {{{"prefill", "prefill"}, {"decode", "decode"}, {"agg", "aggregated"}}};

void append(Lines& all, const Lines& more)
{
    all.insert(all.end(), more.begin(), more.end());
}

std::string blanks(std::size_t count)
{
    return std::string(count, ' ');
}

bool isEmptyValue(const ValuePtr& value)
{
    return !value || value->isNull() || (value->isMapping() && value->members.empty()) || (value->isSequence() && value->items.empty());
}

bool isTrue(const ValuePtr& value)
{
    return value && value->kind == Kind::Bool && value->boolean;
}

std::string textOf(const ValuePtr& value)
{
    return value && value->isString() ? value->text : std::string();
}

std::optional<std::int64_t> wholeOf(const ValuePtr& value)
{
    if (value && value->kind == Kind::Integer)
        return value->integer;
    if (value && value->isString())
        return base::integerOf(value->text);
    return std::nullopt;
}

/// The engine-wide keys that stay where they are.
bool isOfRoles(std::string_view key, std::string_view engine)
{
    if (key == "kv_events_config" || key == "mooncake_kv_store" || key == std::string(engine) + "_config")
        return true;
    return std::any_of(roleNames.begin(), roleNames.end(), [&](const RoleNames& names) { return key == names.environment() || key == names.extraArgs(); });
}

/// A block of a section that the migration takes apart.
struct Block {
    const Member* member = nullptr; ///< Null: the section has no such block, or one that cannot be taken apart.
    Entry entry;                    ///< Of the block in its section.
    std::vector<Entry> entries;     ///< In it.

    [[nodiscard]] bool isThere() const { return member != nullptr; }
    [[nodiscard]] const Entry* find(std::string_view key) const
    {
        const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& one) { return one.member->key == key; });
        return found == entries.end() ? nullptr : &*found;
    }
    [[nodiscard]] bool owns(const Entry* asked) const
    {
        return std::any_of(entries.begin(), entries.end(), [&](const Entry& one) { return &one == asked; });
    }
    [[nodiscard]] std::size_t column(std::size_t otherwise) const { return entries.empty() ? otherwise : entries.front().column; }
};

/// The document, the base, or one variant.
struct Section {
    ValuePtr value;
    ValuePtr base;         ///< Of a variant: what it is laid over. Else null.
    ValuePtr effective;    ///< The value laid over the base.
    std::string name;      ///< Key of the section; empty for a plain document.
    std::size_t firstLine = 0;
    bool isZip = false;

    [[nodiscard]] bool isVariant() const { return base != nullptr; }
};

/// Mappings merge, null deletes, the rest replaces: enough to know what a variant means.
ValuePtr laidOver(const ValuePtr& base, const ValuePtr& over)
{
    if (!base || !base->isMapping() || !over->isMapping())
        return over;
    ValuePtr out = base;
    for (const Member& member : over->members) {
        if (member.value->isNull())
            out = syntax::without(out, member.key);
        else
            out = syntax::with(out, member.key, laidOver(base->find(member.key), member.value));
    }
    return out;
}

class Migrator
{
public:
    explicit Migrator(const syntax::Parsed& parsed)
        : m_parsed(parsed)
        , m_lines(*parsed.source)
    {
    }

    Migration run()
    {
        Migration out;
        out.text = m_parsed.source->text();
        if (canBegin()) {
            collectSections();
            m_baseNeedsMapping = needsEngineMapping();
            for (const Section& section : m_sections)
                migrateSection(section);
            declareSchema();
            std::string text = m_lines.text();
            const syntax::Parsed again = syntax::parse(std::make_shared<syntax::SourceText>(text, m_parsed.source->path()));
            if (again.complete && again.root) {
                out.text = std::move(text);
            } else {
                const std::string why = again.diagnostics.empty() ? "it is no whole document." : again.diagnostics.front().message;
                refuse({0, 0}, "The recipe was left as it is, because the parts that move depend on each other: " + why);
            }
        }
        out.changed = out.text != m_parsed.source->text();
        out.wasSecond = !m_isFirst;
        out.notes = std::move(m_notes);
        std::stable_sort(out.notes.begin(), out.notes.end(), [](const MigrationNote& a, const MigrationNote& b) { return a.range < b.range; });
        return out;
    }

private:
    void note(Range range, std::string message) { m_notes.push_back({std::move(message), range, false}); }
    void refuse(Range range, std::string message) { m_notes.push_back({std::move(message), range, true}); }

    bool canBegin()
    {
        const std::string& text = m_parsed.source->text();
        if (!m_parsed.complete || !m_parsed.root || !m_parsed.root->isMapping()) {
            refuse({0, 0}, "The text is no complete YAML mapping, so nothing was migrated.");
            return false;
        }
        if (syntax::hasErrors(m_parsed.diagnostics)) {
            refuse(m_parsed.diagnostics.front().range, "The text has errors, so nothing was migrated: " + m_parsed.diagnostics.front().message);
            return false;
        }
        for (std::size_t at = text.find('\r'); at != std::string::npos; at = text.find('\r', at + 1)) {
            if (at + 1 == text.size() || text[at + 1] != '\n') {
                refuse({at, at + 1}, "A line ends with a bare carriage return, so nothing was migrated.");
                return false;
            }
        }
        if (text.starts_with("\xEF\xBB\xBF")) {
            refuse({0, 3}, "The text begins with a byte order mark, so nothing was migrated; delete it first.");
            return false;
        }
        const Member* schema = m_parsed.root->member("schema");
        const ValuePtr base = m_parsed.root->find("base");
        if (!schema && base)
            schema = base->member("schema");
        if (schema && schema->value->kind == Kind::Integer && (schema->value->integer == 1 || schema->value->integer == 2)) {
            m_isFirst = schema->value->integer == 1;
        } else if (schema && !schema->value->isNull()) {
            refuse(schema->keyRange, "\"schema\" is " + syntax::shown(*schema->value) + ", and only a recipe of schema 1 can be migrated.");
            return false;
        }
        if (m_parsed.root->style == syntax::Style::Flow) {
            refuse(m_parsed.root->range, "The whole recipe is written in braces, so nothing was migrated; put each key on a line of its own.");
            return false;
        }
        return true;
    }

    void collectSections()
    {
        const ValuePtr& root = m_parsed.root;
        const Member* base = root->member("base");
        if (!base) {
            m_sections.push_back({root, nullptr, root, {}, 0, false});
            return;
        }
        const auto add = [&](const Member& member, ValuePtr over) {
            if (!member.value->isMapping() || member.value->style == syntax::Style::Flow || !member.value->definition.isEmpty()) {
                if (!isEmptyValue(member.value))
                    refuse(member.keyRange, base::inQuotes(member.key) + " is no block of keys, so it was left as it is.");
                return;
            }
            const ValuePtr effective = over ? laidOver(over, member.value) : member.value;
            m_sections.push_back({member.value, std::move(over), effective, member.key, m_lines.lineOf(member.keyRange.begin) + 1, member.key.starts_with("zip_")});
        };
        add(*base, nullptr);
        for (const Member& member : root->members) {
            if (member.key.starts_with("override_") || member.key.starts_with("zip_override_"))
                add(member, base->value);
        }
    }

    [[nodiscard]] std::string engineOf(const Section& section) const
    {
        const std::string type = textOf(syntax::at(section.effective, "backend.type"));
        return type.empty() ? "sglang" : type;
    }

    /// A variant that gives the engine a setting would replace a bare word.
    [[nodiscard]] bool needsEngineMapping() const
    {
        return std::any_of(m_sections.begin(), m_sections.end(), [&](const Section& section) {
            const ValuePtr backend = section.isVariant() ? section.value->find("backend") : nullptr;
            return backend && std::any_of(backend->members.begin(), backend->members.end(), [&](const Member& member) {
                       return member.key != "type" && !isOfRoles(member.key, engineOf(section));
                   });
        });
    }

    /// The block under that key, or none; one that cannot be taken apart is told.
    Block blockOf(const Section& section, const std::vector<Entry>& entries, std::string_view key, bool hasWork)
    {
        Block out;
        const Member* member = section.value->member(key);
        if (!member || !hasWork)
            return out;
        const std::string name = section.name.empty() ? std::string(key) : section.name + "." + std::string(key);
        const Value& value = *member->value;
        const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& one) { return one.member == member; });
        if (found == entries.end() || !value.definition.isEmpty()) {
            refuse(member->merged ? member->mergeRange : member->keyRange, "\"" + name + "\" comes in from an anchor, so it was left as it is; write it out.");
            return out;
        }
        if (!value.isMapping()) {
            if (!value.isNull() || section.isVariant())
                refuse(member->keyRange, "\"" + name + "\" is " + std::string(syntax::describe(value.kind)) + ", so it was left as it is.");
            return out;
        }
        if (value.style == syntax::Style::Flow && !value.members.empty()) {
            refuse(value.range, "\"" + name + "\" is written in braces, so it was left as it is; put each key on a line of its own.");
            return out;
        }
        for (const Member& inner : value.members) {
            if (inner.merged) {
                refuse(inner.mergeRange, "Keys of \"" + name + "\" come in by \"<<\", so it was left as it is; write them out.");
                return out;
            }
        }
        out.member = member;
        out.entry = *found;
        if (!value.members.empty())
            out.entries = m_lines.entriesOf(value, found->keyLine + 1);
        return out;
    }

    // --- one section ---------------------------------------------------------------------------------------------------------------------

    void migrateSection(const Section& section)
    {
        const std::vector<Entry> entries = m_lines.entriesOf(*section.value, section.firstLine);
        if (entries.empty())
            return;
        m_step = 2;
        for (const Entry& entry : entries) {
            const Value& value = *entry.member->value;
            if (value.isMapping() && value.style != syntax::Style::Flow && !value.members.empty() && value.definition.isEmpty() && !value.members.front().merged) {
                m_step = m_lines.columnOf(value.members.front().keyRange.begin) - entry.column;
                break;
            }
        }
        migrateFrontend(section, entries);
        migrateBenchmark(section, entries);
        migrateDynamo(section, entries);
        migrateObservation(section, entries);
        migrateRoles(section, entries);
    }

    /// The entry under a new key inside a new block; the entries that were taken are gone, and the block takes the place of the first.
    void replaceEntries(const Block& block, const std::vector<const Entry*>& taken, const Lines& lines)
    {
        std::size_t place = block.entry.end;
        for (const Entry* entry : taken) {
            place = std::min(place, entry->lead);
            m_lines.erase(*entry);
        }
        m_lines.insertBefore(place, lines);
        if (lines.empty() && taken.size() == block.entries.size())
            emptied(block);
    }

    void emptied(const Block& block)
    {
        const std::size_t keyEnd = block.entry.column + (block.member->keyRange.end - block.member->keyRange.begin) + 1;
        const std::string& line = m_lines.line(block.entry.keyLine);
        m_lines.setLine(block.entry.keyLine, line.substr(0, keyEnd) + " {}" + line.substr(keyEnd));
    }

    void migrateFrontend(const Section& section, const std::vector<Entry>& entries)
    {
        const ValuePtr frontend = section.value->find("frontend");
        const bool hasWork = frontend && (frontend->member("orchestrator_placement") || frontend->member("dedicated_node"));
        if (frontend && m_isFirst)
            renameRouter(frontend->find("type"));
        const Block block = blockOf(section, entries, "frontend", hasWork);
        if (block.isThere())
            migratePlacement(section, block, "orchestrator_placement", "dedicated_node");
    }

    void renameRouter(const ValuePtr& type)
    {
        if (!type)
            return;
        for (const ValuePtr& item : type->items)
            renameRouter(item);
        if (!type->isString() || type->text != "sglang" || type->range.isEmpty())
            return;
        Range range = type->definition.isEmpty() ? type->range : type->definition;
        const std::string written = m_parsed.source->text().substr(range.begin, range.end - range.begin);
        const std::size_t at = written.rfind("sglang");
        if (at == std::string::npos)
            return;
        range.begin += at;
        range.end = range.begin + std::string_view("sglang").size();
        if (std::find(m_renamed.begin(), m_renamed.end(), range) != m_renamed.end())
            return;
        m_renamed.push_back(range);
        m_lines.replace(range, "sglang-router");
    }

    void migratePlacement(const Section& section, const Block& block, std::string_view whereKey, std::string_view dedicatedKey)
    {
        const Entry* where = block.find(whereKey);
        const Entry* dedicated = block.find(dedicatedKey);
        std::vector<const Entry*> taken;
        for (const Entry* one : {where, dedicated}) {
            if (!one)
                continue;
            if (one->member->value->isSequence()) {
                refuse(one->member->keyRange, "\"" + one->member->key + "\" has a list of values, so it was left as it is; write \"placement.node\" by hand.");
                return;
            }
            taken.push_back(one);
        }
        if (block.member->value->member("placement")) {
            for (const Entry* one : taken)
                note(one->member->keyRange, "\"" + one->member->key + "\" was dropped, because \"placement\" is set already.");
            replaceEntries(block, taken, {});
            return;
        }
        const std::size_t column = block.column(0);
        const bool wasDedicated = section.isVariant() && isTrue(syntax::at(section.base, block.member->key + "." + std::string(dedicatedKey)));
        Lines lines;
        if (dedicated && isTrue(dedicated->member->value)) {
            append(lines, m_lines.leadOf(*dedicated, column));
            lines.push_back(blanks(column) + "placement:");
            lines.push_back(blanks(column + m_step) + "node: dedicated" + m_lines.remarkBehind(*dedicated));
            if (where)
                append(lines, m_lines.leadOf(*where, column + m_step));
        } else if (where) {
            lines.push_back(blanks(column) + "placement:");
            append(lines, m_lines.moved(*where, "node", column + m_step));
            if (textOf(where->member->value) == "last_decode" && whereKey == "orchestrator_placement")
                note(where->member->keyRange, "Schema 2 does not name \"last_decode\" as a node of the frontend; look whether srtctl takes it.");
            if (textOf(where->member->value) == "first_decode" && whereKey == "client_placement")
                note(where->member->keyRange, "Schema 2 does not name \"first_decode\" as a node of the client; look whether srtctl takes it.");
        } else if (dedicated && wasDedicated) {
            lines.push_back(blanks(column) + "placement:");
            lines.push_back(blanks(column + m_step) + "node: head" + m_lines.remarkBehind(*dedicated));
        } else if (dedicated) {
            append(lines, m_lines.leadOf(*dedicated, column));
            note(dedicated->member->keyRange, "\"" + dedicated->member->key + "\" was dropped: a node is dedicated only where the recipe says so.");
        }
        replaceEntries(block, taken, lines);
    }

    void migrateBenchmark(const Section& section, const std::vector<Entry>& entries)
    {
        const Block block = blockOf(section, entries, "benchmark", section.value->find("benchmark") != nullptr && !isEmptyValue(section.value->find("benchmark")));
        if (!block.isThere())
            return;
        if (block.find("client_placement") || block.find("client_dedicated_node"))
            migratePlacement(section, block, "client_placement", "client_dedicated_node");
        const auto pack = schema::builtInPack("v2");
        const schema::Record* record = pack ? pack->record("benchmark") : nullptr;
        std::string type = textOf(syntax::at(section.effective, "benchmark.type"));
        if (type.empty())
            type = "manual";
        if (!record || !record->find("type")->choice(type))
            return;
        std::size_t left = block.entries.size();
        for (const Entry& entry : block.entries) {
            const schema::Field* field = record->find(entry.member->key);
            const bool isUnread = field && !field->readBy.empty() && std::find(field->readBy.begin(), field->readBy.end(), type) == field->readBy.end();
            const bool isGone = entry.member->key == "export_node_metrics";
            if (!isUnread && !isGone)
                continue;
            m_lines.commentOut(entry);
            --left;
            note(entry.member->keyRange, isGone ? "\"export_node_metrics\" was turned into a comment: schema 2 has no such key."
                                                : "\"" + entry.member->key + "\" was turned into a comment: the benchmark " + base::inQuotes(type) + " does not read it, and schema 2 refuses it.");
        }
        if (left == 0)
            emptied(block);
    }

    // --- Dynamo --------------------------------------------------------------------------------------------------------------------------

    void migrateDynamo(const Section& section, const std::vector<Entry>& entries)
    {
        static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> keys = {
            {{"version", "pypi"}, {"hash", "rev"}, {"wheel", "wheel"}, {"cargo_patches", "patches"}}};
        const ValuePtr dynamo = section.value->find("dynamo");
        const bool hasWork = dynamo && std::any_of(keys.begin(), keys.end(), [&](const auto& key) { return dynamo->member(key.first); });
        const Block block = blockOf(section, entries, "dynamo", hasWork);
        if (!block.isThere())
            return;
        if (dynamo->member("source")) {
            for (const auto& [old, now] : keys) {
                if (const Entry* entry = block.find(old))
                    refuse(entry->member->keyRange, "\"dynamo." + std::string(old) + "\" was left, because \"dynamo.source\" is set already.");
            }
            return;
        }
        const auto effective = [&](std::string_view key) { return syntax::at(section.effective, "dynamo." + std::string(key)); };
        const bool isOther = !isEmptyValue(effective("hash")) || !isEmptyValue(effective("wheel")) || isTrue(effective("top_of_tree"));
        const std::size_t column = block.column(0);
        Lines inner;
        Lines lead;
        std::vector<const Entry*> taken;
        Lines newest;
        std::vector<std::string_view> set;
        for (const auto& [old, now] : keys) {
            const Entry* entry = block.find(old);
            if (!entry)
                continue;
            const ValuePtr& value = entry->member->value;
            taken.push_back(entry);
            if (old == "version" && isOther && !value->isNull()) {
                append(lead, m_lines.leadOf(*entry, column));
                lead.push_back(blanks(column) + "# " + m_lines.line(entry->keyLine).substr(entry->column));
                note(entry->member->keyRange, "\"dynamo.version\" was turned into a comment: another source of Dynamo is named, which wins.");
            } else if (value->isNull() && old == "version" && !isOther) {
                newest = m_lines.leadOf(*entry, column);
                newest.push_back(blanks(column) + "top_of_tree: true" + m_lines.remarkBehind(*entry));
                note(entry->member->keyRange, "\"version: null\" builds the newest source, which schema 2 calls \"top_of_tree: true\".");
            } else if (value->isNull() && !section.isVariant()) {
                append(lead, m_lines.leadOf(*entry, column));
            } else {
                append(inner, m_lines.moved(*entry, now, column + m_step));
                if (!value->isNull())
                    set.push_back(now);
            }
        }
        if (section.isVariant()) // what the base names must not stand beside it
            addResets(section, block, set, column + m_step, inner);
        Lines lines = lead;
        if (!inner.empty()) {
            lines.push_back(blanks(column) + "source:");
            append(lines, inner);
        }
        append(lines, newest);
        replaceEntries(block, taken, lines);
    }

    static void addResets(const Section& section, const Block& block, const std::vector<std::string_view>& set, std::size_t column, Lines& inner)
    {
        const auto isSet = [&](std::string_view word) { return std::find(set.begin(), set.end(), word) != set.end(); };
        const bool names = isSet("pypi") || isSet("rev") || isSet("wheel");
        const ValuePtr base = section.base->find("dynamo");
        if (!names || !base)
            return;
        const bool baseHasOther = !isEmptyValue(base->find("hash")) || !isEmptyValue(base->find("wheel"));
        if (!isSet("rev") && !isEmptyValue(base->find("hash")) && !block.find("hash"))
            inner.push_back(blanks(column) + "rev: null");
        if (!isSet("wheel") && !isEmptyValue(base->find("wheel")) && !block.find("wheel"))
            inner.push_back(blanks(column) + "wheel: null");
        if (!isSet("pypi") && !isEmptyValue(base->find("version")) && !baseHasOther && !block.find("version"))
            inner.push_back(blanks(column) + "pypi: null");
    }

    // --- scrapers and samplers -----------------------------------------------------------------------------------------------------------

    void migrateObservation(const Section& section, const std::vector<Entry>& entries)
    {
        const ValuePtr observability = section.value->find("observability");
        constexpr std::array<std::string_view, 4> gone = {"scrape_metrics", "scrape_interval_seconds", "scrape_output", "build_dashboard"};
        const bool hasGone = observability && std::any_of(gone.begin(), gone.end(), [&](std::string_view key) { return observability->member(key); });
        const ValuePtr tachometer = observability ? observability->find("tachometer") : nullptr;
        const bool hasRate = tachometer && tachometer->member("default_frequency");
        const Block block = blockOf(section, entries, "observability", hasGone || hasRate);
        if (block.isThere()) {
            std::size_t left = block.entries.size();
            for (const std::string_view key : gone) {
                const Entry* entry = block.find(key);
                if (!entry)
                    continue;
                m_lines.commentOut(*entry);
                --left;
                note(entry->member->keyRange, "\"observability." + std::string(key) + "\" was turned into a comment: schema 2 has no such key, and Tachometer does the scraping.");
            }
            if (left == 0)
                emptied(block);
            if (hasRate)
                migrateRate(tachometer->member("default_frequency"), "observability.tachometer.default_frequency", true);
        }
        if (const ValuePtr telemetry = section.value->find("telemetry"); telemetry && telemetry->member("default_frequency"))
            migrateRate(telemetry->member("default_frequency"), "telemetry.default_frequency", false);
    }

    /// Readings per second, or seconds between readings, become milliseconds between readings.
    void migrateRate(const Member* member, const std::string& path, bool isPerSecond)
    {
        const Value& value = *member->value;
        const bool isNumber = value.kind == Kind::Integer || value.kind == Kind::Float;
        const double milliseconds = !isNumber ? 0 : isPerSecond ? 1000 / value.number : value.number * 1000;
        if (!isNumber || member->merged || !value.definition.isEmpty() || value.range.isEmpty() || milliseconds < 1 || milliseconds != std::floor(milliseconds)) {
            refuse(member->keyRange, "\"" + path + "\" was left as it is; schema 2 wants \"collect_interval_ms\", a whole number of milliseconds.");
            return;
        }
        m_lines.replace(member->keyRange, "collect_interval_ms");
        m_lines.replace(value.range, base::textOf(milliseconds));
        note(member->keyRange, "\"" + path + "\" became \"collect_interval_ms: " + base::textOf(milliseconds) + "\".");
    }

    // --- roles and engine ----------------------------------------------------------------------------------------------------------------

    /// What moves into one role.
    struct Role {
        Lines lines; ///< At the column of the role's own keys.
        std::vector<const Entry*> taken;
        bool isReset = false; ///< The variant drops the role.
    };

    [[nodiscard]] ValuePtr effectiveAt(const Section& section, const std::string& path) const { return syntax::at(section.effective, path); }

    /// The role has counts in this section or in the base.
    [[nodiscard]] static bool isCounted(const ValuePtr& document, const RoleNames& names)
    {
        const ValuePtr resources = document ? document->find("resources") : nullptr;
        return resources && (!isEmptyValue(resources->find(names.nodes())) || !isEmptyValue(resources->find(names.workers())));
    }

    /// Some job of the file has workers of the role, so that it is declared in the base as well.
    [[nodiscard]] bool isRoleOf(const Section& section, const RoleNames& names) const
    {
        if (isCounted(section.effective, names))
            return true;
        return !section.isVariant() && std::any_of(m_sections.begin(), m_sections.end(), [&](const Section& one) { return isCounted(one.effective, names); });
    }

    void migrateRoles(const Section& section, const std::vector<Entry>& entries)
    {
        const ValuePtr resources = section.value->find("resources");
        const ValuePtr backendValue = section.value->find("backend");
        const auto isCount = [](const Member& member) {
            return std::any_of(roleNames.begin(), roleNames.end(), [&](const RoleNames& names) {
                return member.key == names.nodes() || member.key == names.workers() || member.key == names.gpus() || member.key == names.critical();
            });
        };
        const bool hasCounts = resources && std::any_of(resources->members.begin(), resources->members.end(), isCount);
        const Block counts = blockOf(section, entries, "resources", hasCounts);
        const Block backend = blockOf(section, entries, "backend", backendValue != nullptr);
        const bool isBlocked = (hasCounts && !counts.isThere()) || (backendValue && !backend.isThere() && (section.isVariant() || !backendValue->isNull()));
        if (isBlocked)
            return; // told; half a move would be worse
        const std::string engine = engineOf(section);
        const std::size_t column = entries.front().column;
        std::vector<std::pair<const RoleNames*, Role>> roles;
        Lines lostComments;
        if (const Member* written = section.value->member("roles"))
            migrateOldRoles(*written, backend, hasCounts);
        else
            for (const RoleNames& names : roleNames)
                roles.emplace_back(&names, roleOf(section, names, counts, backend, engine, column + 2 * m_step));
        takeFlagsBlock(backend, engine, column, lostComments);

        Lines roleLines = lostComments;
        Lines inner;
        std::vector<const Entry*> takenCounts;
        std::vector<const Entry*> takenBackend;
        for (auto& [names, role] : roles) {
            for (const Entry* entry : role.taken)
                (counts.owns(entry) ? takenCounts : takenBackend).push_back(entry);
            const bool isAllComments = std::all_of(role.lines.begin(), role.lines.end(), [](const std::string& line) { return base::trimmed(line).starts_with('#'); });
            if (role.isReset) {
                inner.push_back(blanks(column + m_step) + std::string(names->role) + ": null");
            } else if (isAllComments) {
                append(roleLines, role.lines);
            } else {
                inner.push_back(blanks(column + m_step) + std::string(names->role) + ":");
                append(inner, role.lines);
            }
        }
        if (!inner.empty()) {
            roleLines.push_back(blanks(column) + "roles:");
            append(roleLines, inner);
        }
        if (counts.isThere() && !takenCounts.empty())
            replaceEntries(counts, takenCounts, {});
        const Lines services = servicesOf(section, entries, backend, column);
        placeEngine(section, entries, counts, backend, engine, column, takenBackend, roleLines, services);
    }

    /// Roles that an older draft of schema 2 wrote beside a backend.
    void migrateOldRoles(const Member& written, const Block& backend, bool hasCounts)
    {
        const ValuePtr nodes = syntax::at(written.value, "decode.nodes");
        if (nodes && nodes->kind == Kind::Integer && nodes->integer == 0 && !nodes->range.isEmpty() && nodes->definition.isEmpty()) {
            m_lines.replace(nodes->range, "colocate");
            note(nodes->range, "\"nodes: 0\" of the decode role became \"colocate\".");
        }
        const bool hasMore = hasCounts || std::any_of(backend.entries.begin(), backend.entries.end(), [&](const Entry& entry) {
                                 return isOfRoles(entry.member->key, "sglang") || entry.member->key.ends_with("_config");
                             });
        if (hasMore)
            refuse(written.keyRange, "The recipe has roles already, so that keys of schema 1 for them were left where they are.");
    }

    /// Comments around the flags of all modes have no block of their own any more.
    void takeFlagsBlock(const Block& backend, const std::string& engine, std::size_t column, Lines& comments)
    {
        const Entry* flags = backend.find(engine + "_config");
        if (!flags)
            return;
        append(comments, m_lines.leadOf(*flags, column));
        if (const std::string remark = m_lines.remarkBehind(*flags); !remark.empty() && !flags->member->value->isScalar())
            comments.push_back(blanks(column) + std::string(base::trimmed(remark)));
    }

    /// Entries of `<engine>_config` by mode; they live as long as the migrator.
    const std::vector<Entry>& flagEntries(const Block& backend, const std::string& engine)
    {
        static const std::vector<Entry> none;
        const Entry* flags = backend.find(engine + "_config");
        if (!flags || !flags->member->value->isMapping() || flags->member->value->members.empty())
            return none;
        auto& kept = m_inner[flags->member];
        if (kept.empty())
            kept = m_lines.entriesOf(*flags->member->value, flags->keyLine + 1);
        return kept;
    }

    const std::vector<Entry>& eventEntries(const Block& backend)
    {
        static const std::vector<Entry> none;
        const Entry* events = backend.find("kv_events_config");
        if (!events || !events->member->value->isMapping() || events->member->value->members.empty())
            return none;
        auto& kept = m_inner[events->member];
        if (kept.empty())
            kept = m_lines.entriesOf(*events->member->value, events->keyLine + 1);
        return kept;
    }

    Role roleOf(const Section& section, const RoleNames& names, const Block& counts, const Block& backend, const std::string& engine, std::size_t column)
    {
        Role role;
        const bool isOne = isRoleOf(section, names);
        const bool wasOne = section.isVariant() && isCounted(section.base, names);
        if (section.isVariant() && wasOne && !isCounted(section.effective, names)) {
            role.isReset = true;
            for (const std::string& key : {names.nodes(), names.workers(), names.gpus(), names.critical()}) {
                if (const Entry* entry = counts.find(key))
                    role.taken.push_back(entry);
            }
            return role;
        }
        takeCount(section, names, counts.find(names.nodes()), "nodes", isOne, column, role);
        takeCount(section, names, counts.find(names.workers()), "workers", isOne, column, role);
        takeCount(section, names, counts.find(names.gpus()), "gpus", isOne, column, role);
        addSharedGpus(section, names, counts, column, role);
        takeCount(section, names, counts.find(names.critical()), "critical", isOne, column, role);
        takeBlock(section, names, backend.find(names.environment()), "env", isOne, column, role);
        addStoreVariables(section, names, backend, isOne, column, role);
        for (const Entry& entry : flagEntries(backend, engine)) {
            if (entry.member->key == names.mode)
                takeBlock(section, names, &entry, "args", isOne, column, role, false);
        }
        takeBlock(section, names, backend.find(names.extraArgs()), "extra_args", isOne, column, role);
        addEvents(section, names, backend, isOne, column, role);
        return role;
    }

    void takeCount(const Section& section, const RoleNames& names, const Entry* entry, std::string_view key, bool isOne, std::size_t column, Role& role)
    {
        if (!entry)
            return;
        const ValuePtr& value = entry->member->value;
        role.taken.push_back(entry);
        if (value->isNull() && !section.isVariant() && isOne)
            return append(role.lines, m_lines.leadOf(*entry, column));
        if (!isOne) {
            turnedToComments(*entry, role, column, "no worker of that kind is asked for");
            return;
        }
        if (key == "nodes" && wholeOf(value) == 0 && names.role != "prefill") {
            append(role.lines, m_lines.leadOf(*entry, column));
            role.lines.push_back(blanks(column) + "nodes: " + (names.role == "agg" ? "1" : "colocate") + m_lines.remarkBehind(*entry));
            return;
        }
        if (key == "nodes" && value->isSequence() && names.role == "decode" &&
            std::any_of(value->items.begin(), value->items.end(), [](const ValuePtr& item) { return wholeOf(item) == 0; }))
            refuse(entry->member->keyRange, "\"decode_nodes\" has a 0 in a list, which is \"colocate\" in schema 2, with gpus in both roles; write it by hand.");
        append(role.lines, m_lines.moved(*entry, key, column));
    }

    /// The entry as comment lines inside the role: it meant nothing, and would mean something there.
    void turnedToComments(const Entry& entry, Role& role, std::size_t, const std::string& why)
    {
        role.taken.erase(std::remove(role.taken.begin(), role.taken.end(), &entry), role.taken.end());
        m_lines.commentOut(entry);
        m_commented.push_back(&entry);
        note(entry.member->keyRange, "\"" + entry.member->key + "\" was turned into a comment: " + why + ".");
    }

    void takeBlock(const Section& section, const RoleNames& names, const Entry* entry, std::string_view key, bool isOne, std::size_t column, Role& role, bool isOwn = true)
    {
        if (!entry)
            return;
        if (isOwn)
            role.taken.push_back(entry);
        if (!isOne) {
            if (isEmptyValue(entry->member->value))
                return;
            if (isOwn) {
                turnedToComments(*entry, role, column, "there are no " + std::string(names.mode) + " workers");
            } else {
                m_orphans.push_back(entry);
                note(entry->member->keyRange, "The flags of " + std::string(names.mode) + " workers were turned into a comment: there are none.");
            }
            return;
        }
        if (entry->member->value->isNull() && !section.isVariant())
            append(role.lines, m_lines.leadOf(*entry, column));
        else
            append(role.lines, m_lines.moved(*entry, key, column));
    }

    /// Decode workers on the prefill nodes need their GPUs said in both roles.
    void addSharedGpus(const Section& section, const RoleNames& names, const Block& counts, std::size_t column, Role& role)
    {
        if (names.role == "agg" || counts.find(names.gpus()))
            return;
        const bool isShared = wholeOf(effectiveAt(section, "resources.decode_nodes")) == 0 && effectiveAt(section, "resources.decode_nodes");
        const bool wasShared = section.isVariant() && syntax::at(section.base, "resources.decode_nodes") && wholeOf(syntax::at(section.base, "resources.decode_nodes")) == 0;
        const bool isSaid = !isEmptyValue(effectiveAt(section, "resources." + names.gpus()));
        const ValuePtr own = section.value->find("resources");
        const bool isTouched = !section.isVariant() || (own && std::any_of(own->members.begin(), own->members.end(), [](const Member& member) {
                                                            return member.key == "decode_nodes" || member.key == "gpus_per_prefill" || member.key == "prefill_nodes" ||
                                                                   member.key == "prefill_workers" || member.key == "gpus_per_node";
                                                        }));
        if (isSaid || !isTouched)
            return;
        if (!isShared) {
            if (wasShared)
                role.lines.push_back(blanks(column) + "gpus: null");
            return;
        }
        const auto gpus = prefillGpus(section);
        if (!gpus) {
            const Member* member = own ? own->member("decode_nodes") : nullptr;
            refuse(member ? member->keyRange : Range{0, 0}, "The nodes are shared, so both roles need \"gpus\", which could not be worked out; add them.");
            return;
        }
        role.lines.push_back(blanks(column) + "gpus: " + std::to_string(*gpus));
    }

    [[nodiscard]] std::optional<std::int64_t> prefillGpus(const Section& section) const
    {
        if (const ValuePtr given = effectiveAt(section, "resources.gpus_per_prefill"); !isEmptyValue(given))
            return wholeOf(given);
        const auto perNode = effectiveAt(section, "resources.gpus_per_node") ? wholeOf(effectiveAt(section, "resources.gpus_per_node")) : std::optional<std::int64_t>(4);
        const auto nodes = wholeOf(effectiveAt(section, "resources.prefill_nodes"));
        const auto workers = wholeOf(effectiveAt(section, "resources.prefill_workers"));
        if (!perNode || !nodes || !workers || *workers <= 0)
            return std::nullopt;
        return *nodes * *perNode / *workers;
    }

    void addEvents(const Section& section, const RoleNames& names, const Block& backend, bool isOne, std::size_t column, Role& role)
    {
        const Entry* events = backend.find("kv_events_config");
        if (!events || !isOne)
            return;
        const ValuePtr& value = events->member->value;
        const bool isSwitch = value->kind == Kind::Bool || value->isNull();
        if (isSwitch) {
            const bool isOn = isTrue(value);
            if (!isOn && !section.isVariant())
                return;
            if (names.role == "agg" && isOn)
                note(events->member->keyRange, "\"kv_events_config: true\" means prefill and decode workers in schema 1; say \"kv_events: true\" in the role agg to publish there too.");
            role.lines.push_back(blanks(column) + "kv_events: " + (isOn && names.role != "agg" ? "true" : "false"));
            return;
        }
        for (const Entry& entry : eventEntries(backend)) {
            if (entry.member->key == names.mode)
                append(role.lines, m_lines.moved(entry, "kv_events", column));
        }
    }

    /// Variables of the Mooncake client win over those of the mode.
    void addStoreVariables(const Section& section, const RoleNames& names, const Block& backend, bool isOne, std::size_t column, Role& role)
    {
        const Entry* store = backend.find("mooncake_kv_store");
        const ValuePtr variables = store ? store->member->value->find("env") : nullptr;
        if (isEmptyValue(variables) || !isOne)
            return;
        const Entry* own = backend.find(names.environment());
        const ValuePtr environment = own ? own->member->value : nullptr;
        for (const Member& variable : variables->members) {
            const ValuePtr already = effectiveAt(section, "backend." + names.environment() + "." + variable.key);
            if (environment && environment->member(variable.key) && already && !syntax::sameData(*already, *variable.value)) {
                refuse(variable.keyRange, "\"" + variable.key + "\" stands in \"mooncake_kv_store.env\" and in \"" + names.environment() + "\"; choose one of the two by hand.");
                return;
            }
        }
        Lines lines;
        const std::size_t inner = column + m_step;
        if (!isEmptyValue(environment) && !environment->definition.isEmpty()) { // an alias cannot be added to, but merged
            role.lines.pop_back();
            lines.push_back(blanks(column) + "env:");
            lines.push_back(blanks(inner) + "<<: " + m_parsed.source->text().substr(environment->range.begin, environment->range.end - environment->range.begin));
        } else if (isEmptyValue(environment)) {
            if (own)
                role.lines.pop_back();
            lines.push_back(blanks(column) + "env:");
        } else if (environment->style == syntax::Style::Flow) {
            refuse(environment->range, "\"" + names.environment() + "\" is written in braces, so that the variables of the Mooncake store could not be added to it.");
            return;
        }
        const Entry* storeEnvironment = nullptr;
        auto& kept = m_inner[store->member];
        if (kept.empty())
            kept = m_lines.entriesOf(*store->member->value, store->keyLine + 1);
        for (const Entry& entry : kept) {
            if (entry.member->key == "env")
                storeEnvironment = &entry;
        }
        if (!storeEnvironment || storeEnvironment->member->value->style == syntax::Style::Flow || !variables->definition.isEmpty()) {
            refuse(store->member->keyRange, "The variables of the Mooncake store are not written as a block, so they were left out of the roles; add them to \"env\" of each.");
            return;
        }
        const bool isAdded = !isEmptyValue(environment) && environment->definition.isEmpty();
        const std::size_t at = isAdded ? innerColumn(*own, column) : inner;
        for (const Entry& entry : m_lines.entriesOf(*variables, storeEnvironment->keyLine + 1)) {
            if (!environment || !environment->member(entry.member->key))
                append(lines, m_lines.moved(entry, entry.member->key, at));
        }
        append(role.lines, lines);
    }

    /// Column of the keys of a block that was moved to `column`.
    [[nodiscard]] std::size_t innerColumn(const Entry& entry, std::size_t column) const
    {
        const Value& value = *entry.member->value;
        return m_lines.columnOf(value.members.front().keyRange.begin) - entry.column + column;
    }

    // --- services ------------------------------------------------------------------------------------------------------------------------

    Lines servicesOf(const Section& section, const std::vector<Entry>& entries, const Block& backend, std::size_t column)
    {
        const ValuePtr infra = section.value->find("infra");
        const Entry* store = backend.find("mooncake_kv_store");
        const Block block = blockOf(section, entries, "infra", infra != nullptr && !infra->isNull());
        if (!infra && !store)
            return {};
        if (section.value->member("services")) {
            if (infra)
                refuse(section.value->member("infra")->keyRange, "\"infra\" was left, because the recipe has services already.");
            return {};
        }
        Lines inner;
        const std::size_t at = column + m_step;
        if (block.isThere() || (section.isVariant() && section.base->find("infra")))
            addInfra(section, block, at, inner);
        if (store)
            addMaster(section, *store, at, inner);
        else if (section.isVariant() && !isEmptyValue(syntax::at(section.base, "backend.mooncake_kv_store")) && !inner.empty())
            refuse(section.value->member("infra")->keyRange, "A list of services in a variant takes the place of that of the base; add the Mooncake master to it.");
        Lines lines;
        if (!inner.empty()) {
            lines.push_back(blanks(column) + "services:");
            append(lines, inner);
        }
        return lines;
    }

    void addInfra(const Section& section, const Block& block, std::size_t at, Lines& inner)
    {
        const std::string frontend = textOf(effectiveAt(section, "frontend.type"));
        const ValuePtr dedicated = effectiveAt(section, "infra.etcd_nats_dedicated_node");
        const ValuePtr payload = effectiveAt(section, "infra.nats_max_payload_mb");
        const Entry* payloadEntry = block.find("nats_max_payload_mb");
        const Entry* dedicatedEntry = block.find("etcd_nats_dedicated_node");
        const bool isList = (dedicated && dedicated->isSequence()) || (payload && payload->isSequence());
        if (isList || (!frontend.empty() && frontend != "dynamo" && isTrue(dedicated))) {
            if (block.isThere())
                refuse(block.member->keyRange, isList ? "\"infra\" has a list of values, so it was left as it is; write the services by hand."
                                                      : "\"infra\" asks for a node for etcd and NATS, which do not run with the frontend " + base::inQuotes(frontend) + "; it was left as it is.");
            return;
        }
        if (block.isThere()) {
            m_infra = block;
            m_hasInfra = true;
        }
        if (!frontend.empty() && frontend != "dynamo") {
            if (payloadEntry)
                note(payloadEntry->member->keyRange, "\"nats_max_payload_mb\" was dropped: NATS does not run with the frontend " + base::inQuotes(frontend) + ".");
            return;
        }
        const bool wasDedicated = section.isVariant() && isTrue(syntax::at(section.base, "infra.etcd_nats_dedicated_node"));
        if (!isTrue(dedicated) && isEmptyValue(payload) && !wasDedicated) {
            if (dedicatedEntry)
                note(dedicatedEntry->member->keyRange, "\"etcd_nats_dedicated_node: false\" was dropped: it is so without a word.");
            return;
        }
        const std::string node = isTrue(dedicated) ? "dedicated" : "infra";
        const std::string request = textOf(effectiveAt(section, "dynamo.request_plane"));
        const bool hasNats = !isEmptyValue(payload) || request == "nats" || textOf(effectiveAt(section, "dynamo.event_plane")) == "nats";
        const std::string own = blanks(at + 2);
        if (dedicatedEntry)
            append(inner, m_lines.leadOf(*dedicatedEntry, at));
        for (const std::string_view type : {"etcd", "nats"}) {
            if (type == "nats" && !hasNats)
                continue;
            inner.push_back(blanks(at) + "- name: " + std::string(type));
            inner.push_back(own + "type: " + std::string(type));
            inner.push_back(own + "placement:");
            inner.push_back(own + blanks(m_step) + "node: " + node + (dedicatedEntry && type == "etcd" ? m_lines.remarkBehind(*dedicatedEntry) : std::string()));
        }
        if (isEmptyValue(payload))
            return;
        inner.push_back(own + "options:");
        if (payloadEntry)
            append(inner, m_lines.moved(*payloadEntry, "max_payload_mb", at + 2 + m_step));
        else
            inner.push_back(own + blanks(m_step) + "max_payload_mb: " + payload->text);
    }

    void addMaster(const Section& section, const Entry& store, std::size_t at, Lines& inner)
    {
        const ValuePtr& value = store.member->value;
        if (value->isNull()) {
            if (section.isVariant() && !isEmptyValue(syntax::at(section.base, "backend.mooncake_kv_store")))
                refuse(store.member->keyRange, "The variant switches the Mooncake store of the base off; write its list of services by hand.");
            return;
        }
        const bool isPart = section.isVariant() && !isEmptyValue(syntax::at(section.base, "backend.mooncake_kv_store"));
        if (isPart || !value->isMapping() || (value->style == syntax::Style::Flow && !value->members.empty()) || !value->definition.isEmpty()) {
            refuse(store.member->keyRange, "The Mooncake store of this section could not be made a service; write it by hand.");
            return;
        }
        append(inner, m_lines.leadOf(store, at));
        inner.push_back(blanks(at) + "- name: mooncake-master");
        inner.push_back(blanks(at + 2) + "type: mooncake-master");
        Lines options;
        auto& kept = m_inner[store.member];
        if (kept.empty() && !value->members.empty())
            kept = m_lines.entriesOf(*value, store.keyLine + 1);
        for (const Entry& entry : kept) {
            if (entry.member->key == "container") {
                append(inner, m_lines.moved(entry, "container", at + 2));
            } else if (entry.member->key == "master_extra_args") {
                if (isEmptyValue(entry.member->value))
                    continue;
                append(inner, m_lines.moved(entry, "args", at + 2));
            } else if (entry.member->key == "store_config") {
                if (isEmptyValue(entry.member->value))
                    continue;
                append(options, m_lines.moved(entry, "store_config", at + 2 + m_step));
            } else if (entry.member->key != "env") {
                refuse(entry.member->keyRange, "\"" + entry.member->key + "\" of the Mooncake store has no place in schema 2; it was turned into a comment.");
                Lines lines = m_lines.moved(entry, entry.member->key, at + 2);
                for (std::string& line : lines)
                    line.insert(std::min(line.size(), at + 2), "# ");
                append(inner, lines);
            }
        }
        if (!options.empty()) {
            inner.push_back(blanks(at + 2) + "options:");
            append(inner, options);
        }
    }

    // --- putting it together -------------------------------------------------------------------------------------------------------------

    void placeEngine(const Section& section, const std::vector<Entry>& entries, const Block& counts, const Block& backend, const std::string& engine,
                     std::size_t column, const std::vector<const Entry*>& taken, const Lines& roles, const Lines& services)
    {
        if (m_hasInfra) {
            m_lines.erase(m_infra.entry.keyLine, m_infra.entry.end);
            if (services.empty() && m_infra.entry.keyLine > 0 && m_lines.isBlankLine(m_infra.entry.keyLine - 1) && m_lines.isBlankLine(m_infra.entry.end))
                m_lines.erase(m_infra.entry.keyLine - 1, m_infra.entry.keyLine); // one blank line in its place
            m_lines.insertBefore(m_infra.entry.keyLine, services);
        } else if (!services.empty()) {
            m_lines.insertBefore(counts.isThere() ? counts.entry.end : backend.entry.keyLine, services);
        }
        m_hasInfra = false;
        const bool needsDefault = !section.isVariant() && m_isFirst;
        if (!backend.isThere()) {
            Lines lines;
            const bool hasEngine = section.value->member("engine") || hasRoleEngines(section);
            if (needsDefault && !hasEngine)
                lines.push_back(m_baseNeedsMapping ? blanks(column) + "engine:" : blanks(column) + "engine: sglang");
            if (needsDefault && !hasEngine && m_baseNeedsMapping)
                lines.push_back(blanks(column + m_step) + "type: sglang");
            append(lines, roles);
            if (const Member* empty = section.value->member("backend"); empty && !section.isVariant()) { // "backend:" without anything
                const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& one) { return one.member == empty; });
                if (found != entries.end()) {
                    m_lines.erase(found->keyLine, found->end);
                    m_lines.insertBefore(found->keyLine, lines);
                    return;
                }
            }
            m_lines.insertBefore(counts.isThere() ? counts.entry.end : entries.back().end, lines);
            return;
        }
        placeBackend(section, backend, engine, column, taken, roles, needsDefault);
    }

    static bool hasRoleEngines(const Section& section)
    {
        const ValuePtr roles = section.value->find("roles");
        return roles && roles->isMapping() && std::any_of(roles->members.begin(), roles->members.end(), [](const Member& role) { return role.value->find("engine") != nullptr; });
    }

    void placeBackend(const Section& section, const Block& backend, const std::string& engine, std::size_t column, const std::vector<const Entry*>& taken,
                      const Lines& roles, bool needsDefault)
    {
        std::vector<const Entry*> kept;
        const Entry* type = backend.find("type");
        for (const Entry& entry : backend.entries) {
            const bool isTaken = std::find(taken.begin(), taken.end(), &entry) != taken.end();
            const bool isCommented = std::find(m_commented.begin(), m_commented.end(), &entry) != m_commented.end();
            const std::string& key = entry.member->key;
            const bool isFlags = key == engine + "_config" && (entry.member->value->isMapping() || (entry.member->value->isNull() && !section.isVariant()));
            const bool isEvents = key == "kv_events_config" && !entry.member->value->isSequence();
            if (isTaken || isFlags || isEvents || key == "mooncake_kv_store") {
                m_lines.erase(entry);
                if (isFlags)
                    keepOrphans(entry);
            } else if (isCommented) {
                m_lines.erase(entry.lead, entry.keyLine);
            } else if (&entry != type) {
                kept.push_back(&entry);
            }
        }
        for (const Entry* entry : kept) {
            if (entry->member->key == "set_cuda_visible_devices") {
                m_lines.replace(entry->member->keyRange, "set_visible_devices");
                note(entry->member->keyRange, "\"set_cuda_visible_devices\" is called \"set_visible_devices\" in schema 2.");
            }
            if (entry->member->key.ends_with("_config") || isOfRoles(entry->member->key, engine))
                refuse(entry->member->keyRange, "\"backend." + entry->member->key + "\" could not be moved to the roles; move it by hand.");
        }
        const std::string& line = m_lines.line(backend.entry.keyLine);
        const std::size_t keyEnd = backend.entry.column + std::string_view("backend").size();
        const bool isMapping = !kept.empty() || (m_baseNeedsMapping && (needsDefault || type));
        const std::string remark = m_lines.remarkBehind(backend.entry);
        if (isMapping) {
            m_lines.setLine(backend.entry.keyLine, line.substr(0, backend.entry.column) + "engine" + withoutEmptyBraces(line.substr(keyEnd)));
            if (!type && needsDefault)
                m_lines.insertBefore(backend.entry.keyLine + 1, {blanks(backend.column(column + m_step)) + "type: sglang"});
        } else if (type || needsDefault) {
            Lines lines;
            if (!remark.empty())
                lines.push_back(blanks(column) + std::string(base::trimmed(remark)));
            if (type) {
                append(lines, m_lines.moved(*type, "engine", column));
                m_lines.erase(*type);
            } else {
                lines.push_back(blanks(column) + "engine: sglang");
            }
            m_lines.erase(backend.entry.keyLine, backend.entry.keyLine + 1);
            m_lines.insertBefore(backend.entry.keyLine, lines);
        } else {
            m_lines.erase(backend.entry.keyLine, backend.entry.keyLine + 1);
            if (!remark.empty())
                m_lines.insertBefore(backend.entry.keyLine, {blanks(column) + std::string(base::trimmed(remark))});
        }
        m_lines.insertBefore(backend.entry.end, roles);
    }

    static std::string withoutEmptyBraces(std::string rest)
    {
        const std::size_t at = rest.find("{}");
        if (at != std::string::npos && base::trimmed(rest.substr(0, at)) == ":")
            rest.erase(at - 1, 3);
        return rest;
    }

    /// Flags of modes without workers stay as comments where they stood.
    void keepOrphans(const Entry& flags)
    {
        for (const Entry* orphan : m_orphans) {
            if (orphan->lead <= flags.keyLine || orphan->lead >= flags.end)
                continue;
            Lines lines = m_lines.moved(*orphan, orphan->member->key, flags.column);
            for (std::string& line : lines) {
                if (line.size() > flags.column)
                    line.insert(flags.column, "# ");
            }
            m_lines.insertBefore(flags.end, lines);
        }
        std::erase_if(m_orphans, [&](const Entry* orphan) { return orphan->lead > flags.keyLine && orphan->lead < flags.end; });
    }

    void declareSchema()
    {
        const ValuePtr& root = m_parsed.root;
        const Member* schema = root->member("schema");
        if (schema && m_isFirst && !schema->value->range.isEmpty())
            m_lines.replace(schema->value->range, "2");
        else if (schema && m_isFirst)
            m_lines.setLine(m_lines.lineOf(schema->keyRange.begin), "schema: 2");
        if (schema)
            return;
        const std::vector<Entry> entries = m_lines.entriesOf(*root, 0);
        if (!entries.empty())
            m_lines.insertBefore(entries.front().keyLine, {"schema: 2"});
    }

    const syntax::Parsed& m_parsed;
    MigrationLines m_lines;
    std::vector<Section> m_sections;
    std::vector<MigrationNote> m_notes;
    std::vector<Range> m_renamed;
    std::map<const Member*, std::vector<Entry>> m_inner;
    std::vector<const Entry*> m_commented; ///< Entries of a backend that stay as comments.
    std::vector<const Entry*> m_orphans;   ///< Flags of modes that have no workers.
    Block m_infra;
    bool m_hasInfra = false;
    bool m_isFirst = true;
    bool m_baseNeedsMapping = false;
    std::size_t m_step = 2;
};

} // namespace

bool Migration::hasRefusals() const
{
    return std::any_of(notes.begin(), notes.end(), [](const MigrationNote& note) { return note.isRefused; });
}

Migration migrate(const syntax::Parsed& parsed)
{
    return Migrator(parsed).run();
}

} // namespace wb::recipe
