#include "core/results/importer.h"
#include "core/results/importers/aiperf.h"
#include "core/results/importers/aiperfcsv.h"
#include "core/results/importers/aiperfsweep.h"
#include "core/results/importers/clientconsole.h"
#include "core/results/importers/genaibench.h"
#include "core/results/importers/genaiperf.h"
#include "core/results/importers/guidellm.h"
#include "core/results/importers/inferencexagg.h"
#include "core/results/importers/inferencexslo.h"
#include "core/results/importers/llmdreport.h"
#include "core/results/importers/llmoptimizer.h"
#include "core/results/importers/llmperf.h"
#include "core/results/importers/mlperfendpoints.h"
#include "core/results/importers/mlperfloadgen.h"
#include "core/results/importers/rollupcsv.h"
#include "core/results/importers/rollupjson.h"
#include "core/results/importers/sabench.h"
#include "core/results/importers/sglangbenchserving.h"
#include "core/results/importers/trtllmbench.h"
#include "core/results/importers/trtllmconsole.h"
#include "core/results/importers/vllmbenchserve.h"

#include <algorithm>
#include <array>

namespace wb::results {

namespace {

// Rows that ask for more stand before rows that ask for less: sa-bench before vLLM, whose summary it writes with marks of its own;
// JSON before the tables and texts.
constexpr auto table = std::to_array<Importer>({
    {.id = "inferencex-agg",
     .title = "InferenceX aggregate",
     .doc = "Rows of InferenceX: one object or a list of them, fixed sequence lengths, agentic (three generations), baselines.",
     .detail = Detail::Raw,
     .sniff = sniffInferencexAgg,
     .read = readInferencexAgg},
    {.id = "sa-bench",
     .title = "sa-bench",
     .doc = "The summary that srt-slurm's sa-bench writes for each concurrency; GPU counts stand in the file's name.",
     .detail = Detail::Raw,
     .sniff = sniffSaBench,
     .read = readSaBench},
    {.id = "vllm-bench-serve",
     .title = "vLLM bench serve",
     .doc = "The summary of `vllm bench serve` and of the clients made from it; one or more documents in a file.",
     .detail = Detail::Raw,
     .sniff = sniffVllmBenchServe,
     .read = readVllmBenchServe},
    {.id = "sglang-bench-serving",
     .title = "SGLang bench_serving",
     .doc = "A line for each run of SGLang's client, also with the token Infinity; lengths are totals / completed.",
     .detail = Detail::Raw,
     .sniff = sniffSglangBenchServing,
     .read = readSglangBenchServing},
    {.id = "inferencex-slo",
     .title = "InferenceX SLO sweep",
     .doc = "vLLM's keys with latencies in seconds; the GPUs stand in the file's name (tp8, tep8, dep8).",
     .detail = Detail::Raw,
     .sniff = sniffInferencexSlo,
     .read = readInferencexSlo},
    {.id = "genai-perf",
     .title = "genai-perf",
     .doc = "The JSON export of genai-perf; its ITL is a mean over each request.",
     .detail = Detail::Raw,
     .sniff = sniffGenaiPerf,
     .read = readGenaiPerf},
    {.id = "aiperf",
     .title = "aiperf",
     .doc = "The JSON export of aiperf; the unit beside each metric counts, its ITL is a mean over each request.",
     .detail = Detail::Raw,
     .sniff = sniffAiperf,
     .read = readAiperf},
    {.id = "aiperf-sweep",
     .title = "aiperf sweep aggregate",
     .doc = "Means over the trials of each combination of a sweep; the exports of its runs go before it.",
     .detail = Detail::Summary,
     .sniff = sniffAiperfSweep,
     .read = readAiperfSweep},
    {.id = "guidellm",
     .title = "GuideLLM",
     .doc = "A report of GuideLLM (0.1 to 2): a point for each benchmark; its TPOT counts the first token.",
     .detail = Detail::Raw,
     .sniff = sniffGuidellm,
     .read = readGuidellm},
    {.id = "genai-bench",
     .title = "genai-bench",
     .doc = "A result of genai-bench; model, engine and GPUs come from experiment_metadata.json beside it.",
     .detail = Detail::Raw,
     .sniff = sniffGenaiBench,
     .read = readGenaiBench},
    {.id = "trtllm-bench",
     .title = "trtllm-bench",
     .doc = "The JSON report of trtllm-bench, which drives the engine without a server.",
     .detail = Detail::Raw,
     .sniff = sniffTrtllmBench,
     .read = readTrtllmBench},
    {.id = "llm-optimizer",
     .title = "llm-optimizer",
     .doc = "A line for each run, SGLang's keys below results.",
     .detail = Detail::Raw,
     .sniff = sniffLlmOptimizer,
     .read = readLlmOptimizer},
    {.id = "llmperf",
     .title = "llmperf",
     .doc = "The summary of llmperf's token benchmark, in seconds; its ITL counts the first token.",
     .detail = Detail::Raw,
     .sniff = sniffLlmperf,
     .read = readLlmperf},
    {.id = "srt-slurm-rollup-csv",
     .title = "srt-slurm rollup (CSV)",
     .doc = "benchmark-rollup.csv with 12 or 15 columns: medians and GPU counts of each concurrency.",
     .detail = Detail::Table,
     .sniff = sniffRollupCsv,
     .read = readRollupCsv},
    {.id = "srt-slurm-rollup-json",
     .title = "srt-slurm rollup (JSON)",
     .doc = "benchmark-rollup.json: of sa-bench the means of each concurrency, of mooncake-router aiperf's export; GPUs come from the run.",
     .detail = Detail::Summary,
     .sniff = sniffRollupJson,
     .read = readRollupJson},
    {.id = "mlperf-loadgen",
     .title = "MLPerf LoadGen",
     .doc = "The summary of LoadGen, in ns; what LoadGen calls INVALID is kept and not valid.",
     .detail = Detail::Raw,
     .sniff = sniffMlperfLoadgen,
     .read = readMlperfLoadgen},
    {.id = "llm-d-report",
     .title = "llm-d benchmark report",
     .doc = "The YAML or JSON report of llm-d (0.1, 0.2), with a unit for each statistic.",
     .detail = Detail::Raw,
     .sniff = sniffLlmdReport,
     .read = readLlmdReport},
    {.id = "trtllm-bench-console",
     .title = "trtllm-bench (console)",
     .doc = "The tables that trtllm-bench prints.",
     .detail = Detail::Console,
     .sniff = sniffTrtllmConsole,
     .read = readTrtllmConsole},
    {.id = "srt-slurm-benchmark-log",
     .title = "srt-slurm benchmark log",
     .doc = "The tables in benchmark.out of a srt-slurm run, the last of each concurrency; the result files go before them.",
     .detail = Detail::Console,
     .sniff = sniffBenchmarkLog,
     .read = readBenchmarkLog},
    {.id = "client-console",
     .title = "Console of a benchmark client",
     .doc = "The table that vLLM's and SGLang's clients print at the end of a run.",
     .detail = Detail::Console,
     .sniff = sniffClientConsole,
     .read = readClientConsole,
     .whyOnlyTold = "its numbers are rounded to two decimals, and the client writes them whole into a JSON file"},
    {.id = "aiperf-csv",
     .title = "aiperf or genai-perf (CSV)",
     .doc = "The CSV export of aiperf and genai-perf.",
     .detail = Detail::Console,
     .sniff = sniffAiperfCsv,
     .read = readAiperfCsv,
     .whyOnlyTold = "its numbers are rounded to two decimals, and the JSON export beside it has them whole"},
    {.id = "mlperf-endpoints",
     .title = "MLPerf endpoints report",
     .doc = "The report.txt of MLPerf's endpoints client.",
     .detail = Detail::Console,
     .sniff = sniffMlperfEndpoints,
     .read = readMlperfEndpoints,
     .whyOnlyTold = "it is a text for people with rounded numbers, without a concurrency and without GPUs"},
});

} // namespace

std::span<const Importer> importers()
{
    return table;
}

const Importer* findImporter(std::string_view id)
{
    const auto* found = std::ranges::find(table, id, &Importer::id);
    return found == table.end() ? nullptr : found;
}

} // namespace wb::results
