// The formats beside srt-slurm's, vLLM's and InferenceX's aggregates: what each says, and the traps of it.
#include "core/results/importer.h"
#include "tests/support/corpus.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb::results {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

ImportedFile sample(const std::string& name, const std::string& path = {}, const Told& told = {})
{
    return importText(path.empty() ? name : path, test::bytesOf(test::own("tests/data/results/" + name)), {}, told);
}

std::string rawOf(const Point& point, const std::string& field)
{
    const auto origin = originOf(point, field);
    return origin ? origin->key + '=' + origin->raw : "no origin";
}

// ---- SGLang
// ------------------------------------------------------------------------------------------------------------------------------

TEST(SglangBenchServing, ReadsALineForEachRunWithMeansFromTheTotals)
{
    const ImportedFile file = sample("sglang-bench-serving.jsonl");
    ASSERT_THAT(file.points, SizeIs(2));
    const Point& p = file.points[0];
    EXPECT_EQ(p.isl, 1024) << "random_input_len is the largest, not the mean";
    EXPECT_EQ(p.osl, 256);
    EXPECT_EQ(p.concurrency, 16);
    EXPECT_EQ(p.model, "org/model");
    EXPECT_EQ(p.engine, "sglang");
    EXPECT_EQ(p.requestRate, std::nullopt);
    EXPECT_EQ(rawOf(p, "requestRate"), "request_rate=Infinity");
    EXPECT_EQ(p.failed, std::nullopt) << "the client tells only what completed";
    EXPECT_EQ(p.totalTps, 10240);
    EXPECT_EQ(p.e2eMs.p99, 2500);
    EXPECT_EQ(p.gpus.working, 8) << "with DP attention its ranks share the GPUs of TP";
    EXPECT_EQ(file.points[1].concurrency, std::nullopt);
    EXPECT_EQ(file.points[1].requestRate, 4);
    EXPECT_THAT(file.points[1].notes, Contains(HasSubstr("3.5 were measured")));
}

TEST(SglangBenchServing, GpusOfPrefillAndDecodeAreNotCountedFromTheServersThatWereAsked)
{
    const Point p = importText("pd_1p8d.jsonl", R"({"completed": 5, "duration": 1, "random_range_ratio": 1.0, "median_ttft_ms": 5,
        "server_info": {"internal_states": [], "prefill": [{"model_path": "m", "tp_size": 8}], "decode": [{"tp_size": 8}]}})")
                        .points.at(0);
    EXPECT_EQ(p.gpus, Gpus{});
    EXPECT_EQ(p.model, "m");
    EXPECT_THAT(p.notes, Contains(HasSubstr("may not be all")));
}

TEST(SglangBenchServing, ARateThatFollowsARecordingIsNoFault)
{
    const ImportedFile file = importText(
        "t.jsonl", R"({"completed": 5, "duration": 1, "request_rate": "trace", "random_range_ratio": 1.0, "median_ttft_ms": 5})");
    EXPECT_THAT(file.warnings, IsEmpty());
    EXPECT_EQ(rawOf(file.points.at(0), "requestRate"), "request_rate=trace");
}

// ---- InferenceX SLO
// ----------------------------------------------------------------------------------------------------------------------

TEST(InferencexSlo, ReadsSecondsAndTheGpusOfTheName)
{
    for (const auto& [name, gpus] : {std::pair("m_vllm_tp8_isl1024_osl128_conc4.json", 8.0), std::pair("m_vllm_tep4_conc4.json", 4.0),
                                     std::pair("m_vllm_dep16_conc4.json", 16.0)})
        EXPECT_EQ(sample("inferencex-slo.json", name).points.at(0).gpus.working, gpus) << name;
    const Point p = sample("inferencex-slo.json", "m.json").points.at(0);
    EXPECT_EQ(p.gpus, Gpus{});
    EXPECT_EQ(p.ttftMs, (Statistics{{}, 250, {}, {}, 500}));
    EXPECT_EQ(p.tpotMs, (Statistics{{}, 12.5, {}, {}, 25}));
    EXPECT_EQ(p.totalTps, 2304);
    EXPECT_EQ(p.failed, 0);
    EXPECT_EQ(p.isl, 1024);
}

// ---- aiperf and genai-perf
// ---------------------------------------------------------------------------------------------------------------

TEST(Aiperf, ReadsUnitsCountsAndTelemetry)
{
    const Point p = sample("aiperf.json").points.at(0);
    EXPECT_EQ(p.model, "org/model");
    EXPECT_EQ(p.concurrency, 4);
    EXPECT_EQ(p.completed, 64);
    EXPECT_EQ(p.failed, 0) << "no count of failures is one of none";
    EXPECT_EQ(p.durationS, 32);
    EXPECT_EQ(p.ttftMs, (Statistics{40, 35, 50, 55, 60}));
    EXPECT_EQ(p.itlMs.p50, 9.5);
    EXPECT_TRUE(p.itlPerRequest) << "its ITL is a TPOT by definition";
    EXPECT_EQ(p.tpotMs, Statistics{});
    EXPECT_EQ(p.tpsPerUserRates, 101);
    EXPECT_EQ(p.inputTps, 200);
    EXPECT_EQ(p.gpus.total, 3);
    EXPECT_EQ(p.gpus.working, std::nullopt) << "the telemetry counts the node's GPUs";
    EXPECT_EQ(p.gpus.origin, "telemetry of the client");
    EXPECT_EQ(rawOf(p, "ttftMs.p50"), "time_to_first_token.p50=35.0");
}

TEST(Aiperf, ARunInWhichAllFailedHasNoLatencies)
{
    const Point p =
        importText("x.json", R"({"input_config": {"loadgen": {"concurrency": 32}}, "error_request_count": {"unit": "requests", "avg": 32.0},
        "request_throughput": {"unit": "requests/sec", "avg": 0.0}, "was_cancelled": false})")
            .points.at(0);
    EXPECT_EQ(p.completed, 0);
    EXPECT_EQ(p.failed, 32);
    EXPECT_FALSE(p.valid);
    EXPECT_THAT(p.reasons, Contains("None of 32 requests completed."));
}

TEST(Aiperf, ACancelledRunAndOneOfWarmUpOnlyAreNotValid)
{
    const std::string begin = R"({"input_config": {}, "request_count": {"unit": "requests", "avg": 4.0},
        "output_token_throughput": {"unit": "tokens/sec", "avg": 5.0}, )";
    const Point cancelled = importText("x.json", begin + R"("was_cancelled": true})").points.at(0);
    EXPECT_THAT(cancelled.reasons, ElementsAre(HasSubstr("cancelled")));
    const Point warm = importText("x.json", R"({"input_config": {}, "request_count": null, "warmup_metrics": {"request_count": {}},
        "output_token_throughput": {"unit": "tokens/sec", "avg": 5.0}})")
                           .points.at(0);
    EXPECT_THAT(warm.reasons, Contains(HasSubstr("warm-up")));
}

TEST(Aiperf, ConcurrencyComesFromTheFolderWhenTheConfigurationHasNone)
{
    const std::string text = R"({"input_config": {"loadgen": {"concurrency": [2, 4]}}, "request_count": {"unit": "requests", "avg": 4.0},
        "output_token_throughput": {"unit": "tokens/sec", "avg": 5.0}})";
    EXPECT_EQ(importText("artifacts/qwen-openai-chat-concurrency4/profile_export_aiperf.json", text).points.at(0).concurrency, 4);
    EXPECT_EQ(importText("artifacts/concurrency_8/profile_export_aiperf.json", text).points.at(0).concurrency, 8);
    EXPECT_EQ(importText("artifacts/x/profile_export_aiperf.json", text).points.at(0).concurrency, std::nullopt);
}

TEST(Aiperf, AUnitThatIsNoTimeIsLeftOutAndTold)
{
    const Point p = importText("x.json", R"({"input_config": {}, "request_count": {"avg": 4.0},
        "time_to_first_token": {"unit": "furlongs", "avg": 5.0}, "request_latency": {"unit": "s", "avg": 5.0, "p50": 4.0}})")
                        .points.at(0);
    EXPECT_EQ(p.ttftMs, Statistics{});
    EXPECT_EQ(p.e2eMs.p50, 4000);
    EXPECT_THAT(p.notes, Contains(HasSubstr("furlongs")));
}

TEST(GenaiPerf, ReadsNanosecondsAndTheStimulus)
{
    const Point p = sample("genai-perf.json").points.at(0);
    EXPECT_DOUBLE_EQ(*p.ttftMs.p50, 35);
    EXPECT_EQ(p.concurrency, 8);
    EXPECT_EQ(p.model, "m");
    EXPECT_EQ(p.failed, std::nullopt);
    EXPECT_EQ(p.gpus.allocated, 2);
}

TEST(AiperfSweep, GivesAPointForEachCombination)
{
    const ImportedFile file = sample("aiperf-sweep.json");
    ASSERT_THAT(file.points, SizeIs(2));
    EXPECT_EQ(file.points[1].concurrency, 8);
    EXPECT_EQ(file.points[1].outputTps, 600);
    EXPECT_EQ(file.points[0].ttftMs, (Statistics{40, {}, {}, {}, 60})) << "each statistic has its own unit";
    EXPECT_EQ(rawOf(file.points[0], "ttftMs.p99"), "per_combination_metrics[0].metrics.time_to_first_token_p99.mean=60.0");
}

TEST(AiperfSweep, ReadsTheOlderShapeAndTheAggregateOfOneCombination)
{
    const ImportedFile old = importText("sweep.json", R"({"metadata": {"parameter_name": "concurrency"}, "per_value_metrics":
        {"10": {"request_throughput_avg": {"mean": 5.0}, "ttft_p99_ms": {"mean": 120.5, "unit": "ms"}}}})");
    EXPECT_EQ(old.points.at(0).concurrency, 10);
    EXPECT_EQ(old.points.at(0).ttftMs.p99, 120.5);
    const ImportedFile one = importText("a/aggregate/concurrency_4/profile_export_aiperf_aggregate.json",
                                        R"({"metadata": {"aggregation_type": "confidence"}, "metrics":
        {"output_token_throughput_avg": {"mean": 7.0}, "request_latency_p50": {"mean": 2.0, "unit": "s"}}})");
    EXPECT_EQ(one.points.at(0).concurrency, 4);
    EXPECT_EQ(one.points.at(0).e2eMs.p50, 2000);
}

TEST(AiperfSweep, GivesWayToTheExportsOfItsRunsAndTrialsStayReplicas)
{
    const test::TemporaryFolder folder;
    const std::string one = test::bytesOf(test::own("tests/data/results/aiperf.json")); // concurrency 4
    folder.put("bench/profile_runs/trial_0001/concurrency_4/profile_export_aiperf.json", one);
    folder.put("bench/profile_runs/trial_0002/concurrency_4/profile_export_aiperf.json", one);
    folder.put("bench/sweep_aggregate/profile_export_aiperf_sweep.json", test::bytesOf(test::own("tests/data/results/aiperf-sweep.json")));
    std::vector<std::pair<std::string, double>> got;
    for (const Point& point : importPaths({folder.path().string()}).points())
        got.emplace_back(point.format, *point.concurrency);
    EXPECT_THAT(got, testing::UnorderedElementsAre(std::pair("aiperf", 4.0), std::pair("aiperf", 4.0), std::pair("aiperf-sweep", 8.0)));
}

TEST(AiperfCsv, ReadsAllTablesWhenTold)
{
    const Point p = sample("aiperf-csv.csv", "run-concurrency4/profile_export_aiperf.csv", {.format = "aiperf-csv"}).points.at(0);
    EXPECT_EQ(p.ttftMs, (Statistics{40, 35, 50, 55, 60}));
    EXPECT_EQ(p.outputTps, 400);
    EXPECT_EQ(p.completed, 64);
    EXPECT_EQ(p.durationS, 32);
    EXPECT_EQ(p.concurrency, 4);
    EXPECT_EQ(p.isl, 100);
}

TEST(RollupJson, OfMooncakeRouterHoldsTheExportOfAiperf)
{
    const std::string data = test::bytesOf(test::own("tests/data/results/aiperf.json"));
    const ImportedFile file = importText("benchmark-rollup.json", R"({"benchmark_type": "mooncake-router", "timestamp": "t",
        "config": {"workload": "conversation", "model": "m"}, "data": )" +
                                                                      data + "}");
    ASSERT_THAT(file.points, SizeIs(1)) << file.reason;
    EXPECT_EQ(file.format, "srt-slurm-rollup-json");
    EXPECT_EQ(file.points[0].ttftMs.p50, 35);
    EXPECT_EQ(file.points[0].variant, "conversation");
    EXPECT_EQ(rawOf(file.points[0], "ttftMs.p50"), "data.time_to_first_token.p50=35.0");
}

// ---- GuideLLM
// ----------------------------------------------------------------------------------------------------------------------------

TEST(Guidellm, EachBenchmarkIsAPointOfTheRequestsThatSucceeded)
{
    const ImportedFile file = sample("guidellm.json");
    ASSERT_THAT(file.points, SizeIs(2));
    const Point& p = file.points[0];
    EXPECT_EQ(p.concurrency, 4);
    EXPECT_EQ(p.completed, 100);
    EXPECT_EQ(p.failed, 2);
    EXPECT_EQ(p.requested, 102) << "what the end cut off counts as neither";
    EXPECT_THAT(p.notes, Contains(HasSubstr("3 requests were cut off")));
    EXPECT_EQ(p.e2eMs.p50, 1900) << "request_latency is in seconds";
    EXPECT_EQ(p.ttftMs.p50, 90) << "and the others are not";
    EXPECT_EQ(p.tpotMs.p50, 30);
    EXPECT_EQ(p.itlMs.p50, 28);
    EXPECT_TRUE(p.tpotHasFirstToken);
    EXPECT_EQ(p.durationS, 50);
    EXPECT_EQ(p.totalTps, 384);
    EXPECT_EQ(file.points[1].requestRate, 2);
    EXPECT_EQ(file.points[1].concurrency, std::nullopt);
    EXPECT_THAT(file.points[1].notes, Contains(HasSubstr("3.5 requests were in flight")));
}

TEST(Guidellm, ReadsTheFirstFormat)
{
    const Point p = importText("benchmarks.json", R"({"benchmarks": [{"args": {"strategy": {"type_": "synchronous"}},
        "run_stats": {"start_time": 100.0, "end_time": 130.0, "requests_made": {"successful": 9, "errored": 1, "incomplete": 0}},
        "worker": {"backend": {"model": "m"}},
        "metrics": {"request_latency": {"successful": {"mean": 3.0, "median": 2.5}}, "output_tokens_per_second": {"successful": {"mean": 20.0}},
                    "inter_token_latency_ms": {"successful": {"mean": 12.0, "median": 11.0}}}}]})")
                        .points.at(0);
    EXPECT_EQ(p.concurrency, 1);
    EXPECT_EQ(p.completed, 9);
    EXPECT_EQ(p.durationS, 30);
    EXPECT_EQ(p.model, "m");
    EXPECT_EQ(p.e2eMs, (Statistics{3000, 2500, {}, {}, {}}));
}

// ---- genai-bench
// -------------------------------------------------------------------------------------------------------------------------

TEST(GenaiBench, TakesModelAndGpusFromTheExperimentBesideIt)
{
    const test::TemporaryFolder folder;
    const std::string path =
        folder.put("exp/D100_100_num_concurrency_4.json", test::bytesOf(test::own("tests/data/results/genai-bench.json")));
    folder.put("exp/experiment_metadata.json", R"({"cmd": "x", "benchmark_version": "0.0.2", "model": "m", "server_engine": "SGLang",
        "server_gpu_type": "H100", "server_gpu_count": "4", "num_concurrency": [4], "traffic_scenario": []})");
    const Point p = importPaths({path}).points().at(0);
    EXPECT_EQ(p.model, "m");
    EXPECT_EQ(p.engine, "SGLang");
    EXPECT_EQ(p.hardware, "H100");
    EXPECT_EQ(p.gpus.working, 4) << "the count is a text";
    EXPECT_EQ(p.gpus.origin, "experiment metadata");
    EXPECT_DOUBLE_EQ(*p.ttftMs.p50, 90) << "seconds, unless a unit is told";
    EXPECT_EQ(p.totalTps, 400);
}

TEST(GenaiBench, TellsOfFailuresThatItsOwnRateHidesAndOfAServerThatDidNotStream)
{
    const Point p =
        importText("x.json", R"({"_time_unit": "ms", "aggregated_metrics": {"num_concurrency": 1, "error_rate": 0, "num_error_requests": 8,
        "num_completed_requests": 61, "num_requests": 69, "requests_per_minute": 60, "mean_output_throughput_tokens_per_s": 5.0,
        "stats": {"ttft": {"min": 1.0, "max": 1.0, "mean": 1.0, "p50": 1.0}, "tpot": {"p50": 2.5}}}})")
            .points.at(0);
    EXPECT_FALSE(p.valid);
    EXPECT_THAT(p.reasons, Contains(HasSubstr("8 of 69 requests failed")));
    EXPECT_THAT(p.notes, Contains(HasSubstr("\"error_rate\" is 0")));
    EXPECT_THAT(p.notes, Contains(HasSubstr("did not stream")));
    EXPECT_EQ(p.tpotMs.p50, 2.5) << "_time_unit says milliseconds";
    EXPECT_EQ(p.requestsPerS, 1);
}

TEST(GenaiBench, ReadsTheOlderListOfMetrics)
{
    const Point p = importText("x.json", R"({"aggregated_metrics": {"concurrency": 2, "mean_output_throughput_tokens_per_s": 5.0,
        "stats": [{"ttft": {"mean": 0.5}}, {"metric": "tpot", "p50": 0.02}]}})")
                        .points.at(0);
    EXPECT_EQ(p.ttftMs.mean, 500);
    EXPECT_EQ(p.tpotMs.p50, 20);
    EXPECT_EQ(p.concurrency, 2);
}

// ---- trtllm-bench, llm-optimizer, llmperf
// ------------------------------------------------------------------------------------------------

TEST(TrtllmBench, ReadsTheReportAndSaysThatThereWasNoServer)
{
    const Point p = sample("trtllm-bench.json").points.at(0);
    EXPECT_EQ(p.gpus.working, 4);
    EXPECT_EQ(p.durationS, 50);
    EXPECT_EQ(p.outputTps, 1024);
    EXPECT_EQ(p.tpotMs, (Statistics{28, 27.5, 30, 31, 33}));
    EXPECT_EQ(p.e2eMs.mean, 15000);
    EXPECT_EQ(p.precision, "FP8");
    EXPECT_EQ(p.hardware, "NVIDIA B200");
    EXPECT_THAT(p.notes, Contains(HasSubstr("without a server")));
    EXPECT_THAT(p.notes, Contains(HasSubstr("measured mean")));
}

TEST(TrtllmBench, ReadsItsConsoleTables)
{
    const std::string text = test::bytesOf(test::own("tests/data/results/trtllm-bench-console.txt"));
    const ImportedFile file = importText("log.txt", text + text);
    ASSERT_THAT(file.points, SizeIs(2));
    for (const Point& p : file.points) {
        EXPECT_EQ(p.outputTps, 20518.4) << "thousands have a comma";
        EXPECT_EQ(p.tpotMs, (Statistics{28.5, 28, 31, 32, 33}));
        EXPECT_EQ(p.gpus.working, 2);
        EXPECT_EQ(p.model, "org/model");
        EXPECT_NEAR(*p.durationS, 6.2383, 1e-12);
    }
}

TEST(LlmOptimizer, ReadsClientServerAndResults)
{
    const Point p = sample("llm-optimizer.jsonl").points.at(0);
    EXPECT_EQ(p.concurrency, 32);
    EXPECT_EQ(p.requested, 320);
    EXPECT_EQ(p.failed, 0);
    EXPECT_EQ(p.gpus.working, 4);
    EXPECT_EQ(p.e2eMs.p95, 4500);
    EXPECT_EQ(p.tpotMs.p50, 27);
    EXPECT_EQ(p.totalTps, 9216);
    EXPECT_EQ(rawOf(p, "tpotMs.p50"), "results.median_tpot_ms=27.0");
}

TEST(Llmperf, ReadsSecondsAndNumbersInQuotes)
{
    const Point p = sample("llmperf.json").points.at(0);
    EXPECT_EQ(p.completed, 149);
    EXPECT_EQ(p.failed, 1);
    EXPECT_EQ(p.requested, 150);
    EXPECT_DOUBLE_EQ(*p.itlMs.p50, 18);
    EXPECT_DOUBLE_EQ(*p.requestsPerS, 2);
    EXPECT_EQ(p.osl, 150);
    EXPECT_THAT(p.notes, Contains(HasSubstr("120 tokens on average")));
}

// ---- llm-d, MLPerf
// -----------------------------------------------------------------------------------------------------------------------

TEST(LlmdReport, ReadsUnitsRolesAndReplicas)
{
    const Point p = sample("llm-d-report.yaml").points.at(0);
    EXPECT_EQ(p.model, "org/model");
    EXPECT_EQ(p.hardware, "H100");
    EXPECT_EQ(p.gpus, (Gpus{6, 2, 4, 6, {}, "the file"}));
    EXPECT_DOUBLE_EQ(*p.ttftMs.p50, 90);
    EXPECT_DOUBLE_EQ(*p.itlMs.p50, 18) << "its unit is another one than TTFT's";
    EXPECT_EQ(p.completed, 490);
    EXPECT_EQ(p.durationS, 50);
    EXPECT_EQ(p.concurrency, 16);
    EXPECT_EQ(p.outputTps, 980);
}

TEST(LlmdReport, AReportThatContradictsItselfIsRefusedUnlessItIsToldToBeOne)
{
    const std::string text =
        "version: '0.1'\nscenario: {model: {name: m}}\nmetrics:\n  time: {duration: 16.5, start: 1000.0, stop: 996.5}\n"
        "  requests: {total: 32, failures: 0}\n  throughput: {output_tokens_per_sec: 32.5, requests_per_sec: 1.9}\n"
        "  latency: {time_to_first_token: {units: ms, mean: 0.8}}\n";
    const ImportedFile file = importText("r.yaml", text);
    EXPECT_EQ(file.state, FileState::Refused);
    EXPECT_THAT(file.reason, HasSubstr("stops 3.5 s before it starts"));
    const ImportedFile told = importText("r.yaml", text, {}, {.format = "llm-d-report"});
    ASSERT_THAT(told.points, SizeIs(1));
    EXPECT_FALSE(told.points[0].valid);
    EXPECT_EQ(told.points[0].outputTps, 32.5);
}

TEST(LlmdReport, ABrokenReportIsRefusedWithItsPlaceAndNotGuessed)
{
    const std::string text = "version: '0.1'\nscenario: {model: {name: m}}\nmetrics:\n  time: {duration: 16.5}\n"
                             "  requests: {total: 32, failures: 0}\n  throughput: {output_tokens_per_sec: 32.5\n"
                             "  latency: {time_to_first_token: {units: ms, mean: 0.8}}\n";
    const ImportedFile file = importText("r.yaml", text, {}, {.format = "llm-d-report"});
    EXPECT_EQ(file.state, FileState::Refused);
    EXPECT_THAT(file.points, testing::IsEmpty());
    EXPECT_THAT(file.reason, HasSubstr("line"));
}

TEST(MlperfLoadgen, ReadsNanosecondsAndTheScenarioOfThePath)
{
    const Point p =
        sample("mlperf-loadgen.txt", "closed/org/results/sys/llama/Interactive/performance/run_1/mlperf_log_summary.txt").points.at(0);
    EXPECT_EQ(p.variant, "Interactive") << "LoadGen prints Server for it";
    EXPECT_EQ(p.outputTps, 9900.5);
    EXPECT_EQ(p.requestsPerS, 15.5);
    EXPECT_EQ(p.requestRate, 15.75);
    EXPECT_DOUBLE_EQ(*p.ttftMs.p50, 1400);
    EXPECT_DOUBLE_EQ(*p.tpotMs.mean, 48);
    EXPECT_TRUE(p.valid) << testing::PrintToString(p.reasons);
}

TEST(MlperfLoadgen, WhatIsCalledInvalidIsNotValid)
{
    std::string text = test::bytesOf(test::own("tests/data/results/mlperf-loadgen.txt"));
    text.replace(text.find(": VALID"), 7, ": INVALID");
    const Point p = importText("s.txt", text).points.at(0);
    EXPECT_THAT(p.reasons, ElementsAre(HasSubstr("INVALID")));
}

TEST(MlperfLoadgen, TakesTheGpusFromTheDescriptionOfItsSystem)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.put("closed/org/results/sys1/llama/Server/performance/run_1/mlperf_log_summary.txt",
                                        test::bytesOf(test::own("tests/data/results/mlperf-loadgen.txt")));
    folder.put("closed/org/systems/sys1.json", R"({"accelerators_per_node": "8", "number_of_nodes": 9, "accelerator_model_name": "X"})");
    const Point p = importPaths({path}).points().at(0);
    EXPECT_EQ(p.gpus.working, 72);
    EXPECT_EQ(p.hardware, "X");
}

TEST(MlperfEndpoints, ReadsTheFirstTableOfPercentiles)
{
    const Point p = sample("mlperf-endpoints.txt", {}, {.format = "mlperf-endpoints"}).points.at(0);
    EXPECT_EQ(p.ttftMs, (Statistics{160, 150, 250, 300, 400})) << "the estimates below it are others";
    EXPECT_EQ(p.tpotMs.p99, 15);
    EXPECT_EQ(p.concurrency, 64);
    EXPECT_EQ(p.requestRate, std::nullopt);
    EXPECT_EQ(p.failed, 10);
    EXPECT_EQ(p.osl, 100);
}

// ---- consoles
// ----------------------------------------------------------------------------------------------------------------------------

TEST(ClientConsole, InASrtSlurmRunTheLastTableOfAConcurrencyCounts)
{
    const ImportedFile file =
        importText("1001/logs/benchmark.out", test::bytesOf(test::own("tests/data/results/srt-slurm-benchmark-log.txt")));
    ASSERT_THAT(file.points, SizeIs(2));
    EXPECT_EQ(file.points[0].concurrency, 4);
    EXPECT_EQ(file.points[0].completed, 40) << "the first table is the warm-up's";
    EXPECT_EQ(file.points[0].tpotMs.p50, 7);
    EXPECT_EQ(file.points[0].isl, 256);
    EXPECT_EQ(file.points[1].concurrency, 8);
    EXPECT_THAT(file.warnings, ElementsAre(HasSubstr("warm-up")));
}

TEST(ClientConsole, GivesWayToTheResultFilesOfItsRun)
{
    const test::TemporaryFolder folder;
    folder.put("1001/1001.json", R"({"version": "2.0", "job_id": "1001", "resources": {}})");
    folder.put("1001/logs/benchmark.out", test::bytesOf(test::own("tests/data/results/srt-slurm-benchmark-log.txt")));
    folder.put(
        "1001/logs/sa-bench_isl_8_osl_8/results_concurrency_4_gpus_8.json",
        R"({"backend": "dynamo", "max_concurrency": 4, "completed": 40, "duration": 10, "mean_ttft_ms": 5, "output_throughput": 5})");
    std::vector<std::pair<std::string, double>> got;
    for (const Point& point : importPaths({folder.path().string()}).points())
        got.emplace_back(point.format, *point.concurrency);
    EXPECT_THAT(got, testing::UnorderedElementsAre(std::pair("sa-bench", 4.0), std::pair("srt-slurm-benchmark-log", 8.0)));
}

TEST(ClientConsole, ReadsFailuresAndTheModelWhenTold)
{
    const Point p = sample("client-console.txt", {}, {.format = "client-console"}).points.at(0);
    EXPECT_EQ(p.model, "org/model");
    EXPECT_EQ(p.failed, 2);
    EXPECT_EQ(p.requested, 42);
    EXPECT_EQ(p.e2eMs.p99, 900);
    EXPECT_EQ(p.totalTps, 1536);
}

} // namespace
} // namespace wb::results
