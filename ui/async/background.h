#pragma once

#include "ui/async/workers.h"

#include <QFuture>
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
    const QPointer<Workers> alive(&workers);
    QtConcurrent::run(&workers.pool(), std::move(job))
        .then(context, [alive, deliver = std::move(deliver)](std::invoke_result_t<Job> result) {
            deliver(std::move(result));
            if (alive)
                alive->end();
        });
}

} // namespace wb::ui::async
