// srtwb migrate: a recipe from schema 1 to schema 2 of the language.
#include "app/cli/command.h"
#include "app/cli/outfiles.h"
#include "app/cli/recipes.h"
#include "core/base/text.h"
#include "core/base/unifieddiff.h"
#include "core/check/verify.h"
#include "core/recipe/migrate.h"

#include <algorithm>
#include <optional>

namespace wb::cli {

using base::json::Array;
using base::json::Value;

namespace {

struct MigrateOptions {
    std::vector<std::string> recipes;
    std::string output;
    bool inPlace = false;
    bool mayReplace = false;
    bool isVerified = false;
    bool isJson = false;
};

/// One recipe, migrated and as far as it was asked for compared.
struct Migrated {
    std::string path;
    std::shared_ptr<const syntax::SourceText> source;
    recipe::Migration migration;
    std::optional<check::Verified> proof; ///< None: not asked for, or there is nothing to compare.
    std::optional<Error> unwritten;       ///< Why the file could not be written.
    /// The proof decides where there is one: a part that was left as it is may mean the same in both languages.
    [[nodiscard]] bool isProved() const { return proof && proof->equal; }
    [[nodiscard]] bool isGood() const { return !unwritten && (proof ? proof->equal : !migration.hasRefusals()); }
};

Migrated migrated(const std::string& path, std::string text, bool isVerified)
{
    Migrated out;
    out.path = path;
    out.source = std::make_shared<syntax::SourceText>(std::move(text), path);
    out.migration = recipe::migrate(syntax::parse(out.source));
    const bool isLeft = out.migration.hasRefusals() && !out.migration.changed; // as the refusals say: there is nothing to prove
    if (isVerified && !out.migration.wasSecond && !isLeft)
        out.proof = check::verifyMigration(out.source, std::make_shared<syntax::SourceText>(out.migration.text, path), {});
    return out;
}

constexpr std::string_view absent = "\u2014"; ///< In a difference: the job has no such value.

Value valueJson(const std::string& shown)
{
    return shown == absent ? Value() : Value(shown);
}

Value toJson(const Migrated& one)
{
    Array notes;
    for (const recipe::MigrationNote& note : one.migration.notes) {
        const syntax::LineCol place = one.source->lineCol(note.range.begin);
        Value row;
        row.set("message", note.message);
        row.set("line", place.line);
        row.set("column", place.column);
        row.set("refused", note.isRefused && !one.isProved());
        notes.push_back(std::move(row));
    }
    for (const check::VerifyFault& fault : one.proof ? one.proof->faults : std::vector<check::VerifyFault>()) {
        const auto place = fault.range ? std::optional(one.source->lineCol(fault.range->begin)) : std::nullopt;
        Value row;
        row.set("message", fault.message);
        row.set("line", place ? Value(place->line) : Value());
        row.set("column", place ? Value(place->column) : Value());
        row.set("refused", true);
        notes.push_back(std::move(row));
    }
    if (one.unwritten) {
        Value row;
        row.set("message", one.unwritten->message);
        row.set("line", Value());
        row.set("column", Value());
        row.set("refused", true);
        notes.push_back(std::move(row));
    }
    Array differences;
    for (const check::VerifiedDifference& found : one.proof ? one.proof->differences : std::vector<check::VerifiedDifference>()) {
        Value row;
        row.set("variant", found.variant);
        row.set("path", found.difference.path);
        row.set("v1", valueJson(found.difference.first));
        row.set("v2", valueJson(found.difference.second));
        row.set("reason", found.difference.reason.empty() ? Value() : Value(found.difference.reason));
        differences.push_back(std::move(row));
    }
    Value out;
    out.set("path", one.path);
    out.set("changed", one.migration.changed && !one.unwritten);
    const bool isUntouched = one.migration.wasSecond && !one.migration.changed;
    out.set("equal", one.proof ? Value(one.proof->equal) : isUntouched ? Value(true) : Value());
    out.set("verdict", one.proof ? Value(check::verdictName(*one.proof)) : isUntouched ? Value("equal") : Value());
    out.set("differences", std::move(differences));
    out.set("notes", std::move(notes));
    return out;
}

void say(const Migrated& one, Console& console)
{
    for (const recipe::MigrationNote& note : one.migration.notes) {
        const std::string line = one.path + ":" + std::to_string(one.source->lineCol(note.range.begin).line) + ": " + note.message;
        if (note.isRefused && !one.isProved())
            console.fail(line);
        else
            console.say(line);
    }
    if (one.migration.wasSecond && !one.migration.changed)
        console.say(one.path + ": The recipe is in schema 2 already.");
    if (!one.proof)
        return;
    for (const check::VerifyFault& fault : one.proof->faults)
        console.fail(one.path + (fault.range ? ":" + std::to_string(one.source->lineCol(fault.range->begin).line) : "") + ": " +
                     fault.message);
    const auto shown = [](const std::string& value) { return value == absent ? std::string("not set") : base::printable(value); };
    for (const auto& [difference, jobs] : check::sharedDifferences(*one.proof)) {
        const std::string where = jobs.size() > 1        ? " [" + std::to_string(jobs.size()) + " jobs]"
                                  : jobs.front().empty() ? std::string()
                                                         : " [" + base::printable(jobs.front()) + "]";
        const std::string line = one.path + where + ": \"" + difference.path + "\" is " + shown(difference.first) +
                                 " as schema 1 reads the recipe and " + shown(difference.second) + " as schema 2 reads it. " +
                                 difference.reason;
        if (difference.reason.empty())
            console.fail(line);
        else
            console.say(line);
    }
    console.say(one.path + ": " + check::verdictOn(*one.proof));
}

int write(const MigrateOptions& options, Migrated& one, Console& console)
{
    const std::string target = options.inPlace ? one.path : options.output;
    if (options.inPlace && !one.migration.changed)
        return Good;
    if (options.isVerified && !one.isGood()) {
        console.fail(one.path + ": Nothing was written, because the migration is not proved.");
        return Findings;
    }
    if (target == "-") {
        if (!options.isJson)
            console.write(one.migration.text);
        return Good;
    }
    if (auto done = writeFiles({{target, one.migration.text}}, options.inPlace || options.mayReplace); !done) {
        console.fail(done.error());
        one.unwritten = std::move(done.error());
        return World;
    }
    return Good;
}

int run(const MigrateOptions& options, Console& console)
{
    const RecipeSet set = findRecipes(options.recipes);
    int code = Good;
    for (const Error& error : set.errors) {
        console.fail(error);
        code = World;
    }
    if (!options.output.empty() && (set.files.size() != 1 || !set.files.front().isNamed)) {
        console.fail("--output takes one recipe; use --in-place for several.");
        return Usage;
    }
    for (const RecipeFile& file : set.files) { // before the first file is changed
        if (!file.selector.empty() || (options.inPlace && file.path == "-")) {
            console.fail(file.selector.empty() ? "Standard input cannot be changed in place."
                                               : "A recipe is migrated as a whole; leave the selector out.");
            return Usage;
        }
    }
    const bool isSingle = set.files.size() == 1 && set.files.front().isNamed;
    Array documents;
    std::size_t good = 0;
    for (const RecipeFile& file : set.files) {
        auto text = readRecipe(file.path);
        if (!text) {
            console.fail(text.error());
            code = World;
            continue;
        }
        Migrated one = migrated(file.path, *std::move(text), options.isVerified || options.isJson);
        if (!options.isJson)
            say(one, console);
        if (options.inPlace || !options.output.empty())
            code = std::max(code, write(options, one, console));
        else if (!options.isJson)
            console.write(base::unifiedDiff(one.source->text(), one.migration.text, file.path, file.path + " (schema 2)"));
        if (!one.isGood())
            code = std::max<int>(code, Findings);
        else
            ++good;
        if (options.isJson)
            documents.push_back(toJson(one));
    }
    if (options.isJson && isSingle) {
        if (!documents.empty())
            console.writeDocument(documents.front());
    } else if (options.isJson) {
        Value all;
        all.set("files", std::move(documents));
        console.writeDocument(all);
    } else if (!isSingle) {
        console.say(std::to_string(good) + " migrated, " + std::to_string(set.files.size() - good) + " not migrated.");
    }
    return code;
}

} // namespace

Run addMigrate(CLI::App& command, Console& console)
{
    auto options = std::make_shared<MigrateOptions>();
    command.add_option("recipe", options->recipes, "PATH, a folder, or - for standard input")->required();
    CLI::Option* inPlace = command.add_flag("--in-place", options->inPlace, "Change the files themselves");
    command.add_option("--output", options->output, "Write the migrated recipe to this file; - for standard output")->excludes(inPlace);
    command.add_flag("--force", options->mayReplace, "Replace the file of --output when it is there already");
    command.add_flag("--verify", options->isVerified, "Prove that both languages give the same jobs; without the proof nothing is written");
    command.add_flag("--json", options->isJson, "Print one JSON document");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
