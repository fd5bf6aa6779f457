#include "core/plan/cost.h"

#include "core/plan/numbers.h"

namespace wb::plan {

Cost cost(const recipe::Job& job, const Counts& counts)
{
    Cost out;
    if (counts.hours)
        out.nodeHours = static_cast<double>(counts.nodes) * *counts.hours;
    out.gpuHours = counts.gpuHours();
    out.healthBudgetSeconds = product(job.healthMaxAttempts, job.healthIntervalSeconds);
    if (job.benchmark.type != "manual" && job.benchmark.type != "custom")
        out.concurrencies = job.benchmark.concurrencies;
    return out;
}

} // namespace wb::plan
