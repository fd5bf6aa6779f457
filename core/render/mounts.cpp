#include "core/base/text.h"
#include "core/plan/paths.h"
#include "core/render/artifact.h"

#include <algorithm>
#include <utility>

namespace wb::render {

namespace {

constexpr std::string_view unknownHeadIp = "<HEAD_NODE_IP>";

/// The names that srtctl replaces in both sides of `container_mounts`.
std::string filledIn(std::string text, const recipe::Job& job, const recipe::Cluster& cluster)
{
    const std::pair<std::string_view, std::string> values[] = {
        {"{job_id}", std::string(plan::unknownJob)},
        {"{run_name}", job.name + "_" + std::string(plan::unknownJob)},
        {"{head_node_ip}", std::string(unknownHeadIp)},
        {"{log_dir}", plan::logFolder(cluster)},
        {"{model_path}", plan::modelSource(job)},
        {"{container_image}", job.container},
        {"{gpus_per_node}", std::to_string(job.resources.gpusPerNode)},
    };
    for (const auto& [name, value] : values)
        text = base::replacedAll(text, name, value);
    return text;
}

/// A relative host folder counts from srtctl's own, the working folder of the job.
std::string absoluteHost(std::string host, const recipe::Cluster& cluster)
{
    if (host.empty() || host.front() == '/' || host.front() == '$' || host.front() == '~' || host.front() == '<')
        return host;
    return plan::srtctlRoot(cluster) + "/" + host;
}

std::string parentOf(std::string_view path)
{
    const std::size_t slash = path.rfind('/');
    return std::string(slash == std::string_view::npos || slash == 0 ? "/" : path.substr(0, slash));
}

class MountList
{
public:
    void add(std::string host, std::string container, std::string source)
    {
        const auto same = std::find_if(m_mounts.begin(), m_mounts.end(), [&](const Mount& mount) { return mount.host == host; });
        if (same == m_mounts.end()) {
            m_mounts.push_back({std::move(host), std::move(container), std::move(source)});
            return;
        }
        same->container = std::move(container);
        same->source = std::move(source);
    }

    std::vector<Mount> take() { return std::move(m_mounts); }

private:
    std::vector<Mount> m_mounts;
};

} // namespace

std::vector<Mount> askedMounts(const recipe::Job& job, const recipe::Cluster& cluster)
{
    std::vector<Mount> out;
    for (const auto& [host, container] : cluster.defaultMounts)
        out.push_back({absoluteHost(host, cluster), container, "default_mounts of the cluster file"});
    for (const std::string& entry : job.extraMounts) {
        // An entry without a colon has no container side; srtctl stops at it when the job runs.
        if (const std::size_t colon = entry.find(':'); colon != std::string::npos)
            out.push_back({absoluteHost(entry.substr(0, colon), cluster), entry.substr(colon + 1), "extra_mount"});
    }
    for (const auto& [host, container] : job.containerMounts)
        out.push_back({absoluteHost(filledIn(host, job, cluster), cluster), filledIn(container, job, cluster), "container_mounts"});
    return out;
}

std::vector<Mount> mounts(const recipe::Job& job, const recipe::Cluster& cluster)
{
    const std::string root = plan::srtctlRoot(cluster);
    MountList list;
    list.add(plan::logFolder(cluster), "/logs", "log folder of the job");
    if (!plan::isFetchedModel(job))
        list.add(plan::modelSource(job), "/model", "model.path");
    if (job.stageDir && !job.stageDir->empty())
        list.add(parentOf(*job.stageDir), parentOf(*job.stageDir), "model.stage_dir");
    list.add(root + "/configs", "/configs", "srtctl");
    list.add(root + "/src/srtctl/runtime_scripts", "/srtctl-runtime", "srtctl");
    list.add(root + "/src/srtctl/benchmarks/scripts", "/srtctl-benchmarks", "srtctl");
    for (Mount& mount : askedMounts(job, cluster))
        list.add(std::move(mount.host), std::move(mount.container), std::move(mount.source));
    return list.take();
}

} // namespace wb::render
