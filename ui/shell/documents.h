// The open texts. A text is owned by its editor widget; what stands here is its latest state as UTF-8 with plain line feeds, the version
// that counts its changes, and the latest check. A check runs on a worker after every change; a result for an older text is dropped.
#pragma once

#include "core/check/check.h"
#include "core/snapshot/manifestcheck.h"
#include "ui/async/debounce.h"
#include "ui/async/latestjob.h"
#include "ui/shell/log.h"
#include "ui/shell/textformat.h"

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wb::ui {

enum class DocumentId : std::uint32_t {};

using CheckedPtr = std::shared_ptr<const check::Checked>;
using FactsPtr = std::shared_ptr<const check::Facts>;
using ManifestPtr = std::shared_ptr<const snapshot::CheckedManifest>;
using CrdsPtr = std::shared_ptr<const snapshot::CrdSet>;

/// What to show of a document once it is open.
struct Target {
    std::string variant;                     ///< Suffix or job name to select; empty: as it was.
    std::optional<std::size_t> offset;       ///< Byte offset to go to.
    std::optional<std::string> unsaved = {}; ///< A text that was not saved, to be put over the file's as one step that can be undone.
};

/// What tells a changed file without reading it.
struct FileStamp {
    QDateTime time;
    qint64 size = -1; ///< -1: it is not there.
    bool isWritable = true;

    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

struct Document {
    DocumentId id{};
    QString path;  ///< Absolute; empty for a text that was never saved.
    QString title; ///< File name, or "Untitled 2".
    std::size_t version = 0;
    std::shared_ptr<const syntax::SourceText> source;
    FileText saved; ///< As it stands in the file.
    bool isModified = false;
    bool isWritable = true;                ///< By the file's permissions, when it was read or saved.
    bool isGone = false;                   ///< The file is not there any more; saving writes it again.
    std::optional<FileText> changedOnDisk; ///< What another program wrote, while there are unsaved changes here.
    CheckedPtr checked;                    ///< Of this or an older version; null before the first check is done.
    bool isManifest = false;               ///< The present text is one of Kubernetes: NVIDIA Snapshot's rules hold, not those of recipes.
    ManifestPtr manifest;                  ///< What `checked` found in a manifest; null: it was none.
    std::vector<expand::Setting> trial;    ///< Values that the check puts in, as `--set` does; the text does not have them.
    std::string wanted;                    ///< Suffix or job name to select when the first check is done; see Documents::open.

    /// The check is of the present text.
    [[nodiscard]] bool isCheckCurrent() const { return checked && checked->version == version; }
};

class Documents final : public QObject
{
    Q_OBJECT

public:
    Documents(async::Workers& workers, Log& log, QObject* parent = nullptr);
    ~Documents() override;

    [[nodiscard]] std::vector<DocumentId> ids() const;       ///< In the order in which they were asked for.
    [[nodiscard]] const Document* find(DocumentId id) const; ///< Null when it is closed.
    [[nodiscard]] const Document* find(const QString& path) const;
    [[nodiscard]] const Document* current() const; ///< Null when nothing is open.
    [[nodiscard]] bool hasModified() const;

    /// A new text that has no file yet; becomes the current one.
    DocumentId add(std::string text);
    /// Reads a file on a worker and makes it the current document; one that is open already is made current. Of several the one asked for
    /// last, whichever is read first.
    void open(const QString& path, const Target& target = {});
    void setCurrent(DocumentId id);
    void setText(DocumentId id, std::string text);
    void close(DocumentId id);
    /// Writes on a worker; an empty path means the document's own. `then` is told on the UI thread whether it worked.
    void save(DocumentId id, const QString& path = {}, std::function<void(bool)> then = {});

    /// Looks on a worker whether files were changed by other programs: a document without changes takes the new text (see `replaced`),
    /// for others there is `changedOnDisk`.
    void lookForChanges();
    void takeFromDisk(DocumentId id); ///< The other program's text instead of the unsaved one; can be undone.
    void keepMine(DocumentId id);     ///< The next save writes over what the other program wrote.
    /// A text that was never saved, of a file that may be gone.
    void restore(const QString& path, const QString& title, std::string text);

    /// What `open` was told to select, once; empty: nothing.
    [[nodiscard]] std::string takeWanted(DocumentId id);
    /// What whoever shows texts wants made on the worker that reads one, so that showing it costs the UI thread little.
    struct Prepared {
        Prepared() = default;
        Prepared(const Prepared&) = delete;
        Prepared& operator=(const Prepared&) = delete;
        virtual ~Prepared() = default;
    };
    using Preparation = std::function<std::shared_ptr<Prepared>(const std::string& text)>; ///< Null: nothing for this text.
    void setPreparation(Preparation preparation) { m_preparation = std::move(preparation); }
    /// While `opened` is told: what the preparation made of the text as it was read. Null: nothing.
    [[nodiscard]] std::shared_ptr<Prepared> takePrepared(DocumentId id);

    /// Everything is checked again; the text with the path `clusterFile` is checked as a cluster file.
    void setFacts(FactsPtr facts, const QString& clusterFile = {});
    [[nodiscard]] const FactsPtr& facts() const { return m_facts; }
    /// The schemas that manifests are checked against; null: the newest that are built in. Manifests are checked again.
    void setCrds(CrdsPtr crds);
    [[nodiscard]] const CrdsPtr& crds() const { return m_crds; }

    /// Asks the editor to show a place (byte offset) or to make a fix that was found in the given version of the text.
    void goTo(DocumentId id, std::size_t offset);
    /// Told by the editor: where its cursor is (byte offset).
    void setCursor(DocumentId id, std::size_t offset);
    [[nodiscard]] std::size_t cursor(DocumentId id) const; ///< 0 until it was told.
    void applyFix(DocumentId id, std::size_t version, const syntax::Fix& fix);
    /// Asks the editor to show another text, made from the given version, as one step that can be undone by that name ("Set
    /// benchmark.isl"). False, and nothing done, when the text is another one by now.
    bool change(DocumentId id, std::size_t version, const QString& step, const std::string& text);
    /// Values to try without touching the text: everything is checked with them.
    void setTrial(DocumentId id, std::vector<expand::Setting> settings);

Q_SIGNALS:
    void opened(wb::ui::DocumentId id);
    void closed(wb::ui::DocumentId id);
    void currentChanged();
    void checked(wb::ui::DocumentId id);
    void stateChanged(wb::ui::DocumentId id); ///< Path, title, modified mark, or how it stands with the file.
    void textChanged(wb::ui::DocumentId id);
    void cursorMoved(wb::ui::DocumentId id);
    void replaced(wb::ui::DocumentId id, const std::string& text); ///< The editor is to show this text, as one step that can be undone.
    void changeRequested(wb::ui::DocumentId id, const QString& step, const std::string& text); ///< As `replaced`, with a name.
    void saved(const QString& path);
    void placeRequested(wb::ui::DocumentId id, std::size_t offset);
    void fixRequested(wb::ui::DocumentId id, const wb::syntax::Fix& fix);
    void failed(const wb::Error& error); ///< A file could not be opened or saved.

private:
    struct Outcome {
        CheckedPtr checked;
        ManifestPtr manifest;
    };
    struct Entry {
        Document document;
        FileStamp seen; ///< Of the file when it was looked at last.
        std::unique_ptr<async::LatestJob<Outcome>> check;
        std::size_t cursor = 0;
        std::shared_ptr<Prepared> prepared = {};
    };

    Entry* entry(DocumentId id);
    DocumentId insert(Document document, DocumentId id, const FileStamp& stamp = {}, std::shared_ptr<Prepared> prepared = {});
    void startCheck(Entry& entry);
    void read(const QString& path, const Target& target);
    void bringForward(DocumentId id, const Target& target, DocumentId request);
    void putInFront(DocumentId id, DocumentId request);
    void showPlace(DocumentId id, const Target& target);
    void finishSave(DocumentId id, const QString& path, const FileText& written, const FileStamp& stamp);
    void tell(const Error& error);
    void watch(Entry& entry, const FileStamp& stamp);
    void takeLook(DocumentId id, const FileStamp& stamp, std::optional<FileText> read);

    async::Workers& m_workers;
    Log& m_log;
    FactsPtr m_facts;
    QString m_clusterFile;
    CrdsPtr m_crds;
    Preparation m_preparation;
    std::uint32_t m_lastId = 0;
    /// The latest request that came to the front: files are read side by side, and one that was asked for earlier stays behind. Requests
    /// and documents share one counter.
    DocumentId m_inFront = {};
    int m_untitled = 0;
    std::optional<DocumentId> m_current;
    QFileSystemWatcher m_watcher;
    async::Debounce m_look;
    std::map<DocumentId, Entry> m_entries; ///< Ids grow, so this is the order of opening.
};

} // namespace wb::ui
