// srtwb consolidate: several recipes that share most values as one file with a zip section, with proof.
#include "app/cli/command.h"
#include "app/cli/outfiles.h"
#include "app/cli/recipes.h"
#include "core/base/text.h"
#include "core/check/equality.h"

#include <algorithm>
#include <filesystem>

namespace wb::cli {

using base::json::Array;
using base::json::Value;

namespace {

struct ConsolidateOptions : RecipeOptions {
    std::string out;
    std::string group;
    bool mayReplace = false;
};

bool isGroupName(std::string_view name)
{
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
}

/// From the name of the new file, since its variants are called by it.
std::string groupOf(const ConsolidateOptions& options)
{
    if (!options.group.empty())
        return options.group;
    std::string stem = options.out == "-" ? std::string() : std::filesystem::path(options.out).stem().string();
    std::replace_if(
        stem.begin(), stem.end(), [](char c) { return !isGroupName(std::string_view(&c, 1)); }, '_');
    return isGroupName(stem) ? stem : "files";
}

Value documentOf(const check::Consolidation& made, const std::vector<check::Checked>& files, const std::string& written)
{
    Array paths;
    if (!written.empty())
        paths.push_back(written);
    Array variants;
    for (std::size_t i = 0; made.isEqual && i < files.size(); ++i) {
        Value variant;
        variant.set("path", files[i].source->path());
        variant.set("suffix", made.checked.variants[i].variant.suffix);
        variant.set("name", made.checked.variants[i].name);
        variants.push_back(std::move(variant));
    }
    Array differences(made.reasons.begin(), made.reasons.end());
    Array notes(made.notes.begin(), made.notes.end());
    Value out;
    out.set("equal", made.isEqual);
    out.set("files", std::move(paths));
    out.set("variants", std::move(variants));
    out.set("differences", std::move(differences));
    out.set("notes", std::move(notes));
    return out;
}

/// Stopped by the world, which has a document, too.
int stopped(const ConsolidateOptions& options, const Error& error, Console& console)
{
    console.fail(error);
    if (options.isJson) {
        check::Consolidation none;
        none.reasons.push_back(error.message);
        console.writeDocument(documentOf(none, {}, {}));
    }
    return World;
}

int run(const ConsolidateOptions& options, Console& console)
{
    if (!options.group.empty() && !isGroupName(options.group)) {
        console.fail("--group takes letters, digits, \"_\" and \"-\", not " + base::inQuotes(options.group) + ".");
        return Usage;
    }
    const RecipeSet set = findRecipes(options.recipes);
    auto facts = readFacts(options, console);
    auto settings = readSettings(options);
    if (!set.errors.empty() || !facts || !settings) {
        const Error& error = !set.errors.empty() ? set.errors.front() : !facts ? facts.error() : settings.error();
        if (!set.errors.empty() || !facts)
            return stopped(options, error, console);
        console.fail(error);
        return Usage;
    }
    check::Options how;
    how.expansion.settings = *std::move(settings);
    std::vector<check::Checked> files;
    for (const RecipeFile& file : set.files) {
        auto checked = checkFile(file, *facts, how);
        if (!checked)
            return stopped(options, checked.error(), console);
        if (checked->pack) // a cluster file in a folder is no recipe
            files.push_back(*std::move(checked));
    }
    const check::Consolidation made = check::consolidate(files, groupOf(options), *facts);
    std::string written;
    if (made.isEqual && options.out == "-" && !options.isJson) {
        console.write(made.text);
    } else if (made.isEqual && options.out != "-") {
        if (auto done = writeFiles({{options.out, made.text}}, options.mayReplace); !done)
            return stopped(options, done.error(), console);
        written = options.out;
    }
    if (options.isJson)
        console.writeDocument(documentOf(made, files, written));
    for (const std::string& reason : made.reasons)
        console.fail(reason);
    for (const std::string& note : made.notes)
        console.say(note);
    if (made.isEqual)
        console.say(std::to_string(files.size()) + " recipes are one, and stand for the same jobs as before.");
    else
        console.fail("Nothing was written.");
    return made.isEqual ? Good : Findings;
}

} // namespace

Run addConsolidate(CLI::App& command, Console& console)
{
    auto options = std::make_shared<ConsolidateOptions>();
    addRecipeOptions(command, *options, false);
    command.add_option("--out", options->out, "The file to write; - for standard output")->required();
    command.add_option("--group", options->group, "Name of the zip section; else that of the new file");
    command.add_flag("--force", options->mayReplace, "Replace the file when it is there already");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
