#pragma once

#include "ui/async/workers.h"

#include <QFutureWatcher>
#include <QPointer>
#include <QtConcurrent>

#include <type_traits>
#include <utility>

namespace wb::ui::async {

/// Runs a job that must not be overtaken or forgotten (a file being read or written) and hands its result to `deliver` on the UI thread,
/// unless `context` is gone by then.
template <typename Job, typename Deliver>
void runInBackground(Workers& workers, QObject* context, Job job, Deliver deliver)
{
    workers.begin();
    if (workers.mode() == Mode::Inline) {
        deliver(job());
        workers.end();
        return;
    }
    // Not QFuture::then(context, ...): Qt 6.4 asserts, in the worker's thread, that the context is still there.
    auto* watcher = new QFutureWatcher<std::invoke_result_t<Job>>(context);
    QObject::connect(watcher, &QFutureWatcherBase::finished, watcher,
                     [watcher, alive = QPointer<Workers>(&workers), deliver = std::move(deliver)]() mutable {
                         watcher->deleteLater(); // first: delivering may take the context away, and the watcher with it
                         std::invoke_result_t<Job> result = watcher->result();
                         const auto told = std::move(deliver);
                         // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): `alive` goes with the watcher
                         const QPointer<Workers> workersAfter = alive;
                         told(std::move(result));
                         if (workersAfter)
                             workersAfter->end();
                     });
    watcher->setFuture(QtConcurrent::run(&workers.pool(), std::move(job)));
}

} // namespace wb::ui::async
