#include "core/plan/numbers.h"
#include "core/plan/paths.h"
#include "core/render/artifact.h"

#include <string>

namespace wb::render {

namespace {

std::string option(std::string_view key, std::string_view value)
{
    std::string out(key);
    if (!value.empty())
        out += "=" + std::string(value);
    return out;
}

void addComponent(std::vector<std::string>& out, const recipe::Job& job, const recipe::Cluster& cluster, std::int64_t nodes)
{
    const std::int64_t gpus = job.resources.gpusPerNode;
    // An MPI engine needs a task for each GPU; the others start their steps with a task a node.
    const bool isMpi = job.backend.type == "trtllm";
    out.push_back(option("nodes", std::to_string(nodes)));
    out.push_back(option("ntasks", std::to_string(isMpi ? plan::product(nodes, gpus) : nodes)));
    out.push_back(option("ntasks-per-node", std::to_string(isMpi ? gpus : 1)));
    if (cluster.gpusPerNodeDirective)
        out.push_back(option("gpus-per-node", std::to_string(gpus)));
    if (cluster.segmentDirective)
        out.push_back(option("segment", std::to_string(nodes)));
    if (cluster.exclusiveDirective)
        out.emplace_back("exclusive");
    if (job.account && !job.account->empty())
        out.push_back(option("account", *job.account));
    out.push_back(option("time", job.timeLimit.value_or(std::string(plan::defaultTimeLimit))));
    if (job.partition && !job.partition->empty())
        out.push_back(option("partition", *job.partition));
    for (const auto& [key, value] : job.sbatchDirectives)
        out.push_back(option(key, value));
}

} // namespace

std::vector<std::string> directives(const recipe::Job& job, const recipe::Cluster& cluster)
{
    std::vector<std::string> out;
    out.push_back("job-name=" + job.name);
    out.push_back("output=" + plan::outputBase(cluster) + "/%j/logs/sweep_%j.log");
    bool isFirst = true;
    for (const std::int64_t nodes : plan::allocation(job)) {
        if (!isFirst)
            out.emplace_back("hetjob");
        addComponent(out, job, cluster, nodes);
        isFirst = false;
    }
    return out;
}

} // namespace wb::render
