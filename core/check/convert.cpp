#include "core/check/convert.h"

#include "core/base/text.h"
#include "core/check/equality.h"
#include "core/syntax/rewrite.h"

#include <algorithm>
#include <memory>
#include <set>

namespace wb::check {

using syntax::Kind;
using syntax::Layer;
using syntax::Member;
using syntax::Style;
using syntax::Value;
using syntax::ValuePtr;

namespace {

Converted refused(std::string why)
{
    return {.text = {}, .isEqual = false, .reasons = {std::move(why)}, .notes = {}};
}

bool hasJobs(const Checked& checked)
{
    return !checked.variants.empty() && std::all_of(checked.variants.begin(), checked.variants.end(),
                                                    [](const CheckedVariant& variant) { return variant.job != nullptr; });
}

using Keys = std::vector<std::string>;

ValuePtr valueAt(const ValuePtr& root, const Keys& keys)
{
    ValuePtr at = root;
    for (const std::string& key : keys)
        at = at ? at->find(key) : nullptr;
    return at;
}

ValuePtr withValue(const ValuePtr& root, const Keys& keys, std::size_t depth, const ValuePtr& value)
{
    if (depth == keys.size())
        return value;
    return syntax::with(root, keys[depth], withValue(root ? root->find(keys[depth]) : nullptr, keys, depth + 1, value));
}

/// A parameter of the sweep that is to be: where it stands, and its value in each job.
struct Parameter {
    std::string name;
    std::vector<Keys> places;
    std::vector<ValuePtr> perJob;
    std::vector<ValuePtr> values; ///< Each once, in the order in which they come up.
};

bool areEqual(const std::vector<ValuePtr>& a, const std::vector<ValuePtr>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const ValuePtr& x, const ValuePtr& y) { return syntax::sameData(*x, *y); });
}

class Grid
{
public:
    explicit Grid(const Checked& checked)
    {
        for (const CheckedVariant& variant : checked.variants)
            m_roots.push_back(variant.variant.document);
    }

    /// Why the jobs make no grid; empty: they do.
    std::string find()
    {
        walk({});
        if (!m_whyNot.empty())
            return m_whyNot;
        if (m_parameters.empty())
            return "The jobs differ in nothing but their names.";
        std::size_t jobs = 1;
        for (Parameter& parameter : m_parameters) {
            for (const ValuePtr& value : parameter.perJob) {
                const auto same = [&](const ValuePtr& other) { return syntax::sameData(*other, *value); };
                if (std::none_of(parameter.values.begin(), parameter.values.end(), same))
                    parameter.values.push_back(value);
            }
            jobs *= parameter.values.size();
        }
        if (jobs != m_roots.size()) {
            return "The jobs differ in " + std::to_string(m_parameters.size()) + " values, whose grid would be " + std::to_string(jobs) +
                   " jobs, not " + std::to_string(m_roots.size()) + ".";
        }
        // The one that changes last comes first: a sweep varies its last parameter fastest.
        std::stable_sort(m_parameters.begin(), m_parameters.end(),
                         [](const Parameter& a, const Parameter& b) { return firstChange(a) > firstChange(b); });
        nameAll();
        return {};
    }

    [[nodiscard]] const std::vector<Parameter>& parameters() const { return m_parameters; }

private:
    static std::size_t firstChange(const Parameter& parameter)
    {
        std::size_t at = 1;
        while (at < parameter.perJob.size() && syntax::sameData(*parameter.perJob[at], *parameter.perJob.front()))
            ++at;
        return at;
    }

    void walk(const Keys& keys)
    {
        std::vector<ValuePtr> mappings;
        for (const ValuePtr& root : m_roots)
            mappings.push_back(valueAt(root, keys));
        std::set<std::string> seen;
        for (const ValuePtr& mapping : mappings) {
            for (const Member& member : mapping->members) {
                if (m_whyNot.empty() && seen.insert(member.key).second && !(keys.empty() && member.key == "name"))
                    look(keys, member.key, mappings);
            }
        }
    }

    void look(Keys keys, const std::string& key, const std::vector<ValuePtr>& mappings)
    {
        std::vector<ValuePtr> values;
        for (const ValuePtr& mapping : mappings)
            values.push_back(mapping->find(key));
        keys.push_back(key);
        const std::string path = base::inQuotes(base::joined(keys, "."));
        if (std::any_of(values.begin(), values.end(), [](const ValuePtr& value) { return value == nullptr; })) {
            m_whyNot = path + " is not there in every job, and a sweep cannot take a key away.";
            return;
        }
        const auto isSame = [&](const ValuePtr& value) { return syntax::sameData(*value, *values.front()); };
        if (std::all_of(values.begin(), values.end(), isSame))
            return;
        if (std::all_of(values.begin(), values.end(), [](const ValuePtr& value) { return value->isMapping(); })) {
            walk(keys);
            return;
        }
        if (!std::all_of(values.begin(), values.end(), [](const ValuePtr& value) { return value->isScalar() && !value->isNull(); })) {
            m_whyNot = path + " is no single value in every job, and a sweep puts in single values.";
            return;
        }
        for (Parameter& parameter : m_parameters) {
            if (areEqual(parameter.perJob, values)) {
                parameter.places.push_back(keys);
                return;
            }
        }
        m_parameters.push_back({{}, {keys}, values, {}});
    }

    void nameAll()
    {
        std::set<std::string> taken;
        for (Parameter& parameter : m_parameters) {
            std::string name = parameter.places.front().back();
            std::replace_if(
                name.begin(), name.end(),
                [](char c) { return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')); }, '_');
            std::string unique = name;
            for (int number = 2; !taken.insert(unique).second; ++number)
                unique = name + '_' + std::to_string(number);
            parameter.name = unique;
        }
    }

    std::vector<ValuePtr> m_roots;
    std::vector<Parameter> m_parameters;
    std::string m_whyNot;
};

ValuePtr sweepOf(const std::vector<Parameter>& parameters)
{
    ValuePtr sweep;
    for (const Parameter& parameter : parameters) {
        auto list = std::make_shared<Value>();
        list->kind = Kind::Sequence;
        list->style = Style::Flow;
        list->items = parameter.values;
        sweep = syntax::with(sweep, parameter.name, std::move(list));
    }
    return sweep;
}

/// The first difference of the settings of two jobs, the names left out; nothing when they are equal.
std::optional<std::string> differenceButName(const CheckedVariant& a, const CheckedVariant& b)
{
    if (!a.job || !b.job)
        return difference(a, b);
    CheckedVariant first = a;
    CheckedVariant second = b;
    first.config = syntax::without(a.config, "name");
    second.config = syntax::without(b.config, "name");
    return difference(first, second);
}

} // namespace

Converted sweepAsZip(const Checked& checked, std::string_view group, const Facts& facts)
{
    if (checked.form != expand::Form::Sweep)
        return refused("The recipe is no sweep.");
    if (!hasJobs(checked))
        return refused("The recipe has an error: " + firstErrorOf(checked));
    std::vector<Checked> files;
    for (std::size_t i = 0; i < checked.variants.size(); ++i)
        files.push_back(check(std::make_shared<syntax::SourceText>(resolvedYaml(checked, i), checked.variants[i].name), facts));
    Consolidation made = consolidate(files, group, facts);
    for (std::size_t i = 0; made.isEqual && i < checked.variants.size(); ++i) {
        if (const auto found = difference(checked.variants[i], made.checked.variants[i])) {
            made.isEqual = false;
            made.reasons.push_back("The job " + base::inQuotes(checked.variants[i].name) + " would change: " + *found);
        }
    }
    return {std::move(made.text), made.isEqual, std::move(made.reasons), std::move(made.notes)};
}

Converted zipAsSweep(const Checked& checked, const Facts& facts)
{
    if (checked.form != expand::Form::Override)
        return refused("The recipe has no overrides.");
    if (!hasJobs(checked))
        return refused("The recipe has an error: " + firstErrorOf(checked));
    if (checked.variants.size() < 2)
        return refused("The recipe stands for one job.");
    Grid grid(checked);
    if (std::string whyNot = grid.find(); !whyNot.empty())
        return refused(std::move(whyNot));
    const auto plain = syntax::parse(std::make_shared<syntax::SourceText>(resolvedYaml(checked, 0)));
    if (!plain.complete || !plain.root)
        return refused("The first job cannot be written as a recipe of its own.");
    ValuePtr root = plain.root;
    for (const Parameter& parameter : grid.parameters()) {
        const ValuePtr placeholder = syntax::makeString('{' + parameter.name + '}', Layer::Base);
        for (const Keys& keys : parameter.places)
            root = withValue(root, keys, 0, placeholder);
    }
    const ValuePtr base = checked.parsed.root ? checked.parsed.root->find("base") : nullptr;
    if (const ValuePtr name = base ? base->find("name") : nullptr; name && name->isString())
        root = syntax::with(root, "name", name);
    root = syntax::with(root, "sweep", sweepOf(grid.parameters()));
    Converted out;
    out.text = syntax::rewritten(plain, plain.root, root).text;
    out.notes.emplace_back("A sweep names its jobs itself: the names are other ones.");
    const Checked again = check(std::make_shared<syntax::SourceText>(out.text), facts);
    if (again.form != expand::Form::Sweep || again.variants.size() != checked.variants.size() || !again.valid) {
        out.reasons.push_back("The sweep would have an error: " + firstErrorOf(again));
        return out;
    }
    for (std::size_t i = 0; i < checked.variants.size(); ++i) {
        if (const auto found = differenceButName(checked.variants[i], again.variants[i])) {
            out.reasons.push_back("The job " + base::inQuotes(checked.variants[i].name) + " would change: " + *found);
            return out;
        }
    }
    out.isEqual = true;
    return out;
}

} // namespace wb::check
