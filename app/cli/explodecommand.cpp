// srtwb explode: a file with overrides or a sweep as one file for each job, with proof.
#include "app/cli/command.h"
#include "app/cli/findings.h"
#include "app/cli/outfiles.h"
#include "app/cli/recipes.h"
#include "core/base/text.h"
#include "core/check/equality.h"

#include <filesystem>
#include <optional>
#include <set>

namespace wb::cli {

using base::json::Array;
using base::json::Value;

namespace {

struct ExplodeOptions : RecipeOptions {
    std::string out;
    bool mayReplace = false;
};

/// One file that is to be written, and the job that it stands for.
struct Part {
    OutFile file;
    std::optional<std::string> suffix;
    std::string name;
};

struct Made {
    std::vector<Part> parts;
    std::vector<std::string> reasons; ///< Why it cannot be done.
    std::set<std::string> taken;      ///< Stems of the files.
};

void take(const SingleRecipe& recipe, const ExplodeOptions& options, Console& console, Made& out)
{
    if (!recipe.checked) {
        if (recipe.unread)
            out.reasons.push_back(recipe.unread->message);
        return;
    }
    if (!recipe.isNamed && isBelow(recipe.path, options.out))
        return;
    const check::Checked& checked = *recipe.checked;
    const std::size_t before = out.reasons.size();
    if (checked.form == expand::Form::Plain && checked.valid) {
        const std::string why = "stands for one job, so there is nothing to take apart.";
        if (recipe.isNamed)
            out.reasons.push_back("The recipe " + why);
        else
            console.say(base::pathInQuotes(recipe.path) + " is left out: it " + why);
        return;
    }
    for (const syntax::Diagnostic& problem : checked.diagnostics) {
        if (problem.severity == syntax::Severity::Error)
            out.reasons.push_back(asText(problem, checked, false));
    }
    for (std::size_t i = 0; out.reasons.size() == before && i < checked.variants.size(); ++i) {
        const check::CheckedVariant& variant = checked.variants[i];
        check::Exploded one = check::explode(checked, i, recipe.facts);
        if (one.whyNot) {
            out.reasons.push_back(*one.whyNot);
            break;
        }
        const std::string* suffix = variant.variant.suffix ? &*variant.variant.suffix : nullptr;
        const std::string stem = uniqueName(variantStem(recipe.path, suffix, true, variant.name), out.taken);
        out.parts.push_back({{(std::filesystem::path(options.out) / (stem + ".yaml")).string(), std::move(one.text)},
                             variant.variant.suffix,
                             variant.name});
    }
}

void writeDocument(const Made& made, Console& console)
{
    const bool isEqual = made.reasons.empty();
    Array paths;
    Array variants;
    for (const Part& part : isEqual ? made.parts : std::vector<Part>()) {
        paths.push_back(part.file.path);
        Value variant;
        variant.set("path", part.file.path);
        variant.set("suffix", part.suffix);
        variant.set("name", part.name);
        variants.push_back(std::move(variant));
    }
    Array differences(made.reasons.begin(), made.reasons.end());
    Value document;
    document.set("equal", isEqual);
    document.set("files", std::move(paths));
    document.set("variants", std::move(variants));
    document.set("differences", std::move(differences));
    console.writeDocument(document);
}

int run(const ExplodeOptions& options, Console& console)
{
    Made made;
    bool isAny = false;
    bool isUnread = false;
    const int code = checkEach(options, 10'000, console, [&](const SingleRecipe& recipe) {
        isAny = true;
        isUnread = isUnread || recipe.unread;
        take(recipe, options, console, made);
    });
    if (!isAny)
        return code;
    if (isUnread) { // it was said
        if (options.isJson)
            writeDocument(made, console);
        if (!made.parts.empty())
            console.fail("Nothing was written.");
        return World;
    }
    if (made.reasons.empty() && made.parts.empty())
        made.reasons.push_back("No recipe in " + base::pathInQuotes(options.recipes.front()) +
                               " stands for several jobs, so there is nothing to take apart; name a folder or a file that has some.");
    if (made.reasons.empty()) {
        std::vector<OutFile> files;
        for (const Part& part : made.parts)
            files.push_back(part.file);
        if (auto done = writeFiles(files, options.mayReplace); !done) {
            console.fail(done.error());
            made.reasons.push_back(done.error().message);
            if (options.isJson) // a run that the world stopped has one, too
                writeDocument(made, console);
            return World;
        }
    }
    if (options.isJson)
        writeDocument(made, console);
    for (const std::string& reason : made.reasons)
        console.fail(reason);
    if (!made.reasons.empty()) {
        console.fail("Nothing was written.");
        return Findings;
    }
    for (const Part& part : made.parts) {
        if (!options.isJson)
            console.write(base::printable(part.file.path) + "\n");
    }
    console.say(std::to_string(made.parts.size()) + (made.parts.size() == 1 ? " file stands" : " files stand") +
                " for the same jobs as before.");
    return Good;
}

} // namespace

Run addExplode(CLI::App& command, Console& console)
{
    auto options = std::make_shared<ExplodeOptions>();
    addFolderOptions(command, *options);
    command.add_option("--out", options->out, "Folder to write <recipe>_<suffix>.yaml into")->required();
    command.add_flag("--force", options->mayReplace, "Replace files that are there already");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
