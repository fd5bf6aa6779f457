#include "core/base/files.h"
#include "core/base/parallel.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/results/archive.h"
#include "core/results/fieldreader.h"
#include "core/results/filename.h"
#include "core/results/importer.h"
#include "core/results/runfacts.h"
#include "core/results/sidefiles.h"
#include "core/results/slimjson.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <map>
#include <set>
#include <unordered_map>

namespace wb::results {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largeFile = std::uintmax_t{8} << 20; ///< Read in pieces beyond.

Input inputOf(std::string path, std::string_view text, bool isSlimmed)
{
    Input input{std::move(path), text, {}, {}, isSlimmed};
    if (beginsLikeJson(text)) { // of anything else a fault would mean nothing
        base::json::Documents read = base::json::readAll(text);
        input.json = std::move(read.documents);
        input.fault = std::move(read.fault);
    }
    return input;
}

void finish(ImportedFile& file, PointSet set, const Input& input, std::string_view identity, const Gate& gate)
{
    file.warnings = std::move(set.warnings);
    if (input.fault && !input.json.empty()) // a log that begins with "[" is no JSON at all
        file.warnings.push_back("The rest of the file could not be read: " + input.fault->message);
    file.points = std::move(set.points);
    for (Point& point : file.points) {
        point.id = idOf(point, identity);
        dropZeroCounts(point);
        judge(point, gate);
        for (const NumberField* field : faultyFields(point))
            file.warnings.push_back(std::string(field->title) + " is not known: " + *whyUnknown(point, field->key));
    }
    file.state = file.points.empty() ? FileState::Refused : FileState::Imported;
    if (file.points.empty())
        file.reason = "The file has the form of " + std::string(findImporter(file.format)->title) + ", but no result in it.";
}

/// A text as it was read, and as what.
struct Text {
    std::string path;
    std::string_view identity; ///< What its points' ids are made from.
    std::string_view bytes;
    bool isSlimmed = false;
    std::string toldFormat = {};
};

/// The importer that the user named, else the one that knows the content; null when there is none.
const Importer* importerFor(const Input& input, const std::string& toldFormat)
{
    if (!toldFormat.empty())
        return findImporter(toldFormat);
    for (const Importer& importer : importers())
        if (importer.sniff(input))
            return &importer;
    return nullptr;
}

ImportedFile importAs(Text text, const std::stop_token& stop, const Gate& gate)
{
    Input input = inputOf(std::move(text.path), text.bytes, text.isSlimmed);
    input.isTold = !text.toldFormat.empty();
    ImportedFile file;
    file.path = input.path;
    file.toldFormat = text.toldFormat;
    const Importer* importer = importerFor(input, text.toldFormat);
    if (!importer) {
        Verdict verdict = verdictOn(input);
        file.state = verdict.state;
        file.reason = std::move(verdict.reason);
        return file;
    }
    file.format = importer->id;
    file.state = FileState::Refused;
    if (!input.isTold && !importer->whyOnlyTold.empty()) {
        file.reason = std::string(importer->title) + ": " + std::string(importer->whyOnlyTold) + "; name it as " +
                      base::inQuotes(importer->id) + " to import it all the same.";
        return file;
    }
    if (input.isTold && !importer->sniff(input)) {
        file.reason = "The file was said to be " + std::string(importer->title) + ", but does not have the form of it" +
                      (input.fault ? ": " + input.fault->message : std::string("."));
        return file;
    }
    Result<PointSet> set = importer->read(input, stop);
    if (set)
        finish(file, std::move(*set), input, text.identity, gate);
    else
        file.reason = set.error().message;
    return file;
}

// ---- finding files ---------------------------------------------------------------------------------------------------------------------

ImportedFile told(std::string path, FileState state, std::string reason, std::optional<ErrorCode> unreadable = {})
{
    ImportedFile file;
    file.path = std::move(path);
    file.state = state;
    file.reason = std::move(reason);
    file.unreadable = unreadable;
    return file;
}

ImportedFile unreadable(std::string path, const std::error_code& error)
{
    const Error what = base::systemError(error.value(), path, "reading");
    return told(std::move(path), FileState::Refused, what.message, what.code);
}

/// A path as it is shown, and the one by which it is the same however it was spelled: absolute, and without links.
struct Place {
    std::string shown;
    std::string real;
};

Place placeOf(const std::string& path)
{
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    return {path, error ? absolutePath(path) : real.string()};
}

class Lister
{
public:
    void add(const std::string& path)
    {
        std::error_code error;
        const fs::file_status status = fs::status(path, error);
        const Place place = placeOf(path);
        if (status.type() == fs::file_type::not_found || status.type() == fs::file_type::none)
            keep(place, unreadable(path, error ? error : std::make_error_code(std::errc::no_such_file_or_directory)));
        else if (fs::is_directory(status))
            addFolder(place);
        else
            fs::is_regular_file(status) ? addFile(place) : addSpecial(place);
    }

    /// In the order in which they were found. A link in a folder that leads to another of them is told to be the same.
    std::vector<ImportedFile> taken()
    {
        for (const std::size_t index : m_links)
            files[index].reason = sameAs(files[index]);
        return std::move(files);
    }

private:
    void addFolder(const Place& folder)
    {
        std::error_code error;
        std::vector<fs::directory_entry> entries;
        for (fs::directory_iterator it(folder.shown, error), end; !error && it != end; it.increment(error))
            entries.push_back(*it);
        if (error)
            return keep(folder, unreadable(folder.shown, error));
        std::ranges::sort(entries, {}, [](const fs::directory_entry& entry) { return entry.path().filename().native(); });
        for (const fs::directory_entry& entry : entries)
            addEntry(folder, entry);
    }

    void addEntry(const Place& folder, const fs::directory_entry& entry)
    {
        const std::string name = entry.path().filename().string();
        const auto in = [&name](const std::string& path) { return path.ends_with('/') ? path + name : path + '/' + name; };
        const Place place{in(folder.shown), in(folder.real)};
        std::error_code error;
        if (entry.is_symlink(error))
            return addLink(place, entry.status(error));
        // The kind came with the folder's list: asking for a status would be a system call for each file.
        if (!entry.is_directory(error))
            return entry.is_regular_file(error) ? addFile(place) : addSpecial(place);
        if (const auto reason = reasonToSkipFolder(name))
            keep(place, told(place.shown, FileState::Ignored, *reason));
        else
            addFolder(place);
    }

    void addLink(const Place& link, const fs::file_status& target)
    {
        if (target.type() == fs::file_type::not_found || target.type() == fs::file_type::none)
            keep(link, told(link.shown, FileState::Refused, "The link leads nowhere.", ErrorCode::NotFound));
        else if (fs::is_directory(target))
            keep(link, told(link.shown, FileState::Ignored, "A link to a folder, which is not followed."));
        else
            fs::is_regular_file(target) ? addFile(link, true) : addSpecial(link);
    }

    void addSpecial(const Place& place) { keep(place, told(place.shown, FileState::Ignored, "Not a plain file.")); }

    void addFile(const Place& place, bool isLink = false)
    {
        const bool isArchive = isArchiveName(place.shown); // opened later, or told that it is none
        if (auto verdict = isArchive ? std::nullopt : verdictOnName(place.shown))
            return keep(place, told(place.shown, verdict->state, std::move(verdict->reason)));
        const std::size_t before = files.size();
        keep(place, told(place.shown, FileState::Ignored, {}));
        if (isLink && files.size() > before && files.back().isToBeRead())
            m_links.push_back(before);
    }

    /// Why a link in a folder is not read: what it leads to is. Empty when nothing else leads there.
    std::string sameAs(ImportedFile& link)
    {
        std::error_code error;
        const fs::path real = fs::canonical(link.path, error);
        if (error)
            return {};
        link.real = real.string();
        const auto [first, isNew] = m_seen.emplace(link.real, link.path);
        return isNew ? std::string() : "The same file as " + base::pathInQuotes(first->second) + '.';
    }

    /// Once, under the spelling that came first. One that a link leads to is told when it would have been read again.
    void keep(const Place& place, ImportedFile file)
    {
        const auto [first, isNew] = m_seen.emplace(place.real, file.path);
        if (!isNew && absolutePath(first->second) == absolutePath(file.path))
            return;
        if (!isNew && file.isToBeRead())
            file.reason = "The same file as " + base::pathInQuotes(first->second) + '.';
        file.real = place.real;
        files.push_back(std::move(file));
    }

    std::vector<ImportedFile> files;
    std::vector<std::size_t> m_links;          ///< Those to be read that are links in a folder: settled when all others are known.
    std::map<std::string, std::string> m_seen; ///< By the real path the one that is shown.
};

void readInto(ImportedFile& file, const ImportOptions& options, const std::stop_token& stop)
{
    if (options.skip && options.skip(file.path)) {
        file.state = FileState::Unchanged;
        return;
    }
    const std::string toldFormat = options.told.format.empty() ? file.toldFormat : options.told.format;
    const std::string real = file.real.empty() ? realPath(file.path) : file.real;
    if (isArchiveName(file.path)) {
        file = importArchive(file.path, options, stop);
        file.real = real;
        return;
    }
    std::error_code error;
    const bool isLarge = fs::file_size(file.path, error) > largeFile && !error;
    const Result<std::string> text = isLarge ? readSlimmed(file.path, stop) : base::readFile(file.path);
    if (!text) {
        const bool isStopped = text.error().code == ErrorCode::Cancelled;
        file = told(file.path, FileState::Refused, text.error().message, isStopped ? std::nullopt : std::optional(text.error().code));
        file.real = real;
        return;
    }
    file = importAs({file.path, real, *text, isLarge, toldFormat}, stop, options.gate);
    file.real = real;
    if (isLarge)
        return;
    file.sha256 = base::sha256Hex(*text);
    for (Point& point : file.points)
        point.content = file.sha256;
}

void addWarning(ImportedFile& file, std::string warning)
{
    if (std::ranges::find(file.warnings, warning) == file.warnings.end())
        file.warnings.push_back(std::move(warning));
}

// ---- runs ------------------------------------------------------------------------------------------------------------------------------

void report(const RunFacts& facts, const Point& point, std::vector<RunReport>& runs)
{
    if (facts.identity.empty() && facts.notes.empty())
        return;
    if (std::ranges::find(runs, facts.folder, &RunReport::folder) == runs.end())
        runs.push_back({facts.folder, point.run, facts.identity, facts.notes});
}

void completeRuns(Imported& imported, const ImportOptions& options)
{
    RunFinder finder;
    for (ImportedFile& file : imported.files) {
        if (file.points.empty() || !file.inside.empty())
            continue;
        const RunFacts& facts = finder.factsFor(file.path, file.format);
        for (Point& point : file.points) {
            completeFrom(point, facts);
            dropZeroCounts(point);
            for (const auto& [field, text] : options.told.fields)
                if (const auto set = setByUser(point, field, text); !set)
                    addWarning(file, set.error().message);
            judge(point, options.gate);
        }
        report(facts, file.points.front(), imported.runs);
    }
}

Detail detailOf(const Point& point)
{
    const Importer* importer = findImporter(point.format);
    return importer ? importer->detail : Detail::Raw;
}

/// What is left out of one file.
struct LeftOut {
    std::set<std::size_t> points;
    std::size_t sameBytes = 0;
    std::string elsewhere; ///< A file that has the same bytes.
};

std::string wordsOn(const LeftOut& left)
{
    const std::size_t count = left.points.size();
    const std::string what = std::to_string(count) + (count == 1 ? " point was" : " points were") + " left out: ";
    if (left.sameBytes == count)
        return what + "they are those of " + base::pathInQuotes(left.elsewhere) + '.';
    return what + "a more detailed file of the same run gives the same concurrency" +
           (left.sameBytes > 0 ? ", or " + base::pathInQuotes(left.elsewhere) + " is the same." : ".");
}

void removeDoubles(std::vector<ImportedFile>& files)
{
    std::vector<Point> all;
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (std::size_t f = 0; f < files.size(); ++f)
        for (std::size_t p = 0; p < files[f].points.size(); ++p) {
            const Point& point = files[f].points[p];
            if (point.folder.empty() && point.content.empty())
                continue;
            Point key;
            key.format = point.format;
            key.source = point.source;
            key.document = point.document;
            key.content = point.content;
            key.folder = point.folder;
            key.concurrency = point.concurrency;
            all.push_back(std::move(key));
            places.emplace_back(f, p);
        }
    std::map<std::size_t, LeftOut> toRemove; // by file
    for (const Double& each : doublesAmong(all)) {
        const auto [f, p] = places[each.index];
        LeftOut& left = toRemove[f];
        left.points.insert(p);
        if (!each.sameAs)
            continue;
        const auto [keptFile, keptPoint] = places[*each.sameAs];
        ++left.sameBytes;
        left.elsewhere = all[*each.sameAs].source;
        addNote(files[keptFile].points[keptPoint], "The same result is in " + base::pathInQuotes(all[each.index].source) + '.');
    }
    for (const auto& [index, left] : toRemove) {
        ImportedFile& file = files[index];
        std::vector<Point> kept;
        for (std::size_t p = 0; p < file.points.size(); ++p)
            if (!left.points.contains(p))
                kept.push_back(std::move(file.points[p]));
        file.points = std::move(kept);
        if (file.points.empty()) {
            file.state = FileState::Ignored;
            file.reason = "All of its " + wordsOn(left);
        } else {
            file.warnings.push_back(wordsOn(left));
        }
    }
}

} // namespace

std::string_view name(FileState state)
{
    static constexpr auto names = std::to_array<std::string_view>({"imported", "unchanged", "refused", "ignored"});
    return names[static_cast<std::size_t>(state)];
}

std::vector<Point> Imported::points() const
{
    std::vector<Point> all;
    for (const ImportedFile& file : files)
        all.insert(all.end(), file.points.begin(), file.points.end());
    return all;
}

ImportedFile importText(std::string path, std::string_view text, std::stop_token stop, const Told& told)
{
    const std::string identity = path;
    ImportedFile file = importAs({std::move(path), identity, text, false, told.format}, stop, {});
    for (Point& point : file.points) {
        for (const auto& [field, value] : told.fields)
            if (const auto set = setByUser(point, field, value); !set)
                addWarning(file, set.error().message);
        judge(point);
    }
    return file;
}

PointId idOf(const Point& point, std::string_view identity)
{
    const std::string text = point.format + '\n' + std::string(identity) + '\n' + std::to_string(point.document);
    return {base::sha256Hex(text).substr(0, 16)};
}

std::string absolutePath(const std::string& path)
{
    const bool isPlain = path.starts_with('/') && path.find("/.") == std::string::npos && path.find("//") == std::string::npos;
    if (isPlain)
        return path;
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    return error ? path : absolute.lexically_normal().string();
}

std::string realPath(const std::string& path)
{
    std::error_code error;
    const fs::path real = fs::weakly_canonical(absolutePath(path), error);
    return error ? absolutePath(path) : real.string();
}

std::vector<ImportedFile> listFiles(const std::vector<std::string>& paths)
{
    Lister lister;
    for (const std::string& path : paths)
        lister.add(path);
    return lister.taken();
}

Imported importPaths(const std::vector<std::string>& paths, const ImportOptions& options, std::stop_token stop)
{
    return importFiles(listFiles(paths), options, std::move(stop));
}

Imported importFiles(std::vector<ImportedFile> listed, const ImportOptions& options, std::stop_token stop)
{
    Imported imported{std::move(listed), {}};
    std::vector<ImportedFile>& files = imported.files;
    std::atomic<std::size_t> done = 0;
    const bool isComplete = base::parallelFor(
        files.size(),
        [&](std::size_t index) {
            if (files[index].isToBeRead())
                readInto(files[index], options, stop);
            const std::size_t now = ++done;
            if (options.progress)
                options.progress(now, files.size());
        },
        stop);
    if (!isComplete)
        for (ImportedFile& file : files)
            if (file.isToBeRead())
                file.reason = "Not read: the import was stopped.";
    completeRuns(imported, options);
    removeDoubles(files);
    return imported;
}

namespace {

/// The archive that a file lies in ("runs.tar.gz" of "runs.tar.gz/1001/logs/..."); empty when it lies in none.
std::string_view archiveOf(std::string_view source)
{
    for (std::size_t slash = source.find('/'); slash != std::string_view::npos; slash = source.find('/', slash + 1))
        if (isArchiveName(source.substr(0, slash)))
            return source.substr(0, slash);
    return {};
}

/// By index, the points of archives whose bytes are elsewhere, too, and the points that have them.
std::map<std::size_t, std::size_t> copiesAmong(const std::vector<Point>& points)
{
    std::vector<std::size_t> packed;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!points[i].content.empty() && !archiveOf(points[i].source).empty())
            packed.push_back(i);
    std::map<std::size_t, std::size_t> copies;
    if (packed.empty())
        return copies;
    const auto keyOf = [](const Point& point) { return point.content + '\n' + point.format + '\n' + std::to_string(point.document); };
    std::unordered_map<std::string, std::size_t> first;
    std::set<std::size_t> isPacked(packed.begin(), packed.end());
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!points[i].content.empty() && !isPacked.contains(i))
            first.try_emplace(keyOf(points[i]), i);
    for (const std::size_t i : packed) {
        const auto [found, isNew] = first.try_emplace(keyOf(points[i]), i);
        // Equal files of one archive lie in two folders of it: two runs, as they would be unpacked.
        if (!isNew && archiveOf(points[found->second].source) != archiveOf(points[i].source))
            copies.emplace(i, found->second);
    }
    return copies;
}

} // namespace

std::vector<Double> doublesAmong(const std::vector<Point>& points)
{
    const std::map<std::size_t, std::size_t> copies = copiesAmong(points);
    // The run in an archive is the run whose bytes it has.
    std::unordered_map<std::string, std::string> runs;
    for (const auto& [copy, original] : copies)
        if (!points[copy].folder.empty() && !points[original].folder.empty())
            runs.try_emplace(points[copy].folder, points[original].folder);
    std::unordered_map<std::string, Detail> best;
    // Of a run whose concurrency nobody tells, raw result and rollup are the same one, too.
    const auto keyOf = [&](const Point& point) {
        const auto run = runs.find(point.folder);
        return (run == runs.end() ? point.folder : run->second) + '\n' +
               (point.concurrency ? base::textOf(*point.concurrency) : std::string());
    };
    const auto counts = [](const Point& point) { return !point.folder.empty(); };
    for (const Point& point : points)
        if (counts(point)) {
            const auto [found, isNew] = best.try_emplace(keyOf(point), detailOf(point));
            if (!isNew)
                found->second = std::min(found->second, detailOf(point));
        }
    std::vector<Double> doubles;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (const auto copy = copies.find(i); copy != copies.end())
            doubles.push_back({i, copy->second});
        else if (counts(points[i]) && detailOf(points[i]) > best.at(keyOf(points[i])))
            doubles.push_back({i, std::nullopt});
    }
    return doubles;
}

std::vector<Point> withoutDoubles(std::vector<Point> points)
{
    const std::vector<Double> doubles = doublesAmong(points);
    for (const Double& each : doubles)
        if (each.sameAs) {
            Point& kept = points[*each.sameAs];
            takeEditsFrom(kept, points[each.index]);
            addNote(kept, "The same result is in " + base::pathInQuotes(points[each.index].source) + '.');
            judge(kept);
        }
    std::vector<Point> kept;
    kept.reserve(points.size() - doubles.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (next < doubles.size() && doubles[next].index == i)
            ++next;
        else
            kept.push_back(std::move(points[i]));
    }
    return kept;
}

} // namespace wb::results
