#include "core/snapshot/yamledit.h"

#include "core/base/text.h"
#include "core/syntax/rewrite.h"

#include <algorithm>
#include <functional>
#include <span>

namespace wb::snapshot {

using syntax::Layer;
using syntax::Member;
using syntax::TextEdit;
using syntax::Value;
using syntax::ValuePtr;

namespace {

using Path = std::span<const Step>;
using Replace = std::function<ValuePtr(const ValuePtr&)>;

/// The data with one place changed; `replace` gets null where there is nothing, and gives null to remove.
ValuePtr changed(const ValuePtr& value, Path path, const Replace& replace)
{
    if (path.empty())
        return replace(value);
    if (const auto* key = std::get_if<std::string>(&path.front())) {
        const ValuePtr made = changed(value ? value->find(*key) : nullptr, path.subspan(1), replace);
        return made ? syntax::with(value, *key, made) : syntax::without(value, *key);
    }
    const std::size_t index = std::get<std::size_t>(path.front());
    if (!value || index >= value->items.size())
        return value;
    auto copy = std::make_shared<Value>(*value);
    copy->items[index] = changed(value->items[index], path.subspan(1), replace);
    return copy;
}

ValuePtr found(ValuePtr value, Path path)
{
    for (const Step& step : path) {
        if (!value)
            return nullptr;
        if (const auto* key = std::get_if<std::string>(&step)) {
            value = value->find(*key);
        } else {
            const std::size_t index = std::get<std::size_t>(step);
            value = index < value->items.size() ? value->items[index] : nullptr;
        }
    }
    return value;
}

bool isBlock(const ValuePtr& value)
{
    return value && value->style != syntax::Style::Flow && value->definition.isEmpty() && !value->range.isEmpty();
}

/// The key as lines of block style.
std::string memberText(std::string_view key, const ValuePtr& value, std::size_t indent)
{
    return syntax::blockText(*syntax::with(nullptr, key, value), indent);
}

} // namespace

YamlEdit::YamlEdit(std::string text)
{
    if (!text.empty() && !text.ends_with('\n'))
        text += '\n';
    m_parsed = syntax::parse(std::make_shared<const syntax::SourceText>(std::move(text)));
}

ValuePtr YamlEdit::at(const Steps& steps) const
{
    return found(root(), steps);
}

std::size_t YamlEdit::lineBegin(std::size_t at) const
{
    const std::size_t found = at == 0 ? std::string::npos : text().rfind('\n', at - 1);
    return found == std::string::npos ? 0 : found + 1;
}

std::size_t YamlEdit::nextLine(std::size_t at) const
{
    const std::size_t found = text().find('\n', at);
    return found == std::string::npos ? text().size() : found + 1;
}

std::size_t YamlEdit::endOf(const Member& member) const
{
    return nextLine(std::max(member.keyRange.end, member.value->range.end) - 1);
}

bool YamlEdit::isFirstOfLine(std::size_t at) const
{
    return text().find_first_not_of(" -", lineBegin(at)) == at;
}

bool YamlEdit::isBehindDash(std::size_t at) const
{
    return text().find('-', lineBegin(at)) < at;
}

syntax::Range YamlEdit::memberLines(const Value& mapping, const Member& member) const
{
    if (!isFirstOfLine(member.keyRange.begin))
        return {};
    if (isBehindDash(member.keyRange.begin)) { // the next key takes its place behind the dash
        const auto next = std::find_if(mapping.members.begin(), mapping.members.end(),
                                       [&](const Member& other) { return other.keyRange.begin > member.keyRange.begin; });
        if (next == mapping.members.end())
            return {};
        return {member.keyRange.begin, next->keyRange.begin};
    }
    const std::size_t indent = member.keyRange.begin - lineBegin(member.keyRange.begin);
    std::size_t begin = lineBegin(member.keyRange.begin);
    while (begin > 0) { // what is said of the key goes along
        const std::size_t above = lineBegin(begin - 1);
        const std::string_view line = std::string_view(text()).substr(above, begin - above);
        if (!base::trimmed(line).starts_with('#') || line.find('#') != indent)
            break;
        begin = above;
    }
    return {begin, endOf(member)};
}

void YamlEdit::make(const Change& change)
{
    if (!change.edits.empty()) {
        auto source = std::make_shared<const syntax::SourceText>(syntax::applyEdits(text(), change.edits));
        syntax::Parsed read = syntax::parse(std::move(source));
        if (read.complete && read.root && syntax::sameData(*read.root, *change.wanted)) {
            m_parsed = std::move(read);
            return;
        }
    }
    const syntax::Rewritten written = syntax::rewritten(m_parsed, m_parsed.root, change.wanted);
    m_areCommentsKept = m_areCommentsKept && written.isPatched;
    m_parsed = syntax::parse(std::make_shared<const syntax::SourceText>(written.text));
}

void YamlEdit::set(const Steps& steps, const ValuePtr& value, std::string_view before)
{
    const Path path(steps);
    Change change{changed(root(), path, [&](const ValuePtr&) { return value; }), {}};
    // The nearest mapping that is there gets what is missing on the way with it.
    std::size_t depth = steps.size() - 1;
    ValuePtr below = value;
    while (depth > 0 && !found(root(), path.first(depth))) {
        below = syntax::with(nullptr, std::get<std::string>(path[depth]), below);
        --depth;
    }
    const ValuePtr mapping = found(root(), path.first(depth));
    const std::string& key = std::get<std::string>(path[depth]);
    const Member* old = mapping ? mapping->member(key) : nullptr;
    if (old && syntax::sameData(*old->value, *below))
        return;
    const bool hasLines = mapping && mapping->isMapping() && !mapping->members.empty() && (isBlock(mapping) || depth == 0);
    if (hasLines && old && !old->keyRange.isEmpty()) {
        const bool isShort = old->value->isScalar() && below->isScalar() && !old->value->range.isEmpty() &&
                             old->value->style != syntax::Style::Literal && old->value->style != syntax::Style::Folded;
        const std::size_t column = old->keyRange.begin - lineBegin(old->keyRange.begin);
        if (isShort)
            change.edits = {{old->value->range, syntax::flowText(*below)}};
        else if (isFirstOfLine(old->keyRange.begin))
            change.edits = {{{old->keyRange.begin, endOf(*old)}, memberText(key, below, column).substr(column)}};
    } else if (hasLines) {
        const Member* next = before.empty() ? nullptr : mapping->member(before);
        const Member& first = mapping->members.front();
        const Member& last = mapping->members.back();
        const std::size_t column = first.keyRange.begin - lineBegin(first.keyRange.begin);
        const bool isBefore = next && isFirstOfLine(next->keyRange.begin) && !isBehindDash(next->keyRange.begin);
        const std::size_t at = isBefore ? memberLines(*mapping, *next).begin : endOf(last);
        if (isFirstOfLine(first.keyRange.begin))
            change.edits = {{{at, at}, memberText(key, below, column)}};
    }
    make(change);
}

void YamlEdit::remove(const Steps& steps)
{
    if (!at(steps))
        return;
    const Path path(steps);
    Change change{changed(root(), path, [](const ValuePtr&) { return ValuePtr(); }), {}};
    const ValuePtr mapping = found(root(), path.first(steps.size() - 1));
    const Member* member = mapping->member(std::get<std::string>(steps.back()));
    if (isBlock(mapping) && member && mapping->members.size() > 1) {
        const syntax::Range lines = memberLines(*mapping, *member);
        if (!lines.isEmpty())
            change.edits = {{lines, {}}};
    }
    make(change);
}

void YamlEdit::rename(const Steps& steps, std::string_view key)
{
    const ValuePtr value = at(steps);
    if (!value)
        return;
    const Path path(steps);
    const Path parent = path.first(steps.size() - 1);
    const std::string& old = std::get<std::string>(steps.back());
    Change change{changed(root(), parent, [&](const ValuePtr& map) { return syntax::with(syntax::without(map, old), key, value); }), {}};
    const Member* member = found(root(), parent)->member(old);
    if (member && !member->keyRange.isEmpty())
        change.edits = {{member->keyRange, std::string(key)}};
    make(change);
}

void YamlEdit::append(const Steps& steps, const ValuePtr& item)
{
    const ValuePtr list = at(steps);
    if (!list || list->items.empty()) {
        set(steps, newList({item}));
        return;
    }
    Change change{changed(root(), steps,
                          [&](const ValuePtr& old) {
                              auto copy = std::make_shared<Value>(*old);
                              copy->items.push_back(item);
                              return ValuePtr(copy);
                          }),
                  {}};
    const Value& last = *list->items.back();
    const std::size_t line = lineBegin(list->items.front()->range.begin);
    const std::size_t dash = text().find_first_not_of(' ', line);
    if (isBlock(list) && dash < text().size() && text()[dash] == '-' && !last.range.isEmpty()) {
        const std::size_t indent = dash - line;
        std::string lines = item->isMapping() && item->style != syntax::Style::Flow
                                ? syntax::blockText(*item, indent + 2)
                                : std::string(indent + 2, ' ') + syntax::flowText(*item) + "\n";
        lines[indent] = '-';
        const std::size_t end = nextLine(last.range.end - 1);
        change.edits = {{{end, end}, std::move(lines)}};
    }
    make(change);
}

ValuePtr newText(std::string text)
{
    auto out = std::make_shared<Value>(*syntax::makeString(std::move(text), Layer::Setting));
    out->style = syntax::Style::Plain; // quotes only where they are needed
    return out;
}

ValuePtr newInteger(long long number)
{
    return syntax::makeInteger(number, Layer::Setting);
}

ValuePtr newList(std::vector<ValuePtr> items)
{
    auto out = std::make_shared<Value>();
    out->kind = syntax::Kind::Sequence;
    out->style = syntax::Style::Block;
    out->layer = Layer::Setting;
    out->items = std::move(items);
    return out;
}

ValuePtr newMapping(const std::vector<std::pair<std::string, ValuePtr>>& members)
{
    auto out = std::make_shared<Value>();
    out->kind = syntax::Kind::Mapping;
    out->style = syntax::Style::Block;
    out->layer = Layer::Setting;
    ValuePtr made = out;
    for (const auto& [key, value] : members)
        made = syntax::with(made, key, value);
    return made;
}

} // namespace wb::snapshot
