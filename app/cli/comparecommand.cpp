// srtwb compare: what differs between runs or recipes.
#include "app/cli/command.h"
#include "app/cli/recipes.h"
#include "app/cli/resultsource.h"
#include "core/analysis/comparison.h"
#include "core/analysis/runside.h"
#include "core/base/text.h"
#include "core/results/numbers.h"

#include <algorithm>

namespace wb::cli {

using base::json::Array;
using base::json::Value;

namespace {

constexpr std::size_t mostSides = 8;

struct CompareOptions {
    std::vector<std::string> sides;
    bool isJson = false;
    bool showsAll = false;
};

/// Everything that was read of the things to compare.
struct Sides {
    int code = Good;
    std::vector<analysis::Side> sides;
    std::vector<std::string> results;
};

/// One job's recipe: a plain file, or PATH:SELECTOR of one variant.
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
    if (checked->variants.size() != 1 || !checked->variants.front().variant.document || !checked->parsed.complete) {
        const std::string jobs = std::to_string(checked->variants.size());
        // The language has no selector for the jobs of a sweep.
        const std::string advice = checked->form == expand::Form::Sweep
                                       ? "\"srtwb explode " + base::printable(argument) + " --out DIR\" makes a file of each to compare."
                                       : "name one by PATH:SELECTOR.";
        return failure(ErrorCode::Malformed,
                       checked->variants.size() > 1 ? base::pathInQuotes(argument) + " stands for " + jobs + " jobs; " + advice
                                                    : base::pathInQuotes(argument) + " gives no job to compare; \"srtwb check\" says why.",
                       argument);
    }
    code = Good;
    analysis::Side side;
    side.label = argument;
    side.recipe = checked->variants.front().variant.document;
    return side;
}

Sides readSides(const CompareOptions& options, Console& console)
{
    Sides out;
    for (const std::string& argument : options.sides) {
        if (analysis::isRunPath(argument)) {
            auto run = analysis::readRun(argument);
            if (!run) {
                console.fail(run.error());
                out.code = World;
                continue;
            }
            for (const std::string& warning : run->warnings)
                console.say(warning);
            out.sides.push_back(std::move(run->side));
            out.results.insert(out.results.end(), run->results.begin(), run->results.end());
            continue;
        }
        int code = World;
        auto side = recipeSide(argument, code);
        if (side) {
            out.sides.push_back(std::move(*side));
        } else {
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
            hidden += fact.noise && fact.state != analysis::FactState::Same ? 1 : 0;
            if (options.showsAll || (fact.state != analysis::FactState::Same && !fact.noise))
                lines += lineOf(fact);
        }
        if (!lines.empty())
            console.write("\n" + std::string(section.title) + "\n" + lines);
    }
    console.write("\n" + comparison.reason + "\n");
    if (!options.showsAll)
        console.say(std::to_string(same) + " facts are the same, and " + std::to_string(hidden) +
                    " that differ are of the run alone (ports, job ids); --all shows them.");
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
    command.add_option("runs", options->sides, "Runs (folders, lockfiles) and recipes (PATH or PATH:SELECTOR), two to eight")
        ->required()
        ->expected(2, static_cast<int>(mostSides));
    command.add_flag("--json", options->isJson, "Print one JSON document");
    command.add_flag("--all", options->showsAll, "Show also what is the same, and what differs in every run");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
