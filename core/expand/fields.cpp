#include "core/expand/fields.h"

#include "core/syntax/dottedpath.h"

#include <algorithm>
#include <optional>
#include <string>

namespace wb::expand {

using schema::Type;
using schema::TypeKind;
using syntax::Kind;
using syntax::Value;
using syntax::ValuePtr;

namespace {

/// What the loader turns into the type by itself: a number into a number, no number into text.
bool takes(const Type& type, const Value& value)
{
    switch (type.kind) {
    case TypeKind::String:
    case TypeKind::Path:
        return value.isString();
    case TypeKind::Integer:
    case TypeKind::Number:
        return value.kind == Kind::Integer || value.kind == Kind::Float;
    case TypeKind::Boolean:
        return value.kind == Kind::Bool || value.kind == Kind::Integer;
    case TypeKind::Any:
        return true;
    case TypeKind::List:
        return value.isSequence();
    case TypeKind::Map:
    case TypeKind::Record:
    case TypeKind::Variant:
        return value.isMapping();
    case TypeKind::Union:
        return std::any_of(type.inner.begin(), type.inner.end(), [&](const Type& t) { return takes(t, value); });
    }
    return true;
}

bool hasAlternative(const Type& type, TypeKind kind)
{
    const auto isIt = [&](const Type& t) { return t.kind == kind; };
    return isIt(type) || (type.kind == TypeKind::Union && std::any_of(type.inner.begin(), type.inner.end(), isIt));
}

const schema::Record* recordAt(const schema::Pack& pack, const Type& type, const ValuePtr& block)
{
    if (type.kind == TypeKind::Record)
        return pack.record(type.record);
    if (type.kind != TypeKind::Variant)
        return nullptr;
    const ValuePtr chosen = block ? block->find(type.selector) : nullptr;
    return pack.recordFor(type, chosen && chosen->isString() ? chosen->text : type.selectorDefault);
}

} // namespace

const Type* typeAt(const schema::Pack& pack, const ValuePtr& document, std::string_view dottedPath)
{
    const schema::Record* record = &pack.root();
    const Type* type = nullptr;
    ValuePtr value = document;
    for (std::optional<std::string_view> rest = dottedPath; rest;) {
        const syntax::SplitPath path = syntax::splitPath(*rest);
        const std::string key = path.first.text();
        rest = path.rest;
        value = value ? value->find(key) : nullptr;
        if (record) {
            const schema::Field* field = record->find(key);
            if (!field)
                return nullptr;
            type = &field->type;
        } else if (type->kind == TypeKind::Map && !type->inner.empty()) {
            type = &type->inner.front();
        } else if (type->kind != TypeKind::Any) {
            return nullptr;
        }
        record = recordAt(pack, *type, value);
    }
    return type;
}

bool needsList(const Type& type, const Value& value)
{
    return hasAlternative(type, TypeKind::List) && !takes(type, value);
}

bool needsText(const Type& type, const Value& value)
{
    return (hasAlternative(type, TypeKind::String) || hasAlternative(type, TypeKind::Path)) && !takes(type, value);
}

} // namespace wb::expand
