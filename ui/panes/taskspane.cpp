#include "ui/panes/taskspane.h"

#include "ui/panes/severitydelegate.h"
#include "ui/panes/tableview.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

namespace wb::ui {

namespace {

QString stateText(TaskState state)
{
    switch (state) {
    case TaskState::Running:
        return TasksPane::tr("running");
    case TaskState::Done:
        return TasksPane::tr("done");
    case TaskState::Failed:
        return TasksPane::tr("failed");
    case TaskState::Cancelled:
        return TasksPane::tr("stopped");
    }
    return {};
}

TaskId idOf(const TaskRow& row)
{
    return TaskId{std::stoull(row.id)};
}

} // namespace

TasksPane::TasksPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_view(new TableView(&m_model, TasksModel::SortRole, tr("Tasks"), this))
    , m_cancel(new QToolButton(this))
    , m_retry(new QToolButton(this))
    , m_copy(new QToolButton(this))
{
    m_view->setObjectName(QStringLiteral("tasksView"));
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setItemDelegateForColumn(TasksModel::TitleColumn, new SeverityDelegate(TasksModel::SeverityRole, m_view));
    m_view->setColumnWidths({36, 9, 14, 10, 8, 40}, TasksModel::OutcomeColumn);
    m_view->setEmptyText(tr("Nothing ran in the background yet. Jobs on a cluster are not listed here."));
    auto* clear = new QToolButton(this);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    const auto add = [&](QToolButton* button, const char* name, const QString& words, const QString& tip) {
        button->setObjectName(QString::fromLatin1(name));
        button->setText(words);
        button->setToolTip(tip);
        button->setAutoRaise(true);
        bar->addWidget(button);
    };
    add(m_cancel, "cancelTask", tr("Cancel"), tr("Stop the task; nothing of it is kept"));
    add(m_retry, "retryTask", tr("Retry"), tr("Do the task again"));
    add(m_copy, "copyTask", tr("Copy details"), tr("Copy title, times and outcome of the task"));
    add(clear, "clearTasks", tr("Clear history"), tr("Take what is over out of the list"));
    bar->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_view);
    setFocusProxy(m_view);

    connect(m_cancel, &QToolButton::clicked, this, &TasksPane::cancel);
    connect(m_retry, &QToolButton::clicked, this, &TasksPane::retry);
    connect(m_copy, &QToolButton::clicked, this, &TasksPane::copy);
    connect(clear, &QToolButton::clicked, &session.tasks(), &Tasks::clearHistory);
    connect(m_view, &TableView::menuRequested, this, [this](QMenu& menu, const QModelIndex&) {
        menu.addAction(m_cancel->text(), this, &TasksPane::cancel)->setEnabled(m_cancel->isEnabled());
        menu.addAction(m_retry->text(), this, &TasksPane::retry)->setEnabled(m_retry->isEnabled());
        menu.addAction(m_copy->text(), this, &TasksPane::copy)->setEnabled(m_copy->isEnabled());
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &TasksPane::refreshButtons);
    connect(&session.tasks(), &Tasks::changed, this, &TasksPane::refresh);
    refresh();
}

void TasksPane::refresh()
{
    std::vector<TaskRow> rows;
    const auto& tasks = m_session.tasks().all();
    for (auto task = tasks.rbegin(); task != tasks.rend(); ++task) {
        const bool isRunning = task->state == TaskState::Running;
        rows.push_back({.id = std::to_string(static_cast<std::uint64_t>(task->id)),
                        .title = task->title,
                        .state = stateText(task->state),
                        .progress = task->total == 0 ? QString() : tr("%1 of %2").arg(task->done).arg(task->total),
                        .started = task->started,
                        .milliseconds = isRunning ? -1 : task->milliseconds,
                        .outcome = task->outcome,
                        .isRunning = isRunning,
                        .hasFailed = task->state == TaskState::Failed,
                        .canCancel = isRunning && task->cancel,
                        .canRetry = !isRunning && task->retry});
    }
    m_view->changeQuietly([&] { m_model.setTasks(std::move(rows)); });
    if (!m_view->currentSource().isValid() && m_model.rowCount() > 0)
        m_view->showCurrent(m_model.index(0, 0));
    refreshButtons();
}

const TaskRow* TasksPane::current() const
{
    const QModelIndex source = m_view->currentSource();
    return source.isValid() ? &m_model.row(source.row()) : nullptr;
}

void TasksPane::refreshButtons()
{
    const TaskRow* row = current();
    m_cancel->setEnabled(row && row->canCancel);
    m_retry->setEnabled(row && row->canRetry);
    m_copy->setEnabled(row != nullptr);
}

void TasksPane::cancel()
{
    if (const TaskRow* row = current())
        m_session.tasks().cancel(idOf(*row));
}

void TasksPane::retry()
{
    if (const TaskRow* row = current())
        m_session.tasks().retry(idOf(*row));
}

void TasksPane::copy()
{
    if (const TaskRow* row = current()) {
        QGuiApplication::clipboard()->setText(QStringList{row->title, row->state, row->progress, row->started.toString(Qt::ISODate),
                                                          row->milliseconds < 0 ? QString() : tr("%1 ms").arg(row->milliseconds),
                                                          row->outcome}
                                                  .join(QLatin1Char('\n')));
    }
}

} // namespace wb::ui
