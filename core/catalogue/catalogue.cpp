#include "core/catalogue/catalogue.h"

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/results/archive.h"
#include "core/results/fieldreader.h"
#include "core/results/importreport.h"
#include "core/results/runfacts.h"

#include <QCoreApplication>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QString>
#include <QVariant>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <tuple>
#include <unordered_map>

namespace wb::catalogue {

using results::FileState;
using results::Imported;
using results::ImportedFile;
using results::Point;

namespace {

// ---- schema ----------------------------------------------------------------------------------------------------------------------------

/// A step of the schema. Steps are never changed once released: a new one is added below.
struct Migration {
    int version;
    std::array<const char*, 8> statements; ///< Empty ones at the end.
};

constexpr auto migrations = std::to_array<Migration>({
    {1,
     {"CREATE TABLE runs (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
      "CREATE TABLE files (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, modified INTEGER NOT NULL, "
      "changed INTEGER NOT NULL, sha256 TEXT NOT NULL, stamp TEXT NOT NULL, format TEXT NOT NULL, state TEXT NOT NULL, "
      "reason TEXT NOT NULL)",
      "CREATE TABLE points (id TEXT PRIMARY KEY, file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE, "
      "run INTEGER NOT NULL REFERENCES runs (id), position INTEGER NOT NULL, format TEXT NOT NULL, model TEXT, engine TEXT, hardware TEXT, "
      "concurrency REAL, simulated INTEGER NOT NULL, valid INTEGER NOT NULL, json TEXT NOT NULL)",
      "CREATE INDEX points_by_file ON points (file)", "CREATE INDEX points_by_run ON points (run)"}},
    // What the user says, which stays when files are read again: by path, not by the rows that an import replaces.
    {2,
     {"ALTER TABLE files ADD COLUMN told TEXT NOT NULL DEFAULT ''",
      "CREATE TABLE edits (path TEXT NOT NULL, position INTEGER NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, "
      "PRIMARY KEY (path, position, field)) WITHOUT ROWID",
      "CREATE TABLE notes (run TEXT PRIMARY KEY, note TEXT NOT NULL) WITHOUT ROWID",
      "CREATE TABLE tags (run TEXT NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (run, tag)) WITHOUT ROWID"}},
});
constexpr int newestVersion = migrations.back().version;

constexpr int busyTimeoutMs = 20'000;

// ---- SQL -------------------------------------------------------------------------------------------------------------------------------

QString qt(const std::string& text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QVariant qt(const std::optional<std::string>& text)
{
    return text ? QVariant(qt(*text)) : QVariant();
}

std::string utf8(const QVariant& value)
{
    return value.toString().toStdString();
}

/// What SQLite's primary result codes mean to a person, and what to do about them.
struct Trouble {
    int code;
    const char* what;
    const char* next;
};
constexpr auto troubles = std::to_array<Trouble>({
    {5, "is being written by another program", "try again when that is done"},
    {6, "is being written by another program", "try again when that is done"},
    {8, "may only be read here", "give it write permission, or use another catalogue to import into"},
    {11, "is damaged", "move it away and import the results again"},
    {13, "could not be written, the disk is full", "free some space and try again"},
    {14, "cannot be opened", "check that it is a file, and the permissions of it and of its folder"},
    {26, "is no database", "move it away or use another catalogue"},
});

tl::unexpected<Error> unusable(const std::string& path, std::string_view what, std::string_view next, ErrorCode code = ErrorCode::Refused,
                               std::string detail = {})
{
    return failure(code, "The catalogue " + base::pathInQuotes(path) + ' ' + std::string(what) + "; " + std::string(next) + '.',
                   std::move(detail));
}

tl::unexpected<Error> failed(const QSqlError& error, const std::string& path)
{
    const int code = error.nativeErrorCode().toInt() & 0xff; // the extended codes carry the primary one
    const auto* trouble = std::ranges::find(troubles, code, &Trouble::code);
    if (trouble != troubles.end())
        return unusable(path, trouble->what, trouble->next, ErrorCode::Refused, error.text().toStdString());
    return unusable(path, "failed (" + error.databaseText().toStdString() + ')', "try again, or use another catalogue", ErrorCode::Refused,
                    error.text().toStdString());
}

/// Runs statements of one connection and turns the first failure into an Error that names the file.
class Sql
{
public:
    Sql(const QSqlDatabase& database, std::string path)
        : m_database(database)
        , m_path(std::move(path))
    {
    }

    [[nodiscard]] Result<QSqlQuery> run(const QString& statement, const QVariantList& values = {}) const
    {
        QSqlQuery query(m_database);
        query.setForwardOnly(true);
        if (!query.prepare(statement))
            return failed(query.lastError(), m_path);
        for (const QVariant& value : values)
            query.addBindValue(value);
        if (!query.exec())
            return failed(query.lastError(), m_path);
        return query;
    }

    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    QSqlDatabase m_database;
    std::string m_path;
};

/// Rolls back unless it was committed.
class Transaction
{
public:
    explicit Transaction(const Sql& sql)
        : m_sql(sql)
    {
    }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction()
    {
        if (m_isOpen)
            (void)m_sql.run(QStringLiteral("ROLLBACK"));
    }

    /// Takes the write lock at once, so that two writers wait for each other instead of failing in the middle.
    Result<void> begin()
    {
        const auto begun = m_sql.run(QStringLiteral("BEGIN IMMEDIATE"));
        if (!begun)
            return tl::unexpected<Error>(begun.error());
        m_isOpen = true;
        return {};
    }

    Result<void> commit()
    {
        const auto done = m_sql.run(QStringLiteral("COMMIT"));
        if (!done)
            return tl::unexpected<Error>(done.error());
        m_isOpen = false;
        return {};
    }

private:
    const Sql& m_sql;
    bool m_isOpen = false;
};

Result<int> versionOf(const Sql& sql)
{
    auto tables = sql.run(QStringLiteral("SELECT name FROM sqlite_master WHERE type = 'table'"));
    if (!tables)
        return tl::unexpected<Error>(tables.error());
    bool isEmpty = true;
    bool isOurs = false;
    while (tables->next()) {
        isEmpty = false;
        isOurs = isOurs || utf8(tables->value(0)) == "migrations";
    }
    if (!isEmpty && !isOurs)
        return unusable(sql.path(), "is a database of another program", "move it away or use another catalogue", ErrorCode::Unsupported);
    if (isEmpty)
        return 0;
    auto version = sql.run(QStringLiteral("SELECT max(version) FROM migrations"));
    if (!version)
        return tl::unexpected<Error>(version.error());
    return version->next() ? version->value(0).toInt() : 0;
}

/// Refuses what a newer program wrote.
Result<int> knownVersionOf(const Sql& sql)
{
    auto version = versionOf(sql);
    if (version && *version > newestVersion)
        return unusable(sql.path(),
                        "was written by a newer program (schema " + std::to_string(*version) + ", this one knows " +
                            std::to_string(newestVersion) + ')',
                        "use that program, or another catalogue", ErrorCode::Unsupported);
    return version;
}

bool exists(const std::string& path)
{
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0;
}

/// A copy of what an older program wrote, beside it, so that it can still be had.
Result<void> backUp(const Sql& sql, int version)
{
    const std::string stem = sql.path() + ".schema" + std::to_string(version);
    std::string copy = stem + ".bak";
    for (int i = 2; exists(copy); ++i)
        copy = stem + '.' + std::to_string(i) + ".bak";
    const auto done = sql.run(QStringLiteral("VACUUM INTO ?"), {qt(copy)});
    if (done)
        return {};
    ::unlink(copy.c_str());
    return tl::unexpected<Error>(done.error());
}

/// Brings the schema up to date.
Result<void> migrate(const Sql& sql)
{
    if (const auto older = versionOf(sql); older && *older > 0 && *older < newestVersion)
        if (const auto copied = backUp(sql, *older); !copied)
            return copied;
    Transaction transaction(sql);
    if (const auto begun = transaction.begin(); !begun)
        return begun;
    const auto version = versionOf(sql); // another process may have been faster
    if (!version)
        return tl::unexpected<Error>(version.error());
    const auto made = sql.run(QStringLiteral("CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)"));
    if (!made)
        return tl::unexpected<Error>(made.error());
    for (const Migration& migration : migrations) {
        if (migration.version <= *version)
            continue;
        for (const char* statement : migration.statements)
            if (statement)
                if (const auto done = sql.run(QString::fromUtf8(statement)); !done)
                    return tl::unexpected<Error>(done.error());
        if (const auto done = sql.run(QStringLiteral("INSERT INTO migrations VALUES (?)"), {migration.version}); !done)
            return tl::unexpected<Error>(done.error());
    }
    return transaction.commit();
}

// ---- files -----------------------------------------------------------------------------------------------------------------------------

/// What tells whether a file is the same without reading it.
struct Stat {
    qint64 size = 0;
    qint64 modified = 0; ///< Nanoseconds.
    qint64 changed = 0;

    friend bool operator==(const Stat&, const Stat&) = default;
};

std::optional<Stat> statOf(const std::string& path)
{
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0)
        return std::nullopt;
    const auto nanoseconds = [](const timespec& time) { return static_cast<qint64>(time.tv_sec) * 1'000'000'000 + time.tv_nsec; };
    return Stat{status.st_size, nanoseconds(status.st_mtim), nanoseconds(status.st_ctim)};
}

/// A row of `files`.
struct Known {
    Stat stat;
    std::string sha256, stamp, format, state, reason, told;
    std::size_t points = 0;
};
using KnownFiles = std::unordered_map<std::string, Known>;

Result<KnownFiles> knownFiles(const Sql& sql)
{
    auto rows = sql.run(QStringLiteral("SELECT path, size, modified, changed, sha256, stamp, format, state, reason, told, "
                                       "(SELECT count(*) FROM points WHERE points.file = files.id) FROM files"));
    if (!rows)
        return tl::unexpected<Error>(rows.error());
    KnownFiles known;
    while (rows->next())
        known.emplace(utf8(rows->value(0)), Known{{rows->value(1).toLongLong(), rows->value(2).toLongLong(), rows->value(3).toLongLong()},
                                                  utf8(rows->value(4)),
                                                  utf8(rows->value(5)),
                                                  utf8(rows->value(6)),
                                                  utf8(rows->value(7)),
                                                  utf8(rows->value(8)),
                                                  utf8(rows->value(9)),
                                                  static_cast<std::size_t>(rows->value(10).toLongLong())});
    return known;
}

/// A listed file with what the catalogue and the disk say about it.
struct Candidate {
    std::string path;  ///< Absolute, and without links: a file is one file by whichever path it is reached.
    std::string alias; ///< The path of a link by which an older program kept the same file; else empty. Its row goes.
    std::optional<Stat> stat;
    std::string stamp;
    const Known* known = nullptr;
    bool isByAlias = false; ///< `known` is the row of the alias: there is none of the path.
    bool isSame = false;    ///< By size, times and stamp.

    [[nodiscard]] const std::string& knownPath() const { return isByAlias ? alias : path; }
};

std::vector<Candidate> candidatesOf(std::vector<ImportedFile>& files, const KnownFiles& known, const std::string& given)
{
    const bool isReset = given == automaticFormat;
    const std::string toldFormat = isReset ? std::string() : given;
    results::RunFinder finder;
    std::vector<Candidate> candidates(files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!files[i].isToBeRead())
            continue;
        Candidate& candidate = candidates[i];
        const std::string shown = results::absolutePath(files[i].path);
        candidate.path = files[i].real.empty() ? results::realPath(shown) : files[i].real;
        candidate.stat = statOf(candidate.path);
        candidate.stamp = finder.stampFor(shown);
        auto found = known.find(candidate.path);
        if (const auto linked = shown == candidate.path ? known.end() : known.find(shown); linked != known.end()) {
            candidate.alias = shown;
            candidate.isByAlias = found == known.end();
            found = candidate.isByAlias ? linked : found;
        }
        candidate.known = found == known.end() ? nullptr : &found->second;
        candidate.isSame = candidate.known && !candidate.isByAlias && candidate.stat == candidate.known->stat &&
                           candidate.stamp == candidate.known->stamp && (toldFormat.empty() || toldFormat == candidate.known->told);
        // What was said of the files in an archive is not known: it is read again.
        const bool forgetsFormat =
            isReset && candidate.known && (!candidate.known->told.empty() || candidate.known->format == results::archiveFormat);
        candidate.isSame = candidate.isSame && !forgetsFormat;
        if (candidate.known && toldFormat.empty() && !forgetsFormat)
            files[i].toldFormat = candidate.known->told; // what the user said once holds
    }
    return candidates;
}

/// What the user said of the format does not hold for the file, which was looked into: now or before.
void adviseOnFormat(ImportedFile& file, bool isSaidNow, const std::string& saidBefore)
{
    constexpr std::string_view now = " Nothing was changed; import it without --as, or with \"--as auto\", to have its format found.";
    constexpr std::string_view before = " That was said before; import it with \"--as auto\" to have its format found.";
    if (file.state != FileState::Refused || file.unreadable || file.format.empty())
        return;
    if (isSaidNow)
        file.reason += now;
    else if (!saidBefore.empty() && !file.reason.ends_with(before))
        file.reason += before;
}

/// The files of an archive that gave the points it has in the catalogue.
Result<std::set<std::string>> sourcesIn(const Sql& sql, const std::string& archive)
{
    auto rows = sql.run(QStringLiteral("SELECT json FROM points JOIN files ON files.id = points.file WHERE files.path = ?"), {qt(archive)});
    if (!rows)
        return tl::unexpected<Error>(rows.error());
    std::set<std::string> sources;
    while (rows->next())
        if (const auto value = base::json::read(utf8(rows->value(0))); value && value->find("source") && value->find("source")->string())
            sources.insert(results::realPath(*value->find("source")->string()));
    return sources;
}

/// Refuses an archive that was said to be of a format, when a file in it that gave points before does not have the form of it: the points
/// would be gone.
Result<void> refuseLoss(const Sql& sql, ImportedFile& file, const Candidate& candidate, const std::string& toldFormat)
{
    if (file.format != results::archiveFormat || file.state != FileState::Imported || !candidate.known || candidate.known->points == 0)
        return {};
    const auto sources = sourcesIn(sql, candidate.knownPath());
    if (!sources)
        return tl::unexpected<Error>(sources.error());
    const auto isLost = [&](const ImportedFile& each) { return each.state == FileState::Refused && sources->contains(each.real); };
    const auto lost = std::ranges::find_if(file.inside, isLost);
    if (lost == file.inside.end())
        return {};
    file.state = FileState::Refused;
    file.points.clear();
    file.reason = base::pathInQuotes(lost->path) + ", which gave points before, does not have the form of " +
                  std::string(results::findImporter(toldFormat)->title) + '.';
    return {};
}

/// Gives a file that was not read again the verdict it had.
void recall(ImportedFile& file, const Known& known)
{
    file.format = known.format;
    file.kept = known.points;
    const FileState state = results::stateNamed(known.state).value_or(FileState::Refused);
    file.state = state == FileState::Imported ? FileState::Unchanged : state;
    file.reason = known.reason;
    file.points.clear();
    file.warnings.clear();
}

// ---- points ----------------------------------------------------------------------------------------------------------------------------

/// Paths of a stored point are absolute, so that it is read from anywhere, and without links, so that files of one run are of one folder.
class RealPaths
{
public:
    Point of(Point point)
    {
        make(point.source);
        make(point.folder);
        for (auto& [field, origin] : point.origins)
            make(origin.file);
        return point;
    }

private:
    void make(std::string& path)
    {
        if (path.empty())
            return;
        const auto [known, isNew] = m_known.try_emplace(path);
        if (isNew)
            known->second = results::realPath(path);
        path = known->second;
    }

    std::unordered_map<std::string, std::string> m_known;
};

struct Statement {
    QString text;
    QVariantList values;
};

/// Position -1 stands for all points of the file. Nothing takes the edit back.
Statement editStatement(const std::string& path, qlonglong position, const std::string& field, const std::optional<std::string>& text)
{
    if (text)
        return {QStringLiteral("INSERT OR REPLACE INTO edits VALUES (?, ?, ?, ?)"), {qt(path), position, qt(field), qt(*text)}};
    return {QStringLiteral("DELETE FROM edits WHERE path = ? AND position = ? AND field = ?"), {qt(path), position, qt(field)}};
}

class Writer
{
public:
    explicit Writer(const Sql& sql)
        : m_sql(sql)
    {
    }

    /// What an older program kept of the same file under a link; what was said of it holds on.
    Result<void> takeOver(const Candidate& candidate)
    {
        if (candidate.alias.empty())
            return {};
        if (const auto removed = removeFile(candidate.alias); !removed)
            return removed;
        return moveEdits(candidate.alias, candidate.path);
    }

    Result<void> replace(const ImportedFile& file, const Candidate& candidate)
    {
        if (const auto removed = removeFile(candidate.path); !removed)
            return removed;
        const Stat stat = candidate.stat.value_or(Stat{});
        auto row = m_sql.run(QStringLiteral("INSERT INTO files (path, size, modified, changed, sha256, stamp, format, state, reason, told) "
                                            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
                             {qt(candidate.path), stat.size, stat.modified, stat.changed, qt(file.sha256), qt(candidate.stamp),
                              qt(file.format), qt(std::string(results::name(file.state))), qt(file.reason), qt(file.toldFormat)});
        if (!row)
            return tl::unexpected<Error>(row.error());
        const QVariant id = row->lastInsertId();
        for (const Point& point : file.points)
            if (const auto added = add(point, id); !added)
                return added;
        return {};
    }

    Result<void> touch(const Candidate& candidate)
    {
        const auto done = m_sql.run(QStringLiteral("UPDATE files SET size = ?, modified = ?, changed = ? WHERE path = ?"),
                                    {candidate.stat->size, candidate.stat->modified, candidate.stat->changed, qt(candidate.path)});
        if (!done)
            return tl::unexpected<Error>(done.error());
        return {};
    }

    Result<void> run(const Statement& statement)
    {
        const auto done = m_sql.run(statement.text, statement.values);
        if (!done)
            return tl::unexpected<Error>(done.error());
        return {};
    }

    Result<void> removeEmptyRuns()
    {
        const auto done = m_sql.run(QStringLiteral("DELETE FROM runs WHERE id NOT IN (SELECT run FROM points)"));
        if (!done)
            return tl::unexpected<Error>(done.error());
        return {};
    }

private:
    Result<void> removeFile(const std::string& path)
    {
        const auto removed = m_sql.run(QStringLiteral("DELETE FROM files WHERE path = ?"), {qt(path)});
        return removed ? Result<void>() : tl::unexpected<Error>(removed.error());
    }

    /// Those of the files in an archive, too.
    Result<void> moveEdits(const std::string& from, const std::string& to)
    {
        const auto moved = m_sql.run(QStringLiteral("UPDATE OR REPLACE edits SET path = ? || substr(path, length(?) + 1) "
                                                    "WHERE path = ? OR (path >= ? AND path < ?)"),
                                     {qt(to), qt(from), qt(from), qt(from + '/'), qt(from + '0')});
        return moved ? Result<void>() : tl::unexpected<Error>(moved.error());
    }

    Result<QVariant> runId(const std::string& name)
    {
        if (const auto found = m_runs.find(name); found != m_runs.end())
            return found->second;
        if (const auto made = m_sql.run(QStringLiteral("INSERT OR IGNORE INTO runs (name) VALUES (?)"), {qt(name)}); !made)
            return tl::unexpected<Error>(made.error());
        auto row = m_sql.run(QStringLiteral("SELECT id FROM runs WHERE name = ?"), {qt(name)});
        if (!row)
            return tl::unexpected<Error>(row.error());
        row->next();
        return m_runs.emplace(name, row->value(0)).first->second;
    }

    Result<void> add(const Point& given, const QVariant& file)
    {
        const Point point = m_paths.of(given);
        const auto run = runId(point.run.text);
        if (!run)
            return tl::unexpected<Error>(run.error());
        const auto added = m_sql.run(
            QStringLiteral(
                "INSERT OR REPLACE INTO points (id, file, run, position, format, model, engine, hardware, concurrency, simulated, "
                "valid, json) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
            {qt(point.id.text), file, *run, static_cast<qlonglong>(point.document), qt(point.format), qt(point.model), qt(point.engine),
             qt(point.hardware), point.concurrency ? QVariant(*point.concurrency) : QVariant(), point.simulated ? 1 : 0,
             point.valid ? 1 : 0, qt(base::json::write(results::toStoredJson(point), 0))});
        if (!added)
            return tl::unexpected<Error>(added.error());
        return {};
    }

    const Sql& m_sql;
    std::unordered_map<std::string, QVariant> m_runs;
    RealPaths m_paths;
};

/// The files of these indices, in one transaction, and what was kept of them, or of unchanged ones, under links.
Result<void> write(const Sql& sql, std::vector<ImportedFile>& files, const std::vector<Candidate>& candidates,
                   const std::vector<std::size_t>& changed, const results::Told& told)
{
    Transaction transaction(sql);
    if (const auto begun = transaction.begin(); !begun)
        return begun;
    Writer writer(sql);
    for (const std::size_t index : changed) {
        const Candidate& candidate = candidates[index];
        ImportedFile& file = files[index];
        const Known* known = candidate.known;
        const bool isTouched = known && !candidate.isByAlias && candidate.stat && !file.sha256.empty() && known->sha256 == file.sha256 &&
                               known->stamp == candidate.stamp && known->told == file.toldFormat;
        if (isTouched)
            recall(file, *known);
        if (const auto taken = writer.takeOver(candidate); !taken)
            return taken;
        if (const auto written = isTouched ? writer.touch(candidate) : writer.replace(file, candidate); !written)
            return written;
    }
    for (const Candidate& candidate : candidates)
        if (candidate.isSame)
            if (const auto taken = writer.takeOver(candidate); !taken)
                return taken;
    for (std::size_t i = 0; i < files.size(); ++i)
        if (files[i].state == FileState::Imported || files[i].state == FileState::Unchanged)
            for (const auto& [field, text] : told.fields)
                if (const auto set = writer.run(editStatement(candidates[i].path, -1, field, text)); !set)
                    return set;
    if (const auto cleaned = writer.removeEmptyRuns(); !cleaned)
        return cleaned;
    return transaction.commit();
}

// ---- what the user says
// ------------------------------------------------------------------------------------------------------------------

struct Edit {
    qlonglong position = -1;
    std::string field, text;
};
/// By path; those for all points of a file before those for one.
using Edits = std::unordered_map<std::string, std::vector<Edit>>;

Result<Edits> storedEdits(const Sql& sql)
{
    auto rows = sql.run(QStringLiteral("SELECT path, position, field, value FROM edits ORDER BY path, position, field"));
    if (!rows)
        return tl::unexpected<Error>(rows.error());
    Edits edits;
    while (rows->next())
        edits[utf8(rows->value(0))].push_back({rows->value(1).toLongLong(), utf8(rows->value(2)), utf8(rows->value(3))});
    return edits;
}

/// Of an archive's point the edits of the archive hold, too: its path stands before the point's own.
void applyEdits(const Edits& edits, const std::string& file, const std::string& source, Point& point)
{
    if (edits.empty())
        return;
    for (const std::string* path : {&file, &source}) {
        const auto found = edits.find(*path);
        if (found == edits.end() || (path == &source && source == file))
            continue;
        for (const Edit& edit : found->second)
            if (edit.position < 0 || static_cast<std::size_t>(edit.position) == point.document)
                (void)results::setByUser(point, edit.field, edit.text); // was checked when it was taken in
    }
}

Result<std::map<std::string, RunNotes>> storedNotes(const Sql& sql)
{
    std::map<std::string, RunNotes> all;
    auto notes = sql.run(QStringLiteral("SELECT run, note FROM notes"));
    if (!notes)
        return tl::unexpected<Error>(notes.error());
    while (notes->next())
        all[utf8(notes->value(0))].note = utf8(notes->value(1));
    auto tags = sql.run(QStringLiteral("SELECT run, tag FROM tags ORDER BY run, tag"));
    if (!tags)
        return tl::unexpected<Error>(tags.error());
    while (tags->next())
        all[utf8(tags->value(0))].tags.push_back(utf8(tags->value(1)));
    return all;
}

} // namespace

namespace {

constexpr auto sideFiles = std::to_array<std::string_view>({"-wal", "-shm", "-journal"});

std::string folderOf(const std::string& path)
{
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

/// Why an existing file cannot be written: SQLite needs its folder, too. Empty when it can.
std::string whyNotWritable(const std::string& path)
{
    for (const std::string& each : {path, folderOf(path)})
        if (::access(each.c_str(), W_OK) != 0)
            return base::lowered(std::generic_category().message(errno));
    return {};
}

/// As SQLite takes a file when more must be said about it than its path.
QString uriOf(const std::string& path, bool isQuiet)
{
    const QByteArray encoded = QByteArray::fromStdString(results::absolutePath(path)).toPercentEncoding("/");
    return QStringLiteral("file:") + QString::fromLatin1(encoded) + QStringLiteral("?mode=ro") +
           (isQuiet ? QStringLiteral("&immutable=1") : QString());
}

/// Nobody has it open: then it can be read without the files that SQLite makes beside it.
bool isQuiet(const std::string& path)
{
    return std::ranges::none_of(sideFiles, [&](std::string_view suffix) { return exists(path + std::string(suffix)); });
}

} // namespace

struct Catalogue::Private {
    QString connection;
    std::string path;
    std::string whyReadOnly;
    std::optional<Stat> quiet; ///< Read as a file that nobody writes, which was so when it looked like this.
    bool isNew = false;        ///< Made by this object, and nothing was written yet.
    bool removes = false;      ///< The file goes again.

    Private() = default;
    Private(const Private&) = delete;
    Private& operator=(const Private&) = delete;
    ~Private()
    {
        close();
        if (!removes)
            return;
        ::unlink(path.c_str());
        for (const std::string_view suffix : sideFiles)
            ::unlink((path + std::string(suffix)).c_str());
    }

    void close()
    {
        if (connection.isEmpty())
            return;
        QSqlDatabase::database(connection, false).close();
        QSqlDatabase::removeDatabase(connection);
        connection.clear();
    }

    Result<void> connect(const QString& name, const QString& options)
    {
        static std::atomic<unsigned> counter = 0;
        close();
        connection = QStringLiteral("srtwb-catalogue-%1").arg(counter++);
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), connection);
        if (!database.isValid())
            return unusable(path, "cannot be opened, Qt has no driver for SQLite", "install libqt6sql6-sqlite", ErrorCode::Unsupported);
        database.setDatabaseName(name);
        database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=%1").arg(busyTimeoutMs) + options);
        if (!database.open())
            return failed(database.lastError(), path);
        return {};
    }

    Result<void> connectForReading()
    {
        quiet = isQuiet(path) ? statOf(path) : std::nullopt;
        if (auto connected = connect(uriOf(path, quiet.has_value()), QStringLiteral(";QSQLITE_OPEN_READONLY;QSQLITE_OPEN_URI")); !connected)
            return connected;
        const auto version = knownVersionOf(sql());
        return version ? Result<void>() : tl::unexpected<Error>(version.error());
    }

    Result<void> connectForWriting()
    {
        if (auto connected = connect(qt(path), {}); !connected)
            return connected;
        const auto version = knownVersionOf(sql()); // first: a file that is not ours must not be changed by a pragma
        if (!version)
            return tl::unexpected<Error>(version.error());
        (void)sql().run(QStringLiteral("PRAGMA journal_mode = WAL")); // some network file systems cannot; without, it is only slower
        for (const auto& pragma : {QStringLiteral("PRAGMA synchronous = NORMAL"), QStringLiteral("PRAGMA foreign_keys = ON")})
            if (const auto done = sql().run(pragma); !done)
                return tl::unexpected<Error>(done.error());
        return *version == newestVersion ? Result<void>() : migrate(sql());
    }

    /// A catalogue that this object made and could not fill is no use to anybody.
    void removeIfEmpty()
    {
        if (!isNew)
            return;
        auto files = sql().run(QStringLiteral("SELECT count(*) FROM files"));
        removes = files && files->next() && files->value(0).toInt() == 0;
    }

    [[nodiscard]] Result<void> checkWritable() const
    {
        return whyReadOnly.empty() ? Result<void>()
                                   : unusable(path, "may only be read (" + whyReadOnly + ')',
                                              "give it write permission, or use another catalogue to import into", ErrorCode::Denied);
    }

    [[nodiscard]] Sql sql() const { return {QSqlDatabase::database(connection, false), path}; }
};

Catalogue::Catalogue(std::unique_ptr<Private> data)
    : d(std::move(data))
{
}

Catalogue::Catalogue(Catalogue&&) noexcept = default;
Catalogue& Catalogue::operator=(Catalogue&&) noexcept = default;
Catalogue::~Catalogue() = default;

const std::string& Catalogue::whyReadOnly() const
{
    return d->whyReadOnly;
}

Result<Catalogue> Catalogue::open(const std::string& path, Access access)
{
    if (!QCoreApplication::instance())
        return unusable(path, "cannot be opened, as the program made no QCoreApplication", "Qt has no driver for SQLite without one",
                        ErrorCode::Unsupported);
    auto data = std::make_unique<Private>();
    data->path = path;
    const bool isThere = exists(path);
    if (access == Access::Read && !isThere)
        return failure(ErrorCode::NotFound, "There is no catalogue at " + base::pathInQuotes(path) + '.', path);
    // SQLite would wait for ever on a pipe, and takes a device for an empty catalogue.
    if (std::error_code none; isThere && !std::filesystem::is_regular_file(path, none))
        return unusable(path,
                        std::filesystem::is_directory(path, none) ? "cannot be opened, it is a folder"
                                                                  : "cannot be opened, it is no regular file",
                        "name a file");
    data->whyReadOnly = access == Access::Read ? "it was opened to be read" : isThere ? whyNotWritable(path) : std::string();
    if (!data->whyReadOnly.empty()) {
        if (const auto opened = data->connectForReading(); !opened)
            return tl::unexpected<Error>(opened.error());
        return Catalogue(std::move(data));
    }
    std::error_code ignored; // a folder that cannot be made shows when the file is opened
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    data->isNew = !isThere;
    if (const auto opened = data->connectForWriting(); !opened) {
        data->removes = data->isNew;
        return tl::unexpected<Error>(opened.error());
    }
    return Catalogue(std::move(data));
}

Result<Imported> Catalogue::import(const std::vector<std::string>& paths, const results::Progress& progress, std::stop_token stop)
{
    results::ImportOptions options;
    options.progress = progress;
    return import(paths, options, std::move(stop));
}

namespace {

Result<std::vector<Point>> storedPoints(const Sql& sql);

/// Of the files just read those whose results the catalogue has from elsewhere, too, say so: they count once.
Result<void> tellCopies(const Sql& sql, std::vector<ImportedFile>& files, const std::vector<Candidate>& candidates,
                        const std::vector<std::size_t>& changed)
{
    const auto stored = storedPoints(sql);
    if (!stored)
        return tl::unexpected<Error>(stored.error());
    std::unordered_map<std::string, std::size_t> byPath;
    for (const std::size_t index : changed)
        byPath.emplace(candidates[index].path, index);
    const auto ownerOf = [&](std::string path) {
        for (; !path.empty(); path.resize(path.find_last_of('/') == std::string::npos ? 0 : path.find_last_of('/')))
            if (const auto found = byPath.find(path); found != byPath.end())
                return std::optional(found->second);
        return std::optional<std::size_t>();
    };
    std::map<std::size_t, std::pair<std::size_t, std::string>> copies; // by file: how many, and one of the other places
    for (const results::Double& each : results::doublesAmong(*stored)) {
        if (!each.sameAs)
            continue;
        const std::string& dropped = (*stored)[each.index].source;
        const std::string& kept = (*stored)[*each.sameAs].source;
        const auto isOfDropped = ownerOf(dropped);
        const auto owner = isOfDropped ? isOfDropped : ownerOf(kept);
        if (!owner)
            continue;
        auto& [count, elsewhere] = copies[*owner];
        ++count;
        elsewhere = isOfDropped ? kept : dropped;
    }
    for (const auto& [index, copy] : copies)
        files[index].warnings.push_back(std::to_string(copy.first) +
                                        (copy.first == 1 ? " of its points is that of " : " of its points are those of ") +
                                        base::pathInQuotes(copy.second) + ", and counts once.");
    return {};
}

} // namespace

Result<Imported> Catalogue::import(const std::vector<std::string>& paths, const results::ImportOptions& given, std::stop_token stop)
{
    Point probe; // an edit that cannot be is refused before anything is read
    for (const auto& [field, text] : given.told.fields)
        if (const auto set = results::setByUser(probe, field, text); !set)
            return tl::unexpected<Error>(set.error());
    if (const auto writable = d->checkWritable(); !writable)
        return tl::unexpected<Error>(writable.error());
    const Sql sql = d->sql();
    const auto known = knownFiles(sql);
    if (!known)
        return tl::unexpected<Error>(known.error());
    std::vector<ImportedFile> listed = results::listFiles(paths);
    const std::vector<Candidate> candidates = candidatesOf(listed, *known, given.told.format);
    std::set<std::string> same;
    for (std::size_t i = 0; i < listed.size(); ++i)
        if (candidates[i].isSame)
            same.insert(listed[i].path);
    results::ImportOptions options = given;
    options.skip = [&](const std::filesystem::path& path) { return same.contains(path.native()); };
    const bool isFormatTold = !given.told.format.empty() && given.told.format != automaticFormat;
    if (!isFormatTold)
        options.told.format.clear();
    options.told.fields.clear(); // kept apart from what the files say
    Imported imported = results::importFiles(std::move(listed), options, stop);
    if (stop.stop_requested())
        return failure(ErrorCode::Cancelled, "The import was stopped.");

    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < imported.files.size(); ++i) {
        ImportedFile& file = imported.files[i];
        if (candidates[i].isSame)
            recall(file, *candidates[i].known);
        else if (isFormatTold)
            if (const auto looked = refuseLoss(sql, file, candidates[i], options.told.format); !looked)
                return tl::unexpected<Error>(looked.error());
        // A format that was said now and is wrong is not remembered. Other files are told by their names, or not there now.
        const bool isWrongNow = isFormatTold && !candidates[i].isSame && file.state == FileState::Refused;
        if (!isWrongNow && !candidates[i].isSame && !candidates[i].path.empty() && !file.unreadable)
            changed.push_back(i); // of the others what the catalogue has stays
        adviseOnFormat(file, isWrongNow, candidates[i].known ? candidates[i].known->told : std::string());
    }
    const bool isTakenOver = std::ranges::any_of(candidates, [](const Candidate& each) { return each.isSame && !each.alias.empty(); });
    if (changed.empty() && !isTakenOver && given.told.fields.empty()) { // nothing to wait for another writer for
        d->removeIfEmpty();
        return imported;
    }
    if (const auto written = write(sql, imported.files, candidates, changed, given.told); !written) {
        d->removeIfEmpty();
        return tl::unexpected<Error>(written.error());
    }
    d->isNew = false;
    // Those that were only touched have what they had: all that is stored is not read for them.
    std::erase_if(changed, [&](std::size_t index) { return imported.files[index].state == FileState::Unchanged; });
    if (changed.empty())
        return imported;
    const auto isArchive = [](const auto& entry) { return entry.second.format == results::archiveFormat; };
    const auto isReadArchive = [&](std::size_t index) { return imported.files[index].format == results::archiveFormat; };
    if (std::ranges::any_of(changed, isReadArchive) || std::ranges::any_of(*known, isArchive))
        if (const auto told = tellCopies(sql, imported.files, candidates, changed); !told)
            return tl::unexpected<Error>(told.error());
    const auto edits = storedEdits(sql);
    if (!edits)
        return tl::unexpected<Error>(edits.error());
    for (std::size_t i = 0; i < imported.files.size(); ++i)
        for (Point& point : imported.files[i].points) {
            if (!edits->empty())
                applyEdits(*edits, candidates[i].path, results::realPath(point.source), point);
            results::judge(point, given.gate);
        }
    return imported;
}

namespace {

Result<std::vector<Point>> storedPoints(const Sql& sql)
{
    const auto version = versionOf(sql);
    if (!version || *version == 0)
        return version ? Result<std::vector<Point>>() : tl::unexpected<Error>(version.error());
    auto rows = sql.run(
        QStringLiteral("SELECT points.json, files.path, files.format, files.sha256 FROM points JOIN files ON files.id = points.file "
                       "ORDER BY files.path, position"));
    if (!rows)
        return tl::unexpected<Error>(rows.error());
    // A catalogue of an older program that is only read has no such tables.
    const auto edits = *version >= 2 ? storedEdits(sql) : Edits();
    const auto notes = *version >= 2 ? storedNotes(sql) : std::map<std::string, RunNotes>();
    if (!edits || !notes)
        return tl::unexpected<Error>(edits ? notes.error() : edits.error());
    std::vector<Point> all;
    while (rows->next()) {
        const std::string text = utf8(rows->value(0));
        const auto value = base::json::read(text);
        auto point = value ? results::pointFromJson(*value) : tl::unexpected<Error>(value.error());
        if (!point)
            return unusable(sql.path(), "holds a point that cannot be read", "move it away and import the results again",
                            ErrorCode::Malformed, point.error().message);
        if (point->content.empty() && utf8(rows->value(2)) != results::archiveFormat)
            point->content = utf8(rows->value(3));
        results::dropZeroCounts(*point);
        applyEdits(*edits, utf8(rows->value(1)), point->source, *point);
        results::judge(*point); // by the rules of this program, whichever stored it
        if (const auto found = notes->find(point->run.text); found != notes->end()) {
            point->tags = found->second.tags;
            point->userNote = found->second.note;
        }
        all.push_back(std::move(*point));
    }
    return all;
}

} // namespace

Result<std::vector<Point>> Catalogue::points() const
{
    Result<std::vector<Point>> stored = storedPoints(d->sql());
    // Somebody began to write while it was read as a file that nobody writes: what was read may be of two states.
    constexpr int attempts = 3;
    for (int i = 0; i < attempts && d->quiet && (!isQuiet(d->path) || statOf(d->path) != d->quiet); ++i) {
        if (const auto again = d->connectForReading(); !again)
            return tl::unexpected<Error>(again.error());
        stored = storedPoints(d->sql());
    }
    if (!stored)
        return stored;
    std::vector<Point> kept = results::withoutDoubles(*std::move(stored));
    // File names put a concurrency of 128 before one of 16.
    std::stable_sort(kept.begin(), kept.end(), [](const Point& a, const Point& b) {
        return std::tie(a.run.text, a.isl, a.osl, a.concurrency) < std::tie(b.run.text, b.isl, b.osl, b.concurrency);
    });
    return kept;
}

Result<void> Catalogue::forget(const std::vector<std::string>& sources)
{
    if (auto writable = d->checkWritable(); !writable)
        return writable;
    const Sql sql = d->sql();
    Transaction transaction(sql);
    if (const auto begun = transaction.begin(); !begun)
        return begun;
    for (const std::string& source : sources) {
        for (std::string path : {results::realPath(source), results::absolutePath(source)}) { // by the other one in older catalogues
            if (path.size() > 1 && path.ends_with('/'))
                path.pop_back();
            // Everything below a folder begins with its path and a slash; '0' is the character after '/'.
            const auto done = sql.run(QStringLiteral("DELETE FROM files WHERE path = ? OR (path >= ? AND path < ?)"),
                                      {qt(path), qt(path + '/'), qt(path + '0')});
            if (!done)
                return tl::unexpected<Error>(done.error());
        }
    }
    if (const auto cleaned = Writer(sql).removeEmptyRuns(); !cleaned)
        return cleaned;
    return transaction.commit();
}

namespace {

/// The file is in the catalogue under that path, or as one in an archive that is.
Result<bool> isKnown(const Sql& sql, std::string path)
{
    while (path.size() > 1) {
        auto rows = sql.run(QStringLiteral("SELECT 1 FROM files WHERE path = ?"), {qt(path)});
        if (!rows)
            return tl::unexpected<Error>(rows.error());
        if (rows->next())
            return true;
        const std::size_t slash = path.find_last_of('/');
        path.resize(slash == std::string::npos ? 0 : slash);
    }
    return false;
}

/// The paths under which what is said of a file is stored: those by which the catalogue knows it. An older program kept files under links,
/// and a folder may have been moved and a link put in its place since.
Result<std::vector<std::string>> editKeys(const Sql& sql, const std::string& source)
{
    const std::string real = results::realPath(source);
    std::set<std::string> keys;
    for (const std::string& path : {real, results::absolutePath(source)}) {
        const auto known = isKnown(sql, path);
        if (!known)
            return tl::unexpected<Error>(known.error());
        if (*known)
            keys.insert(path);
    }
    if (!keys.empty())
        return std::vector<std::string>(keys.begin(), keys.end());
    auto rows = sql.run(QStringLiteral("SELECT path FROM files"));
    if (!rows)
        return tl::unexpected<Error>(rows.error());
    while (rows->next()) {
        const std::string stored = utf8(rows->value(0));
        const std::string target = results::realPath(stored);
        if (real == target || real.starts_with(target + '/'))
            return std::vector{stored + real.substr(target.size())};
    }
    return std::vector{real}; // not read yet
}

/// Runs statements in one transaction.
Result<void> runAll(const Sql& sql, const std::vector<Statement>& statements)
{
    Transaction transaction(sql);
    if (const auto begun = transaction.begin(); !begun)
        return begun;
    Writer writer(sql);
    for (const Statement& statement : statements)
        if (const auto done = writer.run(statement); !done)
            return done;
    return transaction.commit();
}

} // namespace

Result<void> Catalogue::edit(const std::string& source, std::optional<std::size_t> document, const std::string& field,
                             const std::optional<std::string>& text)
{
    Point probe;
    if (auto set = results::setByUser(probe, field, text.value_or(std::string())); !set && (text || field != "run"))
        return set;
    if (auto writable = d->checkWritable(); !writable)
        return writable;
    const qlonglong position = document ? static_cast<qlonglong>(*document) : -1;
    const Sql sql = d->sql();
    const auto keys = editKeys(sql, source);
    if (!keys)
        return tl::unexpected<Error>(keys.error());
    std::vector<Statement> statements;
    for (const std::string& key : *keys)
        statements.push_back(editStatement(key, position, field, text));
    return runAll(sql, statements);
}

Result<void> Catalogue::setNote(const RunId& run, const std::string& note)
{
    if (auto writable = d->checkWritable(); !writable)
        return writable;
    if (note.empty())
        return runAll(d->sql(), {{QStringLiteral("DELETE FROM notes WHERE run = ?"), {qt(run.text)}}});
    return runAll(d->sql(), {{QStringLiteral("INSERT OR REPLACE INTO notes VALUES (?, ?)"), {qt(run.text), qt(note)}}});
}

Result<void> Catalogue::setTags(const RunId& run, const std::vector<std::string>& tags)
{
    if (auto writable = d->checkWritable(); !writable)
        return writable;
    std::vector<Statement> statements{{QStringLiteral("DELETE FROM tags WHERE run = ?"), {qt(run.text)}}};
    for (const std::string& tag : tags)
        statements.push_back({QStringLiteral("INSERT OR IGNORE INTO tags VALUES (?, ?)"), {qt(run.text), qt(tag)}});
    return runAll(d->sql(), statements);
}

} // namespace wb::catalogue
