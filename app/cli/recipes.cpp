#include "app/cli/recipes.h"

#include "app/cli/input.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/expand/settingpath.h"
#include "core/schema/pack.h"
#include "core/syntax/dottedpath.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <system_error>

namespace wb::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largestRecipe = std::uintmax_t{64} << 20U;

bool isRecipeName(const fs::path& path)
{
    return path.extension() == ".yaml" || path.extension() == ".yml";
}

void findBelow(const std::string& folder, RecipeSet& out)
{
    base::FilesBelow below = base::filesBelow(folder, isRecipeName);
    for (const fs::path& path : below.files)
        out.files.push_back({path.string(), {}, false});
    std::move(below.errors.begin(), below.errors.end(), std::back_inserter(out.errors));
}

/// Where the selector of an argument begins; npos when it has none. Names of jobs may hold colons, and so may paths.
std::size_t selectorColon(const std::string& argument)
{
    std::error_code error;
    if (fs::exists(argument, error))
        return std::string::npos;
    if (argument.starts_with("-:"))
        return 1;
    std::size_t colon = argument.rfind(':');
    while (colon != std::string::npos && colon > 0 && !fs::exists(argument.substr(0, colon), error))
        colon = argument.rfind(':', colon - 1);
    return colon == 0 ? std::string::npos : colon;
}

/// Why the word after --pack names no recipe language; empty when it may. A path is looked at when it is read.
std::string notAPack(const std::string& pack)
{
    std::error_code ignored;
    if (pack == "auto" || schema::builtInPack(pack) || pack.find_first_of("/.") != std::string::npos || fs::exists(pack, ignored))
        return {};
    std::string known = "auto";
    for (const std::string_view id : schema::builtInPackIds())
        known += ", " + std::string(id);
    return base::pathInQuotes(pack) + " is neither a built-in pack (" + known + ") nor a file.";
}

/// Variables of the shell that runs this: recipes may name them.
recipe::TextPairs environmentOfShell()
{
    recipe::TextPairs out;
    for (char** at = environ; at && *at; ++at) {
        const std::string_view entry = *at;
        const std::size_t sign = entry.find('=');
        if (sign != std::string_view::npos)
            out.emplace_back(entry.substr(0, sign), entry.substr(sign + 1));
    }
    return out;
}

/// Empty when there is no cluster file.
std::string clusterFileOf(const RecipeOptions& options, Console& console)
{
    if (!options.cluster.empty())
        return options.cluster;
    const char* named = std::getenv("SRTSLURM_CONFIG");
    const check::FoundCluster found = check::findClusterFile(named ? named : "");
    if (!found.warning.empty())
        console.say(found.warning);
    return found.path;
}

} // namespace

Result<std::string> readRecipe(const std::string& path)
{
    return readInput(path, largestRecipe);
}

void addRecipeOptions(CLI::App& command, RecipeOptions& options, bool isSingle)
{
    CLI::Option* recipes =
        command.add_option("recipe", options.recipes, "PATH, a folder, PATH:SELECTOR, or - for standard input")->required();
    if (isSingle)
        recipes->expected(1)->description("PATH, PATH:SELECTOR, or - for standard input");
    command.add_option("--cluster", options.cluster, "Cluster file (srtslurm.yaml); else $SRTSLURM_CONFIG, ./, ../, ../../");
    command.add_option("--pack", options.pack, "Recipe language: auto, v1, v2, or a pack file")->check(notAPack);
    command.add_option("--set", options.settings, "Set a key of every variant: KEY=VALUE")->take_all()->allow_extra_args(false);
    command.add_option("--unset", options.removals, "Remove a key of every variant")->take_all()->allow_extra_args(false);
    command.add_flag("--json", options.isJson, "Print one JSON document");
    command.callback([&options] {
        const auto isInput = [](const std::string& argument) { return argument == "-" || argument.starts_with("-:"); };
        if (std::count_if(options.recipes.begin(), options.recipes.end(), isInput) > 1)
            throw CLI::ValidationError("recipe", "standard input (-) can be read once only.");
    });
}

void addFolderOptions(CLI::App& command, RecipeOptions& options)
{
    addRecipeOptions(command, options, true);
    command.get_option("recipe")->description("PATH, a folder, PATH:SELECTOR, or - for standard input");
}

RecipeSet findRecipes(const std::vector<std::string>& arguments)
{
    RecipeSet out;
    for (const std::string& argument : arguments) {
        std::error_code error;
        if (argument == "-") {
            out.files.push_back({argument, {}, true});
            continue;
        }
        if (fs::is_directory(argument, error)) {
            findBelow(argument, out);
            continue;
        }
        const std::size_t colon = selectorColon(argument);
        if (colon != std::string::npos)
            out.files.push_back({argument.substr(0, colon), argument.substr(colon + 1), true});
        else
            out.files.push_back({argument, {}, true}); // a path that is not there is told when it is read
    }
    return out;
}

Result<check::Facts> readFacts(const RecipeOptions& options, Console& console)
{
    check::Facts facts;
    if (const std::string path = clusterFileOf(options, console); !path.empty()) {
        auto text = base::readFile(path, largestRecipe);
        if (!text)
            return passedOn(std::move(text.error()), "The cluster file");
        facts = check::factsFor(check::readCluster(std::make_shared<syntax::SourceText>(*std::move(text), path)));
    }
    facts.environment = environmentOfShell();
    if (options.pack == "auto")
        return facts;
    facts.pack = schema::builtInPack(options.pack);
    if (facts.pack)
        return facts;
    auto text = base::readFile(options.pack, largestRecipe);
    if (!text)
        return passedOn(std::move(text.error()), base::pathInQuotes(options.pack) + " is no built-in pack");
    auto pack = schema::readPack(*text, options.pack);
    if (!pack)
        return tl::unexpected<Error>(std::move(pack.error()));
    facts.pack = *std::move(pack);
    return facts;
}

Result<std::vector<expand::Setting>> readSettings(const RecipeOptions& options)
{
    std::vector<expand::Setting> out;
    const auto faultOf = [](std::string_view option, const std::string& key) {
        const std::string fault = expand::settingPath(key).fault;
        return fault.empty() ? fault : std::string(option) + " " + base::inQuotes(key) + " names no key: " + fault + ".";
    };
    for (const std::string& setting : options.settings) {
        const std::size_t equals = syntax::pathLength(setting, '=');
        if (equals == setting.size() || equals == 0)
            return failure(ErrorCode::Malformed, "--set takes KEY=VALUE, not " + base::inQuotes(setting) + ".");
        out.push_back({setting.substr(0, equals), setting.substr(equals + 1), false});
        if (std::string fault = faultOf("--set", out.back().key); !fault.empty())
            return failure(ErrorCode::Malformed, std::move(fault));
    }
    for (const std::string& key : options.removals) {
        out.push_back({key, {}, true});
        if (std::string fault = faultOf("--unset", key); !fault.empty())
            return failure(ErrorCode::Malformed, std::move(fault));
    }
    return out;
}

Result<check::Checked> checkFile(const RecipeFile& file, const check::Facts& facts, const check::Options& options)
{
    auto text = readRecipe(file.path);
    if (!text)
        return tl::unexpected<Error>(std::move(text.error()));
    check::Options own = options;
    own.isNamed = file.isNamed;
    own.expansion.selector = file.selector;
    return check::check(std::make_shared<syntax::SourceText>(*std::move(text), file.path), facts, own);
}

int checkEach(const RecipeOptions& options, std::size_t limit, Console& console, const std::function<void(SingleRecipe)>& take)
{
    const RecipeSet set = findRecipes(options.recipes);
    const auto facts = readFacts(options, console);
    auto settings = readSettings(options);
    if (!facts || !settings) {
        console.fail(facts ? settings.error() : facts.error());
        return facts ? Usage : World;
    }
    check::Options how;
    how.expansion.settings = *std::move(settings);
    how.expansion.limit = limit;
    int code = Good;
    const auto give = [&](SingleRecipe one) {
        code = std::max(code, one.code);
        take(std::move(one));
    };
    const auto giveUnread = [&](Error error, const std::string& path) {
        console.fail(error);
        SingleRecipe one;
        one.code = World;
        one.path = path;
        one.unread = std::move(error);
        give(std::move(one));
    };
    for (const RecipeFile& file : set.files) {
        auto checked = checkFile(file, *facts, how);
        if (!checked) {
            giveUnread(std::move(checked.error()), file.path);
            continue;
        }
        if (!file.isNamed && (!checked->pack || checked->source == checked->clusterSource)) // no recipe
            continue;
        SingleRecipe one;
        one.path = file.path;
        one.isNamed = file.isNamed;
        one.facts = *facts;
        one.checked = *std::move(checked);
        one.code = one.checked->valid ? Good : Findings;
        give(std::move(one));
    }
    for (const Error& error : set.errors)
        giveUnread(error, error.detail);
    if (set.files.empty() && set.errors.empty()) {
        console.fail("There is no *.yaml or *.yml file below the given folder.");
        return World;
    }
    return code;
}

SingleRecipe checkSingle(const RecipeOptions& options, std::size_t limit, Console& console)
{
    SingleRecipe out;
    std::error_code ignored;
    if (fs::is_directory(options.recipes.front(), ignored)) {
        console.fail("This command takes one recipe at a time, and " + base::pathInQuotes(options.recipes.front()) +
                     " is a folder; name a file in it.");
        out.code = Usage;
        return out;
    }
    const int code = checkEach(options, limit, console, [&](SingleRecipe one) { out = std::move(one); });
    out.code = code;
    return out;
}

} // namespace wb::cli
