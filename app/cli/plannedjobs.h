// From a recipe to the jobs that would be sent: what `submit` and `preflight` have in common.
#pragma once

#include "app/cli/recipes.h"
#include "core/remote/bundle.h"
#include "core/remote/profiles.h"
#include "core/remote/submitter.h"

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

/// One job that can be sent.
struct ReadyJob {
    std::size_t variant = 0; ///< Index in Checked::variants.
    std::vector<render::Artifact> artifacts;
    remote::PlanItem item;
    plan::Counts counts;
    std::shared_ptr<const recipe::Job> job;
};
/// A variant that cannot.
struct UnreadyJob {
    std::string name;
    std::string why;
};

struct PlannedJobs {
    int code = Good; ///< Not Good: the recipe could not be read, or the options are wrong; all is said.
    remote::Profile profile;
    render::Launcher launcher = render::Launcher::Portable;
    std::string launcherName;
    std::string services; ///< See render::Context.
    std::string outputs;
    std::vector<std::pair<std::string, std::string>> secrets; ///< Of the profile: names and values.
    SingleRecipe recipe;
    std::vector<ReadyJob> ready;
    std::vector<UnreadyJob> unready;
};
[[nodiscard]] PlannedJobs planJobs(RemoteOptions options, Console& console);

/// What is sent for a job, with its token in the comment. With srtctl that changes the recipe by one line, which is given in `difference`.
struct TokenedBundle {
    remote::Bundle bundle;
    std::string difference;
};
[[nodiscard]] Result<TokenedBundle> bundleFor(const PlannedJobs& planned, const ReadyJob& job, const std::string& token);

} // namespace wb::cli
