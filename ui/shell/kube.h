#pragma once

#include "core/snapshot/transportkubectl.h"
#include "ui/async/latestjob.h"
#include "ui/shell/documents.h"
#include "ui/shell/log.h"
#include "ui/shell/snapshots.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace wb::ui {

/// Where kubectl runs and what it is pointed at.
struct KubePlace {
    QString host;    ///< A profile's name, or as for ssh; empty: this machine.
    QString context; ///< Empty: kubectl's current one.
    QString space;   ///< Namespace; empty: kubectl's current one.

    friend bool operator==(const KubePlace&, const KubePlace&) = default;
};
[[nodiscard]] QString shown(const KubePlace& place); ///< "this machine · context lab · namespace perf"

/// Snapshot on a cluster: asks the server about a manifest, creates its objects, follows what becomes of them. Every kubectl call runs on a
/// worker; nothing is deleted or created but by `create` and `deleteObject`.
class Kube final : public QObject
{
    Q_OBJECT

public:
    using Runner = std::shared_ptr<snapshot::KubectlRunner>;
    using MakeRunner = std::function<Runner(const QString& host)>;

    /// An object that is looked at until nothing more happens to it.
    struct Followed {
        KubePlace place;
        snapshot::KubeObject object;
        std::optional<snapshot::ObjectStatus> status; ///< Nothing before the first look.
        QString error;                                ///< Why the last look failed; the status is then the one before.
        bool isDone = false;
    };

    Kube(async::Workers& workers, Documents& documents, Snapshots& snapshots, Log& log, QObject* parent = nullptr);
    ~Kube() override;

    /// How kubectl is run at a host (a profile's name or as for ssh; empty: this machine). Until it is told, on this machine alone.
    void setRunner(MakeRunner make);

    [[nodiscard]] const KubePlace& place() const { return m_place; }
    void setPlace(const KubePlace& place); ///< What is known of the connection is forgotten.

    void checkConnection();
    [[nodiscard]] const std::optional<snapshot::Connection>& connection() const { return m_connection; }
    void fetchCrds(); ///< The cluster's own definitions come into force.

    /// What the server says to the text, which must be a manifest without errors of its own.
    void dryRun(DocumentId id);
    [[nodiscard]] const std::shared_ptr<const snapshot::DryRun>& answer() const { return m_answer; } ///< Null: none yet.
    [[nodiscard]] std::optional<DocumentId> answerTo() const { return m_answerTo; }
    void create(DocumentId id); ///< And follows what was created.

    [[nodiscard]] const std::vector<Followed>& followed() const { return m_followed; } ///< Newest first.
    void follow(const snapshot::KubeObject& object);
    void unfollow(std::size_t index);
    void deleteObject(std::size_t index); ///< The caller has asked.
    void importLog(std::size_t index);    ///< The agent's log of the node of that object, into the startup times.
    void tellEvents(std::size_t index);   ///< What the cluster noted about that object, into the log.
    void usePreflight(std::size_t index); ///< A PodSnapshot's facts as what was captured.

    [[nodiscard]] bool isBusy() const { return m_busy > 0; }
    [[nodiscard]] const QString& doing() const { return m_doing; } ///< Of what runs, or ran last.

Q_SIGNALS:
    void placeChanged();
    void connectionChanged();
    void answered();
    void followedChanged();
    void busyChanged();
    void failed(const wb::Error& error);

private:
    template <typename T>
    void run(const QString& doing, std::function<Result<T>(snapshot::KubectlRunner&, const snapshot::KubeTarget&)> work,
             std::function<void(T)> then);
    /// Works on one of the followed objects, where it is.
    template <typename T>
    void onFollowed(std::size_t index,
                    Result<T> (*work)(snapshot::KubectlRunner&, const snapshot::KubeTarget&, const snapshot::KubeObject&),
                    std::function<void(const Followed&, T)> then);
    [[nodiscard]] Runner runner(const QString& host) const { return m_make(host); }
    [[nodiscard]] ManifestPtr manifestOf(DocumentId id);
    [[nodiscard]] static snapshot::KubeTarget targetOf(const KubePlace& place);
    void look();
    void poll(std::size_t index);
    void tell(const Error& error);

    struct Watch {
        std::shared_ptr<snapshot::Follower> follower;
        QElapsedTimer since; ///< The last look.
        bool isLooking = false;
    };

    async::Workers& m_workers;
    Documents& m_documents;
    Snapshots& m_snapshots;
    Log& m_log;
    MakeRunner m_make;
    KubePlace m_place;
    std::optional<snapshot::Connection> m_connection;
    std::shared_ptr<const snapshot::DryRun> m_answer;
    std::optional<DocumentId> m_answerTo;
    std::vector<Followed> m_followed;
    std::vector<std::shared_ptr<Watch>> m_watches; ///< As m_followed.
    QTimer m_timer;
    int m_busy = 0;
    QString m_doing;
};

} // namespace wb::ui
