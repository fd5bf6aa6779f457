#include "core/assist/navigation.h"

#include "core/assist/place.h"
#include "core/assist/words.h"
#include "core/base/text.h"

#include <algorithm>

namespace wb::assist {

using syntax::Range;
using Id = Skeleton::Id;
using Kind = Skeleton::Kind;
using Style = Skeleton::Style;

namespace {

const Mark* markAt(const Document& document, std::size_t offset)
{
    const Mark* found = nullptr;
    for (const Mark& mark : document.marks()) {
        if (mark.range.begin <= offset && offset <= mark.range.end && (!found || mark.range.begin > found->range.begin))
            found = &mark;
    }
    return found;
}

bool isOfSweep(MarkKind kind)
{
    return kind == MarkKind::Parameter || kind == MarkKind::Placeholder;
}

/// Marks that mean the same name. Of anchors with one name each owns the aliases behind it.
std::vector<const Mark*> family(const Document& document, const Mark& mark)
{
    std::vector<const Mark*> out;
    const std::string_view name = document.name(mark);
    if (isOfSweep(mark.kind)) {
        for (const Mark& other : document.marks()) {
            if (isOfSweep(other.kind) && document.name(other) == name)
                out.push_back(&other);
        }
        return out;
    }
    std::vector<const Mark*> group;
    for (const Mark& other : document.marks()) {
        if (isOfSweep(other.kind) || document.name(other) != name)
            continue;
        if (other.kind == MarkKind::Anchor) {
            if (std::find(group.begin(), group.end(), &mark) != group.end())
                return group;
            group.clear();
        }
        group.push_back(&other);
    }
    return group;
}

std::string lineAround(const Document& document, std::size_t offset)
{
    const syntax::SourceText& source = *document.source();
    const Range line = source.lineRange(source.lineCol(offset).line);
    return cutTo(std::string(base::trimmed(document.skeleton().text({line.begin, std::min(line.end, line.begin + 400)}))), 80);
}

/// Where a name of the cluster file stands in it.
std::optional<Location> inClusterFile(const Document& document, const Meaning& meaning, const std::string& name)
{
    const recipe::Cluster* cluster = document.cluster();
    if (!cluster || !cluster->config || !document.facts().clusterSource)
        return std::nullopt;
    const std::string_view list = aliasListOf(document, meaning);
    const syntax::ValuePtr names = list.empty() ? nullptr : cluster->config->find(list);
    const syntax::Member* member = names ? names->member(name) : nullptr;
    if (!member || member->keyRange.isEmpty())
        return std::nullopt;
    return Location{syntax::Source::Cluster, member->keyRange, std::string(list) + "." + name};
}

Range nameOf(const Skeleton& skeleton, Id id)
{
    const Skeleton::Node& node = skeleton.node(id);
    return node.kind == Kind::Item ? Range{node.begin, node.begin + 1} : node.key;
}

} // namespace

std::vector<Location> definitionsAt(const Document& document, std::size_t offset)
{
    const Skeleton& skeleton = document.skeleton();
    if (const Mark* mark = markAt(document, offset)) {
        for (const Mark* other : family(document, *mark)) {
            if (other->kind == MarkKind::Anchor || other->kind == MarkKind::Parameter)
                return {{syntax::Source::Recipe, other->name, {}}};
        }
        if (!isOfSweep(mark->kind))
            return {};
    }
    const Place place = placeAt(document, offset);
    if (place.node == Skeleton::none || place.side == Side::Comment || place.side == Side::Text)
        return {};
    const Path path = skeleton.pathOf(place.node);
    const Meaning meaning = meaningOf(document, path);
    if (place.side == Side::Value) {
        if (auto alias = inClusterFile(document, meaning, skeleton.scalarOf(place.node)))
            return {*alias};
    }
    if (meaning.section.empty() || meaning.section == "base" || meaning.holds == schema::Content::Anything)
        return {};
    Path inner = meaning.inner;
    while (!inner.empty() && inner.back().isItem())
        inner.pop_back();
    const Id base = inner.empty() ? skeleton.child(Skeleton::none, "base") : document.nodeAt("base", inner);
    if (base == Skeleton::none)
        return {};
    return {{syntax::Source::Recipe, nameOf(skeleton, base), "base"}};
}

std::vector<Location> referencesAt(const Document& document, std::size_t offset)
{
    const Skeleton& skeleton = document.skeleton();
    std::vector<Location> out;
    if (const Mark* mark = markAt(document, offset)) {
        for (const Mark* other : family(document, *mark))
            out.push_back({syntax::Source::Recipe, other->name, lineAround(document, other->range.begin)});
        return out;
    }
    const Place place = placeAt(document, offset);
    if (place.node == Skeleton::none || place.side == Side::Comment || place.side == Side::Text)
        return out;
    const Meaning meaning = meaningOf(document, skeleton.pathOf(place.node));
    if (place.side == Side::Value && !aliasListOf(document, meaning).empty()) {
        const std::string name = skeleton.scalarOf(place.node);
        if (auto alias = inClusterFile(document, meaning, name))
            out.push_back(*alias);
        for (Id id = 0; id < skeleton.nodes().size(); ++id) { // the same name in another place that takes names of that list
            if (skeleton.node(id).value.isEmpty() || skeleton.scalarOf(id) != name)
                continue;
            const Meaning other = meaningOf(document, skeleton.pathOf(id));
            if (aliasListOf(document, other) == aliasListOf(document, meaning))
                out.push_back({syntax::Source::Recipe, skeleton.node(id).value, lineAround(document, skeleton.node(id).begin)});
        }
        return out;
    }
    // The same key in every section.
    Path inner = meaning.inner;
    while (!inner.empty() && inner.back().isItem())
        inner.pop_back();
    if (meaning.section.empty() || inner.empty())
        return out;
    for (const Id section : skeleton.children(Skeleton::none)) {
        const std::string key = skeleton.keyOf(section);
        const schema::FormKey* form = document.formKey(key);
        if (!form || form->holds == schema::Content::Anything)
            continue;
        const Id found = document.nodeAt(key, inner);
        if (found != Skeleton::none)
            out.push_back({syntax::Source::Recipe, nameOf(skeleton, found), key + ": " + lineAround(document, skeleton.node(found).begin)});
    }
    return out;
}

std::optional<Renameable> renameableAt(const Document& document, std::size_t offset)
{
    const Mark* mark = markAt(document, offset);
    if (!mark)
        return std::nullopt;
    const std::vector<const Mark*> all = family(document, *mark);
    const bool isSweep = isOfSweep(mark->kind);
    const MarkKind wanted = isSweep ? MarkKind::Parameter : MarkKind::Anchor;
    if (std::none_of(all.begin(), all.end(), [&](const Mark* each) { return each->kind == wanted; }))
        return std::nullopt; // filled in by the job itself, or defined nowhere
    return Renameable{mark->name, std::string(document.name(*mark)), wanted, all.size()};
}

Rename renamed(const Document& document, std::size_t offset, std::string_view newName)
{
    Rename out;
    const std::optional<Renameable> what = renameableAt(document, offset);
    if (!what) {
        out.whyNot = "There is no placeholder and no anchor here.";
        return out;
    }
    const bool isParameter = what->kind == MarkKind::Parameter;
    const bool isGood = !newName.empty() && std::all_of(newName.begin(), newName.end(), [&](char c) {
        const bool isWord = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        return isWord || (isParameter && c == '.');
    });
    if (!isGood) {
        out.whyNot = "A name is made of letters, digits, \"_\" and \"-\".";
        return out;
    }
    const bool isTaken = std::any_of(document.marks().begin(), document.marks().end(), [&](const Mark& other) {
        return isOfSweep(other.kind) == isParameter && document.name(other) == newName;
    });
    if (isTaken && newName != what->name) {
        out.whyNot = base::inQuotes(newName) + " is the name of another " + (isParameter ? "placeholder." : "anchor.");
        return out;
    }
    for (const Mark* mark : family(document, *markAt(document, offset)))
        out.edits.push_back({mark->name, std::string(newName)});
    return out;
}

std::vector<Symbol> outlineOf(const Document& document)
{
    const Skeleton& skeleton = document.skeleton();
    std::vector<Symbol> out;
    std::vector<std::size_t> place(skeleton.nodes().size(), Symbol::npos);
    for (Id id = 0; id < skeleton.nodes().size(); ++id) {
        const Skeleton::Node& node = skeleton.node(id);
        if (node.isFlow || node.kind == Kind::Word)
            continue;
        if (node.kind == Kind::Item) {
            // Scalars of a list are no landmarks; a mapping in it is, under the name that its first value gives.
            const bool isMapping = id + 1 < skeleton.nodes().size() && skeleton.node(id + 1).parent == id && !skeleton.node(id + 1).isFlow;
            if (!isMapping)
                continue;
        }
        Symbol symbol;
        if (node.parent != Skeleton::none)
            symbol.parent = place[node.parent];
        symbol.depth = symbol.parent == Symbol::npos ? 0 : out[symbol.parent].depth + 1;
        symbol.nameRange = nameOf(skeleton, id);
        symbol.range = {node.begin, node.end};
        if (node.kind == Kind::Item) {
            const std::string first = shortText(skeleton, id + 1, 40);
            symbol.name = first.empty() ? "-" : "- " + first;
        } else {
            symbol.name = skeleton.keyOf(id);
            const bool isQuoted = node.style == Style::SingleQuoted || node.style == Style::DoubleQuoted;
            symbol.detail = isQuoted ? cutTo(skeleton.scalarOf(id), 60) : shortText(skeleton, id, 60);
            symbol.isSection = node.parent == Skeleton::none && document.pack() && document.formKey(symbol.name);
        }
        place[id] = out.size();
        out.push_back(std::move(symbol));
    }
    return out;
}

std::size_t symbolAt(const std::vector<Symbol>& symbols, std::size_t offset)
{
    const auto next = std::upper_bound(symbols.begin(), symbols.end(), offset,
                                       [](std::size_t at, const Symbol& symbol) { return at < symbol.range.begin; });
    if (next == symbols.begin())
        return Symbol::npos;
    std::size_t at = static_cast<std::size_t>(next - symbols.begin()) - 1;
    while (at != Symbol::npos && symbols[at].range.end < offset)
        at = symbols[at].parent;
    return at;
}

} // namespace wb::assist
