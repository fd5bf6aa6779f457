// srtwb import: result files into the catalogue.
#include "app/cli/command.h"
#include "app/cli/resultsource.h"
#include "core/base/text.h"
#include "core/catalogue/catalogue.h"
#include "core/results/importreport.h"
#include "core/store/atomicfile.h"

#include <filesystem>

namespace wb::cli {

namespace {

/// What is said about all files that are named.
struct ToldOptions {
    std::string format, gpus, isl, osl;
    std::vector<std::string> fields; ///< "hardware=gb200"
};

struct ImportOptions : ResultOptions {
    ToldOptions told;
    std::string only;
    bool isJson = false;
};

Result<results::Told> toldBy(const ToldOptions& options)
{
    results::Told told;
    told.format = options.format;
    if (!options.format.empty() && options.format != catalogue::automaticFormat && !results::findImporter(options.format)) {
        std::string known;
        for (const results::Importer& importer : results::importers())
            known += (known.empty() ? "" : ", ") + std::string(importer.id);
        return failure(ErrorCode::NotFound, "There is no format " + base::inQuotes(options.format) + "; the formats are " + known + '.');
    }
    for (const auto& [field, text] : {std::pair("gpus", options.gpus), std::pair("isl", options.isl), std::pair("osl", options.osl)})
        if (!text.empty())
            told.fields.emplace_back(field, text);
    for (const std::string& each : options.fields) {
        const std::size_t equals = each.find('=');
        if (equals == std::string::npos || equals == 0)
            return failure(ErrorCode::Malformed, "--tell needs FIELD=VALUE, not " + base::inQuotes(each) + '.');
        told.fields.emplace_back(each.substr(0, equals), each.substr(equals + 1));
    }
    results::Point probe;
    for (const auto& [field, text] : told.fields)
        if (auto set = results::setByUser(probe, field, text); !set)
            return tl::unexpected<Error>(set.error());
    return told;
}

int run(const ImportOptions& options, Console& console)
{
    const auto told = toldBy(options.told);
    const auto only = results::stateNamed(options.only);
    if (!told || (!only && !options.only.empty())) {
        told ? console.fail("--only takes imported, unchanged, refused or ignored, not " + base::inQuotes(options.only) + '.')
             : console.fail(told.error());
        return Usage;
    }
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
    results::ImportOptions wishes = importOptionsOf(options);
    wishes.told = *told;
    auto imported = catalogue->import(options.paths, wishes);
    if (!imported) {
        console.fail(imported.error());
        return World;
    }
    const std::vector<results::ReportLine> lines = results::reportLines(*imported, only);
    if (options.isJson)
        console.writeDocument(results::reportJson(lines, imported->runs));
    else
        console.write(results::reportText(lines) + results::runsText(imported->runs));
    sayWarnings(*imported, console);
    console.say(results::reportSummary(results::reportLines(*imported)));
    console.say("The catalogue is " + path + ".");
    return codeOf(*imported, options.paths);
}

} // namespace

Run addImport(CLI::App& command, Console& console)
{
    auto options = std::make_shared<ImportOptions>();
    command.add_option("path", options->paths, "Result files and folders")->required();
    command.add_option("--catalogue", options->catalogue, "Catalogue file");
    addGateOption(command, *options);
    command.add_option("--as", options->told.format, "The files are of this format, whatever they look like; auto: found from them again");
    command.add_option("--gpus", options->told.gpus, "Working GPUs of their runs");
    command.add_option("--isl", options->told.isl, "Input tokens a request");
    command.add_option("--osl", options->told.osl, "Output tokens a request");
    command.add_option("--tell", options->told.fields, "FIELD=VALUE: any field of their points (hardware=gb200, gpus.prefill=8)")
        ->take_all()
        ->allow_extra_args(false);
    command.add_option("--only", options->only, "Print only files of this state: imported, unchanged, refused, ignored");
    command.add_flag("--json", options->isJson, "Print one JSON document");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
