#pragma once

#include "core/analysis/comparison.h"
#include "ui/async/latestjob.h"
#include "ui/shell/documents.h"

#include <QObject>
#include <QStringList>

#include <memory>
#include <vector>

namespace wb::ui {

/// What two to eight runs differ in.
struct ComparedRuns {
    QStringList paths;                   ///< Those that took part.
    QStringList titles;                  ///< Of the sides: the shortest ends of the paths that tell them apart.
    analysis::RunDifferences comparison; ///< Its last section is "outcome": what was measured.
    std::vector<Error> errors;           ///< Of what could not take part.
    QStringList warnings;                ///< What was there and could not be read.
};

/// The comparison of runs that the Compare pane shows, as `srtwb compare` makes it; everything is read on a worker.
class RunComparison final : public QObject
{
    Q_OBJECT

public:
    static constexpr qsizetype mostRuns = 8;

    RunComparison(async::Workers& workers, Documents& documents, QObject* parent = nullptr);

    [[nodiscard]] const std::shared_ptr<const ComparedRuns>& result() const { return m_result; } ///< Null: nothing was compared.
    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }
    /// Folders of runs, lockfiles, recipes of one job; of more than eight the first.
    void compare(const QStringList& paths);

Q_SIGNALS:
    void changed();

private:
    Documents& m_documents;
    std::shared_ptr<const ComparedRuns> m_result;
    async::LatestJob<std::shared_ptr<const ComparedRuns>> m_job;
};

} // namespace wb::ui
