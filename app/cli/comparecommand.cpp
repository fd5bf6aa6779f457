// srtwb compare: what differs between runs or recipes.
#include "app/cli/command.h"
#include "app/cli/recipes.h"
#include "app/cli/resultsource.h"
#include "core/analysis/comparison.h"
#include "core/analysis/runside.h"
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/results/numbers.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace wb::cli {

using base::json::Array;
using base::json::Value;

namespace {

constexpr std::size_t mostSides = 8;

struct CompareOptions {
    std::vector<std::string> sides;
    std::string catalogue;
    bool isJson = false;
    bool showsAll = false;
};

/// Everything that was read of the things to compare.
struct Sides {
    int code = Good;
    std::vector<analysis::Side> sides;
    std::vector<std::string> results;
};

/// How one job of the file is named for a comparison.
std::string selectorOf(const check::Checked& checked, const RecipeFile& file)
{
    const check::CheckedVariant& first = checked.variants.front();
    const bool isSwept = std::any_of(checked.variants.begin() + 1, checked.variants.end(),
                                     [&](const check::CheckedVariant& other) { return other.variant.section == first.variant.section; });
    return file.path + ':' + (isSwept ? first.name : first.variant.section);
}

/// Why the recipe gives not one job, and what to do: the end of a sentence that begins with its path.
std::string whyNoSide(const check::Checked& checked, const RecipeFile& file)
{
    if (checked.variants.size() <= 1)
        return " gives no job to compare; " + base::commandInQuotes({"srtwb", "check", file.path}) + " says why.";
    return " stands for " + std::to_string(checked.variants.size()) + " jobs; name one of them, as in " +
           base::commandInQuotes({"srtwb", "compare", selectorOf(checked, file), "OTHER"}) + "; " +
           base::commandInQuotes({"srtwb", "expand", file.path}) + " lists them.";
}

/// One job's recipe: a plain file, or PATH:SELECTOR of one variant, or of one job of a sweep.
Result<analysis::Side> recipeSide(const std::string& argument, int& code)
{
    RecipeSet found = findRecipes({argument});
    if (!found.errors.empty())
        return tl::unexpected(found.errors.front());
    if (found.files.size() != 1)
        return failure(ErrorCode::NotFound, base::pathInQuotes(argument) + " is no recipe and no run.", argument);
    const RecipeFile& file = found.files.front();
    auto checked = checkFile(file, {}, {});
    if (!checked)
        return tl::unexpected(std::move(checked.error()));
    code = Findings; // from here on it is the recipe that is wrong
    if (checked->variants.size() != 1 || !checked->variants.front().variant.document || !checked->parsed.complete)
        return failure(ErrorCode::Malformed, base::pathInQuotes(argument) + whyNoSide(*checked, file), argument);
    code = Good;
    analysis::Side side;
    side.label = argument;
    side.recipe = checked->variants.front().variant.document;
    return side;
}

/// The path of a side. With a catalogue, what is no path is the name of a run in it.
Result<std::string> pathOfSide(const std::string& given, const CompareOptions& options)
{
    std::error_code error;
    const auto isThere = [&error](const std::string& path) { return path == "-" || std::filesystem::exists(path, error); };
    if (options.catalogue.empty() || isThere(given) || isThere(findRecipes({given}).files.front().path))
        return given;
    const auto points = pointsOfCatalogue(options.catalogue);
    if (!points)
        return tl::unexpected<Error>(points.error());
    std::set<std::string> paths;
    for (const results::Point& point : *points)
        if (point.run.text == given && !point.folder.empty())
            paths.insert(analysis::runPathOf(point.folder));
    if (paths.size() == 1)
        return *paths.begin();
    return failure(ErrorCode::NotFound,
                   base::inQuotes(given) + (paths.empty() ? " is neither a path nor a run of " : " is the name of several runs of ") +
                       base::pathInQuotes(options.catalogue) + (paths.empty() ? "; " : "; name one by its folder: ") +
                       base::commandInQuotes({"srtwb", "points", "--catalogue", options.catalogue}) + " lists them.",
                   given);
}

Sides readSides(const CompareOptions& options, Console& console)
{
    Sides out;
    std::set<std::string> said; // what holds of two sides that are one file is said once
    for (const std::string& given : options.sides) {
        const auto found = pathOfSide(given, options);
        if (!found) {
            if (said.insert(found.error().message).second)
                console.fail(found.error());
            out.code = World;
            continue;
        }
        const std::string& argument = *found;
        if (analysis::isRunPath(argument)) {
            auto run = analysis::readRun(argument);
            if (!run) {
                if (said.insert(run.error().message).second)
                    console.fail(run.error());
                out.code = World;
                continue;
            }
            for (const std::string& warning : run->warnings) {
                if (said.insert(warning).second)
                    console.say(warning);
            }
            out.sides.push_back(std::move(run->side));
            out.results.insert(out.results.end(), run->results.begin(), run->results.end());
            continue;
        }
        int code = World;
        auto side = recipeSide(argument, code);
        if (side) {
            out.sides.push_back(std::move(*side));
        } else {
            if (said.insert(side.error().message).second)
                console.fail(side.error());
            out.code = std::max(out.code, code);
        }
    }
    return out;
}

std::string lineOf(const analysis::Fact& fact)
{
    std::string out = fact.state == analysis::FactState::Same ? "  = " : fact.state == analysis::FactState::Unknown ? "  ? " : "  ! ";
    out += base::printable(fact.key) + "\n";
    for (std::size_t i = 0; i < fact.values.size(); ++i)
        out +=
            "      " + std::to_string(i + 1) + ": " + (fact.values[i] ? base::printable(*fact.values[i]) : std::string("unknown")) + "\n";
    if (!fact.follows.empty())
        out += "      follows from " + base::inQuotes(fact.follows) + "\n";
    if (!fact.remark.empty())
        out += "      " + fact.remark + "\n";
    return out;
}

void writeText(const analysis::RunDifferences& comparison, const CompareOptions& options, Console& console)
{
    for (std::size_t i = 0; i < comparison.sides.size(); ++i)
        console.write(std::to_string(i + 1) + ": " + base::printable(comparison.sides[i]) + "\n");
    std::size_t hidden = 0;
    std::size_t same = 0;
    for (const analysis::Section& section : comparison.sections) {
        std::string lines;
        for (const analysis::Fact& fact : section.facts) {
            same += fact.state == analysis::FactState::Same ? 1 : 0;
            hidden += fact.noise && !fact.unrecorded && fact.state != analysis::FactState::Same ? 1 : 0;
            if (options.showsAll || (fact.state != analysis::FactState::Same && !fact.isQuiet()))
                lines += lineOf(fact);
        }
        if (!lines.empty())
            console.write("\n" + std::string(section.title) + "\n" + lines);
    }
    console.write("\n" + comparison.reason + "\n");
    if (!options.showsAll)
        console.say(std::to_string(same) + " facts are the same, " + std::to_string(hidden) +
                    " that differ are of the run alone (ports, job ids), and " + std::to_string(comparison.unrecorded) +
                    " are not recorded of any side; --all shows them.");
}

int run(const CompareOptions& options, Console& console)
{
    const Sides read = readSides(options, console);
    if (read.code != Good)
        return read.code;
    const analysis::RunDifferences comparison = analysis::compare(read.sides);
    if (options.isJson) {
        Array points;
        if (!read.results.empty()) {
            for (const results::Point& point : results::importPaths(read.results).points())
                points.push_back(results::toJson(point));
        }
        Value document = analysis::toJson(comparison);
        document.set("points", std::move(points));
        console.writeDocument(document);
    } else {
        writeText(comparison, options, console);
    }
    return comparison.verdict == analysis::Verdict::Same ? Good : Findings;
}

} // namespace

Run addCompare(CLI::App& command, Console& console)
{
    auto options = std::make_shared<CompareOptions>();
    command
        .add_option("runs", options->sides,
                    "Runs (folders, lockfiles) and recipes (PATH or PATH:SELECTOR; of a sweep PATH:NAME or "
                    "PATH:NUMBER of a job), two to eight")
        ->required()
        ->expected(2, static_cast<int>(mostSides));
    command.add_option("--catalogue", options->catalogue, "Catalogue file in which a run is looked for by its name");
    command.add_flag("--json", options->isJson, "Print one JSON document");
    command.add_flag("--all", options->showsAll, "Show also what is the same, and what differs in every run");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
