#pragma once

#include "core/base/ids.h"

#include <QObject>

#include <string>
#include <vector>

namespace wb::ui {

enum class JobState { Unknown, Pending, Running, Completed, Failed, Cancelled };

/// A job that was handed to a cluster.
struct SubmittedJob {
    JobId id;
    std::string name;
    std::string host;
    JobState state = JobState::Unknown;

    friend bool operator==(const SubmittedJob&, const SubmittedJob&) = default;
};

/// The jobs that this workbench submitted and still follows.
class Jobs final : public QObject
{
    Q_OBJECT

public:
    explicit Jobs(QObject* parent = nullptr);

    [[nodiscard]] const std::vector<SubmittedJob>& all() const { return m_jobs; }
    [[nodiscard]] std::size_t runningCount() const;
    void set(std::vector<SubmittedJob> jobs);

Q_SIGNALS:
    void changed();

private:
    std::vector<SubmittedJob> m_jobs;
};

} // namespace wb::ui
