// A job that tells of its steps while it runs, and ends with a result. Unlike LatestJob it is not overtaken: stopping asks it to end, and
// what came of it is delivered all the same.
#pragma once

#include "ui/async/workers.h"

#include <QFutureWatcher>
#include <QPromise>
#include <QtConcurrent>

#include <functional>
#include <memory>
#include <stop_token>
#include <utility>
#include <variant>

namespace wb::ui::async {

template <typename Event, typename T>
class StreamJob final
{
public:
    using Tell = std::function<void(Event)>;
    using Job = std::function<T(std::stop_token, const Tell&)>;

    /// Both are called on the UI thread, `deliver` last.
    StreamJob(Workers& workers, std::function<void(Event)> happened, std::function<void(T)> deliver)
        : m_workers(workers)
        , m_happened(std::move(happened))
        , m_deliver(std::move(deliver))
    {
        QObject::connect(&m_watcher, &QFutureWatcherBase::resultReadyAt, &m_watcher, [this](int index) { take(index); });
        QObject::connect(&m_watcher, &QFutureWatcherBase::finished, &m_watcher, [this] { finish(); });
    }
    ~StreamJob()
    {
        m_stop.request_stop();
        if (m_isRunning)
            m_workers.end();
    }
    StreamJob(const StreamJob&) = delete;
    StreamJob& operator=(const StreamJob&) = delete;

    [[nodiscard]] bool isRunning() const { return m_isRunning; }

    /// Not while one is running.
    void start(Job job)
    {
        Q_ASSERT(!m_isRunning);
        m_workers.begin();
        m_stop = std::stop_source();
        m_isRunning = true;
        m_result.reset();
        if (m_workers.mode() == Mode::Inline) {
            m_result = std::make_unique<T>(job(m_stop.get_token(), m_happened));
            return finish();
        }
        m_watcher.setFuture(
            QtConcurrent::run(&m_workers.pool(), [job = std::move(job), stop = m_stop.get_token()](QPromise<Step>& promise) {
                const Tell tell = [&promise](Event event) { promise.addResult(std::make_shared<Content>(std::move(event))); };
                T result = job(stop, tell);
                promise.addResult(std::make_shared<Content>(std::move(result)));
            }));
    }

    /// Asks the job to end soon.
    void stop() { m_stop.request_stop(); }

private:
    using Content = std::variant<Event, T>;
    using Step = std::shared_ptr<Content>;

    void take(int index)
    {
        const Step step = m_watcher.resultAt(index);
        if (auto* const result = std::get_if<T>(step.get()))
            m_result = std::make_unique<T>(std::move(*result));
        else
            m_happened(std::move(std::get<Event>(*step)));
    }

    void finish()
    {
        if (!m_isRunning)
            return;
        m_isRunning = false;
        // The one who is told may drop this job.
        Workers& workers = m_workers;
        const auto deliver = m_deliver;
        const auto result = std::move(m_result);
        if (result)
            deliver(std::move(*result));
        workers.end();
    }

    Workers& m_workers;
    std::function<void(Event)> m_happened;
    std::function<void(T)> m_deliver;
    std::stop_source m_stop;
    bool m_isRunning = false;
    std::unique_ptr<T> m_result;
    QFutureWatcher<Step> m_watcher;
};

} // namespace wb::ui::async
