// Importers turn one file into points. They are chosen by content, never by name alone.
//
// To add one: importers/<id>.{h,cpp} with its sniff and read functions, a row in importers.cpp, a sample below tests/data/results.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/results/identity.h"
#include "core/results/point.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wb::results {

/// A file as importers see it: its text, and the documents of it when it is JSON.
struct Input {
    std::string path;
    std::string_view text;
    std::vector<base::json::Document> json; ///< Empty when it is not JSON.
    std::optional<Error> fault;             ///< Why the JSON ended early.
    bool isSlimmed = false;                 ///< Long lists were left out of the text: lines are those of the file, columns are not.
    bool isTold = false;                    ///< The user said that it is of this format.
};

struct PointSet {
    std::vector<Point> points;
    std::vector<std::string> warnings; ///< What was left out, with its place.
};

/// How much a format tells about an operating point, where a run has it in several files.
enum class Detail { Raw, Table, Summary, Console };

struct Importer {
    std::string_view id; ///< Stands in users' catalogues: never renamed.
    std::string_view title;
    std::string_view doc;
    Detail detail;
    bool (*sniff)(const Input&);
    Result<PointSet> (*read)(const Input&, std::stop_token);
    std::string_view whyOnlyTold = {}; ///< Not empty: such a file is refused with this, unless the user says that it is one.
};

/// In the order in which they are asked.
[[nodiscard]] std::span<const Importer> importers();
[[nodiscard]] const Importer* findImporter(std::string_view id);

enum class FileState { Imported, Unchanged, Refused, Ignored };

[[nodiscard]] std::string_view name(FileState state);

/// What the user says about files that their content does not tell, or tells wrongly.
struct Told {
    std::string format;                                      ///< Importer id; empty: by content.
    std::vector<std::pair<std::string, std::string>> fields; ///< ("gpus", "16"), ("isl", "1024"): see `setByUser`.

    [[nodiscard]] bool isEmpty() const { return format.empty() && fields.empty(); }
};

/// From where on a point cannot be trusted.
struct Gate {
    double mostFailures = 0.05; ///< Share of the requests that may fail. Upstream's own gate.
};

/// What became of one file.
struct ImportedFile {
    std::string path;
    std::string real;   ///< The path by which it is the same however it is reached: absolute, and without links.
    std::string format; ///< Importer id; empty when none took it.
    FileState state = FileState::Ignored;
    std::string reason; ///< For Refused and Ignored: one sentence, with line and column where there is one.
    std::vector<std::string> warnings;
    std::vector<Point> points;
    std::optional<ErrorCode> unreadable; ///< Set when the path itself could not be read; then it is Refused.
    std::string sha256;                  ///< Of the bytes; empty when they were not read, or not as a whole.
    std::size_t kept = 0;                ///< Unchanged: how many points of it the catalogue has.
    std::string toldFormat;              ///< The importer that the user named for it; empty: by content.
    std::vector<ImportedFile> inside;    ///< Of an archive: what became of the files in it. Their points are the archive's, too.

    /// Still to be looked into: what `listFiles` gives for a file whose name does not tell all.
    [[nodiscard]] bool isToBeRead() const { return reason.empty() && state == FileState::Ignored; }
};

/// What is told of a run as a whole.
struct RunReport {
    std::string folder; ///< As the paths were given.
    RunId run;
    std::vector<IdentityFact> identity;
    std::vector<std::string> notes;
};

struct Imported {
    std::vector<ImportedFile> files; ///< In the order of the paths; folders sorted.
    std::vector<RunReport> runs;     ///< Those with something to tell, of the files that were read.

    [[nodiscard]] std::vector<Point> points() const;
};

/// One file in memory.
[[nodiscard]] ImportedFile importText(std::string path, std::string_view text, std::stop_token stop = {}, const Told& told = {});

/// True leaves a file out as Unchanged.
using Skip = std::function<bool(const std::filesystem::path&)>;
/// Called from the threads that read, `done` not always in order.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

struct ImportOptions {
    Skip skip;
    Progress progress;
    Told told;
    Gate gate;
    /// A folder into which archives are unpacked for the time of their reading; empty: they are told and not opened.
    std::string scratch;
};

/// Files and folders (recursive; links to folders, hidden and warm-up folders are told and not entered). Files are spread over the
/// cores. A run's own metadata beside a result (`<jobid>.json`, lockfile, ...) completes its points, and an operating point that a run
/// has both as a raw result and in its rollup comes from the raw result. A file that is reached by several paths, links among them, is read
/// once; so are results that an archive holds beside the folder it was made of. Stopped: what was read until then.
[[nodiscard]] Imported importPaths(const std::vector<std::string>& paths, const ImportOptions& options = {}, std::stop_token stop = {});

/// What `importPaths` looks at, before reading: files, and what is known of them by name.
[[nodiscard]] std::vector<ImportedFile> listFiles(const std::vector<std::string>& paths);
/// The rest of `importPaths`: reads those that are to be read.
[[nodiscard]] Imported importFiles(std::vector<ImportedFile> files, const ImportOptions& options = {}, std::stop_token stop = {});

/// The path by which a file is the same wherever the program was started: absolute, without "." and "..".
[[nodiscard]] std::string absolutePath(const std::string& path);
/// As `absolutePath`, and without links as far as the path is there.
[[nodiscard]] std::string realPath(const std::string& path);

/// Id of a point that was made from its format, place (`identity`) and position in the file, so that it is the same at each import.
[[nodiscard]] PointId idOf(const Point& point, std::string_view identity);

/// A point that is left out for another one.
struct Double {
    std::size_t index = 0;
    std::optional<std::size_t> sameAs; ///< The point that has the same bytes; nothing: one of the same run that has more detail.

    friend bool operator==(const Double&, const Double&) = default;
};
/// Points whose operating point another file of the same run gives in more detail (`Detail`), and points of archives whose very bytes were
/// read elsewhere, too (the run's folder, another archive of it): the folder's stay, and its run and the archive's are one. Equal files of
/// two folders are two runs. By index.
[[nodiscard]] std::vector<Double> doublesAmong(const std::vector<Point>& points);
/// The points without their doubles. What the user said of a double holds for the point that has the same bytes, and a note names its file.
[[nodiscard]] std::vector<Point> withoutDoubles(std::vector<Point> points);

/// Marks what cannot be trusted (failures, no result, numbers that contradict each other): sets `valid` and `reasons`, adds to `notes`.
/// Judging twice changes nothing.
void judge(Point& point, const Gate& gate = {});

/// Key of the origin of what `setByUser` sets.
inline constexpr std::string_view toldByUser = "told by the user";
/// Puts what the user says in place of a field, with that as its origin; a note tells what the file said. `field` is a key of a number or
/// text field, or "gpus" for the working and total GPUs. An empty text makes it unknown.
[[nodiscard]] Result<void> setByUser(Point& point, std::string_view field, std::string_view text);
/// What the user said of `from`, where nothing was said of `point`.
void takeEditsFrom(Point& point, const Point& from);

} // namespace wb::results
