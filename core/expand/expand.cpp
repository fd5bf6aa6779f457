#include "core/base/text.h"
#include "core/expand/fields.h"
#include "core/expand/lock.h"
#include "core/expand/merge.h"
#include "core/expand/selector.h"
#include "core/expand/settingpath.h"
#include "core/expand/sweep.h"
#include "core/expand/variant.h"
#include "core/syntax/dottedpath.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>

namespace wb::expand {

using syntax::Code;
using syntax::Diagnostic;
using syntax::Layer;
using syntax::Member;
using syntax::Severity;
using syntax::Value;
using syntax::ValuePtr;

namespace {

constexpr std::string_view overridePrefix = "override_";
constexpr std::string_view zipPrefix = "zip_override_";

/// A list inside a zip section: its elements go one to each variant.
struct Dimension {
    std::string path;
    ValuePtr list;
};

void collectDimensions(const ValuePtr& value, const std::string& path, std::vector<Dimension>& out)
{
    for (const Member& member : value->members) {
        const std::string here = syntax::joinedPath(path, member.key);
        if (member.value->isSequence())
            out.push_back({here, member.value});
        else if (member.value->isMapping())
            collectDimensions(member.value, here, out);
    }
}

/// Element `index` of every list of the section.
ValuePtr slice(const ValuePtr& value, std::size_t index)
{
    auto out = std::make_shared<Value>(*value);
    for (Member& member : out->members) {
        if (member.value->isSequence())
            member.value = member.value->items[member.value->items.size() == 1 ? 0 : index];
        else if (member.value->isMapping())
            member.value = slice(member.value, index);
    }
    return out;
}

/// How many values a variant has of its own when `over` is laid over `base`: the mappings along the changed paths are made anew.
std::size_t ownValues(const ValuePtr& base, const ValuePtr& over)
{
    if (!base || !base->isMapping())
        return 0; // shared with the section
    std::size_t count = base->members.size() + over->members.size();
    for (const Member& member : over->members) {
        if (member.value->isMapping())
            count += ownValues(base->find(member.key), member.value);
    }
    return count;
}

/// All members of a section, which each slice of a zip has of its own.
std::size_t membersIn(const ValuePtr& section)
{
    std::size_t count = section->members.size();
    for (const Member& member : section->members) {
        if (member.value->isMapping())
            count += membersIn(member.value);
    }
    return count;
}

class Expander
{
public:
    Expander(const syntax::Parsed& parsed, const Options& options)
        : m_parsed(parsed)
        , m_options(options)
        , m_pack(options.pack ? options.pack : schema::builtInPack("v1"))
        , m_room(options.mostOwnValues)
    {
    }

    Expanded run()
    {
        const ValuePtr& root = m_parsed.root;
        if (!root || !root->isMapping()) {
            addPlain(root);
            return std::move(m_out);
        }
        if (root->member("base"))
            m_out.form = Form::Override;
        else if (root->member("sweep"))
            m_out.form = Form::Sweep;
        describeLock(m_parsed, m_out.form, m_out.diagnostics);
        if (m_out.form == Form::Override)
            addOverrides();
        else
            addPlain(syntax::without(root, "lock"));
        if (m_out.form == Form::Sweep)
            m_namesJob = !m_options.selector.empty();
        refuseUnknownSelector();
        applySettings();
        sweep();
        selectJob();
        return std::move(m_out);
    }

private:
    Diagnostic& report(Code code, syntax::Range range, std::string message, Severity severity = Severity::Error)
    {
        Diagnostic problem;
        problem.code = code;
        problem.severity = severity;
        problem.range = range;
        problem.message = std::move(message);
        m_out.diagnostics.push_back(std::move(problem));
        return m_out.diagnostics.back();
    }

    void addPlain(const ValuePtr& document)
    {
        Variant variant;
        variant.document = document;
        m_out.variants.push_back(std::move(variant));
    }

    void addOverrides()
    {
        const Member* base = m_parsed.root->member("base");
        std::vector<const Member*> overrides;
        std::vector<const Member*> zips;
        for (const Member& member : m_parsed.root->members) {
            const bool isText = member.keyKind == syntax::Kind::String;
            if (isText && member.key.starts_with(overridePrefix))
                overrides.push_back(&member);
            else if (isText && member.key.starts_with(zipPrefix))
                zips.push_back(&member);
            else if (&member != base)
                reportStray(member);
        }
        const auto byKey = [](const Member* a, const Member* b) { return a->key < b->key; };
        std::sort(overrides.begin(), overrides.end(), byKey);
        std::sort(zips.begin(), zips.end(), byKey);
        if (!base->value->isMapping()) {
            report(Code::BadVariant, base->value->range.isEmpty() ? base->keyRange : base->value->range,
                   "\"base\" must be a mapping: the recipe over which the overrides are laid, not " +
                       std::string(syntax::describe(base->value->kind)) + ".")
                .path = "base";
            return;
        }
        const auto selector = readSelector(m_options.selector);
        if (selector && selector->kind == Selector::Kind::Base)
            addBase(*base);
        for (const Member* section : overrides)
            addOverride(*base, *section);
        for (const Member* section : zips)
            addZip(*base, *section);
        // Of a text that could be read in part only, it is not known what else it holds.
        if (overrides.empty() && zips.empty() && m_options.selector.empty() && m_parsed.complete) {
            report(Code::BadVariant, base->keyRange,
                   "The file has a \"base\" and no override_<name> or zip_override_<name> section, so it stands for no job.",
                   Severity::Warning);
        }
        reportSuffixClashes();
        select(selector);
    }

    void reportStray(const Member& member)
    {
        const bool isRead = member.key.starts_with("x-") || member.key == "schema" || // the language stands beside base
                            member.key == "lock";                                     // told by describeLock
        if (member.keyKind == syntax::Kind::String && isRead)
            return;
        Diagnostic& problem = report(Code::UnknownTopKey, member.keyRange,
                                     "Beside \"base\" only override_<name> and zip_override_<name> sections count; " +
                                         base::inQuotes(member.key) + " would be ignored without a word.");
        problem.path = member.key;
        // A misspelt prefix in front of the name that the author gave: "overide_small", "zip_overide_tp".
        for (const std::string_view prefix : {zipPrefix, overridePrefix}) {
            const auto underscores = std::count(prefix.begin(), prefix.end(), '_');
            std::size_t nameBegin = 0;
            for (auto i = underscores; i > 0 && nameBegin != std::string::npos; --i) {
                const std::size_t mark = member.key.find('_', nameBegin);
                nameBegin = mark == std::string::npos ? mark : mark + 1;
            }
            if (nameBegin == std::string::npos || base::editDistance(std::string_view(member.key).substr(0, nameBegin), prefix, 3) > 3)
                continue;
            const std::string meant = std::string(prefix) + member.key.substr(nameBegin);
            problem.message += " Did you mean \"" + meant + "\"?";
            problem.fixes.push_back({"Change to \"" + meant + "\"", {{member.keyRange, meant}}});
            return;
        }
        if (m_parsed.root->member("base")->value->isMapping())
            problem.notes.push_back(
                {"A key for every job belongs below \"base\".", m_parsed.root->member("base")->keyRange, syntax::Source::Recipe});
    }

    void addBase(const Member& base)
    {
        Variant variant;
        variant.suffix = "base";
        variant.section = "base";
        variant.sectionRange = base.keyRange;
        variant.document = base.value;
        m_out.variants.push_back(std::move(variant));
    }

    static std::string baseName(const Member& base)
    {
        const ValuePtr name = base.value->find("name");
        return name && name->isString() ? name->text : "unnamed";
    }

    /// False, and told, when the section is no mapping.
    bool isUsable(const Member& section)
    {
        if (section.value->isMapping())
            return true;
        Diagnostic& problem = report(Code::BadVariant, section.value->range.isEmpty() ? section.keyRange : section.value->range,
                                     base::inQuotes(section.key) + " must be a mapping of the keys to change, not " +
                                         std::string(syntax::describe(section.value->kind)) + ".");
        problem.path = section.key;
        return false;
    }

    /// Takes what the section's variants hold off what may be held; false, and told, when that is too much.
    bool hasRoom(const Member& section, std::size_t each, std::size_t count)
    {
        if (each <= m_room / count) {
            m_room -= each * count;
            return true;
        }
        report(Code::TooManyJobs, section.keyRange,
               "The jobs of " + base::inQuotes(section.key) +
                   " and the sections before it are too large to be held together; split the file.")
            .path = section.key;
        return false;
    }

    static ValuePtr namedDocument(const ValuePtr& document, const std::string& name, syntax::Range range)
    {
        auto value = std::make_shared<Value>();
        value->kind = syntax::Kind::String;
        value->style = syntax::Style::DoubleQuoted;
        value->text = name;
        value->layer = Layer::Override;
        value->range = range;
        return syntax::with(document, "name", value);
    }

    void addOverride(const Member& base, const Member& section)
    {
        if (!isUsable(section))
            return;
        if (!hasRoom(section, ownValues(base.value, section.value), 1))
            return;
        const ValuePtr over = syntax::relabelled(section.value, Layer::Override);
        Variant variant;
        variant.suffix = section.key.substr(overridePrefix.size());
        variant.section = section.key;
        variant.sectionRange = section.keyRange;
        variant.params = leaves(over);
        variant.document = merged(base.value, over);
        if (!over->member("name"))
            variant.document = namedDocument(variant.document, baseName(base) + "_" + *variant.suffix, section.keyRange);
        m_out.variants.push_back(std::move(variant));
    }

    void addZip(const Member& base, const Member& section)
    {
        if (!isUsable(section))
            return;
        std::vector<Dimension> dimensions;
        collectDimensions(section.value, {}, dimensions);
        const auto count = zipLength(section, dimensions);
        if (!count)
            return;
        if (*count > m_options.limit) {
            report(Code::TooManyJobs, section.keyRange,
                   base::inQuotes(section.key) + " stands for " + std::to_string(*count) + " jobs, more than the limit of " +
                       std::to_string(m_options.limit) + ".");
            return;
        }
        if (!hasRoom(section, ownValues(base.value, section.value) + membersIn(section.value), *count))
            return;
        const Member* name = section.value->member("name");
        const bool hasNames = name && name->value->isSequence();
        if (name && !hasNames && !name->value->isNull()) {
            report(Code::ScalarNameInZip, name->value->range.isEmpty() ? name->keyRange : name->value->range,
                   "A single name in a zip section is ignored; give a list of names, one for each job, or delete it.", Severity::Warning)
                .path = section.key + ".name";
        }
        const std::string group = section.key.substr(zipPrefix.size());
        const ValuePtr whole = syntax::relabelled(hasNames ? section.value : syntax::without(section.value, "name"), Layer::Override);
        reportZipNulls(section, base, section.value, {});
        reportCutLists(section, base, dimensions);
        reportLostQuotes(section, *base.value);
        for (std::size_t i = 0; i < *count; ++i) {
            const ValuePtr over = slice(whole, i);
            Variant variant;
            variant.suffix = group + "_" + std::to_string(i);
            variant.section = section.key + "[" + std::to_string(i) + "]";
            variant.sectionRange = section.keyRange;
            variant.params = leaves(over);
            variant.document = merged(base.value, over);
            if (!hasNames)
                variant.document = namedDocument(variant.document, baseName(base) + "_" + *variant.suffix, section.keyRange);
            m_out.variants.push_back(std::move(variant));
        }
    }

    std::optional<std::size_t> zipLength(const Member& section, const std::vector<Dimension>& dimensions)
    {
        std::size_t length = 1;
        const Dimension* longest = nullptr;
        if (dimensions.empty()) {
            report(Code::ZipEmpty, section.keyRange,
                   base::inQuotes(section.key) +
                       " has no list, so there is nothing to walk through; use override_<name> for a single job.");
            return std::nullopt;
        }
        for (const Dimension& dimension : dimensions) {
            const std::size_t size = dimension.list->items.size();
            if (size == 0) {
                report(Code::ZipEmpty, dimension.list->range,
                       "The list " + base::inQuotes(dimension.path) + " is empty; a zip section needs a value for each job.")
                    .path = section.key + "." + dimension.path;
                return std::nullopt;
            }
            if (size == 1)
                continue;
            if (longest && size != length) {
                Diagnostic& problem = report(Code::ZipLength, dimension.list->range,
                                             "The list " + base::inQuotes(dimension.path) + " has " + std::to_string(size) +
                                                 " values, and " + base::inQuotes(longest->path) + " has " + std::to_string(length) +
                                                 "; lists of a zip section are walked in step.");
                problem.path = section.key + "." + dimension.path;
                problem.notes.push_back({"The other list.", longest->list->range, syntax::Source::Recipe});
                return std::nullopt;
            }
            length = size;
            longest = &dimension;
        }
        return length;
    }

    /// Nulls of a section that delete a key of base; elsewhere null deletes nothing, here as upstream.
    void reportZipNulls(const Member& section, const Member& base, const ValuePtr& value, const std::string& path)
    {
        for (const Member& member : value->members) {
            const std::string here = syntax::joinedPath(path, member.key);
            if (member.value->isMapping()) {
                reportZipNulls(section, base, member.value, here);
                continue;
            }
            if (here == "name" || !syntax::at(base.value, here))
                continue;
            if (member.value->isNull())
                reportZipNull(section, here, member.value->range.isEmpty() ? member.keyRange : member.value->range);
            for (const ValuePtr& item : member.value->items) {
                if (item->isNull())
                    reportZipNull(section, here, item->range.isEmpty() ? member.value->range : item->range);
            }
        }
    }

    void reportZipNull(const Member& section, const std::string& path, syntax::Range range)
    {
        report(Code::ZipNull, range,
               "Null in a zip deletes " + base::inQuotes(path) +
                   " here; upstream checks the job without the key and then submits it with the value of \"base\".",
               Severity::Warning)
            .path = section.key + "." + path;
    }

    /// Lists that were meant as one value for every job.
    void reportCutLists(const Member& section, const Member& base, const std::vector<Dimension>& dimensions)
    {
        for (const Dimension& dimension : dimensions) {
            const schema::Type* type = typeAt(*m_pack, base.value, dimension.path);
            const std::vector<ValuePtr>& items = dimension.list->items;
            const auto isCut = [&](const ValuePtr& item) { return item->isScalar() && !item->isNull() && needsList(*type, *item); };
            if (!type || !std::any_of(items.begin(), items.end(), isCut))
                continue;
            Diagnostic& problem = report(Code::ZipScalarList, dimension.list->range,
                                         "In a zip section this list is cut into its elements, so each job gets a single value for " +
                                             base::inQuotes(dimension.path) + ", which takes a list; write a list of lists.");
            problem.path = section.key + "." + dimension.path;
            if (dimension.list->range.isEmpty() || !dimension.list->definition.isEmpty())
                continue;
            syntax::Fix each{"Give each job a list of one value", {}};
            for (const ValuePtr& item : items) {
                if (!isCut(item))
                    continue;
                each.edits.push_back({{item->range.begin, item->range.begin}, "["});
                each.edits.push_back({{item->range.end, item->range.end}, "]"});
            }
            problem.fixes.push_back(std::move(each));
            if (dimension.list->style == syntax::Style::Flow)
                problem.fixes.push_back({"Give every job the whole list",
                                         {{{dimension.list->range.begin, dimension.list->range.begin}, "["},
                                          {{dimension.list->range.end, dimension.list->range.end}, "]"}}});
        }
    }

    /// Texts in quotes that srtctl's writer of zip jobs leaves bare and its reader then takes for something else.
    void reportLostQuotes(const Member& section, const Value& value)
    {
        if (value.isString() && (value.style == syntax::Style::SingleQuoted || value.style == syntax::Style::DoubleQuoted)) {
            Value bare;
            syntax::resolvePlain(value.text, bare);
            const bool isWord =
                bare.kind == syntax::Kind::Bool && base::lowered(value.text) != "true" && base::lowered(value.text) != "false";
            const bool isSixty =
                (bare.kind == syntax::Kind::Integer || bare.kind == syntax::Kind::Float) && value.text.find(':') != std::string::npos;
            if (isWord || isSixty) {
                Diagnostic& problem =
                    report(Code::ZipQuotes, value.range,
                           "This text keeps its quotes here; srtctl drops them in each job of " + base::inQuotes(section.key) +
                               " and then reads " + (isWord ? "a boolean" : "a number") + ", so submit the resolved jobs.",
                           Severity::Warning);
                problem.notes.push_back({"The zip section.", section.keyRange, syntax::Source::Recipe});
            }
        }
        for (const ValuePtr& item : value.items)
            reportLostQuotes(section, *item);
        for (const Member& member : value.members)
            reportLostQuotes(section, *member.value);
    }

    void reportSuffixClashes()
    {
        std::map<std::string, const Variant*> first;
        for (const Variant& variant : m_out.variants) {
            const auto [earlier, isNew] = first.emplace(*variant.suffix, &variant);
            if (isNew || earlier->second->section == "base")
                continue;
            Diagnostic& problem = report(Code::SuffixClash, variant.sectionRange,
                                         "The job " + base::inQuotes(*variant.suffix) + " of " + variant.section +
                                             " has the suffix of another job of this file.");
            problem.notes.push_back({"The other section.", earlier->second->sectionRange, syntax::Source::Recipe});
        }
        for (const Member& member : m_parsed.root->members) {
            if (member.key == "override_base") {
                report(Code::SuffixClash, member.keyRange,
                       "The suffix \"base\" means the bare base recipe, so upstream would run that instead of this section; rename it.");
            }
        }
    }

    void select(const std::optional<Selector>& selector)
    {
        if (m_options.selector.empty())
            return;
        // Jobs are shown by their suffixes, which srtctl does not take. "1" is the suffix of override_1, and not the second job.
        for (const Variant& variant : m_out.variants) {
            if (variant.suffix == m_options.selector)
                m_meantSelector = variant.section;
        }
        m_namesJob = !selector;
        if (m_namesJob)
            return; // a sweep below base may give a job of that name
        const auto sectionOf = [](const Variant& v) { return v.section.substr(0, v.section.find('[')); };
        std::erase_if(m_out.variants, [&](const Variant& v) {
            switch (selector->kind) {
            case Selector::Kind::All:
                return false;
            case Selector::Kind::Base:
                return v.section != "base";
            case Selector::Kind::Section:
                return sectionOf(v) != selector->section;
            case Selector::Kind::Slice:
                return v.section != selector->section + "[" + std::to_string(selector->slice) + "]";
            case Selector::Kind::Glob:
                return !matchesGlob(selector->section, sectionOf(v));
            }
            return false;
        });
        if (selector->kind == Selector::Kind::Glob) // overrides and zips sorted together
            std::stable_sort(m_out.variants.begin(), m_out.variants.end(),
                             [&](const Variant& a, const Variant& b) { return sectionOf(a) < sectionOf(b); });
    }

    void refuseUnknownSelector()
    {
        if (m_options.selector.empty() || m_namesJob || (m_out.form == Form::Override && !m_out.variants.empty()))
            return;
        if (m_out.form == Form::Override && syntax::hasErrors(m_out.diagnostics))
            return;
        refuseSelector();
    }

    void refuseSelector()
    {
        std::string known;
        for (const Member& member : m_parsed.root->members) {
            const bool isZip = member.key.starts_with(zipPrefix);
            if (member.key == "base" || member.key.starts_with(overridePrefix) || isZip)
                known += (known.empty() ? "" : ", ") + base::printable(member.key) +
                         (isZip ? " (one of it: " + base::printable(member.key) + "[0])" : "");
        }
        const bool isOverride = m_out.form == Form::Override;
        Diagnostic& problem =
            report(Code::NoSuchSelector, {0, 0},
                   isOverride ? "The selector " + base::inQuotes(m_options.selector) + " names nothing here" +
                                    (m_meantSelector.empty() ? std::string() : "; did you mean " + base::inQuotes(m_meantSelector) + "?") +
                                    (m_meantSelector.empty() ? "; the file has " : " The file has ") + known + "."
                              : "The selector " + base::inQuotes(m_options.selector) +
                                    " needs a file with \"base\" and overrides, or a sweep; this one has neither.");
        problem.source = syntax::Source::CommandLine;
        m_out.variants.clear();
    }

    static std::string_view nameOf(const Variant& variant)
    {
        const ValuePtr name = variant.document && variant.document->isMapping() ? variant.document->find("name") : nullptr;
        return name && name->isString() ? std::string_view(name->text) : std::string_view();
    }

    /// Jobs of a sweep have no selector in the language: theirs is the name, or the number as `srtwb expand` counts.
    void selectJob()
    {
        if (!m_namesJob)
            return;
        const bool isMeant = !m_meantSelector.empty();
        const bool mayBeJob = m_hasSweep && !isMeant; // without a sweep each job has a selector of the language
        std::vector<Variant>& jobs = m_out.variants;
        const std::string_view wanted = m_options.selector;
        const auto isIt = [&](const Variant& variant) { return nameOf(variant) == wanted; };
        if (mayBeJob && std::any_of(jobs.begin(), jobs.end(), isIt)) {
            std::erase_if(jobs, [&](const Variant& variant) { return !isIt(variant); });
            return;
        }
        const auto number = mayBeJob ? base::integerOf(wanted) : std::nullopt;
        if (number && *number >= 0 && static_cast<std::size_t>(*number) < jobs.size()) {
            Variant one = std::move(jobs[static_cast<std::size_t>(*number)]);
            jobs.clear();
            jobs.push_back(std::move(one));
            return;
        }
        if (!isMeant && syntax::hasErrors(m_out.diagnostics)) { // which jobs there would be is not known
            jobs.clear();
            return;
        }
        if (m_out.form == Form::Override || !m_hasSweep) {
            refuseSelector();
            return;
        }
        std::vector<std::string_view> names;
        for (const Variant& job : jobs)
            names.push_back(nameOf(job));
        const std::string_view near = base::nearestName(wanted, names);
        report(Code::NoSuchSelector, {0, 0},
               "The selector " + base::inQuotes(wanted) + " names no job of this sweep" +
                   (near.empty() ? std::string() : "; did you mean " + base::inQuotes(near) + "?") +
                   (near.empty() ? "; it takes" : " It takes") + " the name of one of its " + std::to_string(jobs.size()) +
                   " jobs, as \"srtwb expand\" lists them, or the number, from 0 on.")
            .source = syntax::Source::CommandLine;
        jobs.clear();
    }

    void applySettings()
    {
        for (const Setting& setting : m_options.settings) {
            const std::string option = setting.remove ? "--unset " : "--set ";
            const SettingPath path = settingPath(setting.key);
            if (!path.fault.empty()) {
                refuseSetting(option + base::inQuotes(setting.key) + " names no key: " + path.fault + ".");
                continue;
            }
            if (setting.remove) {
                tellWhenNothingIsRemoved(setting.key, path);
                for (Variant& variant : m_out.variants)
                    variant.document = withoutSetting(variant.document, path);
            } else if (const ValuePtr value = valueOf(setting)) {
                set(setting.key, path, value);
            }
        }
    }

    void set(const std::string& key, const SettingPath& path, const ValuePtr& value)
    {
        std::string lacking;
        for (Variant& variant : m_out.variants) {
            ValuePtr changed = withSetting(variant.document, path, value);
            if (changed)
                variant.document = std::move(changed);
            else if (lacking.empty())
                lacking = variant.suffix ? "the job " + base::inQuotes(*variant.suffix) : "the recipe";
        }
        if (!lacking.empty())
            refuseSetting("--set " + base::inQuotes(key) + " names an item of a list that " + lacking + " does not have.");
    }

    /// Null, and told, when the text is no YAML. A mapping stays the text that it is.
    ValuePtr valueOf(const Setting& setting)
    {
        const auto asText = [&] {
            auto value = std::make_shared<Value>(*syntax::makeString(setting.text, Layer::Setting));
            value->source = syntax::Source::CommandLine;
            return value;
        };
        if (setting.text.empty())
            return asText();
        const auto text = std::make_shared<syntax::SourceText>(setting.text, "--set " + setting.key);
        const syntax::Parsed parsed = syntax::parse(text, syntax::Source::CommandLine);
        if (!parsed.complete) {
            refuseSetting("The value of --set " + setting.key + " is not YAML: " +
                          (parsed.diagnostics.empty() ? std::string("it cannot be read.") : parsed.diagnostics.front().message));
            return nullptr;
        }
        if (parsed.root && parsed.root->isMapping())
            return asText();
        auto value = std::make_shared<Value>(*(parsed.root ? syntax::relabelled(parsed.root, Layer::Setting) : // a remark alone is null
                                                   syntax::makeNull(Layer::Setting)));
        value->source = syntax::Source::CommandLine;
        return value;
    }

    void refuseSetting(std::string message) { report(Code::BadSetting, {0, 0}, std::move(message)).source = syntax::Source::CommandLine; }

    void tellWhenNothingIsRemoved(const std::string& key, const SettingPath& path)
    {
        const auto hasKey = [&](const Variant& variant) { return at(variant.document, path) != nullptr; };
        if (m_out.variants.empty() || std::any_of(m_out.variants.begin(), m_out.variants.end(), hasKey))
            return;
        report(Code::BadSetting, {0, 0}, "--unset " + base::inQuotes(key) + " removes nothing: no job of this file sets that key.",
               Severity::Hint)
            .source = syntax::Source::CommandLine;
    }

    void sweep()
    {
        Sweeper sweeper(*m_pack, m_out.diagnostics);
        std::vector<Variant> all;
        for (Variant& variant : m_out.variants) {
            if (!variant.document->member("sweep")) {
                all.push_back(std::move(variant));
                continue;
            }
            m_hasSweep = true;
            const std::size_t room = m_options.limit > all.size() ? m_options.limit - all.size() : 0;
            std::vector<Variant> swept = sweeper.swept(variant, room, m_room);
            std::move(swept.begin(), swept.end(), std::back_inserter(all));
        }
        sweeper.countTheRest();
        m_out.variants = std::move(all);
        if (m_out.variants.size() > m_options.limit) {
            report(Code::TooManyJobs, {0, 0},
                   "The file stands for " + std::to_string(m_out.variants.size()) + " jobs, more than the limit of " +
                       std::to_string(m_options.limit) + ".");
            m_out.variants.resize(m_options.limit);
        }
    }

    const syntax::Parsed& m_parsed;
    const Options& m_options;
    std::shared_ptr<const schema::Pack> m_pack;
    std::size_t m_room;          ///< Values that the variants may still hold of their own.
    std::string m_meantSelector; ///< Of the variant whose suffix was given instead.
    bool m_namesJob = false;     ///< The selector is none of the language's: a job of a sweep is to have that name or number.
    bool m_hasSweep = false;     ///< A sweep was spread out, above or below "base".
    Expanded m_out;
};

} // namespace

Expanded expand(const syntax::Parsed& parsed, const Options& options)
{
    return Expander(parsed, options).run();
}

} // namespace wb::expand
