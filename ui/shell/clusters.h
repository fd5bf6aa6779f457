// The clusters that the user has, one of them the current one; what is looked at before a submission; and the submission itself.
#pragma once

#include "core/remote/plannedjobs.h"
#include "core/remote/profiles.h"
#include "ui/async/latestjob.h"
#include "ui/async/streamjob.h"
#include "ui/shell/connections.h"
#include "ui/shell/documents.h"
#include "ui/shell/jobs.h"
#include "ui/shell/log.h"
#include "ui/shell/selection.h"
#include "ui/shell/tasks.h"

#include <QObject>
#include <QStringList>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wb::ui {

/// What a person must agree to, and what is sent when they do.
struct PreparedSubmission {
    remote::PlannedJobs planned;
    remote::SubmissionSheet sheet;
    bool isUnsaved = false; ///< The text has changes that are in no file.
    bool isTrial = false;   ///< Values are tried that the text does not have.
};
using PreparedPtr = std::shared_ptr<const PreparedSubmission>;

/// How far the submission of one job is.
struct SubmissionRow {
    QString name;
    QString state; ///< waiting, staged, submitted, failed, skipped
    QString jobId;
    QString message;
    QString said;    ///< What the submission printed, as it is.
    QString cure;    ///< What the known words in it mean, with the setting to change.
    std::string job; ///< Id in the history; empty: it is not there.
    std::optional<int> saidCode;

    friend bool operator==(const SubmissionRow&, const SubmissionRow&) = default;
};

struct Submission {
    bool isRunning = false;
    QString profile;
    QString host;
    std::vector<SubmissionRow> rows;
    std::optional<remote::SubmitSummary> summary; ///< When it is over: planned = submitted + failed + skipped.
    std::optional<Error> error;                   ///< Why it could not even begin, or broke off.
};

struct Preflight {
    bool isRunning = false;
    QString about; ///< Which jobs, where; empty: none was made.
    std::vector<remote::PreflightCheck> checks;
};

class Clusters final : public QObject
{
    Q_OBJECT

public:
    struct Parts {
        Connections& connections;
        Documents& documents;
        Selection& selection;
        Jobs& jobs;
        async::Workers& workers;
        async::Workers& remoteWorkers;
        Log& log;
        Tasks& tasks;
    };
    Clusters(const Parts& parts, QString profilesFile, recipe::TextPairs environment, QObject* parent = nullptr);
    ~Clusters() override;

    // --- profiles

    [[nodiscard]] const std::vector<remote::Profile>& profiles() const { return m_profiles; } ///< The built-in one first.
    [[nodiscard]] const remote::Profile& current() const;
    [[nodiscard]] const QString& profilesFile() const { return m_file; }
    [[nodiscard]] const QString& trouble() const { return m_trouble; } ///< Why the file cannot be read or written; empty: it can.
    void load();
    void setCurrent(const QString& name);
    /// Adds the profile, or puts it in the place of the one named `replaces`, and makes it the current one.
    void save(const remote::Profile& profile, const std::string& replaces = {});
    void remove(const std::string& name);
    /// Why the profile cannot be saved; empty: it can.
    [[nodiscard]] QString whyNoProfile(const remote::Profile& profile, const std::string& replaces) const;

    /// Asks ssh what it makes of a host; see `hostResolved`.
    void resolveHost(const QString& host, const QString& sshConfig);
    /// Reads the hosts that an ssh_config names (empty: the user's own); see `hostsListed`.
    void listHosts(const QString& sshConfig);

    /// Brings the cluster file of the current profile's cluster here and lets the profile check recipes against it; see
    /// `clusterFileFetched`.
    void fetchClusterFile();
    [[nodiscard]] QString whyNoClusterFile() const; ///< Empty: it can be fetched.

    // --- before and at a submission

    [[nodiscard]] const Preflight& preflight() const { return m_preflight; }
    [[nodiscard]] QString whyNoPreflight() const; ///< Empty: it can be made.
    void startPreflight(bool asksNodes);
    void stopPreflight();

    [[nodiscard]] const Submission& submission() const { return m_submission; }
    [[nodiscard]] QString whyNoSubmit() const;
    /// Makes what would be sent for the chosen variants; see `prepared`. Nothing is asked of the cluster.
    void prepare();
    void submit(const PreparedPtr& prepared);
    void stopSubmission(); ///< What was asked for stays asked for; the rest is skipped.

Q_SIGNALS:
    void profilesChanged();
    void currentChanged();
    void hostResolved(const QString& host, const std::vector<std::pair<std::string, std::string>>& settings, const QString& trouble);
    void hostsListed(const QStringList& hosts);
    void fetchingChanged();                                             ///< Of the cluster file: begun, or over.
    void clusterFileFetched(const QString& path, const QString& about); ///< Where it is here, and what was fetched from where.
    void preflightChanged();
    void prepared(const wb::ui::PreparedPtr& prepared);
    void submissionChanged();
    void failed(const wb::Error& error);

private:
    struct Step;
    struct Submitted;
    using SubmitJob = async::StreamJob<Step, std::shared_ptr<Submitted>>;

    [[nodiscard]] QString whyNoJobs() const;
    [[nodiscard]] Result<remote::PlannedJobs> planStub() const;
    void setProfiles(std::vector<remote::Profile> profiles);
    void write(std::vector<remote::Profile> profiles, const QString& current); ///< `current` empty: the one that is chosen then.
    void happened(const Step& step);
    void finishSubmission(const Submitted& submitted);
    void tell(const Error& error);

    Parts m_parts;
    QString m_file;
    recipe::TextPairs m_environment;
    QString m_trouble;
    std::vector<remote::Profile> m_profiles;
    std::string m_current;
    Preflight m_preflight;
    Submission m_submission;
    std::optional<TaskId> m_task;
    bool m_isFetching = false;
    std::stop_source m_stop;
    async::LatestJob<std::shared_ptr<const std::vector<remote::PreflightCheck>>> m_preflightJob;
    async::LatestJob<Result<PreparedPtr>> m_prepareJob;
    std::unique_ptr<SubmitJob> m_submitJob;
};

} // namespace wb::ui
