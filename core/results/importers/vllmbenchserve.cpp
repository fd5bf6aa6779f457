#include "core/results/importers/vllmbenchserve.h"

#include "core/results/importers/clientsummary.h"
#include "core/results/importers/rows.h"

namespace wb::results {

bool sniffVllmBenchServe(const Input& input)
{
    if (isSweepSummary(input))
        return false; // told as a side file: its rows stand in the run=<N>.json files too
    return anyRow(input, isClientSummary);
}

Result<PointSet> readVllmBenchServe(const Input& input, std::stop_token stop)
{
    return readClientSummaries(input, "vllm-bench-serve", stop);
}

} // namespace wb::results
