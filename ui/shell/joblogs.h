// The logs of one job, followed on its cluster: several files at once, by offsets, also before they exist. Only the end of a large file is
// read. While nobody looks nothing is asked.
#pragma once

#include "core/remote/logtail.h"
#include "ui/async/latestjob.h"
#include "ui/shell/connections.h"
#include "ui/shell/jobs.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wb::ui {

/// As it is shown, and where the first sign of a failure is in it.
struct LogText {
    QString text;                         ///< Whole lines of all followed files; of several with the file's name in front.
    std::optional<std::size_t> errorLine; ///< In `text`, from 0.
    QString error;                        ///< The line itself; empty: none was found.
    QString meaning;                      ///< What it means, where that is known.
};
using LogTextPtr = std::shared_ptr<const LogText>;

class JobLogs final : public QObject
{
    Q_OBJECT

public:
    struct File {
        QString name; ///< Relative to the job's folder.
        std::uint64_t size = 0;
        bool isFollowed = false;
        bool exists = false;
        std::int64_t idleSeconds = 0; ///< Since its last byte, when it was asked.
        bool isCut = false;           ///< What stands before what was read is not shown.
    };

    JobLogs(Connections& connections, Jobs& jobs, async::Workers& workers, async::Workers& remoteWorkers, QObject* parent = nullptr);

    /// Follows the logs of the job, its own log first; an empty id follows none.
    void follow(const std::string& job);
    [[nodiscard]] const std::string& job() const { return m_job; }
    [[nodiscard]] const std::vector<File>& files() const { return m_files; }
    void setFollowed(const QStringList& names); ///< Of the job's files; one that is not there yet is waited for.
    void setCollapsed(bool isCollapsed);        ///< Lines that repeat become one.
    [[nodiscard]] bool isCollapsed() const { return m_isCollapsed; }
    void setWatching(bool isWatching); ///< Somebody looks.
    void refreshNow();

    [[nodiscard]] const LogTextPtr& text() const { return m_text; } ///< Never null.
    [[nodiscard]] const QString& trouble() const { return m_trouble; }
    [[nodiscard]] bool isReading() const { return m_read.isRunning(); }

Q_SIGNALS:
    void filesChanged();
    void textChanged();
    void stateChanged(); ///< Trouble, reading, age of the last byte.

private:
    struct Answer;
    /// Bytes of one file, shared with the workers that make text of them.
    struct Content {
        remote::TailPosition position;
        std::shared_ptr<const std::string> bytes;
        bool isSkipping = false; ///< It begins inside a line.
    };

    void ask();
    void take(const Answer& answer);
    void render();
    void schedule();

    Connections& m_connections;
    Jobs& m_jobs;
    std::string m_job;
    std::vector<File> m_files;
    std::vector<Content> m_contents; ///< One for each of `m_files`.
    bool m_isListed = false;
    bool m_isCollapsed = false;
    bool m_isWatching = false;
    QString m_trouble;
    LogTextPtr m_text;
    QTimer m_timer;
    async::LatestJob<std::shared_ptr<const Answer>> m_read;
    async::LatestJob<LogTextPtr> m_render;
};

} // namespace wb::ui
