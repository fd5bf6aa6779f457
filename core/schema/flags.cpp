#include "core/schema/flags.h"

#include "core/base/text.h"
#include "core/schema/builtin.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace wb::schema {

namespace {

std::string folded(std::string_view name)
{
    std::string out(name);
    std::replace(out.begin(), out.end(), '_', '-');
    return out;
}

std::string textAt(const base::json::Value& row, std::string_view key)
{
    const base::json::Value* value = row.find(key);
    return value && value->string() ? *value->string() : std::string();
}

bool flagAt(const base::json::Value& row, std::string_view key)
{
    const base::json::Value* value = row.find(key);
    return value && value->boolean().value_or(false);
}

std::vector<std::string> textsAt(const base::json::Value& row, std::string_view key)
{
    std::vector<std::string> out;
    if (const base::json::Value* list = row.find(key)) {
        for (const base::json::Value& item : list->array())
            out.push_back(item.string() ? *item.string() : base::json::write(item, 0));
    }
    return out;
}

} // namespace

FlagTable::FlagTable(std::string_view json)
{
    const auto document = base::json::read(json);
    assert(document && "resources/engines holds good JSON; a test reads all of it");
    const base::json::Value* rows = document ? document->find("flags") : nullptr;
    if (!rows)
        return;
    for (const base::json::Value& row : rows->array()) {
        Flag flag;
        flag.name = textAt(row, "name");
        flag.aliases = textsAt(row, "aliases");
        flag.type = textAt(row, "type");
        if (const base::json::Value* preset = row.find("default"))
            flag.defaultValue = *preset;
        flag.choices = textsAt(row, "choices");
        flag.openChoices = flagAt(row, "openChoices");
        flag.isDeprecated = flagAt(row, "deprecated");
        flag.renamedTo = textAt(row, "renamedTo");
        m_byName.emplace(folded(flag.name), m_flags.size());
        for (const std::string& alias : flag.aliases)
            m_byName.emplace(folded(alias), m_flags.size());
        m_flags.push_back(std::move(flag));
    }
}

const Flag* FlagTable::find(std::string_view name) const
{
    const auto found = m_byName.find(folded(name));
    return found == m_byName.end() ? nullptr : &m_flags[found->second];
}

std::string_view FlagTable::nearest(std::string_view name) const
{
    std::vector<std::string_view> names;
    for (const Flag& flag : m_flags)
        names.emplace_back(flag.name);
    return base::nearestName(name, names);
}

const FlagTable* flagTable(std::string_view engine)
{
    constexpr std::array<std::string_view, 4> engines = {"sglang", "vllm", "trtllm", "mocker"};
    static const std::map<std::string, FlagTable, std::less<>> tables = [&] {
        std::map<std::string, FlagTable, std::less<>> all;
        for (const std::string_view id : engines)
            all.emplace(id, FlagTable(resources::engineFlags(std::string(id) + ".json")));
        return all;
    }();
    const auto found = tables.find(engine);
    return found == tables.end() ? nullptr : &found->second;
}

} // namespace wb::schema
