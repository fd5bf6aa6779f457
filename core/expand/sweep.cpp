#include "core/expand/sweep.h"

#include "core/base/text.h"
#include "core/expand/fields.h"
#include "core/syntax/dottedpath.h"
#include "core/syntax/placeholder.h"
#include "core/syntax/pythontext.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace wb::expand {

using syntax::Code;
using syntax::Diagnostic;
using syntax::Kind;
using syntax::Layer;
using syntax::Member;
using syntax::Severity;
using syntax::Style;
using syntax::Value;
using syntax::ValuePtr;

namespace {

/// Names that the job fills in while it runs: braces around them are no placeholders of the sweep.
constexpr std::array<std::string_view, 12> runtimeNames = {
    "job_id",        "run_name", "head_node_ip", "log_dir", "model_path", "container_image",
    "gpus_per_node", "node",     "node_id",      "port",    "host",       "index"};

struct Parameter {
    std::string name;
    syntax::Range range;
    std::vector<ValuePtr> values;
};

/// The parameters of a sweep in their order, and where each name stands among them.
struct Parameters {
    std::vector<Parameter> all;
    std::unordered_map<std::string_view, std::size_t> places;

    [[nodiscard]] const Parameter* find(std::string_view name) const
    {
        const auto found = places.find(name);
        return found == places.end() ? nullptr : &all[found->second];
    }
};

/// The text that a value has inside other text: as written; the items of a list with commas.
std::string textOf(const Value& value)
{
    if (!value.isSequence())
        return value.isNull() ? "null" : value.text;
    std::string out;
    for (std::size_t i = 0; i < value.items.size(); ++i)
        out += (i == 0 ? "" : ",") + textOf(*value.items[i]);
    return out;
}

/// What srtctl writes for a value inside other text: str(), the items of a list with commas.
std::string pythonTextInside(const Value& value)
{
    if (!value.isSequence())
        return syntax::pythonText(value);
    std::string out;
    for (std::size_t i = 0; i < value.items.size(); ++i)
        out += (i == 0 ? "" : ",") + syntax::pythonText(*value.items[i]);
    return out;
}

/// The `{name}` that begins at the brace, without its braces; empty when there is none. Also inside `${name}` and `{{name}}`: srtctl
/// replaces the text `{name}` wherever it stands.
std::string_view placeholderAt(std::string_view text, std::size_t brace)
{
    std::size_t end = brace + 1;
    while (end < text.size() && syntax::isPlaceholderChar(text[end]))
        ++end;
    const bool isClosed = end < text.size() && text[end] == '}' && end > brace + 1;
    return isClosed ? text.substr(brace + 1, end - brace - 1) : std::string_view();
}

/// A brace of a shell's variable, or one that is doubled: meant for others, where it names no parameter.
bool isForOthers(std::string_view text, std::size_t brace)
{
    return brace > 0 && (text[brace - 1] == '{' || text[brace - 1] == '$');
}

/// Which lists and mappings hold placeholders, and how many values each job has of its own because of that. Keeps what it knows of parts
/// that several documents share.
class Outline
{
public:
    explicit Outline(const Parameters& parameters)
    {
        for (const Parameter& parameter : parameters.all) {
            std::size_t longest = 0;
            std::size_t longestName = 0;
            for (const ValuePtr& value : parameter.values) {
                longest = std::max(longest, textOf(*value).size());
                longestName = std::max(longestName, syntax::pythonText(*value).size());
            }
            m_longest.emplace(parameter.name, longest);
            m_ofName += parameter.name.size() + longestName;
        }
        m_ofName = parameters.all.size() + m_ofName / bytesOfAValue;
    }

    /// Of each job of the document.
    [[nodiscard]] std::size_t ownValues(const ValuePtr& document)
    {
        m_touched.clear();
        return m_ofName + measure(document, false);
    }

    /// Of the document that was measured last.
    [[nodiscard]] bool holdsPlaceholders(const Value& collection) const
    {
        return m_touched.contains(&collection) || m_touchedInShared.contains(&collection);
    }

private:
    static constexpr std::size_t bytesOfAValue = 128; ///< A long text counts as as many values as it takes the room of.

    std::size_t measure(const ValuePtr& shared, bool isWithinShared)
    {
        const Value& value = *shared;
        if (value.isString())
            return measureText(value.text);
        if (value.isScalar())
            return 0;
        const bool isKept = !isWithinShared && shared.use_count() > 1;
        if (const auto kept = isKept ? m_kept.find(shared) : m_kept.end(); kept != m_kept.end())
            return kept->second;
        std::size_t inside = 0;
        for (const ValuePtr& item : value.items)
            inside += measure(item, isWithinShared || isKept);
        for (const Member& member : value.members)
            inside += measure(member.value, isWithinShared || isKept);
        if (inside > 0) {
            (isWithinShared || isKept ? m_touchedInShared : m_touched).insert(&value);
            inside += value.items.size() + value.members.size();
        }
        if (isKept)
            m_kept.emplace(shared, inside);
        return inside;
    }

    std::size_t measureText(const std::string& text) const
    {
        std::size_t length = 0;
        for (std::size_t i = text.find('{'); i != std::string::npos; i = text.find('{', i + 1)) {
            const auto found = m_longest.find(placeholderAt(text, i));
            length += found == m_longest.end() ? 0 : found->second + 1;
        }
        return length == 0 ? 0 : 1 + (text.size() + length) / bytesOfAValue;
    }

    std::unordered_map<std::string_view, std::size_t> m_longest; ///< Parameter, bytes of its longest value.
    std::unordered_set<const Value*> m_touched;
    std::unordered_set<const Value*> m_touchedInShared;
    std::unordered_map<ValuePtr, std::size_t> m_kept;
    std::size_t m_ofName = 0;
};

/// Values that are one placeholder and stand under a key that takes text only.
using TextPlaces = std::unordered_set<const Value*>;

class Filler
{
public:
    Filler(const Parameters& parameters, const std::vector<ValuePtr>& chosen, const Outline& outline, const TextPlaces& texts)
        : m_parameters(parameters)
        , m_chosen(chosen)
        , m_outline(outline)
        , m_texts(texts)
    {
    }

    /// The value with its placeholders filled; the same pointer when it has none.
    ValuePtr filled(const ValuePtr& value) const
    {
        if (value->isString())
            return filledText(value);
        if (value->isScalar() || !m_outline.holdsPlaceholders(*value))
            return value;
        std::shared_ptr<Value> changed;
        const auto change = [&]() -> Value& {
            if (!changed)
                changed = std::make_shared<Value>(*value);
            return *changed;
        };
        for (std::size_t i = 0; i < value->items.size(); ++i) {
            ValuePtr item = filled(value->items[i]);
            if (item != value->items[i])
                change().items[i] = std::move(item);
        }
        for (std::size_t i = 0; i < value->members.size(); ++i) {
            ValuePtr inner = filled(value->members[i].value);
            if (inner != value->members[i].value)
                change().members[i].value = std::move(inner);
        }
        return changed ? changed : value;
    }

private:
    const ValuePtr* chosenFor(std::string_view name) const
    {
        const auto found = m_parameters.places.find(name);
        return found == m_parameters.places.end() ? nullptr : &m_chosen[found->second];
    }

    ValuePtr filledText(const ValuePtr& value) const
    {
        const std::string& text = value->text;
        if (text.find('{') == std::string::npos)
            return value;
        std::string out;
        bool isFilled = false;
        for (std::size_t i = 0; i < text.size();) {
            const std::string_view name = text[i] == '{' ? placeholderAt(text, i) : std::string_view();
            const ValuePtr* chosen = name.empty() ? nullptr : chosenFor(name);
            if (!chosen) {
                out += text[i++];
                continue;
            }
            const bool isWhole = name.size() + 2 == text.size();
            if (isWhole && ((*chosen)->isString() || !(*chosen)->isScalar() || !m_texts.contains(value.get())))
                return *chosen; // the placeholder is the whole text: the type stays
            out += textOf(**chosen);
            isFilled = true;
            i += name.size() + 2;
        }
        if (!isFilled)
            return value;
        auto made = std::make_shared<Value>(*value);
        made->text = std::move(out);
        made->layer = Layer::Sweep;
        return made;
    }

    const Parameters& m_parameters;
    const std::vector<ValuePtr>& m_chosen;
    const Outline& m_outline;
    const TextPlaces& m_texts;
};

/// A flag of vLLM with which srtctl counts ranks before the engine sees it: a number in quotes fails there.
bool isCounted(const ValuePtr& document, const std::string& path)
{
    const std::size_t dot = path.rfind('.');
    if (!path.starts_with("backend.vllm_config.") || !(path.ends_with("parallel-size") || path.ends_with("parallel_size")))
        return false;
    const ValuePtr flags = syntax::at(document, std::string_view(path).substr(0, dot));
    return flags && (flags->member("data-parallel-size") || flags->member("data_parallel_size"));
}

/// Takes what is found in the variants of a file: the same at the same place is told once, and of one kind no more than a person reads.
class Findings
{
public:
    explicit Findings(std::vector<Diagnostic>& out)
        : m_out(out)
    {
    }

    /// Whether to tell it: asked before the message is made. `what` is the name that the message is about.
    [[nodiscard]] bool isNew(Code code, const Value& at, std::string_view what) { return isNew(code, at.source, at.range, what); }

    [[nodiscard]] bool isNew(Code code, syntax::Source source, syntax::Range range, std::string_view what)
    {
        if (!m_seen.emplace(code, source, range.begin, range.end, std::string(what)).second)
            return false;
        constexpr std::size_t mostOfAKind = 100;
        return ++m_kinds[code].found <= mostOfAKind;
    }

    Diagnostic& warn(Code code, const Value& at, syntax::Range otherwise, std::string path, std::string message)
    {
        Diagnostic problem;
        problem.severity = Severity::Warning;
        problem.range = at.range.isEmpty() ? otherwise : at.range;
        problem.source = at.source;
        problem.path = std::move(path);
        problem.message = std::move(message);
        return add(code, std::move(problem));
    }

    void refuse(Code code, const Value& at, syntax::Range otherwise, std::string message)
    {
        const syntax::Range range = at.range.isEmpty() ? otherwise : at.range;
        if (!isNew(code, at.source, range, {}))
            return;
        Diagnostic problem;
        problem.range = range;
        problem.source = at.source;
        problem.path = "sweep";
        problem.message = std::move(message);
        add(code, std::move(problem));
    }

    void countTheRest()
    {
        for (const auto& [code, kind] : m_kinds) {
            if (kind.told == 0 || kind.found <= kind.told)
                continue;
            std::string& message = m_out[kind.last].message;
            const char end = message.back();
            message.pop_back();
            message += " (and " + std::to_string(kind.found - kind.told) + " more)" + end;
        }
    }

private:
    struct KindOfFinding {
        std::size_t found = 0;
        std::size_t told = 0;
        std::size_t last = 0; ///< Index of the last that was told.
    };

    Diagnostic& add(Code code, Diagnostic problem)
    {
        problem.code = code;
        KindOfFinding& kind = m_kinds[code];
        ++kind.told;
        kind.last = m_out.size();
        m_out.push_back(std::move(problem));
        return m_out.back();
    }

    std::vector<Diagnostic>& m_out;
    std::set<std::tuple<Code, syntax::Source, std::size_t, std::size_t, std::string>> m_seen;
    std::map<Code, KindOfFinding> m_kinds;
};

/// What a document, or a part of it, does with the placeholders.
struct Inspected {
    std::set<const Parameter*> used;
    TextPlaces texts;

    void add(const Inspected& other)
    {
        used.insert(other.used.begin(), other.used.end());
        texts.insert(other.texts.begin(), other.texts.end());
    }
};

/// Walks documents for placeholders: which parameters are used, what looks like a placeholder and is none, and what srtctl would fill in
/// differently. A part that several documents share is walked once.
class Inspector
{
public:
    Inspector(const Parameters& parameters, const schema::Pack& pack, Findings& findings)
        : m_parameters(parameters)
        , m_pack(pack)
        , m_findings(findings)
    {
        for (const Parameter& parameter : parameters.all)
            m_names.emplace_back(parameter.name);
    }

    [[nodiscard]] Inspected run(const ValuePtr& document)
    {
        m_document = document;
        m_now = {};
        inspectMembers(*document, {});
        return std::move(m_now);
    }

private:
    /// What is known of a part at one of its places.
    struct Kept {
        std::string path;
        const schema::Type* type = nullptr;
        bool isItem = false;
        Inspected inspected;
    };

    void inspect(const ValuePtr& value, const std::string& path)
    {
        if (value->isString())
            inspectText(value, path);
        if (value->isScalar())
            return;
        if (m_isWithinShared || value.use_count() == 1) {
            inspectInside(*value, path);
            return;
        }
        const schema::Type* type = m_isItem ? nullptr : typeAt(m_pack, m_document, path);
        std::vector<Kept>& places = m_kept[value];
        const auto isHere = [&](const Kept& kept) { return kept.type == type && kept.isItem == m_isItem && kept.path == path; };
        const auto known = std::find_if(places.begin(), places.end(), isHere);
        if (known != places.end()) {
            m_now.add(known->inspected);
            return;
        }
        Inspected outside = std::exchange(m_now, {});
        m_isWithinShared = true;
        inspectInside(*value, path);
        m_isWithinShared = false;
        outside.add(m_now);
        places.push_back({path, type, m_isItem, std::exchange(m_now, std::move(outside))});
    }

    void inspectInside(const Value& value, const std::string& path)
    {
        for (const ValuePtr& item : value.items)
            inspectItem(item, path);
        inspectMembers(value, path);
    }

    /// Items have the type of the list's items, which no path names.
    void inspectItem(const ValuePtr& item, const std::string& path)
    {
        const bool wasItem = std::exchange(m_isItem, true);
        inspect(item, path);
        m_isItem = wasItem;
    }

    void inspectMembers(const Value& value, const std::string& path)
    {
        for (const Member& member : value.members) {
            if (value.style == Style::Flow && value.members.size() == 1 && member.value->isNull())
                inspectUnquoted(value, member);
            inspectKey(member);
            inspect(member.value, syntax::joinedPath(path, member.key));
        }
    }

    void inspectText(const ValuePtr& value, const std::string& path)
    {
        for (std::size_t i = value->text.find('{'); i != std::string::npos; i = value->text.find('{', i + 1)) {
            const std::string_view name = placeholderAt(value->text, i);
            if (name.empty())
                continue;
            if (const Parameter* used = m_parameters.find(name)) {
                m_now.used.insert(used);
                if (path == "name")
                    reportInName(*value, name);
                else if (name.size() + 2 == value->text.size())
                    inspectWhole(value, *used, path);
                else
                    inspectPart(*value, *used);
            } else if (!isForOthers(value->text, i) && std::find(runtimeNames.begin(), runtimeNames.end(), name) == runtimeNames.end()) {
                reportUnknown(*value, name);
            }
        }
    }

    void reportInName(const Value& value, std::string_view name)
    {
        if (m_findings.isNew(Code::PlaceholderInName, value, name))
            report(Code::PlaceholderInName, value,
                   "The placeholder " + base::inQuotes(name) +
                       " in the name is not filled in, here as in srtctl; the parameters are appended to the name anyway.");
    }

    /// The placeholder is the whole value: its type stays here, where srtctl makes a text that only keys of the schema turn back.
    void inspectWhole(const ValuePtr& value, const Parameter& used, const std::string& path)
    {
        const schema::Type* type = m_isItem ? nullptr : typeAt(m_pack, m_document, path);
        const auto wantsText = [&](const ValuePtr& v) { return type && needsText(*type, *v); };
        if (std::any_of(used.values.begin(), used.values.end(), wantsText))
            m_now.texts.insert(value.get());
        const bool isFree = type && type->kind == schema::TypeKind::Any;
        const bool isYaml = path.starts_with("backend.trtllm_config.");
        for (const ValuePtr& chosen : used.values) {
            const bool isNumber = chosen->kind == Kind::Integer || chosen->kind == Kind::Float;
            // A text with a point in it is no whole number, where the number itself is cut to one.
            const bool isRefused = type && type->kind == schema::TypeKind::Integer && chosen->kind == Kind::Float;
            const bool isLost = isRefused || chosen->isNull() || (isFree && chosen->kind == Kind::Bool) ||
                                (isFree && isNumber && (isYaml || isCounted(m_document, path)));
            const bool isOtherText = wantsText(chosen) && textOf(*chosen) != syntax::pythonText(*chosen);
            if (!isLost && !isOtherText)
                continue;
            if (!m_findings.isNew(Code::TypedPlaceholder, *value, used.name))
                return;
            Diagnostic& problem = report(
                Code::TypedPlaceholder, *value,
                base::inQuotes(value->text) + " becomes " + (isOtherText ? base::inQuotes(textOf(*chosen)) : syntax::shown(*chosen)) +
                    " here; srtctl, when it expands this file itself, makes the text " + base::inQuotes(syntax::pythonText(*chosen)) +
                    (isRefused ? " of it, which it refuses." : " of it."));
            problem.path = path;
            addNote(problem, "The value.", *chosen);
            return;
        }
    }

    /// Within a text srtctl writes what Python makes of the value.
    void inspectPart(const Value& value, const Parameter& used)
    {
        for (const ValuePtr& chosen : used.values) {
            const std::string here = textOf(*chosen);
            const std::string there = pythonTextInside(*chosen);
            if (here == there)
                continue;
            if (!m_findings.isNew(Code::TypedPlaceholder, value, used.name))
                return;
            Diagnostic& problem = report(Code::TypedPlaceholder, value,
                                         "\"{" + used.name + "}\" becomes " + base::inQuotes(here) + " in this text; srtctl writes " +
                                             base::inQuotes(there) + ".");
            addNote(problem, "The value.", *chosen);
            return;
        }
    }

    static void addNote(Diagnostic& problem, std::string message, const Value& at)
    {
        if (!at.range.isEmpty())
            problem.notes.push_back({std::move(message), at.range, at.source});
    }

    void inspectKey(const Member& member)
    {
        for (std::size_t i = member.key.find('{'); i != std::string::npos; i = member.key.find('{', i + 1)) {
            const std::string_view name = placeholderAt(member.key, i);
            if (name.empty() || !m_parameters.find(name))
                continue;
            Value key;
            key.range = member.keyRange;
            key.source = member.value->source;
            if (!m_findings.isNew(Code::PlaceholderInKey, key, name))
                continue;
            report(Code::PlaceholderInKey, key,
                   "The placeholder " + base::inQuotes(name) + " stands in a key, where nothing is filled in.");
        }
    }

    void inspectUnquoted(const Value& value, const Member& member)
    {
        const Parameter* meant = m_parameters.find(member.key);
        if (!meant)
            meant = m_parameters.find(nearest(member.key));
        if (!meant)
            return;
        m_now.used.insert(meant);
        if (!m_findings.isNew(Code::UnquotedPlaceholder, value, member.key))
            return;
        Diagnostic& problem = report(Code::UnquotedPlaceholder, value,
                                     "Without quotes {" + member.key + "} is a mapping, and nothing is filled in; put it in quotes.");
        problem.fixes.push_back({"Put it in quotes", {{value.range, "\"{" + meant->name + "}\""}}});
    }

    /// Each name is compared once, and of many only the first ones: a file may hold thousands of either.
    std::string_view nearest(std::string_view name)
    {
        constexpr std::size_t mostCompared = 200;
        const auto known = m_nearest.find(name);
        if (known != m_nearest.end() || m_nearest.size() >= mostCompared)
            return known == m_nearest.end() ? std::string_view() : known->second;
        return m_nearest.emplace(name, base::nearestName(name, m_names)).first->second;
    }

    void reportUnknown(const Value& value, std::string_view name)
    {
        if (!m_findings.isNew(Code::UnknownPlaceholder, value, name))
            return;
        const std::string_view near = nearest(name);
        Diagnostic& problem = report(Code::UnknownPlaceholder, value,
                                     "The sweep has no parameter " + base::inQuotes(name) + ", so the braces reach the job as they are" +
                                         (near.empty() ? "." : "; did you mean \"" + std::string(near) + "\"?"));
        const std::string whole = "{" + std::string(name) + "}";
        if (!near.empty() && value.text == whole && !value.range.isEmpty() && value.definition.isEmpty())
            problem.fixes.push_back({"Change to \"{" + std::string(near) + "}\"", {{value.range, "\"{" + std::string(near) + "}\""}}});
    }

    Diagnostic& report(Code code, const Value& value, std::string message)
    {
        return m_findings.warn(code, value, {}, {}, std::move(message));
    }

    const Parameters& m_parameters;
    const schema::Pack& m_pack;
    Findings& m_findings;
    ValuePtr m_document; ///< That is walked now.
    Inspected m_now;
    std::vector<std::string_view> m_names;
    std::map<std::string, std::string_view, std::less<>> m_nearest;
    std::unordered_map<ValuePtr, std::vector<Kept>> m_kept;
    bool m_isItem = false;
    bool m_isWithinShared = false;
};

/// Nothing when the block cannot be used (told).
std::optional<Parameters> parametersOf(const Member& sweep, Findings& findings)
{
    if (!sweep.value->isMapping()) {
        findings.refuse(Code::BadSweep, *sweep.value, sweep.keyRange,
                        "\"sweep\" must be a mapping from parameter names to lists of values.");
        return std::nullopt;
    }
    if (sweep.value->members.empty()) {
        findings.refuse(Code::BadSweep, *sweep.value, sweep.keyRange, "\"sweep\" has no parameters; delete it or give it one.");
        return std::nullopt;
    }
    Parameters out;
    bool isGood = true;
    for (const Member& member : sweep.value->members) {
        if (!member.value->isSequence() || member.value->items.empty()) {
            const bool isMode = member.key == "mode" || member.key == "parameters";
            findings.refuse(
                Code::BadSweep, *member.value, member.keyRange,
                isMode ? "\"" + member.key +
                             "\" is no parameter: the form with mode and parameters is documented, but srtctl takes the keys of \"sweep\" "
                             "themselves for parameters, each with a list of values."
                       : "The sweep parameter " + base::inQuotes(member.key) + " must be a list with at least one value.");
            isGood = false;
            continue;
        }
        Parameter parameter{member.key, member.keyRange, {}};
        for (const ValuePtr& value : member.value->items)
            parameter.values.push_back(syntax::relabelled(value, Layer::Sweep));
        out.all.push_back(std::move(parameter));
    }
    for (std::size_t i = 0; i < out.all.size(); ++i)
        out.places.emplace(out.all[i].name, i);
    return isGood ? std::optional(std::move(out)) : std::nullopt;
}

/// The name of a parameter, of all of them, that srtctl fills in after the one at `position`; empty when the value has none.
std::string refilled(const Value& value, const Parameters& parameters, std::size_t position)
{
    for (std::size_t i = value.text.find('{'); value.isString() && i != std::string::npos; i = value.text.find('{', i + 1)) {
        const std::string_view name = placeholderAt(value.text, i);
        const auto found = parameters.places.find(name);
        if (found != parameters.places.end() && found->second > position)
            return std::string(name);
    }
    return {};
}

/// Values that stand twice, and values that hold placeholders.
void reportOddValues(const Parameters& parameters, Findings& findings)
{
    for (std::size_t p = 0; p < parameters.all.size(); ++p) {
        const Parameter& parameter = parameters.all[p];
        std::set<std::pair<Kind, std::string>> seen; // the text of a list or mapping does not tell it from others: not compared
        for (const ValuePtr& value : parameter.values) {
            const bool isTwice = value->isScalar() && !seen.emplace(value->kind, value->text).second;
            if (isTwice && findings.isNew(Code::RepeatedSweepValue, *value, parameter.name))
                findings.warn(Code::RepeatedSweepValue, *value, parameter.range, "sweep." + parameter.name,
                              "The parameter " + base::inQuotes(parameter.name) + " has the value " + syntax::shown(*value) +
                                  " twice, which makes the same job twice.");
            const std::string name = refilled(*value, parameters, p);
            if (!name.empty() && findings.isNew(Code::RefilledPlaceholder, *value, name))
                findings.warn(Code::RefilledPlaceholder, *value, parameter.range, "sweep." + parameter.name,
                              "\"{" + name +
                                  "}\" inside a value stays as it is here; srtctl, when it expands this file itself, fills it in.");
        }
    }
}

} // namespace

/// What the variants with one sweep have in common.
struct Sweeper::Shared {
    Shared(Parameters read, const schema::Pack& pack, Findings& findings)
        : parameters(std::move(read))
        , outline(parameters)
        , inspector(parameters, pack, findings)
    {
    }

    Parameters parameters;
    Outline outline;
    Inspector inspector;
    bool isTold = false; ///< What is odd about the sweep itself.
};

struct Sweeper::State {
    const schema::Pack& pack;
    Findings findings;
    std::map<ValuePtr, std::unique_ptr<Shared>> sweeps; ///< By their mapping; null for one that cannot be used.

    Shared* of(const Member& sweep)
    {
        const auto [place, isNew] = sweeps.try_emplace(sweep.value);
        if (isNew) {
            if (auto parameters = parametersOf(sweep, findings))
                place->second = std::make_unique<Shared>(std::move(*parameters), pack, findings);
        }
        return place->second.get();
    }

    /// How many jobs the sweep stands for; 0, and told, when that is too many or when they are too large.
    std::size_t countOf(const Member& sweep, Shared& shared, const ValuePtr& document, std::size_t limit, std::size_t& room)
    {
        std::size_t count = 1;
        for (const Parameter& parameter : shared.parameters.all) {
            if (count > limit / parameter.values.size()) {
                findings.refuse(Code::TooManyJobs, *sweep.value, sweep.keyRange,
                                "The sweep stands for more than " + std::to_string(limit) + " jobs; shorten its lists.");
                return 0;
            }
            count *= parameter.values.size();
        }
        const std::size_t own = shared.outline.ownValues(document);
        if (own > room / count) {
            findings.refuse(Code::TooManyJobs, *sweep.value, sweep.keyRange,
                            "The " + std::to_string(count) + " jobs of the sweep are too large to be held together; shorten its lists.");
            return 0;
        }
        room -= own * count;
        return count;
    }

    void tellOfSweep(const Member& sweep, Shared& shared, const Inspected& inspected, bool isInVariant)
    {
        if (!std::exchange(shared.isTold, true)) {
            reportOddValues(shared.parameters, findings);
            if (isInVariant)
                findings.warn(Code::SweepInVariant, Value(), sweep.keyRange, "sweep",
                              "Here the override is laid over \"base\" first and the result is swept, as documented; srtctl itself refuses "
                              "a sweep inside \"base\" or an override, so submit the resolved jobs.");
        }
        for (const Parameter& parameter : shared.parameters.all) {
            if (inspected.used.contains(&parameter))
                continue;
            Value key;
            key.range = parameter.range;
            if (findings.isNew(Code::UnusedSweepKey, key, parameter.name))
                findings.warn(Code::UnusedSweepKey, key, {}, "sweep." + parameter.name,
                              "No placeholder \"{" + parameter.name + "}\" uses this parameter, so its " +
                                  (parameter.values.size() == 1 ? std::string("value changes nothing.")
                                                                : std::to_string(parameter.values.size()) + " values make the same job."));
        }
    }
};

Sweeper::Sweeper(const schema::Pack& pack, std::vector<Diagnostic>& diagnostics)
    : m_state(new State{pack, Findings(diagnostics), {}})
{
}

Sweeper::~Sweeper() = default;

void Sweeper::countTheRest()
{
    m_state->findings.countTheRest();
}

std::vector<Variant> Sweeper::swept(const Variant& variant, std::size_t limit, std::size_t& room)
{
    const Member* sweep = variant.document->member("sweep");
    if (!sweep)
        return {variant};
    Shared* shared = m_state->of(*sweep);
    if (!shared)
        return {};
    const ValuePtr document = syntax::without(variant.document, "sweep");
    const std::size_t count = m_state->countOf(*sweep, *shared, document, limit, room);
    if (count == 0)
        return {};
    const Inspected inspected = shared->inspector.run(document);
    m_state->tellOfSweep(*sweep, *shared, inspected, variant.suffix.has_value());

    const std::vector<Parameter>& parameters = shared->parameters.all;
    std::vector<Variant> out;
    out.reserve(count);
    const ValuePtr name = document->find("name");
    for (std::size_t index = 0; index < count; ++index) {
        std::vector<ValuePtr> chosen(parameters.size());
        std::size_t rest = index;
        for (std::size_t p = parameters.size(); p-- > 0;) { // the last parameter varies fastest
            const std::vector<ValuePtr>& values = parameters[p].values;
            chosen[p] = values[rest % values.size()];
            rest /= values.size();
        }
        Variant job = variant;
        if (job.section.empty())
            job.section = "sweep";
        if (job.sectionRange.isEmpty())
            job.sectionRange = sweep->keyRange;
        std::string tail;
        for (std::size_t p = 0; p < parameters.size(); ++p) {
            job.params.emplace_back(parameters[p].name, chosen[p]);
            tail += "_" + parameters[p].name + syntax::pythonText(*chosen[p]); // the name that runs of srtctl have, too
        }
        job.document = Filler(shared->parameters, chosen, shared->outline, inspected.texts).filled(document);
        if (name && name->isString()) {
            auto named = std::make_shared<Value>(*name);
            named->text += tail;
            named->layer = Layer::Sweep;
            job.document = syntax::with(job.document, "name", named);
        }
        if (job.suffix)
            *job.suffix += tail;
        out.push_back(std::move(job));
    }
    return out;
}

} // namespace wb::expand
