#include "ui/shell/drafts.h"

#include "core/base/sha256.h"
#include "ui/async/background.h"
#include "ui/models/text.h"

#include <QDateTime>

#include <algorithm>
#include <atomic>
#include <utility>

namespace wb::ui {

namespace {

std::string keyOf(DocumentId id)
{
    return "doc" + std::to_string(static_cast<std::uint32_t>(id));
}

} // namespace

/// Lives as long as a job needs it; opens the folder with the first one.
class Drafts::Keeper
{
public:
    explicit Keeper(std::string folder)
        : m_folder(std::move(folder))
    {
    }
    ~Keeper()
    {
        if (!m_recovery || !isDone)
            return;
        for (const std::string& key : m_kept)
            m_recovery->drop(key);
    }

    Result<store::Recovery*> recovery()
    {
        if (!m_recovery) {
            auto opened = store::Recovery::open(m_folder);
            if (!opened)
                return tl::unexpected<Error>(opened.error());
            m_recovery.emplace(std::move(*opened));
        }
        return &*m_recovery;
    }
    Result<void> keep(const std::string& key, const store::Draft& draft)
    {
        auto at = recovery();
        if (!at)
            return tl::unexpected<Error>(at.error());
        m_kept.insert(key);
        return (*at)->keep(key, draft);
    }
    void drop(const std::string& key)
    {
        if (m_kept.erase(key) > 0)
            m_recovery->drop(key);
    }

    std::atomic<bool> isDone = false; ///< The program closes in order.

private:
    std::string m_folder;
    std::optional<store::Recovery> m_recovery;
    std::set<std::string> m_kept;
};

Drafts::Drafts(Documents& documents, async::Workers& workers, Log& log, QString folder, QObject* parent)
    : QObject(parent)
    , m_documents(documents)
    , m_workers(workers)
    , m_log(log)
    , m_keeper(folder.isEmpty() ? nullptr : std::make_shared<Keeper>(folder.toStdString()))
{
    if (!m_keeper)
        return;
    m_timer.setSingleShot(true);
    m_timer.setInterval(delay);
    connect(&m_timer, &QTimer::timeout, this, &Drafts::keepAll);
    const auto changed = [this](DocumentId id) {
        m_changed.insert(id);
        if (!m_timer.isActive()) // from the first change on: who types without a pause is kept too
            m_timer.start();
    };
    connect(&documents, &Documents::textChanged, this, changed);
    connect(&documents, &Documents::opened, this, [this, changed](DocumentId id) {
        if (const Document* document = m_documents.find(id); document && document->isModified)
            changed(id);
    });
    connect(&documents, &Documents::stateChanged, this, changed);
    connect(&documents, &Documents::closed, this, changed);
}

Drafts::~Drafts()
{
    if (m_keeper)
        m_keeper->isDone = true;
}

void Drafts::add(Job job)
{
    if (!m_keeper)
        return;
    m_waiting.push_back(std::move(job));
    if (!m_isRunning)
        startNext();
}

void Drafts::startNext()
{
    if (m_waiting.empty())
        return;
    Job job = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_isRunning = true;
    async::runInBackground(
        m_workers, this, [keeper = m_keeper, job = std::move(job)] { return job(*keeper); },
        [this](const Outcome& outcome) {
            m_isRunning = false;
            finish(outcome);
            startNext();
        });
}

void Drafts::finish(const Outcome& outcome)
{
    if (outcome.error && !std::exchange(m_hasFailed, true))
        m_log.error(*outcome.error);
    m_hasFailed = outcome.error.has_value();
    for (const std::string& warning : outcome.found.warnings)
        m_log.warning(text(warning));
    if (!outcome.found.orphans.empty())
        Q_EMIT found(outcome.found.orphans);
}

void Drafts::keepAll()
{
    struct Write {
        std::string key;
        std::shared_ptr<const syntax::SourceText> source; ///< Null: the draft goes.
        std::string saved;
        store::Draft draft;
    };
    std::vector<Write> writes;
    for (const DocumentId id : std::exchange(m_changed, {})) {
        Write write{keyOf(id), nullptr, {}, {}};
        const Document* document = m_documents.find(id);
        if (document && document->isModified) {
            write.source = document->source;
            write.saved = document->saved.text;
            write.draft = {.path = document->path.toStdString(),
                           .title = document->title.toStdString(),
                           .text = {},
                           .base = {},
                           .time = QDateTime::currentSecsSinceEpoch()};
        }
        writes.push_back(std::move(write));
    }
    add([writes = std::move(writes)](Keeper& keeper) {
        Outcome outcome;
        for (const Write& write : writes) {
            if (!write.source) {
                keeper.drop(write.key);
                continue;
            }
            store::Draft draft = write.draft;
            draft.text = write.source->text();
            draft.base = base::sha256Hex(write.saved);
            if (auto kept = keeper.keep(write.key, draft); !kept)
                outcome.error = kept.error();
        }
        return outcome;
    });
}

void Drafts::look()
{
    add([](Keeper& keeper) {
        Outcome outcome;
        if (auto at = keeper.recovery())
            outcome.found = (*at)->orphans();
        else
            outcome.error = at.error();
        return outcome;
    });
}

void Drafts::restore(const store::Orphan& orphan)
{
    m_documents.restore(text(orphan.draft.path), text(orphan.draft.title), orphan.draft.text);
    QTimer::singleShot(2 * delay, this, [this, orphan] { discard(orphan); });
}

void Drafts::discard(const store::Orphan& orphan)
{
    add([orphan](Keeper& keeper) {
        if (auto at = keeper.recovery())
            (*at)->discard(orphan);
        return Outcome();
    });
}

} // namespace wb::ui
