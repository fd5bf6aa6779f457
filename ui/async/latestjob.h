// The way to a worker and back.
//
// A job is a function that owns copies of all it needs (values, shared_ptr<const T>) and touches nothing else, so there is no lock, and
// nothing to wait for when the owner goes away. Starting another job asks the one before to stop and forgets its result: the latest wins.
// A job that was stopped delivers nothing.
#pragma once

#include "ui/async/workers.h"

#include <QFutureWatcher>
#include <QPromise>
#include <QtConcurrent>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <stop_token>
#include <utility>

namespace wb::ui::async {

/// Told by a job from any thread; reaches the UI thread at most 25 times a second.
using Report = std::function<void(std::size_t done, std::size_t total)>;

template <typename T>
class LatestJob final
{
public:
    using Job = std::function<T(std::stop_token)>;
    using ReportingJob = std::function<T(std::stop_token, const Report&)>;

    /// `deliver` is called on the UI thread with the result of the latest job.
    LatestJob(Workers& workers, std::function<void(T)> deliver)
        : m_workers(workers)
        , m_deliver(std::move(deliver))
    {
        QObject::connect(&m_watcher, &QFutureWatcherBase::finished, &m_watcher, [this] { finish(); });
        QObject::connect(&m_watcher, &QFutureWatcherBase::progressValueChanged, &m_watcher, [this](int value) {
            if (m_running && m_progress)
                m_progress(static_cast<std::size_t>(value), static_cast<std::size_t>(m_watcher.progressMaximum()));
        });
    }
    ~LatestJob() { cancel(); }
    LatestJob(const LatestJob&) = delete;
    LatestJob& operator=(const LatestJob&) = delete;

    /// Called on the UI thread with what a reporting job told.
    void onProgress(std::function<void(std::size_t, std::size_t)> progress) { m_progress = std::move(progress); }

    [[nodiscard]] bool isRunning() const { return m_running; }

    void start(Job job)
    {
        startReporting([job = std::move(job)](std::stop_token stop, const Report&) { return job(std::move(stop)); });
    }

    void startReporting(ReportingJob job)
    {
        // The new one is begun before the old one is ended, so that nobody takes the moment between for quiet.
        m_workers.begin();
        cancel();
        m_stop = std::stop_source();
        m_running = true;
        if (m_workers.mode() == Mode::Inline) {
            const Report report = [this](std::size_t done, std::size_t total) {
                if (m_progress)
                    m_progress(done, total);
            };
            T result = job(m_stop.get_token(), report);
            if (m_running)
                conclude(std::move(result));
            return;
        }
        m_watcher.setFuture(QtConcurrent::run(&m_workers.pool(), [job = std::move(job), stop = m_stop.get_token()](QPromise<T>& promise) {
            const Report report = [&promise](std::size_t done, std::size_t total) {
                constexpr std::size_t most = std::numeric_limits<int>::max();
                promise.setProgressRange(0, static_cast<int>(std::min(total, most)));
                promise.setProgressValue(static_cast<int>(std::min(done, most)));
            };
            promise.addResult(job(stop, report));
        }));
    }

    /// Asks the job to stop and forgets its result.
    void cancel()
    {
        if (!m_running)
            return;
        m_stop.request_stop();
        m_running = false;
        m_workers.end();
    }

private:
    void finish()
    {
        if (!m_running)
            return;
        auto future = m_watcher.future();
        if (!future.isValid() || future.resultCount() == 0)
            return cancel();
        conclude(future.takeResult());
    }

    void conclude(T result)
    {
        m_running = false;
        // The one who is told may drop this job.
        Workers& workers = m_workers;
        const auto deliver = m_deliver;
        deliver(std::move(result));
        workers.end();
    }

    Workers& m_workers;
    std::function<void(T)> m_deliver;
    std::function<void(std::size_t, std::size_t)> m_progress;
    std::stop_source m_stop;
    bool m_running = false;
    QFutureWatcher<T> m_watcher;
};

} // namespace wb::ui::async
