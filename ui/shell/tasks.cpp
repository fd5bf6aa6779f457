#include "ui/shell/tasks.h"

#include <algorithm>
#include <utility>

namespace wb::ui {

namespace {

constexpr std::size_t mostKept = 200;
constexpr qint64 tellEveryMs = 100;

} // namespace

Tasks::Tasks(QObject* parent)
    : QObject(parent)
{
    m_sinceTold.start();
}

TaskId Tasks::begin(const QString& title, std::function<void()> cancel, std::function<void()> retry)
{
    Task task;
    task.id = TaskId{++m_last};
    task.title = title;
    task.started = QDateTime::currentDateTime();
    task.cancel = std::move(cancel);
    task.retry = std::move(retry);
    m_tasks.push_back(std::move(task));
    for (auto old = m_tasks.begin(); m_tasks.size() > mostKept && old != m_tasks.end();)
        old = old->state == TaskState::Running ? std::next(old) : m_tasks.erase(old);
    Q_EMIT changed();
    return TaskId{m_last};
}

void Tasks::report(TaskId id, std::size_t done, std::size_t total)
{
    Task* task = entry(id);
    if (!task || task->state != TaskState::Running)
        return;
    task->done = done;
    task->total = total;
    if (m_sinceTold.elapsed() < tellEveryMs)
        return;
    m_sinceTold.restart();
    Q_EMIT changed();
}

void Tasks::finish(TaskId id, TaskState state, const QString& outcome)
{
    Task* task = entry(id);
    if (!task || task->state != TaskState::Running)
        return;
    task->state = state;
    task->outcome = outcome;
    if (state == TaskState::Done)
        task->done = task->total; // what was told of the way there is behind by up to a tenth of a second
    task->milliseconds = task->started.msecsTo(QDateTime::currentDateTime());
    Q_EMIT changed();
}

Task* Tasks::entry(TaskId id)
{
    const auto found = std::find_if(m_tasks.begin(), m_tasks.end(), [id](const Task& task) { return task.id == id; });
    return found == m_tasks.end() ? nullptr : &*found;
}

const Task* Tasks::find(TaskId id) const
{
    const auto found = std::find_if(m_tasks.begin(), m_tasks.end(), [id](const Task& task) { return task.id == id; });
    return found == m_tasks.end() ? nullptr : &*found;
}

const Task* Tasks::running() const
{
    const auto found = std::find_if(m_tasks.rbegin(), m_tasks.rend(), [](const Task& task) { return task.state == TaskState::Running; });
    return found == m_tasks.rend() ? nullptr : &*found;
}

void Tasks::cancel(TaskId id)
{
    const Task* task = find(id);
    if (!task || task->state != TaskState::Running || !task->cancel)
        return;
    const auto stop = task->cancel; // stopping may end the task, and the list with it
    stop();
}

void Tasks::retry(TaskId id)
{
    const Task* task = find(id);
    if (!task || task->state == TaskState::Running || !task->retry)
        return;
    const auto again = task->retry;
    again();
}

void Tasks::clearHistory()
{
    std::erase_if(m_tasks, [](const Task& task) { return task.state != TaskState::Running; });
    Q_EMIT changed();
}

} // namespace wb::ui
