// srtwb dry-run: writes every artifact of every job.
#include "app/cli/command.h"
#include "app/cli/findings.h"
#include "app/cli/recipes.h"
#include "core/base/text.h"
#include "core/plan/topology.h"
#include "core/render/artifact.h"
#include "core/store/atomicfile.h"

#include <filesystem>
#include <set>

namespace wb::cli {

using base::json::Array;
using base::json::Value;

namespace {

struct DryRunOptions : RecipeOptions {
    std::string out;
    std::string launcher;
};

/// A folder name from a job name: no separators, nothing that a shell or a file system minds.
std::string folderName(std::string_view name)
{
    std::string out;
    for (const char c : name) {
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                             c == '.' || static_cast<unsigned char>(c) >= 0x80;
        out += isPlain ? c : '_';
    }
    constexpr std::size_t longest = 120;
    if (out.size() > longest)
        out.resize(longest);
    if (out.empty() || out.front() == '.')
        out.insert(0, "job");
    return out;
}

std::string uniqueFolder(const std::string& wanted, std::set<std::string>& taken)
{
    std::string name = wanted;
    for (std::size_t i = 2; !taken.insert(name).second; ++i)
        name = wanted + "_" + std::to_string(i);
    return name;
}

Result<Value> writeJob(const std::vector<render::Artifact>& artifacts, const std::string& folder)
{
    Array written;
    for (const render::Artifact& artifact : artifacts) {
        const std::filesystem::path path = std::filesystem::path(folder) / artifact.name;
        if (auto made = store::makeFolder(path.parent_path().string()); !made)
            return tl::unexpected<Error>(std::move(made.error()));
        if (auto done = store::writeAtomically(path.string(), artifact.bytes); !done)
            return tl::unexpected<Error>(std::move(done.error()));
        Value object;
        object.set("name", artifact.name);
        object.set("kind", render::name(artifact.kind));
        object.set("sha256", artifact.sha256);
        object.set("bytes", artifact.bytes.size());
        written.push_back(std::move(object));
    }
    return Value(std::move(written));
}

int run(const DryRunOptions& options, Console& console)
{
    if (options.launcher == "portable") {
        console.fail("The portable job script cannot be written by this version; use --launcher srtctl.");
        return Usage;
    }
    SingleRecipe recipe = checkSingle(options, 10'000, console);
    if (!recipe.checked)
        return recipe.code;
    const check::Checked& checked = *recipe.checked;
    const recipe::Cluster& cluster = check::clusterOf(recipe.facts, checked);
    const std::filesystem::path root = std::filesystem::absolute(options.out);
    std::vector<syntax::Diagnostic> diagnostics = checked.diagnostics;
    std::set<std::string> taken;
    Array jobs;
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
        const render::Context context{render::Launcher::Srtctl, recipe.path, variant.variant.suffix.value_or(""),
                                      check::resolvedYaml(checked, i)};
        const std::string folder = (root / uniqueFolder(folderName(variant.name), taken)).string();
        auto artifacts = writeJob(render::render(*variant.job, cluster, plan, context), folder);
        if (!artifacts) {
            console.fail(artifacts.error());
            return World;
        }
        Value job;
        job.set("name", variant.name);
        job.set("suffix", variant.variant.suffix);
        job.set("dir", folder);
        job.set("artifacts", *std::move(artifacts));
        job.set("topology", render::toJson(*plan.topology));
        jobs.push_back(std::move(job));
        if (!options.isJson)
            console.write(variant.name + "\t" + folder + "\n");
    }
    syntax::sortAndUnite(diagnostics);
    if (options.isJson) {
        Value document;
        document.set("jobs", std::move(jobs));
        document.set("diagnostics", toJson(diagnostics, checked));
        console.writeDocument(document);
    } else {
        for (const syntax::Diagnostic& problem : diagnostics) {
            if (problem.severity == syntax::Severity::Error)
                console.fail(asText(problem, checked, false));
            else if (problem.code == syntax::Code::NotRendered)
                console.say(asText(problem, checked, false));
        }
        console.say(std::to_string(taken.size()) + (taken.size() == 1 ? " job written below " : " jobs written below ") + root.string() +
                    ".");
    }
    return syntax::hasErrors(diagnostics) ? Findings : Good;
}

} // namespace

Run addDryRun(CLI::App& command, Console& console)
{
    auto options = std::make_shared<DryRunOptions>();
    addRecipeOptions(command, *options, true);
    command.add_option("--out", options->out, "Folder to write into")->required();
    command.add_option("--launcher", options->launcher, "Whose job script is written: srtctl (predicted) or portable")
        ->check(CLI::IsMember({"srtctl", "portable"}));
    return [options, &console] { return run(*options, console); };
}

} // namespace wb::cli
