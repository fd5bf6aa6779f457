#include "app/cli/plannedjobs.h"

#include "app/cli/findings.h"
#include "app/cli/remotesession.h"
#include "core/base/text.h"

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

bool isNamed(const check::CheckedVariant& variant, const std::string& word)
{
    return variant.variant.suffix == word || variant.name == word;
}

/// The variants that were asked for. Nothing, and said why, when a word names none: the others are not submitted in its stead.
std::optional<std::vector<std::size_t>> chosenOf(const check::Checked& checked, const std::vector<std::string>& only, Console& console)
{
    const std::vector<check::CheckedVariant>& variants = checked.variants;
    for (const std::string& word : only) {
        if (std::any_of(variants.begin(), variants.end(), [&](const auto& variant) { return isNamed(variant, word); }))
            continue;
        std::string known;
        for (const check::CheckedVariant& variant : variants)
            known += (known.empty() ? "" : ", ") + base::inQuotes(variant.variant.suffix.value_or(variant.name));
        console.fail("--only " + base::inQuotes(word) + " names no variant of this recipe; there are " + (known.empty() ? "none" : known) +
                     '.');
        return std::nullopt;
    }
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < variants.size(); ++i)
        if (only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& word) { return isNamed(variants[i], word); }))
            chosen.push_back(i);
    return chosen;
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
    out.launcher = remote::launcherOf(out.launcherName);
    out.services = options.services.empty() ? out.profile.services : options.services;
    out.outputs = options.outputs.empty() ? out.profile.outputs : options.outputs;
    // Where there is no keychain, the environment of this program is the store of secrets.
    auto secrets = remote::secretsOf(out.profile, [](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str());
        return value ? std::optional<std::string>(value) : std::nullopt;
    });
    if (!secrets) {
        console.fail(secrets.error());
        out.code = World;
        return out;
    }
    out.secrets = *std::move(secrets);
    if (options.cluster.empty())
        options.cluster = out.profile.clusterFile;
    SingleRecipe recipe = checkSingle(options, 10'000, console);
    if (!recipe.checked) {
        out.code = recipe.code;
        return out;
    }
    out.checked = std::make_shared<const check::Checked>(*std::move(recipe.checked));
    out.facts = std::move(recipe.facts);
    out.path = std::move(recipe.path);
    const check::Checked& checked = *out.checked;
    const auto chosen = chosenOf(checked, options.only, console);
    if (!chosen) {
        out.code = Findings;
        return out;
    }
    remote::planVariants(out, *chosen);
    for (const syntax::Diagnostic& problem : checked.diagnostics)
        if (problem.severity == syntax::Severity::Error)
            console.fail(asText(problem, checked, false));
    if (out.ready.empty() && out.unready.empty()) {
        console.fail("The recipe stands for no job.");
        out.code = Findings;
    }
    return out;
}

} // namespace wb::cli
