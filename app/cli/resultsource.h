// Where points come from: the files named, or the catalogue.
#pragma once

#include "app/cli/command.h"
#include "core/catalogue/catalogue.h"
#include "core/results/importer.h"

#include <string>
#include <vector>

namespace wb::cli {

/// The catalogue of the user when none was named: below $XDG_DATA_HOME, else ~/.local/share.
[[nodiscard]] std::string defaultCatalogue();
[[nodiscard]] Result<catalogue::Catalogue> openCatalogue(const std::string& path, catalogue::Access access);
/// What stands in files where numbers belong, and what else was left out: on standard error.
void sayWarnings(const results::Imported& imported, Console& console);

struct ResultOptions {
    std::vector<std::string> paths;
    std::string catalogue;
    double mostFailures = 5.0; ///< Percent of the requests.
};
void addGateOption(CLI::App& command, ResultOptions& options);
[[nodiscard]] results::ImportOptions importOptionsOf(const ResultOptions& options);
void addResultOptions(CLI::App& command, ResultOptions& options);

struct PointsRead {
    int code = Good;
    std::vector<results::Point> points;

    /// Nothing could be read, which was said: it is not known what points there are, and none is to be shown as "0 points".
    [[nodiscard]] bool isFailed() const { return code == World && points.empty(); }
};
/// The points of a catalogue; empty path: the user's own. Nothing is written.
[[nodiscard]] Result<std::vector<results::Point>> pointsOfCatalogue(const std::string& path);
/// With paths only those are read; else the catalogue. Nothing is written either way. What is refused is said.
[[nodiscard]] PointsRead readPoints(const ResultOptions& options, Console& console);

/// World when a path could not be read at all; Findings when a file that was named itself was refused (what a folder holds beside results
/// is told and is no failure), or when nothing at all was taken; else Good.
[[nodiscard]] int codeOf(const results::Imported& imported, const std::vector<std::string>& named);

} // namespace wb::cli
