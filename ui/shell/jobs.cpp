#include "ui/shell/jobs.h"

#include <algorithm>
#include <utility>

namespace wb::ui {

Jobs::Jobs(QObject* parent)
    : QObject(parent)
{
}

std::size_t Jobs::runningCount() const
{
    return static_cast<std::size_t>(
        std::count_if(m_jobs.begin(), m_jobs.end(), [](const SubmittedJob& job) { return job.state == JobState::Running; }));
}

void Jobs::set(std::vector<SubmittedJob> jobs)
{
    if (jobs == m_jobs)
        return;
    m_jobs = std::move(jobs);
    Q_EMIT changed();
}

} // namespace wb::ui
