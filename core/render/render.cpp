#include "core/base/sha256.h"
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/engines/engine.h"
#include "core/render/artifact.h"
#include "core/render/commands.h"
#include "core/render/jobscript.h"
#include "core/render/metadata.h"
#include "core/render/portable.h"
#include "core/render/steps.h"
#include "core/render/tables.h"

#include <algorithm>
#include <array>
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

/// Stands in the place of commands that this version cannot tell.
std::string unknownCommands(const recipe::Job& job)
{
    return "The commands of this job are not known for schema " + std::to_string(job.schema) + " with the engine " +
           base::inQuotes(job.backend.type) + ": srtctl makes them on the cluster.\n";
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
    for (const Variable& variable : exports(job)) {
        if (!base::isVariableName(variable.name)) {
            return Error{ErrorCode::Refused,
                         "The job script cannot be written: " + base::inQuotes(variable.name) + " is no name of a variable of a shell.",
                         {}};
        }
        if (variable.value.find('\0') != std::string::npos)
            return said("export " + variable.name);
    }
    return std::nullopt;
}

} // namespace

std::string_view name(ArtifactKind kind)
{
    return kindNames[static_cast<std::size_t>(kind)];
}

std::string_view name(Launcher launcher)
{
    return launcher == Launcher::Srtctl ? "srtctl" : "portable";
}

Result<std::vector<Artifact>> render(const recipe::Job& job, const recipe::Cluster& cluster, const plan::Plan& plan, const Context& context)
{
    if (auto broken = breaksOut(job, cluster))
        return tl::unexpected<Error>(*std::move(broken));
    if (const auto refused = refusals(job, cluster, context); !refused.empty())
        return failure(ErrorCode::Refused, refused.front().message);
    const bool isPortable = context.launcher == Launcher::Portable;
    const Writer writer = isPortable ? Writer::Us : Writer::Cluster;
    ArtifactList list;
    std::vector<Step> all;
    if (!isPortable) {
        if (plan.topology)
            all = steps(job, cluster, *plan.topology);
        list.add("sbatch_script.sh", ArtifactKind::JobScript, predictedJobScript(job, cluster, context), writer);
    } else if (plan.topology) {
        PortableJob made = portableJob(job, cluster, *plan.topology, context);
        all = std::move(made.steps);
        list.add("sbatch_script.sh", ArtifactKind::JobScript, std::move(made.script), writer);
    }
    list.add(recipeFile(context), ArtifactKind::Recipe, context.resolvedYaml);
    for (const Step& step : all)
        list.add("commands/" + step.launch.name + ".sh", ArtifactKind::Command, commandText(step), writer);
    if (plan.topology && all.empty())
        list.add("commands/not-known.txt", ArtifactKind::Command, unknownCommands(job));
    addConfigs(list, job);
    if (plan.topology && !all.empty()) {
        if (const std::string nginx = nginxConfig(job, *plan.topology); !nginx.empty())
            list.add("nginx.conf", ArtifactKind::Config, nginx, writer);
        if (const std::string servers = orchestratorConfig(job, *plan.topology); !servers.empty())
            list.add("ser.yaml", ArtifactKind::Config, servers, writer);
        if (const std::string store = mooncakeStoreConfig(job, *plan.topology); !store.empty())
            list.add("mooncake_store_config.json", ArtifactKind::Config, store, writer);
    }
    list.add("environment.tsv", ArtifactKind::Environment, environmentTable(isPortable ? std::vector<Variable>() : exports(job), all));
    list.add("mounts.tsv", ArtifactKind::Mounts, mountTable(isPortable ? portableMounts(job, cluster, context) : mounts(job, cluster)));
    list.add("metadata.json", ArtifactKind::Metadata, base::json::write(metadata(job)), writer);
    if (plan.topology)
        list.add("topology.json", ArtifactKind::Topology, base::json::write(toJson(*plan.topology)));
    return list.take();
}

} // namespace wb::render
