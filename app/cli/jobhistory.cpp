#include "app/cli/jobhistory.h"

#include "core/base/text.h"
#include "core/remote/jobids.h"

#include <algorithm>
#include <map>

namespace wb::cli {

using base::json::Value;
using store::JobEntry;

Value toJson(const JobEntry& job)
{
    const auto known = [](const std::string& text) { return text.empty() ? Value() : Value(text); };
    Value object;
    object.set("id", job.id);
    object.set("host", job.host);
    object.set("jobId", known(job.jobId));
    object.set("name", known(job.name));
    object.set("recipe", known(job.recipe));
    object.set("variant", known(job.variant));
    object.set("state", job.state.empty() ? Value(store::name(job.step)) : Value(job.state));
    object.set("reason", known(job.reason.empty() ? job.message : job.reason));
    object.set("stage", known(job.stage));
    object.set("workers", known(job.workers));
    object.set("figures", known(job.figures));
    object.set("submitted", job.submitted);
    object.set("started", job.started);
    object.set("ended", job.ended);
    object.set("expectedStart", job.expectedStart);
    object.set("exitCode", job.exitCode ? Value(*job.exitCode) : Value());
    object.set("sha256", known(job.sha256));
    object.set("remoteDir", known(job.remoteDir));
    object.set("nodes", known(job.nodes));
    object.set("seen", job.seen);
    return object;
}

std::string listHead()
{
    return "ID\tHOST\tJOB\tSTATE\tELAPSED\tNAME\tREASON\n";
}

std::string asLine(const JobEntry& job, std::int64_t now)
{
    std::string elapsed = "-";
    if (job.started) {
        const std::int64_t seconds = std::max<std::int64_t>(0, job.ended.value_or(now) - *job.started);
        const auto two = [](std::int64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); };
        elapsed = std::to_string(seconds / 3600) + ':' + two(seconds / 60 % 60) + ':' + two(seconds % 60);
    }
    constexpr std::size_t shownDigits = 8;
    std::string line = job.id.substr(0, shownDigits);
    for (const std::string& cell :
         {job.host, job.jobId.empty() ? std::string("-") : job.jobId, job.state.empty() ? std::string(store::name(job.step)) : job.state,
          elapsed, job.name, job.reason.empty() ? job.message : job.reason})
        line += '\t' + base::printable(cell);
    return line + '\n';
}

std::optional<History> openHistory(Console& console)
{
    History history;
    auto profiles = userProfiles();
    if (!profiles) {
        console.fail(profiles.error());
        return std::nullopt;
    }
    history.profiles = *std::move(profiles);
    auto record = store::JobRecord::open(stateFolder(), store::JobRecord::Access::Read);
    if (!record) {
        console.fail(record.error());
        return std::nullopt;
    }
    for (const std::string& warning : record->warnings())
        console.say("warning: " + warning);
    history.record = *std::move(record);
    return history;
}

std::optional<store::JobRecord> writableRecord()
{
    constexpr std::chrono::milliseconds patience(500);
    auto record = store::JobRecord::open(stateFolder(), store::JobRecord::Access::Write, patience);
    return record ? std::optional(*std::move(record)) : std::nullopt;
}

std::optional<JobEntry> jobOf(const History& history, const std::string& id, Console& console)
{
    const std::size_t colon = id.rfind(':');
    const std::string host = colon == std::string::npos ? std::string() : id.substr(0, colon);
    const std::string word = colon == std::string::npos ? id : id.substr(colon + 1);
    const auto number = remote::readSlurmId(word);
    constexpr std::size_t shortest = 4;
    std::vector<JobEntry> found;
    for (const JobEntry& job : history.record->jobs()) {
        if (!host.empty() && job.host != host && job.sshHost != host)
            continue;
        const bool isOurs = word.size() >= shortest && job.id.starts_with(word);
        const bool isSlurms = number && job.jobId == number->number && (number->cluster.empty() || number->cluster == job.cluster);
        if (isOurs || isSlurms)
            found.push_back(job);
    }
    if (found.size() == 1)
        return found.front();
    if (found.empty()) {
        console.fail("There is no job " + base::inQuotes(id) + " in the history; \"srtwb jobs\" lists them.");
        return std::nullopt;
    }
    std::string all;
    for (const JobEntry& job : found)
        all += "\n  " + job.id + "  " + job.host + ':' + job.jobId + "  " + job.name;
    console.fail(base::inQuotes(id) + " fits more than one job:" + all);
    return std::nullopt;
}

remote::Profile profileOf(const History& history, const JobEntry& job)
{
    return remote::profileOf(history.profiles, job);
}

namespace {

bool updateHost(History& history, std::vector<JobEntry*>& jobs, RemoteSession& session, Console& console, const std::stop_token& stop)
{
    const remote::Profile profile = profileOf(history, *jobs.front());
    remote::OpenSshTransport& transport = session.transportOf(profile);
    if (auto connected = transport.connect(stop); !connected) {
        console.fail(connected.error());
        return false;
    }
    std::vector<JobEntry> asked;
    for (const JobEntry* job : jobs)
        asked.push_back(*job);
    // For so long only: whoever follows a log for hours must not keep others from submitting.
    auto record = writableRecord();
    const auto refreshed = remote::refresh(transport, record ? &*record : nullptr, asked, profile, secondsNow(), stop);
    if (!refreshed) {
        console.fail(refreshed.error());
        return false;
    }
    if (!refreshed->warning.empty())
        console.fail(refreshed->warning);
    for (const JobEntry& changed : refreshed->changed) {
        for (JobEntry* job : jobs)
            if (job->id == changed.id)
                *job = changed;
    }
    return refreshed->warning.empty();
}

} // namespace

bool bringUpToDate(History& history, std::vector<JobEntry>& jobs, RemoteSession& session, Console& console, std::stop_token stop)
{
    std::map<std::string, std::vector<JobEntry*>> byHost;
    for (JobEntry& job : jobs)
        if (remote::mayChange(job))
            byHost[job.host + '\n' + job.sshHost].push_back(&job);
    bool isAll = true;
    for (auto& [host, open] : byHost)
        isAll = updateHost(history, open, session, console, stop) && isAll;
    return isAll;
}

} // namespace wb::cli
