// Rendering the artifacts of many jobs. Budget: 10,000 jobs in 3 s. Needs the shared corpus, whose jobs are taken in turn.
#include "core/base/parallel.h"
#include "core/render/artifact.h"
#include "tests/support/golden.h"

#include <benchmark/benchmark.h>

#include <utility>
#include <vector>

namespace wb {
namespace {

constexpr std::size_t jobsInAll = 10'000;

void renderJobs(benchmark::State& state)
{
    const render::Context context{
        .launcher = state.range(0) == 0 ? render::Launcher::Srtctl : render::Launcher::Portable,
        .sourcePath = "recipe.yaml",
        .resolvedYaml = std::string(4'000, 'x'),
        .servicesFolder = "/services",
    };
    const recipe::Cluster cluster = test::goldenCluster("gb200");
    std::vector<test::GoldenJob> jobs = test::goldenJobs("gb200");
    std::erase_if(jobs, [&](const test::GoldenJob& each) { return !render::refusals(each.job, cluster, context).empty(); });
    if (jobs.empty()) {
        state.SkipWithError("the shared corpus is not beside this checkout");
        return;
    }
    for (auto _ : state) {
        std::vector<std::size_t> sizes(jobsInAll);
        base::parallelFor(jobsInAll, [&](std::size_t i) {
            const recipe::Job& job = jobs[i % jobs.size()].job;
            const auto artifacts = render::render(job, cluster, plan::plan(job, cluster), context);
            for (const render::Artifact& artifact : artifacts.value())
                sizes[i] += artifact.bytes.size();
        });
        std::size_t bytes = 0;
        for (const std::size_t size : sizes)
            bytes += size;
        state.counters["MB"] = static_cast<double>(bytes) / 1e6;
    }
    state.counters["jobs"] = static_cast<double>(jobsInAll);
}

BENCHMARK(renderJobs)->ArgName("portable")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

} // namespace
} // namespace wb
