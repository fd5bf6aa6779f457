// srtwb import: result files into the catalogue.
#include "app/cli/command.h"
#include "app/cli/resultsource.h"
#include "core/base/text.h"
#include "core/catalogue/catalogue.h"
#include "core/store/atomicfile.h"

#include <algorithm>
#include <filesystem>

namespace wb::cli {

using base::json::Array;
using base::json::Value;

namespace {

struct ImportOptions : ResultOptions {
    bool isJson = false;
};

/// Of an unchanged file: those that the catalogue has of it.
std::size_t pointsOf(const results::ImportedFile& file)
{
    return file.state == results::FileState::Unchanged ? file.kept : file.points.size();
}

Value importJson(const results::Imported& imported)
{
    Array files;
    std::size_t count = 0;
    for (const results::ImportedFile& file : imported.files) {
        Value object;
        object.set("path", file.path);
        object.set("format", file.format.empty() ? Value() : Value(file.format));
        object.set("points", pointsOf(file));
        object.set("state", results::name(file.state));
        object.set("reason", file.reason.empty() ? Value() : Value(file.reason));
        count += pointsOf(file);
        files.push_back(std::move(object));
    }
    Value document;
    document.set("files", std::move(files));
    document.set("points", count);
    return document;
}

void printLines(const results::Imported& imported, Console& console)
{
    for (const results::ImportedFile& file : imported.files) {
        std::string line = std::string(results::name(file.state)) + "\t" + file.path;
        if (!file.format.empty())
            line += "\t" + file.format + ", " + std::to_string(pointsOf(file)) + (pointsOf(file) == 1 ? " point" : " points");
        if (!file.reason.empty())
            line += "\t" + file.reason;
        console.write(line + "\n");
    }
}

/// "12 points: 3 files imported, 1 unchanged, 2 refused, 5 ignored."
std::string summaryOf(const results::Imported& imported)
{
    using results::FileState;
    std::size_t points = 0;
    for (const results::ImportedFile& file : imported.files)
        points += pointsOf(file);
    std::string text = std::to_string(points) + (points == 1 ? " point" : " points");
    bool isFirst = true;
    for (const FileState state : {FileState::Imported, FileState::Unchanged, FileState::Refused, FileState::Ignored}) {
        const auto count = std::count_if(imported.files.begin(), imported.files.end(),
                                         [state](const results::ImportedFile& file) { return file.state == state; });
        if (count == 0 && state != FileState::Imported)
            continue;
        text += (isFirst ? ": " : ", ") + std::to_string(count) + (isFirst ? (count == 1 ? " file " : " files ") : " ") +
                std::string(results::name(state));
        isFirst = false;
    }
    return text + '.';
}

int run(const ImportOptions& options, Console& console)
{
    const std::string path = options.catalogue.empty() ? defaultCatalogue() : options.catalogue;
    const std::string folder = std::filesystem::path(path).parent_path().string();
    if (!folder.empty()) {
        if (auto made = store::makeFolder(folder); !made) {
            console.fail(made.error());
            return World;
        }
    }
    auto catalogue = openCatalogue(path, catalogue::Access::Write);
    if (!catalogue) {
        console.fail(catalogue.error());
        return World;
    }
    auto imported = catalogue->import(options.paths);
    if (!imported) {
        console.fail(imported.error());
        return World;
    }
    if (options.isJson)
        console.writeDocument(importJson(*imported));
    else
        printLines(*imported, console);
    sayWarnings(*imported, console);
    console.say(summaryOf(*imported));
    console.say("The catalogue is " + path + ".");
    return codeOf(*imported, options.paths);
}

} // namespace

Run addImport(CLI::App& command, Console& console)
{
    auto options = std::make_shared<ImportOptions>();
    command.add_option("path", options->paths, "Result files and folders")->required();
    command.add_option("--catalogue", options->catalogue, "Catalogue file");
    command.add_flag("--json", options->isJson, "Print one JSON document");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
