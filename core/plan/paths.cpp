#include "core/plan/paths.h"

namespace wb::plan {

namespace {

constexpr std::string_view fetched = "hf:";

} // namespace

std::string addressOf(std::string_view node)
{
    return "<" + std::string(node) + "-ip>";
}

std::string srtctlRoot(const recipe::Cluster& cluster)
{
    return cluster.srtctlRoot.empty() ? std::string(unknownRoot) : cluster.srtctlRoot;
}

std::string outputBase(const recipe::Cluster& cluster)
{
    return cluster.outputDir.empty() ? srtctlRoot(cluster) + "/outputs" : cluster.outputDir;
}

std::string logFolder(const recipe::Cluster& cluster)
{
    return outputBase(cluster) + "/" + std::string(unknownJob) + "/logs";
}

bool isFetchedModel(const recipe::Job& job)
{
    return job.modelPath.starts_with(fetched);
}

std::string modelSource(const recipe::Job& job)
{
    if (isFetchedModel(job))
        return job.modelPath.substr(fetched.size());
    if (job.modelPath.starts_with('/'))
        return job.modelPath;
    return std::string(unknownFolder) + "/" + job.modelPath;
}

std::string modelArgument(const recipe::Job& job)
{
    return isFetchedModel(job) ? modelSource(job) : "/model";
}

std::string modelName(const recipe::Job& job)
{
    std::string source = modelSource(job);
    while (source.size() > 1 && source.back() == '/')
        source.pop_back();
    return source.substr(source.rfind('/') + 1);
}

std::string stagedModel(const recipe::Job& job)
{
    if (isFetchedModel(job) || !job.stageDir || job.stageDir->empty())
        return {};
    return *job.stageDir + (job.stageDir->ends_with('/') ? "" : "/") + modelName(job);
}

} // namespace wb::plan
