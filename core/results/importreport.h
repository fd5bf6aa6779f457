// What became of each file of an import, as lines to show, to filter and to copy. Files inside an archive have lines of their own.
#pragma once

#include "core/base/json.h"
#include "core/results/importer.h"

#include <optional>
#include <string>
#include <vector>

namespace wb::results {

struct ReportLine {
    std::string path;   ///< As it was given; of a file in an archive with the archive's path before it.
    std::string format; ///< Empty when none took it.
    FileState state = FileState::Ignored;
    std::size_t points = 0; ///< Of an unchanged file those that the catalogue has of it.
    std::string reason;
    std::vector<std::string> warnings;
};

/// In the order of the files. `only` leaves the others out.
[[nodiscard]] std::vector<ReportLine> reportLines(const Imported& imported, std::optional<FileState> only = {});

/// Tab-separated, a line each: state, path, format and points, reason. Everything that came from a file or a name is made printable.
[[nodiscard]] std::string reportText(const std::vector<ReportLine>& lines);

/// "12 points: 3 files imported, 1 unchanged, 2 refused, 5 ignored."
[[nodiscard]] std::string reportSummary(const std::vector<ReportLine>& lines);

/// The document of `srtwb import --json`; `runs` tells of identities and notes.
[[nodiscard]] base::json::Value reportJson(const std::vector<ReportLine>& lines, const std::vector<RunReport>& runs);

/// "1001: model.revision verified (0366e4e)", a line for each fact of a run.
[[nodiscard]] std::string runsText(const std::vector<RunReport>& runs);

/// The state of that name; nothing for other words.
[[nodiscard]] std::optional<FileState> stateNamed(std::string_view name);

} // namespace wb::results
