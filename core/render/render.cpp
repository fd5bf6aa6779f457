#include "core/base/sha256.h"
#include "core/render/artifact.h"
#include "core/render/jobscript.h"
#include "core/render/metadata.h"
#include "core/render/tables.h"

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

std::vector<Artifact> render(const recipe::Job& job, const recipe::Cluster& cluster, const plan::Plan& plan, const Context& context)
{
    assert(!refusal(context.launcher));
    ArtifactList list;
    list.add("sbatch_script.sh", ArtifactKind::JobScript, predictedJobScript(job, cluster, context), Writer::Cluster);
    list.add(recipeFile(context), ArtifactKind::Recipe, context.resolvedYaml);
    list.add("environment.tsv", ArtifactKind::Environment, environmentTable(job));
    list.add("mounts.tsv", ArtifactKind::Mounts, mountTable(job, cluster));
    list.add("metadata.json", ArtifactKind::Metadata, base::json::write(metadata(job)), Writer::Cluster);
    if (plan.topology)
        list.add("topology.json", ArtifactKind::Topology, base::json::write(toJson(*plan.topology)));
    return list.take();
}

} // namespace wb::render
