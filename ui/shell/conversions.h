// Writing recipes in another way: many files as one and back, a sweep as a zip and back, schema 1 as schema 2. Each is made and proved on a
// worker and shown before anything changes; what is applied is a change of the open text that can be undone, or a new text, or files in a
// folder that is chosen.
#pragma once

#include "core/check/check.h"
#include "core/snapshot/restoreadded.h"
#include "ui/async/latestjob.h"
#include "ui/shell/comparison.h"
#include "ui/shell/documents.h"
#include "ui/shell/tasks.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wb::ui {

/// What a conversion made; nothing has changed yet.
struct Conversion {
    QString title;                                           ///< "Sweep as a zip of overrides"
    QString step;                                            ///< What undo calls it.
    std::optional<DocumentId> target;                        ///< The text that it would replace; nothing: it would be a new text.
    std::size_t version = 0;                                 ///< Of the target.
    std::string before;                                      ///< Empty for a new text.
    std::string after = {};                                  ///< Empty: nothing could be made, or there are files.
    std::vector<std::pair<QString, std::string>> files = {}; ///< Names and texts that would be written into a folder.
    bool isProved = false;                                   ///< It stands for the same jobs, or `verdict` says what is proved.
    QString verdict = {};                                    ///< What is proved or not, where "the same jobs" is not it.
    QStringList reasons = {};                                ///< Why it does not, or why nothing was made.
    QStringList notes = {};                                  ///< What else changes.
};

class Conversions final : public QObject
{
    Q_OBJECT

public:
    Conversions(async::Workers& workers, Documents& documents, Tasks& tasks, Log& log, QObject* parent = nullptr);

    void consolidate(const QStringList& paths); ///< Several recipes as one with a zip section, as a new text.
    void asZip(DocumentId id);                  ///< Of a sweep.
    void asSweep(DocumentId id);                ///< Of a file with overrides.
    void migrate(DocumentId id);                ///< To schema 2.
    /// Of a capture in a manifest, see snapshot::captureAt: what restores it, as one more document of the text.
    void restoreManifest(DocumentId id, const snapshot::Capture& capture, const snapshot::RestoreOptions& options);
    void explode(DocumentId id, std::vector<std::size_t> jobs = {}); ///< A file of its own for each job; empty: all.

    /// Makes it so. Files are written by `writeFiles`.
    void apply(const Conversion& conversion);
    /// Into a folder that is there, none over another: the first that exists is told and nothing is written.
    void writeFiles(const Conversion& conversion, const QString& folder);

Q_SIGNALS:
    void ready(const wb::ui::Conversion& conversion);
    void written(const QString& folder);
    void failed(const wb::Error& error);

private:
    using Made = std::shared_ptr<const Conversion>;

    void run(const QString& title, std::function<Conversion(const std::stop_token&)> make);
    [[nodiscard]] std::optional<std::pair<CheckedPtr, std::size_t>> checkedOf(DocumentId id);

    async::Workers& m_workers;
    Documents& m_documents;
    Tasks& m_tasks;
    Log& m_log;
    std::optional<TaskId> m_task;
    async::LatestJob<Made> m_job;
};

} // namespace wb::ui
