#include "ui/shell/library.h"

#include "core/base/files.h"
#include "core/base/parallel.h"
#include "ui/models/text.h"

#include <QDir>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

namespace wb::ui {

namespace fs = std::filesystem;

namespace {

/// More than any collection of recipes; it keeps an open "/" from becoming a long walk.
constexpr std::size_t mostFiles = 20'000;
constexpr std::uintmax_t largestRecipe = std::uintmax_t{16} << 20;
constexpr std::size_t mostWatched = 4'000; ///< Files and folders; a system has tens of thousands of watches for all programs.
constexpr std::size_t fewestOfATask = 50;  ///< Checking fewer files is over before anybody could read of it.
constexpr std::size_t mostToldUnread = 20; ///< Folders that cannot be read and get a line in the log.
constexpr auto lookDelay = std::chrono::milliseconds(300);

/// A recipe by its name, and not in a hidden folder, where tools keep their own.
bool isRecipeName(const fs::path& path, const std::string& root)
{
    const std::string extension = path.extension().string();
    if (extension != ".yaml" && extension != ".yml")
        return false;
    return path.string().find("/.", root.size()) == std::string::npos;
}

std::string relativeTo(const std::string& root, const std::string& path)
{
    return path.size() > root.size() + 1 && path.starts_with(root) ? path.substr(root.size() + 1) : std::string();
}

FolderListing listed(const QString& folder, const std::stop_token& stop)
{
    FolderListing out;
    out.root = folder;
    const std::string root = folder.toStdString();
    const base::FilesBelow below = base::filesBelow(
        root, [&root](const fs::path& path) { return isRecipeName(path, root); }, stop, mostFiles);
    for (const fs::path& file : below.files)
        out.files.push_back(relativeTo(root, file.string()));
    std::sort(out.files.begin(), out.files.end());
    for (const Error& error : below.errors)
        out.unreadable.push_back({relativeTo(root, error.detail), error.message});
    out.truncated = below.truncated;
    return out;
}

RecipeSummary summaryOf(const std::string& path, const check::Facts& facts, const std::stop_token& stop)
{
    RecipeSummary out;
    auto bytes = base::readFile(path, largestRecipe);
    if (!bytes) {
        out.unreadable = bytes.error().message;
        return out;
    }
    static_cast<check::Summary&>(out) = check::summaryOf(check::check(std::make_shared<syntax::SourceText>(std::move(*bytes), path), facts,
                                                                      {.expansion = {}, .version = 0, .isNamed = false}, stop));
    return out;
}

void findAlike(const std::vector<RecipeSummary*>& recipes)
{
    const std::vector<const check::Summary*> all(recipes.begin(), recipes.end());
    const std::vector<std::size_t> groups = check::alikeGroups(all);
    std::map<std::size_t, std::size_t> sizes;
    for (const std::size_t group : groups)
        ++sizes[group];
    for (std::size_t i = 0; i < recipes.size(); ++i) {
        recipes[i]->group = groups[i];
        recipes[i]->groupSize = groups[i] == 0 ? 0 : sizes[groups[i]];
    }
}

} // namespace

Library::Library(async::Workers& workers, Log& log, Tasks& tasks, QObject* parent)
    : QObject(parent)
    , m_workers(workers)
    , m_log(log)
    , m_tasks(tasks)
    , m_facts(std::make_shared<check::Facts>())
    , m_look(lookDelay, [this] { refresh(); })
    , m_scan(workers,
             [this](FolderListing listing) {
                 if (listing.truncated && !m_listing.truncated)
                     m_log.warning(tr("%1 holds more than %2 recipe files; the rest is not shown.").arg(listing.root).arg(mostFiles));
                 if (listing.unreadable != m_listing.unreadable) {
                     for (std::size_t i = 0; i < std::min(listing.unreadable.size(), mostToldUnread); ++i)
                         m_log.warning(text(listing.unreadable[i].why));
                 }
                 const bool isSame = listing == m_listing;
                 m_listing = std::move(listing);
                 watch();
                 if (!isSame)
                     Q_EMIT listingChanged();
                 checkChanged();
             })
    , m_check(workers, [this](std::shared_ptr<const Known> known) {
        if (m_task)
            m_tasks.finish(*std::exchange(m_task, std::nullopt), TaskState::Done,
                           tr("%n file(s)", nullptr, static_cast<int>(known->stamps.size())));
        m_known = std::move(known);
        if (m_summaries == m_known->summaries)
            return;
        m_summaries = m_known->summaries;
        Q_EMIT summariesChanged();
    })
{
    m_check.onProgress([this](std::size_t done, std::size_t total) {
        if (m_task)
            m_tasks.report(*m_task, done, total);
    });
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_look, &async::Debounce::trigger);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_look, &async::Debounce::trigger);
}

QStringList Library::filesWithJob(const std::string& name) const
{
    QStringList paths;
    if (!m_summaries)
        return paths;
    for (const auto& [path, summary] : *m_summaries) {
        if (std::find(summary.names.begin(), summary.names.end(), name) != summary.names.end())
            paths += m_folder + QLatin1Char('/') + QString::fromStdString(path);
    }
    return paths;
}

void Library::setFolder(const QString& folder)
{
    const QString absolute = folder.isEmpty() ? QString() : QDir(folder).absolutePath();
    if (absolute == m_folder)
        return refresh();
    m_folder = absolute;
    m_listing = {};
    m_listing.root = absolute;
    m_summaries.reset();
    m_known.reset();
    cancelCheck();
    m_scan.cancel();
    watch();
    Q_EMIT folderChanged();
    Q_EMIT listingChanged();
    refresh();
}

void Library::setFacts(std::shared_ptr<const check::Facts> facts)
{
    m_facts = std::move(facts);
    checkAll();
}

void Library::refresh()
{
    if (m_folder.isEmpty())
        return;
    m_scan.start([root = m_folder](std::stop_token stop) { return listed(root, stop); });
}

void Library::cancelCheck()
{
    if (!m_check.isRunning())
        return;
    m_check.cancel();
    if (m_task)
        m_tasks.finish(*std::exchange(m_task, std::nullopt), TaskState::Cancelled, tr("Stopped; what was known before is shown."));
}

void Library::checkAll()
{
    m_known.reset();
    checkChanged();
}

void Library::checkChanged()
{
    if (m_listing.files.empty() && !m_known)
        return;
    if (m_task) // the one before is overtaken
        m_tasks.finish(*std::exchange(m_task, std::nullopt), TaskState::Cancelled, tr("Begun again: the folder changed."));
    if (!m_known && m_listing.files.size() >= fewestOfATask) {
        m_task = m_tasks.begin(
            tr("Checking the recipes of %1").arg(QDir(m_folder).dirName()), [this] { cancelCheck(); }, [this] { checkAll(); });
    }
    m_check.startReporting([listing = m_listing, facts = m_facts, before = m_known](std::stop_token stop, const async::Report& report) {
        return checked(listing, *facts, before.get(), report, stop);
    });
}

std::shared_ptr<const Library::Known> Library::checked(const FolderListing& listing, const check::Facts& facts, const Known* before,
                                                       const async::Report& report, const std::stop_token& stop)
{
    const std::string root = listing.root.toStdString() + '/';
    const std::size_t count = listing.files.size();
    std::vector<Stamp> stamps(count);
    base::parallelFor(
        count,
        [&](std::size_t i) {
            std::error_code ignored;
            stamps[i] = {fs::last_write_time(root + listing.files[i], ignored), fs::file_size(root + listing.files[i], ignored)};
        },
        stop);
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < count; ++i) {
        const bool isKnown = before && before->stamps.contains(listing.files[i]) && before->stamps.at(listing.files[i]) == stamps[i];
        if (!isKnown)
            changed.push_back(i);
    }
    auto out = std::make_shared<Known>();
    for (std::size_t i = 0; i < count; ++i)
        out->stamps.emplace(listing.files[i], stamps[i]);
    if (before && changed.empty() && before->stamps.size() == count) {
        out->summaries = before->summaries;
        return out;
    }
    std::vector<RecipeSummary> fresh(changed.size());
    std::atomic<std::size_t> done = 0;
    const auto caller = std::this_thread::get_id();
    base::parallelFor(
        changed.size(),
        [&](std::size_t i) {
            fresh[i] = summaryOf(root + listing.files[changed[i]], facts, stop);
            const std::size_t now = done.fetch_add(1, std::memory_order_relaxed) + 1;
            if (std::this_thread::get_id() == caller) // told from one thread, in order
                report(now, changed.size());
        },
        stop);
    auto summaries = std::make_shared<RecipeSummaries>();
    for (std::size_t i = 0; i < changed.size(); ++i)
        summaries->emplace(listing.files[changed[i]], std::move(fresh[i]));
    for (const std::string& file : listing.files) {
        if (!summaries->contains(file))
            summaries->emplace(file, before->summaries->at(file));
    }
    std::vector<RecipeSummary*> recipes;
    for (auto& [path, summary] : *summaries) {
        if (summary.isRecipe)
            recipes.push_back(&summary);
    }
    if (!stop.stop_requested())
        findAlike(recipes);
    out->summaries = std::move(summaries);
    return out;
}

void Library::watch()
{
    QStringList wanted;
    if (!m_folder.isEmpty()) {
        std::set<QString> folders{m_folder};
        for (const std::string& file : m_listing.files) {
            for (std::size_t slash = file.rfind('/'); slash != std::string::npos && slash > 0; slash = file.rfind('/', slash - 1))
                folders.insert(m_folder + QLatin1Char('/') + text(std::string_view(file).substr(0, slash)));
        }
        for (const QString& each : folders)
            wanted += each;
        for (const std::string& file : m_listing.files)
            wanted += m_folder + QLatin1Char('/') + text(file);
        wanted = wanted.mid(0, static_cast<qsizetype>(mostWatched));
    }
    const QStringList now = m_watcher.files() + m_watcher.directories();
    const std::set<QString> before(now.begin(), now.end());
    const std::set<QString> after(wanted.begin(), wanted.end());
    QStringList gone;
    QStringList fresh;
    std::set_difference(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(gone));
    std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(fresh));
    if (!gone.isEmpty())
        m_watcher.removePaths(gone);
    if (!fresh.isEmpty())
        m_watcher.addPaths(fresh);
}

} // namespace wb::ui
