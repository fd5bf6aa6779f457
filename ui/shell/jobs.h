// The jobs that were submitted, from the job record, and what becomes of them on their clusters. The record is read and written on
// workers; the clusters are asked on workers too, one query for each host and interval, while somebody may be looking.
#pragma once

#include "core/remote/fetcher.h"
#include "core/remote/following.h"
#include "core/remote/profiles.h"
#include "core/store/jobrecord.h"
#include "ui/async/latestjob.h"
#include "ui/shell/connections.h"
#include "ui/shell/log.h"
#include "ui/shell/tasks.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wb::ui {

class Results;

/// What a job has on its cluster, before anything of it is fetched.
struct JobFiles {
    std::string job;
    remote::FetchPlan plan;       ///< By the rule for results.
    remote::FetchPlan everything; ///< As `plan`, logs of workers and profiles too.
    QString folder;               ///< Where they would go here.
};

class Jobs final : public QObject
{
    Q_OBJECT

public:
    /// `stateFolder` holds the job record; `resultsFolder` gets a folder for each host and job.
    Jobs(Connections& connections, async::Workers& workers, async::Workers& remoteWorkers, Log& log, Tasks& tasks, Results& results,
         QString stateFolder, QString resultsFolder, QObject* parent = nullptr);
    ~Jobs() override;

    [[nodiscard]] const std::vector<store::JobEntry>& all() const { return m_jobs; } ///< In the order in which they were planned.
    [[nodiscard]] const store::JobEntry* find(const std::string& id) const;          ///< Null: there is none.
    [[nodiscard]] std::size_t openCount() const;                                     ///< Jobs that may still change.
    [[nodiscard]] const QString& stateFolder() const { return m_stateFolder; }

    void load(); ///< What the record says now; another program may have written to it.
    void setProfiles(std::vector<remote::Profile> profiles);
    void take(const std::vector<store::JobEntry>& jobs); ///< Told by a submission: jobs as they stand in the record.

    /// How the watching of a host goes.
    struct Watch {
        std::string profile;
        bool isAsking = false;
        std::int64_t asked = 0; ///< Seconds since 1970 of the last answer; 0: none yet.
        std::int64_t next = 0;  ///< When it is asked again; 0: not planned.
        int failures = 0;       ///< Queries in a row without an answer.
        QString trouble;        ///< Why; empty: none.
        int perMinute = 0;      ///< Queries in the last minute.
    };
    [[nodiscard]] std::vector<Watch> watches() const; ///< Of hosts with jobs that may change, or with trouble.
    /// While nobody can look (the window is hidden) no cluster is asked.
    void setWatching(bool isWatching);
    [[nodiscard]] bool isWatching() const { return m_isWatching; }
    void refreshNow(); ///< Asks all hosts with open jobs, those that failed too.

    /// Why it cannot be done to these jobs; empty: it can.
    [[nodiscard]] QString whyNoCancel(const std::vector<std::string>& ids) const;
    [[nodiscard]] QString whyNoFetch(const std::vector<std::string>& ids) const;
    [[nodiscard]] QString whyNoRemoval(const std::vector<std::string>& ids) const;
    [[nodiscard]] remote::Profile profileOf(const store::JobEntry& job) const;

    void cancel(const std::vector<std::string>& ids);        ///< scancel. Folders and records stay.
    void removeFolders(const std::vector<std::string>& ids); ///< The folders on the cluster. Records and what was fetched stay.
    void list(const std::vector<std::string>& ids);          ///< Looks what could be fetched of them; see `listed`.
    /// Fetches the files on a worker and imports them.
    void fetch(const std::string& id, const remote::FetchPlan& plan);

Q_SIGNALS:
    void changed();
    void watchChanged();
    void listed(const std::vector<wb::ui::JobFiles>& files); ///< At least one.
    void fetched(const std::string& job, const QString& folder);
    void stateChanged(const wb::store::JobEntry& job, const std::string& before); ///< Found out on the cluster.
    void failed(const wb::Error& error);

private:
    struct Host;
    struct Polled;
    struct Loaded;
    struct Listed;
    struct Fetched;
    struct Wanted {
        std::string job;
        remote::FetchPlan plan;
        TaskId task{};
    };

    [[nodiscard]] std::vector<store::JobEntry> entries(const std::vector<std::string>& ids) const;
    [[nodiscard]] QString folderFor(const store::JobEntry& job) const;
    Host& hostOf(const remote::Profile& profile);
    void schedule();
    void poll(Host& host);
    void finishPoll(const std::string& key, const Polled& polled);
    void put(const store::JobEntry& job);
    void finishList(const Listed& listed);
    void startFetch();
    void finishFetch(const Fetched& fetched);
    void tell(const Error& error);

    Connections& m_connections;
    async::Workers& m_workers;
    async::Workers& m_remote;
    Log& m_log;
    Tasks& m_tasks;
    Results& m_results;
    QString m_stateFolder;
    QString m_resultsFolder;
    std::vector<remote::Profile> m_profiles;
    std::vector<store::JobEntry> m_jobs;
    std::map<std::string, std::unique_ptr<Host>> m_hosts; ///< By profile and host.
    std::stop_source m_stop;                              ///< Of all that runs.
    std::vector<store::JobEntry> m_unwritten;             ///< Found out while another one was writing to the record.
    std::deque<Wanted> m_fetches;                         ///< The first one runs.
    bool m_isWatching = false;
    QTimer m_timer;
    async::LatestJob<std::shared_ptr<const Loaded>> m_load;
    async::LatestJob<std::shared_ptr<const Fetched>> m_fetch;
};

} // namespace wb::ui
