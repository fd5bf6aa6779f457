// What became of jobs that were submitted: which of them may still change, where their results are, and one look at their cluster.
#pragma once

#include "core/remote/profiles.h"
#include "core/remote/transport.h"
#include "core/store/jobrecord.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace wb::remote {

/// It has an id and no end yet, or it is not known whether it is on the cluster.
[[nodiscard]] bool mayChange(const store::JobEntry& job);
/// Its folder on the cluster is known.
[[nodiscard]] bool hasFolder(const store::JobEntry& job);
/// The folder with the job's results on the cluster.
[[nodiscard]] std::string outputFolder(const store::JobEntry& job);
/// Its results are not all that it would have written: it has not ended, or was cut short.
[[nodiscard]] bool isPartial(const store::JobEntry& job);
/// Name of the folder that gets its results: one path component, "<job id>-<name>".
[[nodiscard]] std::string resultsName(const store::JobEntry& job);

/// Whether a file is a log, by its name.
[[nodiscard]] bool isLog(std::string_view path);
/// The log of the job script itself, as far as names tell: "sweep_<id>" or "slurm-<id>", else one with the job's number in it, else the
/// first log. Empty: there is no log among the paths.
[[nodiscard]] std::string ownLog(const std::vector<std::string>& paths, const store::JobEntry& job);

/// The profile of a job, with the ssh host of the record also when the profile is gone.
[[nodiscard]] Profile profileOf(const std::vector<Profile>& profiles, const store::JobEntry& job);

struct Refreshed {
    std::vector<store::JobEntry> changed;
    std::string warning; ///< The queue could not be read; empty: it could.
};
/// Asks the cluster, in one query, for those jobs that may change, finds out about those of which the submission's answer was lost, and
/// writes down what changed. All jobs must be of that host. `record`: open for writing; null: nothing is written, and lost answers are not
/// looked for.
[[nodiscard]] Result<Refreshed> refresh(Transport& transport, store::JobRecord* record, const std::vector<store::JobEntry>& jobs,
                                        const Profile& profile, std::int64_t now, std::stop_token stop = {});

} // namespace wb::remote
