#include "core/check/equality.h"

#include "core/base/text.h"

#include <algorithm>

namespace wb::check {

using syntax::Code;
using syntax::Diagnostic;
using syntax::Kind;
using syntax::Member;
using syntax::Value;
using syntax::ValuePtr;

namespace {

/// The dotted path and both values at the first place where they differ.
std::optional<std::string> firstDifference(const Value& a, const Value& b, const std::string& path)
{
    if (a.isMapping() && b.isMapping()) {
        for (const Member& member : a.members) {
            const std::string here = path.empty() ? member.key : path + "." + member.key;
            const Member* other = b.member(member.key);
            if (!other)
                return base::inQuotes(here) + " is " + syntax::shown(*member.value) + " and absent.";
            if (auto found = firstDifference(*member.value, *other->value, here))
                return found;
        }
        for (const Member& member : b.members) {
            if (!a.member(member.key))
                return base::inQuotes(path.empty() ? member.key : path + "." + member.key) + " is absent and " +
                       syntax::shown(*member.value) + ".";
        }
    }
    if (syntax::sameData(a, b))
        return std::nullopt;
    return base::inQuotes(path) + " is " + syntax::shown(a) + " and " + syntax::shown(b) + ".";
}

std::string_view formName(expand::Form form)
{
    return form == expand::Form::Sweep ? "a sweep" : "a file with overrides";
}

} // namespace

const syntax::Diagnostic* firstError(const Checked& checked)
{
    const auto found = std::find_if(checked.diagnostics.begin(), checked.diagnostics.end(),
                                    [](const syntax::Diagnostic& problem) { return problem.severity == syntax::Severity::Error; });
    return found == checked.diagnostics.end() ? nullptr : &*found;
}

std::string firstErrorOf(const Checked& checked)
{
    const syntax::Diagnostic* error = firstError(checked);
    return error ? error->message : "it stands for no job.";
}

std::optional<std::string> difference(const CheckedVariant& a, const CheckedVariant& b)
{
    if (!a.job || !b.job)
        return "One of the two has an error, so that it is no job.";
    return firstDifference(*a.config, *b.config, {});
}

Consolidation consolidate(const std::vector<Checked>& files, std::string_view group, const Facts& facts)
{
    Consolidation out;
    std::vector<expand::PlainRecipe> recipes;
    for (const Checked& file : files) {
        const std::string path = base::pathInQuotes(file.source->path());
        const bool isOne = file.form == expand::Form::Plain && file.variants.size() == 1;
        if (!file.pack) {
            out.reasons.push_back(path + " is no recipe.");
        } else if (file.form != expand::Form::Plain) {
            out.reasons.push_back(path + " is " + std::string(formName(file.form)) + "; explode it first.");
        } else if (!file.valid || !isOne || !file.variants.front().job) {
            out.reasons.push_back(path + " has an error: " + firstErrorOf(file));
        } else if (file.pack != files.front().pack) {
            out.reasons.push_back(path + " is in another language than the first one.");
        } else {
            recipes.push_back({&file.parsed, file.variants.front().variant.document, file.source->path()});
        }
    }
    if (!out.reasons.empty())
        return out;
    expand::Consolidated made = expand::consolidated(recipes, group);
    out.notes = std::move(made.notes);
    out.reasons = std::move(made.refusals);
    if (!out.reasons.empty())
        return out;
    out.text = std::move(made.text);
    Options options;
    options.expansion.limit = std::max(options.expansion.limit, files.size());
    out.checked = check(std::make_shared<syntax::SourceText>(out.text), facts, options);
    if (!out.checked.valid)
        out.reasons.push_back("The file that would be written has an error: " + firstErrorOf(out.checked));
    if (out.checked.variants.size() != files.size())
        out.reasons.push_back("The file that would be written stands for " + std::to_string(out.checked.variants.size()) + " jobs, not " +
                              std::to_string(files.size()) + ".");
    for (std::size_t i = 0; out.reasons.empty() && i < files.size(); ++i) {
        if (const auto found = difference(files[i].variants.front(), out.checked.variants[i]))
            out.reasons.push_back("The job of " + base::pathInQuotes(files[i].source->path()) + " would change: " + *found);
    }
    // The jobs are the same here; what the cluster's srtctl would make of the zip is said where that is something else.
    const auto isLost = [](const Diagnostic& problem) { return problem.code == Code::ZipQuotes; };
    if (const auto lost = std::find_if(out.checked.diagnostics.begin(), out.checked.diagnostics.end(), isLost);
        lost != out.checked.diagnostics.end())
        out.notes.push_back("Do not hand the new file to srtctl itself, but the recipes that it resolves to: srtctl drops quotes in a zip, "
                            "which " +
                            base::printable(std::string_view(out.text).substr(lost->range.begin, lost->range.end - lost->range.begin)) +
                            " in line " + std::to_string(out.checked.source->lineCol(lost->range.begin).line) +
                            " of it needs to stay a text.");
    out.isEqual = out.reasons.empty();
    return out;
}

Exploded explode(const Checked& checked, std::size_t variant, const Facts& facts)
{
    Exploded out;
    const CheckedVariant& from = checked.variants.at(variant);
    out.text = resolvedYaml(checked, variant);
    const Checked again = check(std::make_shared<syntax::SourceText>(out.text), facts);
    if (again.form != expand::Form::Plain || again.variants.size() != 1 || !again.valid)
        out.whyNot = "The file of " + base::inQuotes(from.name) + " would have an error: " + firstErrorOf(again);
    else if (const auto found = difference(from, again.variants.front()))
        out.whyNot = "The job " + base::inQuotes(from.name) + " would change: " + *found;
    return out;
}

} // namespace wb::check
