#include "ui/panes/snapshotcluster.h"

#include "ui/models/text.h"
#include "ui/panes/cellsdelegate.h"
#include "ui/panes/messagebar.h"
#include "ui/panes/tableview.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {

namespace {

using snapshot::Progress;

CellLook lookOf(Progress progress)
{
    switch (progress) {
    case Progress::Completed:
    case Progress::Ready:
    case Progress::Succeeded:
        return CellLook::Good;
    case Progress::Failed:
        return CellLook::Bad;
    case Progress::PartiallySucceeded:
        return CellLook::Warning;
    case Progress::Unknown:
        return CellLook::Unknown;
    case Progress::Submitted:
    case Progress::Pending:
    case Progress::Capturing:
        break;
    }
    return CellLook::Plain;
}

QString threeValued(const std::optional<bool>& value, const QString& yes, const QString& no, const QString& unknown)
{
    return !value ? unknown : *value ? yes : no;
}

QString connectionWords(const snapshot::Connection& connection)
{
    QStringList parts;
    parts += connection.serverVersion.empty() ? SnapshotCluster::tr("server not reached")
                                              : SnapshotCluster::tr("server %1").arg(text(connection.serverVersion));
    parts += threeValued(connection.canCreateJobs, SnapshotCluster::tr("you may create SnapshotJobs"),
                         SnapshotCluster::tr("you may not create SnapshotJobs"),
                         SnapshotCluster::tr("whether you may create SnapshotJobs is not known"));
    parts +=
        threeValued(connection.hasDefinitions, SnapshotCluster::tr("Snapshot is installed"),
                    SnapshotCluster::tr("Snapshot is not installed"), SnapshotCluster::tr("whether Snapshot is installed is not known"));
    return parts.join(QStringLiteral(" \u00b7 "));
}

CellsRow rowOf(const Kube::Followed& followed)
{
    const auto& status = followed.status;
    Cell state{.text = SnapshotCluster::tr("not looked at yet"), .look = CellLook::Unknown};
    if (status)
        state = {.text = text(snapshot::shown(*status)), .tip = text(status->message), .look = lookOf(status->progress)};
    QString advice = status ? text(status->advice) : QString();
    if (advice.isEmpty() && status)
        advice = text(status->message);
    if (!followed.error.isEmpty())
        advice = followed.error;
    const QString started = status && !status->startedAt.empty() ? text(status->startedAt) : dash();
    QString deadline = dash();
    if (status && status->deadlineSeconds > 0)
        deadline = SnapshotCluster::tr("%1 s").arg(status->deadlineSeconds);
    return {.id = followed.object.kind + '\x1f' + followed.object.name + '\x1f' + shown(followed.place).toStdString(),
            .cells = {{.text = text(followed.object.kind)},
                      {.text = text(followed.object.name)},
                      std::move(state),
                      {.text = started},
                      {.text = deadline},
                      {.text = advice.isEmpty() ? dash() : advice, .look = followed.error.isEmpty() ? CellLook::Plain : CellLook::Warning},
                      {.text = shown(followed.place)}}};
}

} // namespace

SnapshotCluster::SnapshotCluster(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_host(new QLineEdit(this))
    , m_context(new QLineEdit(this))
    , m_space(new QLineEdit(this))
    , m_place(new QLabel(this))
    , m_state(new QLabel(this))
    , m_dryRun(new QToolButton(this))
    , m_create(new QToolButton(this))
    , m_findingView(new TableView(&m_findings, CellsModel::SortRole, tr("What the server says"), this))
    , m_objectView(new TableView(&m_objects, CellsModel::SortRole, tr("Objects that are followed"), this))
    , m_timelineView(new TableView(&m_timeline, CellsModel::SortRole, tr("Timeline of the object"), this))
    , m_message(new MessageBar(this))
{
    for (TableView* view : {m_findingView, m_objectView, m_timelineView})
        view->setItemDelegate(new CellsDelegate(view));
    m_findingView->setObjectName(QStringLiteral("kubeFindings"));
    m_findingView->setColumnWidths({60, 34, 8}, 0);
    m_findingView->setEmptyText(tr("\"Ask the server\" sends the open manifest for a dry run: the server checks it and keeps nothing."));
    m_objectView->setObjectName(QStringLiteral("kubeObjects"));
    m_objectView->setColumnWidths({14, 24, 26, 22, 10, 46, 40}, 5);
    m_objectView->setSelectionMode(QAbstractItemView::SingleSelection);
    m_objectView->setEmptyText(tr("Objects that were created here, and what becomes of them, are listed here."));
    m_timelineView->setObjectName(QStringLiteral("kubeTimeline"));
    m_timelineView->setColumnWidths({24, 50}, 1);
    m_timelineView->setEmptyText(tr("The times that the cluster stamped are listed here."));

    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(m_findingView);
    split->addWidget(m_objectView);
    split->addWidget(m_timelineView);
    split->setChildrenCollapsible(false);
    split->setStretchFactor(1, 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_message);
    column->addWidget(makePlace());
    column->addWidget(makeCommands());
    column->addWidget(split, 1);

    Kube& kube = session.kube();
    connect(m_findingView, &TableView::sourceActivated, this, [this](const QModelIndex& source) {
        const auto& answer = m_session.kube().answer();
        const auto row = static_cast<std::size_t>(source.row());
        if (const auto id = m_session.kube().answerTo(); id && answer && row < answer->findings.size())
            m_session.documents().goTo(*id, answer->findings[row].range.begin);
    });
    connect(m_objectView, &TableView::currentSourceChanged, this, &SnapshotCluster::refreshTimeline);
    connect(m_objectView, &TableView::menuRequested, this, &SnapshotCluster::addToMenu);
    connect(&kube, &Kube::failed, m_message, &MessageBar::showError);
    connect(&kube, &Kube::placeChanged, this, &SnapshotCluster::refreshConnection);
    connect(&kube, &Kube::connectionChanged, this, &SnapshotCluster::refreshConnection);
    connect(&kube, &Kube::busyChanged, this, &SnapshotCluster::refreshConnection);
    connect(&kube, &Kube::answered, this, &SnapshotCluster::refresh);
    connect(&kube, &Kube::followedChanged, this, &SnapshotCluster::refreshFollowed);
    connect(&session.documents(), &Documents::currentChanged, this, &SnapshotCluster::refreshConnection);
    connect(&session.documents(), &Documents::checked, this, &SnapshotCluster::refreshConnection);
    refreshConnection();
    refresh();
    refreshFollowed();
}

QWidget* SnapshotCluster::makePlace()
{
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(6, 4, 6, 4);
    const auto field = [&](QLineEdit* edit, const char* name, const QString& label, const QString& placeholder, const QString& tip) {
        edit->setObjectName(QString::fromLatin1(name));
        edit->setAccessibleName(label);
        edit->setPlaceholderText(placeholder);
        edit->setToolTip(tip);
        auto* words = new QLabel(label, bar);
        words->setBuddy(edit);
        row->addWidget(words);
        row->addWidget(edit, 1);
        connect(edit, &QLineEdit::editingFinished, this, &SnapshotCluster::takePlace);
    };
    field(m_host, "kubeHost", tr("Host"), tr("this machine"),
          tr("A profile, or a host of ~/.ssh/config, on which kubectl is; empty: this machine"));
    field(m_context, "kubeContext", tr("Context"), tr("current"), tr("kubectl --context; the kubeconfig stays where it is"));
    field(m_space, "kubeNamespace", tr("Namespace"), tr("current"), tr("kubectl --namespace"));
    return bar;
}

QWidget* SnapshotCluster::makeCommands()
{
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout;
    const auto button = [&](QToolButton* made, const char* name, const QString& words, const QString& tip) {
        made->setObjectName(QString::fromLatin1(name));
        made->setText(words);
        made->setToolTip(tip);
        row->addWidget(made);
    };
    auto* check = new QToolButton(bar);
    button(check, "kubeCheck", tr("Check connection"), tr("Versions, whether you may create SnapshotJobs, whether Snapshot is installed"));
    connect(check, &QToolButton::clicked, &m_session.kube(), &Kube::checkConnection);
    auto* crds = new QToolButton(bar);
    button(crds, "kubeCrds", tr("Take its schemas"), tr("Check manifests against the cluster's own definitions"));
    connect(crds, &QToolButton::clicked, &m_session.kube(), &Kube::fetchCrds);
    button(m_dryRun, "kubeDryRun", tr("Ask the server"), tr("A dry run of the open manifest on the server, which keeps nothing of it"));
    connect(m_dryRun, &QToolButton::clicked, this, [this] {
        if (const Document* document = m_session.documents().current())
            m_session.kube().dryRun(document->id);
    });
    button(m_create, "kubeCreate", tr("Create\u2026"), tr("Create the objects of the open manifest; asks first"));
    connect(m_create, &QToolButton::clicked, this, &SnapshotCluster::askToCreate);
    m_place->setObjectName(QStringLiteral("kubePlace"));
    m_state->setObjectName(QStringLiteral("kubeState"));
    for (QLabel* label : {m_place, m_state})
        label->setWordWrap(true);
    row->addStretch();
    auto* column = new QVBoxLayout(bar);
    column->setContentsMargins(6, 0, 6, 4);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(m_place);
    column->addWidget(m_state);
    return bar;
}

void SnapshotCluster::takePlace()
{
    m_session.kube().setPlace({m_host->text().trimmed(), m_context->text().trimmed(), m_space->text().trimmed()});
}

void SnapshotCluster::refreshConnection()
{
    const Kube& kube = m_session.kube();
    m_place->setText(shown(kube.place()));
    if (kube.isBusy())
        m_state->setText(tr("%1\u2026").arg(kube.doing()));
    else if (kube.connection())
        m_state->setText(connectionWords(*kube.connection()));
    else
        m_state->setText(tr("The connection was not checked."));
    QStringList problems;
    for (const std::string& problem : kube.connection() ? kube.connection()->problems : std::vector<std::string>())
        problems += text(problem);
    m_state->setToolTip(problems.join(QLatin1Char('\n')));
    const Document* document = m_session.documents().current();
    const bool isManifest = document && document->manifest;
    m_dryRun->setEnabled(isManifest && !kube.isBusy());
    m_create->setEnabled(isManifest && document->manifest->valid && !kube.isBusy());
    m_create->setToolTip(isManifest && !document->manifest->valid ? tr("The manifest has errors: see Problems.")
                                                                  : tr("Create the objects of the open manifest; asks first"));
}

void SnapshotCluster::refresh()
{
    const auto& answer = m_session.kube().answer();
    std::vector<CellsRow> rows;
    const Document* document = m_session.kube().answerTo() ? m_session.documents().find(*m_session.kube().answerTo()) : nullptr;
    for (std::size_t i = 0; answer && i < answer->findings.size(); ++i) {
        const syntax::Diagnostic& finding = answer->findings[i];
        const QString line = document ? QString::number(document->source->lineCol(finding.range.begin).line) : dash();
        rows.push_back({.id = std::to_string(i),
                        .cells = {{.text = text(finding.message), .look = CellLook::Bad}, {.text = text(finding.path)}, {.text = line}}});
    }
    if (answer && rows.empty()) {
        const QString said = text(answer->words).trimmed();
        rows.push_back({.id = "accepted",
                        .cells = {{.text = answer->isAccepted ? tr("The server would take the manifest as it is: %1").arg(said) : said,
                                   .look = answer->isAccepted ? CellLook::Good : CellLook::Bad},
                                  {.text = dash()},
                                  {.text = dash()}}});
    }
    m_findingView->changeQuietly([&] { m_findings.setTable({tr("The server says"), tr("Field"), tr("Line")}, std::move(rows)); });
    m_message->hide();
}

void SnapshotCluster::refreshFollowed()
{
    std::vector<CellsRow> rows;
    for (const Kube::Followed& followed : m_session.kube().followed())
        rows.push_back(rowOf(followed));
    m_objectView->changeQuietly([&] {
        m_objects.setTable({tr("Kind"), tr("Name"), tr("State"), tr("Started"), tr("Deadline"), tr("Advice"), tr("Where")},
                           std::move(rows));
    });
    if (!m_objectView->currentSource().isValid() && m_objects.rowCount() > 0)
        m_objectView->showCurrent(m_objects.index(0, 0));
    refreshTimeline();
}

void SnapshotCluster::refreshTimeline()
{
    const auto& followed = m_session.kube().followed();
    const QModelIndex current = m_objectView->currentSource();
    const auto row = static_cast<std::size_t>(std::max(current.row(), 0));
    std::vector<CellsRow> rows;
    if (current.isValid() && row < followed.size() && followed[row].status) {
        for (const snapshot::TimelineEntry& entry : followed[row].status->timeline)
            rows.push_back({.id = entry.time + entry.text, .cells = {{.text = text(entry.time)}, {.text = text(entry.text)}}});
    }
    m_timelineView->changeQuietly([&] { m_timeline.setTable({tr("Time"), tr("What happened")}, std::move(rows)); });
}

void SnapshotCluster::addToMenu(QMenu& menu, const QModelIndex& source)
{
    const auto row = static_cast<std::size_t>(std::max(source.row(), 0));
    const auto& followed = m_session.kube().followed();
    if (!source.isValid() || row >= followed.size())
        return;
    const std::string& kind = followed[row].object.kind;
    menu.addAction(tr("Import the agent's log into the startup times"), this, [this, row] { m_session.kube().importLog(row); });
    if (kind == "SnapshotJob" || kind == "PodSnapshot" || kind == "PodSnapshotContent")
        menu.addAction(tr("Take its facts into the preflight"), this, [this, row] { m_session.kube().usePreflight(row); });
    menu.addAction(tr("Its events into the log"), this, [this, row] {
        m_session.kube().tellEvents(row);
        Q_EMIT m_session.paneWanted(QStringLiteral("log"));
    });
    menu.addAction(tr("Follow it no longer"), this, [this, row] { m_session.kube().unfollow(row); });
    menu.addSeparator();
    menu.addAction(tr("Delete it on the cluster\u2026"), this, [this, row] { askToDelete(row); });
}

void SnapshotCluster::askToCreate()
{
    const Document* document = m_session.documents().current();
    if (!document || !document->manifest)
        return;
    QStringList objects;
    for (const snapshot::CheckedObject& object : document->manifest->objects)
        objects += tr("%1 %2").arg(text(object.kind), text(object.name));
    auto* box = new QMessageBox(QMessageBox::Question, tr("Create"),
                                tr("Create %1 there?\n\n%2").arg(objects.join(QStringLiteral(", ")), shown(m_session.kube().place())),
                                QMessageBox::Cancel, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("kubeCreateQuestion"));
    QPushButton* create = box->addButton(tr("Create"), QMessageBox::AcceptRole);
    create->setObjectName(QStringLiteral("kubeCreateYes"));
    box->setDefaultButton(QMessageBox::Cancel);
    connect(create, &QPushButton::clicked, this, [this, id = document->id] { m_session.kube().create(id); });
    box->open();
}

void SnapshotCluster::askToDelete(std::size_t index)
{
    const auto& followed = m_session.kube().followed();
    if (index >= followed.size())
        return;
    const Kube::Followed& each = followed[index];
    const snapshot::KubeTarget target{each.place.context.toStdString(), each.place.space.toStdString()};
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Delete"), text(snapshot::deletionWarning(target, each.object)),
                                QMessageBox::Cancel, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("kubeDeleteQuestion"));
    QPushButton* remove = box->addButton(tr("Delete %1").arg(text(each.object.name)), QMessageBox::DestructiveRole);
    remove->setObjectName(QStringLiteral("kubeDeleteYes"));
    box->setDefaultButton(QMessageBox::Cancel);
    connect(remove, &QPushButton::clicked, this, [this, name = each.object.name, kind = each.object.kind, place = each.place] {
        const auto& now = m_session.kube().followed(); // the rows may have moved meanwhile
        for (std::size_t i = 0; i < now.size(); ++i) {
            if (now[i].place == place && now[i].object.name == name && now[i].object.kind == kind)
                return m_session.kube().deleteObject(i);
        }
    });
    box->open();
}

} // namespace wb::ui
