#include "ui/panes/logpane.h"

#include "ui/panes/severitydelegate.h"
#include "ui/panes/tableview.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QVBoxLayout>

namespace wb::ui {

LogPane::LogPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_view(new TableView(&session.log().model(), LogModel::SortRole, tr("Log"), this))
{
    m_view->setObjectName(QStringLiteral("logView"));
    m_view->setItemDelegateForColumn(LogModel::MessageColumn, new SeverityDelegate(LogModel::SeverityRole, m_view));
    m_view->setColumnWidths({10, 60}, LogModel::MessageColumn);
    m_view->setEmptyText(tr("What happens is written down here."));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
    setFocusProxy(m_view);

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
