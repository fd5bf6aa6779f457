#include "ui/panes/jobspane.h"

#include "core/remote/following.h"
#include "core/remote/slurmerrors.h"
#include "core/remote/slurmstates.h"
#include "ui/models/text.h"
#include "ui/panes/fetchdialog.h"
#include "ui/panes/messagebar.h"
#include "ui/panes/severitydelegate.h"
#include "ui/panes/tableview.h"

#include <QCheckBox>
#include <QDateTime>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {

namespace {

using namespace std::chrono_literals;

QString agoText(std::int64_t seconds)
{
    constexpr std::int64_t minute = 60;
    return seconds < 2 * minute ? JobsPane::tr("%1 s").arg(std::max<std::int64_t>(0, seconds))
                                : JobsPane::tr("%1 min").arg(seconds / minute);
}

QString watchText(const Jobs::Watch& watch, std::int64_t now, bool isWatching)
{
    QStringList parts;
    if (watch.isAsking)
        parts += JobsPane::tr("asking\u2026");
    else if (watch.asked == 0)
        parts += JobsPane::tr("no answer yet");
    else
        parts += JobsPane::tr("asked %1 ago").arg(agoText(now - watch.asked));
    if (!watch.isAsking && !isWatching)
        parts += JobsPane::tr("paused");
    else if (!watch.isAsking && watch.next > now)
        parts += JobsPane::tr("again in %1").arg(agoText(watch.next - now));
    if (watch.perMinute > 0)
        parts += JobsPane::tr("%n question(s) in the last minute", nullptr, watch.perMinute);
    if (!watch.trouble.isEmpty())
        parts += watch.trouble;
    return QStringLiteral("%1: %2").arg(text(watch.profile), parts.join(QStringLiteral(", ")));
}

} // namespace

QString jobDetails(const store::JobEntry& job)
{
    QStringList lines;
    const auto add = [&](const QString& what, const std::string& value) {
        if (!value.empty())
            lines += what.leftJustified(12) + text(value);
    };
    add(JobsPane::tr("job"), job.name);
    add(JobsPane::tr("state"), job.state);
    add(JobsPane::tr("reason"), job.reason);
    add(JobsPane::tr("message"), job.message);
    add(JobsPane::tr("recipe"), job.recipe + (job.variant.empty() ? std::string() : ':' + job.variant));
    add(JobsPane::tr("host"), job.host + (job.sshHost.empty() || job.sshHost == job.host ? std::string() : " (" + job.sshHost + ')'));
    add(JobsPane::tr("launcher"), job.launcher);
    add(JobsPane::tr("folder"), job.remoteDir);
    if (remote::outputFolder(job) != job.remoteDir)
        add(JobsPane::tr("results"), remote::outputFolder(job));
    add(JobsPane::tr("fetched"), job.fetched);
    add(JobsPane::tr("sha256"), job.sha256);
    if (!job.said.empty() || job.saidCode) {
        lines += QString();
        lines += job.saidCode ? JobsPane::tr("What the submission printed (exit code %1):").arg(*job.saidCode)
                              : JobsPane::tr("What the submission printed:");
        lines += text(job.said).trimmed();
        const remote::SlurmError* known = job.saidCode.value_or(0) != 0 ? remote::explained(job.said) : nullptr;
        if (known)
            lines += QStringLiteral("\u2192 ") + text(known->explanation);
    }
    return lines.join(QLatin1Char('\n'));
}

JobsPane::JobsPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_view(new TableView(&m_model, JobsModel::SortRole, tr("Jobs"), this))
    , m_summary(new QLabel(this))
    , m_watches(new QLabel(this))
    , m_onlyOpen(new QCheckBox(tr("Only open ones"), this))
    , m_message(new MessageBar(this))
    , m_details(new QPlainTextEdit(this))
{
    m_view->setObjectName(QStringLiteral("jobsView"));
    m_view->setItemDelegateForColumn(JobsModel::StateColumn, new SeverityDelegate(JobsModel::SeverityRole, m_view));
    m_view->setColumnWidths({12, 22, 10, 8, 10, 14, 24, 9, 20, 28, 12, 11, 9, 15}, JobsModel::ReasonColumn);
    m_view->setEmptyText(tr("No job was submitted yet. Choose variants, then Submit in the Cluster pane."));
    m_summary->setObjectName(QStringLiteral("jobsSummary"));
    m_watches->setObjectName(QStringLiteral("jobsWatches"));
    m_watches->setAccessibleName(tr("How the clusters are watched"));
    m_watches->setWordWrap(true);
    m_watches->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_watches->setContentsMargins(6, 2, 6, 2);
    m_details->setObjectName(QStringLiteral("jobDetails"));
    m_details->setReadOnly(true);
    m_details->setFrameShape(QFrame::NoFrame);
    m_details->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_details->setAccessibleName(tr("What is known of the selected job"));
    m_details->setPlaceholderText(tr("Select a job to see where it is and what Slurm said."));
    makeBar();
    setFocusProxy(m_view);

    m_clock.setInterval(1s);
    connect(&m_clock, &QTimer::timeout, this, [this] {
        if (m_session.jobs().openCount() > 0)
            refresh();
        refreshWatches();
    });
    connect(m_onlyOpen, &QCheckBox::toggled, this, [this](bool isOnly) {
        if (isOnly)
            m_view->filter().setCondition([this](const QModelIndex& index) { return remote::mayChange(m_model.row(index.row()).job); });
        else
            m_view->filter().setCondition({});
    });
    connect(m_view, &TableView::currentSourceChanged, this,
            [this](const QModelIndex& source) { m_session.selectJob(m_model.row(source.row()).id); });
    connect(m_view, &TableView::sourceActivated, this, &JobsPane::openLog);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &JobsPane::refreshButtons);
    connect(m_view, &TableView::menuRequested, this, [this](QMenu& menu, const QModelIndex&) {
        menu.setToolTipsVisible(true);
        for (const Button* each : {&m_log, &m_fetch, &m_recipe, &m_cancel, &m_remove}) {
            if (each == &m_cancel)
                menu.addSeparator();
            QAction* action = menu.addAction(each->button->text(), each->button, &QToolButton::click);
            action->setEnabled(each->button->isEnabled());
            action->setToolTip(each->button->toolTip());
        }
    });
    connect(&session.jobs(), &Jobs::changed, this, &JobsPane::refresh);
    connect(&session.jobs(), &Jobs::watchChanged, this, &JobsPane::refreshWatches);
    connect(&session.jobs(), &Jobs::failed, m_message, &MessageBar::showError);
    connect(&session.jobs(), &Jobs::listed, this, &JobsPane::chooseFiles);
    connect(&session.selection(), &Selection::jobChanged, this, &JobsPane::followSelection);
    refresh();
    refreshWatches();
}

JobsPane::Button JobsPane::make(const char* name, const QString& words, const QString& tip, void (JobsPane::*run)())
{
    auto* button = new QToolButton(this);
    button->setObjectName(QString::fromLatin1(name));
    button->setText(words);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    connect(button, &QToolButton::clicked, this, run);
    return {button, tip};
}

void JobsPane::makeBar()
{
    m_log = make("jobLog", tr("Open log"), tr("Follow the log of the selected job"), &JobsPane::openLog);
    m_fetch = make("fetchJob", tr("Fetch results\u2026"), tr("List the results of the selected jobs with their sizes, and bring them here"),
                   &JobsPane::fetch);
    m_recipe =
        make("jobRecipe", tr("Open recipe"), tr("Open the recipe that the job was submitted from, at its variant"), &JobsPane::openRecipe);
    m_cancel = make("cancelJob", tr("Cancel job\u2026"), tr("Ask Slurm to end the selected jobs (scancel); their folders stay"),
                    &JobsPane::cancel);
    m_remove =
        make("removeJobFolder", tr("Delete remote folder\u2026"),
             tr("Remove the folders of the selected jobs on the cluster; the history and what was fetched stay"), &JobsPane::removeFolders);
    m_refresh = {new QToolButton(this), tr("Ask the clusters now")};
    m_refresh.button->setObjectName(QStringLiteral("refreshJobs"));
    m_refresh.button->setText(tr("Refresh"));
    m_refresh.button->setToolTip(m_refresh.tip);
    m_refresh.button->setAutoRaise(true);
    connect(m_refresh.button, &QToolButton::clicked, &m_session.jobs(), &Jobs::refreshNow);
    auto* filter = new QLineEdit(this);
    filter->setObjectName(QStringLiteral("jobsFilter"));
    filter->setPlaceholderText(tr("Filter"));
    filter->setAccessibleName(tr("Filter of the jobs"));
    filter->setClearButtonEnabled(true);
    filter->setMinimumWidth(60);
    connect(filter, &QLineEdit::textChanged, m_view, [this](const QString& words) { m_view->filter().setWords(words); });
    m_onlyOpen->setObjectName(QStringLiteral("onlyOpenJobs"));
    m_onlyOpen->setToolTip(tr("Hide jobs that have ended"));

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    for (const Button* each : {&m_log, &m_fetch, &m_recipe})
        bar->addWidget(each->button);
    bar->addSpacing(12);
    for (const Button* each : {&m_cancel, &m_remove})
        bar->addWidget(each->button);
    bar->addStretch(1);
    auto* choice = new QHBoxLayout;
    choice->setContentsMargins(12, 0, 6, 4);
    choice->addWidget(m_summary, 1);
    choice->addWidget(m_onlyOpen);
    choice->addWidget(filter);
    choice->addWidget(m_refresh.button);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->setObjectName(QStringLiteral("jobsSplit"));
    split->addWidget(m_view);
    split->addWidget(m_details);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addLayout(choice);
    column->addWidget(m_message);
    column->addWidget(split, 1);
    column->addWidget(m_watches);
}

void JobsPane::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_clock.start();
    refresh();
}

void JobsPane::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_clock.stop();
}

void JobsPane::refresh()
{
    const Jobs& jobs = m_session.jobs();
    m_view->changeQuietly([&] { m_model.setJobs(jobs.all(), QDateTime::currentSecsSinceEpoch()); });
    const int open = static_cast<int>(jobs.openCount());
    QString summary = tr("%n job(s)", nullptr, static_cast<int>(jobs.all().size()));
    if (open > 0)
        summary += QStringLiteral(" \u00b7 ") + tr("%n open", nullptr, open);
    m_summary->setText(summary);
    followSelection();
}

void JobsPane::refreshWatches()
{
    const std::int64_t now = QDateTime::currentSecsSinceEpoch();
    QStringList lines;
    for (const Jobs::Watch& watch : m_session.jobs().watches())
        lines += watchText(watch, now, m_session.jobs().isWatching());
    m_watches->setVisible(!lines.isEmpty());
    m_watches->setText(lines.join(QLatin1Char('\n')));
}

void JobsPane::followSelection()
{
    const int row = m_model.rowOf(m_session.selection().job());
    const bool isSelected = row >= 0 && m_view->currentSource().row() == row && m_view->currentSource().isValid();
    if (!isSelected && row >= 0)
        m_view->showCurrent(m_model.index(row, 0));
    refreshButtons();
    refreshDetails();
}

std::vector<std::string> JobsPane::selected() const
{
    std::vector<std::string> out;
    for (const QModelIndex& index : m_view->selectedSources())
        out.push_back(m_model.row(index.row()).id);
    return out;
}

void JobsPane::refreshButtons()
{
    const std::vector<std::string> ids = selected();
    const Jobs& jobs = m_session.jobs();
    const auto set = [](const Button& each, const QString& whyNot) {
        each.button->setEnabled(whyNot.isEmpty());
        each.button->setToolTip(whyNot.isEmpty() ? each.tip : whyNot);
    };
    const QString none = ids.empty() ? tr("No job is selected.") : QString();
    set(m_log, none.isEmpty() ? jobs.whyNoFetch(ids) : none);
    set(m_fetch, jobs.whyNoFetch(ids));
    set(m_recipe, ids.size() > 1 ? tr("More than one job is selected.") : none);
    set(m_cancel, jobs.whyNoCancel(ids));
    set(m_remove, jobs.whyNoRemoval(ids));
}

void JobsPane::refreshDetails()
{
    const store::JobEntry* job = m_session.jobs().find(m_session.selection().job());
    const QString words = job ? jobDetails(*job) : QString();
    if (words != m_details->toPlainText()) // a text that is being read is left alone
        m_details->setPlainText(words);
}

void JobsPane::openLog()
{
    if (!selected().empty() && m_log.button->isEnabled())
        m_session.showJobLog(selected().front());
}

void JobsPane::fetch()
{
    m_session.jobs().list(selected());
}

void JobsPane::openRecipe()
{
    if (const auto ids = selected(); ids.size() == 1)
        m_session.openJob(ids.front());
}

void JobsPane::chooseFiles(const std::vector<JobFiles>& files)
{
    (new FetchDialog(m_session, files, this))->open();
}

void JobsPane::askFor(const QString& title, const QString& question, const QString& detail, const QString& does,
                      const std::function<void()>& run)
{
    auto* box = new QMessageBox(QMessageBox::Warning, title, question, QMessageBox::NoButton, this);
    box->setObjectName(QStringLiteral("jobsQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(detail);
    box->setTextFormat(Qt::PlainText);
    QPushButton* yes = box->addButton(does, QMessageBox::DestructiveRole);
    yes->setObjectName(QStringLiteral("doIt"));
    QPushButton* no = box->addButton(tr("Leave as it is"), QMessageBox::RejectRole);
    box->setDefaultButton(no);
    box->setEscapeButton(no);
    connect(yes, &QPushButton::clicked, this, run);
    box->open();
}

void JobsPane::cancel()
{
    const std::vector<std::string> ids = selected();
    QStringList names;
    QStringList hosts;
    for (const std::string& id : ids) {
        const store::JobEntry* job = m_session.jobs().find(id);
        if (!job || job->jobId.empty() || remote::isEnd(job->state))
            continue;
        names += QStringLiteral("%1  %2  (%3)").arg(text(job->jobId), text(job->name), jobState(*job));
        hosts += text(m_session.jobs().profileOf(*job).host);
    }
    hosts.removeDuplicates();
    askFor(tr("Cancel jobs"), tr("Cancel %n job(s) on %1?", nullptr, static_cast<int>(names.size())).arg(hosts.join(QStringLiteral(", "))),
           names.mid(0, 12).join(QLatin1Char('\n')) +
               (names.size() > 12 ? QLatin1Char('\n') + tr("\u2026 and %1 more").arg(names.size() - 12) : QString()) +
               QStringLiteral("\n\n") + tr("scancel ends them; their folders on the cluster stay."),
           tr("Cancel the jobs"), [this, ids] { m_session.jobs().cancel(ids); });
}

void JobsPane::removeFolders()
{
    const std::vector<std::string> ids = selected();
    QStringList places;
    bool isAnyUnfetched = false;
    for (const std::string& id : ids) {
        const store::JobEntry* job = m_session.jobs().find(id);
        if (!job || !remote::hasFolder(*job))
            continue;
        places += text(m_session.jobs().profileOf(*job).host) + QLatin1Char(':') + text(job->remoteDir);
        isAnyUnfetched = isAnyUnfetched || job->fetched.empty();
    }
    QString detail = places.mid(0, 12).join(QLatin1Char('\n'));
    if (places.size() > 12)
        detail += QLatin1Char('\n') + tr("\u2026 and %1 more").arg(places.size() - 12);
    detail += QStringLiteral("\n\n") + (isAnyUnfetched ? tr("Not all of their results were fetched. This cannot be undone.")
                                                       : tr("What was fetched stays here. This cannot be undone."));
    askFor(tr("Delete remote folders"),
           tr("Delete %n folder(s) on the cluster, with all that is in it?", nullptr, static_cast<int>(places.size())), detail,
           tr("Delete"), [this, ids] { m_session.jobs().removeFolders(ids); });
}

} // namespace wb::ui
