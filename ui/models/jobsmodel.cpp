#include "ui/models/jobsmodel.h"

#include "core/remote/following.h"
#include "core/remote/slurmstates.h"
#include "core/syntax/diagnostic.h"
#include "ui/models/text.h"

#include <QDateTime>

#include <algorithm>
#include <array>

namespace wb::ui {

namespace {

using store::JobEntry;

constexpr std::array headers{
    QT_TRANSLATE_NOOP("wb::ui::JobsModel", "State"),     QT_TRANSLATE_NOOP("wb::ui::JobsModel", "Name"),
    QT_TRANSLATE_NOOP("wb::ui::JobsModel", "Host"),      QT_TRANSLATE_NOOP("wb::ui::JobsModel", "Job"),
    QT_TRANSLATE_NOOP("wb::ui::JobsModel", "Stage"),     QT_TRANSLATE_NOOP("wb::ui::JobsModel", "Workers ready"),
    QT_TRANSLATE_NOOP("wb::ui::JobsModel", "Newest"),    QT_TRANSLATE_NOOP("wb::ui::JobsModel", "Elapsed"),
    QT_TRANSLATE_NOOP("wb::ui::JobsModel", "Start"),     QT_TRANSLATE_NOOP("wb::ui::JobsModel", "Reason"),
    QT_TRANSLATE_NOOP("wb::ui::JobsModel", "Nodes"),     QT_TRANSLATE_NOOP("wb::ui::JobsModel", "Submitted"),
    QT_TRANSLATE_NOOP("wb::ui::JobsModel", "Exit code"), QT_TRANSLATE_NOOP("wb::ui::JobsModel", "Results"),
};
static_assert(headers.size() == JobsModel::ColumnCount);

QDateTime timeOf(std::int64_t seconds)
{
    return QDateTime::fromSecsSinceEpoch(seconds);
}

QString timeText(std::optional<std::int64_t> seconds)
{
    return seconds ? timeOf(*seconds).toString(QStringLiteral("MM-dd HH:mm")) : dash();
}

QString orDash(const std::string& words)
{
    return words.empty() ? dash() : text(words);
}

std::optional<std::int64_t> startOf(const JobEntry& job)
{
    return job.started ? job.started : job.expectedStart;
}

QString display(const JobRow& row, int column)
{
    const JobEntry& job = row.job;
    switch (column) {
    case JobsModel::StateColumn:
        return jobState(job);
    case JobsModel::NameColumn:
        return text(job.name);
    case JobsModel::HostColumn:
        return text(job.host);
    case JobsModel::JobIdColumn:
        return orDash(job.jobId);
    case JobsModel::StageColumn:
        return orDash(job.stage);
    case JobsModel::WorkersColumn:
        return orDash(job.workers);
    case JobsModel::FiguresColumn:
        return orDash(job.figures);
    case JobsModel::ElapsedColumn:
        return clockText(row.seconds);
    case JobsModel::StartColumn:
        return job.started || !job.expectedStart ? timeText(job.started) : JobsModel::tr("expected %1").arg(timeText(job.expectedStart));
    case JobsModel::ReasonColumn:
        return orDash(job.reason.empty() || job.reason == "None" ? job.message : job.reason);
    case JobsModel::NodesColumn:
        return orDash(job.nodes);
    case JobsModel::SubmittedColumn:
        return timeText(job.submitted);
    case JobsModel::ExitColumn:
        if (!job.exitCode)
            return dash();
        return job.signal.value_or(0) != 0 ? JobsModel::tr("%1, signal %2").arg(*job.exitCode).arg(*job.signal)
                                           : QString::number(*job.exitCode);
    case JobsModel::ResultsColumn:
        if (job.fetched.empty())
            return dash();
        return remote::isPartial(job) ? JobsModel::tr("fetched, partial") : JobsModel::tr("fetched");
    default:
        return {};
    }
}

QVariant sortValue(const JobRow& row, int column)
{
    const auto number = [](std::optional<std::int64_t> value) { return value ? QVariant(static_cast<qlonglong>(*value)) : QVariant(); };
    switch (column) {
    case JobsModel::JobIdColumn:
        return row.job.jobId.empty() ? QVariant() : QVariant(text(row.job.jobId).toLongLong());
    case JobsModel::ElapsedColumn:
        return row.seconds < 0 ? QVariant() : QVariant(static_cast<qlonglong>(row.seconds));
    case JobsModel::StartColumn:
        return number(startOf(row.job));
    case JobsModel::SubmittedColumn:
        return number(row.job.submitted);
    case JobsModel::ExitColumn:
        return row.job.exitCode ? QVariant(*row.job.exitCode) : QVariant();
    default:
        return display(row, column);
    }
}

QVariant severity(const JobEntry& job)
{
    const std::string_view state = job.state.empty() ? store::name(job.step) : std::string_view(job.state);
    if (remote::isFailure(state) && state != "skipped")
        return static_cast<int>(syntax::Severity::Error);
    const bool isOpen = state == "unknown" || state == "submitting";
    return isOpen ? QVariant(static_cast<int>(syntax::Severity::Warning)) : QVariant();
}

QString tip(const JobRow& row, int column)
{
    const JobEntry& job = row.job;
    const auto moment = [](std::optional<std::int64_t> seconds) {
        return seconds ? timeOf(*seconds).toUTC().toString(Qt::ISODate) : QString();
    };
    switch (column) {
    case JobsModel::StateColumn:
        return job.seen ? JobsModel::tr("%1, as of %2").arg(jobState(job), moment(job.seen))
                        : JobsModel::tr("%1; Slurm was not asked yet").arg(jobState(job));
    case JobsModel::StartColumn:
        return moment(startOf(job));
    case JobsModel::SubmittedColumn:
        return moment(job.submitted);
    case JobsModel::ResultsColumn:
        return job.fetched.empty() ? JobsModel::tr("Its results were not fetched.") : text(job.fetched);
    case JobsModel::StageColumn:
        return job.stage.empty() ? JobsModel::tr("The run says nothing of its stage: it has not begun, or its launcher writes none.")
                                 : text(job.stage);
    case JobsModel::NameColumn:
        return text(job.recipe) + (job.variant.empty() ? QString() : QLatin1Char(':') + text(job.variant));
    default:
        return display(row, column);
    }
}

} // namespace

QString jobState(const JobEntry& job)
{
    return job.state.empty() ? text(store::name(job.step)) : text(job.state);
}

QString clockText(std::int64_t seconds)
{
    if (seconds < 0)
        return dash();
    constexpr std::int64_t day = 86'400;
    const QString clock = QStringLiteral("%1:%2:%3")
                              .arg(seconds % day / 3600)
                              .arg(seconds / 60 % 60, 2, 10, QLatin1Char('0'))
                              .arg(seconds % 60, 2, 10, QLatin1Char('0'));
    return seconds < day ? clock : QStringLiteral("%1-%2").arg(seconds / day).arg(clock);
}

JobsModel::JobsModel(QObject* parent)
    : RowsModel(parent)
{
}

void JobsModel::setJobs(const std::vector<JobEntry>& jobs, std::int64_t now)
{
    std::vector<JobRow> rows;
    rows.reserve(jobs.size());
    for (auto job = jobs.rbegin(); job != jobs.rend(); ++job) {
        JobRow row{job->id, *job, -1};
        // Of a job that nobody saw end it is not known how long it ran.
        const bool isRunning = !job->ended && remote::mayChange(*job) && job->state != "unknown";
        if (job->started && (job->ended || isRunning))
            row.seconds = std::max<std::int64_t>(0, job->ended.value_or(now) - *job->started);
        rows.push_back(std::move(row));
    }
    setRows(std::move(rows));
}

int JobsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant JobsModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const JobRow& row = this->row(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return display(row, index.column());
    case SortRole:
        return sortValue(row, index.column());
    case SeverityRole:
        return severity(row.job);
    case Qt::ToolTipRole:
        return tip(row, index.column());
    default:
        return {};
    }
}

QVariant JobsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= ColumnCount)
        return {};
    return tr(headers[static_cast<std::size_t>(section)]);
}

} // namespace wb::ui
