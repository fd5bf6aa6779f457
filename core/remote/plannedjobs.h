// From a checked recipe to the jobs that would be sent to a cluster: what submitting and looking beforehand have in common, in the window
// and on the command line.
#pragma once

#include "core/check/check.h"
#include "core/remote/bundle.h"
#include "core/remote/preflight.h"
#include "core/remote/profiles.h"
#include "core/remote/submitter.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wb::remote {

/// One job that can be sent.
struct ReadyJob {
    std::size_t variant = 0; ///< Index in Checked::variants.
    std::vector<render::Artifact> artifacts;
    PlanItem item;
    plan::Counts counts;
    std::shared_ptr<const recipe::Job> job;
};
/// A variant that cannot.
struct UnreadyJob {
    std::string name;
    std::string why;
};

struct PlannedJobs {
    Profile profile;
    render::Launcher launcher = render::Launcher::Portable;
    std::string launcherName;
    std::string services; ///< See render::Context.
    std::string outputs;
    std::vector<std::pair<std::string, std::string>> secrets; ///< Of the profile: names and values.
    std::shared_ptr<const check::Checked> checked;
    check::Facts facts;
    std::string path; ///< Of the recipe, as the record names it.
    std::vector<ReadyJob> ready;
    std::vector<UnreadyJob> unready;
};

/// The launcher of that name; "portable" for any other.
[[nodiscard]] render::Launcher launcherOf(std::string_view name);

/// Adds the variants of `planned.checked` that are named, as ready or unready; everything above `ready` must be set.
void planVariants(PlannedJobs& planned, const std::vector<std::size_t>& variants);

/// The values of the secrets that the profile names, from `lookUp`; an error names the first that has none.
[[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>>
secretsOf(const Profile& profile, const std::function<std::optional<std::string>(const std::string& name)>& lookUp);

/// What is sent for a job, with its token in the comment. With srtctl that changes the recipe by one line, which is given in `difference`.
struct TokenedBundle {
    Bundle bundle;
    std::string difference;
};
[[nodiscard]] Result<TokenedBundle> bundleFor(const PlannedJobs& planned, const ReadyJob& job, const std::string& token);

/// What somebody must know who agrees to a submission. Hours are at the time limits: the most that it can cost.
struct SubmissionSheet {
    std::string host;
    std::string account, partition; ///< Of the jobs, each once, with commas between; empty: the cluster's default.
    std::size_t jobs = 0;
    std::size_t unready = 0; ///< Chosen, and cannot be sent.
    std::int64_t nodes = 0;  ///< Of all jobs together.
    std::optional<double> nodeHours;
    std::optional<double> gpuHours; ///< Both absent when a time limit is not known.
    std::size_t files = 0;
    std::size_t bytes = 0;
    std::string remoteFolder;
    std::string jobFolder;  ///< Of the first job, below `remoteFolder`; "<token>" stands for what tells it apart.
    std::string command;    ///< Of the first job, as a shell line, run in its folder.
    std::string difference; ///< See TokenedBundle, of the first job.
};
/// `planned.ready` must not be empty.
[[nodiscard]] Result<SubmissionSheet> sheetOf(const PlannedJobs& planned);

/// How the profile wants jobs to be submitted; `now` and `newToken` are the caller's.
[[nodiscard]] SubmitOptions submitOptions(const PlannedJobs& planned, std::function<std::int64_t()> now,
                                          std::function<std::string()> newToken);

/// 16 hexadecimal digits of the system's random source: the id of a job or of a call.
[[nodiscard]] std::string newToken();

/// What the preflight looks at here, and what it asks of the cluster. Reads the cluster file for its hash.
[[nodiscard]] std::vector<PreflightCheck> checksHere(const PlannedJobs& planned);
[[nodiscard]] PreflightNeeds needsOf(const PlannedJobs& planned, bool asksNodes);

} // namespace wb::remote
