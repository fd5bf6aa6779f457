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

#include <algorithm>
#include <filesystem>
#include <optional>
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

/// Writes the jobs of recipes, one recipe after the other.
class DryRun
{
public:
    DryRun(const DryRunOptions& options, Console& console)
        : m_options(options)
        , m_console(console)
        , m_root(std::filesystem::absolute(options.out))
    {
    }

    void add(const SingleRecipe& recipe)
    {
        m_isAny = true;
        if (!recipe.isNamed && isBelow(recipe.path, m_options.out))
            return;
        if (!recipe.checked) {
            if (recipe.unread)
                m_diagnostics.push_back(toJson(*recipe.unread));
            return;
        }
        std::vector<syntax::Diagnostic> diagnostics = recipe.checked->diagnostics;
        for (std::size_t i = 0; i < recipe.checked->variants.size(); ++i) {
            if (recipe.checked->variants[i].job)
                addJob(recipe, i, diagnostics);
        }
        tell(*recipe.checked, diagnostics);
    }

    /// `code`: of reading the recipes.
    int finish(int code)
    {
        if (!m_isAny)
            return code;
        if (m_options.isJson) {
            Value document;
            document.set("jobs", std::move(m_jobs));
            document.set("diagnostics", std::move(m_diagnostics));
            m_console.writeDocument(document);
        } else if (m_count == 0) { // what it takes in all is not known: it was said why
            m_console.say("No job was written.");
        } else {
            m_console.say(std::to_string(m_count) + (m_count == 1 ? " job written below " : " jobs written below ") + m_root.string() +
                          ", " + (m_gpuHours ? "at most " + base::textOf(*m_gpuHours) : "an unknown number of") + " GPU-hours and " +
                          (m_points ? pointsText(*m_points) : std::string("an unknown number of benchmark points")) + " in all.");
        }
        return std::max(code, m_code);
    }

private:
    void addJob(const SingleRecipe& recipe, std::size_t index, std::vector<syntax::Diagnostic>& diagnostics)
    {
        const check::CheckedVariant& variant = recipe.checked->variants[index];
        const recipe::Cluster& cluster = check::clusterOf(recipe.facts, *recipe.checked);
        plan::Plan plan = plan::plan(*variant.job, cluster);
        for (syntax::Diagnostic& problem : plan.diagnostics) {
            problem.variant = variant.variant.suffix.value_or("");
            diagnostics.push_back(problem);
        }
        if (!plan.topology)
            return;
        render::Context context;
        context.sourcePath = recipe.path;
        context.suffix = variant.variant.suffix.value_or("");
        context.resolvedYaml = check::resolvedYaml(*recipe.checked, index);
        context.servicesFolder = m_options.services;
        context.outputFolder = m_options.outputs;
        context.launcher = m_options.launcher == "srtctl" ? render::Launcher::Srtctl : render::Launcher::Portable;
        const std::vector<render::Refusal> refused = render::refusals(*variant.job, cluster, context);
        if (!refused.empty() && m_options.launcher == "portable") {
            for (const render::Refusal& reason : refused)
                diagnostics.push_back(refusalAt(*variant.job, reason, context.suffix));
            return;
        }
        if (!refused.empty()) {
            context.launcher = render::Launcher::Srtctl;
            m_console.say(base::printable(variant.name) + " is written for srtctl. " + refused.front().message);
        }
        const std::string folder = (m_root / uniqueName(base::safeName(variant.name), m_taken)).string();
        auto artifacts = render::render(*variant.job, cluster, plan, context);
        auto aside = artifacts.and_then([&](const auto& files) { return writeJob(files, folder, recipe.path, m_options.mayMoveAside); });
        if (!aside) {
            m_console.fail(aside.error());
            if (aside.error().code == ErrorCode::Refused && artifacts)
                m_console.fail("Choose another --out, or --force to move the old folder aside.");
            m_code = World;
            return;
        }
        if (!aside->empty())
            m_console.say("The folder that stood there is now " + *aside + ".");
        ++m_count;
        const std::optional<double> own = plan.counts.gpuHours();
        m_gpuHours = m_gpuHours && own ? std::optional(*m_gpuHours + *own) : std::nullopt;
        Array reasons;
        for (const render::Refusal& reason : refused)
            reasons.emplace_back(reason.message);
        Value job;
        job.set("path", recipe.path);
        job.set("name", variant.name);
        job.set("suffix", variant.variant.suffix);
        job.set("dir", folder);
        job.set("launcher", render::name(context.launcher));
        job.set("whyNotPortable", std::move(reasons));
        const plan::Cost cost = plan::cost(*variant.job, plan.counts);
        m_points = m_points && !cost.concurrencies.empty() ? std::optional(*m_points + cost.concurrencies.size()) : std::nullopt;
        job.set("cost", costJson(cost));
        job.set("artifacts", artifactsJson(*artifacts));
        job.set("topology", render::toJson(*plan.topology));
        m_jobs.push_back(std::move(job));
        if (!m_options.isJson)
            m_console.write(base::printable(variant.name) + "\t" + base::printable(folder) + "\t" + costText(cost) + "\n");
    }

    void tell(const check::Checked& checked, std::vector<syntax::Diagnostic>& diagnostics)
    {
        syntax::sortAndUnite(diagnostics);
        for (const syntax::Diagnostic& problem : diagnostics) {
            if (m_options.isJson)
                m_diagnostics.push_back(toJson(problem, checked));
            else if (problem.severity == syntax::Severity::Error)
                m_console.fail(asText(problem, checked, false));
            else if (problem.code == syntax::Code::NotRendered)
                m_console.say(asText(problem, checked, false));
        }
        if (syntax::hasErrors(diagnostics))
            m_code = std::max<int>(m_code, Findings);
    }

    const DryRunOptions& m_options;
    Console& m_console;
    std::filesystem::path m_root;
    std::set<std::string> m_taken; ///< Names of folders.
    Array m_jobs;
    Array m_diagnostics;
    std::size_t m_count = 0;
    std::optional<double> m_gpuHours = 0.0;  ///< Of all jobs; unknown when one is.
    std::optional<std::size_t> m_points = 0; ///< Expected of all jobs; unknown when those of one are.
    int m_code = Good;
    bool m_isAny = false;
};

int run(const DryRunOptions& options, Console& console)
{
    DryRun made(options, console);
    const int code = checkEach(options, 10'000, console, [&](const SingleRecipe& recipe) { made.add(recipe); });
    return made.finish(code);
}

} // namespace

Run addDryRun(CLI::App& command, Console& console)
{
    auto options = std::make_shared<DryRunOptions>();
    addFolderOptions(command, *options);
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
