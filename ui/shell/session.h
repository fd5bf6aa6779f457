// All mutable state of the workbench, on the UI thread, as parts with their own signals. Panes get the session, show it and call it;
// what they share is its selection.
#pragma once

#include "core/assist/hover.h"
#include "core/plan/topology.h"
#include "core/render/artifact.h"
#include "core/snapshot/capturemanifest.h"
#include "ui/async/latestjob.h"
#include "ui/models/artifactsmodel.h"
#include "ui/shell/clusters.h"
#include "ui/shell/comparison.h"
#include "ui/shell/connections.h"
#include "ui/shell/conversions.h"
#include "ui/shell/documents.h"
#include "ui/shell/drafts.h"
#include "ui/shell/joblogs.h"
#include "ui/shell/jobs.h"
#include "ui/shell/kube.h"
#include "ui/shell/library.h"
#include "ui/shell/log.h"
#include "ui/shell/results.h"
#include "ui/shell/runcomparison.h"
#include "ui/shell/selection.h"
#include "ui/shell/snapshots.h"
#include "ui/shell/tasks.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace wb::ui {

/// What the selected variant would put on the cluster: a value that panes show.
struct DryRun {
    CheckedPtr checked;
    std::size_t variant = 0;
    std::string title;                              ///< Job name.
    std::string whyNot;                             ///< Why there are no artifacts; empty: there are.
    std::shared_ptr<const plan::Topology> topology; ///< Null when the workers cannot be placed, see `problems`.
    plan::Counts counts;
    std::int64_t gpusPerNode = 0;
    std::vector<syntax::Diagnostic> problems; ///< Of the plan.
    Artifacts artifacts;                      ///< Null when there are none.
};

/// Whose job script is written, and the cluster's folders that stand in it.
struct Rendering {
    render::Launcher launcher = render::Launcher::Srtctl;
    std::string services; ///< See render::Context.
    std::string outputs;
};

struct SessionOptions {
    QString dataFolder;        ///< Where the catalogue lives.
    QString draftsFolder = {}; ///< Where unsaved texts are kept; empty: nowhere.
    async::Mode mode = async::Mode::Pool;
    recipe::TextPairs environment;      ///< Variables that recipes may use.
    QString profilesFile = {};          ///< profiles.json; empty: in the data folder.
    ConnectionOptions connections = {}; ///< An empty state folder: in the data folder.
};

class Session final : public QObject
{
    Q_OBJECT

public:
    explicit Session(SessionOptions options, QObject* parent = nullptr);
    ~Session() override;

    [[nodiscard]] const QString& dataFolder() const { return m_options.dataFolder; }
    [[nodiscard]] async::Workers& workers() { return m_workers; }
    /// For what waits for other machines, so that nothing else waits for them.
    [[nodiscard]] async::Workers& remoteWorkers() { return m_remoteWorkers; }
    [[nodiscard]] Log& log() { return m_log; }
    [[nodiscard]] Tasks& tasks() { return m_tasks; }
    [[nodiscard]] Documents& documents() { return m_documents; }
    [[nodiscard]] Drafts& drafts() { return m_drafts; }
    [[nodiscard]] Library& library() { return m_library; }
    [[nodiscard]] Results& results() { return m_results; }
    [[nodiscard]] Connections& connections() { return m_connections; }
    [[nodiscard]] Jobs& jobs() { return m_jobs; }
    [[nodiscard]] Clusters& clusters() { return m_clusters; }
    [[nodiscard]] JobLogs& jobLogs() { return m_jobLogs; }
    [[nodiscard]] Selection& selection() { return m_selection; }
    [[nodiscard]] Comparison& comparison() { return m_comparison; }
    [[nodiscard]] Conversions& conversions() { return m_conversions; }
    [[nodiscard]] RunComparison& runs() { return m_runs; }
    [[nodiscard]] Snapshots& snapshots() { return m_snapshots; }
    [[nodiscard]] Kube& kube() { return m_kube; }

    /// Of the selected variant; null when there is none.
    [[nodiscard]] const std::shared_ptr<const DryRun>& dryRun() const { return m_dryRun; }
    [[nodiscard]] render::Launcher launcher() const { return m_launcher; }
    void setLauncher(render::Launcher launcher);
    /// How the dry run is made with that launcher and the profile in use.
    [[nodiscard]] Rendering rendering(render::Launcher launcher) const { return {launcher, m_services, m_outputs}; }

    /// The cluster file (srtslurm.yaml); an empty path means none. Until it is called, the file that the language would find from the open
    /// folder is taken.
    void setClusterFile(const QString& path);
    [[nodiscard]] const QString& clusterPath() const { return m_clusterPath; }
    [[nodiscard]] bool isClusterChosen() const { return m_isClusterChosen; }            ///< By the user, not found.
    [[nodiscard]] const check::ClusterFile* cluster() const { return m_cluster.get(); } ///< Null: none, or not read yet.

    /// Selects the point, opens the recipe that it was measured with and selects its job; the log says when that cannot be found.
    void showPoint(const PointId& id);
    /// What a point's recipe can be opened with, to measure again.
    enum class Rerun {
        Again, ///< At the point's concurrency.
        Near,  ///< At concurrencies around it, see analysis::concurrenciesNear.
    };
    /// Why that cannot be prepared; empty when it can.
    [[nodiscard]] QString whyNoRerun(const PointId& id, Rerun kind) const;
    /// Opens the point's recipe at its variant with trial values (as `--set`), which the Variants pane shows; the file stays as it is and
    /// nothing is sent. Says why not when the recipe turns out to have no list of concurrencies.
    void prepareRerun(const PointId& id, Rerun kind);
    /// What NVIDIA Snapshot would capture of the selected job; an error says why it cannot.
    [[nodiscard]] Result<snapshot::CaptureWish> captureOfRecipe() const;

    /// Shows the chart as a view file says (".srtview").
    void openChartView(const QString& file);

    /// Selects the job, and with it its variant where its recipe is the one in front, and its point where its results are imported.
    void selectJob(const std::string& id);
    /// As `selectJob`, and opens the recipe that it was submitted from.
    void openJob(const std::string& id);
    /// As `selectJob`, and shows its log.
    void showJobLog(const std::string& id);

    /// Shows parts side by side in the Compare pane.
    void compare(std::vector<Comparison::Part> parts);
    /// Shows what runs differ in, in the Compare pane: folders of runs, lockfiles, recipes.
    void compareRuns(const QStringList& paths);
    /// Those that the points belong to; the log says when there are not two.
    void compareRunsOf(const std::vector<PointId>& points);
    /// Shows the help on a topic: the id of a diagnostic's code or of a rule; empty: the list of them.
    void showHelp(const QString& topic);
    /// As `showHelp`, on what stands at the cursor of the current text: a problem's code, else the key.
    void showHelpAtCursor();

Q_SIGNALS:
    void paneWanted(const QString& id); ///< The window is to show that pane.
    void jobLogWanted(const std::string& job);
    void helpWanted(const QString& topic);
    void chartViewWanted(const QString& file);
    /// A key of the recipe language, in the words of its row.
    void fieldHelpWanted(const wb::assist::Hover& about);
    void dryRunChanged();
    void clusterChanged();

private:
    void startDryRun();
    void useCluster(std::shared_ptr<const check::ClusterFile> cluster);
    void findCluster();
    void readCluster();
    void followImport();
    void followProfile();
    void followPoint();
    [[nodiscard]] QString recipeOf(const results::Point& point) const;
    void takeRerun(DocumentId id);

    /// A recipe that is being opened to measure a point again.
    struct RerunToCome {
        QString recipe;
        std::string variant;       ///< Suffix or job name; empty: the first.
        std::string concurrencies; ///< Empty: as the recipe has them.
    };

    SessionOptions m_options;
    async::Workers m_workers;
    async::Workers m_remoteWorkers;
    Log m_log;
    Tasks m_tasks;
    Documents m_documents;
    Drafts m_drafts;
    Library m_library;
    Results m_results;
    Selection m_selection;
    Connections m_connections;
    Jobs m_jobs;
    Clusters m_clusters;
    JobLogs m_jobLogs;
    Comparison m_comparison;
    Conversions m_conversions;
    RunComparison m_runs;
    Snapshots m_snapshots;
    Kube m_kube;
    std::optional<RerunToCome> m_rerun;
    std::optional<TaskId> m_importTask;
    bool m_isClusterChosen = false;
    render::Launcher m_launcher = render::Launcher::Srtctl;
    std::string m_services; ///< See render::Context; of the current profile.
    std::string m_outputs;
    std::shared_ptr<const DryRun> m_dryRun;
    QString m_clusterPath;
    std::shared_ptr<const check::ClusterFile> m_cluster;
    async::LatestJob<std::shared_ptr<const DryRun>> m_dryRunJob;
    async::LatestJob<Result<std::shared_ptr<const check::ClusterFile>>> m_clusterJob;
    async::LatestJob<check::FoundCluster> m_findJob;
};

} // namespace wb::ui
