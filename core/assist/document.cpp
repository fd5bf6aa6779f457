#include "core/assist/document.h"

#include "core/base/text.h"
#include "core/syntax/placeholder.h"

#include <algorithm>
#include <array>

namespace wb::assist {

using schema::Content;
using schema::Record;
using schema::Type;
using schema::TypeKind;
using syntax::Range;
using Id = Skeleton::Id;

namespace {

bool isAnchorEnd(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == ']' || c == '}' || c == '[' || c == '{' || c == '\n' || c == '\r';
}

/// Where the engine's flags stand, and which table they are of. To add one: a row.
struct FlagPlace {
    std::string_view path; ///< Dotted; "*" for any part, "*_config" for a part that ends so.
    std::string_view (*table)(const Document& document, std::string_view section, const Path& inner, std::string& word);
};

std::string_view engineOfBackend(const Document& document, std::string_view section, const Path& inner, std::string& word)
{
    word = document.wordAt(section, "backend.type");
    if (word.empty() || inner.at(1).key != word + "_config")
        word = inner.at(1).key.substr(0, inner.at(1).key.size() - std::string_view("_config").size());
    return word;
}

std::string_view engineOfRole(const Document& document, std::string_view section, const Path& inner, std::string& word)
{
    const std::string role = "roles." + inner.at(1).key + ".engine";
    for (const std::string& path : {role + ".type", role, std::string("engine.type"), std::string("engine")}) {
        word = document.wordAt(section, path);
        if (!word.empty())
            return word;
    }
    return "sglang";
}

std::string_view programOfFrontend(const Document& document, std::string_view section, const Path&, std::string& word)
{
    word = document.wordAt(section, "frontend.type");
    if (word.empty() || word == "dynamo")
        return "dynamo-frontend";
    const bool isSecond = document.pack() && document.pack()->isSecond(); // there "sglang" is a bare server
    return word == (isSecond ? "sglang-router" : "sglang") ? "sglang-router" : "";
}

std::string_view aiperf(const Document&, std::string_view, const Path&, std::string&)
{
    return "aiperf";
}

constexpr std::array flagPlaces = {
    FlagPlace{"backend.*_config.*", engineOfBackend},
    FlagPlace{"roles.*.args", engineOfRole},
    FlagPlace{"frontend.args", programOfFrontend},
    FlagPlace{"benchmark.aiperf_args", aiperf},
};

bool matches(std::string_view pattern, const Path& path, std::size_t length)
{
    const std::vector<std::string_view> parts = base::splitAt(pattern, '.');
    if (parts.size() != length)
        return false;
    for (std::size_t i = 0; i < length; ++i) {
        if (path[i].isItem())
            return false;
        const std::string_view part = parts[i];
        const bool fits = part.starts_with('*') ? std::string_view(path[i].key).ends_with(part.substr(1)) : part == path[i].key;
        if (!fits)
            return false;
    }
    return true;
}

/// The alternative of a type that the next step goes into.
const Type* entered(const Type& type, bool byItem)
{
    const auto fits = [&](const Type& one) {
        return byItem ? one.kind == TypeKind::List
                      : one.kind == TypeKind::Map || one.kind == TypeKind::Record || one.kind == TypeKind::Variant;
    };
    if (type.kind != TypeKind::Union)
        return fits(type) ? &type : nullptr;
    const auto found = std::find_if(type.inner.begin(), type.inner.end(), fits);
    return found == type.inner.end() ? nullptr : &*found;
}

/// Goes along a path, from what the recipe is to what the path means.
class Walker
{
public:
    Walker(const Document& document, Meaning& out)
        : m_document(document)
        , m_out(out)
    {
    }

    void walk()
    {
        m_out.record = m_document.pack() ? &m_document.pack()->root() : nullptr;
        bool mayUnzip = m_out.holds == Content::ZippedChanges;
        for (std::size_t i = 0; i < m_out.inner.size(); ++i) {
            const Step& step = m_out.inner[i];
            m_out.isItem = step.isItem();
            if (step.isItem()) {
                if (std::exchange(mayUnzip, false)) // an item of a zipped list is what the key itself takes
                    continue;
                enterItem();
            } else {
                enterKey(step.key, i);
            }
            lookForFlags(i + 1);
        }
    }

private:
    void enterItem()
    {
        m_out.record = nullptr;
        m_out.selector = nullptr;
        m_out.isFlagMap = false;
        if (m_out.flag) {
            m_out.flagKeys = {};
            return;
        }
        const Type* list = m_out.type ? entered(*m_out.type, true) : nullptr;
        m_out.type = list && !list->inner.empty() ? &list->inner.front() : nullptr;
        openRecord(m_out.inner.size());
    }

    void enterKey(const std::string& key, std::size_t index)
    {
        m_out.selector = nullptr;
        if (m_out.table) {
            enterFlag(key);
            return;
        }
        if (const Record* record = std::exchange(m_out.record, nullptr)) {
            m_out.owner = record;
            m_out.field = record->find(key);
            m_out.type = m_out.field ? &m_out.field->type : nullptr;
            if (m_variant && m_variant->selector == key)
                m_out.selector = m_variant;
            m_variant = nullptr;
            if (m_out.type)
                openRecord(index + 1);
            return;
        }
        const Type* map = m_out.type ? entered(*m_out.type, false) : nullptr;
        m_out.type = map && map->kind == TypeKind::Map && !map->inner.empty() ? &map->inner.front() : nullptr;
        if (m_out.type)
            openRecord(index + 1);
    }

    void enterFlag(const std::string& key)
    {
        m_out.type = nullptr;
        const bool wasMap = std::exchange(m_out.isFlagMap, false);
        const schema::Flag* parent = std::exchange(m_out.flag, nullptr);
        m_out.flag = wasMap ? m_out.table->find(key) : parent ? parent->key(key) : nullptr;
        m_out.flagKeys = m_out.flag ? std::span<const schema::Flag>(m_out.flag->keys) : std::span<const schema::Flag>();
    }

    /// The record of a type that has one; of a variant the one that the text chooses.
    void openRecord(std::size_t length)
    {
        m_out.record = nullptr;
        m_variant = nullptr;
        const Type* type = m_out.type ? entered(*m_out.type, false) : nullptr;
        if (!type || type->kind == TypeKind::Map)
            return;
        std::string word;
        if (type->kind == TypeKind::Variant) {
            Path path(m_out.inner.begin(), m_out.inner.begin() + static_cast<std::ptrdiff_t>(std::min(length, m_out.inner.size())));
            word = m_document.wordAt(m_out.section, dotted(path) + "." + type->selector);
            if (!m_document.pack()->recordFor(*type, word))
                word = type->selectorDefault;
            m_variant = type;
        }
        m_out.record = m_document.pack()->recordFor(*type, word);
    }

    void lookForFlags(std::size_t length)
    {
        if (m_out.table)
            return;
        for (const FlagPlace& place : flagPlaces) {
            if (!matches(place.path, m_out.inner, length))
                continue;
            std::string word;
            m_out.table = schema::flagTable(place.table(m_document, m_out.section, m_out.inner, word));
            m_out.isFlagMap = m_out.table != nullptr;
            if (m_out.isFlagMap)
                m_out.flagKeys = m_out.table->flags();
        }
    }

    const Document& m_document;
    Meaning& m_out;
    const Type* m_variant = nullptr; ///< Whose record is open.
};

} // namespace

Document::Document(std::shared_ptr<const syntax::SourceText> source, std::shared_ptr<const check::Facts> facts,
                   std::shared_ptr<const check::Checked> checked)
    : m_source(source)
    , m_facts(facts ? std::move(facts) : std::make_shared<const check::Facts>())
    , m_checked(std::move(checked))
    , m_skeleton(std::move(source))
{
    choosePack();
    for (const Id top : m_skeleton.children(Skeleton::none)) {
        if (const schema::FormKey* key = m_pack ? formKey(m_skeleton.keyOf(top)) : nullptr) {
            if (m_form != schema::Form::Override && key->holds != Content::Anything)
                m_form = key->form;
        }
    }
    findMarks();
}

void Document::choosePack()
{
    const bool isCluster = m_facts->clusterSource && !m_source->path().empty() && m_facts->clusterSource->path() == m_source->path();
    if (isCluster)
        m_pack = schema::builtInPack(m_checked && m_checked->pack == "cluster-v2" ? "cluster-v2" : "cluster");
    else if (m_facts->pack)
        m_pack = m_facts->pack;
    else if (m_checked && m_checked->pack)
        m_pack = schema::builtInPack(*m_checked->pack);
    if (m_pack)
        return;
    m_pack = schema::builtInPack(schema::packMeant([&](std::string_view block, std::string_view key) {
        const Id holder = block.empty() ? Skeleton::none : m_skeleton.child(Skeleton::none, block);
        return (block.empty() || holder != Skeleton::none) && m_skeleton.child(holder, key) != Skeleton::none;
    }));
}

const recipe::Cluster* Document::cluster() const
{
    const bool isSecond = m_pack && m_pack->isSecond();
    return isSecond ? m_facts->clusterOfSecond.get() : m_facts->cluster.get();
}

const schema::FormKey* Document::formKey(std::string_view topLevelKey) const
{
    if (!m_pack || m_pack->root().find(topLevelKey))
        return nullptr;
    const auto found =
        std::find_if(m_pack->forms().begin(), m_pack->forms().end(), [&](const schema::FormKey& key) { return key.matches(topLevelKey); });
    return found == m_pack->forms().end() ? nullptr : &*found;
}

Id Document::nodeAt(std::string_view section, const Path& inner) const
{
    Path path;
    if (!section.empty())
        path.push_back({std::string(section), Step::noIndex});
    path.insert(path.end(), inner.begin(), inner.end());
    return m_skeleton.find(path);
}

std::string Document::wordAt(std::string_view section, std::string_view dottedPath) const
{
    Path inner;
    for (const std::string_view part : base::splitAt(dottedPath, '.'))
        inner.push_back({std::string(part), Step::noIndex});
    Id node = nodeAt(section, inner);
    if (node == Skeleton::none && !section.empty() && section != "base")
        node = nodeAt("base", inner);
    if (node == Skeleton::none)
        return {};
    std::string word = m_skeleton.scalarOf(node);
    const auto values = m_skeleton.children(node); // of a zipped list the first value speaks for all
    if (word.empty() && !values.empty() && m_skeleton.node(values.front()).kind == Skeleton::Kind::Item)
        word = m_skeleton.scalarOf(values.front());
    return word;
}

std::vector<Id> Document::parameters() const
{
    std::vector<Id> out;
    for (const Mark& mark : m_marks) {
        if (mark.kind == MarkKind::Parameter)
            out.push_back(mark.node);
    }
    return out;
}

void Document::findMarks()
{
    const std::string_view all = text();
    std::vector<Id> sweeps;
    for (const Id parent : {Skeleton::none, m_skeleton.child(Skeleton::none, "base")}) {
        const Id sweep = m_skeleton.child(parent, "sweep");
        if (sweep != Skeleton::none && (parent != Skeleton::none || sweeps.empty()))
            sweeps.push_back(sweep);
    }
    for (Id id = 0; id < m_skeleton.nodes().size(); ++id) {
        const Skeleton::Node& node = m_skeleton.node(id);
        if (node.kind == Skeleton::Kind::Key && std::find(sweeps.begin(), sweeps.end(), node.parent) != sweeps.end()) {
            const bool isQuoted = all[node.key.begin] == '"' || all[node.key.begin] == '\'';
            const Range name = isQuoted && node.key.end > node.key.begin + 1 ? Range{node.key.begin + 1, node.key.end - 1} : node.key;
            m_marks.push_back({MarkKind::Parameter, node.key, name, id});
        }
        if (!node.anchor.isEmpty())
            m_marks.push_back({MarkKind::Anchor, node.anchor, {node.anchor.begin + 1, node.anchor.end}, id});
        if (node.value.isEmpty())
            continue;
        switch (node.style) {
        case Skeleton::Style::Plain:
            if (all[node.value.begin] == '*') {
                std::size_t end = node.value.begin + 1;
                while (end < node.value.end && !isAnchorEnd(all[end]))
                    ++end;
                m_marks.push_back({MarkKind::Alias, {node.value.begin, end}, {node.value.begin + 1, end}, id});
                break;
            }
            [[fallthrough]];
        case Skeleton::Style::SingleQuoted:
        case Skeleton::Style::DoubleQuoted:
        case Skeleton::Style::Block:
            findPlaceholders(id);
            break;
        default:
            break;
        }
    }
    std::sort(m_marks.begin(), m_marks.end(), [](const Mark& a, const Mark& b) { return a.range < b.range; });
}

void Document::findPlaceholders(Id id)
{
    const Range value = m_skeleton.node(id).value;
    const std::string_view text = m_skeleton.text(value);
    for (std::size_t i = text.find('{'); i != std::string_view::npos; i = text.find('{', i + 1)) {
        std::size_t end = i + 1;
        while (end < text.size() && syntax::isPlaceholderChar(text[end]))
            ++end;
        const bool isClosed = end < text.size() && text[end] == '}' && end > i + 1;
        const bool isDoubled = i > 0 && (text[i - 1] == '{' || text[i - 1] == '$');
        if (isClosed && !isDoubled)
            m_marks.push_back(
                {MarkKind::Placeholder, {value.begin + i, value.begin + end + 1}, {value.begin + i + 1, value.begin + end}, id});
    }
}

Meaning meaningOf(const Document& document, const Path& path)
{
    Meaning out;
    std::size_t first = 0;
    if (!path.empty() && !path.front().isItem()) {
        if (const schema::FormKey* key = document.formKey(path.front().key)) {
            out.holds = key->holds;
            out.section = path.front().key;
            first = 1;
        } else if (document.form() == schema::Form::Override) {
            out.holds = Content::Anything;
            if (document.pack() && document.pack()->root().find(path.front().key))
                out.holds = Content::Recipe; // as "schema" beside "base"
        }
    }
    out.inner.assign(path.begin() + static_cast<std::ptrdiff_t>(first), path.end());
    const bool isInnerSweep = out.section == "base" && !out.inner.empty() && out.inner.front().key == "sweep";
    if (out.holds == Content::Parameters || isInnerSweep) {
        out.isParameter = out.inner.size() == (isInnerSweep ? 2U : 1U);
        out.holds = Content::Parameters;
        return out;
    }
    if (out.holds == Content::Anything)
        return out;
    Walker(document, out).walk();
    return out;
}

std::string typeInWords(const Meaning& meaning)
{
    if (meaning.flag)
        return schema::inWords(*meaning.flag);
    return meaning.type ? schema::inWords(*meaning.type) : std::string();
}

} // namespace wb::assist
