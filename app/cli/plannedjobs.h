// From a recipe argument to the jobs that would be sent: what `submit` and `preflight` have in common.
#pragma once

#include "app/cli/recipes.h"
#include "core/remote/plannedjobs.h"

#include <string>
#include <vector>

namespace wb::cli {

struct RemoteOptions : RecipeOptions {
    std::string host;
    std::string launcher;
    std::string services;
    std::string outputs;
    std::vector<std::string> only;
};
void addRemoteOptions(CLI::App& command, RemoteOptions& options);

struct PlannedJobs : remote::PlannedJobs {
    int code = Good; ///< Not Good: the recipe could not be read, or the options are wrong; all is said.
};
[[nodiscard]] PlannedJobs planJobs(RemoteOptions options, Console& console);

} // namespace wb::cli
