#pragma once

#include "core/check/check.h"
#include "ui/async/debounce.h"
#include "ui/async/latestjob.h"
#include "ui/models/recipesmodel.h"
#include "ui/shell/log.h"
#include "ui/shell/tasks.h"

#include <QFileSystemWatcher>
#include <QObject>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

namespace wb::ui {

/// The open folder of recipes: what lies in it, and what a check of each file says. Both are found out on workers. The folder is watched:
/// what changes in it is listed again, and the files that changed are checked again.
class Library final : public QObject
{
    Q_OBJECT

public:
    Library(async::Workers& workers, Log& log, Tasks& tasks, QObject* parent = nullptr);

    [[nodiscard]] const QString& folder() const { return m_folder; } ///< Absolute; empty: none is open.
    [[nodiscard]] const FolderListing& listing() const { return m_listing; }
    [[nodiscard]] const std::shared_ptr<const RecipeSummaries>& summaries() const { return m_summaries; } ///< Null: not checked yet.
    /// Absolute paths of the files that hold a job of that name.
    [[nodiscard]] QStringList filesWithJob(const std::string& name) const;

    void setFolder(const QString& folder);
    void setFacts(std::shared_ptr<const check::Facts> facts);
    void refresh(); ///< Lists the folder again and checks what changed.

    [[nodiscard]] bool isChecking() const { return m_check.isRunning(); }
    void cancelCheck(); ///< What the check that runs found is dropped; what was known before stays.

Q_SIGNALS:
    void folderChanged();
    void listingChanged();
    void summariesChanged();

private:
    /// What tells a file that changed, without reading it.
    struct Stamp {
        std::filesystem::file_time_type time;
        std::uintmax_t size = 0;

        friend bool operator==(const Stamp&, const Stamp&) = default;
    };
    struct Known {
        std::map<std::string, Stamp, std::less<>> stamps;
        std::shared_ptr<const RecipeSummaries> summaries;
    };

    static std::shared_ptr<const Known> checked(const FolderListing& listing, const check::Facts& facts, const Known* before,
                                                const async::Report& report, const std::stop_token& stop);
    void checkAll();
    void checkChanged();
    void watch();

    async::Workers& m_workers;
    Log& m_log;
    Tasks& m_tasks;
    QString m_folder;
    FolderListing m_listing;
    std::shared_ptr<const Known> m_known; ///< Null: nothing was checked with the present facts.
    std::shared_ptr<const RecipeSummaries> m_summaries;
    std::shared_ptr<const check::Facts> m_facts;
    std::optional<TaskId> m_task;
    QFileSystemWatcher m_watcher;
    async::Debounce m_look;
    async::LatestJob<FolderListing> m_scan;
    async::LatestJob<std::shared_ptr<const Known>> m_check;
};

} // namespace wb::ui
