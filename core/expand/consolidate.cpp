#include "core/expand/consolidate.h"

#include "core/base/text.h"
#include "core/syntax/rewrite.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>

namespace wb::expand {

using syntax::Kind;
using syntax::Layer;
using syntax::Member;
using syntax::Style;
using syntax::Value;
using syntax::ValuePtr;

namespace {

const Member* memberLike(const Value& mapping, const Member& wanted)
{
    const auto same = [&](const Member& m) { return m.key == wanted.key && m.keyKind == wanted.keyKind; };
    const auto found = std::find_if(mapping.members.begin(), mapping.members.end(), same);
    return found == mapping.members.end() ? nullptr : &*found;
}

std::shared_ptr<Value> emptyMapping()
{
    auto out = std::make_shared<Value>();
    out->kind = Kind::Mapping;
    out->style = Style::Block;
    return out;
}

/// Two halves of several mappings: what base holds, and the lists of what differs.
struct Split {
    std::shared_ptr<Value> base;
    std::shared_ptr<Value> zip;
};

class Splitter
{
public:
    /// Nothing, with the key in `m_blocked`, when a null stands in the way.
    std::optional<Split> split(const std::vector<ValuePtr>& mappings, bool isTop)
    {
        Split out{std::make_shared<Value>(*mappings.front()), emptyMapping()};
        out.base->members.clear();
        for (const Member& key : unitedKeys(mappings)) {
            std::vector<ValuePtr> values;
            for (const ValuePtr& mapping : mappings) {
                const Member* member = memberLike(*mapping, key);
                values.push_back(member ? member->value : nullptr);
            }
            if (!place(key, values, isTop, out))
                return std::nullopt;
        }
        return out;
    }

    [[nodiscard]] const std::string& blocked() const { return m_blocked; }

private:
    static std::vector<Member> unitedKeys(const std::vector<ValuePtr>& mappings)
    {
        std::vector<Member> out;
        for (const ValuePtr& mapping : mappings) {
            for (const Member& member : mapping->members) {
                const auto same = [&](const Member& m) { return m.key == member.key && m.keyKind == member.keyKind; };
                if (std::none_of(out.begin(), out.end(), same))
                    out.push_back(member);
            }
        }
        return out;
    }

    bool place(const Member& key, const std::vector<ValuePtr>& values, bool isTop, Split& out)
    {
        const bool isName = isTop && key.key == "name";
        const bool areAll = std::all_of(values.begin(), values.end(), [](const ValuePtr& v) { return v != nullptr; });
        const auto isSame = [&](const ValuePtr& v) { return syntax::sameData(*v, *values.front()); };
        if (areAll && !isName && std::all_of(values.begin(), values.end(), isSame)) {
            out.base->members.push_back(key);
            return true;
        }
        const auto isMap = [](const ValuePtr& v) { return v->isMapping(); };
        if (areAll && std::all_of(values.begin(), values.end(), isMap)) {
            if (auto inner = split(values, false)) {
                add(*out.base, key, std::move(inner->base));
                if (!inner->zip->members.empty())
                    add(*out.zip, key, std::move(inner->zip));
                return true;
            }
            // The mapping as a whole, new to base: nulls inside such a one stay.
            add(*out.zip, key, listOf(values));
            return true;
        }
        if (std::any_of(values.begin(), values.end(), [](const ValuePtr& v) { return v && v->isNull(); })) {
            m_blocked = key.key;
            return false;
        }
        // A mapping would be merged over that of base, and a null would delete: upstream does the latter in the check only.
        if (areAll && std::none_of(values.begin(), values.end(), isMap))
            out.base->members.push_back(key);
        add(*out.zip, key, listOf(values));
        return true;
    }

    static void add(Value& mapping, const Member& key, ValuePtr value)
    {
        Member member = key;
        member.value = std::move(value);
        mapping.members.push_back(std::move(member));
    }

    static ValuePtr listOf(const std::vector<ValuePtr>& values)
    {
        auto list = std::make_shared<Value>();
        list->kind = Kind::Sequence;
        list->style = Style::Flow;
        for (const ValuePtr& value : values) {
            if (value && (value->isMapping() || value->text.find('\n') != std::string::npos))
                list->style = Style::Block;
            list->items.push_back(value ? value : syntax::makeNull(Layer::Base));
        }
        return list;
    }

    std::string m_blocked;
};

/// Comments at the top, and the rest without the marks of a document.
struct Halves {
    std::string head;
    std::string body;
};

Halves halvesOf(std::string_view text)
{
    Halves out;
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (text.starts_with(mark))
        text.remove_prefix(mark.size());
    bool isHead = true;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end);
        const std::string_view bare = base::trimmed(line);
        const bool isMark = bare == "---" || bare == "..." || (isHead && line.starts_with('%'));
        isHead = isHead && (isMark || bare.empty() || bare.starts_with('#'));
        if (!isMark)
            (isHead ? out.head : out.body) += line;
    }
    return out;
}

std::set<std::string, std::less<>> commentsOf(std::string_view text)
{
    std::set<std::string, std::less<>> out;
    for (const std::string_view line : base::splitAt(text, '\n')) {
        const std::string_view bare = base::trimmed(line);
        const std::size_t hash = bare.starts_with('#') ? 0 : bare.rfind(" #");
        if (hash != std::string_view::npos)
            out.emplace(base::trimmed(bare.substr(hash)));
    }
    return out;
}

} // namespace

Consolidated consolidated(std::span<const PlainRecipe> recipes, std::string_view group)
{
    Consolidated out;
    if (recipes.size() < 2) {
        out.refusals.emplace_back("There is nothing to put together: at least two recipes are needed.");
        return out;
    }
    std::vector<ValuePtr> documents;
    for (const PlainRecipe& recipe : recipes)
        documents.push_back(recipe.document);
    Splitter splitter;
    const auto split = splitter.split(documents, true);
    if (!split) {
        out.refusals.push_back("The key " + base::inQuotes(splitter.blocked()) +
                               " is null in some of the recipes and has a value, or is missing, in others, which a zip section cannot say: "
                               "null deletes there. "
                               "Delete the key where it is null.");
        return out;
    }
    const PlainRecipe& first = recipes.front();
    const syntax::Rewritten base = syntax::rewritten(*first.parsed, first.parsed->root, split->base);
    const auto [head, body] = halvesOf(base.text);
    Value section;
    section.kind = Kind::Mapping;
    section.style = Style::Block;
    Member zip;
    zip.key = "zip_override_" + std::string(group);
    zip.value = split->zip;
    section.members.push_back(std::move(zip));
    out.text = head + "base:\n" + syntax::indented(body, 2) + "\n" + syntax::blockText(section, 0);

    if (!base.isPatched)
        out.notes.push_back("The comments of " + base::pathInQuotes(first.path) + " are lost: its text could not be changed in place.");
    const auto kept = commentsOf(first.parsed->source->text());
    for (const PlainRecipe& recipe : recipes.subspan(1)) {
        const auto own = commentsOf(recipe.parsed->source->text());
        const auto lost = std::count_if(own.begin(), own.end(), [&](const std::string& comment) { return !kept.contains(comment); });
        if (lost > 0)
            out.notes.push_back("The new file has the comments of the first one; " + std::to_string(lost) +
                                (lost == 1 ? " other comment of " : " other comments of ") + base::pathInQuotes(recipe.path) +
                                (lost == 1 ? " is lost." : " are lost."));
    }
    return out;
}

} // namespace wb::expand
