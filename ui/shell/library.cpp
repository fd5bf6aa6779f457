#include "ui/shell/library.h"

#include "core/base/files.h"
#include "core/base/parallel.h"

#include <QDir>
#include <QDirIterator>

#include <algorithm>

namespace wb::ui {

namespace {

/// More than any collection of recipes; it keeps an open "/" from becoming a long walk.
constexpr std::size_t mostFiles = 20'000;
constexpr std::uintmax_t largestRecipe = std::uintmax_t{16} << 20;

FolderListing listed(const QString& root, std::stop_token stop)
{
    FolderListing out;
    out.root = root;
    const QDir dir(root);
    QDirIterator files(root, {QStringLiteral("*.yaml"), QStringLiteral("*.yml")}, QDir::Files | QDir::Readable,
                       QDirIterator::Subdirectories);
    while (files.hasNext() && !stop.stop_requested()) {
        if (out.files.size() >= mostFiles) {
            out.truncated = true;
            break;
        }
        out.files.push_back(dir.relativeFilePath(files.next()).toStdString());
    }
    std::sort(out.files.begin(), out.files.end());
    return out;
}

std::string layoutOf(const recipe::Resources& resources)
{
    const auto count = [](const std::optional<std::int64_t>& workers) { return std::to_string(workers.value_or(0)); };
    if (resources.isDisaggregated())
        return count(resources.prefillWorkers) + "P" + count(resources.decodeWorkers) + "D";
    return resources.aggWorkers ? count(resources.aggWorkers) + " agg" : "agg";
}

RecipeSummary summaryOf(const std::string& path, const check::Facts& facts, const std::stop_token& stop)
{
    RecipeSummary out;
    auto bytes = base::readFile(path, largestRecipe);
    if (!bytes) {
        out.unreadable = bytes.error().message;
        return out;
    }
    const check::Checked checked = check::check(std::make_shared<syntax::SourceText>(std::move(*bytes), path), facts,
                                                {.expansion = {}, .version = 0, .isNamed = false}, stop);
    out.isRecipe = checked.pack.has_value();
    out.jobs = checked.variants.size();
    for (const syntax::Diagnostic& problem : checked.diagnostics) {
        out.errors += problem.severity == syntax::Severity::Error ? 1 : 0;
        out.warnings += problem.severity == syntax::Severity::Warning ? 1 : 0;
    }
    for (const check::CheckedVariant& variant : checked.variants) {
        out.names.push_back(variant.name);
        if (!variant.job || !out.engine.empty())
            continue;
        out.engine = variant.job->backend.type;
        out.model = variant.job->modelPath;
        out.gpu = variant.job->resources.gpuType;
        out.topology = layoutOf(variant.job->resources);
    }
    return out;
}

} // namespace

Library::Library(async::Workers& workers, Log& log, QObject* parent)
    : QObject(parent)
    , m_workers(workers)
    , m_log(log)
    , m_facts(std::make_shared<check::Facts>())
    , m_scan(workers,
             [this](FolderListing listing) {
                 if (listing.truncated)
                     m_log.warning(tr("%1 holds more than %2 recipe files; the rest is not shown.").arg(listing.root).arg(mostFiles));
                 m_listing = std::move(listing);
                 Q_EMIT listingChanged();
                 checkAll();
             })
    , m_check(workers, [this](std::shared_ptr<const RecipeSummaries> summaries) {
        m_summaries = std::move(summaries);
        Q_EMIT summariesChanged();
    })
{
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
    m_check.cancel();
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
    m_scan.start([root = m_folder](std::stop_token stop) { return listed(root, std::move(stop)); });
}

void Library::checkAll()
{
    if (m_listing.files.empty())
        return;
    m_check.start([listing = m_listing, facts = m_facts](std::stop_token stop) -> std::shared_ptr<const RecipeSummaries> {
        std::vector<RecipeSummary> each(listing.files.size());
        const std::string root = listing.root.toStdString() + '/';
        base::parallelFor(
            each.size(), [&](std::size_t i) { each[i] = summaryOf(root + listing.files[i], *facts, stop); }, stop);
        auto out = std::make_shared<RecipeSummaries>();
        for (std::size_t i = 0; i < each.size(); ++i)
            out->emplace(listing.files[i], std::move(each[i]));
        return out;
    });
}

} // namespace wb::ui
