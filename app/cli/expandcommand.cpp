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

Value jobJson(const check::CheckedVariant& variant, std::size_t index)
{
    Value params;
    params = base::json::Object{};
    for (const auto& [key, value] : variant.variant.params)
        params.set(key, syntax::toJson(*value));
    Value out;
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

int run(const ExpandOptions& options, Console& console)
{
    const SingleRecipe recipe = checkSingle(options, options.limit, console);
    if (!recipe.checked) {
        if (options.isJson && recipe.unread) {
            Value document;
            document.set("jobs", Array());
            document.set("diagnostics", Array{toJson(*recipe.unread)});
            console.writeDocument(document);
        }
        return recipe.code;
    }
    const check::Checked& checked = *recipe.checked;
    if (options.isJson) {
        Array jobs;
        for (std::size_t i = 0; i < checked.variants.size(); ++i) {
            if (checked.variants[i].job)
                jobs.push_back(jobJson(checked.variants[i], i));
        }
        Value document;
        document.set("jobs", std::move(jobs));
        document.set("diagnostics", toJson(checked.diagnostics, checked));
        console.writeDocument(document);
        if (const std::string words = leftOut(checked); !words.empty())
            console.say(std::to_string(checked.variants.size()) + (checked.variants.size() == 1 ? " job" : " jobs") + words + ".");
        return recipe.code;
    }
    for (const check::CheckedVariant& variant : checked.variants) {
        if (variant.job)
            console.write(lineOf(variant));
    }
    for (const syntax::Diagnostic& problem : checked.diagnostics) {
        if (problem.severity == syntax::Severity::Error)
            console.fail(asText(problem, checked, false));
    }
    console.say(std::to_string(checked.variants.size()) + (checked.variants.size() == 1 ? " job" : " jobs") + leftOut(checked) + ".");
    return recipe.code;
}

} // namespace

Run addExpand(CLI::App& command, Console& console)
{
    auto options = std::make_shared<ExpandOptions>();
    addRecipeOptions(command, *options, true);
    command.add_option("--limit", options->limit, "Refuse recipes that stand for more jobs")
        ->capture_default_str()
        ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
