#include "app/cli/plannedjobs.h"

#include "app/cli/findings.h"
#include "app/cli/remotesession.h"
#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/base/unifieddiff.h"
#include "core/remote/slurm.h"

#include <algorithm>
#include <cstdlib>

namespace wb::cli {

void addRemoteOptions(CLI::App& command, RemoteOptions& options)
{
    addRecipeOptions(command, options, true);
    command.add_option("--host", options.host, "Profile of profiles.json, or a host as ssh knows it")->required();
    command.add_option("--launcher", options.launcher, "portable or srtctl (default: the profile's)")
        ->check(CLI::IsMember({"srtctl", "portable"}));
    command.add_option("--services", options.services,
                       "Folder on the cluster with nats-server, etcd and setup scripts, for the portable launcher");
    command.add_option("--outputs", options.outputs, "Folder on the cluster that gets a folder for each job, for the portable launcher");
    command.add_option("--only", options.only, "Variants by suffix or name; may be given several times")->allow_extra_args(false);
}

namespace {

bool isChosen(const check::CheckedVariant& variant, const std::vector<std::string>& only)
{
    if (only.empty())
        return true;
    return std::any_of(only.begin(), only.end(),
                       [&](const std::string& word) { return variant.variant.suffix == word || variant.name == word; });
}

/// The first error of a variant, as its reason.
std::string whyNot(const check::Checked& checked, const check::CheckedVariant& variant)
{
    for (const syntax::Diagnostic& problem : checked.diagnostics) {
        const bool isOurs = problem.variant.empty() || problem.variant == variant.variant.suffix.value_or("");
        if (problem.severity == syntax::Severity::Error && isOurs)
            return problem.message;
    }
    return "It has errors.";
}

void addVariant(PlannedJobs& out, std::size_t index)
{
    const check::Checked& checked = *out.recipe.checked;
    const check::CheckedVariant& variant = checked.variants[index];
    const std::string shown = variant.name.empty() ? variant.variant.suffix.value_or("?") : variant.name;
    if (!variant.job) {
        out.unready.push_back({shown, whyNot(checked, variant)});
        return;
    }
    const recipe::Cluster& cluster = check::clusterOf(out.recipe.facts, checked);
    const plan::Plan plan = plan::plan(*variant.job, cluster);
    if (!plan.topology) {
        out.unready.push_back({shown, plan.diagnostics.empty() ? "Its workers cannot be placed." : plan.diagnostics.front().message});
        return;
    }
    // As `dry-run` makes it, so that what was looked at is what is sent.
    render::Context context;
    context.launcher = out.launcher;
    context.sourcePath = out.recipe.path;
    context.suffix = variant.variant.suffix.value_or("");
    context.resolvedYaml = check::resolvedYaml(checked, index);
    context.servicesFolder = out.services;
    context.outputFolder = out.outputs;
    auto artifacts = render::render(*variant.job, cluster, plan, context);
    if (!artifacts) {
        out.unready.push_back({shown, artifacts.error().message});
        return;
    }
    ReadyJob ready;
    ready.variant = index;
    ready.artifacts = *std::move(artifacts);
    ready.counts = plan.counts;
    ready.job = variant.job;
    std::string hashes;
    for (const remote::BundleFile& file : remote::sentFiles(ready.artifacts))
        hashes += file.name + ' ' + file.sha256 + '\n';
    ready.item = {variant.name, out.recipe.path, variant.variant.suffix.value_or(""), base::sha256Hex(hashes)};
    out.ready.push_back(std::move(ready));
}

/// The secrets that the profile names, from the environment of this program: where there is no keychain, that is their store.
bool readSecrets(PlannedJobs& out, Console& console)
{
    for (const std::string_view word : base::splitAt(out.profile.secrets, ',')) {
        const std::string name(base::trimmed(word));
        if (name.empty())
            continue;
        const char* value = std::getenv(name.c_str());
        if (!value) {
            console.fail("The profile " + base::inQuotes(out.profile.name) + " gives its jobs " + base::inQuotes(name) +
                         ", and this environment has no such variable; set it.");
            return false;
        }
        out.secrets.emplace_back(name, value);
    }
    return true;
}

} // namespace

PlannedJobs planJobs(RemoteOptions options, Console& console)
{
    PlannedJobs out;
    const auto profiles = userProfiles();
    if (!profiles) {
        console.fail(profiles.error());
        out.code = World;
        return out;
    }
    out.profile = remote::profileFor(*profiles, options.host);
    out.launcherName = options.launcher.empty() ? out.profile.launcher : options.launcher;
    out.launcher = out.launcherName == "srtctl" ? render::Launcher::Srtctl : render::Launcher::Portable;
    out.services = options.services;
    out.outputs = options.outputs;
    if (!readSecrets(out, console)) {
        out.code = World;
        return out;
    }
    if (options.cluster.empty())
        options.cluster = out.profile.clusterFile;
    out.recipe = checkSingle(options, 10'000, console);
    if (!out.recipe.checked) {
        out.code = out.recipe.code;
        return out;
    }
    const check::Checked& checked = *out.recipe.checked;
    for (std::size_t i = 0; i < checked.variants.size(); ++i)
        if (isChosen(checked.variants[i], options.only))
            addVariant(out, i);
    for (const syntax::Diagnostic& problem : checked.diagnostics)
        if (problem.severity == syntax::Severity::Error)
            console.fail(asText(problem, checked, false));
    if (out.ready.empty() && out.unready.empty()) {
        std::string known;
        for (const check::CheckedVariant& variant : checked.variants)
            known += (known.empty() ? "" : ", ") + base::inQuotes(variant.variant.suffix.value_or(variant.name));
        console.fail(options.only.empty() ? "The recipe stands for no job."
                                          : "--only names no variant of this recipe; there are " + (known.empty() ? "none" : known) + '.');
        out.code = Findings;
    }
    return out;
}

namespace {

Result<TokenedBundle> bareBundle(const PlannedJobs& planned, const ReadyJob& job, const std::string& token)
{
    TokenedBundle out;
    if (planned.launcher == render::Launcher::Portable) {
        const recipe::Cluster& known = check::clusterOf(planned.recipe.facts, *planned.recipe.checked);
        auto bundle = remote::portableBundle(job.artifacts, *job.job, planned.outputs.empty() ? known.outputDir : planned.outputs, token);
        if (!bundle)
            return tl::unexpected<Error>(std::move(bundle.error()));
        out.bundle = *std::move(bundle);
        return out;
    }
    // The recipe again, as a plain one, with the comment set: so it is the language's own way of writing it that is sent.
    const check::Checked& checked = *planned.recipe.checked;
    const std::string before = check::resolvedYaml(checked, job.variant);
    check::Options how;
    // Settings are YAML, and a quoted text of JSON is one whatever is in it.
    const base::json::Value comment(remote::commentFor(remote::writtenComment(*job.job), token));
    how.expansion.settings = {{"sbatch_directives.comment", base::json::write(comment, 0), false}};
    const check::Checked again = check::check(std::make_shared<syntax::SourceText>(before, planned.recipe.path), planned.recipe.facts, how);
    if (again.variants.size() != 1 || !again.variants.front().job)
        return failure(ErrorCode::Malformed, "The recipe of " + base::inQuotes(job.item.name) + " cannot take a comment.");
    const std::string after = check::resolvedYaml(again, 0);
    const recipe::Cluster& cluster = check::clusterOf(planned.recipe.facts, checked);
    const plan::Plan plan = plan::plan(*again.variants.front().job, cluster);
    render::Context context;
    context.launcher = planned.launcher;
    context.sourcePath = planned.recipe.path;
    context.suffix = job.item.variant;
    context.resolvedYaml = after;
    auto artifacts = render::render(*again.variants.front().job, cluster, plan, context);
    if (!artifacts)
        return tl::unexpected<Error>(std::move(artifacts.error()));
    auto bundle = remote::srtctlBundle(*artifacts, planned.profile.srtctl, planned.profile.remoteClusterFile);
    if (!bundle)
        return tl::unexpected<Error>(std::move(bundle.error()));
    out.bundle = *std::move(bundle);
    out.difference = base::unifiedDiff(before, after, "resolved", "sent");
    return out;
}

} // namespace

Result<TokenedBundle> bundleFor(const PlannedJobs& planned, const ReadyJob& job, const std::string& token)
{
    auto bundle = bareBundle(planned, job, token);
    if (!bundle)
        return bundle;
    auto secrets = remote::secretLines(planned.secrets);
    if (!secrets)
        return tl::unexpected<Error>(std::move(secrets.error()));
    bundle->bundle.secretEnvironment = *std::move(secrets);
    return bundle;
}

} // namespace wb::cli
