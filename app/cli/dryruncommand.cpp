// srtwb dry-run: writes every artifact of every job.
#include "app/cli/command.h"
#include "app/cli/findings.h"
#include "app/cli/outfiles.h"
#include "app/cli/recipes.h"
#include "core/base/safename.h"
#include "core/base/text.h"
#include "core/plan/cost.h"
#include "core/plan/findings.h"
#include "core/plan/topology.h"
#include "core/render/artifact.h"
#include "core/store/ownfolder.h"

#include <filesystem>
#include <set>

namespace wb::cli {

using base::json::Array;
using base::json::Value;

namespace {

struct DryRunOptions : RecipeOptions {
    std::string out;
    std::string launcher; ///< Empty: the portable one, or srtctl for jobs that it does not take.
    std::string services;
    std::string outputs;
    bool mayMoveAside = false;
};

Value artifactsJson(const std::vector<render::Artifact>& artifacts)
{
    Array out;
    for (const render::Artifact& artifact : artifacts) {
        Value object;
        object.set("name", artifact.name);
        object.set("kind", render::name(artifact.kind));
        object.set("sha256", artifact.sha256);
        object.set("bytes", artifact.bytes.size());
        out.push_back(std::move(object));
    }
    return out;
}

/// Whom the folders belong to: two calls on one recipe are one owner, however its path is written.
store::FolderOwner ownerOf(const std::string& recipePath)
{
    std::error_code error;
    if (recipePath == "-")
        return {"standard input"};
    const std::filesystem::path whole = std::filesystem::weakly_canonical(recipePath, error);
    return {error ? recipePath : whole.string()};
}

/// Where an older folder was moved to; empty when none was.
Result<std::string> writeJob(const std::vector<render::Artifact>& artifacts, const std::string& folder, const std::string& recipePath,
                             bool mayMoveAside)
{
    std::vector<store::FolderFile> files;
    files.reserve(artifacts.size());
    for (const render::Artifact& artifact : artifacts)
        files.push_back({artifact.name, artifact.bytes, artifact.sha256});
    return store::writeOwnFolder(folder, files, ownerOf(recipePath), mayMoveAside);
}

std::string pointsText(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " benchmark point" : " benchmark points");
}

Value costJson(const plan::Cost& cost)
{
    Array points;
    for (const std::int64_t level : cost.concurrencies)
        points.emplace_back(level);
    Value out;
    out.set("nodeHours", cost.nodeHours);
    out.set("gpuHours", cost.gpuHours);
    out.set("healthBudgetS", cost.healthBudgetSeconds);
    out.set("concurrencies", std::move(points));
    return out;
}

/// What a job takes and is expected to give, on a line of its own.
std::string costText(const plan::Cost& cost)
{
    std::string out = cost.gpuHours ? "at most " + base::textOf(*cost.gpuHours) + " GPU-hours" : std::string("unknown GPU-hours");
    out += ", up to " + std::to_string(cost.healthBudgetSeconds) + " s of them until the model is served, ";
    return out + (cost.concurrencies.empty() ? std::string("an unknown number of points") : pointsText(cost.concurrencies.size()));
}

/// Why the portable launcher does not take a job, at the value that it stumbles over.
syntax::Diagnostic refusalAt(const recipe::Job& job, const render::Refusal& reason, const std::string& suffix)
{
    const plan::Place place = plan::placeOf(job.written, {reason.key});
    syntax::Diagnostic out;
    out.code = syntax::Code::NotRendered;
    out.severity = syntax::Severity::Error;
    out.range = place.range;
    out.source = place.source;
    out.path = reason.key;
    out.variant = suffix;
    out.message = reason.message;
    return out;
}

void printJson(Array jobs, Value diagnostics, Console& console)
{
    Value document;
    document.set("jobs", std::move(jobs));
    document.set("diagnostics", std::move(diagnostics));
    console.writeDocument(document);
}

int run(const DryRunOptions& options, Console& console)
{
    SingleRecipe recipe = checkSingle(options, 10'000, console);
    if (!recipe.checked) {
        if (options.isJson && recipe.unread)
            printJson({}, Array{toJson(*recipe.unread)}, console);
        return recipe.code;
    }
    const check::Checked& checked = *recipe.checked;
    const recipe::Cluster& cluster = check::clusterOf(recipe.facts, checked);
    const std::filesystem::path root = std::filesystem::absolute(options.out);
    std::vector<syntax::Diagnostic> diagnostics = checked.diagnostics;
    std::set<std::string> taken;
    Array jobs;
    std::size_t count = 0;
    std::optional<double> gpuHours = 0.0;  // of all jobs; unknown when one is
    std::optional<std::size_t> points = 0; // expected of all jobs; unknown when those of one are
    bool isWritten = true;
    for (std::size_t i = 0; i < checked.variants.size(); ++i) {
        const check::CheckedVariant& variant = checked.variants[i];
        if (!variant.job)
            continue;
        plan::Plan plan = plan::plan(*variant.job, cluster);
        for (syntax::Diagnostic& problem : plan.diagnostics) {
            problem.variant = variant.variant.suffix.value_or("");
            diagnostics.push_back(problem);
        }
        if (!plan.topology)
            continue;
        render::Context context;
        context.sourcePath = recipe.path;
        context.suffix = variant.variant.suffix.value_or("");
        context.resolvedYaml = check::resolvedYaml(checked, i);
        context.servicesFolder = options.services;
        context.outputFolder = options.outputs;
        context.launcher = options.launcher == "srtctl" ? render::Launcher::Srtctl : render::Launcher::Portable;
        const std::vector<render::Refusal> refused = render::refusals(*variant.job, cluster, context);
        if (!refused.empty() && options.launcher == "portable") {
            for (const render::Refusal& reason : refused)
                diagnostics.push_back(refusalAt(*variant.job, reason, context.suffix));
            continue;
        }
        if (!refused.empty()) {
            context.launcher = render::Launcher::Srtctl;
            console.say(base::printable(variant.name) + " is written for srtctl. " + refused.front().message);
        }
        const std::string folder = (root / uniqueName(base::safeName(variant.name), taken)).string();
        auto artifacts = render::render(*variant.job, cluster, plan, context);
        auto aside = artifacts.and_then([&](const auto& files) { return writeJob(files, folder, recipe.path, options.mayMoveAside); });
        if (!aside) {
            console.fail(aside.error());
            if (aside.error().code == ErrorCode::Refused && artifacts)
                console.fail("Choose another --out, or --force to move the old folder aside.");
            isWritten = false;
            continue;
        }
        if (!aside->empty())
            console.say("The folder that stood there is now " + *aside + ".");
        ++count;
        const std::optional<double> own = plan.counts.gpuHours();
        gpuHours = gpuHours && own ? std::optional(*gpuHours + *own) : std::nullopt;
        Value job;
        job.set("name", variant.name);
        job.set("suffix", variant.variant.suffix);
        job.set("dir", folder);
        job.set("launcher", render::name(context.launcher));
        Array reasons;
        for (const render::Refusal& reason : refused)
            reasons.emplace_back(reason.message);
        job.set("whyNotPortable", std::move(reasons));
        const plan::Cost cost = plan::cost(*variant.job, plan.counts);
        points = points && !cost.concurrencies.empty() ? std::optional(*points + cost.concurrencies.size()) : std::nullopt;
        job.set("cost", costJson(cost));
        job.set("artifacts", artifactsJson(*artifacts));
        job.set("topology", render::toJson(*plan.topology));
        jobs.push_back(std::move(job));
        if (!options.isJson)
            console.write(base::printable(variant.name) + "\t" + base::printable(folder) + "\t" + costText(cost) + "\n");
    }
    syntax::sortAndUnite(diagnostics);
    if (options.isJson) {
        printJson(std::move(jobs), toJson(diagnostics, checked), console);
    } else {
        for (const syntax::Diagnostic& problem : diagnostics) {
            if (problem.severity == syntax::Severity::Error)
                console.fail(asText(problem, checked, false));
            else if (problem.code == syntax::Code::NotRendered)
                console.say(asText(problem, checked, false));
        }
        console.say(std::to_string(count) + (count == 1 ? " job written below " : " jobs written below ") + root.string() + ", " +
                    (gpuHours ? "at most " + base::textOf(*gpuHours) : "an unknown number of") + " GPU-hours and " +
                    (points ? pointsText(*points) : std::string("an unknown number of benchmark points")) + " in all.");
    }
    if (!isWritten)
        return World;
    return syntax::hasErrors(diagnostics) ? Findings : Good;
}

} // namespace

Run addDryRun(CLI::App& command, Console& console)
{
    auto options = std::make_shared<DryRunOptions>();
    addRecipeOptions(command, *options, true);
    command.add_option("--out", options->out, "Folder to write into")->required();
    command
        .add_option("--launcher", options->launcher,
                    "Whose job script is written: portable, or srtctl (predicted); without it portable where that takes the job")
        ->check(CLI::IsMember({"srtctl", "portable"}));
    command.add_option("--services", options->services,
                       "Folder on the cluster with nats-server, etcd and setup scripts, for the portable launcher");
    command.add_option("--outputs", options->outputs, "Folder on the cluster that gets a folder for each job, for the portable launcher");
    command.add_flag("--force", options->mayMoveAside, "Move a folder aside that was edited or is not of this recipe");
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
