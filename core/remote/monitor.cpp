#include "core/remote/monitor.h"

#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/remote/slurmstates.h"

#include <algorithm>

namespace wb::remote {

using store::JobEntry;

namespace {

/// Accounting lags behind, and right after sbatch the queue may not know the job yet.
constexpr std::int64_t takingIn = 20;

bool isAsked(const JobEntry& job)
{
    return job.step == store::Step::Submitted && !job.jobId.empty() && !isEnd(job.state);
}

} // namespace

JobEntry updated(JobEntry job, const PollAnswer& answer, std::int64_t now)
{
    const auto run = answer.runs.find(job.jobId);
    if (const auto log = answer.logs.find(job.jobId); log != answer.logs.end()) {
        // What was told before still holds where the part of the log that was read says nothing.
        const auto take = [](std::string& at, const std::string& told) {
            if (!told.empty())
                at = told;
        };
        take(job.stage, log->second.stage);
        take(job.workers, log->second.workers);
        take(job.figures, log->second.figures);
    }
    if (run != answer.runs.end()) {
        job.stage = run->second.stage;
        if (!run->second.workers.empty())
            job.workers = run->second.workers;
    }
    const auto at = answer.jobs.find(job.jobId);
    if (at == answer.jobs.end()) {
        if (answer.hasQueue && run != answer.runs.end() && isEnd(run->second.state)) {
            // Slurm forgot it, and the run itself says how it ended.
            job.state = run->second.state;
            job.reason = run->second.reason;
            job.exitCode = run->second.exitCode;
            job.expectedStart.reset();
            job.seen = now;
            if (!job.ended)
                job.ended = now;
            return job;
        }
        if (!answer.hasQueue || now - job.submitted.value_or(0) < takingIn)
            return job;
        job.state = "unknown";
        job.reason = answer.hasAccounting ? "Neither the queue nor the accounting knows it any more."
                                          : "The queue does not know it any more, and this cluster keeps no accounting.";
        job.expectedStart.reset();
        job.seen = now;
        return job;
    }
    const JobFacts& facts = at->second;
    job.state = facts.state;
    // Of a failure the run itself knows more than Slurm, which says "NonZeroExitCode".
    const bool knowsMore = run != answer.runs.end() && isEnd(facts.state) && !run->second.reason.empty();
    job.reason = knowsMore ? run->second.reason : facts.reason;
    job.expectedStart = facts.expectedStart;
    if (!facts.nodes.empty())
        job.nodes = facts.nodes;
    // By the cluster's clock, shifted to ours: elapsed times come out right where a clock is wrong.
    const std::int64_t shift = answer.remoteNow ? now - *answer.remoteNow : 0;
    constexpr std::int64_t negligible = 3; // the time that the question itself took
    const auto here = [&](std::optional<std::int64_t> time) {
        return time && (shift > negligible || shift < -negligible) ? std::optional(*time + shift) : time;
    };
    if (facts.started)
        job.started = here(facts.started);
    if (facts.expectedStart)
        job.expectedStart = here(facts.expectedStart);
    if (facts.ended)
        job.ended = here(facts.ended);
    else if (isEnd(job.state) && !job.ended)
        job.ended = now;
    if (facts.exitCode)
        job.exitCode = facts.exitCode;
    if (facts.signal)
        job.signal = facts.signal;
    job.seen = now;
    return job;
}

Result<Polled> poll(Transport& transport, const std::vector<JobEntry>& jobs, std::string_view preamble, std::int64_t now,
                    std::stop_token stop)
{
    Polled polled;
    std::vector<PollItem> numbers;
    for (const JobEntry& job : jobs)
        if (isAsked(job))
            numbers.push_back({job.jobId, job.outputDir, !job.stage.empty()});
    if (numbers.empty())
        return polled;
    RemoteCommand command;
    command.title = "poll " + std::to_string(numbers.size()) + (numbers.size() == 1 ? " job" : " jobs");
    command.script = slurmPrelude(preamble) + pollScript(numbers);
    command.mayAsk = false;
    auto outcome = transport.run(command, stop);
    if (!outcome)
        return tl::unexpected<Error>(std::move(outcome.error()));
    polled.answer = readPoll(outcome->out);
    if (!polled.answer.hasQueue)
        polled.warning = "The queue of " + transport.host() + " cannot be read: " + base::printable(polled.answer.trouble);
    for (const JobEntry& job : jobs) {
        if (!isAsked(job))
            continue;
        JobEntry next = updated(job, polled.answer, now);
        JobEntry sameTime = next;
        sameTime.seen = job.seen;
        if (!(sameTime == job))
            polled.changed.push_back(std::move(next));
    }
    return polled;
}

std::chrono::seconds pollPause(std::chrono::seconds interval, int failures)
{
    constexpr std::chrono::seconds shortest(10);
    constexpr int mostDoublings = 4;
    return std::max(interval, shortest) * (1 << std::clamp(failures, 0, mostDoublings));
}

Result<void> cancelJobs(Transport& transport, const std::vector<JobEntry>& jobs, std::string_view preamble, std::stop_token stop)
{
    RemoteCommand command;
    command.title = "cancel " + std::to_string(jobs.size()) + (jobs.size() == 1 ? " job" : " jobs");
    command.script = slurmPrelude(preamble);
    command.script += "bad=0\n";
    for (const JobEntry& job : jobs) {
        command.script += "scancel ";
        if (!job.cluster.empty())
            command.script += "-M " + base::shellQuoted(job.cluster) + ' ';
        command.script += base::shellQuoted(job.jobId) + " || bad=1\n";
    }
    command.script += "exit $bad\n";
    const auto outcome = transport.run(command, stop);
    if (!outcome)
        return tl::unexpected<Error>(outcome.error());
    if (outcome->exitCode != 0)
        return failure(ErrorCode::Refused, "scancel on " + transport.host() + " failed: " + base::printable(base::trimmed(outcome->err)),
                       outcome->err);
    return {};
}

} // namespace wb::remote
