#include "app/cli/resultsource.h"

#include "app/cli/qtapplication.h"
#include "core/base/text.h"
#include "core/catalogue/catalogue.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace wb::cli {

std::string defaultCatalogue()
{
    const char* data = std::getenv("XDG_DATA_HOME");
    const char* home = std::getenv("HOME");
    const std::string folder = data && *data ? std::string(data) : std::string(home ? home : ".") + "/.local/share";
    return folder + "/srt-workbench/catalogue.sqlite";
}

Result<catalogue::Catalogue> openCatalogue(const std::string& path, catalogue::Access access)
{
    ensureQtApplication();
    return catalogue::Catalogue::open(path, access);
}

void sayWarnings(const results::Imported& imported, Console& console)
{
    for (const results::ImportedFile& file : imported.files)
        for (const std::string& warning : file.warnings)
            console.say("warning: " + file.path + ": " + warning);
}

void addResultOptions(CLI::App& command, ResultOptions& options)
{
    command.add_option("path", options.paths, "Result files and folders; without any the catalogue is read");
    command.add_option("--catalogue", options.catalogue, "Catalogue file");
}

int codeOf(const results::Imported& imported, const std::vector<std::string>& named)
{
    int code = Good;
    bool isAnyTaken = false;
    for (const results::ImportedFile& file : imported.files) {
        if (file.unreadable)
            return World;
        const bool isNamed = std::find(named.begin(), named.end(), file.path) != named.end();
        if (isNamed && file.state == results::FileState::Refused)
            code = Findings;
        isAnyTaken = isAnyTaken || file.state == results::FileState::Imported || file.state == results::FileState::Unchanged;
    }
    return isAnyTaken ? code : Findings;
}

PointsRead readPoints(const ResultOptions& options, Console& console)
{
    PointsRead out;
    if (!options.paths.empty()) {
        const results::Imported imported = results::importPaths(options.paths);
        for (const results::ImportedFile& file : imported.files) {
            if (file.state == results::FileState::Refused)
                console.say(file.path + ": " + file.reason);
        }
        sayWarnings(imported, console);
        out.code = codeOf(imported, options.paths);
        out.points = imported.points();
        return out;
    }
    const std::string path = options.catalogue.empty() ? defaultCatalogue() : options.catalogue;
    if (!std::filesystem::exists(path)) {
        console.fail("There is no catalogue at " + base::inQuotes(path) + "; import results first, or name their paths.");
        out.code = World;
        return out;
    }
    auto catalogue = openCatalogue(path, catalogue::Access::Read);
    if (!catalogue) {
        console.fail(catalogue.error());
        out.code = World;
        return out;
    }
    auto points = catalogue->points();
    if (!points) {
        console.fail(points.error());
        out.code = World;
        return out;
    }
    out.points = *std::move(points);
    return out;
}

} // namespace wb::cli
