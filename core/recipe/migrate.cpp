#include "core/recipe/migrate.h"

#include "core/base/text.h"
#include "core/recipe/migratecontext.h"
#include "core/recipe/migratekeys.h"
#include "core/recipe/migrateroles.h"
#include "core/recipe/migrateunfold.h"

#include <algorithm>
#include <utility>

namespace wb::recipe {

using syntax::Kind;
using syntax::Member;
using syntax::Value;
using syntax::ValuePtr;

namespace {

using migration::isEmptyValue;
using migration::isOfRoles;
using migration::MigrationContext;
using migration::Section;

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
        , m_context(parsed)
    {
    }

    Migration run()
    {
        Migration out;
        out.text = m_parsed.source->text();
        if (canBegin()) {
            collectSections();
            m_context.baseNeedsMapping = needsEngineMapping();
            for (const Section& section : m_context.sections)
                migrateSection(section);
            declareSchema();
            std::string text = m_context.lines.text();
            const syntax::Parsed again = syntax::parse(std::make_shared<syntax::SourceText>(text, m_parsed.source->path()));
            if (again.complete && again.root) {
                out.text = std::move(text);
            } else {
                const std::string why = again.diagnostics.empty() ? "it is no whole document." : again.diagnostics.front().message;
                m_context.refuse({0, 0}, "The recipe was left as it is, because the parts that move depend on each other: " + why);
            }
        }
        out.changed = out.text != m_parsed.source->text();
        out.wasSecond = !m_context.isFirst;
        out.notes = std::move(m_context.notes);
        std::stable_sort(out.notes.begin(), out.notes.end(),
                         [](const MigrationNote& a, const MigrationNote& b) { return a.range < b.range; });
        return out;
    }

private:
    bool canBegin()
    {
        const std::string& text = m_parsed.source->text();
        const auto isError = [](const syntax::Diagnostic& problem) { return problem.severity == syntax::Severity::Error; };
        const auto error = std::find_if(m_parsed.diagnostics.begin(), m_parsed.diagnostics.end(), isError);
        if (error != m_parsed.diagnostics.end()) {
            m_context.refuse(error->range, "The text has errors, so nothing was migrated: " + error->message);
            return false;
        }
        if (!m_parsed.complete || !m_parsed.root || !m_parsed.root->isMapping()) {
            m_context.refuse({0, 0}, "The text is no mapping of keys, so nothing was migrated.");
            return false;
        }
        for (std::size_t at = text.find('\r'); at != std::string::npos; at = text.find('\r', at + 1)) {
            if (at + 1 == text.size() || text[at + 1] != '\n') {
                m_context.refuse({at, at + 1}, "A line ends with a bare carriage return, so nothing was migrated.");
                return false;
            }
        }
        const Member* schema = m_parsed.root->member("schema");
        const ValuePtr base = m_parsed.root->find("base");
        if (!schema && base)
            schema = base->member("schema");
        if (schema && schema->value->kind == Kind::Integer && (schema->value->integer == 1 || schema->value->integer == 2)) {
            m_context.isFirst = schema->value->integer == 1;
        } else if (schema && !schema->value->isNull()) {
            m_context.refuse(schema->keyRange,
                             "\"schema\" is " + syntax::shown(*schema->value) + ", and only a recipe of schema 1 can be migrated.");
            return false;
        }
        if (m_parsed.root->style == syntax::Style::Flow) {
            m_context.refuse(m_parsed.root->range,
                             "The whole recipe is written in braces, so nothing was migrated; put each key on a line of its own.");
            return false;
        }
        return true;
    }

    void collectSections()
    {
        const ValuePtr& root = m_parsed.root;
        const Member* base = root->member("base");
        if (!base) {
            m_context.sections.push_back({root, nullptr, root, {}, 0, false});
            return;
        }
        const auto add = [&](const Member& member, ValuePtr over) {
            if (!member.value->isMapping() || member.value->style == syntax::Style::Flow || !member.value->definition.isEmpty()) {
                if (!isEmptyValue(member.value))
                    m_context.refuse(member.keyRange, base::inQuotes(member.key) + " is no block of keys, so it was left as it is.");
                return;
            }
            const ValuePtr effective = over ? laidOver(over, member.value) : member.value;
            m_context.sections.push_back({member.value, std::move(over), effective, member.key,
                                          m_context.lines.lineOf(member.keyRange.begin) + 1, member.key.starts_with("zip_")});
        };
        add(*base, nullptr);
        for (const Member& member : root->members) {
            if (member.key.starts_with("override_") || member.key.starts_with("zip_override_"))
                add(member, base->value);
        }
    }

    /// A variant that gives the engine a setting would replace a bare word.
    [[nodiscard]] bool needsEngineMapping() const
    {
        return std::any_of(m_context.sections.begin(), m_context.sections.end(), [&](const Section& section) {
            const ValuePtr backend = section.isVariant() ? section.value->find("backend") : nullptr;
            return backend && std::any_of(backend->members.begin(), backend->members.end(), [&](const Member& member) {
                       return member.key != "type" && !isOfRoles(member.key, MigrationContext::engineOf(section));
                   });
        });
    }

    void migrateSection(const Section& section)
    {
        const std::vector<Entry> entries = m_context.lines.entriesOf(*section.value, section.firstLine);
        if (entries.empty() || hasBlocksInLists(section))
            return;
        m_context.step = 2;
        for (const Entry& entry : entries) {
            const Value& value = *entry.member->value;
            if (value.isMapping() && value.style != syntax::Style::Flow && !value.members.empty() && value.definition.isEmpty() &&
                !value.members.front().merged) {
                m_context.step = m_context.lines.columnOf(value.members.front().keyRange.begin) - entry.column;
                break;
            }
        }
        migration::migrateKeys(m_context, section, entries);
        migration::migrateRoles(m_context, section, entries);
    }

    /// Blocks to take apart that a zip section gives as a list, one for each job: told, and the section stays whole as it is.
    bool hasBlocksInLists(const Section& section)
    {
        if (!section.isZip)
            return false;
        bool isFound = false;
        const auto look = [&](const Member& member, std::string_view block) {
            const auto isWork = [&](const ValuePtr& item) {
                return item->isMapping() && (isTakenApart(block, item) || block == "mooncake_kv_store" ||
                                             item->member("default_frequency") || migration::textOf(item->find("type")) == "sglang");
            };
            if (std::none_of(member.value->items.begin(), member.value->items.end(), isWork))
                return;
            isFound = true;
            m_context.refuse(member.keyRange, base::inQuotes(section.name) + " was left as it is: \"" + member.key +
                                                  "\" is a list of blocks with keys of schema 1; write it as one block whose keys have "
                                                  "lists.");
        };
        for (const Member& member : section.value->members) {
            look(member, member.key);
            const bool isOuter = member.key == "backend" || member.key == "observability";
            for (const Member& inner : isOuter ? member.value->members : std::vector<Member>()) {
                if (inner.key == "mooncake_kv_store" || inner.key == "tachometer")
                    look(inner, inner.key);
            }
        }
        return isFound;
    }

    void declareSchema()
    {
        const ValuePtr& root = m_parsed.root;
        const Member* schema = root->member("schema");
        if (schema && m_context.isFirst && !schema->value->range.isEmpty())
            m_context.lines.replace(schema->value->range, "2");
        else if (schema && m_context.isFirst)
            m_context.lines.setLine(m_context.lines.lineOf(schema->keyRange.begin), "schema: 2");
        if (schema)
            return;
        const ValuePtr base = root->find("base");
        if (const Member* inner = base ? base->member("schema") : nullptr) {
            if (m_context.isFirst && !inner->value->range.isEmpty())
                m_context.lines.replace(inner->value->range, "2");
            return;
        }
        const std::vector<Entry> entries = m_context.lines.entriesOf(*root, 0);
        if (!entries.empty())
            m_context.lines.insertBefore(entries.front().keyLine, {"schema: 2"});
    }

    const syntax::Parsed& m_parsed;
    MigrationContext m_context;
};

} // namespace

bool Migration::hasRefusals() const
{
    return std::any_of(notes.begin(), notes.end(), [](const MigrationNote& note) { return note.isRefused; });
}

Migration migrate(const syntax::Parsed& parsed)
{
    const Unfolded unfolded(parsed);
    Migration out = Migrator(unfolded.parsed()).run();
    for (MigrationNote& note : out.notes)
        note.range = unfolded.original(note.range);
    if (!out.changed) // nothing was done but what prepares it
        out.text = parsed.source->text();
    return out;
}

} // namespace wb::recipe
