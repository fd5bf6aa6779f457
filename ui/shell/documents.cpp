#include "ui/shell/documents.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/schema/pack.h"
#include "core/snapshot/documents.h"
#include "core/store/atomicfile.h"
#include "ui/async/background.h"
#include "ui/models/text.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace wb::ui {

namespace {

constexpr std::uintmax_t largestFile = std::uintmax_t{64} << 20;

Result<FileText> readText(const std::string& path)
{
    auto bytes = base::readFile(path, largestFile);
    if (!bytes)
        return tl::unexpected(std::move(bytes.error()));
    return decoded(*bytes, path);
}

FileStamp stampOf(const QString& path)
{
    const QFileInfo file(path);
    return file.exists() ? FileStamp{file.lastModified(), file.size(), file.isWritable()} : FileStamp{};
}

/// A file and how it stood when it was read or written.
struct Read {
    FileText file;
    FileStamp stamp;
    std::shared_ptr<const syntax::SourceText> source = {};
    std::shared_ptr<Documents::Prepared> prepared = {};
};

Result<Read> readDocument(const QString& path, const Documents::Preparation& preparation)
{
    const FileStamp stamp = stampOf(path); // before: what comes between is then seen as a change
    auto file = readText(path.toStdString());
    if (!file)
        return tl::unexpected(std::move(file.error()));
    Read read{std::move(*file), stamp};
    read.source = std::make_shared<syntax::SourceText>(read.file.text, path.toStdString());
    if (preparation)
        read.prepared = preparation(read.file.text);
    return read;
}

/// The file as it stands now, when it is not what the document was read from or saved as.
bool wasChangedByOthers(const std::string& path, const FileText& saved)
{
    const auto now = readText(path);
    return now && (now->text != saved.text || now->format != saved.format);
}

Result<FileText> write(const std::string& path, const std::string& text, const FileText& before, bool sameFile)
{
    if (sameFile && wasChangedByOthers(path, before)) {
        return failure(ErrorCode::Refused,
                       base::inQuotes(path) +
                           " was changed by another program and was not overwritten; save under another name, or close it "
                           "and open it again.");
    }
    if (auto written = store::writeAtomically(path, encoded(text, before)); !written)
        return tl::unexpected(std::move(written.error()));
    return FileText{text, formatAfter(text, before)};
}

/// `isCluster`: the text is the cluster file that is in use, whatever it looks like.
CheckedPtr checkedText(const std::shared_ptr<const syntax::SourceText>& source, check::Facts facts, const check::Options& options,
                       bool isCluster, std::stop_token stop)
{
    if (isCluster)
        facts.pack = schema::builtInPack("cluster");
    auto out = std::make_shared<check::Checked>(check::check(source, facts, options, std::move(stop)));
    if (!check::isClusterFile(*out))
        return out;
    // Its problems are those of the text that the editor shows, and of no other one behind it.
    for (syntax::Diagnostic& problem : out->diagnostics) {
        problem.source = syntax::Source::Recipe;
        for (syntax::Note& note : problem.notes)
            note.source = syntax::Source::Recipe;
    }
    return out;
}

/// A manifest in the editor: what Kubernetes and Snapshot would find, no jobs.
std::pair<CheckedPtr, ManifestPtr> checkedManifest(const std::shared_ptr<const syntax::SourceText>& source, const CrdsPtr& crds,
                                                   std::size_t version)
{
    const CrdsPtr used = crds ? crds : snapshot::builtinCrds(snapshot::builtinCrdNames().front());
    auto manifest = std::make_shared<const snapshot::CheckedManifest>(snapshot::checkManifest(source, *used));
    auto out = std::make_shared<check::Checked>();
    out->source = source;
    out->version = version;
    out->diagnostics = manifest->findings;
    out->valid = manifest->valid;
    return {std::move(out), std::move(manifest)};
}

} // namespace

Documents::Documents(async::Workers& workers, Log& log, QObject* parent)
    : QObject(parent)
    , m_workers(workers)
    , m_log(log)
    , m_facts(std::make_shared<check::Facts>())
    , m_look(std::chrono::milliseconds(200), [this] { lookForChanges(); })
{
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_look, &async::Debounce::trigger);
}

Documents::~Documents() = default;

std::vector<DocumentId> Documents::ids() const
{
    std::vector<DocumentId> ids;
    for (const auto& [id, entry] : m_entries)
        ids.push_back(id);
    return ids;
}

const Document* Documents::find(DocumentId id) const
{
    const auto found = m_entries.find(id);
    return found == m_entries.end() ? nullptr : &found->second.document;
}

const Document* Documents::find(const QString& path) const
{
    for (const auto& [id, entry] : m_entries) {
        if (!path.isEmpty() && entry.document.path == path)
            return &entry.document;
    }
    return nullptr;
}

const Document* Documents::current() const
{
    return m_current ? find(*m_current) : nullptr;
}

bool Documents::hasModified() const
{
    return std::any_of(m_entries.begin(), m_entries.end(), [](const auto& pair) { return pair.second.document.isModified; });
}

Documents::Entry* Documents::entry(DocumentId id)
{
    const auto found = m_entries.find(id);
    return found == m_entries.end() ? nullptr : &found->second;
}

DocumentId Documents::insert(Document document, DocumentId id, const FileStamp& stamp, std::shared_ptr<Prepared> prepared)
{
    const bool isLatest = !(id < m_inFront);
    document.id = id;
    Entry& entry = m_entries[id];
    entry.document = std::move(document);
    entry.check = std::make_unique<async::LatestJob<Outcome>>(m_workers, [this, id](Outcome result) {
        Entry* at = this->entry(id);
        if (!at || result.checked->version != at->document.version)
            return;
        at->document.checked = std::move(result.checked);
        at->document.manifest = std::move(result.manifest);
        Q_EMIT checked(id);
    });
    watch(entry, stamp);
    entry.prepared = std::move(prepared);
    Q_EMIT opened(id);
    entry.prepared.reset();
    if (isLatest)
        putInFront(id, id);
    startCheck(entry);
    return id;
}

DocumentId Documents::add(std::string text)
{
    Document document;
    document.title = ++m_untitled == 1 ? tr("Untitled") : tr("Untitled %1").arg(m_untitled);
    document.source = std::make_shared<syntax::SourceText>(std::move(text));
    document.isModified = !document.source->text().empty();
    return insert(std::move(document), DocumentId{++m_lastId});
}

void Documents::open(const QString& path, const Target& target)
{
    const QString absolute = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
    const Document* open = find(absolute);
    if (!open)
        return read(absolute, target);
    bringForward(open->id, target, DocumentId{++m_lastId});
}

void Documents::bringForward(DocumentId id, const Target& target, DocumentId request)
{
    Entry* at = entry(id);
    if (!target.variant.empty()) // else as it was, also where that waits for the first check
        at->document.wanted = target.variant;
    if (!(request < m_inFront))
        putInFront(id, request);
    if (!target.variant.empty() && at->document.isCheckCurrent())
        Q_EMIT checked(id);
    showPlace(id, target);
}

void Documents::putInFront(DocumentId id, DocumentId request)
{
    m_inFront = request;
    if (m_current == id || !find(id))
        return;
    m_current = id;
    Q_EMIT currentChanged();
}

/// The text may be one that stays behind: it is at its place when it comes to the front.
void Documents::showPlace(DocumentId id, const Target& target)
{
    if (target.offset)
        Q_EMIT placeRequested(id, *target.offset);
    if (target.unsaved)
        Q_EMIT replaced(id, *target.unsaved);
}

void Documents::read(const QString& path, const Target& target)
{
    async::runInBackground(
        m_workers, this, [path, preparation = m_preparation] { return readDocument(path, preparation); },
        [this, path, target, id = DocumentId{++m_lastId}](Result<Read> read) {
            if (!read)
                return tell(std::move(read.error()).within("Opening"));
            if (const Document* open = find(path))
                return bringForward(open->id, target, id);
            Document document;
            document.path = path;
            document.title = QFileInfo(path).fileName();
            document.source = std::move(read->source);
            document.saved = std::move(read->file);
            document.wanted = target.variant;
            insert(std::move(document), id, read->stamp, std::move(read->prepared));
            showPlace(id, target);
        });
}

void Documents::setCurrent(DocumentId id)
{
    putInFront(id, DocumentId{++m_lastId}); // also against files that were asked for before and are still being read
}

void Documents::setText(DocumentId id, std::string text)
{
    Entry* at = entry(id);
    if (!at || at->document.source->text() == text)
        return;
    Document& document = at->document;
    ++document.version;
    document.source = std::make_shared<syntax::SourceText>(std::move(text), document.path.toStdString());
    const bool modified = document.source->text() != document.saved.text;
    startCheck(*at);
    Q_EMIT textChanged(id);
    if (std::exchange(document.isModified, modified) != modified)
        Q_EMIT stateChanged(id);
}

void Documents::startCheck(Entry& entry)
{
    Document& document = entry.document;
    const bool isCluster = !m_clusterFile.isEmpty() && document.path == m_clusterFile;
    document.isManifest = !isCluster && snapshot::looksLikeManifest(document.source->text());
    if (document.isManifest) {
        entry.check->start([source = document.source, crds = m_crds, version = document.version](std::stop_token) -> Outcome {
            auto [checked, manifest] = checkedManifest(source, crds, version);
            return {std::move(checked), std::move(manifest)};
        });
        return;
    }
    check::Options options{.expansion = {}, .version = document.version};
    options.expansion.settings = document.trial;
    entry.check->start([source = document.source, facts = m_facts, options, isCluster](std::stop_token stop) -> Outcome {
        return {checkedText(source, *facts, options, isCluster, std::move(stop)), nullptr};
    });
}

void Documents::close(DocumentId id)
{
    const auto found = m_entries.find(id);
    if (found == m_entries.end())
        return;
    const bool wasCurrent = m_current == id;
    if (!found->second.document.path.isEmpty())
        m_watcher.removePath(found->second.document.path);
    const auto next = m_entries.erase(found);
    if (wasCurrent) {
        m_current.reset();
        if (next != m_entries.end())
            m_current = next->first;
        else if (!m_entries.empty())
            m_current = m_entries.rbegin()->first;
    }
    Q_EMIT closed(id);
    if (wasCurrent)
        Q_EMIT currentChanged();
}

void Documents::save(DocumentId id, const QString& path, std::function<void(bool)> then)
{
    const Document* document = find(id);
    if (!document)
        return;
    const QString target = path.isEmpty() ? document->path : QFileInfo(path).absoluteFilePath();
    Q_ASSERT(!target.isEmpty());
    async::runInBackground(
        m_workers, this,
        [file = target.toStdString(), source = document->source, saved = document->saved, same = target == document->path] {
            auto written = write(file, source->text(), saved, same);
            return written ? Result<Read>(Read{std::move(*written), stampOf(text(file))})
                           : Result<Read>(tl::unexpected(std::move(written.error())));
        },
        [this, id, target, then = std::move(then)](Result<Read> written) {
            if (written)
                finishSave(id, target, written->file, written->stamp);
            else
                tell(std::move(written.error()).within("Saving"));
            if (then)
                then(written.has_value());
        });
}

void Documents::finishSave(DocumentId id, const QString& path, const FileText& written, const FileStamp& stamp)
{
    Entry* at = entry(id);
    if (!at)
        return;
    Document& document = at->document;
    document.saved = written;
    document.isModified = document.source->text() != written.text;
    document.changedOnDisk.reset();
    if (document.path != path) {
        document.path = path;
        document.title = QFileInfo(path).fileName();
        ++document.version;
        document.source = std::make_shared<syntax::SourceText>(document.source->text(), path.toStdString());
        startCheck(*at);
    }
    watch(*at, stamp);
    m_log.info(tr("Saved %1").arg(path));
    Q_EMIT stateChanged(id);
    Q_EMIT saved(path);
}

void Documents::watch(Entry& entry, const FileStamp& stamp)
{
    entry.seen = stamp;
    entry.document.isWritable = stamp.isWritable;
    entry.document.isGone = !entry.document.path.isEmpty() && stamp.size < 0;
    if (stamp.size >= 0)
        m_watcher.addPath(entry.document.path); // also again: a file that was renamed over is watched no longer
}

void Documents::lookForChanges()
{
    struct Look {
        DocumentId id;
        QString path;
        FileStamp stamp;
        std::optional<FileText> read;
    };
    std::vector<Look> looks;
    for (const auto& [id, entry] : m_entries) {
        if (!entry.document.path.isEmpty())
            looks.push_back({id, entry.document.path, entry.seen, {}});
    }
    if (looks.empty())
        return;
    async::runInBackground(
        m_workers, this,
        [looks = std::move(looks)]() mutable {
            std::vector<Look> changed;
            for (Look& look : looks) {
                const FileStamp stamp = stampOf(look.path);
                if (std::exchange(look.stamp, stamp) == stamp)
                    continue;
                if (stamp.size >= 0) {
                    if (auto read = readText(look.path.toStdString()))
                        look.read = std::move(*read);
                }
                changed.push_back(std::move(look));
            }
            return changed;
        },
        [this](std::vector<Look> changed) {
            for (Look& look : changed) {
                const Document* document = find(look.id);
                if (document && document->path == look.path)
                    takeLook(look.id, look.stamp, std::move(look.read));
            }
        });
}

void Documents::takeLook(DocumentId id, const FileStamp& stamp, std::optional<FileText> read)
{
    Entry& at = *entry(id);
    Document& document = at.document;
    const bool wasGone = document.isGone;
    watch(at, stamp);
    if (document.isGone && !wasGone)
        m_log.warning(tr("%1 is not there any more; saving writes it again.").arg(document.path));
    const bool isSame = !read || (read->text == document.saved.text && read->format == document.saved.format);
    if (isSame) { // what cannot be read now says so when it is saved
        document.changedOnDisk.reset();
    } else if (document.isModified && document.source->text() != read->text) {
        document.changedOnDisk = std::move(read);
    } else {
        document.changedOnDisk = std::move(read);
        m_log.info(tr("%1 was changed by another program and read again.").arg(document.path));
        return takeFromDisk(id);
    }
    Q_EMIT stateChanged(id);
}

void Documents::takeFromDisk(DocumentId id)
{
    Entry* at = entry(id);
    if (!at || !at->document.changedOnDisk)
        return;
    at->document.saved = *std::exchange(at->document.changedOnDisk, std::nullopt);
    const std::string taken = at->document.saved.text;
    Q_EMIT replaced(id, taken);
    setText(id, taken);
    Q_EMIT stateChanged(id);
}

void Documents::keepMine(DocumentId id)
{
    Entry* at = entry(id);
    if (!at || !at->document.changedOnDisk)
        return;
    at->document.saved = *std::exchange(at->document.changedOnDisk, std::nullopt);
    at->document.isModified = at->document.source->text() != at->document.saved.text;
    Q_EMIT stateChanged(id);
}

void Documents::restore(const QString& path, const QString& title, std::string text)
{
    if (!path.isEmpty() && QFileInfo::exists(path))
        return open(path, {.variant = {}, .offset = {}, .unsaved = std::move(text)});
    Document document;
    document.path = path;
    document.title = title;
    document.isGone = !path.isEmpty();
    document.source = std::make_shared<syntax::SourceText>(std::move(text), path.toStdString());
    document.isModified = true;
    insert(std::move(document), DocumentId{++m_lastId});
}

std::string Documents::takeWanted(DocumentId id)
{
    Entry* at = entry(id);
    return at ? std::exchange(at->document.wanted, {}) : std::string();
}

std::shared_ptr<Documents::Prepared> Documents::takePrepared(DocumentId id)
{
    Entry* at = entry(id);
    return at ? std::exchange(at->prepared, nullptr) : nullptr;
}

void Documents::setFacts(FactsPtr facts, const QString& clusterFile)
{
    m_facts = std::move(facts);
    m_clusterFile = clusterFile;
    for (auto& [id, entry] : m_entries) {
        // The text is the same, yet what was found against the old facts is stale.
        ++entry.document.version;
        startCheck(entry);
    }
}

void Documents::setCrds(CrdsPtr crds)
{
    m_crds = std::move(crds);
    for (auto& [id, entry] : m_entries) {
        if (!entry.document.isManifest)
            continue;
        ++entry.document.version; // the text is the same, yet what was found by the old schemas is stale
        startCheck(entry);
    }
}

void Documents::goTo(DocumentId id, std::size_t offset)
{
    if (!find(id))
        return;
    setCurrent(id);
    Q_EMIT placeRequested(id, offset);
}

void Documents::setCursor(DocumentId id, std::size_t offset)
{
    Entry* at = entry(id);
    if (!at || std::exchange(at->cursor, offset) == offset)
        return;
    Q_EMIT cursorMoved(id);
}

std::size_t Documents::cursor(DocumentId id) const
{
    const auto found = m_entries.find(id);
    return found == m_entries.end() ? 0 : found->second.cursor;
}

void Documents::applyFix(DocumentId id, std::size_t version, const syntax::Fix& fix)
{
    const Document* document = find(id);
    if (!document)
        return;
    if (document->version != version) {
        m_log.info(tr("The text changed meanwhile; the fix was not made: %1").arg(text(fix.title)));
        return;
    }
    setCurrent(id);
    Q_EMIT fixRequested(id, fix);
}

bool Documents::change(DocumentId id, std::size_t version, const QString& step, const std::string& text)
{
    const Document* document = find(id);
    if (!document || document->version != version)
        return false;
    Q_EMIT changeRequested(id, step, text);
    return true;
}

void Documents::setTrial(DocumentId id, std::vector<expand::Setting> settings)
{
    Entry* at = entry(id);
    if (!at)
        return;
    at->document.trial = std::move(settings);
    ++at->document.version; // the text is the same, yet what was found without them is stale
    startCheck(*at);
    Q_EMIT stateChanged(id);
}

void Documents::tell(const Error& error)
{
    m_log.error(error);
    Q_EMIT failed(error);
}

} // namespace wb::ui
