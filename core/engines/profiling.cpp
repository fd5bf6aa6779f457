#include "core/engines/profiling.h"

#include "core/engines/engine.h"
#include "core/plan/paths.h"
#include "core/syntax/pythontext.h"

namespace wb::engines {

namespace {

std::string profilingType(const recipe::Job& job)
{
    const std::string type = textAt(job.config, "profiling.type");
    return type.empty() ? "none" : type;
}

std::optional<std::int64_t> integerAt(const recipe::Job& job, std::string_view path)
{
    const syntax::ValuePtr value = job.config ? syntax::at(job.config, path) : nullptr;
    if (!value || value->kind != syntax::Kind::Integer)
        return std::nullopt;
    return value->integer;
}

struct Steps {
    std::optional<std::int64_t> start;
    std::optional<std::int64_t> stop;
};

Steps stepsOf(const recipe::Job& job, plan::Mode mode)
{
    const std::string phase = "profiling." + std::string(mode == plan::Mode::Agg ? "aggregated" : plan::name(mode));
    return {integerAt(job, phase + ".start_step"), integerAt(job, phase + ".stop_step")};
}

std::string_view upperName(plan::Mode mode)
{
    switch (mode) {
    case plan::Mode::Prefill:
        return "PREFILL";
    case plan::Mode::Decode:
        return "DECODE";
    case plan::Mode::Agg:
        break;
    }
    return "AGG";
}

/// Arguments by which the capture is limited to a stretch of time.
void addWindow(const recipe::Job& job, Words& words)
{
    if (const auto delay = integerAt(job, "profiling.delay_secs")) {
        words.emplace_back("--delay");
        words.push_back(std::to_string(*delay));
    }
    if (const auto duration = integerAt(job, "profiling.duration_secs")) {
        words.emplace_back("--duration");
        words.push_back(std::to_string(*duration));
    }
}

void addExtra(const recipe::Job& job, Words& words)
{
    const syntax::ValuePtr extra = syntax::at(job.config, "profiling.extra_nsys_args");
    if (extra)
        for (const syntax::ValuePtr& item : extra->items)
            words.push_back(syntax::pythonText(*item));
}

void append(Words& words, const Words& more)
{
    words.insert(words.end(), more.begin(), more.end());
}

} // namespace

bool isWrapped(const recipe::Job& job)
{
    const std::string type = profilingType(job);
    return type == "nsys" || type == "nsys-time";
}

Words profilerPrefix(const recipe::Job& job, std::string_view output)
{
    if (!isWrapped(job))
        return {};
    const bool isTimed = profilingType(job) == "nsys-time";
    const Words onSignal{"-c", "cudaProfilerApi", "--capture-range-end", "stop"};
    const Words overwrite{"--force-overwrite", "true"};
    Words words{"nsys", "profile", "-t"};
    if (job.backend.type == "trtllm") {
        append(words, {"cuda,nvtx,ucx", "--sample=none", "--cuda-graph-trace=node"});
        if (isTimed)
            addWindow(job, words);
        else
            append(words, onSignal);
        addExtra(job, words);
        append(words, {"--kill", "none", "--wait", "all"});
        append(words, overwrite);
    } else {
        append(words, {"cuda,nvtx", "--cuda-graph-trace=node"});
        if (!isTimed)
            append(words, onSignal);
        append(words, overwrite);
        if (isTimed)
            addWindow(job, words);
        addExtra(job, words);
        if (job.frontend.type == "dynamo")
            words.emplace_back("--trace-fork-before-exec=true");
    }
    words.emplace_back("-o");
    words.emplace_back(output);
    return words;
}

bool addProfilingOfBenchmark(const recipe::Job& job, Environment& environment)
{
    constexpr std::string_view source = "profiling";
    const std::string type = profilingType(job);
    if (type == "none")
        return false;
    environment.set("PROFILE_TYPE", type, source);
    for (const plan::Mode mode : plan::allModes) {
        const Steps steps = stepsOf(job, mode);
        const std::string prefix = "PROFILE_" + std::string(upperName(mode));
        if (steps.start)
            environment.set(prefix + "_START_STEP", std::to_string(*steps.start), source);
        if (steps.stop)
            environment.set(prefix + "_STOP_STEP", std::to_string(*steps.stop), source);
    }
    if (type == "torch")
        environment.set("SGLANG_TORCH_PROFILER_DIR", "/logs/profiles", source);
    if (job.backend.type == "trtllm")
        environment.set("PROFILING_BACKEND", "trtllm", source);
    return true;
}

void addProfiling(const recipe::Job& job, const recipe::Cluster& cluster, plan::Mode mode, Environment& environment)
{
    constexpr std::string_view source = "profiling";
    const std::string type = profilingType(job);
    if (type == "none")
        return;
    environment.set("PROFILING_MODE", std::string(plan::name(mode)), source);
    environment.set("PROFILE_TYPE", type, source);
    const Steps steps = stepsOf(job, mode);
    const std::string prefix = "PROFILE_" + std::string(upperName(mode));
    if (steps.start)
        environment.set(prefix + "_START_STEP", std::to_string(*steps.start), source);
    if (steps.stop)
        environment.set(prefix + "_STOP_STEP", std::to_string(*steps.stop), source);
    if (type == "torch")
        environment.set("SGLANG_TORCH_PROFILER_DIR", plan::logFolder(cluster) + "/profiles/" + std::string(plan::name(mode)), source);
    if (type == "nsys-time") {
        if (const auto seconds = integerAt(job, "profiling.benchmark_duration_secs"))
            environment.set("PROFILE_BENCHMARK_DURATION_SECS", std::to_string(*seconds), source);
    } else if (type == "nsys" && steps.start && steps.stop) {
        environment.set("TLLM_PROFILE_START_STOP", std::to_string(*steps.start) + "-" + std::to_string(*steps.stop), source);
        environment.set("TLLM_LLMAPI_ENABLE_NVTX", "1", source);
    }
}

std::optional<std::string> vllmProfiler(const recipe::Job& job, plan::Mode mode)
{
    const Steps steps = stepsOf(job, mode);
    if (profilingType(job) != "nsys" || !steps.start || !steps.stop)
        return std::nullopt;
    return R"({"profiler": "cuda", "delay_iterations": )" + std::to_string(*steps.start) + R"(, "max_iterations": )" +
           std::to_string(*steps.stop - *steps.start) + "}";
}

} // namespace wb::engines
