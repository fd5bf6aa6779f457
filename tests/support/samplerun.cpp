#include "tests/support/samplerun.h"

#include "core/base/json.h"

#include <algorithm>
#include <cmath>
#include <vector>

// The model, for one prefill worker of 4 GPUs and one decode worker of 8, 1024 tokens in and 1024 out, C requests in flight:
//
//   A prefill step takes 60 ms and 1 ms for each 24 tokens; it takes prompts up to the chunk size c, and at most an eighth of the users
//   wait for one step. Its capacity is mu(c) requests/s, its load rho = lambda / mu(c).
//   TTFT = step of one prompt + 8 ms for the KV cache to move + waiting W = rho / (1 - rho) * step / 2.
//   TPOT = 8.8 ms + 0.031 ms for each running request + a stall of 1.5 ms * rho * c / 8192 when a whole chunk's cache arrives at once.
//   Running requests = lambda * 1023 * TPOT.    C = lambda * (TTFT + 1023 * TPOT), which gives lambda by bisection.
//
// A larger chunk wastes less on steps (more requests/s when prefill is the limit) and stalls decode more (slower tokens before that).

namespace wb::test {

using base::json::Value;

namespace {

constexpr double promptTokens = 1024.0;
constexpr double outputTokens = 1024.0;
constexpr double stepMs = 60.0;
constexpr double promptTokensPerMs = 24.0;
constexpr double transferMs = 8.0;
constexpr double emptyTpotMs = 8.8;
constexpr double tpotMsPerRequest = 0.031;
constexpr double stallMs = 1.5;
constexpr int prefillGpus = 4;
constexpr int decodeGpus = 8;
constexpr int requestsPerUser = 10;

struct Run {
    int chunk;
    const char* jobId;
    const char* date;
};

struct Load {
    double requestsPerS = 0, load = 0, waitMs = 0, ttftMs = 0, tpotMs = 0;
};

double stepOf(double tokens)
{
    return stepMs + tokens / promptTokensPerMs;
}

Load loadAt(double requestsPerS, int chunk, int concurrency)
{
    const double capacity = chunk / promptTokens / stepOf(chunk) * 1000.0;
    Load at;
    at.requestsPerS = requestsPerS;
    at.load = requestsPerS / capacity;
    const double waiting = std::min(static_cast<double>(chunk), promptTokens * std::max(1.0, concurrency / 8.0));
    at.waitMs = at.load / (1.0 - at.load) * stepOf(waiting) / 2.0;
    at.ttftMs = stepOf(promptTokens) + transferMs + at.waitMs;
    at.tpotMs = (emptyTpotMs + stallMs * at.load * chunk / 8192.0) / (1.0 - tpotMsPerRequest * requestsPerS * (outputTokens - 1) / 1000.0);
    return at;
}

double latencyMs(const Load& at)
{
    return at.ttftMs + (outputTokens - 1) * at.tpotMs;
}

Load solved(int chunk, int concurrency)
{
    double low = 0.0;
    double high = chunk / promptTokens / stepOf(chunk) * 1000.0 * 0.999999;
    for (int i = 0; i < 100; ++i) {
        const double middle = (low + high) / 2.0;
        const Load at = loadAt(middle, chunk, concurrency);
        (middle * latencyMs(at) / 1000.0 < concurrency ? low : high) = middle;
    }
    return loadAt(low, chunk, concurrency);
}

double rounded(double number)
{
    return std::round(number * 1000.0) / 1000.0;
}

void setStatistics(Value& result, const std::string& metric, double mean, double median, double deviation, double p90, double p99)
{
    result.set("mean_" + metric + "_ms", rounded(mean));
    result.set("median_" + metric + "_ms", rounded(median));
    result.set("std_" + metric + "_ms", rounded(deviation));
    result.set("p90_" + metric + "_ms", rounded(p90));
    result.set("p99_" + metric + "_ms", rounded(p99));
}

std::string jobName(const Run& run)
{
    return "dsr1-disagg-chunked-prefill_chunked" + std::to_string(run.chunk);
}

void markSimulated(Value& value, const Run& run)
{
    value.set("simulated", true);
    value.set("recipe", "recipes/dsr1-disagg-chunked-prefill.yaml");
    value.set("variant", jobName(run));
    value.set("job_name", jobName(run));
    value.set("chunked", run.chunk);
}

std::string resultOf(const Run& run, int concurrency)
{
    const Load at = solved(run.chunk, concurrency);
    const int requests = requestsPerUser * concurrency;
    // The last requests of a run leave the machine half empty: half a latency more than requests / rate.
    const double seconds = rounded(requests / at.requestsPerS + latencyMs(at) / 2000.0);
    const double served = stepOf(promptTokens) + transferMs;
    Value result;
    result.set("date", run.date);
    result.set("backend", "dynamo");
    result.set("model_id", "deepseek-ai/DeepSeek-R1");
    result.set("tokenizer_id", "deepseek-ai/DeepSeek-R1");
    markSimulated(result, run);
    result.set("best_of", 1);
    result.set("num_prompts", requests);
    result.set("request_rate", "inf");
    result.set("burstiness", 1.0);
    result.set("max_concurrency", concurrency);
    result.set("duration", seconds);
    result.set("completed", requests);
    result.set("total_input_tokens", requests * static_cast<int>(promptTokens));
    result.set("total_output_tokens", requests * static_cast<int>(outputTokens));
    result.set("request_throughput", rounded(requests / seconds));
    result.set("request_goodput", nullptr);
    result.set("output_throughput", rounded(requests * outputTokens / seconds));
    result.set("total_token_throughput", rounded(requests * (promptTokens + outputTokens) / seconds));
    setStatistics(result, "ttft", at.ttftMs, served + 0.8 * at.waitMs, 0.9 * at.waitMs, served + 2.1 * at.waitMs, served + 3.4 * at.waitMs);
    const double spread = run.chunk / 8192.0 * at.load;
    setStatistics(result, "tpot", at.tpotMs, at.tpotMs * 0.995, at.tpotMs * 0.02 * (1 + spread), at.tpotMs * (1.02 + 0.04 * spread),
                  at.tpotMs * (1.05 + 0.10 * spread));
    setStatistics(result, "itl", at.tpotMs, at.tpotMs * 0.97, at.tpotMs * 0.3 * (1 + spread), at.tpotMs * (1.1 + 0.3 * spread),
                  at.tpotMs * (1.4 + 1.5 * spread));
    setStatistics(result, "e2el", latencyMs(at), latencyMs(at) * 0.995, latencyMs(at) * 0.03, latencyMs(at) * 1.03,
                  latencyMs(at) * 1.07 + at.waitMs);
    result.set("reuse_http_connections", true);
    return base::json::write(result) + "\n";
}

std::string metadataOf(const Run& run)
{
    Value resources;
    resources.set("gpu_type", "gb200");
    resources.set("gpus_per_node", 4);
    resources.set("prefill_nodes", 1);
    resources.set("decode_nodes", 2);
    resources.set("agg_nodes", nullptr);
    resources.set("prefill_workers", 1);
    resources.set("decode_workers", 1);
    resources.set("agg_workers", 0);
    resources.set("gpus_per_prefill", prefillGpus);
    resources.set("gpus_per_decode", decodeGpus);
    resources.set("gpus_per_agg", nullptr);
    Value model;
    model.set("path", "deepseek-r1");
    model.set("container", "sglang");
    model.set("precision", "fp8");
    Value benchmark;
    benchmark.set("type", "sa-bench");
    benchmark.set("isl", static_cast<int>(promptTokens));
    benchmark.set("osl", static_cast<int>(outputTokens));
    Value metadata;
    metadata.set("version", "2.0");
    metadata.set("orchestrator", true);
    metadata.set("job_id", run.jobId);
    markSimulated(metadata, run);
    metadata.set("generated_at", "2026-01-05 10:00:00");
    metadata.set("model", std::move(model));
    metadata.set("resources", std::move(resources));
    metadata.set("backend_type", "sglang");
    metadata.set("frontend_type", "dynamo");
    metadata.set("benchmark", std::move(benchmark));
    return base::json::write(metadata) + "\n";
}

std::string configOf(const Run& run)
{
    return "# Not submitted anywhere: the job that the simulated results of this folder stand for. It is variant " + jobName(run) +
           "\n# of recipes/dsr1-disagg-chunked-prefill.yaml.\nname: " + jobName(run) + R"(
model:
  path: deepseek-r1
  container: sglang
  precision: fp8
resources:
  gpu_type: gb200
  gpus_per_node: 4
  prefill_nodes: 1
  prefill_workers: 1
  decode_nodes: 2
  decode_workers: 1
backend:
  type: sglang
  sglang_config:
    prefill:
      tensor-parallel-size: 4
      chunked-prefill-size: )" +
           std::to_string(run.chunk) + R"(
    decode:
      tensor-parallel-size: 8
benchmark:
  type: sa-bench
  isl: 1024
  osl: 1024
  concurrencies: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
  req_rate: inf
)";
}

} // namespace

std::map<std::string, std::string> sampleResults()
{
    std::map<std::string, std::string> files;
    for (const Run& run : {Run{8192, "1001", "20260105-101500"}, Run{16384, "1002", "20260105-113000"}}) {
        const std::string folder = std::string("outputs/") + run.jobId + '/';
        files[folder + run.jobId + ".json"] = metadataOf(run);
        files[folder + "config.yaml"] = configOf(run);
        for (int concurrency = 1; concurrency <= 1024; concurrency *= 2)
            files[folder + "logs/sa-bench_isl_1024_osl_1024/results_concurrency_" + std::to_string(concurrency) + "_gpus_" +
                  std::to_string(prefillGpus + decodeGpus) + "_ctx_" + std::to_string(prefillGpus) + "_gen_" + std::to_string(decodeGpus) +
                  ".json"] = resultOf(run, concurrency);
    }
    return files;
}

} // namespace wb::test
