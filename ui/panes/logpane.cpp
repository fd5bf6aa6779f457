#include "ui/panes/logpane.h"

#include "ui/panes/commandsview.h"
#include "ui/panes/joblogview.h"
#include "ui/panes/severitydelegate.h"
#include "ui/panes/tableview.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QTabWidget>
#include <QVBoxLayout>

namespace wb::ui {

LogPane::LogPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_view(new TableView(&session.log().model(), LogModel::SortRole, tr("Log"), this))
    , m_tabs(new QTabWidget(this))
{
    m_view->setObjectName(QStringLiteral("logView"));
    m_view->setItemDelegateForColumn(LogModel::MessageColumn, new SeverityDelegate(LogModel::SeverityRole, m_view));
    m_view->setColumnWidths({10, 60}, LogModel::MessageColumn);
    m_view->setEmptyText(tr("What happens is written down here."));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_tabs);
    m_tabs->setObjectName(QStringLiteral("logTabs"));
    m_tabs->setAccessibleName(tr("What the log is of"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_view, tr("Workbench"));
    auto* jobLog = new JobLogView(session, this);
    m_tabs->addTab(jobLog, tr("Job"));
    m_tabs->addTab(new CommandsView(session, this), tr("Remote commands"));
    setFocusProxy(m_view);
    connect(&session, &Session::jobLogWanted, this, [this, jobLog] { m_tabs->setCurrentWidget(jobLog); });

    Log& log = session.log();
    connect(m_view, &TableView::menuRequested, this, [this, &log](QMenu& menu, const QModelIndex& source) {
        if (source.isValid()) {
            const LogRow& row = log.model().row(source.row());
            menu.addAction(tr("Copy with details"), this,
                           [text = row.detail.isEmpty() ? row.text : row.text + QLatin1Char('\n') + row.detail] {
                               QGuiApplication::clipboard()->setText(text);
                           });
        }
        menu.addAction(tr("Clear log"), &log, &Log::clear);
    });
    connect(&log.model(), &QAbstractItemModel::rowsInserted, this, &LogPane::scrollToEnd, Qt::QueuedConnection);
    scrollToEnd();
}

void LogPane::scrollToEnd()
{
    // Whoever reads further up is left there.
    if (!m_view->currentIndex().isValid() || m_view->currentIndex().row() >= m_view->filter().rowCount() - 2)
        m_view->scrollToBottom();
}

} // namespace wb::ui
