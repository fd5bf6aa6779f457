#pragma once

#include "core/check/check.h"
#include "ui/async/latestjob.h"
#include "ui/models/recipesmodel.h"
#include "ui/shell/log.h"

#include <QObject>

#include <memory>

namespace wb::ui {

/// The open folder of recipes: what lies in it, and what a check of each file says. Both are found out on workers.
class Library final : public QObject
{
    Q_OBJECT

public:
    Library(async::Workers& workers, Log& log, QObject* parent = nullptr);

    [[nodiscard]] const QString& folder() const { return m_folder; } ///< Absolute; empty: none is open.
    [[nodiscard]] const FolderListing& listing() const { return m_listing; }
    [[nodiscard]] const std::shared_ptr<const RecipeSummaries>& summaries() const { return m_summaries; } ///< Null: not checked yet.
    /// Absolute paths of the files that hold a job of that name.
    [[nodiscard]] QStringList filesWithJob(const std::string& name) const;

    void setFolder(const QString& folder);
    void setFacts(std::shared_ptr<const check::Facts> facts);
    void refresh();

Q_SIGNALS:
    void folderChanged();
    void listingChanged();
    void summariesChanged();

private:
    void checkAll();

    async::Workers& m_workers;
    Log& m_log;
    QString m_folder;
    FolderListing m_listing;
    std::shared_ptr<const RecipeSummaries> m_summaries;
    std::shared_ptr<const check::Facts> m_facts;
    async::LatestJob<FolderListing> m_scan;
    async::LatestJob<std::shared_ptr<const RecipeSummaries>> m_check;
};

} // namespace wb::ui
