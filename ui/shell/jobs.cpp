#include "ui/shell/jobs.h"

#include "core/base/safename.h"
#include "core/remote/monitor.h"
#include "core/remote/slurmstates.h"
#include "ui/async/background.h"
#include "ui/models/text.h"
#include "ui/shell/results.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

namespace wb::ui {

using store::JobEntry;

namespace {

using namespace std::chrono_literals;

/// As long as that a worker waits for another program that writes to the record.
constexpr std::chrono::milliseconds recordPatience = 5s;

std::int64_t secondsNow()
{
    return QDateTime::currentSecsSinceEpoch();
}

/// The newer one by the clock of the one who asked.
bool isNewer(const JobEntry& job, const JobEntry& than)
{
    return job.seen.value_or(0) > than.seen.value_or(0) || (job.seen == than.seen && job.fetched != than.fetched);
}

void replace(std::vector<JobEntry>& jobs, const JobEntry& job)
{
    const auto at = std::find_if(jobs.begin(), jobs.end(), [&](const JobEntry& each) { return each.id == job.id; });
    if (at == jobs.end())
        jobs.push_back(job);
    else
        *at = job;
}

/// Writes those that the record does not know a newer state of. True: they are in the record now.
bool putNewer(store::JobRecord& record, const std::vector<JobEntry>& jobs)
{
    std::vector<JobEntry> wanted;
    for (const JobEntry& job : jobs) {
        const JobEntry* known = record.find(job.id);
        if (!known || isNewer(job, *known))
            wanted.push_back(job);
    }
    return wanted.empty() || record.put(wanted).has_value();
}

std::string keyOf(const remote::Profile& profile)
{
    return profile.name + '\n' + profile.host;
}

QString named(const JobEntry& job)
{
    return job.jobId.empty() ? text(job.name) : QStringLiteral("%1 (%2)").arg(text(job.jobId), text(job.name));
}

} // namespace

struct Jobs::Host {
    remote::Profile profile;
    Watch watch;
    std::deque<std::int64_t> times; ///< Of the queries of the last minute.
    bool isWantedAgain = false;     ///< What is being answered was asked before somebody wanted to know.
};

struct Jobs::Polled {
    std::vector<JobEntry> asked;
    Result<remote::Refreshed> refreshed;
    bool isWritten = false;
};

struct Jobs::Loaded {
    std::vector<JobEntry> jobs;
    std::vector<std::string> warnings;
    std::optional<Error> error;
};

struct Jobs::Listed {
    TaskId task{};
    std::vector<JobFiles> files;
    std::vector<Error> errors;
};

struct Jobs::Fetched {
    std::optional<Error> error;
    remote::Fetched files;
    QString folder;
};

Jobs::Jobs(Connections& connections, async::Workers& workers, async::Workers& remoteWorkers, Log& log, Tasks& tasks, Results& results,
           QString stateFolder, QString resultsFolder, QObject* parent)
    : QObject(parent)
    , m_connections(connections)
    , m_workers(workers)
    , m_remote(remoteWorkers)
    , m_log(log)
    , m_tasks(tasks)
    , m_results(results)
    , m_stateFolder(std::move(stateFolder))
    , m_resultsFolder(std::move(resultsFolder))
    , m_load(m_workers,
             [this](const std::shared_ptr<const Loaded>& loaded) {
                 if (loaded->error)
                     return tell(*loaded->error);
                 for (const std::string& warning : loaded->warnings)
                     m_log.warning(text(warning));
                 m_jobs = loaded->jobs;
                 for (const JobEntry& job : m_unwritten)
                     replace(m_jobs, job);
                 Q_EMIT changed();
                 schedule();
             })
    , m_fetch(m_remote, [this](const std::shared_ptr<const Fetched>& fetched) { finishFetch(*fetched); })
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        const std::int64_t now = secondsNow();
        for (const auto& [name, host] : m_hosts)
            if (!host->watch.isAsking && host->watch.next <= now)
                poll(*host);
        schedule();
    });
    m_fetch.onProgress([this](std::size_t done, std::size_t total) {
        if (!m_fetches.empty())
            m_tasks.report(m_fetches.front().task, done, total);
    });
}

Jobs::~Jobs()
{
    m_stop.request_stop();
}

const JobEntry* Jobs::find(const std::string& id) const
{
    const auto found = std::find_if(m_jobs.begin(), m_jobs.end(), [&](const JobEntry& job) { return job.id == id; });
    return found == m_jobs.end() ? nullptr : &*found;
}

std::size_t Jobs::openCount() const
{
    return static_cast<std::size_t>(std::count_if(m_jobs.begin(), m_jobs.end(), remote::mayChange));
}

std::vector<JobEntry> Jobs::entries(const std::vector<std::string>& ids) const
{
    std::vector<JobEntry> out;
    for (const std::string& id : ids)
        if (const JobEntry* job = find(id))
            out.push_back(*job);
    return out;
}

remote::Profile Jobs::profileOf(const JobEntry& job) const
{
    return remote::profileOf(m_profiles, job);
}

QString Jobs::folderFor(const JobEntry& job) const
{
    return m_resultsFolder + QLatin1Char('/') + text(base::safeName(job.host)) + QLatin1Char('/') + text(remote::resultsName(job));
}

void Jobs::load()
{
    m_load.start([folder = m_stateFolder.toStdString()](std::stop_token) {
        auto out = std::make_shared<Loaded>();
        auto record = store::JobRecord::open(folder, store::JobRecord::Access::Read);
        if (!record) {
            out->error = std::move(record.error()).within("Reading the job history");
            return std::shared_ptr<const Loaded>(out);
        }
        out->jobs = record->jobs();
        out->warnings = record->warnings();
        return std::shared_ptr<const Loaded>(out);
    });
}

void Jobs::setProfiles(std::vector<remote::Profile> profiles)
{
    m_profiles = std::move(profiles);
    m_hosts.clear();
    Q_EMIT watchChanged();
    schedule();
}

void Jobs::take(const std::vector<JobEntry>& jobs)
{
    // While more jobs may come they are not asked for one by one.
    constexpr std::int64_t settling = 10;
    for (const JobEntry& job : jobs) {
        replace(m_jobs, job);
        const remote::Profile profile = profileOf(job);
        if (remote::mayChange(job) && !profile.host.empty() && !m_hosts.contains(keyOf(profile)))
            hostOf(profile).watch.next = secondsNow() + settling;
    }
    Q_EMIT changed();
    schedule();
}

void Jobs::tell(const Error& error)
{
    m_log.error(error);
    Q_EMIT failed(error);
}

// --- watching -------------------------------------------------------------------------------------------------------------------------

Jobs::Host& Jobs::hostOf(const remote::Profile& profile)
{
    std::unique_ptr<Host>& host = m_hosts[keyOf(profile)];
    if (!host || !(host->profile == profile)) {
        host = std::make_unique<Host>();
        host->profile = profile;
        host->watch.profile = profile.name;
    }
    return *host;
}

std::vector<Jobs::Watch> Jobs::watches() const
{
    std::vector<Watch> out;
    const std::int64_t now = secondsNow();
    constexpr std::int64_t minute = 60;
    for (const auto& [name, host] : m_hosts) {
        Watch watch = host->watch;
        watch.perMinute =
            static_cast<int>(std::count_if(host->times.begin(), host->times.end(), [&](std::int64_t time) { return time > now - minute; }));
        out.push_back(std::move(watch));
    }
    return out;
}

void Jobs::setWatching(bool isWatching)
{
    if (std::exchange(m_isWatching, isWatching) != isWatching) {
        schedule();
        Q_EMIT watchChanged();
    }
}

void Jobs::refreshNow()
{
    load();
    for (const auto& [name, host] : m_hosts) {
        host->watch.next = 0;
        host->isWantedAgain = host->watch.isAsking;
    }
    schedule();
}

void Jobs::schedule()
{
    for (const JobEntry& job : m_jobs) {
        const remote::Profile profile = profileOf(job);
        if (remote::mayChange(job) && !profile.host.empty())
            (void)hostOf(profile);
    }
    std::erase_if(m_hosts, [this](const auto& each) {
        return !each.second->watch.isAsking && std::none_of(m_jobs.begin(), m_jobs.end(), [&](const JobEntry& job) {
            return remote::mayChange(job) && profileOf(job) == each.second->profile;
        });
    });
    m_timer.stop();
    if (!m_isWatching)
        return;
    std::optional<std::int64_t> next;
    for (const auto& [name, host] : m_hosts)
        if (!host->watch.isAsking)
            next = next ? std::min(*next, host->watch.next) : host->watch.next;
    if (next)
        m_timer.start(std::chrono::seconds(std::max<std::int64_t>(0, *next - secondsNow())));
}

void Jobs::poll(Host& host)
{
    std::vector<JobEntry> asked;
    for (const JobEntry& job : m_jobs)
        if (remote::mayChange(job) && profileOf(job) == host.profile)
            asked.push_back(job);
    if (asked.empty()) {
        host.watch.next = secondsNow() + host.profile.pollSeconds;
        return;
    }
    host.watch.isAsking = true;
    const std::int64_t now = secondsNow();
    host.times.push_back(now);
    constexpr std::int64_t minute = 60;
    while (!host.times.empty() && host.times.front() <= now - minute)
        host.times.pop_front();
    Q_EMIT watchChanged();
    async::runInBackground(
        m_remote, this,
        [transport = m_connections.of(host.profile), profile = host.profile, asked, unwritten = m_unwritten,
         folder = m_stateFolder.toStdString(), now, stop = m_stop.get_token()] {
            auto out = std::make_shared<Polled>();
            out->asked = asked;
            auto record = store::JobRecord::open(folder, store::JobRecord::Access::Write);
            out->isWritten = record && putNewer(*record, unwritten);
            out->refreshed = remote::refresh(*transport, record ? &*record : nullptr, asked, profile, now, stop);
            return std::shared_ptr<const Polled>(out);
        },
        [this, key = keyOf(host.profile)](const std::shared_ptr<const Polled>& polled) { finishPoll(key, *polled); });
}

void Jobs::finishPoll(const std::string& key, const Polled& polled)
{
    if (polled.isWritten)
        m_unwritten.clear();
    const auto at = m_hosts.find(key);
    if (at == m_hosts.end())
        return schedule();
    Host& host = *at->second;
    host.watch.isAsking = false;
    const std::int64_t now = secondsNow();
    const bool isAnswered = polled.refreshed && polled.refreshed->warning.empty();
    if (polled.refreshed) {
        m_connections.learn(host.profile, std::nullopt);
        for (const JobEntry& job : polled.refreshed->changed) {
            const JobEntry* known = find(job.id);
            const std::string before = known ? known->state : std::string();
            JobEntry next = job;
            if (known)
                next.fetched = known->fetched; // what came meanwhile
            if (!polled.isWritten)
                replace(m_unwritten, next);
            replace(m_jobs, next);
            if (before != next.state) {
                m_log.info(tr("%1 on %2: %3").arg(named(next), text(next.host), text(next.state)));
                Q_EMIT stateChanged(next, before);
            }
        }
        if (!polled.refreshed->changed.empty())
            Q_EMIT changed();
    } else {
        m_connections.learn(host.profile, polled.refreshed.error());
    }
    if (isAnswered) {
        host.watch.asked = now;
        host.watch.failures = 0;
        host.watch.trouble.clear();
    } else {
        const QString trouble = text(polled.refreshed ? polled.refreshed->warning : polled.refreshed.error().message);
        // Said once, not at each attempt.
        if (trouble != host.watch.trouble)
            m_log.warning(trouble, polled.refreshed ? QString() : text(polled.refreshed.error().detail));
        host.watch.trouble = trouble;
        ++host.watch.failures;
    }
    const bool isWantedAgain = std::exchange(host.isWantedAgain, false);
    host.watch.next =
        isWantedAgain ? 0 : now + remote::pollPause(std::chrono::seconds(host.profile.pollSeconds), host.watch.failures).count();
    schedule();
    Q_EMIT watchChanged();
}

void Jobs::put(const JobEntry& job)
{
    replace(m_jobs, job);
    Q_EMIT changed();
    async::runInBackground(
        m_workers, this,
        [job, folder = m_stateFolder.toStdString()]() -> Result<void> {
            auto record = store::JobRecord::open(folder, store::JobRecord::Access::Write, recordPatience);
            return record ? record->put(job) : tl::unexpected<Error>(std::move(record.error()));
        },
        [this, job](const Result<void>& written) {
            if (!written)
                replace(m_unwritten, job);
        });
}

// --- what is done to jobs -------------------------------------------------------------------------------------------------------------

QString Jobs::whyNoCancel(const std::vector<std::string>& ids) const
{
    const std::vector<JobEntry> jobs = entries(ids);
    if (jobs.empty())
        return tr("No job is selected.");
    for (const JobEntry& job : jobs) {
        if (profileOf(job).isReadOnly)
            return tr("The profile \"%1\" is read-only: jobs can only be watched there.").arg(text(job.host));
    }
    const bool isAny =
        std::any_of(jobs.begin(), jobs.end(), [](const JobEntry& job) { return !job.jobId.empty() && !remote::isEnd(job.state); });
    return isAny ? QString() : tr("It has ended, or was never accepted.");
}

QString Jobs::whyNoFetch(const std::vector<std::string>& ids) const
{
    const std::vector<JobEntry> jobs = entries(ids);
    if (jobs.empty())
        return tr("No job is selected.");
    const bool isAny = std::any_of(jobs.begin(), jobs.end(), [](const JobEntry& job) { return remote::hasFolder(job); });
    return isAny ? QString() : tr("It has no folder on the cluster.");
}

QString Jobs::whyNoRemoval(const std::vector<std::string>& ids) const
{
    if (QString why = whyNoFetch(ids); !why.isEmpty())
        return why;
    for (const JobEntry& job : entries(ids)) {
        if (profileOf(job).isReadOnly)
            return tr("The profile \"%1\" is read-only: jobs can only be watched there.").arg(text(job.host));
        const bool isInUse =
            (!job.jobId.empty() && !remote::isEnd(job.state) && job.state != "unknown") || job.step == store::Step::Submitting;
        if (isInUse)
            return tr("%1 is %2; its folder is in use.").arg(named(job), text(job.state));
    }
    return {};
}

void Jobs::cancel(const std::vector<std::string>& ids)
{
    std::map<std::string, std::vector<JobEntry>> byHost;
    for (const JobEntry& job : entries(ids))
        if (!job.jobId.empty() && !remote::isEnd(job.state) && !profileOf(job).isReadOnly)
            byHost[job.host + '\n' + job.sshHost].push_back(job);
    for (const auto& [key, jobs] : byHost) {
        const remote::Profile profile = profileOf(jobs.front());
        const TaskId task = m_tasks.begin(tr("Cancelling %n job(s) on %1", nullptr, static_cast<int>(jobs.size())).arg(text(profile.host)));
        async::runInBackground(
            m_remote, this,
            [transport = m_connections.of(profile), jobs = jobs, profile, stop = m_stop.get_token()] {
                return remote::cancelJobs(*transport, jobs, profile.preamble, stop);
            },
            [this, profile, task, jobs = jobs](const Result<void>& done) {
                if (!done) {
                    m_tasks.finish(task, TaskState::Failed, text(done.error().message));
                    return tell(done.error());
                }
                QStringList names;
                for (const JobEntry& job : jobs)
                    names += named(job);
                const QString told = tr("Asked %1 to cancel %2.").arg(text(profile.host), names.join(QStringLiteral(", ")));
                m_tasks.finish(task, TaskState::Done, told);
                m_log.info(told);
                if (const auto host = m_hosts.find(keyOf(profile)); host != m_hosts.end())
                    host->second->watch.next = 0;
                schedule();
            });
    }
}

void Jobs::removeFolders(const std::vector<std::string>& ids)
{
    if (!whyNoRemoval(ids).isEmpty())
        return;
    for (const JobEntry& job : entries(ids)) {
        if (!remote::hasFolder(job))
            continue;
        const remote::Profile profile = profileOf(job);
        const QString place = text(profile.host) + QLatin1Char(':') + text(job.remoteDir);
        const TaskId task = m_tasks.begin(tr("Removing %1").arg(place));
        async::runInBackground(
            m_remote, this,
            [transport = m_connections.of(profile), job, stop = m_stop.get_token()] {
                return remote::removeRemoteFolder(*transport, job.remoteDir, job.id, stop);
            },
            [this, task, place](const Result<void>& done) {
                if (!done) {
                    m_tasks.finish(task, TaskState::Failed, text(done.error().message));
                    return tell(done.error());
                }
                m_tasks.finish(task, TaskState::Done, tr("Removed %1.").arg(place));
                m_log.info(tr("Removed %1.").arg(place));
            });
    }
}

void Jobs::list(const std::vector<std::string>& ids)
{
    struct Asked {
        std::string job;
        TransportPtr transport;
        std::string from;
        QString to;
    };
    std::vector<Asked> asked;
    for (const JobEntry& job : entries(ids))
        if (remote::hasFolder(job))
            asked.push_back({job.id, m_connections.of(profileOf(job)), remote::outputFolder(job), folderFor(job)});
    if (asked.empty())
        return;
    const TaskId task = m_tasks.begin(tr("Listing the files of %n job(s)", nullptr, static_cast<int>(asked.size())));
    async::runInBackground(
        m_remote, this,
        [asked, task, stop = m_stop.get_token()] {
            auto out = std::make_shared<Listed>();
            out->task = task;
            for (const Asked& each : asked) {
                if (auto connected = each.transport->connect(stop); !connected) {
                    out->errors.push_back(std::move(connected.error()));
                    break; // one refusal is enough
                }
                const auto files = remote::remoteFiles(*each.transport, each.from, stop);
                if (files)
                    out->files.push_back(
                        {each.job, remote::planFetch(*files, {}), remote::planFetch(*files, {.everything = true}), each.to});
                else
                    out->errors.push_back(files.error());
            }
            return std::shared_ptr<const Listed>(out);
        },
        [this](const std::shared_ptr<const Listed>& listed) { finishList(*listed); });
}

void Jobs::finishList(const Listed& done)
{
    for (const Error& error : done.errors)
        tell(error);
    m_tasks.finish(done.task, done.errors.empty() ? TaskState::Done : TaskState::Failed,
                   done.errors.empty() ? QString() : text(done.errors.front().message));
    if (!done.files.empty())
        Q_EMIT listed(done.files);
}

void Jobs::fetch(const std::string& id, const remote::FetchPlan& plan)
{
    const JobEntry* job = find(id);
    if (!job)
        return;
    const TaskId task = m_tasks.begin(
        tr("Fetching the results of %1").arg(named(*job)),
        [this, id] {
            const auto at = std::find_if(m_fetches.begin(), m_fetches.end(), [&](const Wanted& each) { return each.job == id; });
            if (at == m_fetches.end())
                return;
            const bool isRunning = at == m_fetches.begin();
            m_tasks.finish(at->task, TaskState::Cancelled, tr("What came so far is kept; fetching again goes on."));
            m_fetches.erase(at);
            if (isRunning) {
                m_fetch.cancel();
                startFetch();
            }
        },
        [this, id, plan] { fetch(id, plan); });
    m_fetches.push_back({id, plan, task});
    if (m_fetches.size() == 1)
        startFetch();
}

void Jobs::startFetch()
{
    if (m_fetches.empty())
        return;
    const Wanted& wanted = m_fetches.front();
    const JobEntry* job = find(wanted.job);
    if (!job) {
        m_tasks.finish(wanted.task, TaskState::Failed, tr("The job is not in the history any more."));
        m_fetches.pop_front();
        return startFetch();
    }
    m_fetch.startReporting([transport = m_connections.of(profileOf(*job)), plan = wanted.plan, from = remote::outputFolder(*job),
                            folder = folderFor(*job)](std::stop_token stop, const async::Report& report) {
        auto out = std::make_shared<Fetched>();
        out->folder = folder;
        const auto progress = [&](std::uint64_t bytes) { report(static_cast<std::size_t>(bytes), static_cast<std::size_t>(plan.bytes)); };
        auto files = remote::fetchFiles(*transport, from, plan, folder.toStdString(), progress, stop);
        if (files)
            out->files = *std::move(files);
        else
            out->error = std::move(files.error());
        return std::shared_ptr<const Fetched>(out);
    });
}

void Jobs::finishFetch(const Fetched& done)
{
    if (m_fetches.empty())
        return;
    const Wanted wanted = m_fetches.front();
    m_fetches.pop_front();
    if (done.error) {
        m_tasks.finish(wanted.task, TaskState::Failed,
                       text(done.error->message) + QLatin1Char('\n') + tr("What came so far is kept; fetching again goes on."));
        tell(*done.error);
        return startFetch();
    }
    for (const std::string& warning : done.files.warnings)
        m_log.warning(text(warning));
    m_tasks.finish(wanted.task, done.files.warnings.empty() ? TaskState::Done : TaskState::Failed,
                   tr("%n file(s) in %1", nullptr, static_cast<int>(done.files.files.size())).arg(done.folder));
    if (const JobEntry* job = find(wanted.job)) {
        JobEntry next = *job;
        next.fetched = done.folder.toStdString();
        if (remote::isPartial(next))
            m_log.warning(tr("%1 is %2: its results are partial.").arg(named(next), text(next.state)));
        put(next);
    }
    m_results.import({done.folder});
    Q_EMIT fetched(wanted.job, done.folder);
    startFetch();
}

} // namespace wb::ui
