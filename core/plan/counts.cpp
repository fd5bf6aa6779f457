#include "core/base/text.h"
#include "core/plan/modes.h"
#include "core/plan/numbers.h"
#include "core/plan/topology.h"

#include <algorithm>
#include <array>
#include <vector>

namespace wb::plan {

namespace {

using recipe::Job;
using recipe::Resources;

bool isSet(const syntax::ValuePtr& block, std::string_view key)
{
    const syntax::ValuePtr value = block ? block->find(key) : nullptr;
    return value && value->kind == syntax::Kind::Bool && value->boolean;
}

/// A flag's number, also one in quotes (a sweep writes it so).
std::optional<std::int64_t> flagNumber(const syntax::ValuePtr& flags, std::string_view dashed, std::string_view underscored)
{
    if (!flags)
        return std::nullopt;
    for (const std::string_view key : {dashed, underscored}) {
        const syntax::ValuePtr value = flags->find(key);
        if (!value)
            continue;
        if (value->kind == syntax::Kind::Integer)
            return value->integer;
        if (value->isString())
            return base::integerOf(value->text);
    }
    return std::nullopt;
}

std::int64_t workerGpus(const Resources& resources, Mode mode)
{
    return product(workers(resources, mode), gpusPerWorker(resources, mode));
}

std::int64_t workerNodeCount(const Job& job)
{
    const Resources& resources = job.resources;
    if (isServicesOnly(job))
        return 0;
    if (!resources.isDisaggregated())
        return resources.aggNodes.value_or(0) == 0 ? 1 : *resources.aggNodes;
    if (packsTogether(job)) {
        const std::int64_t gpus =
            sum(sum(workerGpus(resources, Mode::Prefill), workerGpus(resources, Mode::Decode)), workerGpus(resources, Mode::Agg));
        return gpus > 0 ? dividedUp(gpus, resources.gpusPerNode) : 0;
    }
    return sum(resources.prefillNodes.value_or(0), resources.decodeNodes.value_or(0));
}

/// Minutes, minutes:seconds, hours:minutes:seconds, days-hours[:minutes[:seconds]]: how the parts are read depends on the dash and their
/// number.
std::optional<double> slurmSeconds(std::string_view text)
{
    const auto numberOf = [](std::string_view digits) -> std::optional<double> {
        const auto number = base::integerOf(digits);
        if (!number || *number < 0 || *number > 1'000'000'000)
            return std::nullopt;
        return static_cast<double>(*number);
    };
    double days = 0;
    const std::size_t dash = text.find('-');
    if (dash != std::string_view::npos) {
        const auto number = numberOf(text.substr(0, dash));
        if (!number)
            return std::nullopt;
        days = *number;
        text.remove_prefix(dash + 1);
    }
    const std::vector<std::string_view> pieces = base::splitAt(text, ':');
    if (pieces.size() > 3)
        return std::nullopt;
    std::array<double, 3> part{};
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto number = numberOf(pieces[i]);
        if (!number)
            return std::nullopt;
        part[i] = *number;
    }
    if (dash != std::string_view::npos || pieces.size() == 3)
        return days * 86'400 + part[0] * 3'600 + part[1] * 60 + part[2];
    return part[0] * 60 + part[1];
}

} // namespace

std::string_view name(Mode mode)
{
    switch (mode) {
    case Mode::Prefill:
        return "prefill";
    case Mode::Decode:
        return "decode";
    case Mode::Agg:
        break;
    }
    return "agg";
}

std::int64_t workers(const Resources& resources, Mode mode)
{
    switch (mode) {
    case Mode::Prefill:
        return resources.prefillWorkers.value_or(0);
    case Mode::Decode:
        return resources.decodeWorkers.value_or(0);
    case Mode::Agg:
        break;
    }
    return resources.aggWorkers.value_or(0);
}

std::int64_t gpusPerWorker(const Resources& resources, Mode mode)
{
    if (const auto written = givenGpus(resources, mode))
        return *written;
    const std::int64_t nodes = givenNodes(resources, mode).value_or(0);
    const std::int64_t count = workers(resources, mode);
    if (nodes < 0 || count < 0)
        return 0;
    if (nodes != 0 && count != 0)
        return product(nodes, resources.gpusPerNode) / count;
    if (mode == Mode::Decode && resources.decodeNodes == 0 && count != 0)
        return gpusPerWorker(resources, Mode::Prefill);
    return resources.gpusPerNode;
}

bool packsTogether(const Job& job)
{
    const Resources& resources = job.resources;
    if (job.backend.type != "vllm" || !isSet(job.backend.options, "allow_prefill_decode_colocation"))
        return false;
    if (workers(resources, Mode::Prefill) <= 0 || workers(resources, Mode::Decode) <= 0 || resources.gpusPerNode <= 0)
        return false;
    const std::int64_t gpus =
        sum(sum(workerGpus(resources, Mode::Prefill), workerGpus(resources, Mode::Decode)), workerGpus(resources, Mode::Agg));
    return gpus <= resources.gpusPerNode || isSet(job.backend.options, "allow_prefill_decode_colocation_across_nodes");
}

std::int64_t Reserved::nodes() const
{
    const int roles = (infra ? 1 : 0) + (frontend ? 1 : 0) + (client ? 1 : 0);
    return shared && roles > 0 ? 1 : roles;
}

Reserved reserved(const Job& job)
{
    return {.infra = job.etcdNatsDedicatedNode,
            .frontend = job.frontend.dedicatedNode,
            .client = job.benchmark.clientDedicatedNode,
            .shared = job.benchmark.colocateWithFrontend};
}

bool isServicesOnly(const Job& job)
{
    const Resources& resources = job.resources;
    return job.schema == 2 && workers(resources, Mode::Prefill) == 0 && workers(resources, Mode::Decode) == 0 &&
           workers(resources, Mode::Agg) == 0;
}

bool isHeterogeneous(const Job& job)
{
    return job.resources.hetJobs && job.resources.isDisaggregated();
}

std::vector<std::int64_t> allocation(const Job& job)
{
    if (!isHeterogeneous(job))
        return {sum(std::max<std::int64_t>(1, sum(workerNodeCount(job), job.poolNodes)), reserved(job).nodes())};
    return {sum(job.resources.prefillNodes.value_or(0), job.etcdNatsDedicatedNode ? 1 : 0), job.resources.decodeNodes.value_or(0)};
}

std::optional<double> Counts::gpuHours() const
{
    if (!hours)
        return std::nullopt;
    return static_cast<double>(gpusAllocated) * *hours;
}

Counts count(const Job& job, const recipe::Cluster&)
{
    const Resources& resources = job.resources;
    Counts counts;
    if (isHeterogeneous(job)) {
        counts.workerNodes = sum(resources.prefillNodes.value_or(0), resources.decodeNodes.value_or(0));
        counts.nodes = sum(counts.workerNodes, job.etcdNatsDedicatedNode ? 1 : 0);
    } else {
        counts.workerNodes = workerNodeCount(job);
        counts.nodes = allocation(job).front();
    }
    counts.gpusAllocated = product(counts.nodes, resources.gpusPerNode);
    counts.prefillGpus = workerGpus(resources, Mode::Prefill);
    counts.decodeGpus = workerGpus(resources, Mode::Decode);
    counts.gpusWorking = sum(sum(counts.prefillGpus, counts.decodeGpus), workerGpus(resources, Mode::Agg));
    counts.hours = timeLimitHours(timeLimit(job));
    return counts;
}

std::string timeLimit(const Job& job)
{
    for (const auto& [key, value] : job.sbatchDirectives)
        if (key == "time")
            return value;
    return job.timeLimit.value_or(std::string(defaultTimeLimit));
}

std::optional<DataParallel> dataParallel(const Job& job, Mode mode)
{
    // Under the frontend "vllm" each endpoint is one server that spreads its ranks by itself.
    if (job.backend.type != "vllm" || job.frontend.type == "vllm")
        return std::nullopt;
    const syntax::ValuePtr& flags = job.backend.of(mode).flags;
    const auto size = flagNumber(flags, "data-parallel-size", "data_parallel_size");
    if (!size)
        return std::nullopt;
    const std::int64_t tensor = flagNumber(flags, "tensor-parallel-size", "tensor_parallel_size").value_or(1);
    const std::int64_t pipeline = flagNumber(flags, "pipeline-parallel-size", "pipeline_parallel_size").value_or(1);
    const syntax::ValuePtr launch = job.backend.options ? job.backend.options->find("dp_launch_mode") : nullptr;
    return DataParallel{.size = *size, .replica = product(tensor, pipeline), .perGpu = launch && launch->text == "per_gpu"};
}

std::optional<double> timeLimitHours(std::string_view text)
{
    const auto seconds = slurmSeconds(text);
    if (!seconds || *seconds == 0)
        return std::nullopt;
    return *seconds / 3'600;
}

bool isSlurmTime(std::string_view text)
{
    const std::string lowered = base::lowered(text);
    return lowered == "unlimited" || lowered == "infinite" || slurmSeconds(text).has_value();
}

} // namespace wb::plan
