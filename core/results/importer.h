// Importers turn one file into points. They are chosen by content, never by name alone.
//
// To add one: importers/<id>.{h,cpp} with its sniff and read functions, a row in importers.cpp, a sample below tests/data/results.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/results/point.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace wb::results {

/// A file as importers see it: its text, and the documents of it when it is JSON.
struct Input {
    std::string path;
    std::string_view text;
    std::vector<base::json::Document> json; ///< Empty when it is not JSON.
    std::optional<Error> fault;             ///< Why the JSON ended early.
};

struct PointSet {
    std::vector<Point> points;
    std::vector<std::string> warnings; ///< What was left out, with its place.
};

struct Importer {
    std::string_view id;
    std::string_view title;
    std::string_view doc;
    bool (*sniff)(const Input&);
    Result<PointSet> (*read)(const Input&, std::stop_token);
};

/// In the order in which they are asked.
[[nodiscard]] std::span<const Importer> importers();

enum class FileState { Imported, Unchanged, Refused, Ignored };

[[nodiscard]] std::string_view name(FileState state);

/// What became of one file.
struct ImportedFile {
    std::string path;
    std::string format; ///< Importer id; empty when none took it.
    FileState state = FileState::Ignored;
    std::string reason; ///< For Refused and Ignored: one sentence, with line and column where there is one.
    std::vector<std::string> warnings;
    std::vector<Point> points;
};

struct Imported {
    std::vector<ImportedFile> files; ///< In the order of the paths; folders sorted.

    [[nodiscard]] std::vector<Point> points() const;
};

/// One file in memory.
[[nodiscard]] ImportedFile importText(std::string path, std::string_view text, std::stop_token stop = {});

/// Files and folders (recursive). `skip(path, size, mtime)` true leaves a file out as Unchanged. Files are spread over the cores.
/// A run's own metadata beside a result (`<jobid>.json`, rollup) completes its points.
using Skip = std::function<bool(const std::filesystem::path&)>;
using Progress = std::function<void(std::size_t done, std::size_t total)>;
[[nodiscard]] Imported importPaths(const std::vector<std::string>& paths, const Skip& skip = {}, const Progress& progress = {},
                                   std::stop_token stop = {});

/// Marks what cannot be trusted (section 0.7, 2.11 and 4.4 of the format notes): fills `valid`, `reasons`, `notes`.
void judge(Point& point);

} // namespace wb::results
