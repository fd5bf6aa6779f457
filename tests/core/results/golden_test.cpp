// Every point of the shared corpus against the values that an independent script read from the same files.
#include "core/base/text.h"
#include "core/results/csv.h"
#include "core/results/importer.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace wb::results {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<Row> rowsOfTable(const std::string& path)
{
    const auto rows = readCsv(test::bytesOf(*test::shared(path)));
    std::vector<Row> table;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        Row row;
        for (std::size_t c = 0; c < rows[i].cells.size() && c < rows[0].cells.size(); ++c)
            row[rows[0].cells[c]] = rows[i].cells[c];
        table.push_back(std::move(row));
    }
    return table;
}

/// A column of points.csv, the field of a point it is compared with, and the factor from its unit to ours.
struct Column {
    std::string_view golden;
    std::string_view field;
    double factor;
};
constexpr Column columns[] = {
    {"conc", "concurrency", 1},
    {"request_rate", "requestRate", 1},
    {"isl", "isl", 1},
    {"osl", "osl", 1},
    {"gpus", "gpus.total", 1},
    {"gpus_prefill", "gpus.prefill", 1},
    {"gpus_decode", "gpus.decode", 1},
    {"completed", "completed", 1},
    {"failed", "failed", 1},
    {"duration_s", "durationS", 1},
    {"req_s", "requestsPerS", 1},
    {"out_tps", "outputTps", 1},
    {"total_tps", "totalTps", 1},
    {"ttft_mean_s", "ttftMs.mean", 1000},
    {"ttft_p50_s", "ttftMs.p50", 1000},
    {"ttft_p99_s", "ttftMs.p99", 1000},
    {"tpot_mean_s", "tpotMs.mean", 1000},
    {"tpot_p50_s", "tpotMs.p50", 1000},
    {"tpot_p99_s", "tpotMs.p99", 1000},
    {"itl_mean_s", "itlMs.mean", 1000},
    {"itl_p50_s", "itlMs.p50", 1000},
    {"itl_p99_s", "itlMs.p99", 1000},
    {"e2e_mean_s", "e2eMs.mean", 1000},
    {"e2e_p50_s", "e2eMs.p50", 1000},
    {"e2e_p99_s", "e2eMs.p99", 1000},
};

/// Latencies of 0 are "not measured" with us; the reference has them as they stand in the file.
bool isZeroLatency(const Column& column, double golden)
{
    return golden == 0.0 && column.factor == 1000;
}

void expectEqual(const Row& golden, const Point& point)
{
    for (const Column& column : columns) {
        const auto expected = base::numberOf(golden.at(std::string(column.golden)));
        if (!expected)
            continue;
        const auto found = findNumberField(column.field)->of(point);
        if (isZeroLatency(column, *expected)) {
            EXPECT_EQ(found, std::nullopt) << column.field << " of " << point.source;
            continue;
        }
        ASSERT_TRUE(found.has_value()) << column.field << " of " << point.source << " is not known, expected " << *expected * column.factor;
        EXPECT_NEAR(*found, *expected * column.factor, std::abs(*expected * column.factor) * 1e-9)
            << column.field << " of " << point.source;
    }
    // Per-GPU figures of the reference divide by the count the file gives.
    for (const auto& [column, field] : {std::pair{"out_tps_per_gpu", "outputTps"}, std::pair{"total_tps_per_gpu", "totalTps"}})
        if (const auto expected = base::numberOf(golden.at(column))) {
            const auto found = findNumberField(field)->of(point);
            ASSERT_TRUE(found && point.gpus.total) << field << " of " << point.source;
            // The rollup rounds its own column to three decimals.
            EXPECT_NEAR(*found / *point.gpus.total, *expected,
                        std::max(*expected * 1e-9, golden.at("format").starts_with("srt") ? 6e-4 : 0.0))
                << column << " of " << point.source;
        }
}

struct Format {
    const char* golden;
    const char* id;
    const char* folder;
    std::size_t points;
};

class Golden : public testing::TestWithParam<Format>
{
};

TEST_P(Golden, PointsEqualTheReference)
{
    SRTWB_NEEDS_SHARED("results/golden/points.csv");
    const Format& format = GetParam();
    const std::string real = test::shared("results/real")->string();
    const Imported imported = importPaths({real + '/' + format.folder});
    std::map<std::string, Point> bySource;
    for (const Point& point : imported.points())
        bySource[point.source + '#' + std::to_string(point.document)] = point;

    std::size_t compared = 0;
    for (const Row& golden : rowsOfTable("results/golden/points.csv")) {
        if (golden.at("format") != format.golden)
            continue;
        const auto found = bySource.find(real + '/' + golden.at("file") + '#' + golden.at("doc"));
        ASSERT_NE(found, bySource.end()) << golden.at("file") << " gave no point";
        EXPECT_EQ(found->second.format, format.id);
        if (golden.at("format") != "srt-slurm-rollup-csv" && !golden.at("model").empty()) { // the rollup's "model" column is the run's name
            EXPECT_EQ(found->second.model, golden.at("model"));
        }
        expectEqual(golden, found->second);
        ++compared;
    }
    EXPECT_EQ(compared, format.points);
    EXPECT_EQ(bySource.size(), format.points) << "points beyond the reference";
}

INSTANTIATE_TEST_SUITE_P(Formats, Golden,
                         testing::Values(Format{"vllm-bench-serve", "vllm-bench-serve", "vllm-bench-serve", 25},
                                         Format{"inferencex-agg", "inferencex-agg", "inferencex-agg", 19},
                                         Format{"sglang-bench-serving", "sglang-bench-serving", "sglang-bench-serving", 20},
                                         Format{"inferencex-slo", "inferencex-slo", "inferencex-slo", 9},
                                         Format{"aiperf", "aiperf", "aiperf", 3}, Format{"guidellm", "guidellm", "guidellm", 2},
                                         Format{"genai-bench", "genai-bench", "genai-bench", 10},
                                         Format{"llmperf", "llmperf", "llmperf", 4},
                                         Format{"mlperf-loadgen", "mlperf-loadgen", "mlperf-inference", 8},
                                         Format{"srt-slurm-rollup-csv", "srt-slurm-rollup-csv", "srt-slurm", 6}),
                         [](const auto& parameter) {
                             std::string name = parameter.param.golden;
                             std::erase(name, '-');
                             return name;
                         });

/// What the reason of a file of the manifest must speak of, by its folder: the words of its note, or what it is.
struct Fits {
    const char* path; ///< Part of it.
    const char* words;
};
constexpr Fits fits[] = {
    {"profile_export_aiperf.csv", "rounded to two decimals"},
    {"experiment_metadata.json", "metadata of a genai-bench experiment"},
    {"mock_experiment_data.json", "metadata of a genai-bench experiment"},
    {"benchmark.log", "log"},
    {"benchmark_command.txt", "command line of a benchmark"},
    {"fp4_vl__config.yaml", "configuration"},
    {"status.txt", "state of a run"},
    {"summary.csv", "summary table of an InferenceX sweep"},
    {"br_v0_1_example.yaml", "stops 3.47 s before it starts"},
    {"br_v0_2_example.yaml", "examples of the format"},
    {"br_v0_2_1_example.yaml", "examples of the format"},
    {"individual_groq_70b.json", "single requests of an llmperf run"},
    {"mlperf-endpoints/", "text for people"},
    {"_system.json", "description of an MLPerf system"},
    {"_accuracy.json", "accuracy log"},
    {"_detail.txt", "event log of MLPerf LoadGen"},
    {"recipe.lock.yaml", "lockfile of a srt-slurm run"},
    {"livecodebench_metrics.txt", "Prometheus metrics"},
    {"synthetic_acceptance_rates.json", "rates of speculative decoding"},
    {"vllm_bench_serve", "writes them whole into a JSON file"},
};

TEST(Corpus, EveryFileOfTheManifestGivesItsPointsOrAReasonThatFits)
{
    SRTWB_NEEDS_SHARED("results/manifest.csv");
    const std::string real = test::shared("results/real")->string();
    const Imported imported = importPaths({real});
    std::map<std::string, const ImportedFile*> byPath;
    for (const ImportedFile& file : imported.files)
        byPath[file.path] = &file;
    std::size_t files = 0;
    for (const Row& row : rowsOfTable("results/manifest.csv")) {
        const auto found = byPath.find(real + '/' + row.at("file"));
        ASSERT_NE(found, byPath.end()) << row.at("file");
        const ImportedFile& file = *found->second;
        ++files;
        if (row.at("expect") != "side or refused") {
            EXPECT_EQ(file.state, FileState::Imported) << file.path << ": " << file.reason;
            EXPECT_EQ(row.at("expect"), "points:" + std::to_string(file.points.size())) << file.path;
            continue;
        }
        EXPECT_NE(file.state, FileState::Imported) << file.path;
        EXPECT_TRUE(file.points.empty()) << file.path;
        EXPECT_TRUE(file.reason.ends_with('.')) << file.reason;
        const auto* fit = std::ranges::find_if(fits, [&](const Fits& each) { return file.path.find(each.path) != std::string::npos; });
        ASSERT_NE(fit, std::end(fits)) << file.path << " has no words to fit: " << file.reason;
        EXPECT_THAT(file.reason, testing::HasSubstr(fit->words)) << file.path;
    }
    EXPECT_GE(files, 100U);
}

TEST(Corpus, WhatTheFilesThemselvesCallInvalidIsKeptAndNotValid)
{
    SRTWB_NEEDS_SHARED("results/real");
    std::size_t invalid = 0;
    for (const Point& point : importPaths({(*test::shared("results/real") / "mlperf-inference").string()}).points()) {
        const bool isCalledInvalid = point.source.find("INVALID") != std::string::npos;
        EXPECT_EQ(point.valid, !isCalledInvalid) << point.source;
        invalid += isCalledInvalid ? 1 : 0;
    }
    EXPECT_EQ(invalid, 2U);
}

TEST(Corpus, FilesThatAreReadOnlyWhenToldGiveTheirPointThen)
{
    SRTWB_NEEDS_SHARED("results/real");
    const auto real = *test::shared("results/real");
    const auto told = [&](const char* path, const char* format) {
        ImportOptions options;
        options.told.format = format;
        return importPaths({(real / path).string()}, options);
    };
    const Imported csv = told("aiperf/m1517_direct_results__c16none__profile_export_aiperf.csv", "aiperf-csv");
    ASSERT_EQ(csv.points().size(), 1U) << csv.files.at(0).reason;
    EXPECT_EQ(csv.points()[0].completed, 1735);
    EXPECT_EQ(csv.points()[0].outputTps, 423.30);
    EXPECT_EQ(csv.points()[0].ttftMs.p99, 32601.45);
    EXPECT_EQ(csv.points()[0].durationS, 3629.96);
    const Imported report = told("mlperf-endpoints/NVIDIA_VR-NVL72_deepseek-r1_Interactive_report.txt", "mlperf-endpoints");
    ASSERT_EQ(report.points().size(), 1U) << report.files.at(0).reason;
    EXPECT_EQ(report.points()[0].outputTps, 652750.14);
    EXPECT_EQ(report.points()[0].ttftMs, (Statistics{279.61, 264.90, 345.42, 373.31, 475.32}));
    EXPECT_EQ(report.points()[0].tpotMs.p99, 12.55);
    EXPECT_EQ(report.points()[0].osl, 3875.04);
    EXPECT_EQ(report.points()[0].requestRate, 170.0);
    const Imported log = told("vllm-bench-serve/mtp-fixed-ar-minimax-lcb-v8-20260529-092323__vllm_bench_serve.log", "client-console");
    ASSERT_GE(log.points().size(), 2U) << log.files.at(0).reason;
    EXPECT_EQ(log.points()[0].concurrency, 32);
    EXPECT_EQ(log.points()[0].tpotMs.p50, 12.20);
    EXPECT_EQ(log.points()[0].model, "MiniMaxAI/MiniMax-M2.5");
    EXPECT_EQ(log.points()[1].concurrency, 64);
    const Imported llmd = told("llm-d-benchmark-report/br_v0_2_example.yaml", "llm-d-report");
    ASSERT_EQ(llmd.points().size(), 1U) << llmd.files.at(0).reason;
    EXPECT_FALSE(llmd.points()[0].valid);
    EXPECT_NEAR(*llmd.points()[0].ttftMs.mean, 36.8578234128654, 1e-9) << "seconds, as its units say";
    EXPECT_EQ(llmd.points()[0].gpus.working, 16.0);
    const Imported wrong = told("inferencex-slo/glm5_fp8_vllm_tp8_isl1024_osl128_conc4.json", "guidellm");
    EXPECT_TRUE(wrong.points().empty());
    EXPECT_THAT(wrong.files.at(0).reason, testing::HasSubstr("was said to be GuideLLM"));
}

TEST(Corpus, TheSameFileGivesTheSameIdsFromAnyOrder)
{
    SRTWB_NEEDS_SHARED("results/real");
    const std::string folder = (*test::shared("results/real") / "vllm-bench-serve").string();
    const Imported whole = importPaths({folder});
    std::map<std::string, std::string> ids;
    for (const Point& point : whole.points())
        ids[point.source] = point.id.text;
    std::set<std::string> distinct;
    for (const auto& [source, id] : ids) {
        distinct.insert(id);
        EXPECT_EQ(importPaths({source}).points().at(0).id.text, id) << source;
    }
    EXPECT_EQ(distinct.size(), ids.size());
}

} // namespace
} // namespace wb::results
