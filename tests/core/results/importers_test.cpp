#include "core/results/importer.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace wb::results {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string dataFile(const std::string& name)
{
    return test::bytesOf(test::own("tests/data/results/" + name));
}

ImportedFile imported(const std::string& name, const std::string& path)
{
    return importText(path, dataFile(name));
}

std::string rawOf(const Point& point, const std::string& field)
{
    const auto origin = originOf(point, field);
    return origin ? origin->key + '=' + origin->raw : "no origin";
}

// ---- the table
// ---------------------------------------------------------------------------------------------------------------------------

TEST(Importers, EachTakesItsOwnSampleAndNoneOfTheOthers)
{
    std::set<std::string> seen;
    for (const auto& entry : std::filesystem::directory_iterator(test::own("tests/data/results"))) {
        const std::string stem = entry.path().stem().string();
        const Importer* importer = findImporter(stem);
        if (!importer)
            continue;
        seen.insert(stem);
        const std::string path = stem == "srt-slurm-benchmark-log" ? "logs/benchmark.out" : entry.path().filename().string();
        const std::string text = test::bytesOf(entry.path());
        const ImportedFile byItself = importText(path, text);
        EXPECT_EQ(byItself.format, stem) << byItself.reason;
        if (!importer->whyOnlyTold.empty()) {
            EXPECT_EQ(byItself.state, FileState::Refused) << stem;
            EXPECT_THAT(byItself.reason, HasSubstr("name it as \"" + stem + "\"")) << stem;
        }
        const ImportedFile file = importer->whyOnlyTold.empty() ? byItself : importText(path, text, {}, {.format = stem});
        EXPECT_EQ(file.state, FileState::Imported) << stem << ": " << file.reason;
        const bool isOdd = stem == "srt-slurm-rollup-csv" || stem == "srt-slurm-rollup-json" || stem == "srt-slurm-benchmark-log";
        EXPECT_EQ(file.warnings.empty(), !isOdd) << stem << ": " << testing::PrintToString(file.warnings);
        for (const Point& point : file.points) {
            EXPECT_TRUE(point.valid || isOdd) << stem << ": " << testing::PrintToString(point.reasons);
            EXPECT_EQ(point.format, stem);
            EXPECT_FALSE(point.run.isEmpty()) << stem;
        }
    }
    for (const Importer& importer : importers()) {
        EXPECT_TRUE(seen.contains(std::string(importer.id))) << importer.id << " has no sample";
        EXPECT_FALSE(importer.title.empty() || importer.doc.empty()) << importer.id;
    }
}

// ---- sa-bench
// ----------------------------------------------------------------------------------------------------------------------------

constexpr auto disaggregated = "logs/sa-bench_isl_1024_osl_512/results_concurrency_8_gpus_12_ctx_4_gen_8.json";

TEST(SaBench, ReadsTheSummaryWithGpusFromTheName)
{
    const ImportedFile file = imported("sa-bench.json", disaggregated);
    ASSERT_THAT(file.points, SizeIs(1));
    const Point& p = file.points[0];
    EXPECT_EQ(p.format, "sa-bench");
    EXPECT_EQ(p.model, "/models/dsr1");
    EXPECT_EQ(p.engine, std::nullopt) << "\"dynamo\" is no engine";
    EXPECT_EQ(p.concurrency, 8);
    EXPECT_EQ(p.requestRate, std::nullopt);
    EXPECT_EQ(rawOf(p, "requestRate"), "request_rate=inf") << "unlimited is not the same as unknown";
    EXPECT_EQ(p.completed, 78);
    EXPECT_EQ(p.requested, 80);
    EXPECT_EQ(p.failed, 2);
    EXPECT_EQ(p.isl, 1024);
    EXPECT_EQ(p.osl, 512);
    EXPECT_DOUBLE_EQ(*p.inputTps, 5990.4 - 1996.8);
    EXPECT_EQ(p.ttftMs, (Statistics{110, 100, 140, {}, 200}));
    EXPECT_EQ(p.tpotMs.p50, 4.0);
    EXPECT_EQ(p.itlMs.p50, 8.0) << "ITL is not TPOT";
    EXPECT_EQ(p.gpus, (Gpus{12, 4, 8, 12, {}, "file name"}));
    EXPECT_EQ(rawOf(p, "tpotMs.p50"), "median_tpot_ms=4.0");
    EXPECT_EQ(rawOf(p, "gpus.decode"), "file name=8");
    EXPECT_EQ(originOf(p, "tpotMs.p50")->file, disaggregated);
    EXPECT_TRUE(p.valid);
    EXPECT_FALSE(p.simulated);
}

TEST(SaBench, WithoutCtxAndGenTheNameCountsAllocatedGpus)
{
    const Point p = imported("sa-bench.json", "results_concurrency_8_gpus_16.json").points.at(0);
    EXPECT_EQ(p.gpus, (Gpus{16, {}, {}, {}, 16, "file name"})) << "nodes x GPUs of a node: workers may use fewer";
}

TEST(SaBench, AZeroOfTheNameIsNoCountOfGpus)
{
    const Point none = imported("sa-bench.json", "results_concurrency_8_gpus_0_ctx_0_gen_0.json").points.at(0);
    EXPECT_EQ(none.gpus, Gpus{});
    EXPECT_THAT(none.notes, Contains("0 in \"file name\" was taken as \"not measured\"."));
    EXPECT_EQ(imported("sa-bench.json", "results_concurrency_8_gpus_16_ctx_0_gen_0.json").points.at(0).gpus,
              (Gpus{16, {}, {}, {}, 16, "file name"}));
    EXPECT_EQ(imported("sa-bench.json", "results_concurrency_8_gpus_8_ctx_0_gen_8.json").points.at(0).gpus,
              (Gpus{8, 0, 8, 8, {}, "file name"}))
        << "one of the two may have none";
}

TEST(SaBench, AConcurrencyOfZeroIsUnknown)
{
    const std::string text = R"({"backend": "dynamo", "max_concurrency": 0, "duration": 1, "completed": 1, "mean_ttft_ms": 1.5})";
    const Point p = importText("logs/sa-bench_isl_8_osl_8/results.json", text).points.at(0);
    EXPECT_EQ(p.concurrency, std::nullopt);
    EXPECT_THAT(whyUnknown(p, "concurrency"), testing::Optional(HasSubstr("max_concurrency")));
    EXPECT_EQ(importText("logs/sa-bench_isl_8_osl_8/results_concurrency_2_gpus_8.json", text).points.at(0).concurrency, 2);
}

TEST(SaBench, TellsWhenTheNameContradictsItselfOrTheFile)
{
    const Point p = imported("sa-bench.json", "results_concurrency_16_gpus_24_ctx_4_gen_8.json").points.at(0);
    EXPECT_EQ(p.concurrency, 8) << "the file wins";
    EXPECT_EQ(p.gpus.working, 12.0);
    EXPECT_THAT(p.notes, Contains(HasSubstr("concurrency 8, its name says 16")));
    EXPECT_THAT(p.notes, Contains(HasSubstr("24 GPUs, but 4 + 8")));
}

TEST(SaBench, IsKnownByItsFolderWhenTheBackendIsAnother)
{
    const std::string text = R"({"backend": "openai", "max_concurrency": 2, "duration": 1, "completed": 1, "mean_ttft_ms": 1.5})";
    EXPECT_EQ(importText("logs/sa-bench_isl_8_osl_8/results_concurrency_2_gpus_8.json", text).format, "sa-bench");
    EXPECT_EQ(importText("results_concurrency_2_gpus_8.json", text).format, "vllm-bench-serve") << "a name alone decides nothing";
}

TEST(SaBench, TakesLengthsFromTheFolderWhenTheTotalsTellNone)
{
    const std::string text = R"({"backend": "dynamo", "max_concurrency": 2, "duration": 1, "completed": 1, "mean_ttft_ms": 1.5})";
    const Point p = importText("logs/sa-bench_isl_1024_osl_256/results_concurrency_2_gpus_8.json", text).points.at(0);
    EXPECT_EQ(p.isl, 1024);
    EXPECT_EQ(p.osl, 256);
    EXPECT_EQ(rawOf(p, "isl"), "folder name=1024");
}

TEST(SaBench, TakesRecipeVariantAndSimulatedFromItsMetadataKeys)
{
    const std::string text = R"({"backend": "dynamo", "max_concurrency": 2, "duration": 1, "completed": 1, "mean_ttft_ms": 1.5,
        "simulated": "True", "recipe": "recipes/a.yaml", "job_name": "a_chunked8192"})";
    const Point p = importText("x.json", text).points.at(0);
    EXPECT_TRUE(p.simulated);
    EXPECT_EQ(p.recipe, "recipes/a.yaml");
    EXPECT_EQ(p.variant, "a_chunked8192");
    EXPECT_EQ(p.run.text, "a_chunked8192");
}

// ---- vLLM
// --------------------------------------------------------------------------------------------------------------------------------

TEST(VllmBenchServe, ReadsTheNewestSummary)
{
    const Point p = imported("vllm-bench-serve.json", "bench/m_conc32.json").points.at(0);
    EXPECT_EQ(p.concurrency, 32) << "from the name, as max_concurrency is null";
    EXPECT_EQ(rawOf(p, "concurrency"), "file name=32");
    EXPECT_EQ(p.failed, 3);
    EXPECT_EQ(rawOf(p, "failed"), "failed=3");
    EXPECT_EQ(p.isl, 1000);
    EXPECT_EQ(p.hardware, "h100");
    EXPECT_EQ(p.gpus.working, 4) << "metadata are strings";
    EXPECT_EQ(p.gpus.origin, "the file");
    EXPECT_EQ(p.e2eMs, Statistics{}) << "a statistic of another metric must not be taken for E2E";
    EXPECT_EQ(p.engine, std::nullopt) << "\"openai-chat\" is a protocol";
}

TEST(VllmBenchServe, ConcurrencyThatNobodyTellsIsUnknown)
{
    EXPECT_EQ(imported("vllm-bench-serve.json", "run.json").points.at(0).concurrency, std::nullopt);
}

TEST(VllmBenchServe, ReadsEveryDocumentOfAnAppendedFile)
{
    const std::string one = dataFile("vllm-bench-serve.json");
    const ImportedFile file = importText("results.json", one + one + "\n{\"note\": 1}\n" + one);
    EXPECT_THAT(file.points, SizeIs(3));
    EXPECT_EQ(file.points[2].document, 3U);
    EXPECT_NE(file.points[0].id, file.points[1].id);
    ASSERT_THAT(file.warnings, SizeIs(1));
    EXPECT_THAT(file.warnings[0], AllOf(HasSubstr("line "), HasSubstr("left out")));
}

TEST(VllmBenchServe, KeepsTheDocumentsBeforeAFaultAndTellsItsPlace)
{
    const ImportedFile file = importText("results.json", dataFile("vllm-bench-serve.json") + "\n{\"max_concurrency\": 4, \"compl");
    EXPECT_EQ(file.state, FileState::Imported);
    EXPECT_THAT(file.points, SizeIs(1));
    EXPECT_THAT(file.warnings, Contains(AllOf(HasSubstr("could not be read"), HasSubstr("line "), HasSubstr("column "))));
}

TEST(VllmBenchServe, WhenAllFailedLatenciesAreUnknownAndThroughputIsZero)
{
    const ImportedFile file = importText("r.json", R"({"backend": "vllm", "max_concurrency": 64, "num_prompts": 640, "completed": 0,
        "duration": 0.7, "total_input_tokens": 0, "total_output_tokens": 0, "output_throughput": 0.0, "total_token_throughput": 0.0,
        "mean_ttft_ms": 0.0, "median_ttft_ms": 0.0, "median_tpot_ms": 0.0, "median_itl_ms": 0.0, "median_e2el_ms": 0.0})");
    const Point& p = file.points.at(0);
    EXPECT_FALSE(p.valid);
    EXPECT_THAT(p.reasons, ElementsAre("None of 640 requests completed."));
    EXPECT_EQ(p.ttftMs, Statistics{});
    EXPECT_EQ(p.tpotMs, Statistics{});
    EXPECT_EQ(p.outputTps, 0.0) << "no token in 0.7 s is a true zero";
    EXPECT_EQ(p.isl, std::nullopt);
    EXPECT_EQ(rawOf(p, "tpotMs.p50"), "median_tpot_ms=0.0") << "what stands in the file can still be looked up";
}

TEST(VllmBenchServe, WhatIsNotFiniteIsLeftOutAndTold)
{
    const ImportedFile file = importText("r.json", R"({"backend": "vllm", "max_concurrency": 4, "request_rate": Infinity, "completed": 5,
        "duration": 1, "output_throughput": NaN, "median_ttft_ms": Infinity, "median_tpot_ms": -Infinity, "mean_tpot_ms": 5})");
    const Point& p = file.points.at(0);
    EXPECT_EQ(p.outputTps, std::nullopt);
    EXPECT_EQ(p.ttftMs.p50, std::nullopt);
    EXPECT_EQ(p.tpotMs.p50, std::nullopt);
    EXPECT_EQ(p.tpotMs.mean, 5);
    EXPECT_EQ(p.requestRate, std::nullopt);
    EXPECT_EQ(rawOf(p, "requestRate"), "request_rate=Infinity");
    EXPECT_FALSE(p.valid);
    EXPECT_THAT(p.reasons, Contains("\"output_throughput\" is \"NaN\" in r.json, line 2, column 45, where a number belongs."));
    EXPECT_THAT(p.reasons, SizeIs(3));
    EXPECT_THAT(file.warnings, Contains(AllOf(HasSubstr("Median TTFT is not known"), HasSubstr("\"Infinity\""), HasSubstr("line 2"))));
    EXPECT_THAT(file.warnings, SizeIs(3)) << "an unlimited rate is no fault";
}

TEST(VllmBenchServe, WordsWhereANumberBelongsAreToldWithTheirPlace)
{
    const ImportedFile file = importText("r.json", R"({"backend": "vllm", "max_concurrency": 4, "num_prompts": 5, "completed": "all",
  "duration": [10],
  "output_throughput": "fast", "median_tpot_ms": null, "mean_ttft_ms": 5})");
    const Point& p = file.points.at(0);
    EXPECT_EQ(p.completed, std::nullopt);
    EXPECT_EQ(p.durationS, std::nullopt);
    EXPECT_EQ(p.outputTps, std::nullopt);
    EXPECT_FALSE(p.valid);
    EXPECT_THAT(p.reasons, Contains("\"completed\" is \"all\" in r.json, line 1, column 74, where a number belongs."));
    EXPECT_THAT(p.reasons, Contains("\"duration\" is \"[...]\" in r.json, line 2, column 15, where a number belongs."));
    EXPECT_THAT(p.reasons, Contains("\"output_throughput\" is \"fast\" in r.json, line 3, column 24, where a number belongs."));
    EXPECT_THAT(p.reasons, SizeIs(3)) << "null tells nothing and is no fault";
    EXPECT_THAT(file.warnings, SizeIs(3));
}

TEST(VllmBenchServe, PlacesAreThoseOfTheRightDocumentAndItem)
{
    const std::string good = R"({"backend": "vllm", "max_concurrency": 4, "completed": 5, "duration": 1, "mean_ttft_ms": 5})";
    const std::string bad = R"({"backend": "vllm", "max_concurrency": 4, "completed": 5, "duration": NaN, "mean_ttft_ms": 5})";
    EXPECT_THAT(importText("r.json", good + "\n" + bad).points.at(1).reasons, ElementsAre(HasSubstr("line 2, column 71")));
    EXPECT_THAT(importText("r.json", "[" + good + ",\n {\"a\": [1, \"]\"]}, " + bad + "]").points.at(1).reasons,
                ElementsAre(HasSubstr("line 2, column 89")));
    EXPECT_THAT(importText("r.json", R"({"endpoint_type": "vllm", "max_concurrency": 4, "completed": 10, "duration": 1, "mean_ttft_ms": 5,
 "percentiles_ttft_ms": [[99.0, "slow"]]})")
                    .points.at(0)
                    .reasons,
                ElementsAre(HasSubstr("line 2, column 25")));
}

TEST(VllmBenchServe, ATpotOfZeroIsNoMeasurementUnlessThereWasOneToken)
{
    const auto point = [](const std::string& outputTokens) {
        return importText("r.json", R"({"backend": "vllm", "max_concurrency": 4, "num_prompts": 5, "completed": 5, "duration": 1,
            "total_input_tokens": 50, "total_output_tokens": )" +
                                        outputTokens +
                                        R"(, "output_throughput": 5, "request_throughput": 5, "median_ttft_ms": 3,
            "mean_tpot_ms": 0.0, "median_tpot_ms": 0.0})")
            .points.at(0);
    };
    EXPECT_FALSE(point("500").valid);
    EXPECT_TRUE(point("5").valid);
    EXPECT_EQ(point("5").tpotMs.p50, std::nullopt);
    EXPECT_FALSE(point("0").valid) << "no token at all";
}

TEST(VllmBenchServe, ReadsOldKeysAndPercentileLists)
{
    const Point p =
        importText("r.json", R"({"endpoint_type": "vllm", "max_concurrency": 4, "num_prompts": 10, "completed": 10, "duration": 1,
        "total_input": 100, "total_output": 200, "mean_ttft_ms": "12.5", "percentiles_ttft_ms": [[90.0, 20.0], [99.0, 30.0], [99.9, 40.0]]})")
            .points.at(0);
    EXPECT_EQ(p.isl, 10);
    EXPECT_EQ(p.osl, 20);
    EXPECT_EQ(p.ttftMs, (Statistics{12.5, {}, 20, {}, 30}));
    EXPECT_THAT(rawOf(p, "ttftMs.p99"), HasSubstr("percentiles_ttft_ms"));
}

TEST(VllmBenchServe, LeavesTheLookAlikesAlone)
{
    const char* sglang = R"({"backend": "sglang", "max_concurrency": null, "request_rate": Infinity, "completed": 5, "duration": 2,
        "median_ttft_ms": 3, "random_range_ratio": 0.0})";
    EXPECT_EQ(importText("a.jsonl", sglang).format, "sglang-bench-serving");
    const char* slo =
        R"({"max_concurrency": 4, "request_rate": "inf", "completed": 5, "duration": 2, "good_completed": null, "median_ttft": 0.3})";
    EXPECT_EQ(importText("a.json", slo).format, "inferencex-slo");
}

// ---- InferenceX
// --------------------------------------------------------------------------------------------------------------------------

TEST(InferencexAgg, MultipliesByTheGpusEachFigureWasDividedBy)
{
    const ImportedFile file = imported("inferencex-agg.json", "agg_bmk.json");
    ASSERT_THAT(file.points, SizeIs(2));
    const Point& split = file.points[0];
    EXPECT_EQ(split.gpus, (Gpus{32, 8, 24, 32, {}, "the file"}));
    EXPECT_EQ(split.outputTps, 700.0 * 24) << "output is divided by decode GPUs only";
    EXPECT_EQ(split.inputTps, 1900.0 * 8) << "input is divided by prefill GPUs only";
    EXPECT_EQ(split.totalTps, 1000.0 * 32);
    EXPECT_EQ(split.outputTpsPerDecodeGpu, 700.0);
    EXPECT_EQ(rawOf(split, "outputTps"), "output_tput_per_gpu x 24 decode GPUs=16800") << "a conversion is told";
    const Point& whole = file.points[1];
    EXPECT_EQ(whole.gpus, (Gpus{8, {}, {}, 8, {}, "the file"}));
    EXPECT_EQ(rawOf(whole, "gpus.working"), "tp x pp x pcp_size=8");
    EXPECT_EQ(whole.outputTps, 400.0);
}

TEST(InferencexAgg, ReadsSecondsAsMilliseconds)
{
    const Point p = imported("inferencex-agg.json", "agg_bmk.json").points.at(0);
    EXPECT_DOUBLE_EQ(*p.ttftMs.p50, 400);
    EXPECT_DOUBLE_EQ(*p.tpotMs.p50, 10);
    EXPECT_DOUBLE_EQ(*p.tpotMs.p99, 20);
    EXPECT_DOUBLE_EQ(*p.itlMs.p50, 30);
    EXPECT_DOUBLE_EQ(*p.e2eMs.p50, 10630);
    EXPECT_EQ(rawOf(p, "tpotMs.p50"), "median_tpot=0.01");
    EXPECT_EQ(p.tpsPerUserGiven, 100.0);
}

TEST(InferencexAgg, NamesHardwareWithoutTheRunnerAndARunForEachConfiguration)
{
    const ImportedFile file = imported("inferencex-agg.json", "agg_bmk.json");
    EXPECT_EQ(file.points[1].hardware, "mi355x");
    EXPECT_EQ(file.points[1].run.text, "mi355x m sglang fp8 tp4 pp2 ep1 spec-none isl8192 osl1024");
    EXPECT_NE(file.points[0].run, file.points[1].run);
}

TEST(InferencexAgg, ZerosOfAMockRowAreUnknown)
{
    const Point p =
        importText("mock.json", R"({"hw": "x", "conc": 64, "model": "m", "infmax_model_prefix": "m", "framework": "f", "precision": "fp4",
        "isl": 8192, "osl": 256, "tp": 16, "tput_per_gpu": 0, "output_tput_per_gpu": 210.0, "input_tput_per_gpu": 0.0, "median_ttft": 0.0,
        "median_tpot": 0.02, "median_e2el": 0.0})")
            .points.at(0);
    EXPECT_EQ(p.totalTps, std::nullopt);
    EXPECT_EQ(p.inputTps, std::nullopt);
    EXPECT_EQ(p.outputTps, 3360.0);
    EXPECT_EQ(p.ttftMs.p50, std::nullopt);
    EXPECT_EQ(p.e2eMs.p50, std::nullopt);
    EXPECT_THAT(p.notes, Contains(HasSubstr("not measured")));
}

TEST(InferencexAgg, AnAgenticRowHasUsersAndAnItlOverEachRequest)
{
    const Point p = importText("agg.json", R"({"hw": "b200", "users": 32, "model": "m", "infmax_model_prefix": "m", "framework": "vllm",
        "precision": "fp4", "scenario_type": "agentic-coding", "tp": 8, "num_requests_total": 43, "num_requests_successful": 41,
        "median_itl": 0.06, "mean_ttlt": 5.0, "output_tput_tps": 161.0, "total_tput_tps": 5226.0, "duration_seconds": 641.0,
        "tput_per_gpu": 653.0, "output_tput_per_gpu": 20.0, "median_intvty": 99.0})")
                        .points.at(0);
    EXPECT_EQ(p.users, 32);
    EXPECT_EQ(p.concurrency, 32);
    EXPECT_EQ(rawOf(p, "concurrency"), "users=32");
    EXPECT_EQ(p.failed, 2);
    EXPECT_TRUE(p.itlPerRequest);
    EXPECT_EQ(p.tpotMs, Statistics{});
    EXPECT_EQ(p.outputTps, 161.0) << "the file's own absolute figure before a product";
    EXPECT_EQ(p.e2eMs.mean, 5000.0);
    EXPECT_EQ(p.tpsPerUserGiven, std::nullopt) << "agentic rows mean something else by it";
}

TEST(InferencexAgg, ARowWithoutMetricsIsAnInvalidPoint)
{
    const Point p = importText("agg.json", R"({"hw": "b200", "conc": 32, "model": "m", "infmax_model_prefix": "m", "framework": "vllm",
        "precision": "fp4", "scenario_type": "agentic-coding", "tp": 8, "num_requests_total": 10, "num_requests_successful": 0})")
                        .points.at(0);
    EXPECT_FALSE(p.valid);
    EXPECT_THAT(p.reasons, Contains("None of 10 requests completed."));
}

TEST(InferencexAgg, ABaselineIsInMillisecondsAndCountsItsGpus)
{
    const Point p =
        importText("b.json", R"({"hw": "b200", "model": "m", "framework": "sglang", "precision": "fp4", "isl": 1024, "osl": 1024, "tp": 4,
        "conc": 128, "profile": "p", "tuning": 1, "metrics": {"successful_requests": 100, "total_token_throughput": 800.0,
        "output_token_throughput": 400.0, "median_tpot_ms": 24.5}, "gpu": {"n_gpus": 8}})")
            .points.at(0);
    EXPECT_EQ(p.tpotMs.p50, 24.5);
    EXPECT_EQ(rawOf(p, "tpotMs.p50"), "metrics.median_tpot_ms=24.5");
    EXPECT_EQ(p.gpus.working, 8);
    EXPECT_THAT(p.notes, Contains(HasSubstr("8 GPUs (gpu.n_gpus) and runs with tp 4")));
    EXPECT_EQ(p.completed, 100);
    EXPECT_EQ(p.failed, std::nullopt) << "how many were sent is not told";
}

TEST(InferencexAgg, ReadsTheNestedAgenticGeneration)
{
    const Point p =
        importText("agg.json", R"({"hw": "b200", "framework": "vllm", "infmax_model_prefix": "m", "scenario_type": "agentic-coding",
        "conc": 8, "tp": 8, "request_accounting": {"total": 200, "successful": 195},
        "request_metrics": {"qps": 2.5, "latency": {"ttft": {"mean": 1.5, "p50": 1.0, "p90": 2.0, "p99": 4.0}, "itl": {"p50": 0.02},
            "e2el": {"p50": 9.0}}, "throughput": {"per_gpu": {"total_tput_tps": 1000.0, "output_tput_tps": 50.0}}}})")
            .points.at(0);
    EXPECT_EQ(p.concurrency, 8);
    EXPECT_EQ(p.requested, 200);
    EXPECT_EQ(p.failed, 5);
    EXPECT_EQ(p.requestsPerS, 2.5);
    EXPECT_EQ(p.ttftMs, (Statistics{1500, 1000, 2000, {}, 4000}));
    EXPECT_DOUBLE_EQ(*p.itlMs.p50, 20);
    EXPECT_TRUE(p.itlPerRequest);
    EXPECT_EQ(p.outputTps, 400.0);
    EXPECT_EQ(p.totalTps, 8000.0);
    EXPECT_THAT(p.notes, Contains(HasSubstr("cache")));
    EXPECT_TRUE(p.valid) << testing::PrintToString(p.reasons);
}

TEST(InferencexAgg, LeavesOutForeignRowsAndTellsWhich)
{
    const ImportedFile file = importText("agg_bmk.json", R"([
        {"something": 1},
        {"hw": "b200", "framework": "vllm", "infmax_model_prefix": "m", "tp": 1, "conc": 1, "tput_per_gpu": 5.0}])");
    EXPECT_THAT(file.points, SizeIs(1));
    EXPECT_EQ(file.points[0].document, 1U);
    ASSERT_THAT(file.warnings, SizeIs(1));
    EXPECT_THAT(file.warnings[0], HasSubstr("item 1"));
}

// ---- rollups
// -----------------------------------------------------------------------------------------------------------------------------

TEST(RollupCsv, ReadsFifteenColumns)
{
    const ImportedFile file = imported("srt-slurm-rollup-csv.csv", "logs/benchmark-rollup.csv");
    ASSERT_THAT(file.points, SizeIs(2));
    const Point& p = file.points[0];
    EXPECT_EQ(p.run.text, "run-a");
    EXPECT_EQ(p.variant, "run-a");
    EXPECT_EQ(p.model, std::nullopt) << "the column is the run's name";
    EXPECT_EQ(p.concurrency, 64);
    EXPECT_EQ(p.gpus, (Gpus{12, 4, 8, 12, 16, "the file"}));
    EXPECT_EQ(p.ttftMs.p50, 120.5);
    EXPECT_EQ(p.tpsPerUserGiven, 50);
    EXPECT_EQ(p.totalTpsPerGpu, 500);
    EXPECT_EQ(rawOf(p, "tpotMs.p50"), "Median TPOT=20.000");
    EXPECT_EQ(file.points[1].ttftMs.p50, std::nullopt) << "nan and empty cells are unknown";
    EXPECT_EQ(file.points[1].itlMs.p50, std::nullopt);
}

TEST(RollupCsv, TwelveColumnsCountAllocatedGpusOnly)
{
    const Point p =
        importText("benchmark-rollup.csv",
                   "Config,Total GPU Count,Decode GPU Count,Concurrency,Total Token Throughput,Output Token Throughput,Median TTFT,"
                   "Median TPOT,Median ITL,P90 Decode Running Requests,Output Token Throughput per User,Total Token Throughput per GPU\n"
                   "r,24,8,1024,100,50,1,2,3,,500,4.2\n")
            .points.at(0);
    EXPECT_EQ(p.gpus, (Gpus{24, {}, 8, {}, 24, "the file"}));
    EXPECT_THAT(p.notes, Contains(HasSubstr("allocated")));
}

TEST(RollupCsv, TellsOfCountsThatDoNotAddUpAndOfShortLines)
{
    std::string text = dataFile("srt-slurm-rollup-csv.csv");
    text.replace(text.find("12,8,4"), 6, "12,2,4");
    text += "run-a,16\r\n";
    const ImportedFile file = importText("benchmark-rollup.csv", text);
    EXPECT_THAT(file.points.at(0).notes, Contains(HasSubstr("12 working GPUs, but 6")));
    EXPECT_THAT(file.warnings, ElementsAre("\"Median TTFT\" is \"nan\" in line 3, column 41: taken as not known.",
                                           HasSubstr("line 4: left out, 2 cells below 15")));
    EXPECT_EQ(file.points.at(1).ttftMs.p50, std::nullopt);
    EXPECT_TRUE(file.points.at(1).valid) << "that is how the rollup says that it does not know";
    std::string wrong = dataFile("srt-slurm-rollup-csv.csv");
    wrong.replace(wrong.find("nan"), 3, "inf");
    EXPECT_FALSE(importText("benchmark-rollup.csv", wrong).points.at(1).valid);
}

TEST(RollupJson, ReadsEveryRunAndLeavesNullsUnknown)
{
    const ImportedFile file = imported("srt-slurm-rollup-json.json", "1001/logs/benchmark-rollup.json");
    ASSERT_THAT(file.points, SizeIs(2));
    const Point& p = file.points[0];
    EXPECT_EQ(p.concurrency, 4);
    EXPECT_EQ(p.outputTps, 400);
    EXPECT_EQ(p.totalTps, std::nullopt) << "the format has no total";
    EXPECT_EQ(p.gpus, Gpus{});
    EXPECT_EQ(p.isl, 1000) << "measured before configured";
    EXPECT_EQ(p.ttftMs, (Statistics{80, {}, {}, {}, 200}));
    EXPECT_EQ(p.tpotMs.mean, 9);
    EXPECT_EQ(p.run.text, "1001");
    const Point& thin = file.points[1];
    EXPECT_EQ(thin.isl, 1024);
    EXPECT_EQ(rawOf(thin, "isl"), "config.isl=1024");
    EXPECT_EQ(thin.e2eMs.mean, std::nullopt);
    EXPECT_EQ(thin.completed, std::nullopt);
}

} // namespace
} // namespace wb::results
