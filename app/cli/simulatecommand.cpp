// srtwb simulate: modelled points of a recipe, and what the model is worth on runs that were measured.
#include "app/cli/command.h"
#include "app/cli/findings.h"
#include "app/cli/recipes.h"
#include "app/cli/resultsource.h"
#include "core/analysis/simulation.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/results/importer.h"
#include "core/results/numbers.h"

#include <algorithm>

namespace wb::cli {

using base::json::Array;
using base::json::Value;

namespace {

struct SimulateOptions : RecipeOptions {
    std::string parameters;
    std::vector<std::string> runs;
};

std::string percent(double share)
{
    return results::significant(share * 100.0, 3) + " %";
}

/// Times in force: those fitted on runs, else those of the file, else the built-in ones.
struct Times {
    int code = Good;
    analysis::Parameters fitted;
    analysis::Parameters given;
    std::vector<analysis::Calibration> calibrations;

    [[nodiscard]] const analysis::Parameters& forJob(const recipe::Job& job) const { return fitted.find(job) ? fitted : given; }
};

Times timesFor(const SimulateOptions& options, Console& console)
{
    Times out;
    out.given = analysis::builtInParameters();
    if (!options.parameters.empty()) {
        auto text = base::readFile(options.parameters);
        auto read = text ? analysis::readParameters(*text, options.parameters) : tl::unexpected(text.error());
        if (!read) {
            console.fail(read.error());
            out.code = text ? Findings : World;
            return out;
        }
        out.given = *std::move(read);
    }
    if (options.runs.empty())
        return out;
    const results::Imported imported = results::importPaths(options.runs);
    out.code = codeOf(imported, options.runs);
    sayWarnings(imported, console);
    std::vector<std::string> skipped;
    const std::vector<results::Point> points = imported.points();
    out.calibrations = analysis::calibrate(points, skipped);
    std::vector<std::string> leftOut;
    out.fitted = analysis::parametersOf(out.calibrations, leftOut);
    if (!options.recipes.empty())
        skipped.insert(skipped.end(), leftOut.begin(), leftOut.end());
    for (const std::string& line : skipped)
        console.say(line);
    if (out.calibrations.empty()) {
        console.fail("Nothing was calibrated: no series of the runs has four concurrencies with ISL, OSL, output tokens/s, TPOT and TTFT.");
        out.code = std::max(out.code, static_cast<int>(Findings));
    }
    return out;
}

void writeText(const std::vector<results::Point>& points, const Times& times, Console& console)
{
    const auto number = [](const std::optional<double>& value) { return value ? results::significant(*value, 4) : std::string("unknown"); };
    for (const results::Point& point : points) {
        console.write("simulated\t" + base::printable(point.variant.value_or("")) + "\tconcurrency " + number(point.concurrency) +
                      "\toutput " + number(point.outputTps) + " tok/s\tTTFT " + number(point.ttftMs.mean) + " ms\tTPOT " +
                      number(point.tpotMs.mean) + " ms\n");
    }
    for (const analysis::Calibration& one : times.calibrations) {
        console.write("calibrated\t" + base::printable(one.series) + "\t" + std::to_string(one.points) +
                      " points\theld-out median error: output tok/s " + percent(one.medianOutputTpsError) + ", TPOT " +
                      percent(one.medianTpotError) + "\n");
    }
}

/// The points of the jobs of one recipe. False when a job could not be simulated, which was said.
bool addPoints(const SingleRecipe& recipe, const Times& times, Console& console, std::vector<results::Point>& points)
{
    bool isGood = true;
    for (const syntax::Diagnostic& problem : recipe.checked->diagnostics) {
        if (problem.severity == syntax::Severity::Error)
            console.fail(asText(problem, *recipe.checked, false));
    }
    for (const check::CheckedVariant& variant : recipe.checked->variants) {
        if (!variant.job)
            continue;
        if (!times.calibrations.empty() && !times.fitted.find(*variant.job)) {
            console.say(base::inQuotes(variant.job->name) + " is simulated with the times of " + base::pathInQuotes(times.given.source) +
                        ": no run given has its model, engine, GPU, precision and kind of workers.");
        }
        auto made = analysis::simulate(*variant.job, times.forJob(*variant.job), recipe.path);
        if (!made) {
            console.fail(made.error());
            isGood = false;
            continue;
        }
        points.insert(points.end(), std::make_move_iterator(made->begin()), std::make_move_iterator(made->end()));
    }
    return isGood;
}

int run(const SimulateOptions& options, Console& console)
{
    if (options.recipes.empty() && options.runs.empty()) {
        console.fail("There is nothing to simulate: name a recipe, or runs with --calibrate.");
        return Usage;
    }
    const Times times = timesFor(options, console);
    int code = times.code;
    if (code == World)
        return code;
    std::vector<results::Point> points;
    if (!options.recipes.empty()) {
        bool isAny = false;
        const int read = checkEach(options, 10'000, console, [&](const SingleRecipe& recipe) {
            isAny = isAny || recipe.checked;
            if (recipe.checked && !addPoints(recipe, times, console, points))
                code = std::max(code, static_cast<int>(Findings));
        });
        code = std::max(code, read);
        if (!isAny)
            return code;
    }
    if (options.isJson) {
        Array all;
        for (const results::Point& point : points)
            all.push_back(results::toJson(point));
        Value document;
        document.set("points", std::move(all));
        document.set("calibration", times.calibrations.empty() ? Value() : analysis::toJson(times.calibrations));
        console.writeDocument(document);
    } else {
        writeText(points, times, console);
    }
    console.say("These points are a model's, not measured.");
    return code;
}

} // namespace

Run addSimulate(CLI::App& command, Console& console)
{
    auto options = std::make_shared<SimulateOptions>();
    addFolderOptions(command, *options);
    command.get_option("recipe")->required(false);
    command.add_option("--parameters", options->parameters, "File with times of workers; else built-in rough ones");
    command.add_option("--calibrate", options->runs, "Runs to fit the times on; prints how well each point is foretold by the others");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
