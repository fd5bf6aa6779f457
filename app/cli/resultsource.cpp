#include "app/cli/resultsource.h"

#include "app/cli/numberoptions.h"
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
    addGateOption(command, options);
}

void addGateOption(CLI::App& command, ResultOptions& options)
{
    command.add_option("--max-failures", options.mostFailures, "Percent of the requests that may fail before a point is not valid")
        ->check(numberBetween(0.0, 100.0))
        ->capture_default_str();
}

results::ImportOptions importOptionsOf(const ResultOptions& options)
{
    results::ImportOptions wishes;
    wishes.gate.mostFailures = options.mostFailures / 100.0;
    std::error_code none; // without a place for them archives are told and not opened
    wishes.scratch = std::filesystem::temp_directory_path(none).string();
    return wishes;
}

int codeOf(const results::Imported& imported, const std::vector<std::string>& named)
{
    int code = Good;
    bool isAnyTaken = false;
    for (const results::ImportedFile& file : imported.files) {
        if (file.unreadable)
            return World;
        const auto isIt = [path = results::absolutePath(file.path)](const std::string& each) {
            return results::absolutePath(each) == path;
        };
        const bool isNamed = std::any_of(named.begin(), named.end(), isIt);
        if (isNamed && file.state == results::FileState::Refused)
            code = Findings;
        isAnyTaken = isAnyTaken || file.state == results::FileState::Imported || file.state == results::FileState::Unchanged;
    }
    return isAnyTaken ? code : Findings;
}

Result<std::vector<results::Point>> pointsOfCatalogue(const std::string& given)
{
    const std::string path = given.empty() ? defaultCatalogue() : given;
    std::error_code error; // one that may not be looked at is told when it is opened
    if (!std::filesystem::exists(path, error) && !error)
        return failure(ErrorCode::NotFound,
                       "There is no catalogue at " + base::pathInQuotes(path) + "; import results first, or name their paths.", path);
    auto catalogue = openCatalogue(path, catalogue::Access::Read);
    return catalogue ? catalogue->points() : tl::unexpected<Error>(std::move(catalogue.error()));
}

PointsRead readPoints(const ResultOptions& options, Console& console)
{
    PointsRead out;
    if (!options.paths.empty()) {
        const results::Imported imported = results::importPaths(options.paths, importOptionsOf(options));
        for (const results::ImportedFile& file : imported.files) {
            if (file.state == results::FileState::Refused)
                console.say(file.path + ": " + file.reason);
        }
        sayWarnings(imported, console);
        out.code = codeOf(imported, options.paths);
        out.points = imported.points();
        return out;
    }
    auto points = pointsOfCatalogue(options.catalogue);
    if (!points) {
        console.fail(points.error());
        out.code = World;
        return out;
    }
    out.points = *std::move(points);
    for (results::Point& point : out.points)
        results::judge(point, importOptionsOf(options).gate);
    return out;
}

} // namespace wb::cli
