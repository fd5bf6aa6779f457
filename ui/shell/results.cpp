#include "ui/shell/results.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/catalogue/catalogue.h"
#include "core/store/atomicfile.h"
#include "ui/models/text.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <unordered_map>

namespace wb::ui {

namespace {

std::string ratesFileBeside(const std::string& catalogue)
{
    return QFileInfo(text(catalogue)).dir().filePath(QStringLiteral("rates.json")).toStdString();
}

/// Nothing when there is no such file.
Result<analysis::Rates> readRates(const std::string& file)
{
    if (!QFileInfo::exists(text(file)))
        return analysis::Rates();
    const auto bytes = base::readFile(file);
    const auto json = bytes ? base::json::read(*bytes) : Result<base::json::Value>(tl::unexpected(bytes.error()));
    auto rates = json ? analysis::ratesFromJson(*json) : Result<analysis::Rates>(tl::unexpected(json.error()));
    return rates ? rates : passedOn(std::move(rates.error()), "Reading the prices and powers " + file);
}

} // namespace

Results::Results(async::Workers& workers, Log& log, QString catalogueFile, QObject* parent)
    : QObject(parent)
    , m_log(log)
    , m_file(std::move(catalogueFile))
    , m_points(std::make_shared<const std::vector<results::Point>>())
    , m_job(workers, [this](const std::shared_ptr<const Outcome>& outcome) { finish(*outcome); })
{
    m_job.onProgress([this](std::size_t done, std::size_t total) {
        m_done = done;
        m_total = total;
        Q_EMIT importChanged();
    });
}

Results::~Results() = default;

const results::Point* Results::find(const PointId& id) const
{
    const auto found = std::find_if(m_points->begin(), m_points->end(), [&](const results::Point& point) { return point.id == id; });
    return found == m_points->end() ? nullptr : &*found;
}

void Results::setFilter(const QString& filter)
{
    if (filter == m_filter)
        return;
    m_filter = filter;
    Q_EMIT filterChanged();
}

void Results::load()
{
    add({Kind::Load, {}});
}

void Results::import(const QStringList& paths)
{
    importTold(paths, {});
}

void Results::importTold(const QStringList& paths, const results::Told& told)
{
    Task task{.kind = Kind::Import, .paths = {}, .told = told};
    for (const QString& path : paths)
        task.paths.push_back(QFileInfo(path).absoluteFilePath().toStdString());
    if (!task.paths.empty())
        add(std::move(task));
}

void Results::change(std::function<Result<void>(catalogue::Catalogue&)> change)
{
    add({.kind = Kind::Change, .paths = {}, .change = std::move(change)});
}

void Results::edit(const std::string& source, std::optional<std::size_t> document, const std::string& field,
                   const std::optional<std::string>& text)
{
    change([source, document, field, text](catalogue::Catalogue& catalogue) { return catalogue.edit(source, document, field, text); });
}

void Results::setRates(const analysis::Rates& rates)
{
    change([rates, file = ratesFileBeside(m_file.toStdString()), isUnread = !m_ratesFault.empty()](catalogue::Catalogue&) -> Result<void> {
        std::error_code error;
        if (isUnread && std::filesystem::exists(file, error))
            std::filesystem::rename(file, file + ".unread", error);
        if (error)
            return tl::unexpected<Error>(base::systemError(error.value(), file, "Keeping the old prices and powers"));
        return store::writeAtomically(file, base::json::write(analysis::toJson(rates)) + '\n');
    });
}

void Results::setNote(const RunId& run, const std::string& note)
{
    change([run, note](catalogue::Catalogue& catalogue) { return catalogue.setNote(run, note); });
}

void Results::setTags(const RunId& run, const std::vector<std::string>& tags)
{
    change([run, tags](catalogue::Catalogue& catalogue) { return catalogue.setTags(run, tags); });
}

void Results::forget(const QStringList& sources)
{
    Task task{Kind::Forget, {}};
    for (const QString& source : sources)
        task.paths.push_back(source.toStdString());
    if (!task.paths.empty())
        add(std::move(task));
}

void Results::cancel()
{
    m_waiting.clear();
    if (!m_job.isRunning())
        return;
    m_job.cancel();
    if (std::exchange(m_isImporting, false)) {
        m_log.info(tr("The import was stopped; nothing of it was kept."));
        Q_EMIT importChanged();
    }
}

void Results::add(Task task)
{
    m_waiting.push_back(std::move(task));
    if (!m_job.isRunning())
        startNext();
}

void Results::startNext()
{
    if (m_waiting.empty())
        return;
    Task task = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_done = m_total = 0;
    m_isImporting = task.kind == Kind::Import;
    if (m_isImporting) {
        m_importing.clear();
        for (const std::string& path : task.paths)
            m_importing += text(path);
        m_outcome.clear();
        m_hasFailed = false;
        Q_EMIT importChanged();
    }
    m_job.startReporting([task = std::move(task), file = m_file.toStdString()](std::stop_token stop, const async::Report& report) {
        return std::make_shared<const Outcome>(run(task, file, report, stop));
    });
}

Results::Outcome Results::run(const Task& task, const std::string& file, const async::Report& report, const std::stop_token& stop)
{
    Outcome out{.kind = task.kind, .imported = {}, .points = {}, .whyReadOnly = {}, .error = {}};
    const auto failed = [&out](Error error) {
        out.error = std::move(error);
        return out;
    };
    if (auto made = store::makeFolder(QFileInfo(text(file)).absolutePath().toStdString()); !made)
        return failed(std::move(made.error()));
    auto catalogue = catalogue::Catalogue::open(file);
    if (!catalogue)
        return failed(std::move(catalogue.error()));
    out.whyReadOnly = catalogue->whyReadOnly();
    if (task.kind == Kind::Import) {
        results::ImportOptions options;
        options.progress = report;
        options.told = task.told;
        options.scratch = QDir::tempPath().toStdString(); // where archives are unpacked while they are read
        auto imported = catalogue->import(task.paths, options, stop);
        if (!imported)
            return failed(std::move(imported.error()));
        out.imported = std::move(*imported);
    } else if (task.kind == Kind::Forget) {
        if (auto forgotten = catalogue->forget(task.paths); !forgotten)
            return failed(std::move(forgotten.error()));
    } else if (task.kind == Kind::Change) {
        if (auto changed = task.change(*catalogue); !changed)
            return failed(std::move(changed.error()));
    }
    auto points = catalogue->points();
    if (!points)
        return failed(std::move(points.error()));
    auto rates = readRates(ratesFileBeside(file));
    if (rates) {
        out.rates = std::move(*rates);
        analysis::applyRates(*points, out.rates);
    } else {
        out.ratesFault = rates.error().message;
    }
    out.points = std::make_shared<const std::vector<results::Point>>(std::move(*points));
    return out;
}

void Results::finish(const Outcome& outcome)
{
    const bool wasImporting = std::exchange(m_isImporting, false);
    if (outcome.points) {
        const QString before = std::exchange(m_whyReadOnly, text(outcome.whyReadOnly));
        if (before != m_whyReadOnly && !m_whyReadOnly.isEmpty())
            m_log.warning(tr("The catalogue \"%1\" may only be read (%2): nothing can be imported into it.").arg(m_file, m_whyReadOnly));
        m_points = outcome.points;
        m_rates = outcome.rates;
        if (std::exchange(m_ratesFault, outcome.ratesFault) != outcome.ratesFault && !m_ratesFault.empty())
            m_log.warning(text(m_ratesFault));
        Q_EMIT pointsChanged();
    }
    if (outcome.error) {
        if (wasImporting && outcome.error->code != ErrorCode::Cancelled) {
            m_hasFailed = true;
            m_outcome = text(outcome.error->message);
        }
        m_log.error(*outcome.error);
        if (outcome.error->code != ErrorCode::Cancelled)
            Q_EMIT failed(*outcome.error);
    } else if (outcome.kind == Kind::Import) {
        addToReport(outcome.imported);
        tellImported(outcome.imported);
    }
    if (wasImporting)
        Q_EMIT importChanged();
    startNext();
}

void Results::addToReport(const results::Imported& imported)
{
    std::vector<results::ReportLine> lines = results::reportLines(imported);
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < m_report.size(); ++i)
        places.emplace(m_report[i].path, i);
    for (results::ReportLine& line : lines) {
        const auto [at, isNew] = places.try_emplace(line.path, m_report.size());
        if (isNew)
            m_report.push_back(std::move(line));
        else
            m_report[at->second] = std::move(line);
    }
    for (const results::RunReport& run : imported.runs) {
        const auto same =
            std::ranges::find_if(m_runReports, [&run](const auto& known) { return known.run == run.run && known.folder == run.folder; });
        if (same == m_runReports.end())
            m_runReports.push_back(run);
        else
            *same = run;
    }
    Q_EMIT reportChanged();
}

void Results::tellImported(const results::Imported& imported)
{
    std::size_t taken = 0;
    std::size_t unchanged = 0;
    std::size_t refused = 0;
    std::size_t points = 0;
    for (const results::ImportedFile& file : imported.files) {
        taken += file.state == results::FileState::Imported ? 1 : 0;
        unchanged += file.state == results::FileState::Unchanged ? 1 : 0;
        points += file.points.size();
        if (file.state == results::FileState::Refused) {
            ++refused;
            m_log.warning(tr("Not imported: %1: %2").arg(text(file.path), text(file.reason)));
        }
        for (const std::string& warning : file.warnings)
            m_log.warning(tr("%1: %2").arg(text(file.path), text(warning)));
    }
    QString summary =
        tr("Imported %n point(s)", nullptr, static_cast<int>(points)) + tr(" from %n file(s)", nullptr, static_cast<int>(taken));
    if (unchanged > 0)
        summary += tr(", %n unchanged", nullptr, static_cast<int>(unchanged));
    if (refused > 0)
        summary += tr(", %n refused (see the Import report)", nullptr, static_cast<int>(refused));
    const std::size_t ignored = imported.files.size() - taken - unchanged - refused;
    if (ignored > 0)
        summary += tr(", %n with no results", nullptr, static_cast<int>(ignored));
    m_outcome = summary;
    m_log.info(summary);
    Q_EMIT this->imported(summary);
}

} // namespace wb::ui
