// Recipe arguments and what they are checked against.
#pragma once

#include "app/cli/command.h"
#include "core/check/check.h"

#include <functional>
#include <optional>
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

/// `isSingle`: one file.
void addRecipeOptions(CLI::App& command, RecipeOptions& options, bool isSingle);
/// The same for one argument that may be a folder, see `checkEach`.
void addFolderOptions(CLI::App& command, RecipeOptions& options);

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

/// What a command on recipes begins with: one of them, checked. An error is said, and `code` is the exit code.
struct SingleRecipe {
    int code = Good;
    std::optional<check::Checked> checked;
    check::Facts facts;
    std::string path;
    bool isNamed = true;         ///< Not found in a folder.
    std::optional<Error> unread; ///< The recipe itself could not be read; `detail` is its path.
};
/// The recipes of the one argument in the order of their paths, each given away before the next one is read; files of a folder that are no
/// recipes are left out. Gives the highest exit code, also when there is none to take.
[[nodiscard]] int checkEach(const RecipeOptions& options, std::size_t limit, Console& console,
                            const std::function<void(SingleRecipe)>& take);
/// Of a command that takes no folder.
[[nodiscard]] SingleRecipe checkSingle(const RecipeOptions& options, std::size_t limit, Console& console);

} // namespace wb::cli
