#pragma once

#include "core/snapshot/payoff.h"
#include "core/snapshot/preflight.h"
#include "core/snapshot/startupimport.h"
#include "ui/async/latestjob.h"
#include "ui/shell/documents.h"
#include "ui/shell/log.h"
#include "ui/shell/tasks.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace wb::ui {

/// The state of NVIDIA Snapshot in the workbench: which schemas manifests are checked against, a checkpoint and the nodes that are to
/// restore it, and the startup results that were imported. These are kept in a file of the data folder, as `srtwb snapshot import --export`
/// writes them.
class Snapshots final : public QObject
{
    Q_OBJECT

public:
    using Startup = std::shared_ptr<const snapshot::StartupImport>;

    Snapshots(async::Workers& workers, Documents& documents, Tasks& tasks, Log& log, QString startupFile, QObject* parent = nullptr);
    ~Snapshots() override;

    void tell(const Error& error); ///< In the log and in the pane.

    // --- schemas
    [[nodiscard]] CrdsPtr crds() const; ///< Those in force; never null.
    void useBuiltinCrds(const QString& name);
    void readCrds(const QString& path); ///< Definitions in YAML or JSON; `crdsChanged` when they are read, `failed` when not.

    // --- preflight
    [[nodiscard]] const snapshot::CompatFacts& captured() const { return m_captured; }
    [[nodiscard]] const std::vector<snapshot::ClusterNode>& nodes() const { return m_nodes; }
    [[nodiscard]] const std::optional<snapshot::PodFacts>& pod() const { return m_pod; }
    [[nodiscard]] const std::vector<snapshot::NodeOutcome>& outcomes() const { return m_outcomes; } ///< Best nodes first.
    void readCaptured(const QString& path);    ///< A PodSnapshotContent or a flat description.
    void readNodes(const QString& path);       ///< Of kubectl, or flat descriptions; they take the place of those before.
    void readPod(const QString& path);         ///< The restore manifest.
    void takePod(const std::string& manifest); ///< The restore manifest as it stands in an open text.
    void forgetPod();
    void setCaptured(snapshot::CompatFacts facts);               ///< As typed in.
    void setNode(std::size_t index, snapshot::ClusterNode node); ///< Of `nodes()`; one behind the last adds it.
    void clearNodes();

    // --- startup results
    [[nodiscard]] const Startup& startup() const { return m_startup; } ///< Never null.
    void loadStartup();                                                ///< What was imported before; once.
    void importStartup(const QStringList& paths);
    void importStartupText(const QString& name, std::string content); ///< A text that is in no file: a log that was fetched.
    void takeCrds(CrdsPtr crds);                                      ///< Definitions that were fetched.
    void forgetStartup(const QStringList& sources);                   ///< Files whose runs go; the files stay.
    [[nodiscard]] bool isImporting() const { return m_import.isRunning(); }

Q_SIGNALS:
    void crdsChanged();
    void preflightChanged();
    void startupChanged();
    void restoreWanted();                   ///< The window is to make a restore manifest of the capture at the cursor.
    void captureWanted();                   ///< The window is to make a capture manifest of the open recipe.
    void templateWanted(const QString& id); ///< A new manifest from that template; empty: the window asks which.
    void importWanted();                    ///< The startup times are to be shown.
    void failed(const wb::Error& error);

private:
    template <typename T>
    void read(const QString& path, Result<T> (*reader)(std::string_view), void (Snapshots::*take)(T));
    void takeCaptured(snapshot::CompatFacts facts) { setCaptured(std::move(facts)); }
    void takeNodes(std::vector<snapshot::ClusterNode> nodes);
    void takePodFacts(snapshot::PodFacts pod);
    void recompute();
    void takeStartup(Startup startup, bool isToBeKept);

    async::Workers& m_workers;
    Documents& m_documents;
    Tasks& m_tasks;
    Log& m_log;
    QString m_startupFile;
    bool m_isLoaded = false;
    snapshot::CompatFacts m_captured;
    std::vector<snapshot::ClusterNode> m_nodes;
    std::optional<snapshot::PodFacts> m_pod;
    std::vector<snapshot::NodeOutcome> m_outcomes;
    Startup m_startup;
    std::optional<TaskId> m_task;
    async::LatestJob<Startup> m_import;
};

} // namespace wb::ui
