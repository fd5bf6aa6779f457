// What runs in the background and what ran: shown in the Tasks pane and, the newest one, in the status bar. Whoever runs something long
// tells it here; stopping and doing again are functions of the one who runs it.
#pragma once

#include <QDateTime>
#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <cstdint>
#include <deque>
#include <functional>

namespace wb::ui {

enum class TaskId : std::uint64_t {};
enum class TaskState { Running, Done, Failed, Cancelled };

struct Task {
    TaskId id{};
    QString title; ///< "Importing 3 files"
    TaskState state = TaskState::Running;
    std::size_t done = 0;
    std::size_t total = 0; ///< 0: not known.
    QDateTime started;     ///< Local.
    qint64 milliseconds = 0;
    QString outcome;              ///< What came of it, or why it failed; empty while it runs.
    std::function<void()> cancel; ///< Empty: it cannot be stopped.
    std::function<void()> retry;  ///< Empty: it cannot be done again.
};

class Tasks final : public QObject
{
    Q_OBJECT

public:
    explicit Tasks(QObject* parent = nullptr);

    TaskId begin(const QString& title, std::function<void()> cancel = {}, std::function<void()> retry = {});
    void report(TaskId id, std::size_t done, std::size_t total);
    /// Of a task that is over already nothing changes.
    void finish(TaskId id, TaskState state, const QString& outcome = {});

    [[nodiscard]] const std::deque<Task>& all() const { return m_tasks; } ///< Oldest first; the last few hundred.
    [[nodiscard]] const Task* find(TaskId id) const;                      ///< Null: forgotten.
    [[nodiscard]] const Task* running() const;                            ///< The newest that runs; null: none does.
    void cancel(TaskId id);                                               ///< Asks the one who runs it to stop.
    void retry(TaskId id);
    void clearHistory(); ///< What is over goes.

Q_SIGNALS:
    void changed(); ///< At most ten times a second while a task only goes on.

private:
    Task* entry(TaskId id);

    std::deque<Task> m_tasks;
    std::uint64_t m_last = 0;
    QElapsedTimer m_sinceTold;
};

} // namespace wb::ui
