#include "core/remote/ownlog.h"

#include "core/base/text.h"

#include <algorithm>
#include <iterator>

namespace wb::remote {

using store::JobEntry;

bool isLog(std::string_view path)
{
    const std::string low = base::lowered(path);
    return low.ends_with(".log") || low.ends_with(".out") || low.ends_with(".err");
}

std::string ownLog(const std::vector<std::string>& paths, const JobEntry& job)
{
    std::vector<std::string> logs;
    std::copy_if(paths.begin(), paths.end(), std::back_inserter(logs), isLog);
    if (logs.empty())
        return {};
    if (!job.jobId.empty()) {
        // A small number is part of many names: node4, sweep_42.
        for (const std::string& end : {"sweep_" + job.jobId + '.', "slurm-" + job.jobId + '.', '_' + job.jobId + '.', job.jobId})
            for (const std::string& path : logs)
                if (path.find(end) != std::string::npos)
                    return path;
    }
    return logs.front();
}

} // namespace wb::remote
