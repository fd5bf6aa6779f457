#include "ui/panes/topologypane.h"

#include "ui/models/text.h"
#include "ui/panes/tableview.h"
#include "ui/panes/topologymap.h"

#include <QLabel>
#include <QScrollArea>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

namespace wb::ui {

namespace {

QString summaryOf(const DryRun& dryRun)
{
    if (!dryRun.whyNot.empty())
        return text(dryRun.whyNot);
    const plan::Counts& counts = dryRun.counts;
    QStringList parts{text(dryRun.title), TopologyPane::tr("%n node(s)", nullptr, static_cast<int>(counts.nodes)),
                      TopologyPane::tr("%1 GPUs allocated").arg(counts.gpusAllocated),
                      TopologyPane::tr("%1 working").arg(counts.gpusWorking)};
    if (counts.gpusAllocated > counts.gpusWorking)
        parts += TopologyPane::tr("%1 idle").arg(counts.gpusAllocated - counts.gpusWorking);
    QString summary = parts.join(QStringLiteral(" \u00b7 "));
    for (const syntax::Diagnostic& problem : dryRun.problems) {
        if (problem.severity == syntax::Severity::Error || !dryRun.topology)
            summary += QLatin1Char('\n') + text(problem.message);
    }
    return summary;
}

} // namespace

TopologyPane::TopologyPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_map(new TopologyMap)
    , m_table(new TableView(&m_model, ProcessesModel::SortRole, tr("Processes"), this))
    , m_summary(new QLabel(this))
{
    m_summary->setObjectName(QStringLiteral("topologySummary"));
    m_summary->setContentsMargins(6, 4, 6, 4);
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_table->setObjectName(QStringLiteral("processesView"));
    m_table->setColumnWidths({10, 9, 8, 6, 18, 11, 13, 15, 15, 11, 13});
    m_table->setEmptyText(tr("The processes of the selected job are listed here."));
    auto* area = new QScrollArea(this);
    area->setWidget(m_map);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setBackgroundRole(QPalette::Base);
    area->setAccessibleName(tr("Topology map, scrolled"));
    area->setFocusPolicy(Qt::NoFocus);
    auto* tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    tabs->addTab(area, tr("Map"));
    tabs->addTab(m_table, tr("Table"));
    tabs->tabBar()->setAccessibleName(tr("Views of the topology"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_summary);
    column->addWidget(tabs, 1);
    setFocusProxy(m_map);

    connect(m_map, &TopologyMap::processSelected, this,
            [this](std::size_t process) { m_table->showCurrent(m_model.index(static_cast<int>(process), 0)); });
    connect(m_table, &TableView::currentSourceChanged, this,
            [this](const QModelIndex& source) { m_map->setSelected(m_model.row(source.row()).index); });
    connect(&session, &Session::dryRunChanged, this, &TopologyPane::refresh);
    refresh();
}

void TopologyPane::refresh()
{
    const auto& dryRun = m_session.dryRun();
    m_map->setDryRun(dryRun);
    m_table->changeQuietly([&] { m_model.setTopology(dryRun ? dryRun->topology : nullptr); });
    m_summary->setText(dryRun ? summaryOf(*dryRun) : tr("No job is selected."));
}

} // namespace wb::ui
