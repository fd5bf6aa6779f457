// The benchmark's own process: the table of types, the words each is called with, the variables it gets.
//
// To add one: a row in `types` with the function that gives its words.
#include "core/base/text.h"
#include "core/engines/engine.h"
#include "core/engines/profiling.h"
#include "core/plan/paths.h"
#include "core/plan/ports.h"
#include "core/render/block.h"
#include "core/render/steps.h"
#include "core/syntax/pythontext.h"

#include <algorithm>
#include <string>
#include <utility>

namespace wb::render {

namespace {

using engines::Environment;
using engines::Words;
using plan::Mode;
using recipe::Job;
using syntax::Kind;
using syntax::ValuePtr;

const std::string localEndpoint = "http://localhost:" + std::to_string(plan::ports::publicApi);

std::string servedName(const Job& job)
{
    const engines::Engine* engine = engines::find(job.backend.type);
    return engine ? engine->servedName(job) : engines::nameOfModel(job);
}

Words saBench(const Job& job, const Block& block)
{
    const BenchmarkGpus gpus = benchmarkGpus(job);
    const SaBenchLoad load = saBenchLoad(block);
    return {localEndpoint,
            block.filledOr("isl", "0"),
            block.filledOr("osl", "0"),
            block.listOr("concurrencies", "x", ""),
            load.requestRate,
            plan::modelArgument(job),
            servedName(job),
            job.resources.isDisaggregated() ? "true" : "false",
            std::to_string(gpus.total),
            std::to_string(gpus.prefill),
            std::to_string(gpus.decode),
            load.rangeRatio,
            load.prompts,
            load.warmup,
            block.textOr("custom_tokenizer", ""),
            block.switchAt("use_chat_template"),
            block.filledOr("dataset_name", "random"),
            block.textOr("dataset_path", ""),
            block.switchAt("reuse_http_connections")};
}

Words sglangBench(const Job&, const Block& block)
{
    return {localEndpoint, block.filledOr("isl", "0"), block.filledOr("osl", "0"), block.listOr("concurrencies", "x", ""),
            block.filledOr("req_rate", "inf")};
}

Words accuracy(const Block& block, std::string_view examples, std::string_view tokens, std::string_view threads)
{
    return {localEndpoint, block.filledOr("num_examples", examples), block.filledOr("max_tokens", tokens), block.filledOr("repeat", "8"),
            block.filledOr("num_threads", threads)};
}

Words mmlu(const Job&, const Block& block)
{
    return accuracy(block, "200", "2048", "512");
}

Words gpqa(const Job&, const Block& block)
{
    return accuracy(block, "198", "32768", "128");
}

Words gsm8k(const Job& job, const Block& block)
{
    if (job.backend.type == "vllm") {
        return {"http://localhost",
                std::to_string(plan::ports::publicApi),
                servedName(job),
                block.filledOr("num_examples", "1319"),
                block.filledOr("max_tokens", "256"),
                block.filledOr("num_shots", "5"),
                block.textOr("temperature", "0.0"),
                block.filledOr("repeat", "1")};
    }
    return {localEndpoint,
            block.filledOr("num_examples", "1319"),
            block.filledOr("max_tokens", "16384"),
            block.filledOr("num_threads", "512"),
            block.filledOr("num_shots", "5"),
            block.textOr("temperature", ""),
            block.textOr("top_p", ""),
            block.textOr("top_k", "")};
}

Words longBench(const Job&, const Block& block)
{
    return {localEndpoint,
            block.filledOr("max_context_length", "128000"),
            block.filledOr("num_threads", "16"),
            block.filledOr("max_tokens", "16384"),
            block.filledOr("num_examples", ""),
            block.listOr("categories", ",", "")};
}

Words router(const Job&, const Block& block)
{
    return {localEndpoint,
            block.filledOr("isl", "14000"),
            block.filledOr("osl", "200"),
            block.filledOr("num_requests", "200"),
            block.filledOr("concurrency", "20"),
            block.listOr("prefix_ratios", " ", "0.1 0.3 0.5 0.7 0.9")};
}

/// `--key value` of `aiperf_args`: true is the bare flag, false is nothing.
void addAiperfArguments(const Block& block, Words& words)
{
    const ValuePtr arguments = block.find("aiperf_args");
    if (!arguments)
        return;
    for (const syntax::Member& member : arguments->members) {
        const bool isSwitch = member.value->kind == Kind::Bool;
        if (isSwitch && !member.value->boolean)
            continue;
        words.push_back("--" + member.key);
        if (!isSwitch)
            words.push_back(syntax::pythonText(*member.value));
    }
}

Words mooncakeRouter(const Job& job, const Block& block)
{
    Words words{localEndpoint,
                servedName(job),
                block.filledOr("mooncake_workload", "conversation"),
                block.filledOr("ttft_threshold_ms", "2000"),
                block.filledOr("itl_threshold_ms", "25"),
                plan::modelArgument(job)};
    addAiperfArguments(block, words);
    return words;
}

Words traceReplay(const Job& job, const Block& block)
{
    Words words{localEndpoint,
                servedName(job),
                block.textOr("trace_file", ""),
                block.listOr("concurrencies", ",", ""),
                block.filledOr("ttft_threshold_ms", "2000"),
                block.filledOr("itl_threshold_ms", "25"),
                plan::modelArgument(job)};
    addAiperfArguments(block, words);
    return words;
}

Words lmEval(const Job&, const Block&)
{
    return {localEndpoint, "/infmax-workspace"};
}

struct BenchmarkType {
    std::string_view id;
    std::string_view folder; ///< Of its scripts.
    std::string_view script = "bench.sh";
    Words (*words)(const Job&, const Block&) = nullptr;
    bool tellsServerMetrics = false; ///< AIPERF_SERVER_METRICS_URLS names every process.
    bool profiles = false;           ///< Its script begins and ends a capture.
};

constexpr BenchmarkType types[] = {
    {"sa-bench", "sa-bench", "bench.sh", saBench, false, true},
    {"sglang-bench", "sglang-bench", "bench.sh", sglangBench, false, true},
    {"mmlu", "mmlu", "bench.sh", mmlu},
    {"gpqa", "gpqa", "bench.sh", gpqa},
    {"gsm8k", "gsm8k", "sglang-bench.sh", gsm8k},
    {"longbenchv2", "longbenchv2", "bench.sh", longBench},
    {"router", "router", "bench.sh", router},
    {"mooncake-router", "mooncake-router", "bench.sh", mooncakeRouter, true},
    {"trace-replay", "trace-replay", "bench.sh", traceReplay, true, true},
    {"lm-eval", "lm-eval", "bench.sh", lmEval},
};

/// Port at which a worker answers questions about itself.
std::int64_t controlPort(const Job& job, const plan::Process& process)
{
    if (job.frontend.type == "dynamo")
        return process.sysPort.value_or(0);
    return job.frontend.type == "vllm" ? plan::ports::publicApi : process.httpPort.value_or(0);
}

struct ModePrefix {
    Mode mode;
    std::string_view word;
};
constexpr ModePrefix prefixes[] = {{Mode::Prefill, "PREFILL"}, {Mode::Decode, "DECODE"}, {Mode::Agg, "AGG"}};

/// <start>_PREFILL_IPS, <start>_PREFILL_ENDPOINTS, ...: the leaders of each mode that has any.
void addLeaders(const Job& job, const plan::Topology& topology, const std::string& start, std::string_view source, Environment& environment)
{
    for (const auto& [mode, word] : prefixes) {
        std::vector<std::string> addresses;
        std::vector<std::string> endpoints;
        for (const plan::Process* leader : leaders(topology, mode)) {
            addresses.push_back(plan::addressOf(leader->node));
            endpoints.push_back(addresses.back() + ":" + std::to_string(controlPort(job, *leader)));
        }
        if (addresses.empty())
            continue;
        const std::string name = start + "_" + std::string(word);
        environment.set(name + "_IPS", base::joined(addresses, ","), source);
        environment.set(name + "_ENDPOINTS", base::joined(endpoints, ","), source);
    }
}

void addProfilingOf(const Job& job, const plan::Topology& topology, bool profiles, Environment& environment)
{
    constexpr std::string_view source = "profiling";
    if (!engines::addProfilingOfBenchmark(job, environment))
        return;
    addLeaders(job, topology, "PROFILE", source, environment);
    if (!profiles)
        return;
    environment.set("PROFILE_OUTPUT_DIR", "/logs/profiles", source);
    environment.set("BENCH_MODEL_NAME", servedName(job), source);
    environment.set("HEAD_NODE", topology.head, source);
    environment.set("HEAD_PORT", std::to_string(plan::ports::publicApi), source);
    environment.set("PROFILE_WORKER_PORT", std::to_string(plan::ports::http), source);
}

std::string metricsUrl(const Job& job, const plan::Process& process)
{
    const std::int64_t port = job.frontend.type == "vllm" ? plan::ports::publicApi : process.sysPort.value_or(0);
    return "http://" + plan::addressOf(process.node) + ":" + std::to_string(port) + "/metrics";
}

/// Every process, in the order of ports and nodes; of a custom command the leaders, prefill first.
std::string metricsUrls(const Job& job, const plan::Topology& topology, bool leadersOnly)
{
    std::vector<std::string> urls;
    if (leadersOnly || job.frontend.type == "vllm") {
        for (const Mode mode : plan::allModes)
            for (const plan::Process* leader : leaders(topology, mode))
                urls.push_back(metricsUrl(job, *leader));
    } else {
        for (const plan::Process& process : topology.processes)
            urls.push_back(metricsUrl(job, process));
        std::sort(urls.begin(), urls.end());
    }
    return base::joined(urls, ",");
}

/// Decode workers that pause in each pass while a level begins; only behind SGLang's router, and only when both times are given.
void addSlowDown(const Job& job, const Block& block, const plan::Topology& topology, Environment& environment)
{
    const ValuePtr sleep = block.find("slow_down_sleep_time");
    const ValuePtr wait = block.find("slow_down_wait_time");
    if (job.benchmark.type != "sa-bench" || job.frontend.type != "sglang" || !sleep || !wait || sleep->number <= 0 || wait->number <= 0)
        return;
    std::vector<std::string> urls;
    for (const plan::Process* leader : leaders(topology, Mode::Decode))
        urls.push_back("http://" + plan::addressOf(leader->node) + ":" + std::to_string(leader->httpPort.value_or(0)));
    if (urls.empty())
        return;
    environment.set("SA_BENCH_SLOW_DOWN_URLS", base::joined(urls, ","), "benchmark.slow_down_sleep_time");
    environment.set("SA_BENCH_SLOW_DOWN_SLEEP_TIME", syntax::pythonText(sleep->number), "benchmark.slow_down_sleep_time");
    environment.set("SA_BENCH_SLOW_DOWN_WAIT_TIME", syntax::pythonText(wait->number), "benchmark.slow_down_wait_time");
}

void addVariables(const Job& job, const Block& block, const plan::Topology& topology, const BenchmarkType* type, Environment& environment)
{
    const bool isCustom = !type;
    addProfilingOf(job, topology, type && type->profiles, environment);
    if (isCustom)
        addLeaders(job, topology, "SRT", "srtctl", environment);
    environment.set("SRTCTL_FRONTEND_TYPE", job.frontend.type, "frontend.type");
    environment.set("SRT_FRONTEND_HOST", plan::addressOf(frontendPlaces(job, topology).publicNode), "srtctl");
    environment.set("SRT_FRONTEND_PORT", std::to_string(plan::ports::publicApi), "srtctl");
    for (const engines::Variable& variable : engines::generalVariables(job))
        environment.set(variable.name, variable.value, variable.source);
    if (engines::isTrueAt(job.config, "telemetry.enabled")) {
        const std::string folder = engines::textAt(job.config, "telemetry.storage_subdir");
        environment.set("SRT_MEASUREMENT_WINDOW_DIR", "/logs/" + (folder.empty() ? std::string("power") : folder) + "/windows",
                        "telemetry");
    }
    addSlowDown(job, block, topology, environment);
    if (isCustom || type->tellsServerMetrics)
        environment.set("AIPERF_SERVER_METRICS_URLS", metricsUrls(job, topology, isCustom), "srtctl");
    if (const std::string package = block.filledOr("aiperf_package", ""); !package.empty())
        environment.set("AIPERF_PACKAGE", package, "benchmark.aiperf_package");
    const ValuePtr own = isCustom ? block.find("env") : nullptr;
    if (own) {
        for (const syntax::Member& member : own->members)
            environment.set(member.key, syntax::pythonText(*member.value), "benchmark.env");
    }
}

} // namespace

BenchmarkGpus benchmarkGpus(const Job& job)
{
    BenchmarkGpus out;
    const auto of = [&](Mode mode) { return plan::workers(job.resources, mode) * plan::gpusPerWorker(job.resources, mode); };
    if (job.resources.isDisaggregated()) {
        out.prefill = of(Mode::Prefill);
        out.decode = of(Mode::Decode);
        out.total = out.prefill + out.decode;
    } else {
        const std::int64_t nodes = job.resources.aggNodes.value_or(0);
        out.total = (nodes == 0 ? 1 : nodes) * job.resources.gpusPerNode;
    }
    return out;
}

std::string benchmarkNode(const Job& job, const plan::Topology& topology)
{
    const auto decode = leaders(topology, Mode::Decode);
    if (!decode.empty() && job.benchmark.clientPlacement == "first_decode")
        return decode.front()->node;
    if (!decode.empty() && job.benchmark.clientPlacement == "last_decode")
        return decode.back()->node;
    return topology.bench;
}

std::optional<Step> benchmarkStep(const Job& job, const recipe::Cluster&, const plan::Topology& topology)
{
    const bool isCustom = job.benchmark.type == "custom";
    const auto* type = std::find_if(std::begin(types), std::end(types), [&](const auto& each) { return each.id == job.benchmark.type; });
    if (!isCustom && type == std::end(types))
        return std::nullopt;
    const Block block(job.benchmark.block);
    Step step;
    step.phase = Phase::Benchmark;
    step.role = job.benchmark.type;
    step.log = "benchmark.out";
    step.launch.name = "benchmark";
    step.launch.nodes = {benchmarkNode(job, topology)};
    step.image = isCustom ? block.filledOr("container_image", job.container) : job.container;
    if (isCustom) {
        step.launch.command = {"bash", "-lc", block.textOr("command", "")};
        step.isInlineText = true;
    } else {
        const std::string_view script = type->id == "gsm8k" && job.backend.type == "vllm" ? "vllm-bench.sh" : type->script;
        step.launch.command = {"bash", "/srtctl-benchmarks/" + std::string(type->folder) + "/" + std::string(script)};
        const Words own = type->words(job, block);
        step.launch.command.insert(step.launch.command.end(), own.begin(), own.end());
    }
    Environment environment;
    addVariables(job, block, topology, isCustom ? nullptr : type, environment);
    step.launch.environment = engines::sortedVariables(job, environment);
    step.launch.srunOptions = job.srunOptions;
    return step;
}

} // namespace wb::render
