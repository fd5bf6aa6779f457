#include "ui/panes/clusterpane.h"

#include "core/syntax/diagnostic.h"
#include "ui/models/text.h"
#include "ui/panes/messagebar.h"
#include "ui/panes/profiledialog.h"
#include "ui/panes/severitydelegate.h"
#include "ui/panes/submitdialog.h"
#include "ui/panes/tableview.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {

namespace {

enum Tab { PreflightTab, SubmissionTab };

QString locationText(remote::Location location)
{
    switch (location) {
    case remote::Location::Here:
        return ClusterPane::tr("here");
    case remote::Location::Login:
        return ClusterPane::tr("login node");
    case remote::Location::Compute:
        return ClusterPane::tr("compute node");
    }
    return {};
}

QString checkStateText(remote::CheckState state)
{
    switch (state) {
    case remote::CheckState::Ok:
        return ClusterPane::tr("ok");
    case remote::CheckState::Absent:
        return ClusterPane::tr("absent");
    case remote::CheckState::Unknown:
        return ClusterPane::tr("not visible from here");
    case remote::CheckState::Warning:
        return ClusterPane::tr("warning");
    }
    return {};
}

std::optional<int> severityOf(remote::CheckState state)
{
    switch (state) {
    case remote::CheckState::Absent:
        return static_cast<int>(syntax::Severity::Error);
    case remote::CheckState::Warning:
        return static_cast<int>(syntax::Severity::Warning);
    case remote::CheckState::Unknown:
        return static_cast<int>(syntax::Severity::Info);
    case remote::CheckState::Ok:
        break;
    }
    return std::nullopt;
}

/// A long path or sentence must not make the pane wider than there is room.
void mayBeNarrow(QLabel& label)
{
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    policy.setHeightForWidth(label.wordWrap());
    label.setSizePolicy(policy);
}

QToolButton* makeButton(const char* name, const QString& words, const QString& tip, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(QString::fromLatin1(name));
    button->setText(words);
    button->setToolTip(tip);
    button->setProperty("tip", tip);
    button->setAutoRaise(true);
    return button;
}

/// The reason in the tooltip, where it cannot be done.
void allow(QToolButton& button, const QString& whyNot)
{
    button.setEnabled(whyNot.isEmpty());
    button.setToolTip(whyNot.isEmpty() ? button.property("tip").toString() : whyNot);
}

QString linkText(const Connections::Link& link)
{
    switch (link.state) {
    case Connections::State::None:
        return ClusterPane::tr("not connected");
    case Connections::State::Connecting:
        return ClusterPane::tr("connecting\u2026");
    case Connections::State::Connected:
        return ClusterPane::tr("connected");
    case Connections::State::Failed:
        return link.why && link.why->code == ErrorCode::Denied ? ClusterPane::tr("log-in needed") : ClusterPane::tr("no connection");
    }
    return {};
}

} // namespace

ClusterPane::ClusterPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_checksModel({tr("State"), tr("Looked at from"), tr("Check"), tr("Finding"), tr("Subject")})
    , m_rowsModel({tr("State"), tr("Job"), tr("Id"), tr("Message")})
    , m_colour(new QFrame(this))
    , m_message(new MessageBar(this))
    , m_tabs(new QTabWidget(this))
{
    m_colour->setObjectName(QStringLiteral("clusterColour"));
    m_colour->setFixedHeight(5);
    m_colour->setAutoFillBackground(true);
    m_tabs->setObjectName(QStringLiteral("clusterTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("Preflight and submission"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_colour);
    column->addWidget(makeProfileBar());
    column->addWidget(m_message);
    column->addWidget(m_tabs, 1);
    m_tabs->addTab(makePreflight(), tr("Preflight"));
    m_tabs->addTab(makeSubmission(), tr("Submit"));
    setFocusProxy(m_profiles);

    Clusters& clusters = session.clusters();
    connect(&clusters, &Clusters::profilesChanged, this, &ClusterPane::refreshProfiles);
    connect(&clusters, &Clusters::currentChanged, this, &ClusterPane::refreshCurrent);
    connect(&clusters, &Clusters::fetchingChanged, this, &ClusterPane::refreshCurrent);
    connect(&clusters, &Clusters::preflightChanged, this, &ClusterPane::refreshPreflight);
    connect(&clusters, &Clusters::submissionChanged, this, &ClusterPane::refreshSubmission);
    connect(&clusters, &Clusters::failed, m_message, &MessageBar::showError);
    connect(&clusters, &Clusters::prepared, this, &ClusterPane::confirm);
    connect(&session.connections(), &Connections::changed, this, [this] {
        const Connections::Link link = m_session.connections().link(m_session.clusters().current());
        if (link.state == Connections::State::Failed && link.why)
            m_message->showError(*link.why);
        refreshCurrent();
    });
    connect(&session.selection(), &Selection::variantChanged, this, &ClusterPane::refreshButtons);
    connect(&session.selection(), &Selection::chosenChanged, this, &ClusterPane::refreshButtons);
    connect(&session.documents(), &Documents::textChanged, this, &ClusterPane::refreshButtons);
    connect(&session.documents(), &Documents::checked, this, &ClusterPane::refreshButtons);
    refreshProfiles();
    refreshPreflight();
    refreshSubmission();
}

QWidget* ClusterPane::makeProfileBar()
{
    auto* whole = new QWidget(this);
    m_profiles = new QComboBox(whole);
    m_profiles->setObjectName(QStringLiteral("clusterProfile"));
    m_profiles->setAccessibleName(tr("Cluster profile"));
    m_profiles->setToolTip(tr("Where jobs go; \"offline\" renders everything and sends nothing"));
    m_profiles->setMinimumContentsLength(12);
    m_connect = makeButton("clusterConnect", tr("Connect"), tr("Log in; ssh may ask for it here"), whole);
    auto* add = makeButton("newProfile", tr("New\u2026"), tr("Add a cluster"), whole);
    m_edit = makeButton("editProfile", tr("Edit\u2026"), tr("Change this profile"), whole);
    m_fetchFile = makeButton("fetchClusterFile", tr("Fetch cluster file"),
                             tr("Bring the cluster's srtslurm.yaml here and check recipes against it"), whole);
    m_remove = makeButton("removeProfile", tr("Remove\u2026"), tr("Forget this profile; jobs and their history stay"), whole);
    m_facts = new QLabel(whole);
    m_facts->setObjectName(QStringLiteral("clusterFacts"));
    m_facts->setAccessibleName(tr("What is known of the profile"));
    m_facts->setWordWrap(true);
    mayBeNarrow(*m_facts);
    m_facts->setTextFormat(Qt::PlainText);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* bar = new QHBoxLayout;
    bar->addWidget(m_profiles, 1);
    for (QToolButton* each : {m_connect, m_fetchFile, add, m_edit, m_remove})
        bar->addWidget(each);
    auto* column = new QVBoxLayout(whole);
    column->setContentsMargins(6, 4, 6, 4);
    column->setSpacing(4);
    column->addLayout(bar);
    column->addWidget(m_facts);
    connect(m_profiles, &QComboBox::activated, this, [this](int index) { m_session.clusters().setCurrent(m_profiles->itemText(index)); });
    connect(m_connect, &QToolButton::clicked, this, &ClusterPane::toggleConnection);
    connect(m_fetchFile, &QToolButton::clicked, &m_session.clusters(), &Clusters::fetchClusterFile);
    connect(add, &QToolButton::clicked, this, [this] { editProfile(true); });
    connect(m_edit, &QToolButton::clicked, this, [this] { editProfile(false); });
    connect(m_remove, &QToolButton::clicked, this, &ClusterPane::removeProfile);
    return whole;
}

QWidget* ClusterPane::makePreflight()
{
    auto* page = new QWidget(this);
    m_checks = new TableView(&m_checksModel, WordsModel::SortRole, tr("Findings of the preflight"), page);
    m_checks->setObjectName(QStringLiteral("preflightView"));
    m_checks->setItemDelegateForColumn(0, new SeverityDelegate(WordsModel::SeverityRole, m_checks));
    m_checks->setColumnWidths({19, 13, 12, 40, 28}, 3);
    m_checks->setEmptyText(tr("A preflight looks for what the chosen jobs need: models, containers, partition, account, limits, space."));
    m_preflight = makeButton("startPreflight", tr("Preflight"), tr("Look for what the chosen jobs need, here and on the login node"), page);
    m_stopPreflight = makeButton("stopPreflight", tr("Stop"), tr("Stop looking"), page);
    m_asksNodes = new QCheckBox(tr("also on a compute node"), page);
    m_asksNodes->setObjectName(QStringLiteral("preflightNodes"));
    m_asksNodes->setToolTip(tr("Looks for paths on a compute node by a short srun, which takes a node for a moment"));
    m_about = new QLabel(page);
    m_about->setObjectName(QStringLiteral("preflightAbout"));
    m_about->setTextFormat(Qt::PlainText);
    mayBeNarrow(*m_about);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(m_preflight);
    bar->addWidget(m_stopPreflight);
    bar->addWidget(m_asksNodes);
    bar->addWidget(m_about, 1);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_checks, 1);
    Clusters& clusters = m_session.clusters();
    connect(m_preflight, &QToolButton::clicked, this, [this] { m_session.clusters().startPreflight(m_asksNodes->isChecked()); });
    connect(m_stopPreflight, &QToolButton::clicked, &clusters, &Clusters::stopPreflight);
    return page;
}

QWidget* ClusterPane::makeSubmission()
{
    auto* page = new QWidget(this);
    m_rows = new TableView(&m_rowsModel, WordsModel::SortRole, tr("Jobs of the submission"), page);
    m_rows->setObjectName(QStringLiteral("submissionView"));
    m_rows->setItemDelegateForColumn(0, new SeverityDelegate(WordsModel::SeverityRole, m_rows));
    m_rows->setColumnWidths({12, 28, 10, 40}, 3);
    m_rows->setEmptyText(tr("Choose jobs in the Variants pane; before anything is sent you see what it is and what it can cost."));
    m_submit = makeButton("submitJobs", tr("Submit\u2026"), tr("See what would be sent, then submit the chosen jobs"), page);
    m_stop = makeButton("stopSubmission", tr("Stop"), tr("Ask for no further job; those that were asked for stay on the cluster"), page);
    m_progress = new QProgressBar(page);
    m_progress->setObjectName(QStringLiteral("submissionProgress"));
    m_progress->setAccessibleName(tr("Progress of the submission"));
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(140);
    m_progress->setMaximumHeight(fontMetrics().height());
    m_summary = new QLabel(page);
    m_summary->setObjectName(QStringLiteral("submissionSummary"));
    m_summary->setTextFormat(Qt::PlainText);
    mayBeNarrow(*m_summary);
    m_said = new QPlainTextEdit(page);
    m_said->setObjectName(QStringLiteral("submissionSaid"));
    m_said->setReadOnly(true);
    m_said->setFrameShape(QFrame::NoFrame);
    m_said->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_said->setAccessibleName(tr("What the submission of the selected job printed"));
    m_said->setPlaceholderText(tr("Select a job to read what Slurm said, word for word."));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(m_submit);
    bar->addWidget(m_stop);
    bar->addWidget(m_progress);
    bar->addWidget(m_summary, 1);
    auto* split = new QSplitter(Qt::Vertical, page);
    split->addWidget(m_rows);
    split->addWidget(m_said);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(split, 1);
    connect(m_submit, &QToolButton::clicked, &m_session.clusters(), &Clusters::prepare);
    connect(m_stop, &QToolButton::clicked, &m_session.clusters(), &Clusters::stopSubmission);
    connect(m_rows, &TableView::currentSourceChanged, this, [this](const QModelIndex& source) {
        const std::vector<SubmissionRow>& rows = m_session.clusters().submission().rows;
        const auto at = static_cast<std::size_t>(source.row());
        if (at < rows.size() && !rows[at].job.empty())
            m_session.selectJob(rows[at].job);
        refreshDetails();
    });
    return page;
}

void ClusterPane::refreshProfiles()
{
    m_profiles->clear();
    for (const remote::Profile& profile : m_session.clusters().profiles())
        m_profiles->addItem(text(profile.name));
    refreshCurrent();
}

void ClusterPane::refreshCurrent()
{
    const Clusters& clusters = m_session.clusters();
    const remote::Profile& profile = clusters.current();
    m_profiles->setCurrentText(text(profile.name));
    const bool isOffline = profile.host.empty();
    const Connections::Link link = m_session.connections().link(profile);
    QStringList parts;
    if (isOffline) {
        parts += tr("No host: everything is rendered here, and nothing is sent.");
    } else {
        parts += QStringLiteral("ssh %1").arg(text(profile.host));
        parts += linkText(link);
        parts += tr("launcher %1").arg(text(profile.launcher));
        parts += tr("jobs in %1").arg(text(profile.remoteFolder));
        if (!profile.clusterFile.empty())
            parts += tr("cluster file %1").arg(text(profile.clusterFile));
        if (profile.isReadOnly)
            parts += tr("read-only");
    }
    if (!clusters.trouble().isEmpty())
        parts += clusters.trouble();
    m_facts->setText(parts.join(QStringLiteral(" \u00b7 ")));
    m_facts->setToolTip(link.why ? text(link.why->message) : parts.join(QLatin1Char('\n')));
    const QColor colour(text(profile.colour));
    m_colour->setVisible(colour.isValid());
    QPalette painted = palette();
    painted.setColor(QPalette::Window, colour.isValid() ? colour : palette().color(QPalette::Window));
    m_colour->setPalette(painted);
    const bool isConnected = link.state == Connections::State::Connected;
    m_connect->setText(isConnected ? tr("Disconnect") : link.state == Connections::State::Connecting ? tr("Stop") : tr("Connect"));
    m_connect->setProperty("tip", isConnected ? tr("End the connection; jobs go on") : tr("Log in; ssh may ask for it here"));
    const QString builtIn = tr("The built-in profile has no host.");
    allow(*m_connect, isOffline ? builtIn : QString());
    allow(*m_fetchFile, clusters.whyNoClusterFile());
    allow(*m_edit, isOffline && profile.name == remote::offlineProfile ? tr("The built-in profile cannot be changed.") : QString());
    allow(*m_remove, profile.name == remote::offlineProfile ? tr("The built-in profile cannot be removed.") : QString());
    refreshButtons();
}

void ClusterPane::refreshButtons()
{
    const Clusters& clusters = m_session.clusters();
    allow(*m_preflight, clusters.whyNoPreflight());
    m_stopPreflight->setEnabled(clusters.preflight().isRunning);
    allow(*m_submit, clusters.whyNoSubmit());
    const auto chosen = static_cast<int>(m_session.selection().chosen().size());
    m_submit->setText(m_submit->isEnabled() ? tr("Submit %n job(s)\u2026", nullptr, chosen) : tr("Submit\u2026"));
    m_stop->setEnabled(clusters.submission().isRunning);
}

void ClusterPane::refreshPreflight()
{
    const Preflight& preflight = m_session.clusters().preflight();
    std::vector<WordsRow> rows;
    for (const remote::PreflightCheck& check : preflight.checks) {
        rows.push_back(
            {.id = check.id + '\n' + std::string(remote::name(check.location)) + '\n' + check.subject,
             .cells = {checkStateText(check.state), locationText(check.location), text(check.id), text(check.message), text(check.subject)},
             .severity = severityOf(check.state)});
    }
    m_checks->changeQuietly([&] { m_checksModel.setWords(std::move(rows)); });
    QString about = preflight.about;
    if (preflight.isRunning) {
        about = tr("%1, looking\u2026").arg(about);
    } else if (!preflight.checks.empty()) {
        const auto count = [&](remote::CheckState state) {
            return static_cast<int>(std::count_if(preflight.checks.begin(), preflight.checks.end(),
                                                  [&](const remote::PreflightCheck& check) { return check.state == state; }));
        };
        about += tr(": %1 ok, %2 absent, %n warning(s), %3 not visible", nullptr, count(remote::CheckState::Warning))
                     .arg(count(remote::CheckState::Ok))
                     .arg(count(remote::CheckState::Absent))
                     .arg(count(remote::CheckState::Unknown));
    }
    m_about->setText(about);
    m_about->setToolTip(about);
    if (preflight.isRunning)
        m_tabs->setCurrentIndex(PreflightTab);
    refreshButtons();
}

void ClusterPane::refreshSubmission()
{
    const Submission& submission = m_session.clusters().submission();
    std::vector<WordsRow> rows;
    std::size_t over = 0;
    for (std::size_t i = 0; i < submission.rows.size(); ++i) {
        const SubmissionRow& row = submission.rows[i];
        const bool isFailed = row.state == tr("failed");
        over += isFailed || row.state == tr("submitted") || row.state == tr("skipped") ? 1 : 0;
        QString message = row.message;
        if (!row.cure.isEmpty() && !message.contains(row.cure))
            message += QLatin1Char(' ') + row.cure;
        rows.push_back({.id = std::to_string(i),
                        .cells = {row.state, row.name, row.jobId.isEmpty() ? dash() : row.jobId, message},
                        .severity = isFailed ? std::optional(static_cast<int>(syntax::Severity::Error)) : std::nullopt});
    }
    m_rows->changeQuietly([&] { m_rowsModel.setWords(std::move(rows)); });
    m_progress->setVisible(submission.isRunning);
    m_progress->setRange(0, static_cast<int>(submission.rows.size()));
    m_progress->setValue(static_cast<int>(over));
    QString summary;
    if (submission.summary) {
        summary = tr("%1: %2 planned = %3 submitted + %4 failed + %5 skipped")
                      .arg(submission.host)
                      .arg(submission.summary->planned)
                      .arg(submission.summary->submitted)
                      .arg(submission.summary->failed)
                      .arg(submission.summary->skipped);
    } else if (submission.isRunning) {
        summary = tr("%1: %2 of %3").arg(submission.host).arg(over).arg(submission.rows.size());
    }
    m_summary->setText(summary);
    m_summary->setToolTip(summary);
    if (submission.isRunning)
        m_tabs->setCurrentIndex(SubmissionTab);
    refreshDetails();
    refreshButtons();
}

void ClusterPane::refreshDetails()
{
    const std::vector<SubmissionRow>& rows = m_session.clusters().submission().rows;
    const QModelIndex source = m_rows->currentSource();
    QString words;
    if (source.isValid() && static_cast<std::size_t>(source.row()) < rows.size()) {
        const SubmissionRow& row = rows[static_cast<std::size_t>(source.row())];
        words = row.message;
        if (row.saidCode)
            words += QLatin1Char('\n') + tr("exit code %1").arg(*row.saidCode) + QLatin1Char('\n') + row.said.trimmed();
        if (!row.cure.isEmpty())
            words += QStringLiteral("\n\u2192 ") + row.cure;
        words = words.trimmed();
    }
    if (words != m_said->toPlainText())
        m_said->setPlainText(words);
}

void ClusterPane::editProfile(bool isNew)
{
    remote::Profile profile;
    if (!isNew)
        profile = m_session.clusters().current();
    (new ProfileDialog(m_session, profile, isNew ? std::string() : profile.name, this))->open();
}

void ClusterPane::removeProfile()
{
    const std::string name = m_session.clusters().current().name;
    auto* box = new QMessageBox(QMessageBox::Question, tr("Remove profile"), tr("Remove the profile \"%1\"?").arg(text(name)),
                                QMessageBox::NoButton, this);
    box->setObjectName(QStringLiteral("profileQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(tr("Its jobs stay in the history and on the cluster."));
    QPushButton* yes = box->addButton(tr("Remove"), QMessageBox::DestructiveRole);
    QPushButton* no = box->addButton(tr("Keep"), QMessageBox::RejectRole);
    box->setDefaultButton(no);
    box->setEscapeButton(no);
    connect(yes, &QPushButton::clicked, this, [this, name] { m_session.clusters().remove(name); });
    box->open();
}

void ClusterPane::toggleConnection()
{
    const remote::Profile& profile = m_session.clusters().current();
    const Connections::State state = m_session.connections().link(profile).state;
    if (state == Connections::State::Connected || state == Connections::State::Connecting)
        m_session.connections().close(profile);
    else
        m_session.connections().open(profile);
}

void ClusterPane::confirm(const PreparedPtr& prepared)
{
    (new SubmitDialog(m_session, prepared, this))->open();
}

} // namespace wb::ui
