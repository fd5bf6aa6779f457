// Unsaved texts outlive the program: a few seconds after each change they are written into a private folder (core/store/recovery), and what
// an earlier program left there is offered at the next start.
#pragma once

#include "core/store/recovery.h"
#include "ui/shell/documents.h"

#include <QTimer>

#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace wb::ui {

class Drafts final : public QObject
{
    Q_OBJECT

public:
    /// An empty folder: nothing is kept.
    Drafts(Documents& documents, async::Workers& workers, Log& log, QString folder, QObject* parent = nullptr);
    /// Closing in order: what was given up is not kept.
    ~Drafts() override;

    /// Tells `found` when there are any.
    void look();
    void restore(const store::Orphan& orphan); ///< Opens it as a change that is not saved; it is kept anew before the old one goes.
    void discard(const store::Orphan& orphan);

    /// The longest that a change is not kept, in milliseconds.
    static constexpr int delay = 2000;

Q_SIGNALS:
    void found(const std::vector<wb::store::Orphan>& orphans);

private:
    class Keeper;
    struct Outcome {
        std::optional<Error> error;
        store::Recovery::Found found;
    };
    using Job = std::function<Outcome(Keeper&)>;

    void add(Job job);
    void startNext();
    void finish(const Outcome& outcome);
    void keepAll();

    Documents& m_documents;
    async::Workers& m_workers;
    Log& m_log;
    std::shared_ptr<Keeper> m_keeper; ///< Used by one job at a time; null: nothing is kept.
    std::deque<Job> m_waiting;
    bool m_isRunning = false;
    bool m_hasFailed = false; ///< Told once: a full disk would else be told every two seconds.
    std::set<DocumentId> m_changed;
    QTimer m_timer;
};

} // namespace wb::ui
