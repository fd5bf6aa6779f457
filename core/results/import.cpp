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

    std::vector<ImportedFile> files;

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
            fs::is_regular_file(target) ? addFile(link) : addSpecial(link);
    }

    void addSpecial(const Place& place) { keep(place, told(place.shown, FileState::Ignored, "Not a plain file.")); }

    void addFile(const Place& place)
    {
        if (isArchiveName(place.shown)) // opened later, or told that it is none
            return keep(place, told(place.shown, FileState::Ignored, {}));
        if (auto verdict = verdictOnName(place.shown))
            return keep(place, told(place.shown, verdict->state, std::move(verdict->reason)));
        keep(place, told(place.shown, FileState::Ignored, {}));
    }

    /// Once, under the spelling that came first. One that a link leads to is told when it would have been read again.
    void keep(const Place& place, ImportedFile file)
    {
        const auto [first, isNew] = m_seen.emplace(place.real, file.path);
        if (!isNew && absolutePath(first->second) == absolutePath(file.path))
            return;
        if (!isNew && file.isToBeRead())
            file.reason = "The same file as " + base::pathInQuotes(first->second) + '.';
        files.push_back(std::move(file));
    }

    std::map<std::string, std::string> m_seen; ///< By the real path the one that is shown.
};

void readInto(ImportedFile& file, const ImportOptions& options, const std::stop_token& stop)
{
    if (options.skip && options.skip(file.path)) {
        file.state = FileState::Unchanged;
        return;
    }
    const std::string toldFormat = options.told.format.empty() ? file.toldFormat : options.told.format;
    if (isArchiveName(file.path)) {
        file = importArchive(file.path, options, stop);
        return;
    }
    std::error_code error;
    const bool isLarge = fs::file_size(file.path, error) > largeFile && !error;
    const Result<std::string> text = isLarge ? readSlimmed(file.path, stop) : base::readFile(file.path);
    if (!text) {
        const bool isStopped = text.error().code == ErrorCode::Cancelled;
        file = told(file.path, FileState::Refused, text.error().message, isStopped ? std::nullopt : std::optional(text.error().code));
        return;
    }
    file = importAs({file.path, absolutePath(file.path), *text, isLarge, toldFormat}, stop, options.gate);
    if (!isLarge)
        file.sha256 = base::sha256Hex(*text);
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

void removeDoubles(std::vector<ImportedFile>& files)
{
    std::vector<Point> all;
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (std::size_t f = 0; f < files.size(); ++f)
        for (std::size_t p = 0; p < files[f].points.size(); ++p)
            if (!files[f].points[p].folder.empty()) {
                Point key;
                key.format = files[f].points[p].format;
                key.folder = files[f].points[p].folder;
                key.concurrency = files[f].points[p].concurrency;
                all.push_back(std::move(key));
                places.emplace_back(f, p);
            }
    std::map<std::size_t, std::set<std::size_t>> toRemove; // file -> points
    for (const std::size_t index : doublesAmong(all))
        toRemove[places[index].first].insert(places[index].second);
    for (const auto& [index, points] : toRemove) {
        ImportedFile& file = files[index];
        std::vector<Point> kept;
        for (std::size_t p = 0; p < file.points.size(); ++p)
            if (!points.contains(p))
                kept.push_back(std::move(file.points[p]));
        file.points = std::move(kept);
        const std::string what = std::to_string(points.size()) + (points.size() == 1 ? " point was" : " points were") +
                                 " left out: a more detailed file of the same run gives the same concurrency.";
        if (file.points.empty()) {
            file.state = FileState::Ignored;
            file.reason = "All of its " + what;
        } else {
            file.warnings.push_back(what);
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

std::vector<ImportedFile> listFiles(const std::vector<std::string>& paths)
{
    Lister lister;
    for (const std::string& path : paths)
        lister.add(path);
    return std::move(lister.files);
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

std::vector<std::size_t> doublesAmong(const std::vector<Point>& points)
{
    std::unordered_map<std::string, Detail> best;
    // Of a run whose concurrency nobody tells, raw result and rollup are the same one, too.
    const auto keyOf = [](const Point& point) {
        return point.folder + '\n' + (point.concurrency ? base::textOf(*point.concurrency) : std::string());
    };
    const auto counts = [](const Point& point) { return !point.folder.empty(); };
    for (const Point& point : points)
        if (counts(point)) {
            const auto [found, isNew] = best.try_emplace(keyOf(point), detailOf(point));
            if (!isNew)
                found->second = std::min(found->second, detailOf(point));
        }
    std::vector<std::size_t> doubles;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (counts(points[i]) && detailOf(points[i]) > best.at(keyOf(points[i])))
            doubles.push_back(i);
    return doubles;
}

} // namespace wb::results
