#include "ui/shell/snapshots.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/store/atomicfile.h"
#include "ui/async/background.h"
#include "ui/models/text.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <set>
#include <utility>

namespace wb::ui {

namespace {

using Startup = Snapshots::Startup;

constexpr std::uintmax_t largestDescription = std::uintmax_t{64} << 20;

/// The runs of both; a run of a file that was imported again counts as it is now.
Startup united(const Startup& before, snapshot::StartupImport now)
{
    std::set<std::string> again;
    for (const snapshot::StartupRun& run : now.runs)
        again.insert(run.source);
    std::set<std::pair<std::string, std::string>> known;
    std::vector<snapshot::StartupRun> runs;
    for (const snapshot::StartupRun& run : before->runs) {
        if (!again.contains(run.source) && known.insert({run.format, run.id}).second)
            runs.push_back(run);
    }
    for (snapshot::StartupRun& run : now.runs) {
        if (run.id.empty() || known.insert({run.format, run.id}).second)
            runs.push_back(std::move(run));
    }
    now.runs = std::move(runs);
    return std::make_shared<const snapshot::StartupImport>(std::move(now));
}

} // namespace

Snapshots::Snapshots(async::Workers& workers, Documents& documents, Tasks& tasks, Log& log, QString startupFile, QObject* parent)
    : QObject(parent)
    , m_workers(workers)
    , m_documents(documents)
    , m_tasks(tasks)
    , m_log(log)
    , m_startupFile(std::move(startupFile))
    , m_startup(std::make_shared<const snapshot::StartupImport>())
    , m_import(workers, [this](Startup imported) { takeStartup(std::move(imported), true); })
{
}

Snapshots::~Snapshots() = default;

void Snapshots::tell(const Error& error)
{
    m_log.error(error);
    Q_EMIT failed(error);
}

// --- schemas --------------------------------------------------------------------------------------------------------------------------

CrdsPtr Snapshots::crds() const
{
    return m_documents.crds() ? m_documents.crds() : snapshot::builtinCrds(snapshot::builtinCrdNames().front());
}

void Snapshots::useBuiltinCrds(const QString& name)
{
    if (auto crds = snapshot::builtinCrds(name.toStdString()))
        takeCrds(std::move(crds));
}

void Snapshots::readCrds(const QString& path)
{
    async::runInBackground(
        m_workers, this,
        [file = path.toStdString()]() -> Result<CrdsPtr> {
            auto bytes = base::readFile(file, largestDescription);
            if (!bytes)
                return tl::unexpected(std::move(bytes.error()));
            const std::string texts[] = {std::move(*bytes)};
            auto crds = snapshot::readCrds(texts, file);
            if (!crds)
                return tl::unexpected(std::move(crds.error()).within("Reading " + base::pathInQuotes(file)));
            return std::make_shared<const snapshot::CrdSet>(*std::move(crds));
        },
        [this](Result<CrdsPtr> crds) {
            if (!crds)
                return tell(crds.error());
            takeCrds(*std::move(crds));
        });
}

// --- preflight ------------------------------------------------------------------------------------------------------------------------

template <typename T>
void Snapshots::read(const QString& path, Result<T> (*reader)(std::string_view), void (Snapshots::*take)(T))
{
    async::runInBackground(
        m_workers, this,
        [file = path.toStdString(), reader]() -> Result<T> {
            auto bytes = base::readFile(file, largestDescription);
            if (!bytes)
                return tl::unexpected(std::move(bytes.error()));
            auto out = reader(*bytes);
            if (!out)
                return tl::unexpected(std::move(out.error()).within("Reading " + base::pathInQuotes(file)));
            return out;
        },
        [this, take](Result<T> out) {
            if (out)
                (this->*take)(*std::move(out));
            else
                tell(out.error());
        });
}

void Snapshots::readCaptured(const QString& path)
{
    read(path, snapshot::readSourceFacts, &Snapshots::takeCaptured);
}

void Snapshots::readNodes(const QString& path)
{
    read(path, snapshot::readNodes, &Snapshots::takeNodes);
}

void Snapshots::readPod(const QString& path)
{
    read(path, snapshot::readPodFacts, &Snapshots::takePodFacts);
}

void Snapshots::takePod(const std::string& manifest)
{
    auto pod = snapshot::readPodFacts(manifest);
    if (pod)
        takePodFacts(*std::move(pod));
    else
        tell(std::move(pod.error()).within("Reading the restore manifest"));
}

void Snapshots::forgetPod()
{
    m_pod.reset();
    recompute();
}

void Snapshots::setCaptured(snapshot::CompatFacts facts)
{
    m_captured = std::move(facts);
    recompute();
}

void Snapshots::setNode(std::size_t index, snapshot::ClusterNode node)
{
    if (index > m_nodes.size())
        return;
    if (index == m_nodes.size())
        m_nodes.push_back(std::move(node));
    else
        m_nodes[index] = std::move(node);
    recompute();
}

void Snapshots::clearNodes()
{
    m_nodes.clear();
    recompute();
}

void Snapshots::takeNodes(std::vector<snapshot::ClusterNode> nodes)
{
    m_nodes = std::move(nodes);
    recompute();
}

void Snapshots::takePodFacts(snapshot::PodFacts pod)
{
    m_pod = std::move(pod);
    recompute();
}

void Snapshots::recompute()
{
    m_outcomes = snapshot::preflightOf(m_captured, m_nodes, m_pod);
    Q_EMIT preflightChanged();
}

// --- startup results ------------------------------------------------------------------------------------------------------------------

void Snapshots::loadStartup()
{
    if (std::exchange(m_isLoaded, true) || m_startupFile.isEmpty())
        return;
    async::runInBackground(
        m_workers, this,
        [file = m_startupFile.toStdString()] {
            auto bytes = base::readFile(file);
            snapshot::StartupImport out;
            if (bytes) {
                snapshot::StartupText text = snapshot::importStartupText(file, *bytes);
                out.runs = std::move(text.runs);
            }
            return std::make_shared<const snapshot::StartupImport>(std::move(out));
        },
        [this](const Startup& kept) {
            // What was imported while the file was being read is newer.
            takeStartup(united(kept, *m_startup), false);
        });
}

void Snapshots::importStartup(const QStringList& paths)
{
    if (paths.isEmpty())
        return;
    std::vector<std::string> files;
    for (const QString& path : paths)
        files.push_back(path.toStdString());
    if (m_task)
        m_tasks.finish(*std::exchange(m_task, std::nullopt), TaskState::Cancelled);
    m_task = m_tasks.begin(tr("Importing startup results"), [this] {
        m_import.cancel();
        if (m_task)
            m_tasks.finish(*std::exchange(m_task, std::nullopt), TaskState::Cancelled);
    });
    m_import.start([files, before = m_startup](std::stop_token stop) { return united(before, snapshot::importStartup(files, stop)); });
}

void Snapshots::importStartupText(const QString& name, std::string content)
{
    async::runInBackground(
        m_workers, this,
        [name = name.toStdString(), content = std::move(content), before = m_startup] {
            snapshot::StartupText read = snapshot::importStartupText(name, content);
            snapshot::StartupImport out;
            out.files.push_back(std::move(read.file));
            out.runs = std::move(read.runs);
            return united(before, std::move(out));
        },
        [this](const Startup& imported) { takeStartup(imported, true); });
}

void Snapshots::takeCrds(CrdsPtr crds)
{
    m_documents.setCrds(std::move(crds));
    Q_EMIT crdsChanged();
}

void Snapshots::forgetStartup(const QStringList& sources)
{
    snapshot::StartupImport left;
    for (const snapshot::StartupRun& run : m_startup->runs) {
        if (!sources.contains(text(run.source)))
            left.runs.push_back(run);
    }
    takeStartup(std::make_shared<const snapshot::StartupImport>(std::move(left)), true);
}

void Snapshots::takeStartup(Startup startup, bool isToBeKept)
{
    m_startup = std::move(startup);
    const auto bad = std::count_if(m_startup->files.begin(), m_startup->files.end(), [](const snapshot::StartupFile& file) {
        return file.state == snapshot::StartupFileState::Refused || (file.isNamed && file.state == snapshot::StartupFileState::Ignored);
    });
    for (const snapshot::StartupFile& file : m_startup->files) {
        if (file.state == snapshot::StartupFileState::Refused)
            m_log.warning(tr("%1: %2").arg(text(file.path), text(file.reason)));
    }
    if (m_task) {
        m_tasks.finish(*std::exchange(m_task, std::nullopt), bad == 0 ? TaskState::Done : TaskState::Failed,
                       bad == 0 ? QString() : tr("%n file(s) could not be taken", nullptr, static_cast<int>(bad)));
    }
    Q_EMIT startupChanged();
    if (!isToBeKept || m_startupFile.isEmpty())
        return;
    async::runInBackground(
        m_workers, this,
        [file = m_startupFile, runs = m_startup]() -> Result<void> {
            QDir().mkpath(QFileInfo(file).absolutePath());
            return store::writeAtomically(file.toStdString(), base::json::write(snapshot::exportJson(runs->runs), 1) + "\n");
        },
        [this](const Result<void>& written) {
            if (!written)
                tell(Error(written.error()).within("Keeping the startup results"));
        });
}

} // namespace wb::ui
