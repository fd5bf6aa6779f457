// The jobs of the record as the commands show them, brought up to date with their clusters.
#pragma once

#include "app/cli/remotesession.h"
#include "core/base/json.h"
#include "core/remote/following.h"

#include <string>
#include <vector>

namespace wb::cli {

/// The contract's object of a job.
[[nodiscard]] base::json::Value toJson(const store::JobEntry& job);
[[nodiscard]] std::string asLine(const store::JobEntry& job, std::int64_t now);
[[nodiscard]] std::string listHead();

/// The record as it was when it was read. Errors and warnings are said.
struct History {
    std::optional<store::JobRecord> record;
    std::vector<remote::Profile> profiles;
};
/// The record for writing, to be let go soon: nothing where another program has it (it writes down what becomes of the jobs).
[[nodiscard]] std::optional<store::JobRecord> writableRecord();
[[nodiscard]] std::optional<History> openHistory(Console& console);

/// The job of an id: ours (or its begin), Slurm's, or HOST:SLURM. Nothing, and said why, when none or several fit.
[[nodiscard]] std::optional<store::JobEntry> jobOf(const History& history, const std::string& id, Console& console);
/// As it was submitted: with the ssh host of the record also when the profile is gone.
[[nodiscard]] remote::Profile profileOf(const History& history, const store::JobEntry& job);

/// Asks the clusters of those jobs that have not ended, finds out about those of which the submission's answer was lost, and writes down
/// what changed. False when a cluster could not be asked (that is said). `jobs` are as they are then.
bool bringUpToDate(History& history, std::vector<store::JobEntry>& jobs, RemoteSession& session, Console& console, std::stop_token stop);

} // namespace wb::cli
