// srtwb explode: a file with overrides or a sweep as one file for each job, with proof.
#include "app/cli/command.h"
#include "app/cli/findings.h"
#include "app/cli/outfiles.h"
#include "app/cli/recipes.h"
#include "core/base/text.h"
#include "core/check/equality.h"

#include <filesystem>

namespace wb::cli {

using base::json::Array;
using base::json::Value;

namespace {

struct ExplodeOptions : RecipeOptions {
    std::string out;
    bool mayReplace = false;
};

struct Made {
    std::vector<OutFile> files;
    std::vector<std::string> reasons; ///< Why it cannot be done.
};

Made madeOf(const SingleRecipe& recipe, const std::string& folder)
{
    Made out;
    const check::Checked& checked = *recipe.checked;
    if (checked.form == expand::Form::Plain && checked.valid)
        out.reasons.emplace_back("The recipe stands for one job, so there is nothing to take apart.");
    for (const syntax::Diagnostic& problem : checked.diagnostics) {
        if (problem.severity == syntax::Severity::Error)
            out.reasons.push_back(asText(problem, checked, false));
    }
    std::set<std::string> taken;
    for (std::size_t i = 0; out.reasons.empty() && i < checked.variants.size(); ++i) {
        const check::CheckedVariant& variant = checked.variants[i];
        check::Exploded one = check::explode(checked, i, recipe.facts);
        if (one.whyNot) {
            out.reasons.push_back(*one.whyNot);
            break;
        }
        const std::string* suffix = variant.variant.suffix ? &*variant.variant.suffix : nullptr;
        const std::string stem = uniqueName(variantStem(recipe.path, suffix, true, variant.name), taken);
        out.files.push_back({(std::filesystem::path(folder) / (stem + ".yaml")).string(), std::move(one.text)});
    }
    return out;
}

Value documentOf(const SingleRecipe& recipe, const Made& made)
{
    const bool isEqual = made.reasons.empty();
    Array paths;
    Array variants;
    for (std::size_t i = 0; isEqual && i < made.files.size(); ++i) {
        const check::CheckedVariant& from = recipe.checked->variants[i];
        paths.push_back(made.files[i].path);
        Value variant;
        variant.set("path", made.files[i].path);
        variant.set("suffix", from.variant.suffix);
        variant.set("name", from.name);
        variants.push_back(std::move(variant));
    }
    Array differences(made.reasons.begin(), made.reasons.end());
    Value document;
    document.set("equal", isEqual);
    document.set("files", std::move(paths));
    document.set("variants", std::move(variants));
    document.set("differences", std::move(differences));
    return document;
}

/// The document of a run that the world stopped: it has one, too.
int stopped(const ExplodeOptions& options, const SingleRecipe& recipe, const Error& error, Console& console)
{
    if (options.isJson)
        console.writeDocument(documentOf(recipe, {{}, {error.message}}));
    return World;
}

int run(const ExplodeOptions& options, Console& console)
{
    const SingleRecipe recipe = checkSingle(options, 10'000, console);
    if (!recipe.checked)
        return recipe.unread ? stopped(options, recipe, *recipe.unread, console) : recipe.code;
    const Made made = madeOf(recipe, options.out);
    const bool isEqual = made.reasons.empty();
    if (isEqual) {
        if (auto done = writeFiles(made.files, options.mayReplace); !done) {
            console.fail(done.error());
            return stopped(options, recipe, done.error(), console);
        }
    }
    if (options.isJson)
        console.writeDocument(documentOf(recipe, made));
    for (const std::string& reason : made.reasons)
        console.fail(reason);
    if (!isEqual) {
        console.fail("Nothing was written.");
        return Findings;
    }
    for (const OutFile& file : made.files) {
        if (!options.isJson)
            console.write(base::printable(file.path) + "\n");
    }
    console.say(std::to_string(made.files.size()) + (made.files.size() == 1 ? " file stands" : " files stand") +
                " for the same jobs as before.");
    return Good;
}

} // namespace

Run addExplode(CLI::App& command, Console& console)
{
    auto options = std::make_shared<ExplodeOptions>();
    addRecipeOptions(command, *options, true);
    command.add_option("--out", options->out, "Folder to write <recipe>_<suffix>.yaml into")->required();
    command.add_flag("--force", options->mayReplace, "Replace files that are there already");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
