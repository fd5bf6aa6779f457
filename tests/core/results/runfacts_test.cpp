// What stands beside a result completes it.
#include "core/results/importer.h"
#include "core/results/runfacts.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb::results {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string summary(int concurrency)
{
    return R"({"backend": "dynamo", "max_concurrency": )" + std::to_string(concurrency) +
           R"(, "num_prompts": 10, "completed": 10, "duration": 10,
        "output_throughput": 50.0, "total_token_throughput": 100.0, "median_tpot_ms": 10.0})";
}

constexpr auto metadata = R"({"version": "2.0", "orchestrator": true, "job_id": "4711", "job_name": "dsr1",
    "model": {"path": "/models/dsr1", "container": "/c.sqsh", "precision": "fp8"},
    "resources": {"gpu_type": "gb200", "gpus_per_node": 4, "prefill_nodes": 2, "decode_nodes": 4, "agg_nodes": null,
        "prefill_workers": 1, "decode_workers": 2, "agg_workers": 0, "gpus_per_prefill": 6, "gpus_per_decode": 8, "gpus_per_agg": null},
    "backend_type": "sglang", "frontend_type": "dynamo", "benchmark": {"type": "sa-bench", "isl": 1024, "osl": 512}})";

constexpr auto resultPath = "4711/logs/sa-bench_custom_x/results_concurrency_8.json";

class RunFactsTest : public testing::Test
{
protected:
    Point only()
    {
        const Imported imported = importPaths({folder.path().string()});
        const auto points = imported.points();
        EXPECT_THAT(points, SizeIs(1));
        return points.empty() ? Point{} : points[0];
    }

    test::TemporaryFolder folder;
};

TEST_F(RunFactsTest, MetadataAboveAResultTellsModelHardwareAndGpus)
{
    folder.put(resultPath, summary(8));
    const std::string file = folder.put("4711/4711.json", metadata);
    const Point p = only();
    EXPECT_EQ(p.run.text, "dsr1 (4711)");
    EXPECT_EQ(p.variant, "dsr1");
    EXPECT_EQ(p.folder, folder.below("4711"));
    EXPECT_EQ(p.model, "/models/dsr1");
    EXPECT_EQ(p.engine, "sglang");
    EXPECT_EQ(p.precision, "fp8");
    EXPECT_EQ(p.hardware, "gb200");
    EXPECT_EQ(p.isl, 1024);
    EXPECT_EQ(p.osl, 512);
    EXPECT_EQ(p.gpus, (Gpus{22, 6, 16, 22, 24, "srt-slurm metadata"})) << "null nodes are none, and working is not allocated";
    EXPECT_EQ(originOf(p, "hardware")->file, file);
    EXPECT_EQ(originOf(p, "hardware")->key, "resources.gpu_type");
}

TEST_F(RunFactsTest, MetadataIsFoundFromEveryPlaceOfARun)
{
    for (const char* place :
         {"4711/logs/sa-bench_isl_8_osl_8/r_conc8.json", "4711/logs/r_conc8.json", "4711/r_conc8.json", "4711/x/r_conc8.json"}) {
        const test::TemporaryFolder own;
        const std::string path = own.put(place, summary(8));
        own.put("4711/4711.json", metadata);
        EXPECT_EQ(importPaths({path}).points().at(0).run.text, "dsr1 (4711)") << place;
        const test::TemporaryFolder copies;
        const std::string other = copies.put(place, summary(8));
        copies.put(std::string_view(place).find("logs") == std::string_view::npos ? "4711/4711.json" : "4711/logs/4711.json", metadata);
        EXPECT_EQ(importPaths({other}).points().at(0).run.text, "dsr1 (4711)") << place << ", metadata in the logs";
    }
}

TEST_F(RunFactsTest, MetadataOfAnotherRunIsNotTaken)
{
    folder.put("outputs/4711/4711.json", metadata);
    folder.put("outputs/4712/logs/sa-bench_x/r_conc8.json", summary(8));
    EXPECT_EQ(only().model, std::nullopt);
}

TEST_F(RunFactsTest, TheFirstMetadataFormatTellsAllocatedGpusOnly)
{
    folder.put(resultPath, summary(8));
    folder.put("4711/4711.json", R"({"run_metadata": {"slurm_job_id": "4711", "job_name": "old", "prefill_nodes": 1, "decode_nodes": 2,
        "prefill_workers": 1, "decode_workers": 2, "gpus_per_node": 4, "gpu_type": "gb200", "mode": "disaggregated"}, "profiler_metadata": {}})");
    const Point p = only();
    EXPECT_EQ(p.run.text, "old (4711)");
    EXPECT_EQ(p.gpus, (Gpus{12, {}, {}, {}, 12, "srt-slurm metadata"}));
}

struct CountsCase {
    const char* resources;
    std::optional<double> prefill, decode, working;
};

TEST_F(RunFactsTest, GpusOfWorkersAreCountedAsThePlanCountsThem)
{
    const CountsCase cases[] = {
        {R"("gpus_per_node": 4, "prefill_nodes": 2, "decode_nodes": 0, "prefill_workers": 4, "decode_workers": 2)", 8, 4, 12},
        {R"("gpus_per_node": 4, "prefill_nodes": 2, "decode_nodes": 0, "prefill_workers": 2, "decode_workers": 2, "gpus_per_prefill": 3)",
         6, 6, 12},
        {R"("gpus_per_node": 4, "prefill_nodes": 1, "decode_nodes": 2, "prefill_workers": 1, "decode_workers": 3)", 4, 6, 10},
        {R"("gpus_per_node": 4, "prefill_nodes": 1, "decode_nodes": 1, "prefill_workers": 1, "decode_workers": 0)", 4, {}, 4},
        {R"("prefill_nodes": 1, "decode_nodes": 2, "prefill_workers": 1, "decode_workers": 2, "gpus_per_prefill": 4)", 4, {}, {}},
        {R"("gpus_per_node": 8, "agg_nodes": null, "agg_workers": 2)", {}, {}, 16},
        {R"("gpus_per_node": 8, "agg_nodes": 2)", {}, {}, 16}};
    for (const CountsCase& one : cases) {
        const test::TemporaryFolder own;
        own.put(resultPath, summary(8));
        own.put("4711/4711.json",
                R"({"version": "2.0", "job_id": "4711", "job_name": "x", "resources": {)" + std::string(one.resources) + "}}");
        const Gpus gpus = importPaths({own.path().string()}).points().at(0).gpus;
        EXPECT_EQ(gpus.prefill, one.prefill) << one.resources;
        EXPECT_EQ(gpus.decode, one.decode) << one.resources;
        EXPECT_EQ(gpus.working, one.working) << one.resources;
    }
}

struct SourceCase {
    const char* what;
    const char* result; ///< Name of the result file.
    const char* file;   ///< Beside it; empty: none.
    const char* text;
    std::optional<double> total, prefill, decode, working, allocated;
};

TEST_F(RunFactsTest, CountsOfAggregatedAndDisaggregatedRunsComeFromEachOfTheirSources)
{
    const SourceCase cases[] = {
        {"name, disaggregated", "results_concurrency_8_gpus_24_ctx_8_gen_16.json", "", "", 24, 8, 16, 24, {}},
        {"name, aggregated", "results_concurrency_8_gpus_8.json", "", "", 8, {}, {}, {}, 8},
        {"metadata, aggregated",
         "results_concurrency_8.json",
         "4711.json",
         R"({"version": "2.0", "job_id": "4711", "job_name": "a", "resources": {"gpus_per_node": 8, "prefill_nodes": null,
             "decode_nodes": null, "agg_nodes": 2, "prefill_workers": 0, "decode_workers": 0, "agg_workers": 3, "gpus_per_agg": 4}})",
         12,
         {},
         {},
         12,
         16},
        {"metadata, disaggregated", "results_concurrency_8.json", "4711.json",
         R"({"version": "2.0", "job_id": "4711", "job_name": "a", "resources": {"gpus_per_node": 8, "prefill_nodes": 1,
             "decode_nodes": 2, "agg_nodes": null, "prefill_workers": 1, "decode_workers": 2, "agg_workers": 0, "gpus_per_prefill": 4,
             "gpus_per_decode": 8, "gpus_per_agg": null}})",
         20, 4, 16, 20, 24},
        {"lock, aggregated",
         "results_concurrency_8.json",
         "recipe.lock.yaml",
         "name: a\nresources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 2}\nlock: {version: 2}\n",
         8,
         {},
         {},
         8,
         8},
        {"lock, disaggregated", "results_concurrency_8.json", "recipe.lock.yaml",
         "name: a\nresources: {gpu_type: h100, gpus_per_node: 8, prefill_nodes: 1, prefill_workers: 1, decode_nodes: 2, decode_workers: "
         "1, gpus_per_decode: 16}\nlock: {version: 2}\n",
         24, 8, 16, 24, 24},
        {"snapshot",
         "results_concurrency_8.json",
         "logs/resource_snapshot.json",
         R"({"gpus": {"type": "gb200", "configured_per_node": 4, "configured_total": 24, "backend_total": 20}})",
         20,
         {},
         {},
         20,
         24},
    };
    for (const SourceCase& one : cases) {
        SCOPED_TRACE(one.what);
        const test::TemporaryFolder own;
        own.put("4711/logs/sa-bench_custom_x/" + std::string(one.result), summary(8));
        if (*one.file)
            own.put("4711/" + std::string(one.file), one.text);
        own.put("4711/config.yaml", "name: a\n"); // marks the folder of a run
        const Gpus gpus = importPaths({own.path().string()}).points().at(0).gpus;
        EXPECT_EQ(gpus.total, one.total);
        EXPECT_EQ(gpus.prefill, one.prefill);
        EXPECT_EQ(gpus.decode, one.decode);
        EXPECT_EQ(gpus.working, one.working);
        EXPECT_EQ(gpus.allocated, one.allocated);
        EXPECT_FALSE(gpus.origin.empty());
    }
}

TEST_F(RunFactsTest, DecodeWorkersOnTheNodesOfPrefillHaveItsGpus)
{
    folder.put(resultPath, summary(8));
    folder.put("4711/recipe.lock.yaml", "schema: 2\nname: n\nresources: {gpu_type: gb200, gpus_per_node: 4}\n"
                                        "roles: {prefill: {nodes: 2, workers: 4}, decode: {nodes: prefill, workers: 2}}\n");
    const Gpus gpus = only().gpus;
    EXPECT_EQ(gpus.prefill, 8);
    EXPECT_EQ(gpus.decode, 4);
    EXPECT_EQ(gpus.working, 12);
}

TEST_F(RunFactsTest, ARoleOfWhichTheGpusAreUnknownMakesTheSumUnknown)
{
    folder.put(resultPath, summary(8));
    folder.put("4711/recipe.lock.yaml",
               "schema: 2\nname: n\nroles: {prefill: {nodes: 2, workers: 2, gpus: 4}, decode: {nodes: 2, workers: 2}}\n");
    const Gpus gpus = only().gpus;
    EXPECT_EQ(gpus.prefill, 8);
    EXPECT_EQ(gpus.decode, std::nullopt);
    EXPECT_EQ(gpus.working, std::nullopt);
}

TEST_F(RunFactsTest, TheResourceSnapshotGoesBeforeThePlan)
{
    folder.put(resultPath, summary(8));
    folder.put("4711/4711.json", metadata);
    folder.put("4711/logs/resource_snapshot.json",
               R"({"gpus": {"type": "gb200", "configured_per_node": 4, "configured_total": 24, "backend_total": 20}})");
    const Point p = only();
    EXPECT_EQ(p.gpus.working, 20);
    EXPECT_EQ(p.gpus.allocated, 24);
    EXPECT_EQ(p.gpus.origin, "resource snapshot");
}

TEST_F(RunFactsTest, TheFilesNameGoesFirstAndAConflictIsTold)
{
    folder.put("4711/logs/sa-bench_x/results_concurrency_8_gpus_16_ctx_8_gen_8.json", summary(8));
    folder.put("4711/4711.json", metadata);
    const Point p = only();
    EXPECT_EQ(p.gpus, (Gpus{16, 8, 8, 16, 24, "file name, srt-slurm metadata"}));
    EXPECT_THAT(p.notes, Contains(AllOf(HasSubstr("file name says 16 working"), HasSubstr("metadata says 22"))));
}

TEST_F(RunFactsTest, AgreementIsNotTold)
{
    folder.put("4711/logs/sa-bench_x/results_concurrency_8_gpus_22_ctx_6_gen_16.json", summary(8));
    folder.put("4711/4711.json", metadata);
    EXPECT_THAT(only().notes, Each(testing::Not(HasSubstr("GPUs"))));
}

TEST_F(RunFactsTest, TheLockfileTellsTheModelsNameAndTheConfigTheRecipe)
{
    folder.put(resultPath, summary(8));
    folder.put("4711/recipe.lock.yaml",
               "name: dsr1\nmodel: {path: alias, precision: fp4}\nidentity: {model: {repo: deepseek-ai/DeepSeek-R1}}\n"
               "resources: {gpu_type: gb200, gpus_per_node: 4, agg_nodes: 2, agg_workers: 2, gpus_per_agg: 2}\n"
               "lock: {version: 2, slurm: {job_id: '4711', job_name: dsr1}}\n");
    const std::string config = folder.put("4711/config.yaml", "name: dsr1\n");
    const Point p = only();
    EXPECT_EQ(p.model, "deepseek-ai/DeepSeek-R1");
    EXPECT_EQ(p.precision, "fp4");
    EXPECT_EQ(p.gpus, (Gpus{4, {}, {}, 4, 8, "recipe lockfile"}));
    EXPECT_EQ(p.recipe, config);
    EXPECT_EQ(p.run.text, "dsr1 (4711)");
}

TEST_F(RunFactsTest, CollectedFilesFindTheirOwnLockByTheirPrefix)
{
    const std::string header =
        "Config,Total GPU Count,Decode GPU Count,Concurrency,Total Token Throughput,Output Token Throughput,Median TTFT,"
        "Median TPOT,Median ITL,P90 Decode Running Requests,Output Token Throughput per User,Total Token Throughput per GPU\n";
    folder.put("a__benchmark-rollup.csv", header + "a,24,8,4,100,50,1,10,10,,100,4\n");
    folder.put("b__benchmark-rollup.csv", header + "b,24,8,4,100,50,1,10,10,,100,4\n");
    folder.put("a__recipe.lock.yaml",
               "name: a\nresources: {gpu_type: gb200, gpus_per_node: 4, prefill_nodes: 4, prefill_workers: 2, gpus_per_prefill: 8,"
               " decode_nodes: 2, decode_workers: 1, gpus_per_decode: 8}\n");
    const auto points = importPaths({folder.path().string()}).points();
    ASSERT_THAT(points, SizeIs(2));
    EXPECT_EQ(points[0].gpus.working, 24);
    EXPECT_EQ(points[0].hardware, "gb200");
    EXPECT_EQ(points[1].gpus.working, std::nullopt);
    EXPECT_EQ(points[1].hardware, std::nullopt);
    EXPECT_NE(points[0].folder, points[1].folder);
}

TEST_F(RunFactsTest, BrokenMetadataIsNoReasonToLoseTheResult)
{
    folder.put(resultPath, summary(8));
    folder.put("4711/4711.json", "{\"job_id\": ");
    folder.put("4711/recipe.lock.yaml", "a: [\n\t\0");
    EXPECT_EQ(only().outputTps, 50);
}

TEST_F(RunFactsTest, ABrokenLockfileGivesNoGuessedNumber)
{
    folder.put(resultPath, summary(8));
    folder.put("4711/recipe.lock.yaml", "name: n\nresources: {gpu_type: gb200, gpus_per_node: 4\nlock: {version: 2}\n");
    folder.put("4711/config.yaml", "name: n\n");
    EXPECT_EQ(only().gpus.working, std::nullopt);
}

TEST_F(RunFactsTest, RollupAndRawResultsGiveEachConcurrencyOnce)
{
    folder.put("4711/logs/sa-bench_x/results_concurrency_8.json", summary(8));
    folder.put("4711/logs/sa-bench_x/results_concurrency_16.json", summary(16));
    const std::string header = "Config,Concurrency,Output Token Throughput,Median TPOT\n";
    folder.put("4711/logs/benchmark-rollup.csv", header + "dsr1,8,49,10\ndsr1,16,49,10\ndsr1,32,49,10\n");
    folder.put("4711/logs/benchmark-rollup.json",
               R"({"benchmark_type": "sa-bench", "config": {}, "runs": [{"concurrency": 32, "throughput_toks": 48}]})");
    folder.put("4711/4711.json", metadata);
    const Imported imported = importPaths({folder.path().string()});
    std::map<double, std::string> formats;
    for (const Point& point : imported.points())
        EXPECT_TRUE(formats.emplace(*point.concurrency, point.format).second) << "concurrency " << *point.concurrency << " twice";
    EXPECT_EQ(formats, (std::map<double, std::string>{{8, "sa-bench"}, {16, "sa-bench"}, {32, "srt-slurm-rollup-csv"}}));
    std::map<std::string, const ImportedFile*> files;
    for (const ImportedFile& file : imported.files)
        files[file.path.substr(file.path.rfind('/') + 1)] = &file;
    EXPECT_THAT(files.at("benchmark-rollup.csv")->warnings, Contains(HasSubstr("2 points were left out")));
    EXPECT_EQ(files.at("benchmark-rollup.json")->state, FileState::Ignored);
    EXPECT_THAT(files.at("benchmark-rollup.json")->reason, HasSubstr("more detailed file of the same run"));
}

TEST_F(RunFactsTest, RepeatsOfOneOperatingPointAreNoDoubles)
{
    folder.put("4711/logs/sa-bench_x/results_concurrency_8.json", summary(8));
    folder.put("4711/logs/sa-bench_x/results_concurrency_8_rerun.json", summary(8));
    folder.put("4711/4711.json", metadata);
    EXPECT_THAT(importPaths({folder.path().string()}).points(), SizeIs(2));
}

TEST_F(RunFactsTest, TheStampChangesWithTheFactsFiles)
{
    const std::string path = folder.put(resultPath, summary(8));
    const std::string none = RunFinder().stampFor(path);
    folder.put("4711/4711.json", metadata);
    const std::string one = RunFinder().stampFor(path);
    EXPECT_NE(one, none);
    EXPECT_EQ(RunFinder().stampFor(path), one);
    folder.put("4711/4711.json", std::string(metadata) + "\n");
    EXPECT_NE(RunFinder().stampFor(path), one);
}

} // namespace
} // namespace wb::results
