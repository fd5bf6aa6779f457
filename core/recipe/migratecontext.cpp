#include "core/recipe/migratecontext.h"

#include "core/base/text.h"

#include <algorithm>

namespace wb::recipe::migration {

using syntax::Kind;
using syntax::Member;
using syntax::Value;
using syntax::ValuePtr;

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

bool isOfRoles(std::string_view key, std::string_view engine)
{
    if (key == "kv_events_config" || key == "mooncake_kv_store" || key == std::string(engine) + "_config")
        return true;
    return std::any_of(roleNames.begin(), roleNames.end(),
                       [&](const RoleNames& names) { return key == names.environment() || key == names.extraArgs(); });
}

std::string MigrationContext::engineOf(const Section& section)
{
    const std::string type = textOf(syntax::at(section.effective, "backend.type"));
    return type.empty() ? "sglang" : type;
}

std::vector<ValuePtr> MigrationContext::valuesOf(const Section& section, const ValuePtr& value) const
{
    if (!value || value->isSequence())
        return value ? value->items : std::vector<ValuePtr>();
    const std::string text = textOf(value);
    if (!text.starts_with('{') || !text.ends_with('}'))
        return {value};
    for (const ValuePtr& document : {section.effective, parsed.root}) {
        const ValuePtr sweep = document->find("sweep");
        if (const ValuePtr list = sweep ? sweep->find(std::string_view(text).substr(1, text.size() - 2)) : nullptr)
            return list->items;
    }
    return {value};
}

Block MigrationContext::blockOf(const Section& section, const std::vector<Entry>& entries, std::string_view key, bool hasWork)
{
    Block out;
    const Member* member = section.value->member(key);
    if (!member || !hasWork)
        return out;
    const std::string name = section.name.empty() ? std::string(key) : section.name + "." + std::string(key);
    const Value& value = *member->value;
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& one) { return one.member == member; });
    if (found == entries.end() || !value.definition.isEmpty()) {
        refuse(member->merged ? member->mergeRange : member->keyRange,
               "\"" + name + "\" comes in from an anchor, so it was left as it is; write it out.");
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
        out.entries = lines.entriesOf(value, found->keyLine + 1, found->end);
    return out;
}

void MigrationContext::replaceEntries(const Block& block, const std::vector<const Entry*>& taken, const Lines& made)
{
    std::size_t place = block.entry.end;
    for (const Entry* entry : taken) {
        place = std::min(place, entry->lead);
        lines.erase(*entry);
    }
    lines.insertBefore(place, made);
    if (made.empty() && taken.size() == block.entries.size())
        emptied(block);
}

void MigrationContext::emptied(const Block& block)
{
    const std::size_t keyEnd = block.entry.column + (block.member->keyRange.end - block.member->keyRange.begin) + 1;
    const std::string& line = lines.line(block.entry.keyLine);
    lines.setLine(block.entry.keyLine, line.substr(0, keyEnd) + " {}" + line.substr(keyEnd));
}

} // namespace wb::recipe::migration
