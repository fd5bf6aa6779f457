#include "ui/shell/statuspanel.h"

#include "core/schema/pack.h"
#include "ui/models/text.h"
#include "ui/panes/variantspane.h"

#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

#include <algorithm>

namespace wb::ui {

namespace {

/// "Snapshot CRDs: latest"
QString crdsText(Session& session)
{
    return StatusPanel::tr("Snapshot CRDs: %1").arg(QFileInfo(text(session.snapshots().crds()->name)).fileName());
}

QString packText(const check::Checked& checked)
{
    if (!checked.pack)
        return StatusPanel::tr("not a recipe");
    const auto pack = schema::builtInPack(*checked.pack);
    return pack ? StatusPanel::tr("%1 (%2)").arg(text(pack->title()), text(pack->state())) : text(*checked.pack);
}

QString problemsText(const check::Checked& checked)
{
    const auto count = [&](syntax::Severity severity) {
        return static_cast<int>(std::count_if(checked.diagnostics.begin(), checked.diagnostics.end(),
                                              [&](const syntax::Diagnostic& problem) { return problem.severity == severity; }));
    };
    const int errors = count(syntax::Severity::Error);
    const int warnings = count(syntax::Severity::Warning);
    const int hints = count(syntax::Severity::Info) + count(syntax::Severity::Hint);
    if (errors == 0 && warnings == 0)
        return hints == 0 ? StatusPanel::tr("No problems") : StatusPanel::tr("%n hint(s)", nullptr, hints);
    QStringList parts;
    if (errors > 0)
        parts += StatusPanel::tr("%n error(s)", nullptr, errors);
    if (warnings > 0)
        parts += StatusPanel::tr("%n warning(s)", nullptr, warnings);
    return parts.join(QStringLiteral(", "));
}

} // namespace

StatusPanel::StatusPanel(Session& session, QStatusBar& bar)
    : QObject(&bar)
    , m_session(session)
    , m_cursor(new QLabel(&bar))
    , m_pack(new QLabel(&bar))
    , m_task(new QToolButton(&bar))
    , m_progress(new QProgressBar(&bar))
    , m_cancel(new QToolButton(&bar))
{
    m_progress->setMaximumWidth(140);
    m_progress->setMaximumHeight(bar.fontMetrics().height());
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the task"));
    m_task->setObjectName(QStringLiteral("statusTask"));
    m_task->setAccessibleName(tr("Background tasks"));
    m_task->setAutoRaise(true);
    m_task->setToolTip(tr("What runs in the background; click to see all tasks"));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(tr("Stop the task; nothing of it is kept"));
    m_cancel->setAutoRaise(true);
    m_cancel->setObjectName(QStringLiteral("cancelStatusTask"));
    connect(m_task, &QToolButton::clicked, this, &StatusPanel::taskClicked);
    connect(m_cancel, &QToolButton::clicked, this, [this] {
        if (const Task* task = m_session.tasks().running())
            m_session.tasks().cancel(task->id);
    });
    bar.addWidget(m_task);
    bar.addWidget(m_progress);
    bar.addWidget(m_cancel);
    bar.addPermanentWidget(m_cursor);
    m_problems = addButton(bar, QStringLiteral("statusProblems"), tr("Problems of the recipe; click to see them"));
    m_variants = addButton(bar, QStringLiteral("statusVariants"),
                           tr("Jobs of the recipe, their GPUs and the most they can cost; click to see them"));
    bar.addPermanentWidget(m_pack);
    m_cluster = addButton(bar, QStringLiteral("statusCluster"), QString());
    m_pack->setToolTip(tr("The recipe language that the text is checked against"));

    connect(m_problems, &QToolButton::clicked, this, &StatusPanel::problemsClicked);
    connect(m_variants, &QToolButton::clicked, this, &StatusPanel::variantsClicked);
    connect(m_cluster, &QToolButton::clicked, this, &StatusPanel::clusterClicked);
    connect(&session.selection(), &Selection::variantChanged, this, &StatusPanel::refreshDocument);
    connect(&session, &Session::clusterChanged, this, &StatusPanel::refreshCluster);
    connect(&session.clusters(), &Clusters::currentChanged, this, &StatusPanel::refreshCluster);
    connect(&session.connections(), &Connections::changed, this, &StatusPanel::refreshCluster);
    connect(&session.tasks(), &Tasks::changed, this, &StatusPanel::refreshTask);
    refreshDocument();
    refreshCluster();
    refreshTask();
    hideCursor();
}

QToolButton* StatusPanel::addButton(QStatusBar& bar, const QString& name, const QString& tip)
{
    auto* made = new QToolButton(&bar);
    made->setObjectName(name);
    made->setAutoRaise(true);
    made->setToolTip(tip);
    bar.addPermanentWidget(made);
    return made;
}

void StatusPanel::showCursor(std::size_t line, std::size_t column)
{
    m_cursor->setText(tr("%1:%2").arg(line).arg(column));
    m_cursor->setToolTip(tr("Line %1, column %2").arg(line).arg(column));
    m_cursor->show();
}

void StatusPanel::hideCursor()
{
    m_cursor->hide();
}

void StatusPanel::refreshDocument()
{
    const CheckedPtr checked = m_session.selection().checked();
    m_problems->setVisible(checked != nullptr);
    m_variants->setVisible(checked && checked->pack && !check::isClusterFile(*checked));
    m_pack->setVisible(checked != nullptr);
    if (!checked)
        return;
    m_problems->setText(problemsText(*checked));
    m_variants->setText(variantsSummary(*checked));
    const Document* document = m_session.documents().current();
    m_pack->setText(document && document->manifest ? crdsText(m_session) : packText(*checked));
}

void StatusPanel::refreshCluster()
{
    const check::ClusterFile* cluster = m_session.cluster();
    // Where commands run is always seen.
    const remote::Profile& profile = m_session.clusters().current();
    const bool isConnected = m_session.connections().link(profile).state == Connections::State::Connected;
    const QString where = profile.host.empty() ? tr("offline") : text(profile.host) + (isConnected ? QString() : tr(" (not connected)"));
    QString shown = where;
    QString tip = tr("No cluster file is chosen: its defaults are not known here. Click to choose one.");
    if (cluster) {
        const QString name = cluster->cluster && !cluster->cluster->name.empty() ? text(cluster->cluster->name)
                                                                                 : QFileInfo(m_session.clusterPath()).fileName();
        shown = cluster->cluster ? QStringLiteral("%1 \u00b7 %2").arg(where, name) : tr("%1 \u00b7 %2 has errors").arg(where, name);
        tip = tr("Cluster file: %1. Click to choose another.").arg(m_session.clusterPath());
        if (!cluster->cluster)
            tip = tr("The cluster file has errors, so that none of its defaults count: %1").arg(m_session.clusterPath());
    }
    m_cluster->setText(shown);
    m_cluster->setToolTip(tip);
}

void StatusPanel::refreshTask()
{
    const Task* task = m_session.tasks().running();
    m_task->setVisible(task != nullptr);
    m_progress->setVisible(task != nullptr);
    m_cancel->setVisible(task && task->cancel);
    if (!task)
        return;
    m_progress->setRange(0, static_cast<int>(task->total));
    m_progress->setValue(static_cast<int>(task->done));
    m_task->setText(task->total == 0 ? task->title : tr("%1: %2 of %3").arg(task->title).arg(task->done).arg(task->total));
}

} // namespace wb::ui
