// srtwb expand: the jobs that a recipe stands for.
#include "app/cli/command.h"
#include "app/cli/findings.h"
#include "app/cli/recipes.h"
#include "core/base/text.h"

#include <algorithm>

namespace wb::cli {

using base::json::Array;
using base::json::Value;

namespace {

struct ExpandOptions : RecipeOptions {
    std::size_t limit = 10'000;
};

/// `index` and `duplicateOf` count within the file.
Value jobJson(const check::CheckedVariant& variant, std::size_t index, const std::string& path)
{
    Value params;
    params = base::json::Object{};
    for (const auto& [key, value] : variant.variant.params)
        params.set(key, syntax::toJson(*value));
    Value out;
    out.set("path", path);
    out.set("index", index);
    out.set("name", variant.name);
    out.set("suffix", variant.variant.suffix);
    out.set("params", std::move(params));
    out.set("nodes", variant.counts.nodes);
    out.set("gpus", variant.counts.gpusAllocated);
    out.set("gpuHours", variant.counts.gpuHours());
    out.set("duplicateOf", variant.duplicateOf);
    out.set("config", syntax::toJson(*variant.config));
    return out;
}

std::string lineOf(const check::CheckedVariant& variant)
{
    std::string out = base::printable(variant.name) + "\t" + std::to_string(variant.counts.nodes) + " nodes\t" +
                      std::to_string(variant.counts.gpusAllocated) + " GPUs\t";
    const auto hours = variant.counts.gpuHours();
    out += (hours ? base::textOf(*hours) : std::string("unknown")) + " GPU-hours at most";
    return out + (variant.duplicateOf ? "\tsame job as number " + std::to_string(*variant.duplicateOf) : "") + "\n";
}

/// Jobs that have errors are not printed; how many, in words that begin with a separator; empty when there are none.
std::string leftOut(const check::Checked& checked)
{
    const auto count = std::count_if(checked.variants.begin(), checked.variants.end(), [](const auto& variant) { return !variant.job; });
    return count == 0 ? std::string() : ", " + std::to_string(count) + " of them left out because of errors";
}

/// What is printed when all recipes were read.
struct Printed {
    Array jobs;
    Array diagnostics;
};

void add(const SingleRecipe& recipe, const ExpandOptions& options, Console& console, Printed& out)
{
    if (!recipe.checked) {
        if (recipe.unread)
            out.diagnostics.push_back(toJson(*recipe.unread));
        return;
    }
    const check::Checked& checked = *recipe.checked;
    const std::string where = recipe.isNamed ? std::string() : base::printable(recipe.path);
    for (std::size_t i = 0; i < checked.variants.size(); ++i) {
        if (!checked.variants[i].job)
            continue;
        if (options.isJson)
            out.jobs.push_back(jobJson(checked.variants[i], i, recipe.path));
        else
            console.write((where.empty() ? where : where + "\t") + lineOf(checked.variants[i]));
    }
    const std::string left = leftOut(checked);
    if (options.isJson) {
        for (const syntax::Diagnostic& problem : checked.diagnostics)
            out.diagnostics.push_back(toJson(problem, checked));
        if (left.empty())
            return;
    }
    for (const syntax::Diagnostic& problem : checked.diagnostics) {
        if (problem.severity == syntax::Severity::Error && !options.isJson)
            console.fail(asText(problem, checked, false));
    }
    console.say((where.empty() ? where : where + ": ") + std::to_string(checked.variants.size()) +
                (checked.variants.size() == 1 ? " job" : " jobs") + left + ".");
}

int run(const ExpandOptions& options, Console& console)
{
    Printed printed;
    bool isAny = false;
    const int code = checkEach(options, options.limit, console, [&](const SingleRecipe& recipe) {
        add(recipe, options, console, printed);
        isAny = true;
    });
    if (options.isJson && isAny) {
        Value document;
        document.set("jobs", std::move(printed.jobs));
        document.set("diagnostics", std::move(printed.diagnostics));
        console.writeDocument(document);
    }
    return code;
}

} // namespace

Run addExpand(CLI::App& command, Console& console)
{
    auto options = std::make_shared<ExpandOptions>();
    addFolderOptions(command, *options);
    command.add_option("--limit", options->limit, "Refuse recipes that stand for more jobs")
        ->capture_default_str()
        ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
