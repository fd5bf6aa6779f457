// Importing startup results. A file is taken for what it is by its content, never by its name.
//
// To add a format: startup/<id>.{h,cpp} with its sniff and read functions, and a row in startupimport.cpp.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/snapshot/startuprun.h"

#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace wb::snapshot {

/// A file as importers see it: its text, and its documents when it is JSON (one, or one a line).
struct StartupInput {
    std::string path;
    std::string_view text;
    std::vector<base::json::Value> json; ///< Empty when it is not JSON.
};

struct StartupImporter {
    std::string_view id; ///< Stands in exports: never renamed.
    std::string_view title;
    bool (*sniff)(const StartupInput&);
    Result<std::vector<StartupRun>> (*read)(const StartupInput&);
};
/// In the order in which they are asked.
[[nodiscard]] std::span<const StartupImporter> startupImporters();

enum class StartupFileState { Imported, Refused, Ignored };
[[nodiscard]] std::string_view name(StartupFileState state);

struct StartupFile {
    std::string path;
    std::string format; ///< Importer id; empty when none took it.
    StartupFileState state = StartupFileState::Ignored;
    std::string reason; ///< For Refused and Ignored: one sentence.
    std::size_t runs = 0;
    std::size_t doubles = 0;   ///< Runs that another file has given already.
    bool isUnreadable = false; ///< The path itself could not be read; then it is Refused.
    bool isNamed = true;       ///< Not found in a folder.
};

struct StartupImport {
    std::vector<StartupFile> files;
    std::vector<StartupRun> runs;
};

/// One text. The runs have the path as their source.
struct StartupText {
    StartupFile file;
    std::vector<StartupRun> runs;
};
[[nodiscard]] StartupText importStartupText(std::string path, std::string_view text);

/// Files and folders (recursive). A bad file gives its row and stops nothing. A run that two files have (a nightly file and its index)
/// counts once.
[[nodiscard]] StartupImport importStartup(const std::vector<std::string>& paths, std::stop_token stop = {});

/// All that is known of the runs as a document; reading it back (importer "startup-export") gives equal runs.
[[nodiscard]] base::json::Value exportJson(std::span<const StartupRun> runs);
/// The same as a table: one row a run, one column a field; reading it back gives equal runs.
[[nodiscard]] std::string exportCsv(std::span<const StartupRun> runs);

} // namespace wb::snapshot
