#include "ui/panes/topologypane.h"

#include "ui/models/text.h"
#include "ui/panes/messagebar.h"
#include "ui/panes/saving.h"
#include "ui/panes/tableview.h"
#include "ui/panes/topologymap.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
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
    , m_area(new QScrollArea(this))
    , m_zoom(new QToolButton(this))
    , m_export(new QToolButton(this))
    , m_message(new MessageBar(this))
{
    m_summary->setObjectName(QStringLiteral("topologySummary"));
    m_summary->setContentsMargins(6, 4, 6, 4);
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_table->setObjectName(QStringLiteral("processesView"));
    m_table->setColumnWidths({10, 9, 8, 6, 18, 11, 13, 15, 15, 11, 13});
    m_table->setEmptyText(tr("The processes of the selected job are listed here."));
    m_area->setWidget(m_map);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setBackgroundRole(QPalette::Base);
    m_area->setAccessibleName(tr("Topology map, scrolled"));
    m_area->setFocusPolicy(Qt::NoFocus);
    auto* mapPage = new QWidget(this);
    auto* mapColumn = new QVBoxLayout(mapPage);
    mapColumn->setContentsMargins(0, 0, 0, 0);
    mapColumn->setSpacing(0);
    mapColumn->addWidget(makeBar());
    mapColumn->addWidget(m_message);
    mapColumn->addWidget(m_area, 1);
    auto* tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    tabs->addTab(mapPage, tr("Map"));
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

QWidget* TopologyPane::makeBar()
{
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(6, 2, 6, 2);
    row->setSpacing(2);
    const auto prepare = [&](QToolButton* button, const QString& words, const QString& tip, const QString& name) {
        button->setText(words);
        button->setToolTip(tip);
        button->setAccessibleName(name);
        button->setAutoRaise(true);
        row->addWidget(button);
    };
    auto* smaller = new QToolButton(bar);
    auto* larger = new QToolButton(bar);
    auto* fit = new QToolButton(bar);
    prepare(smaller, QStringLiteral("\u2212"), tr("Smaller (\u2212 on the map, or Ctrl with the wheel)"), tr("Smaller"));
    prepare(m_zoom, tr("%1 %").arg(100), tr("Back to 100 % (0 on the map)"), tr("Zoom of the map"));
    prepare(larger, QStringLiteral("+"), tr("Larger (+ on the map, or Ctrl with the wheel)"), tr("Larger"));
    prepare(fit, tr("Fit"), tr("Show all nodes at once"), tr("Fit the map"));
    m_zoom->setObjectName(QStringLiteral("topologyZoom"));
    fit->setObjectName(QStringLiteral("topologyFit"));
    auto* links = new QCheckBox(tr("Links"), bar);
    links->setObjectName(QStringLiteral("topologyLinks"));
    links->setChecked(true);
    links->setToolTip(
        tr("Lines from prefill workers to the decode workers that they hand their caches to; of the selected worker alone where "
           "there are many"));
    row->addSpacing(8);
    row->addWidget(links);
    row->addStretch(1);
    prepare(m_export, tr("Export SVG\u2026"), tr("Write the whole map as a picture"), tr("Export the map as SVG"));
    connect(smaller, &QToolButton::clicked, m_map, [this] { m_map->zoomBy(-1); });
    connect(larger, &QToolButton::clicked, m_map, [this] { m_map->zoomBy(1); });
    connect(m_zoom, &QToolButton::clicked, m_map, [this] { m_map->setZoom(1.0); });
    connect(fit, &QToolButton::clicked, m_map, [this] { m_map->fit(m_area->viewport()->size()); });
    connect(links, &QCheckBox::toggled, m_map, &TopologyMap::setLinksShown);
    connect(m_map, &TopologyMap::zoomChanged, this, [this] { m_zoom->setText(tr("%1 %").arg(qRound(m_map->zoom() * 100.0))); });
    connect(m_export, &QToolButton::clicked, this, &TopologyPane::exportSvg);
    return bar;
}

void TopologyPane::exportSvg()
{
    const auto& dryRun = m_session.dryRun();
    const QByteArray bytes = m_map->svg();
    if (!dryRun || bytes.isEmpty())
        return;
    const QString name = (dryRun->title.empty() ? QStringLiteral("topology") : text(dryRun->title)) + QStringLiteral(".svg");
    const auto save = [this, bytes = bytes.toStdString()](const QString& file) {
        saveInBackground(m_session, *this, *m_message, file, bytes, tr("Saved %1").arg(file));
    };
    askWhereToSave(*this, tr("Export the map"), {tr("SVG picture (*.svg)")}, name, save, QStringLiteral("exportMapDialog"));
}

void TopologyPane::refresh()
{
    const auto& dryRun = m_session.dryRun();
    m_map->setDryRun(dryRun);
    m_export->setEnabled(dryRun && dryRun->topology);
    m_table->changeQuietly([&] { m_model.setTopology(dryRun ? dryRun->topology : nullptr); });
    m_summary->setText(dryRun ? summaryOf(*dryRun) : tr("No job is selected."));
}

} // namespace wb::ui
