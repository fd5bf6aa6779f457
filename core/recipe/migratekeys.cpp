#include "core/recipe/migratekeys.h"

#include "core/base/text.h"
#include "core/schema/pack.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace wb::recipe::migration {

using syntax::Kind;
using syntax::Member;
using syntax::Range;
using syntax::Value;
using syntax::ValuePtr;

namespace {

class KeyMigration
{
public:
    explicit KeyMigration(MigrationContext& context)
        : m_context(context)
        , m_lines(context.lines)
    {
    }

    void run(const Section& section, const std::vector<Entry>& entries)
    {
        migrateFrontend(section, entries);
        migrateBenchmark(section, entries);
        migrateDynamo(section, entries);
        migrateObservation(section, entries);
    }

private:
    void migrateFrontend(const Section& section, const std::vector<Entry>& entries)
    {
        const ValuePtr frontend = section.value->find("frontend");
        const bool hasWork = frontend && (frontend->member("orchestrator_placement") || frontend->member("dedicated_node"));
        if (frontend && m_context.isFirst)
            renameRouter(section, frontend->find("type"));
        const Block block = m_context.blockOf(section, entries, "frontend", hasWork);
        if (block.isThere())
            migratePlacement(section, block, "orchestrator_placement", "dedicated_node");
    }

    void renameRouter(const Section& section, const ValuePtr& type)
    {
        if (!type)
            return;
        for (const ValuePtr& item : type->items)
            renameRouter(section, item);
        for (const ValuePtr& swept : type->isString() ? m_context.valuesOf(section, type) : std::vector<ValuePtr>()) {
            if (swept != type && textOf(swept) == "sglang")
                m_context.refuse(
                    swept->range.isEmpty() ? type->range : swept->range,
                    "The frontend \"sglang\" is called \"sglang-router\" in schema 2; change the parameter of the sweep by hand.");
        }
        if (!type->isString() || type->text != "sglang" || type->range.isEmpty())
            return;
        Range range = type->definition.isEmpty() ? type->range : type->definition;
        const std::string written = m_context.parsed.source->text().substr(range.begin, range.end - range.begin);
        const std::size_t at = written.rfind("sglang");
        if (at == std::string::npos)
            return;
        range.begin += at;
        range.end = range.begin + std::string_view("sglang").size();
        if (std::find(m_context.renamed.begin(), m_context.renamed.end(), range) != m_context.renamed.end())
            return;
        m_context.renamed.push_back(range);
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
            const ValuePtr& value = one->member->value;
            if (value->isSequence() || (one == dedicated && value->isString() && value->text.find('{') != std::string::npos)) {
                m_context.refuse(one->member->keyRange,
                                 "\"" + one->member->key +
                                     "\" has a list of values, so it was left as it is; write \"placement.node\" by hand.");
                return;
            }
            taken.push_back(one);
        }
        if (block.member->value->member("placement")) {
            for (const Entry* one : taken)
                m_context.note(one->member->keyRange, "\"" + one->member->key + "\" was dropped, because \"placement\" is set already.");
            m_context.replaceEntries(block, taken, {});
            return;
        }
        const std::size_t column = block.column(0);
        const bool wasDedicated =
            section.isVariant() && isTrue(syntax::at(section.base, block.member->key + "." + std::string(dedicatedKey)));
        Lines lines;
        if (dedicated && isTrue(dedicated->member->value)) {
            append(lines, m_lines.leadOf(*dedicated, column));
            lines.push_back(blanks(column) + "placement:");
            lines.push_back(blanks(column + m_context.step) + "node: dedicated" + m_lines.remarkBehind(*dedicated));
            if (where)
                append(lines, m_lines.leadOf(*where, column + m_context.step));
        } else if (where) {
            lines.push_back(blanks(column) + "placement:");
            append(lines, m_lines.moved(*where, "node", column + m_context.step));
            if (textOf(where->member->value) == "last_decode" && whereKey == "orchestrator_placement")
                m_context.note(where->member->keyRange,
                               "Schema 2 does not name \"last_decode\" as a node of the frontend; look whether srtctl takes it.");
            if (textOf(where->member->value) == "first_decode" && whereKey == "client_placement")
                m_context.note(where->member->keyRange,
                               "Schema 2 does not name \"first_decode\" as a node of the client; look whether srtctl takes it.");
        } else if (dedicated && wasDedicated) {
            lines.push_back(blanks(column) + "placement:");
            lines.push_back(blanks(column + m_context.step) + "node: head" + m_lines.remarkBehind(*dedicated));
        } else if (dedicated) {
            append(lines, m_lines.leadOf(*dedicated, column));
            m_context.note(dedicated->member->keyRange,
                           "\"" + dedicated->member->key + "\" was dropped: a node is dedicated only where the recipe says so.");
        }
        m_context.replaceEntries(block, taken, lines);
    }

    void migrateBenchmark(const Section& section, const std::vector<Entry>& entries)
    {
        const auto pack = schema::builtInPack("v2");
        const schema::Record* record = pack ? pack->record("benchmark") : nullptr;
        std::vector<std::string> types; // of a zip section or a sweep several
        for (const ValuePtr& one : m_context.valuesOf(section, syntax::at(section.effective, "benchmark.type")))
            types.push_back(textOf(one));
        if (types.empty() || types == std::vector<std::string>{""})
            types = {"manual"};
        const auto unknown = std::find_if(types.begin(), types.end(),
                                          [&](const std::string& type) { return !record || !record->find("type")->choice(type); });
        const bool isKnown = unknown == types.end();
        const auto readers = [&](const Member& member) { // of the types
            const schema::Field* field = record->find(member.key);
            return std::count_if(types.begin(), types.end(), [&](const std::string& type) {
                return !field || field->readBy.empty() ||
                       std::find(field->readBy.begin(), field->readBy.end(), type) != field->readBy.end();
            });
        };
        const auto isUnread = [&](const Member& member) {
            const bool deletes =
                section.isVariant() && member.value->isNull(); // a key of the base, which may be one that this type refuses
            return isKnown && !deletes && static_cast<std::size_t>(readers(member)) < types.size();
        };
        const auto hasWork = [&](const Member& member) {
            return !isKnown || isUnread(member) || member.key == "export_node_metrics" || member.key == "client_placement" ||
                   member.key == "client_dedicated_node";
        };
        const ValuePtr benchmark = section.value->find("benchmark");
        if (!record || !benchmark || std::none_of(benchmark->members.begin(), benchmark->members.end(), hasWork))
            return;
        const Block block = m_context.blockOf(section, entries, "benchmark", true);
        if (!block.isThere())
            return;
        if (block.find("client_placement") || block.find("client_dedicated_node"))
            migratePlacement(section, block, "client_placement", "client_dedicated_node");
        if (!isKnown) {
            if (const Entry* named = block.find("type"))
                m_context.refuse(named->member->value->range,
                                 base::inQuotes(*unknown) + " is no benchmark of schema 2, so it was left as it is.");
            return;
        }
        std::size_t left = block.entries.size();
        for (const Entry& entry : block.entries) {
            const bool isGone = entry.member->key == "export_node_metrics";
            if (!isUnread(*entry.member) && !isGone)
                continue;
            if (!isGone && readers(*entry.member) > 0) {
                m_context.refuse(entry.member->keyRange,
                                 "\"" + entry.member->key +
                                     "\" was left as it is: not all benchmarks of this section read it, and schema 2 refuses it in the "
                                     "others; write a section for each.");
                continue;
            }
            m_lines.commentOut(entry);
            --left;
            m_context.note(entry.member->keyRange, isGone
                                                       ? "\"export_node_metrics\" was turned into a comment: schema 2 has no such key."
                                                       : "\"" + entry.member->key + "\" was turned into a comment: the benchmark " +
                                                             base::inQuotes(types.front()) + " does not read it, and schema 2 refuses it.");
        }
        if (left == 0)
            m_context.emptied(block);
    }

    // --- Dynamo --------------------------------------------------------------------------------------------------------------------------

    void migrateDynamo(const Section& section, const std::vector<Entry>& entries)
    {
        static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> keys = {
            {{"version", "pypi"}, {"hash", "rev"}, {"wheel", "wheel"}, {"cargo_patches", "patches"}}};
        const ValuePtr dynamo = section.value->find("dynamo");
        const bool hasWork = dynamo && std::any_of(keys.begin(), keys.end(), [&](const auto& key) { return dynamo->member(key.first); });
        const Block block = m_context.blockOf(section, entries, "dynamo", hasWork);
        if (!block.isThere())
            return;
        if (dynamo->member("source")) {
            for (const auto& [old, now] : keys) {
                if (const Entry* entry = block.find(old))
                    m_context.refuse(entry->member->keyRange,
                                     "\"dynamo." + std::string(old) + "\" was left, because \"dynamo.source\" is set already.");
            }
            return;
        }
        const auto effective = [&](std::string_view key) { return syntax::at(section.effective, "dynamo." + std::string(key)); };
        if (const Entry* mixed = mixedSource(section, block)) {
            m_context.refuse(mixed->member->keyRange, "\"dynamo\" was left as it is, because its source is another in each job; write "
                                                      "\"dynamo.source\" by hand, in a section for each.");
            return;
        }
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
                m_context.note(entry->member->keyRange,
                               "\"dynamo.version\" was turned into a comment: another source of Dynamo is named, which wins.");
            } else if (value->isNull() && old == "version" && !isOther) {
                newest = m_lines.leadOf(*entry, column);
                newest.push_back(blanks(column) + "top_of_tree: true" + m_lines.remarkBehind(*entry));
                m_context.note(entry->member->keyRange,
                               "\"version: null\" builds the newest source, which schema 2 calls \"top_of_tree: true\".");
            } else if (value->isNull() && !section.isVariant()) {
                append(lead, m_lines.leadOf(*entry, column));
            } else {
                append(inner, m_lines.moved(*entry, now, column + m_context.step));
                if (!value->isNull())
                    set.push_back(now);
            }
        }
        if (section.isVariant()) // what the base names must not stand beside it
            addResets(section, block, set, column + m_context.step, inner);
        Lines lines = lead;
        if (!inner.empty()) {
            lines.push_back(blanks(column) + "source:");
            append(lines, inner);
        }
        append(lines, newest);
        m_context.replaceEntries(block, taken, lines);
    }

    /// A key with several values that does not name the one source of all jobs; null when there is none.
    [[nodiscard]] const Entry* mixedSource(const Section& section, const Block& block) const
    {
        std::size_t named = 0;
        for (const std::string_view key : {"version", "hash", "wheel", "top_of_tree"})
            named += syntax::at(section.effective, "dynamo." + std::string(key)) ? 1 : 0;
        for (const Entry& entry : block.entries) {
            const std::string& key = entry.member->key;
            const std::vector<ValuePtr> values = m_context.valuesOf(section, entry.member->value);
            const bool isSource = key == "version" || key == "hash" || key == "wheel" || key == "top_of_tree";
            if (!isSource || values == std::vector<ValuePtr>{entry.member->value})
                continue;
            const bool isPartly = std::any_of(values.begin(), values.end(), [](const ValuePtr& one) {
                return isEmptyValue(one) || (one->kind == Kind::Bool && !one->boolean);
            });
            // A version beside a list of other sources, which win, is a comment as ever.
            if (isPartly || (named > 1 && key == "version" && !isOneOtherSource(section)) || key == "top_of_tree")
                return &entry;
        }
        return nullptr;
    }

    /// Beside the version one source is named that wins in each job.
    [[nodiscard]] static bool isOneOtherSource(const Section& section)
    {
        const auto isFirm = [&](std::string_view key) {
            const ValuePtr value = syntax::at(section.effective, "dynamo." + std::string(key));
            return value && !value->isSequence() && !isEmptyValue(value) && (key != "top_of_tree" || isTrue(value));
        };
        return isFirm("hash") || isFirm("wheel") || isFirm("top_of_tree");
    }

    static void addResets(const Section& section, const Block& block, const std::vector<std::string_view>& set, std::size_t column,
                          Lines& inner)
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
        const bool hasGone =
            observability && std::any_of(gone.begin(), gone.end(), [&](std::string_view key) { return observability->member(key); });
        const ValuePtr tachometer = observability ? observability->find("tachometer") : nullptr;
        const bool hasRate = tachometer && tachometer->member("default_frequency");
        const Block block = m_context.blockOf(section, entries, "observability", hasGone || hasRate);
        if (block.isThere()) {
            std::size_t left = block.entries.size();
            for (const std::string_view key : gone) {
                const Entry* entry = block.find(key);
                if (!entry)
                    continue;
                m_lines.commentOut(*entry);
                --left;
                m_context.note(entry->member->keyRange,
                               "\"observability." + std::string(key) +
                                   "\" was turned into a comment: schema 2 has no such key, and Tachometer does the scraping.");
            }
            if (left == 0)
                m_context.emptied(block);
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
        if (!isNumber || member->merged || !value.definition.isEmpty() || value.range.isEmpty() || milliseconds < 1 ||
            milliseconds != std::floor(milliseconds)) {
            m_context.refuse(member->keyRange,
                             "\"" + path + "\" was left as it is; schema 2 wants \"collect_interval_ms\", a whole number of milliseconds.");
            return;
        }
        m_lines.replace(member->keyRange, "collect_interval_ms");
        m_lines.replace(value.range, base::textOf(milliseconds));
        m_context.note(member->keyRange, "\"" + path + "\" became \"collect_interval_ms: " + base::textOf(milliseconds) + "\".");
    }

    MigrationContext& m_context;
    MigrationLines& m_lines;
};

} // namespace

void migrateKeys(MigrationContext& context, const Section& section, const std::vector<Entry>& entries)
{
    KeyMigration(context).run(section, entries);
}

} // namespace wb::recipe::migration
