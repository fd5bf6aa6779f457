#include "core/results/importer.h"
#include "core/results/importers/inferencexagg.h"
#include "core/results/importers/rollupcsv.h"
#include "core/results/importers/rollupjson.h"
#include "core/results/importers/sabench.h"
#include "core/results/importers/vllmbenchserve.h"

#include <algorithm>
#include <array>

namespace wb::results {

namespace {

// sa-bench stands before vLLM: it writes the same summary with marks of its own.
constexpr auto table = std::to_array<Importer>({
    {.id = "inferencex-agg",
     .title = "InferenceX aggregate",
     .doc = "Rows of InferenceX: one object or a list of them, fixed sequence lengths, agentic (first two generations), baselines.",
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
    {.id = "srt-slurm-rollup-csv",
     .title = "srt-slurm rollup (CSV)",
     .doc = "benchmark-rollup.csv with 12 or 15 columns: medians and GPU counts of each concurrency.",
     .detail = Detail::Table,
     .sniff = sniffRollupCsv,
     .read = readRollupCsv},
    {.id = "srt-slurm-rollup-json",
     .title = "srt-slurm rollup (JSON)",
     .doc = "benchmark-rollup.json of sa-bench: means of each concurrency; GPU counts come from the run's metadata.",
     .detail = Detail::Summary,
     .sniff = sniffRollupJson,
     .read = readRollupJson},
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
