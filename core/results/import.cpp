#include "core/base/files.h"
#include "core/base/parallel.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
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

/// Made from format, place and position, so that it is the same at each import.
PointId idOf(const Point& point, std::string_view identity)
{
    const std::string text = point.format + '\n' + std::string(identity) + '\n' + std::to_string(point.document);
    return {base::sha256Hex(text).substr(0, 16)};
}

void finish(ImportedFile& file, PointSet set, const Input& input, std::string_view identity)
{
    file.warnings = std::move(set.warnings);
    if (input.fault)
        file.warnings.push_back("The rest of the file could not be read: " + input.fault->message);
    file.points = std::move(set.points);
    for (Point& point : file.points) {
        point.id = idOf(point, identity);
        judge(point);
        for (const NumberField* field : faultyFields(point))
            file.warnings.push_back(std::string(field->title) + " is not known: " + *whyUnknown(point, field->key));
    }
    file.state = file.points.empty() ? FileState::Refused : FileState::Imported;
    if (file.points.empty())
        file.reason = "The file has the form of " + std::string(findImporter(file.format)->title) + ", but no result in it.";
}

ImportedFile importAs(std::string path, std::string_view identity, std::string_view text, bool isSlimmed, const std::stop_token& stop)
{
    const Input input = inputOf(std::move(path), text, isSlimmed);
    ImportedFile file;
    file.path = input.path;
    for (const Importer& importer : importers()) {
        if (!importer.sniff(input))
            continue;
        file.format = importer.id;
        Result<PointSet> set = importer.read(input, stop);
        if (set) {
            finish(file, std::move(*set), input, identity);
        } else {
            file.state = FileState::Refused;
            file.reason = set.error().message;
        }
        return file;
    }
    Verdict verdict = verdictOn(input);
    file.state = verdict.state;
    file.reason = std::move(verdict.reason);
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

class Lister
{
public:
    void add(const std::string& path)
    {
        std::error_code error;
        const fs::file_status status = fs::status(path, error);
        if (status.type() == fs::file_type::not_found || status.type() == fs::file_type::none)
            keep(unreadable(path, error ? error : std::make_error_code(std::errc::no_such_file_or_directory)));
        else if (fs::is_directory(status))
            addFolder(path);
        else
            fs::is_regular_file(status) ? addFile(path) : addSpecial(path);
    }

    std::vector<ImportedFile> files;

private:
    void addFolder(const std::string& folder)
    {
        std::error_code error;
        std::vector<fs::directory_entry> entries;
        for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
            entries.push_back(*it);
        if (error)
            return keep(unreadable(folder, error));
        std::ranges::sort(entries, {}, [](const fs::directory_entry& entry) { return entry.path().filename().native(); });
        for (const fs::directory_entry& entry : entries)
            addEntry(folder, entry);
    }

    void addEntry(const std::string& folder, const fs::directory_entry& entry)
    {
        const std::string name = entry.path().filename().string();
        const std::string path = folder.ends_with('/') ? folder + name : folder + '/' + name;
        std::error_code error;
        if (entry.is_symlink(error))
            return addLink(path, entry.status(error));
        // The kind came with the folder's list: asking for a status would be a system call for each file.
        if (!entry.is_directory(error))
            return entry.is_regular_file(error) ? addFile(path) : addSpecial(path);
        if (const auto reason = reasonToSkipFolder(name))
            keep(told(path, FileState::Ignored, *reason));
        else
            addFolder(path);
    }

    void addLink(const std::string& path, const fs::file_status& target)
    {
        if (target.type() == fs::file_type::not_found || target.type() == fs::file_type::none)
            keep(told(path, FileState::Refused, "The link leads nowhere.", ErrorCode::NotFound));
        else if (fs::is_directory(target))
            keep(told(path, FileState::Ignored, "A link to a folder, which is not followed."));
        else
            fs::is_regular_file(target) ? addFile(path) : addSpecial(path);
    }

    void addSpecial(const std::string& path) { keep(told(path, FileState::Ignored, "Not a plain file.")); }

    void addFile(const std::string& path)
    {
        if (auto verdict = verdictOnName(path))
            return keep(told(path, verdict->state, std::move(verdict->reason)));
        keep(told(path, FileState::Ignored, {}));
    }

    void keep(ImportedFile file)
    {
        if (m_seen.insert(file.path).second)
            files.push_back(std::move(file));
    }

    std::set<std::string> m_seen;
};

void readInto(ImportedFile& file, const Skip& skip, const std::stop_token& stop)
{
    if (skip && skip(file.path)) {
        file.state = FileState::Unchanged;
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
    file = importAs(file.path, absolutePath(file.path), *text, isLarge, stop);
    if (!isLarge)
        file.sha256 = base::sha256Hex(*text);
}

// ---- runs ------------------------------------------------------------------------------------------------------------------------------

void completeRuns(std::vector<ImportedFile>& files)
{
    RunFinder finder;
    for (ImportedFile& file : files) {
        if (file.points.empty())
            continue;
        const RunFacts& facts = finder.factsFor(file.path);
        for (Point& point : file.points) {
            completeFrom(point, facts);
            judge(point);
        }
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

ImportedFile importText(std::string path, std::string_view text, std::stop_token stop)
{
    const std::string identity = path;
    return importAs(std::move(path), identity, text, false, stop);
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

Imported importPaths(const std::vector<std::string>& paths, const Skip& skip, const Progress& progress, std::stop_token stop)
{
    return importFiles(listFiles(paths), skip, progress, std::move(stop));
}

Imported importFiles(std::vector<ImportedFile> listed, const Skip& skip, const Progress& progress, std::stop_token stop)
{
    Imported imported{std::move(listed)};
    std::vector<ImportedFile>& files = imported.files;
    std::atomic<std::size_t> done = 0;
    const bool isComplete = base::parallelFor(
        files.size(),
        [&](std::size_t index) {
            if (files[index].isToBeRead())
                readInto(files[index], skip, stop);
            const std::size_t now = ++done;
            if (progress)
                progress(now, files.size());
        },
        stop);
    if (!isComplete)
        for (ImportedFile& file : files)
            if (file.isToBeRead())
                file.reason = "Not read: the import was stopped.";
    completeRuns(files);
    removeDoubles(files);
    return imported;
}

std::vector<std::size_t> doublesAmong(const std::vector<Point>& points)
{
    std::unordered_map<std::string, Detail> best;
    const auto keyOf = [](const Point& point) { return point.folder + '\n' + base::textOf(*point.concurrency); };
    const auto counts = [](const Point& point) { return !point.folder.empty() && point.concurrency; };
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
