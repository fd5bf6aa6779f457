// srtwb points: measured points in canonical units.
#include "app/cli/command.h"
#include "app/cli/recipes.h"
#include "app/cli/remotesession.h"
#include "app/cli/resultsource.h"
#include "core/analysis/measured.h"
#include "core/base/text.h"
#include "core/plan/cost.h"
#include "core/results/numbers.h"
#include "core/results/pointtable.h"
#include "core/store/jobrecord.h"

namespace wb::cli {

using base::json::Value;

namespace {

struct PointsOptions : ResultOptions {
    bool isJson = false;
    bool isCsv = false;
    std::string missing; ///< A recipe whose jobs without results are listed; empty: points are.
    std::string cluster;
};

std::string shown(const std::optional<double>& number)
{
    return number ? results::significant(*number) : "-";
}

/// Results that were fetched from jobs of the record; none where there is no record.
std::vector<analysis::FetchedJob> fetchedJobs()
{
    std::vector<analysis::FetchedJob> out;
    std::error_code none;
    if (!std::filesystem::exists(stateFolder(), none))
        return out;
    const auto record = store::JobRecord::open(stateFolder(), store::JobRecord::Access::Read);
    if (!record)
        return out;
    for (const store::JobEntry& job : record->jobs())
        if (!job.fetched.empty())
            out.push_back({job.fetched, job.recipe, job.name, job.variant});
    return out;
}

Value numbers(const std::vector<std::int64_t>& all)
{
    base::json::Array out;
    for (const std::int64_t one : all)
        out.emplace_back(one);
    return out;
}

/// The jobs of a recipe of which a valid point is still missing.
int runMissing(const PointsOptions& options, Console& console)
{
    RecipeOptions wanted;
    wanted.recipes = {options.missing};
    wanted.cluster = options.cluster;
    const SingleRecipe recipe = checkSingle(wanted, 10'000, console);
    if (!recipe.checked)
        return recipe.code;
    std::vector<analysis::WantedJob> jobs;
    for (const check::CheckedVariant& variant : recipe.checked->variants) {
        if (variant.job)
            jobs.push_back(
                {recipe.path, variant.name, variant.variant.suffix.value_or(""), plan::cost(*variant.job, variant.counts).concurrencies});
    }
    const PointsRead read = readPoints(options, console);
    if (read.code == World)
        return World;
    const std::vector<analysis::Measured> measured = analysis::measuredJobs(jobs, read.points, fetchedJobs());
    base::json::Array out;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const analysis::Measured& own = measured[i];
        if (own.isComplete())
            continue;
        Value job;
        job.set("name", jobs[i].name);
        job.set("suffix", jobs[i].suffix.empty() ? Value() : Value(jobs[i].suffix));
        job.set("points", own.points);
        job.set("validPoints", own.valid);
        job.set("expected", own.isExpectationKnown ? numbers(jobs[i].concurrencies) : Value());
        job.set("missing", own.isExpectationKnown ? numbers(own.missing) : Value());
        out.push_back(std::move(job));
        if (options.isJson)
            continue;
        std::vector<std::string> levels;
        for (const std::int64_t level : own.missing)
            levels.push_back(std::to_string(level));
        console.write((jobs[i].suffix.empty() ? std::string("-") : base::printable(jobs[i].suffix)) + "\t" + base::printable(jobs[i].name) +
                      "\t" + (own.hasResults() ? "concurrencies missing: " + base::joined(levels, ", ") : std::string("no results")) +
                      "\n");
    }
    const std::size_t count = out.size();
    if (options.isJson) {
        Value document;
        document.set("missing", std::move(out));
        console.writeDocument(document);
    }
    console.say(std::to_string(count) + " of " + std::to_string(jobs.size()) + (jobs.size() == 1 ? " job lacks" : " jobs lack") +
                " results; \"srtwb submit --only SUFFIX\" submits one.");
    return recipe.code;
}

int run(const PointsOptions& options, Console& console)
{
    if (!options.missing.empty())
        return runMissing(options, console);
    const PointsRead read = readPoints(options, console);
    if (read.isFailed())
        return read.code;
    if (options.isCsv) {
        console.write(results::asCsv(read.points));
    } else if (options.isJson) {
        base::json::Array points;
        for (const results::Point& point : read.points)
            points.push_back(results::toJson(point));
        Value document;
        document.set("points", std::move(points));
        console.writeDocument(document);
    } else {
        for (const results::Point& point : read.points) {
            console.write(point.id.text + "\t" + base::printable(point.run.text) + "\tconcurrency " + shown(point.concurrency) +
                          "\toutput " + shown(point.outputTps) + " tok/s\tTPOT p50 " + shown(point.tpotMs.p50) + " ms" +
                          (point.valid ? "" : "\tnot valid: " + base::printable(base::joined(point.reasons, " "))) + "\n");
        }
        console.say(std::to_string(read.points.size()) + (read.points.size() == 1 ? " point." : " points."));
    }
    return read.code;
}

} // namespace

Run addPoints(CLI::App& command, Console& console)
{
    auto options = std::make_shared<PointsOptions>();
    addResultOptions(command, *options);
    CLI::Option* json = command.add_flag("--json", options->isJson, "Print one JSON document");
    CLI::Option* csv = command.add_flag("--csv", options->isCsv, "Print a table")->excludes(json);
    command
        .add_option("--missing", options->missing,
                    "Recipe whose jobs without a valid point for each of their concurrencies are listed, by suffix, instead of the points")
        ->excludes(csv);
    command.add_option("--cluster", options->cluster, "Cluster file (srtslurm.yaml) for --missing");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
