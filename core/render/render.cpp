#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/engines/launch.h"
#include "core/render/artifact.h"
#include "core/render/commands.h"
#include "core/render/jobscript.h"
#include "core/render/metadata.h"
#include "core/render/tables.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace wb::render {

namespace {

constexpr std::array<std::string_view, 8> kindNames = {"job-script", "recipe", "command",  "environment",
                                                       "mounts",     "config", "metadata", "topology"};

enum class Writer { Us, Cluster };

class ArtifactList
{
public:
    void add(std::string name, ArtifactKind kind, std::string bytes, Writer writer = Writer::Us)
    {
        std::string sha256 = base::sha256Hex(bytes);
        m_artifacts.push_back({std::move(name), kind, std::move(bytes), std::move(sha256), writer == Writer::Cluster});
    }

    std::vector<Artifact> take() { return std::move(m_artifacts); }

private:
    std::vector<Artifact> m_artifacts;
};

/// Files that the engine reads, one for each mode that has workers.
void addConfigs(ArtifactList& list, const recipe::Job& job)
{
    const engines::Engine* engine = engines::find(job.backend.type);
    if (!engine || !engine->configFile)
        return;
    for (const plan::Mode mode : plan::allModes)
        if (plan::workers(job.resources, mode) > 0)
            list.add(engine->configFile(mode), ArtifactKind::Config, configText(job.backend.of(mode)), Writer::Cluster);
}

/// A directive or an exported name that is more than its own line.
std::optional<Error> breaksOut(const recipe::Job& job, const recipe::Cluster& cluster)
{
    const auto said = [](const std::string& what) {
        return Error{ErrorCode::Refused, "The job script cannot be written: " + base::inQuotes(what) + " does not keep to its line.", {}};
    };
    for (const std::string& directive : directives(job, cluster)) {
        if (base::hasControlCharacter(directive))
            return said("#SBATCH --" + directive);
    }
    const auto isPart = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
    for (const Variable& variable : exports(job)) {
        if (!std::all_of(variable.name.begin(), variable.name.end(), isPart) || variable.value.find('\0') != std::string::npos)
            return said("export " + variable.name);
    }
    return std::nullopt;
}

} // namespace

std::string_view name(ArtifactKind kind)
{
    return kindNames[static_cast<std::size_t>(kind)];
}

std::optional<Error> refusal(Launcher launcher)
{
    if (launcher == Launcher::Srtctl)
        return std::nullopt;
    return Error{ErrorCode::Unsupported, "The portable launcher cannot write job scripts yet; choose the launcher \"srtctl\".", {}};
}

Result<std::vector<Artifact>> render(const recipe::Job& job, const recipe::Cluster& cluster, const plan::Plan& plan, const Context& context)
{
    assert(!refusal(context.launcher));
    if (auto broken = breaksOut(job, cluster))
        return tl::unexpected<Error>(*std::move(broken));
    const auto launches = plan.topology ? engines::workerLaunches(job, cluster, *plan.topology) : std::vector<engines::Launch>();
    ArtifactList list;
    list.add("sbatch_script.sh", ArtifactKind::JobScript, predictedJobScript(job, cluster, context), Writer::Cluster);
    list.add(recipeFile(context), ArtifactKind::Recipe, context.resolvedYaml);
    for (const engines::Launch& launch : launches)
        list.add("commands/" + launch.name + ".sh", ArtifactKind::Command, commandText(launch), Writer::Cluster);
    addConfigs(list, job);
    list.add("environment.tsv", ArtifactKind::Environment, environmentTable(job, launches));
    list.add("mounts.tsv", ArtifactKind::Mounts, mountTable(job, cluster));
    list.add("metadata.json", ArtifactKind::Metadata, base::json::write(metadata(job)), Writer::Cluster);
    if (plan.topology)
        list.add("topology.json", ArtifactKind::Topology, base::json::write(toJson(*plan.topology)));
    return list.take();
}

} // namespace wb::render
