#include "core/schema/pack.h"

#include "core/schema/builtin.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <mutex>

namespace wb::schema {

namespace {

constexpr std::array<std::string_view, 4> builtInIds = {"v1", "v2", "cluster", "cluster-v2"};

std::shared_ptr<const Pack> readBuiltIn(std::string_view id)
{
    const std::string file = std::string(id) + ".json";
    auto pack = readPack(resources::schemaPacks(file), file);
    assert(pack && "a built-in pack is wrong; the tests of core/schema say where");
    return pack ? *pack : nullptr;
}

struct Words {
    std::string one;  ///< With article.
    std::string many; ///< Without.
};

Words wordsOf(const Type& type)
{
    switch (type.kind) {
    case TypeKind::String:
        return {"a text", "texts"};
    case TypeKind::Path:
        return {"a path", "paths"};
    case TypeKind::Integer:
        return {"a whole number", "whole numbers"};
    case TypeKind::Number:
        return {"a number", "numbers"};
    case TypeKind::Boolean:
        return {"true or false", "switches"};
    case TypeKind::Any:
        return {"any value", "values"};
    case TypeKind::List:
        return {"a list of " + wordsOf(type.inner.front()).many, "lists of " + wordsOf(type.inner.front()).many};
    case TypeKind::Map:
        return {"a mapping of " + wordsOf(type.inner.front()).many, "mappings of " + wordsOf(type.inner.front()).many};
    case TypeKind::Record:
    case TypeKind::Variant:
        return {"a mapping", "mappings"};
    case TypeKind::Union:
        break;
    }
    Words all;
    for (const Type& alternative : type.inner) {
        const Words words = wordsOf(alternative);
        all.one += (all.one.empty() ? "" : " or ") + words.one;
        all.many += (all.many.empty() ? "" : " or ") + words.many;
    }
    return all;
}

/// The default word of the variant in the type; empty when there is none.
std::string_view selectorDefaultOf(const Type& type)
{
    for (const Type& inner : type.inner) {
        if (const std::string_view word = selectorDefaultOf(inner); !word.empty())
            return word;
    }
    return type.selectorDefault;
}

} // namespace

bool Limits::allow(double number) const
{
    if (least && (number < *least || (aboveLeast && number == *least)))
        return false;
    return !most || number <= *most;
}

const Choice* Field::choice(std::string_view word) const
{
    const auto found = std::find_if(choices.begin(), choices.end(), [&](const Choice& one) { return one.value == word; });
    return found == choices.end() ? nullptr : &*found;
}

const Field* Record::find(std::string_view key) const
{
    if (sorted.size() != fields.size()) {
        const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.key == key; });
        return found == fields.end() ? nullptr : &*found;
    }
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), key,
                                     [&](std::uint16_t i, std::string_view wanted) { return fields[i].key < wanted; });
    return at == sorted.end() || fields[*at].key != key ? nullptr : &fields[*at];
}

std::pair<const Field*, const OtherName*> Record::findByOtherName(std::string_view key) const
{
    for (const Field& field : fields) {
        for (const OtherName& other : field.otherNames) {
            if (other.name == key)
                return {&field, &other};
        }
    }
    return {nullptr, nullptr};
}

bool FormKey::matches(std::string_view written) const
{
    const std::string_view own = key;
    if (!own.ends_with('*'))
        return own == written;
    const std::string_view prefix = own.substr(0, own.size() - 1);
    return written.size() > prefix.size() && written.starts_with(prefix);
}

const Record& Pack::root() const
{
    const Record* found = record(m_root);
    assert(found && "readPack lets no pack pass without its root");
    return *found;
}

bool Pack::isOfCluster() const
{
    return m_id.starts_with("cluster");
}

bool Pack::isSecond() const
{
    return isOfCluster() ? m_id == "cluster-v2" : root().find("roles") != nullptr;
}

const Record* Pack::record(std::string_view name) const
{
    const auto found = m_records.find(name);
    return found == m_records.end() ? nullptr : &found->second;
}

const Record* Pack::recordFor(const Type& type, std::string_view choice) const
{
    if (type.kind == TypeKind::Record)
        return record(type.record);
    if (type.kind != TypeKind::Variant) {
        for (const Type& inner : type.inner) {
            if (const Record* found = recordFor(inner, choice))
                return found;
        }
        return nullptr;
    }
    const auto found = std::find_if(type.records.begin(), type.records.end(), [&](const auto& one) { return one.first == choice; });
    return found == type.records.end() ? nullptr : record(found->second);
}

const Field* Pack::fieldAt(std::string_view path) const
{
    const Record* here = &root();
    while (here) {
        const std::size_t dot = path.find('.');
        const Field* field = here->find(path.substr(0, dot));
        if (!field || dot == std::string_view::npos)
            return field;
        path.remove_prefix(dot + 1);
        here = recordFor(field->type, selectorDefaultOf(field->type));
    }
    return nullptr;
}

std::shared_ptr<const Pack> builtInPack(std::string_view id)
{
    struct Slot {
        std::once_flag once;
        std::shared_ptr<const Pack> pack;
    };
    static std::array<Slot, builtInIds.size()> slots;
    const auto at = std::find(builtInIds.begin(), builtInIds.end(), id);
    if (at == builtInIds.end())
        return nullptr;
    Slot& slot = slots[static_cast<std::size_t>(at - builtInIds.begin())];
    std::call_once(slot.once, [&] { slot.pack = readBuiltIn(id); });
    return slot.pack;
}

std::span<const std::string_view> builtInPackIds()
{
    return builtInIds;
}

std::string_view packMeant(const std::function<bool(std::string_view block, std::string_view key)>& has)
{
    for (const std::string_view block : {"", "base"})
        for (const std::string_view key : {"schema", "roles", "engine"})
            if (has(block, key))
                return "v2";
    return "v1";
}

std::string inWords(const Type& type)
{
    return wordsOf(type).one;
}

} // namespace wb::schema
