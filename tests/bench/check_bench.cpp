// Checking recipes against the budgets: the whole corpus, a key press in the largest override recipe, a 50,000-line file, a sweep of 10,000
// jobs. Needs the shared corpus for the first two.
#include "core/base/memory.h"
#include "core/base/parallel.h"
#include "core/check/check.h"
#include "tests/support/corpus.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace wb {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> corpus()
{
    std::vector<fs::path> out;
    for (const std::string_view folder : {"corpus/v1/recipes", "corpus/v1/examples"}) {
        const auto path = test::shared(folder);
        if (!path)
            continue;
        for (const auto& entry : fs::recursive_directory_iterator(*path)) {
            if (entry.path().extension() == ".yaml")
                out.push_back(entry.path());
        }
    }
    return out;
}

check::Checked checkedText(const std::string& text, const check::Facts& facts)
{
    return check::check(std::make_shared<syntax::SourceText>(text), facts);
}

check::Facts clusterFacts()
{
    const auto path = test::shared("corpus/clusters/gb200.yaml");
    return path ? check::factsFor(check::readCluster(std::make_shared<syntax::SourceText>(test::bytesOf(*path)))) : check::Facts{};
}

/// Budget: 200 times faster than upstream's own validation (560 recipes of 1.8 MB; libyaml alone reads them in about 58 ms).
void checkCorpus(benchmark::State& state)
{
    const std::vector<fs::path> files = corpus();
    if (files.empty()) {
        state.SkipWithError("the shared corpus is not beside this checkout");
        return;
    }
    const check::Facts facts = clusterFacts();
    std::size_t bytes = 0;
    for (auto _ : state) {
        std::vector<std::size_t> sizes(files.size());
        base::parallelFor(files.size(), [&](std::size_t i) {
            check::Checked checked = checkedText(test::bytesOf(files[i]), facts);
            sizes[i] = checked.source->text().size();
            benchmark::DoNotOptimize(checked.valid);
        });
        for (const std::size_t size : sizes)
            bytes += size;
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
    state.counters["files"] = static_cast<double>(files.size());
}

/// Budget: 16 ms median. What one key press costs: the whole text checked again with one letter more.
void keyPress(benchmark::State& state)
{
    const auto path = test::shared("corpus/v1/recipes/gb300-fp8/glm5.yaml");
    if (!path) {
        state.SkipWithError("the shared corpus is not beside this checkout");
        return;
    }
    const std::string text = test::bytesOf(*path);
    const check::Facts facts = clusterFacts();
    std::size_t at = text.find("precision");
    for (auto _ : state) {
        std::string typed = text;
        typed.insert(at + static_cast<std::size_t>(state.iterations() % 5), "x");
        const check::Checked checked = checkedText(typed, facts);
        benchmark::DoNotOptimize(checked.diagnostics.size());
    }
    state.counters["variants"] = static_cast<double>(checkedText(text, facts).variants.size());
}

std::string largeFile(std::size_t lines)
{
    std::string text = "base:\n  name: n\n  model: {path: m, container: c, precision: fp8}\n"
                       "  resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
                       "  backend:\n    type: vllm\n    vllm_config:\n      aggregated:\n        tensor-parallel-size: 8\n  environment:\n";
    std::size_t count = 10;
    for (; count < 150; ++count)
        text += "    VARIABLE_" + std::to_string(count) + ": \"" + std::to_string(count) + "\"\n";
    for (std::size_t variant = 0; count < lines; ++variant) {
        text += "override_v" + std::to_string(variant) + ":\n  environment:\n";
        count += 2;
        for (int i = 0; i < 122; ++i, ++count)
            text += "    OTHER_" + std::to_string(i) + ": \"" + std::to_string(variant * 1000 + static_cast<std::size_t>(i)) + "\"\n";
    }
    return text;
}

/// Budget: 100 ms (libyaml alone reads such a file in about 27 ms).
void largeText(benchmark::State& state)
{
    const std::string text = largeFile(50'000);
    const check::Facts facts = clusterFacts();
    for (auto _ : state) {
        const check::Checked checked = checkedText(text, facts);
        benchmark::DoNotOptimize(checked.diagnostics.size());
    }
    state.counters["variants"] = static_cast<double>(checkedText(text, facts).variants.size());
}

/// Budget: 50 ms for 1,000 jobs, 500 ms for 10,000, each of them validated.
void sweep(benchmark::State& state)
{
    const auto side = static_cast<std::size_t>(state.range(0));
    std::string list;
    for (std::size_t i = 1; i <= side; ++i)
        list += (i > 1 ? ", " : "") + std::to_string(i);
    const std::string text = "name: n\nmodel: {path: m, container: c, precision: fp8}\n"
                             "resources: {gpu_type: gb200, gpus_per_node: 4, prefill_nodes: 1, decode_nodes: 2, prefill_workers: 1, "
                             "decode_workers: 1}\n"
                             "backend:\n  type: sglang\n  sglang_config:\n"
                             "    prefill: {tensor-parallel-size: 4, disaggregation-mode: prefill, max-running-requests: \"{a}\"}\n"
                             "    decode: {tensor-parallel-size: 8, disaggregation-mode: decode, chunked-prefill-size: \"{b}\"}\n"
                             "benchmark: {type: sa-bench, isl: 1024, osl: 1024, concurrencies: [4, 8], req_rate: inf}\n"
                             "sweep:\n  a: [" +
                             list + "]\n  b: [" + list + "]\n";
    const check::Facts facts = clusterFacts();
    std::size_t jobs = 0;
    for (auto _ : state) {
        const check::Checked checked = checkedText(text, facts);
        jobs = static_cast<std::size_t>(std::count_if(checked.variants.begin(), checked.variants.end(),
                                                      [](const check::CheckedVariant& v) { return v.job != nullptr; }));
    }
    state.counters["jobs"] = static_cast<double>(jobs);
}

/// What the artifacts pane and dry-run ask for: the text of every variant, read again and compared.
void resolveAll(benchmark::State& state)
{
    const auto path = test::shared("corpus/v1/recipes/gb300-fp8/glm5.yaml");
    if (!path) {
        state.SkipWithError("the shared corpus is not beside this checkout");
        return;
    }
    const check::Checked checked = checkedText(test::bytesOf(*path), clusterFacts());
    for (auto _ : state) {
        for (std::size_t i = 0; i < checked.variants.size(); ++i)
            benchmark::DoNotOptimize(check::resolvedYaml(checked, i));
    }
    state.counters["variants"] = static_cast<double>(checked.variants.size());
}

BENCHMARK(checkCorpus)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(keyPress)->Unit(benchmark::kMillisecond);
BENCHMARK(largeText)->Unit(benchmark::kMillisecond);
BENCHMARK(sweep)->Arg(32)->Arg(100)->Unit(benchmark::kMillisecond);
BENCHMARK(resolveAll)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace wb

int main(int argc, char** argv)
{
    wb::base::keepFreedMemory(std::size_t{128} << 20); // as the workbench does
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
