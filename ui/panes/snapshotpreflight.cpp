#include "ui/panes/snapshotpreflight.h"

#include "ui/models/text.h"
#include "ui/panes/cellsdelegate.h"
#include "ui/panes/tableview.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {

namespace {

enum FactColumn { NameColumn, CapturedColumn, NodeColumn };

Cell verdictCell(snapshot::Verdict verdict)
{
    switch (verdict) {
    case snapshot::Verdict::CanRestore:
        return {.text = SnapshotPreflight::tr("can restore"), .sort = 0, .look = CellLook::Good};
    case snapshot::Verdict::Refused:
        return {.text = SnapshotPreflight::tr("would be refused"), .sort = 2, .look = CellLook::Bad};
    case snapshot::Verdict::NotKnown:
        break;
    }
    return {.text = SnapshotPreflight::tr("not known"),
            .sort = 1,
            .tip = SnapshotPreflight::tr("No check refuses, yet not every fact is known: what is not known never refuses a restore."),
            .look = CellLook::Unknown};
}

Cell stateCell(snapshot::CheckState state)
{
    switch (state) {
    case snapshot::CheckState::Good:
        return {.text = SnapshotPreflight::tr("ok"), .sort = 2, .look = CellLook::Good};
    case snapshot::CheckState::Mismatch:
        return {.text = SnapshotPreflight::tr("mismatch"), .sort = 0, .look = CellLook::Bad};
    case snapshot::CheckState::Unknown:
        break;
    }
    return {.text = SnapshotPreflight::tr("unknown"), .sort = 1, .look = CellLook::Unknown};
}

Cell orDash(const std::string& value)
{
    return {.text = value.empty() ? dash() : text(value), .look = value.empty() ? CellLook::Unknown : CellLook::Plain};
}

QString joinedChecks(const snapshot::NodeOutcome& outcome, snapshot::CheckState state)
{
    QStringList out;
    for (const snapshot::CompatResult& result : outcome.results) {
        if (result.state == state)
            out += text(result.check);
    }
    out.removeDuplicates();
    return out.isEmpty() ? dash() : out.join(QStringLiteral(", "));
}

QString adviceOf(const snapshot::NodeOutcome& outcome)
{
    QStringList out;
    for (const snapshot::NodeAdvice& advice : outcome.advice) {
        if (advice.state == snapshot::CheckState::Mismatch)
            out += text(advice.message);
    }
    return out.isEmpty() ? dash() : out.join(QLatin1Char(' '));
}

} // namespace

SnapshotPreflight::SnapshotPreflight(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_summary(new QLabel(this))
    , m_nodeView(new TableView(&m_nodes, CellsModel::SortRole, tr("Nodes"), this))
    , m_checkView(new TableView(&m_checks, CellsModel::SortRole, tr("Compatibility checks"), this))
    , m_factView(new TableView(&m_facts, CellsModel::SortRole, tr("Facts of both sides"), this))
{
    m_summary->setObjectName(QStringLiteral("preflightSummary"));
    m_summary->setWordWrap(true);
    for (TableView* view : {m_nodeView, m_checkView, m_factView})
        view->setItemDelegate(new CellsDelegate(view));
    m_nodeView->setObjectName(QStringLiteral("preflightNodes"));
    m_nodeView->setColumnWidths({18, 16, 24, 20, 24}, 4);
    m_nodeView->setSelectionMode(QAbstractItemView::SingleSelection);
    m_nodeView->setEmptyText(tr("Take the nodes from \"kubectl get nodes -o json\", or type one in."));
    m_checkView->setObjectName(QStringLiteral("preflightChecks"));
    m_checkView->setColumnWidths({15, 9, 9, 20, 20, 34}, 5);
    m_checkView->setEmptyText(tr("The checks of the chosen node are listed here."));
    m_factView->setObjectName(QStringLiteral("preflightFacts"));
    m_factView->setColumnWidths({13, 24, 24}, 2);
    m_factView->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    const auto button = [&](const char* name, const QString& words, const QString& tip) {
        auto* made = new QToolButton(this);
        made->setObjectName(QString::fromLatin1(name));
        made->setText(words);
        made->setToolTip(tip);
        bar->addWidget(made);
        return made;
    };
    QToolButton* captured = button("readCaptured", tr("Captured\u2026"),
                                   tr("What was captured: a PodSnapshotContent (kubectl get podsnapshotcontent NAME -o json)"));
    connect(captured, &QToolButton::clicked, this, [this] { choose(tr("What was captured"), &Snapshots::readCaptured); });
    QToolButton* nodes = button("readNodes", tr("Nodes\u2026"), tr("The nodes of the cluster: kubectl get nodes -o json"));
    connect(nodes, &QToolButton::clicked, this, [this] { choose(tr("Nodes of the cluster"), &Snapshots::readNodes); });
    QToolButton* pod = button("readPod", tr("Restore manifest"), tr("Image, limits, GPUs and mounts of the Pod that is to be restored"));
    auto* menu = new QMenu(pod);
    menu->addAction(tr("As it is open"), this, &SnapshotPreflight::takeOpenManifest);
    menu->addAction(tr("From a file\u2026"), this, [this] { choose(tr("Restore manifest"), &Snapshots::readPod); });
    menu->addAction(tr("None: the nodes alone"), this, [this] { m_session.snapshots().forgetPod(); });
    pod->setMenu(menu);
    pod->setPopupMode(QToolButton::InstantPopup);
    QToolButton* typed = button("typeNode", tr("Type a node"), tr("A node with no facts yet; type them into the table of facts"));
    connect(typed, &QToolButton::clicked, this, &SnapshotPreflight::typeNode);
    bar->addStretch();

    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(m_nodeView);
    split->addWidget(m_checkView);
    split->addWidget(m_factView);
    split->setChildrenCollapsible(false);
    split->setStretchFactor(1, 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    m_summary->setContentsMargins(6, 0, 6, 4);
    column->addWidget(m_summary);
    column->addWidget(split, 1);

    connect(&m_facts, &CellsModel::edited, this, &SnapshotPreflight::takeTyped);
    connect(m_nodeView, &TableView::currentSourceChanged, this, [this](const QModelIndex& source) {
        const auto& outcomes = m_session.snapshots().outcomes();
        if (static_cast<std::size_t>(source.row()) < outcomes.size())
            m_wanted = outcomes[static_cast<std::size_t>(source.row())].node.facts.name;
        refreshNode();
    });
    connect(&session.snapshots(), &Snapshots::preflightChanged, this, &SnapshotPreflight::refresh);
    refresh();
}

void SnapshotPreflight::choose(const QString& title, void (Snapshots::*read)(const QString&))
{
    auto* dialog = new QFileDialog(this, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("JSON and YAML (*.json *.yaml *.yml)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this, read](const QString& file) { (m_session.snapshots().*read)(file); });
    dialog->open();
}

void SnapshotPreflight::takeOpenManifest()
{
    if (const Document* document = m_session.documents().current())
        m_session.snapshots().takePod(document->source->text());
}

void SnapshotPreflight::typeNode()
{
    snapshot::ClusterNode node;
    const std::size_t count = m_session.snapshots().nodes().size();
    node.facts.name = tr("typed %1").arg(count + 1).toStdString();
    m_wanted = node.facts.name;
    m_session.snapshots().setNode(count, std::move(node));
}

const snapshot::NodeOutcome* SnapshotPreflight::current() const
{
    const auto& outcomes = m_session.snapshots().outcomes();
    const auto found = std::find_if(outcomes.begin(), outcomes.end(),
                                    [this](const snapshot::NodeOutcome& outcome) { return outcome.node.facts.name == m_wanted; });
    return found != outcomes.end() ? &*found : outcomes.empty() ? nullptr : &outcomes.front();
}

void SnapshotPreflight::refresh()
{
    const auto& outcomes = m_session.snapshots().outcomes();
    std::vector<CellsRow> rows;
    int good = 0;
    int refused = 0;
    for (const snapshot::NodeOutcome& outcome : outcomes) {
        good += outcome.verdict == snapshot::Verdict::CanRestore ? 1 : 0;
        refused += outcome.verdict == snapshot::Verdict::Refused ? 1 : 0;
        rows.push_back({.id = outcome.node.facts.name,
                        .cells = {orDash(outcome.node.facts.name),
                                  verdictCell(outcome.verdict),
                                  {.text = joinedChecks(outcome, snapshot::CheckState::Mismatch)},
                                  {.text = joinedChecks(outcome, snapshot::CheckState::Unknown), .look = CellLook::Quiet},
                                  {.text = adviceOf(outcome)}}});
    }
    m_nodeView->changeQuietly([&] {
        m_nodes.setTable({tr("Node"), tr("Verdict"), tr("Refused by"), tr("Not known"), tr("Advice on the node")}, std::move(rows));
    });
    const int unknown = static_cast<int>(outcomes.size()) - good - refused;
    m_summary->setText(outcomes.empty()
                           ? tr("Which nodes can restore a checkpoint?")
                           : tr("%1 can restore \u00b7 %2 not known \u00b7 %3 would be refused").arg(good).arg(unknown).arg(refused));
    if (const snapshot::NodeOutcome* chosen = current())
        m_nodeView->showCurrent(m_nodes.index(static_cast<int>(chosen - outcomes.data()), 0));
    refreshNode();
}

void SnapshotPreflight::refreshNode()
{
    const snapshot::NodeOutcome* chosen = current();
    std::vector<CellsRow> checks;
    for (std::size_t i = 0; chosen && i < chosen->results.size(); ++i) {
        const snapshot::CompatResult& result = chosen->results[i];
        const auto rows = snapshot::compatChecks();
        const auto known =
            std::find_if(rows.begin(), rows.end(), [&](const snapshot::CompatCheck& check) { return check.id == result.check; });
        checks.push_back(
            {.id = std::string(result.check),
             .cells = {{.text = text(result.check), .sort = static_cast<int>(i), .tip = known == rows.end() ? QString() : text(known->doc)},
                       {.text = text(snapshot::name(result.gate)), .look = CellLook::Quiet},
                       stateCell(result.state),
                       orDash(result.source),
                       orDash(result.target),
                       {.text = text(result.message)}}});
    }
    m_checkView->changeQuietly([&] {
        m_checks.setTable({tr("Check"), tr("Gate"), tr("State"), tr("Captured"), tr("Here"), tr("What it means")}, std::move(checks));
    });
    const bool hasPod = m_session.snapshots().pod().has_value();
    std::vector<CellsRow> facts;
    for (const snapshot::FactField& field : snapshot::factFields()) {
        Cell captured = orDash(field.text(m_session.snapshots().captured()));
        captured.isEditable = true;
        Cell here = chosen ? orDash(field.text(chosen->target)) : Cell{.text = dash(), .look = CellLook::Unknown};
        here.isEditable = chosen && !(hasPod && field.isOfPod);
        if (chosen && hasPod && field.isOfPod)
            here.tip = tr("%1\nFrom the restore manifest: change it there.").arg(here.text);
        facts.push_back(
            {.id = std::string(field.id), .cells = {{.text = text(field.title), .sort = static_cast<int>(facts.size())}, captured, here}});
    }
    m_factView->changeQuietly([&] { m_facts.setTable({tr("Fact"), tr("Captured"), tr("On the node")}, std::move(facts)); });
}

void SnapshotPreflight::takeTyped(const QString& row, int column, const QString& typed)
{
    const auto fields = snapshot::factFields();
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const snapshot::FactField& each) { return text(each.id) == row; });
    if (field == fields.end())
        return;
    const std::string value = typed.trimmed().toStdString();
    Snapshots& snapshots = m_session.snapshots();
    if (column == CapturedColumn) {
        snapshot::CompatFacts facts = snapshots.captured();
        field->set(facts, value);
        return snapshots.setCaptured(std::move(facts));
    }
    const snapshot::NodeOutcome* chosen = current();
    if (!chosen || column != NodeColumn)
        return;
    const auto& nodes = snapshots.nodes();
    const auto at = std::find_if(nodes.begin(), nodes.end(),
                                 [&](const snapshot::ClusterNode& node) { return node.facts.name == chosen->node.facts.name; });
    if (at == nodes.end())
        return;
    snapshot::ClusterNode node = *at;
    m_wanted = node.facts.name;
    field->set(node.facts, value);
    snapshots.setNode(static_cast<std::size_t>(at - nodes.begin()), std::move(node));
}

} // namespace wb::ui
