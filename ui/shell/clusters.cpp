#include "ui/shell/clusters.h"

#include "core/base/files.h"
#include "core/base/safename.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/remote/clusterfile.h"
#include "core/remote/opensshtransport.h"
#include "core/remote/sentcopies.h"
#include "core/remote/slurmerrors.h"
#include "core/store/atomicfile.h"
#include "ui/async/background.h"
#include "ui/models/text.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace wb::ui {

namespace {

using namespace std::chrono_literals;

/// As long as that a submission waits for another program that writes to the record.
constexpr std::chrono::milliseconds recordPatience = 5s;

remote::Profile offline()
{
    remote::Profile profile;
    profile.name = remote::offlineProfile;
    return profile;
}

QString stateText(remote::SubmitEvent::Kind kind)
{
    switch (kind) {
    case remote::SubmitEvent::Kind::Staged:
        return Clusters::tr("staged");
    case remote::SubmitEvent::Kind::Submitted:
        return Clusters::tr("submitted");
    case remote::SubmitEvent::Kind::Failed:
        return Clusters::tr("failed");
    case remote::SubmitEvent::Kind::Skipped:
        return Clusters::tr("skipped");
    }
    return {};
}

/// Of "~/..." as ssh means it.
std::string homed(const QString& path)
{
    return path.startsWith(QLatin1String("~/")) ? (QDir::homePath() + path.mid(1)).toStdString() : path.toStdString();
}

} // namespace

/// What a submission tells on its way.
struct Clusters::Step {
    std::vector<store::JobEntry> opened; ///< All jobs of the call, when it is in the record.
    bool isContinued = false;            ///< The call was interrupted before.
    std::optional<remote::SubmitEvent> event;
};

struct Clusters::Submitted {
    std::optional<Error> error;
    std::optional<remote::SubmitSummary> summary;
    std::vector<store::JobEntry> jobs; ///< As they stand in the record.
};

Clusters::Clusters(const Parts& parts, QString profilesFile, recipe::TextPairs environment, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_file(std::move(profilesFile))
    , m_environment(std::move(environment))
    , m_profiles({offline()})
    , m_current(remote::offlineProfile)
    , m_preflightJob(parts.remoteWorkers,
                     [this](const std::shared_ptr<const std::vector<remote::PreflightCheck>>& checks) {
                         m_preflight.isRunning = false;
                         m_preflight.checks = *checks;
                         for (const remote::PreflightCheck& check : *checks)
                             if (check.id == "connection" && check.state == remote::CheckState::Ok)
                                 for (const remote::Profile& profile : m_profiles)
                                     if (profile.host == check.subject)
                                         m_parts.connections.learn(profile, std::nullopt);
                         m_parts.tasks.finish(*std::exchange(m_task, std::nullopt), TaskState::Done,
                                              tr("%n check(s)", nullptr, static_cast<int>(checks->size())));
                         Q_EMIT preflightChanged();
                     })
    , m_prepareJob(parts.workers, [this](const Result<PreparedPtr>& made) {
        if (!made)
            return tell(made.error());
        Q_EMIT prepared(*made);
    })
{
    m_submitJob = std::make_unique<SubmitJob>(
        parts.remoteWorkers, [this](const Step& step) { happened(step); },
        [this](const std::shared_ptr<Submitted>& submitted) { finishSubmission(*submitted); });
}

Clusters::~Clusters()
{
    m_stop.request_stop();
}

void Clusters::tell(const Error& error)
{
    m_parts.log.error(error);
    Q_EMIT failed(error);
}

// --- profiles -------------------------------------------------------------------------------------------------------------------------

const remote::Profile& Clusters::current() const
{
    const auto found =
        std::find_if(m_profiles.begin(), m_profiles.end(), [&](const remote::Profile& profile) { return profile.name == m_current; });
    return found == m_profiles.end() ? m_profiles.front() : *found;
}

void Clusters::setProfiles(std::vector<remote::Profile> profiles)
{
    profiles.insert(profiles.begin(), offline());
    const remote::Profile before = current();
    const bool isOther = profiles != m_profiles;
    m_profiles = std::move(profiles);
    m_parts.jobs.setProfiles({m_profiles.begin() + 1, m_profiles.end()});
    if (isOther)
        Q_EMIT profilesChanged();
    if (!(before == current()))
        Q_EMIT currentChanged();
}

void Clusters::load()
{
    async::runInBackground(
        m_parts.workers, this,
        [file = m_file.toStdString()]() -> Result<std::vector<remote::Profile>> {
            const auto bytes = base::readFile(file);
            if (!bytes && bytes.error().code == ErrorCode::NotFound)
                return std::vector<remote::Profile>();
            if (!bytes)
                return tl::unexpected<Error>(bytes.error());
            auto profiles = remote::readProfiles(*bytes);
            if (!profiles)
                return passedOn(std::move(profiles.error()), base::pathInQuotes(file));
            return profiles;
        },
        [this](const Result<std::vector<remote::Profile>>& profiles) {
            m_trouble = profiles ? QString() : text(profiles.error().message);
            if (!profiles)
                tell(profiles.error());
            setProfiles(profiles.value_or(std::vector<remote::Profile>()));
        });
}

void Clusters::setCurrent(const QString& name)
{
    const std::string wanted = name.toStdString();
    if (wanted == m_current)
        return;
    m_current = wanted;
    Q_EMIT currentChanged();
}

QString Clusters::whyNoProfile(const remote::Profile& profile, const std::string& replaces) const
{
    if (base::trimmed(profile.name).empty())
        return tr("A profile has a name.");
    const bool isTaken = std::any_of(m_profiles.begin(), m_profiles.end(),
                                     [&](const remote::Profile& each) { return each.name == profile.name && each.name != replaces; });
    if (isTaken)
        return tr("There is a profile \"%1\" already.").arg(text(profile.name));
    if (base::trimmed(profile.host).empty())
        return tr("A profile has a host; without one there is \"%1\".").arg(text(remote::offlineProfile));
    if (profile.host.front() == '-' || base::hasControlCharacter(profile.host) || profile.host.find(' ') != std::string::npos)
        return tr("\"%1\" is no name of a host.").arg(text(profile.host));
    if (base::trimmed(profile.remoteFolder).empty())
        return tr("The jobs need a folder on the cluster.");
    if (!m_trouble.isEmpty())
        return tr("%1 cannot be read; nothing is written over it.").arg(m_file);
    return {};
}

void Clusters::write(std::vector<remote::Profile> profiles, const QString& current)
{
    async::runInBackground(
        m_parts.workers, this,
        [file = m_file.toStdString(), profiles]() -> Result<void> {
            if (auto made = store::makeFolder(QFileInfo(text(file)).absolutePath().toStdString()); !made)
                return made;
            return store::writeAtomically(file, remote::writeProfiles(profiles));
        },
        [this, profiles, current](const Result<void>& written) {
            if (!written)
                return tell(Error(written.error()).within("Writing the profiles"));
            setProfiles(profiles);
            if (!current.isEmpty())
                setCurrent(current);
        });
}

void Clusters::save(const remote::Profile& profile, const std::string& replaces)
{
    std::vector<remote::Profile> profiles(m_profiles.begin() + 1, m_profiles.end());
    const auto at = std::find_if(profiles.begin(), profiles.end(), [&](const remote::Profile& each) { return each.name == replaces; });
    if (at == profiles.end())
        profiles.push_back(profile);
    else
        *at = profile;
    write(std::move(profiles), text(profile.name));
}

void Clusters::remove(const std::string& name)
{
    std::vector<remote::Profile> profiles(m_profiles.begin() + 1, m_profiles.end());
    std::erase_if(profiles, [&](const remote::Profile& each) { return each.name == name; });
    write(std::move(profiles), m_current == name ? text(remote::offlineProfile) : text(m_current));
}

void Clusters::resolveHost(const QString& host, const QString& sshConfig)
{
    using Settings = std::vector<std::pair<std::string, std::string>>;
    remote::OpenSshOptions options;
    options.host = host.toStdString();
    options.configFile = sshConfig.toStdString();
    async::runInBackground(
        m_parts.remoteWorkers, this, [options]() -> Result<Settings> { return remote::resolvedConfig(options); },
        [this, host](const Result<Settings>& settings) {
            Q_EMIT hostResolved(host, settings.value_or(Settings()), settings ? QString() : text(settings.error().message));
        });
}

void Clusters::listHosts(const QString& sshConfig)
{
    const std::string file = sshConfig.isEmpty() ? (QDir::homePath() + QStringLiteral("/.ssh/config")).toStdString() : homed(sshConfig);
    async::runInBackground(
        m_parts.workers, this,
        [file] {
            QStringList hosts;
            if (const auto bytes = base::readFile(file))
                for (const std::string& alias : remote::hostAliases(*bytes))
                    hosts += text(alias);
            return hosts;
        },
        [this](const QStringList& hosts) { Q_EMIT hostsListed(hosts); });
}

// --- the cluster file -----------------------------------------------------------------------------------------------------------------

QString Clusters::whyNoClusterFile() const
{
    if (current().host.empty())
        return tr("The profile \"%1\" has no host.").arg(text(current().name));
    return m_isFetching ? tr("It is being fetched.") : QString();
}

void Clusters::fetchClusterFile()
{
    if (!whyNoClusterFile().isEmpty())
        return;
    m_isFetching = true;
    const remote::Profile profile = current();
    // Two names may be the same one as a file's: the hash tells them apart.
    constexpr int nameDigits = 8;
    const QString here = QFileInfo(m_file).absolutePath() +
                         QStringLiteral("/clusters/%1-%2.yaml")
                             .arg(text(base::safeName(profile.name)), text(base::sha256Hex(profile.name)).left(nameDigits));
    async::runInBackground(
        m_parts.remoteWorkers, this,
        [transport = m_parts.connections.of(profile), named = profile.remoteClusterFile, here,
         stop = m_stop.get_token()]() -> Result<remote::RemoteClusterFile> {
            auto file = remote::readClusterFile(*transport, named, stop);
            if (!file)
                return file;
            if (auto made = base::makePrivateFolder(QFileInfo(here).absolutePath().toStdString()); !made)
                return tl::unexpected<Error>(std::move(made.error()));
            if (auto written = store::writeAtomically(here.toStdString(), file->bytes); !written)
                return tl::unexpected<Error>(std::move(written.error()));
            return file;
        },
        [this, profile, here](Result<remote::RemoteClusterFile> file) {
            m_isFetching = false;
            Q_EMIT fetchingChanged();
            if (!file)
                return tell(std::move(file.error()).within("Fetching the cluster file"));
            constexpr int shownDigits = 12;
            const QString about =
                tr("%1 of %2, SHA-256 %3").arg(text(file->path), text(profile.host), text(file->sha256).left(shownDigits));
            m_parts.log.info(
                tr("The cluster file was fetched: %1. Recipes of that profile are checked against the copy %2.").arg(about, here));
            // The profiles may be other ones by now, and another one chosen: that stays so.
            const auto at = std::find_if(m_profiles.begin() + 1, m_profiles.end(), [&](const auto& each) {
                return each.name == profile.name && each.host == profile.host && each.remoteClusterFile == profile.remoteClusterFile;
            });
            if (at == m_profiles.end())
                return;
            if (at->clusterFile != here.toStdString()) {
                std::vector<remote::Profile> profiles(m_profiles.begin() + 1, m_profiles.end());
                profiles[static_cast<std::size_t>(at - m_profiles.begin()) - 1].clusterFile = here.toStdString();
                write(std::move(profiles), {});
            }
            if (m_current == profile.name)
                Q_EMIT clusterFileFetched(here, about);
        });
    Q_EMIT fetchingChanged();
}

// --- preflight ------------------------------------------------------------------------------------------------------------------------

QString Clusters::whyNoJobs() const
{
    const Document* document = m_parts.documents.current();
    const CheckedPtr checked = m_parts.selection.checked();
    if (!document || !checked || !checked->pack)
        return tr("No recipe is open.");
    if (!document->isCheckCurrent())
        return tr("The recipe is being checked.");
    if (checked->variants.empty())
        return tr("The recipe stands for no job.");
    return {};
}

Result<remote::PlannedJobs> Clusters::planStub() const
{
    remote::PlannedJobs planned;
    planned.profile = current();
    planned.launcherName = planned.profile.launcher;
    planned.launcher = remote::launcherOf(planned.launcherName);
    planned.services = planned.profile.services;
    planned.outputs = planned.profile.outputs;
    planned.checked = m_parts.selection.checked();
    planned.facts = *m_parts.documents.facts();
    planned.path = planned.checked->source->path();
    auto secrets = remote::secretsOf(planned.profile, [this](const std::string& name) -> std::optional<std::string> {
        const auto at = std::find_if(m_environment.begin(), m_environment.end(), [&](const auto& pair) { return pair.first == name; });
        return at == m_environment.end() ? std::nullopt : std::optional(at->second);
    });
    if (!secrets)
        return tl::unexpected<Error>(std::move(secrets.error()));
    planned.secrets = *std::move(secrets);
    return planned;
}

QString Clusters::whyNoPreflight() const
{
    return m_preflight.isRunning ? tr("A preflight is running.") : whyNoJobs();
}

void Clusters::startPreflight(bool asksNodes)
{
    if (!whyNoPreflight().isEmpty())
        return;
    auto planned = planStub();
    if (!planned)
        return tell(planned.error());
    const std::vector<std::size_t> chosen = m_parts.selection.chosen();
    const QString where = planned->profile.host.empty() ? text(planned->profile.name) : text(planned->profile.host);
    m_preflight = {
        true, tr("%1: %n job(s) on %2", nullptr, static_cast<int>(chosen.size())).arg(m_parts.documents.current()->title, where), {}};
    m_task = m_parts.tasks.begin(tr("Preflight on %1").arg(where), [this] { stopPreflight(); });
    TransportPtr transport = planned->profile.host.empty() ? nullptr : m_parts.connections.of(planned->profile);
    m_preflightJob.start([planned = *std::move(planned), chosen, transport, asksNodes](std::stop_token stop) {
        remote::PlannedJobs all = planned;
        remote::planVariants(all, chosen);
        std::vector<remote::PreflightCheck> checks = remote::checksHere(all);
        if (transport) {
            const auto found = remote::preflight(*transport, remote::needsOf(all, asksNodes), stop);
            checks.insert(checks.end(), found.begin(), found.end());
        }
        return std::make_shared<const std::vector<remote::PreflightCheck>>(std::move(checks));
    });
    Q_EMIT preflightChanged();
}

void Clusters::stopPreflight()
{
    if (!m_preflight.isRunning)
        return;
    m_preflightJob.cancel();
    m_preflight.isRunning = false;
    m_preflight.about = tr("The preflight was stopped.");
    m_parts.tasks.finish(*std::exchange(m_task, std::nullopt), TaskState::Cancelled);
    Q_EMIT preflightChanged();
}

// --- submission -----------------------------------------------------------------------------------------------------------------------

QString Clusters::whyNoSubmit() const
{
    if (m_submission.isRunning)
        return tr("A submission is running.");
    if (current().host.empty())
        return tr("The profile \"%1\" has no host: choose or make one that has.").arg(text(current().name));
    if (current().isReadOnly)
        return tr("The profile \"%1\" is read-only: jobs can be watched there, not submitted.").arg(text(current().name));
    return whyNoJobs();
}

void Clusters::prepare()
{
    if (!whyNoSubmit().isEmpty())
        return;
    auto planned = planStub();
    if (!planned)
        return tell(planned.error());
    const Document& document = *m_parts.documents.current();
    auto out = std::make_shared<PreparedSubmission>();
    out->planned = *std::move(planned);
    out->isUnsaved = document.isModified || document.path.isEmpty();
    out->isTrial = !document.trial.empty();
    m_prepareJob.start([out, chosen = m_parts.selection.chosen()](std::stop_token) -> Result<PreparedPtr> {
        remote::planVariants(out->planned, chosen);
        if (out->planned.ready.empty())
            return failure(ErrorCode::Malformed,
                           "None of the chosen jobs can be submitted: " +
                               (out->planned.unready.empty() ? std::string("there are none.") : out->planned.unready.front().why));
        auto sheet = remote::sheetOf(out->planned);
        if (!sheet)
            return tl::unexpected<Error>(std::move(sheet.error()));
        out->sheet = *std::move(sheet);
        return PreparedPtr(out);
    });
}

void Clusters::submit(const PreparedPtr& prepared)
{
    if (m_submission.isRunning)
        return;
    m_submission = {};
    m_submission.isRunning = true;
    m_submission.profile = text(prepared->planned.profile.name);
    m_submission.host = text(prepared->planned.profile.host);
    for (const remote::ReadyJob& job : prepared->planned.ready)
        m_submission.rows.push_back({.name = text(job.item.name), .state = tr("waiting")});
    for (const remote::UnreadyJob& job : prepared->planned.unready)
        m_submission.rows.push_back({.name = text(job.name), .state = tr("skipped"), .message = text(job.why)});
    Q_EMIT submissionChanged();
    std::vector<std::string> hidden;
    for (const auto& [name, value] : prepared->planned.secrets)
        hidden.push_back(value);
    m_parts.connections.hideFromAudit(hidden);
    m_submitJob->start([prepared, transport = m_parts.connections.of(prepared->planned.profile),
                        folder = m_parts.jobs.stateFolder().toStdString()](std::stop_token stop, const SubmitJob::Tell& told) {
        auto out = std::make_shared<Submitted>();
        const auto failedWith = [&](Error error) {
            out->error = std::move(error);
            return out;
        };
        const remote::PlannedJobs& planned = prepared->planned;
        // First the log-in, with all its questions; nothing is in the record before it.
        if (auto connected = transport->connect(stop); !connected)
            return failedWith(std::move(connected.error()));
        auto record = store::JobRecord::open(folder, store::JobRecord::Access::Write, recordPatience);
        if (!record)
            return failedWith(std::move(record.error()));
        const remote::SubmitOptions how = remote::submitOptions(
            planned, [] { return QDateTime::currentSecsSinceEpoch(); }, remote::newToken);
        std::vector<remote::PlanItem> items;
        for (const remote::ReadyJob& job : planned.ready)
            items.push_back(job.item);
        const auto opened = remote::openCall(*record, items, planned.profile.host, how, false);
        if (!opened)
            return failedWith(opened.error());
        told({opened->jobs, opened->isContinued, std::nullopt});
        std::vector<remote::Bundle> sent;
        for (std::size_t i = 0; i < planned.ready.size(); ++i) {
            auto bundle = remote::bundleFor(planned, planned.ready[i], opened->jobs[i].id);
            if (!bundle)
                return failedWith(std::move(bundle.error()));
            sent.push_back(std::move(bundle->bundle));
        }
        remote::keepCopies(folder, sent);
        remote::Submitter submitter(*transport, *record, how, [&](const remote::SubmitEvent& event) { told({{}, false, event}); });
        auto summary = submitter.submit(*opened, sent, stop);
        for (const store::JobEntry& job : opened->jobs)
            if (const store::JobEntry* now = record->find(job.id))
                out->jobs.push_back(*now);
        if (!summary)
            return failedWith(std::move(summary.error()));
        summary->planned += planned.unready.size();
        summary->skipped += planned.unready.size();
        out->summary = *summary;
        return out;
    });
}

void Clusters::happened(const Step& step)
{
    if (step.isContinued)
        m_parts.log.info(tr("This goes on with the submission that was interrupted."));
    // The jobs that are opened are the first rows, in their order.
    for (std::size_t i = 0; i < step.opened.size() && i < m_submission.rows.size(); ++i)
        m_submission.rows[i].job = step.opened[i].id;
    if (!step.opened.empty()) {
        m_parts.connections.learn(m_parts.jobs.profileOf({.host = m_submission.profile.toStdString()}), std::nullopt);
        m_parts.jobs.take(step.opened);
    }
    if (step.event) {
        const store::JobEntry& job = step.event->job;
        m_parts.jobs.take({job});
        const auto row =
            std::find_if(m_submission.rows.begin(), m_submission.rows.end(), [&](const SubmissionRow& each) { return each.job == job.id; });
        if (row != m_submission.rows.end()) {
            row->state = stateText(step.event->kind);
            row->jobId = text(job.jobId);
            row->message = text(job.message);
            row->said = text(job.said);
            row->saidCode = job.saidCode;
            const remote::SlurmError* known = job.saidCode.value_or(0) != 0 ? remote::explained(job.said) : nullptr;
            row->cure = known ? text(known->explanation) : QString();
        }
    }
    Q_EMIT submissionChanged();
}

void Clusters::finishSubmission(const Submitted& submitted)
{
    m_submission.isRunning = false;
    m_submission.summary = submitted.summary;
    m_submission.error = submitted.error;
    m_parts.jobs.take(submitted.jobs);
    if (!submitted.jobs.empty())
        m_parts.jobs.refreshNow();
    if (submitted.error) {
        if (submitted.error->code != ErrorCode::Cancelled)
            m_parts.connections.learn(m_parts.jobs.profileOf({.host = m_submission.profile.toStdString()}), submitted.error);
        // Nothing more comes of those that wait: the figures must add up.
        remote::SubmitSummary summary;
        summary.planned = m_submission.rows.size();
        const bool isCancelled = submitted.error->code == ErrorCode::Cancelled;
        for (SubmissionRow& row : m_submission.rows) {
            if (row.state == stateText(remote::SubmitEvent::Kind::Submitted)) {
                ++summary.submitted;
                continue;
            }
            const bool isSkipped = isCancelled || row.state == stateText(remote::SubmitEvent::Kind::Skipped);
            row.state = stateText(isSkipped ? remote::SubmitEvent::Kind::Skipped : remote::SubmitEvent::Kind::Failed);
            if (row.message.isEmpty())
                row.message = text(submitted.error->message);
            ++(isSkipped ? summary.skipped : summary.failed);
        }
        m_submission.summary = summary;
        tell(*submitted.error);
    }
    const remote::SubmitSummary& summary = *m_submission.summary;
    m_parts.log.info(tr("%1: %2 planned, %3 submitted, %4 failed, %5 skipped.")
                         .arg(m_submission.host)
                         .arg(summary.planned)
                         .arg(summary.submitted)
                         .arg(summary.failed)
                         .arg(summary.skipped));
    Q_EMIT submissionChanged();
}

void Clusters::stopSubmission()
{
    m_submitJob->stop();
}

} // namespace wb::ui
