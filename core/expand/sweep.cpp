#include "core/expand/sweep.h"

#include "core/base/text.h"
#include "core/expand/fields.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string_view>
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

/// The text that a value has inside other text: as written; the items of a list with commas.
std::string textOf(const Value& value)
{
    if (!value.isSequence())
        return value.isNull() ? "null" : value.text;
    std::string out;
    for (const ValuePtr& item : value.items)
        out += (out.empty() ? "" : ",") + textOf(*item);
    return out;
}

/// What srtctl writes for a value: Python's words.
std::string pythonText(const Value& value)
{
    if (value.isNull())
        return "None";
    if (value.kind == Kind::Bool)
        return value.boolean ? "True" : "False";
    return textOf(value);
}

bool isNameChar(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

/// The `{name}` that begins at the brace, without its braces; empty when there is none.
std::string_view placeholderAt(std::string_view text, std::size_t brace)
{
    std::size_t end = brace + 1;
    while (end < text.size() && isNameChar(text[end]))
        ++end;
    const bool isClosed = end < text.size() && text[end] == '}' && end > brace + 1;
    const bool isDoubled = (brace > 0 && text[brace - 1] == '{') || (brace > 0 && text[brace - 1] == '$');
    return isClosed && !isDoubled ? text.substr(brace + 1, end - brace - 1) : std::string_view();
}

/// Which lists and mappings hold placeholders, and how many values each job has of its own because of that.
class Outline
{
public:
    Outline(const std::vector<Parameter>& parameters, const Value& document)
    {
        for (const Parameter& parameter : parameters) {
            std::size_t longest = 0;
            for (const ValuePtr& value : parameter.values)
                longest = std::max(longest, textOf(*value).size());
            m_longest.emplace_back(parameter.name, longest);
        }
        m_ownValues = parameters.size() + measure(document);
    }

    [[nodiscard]] bool holdsPlaceholders(const Value& collection) const { return m_touched.contains(&collection); }
    [[nodiscard]] std::size_t ownValues() const { return m_ownValues; }

private:
    std::size_t measure(const Value& value)
    {
        if (value.isString())
            return measureText(value.text);
        std::size_t inside = 0;
        for (const ValuePtr& item : value.items)
            inside += measure(*item);
        for (const Member& member : value.members)
            inside += measure(*member.value);
        if (inside == 0)
            return 0;
        m_touched.insert(&value);
        return inside + value.items.size() + value.members.size();
    }

    /// A long text counts as as many values as it takes the room of.
    std::size_t measureText(const std::string& text) const
    {
        std::size_t length = 0;
        for (std::size_t i = text.find('{'); i != std::string::npos; i = text.find('{', i + 1)) {
            const std::string_view name = placeholderAt(text, i);
            for (const auto& [parameter, longest] : m_longest)
                length += name == parameter ? longest + 1 : 0;
        }
        constexpr std::size_t bytesOfAValue = 128;
        return length == 0 ? 0 : 1 + (text.size() + length) / bytesOfAValue;
    }

    std::vector<std::pair<std::string_view, std::size_t>> m_longest; ///< Parameter, bytes of its longest value.
    std::unordered_set<const Value*> m_touched;
    std::size_t m_ownValues = 0;
};

/// Values that are one placeholder and stand under a key that takes text only.
using TextPlaces = std::unordered_set<const Value*>;

class Filler
{
public:
    Filler(const std::vector<Parameter>& parameters, const std::vector<ValuePtr>& chosen, const Outline& outline, const TextPlaces& texts)
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
        for (std::size_t i = 0; i < m_parameters.size(); ++i) {
            if (m_parameters[i].name == name)
                return &m_chosen[i];
        }
        return nullptr;
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

    const std::vector<Parameter>& m_parameters;
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

/// Walks a document for placeholders: which parameters are used, what looks like a placeholder and is none, and what srtctl would fill in
/// differently.
class Inspector
{
public:
    Inspector(const std::vector<Parameter>& parameters, const schema::Pack& pack, const ValuePtr& document,
              std::vector<Diagnostic>& diagnostics)
        : m_parameters(parameters)
        , m_pack(pack)
        , m_document(document)
        , m_diagnostics(diagnostics)
    {
    }

    void run() { inspectMembers(*m_document, {}); }

    [[nodiscard]] bool isUsed(const std::string& name) const { return m_used.contains(name); }
    [[nodiscard]] TextPlaces takeTexts() { return std::move(m_texts); }

private:
    void inspect(const ValuePtr& value, const std::string& path)
    {
        if (value->isString())
            inspectText(value, path);
        for (const ValuePtr& item : value->items)
            inspectItem(item, path);
        inspectMembers(*value, path);
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
            inspect(member.value, path.empty() ? member.key : path + "." + member.key);
        }
    }

    const Parameter* parameter(std::string_view name) const
    {
        const auto found = std::find_if(m_parameters.begin(), m_parameters.end(), [&](const Parameter& p) { return p.name == name; });
        return found == m_parameters.end() ? nullptr : &*found;
    }

    void inspectText(const ValuePtr& value, const std::string& path)
    {
        for (std::size_t i = value->text.find('{'); i != std::string::npos; i = value->text.find('{', i + 1)) {
            const std::string_view name = placeholderAt(value->text, i);
            if (name.empty())
                continue;
            if (const Parameter* used = parameter(name)) {
                m_used.emplace(name);
                if (path == "name")
                    report(Code::PlaceholderInName, *value,
                           "The placeholder " + base::inQuotes(name) +
                               " in the name is not filled in, here as in srtctl; the parameters are appended to the name anyway.");
                else if (name.size() + 2 == value->text.size())
                    inspectWhole(value, *used, path);
                else
                    inspectPart(*value, *used);
            } else if (std::find(runtimeNames.begin(), runtimeNames.end(), name) == runtimeNames.end()) {
                reportUnknown(*value, name);
            }
        }
    }

    /// The placeholder is the whole value: its type stays here, where srtctl makes a text that only keys of the schema turn back.
    void inspectWhole(const ValuePtr& value, const Parameter& used, const std::string& path)
    {
        const schema::Type* type = m_isItem ? nullptr : typeAt(m_pack, m_document, path);
        const auto wantsText = [&](const ValuePtr& v) { return type && needsText(*type, *v); };
        if (std::any_of(used.values.begin(), used.values.end(), wantsText))
            m_texts.insert(value.get());
        const bool isFree = type && type->kind == schema::TypeKind::Any;
        const bool isYaml = path.starts_with("backend.trtllm_config.");
        for (const ValuePtr& chosen : used.values) {
            const bool isNumber = chosen->kind == Kind::Integer || chosen->kind == Kind::Float;
            const bool isLost = chosen->isNull() || (isFree && chosen->kind == Kind::Bool) ||
                                (isFree && isNumber && (isYaml || isCounted(m_document, path)));
            if (!isLost)
                continue;
            Diagnostic& problem =
                report(Code::TypedPlaceholder, *value,
                       base::inQuotes(value->text) + " becomes " + syntax::shown(*chosen) +
                           " here; srtctl, when it expands this file itself, makes the text \"" + pythonText(*chosen) + "\" of it.");
            problem.path = path;
            addNote(problem, "The value.", *chosen);
            return;
        }
    }

    /// Within a text srtctl writes Python's words.
    void inspectPart(const Value& value, const Parameter& used)
    {
        for (const ValuePtr& chosen : used.values) {
            if (chosen->kind != Kind::Bool && !chosen->isNull())
                continue;
            Diagnostic& problem = report(Code::TypedPlaceholder, value,
                                         "\"{" + used.name + "}\" becomes \"" + textOf(*chosen) + "\" in this text; srtctl writes \"" +
                                             pythonText(*chosen) + "\".");
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
            if (name.empty() || !parameter(name))
                continue;
            Value key;
            key.range = member.keyRange;
            key.source = member.value->source;
            report(Code::PlaceholderInKey, key,
                   "The placeholder " + base::inQuotes(name) + " stands in a key, where nothing is filled in.");
        }
    }

    void inspectUnquoted(const Value& value, const Member& member)
    {
        std::string_view meant = member.key;
        if (!parameter(meant)) {
            meant = nearest(member.key);
            if (meant.empty())
                return;
        }
        m_used.emplace(meant);
        Diagnostic& problem = report(Code::UnquotedPlaceholder, value,
                                     "Without quotes {" + member.key + "} is a mapping, and nothing is filled in; put it in quotes.");
        problem.fixes.push_back({"Put it in quotes", {{value.range, "\"{" + std::string(meant) + "}\""}}});
    }

    std::string_view nearest(std::string_view name) const
    {
        std::vector<std::string_view> names;
        for (const Parameter& parameter : m_parameters)
            names.emplace_back(parameter.name);
        return base::nearestName(name, names);
    }

    void reportUnknown(const Value& value, std::string_view name)
    {
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
        Diagnostic problem;
        problem.code = code;
        problem.severity = Severity::Warning;
        problem.range = value.range;
        problem.source = value.source;
        problem.message = std::move(message);
        m_diagnostics.push_back(std::move(problem));
        return m_diagnostics.back();
    }

    const std::vector<Parameter>& m_parameters;
    const schema::Pack& m_pack;
    const ValuePtr& m_document;
    std::vector<Diagnostic>& m_diagnostics;
    std::set<std::string, std::less<>> m_used;
    TextPlaces m_texts;
    bool m_isItem = false;
};

void reportBad(std::vector<Diagnostic>& diagnostics, const Value& at, syntax::Range otherwise, std::string message,
               Code code = Code::BadSweep)
{
    Diagnostic problem;
    problem.code = code;
    problem.range = at.range.isEmpty() ? otherwise : at.range;
    problem.source = at.source;
    problem.path = "sweep";
    problem.message = std::move(message);
    diagnostics.push_back(std::move(problem));
}

/// Nothing when the block cannot be used (told).
std::optional<std::vector<Parameter>> parametersOf(const Member& sweep, std::vector<Diagnostic>& diagnostics)
{
    if (!sweep.value->isMapping()) {
        reportBad(diagnostics, *sweep.value, sweep.keyRange, "\"sweep\" must be a mapping from parameter names to lists of values.");
        return std::nullopt;
    }
    if (sweep.value->members.empty()) {
        reportBad(diagnostics, *sweep.value, sweep.keyRange, "\"sweep\" has no parameters; delete it or give it one.");
        return std::nullopt;
    }
    std::vector<Parameter> out;
    bool isGood = true;
    for (const Member& member : sweep.value->members) {
        if (!member.value->isSequence() || member.value->items.empty()) {
            const bool isMode = member.key == "mode" || member.key == "parameters";
            reportBad(
                diagnostics, *member.value, member.keyRange,
                isMode ? "\"" + member.key +
                             "\" is no parameter: the form with mode and parameters is documented, but srtctl takes the keys of \"sweep\" "
                             "themselves for parameters, each with a list of values."
                       : "The sweep parameter " + base::inQuotes(member.key) + " must be a list with at least one value.");
            isGood = false;
            continue;
        }
        out.push_back({member.key, member.keyRange, member.value->items});
    }
    return isGood ? std::optional(std::move(out)) : std::nullopt;
}

Diagnostic& warn(std::vector<Diagnostic>& diagnostics, Code code, const Value& at, syntax::Range otherwise, std::string path,
                 std::string message)
{
    Diagnostic problem;
    problem.code = code;
    problem.severity = Severity::Warning;
    problem.range = at.range.isEmpty() ? otherwise : at.range;
    problem.source = at.source;
    problem.path = std::move(path);
    problem.message = std::move(message);
    diagnostics.push_back(std::move(problem));
    return diagnostics.back();
}

/// The name of a parameter, of all of them, that srtctl fills in after the one at `position`; empty when the value has none.
std::string refilled(const Value& value, const std::vector<Parameter>& parameters, std::size_t position)
{
    for (std::size_t i = value.text.find('{'); value.isString() && i != std::string::npos; i = value.text.find('{', i + 1)) {
        const std::string_view name = placeholderAt(value.text, i);
        for (std::size_t later = position + 1; later < parameters.size() && !name.empty(); ++later) {
            if (parameters[later].name == name)
                return parameters[later].name;
        }
    }
    return {};
}

/// Values that stand twice, and values that hold placeholders.
void reportOddValues(const std::vector<Parameter>& parameters, std::vector<Diagnostic>& diagnostics)
{
    for (std::size_t p = 0; p < parameters.size(); ++p) {
        const Parameter& parameter = parameters[p];
        std::set<std::pair<Kind, std::string>> seen; // the text of a list or mapping does not tell it from others: not compared
        for (const ValuePtr& value : parameter.values) {
            if (value->isScalar() && !seen.emplace(value->kind, value->text).second)
                warn(diagnostics, Code::RepeatedSweepValue, *value, parameter.range, "sweep." + parameter.name,
                     "The parameter " + base::inQuotes(parameter.name) + " has the value " + syntax::shown(*value) +
                         " twice, which makes the same job twice.");
            if (const std::string name = refilled(*value, parameters, p); !name.empty())
                warn(diagnostics, Code::RefilledPlaceholder, *value, parameter.range, "sweep." + parameter.name,
                     "\"{" + name + "}\" inside a value stays as it is here; srtctl, when it expands this file itself, fills it in.");
        }
    }
}

void reportInVariant(const Member& sweep, std::vector<Diagnostic>& diagnostics)
{
    warn(diagnostics, Code::SweepInVariant, Value(), sweep.keyRange, "sweep",
         "Here the override is laid over \"base\" first and the result is swept, as documented; srtctl itself refuses a sweep inside "
         "\"base\" or an override, so submit the resolved jobs.");
}

} // namespace

std::vector<Variant> sweptVariants(const Variant& variant, const schema::Pack& pack, std::size_t limit, std::size_t& room,
                                   std::vector<Diagnostic>& diagnostics)
{
    const Member* sweep = variant.document->member("sweep");
    if (!sweep)
        return {variant};
    auto parameters = parametersOf(*sweep, diagnostics);
    if (!parameters)
        return {};
    std::size_t count = 1;
    for (const Parameter& parameter : *parameters) {
        if (count > limit / parameter.values.size()) {
            reportBad(diagnostics, *sweep->value, sweep->keyRange,
                      "The sweep stands for more than " + std::to_string(limit) + " jobs; shorten its lists.", Code::TooManyJobs);
            return {};
        }
        count *= parameter.values.size();
    }
    const ValuePtr document = syntax::without(variant.document, "sweep");
    const Outline outline(*parameters, *document);
    if (outline.ownValues() > room / count) {
        reportBad(diagnostics, *sweep->value, sweep->keyRange,
                  "The " + std::to_string(count) + " jobs of the sweep are too large to be held together; shorten its lists.",
                  Code::TooManyJobs);
        return {};
    }
    room -= outline.ownValues() * count;
    for (Parameter& parameter : *parameters) {
        for (ValuePtr& value : parameter.values)
            value = syntax::relabelled(value, Layer::Sweep);
    }
    Inspector inspector(*parameters, pack, document, diagnostics);
    inspector.run();
    const TextPlaces texts = inspector.takeTexts();
    reportOddValues(*parameters, diagnostics);
    if (variant.suffix)
        reportInVariant(*sweep, diagnostics);
    for (const Parameter& parameter : *parameters) {
        if (inspector.isUsed(parameter.name))
            continue;
        Diagnostic problem;
        problem.code = Code::UnusedSweepKey;
        problem.severity = Severity::Warning;
        problem.range = parameter.range;
        problem.path = "sweep." + parameter.name;
        problem.message = "No placeholder \"{" + parameter.name + "}\" uses this parameter, so its " +
                          std::to_string(parameter.values.size()) + " values make the same job.";
        diagnostics.push_back(std::move(problem));
    }

    std::vector<Variant> out;
    out.reserve(count);
    const ValuePtr name = document->find("name");
    for (std::size_t index = 0; index < count; ++index) {
        std::vector<ValuePtr> chosen(parameters->size());
        std::size_t rest = index;
        for (std::size_t p = parameters->size(); p-- > 0;) { // the last parameter varies fastest
            const std::vector<ValuePtr>& values = (*parameters)[p].values;
            chosen[p] = values[rest % values.size()];
            rest /= values.size();
        }
        Variant job = variant;
        if (job.section.empty())
            job.section = "sweep";
        if (job.sectionRange.isEmpty())
            job.sectionRange = sweep->keyRange;
        std::string tail;
        for (std::size_t p = 0; p < parameters->size(); ++p) {
            job.params.emplace_back((*parameters)[p].name, chosen[p]);
            tail += "_" + (*parameters)[p].name + pythonText(*chosen[p]); // the name that runs of srtctl have, too
        }
        job.document = Filler(*parameters, chosen, outline, texts).filled(document);
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
