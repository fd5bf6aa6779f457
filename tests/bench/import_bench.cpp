// Budget: import of 10,000 result files in at most 5 s cold and 0.2 s when nothing changed; a 300 MB detailed file in at most 100 MB.
#include "core/catalogue/catalogue.h"
#include "tests/support/temporaryfolder.h"

#include <QCoreApplication>
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>

namespace {

using wb::catalogue::Catalogue;

constexpr int runs = 500;
constexpr int filesOfARun = 19;

std::string summary(int concurrency)
{
    std::string text =
        R"({"backend": "dynamo", "model_id": "m", "num_prompts": 80, "completed": 80, "duration": 10.5, "max_concurrency": )" +
        std::to_string(concurrency) + R"(, "total_input_tokens": 81920, "total_output_tokens": 81920, "output_throughput": 7801.9)";
    for (const char* metric : {"ttft", "tpot", "itl", "e2el"})
        for (const char* statistic : {"mean", "median", "std", "p90", "p99"})
            text += std::string(", \"") + statistic + '_' + metric + "_ms\": 12.345678901234567";
    return text + "}";
}

/// 10,000 files: 500 runs with their metadata.
void fill(const wb::test::TemporaryFolder& folder)
{
    for (int run = 0; run < runs; ++run) {
        const std::string id = std::to_string(1000 + run);
        folder.put(id + '/' + id + ".json",
                   R"({"version": "2.0", "job_id": ")" + id +
                       R"(", "job_name": "job", "resources": {"gpus_per_node": 8, "agg_nodes": 1, "agg_workers": 1, "gpus_per_agg": 8}})");
        for (int i = 1; i <= filesOfARun; ++i)
            folder.put(id + "/logs/sa-bench_isl_1024_osl_1024/results_concurrency_" + std::to_string(i) + "_gpus_8.json", summary(i));
    }
}

void importCold(benchmark::State& state)
{
    const wb::test::TemporaryFolder folder;
    fill(folder);
    for (auto _ : state) {
        const wb::test::TemporaryFolder own;
        auto catalogue = Catalogue::open(own.below("catalogue.db"));
        auto imported = catalogue->import({folder.path().string()});
        if (!imported || imported->points().size() != runs * filesOfARun)
            state.SkipWithError("the import failed");
    }
}
BENCHMARK(importCold)->Unit(benchmark::kMillisecond)->Iterations(2);

void importUnchanged(benchmark::State& state)
{
    const wb::test::TemporaryFolder folder;
    fill(folder);
    const wb::test::TemporaryFolder own;
    auto catalogue = Catalogue::open(own.below("catalogue.db"));
    if (!catalogue->import({folder.path().string()}))
        state.SkipWithError("the import failed");
    for (auto _ : state) {
        auto imported = catalogue->import({folder.path().string()});
        benchmark::DoNotOptimize(imported);
    }
}
BENCHMARK(importUnchanged)->Unit(benchmark::kMillisecond);

void importDetailedFile(benchmark::State& state)
{
    const wb::test::TemporaryFolder folder;
    const std::string path = folder.below("detailed_conc8.json");
    {
        std::ofstream out(path);
        const std::string text(4000, 'x');
        out << R"({"backend": "dynamo", "max_concurrency": 8, "completed": 10, "duration": 10, "output_throughput": 50.0, "generated_texts": [)";
        for (int i = 0; i < 75'000; ++i)
            out << '"' << text << "\", ";
        out << R"("end"], "median_tpot_ms": 10.0})";
    }
    for (auto _ : state)
        if (wb::results::importPaths({path}).points().size() != 1)
            state.SkipWithError("the import failed");
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    state.counters["peak_MiB_of_the_program"] = static_cast<double>(usage.ru_maxrss) / 1024.0;
    state.counters["file_MiB"] = static_cast<double>(std::filesystem::file_size(path)) / 1048576.0;
}
BENCHMARK(importDetailedFile)->Unit(benchmark::kMillisecond);

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
