#include "ui/panes/snapshotpane.h"

#include "ui/panes/messagebar.h"
#include "ui/panes/snapshotcluster.h"
#include "ui/panes/snapshotmanifest.h"
#include "ui/panes/snapshotpreflight.h"
#include "ui/panes/snapshotstartup.h"

#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

namespace wb::ui {

SnapshotPane::SnapshotPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_tabs(new QTabWidget(this))
    , m_message(new MessageBar(this))
{
    m_tabs->setObjectName(QStringLiteral("snapshotTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(new SnapshotManifest(session, m_tabs), tr("Manifest"));
    m_tabs->addTab(new SnapshotPreflight(session, m_tabs), tr("Preflight"));
    m_tabs->addTab(new SnapshotStartup(session, m_tabs), tr("Startup times"));
    m_tabs->addTab(new SnapshotCluster(session, m_tabs), tr("On a cluster"));
    m_tabs->tabBar()->setAccessibleName(tr("Views of NVIDIA Snapshot"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_message);
    column->addWidget(m_tabs, 1);
    setFocusProxy(m_tabs);
    connect(&session.snapshots(), &Snapshots::failed, m_message, &MessageBar::showError);
    connect(&session.snapshots(), &Snapshots::importWanted, this, [this] { m_tabs->setCurrentIndex(2); });
}

} // namespace wb::ui
