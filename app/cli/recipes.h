// Recipe arguments and what they are checked against.
#pragma once

#include "app/cli/command.h"
#include "core/check/check.h"

#include <string>
#include <vector>

namespace wb::cli {

/// Options that all commands on recipes share.
struct RecipeOptions {
    std::vector<std::string> recipes;
    std::string cluster;
    std::string pack = "auto";
    std::vector<std::string> settings; ///< KEY=VALUE
    std::vector<std::string> removals; ///< KEY
    bool isJson = false;
};

void addRecipeOptions(CLI::App& command, RecipeOptions& options, bool isSingle);

/// One recipe file named by an argument or found in a folder.
struct RecipeFile {
    std::string path;     ///< As given; below a folder joined to it.
    std::string selector; ///< Behind the last colon.
    bool isNamed = true;  ///< Not found in a folder.
};

struct RecipeSet {
    std::vector<RecipeFile> files;
    std::vector<Error> errors; ///< Folders and links that could not be read; `detail` is the path.
};

[[nodiscard]] RecipeSet findRecipes(const std::vector<std::string>& arguments);

/// What the recipes are checked against: cluster file and pack.
[[nodiscard]] Result<check::Facts> readFacts(const RecipeOptions& options, Console& console);
/// --set and --unset as given; an error names the one that is no KEY=VALUE.
[[nodiscard]] Result<std::vector<expand::Setting>> readSettings(const RecipeOptions& options);

/// The text of a recipe; "-" is standard input.
[[nodiscard]] Result<std::string> readRecipe(const std::string& path);

/// Reads ("-" is standard input) and checks one file.
[[nodiscard]] Result<check::Checked> checkFile(const RecipeFile& file, const check::Facts& facts, const check::Options& options);

/// What `expand` and `dry-run` begin with: the one recipe, checked. An error is said, and `code` is the exit code.
struct SingleRecipe {
    int code = Good;
    std::optional<check::Checked> checked;
    check::Facts facts;
    std::string path;
    std::optional<Error> unread; ///< The recipe itself could not be read; `detail` is its path.
};
[[nodiscard]] SingleRecipe checkSingle(const RecipeOptions& options, std::size_t limit, Console& console);

} // namespace wb::cli
