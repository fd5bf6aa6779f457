// What is asked of Slurm, and how its answers are read. Each `...Script` is POSIX sh for Transport::run; each reader takes what such a
// script printed, passes over lines that are not of the form, and never takes silence for an answer.
//
// Times: the scripts ask for seconds since 1970 (SLURM_TIME_FORMAT), so neither time zones nor a wrong clock here matter.
#pragma once

#include "core/base/result.h"
#include "core/remote/runlog.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::remote {

/// At most so many ids are given to one sacct: long lists and open ranges of time bring accounting daemons down.
inline constexpr std::size_t mostIdsAtOnce = 200;

/// What Slurm says of one job; what it does not say is absent.
struct JobFacts {
    std::string id;    ///< Number of the submission, see SlurmId.
    std::string state; ///< As slurmstates.h: lower case.
    std::string reason;
    std::string name;
    std::string comment;
    std::string nodes; ///< "node[1-2]"
    std::optional<std::int64_t> submitted, started, ended;
    std::optional<std::int64_t> expectedStart; ///< Of a pending job, where the scheduler made a plan.
    std::optional<int> exitCode;
    std::optional<int> signal;

    friend bool operator==(const JobFacts&, const JobFacts&) = default;
};

/// What a run says of itself in its status file (resources/runtime/launcher.sh).
struct RunStatus {
    std::string state; ///< running, completed, failed, cancelled, timeout
    std::string stage;
    std::string reason;
    std::optional<int> exitCode;
    std::string workers; ///< As RunLog::workers.
};

/// What the answers to one poll tell.
struct PollAnswer {
    std::map<std::string, RunStatus> runs; ///< By number: what the runs say of themselves.
    std::map<std::string, RunLog> logs;    ///< By number: what their logs say.
    std::map<std::string, JobFacts> jobs;  ///< By number; of arrays and heterogeneous jobs one, see `poll` below.
    bool hasQueue = false;                 ///< squeue answered. Without it nothing that is missing here may be taken for ended.
    bool hasAccounting = false;            ///< sacct answered.
    std::optional<std::int64_t> remoteNow; ///< The cluster's clock.
    std::string trouble;                   ///< What squeue said when it did not answer.
};

/// Shell lines that find Slurm's commands where only login shells have them, and the profile's preamble. In front of each script here.
[[nodiscard]] std::string slurmPrelude(std::string_view preamble);

inline constexpr std::string_view statusFile = "srtwb-status.json"; ///< In the folder of the results.

/// A job to ask for.
struct PollItem {
    std::string number;
    std::string outputDir; ///< Where its status file and logs would be; empty: it has none.
    bool isBegun = false;  ///< A stage of it is known.
};
/// One query for all these jobs: squeue, then accounting, else scontrol for those that ended; and their status files and logs.
[[nodiscard]] std::string pollScript(std::span<const PollItem> items);
/// Tasks of an array and components of a heterogeneous job count as one: running while one of them is, ended when all are, then with the
/// worst end.
[[nodiscard]] PollAnswer readPoll(std::string_view out);

/// All jobs of this user whose comment holds the token of one of ours.
[[nodiscard]] std::string lookUpScript();
struct LookUpAnswer {
    bool hasQueue = false;
    bool keepsComments = false; ///< sacct answered with a comment of some job: one that is not among them is not there.
    std::string trouble;
    std::map<std::string, std::string> numbers; ///< By token.
};
[[nodiscard]] LookUpAnswer readLookUp(std::string_view out);

/// The comment with "srtwb:<token>" behind what was written. Tokens are 16 hexadecimal digits.
[[nodiscard]] std::string commentFor(std::string_view written, std::string_view token);
[[nodiscard]] std::string tokenIn(std::string_view comment); ///< Empty: none.

/// `sbatch --test-only`: when and where a job would start.
struct TestOnly {
    bool isAccepted = false;
    std::string start; ///< As Slurm says it; empty: it did not.
    std::string words; ///< All of the answer.
};
[[nodiscard]] TestOnly readTestOnly(std::string_view err, int exitCode);

/// A partition as `scontrol -o show partition` says it: keys as they are.
using Pairs = std::map<std::string, std::string, std::less<>>;
[[nodiscard]] std::vector<Pairs> readScontrol(std::string_view out);

/// "1-00:00:00", "30:00", "UNLIMITED" in minutes; nothing for anything else.
[[nodiscard]] std::optional<std::int64_t> limitMinutes(std::string_view text);

} // namespace wb::remote
