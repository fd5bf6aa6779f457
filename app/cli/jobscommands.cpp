// srtwb jobs, status, cancel: the history and what is on the clusters.
#include "app/cli/jobhistory.h"
#include "app/cli/remotecommands.h"
#include "core/base/text.h"
#include "core/remote/auditlog.h"
#include "core/remote/monitor.h"
#include "core/remote/slurmstates.h"

#include <algorithm>

namespace wb::cli {

using base::json::Value;
using store::JobEntry;

namespace {

struct JobsOptions {
    std::string host;
    bool isLocal = false;
    bool isJson = false;
    bool showsAudit = false;
};

struct IdOptions {
    std::vector<std::string> ids;
    bool isJson = false;
};

void print(const std::vector<JobEntry>& jobs, bool isJson, Console& console)
{
    if (isJson) {
        base::json::Array list;
        for (const JobEntry& job : jobs)
            list.push_back(toJson(job));
        Value document;
        document.set("jobs", std::move(list));
        console.writeDocument(document);
        return;
    }
    console.write(listHead());
    const std::int64_t now = secondsNow();
    for (const JobEntry& job : jobs)
        console.write(asLine(job, now));
}

int runJobs(const JobsOptions& options, Console& console)
{
    if (options.showsAudit) {
        const auto text = remote::readAuditLog(stateFolder() + "/audit.jsonl");
        if (!text) {
            console.fail(text.error());
            return World;
        }
        console.write(*text);
        return Good;
    }
    auto history = openHistory(console);
    if (!history)
        return World;
    std::vector<JobEntry> jobs;
    for (const JobEntry& job : history->record->jobs())
        if (options.host.empty() || job.host == options.host || job.sshHost == options.host)
            jobs.push_back(job);
    const Interruption interruption;
    RemoteSession session;
    const bool isAll = options.isLocal || bringUpToDate(*history, jobs, session, console, interruption.token());
    print(jobs, options.isJson, console);
    session.sayTrouble(console);
    return isAll ? Good : World;
}

/// The history and the jobs of the ids; no jobs, and said why, when one is wrong.
struct NamedJobs {
    int code = World;
    std::optional<History> history;
    std::vector<JobEntry> jobs;
};
NamedJobs namedJobs(const IdOptions& options, Console& console)
{
    NamedJobs out;
    out.history = openHistory(console);
    if (!out.history)
        return out;
    out.code = Findings;
    for (const std::string& id : options.ids) {
        auto job = jobOf(*out.history, id, console);
        if (!job) {
            out.jobs.clear();
            return out;
        }
        out.jobs.push_back(*std::move(job));
    }
    return out;
}

int runStatus(const IdOptions& options, Console& console)
{
    NamedJobs found = namedJobs(options, console);
    std::optional<History>& history = found.history;
    std::vector<JobEntry>& jobs = found.jobs;
    if (jobs.empty())
        return found.code;
    const Interruption interruption;
    RemoteSession session;
    const bool isAll = bringUpToDate(*history, jobs, session, console, interruption.token());
    print(jobs, options.isJson, console);
    if (!options.isJson) {
        for (const JobEntry& job : jobs) {
            console.write("\n" + job.id + "  " + base::printable(job.name) + "\n  folder   " + base::printable(job.remoteDir) +
                          "\n  sha256   " + job.sha256 + "\n");
            if (!job.nodes.empty())
                console.write("  nodes    " + base::printable(job.nodes) + "\n");
            if (job.exitCode)
                console.write("  exit     " + std::to_string(*job.exitCode) +
                              (job.signal ? ", signal " + std::to_string(*job.signal) : std::string()) + "\n");
            if (!job.message.empty())
                console.say(job.message);
        }
    }
    session.sayTrouble(console);
    if (!isAll)
        return World;
    return std::any_of(jobs.begin(), jobs.end(), [](const JobEntry& job) { return remote::isFailure(job.state); }) ? Findings : Good;
}

int runCancel(const IdOptions& options, Console& console)
{
    NamedJobs found = namedJobs(options, console);
    std::optional<History>& history = found.history;
    std::vector<JobEntry>& jobs = found.jobs;
    if (jobs.empty())
        return found.code;
    const Interruption interruption;
    RemoteSession session;
    int code = Good;
    // One whose answer was lost may be in the queue.
    const bool isLost = std::any_of(jobs.begin(), jobs.end(), [](const JobEntry& job) { return job.step == store::Step::Submitting; });
    if (isLost)
        (void)bringUpToDate(*history, jobs, session, console, interruption.token());
    for (JobEntry& job : jobs) {
        if (job.jobId.empty()) {
            console.fail(base::inQuotes(job.name) + " has no job id; it is " + job.state + '.');
            code = Findings;
            continue;
        }
        const remote::Profile profile = profileOf(*history, job);
        if (profile.isReadOnly) {
            console.fail("The profile " + base::inQuotes(profile.name) + " is read-only: its jobs cannot be cancelled.");
            return Usage;
        }
        if (remote::isEnd(job.state)) {
            console.say(job.jobId + " (" + job.name + ") has ended already: " + job.state + '.');
            continue;
        }
        if (auto done = remote::cancelJobs(session.transportOf(profile), {job}, profile.preamble, interruption.token()); !done) {
            console.fail(done.error());
            code = done.error().code == ErrorCode::Refused ? std::max<int>(code, Findings) : World;
            continue;
        }
        console.say("Asked " + job.host + " to cancel " + job.jobId + " (" + job.name + ").");
    }
    const bool isAll = bringUpToDate(*history, jobs, session, console, interruption.token());
    print(jobs, options.isJson, console);
    session.sayTrouble(console);
    return isAll ? code : World;
}

} // namespace

Run addJobs(CLI::App& command, Console& console)
{
    auto options = std::make_shared<JobsOptions>();
    command.add_option("--host", options->host, "Only jobs of that profile or host");
    command.add_flag("--local", options->isLocal, "Show the history without asking the clusters");
    command.add_flag("--audit", options->showsAudit, "Print the log of all commands that went to clusters, a JSON object a line");
    command.add_flag("--json", options->isJson, "Print one JSON document");
    return [options, &console] { return runJobs(*options, console); };
}

namespace {

std::shared_ptr<IdOptions> addIds(CLI::App& command)
{
    auto options = std::make_shared<IdOptions>();
    command.add_option("id", options->ids, "Id of the history (its begin will do), Slurm's job id, or HOST:ID")->required();
    command.add_flag("--json", options->isJson, "Print one JSON document");
    return options;
}

} // namespace

Run addStatus(CLI::App& command, Console& console)
{
    auto options = addIds(command);
    return [options, &console] { return runStatus(*options, console); };
}

Run addCancel(CLI::App& command, Console& console)
{
    auto options = addIds(command);
    return [options, &console] { return runCancel(*options, console); };
}

} // namespace wb::cli
