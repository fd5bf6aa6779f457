#include "core/assist/valueedit.h"

#include "core/base/text.h"
#include "core/syntax/rewrite.h"
#include "core/syntax/yaml.h"

#include <algorithm>
#include <optional>

namespace wb::assist {

using syntax::Kind;
using syntax::Layer;
using syntax::Member;
using syntax::Parsed;
using syntax::Range;
using syntax::SourceText;
using syntax::Style;
using syntax::Value;
using syntax::ValuePtr;

namespace {

using Source = std::shared_ptr<const SourceText>;

ValueChange refused(std::string why)
{
    return {.text = {}, .whyNot = std::move(why)};
}

/// Without places: those of another text would be taken for places of this one.
ValuePtr unplaced(const Value& value)
{
    auto out = std::make_shared<Value>(value);
    out->range = {};
    out->definition = {};
    for (ValuePtr& item : out->items)
        item = unplaced(*item);
    for (Member& member : out->members) {
        member.keyRange = {};
        member.mergeRange = {};
        member.value = unplaced(*member.value);
    }
    return out;
}

bool takes(const schema::Type& type, const Value& value)
{
    switch (type.kind) {
    case schema::TypeKind::String:
    case schema::TypeKind::Path:
        return value.isString();
    case schema::TypeKind::Integer:
        return value.kind == Kind::Integer;
    case schema::TypeKind::Number:
        return value.kind == Kind::Integer || value.kind == Kind::Float;
    case schema::TypeKind::Boolean:
        return value.kind == Kind::Bool;
    case schema::TypeKind::Any:
        return true;
    case schema::TypeKind::List:
        return value.isSequence();
    case schema::TypeKind::Map:
    case schema::TypeKind::Record:
    case schema::TypeKind::Variant:
        return value.isMapping();
    case schema::TypeKind::Union:
        return std::any_of(type.inner.begin(), type.inner.end(), [&](const schema::Type& each) { return takes(each, value); });
    }
    return false;
}

bool takesText(const schema::Type& type)
{
    return takes(type, *syntax::makeString("x", Layer::Base));
}

std::optional<Parsed> whole(const Source& source)
{
    Parsed parsed = syntax::parse(source);
    const bool isWhole = parsed.complete && !parsed.mended && !parsed.lossy && parsed.root && parsed.root->isMapping();
    return isWhole ? std::optional(std::move(parsed)) : std::nullopt;
}

ValueChange brokenText()
{
    return refused("The text has a syntax error; mend it first.");
}

/// In the quotes that the old one had, where a text can stay in them.
std::string scalarText(const Value& value, Style before)
{
    Value written = value;
    if (value.isString()) {
        const bool wasQuoted = before == Style::SingleQuoted || before == Style::DoubleQuoted;
        written.style = wasQuoted ? before : syntax::isSafePlain(value.text) ? Style::Plain : Style::DoubleQuoted;
    }
    return syntax::flowText(written);
}

bool isPlainPlace(const Value& value)
{
    const bool isOneLine = value.style == Style::Plain || value.style == Style::SingleQuoted || value.style == Style::DoubleQuoted;
    return value.isScalar() && isOneLine && !value.range.isEmpty() && value.definition.isEmpty();
}

ValuePtr changed(const ValuePtr& root, const KeyPath& path, std::size_t depth, const ValuePtr& value)
{
    if (depth == path.size())
        return value;
    const ValuePtr inner = root && root->isMapping() ? root->find(path[depth]) : nullptr;
    if (!value) { // to be removed
        if (!inner)
            return root;
        if (depth + 1 == path.size())
            return syntax::without(root, path[depth]);
    }
    return syntax::with(root, path[depth], changed(inner, path, depth + 1, value));
}

/// The value at the path when it stands there itself: nothing on the way came in by an alias or a merge.
ValuePtr ownValue(const ValuePtr& root, const KeyPath& path)
{
    ValuePtr at = root;
    for (const std::string& key : path) {
        const Member* member = at->member(key);
        if (!member || member->merged || !member->value->definition.isEmpty())
            return nullptr;
        at = member->value;
    }
    return at;
}

bool readsAs(const std::string& text, const Value& wanted)
{
    const auto again = whole(std::make_shared<const SourceText>(text));
    return again && syntax::sameData(*again->root, wanted);
}

ValueChange rewrittenAs(const Parsed& parsed, const ValuePtr& wanted)
{
    syntax::Rewritten made = syntax::rewritten(parsed, parsed.root, wanted);
    if (!made.isPatched)
        return refused("The value cannot be changed without writing the whole text anew, comments lost; change it in the text.");
    if (!parsed.source->text().ends_with('\n') && made.text.ends_with('\n'))
        made.text.pop_back();
    return {.text = std::move(made.text), .whyNot = {}};
}

const Value* scalarAt(const Value& value, Range range)
{
    if (value.isScalar())
        return value.range == range && value.definition.isEmpty() ? &value : nullptr;
    for (const ValuePtr& item : value.items) {
        if (const Value* found = scalarAt(*item, range))
            return found;
    }
    for (const Member& member : value.members) {
        const Value* found = member.merged ? nullptr : scalarAt(*member.value, range);
        if (found)
            return found;
    }
    return nullptr;
}

} // namespace

ValuePtr valueTyped(std::string_view typed, const schema::Type* type)
{
    const std::string text(base::trimmed(typed));
    const auto asText = [&] { return syntax::makeString(std::string(typed), Layer::Base); };
    const bool isQuoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
    const bool isTextOnly = type && (type->kind == schema::TypeKind::String || type->kind == schema::TypeKind::Path);
    if (isTextOnly && !isQuoted)
        return asText();
    const bool isFlow = !text.empty() && (text.front() == '[' || text.front() == '{');
    ValuePtr value;
    if (isQuoted || isFlow) {
        const Parsed parsed = syntax::parse(std::make_shared<const SourceText>("v: " + text + "\n"));
        const ValuePtr found = parsed.complete && parsed.root ? parsed.root->find("v") : nullptr;
        value = found ? unplaced(*found) : nullptr;
    } else {
        auto plain = std::make_shared<Value>();
        syntax::resolvePlain(text, *plain);
        value = plain;
    }
    if (!value || (value->isString() && !isQuoted))
        return asText();
    return type && !takes(*type, *value) && takesText(*type) ? asText() : value;
}

std::string typedOf(const Value& value, const schema::Type* type)
{
    if (!value.isString())
        return syntax::flowText(value);
    const ValuePtr back = valueTyped(value.text, type);
    if (back->isString() && back->text == value.text)
        return value.text;
    Value quoted = value;
    quoted.style = Style::DoubleQuoted;
    return syntax::flowText(quoted);
}

ValueChange valueSet(const Source& source, const KeyPath& path, const ValuePtr& value)
{
    const auto parsed = whole(source);
    if (!parsed)
        return brokenText();
    const ValuePtr wanted = changed(parsed->root, path, 0, value);
    if (syntax::sameData(*wanted, *parsed->root))
        return {.text = source->text(), .whyNot = {}};
    const ValuePtr old = ownValue(parsed->root, path);
    if (old && isPlainPlace(*old) && value->isScalar()) {
        std::string text = syntax::applyEdits(source->text(), {{old->range, scalarText(*value, old->style)}});
        if (readsAs(text, *wanted))
            return {.text = std::move(text), .whyNot = {}};
    }
    return rewrittenAs(*parsed, wanted);
}

ValueChange valueRemoved(const Source& source, const KeyPath& path)
{
    const auto parsed = whole(source);
    if (!parsed)
        return brokenText();
    const ValuePtr wanted = changed(parsed->root, path, 0, nullptr);
    if (syntax::sameData(*wanted, *parsed->root))
        return {.text = source->text(), .whyNot = {}};
    return rewrittenAs(*parsed, wanted);
}

ValueChange scalarSet(const Source& source, Range range, std::string_view typed)
{
    const auto parsed = whole(source);
    if (!parsed)
        return brokenText();
    const Value* old = scalarAt(*parsed->root, range);
    if (!old || !isPlainPlace(*old))
        return refused("The value does not stand at one place of the text; change it there.");
    // What was a quoted text stays one: the quotes were there for a reason.
    schema::Type textType;
    textType.kind = schema::TypeKind::String;
    const bool wasQuoted = old->style == Style::SingleQuoted || old->style == Style::DoubleQuoted;
    const ValuePtr value = valueTyped(typed, wasQuoted ? &textType : nullptr);
    if (!value->isScalar())
        return refused("A list or a mapping cannot stand where a single value stood; change it in the text.");
    std::string text = syntax::applyEdits(source->text(), {{range, scalarText(*value, old->style)}});
    const auto again = whole(std::make_shared<const SourceText>(text));
    const Range now{range.begin, range.end + text.size() - source->text().size()};
    const Value* read = again ? scalarAt(*again->root, now) : nullptr;
    if (!read || !syntax::sameData(*read, *value))
        return refused(base::inQuotes(typed) + " cannot be written there.");
    return {.text = std::move(text), .whyNot = {}};
}

} // namespace wb::assist
