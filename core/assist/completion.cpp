#include "core/assist/completion.h"

#include "core/assist/place.h"
#include "core/assist/words.h"
#include "core/base/text.h"
#include "core/syntax/placeholder.h"
#include "core/syntax/yaml.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace wb::assist {

using schema::Content;
using schema::Field;
using schema::TypeKind;
using syntax::Range;
using Id = Skeleton::Id;
using Kind = Skeleton::Kind;
using Style = Skeleton::Style;

namespace {

constexpr std::size_t indentWidth = 2;
constexpr std::size_t mostForRanking = 20'000; ///< Nodes of a text; a longer one is not searched for what is written elsewhere.

char folded(char c)
{
    if (c >= 'A' && c <= 'Z')
        return static_cast<char>(c - 'A' + 'a');
    return c == '_' ? '-' : c;
}

std::string foldedText(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), folded);
    return out;
}

bool takesKind(const schema::Type& type, TypeKind kind)
{
    if (type.kind == kind)
        return true;
    return type.kind == TypeKind::Union &&
           std::any_of(type.inner.begin(), type.inner.end(), [&](const schema::Type& one) { return takesKind(one, kind); });
}

class Completer
{
public:
    Completer(const Document& document, std::size_t offset)
        : m_document(document)
        , m_skeleton(document.skeleton())
        , m_offset(std::min(offset, document.text().size()))
        , m_place(placeAt(document, m_offset))
    {
    }

    Completions run()
    {
        m_out.word = m_place.word;
        m_out.prefix = m_place.prefix;
        switch (m_place.side) {
        case Side::Comment:
            break;
        case Side::Text:
            placeholders();
            break;
        case Side::Key:
            keys();
            break;
        case Side::Value:
            if (!placeholders() && !anchors())
                values();
            break;
        }
        finish();
        return std::move(m_out);
    }

private:
    struct Ranked {
        Completion item;
        int fits = 0;
        int rank = 0;
        std::size_t order = 0;
    };

    void add(Completion item, int rank)
    {
        const int fits = fit(m_out.prefix, item.label);
        if (fits == 0)
            return;
        m_ranked.push_back({std::move(item), fits, rank, m_ranked.size()});
    }

    void finish()
    {
        std::stable_sort(m_ranked.begin(), m_ranked.end(), [](const Ranked& a, const Ranked& b) {
            if (a.item.isDoubtful != b.item.isDoubtful)
                return b.item.isDoubtful;
            if (a.fits != b.fits)
                return a.fits > b.fits;
            return a.rank != b.rank ? a.rank > b.rank : a.order < b.order;
        });
        for (Ranked& each : m_ranked) {
            m_out.isComplete = m_out.isComplete || (!m_out.prefix.empty() && each.item.label == m_out.prefix);
            m_out.items.push_back(std::move(each.item));
        }
    }

    // --- keys -------------------------------------------------------------------------------------------------------------------------

    void keys()
    {
        const Meaning& meaning = m_place.meaning;
        for (const Id each : m_skeleton.children(m_place.parent)) {
            if (each != m_place.node && m_skeleton.node(each).kind == Kind::Key)
                m_there.insert(m_skeleton.keyOf(each));
        }
        if (quotedPlaceholders())
            return;
        if (meaning.holds == Content::Parameters) {
            parameters();
            return;
        }
        const bool isTop = m_place.path.empty();
        if (isTop)
            sections();
        if (isTop && m_document.form() == schema::Form::Override)
            return;
        if (meaning.record)
            fields(*meaning.record);
        else if (!meaning.flagKeys.empty() && (meaning.isFlagMap || meaning.flag))
            flags();
        baseKeys();
    }

    /// Value of the same path in base, when this is a section that changes it.
    [[nodiscard]] Id baseOf(const std::string& key) const
    {
        const Meaning& meaning = m_place.meaning;
        if (meaning.section.empty() || meaning.section == "base")
            return Skeleton::none;
        Path path = meaning.inner;
        path.push_back({key, Step::noIndex});
        return m_document.nodeAt("base", path);
    }

    [[nodiscard]] std::string withBase(const std::string& key, std::string detail, int& rank) const
    {
        const Id base = baseOf(key);
        if (base == Skeleton::none)
            return detail;
        rank += 1000;
        const std::string value = shortText(m_skeleton, base, 40);
        return value.empty() ? "in base" : "base: " + value;
    }

    void fields(const schema::Record& record)
    {
        for (const Field& field : record.fields) {
            if (m_there.contains(field.key))
                continue;
            Completion item;
            item.kind = CompletionKind::Key;
            item.label = field.key;
            item.doc = field.doc;
            item.isRequired = field.required && m_place.meaning.holds == Content::Recipe;
            int rank = item.isRequired ? 2000 : field.expert ? -100 : 0;
            std::string detail = schema::inWords(field.type);
            if (item.isRequired)
                detail += " \u00b7 required";
            else if (const std::string preset = defaultOf(field); !preset.empty() && preset != "{}" && preset != "[]")
                detail += " \u00b7 default " + preset;
            item.detail = withBase(field.key, std::move(detail), rank);
            Meaning below = m_place.meaning;
            below.field = &field;
            std::string doubt = !field.inert.empty()        ? field.inert
                                : !field.deprecated.empty() ? field.deprecated
                                                            : whyNotRead(m_document, below);
            if (!doubt.empty()) {
                item.isDoubtful = true;
                item.doc += (item.doc.empty() ? "" : " ") + doubt;
            }
            item.opensNext =
                !field.choices.empty() || takesKind(field.type, TypeKind::Boolean) || isAliasField(field.key) || isSelector(field.key);
            std::string text;
            std::size_t cursor = std::string::npos;
            writeField(field, m_place.column, text, cursor, isZipped());
            finishKey(std::move(item), field.key, std::move(text), cursor, rank);
        }
    }

    [[nodiscard]] bool isZipped() const { return m_place.meaning.holds == Content::ZippedChanges; }

    [[nodiscard]] bool isAliasField(const std::string& key) const
    {
        Meaning below;
        below.inner = m_place.meaning.inner;
        below.inner.push_back({key, Step::noIndex});
        return !aliasListOf(m_document, below).empty() && m_document.cluster();
    }

    [[nodiscard]] bool isSelector(const std::string& key) const
    {
        Path path = m_place.path;
        path.push_back({key, Step::noIndex});
        return meaningOf(m_document, path).selector != nullptr;
    }

    /// "key: ", and below a mapping's key the keys that it must have. `cursor` is set at the first place to write at.
    void writeField(const Field& field, std::size_t column, std::string& out, std::size_t& cursor, bool zipped) const
    {
        out += asScalar(field.key) + ":";
        const std::string below = "\n" + std::string(column + indentWidth, ' ');
        const auto here = [&] {
            if (cursor == std::string::npos)
                cursor = out.size();
        };
        const bool isMapping =
            takesKind(field.type, TypeKind::Record) || takesKind(field.type, TypeKind::Variant) || takesKind(field.type, TypeKind::Map);
        const bool isList = takesKind(field.type, TypeKind::List);
        if (isMapping && !takesKind(field.type, TypeKind::Boolean) && !m_place.isFlow) {
            const schema::Record* record =
                m_document.pack() ? m_document.pack()->recordFor(field.type, field.type.selectorDefault) : nullptr;
            bool isEmpty = true;
            if (record && m_place.meaning.holds == Content::Recipe) {
                for (const Field& inner : record->fields) {
                    if (!inner.required)
                        continue;
                    isEmpty = false;
                    out += below;
                    writeField(inner, column + indentWidth, out, cursor, zipped);
                }
            }
            if (isEmpty && cursor == std::string::npos) {
                out += below;
                here();
            }
            return;
        }
        if (zipped) {
            out += isList ? " [[" : " [";
            here();
            out += isList ? "]]" : "]";
        } else if (isList && !takesKind(field.type, TypeKind::String) && !m_place.isFlow) {
            if (cursor == std::string::npos) {
                out += below + "- ";
                here();
            }
        } else if (cursor == std::string::npos) {
            out += ' ';
            here();
        }
    }

    /// The edit of a key: the key alone where a colon follows, else the key with all that opens its value, at the right column.
    void finishKey(Completion item, const std::string& key, std::string text, std::size_t cursor, int rank)
    {
        item.edit.range = m_place.word;
        if (m_place.hasColon) {
            text = asScalar(key, m_place.quote);
            cursor = text.size();
        }
        const std::size_t indent = m_place.indent.end - m_place.indent.begin;
        const bool isOwnLine = !m_place.isFlow && !m_place.hasColon && (indent != 0 || m_place.column != 0);
        if (isOwnLine && indent != m_place.column && m_place.word.begin >= m_place.indent.end) {
            item.edit.range.begin = m_place.indent.begin;
            text.insert(0, m_place.column, ' ');
            cursor += m_place.column;
        }
        item.edit.text = std::move(text);
        item.cursor = std::min(cursor, item.edit.text.size());
        add(std::move(item), rank);
    }

    void flags()
    {
        const Meaning& meaning = m_place.meaning;
        std::unordered_set<std::string> there;
        for (const std::string& key : m_there)
            there.insert(foldedText(key));
        // A flag that another mode of this file sets is the most likely one here.
        std::unordered_set<std::string_view> written;
        if (m_skeleton.nodes().size() < mostForRanking) {
            for (const Skeleton::Node& node : m_skeleton.nodes()) {
                if (node.kind == Kind::Key)
                    written.insert(m_skeleton.text(node.key));
            }
        }
        const bool useUnderscores = meaning.table && meaning.isFlagMap && prefersUnderscores(there, meaning);
        for (const schema::Flag& flag : meaning.flagKeys) {
            const bool isThere = there.contains(foldedText(flag.name)) ||
                                 std::any_of(flag.aliases.begin(), flag.aliases.end(),
                                             [&](const std::string& other) { return there.contains(foldedText(other)); });
            if (isThere || flag.isHidden)
                continue;
            Completion item;
            item.kind = CompletionKind::Flag;
            item.label = flag.name;
            if (useUnderscores)
                std::replace(item.label.begin(), item.label.end(), '-', '_');
            item.doc = docOf(flag);
            item.isDoubtful =
                flag.isRemoved || !flag.deprecated.empty() || !flag.renamedTo.empty() || flag.srtctl == schema::SrtctlUse::Drops;
            int rank = static_cast<int>(std::min<std::size_t>(flag.uses, 900));
            rank += written.contains(item.label) ? 500 : 0;
            std::string detail = schema::inWords(flag);
            if (const std::string preset = defaultOf(flag); !preset.empty() && preset.size() < 30)
                detail += " \u00b7 default " + preset;
            item.detail = withBase(item.label, std::move(detail), rank);
            item.opensNext = !flag.choices.empty() || flag.type.isSwitch();
            std::string text = asScalar(item.label) + (isZipped() ? ": [" : ": ");
            const std::size_t cursor = text.size();
            if (isZipped())
                text += ']';
            const std::string label = item.label;
            finishKey(std::move(item), label, std::move(text), cursor, rank);
        }
    }

    [[nodiscard]] bool prefersUnderscores(const std::unordered_set<std::string>& there, const Meaning& meaning) const
    {
        if (there.empty())
            return false;
        const bool tableHasThem = std::any_of(meaning.flagKeys.begin(), meaning.flagKeys.end(),
                                              [](const schema::Flag& flag) { return flag.name.find('_') != std::string::npos; });
        if (tableHasThem)
            return false;
        return std::any_of(m_there.begin(), m_there.end(), [](const std::string& key) { return key.find('_') != std::string::npos; }) &&
               std::none_of(m_there.begin(), m_there.end(), [](const std::string& key) { return key.find('-') != std::string::npos; });
    }

    [[nodiscard]] static std::string docOf(const schema::Flag& flag)
    {
        std::string doc = flag.doc;
        for (const std::string& more : {flag.srtctlDoc, flag.deprecated})
            doc += (doc.empty() || more.empty() ? "" : " ") + more;
        if (!flag.renamedTo.empty())
            doc += (doc.empty() ? "" : " ") + std::string("Now called ") + flag.renamedTo + ".";
        if (flag.isRemoved)
            doc += (doc.empty() ? "" : " ") + std::string("Removed") + (flag.removedIn.empty() ? "" : " in " + flag.removedIn) + ".";
        return doc;
    }

    /// In a section that changes base: keys of base at this path that no table knows, as environment variables.
    void baseKeys()
    {
        const Meaning& meaning = m_place.meaning;
        if (meaning.section.empty() || meaning.section == "base" || meaning.holds == Content::Anything)
            return;
        const Id base = m_document.nodeAt("base", meaning.inner);
        if (base == Skeleton::none && !meaning.inner.empty())
            return;
        for (const Id each : m_skeleton.children(base)) {
            const Skeleton::Node& node = m_skeleton.node(each);
            const std::string key = node.kind == Kind::Key ? m_skeleton.keyOf(each) : std::string();
            if (key.empty() || key == "<<" || key == "sweep" || m_there.contains(key) || isOffered(key))
                continue;
            Completion item;
            item.kind = CompletionKind::Key;
            item.label = key;
            item.detail = "base: " + shortText(m_skeleton, each, 40);
            const bool opens = node.style == Style::Empty && !m_skeleton.children(each).empty();
            std::string text = asScalar(key) + ":";
            if (opens && !m_place.isFlow)
                text += "\n" + std::string(m_place.column + indentWidth, ' ');
            else
                text += ' ';
            const std::size_t cursor = text.size();
            finishKey(std::move(item), key, std::move(text), cursor, 1000);
        }
    }

    /// Keys of the top that are no fields: base, override_<name>, sweep.
    void sections()
    {
        if (!m_document.pack())
            return;
        const bool isEmpty = m_there.empty();
        for (const schema::FormKey& key : m_document.pack()->forms()) {
            if (key.holds == Content::Anything || m_there.contains(key.key))
                continue;
            const bool fitsForm = isEmpty || key.form == m_document.form() || key.form == schema::Form::Sweep;
            if (!fitsForm || (key.form == schema::Form::Sweep && m_document.form() == schema::Form::Override))
                continue;
            Completion item;
            item.kind = CompletionKind::Section;
            item.doc = key.doc;
            item.label = key.key;
            const bool isNamed = item.label.ends_with('*');
            if (isNamed)
                item.label.pop_back();
            if (isNamed && m_place.prefix.size() > item.label.size() && m_place.prefix.starts_with(item.label))
                item.label = m_place.prefix;
            std::string text = item.label + ":";
            std::size_t cursor = isNamed && item.label != m_place.prefix ? item.label.size() : std::string::npos;
            if (key.holds == Content::Recipe)
                writeRequired(text, cursor);
            else
                text += "\n  ";
            const std::string label = item.label;
            finishKey(std::move(item), label, text, std::min(cursor, text.size()), isEmpty ? -50 : 100);
        }
    }

    void writeRequired(std::string& text, std::size_t& cursor) const
    {
        for (const Field& field : m_document.pack()->root().fields) {
            if (!field.required)
                continue;
            text += "\n  ";
            writeField(field, indentWidth, text, cursor, false);
        }
    }

    /// Names of placeholders that have no parameter yet.
    void parameters()
    {
        std::set<std::string> names;
        for (const Mark& mark : m_document.marks()) {
            if (mark.kind == MarkKind::Placeholder)
                names.emplace(m_document.name(mark));
        }
        for (const std::string& name : names) {
            if (m_there.contains(name))
                continue;
            Completion item;
            item.kind = CompletionKind::Parameter;
            item.label = name;
            item.detail = "used as {" + name + "}";
            std::string text = asScalar(name) + ": [";
            const std::size_t cursor = text.size();
            finishKey(std::move(item), name, text + "]", cursor, 0);
        }
    }

    // --- values -----------------------------------------------------------------------------------------------------------------------

    void addValue(Completion item, const std::string& value, int rank)
    {
        item.edit.range = m_place.word;
        item.edit.text = asScalar(value, m_place.quote);
        const bool isTight = item.edit.range.begin > 0 && (m_document.text()[item.edit.range.begin - 1] == ':' ||
                                                           (!m_place.isFlow && m_document.text()[item.edit.range.begin - 1] == '-'));
        if (isTight && m_place.side == Side::Value && m_place.word.isEmpty())
            item.edit.text.insert(0, 1, ' ');
        item.cursor = item.edit.text.size();
        add(std::move(item), rank);
    }

    void addSimple(CompletionKind kind, const std::string& label, std::string detail, std::string doc, int rank)
    {
        if (isOffered(label))
            return;
        Completion item;
        item.kind = kind;
        item.label = label;
        item.detail = std::move(detail);
        item.doc = std::move(doc);
        addValue(std::move(item), label, rank);
    }

    [[nodiscard]] bool isOffered(std::string_view label) const
    {
        return std::any_of(m_ranked.begin(), m_ranked.end(), [&](const Ranked& one) { return one.item.label == label; });
    }

    void addWord(CompletionKind kind, const std::string& word, std::string detail, int rank)
    {
        if (isOffered(word))
            return;
        Completion item;
        item.kind = kind;
        item.label = word;
        item.detail = std::move(detail);
        item.edit.range = m_place.word;
        item.edit.text = word;
        const bool isTight = m_place.word.isEmpty() && m_place.word.begin > 0 && m_document.text()[m_place.word.begin - 1] == ':';
        if (isTight)
            item.edit.text.insert(0, 1, ' ');
        item.cursor = item.edit.text.size();
        add(std::move(item), rank);
    }

    void values()
    {
        const Meaning& meaning = m_place.meaning;
        const bool isBlock = m_place.node != Skeleton::none && m_skeleton.node(m_place.node).style == Style::Block;
        if (isBlock)
            return;
        if (meaning.flag) {
            flagValues(*meaning.flag);
            return;
        }
        if (meaning.selector) {
            for (const auto& [word, name] : meaning.selector->records) {
                const schema::Record* record = m_document.pack()->record(name);
                addSimple(CompletionKind::Choice, word, word == meaning.selector->selectorDefault ? "default" : "",
                          record ? record->doc : "", 100);
            }
            return;
        }
        const bool isOfField = meaning.field && meaning.type && (meaning.type == &meaning.field->type || meaning.isItem);
        if (isOfField) {
            const std::string preset = defaultOf(*meaning.field);
            for (const schema::Choice& choice : meaning.field->choices)
                addSimple(CompletionKind::Choice, choice.value, choice.value == preset ? "default" : "", choice.doc, 100);
            for (const auto& [name, target] : aliasesFor(m_document, meaning))
                addSimple(CompletionKind::Alias, name, target,
                          "Name of the cluster file, in " + std::string(aliasListOf(m_document, meaning)) + ".", 100);
            if (takesKind(*meaning.type, TypeKind::Boolean))
                booleans(preset);
            const bool isScalar =
                meaning.field->defaultValue && !meaning.field->defaultValue->isArray() && !meaning.field->defaultValue->isObject();
            if (isScalar && !meaning.field->defaultValue->isNull() && meaning.field->choices.empty() && !preset.empty() && preset != "\"\"")
                addDefault(preset, meaning.field->defaultValue->isString());
            if (meaning.field->nullable)
                addWord(CompletionKind::Value, "null", preset == "null" ? "default" : "", -20);
        } else if (meaning.type && takesKind(*meaning.type, TypeKind::Boolean)) {
            booleans({});
        }
    }

    void addDefault(const std::string& preset, bool isText)
    {
        if (isText)
            addSimple(CompletionKind::Value, preset, "default", {}, -10);
        else
            addWord(CompletionKind::Value, preset, "default", -10);
    }

    void booleans(const std::string& preset)
    {
        addWord(CompletionKind::Switch, "true", preset == "true" ? "default" : "", 50);
        addWord(CompletionKind::Switch, "false", preset == "false" ? "default" : "", 49);
    }

    void flagValues(const schema::Flag& flag)
    {
        const std::string preset = defaultOf(flag);
        for (const std::string& choice : flag.choices)
            addSimple(CompletionKind::Choice, choice, choice == preset ? "default" : "", {}, 100);
        if (flag.type.takes(schema::FlagType::Boolean) && flag.choices.empty() && (flag.type.parts & schema::FlagType::Any) == 0)
            booleans(preset);
        const bool isPlain =
            flag.defaultKnown && !flag.defaultValue.isNull() && !flag.defaultValue.isArray() && !flag.defaultValue.isObject();
        if (isPlain && flag.choices.empty() && !flag.defaultValue.boolean() && preset != "\"\"")
            addDefault(preset, flag.defaultValue.isString());
    }

    // --- names ------------------------------------------------------------------------------------------------------------------------

    [[nodiscard]] std::string valuesOf(Id parameter) const
    {
        std::string out;
        for (const Id item : m_skeleton.children(parameter))
            out += (out.empty() ? "" : ", ") + shortText(m_skeleton, item, 24);
        return cutTo(out, 60);
    }

    /// "{" that was opened in the text before the cursor: only parameters are meant.
    bool placeholders()
    {
        const std::string& before = m_place.prefix;
        const std::size_t brace = before.rfind('{');
        if (brace == std::string::npos || before.find_first_of("} \t\"'\n", brace) != std::string::npos)
            return false;
        const bool isOther = brace > 0 && (before[brace - 1] == '$' || before[brace - 1] == '{');
        const std::vector<Id> parameters = m_document.parameters();
        if (isOther || parameters.empty())
            return false;
        const std::string_view text = m_document.text();
        const std::size_t begin = m_offset - (before.size() - brace);
        std::size_t end = m_offset;
        while (end < text.size() && syntax::isPlaceholderChar(text[end]))
            ++end;
        if (end < text.size() && text[end] == '}')
            ++end;
        m_out.prefix = before.substr(brace + 1);
        m_out.word = {begin, end};
        for (const Id parameter : parameters)
            addPlaceholder(parameter, {begin, end}, false);
        return true;
    }

    void addPlaceholder(Id parameter, Range range, bool quoted)
    {
        const std::string name = m_skeleton.keyOf(parameter);
        Completion item;
        item.kind = CompletionKind::Placeholder;
        item.label = name;
        item.detail = valuesOf(parameter);
        item.doc = "Parameter of the sweep: one job for each value.";
        item.edit = {range, quoted ? "\"{" + name + "}\"" : "{" + name + "}"};
        item.cursor = item.edit.text.size();
        add(std::move(item), 0);
    }

    /// "key: {" is a mapping to YAML: a placeholder there needs quotes.
    bool quotedPlaceholders()
    {
        if (m_place.parent == Skeleton::none || !m_place.isFlow)
            return false;
        const Skeleton::Node& owner = m_skeleton.node(m_place.parent);
        const std::vector<Id> parameters = m_document.parameters();
        if (owner.style != Style::FlowMap || m_place.hasColon || parameters.empty() || m_skeleton.children(m_place.parent).size() > 1)
            return false;
        const Meaning& meaning = m_place.meaning;
        if (meaning.record || meaning.isFlagMap || meaning.holds == Content::Parameters)
            return false;
        for (const Id parameter : parameters)
            addPlaceholder(parameter, owner.value, true);
        return true;
    }

    bool anchors()
    {
        const bool isMerge =
            m_place.node != Skeleton::none && m_skeleton.node(m_place.node).kind == Kind::Key && m_skeleton.keyOf(m_place.node) == "<<";
        const bool isAlias = m_place.quote == '\0' && m_place.prefix.starts_with('*');
        if (!isAlias && !isMerge)
            return false;
        std::set<std::string_view> seen;
        for (const Mark& mark : m_document.marks()) {
            if (mark.kind != MarkKind::Anchor || mark.range.begin >= m_offset || !seen.insert(m_document.name(mark)).second)
                continue;
            Completion item;
            item.kind = CompletionKind::Anchor;
            item.label = "*" + std::string(m_document.name(mark));
            item.detail = shortText(m_skeleton, mark.node, 40);
            if (item.detail.empty())
                item.detail = "at " + dotted(m_skeleton.pathOf(mark.node));
            item.edit = {m_place.word, item.label};
            if (m_place.word.isEmpty() && m_offset > 0 && m_document.text()[m_offset - 1] == ':')
                item.edit.text.insert(0, 1, ' ');
            item.cursor = item.edit.text.size();
            add(std::move(item), static_cast<int>(mark.range.begin / 64)); // the nearest first
        }
        return true;
    }

    const Document& m_document;
    const Skeleton& m_skeleton;
    std::size_t m_offset;
    Place m_place;
    Completions m_out;
    std::vector<Ranked> m_ranked;
    std::set<std::string> m_there;
};

} // namespace

int fit(std::string_view typed, std::string_view word)
{
    if (typed.empty())
        return 4;
    const std::string sought = foldedText(typed);
    const std::string text = foldedText(word);
    if (text.starts_with(sought))
        return 4;
    for (std::size_t at = text.find(sought); at != std::string::npos; at = text.find(sought, at + 1)) {
        if (at > 0 && (text[at - 1] == '-' || text[at - 1] == '.' || text[at - 1] == '/'))
            return 3;
    }
    if (text.find(sought) != std::string::npos)
        return 2;
    // The letters in order, the first at a word's begin: "gpn" for "gpus-per-node".
    if (sought.size() < 3 || text.empty() || sought.front() != text.front())
        return 0;
    std::size_t at = 0;
    for (const char c : sought) {
        at = text.find(c, at);
        if (at == std::string::npos)
            return 0;
        ++at;
    }
    return 1;
}

Completions completionsAt(const Document& document, std::size_t offset)
{
    return Completer(document, offset).run();
}

std::vector<SelectorName> selectorsOf(const Document& document)
{
    std::vector<SelectorName> out;
    if (document.form() != schema::Form::Override)
        return out;
    const Skeleton& skeleton = document.skeleton();
    for (const Id top : skeleton.children(Skeleton::none)) {
        const std::string key = skeleton.keyOf(top);
        const schema::FormKey* form = document.formKey(key);
        if (!form || form->holds == Content::Anything)
            continue;
        out.push_back({key, form->doc});
        if (form->holds != Content::ZippedChanges || !document.checked())
            continue;
        for (const check::CheckedVariant& variant : document.checked()->variants) {
            if (variant.variant.section.starts_with(key + "["))
                out.push_back({variant.variant.section, variant.name});
        }
    }
    return out;
}

} // namespace wb::assist
