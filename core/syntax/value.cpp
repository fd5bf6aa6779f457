#include "core/syntax/value.h"

#include "core/base/text.h"
#include "core/syntax/dottedpath.h"
#include "core/syntax/scalars.h"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

namespace wb::syntax {

const Member* Value::member(std::string_view key) const
{
    const auto found = std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.key == key; });
    return found == members.end() ? nullptr : &*found;
}

ValuePtr Value::find(std::string_view key) const
{
    const Member* found = member(key);
    return found ? found->value : nullptr;
}

ValuePtr at(const ValuePtr& root, std::string_view dottedPath)
{
    const ValuePtr* value = &root;
    for (std::optional<std::string_view> rest = dottedPath; *value && rest;) { // rules call this for every job: nothing is allocated
        const SplitPath path = splitPath(*rest);
        const Member* found = path.first.isQuoted ? (*value)->member(path.first.text()) : (*value)->member(path.first.written);
        if (!found)
            return nullptr;
        value = &found->value; // counted once, at the end
        rest = path.rest;
    }
    return *value;
}

std::string_view describe(Kind kind)
{
    constexpr std::array<std::string_view, 8> names = {"null", "a boolean", "an integer", "a number",
                                                       "text", "a date",    "a list",     "a mapping"};
    return names.at(static_cast<std::size_t>(kind));
}

std::string shown(const Value& value)
{
    switch (value.kind) {
    case Kind::Sequence:
    case Kind::Mapping:
        return std::string(describe(value.kind));
    case Kind::Null:
        return "null";
    case Kind::String:
        return base::inQuotes(value.text);
    default:
        return value.text;
    }
}

namespace {

bool sameMembers(const std::vector<Member>& a, const std::vector<Member>& b)
{
    if (a.size() != b.size())
        return false;
    const auto same = [](const Member& x, const Member& y) {
        return x.key == y.key && x.keyKind == y.keyKind && sameData(*x.value, *y.value);
    };
    // Most often the order is the same too.
    std::size_t begin = 0;
    while (begin < a.size() && a[begin].key == b[begin].key) {
        if (!same(a[begin], b[begin]))
            return false;
        ++begin;
    }
    const auto byKey = [](const Member* x, const Member* y) { return std::tie(x->key, x->keyKind) < std::tie(y->key, y->keyKind); };
    const auto sorted = [&](const std::vector<Member>& members) {
        std::vector<const Member*> out;
        for (std::size_t i = begin; i < members.size(); ++i)
            out.push_back(&members[i]);
        std::sort(out.begin(), out.end(), byKey);
        return out;
    };
    const auto left = sorted(a);
    const auto right = sorted(b);
    return std::equal(left.begin(), left.end(), right.begin(), [&](const Member* x, const Member* y) { return same(*x, *y); });
}

} // namespace

bool sameData(const Value& a, const Value& b)
{
    if (&a == &b)
        return true;
    if (a.kind != b.kind)
        return false;
    switch (a.kind) {
    case Kind::Null:
        return true;
    case Kind::Bool:
        return a.boolean == b.boolean;
    case Kind::Integer:
        return a.integer == b.integer && a.huge == b.huge && (!a.huge || a.text == b.text);
    case Kind::Float:
        return a.number == b.number || (a.number != a.number && b.number != b.number);
    case Kind::String:
    case Kind::Timestamp:
        return a.text == b.text;
    case Kind::Sequence:
        return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(),
                          [](const ValuePtr& x, const ValuePtr& y) { return sameData(*x, *y); });
    case Kind::Mapping:
        return sameMembers(a.members, b.members);
    }
    return false;
}

ValuePtr with(const ValuePtr& mapping, std::string_view key, ValuePtr value, Range keyRange)
{
    auto changed = mapping && mapping->isMapping() ? std::make_shared<Value>(*mapping) : std::make_shared<Value>();
    if (!mapping || !mapping->isMapping()) {
        changed->kind = Kind::Mapping;
        changed->style = Style::Block;
        if (mapping) {
            changed->range = mapping->range;
            changed->source = mapping->source;
        }
        changed->layer = value->layer;
    }
    for (Member& member : changed->members) {
        if (member.key == key) {
            member.value = std::move(value);
            if (!keyRange.isEmpty())
                member.keyRange = keyRange;
            return changed;
        }
    }
    Member added;
    added.key = key;
    added.value = std::move(value);
    added.keyRange = keyRange;
    changed->members.push_back(std::move(added));
    return changed;
}

ValuePtr without(const ValuePtr& mapping, std::string_view key)
{
    if (!mapping || !mapping->member(key))
        return mapping;
    auto changed = std::make_shared<Value>(*mapping);
    std::erase_if(changed->members, [&](const Member& m) { return m.key == key; });
    return changed;
}

ValuePtr withPath(const ValuePtr& root, std::string_view dottedPath, ValuePtr value)
{
    const SplitPath path = splitPath(dottedPath);
    const std::string key = path.first.text();
    if (!path.rest)
        return with(root, key, std::move(value));
    return with(root, key, withPath(root ? root->find(key) : nullptr, *path.rest, std::move(value)));
}

ValuePtr withoutPath(const ValuePtr& root, std::string_view dottedPath)
{
    const SplitPath path = splitPath(dottedPath);
    const std::string key = path.first.text();
    if (!path.rest)
        return without(root, key);
    const ValuePtr inner = root ? root->find(key) : nullptr;
    return inner ? with(root, key, withoutPath(inner, *path.rest)) : root;
}

ValuePtr relabelled(const ValuePtr& value, Layer layer)
{
    auto changed = std::make_shared<Value>(*value);
    changed->layer = layer;
    for (ValuePtr& item : changed->items)
        item = relabelled(item, layer);
    for (Member& member : changed->members)
        member.value = relabelled(member.value, layer);
    return changed;
}

namespace {

ValuePtr made(Kind kind, Layer layer, auto fill)
{
    auto value = std::make_shared<Value>();
    value->kind = kind;
    value->layer = layer;
    fill(*value);
    return value;
}

} // namespace

ValuePtr makeNull(Layer layer)
{
    return made(Kind::Null, layer, [](Value& v) { v.text = "null"; });
}

ValuePtr makeBool(bool value, Layer layer)
{
    return made(Kind::Bool, layer, [&](Value& v) {
        v.boolean = value;
        v.text = value ? "true" : "false";
    });
}

ValuePtr makeInteger(std::int64_t value, Layer layer)
{
    return made(Kind::Integer, layer, [&](Value& v) {
        v.integer = value;
        v.number = static_cast<double>(value);
        v.text = std::to_string(value);
    });
}

ValuePtr makeFloat(double value, Layer layer)
{
    return made(Kind::Float, layer, [&](Value& v) {
        v.number = value;
        v.text = floatText(value);
    });
}

ValuePtr makeString(std::string value, Layer layer)
{
    return made(Kind::String, layer, [&](Value& v) {
        v.style = Style::DoubleQuoted;
        v.text = std::move(value);
    });
}

} // namespace wb::syntax
