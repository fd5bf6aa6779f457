#include "ui/shell/session.h"

#include "core/analysis/rerun.h"
#include "core/analysis/runside.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/remote/localtransport.h"
#include "ui/models/text.h"
#include "ui/models/variantsmodel.h"
#include "ui/shell/dryrun.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <utility>

namespace wb::ui {

namespace {

ConnectionOptions completed(ConnectionOptions options, const QString& dataFolder)
{
    if (options.stateFolder.isEmpty())
        options.stateFolder = dataFolder;
    return options;
}

/// Why nothing can be made of a job.
std::string hasErrors(const check::CheckedVariant& variant)
{
    const std::string job = variant.name.empty() ? "The job" : "The job " + base::inQuotes(variant.name);
    return job + " has errors, so nothing can be made of it; mend what Problems lists.";
}

} // namespace

std::shared_ptr<const DryRun> dryRunOf(const CheckedPtr& checked, std::size_t index, const Rendering& how, const recipe::Cluster& cluster)
{
    auto out = std::make_shared<DryRun>();
    const check::CheckedVariant& variant = checked->variants[index];
    out->checked = checked;
    out->variant = index;
    out->title = variant.name;
    if (!variant.job) {
        out->whyNot = hasErrors(variant);
        return out;
    }
    const plan::Plan plan = plan::plan(*variant.job, cluster);
    out->counts = plan.counts;
    out->problems = plan.diagnostics;
    out->gpusPerNode = variant.job->resources.gpusPerNode;
    if (plan.topology)
        out->topology = std::make_shared<const plan::Topology>(*plan.topology);
    auto artifacts = render::render(*variant.job, cluster, plan,
                                    {
                                        .launcher = how.launcher,
                                        .sourcePath = checked->source->path(),
                                        .suffix = variant.variant.suffix.value_or(std::string()),
                                        .resolvedYaml = check::resolvedYaml(*checked, index),
                                        .servicesFolder = how.services,
                                        .outputFolder = how.outputs,
                                    });
    if (artifacts)
        out->artifacts = std::make_shared<const std::vector<render::Artifact>>(*std::move(artifacts));
    else
        out->whyNot = artifacts.error().message;
    return out;
}

std::shared_ptr<const recipe::Cluster> clusterFor(const Session& session, const check::Checked& checked)
{
    const check::ClusterFile* file = session.cluster();
    const auto known = !file ? nullptr : checked.schema == 2 ? file->clusterOfSecond : file->cluster;
    return known ? known : std::make_shared<const recipe::Cluster>();
}

const store::JobEntry* lastSubmitted(const std::vector<store::JobEntry>& jobs, const check::Checked& checked, std::size_t variant)
{
    const check::CheckedVariant& wanted = checked.variants[variant];
    const auto isOfVariant = [&](const store::JobEntry& job) {
        return job.step == store::Step::Submitted && job.recipe == checked.source->path() &&
               (job.variant.empty() ? job.name == wanted.name : wanted.variant.suffix == job.variant);
    };
    const store::JobEntry* latest = nullptr;
    for (const store::JobEntry& job : jobs) {
        if (isOfVariant(job) && (!latest || job.submitted.value_or(0) >= latest->submitted.value_or(0)))
            latest = &job;
    }
    return latest;
}

Session::Session(SessionOptions options, QObject* parent)
    : QObject(parent)
    , m_options(std::move(options))
    , m_workers(m_options.mode)
    , m_remoteWorkers(m_options.mode)
    , m_documents(m_workers, m_log)
    , m_drafts(m_documents, m_workers, m_log, m_options.draftsFolder)
    , m_library(m_workers, m_log, m_tasks)
    , m_results(m_workers, m_log, m_options.dataFolder + QStringLiteral("/catalogue.sqlite"))
    , m_selection(m_documents, m_log)
    , m_connections(m_remoteWorkers, m_log, completed(m_options.connections, m_options.dataFolder))
    , m_jobs(m_connections, m_workers, m_remoteWorkers, m_log, m_tasks, m_results,
             completed(m_options.connections, m_options.dataFolder).stateFolder, m_options.dataFolder + QStringLiteral("/results"))
    , m_clusters({m_connections, m_documents, m_selection, m_jobs, m_workers, m_remoteWorkers, m_log, m_tasks},
                 m_options.profilesFile.isEmpty() ? m_options.dataFolder + QStringLiteral("/profiles.json") : m_options.profilesFile,
                 m_options.environment)
    , m_jobLogs(m_connections, m_jobs, m_workers, m_remoteWorkers)
    , m_comparison(m_workers, m_documents)
    , m_conversions(m_workers, m_documents, m_tasks, m_log)
    , m_runs(m_workers, m_documents)
    , m_snapshots(m_workers, m_documents, m_tasks, m_log, m_options.dataFolder + QStringLiteral("/startup.json"))
    , m_kube(m_remoteWorkers, m_documents, m_snapshots, m_log)
    , m_dryRunJob(m_workers,
                  [this](std::shared_ptr<const DryRun> dryRun) {
                      m_dryRun = std::move(dryRun);
                      Q_EMIT dryRunChanged();
                  })
    , m_clusterJob(m_workers,
                   [this](Result<std::shared_ptr<const check::ClusterFile>> read) {
                       if (read)
                           return useCluster(std::move(*read));
                       m_log.error(std::move(read.error()).within("Reading the cluster file"));
                       useCluster(nullptr);
                   })
    , m_findJob(m_workers, [this](const check::FoundCluster& found) {
        if (m_isClusterChosen)
            return;
        if (!found.warning.empty())
            m_log.warning(text(found.warning));
        const QString path = text(found.path);
        if (path == m_clusterPath)
            return;
        m_clusterPath = path;
        readCluster();
    })
{
    m_kube.setRunner([this](const QString& host) -> Kube::Runner {
        TransportPtr transport = host.isEmpty() ? std::make_shared<remote::LocalTransport>()
                                                : m_connections.of(remote::profileFor(m_clusters.profiles(), host.toStdString()));
        return std::make_shared<snapshot::TransportKubectl>(std::move(transport));
    });
    auto facts = std::make_shared<check::Facts>();
    facts->environment = m_options.environment;
    m_documents.setFacts(facts);
    m_library.setFacts(facts);
    connect(&m_selection, &Selection::variantChanged, this, &Session::startDryRun);
    connect(&m_library, &Library::folderChanged, this, &Session::findCluster);
    connect(&m_results, &Results::importChanged, this, &Session::followImport);
    connect(&m_clusters, &Clusters::currentChanged, this, &Session::followProfile);
    connect(&m_clusters, &Clusters::clusterFileFetched, this, &Session::setClusterFile);
    connect(&m_selection, &Selection::pointChanged, this, &Session::followPoint);
    connect(&m_documents, &Documents::checked, this, &Session::takeRerun);
    // Whoever went on to another text, or could not open this one, is not to find a trial value in it later.
    connect(&m_documents, &Documents::failed, this, [this] { m_rerun.reset(); });
    connect(&m_documents, &Documents::currentChanged, this, [this] {
        const Document* current = m_documents.current();
        if (m_rerun && current && current->path != m_rerun->recipe)
            m_rerun.reset();
    });
    connect(&m_documents, &Documents::saved, this, [this](const QString& path) {
        if (path == m_clusterPath)
            readCluster();
        m_library.refresh();
    });
}

Session::~Session() = default;

void Session::setLauncher(render::Launcher launcher)
{
    if (std::exchange(m_launcher, launcher) != launcher)
        startDryRun();
}

void Session::startDryRun()
{
    const CheckedPtr checked = m_selection.checked();
    const auto variant = m_selection.variant();
    if (!checked || !variant) {
        m_dryRunJob.cancel();
        if (std::exchange(m_dryRun, nullptr))
            Q_EMIT dryRunChanged();
        return;
    }
    m_dryRunJob.start([checked, index = *variant, how = rendering(m_launcher), cluster = clusterFor(*this, *checked)](std::stop_token) {
        return dryRunOf(checked, index, how, *cluster);
    });
}

void Session::setClusterFile(const QString& path)
{
    m_isClusterChosen = true;
    m_clusterPath = path.isEmpty() ? QString() : QFileInfo(path).absoluteFilePath();
    readCluster();
}

void Session::findCluster()
{
    if (m_isClusterChosen || m_library.folder().isEmpty())
        return;
    const auto named = std::find_if(m_options.environment.begin(), m_options.environment.end(),
                                    [](const auto& variable) { return variable.first == "SRTSLURM_CONFIG"; });
    m_findJob.start([folder = m_library.folder().toStdString(),
                     name = named == m_options.environment.end() ? std::string() : named->second](std::stop_token) {
        return check::findClusterFile(name, folder);
    });
}

void Session::readCluster()
{
    if (m_clusterPath.isEmpty()) {
        m_clusterJob.cancel();
        return useCluster(nullptr);
    }
    m_clusterJob.start([file = m_clusterPath.toStdString()](std::stop_token) -> Result<std::shared_ptr<const check::ClusterFile>> {
        auto bytes = base::readFile(file);
        if (!bytes)
            return tl::unexpected(std::move(bytes.error()));
        return std::make_shared<const check::ClusterFile>(
            check::readCluster(std::make_shared<syntax::SourceText>(std::move(*bytes), file)));
    });
}

void Session::useCluster(std::shared_ptr<const check::ClusterFile> cluster)
{
    m_cluster = std::move(cluster);
    if (m_cluster && m_cluster->cluster)
        m_log.info(tr("The cluster file %1 is in use.").arg(m_clusterPath));
    else if (m_cluster)
        m_log.warning(tr("The cluster file %1 has errors; none of its defaults count.").arg(m_clusterPath));
    auto facts = std::make_shared<check::Facts>(m_cluster ? check::factsFor(*m_cluster) : check::Facts());
    facts->environment = m_options.environment;
    m_documents.setFacts(facts, m_clusterPath);
    m_library.setFacts(facts);
    Q_EMIT clusterChanged();
}

QString Session::recipeOf(const results::Point& point) const
{
    QStringList candidates;
    if (point.recipe) {
        const QString named = text(*point.recipe);
        if (QDir::isAbsolutePath(named))
            candidates += named;
        candidates += QDir(m_library.folder()).filePath(named);
        candidates += QFileInfo(text(point.source)).dir().filePath(named);
        // A recorded path may begin above the open folder: its last parts decide.
        for (const std::string& file : m_library.listing().files) {
            const QString relative = text(file);
            if (named == relative || named.endsWith(QLatin1Char('/') + relative) || relative.endsWith(QLatin1Char('/') + named))
                candidates += m_library.folder() + QLatin1Char('/') + relative;
        }
    }
    candidates += m_library.filesWithJob(point.run.text);
    for (const QString& candidate : candidates) {
        if (QFileInfo(candidate).isFile())
            return QDir::cleanPath(candidate);
    }
    return {};
}

void Session::showPoint(const PointId& id)
{
    const results::Point* point = m_results.find(id);
    if (!point)
        return;
    m_selection.setPoint(id);
    const QString recipe = recipeOf(*point);
    if (recipe.isEmpty()) {
        m_log.warning(point->recipe ? tr("The recipe %1 of this point is not in the open folder.").arg(text(*point->recipe))
                                    : tr("The file of this point does not name its recipe: %1").arg(text(point->source)));
        return;
    }
    m_documents.open(recipe, {.variant = point->variant.value_or(std::string()), .offset = {}});
}

// --- measuring again ------------------------------------------------------------------------------------------------------------------

QString Session::whyNoRerun(const PointId& id, Rerun kind) const
{
    const results::Point* point = m_results.find(id);
    if (!point)
        return tr("No point is selected.");
    if (kind == Rerun::Near && analysis::concurrenciesNear(*m_results.points(), *point).empty())
        return tr("The concurrency of this point is not known.");
    if (!recipeOf(*point).isEmpty())
        return {};
    return point->recipe ? tr("The recipe %1 of this point is not in the open folder.").arg(text(*point->recipe))
                         : tr("The file of this point does not name its recipe.");
}

void Session::prepareRerun(const PointId& id, Rerun kind)
{
    if (const QString why = whyNoRerun(id, kind); !why.isEmpty())
        return m_log.warning(why);
    const results::Point& point = *m_results.find(id);
    m_selection.setPoint(id);
    const QString recipe = recipeOf(point);
    const std::string variant = point.variant.value_or(std::string());
    std::vector<std::int64_t> levels;
    if (kind == Rerun::Near)
        levels = analysis::concurrenciesNear(*m_results.points(), point);
    else if (point.concurrency && *point.concurrency >= 1)
        levels = {std::llround(*point.concurrency)};
    m_rerun = RerunToCome{recipe, variant, levels.empty() ? std::string() : analysis::asConcurrencies(levels)};
    m_documents.open(recipe, {.variant = variant, .offset = {}});
    if (const Document* document = m_documents.find(recipe); document && document->isCheckCurrent())
        takeRerun(document->id);
}

void Session::takeRerun(DocumentId id)
{
    const Document* document = m_documents.find(id);
    if (!m_rerun || !document || document->path != m_rerun->recipe || !document->isCheckCurrent())
        return;
    const RerunToCome rerun = *std::exchange(m_rerun, std::nullopt);
    Q_EMIT paneWanted(QStringLiteral("variants"));
    if (rerun.concurrencies.empty())
        return m_log.info(tr("%1 is open; the concurrency of the point is not known, so it stays as the recipe has it.").arg(rerun.recipe));
    const auto& variants = document->checked->variants;
    const auto wanted = std::find_if(variants.begin(), variants.end(), [&](const check::CheckedVariant& variant) {
        return variant.variant.suffix == rerun.variant || variant.name == rerun.variant;
    });
    if (wanted == variants.end() && !variants.empty() && !rerun.variant.empty())
        m_log.warning(
            tr("%1 has no variant \"%2\" any more; the trial value is for those that it has.").arg(rerun.recipe, text(rerun.variant)));
    const recipe::Job* job = variants.empty() ? nullptr : (wanted == variants.end() ? variants.front() : *wanted).job.get();
    if (!job)
        return m_log.warning(tr("The recipe %1 has errors, so its jobs are not known; mend what Problems lists first.").arg(rerun.recipe));
    if (job->benchmark.concurrencies.empty())
        return m_log.warning(tr("The benchmark \"%1\" of %2 has no list of concurrencies into which those of the point could be put.")
                                 .arg(text(job->benchmark.type), rerun.recipe));
    constexpr std::string_view key = "benchmark.concurrencies";
    std::vector<expand::Setting> trial = document->trial;
    std::erase_if(trial, [&](const expand::Setting& setting) { return setting.key == key; });
    trial.push_back({.key = std::string(key), .text = rerun.concurrencies, .remove = false});
    m_documents.setTrial(id, std::move(trial));
    m_log.info(tr("%1 is open with the trial value benchmark.concurrencies=%2; the file stays as it is.")
                   .arg(rerun.recipe, text(rerun.concurrencies)));
}

Result<snapshot::CaptureWish> Session::captureOfRecipe() const
{
    const CheckedPtr checked = m_selection.checked();
    const auto variant = m_selection.variant();
    if (!checked || !variant)
        return failure(ErrorCode::NotFound, tr("No recipe is open.").toStdString());
    const auto& job = checked->variants[*variant].job;
    if (!job)
        return failure(ErrorCode::Malformed, hasErrors(checked->variants[*variant]));
    return snapshot::captureOf(*job);
}

void Session::openChartView(const QString& file)
{
    Q_EMIT paneWanted(QStringLiteral("frontier"));
    Q_EMIT chartViewWanted(file);
}

void Session::followProfile()
{
    const remote::Profile& profile = m_clusters.current();
    // What is shown is what would be sent there; without a host all stays as it was chosen.
    if (profile.host.empty())
        return;
    m_services = profile.services;
    m_outputs = profile.outputs;
    m_launcher = remote::launcherOf(profile.launcher);
    if (!profile.clusterFile.empty() && text(profile.clusterFile) != m_clusterPath)
        setClusterFile(text(profile.clusterFile)); // which renders anew
    else
        startDryRun();
}

void Session::followPoint()
{
    const results::Point* point = m_results.find(m_selection.point());
    if (!point)
        return;
    for (const store::JobEntry& job : m_jobs.all())
        if (!job.fetched.empty() && point->source.starts_with(job.fetched + '/'))
            return m_selection.setJob(job.id);
}

void Session::selectJob(const std::string& id)
{
    const store::JobEntry* job = m_jobs.find(id);
    if (!job)
        return;
    m_selection.setJob(id);
    if (const Document* document = m_documents.current(); document && document->checked && document->path.toStdString() == job->recipe) {
        const std::vector<check::CheckedVariant>& variants = document->checked->variants;
        const auto at = std::find_if(variants.begin(), variants.end(), [&](const check::CheckedVariant& variant) {
            return job->variant.empty() ? variant.name == job->name : variant.variant.suffix == job->variant;
        });
        if (at != variants.end())
            m_selection.setVariant(static_cast<std::size_t>(at - variants.begin()));
    }
    if (job->fetched.empty())
        return;
    const auto isOfJob = [&](const results::Point& point) { return point.source.starts_with(job->fetched + '/'); };
    const results::Point* selected = m_results.find(m_selection.point());
    if (selected && isOfJob(*selected))
        return;
    const auto& points = *m_results.points();
    if (const auto at = std::find_if(points.begin(), points.end(), isOfJob); at != points.end())
        m_selection.setPoint(at->id);
}

void Session::openJob(const std::string& id)
{
    const store::JobEntry* job = m_jobs.find(id);
    if (!job)
        return;
    selectJob(id);
    const QString recipe = text(job->recipe);
    if (!QFileInfo(recipe).isFile())
        return m_log.warning(tr("The recipe %1 of this job is not there any more.").arg(recipe));
    m_documents.open(recipe, {.variant = job->variant.empty() ? job->name : job->variant, .offset = {}});
}

void Session::showJobLog(const std::string& id)
{
    selectJob(id);
    Q_EMIT paneWanted(QStringLiteral("log"));
    Q_EMIT jobLogWanted(id);
}

void Session::compare(std::vector<Comparison::Part> parts)
{
    m_comparison.compare(std::move(parts));
    Q_EMIT paneWanted(QStringLiteral("compare"));
}

void Session::compareRuns(const QStringList& paths)
{
    m_runs.compare(paths);
    Q_EMIT paneWanted(QStringLiteral("compare"));
}

void Session::compareRunsOf(const std::vector<PointId>& points)
{
    QStringList paths;
    for (const PointId& id : points) {
        const results::Point* point = m_results.find(id);
        const QString path = point ? text(analysis::runPathOf(point->folder)) : QString();
        if (!path.isEmpty() && !paths.contains(path))
            paths += path;
    }
    if (paths.size() < 2)
        return m_log.warning(tr("The points belong to fewer than two runs whose folders are known: there is nothing to compare."));
    compareRuns(paths);
}

void Session::showHelp(const QString& topic)
{
    Q_EMIT helpWanted(topic);
    Q_EMIT paneWanted(QStringLiteral("help"));
}

void Session::showHelpAtCursor()
{
    const Document* document = m_documents.current();
    if (!document)
        return showHelp({});
    const std::size_t at = m_documents.cursor(document->id);
    if (document->checked && document->checked->source->text() == document->source->text()) {
        for (const syntax::Diagnostic& problem : document->checked->diagnostics) {
            if (problem.source == syntax::Source::Recipe && problem.range.begin <= at && at <= problem.range.end)
                return showHelp(text(syntax::id(problem)));
        }
    }
    const assist::Document asked(document->source, m_documents.facts(), document->checked);
    const auto about = assist::hoverAt(asked, at);
    if (!about)
        return showHelp({});
    Q_EMIT fieldHelpWanted(*about);
    Q_EMIT paneWanted(QStringLiteral("help"));
}

void Session::followImport()
{
    if (m_results.isImporting() && !m_importTask) {
        m_importTask = m_tasks.begin(
            tr("Importing results"), [this] { m_results.cancel(); }, [this, paths = m_results.importing()] { m_results.import(paths); });
    }
    if (!m_importTask)
        return;
    if (m_results.isImporting())
        return m_tasks.report(*m_importTask, m_results.filesDone(), m_results.filesTotal());
    const TaskId id = *std::exchange(m_importTask, std::nullopt);
    const QString& outcome = m_results.outcome();
    m_tasks.finish(id, m_results.hasFailed() ? TaskState::Failed : outcome.isEmpty() ? TaskState::Cancelled : TaskState::Done, outcome);
}

} // namespace wb::ui
