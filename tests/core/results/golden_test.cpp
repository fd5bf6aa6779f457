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
        if (golden.at("format") != "srt-slurm-rollup-csv") { // its "model" column is the run's name
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
                                         Format{"srt-slurm-rollup-csv", "srt-slurm-rollup-csv", "srt-slurm", 6}),
                         [](const auto& parameter) {
                             std::string name = parameter.param.golden;
                             std::erase(name, '-');
                             return name;
                         });

TEST(Corpus, EveryFileIsImportedOrToldWhyNot)
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
        if (file.state != FileState::Imported) {
            EXPECT_FALSE(file.reason.empty()) << file.path;
            EXPECT_TRUE(file.reason.ends_with('.')) << file.reason;
        } else {
            EXPECT_EQ(row.at("expect"), "points:" + std::to_string(file.points.size())) << file.path;
        }
        if (row.at("expect") == "side or refused") {
            EXPECT_NE(file.state, FileState::Imported) << file.path;
        }
    }
    EXPECT_GE(files, 100U);
}

TEST(Corpus, OtherFormatsAreNamedInTheRefusal)
{
    SRTWB_NEEDS_SHARED("results/real");
    const std::map<std::string, std::string> expected = {
        {"aiperf", "aiperf"},
        {"genai-bench", "genai-bench"},
        {"guidellm", "GuideLLM"},
        {"llmperf", "llmperf"},
        {"sglang-bench-serving", "SGLang"},
        {"inferencex-slo", "SLO"},
        {"llm-d-benchmark-report", "llm-d"},
        {"mlperf-endpoints", "MLPerf"},
    };
    for (const auto& [folder, words] : expected) {
        const Imported imported = importPaths({(*test::shared("results/real") / folder).string()});
        ASSERT_FALSE(imported.files.empty()) << folder;
        for (const ImportedFile& file : imported.files) {
            EXPECT_NE(file.state, FileState::Imported) << file.path;
            EXPECT_THAT(file.reason, testing::HasSubstr(words)) << file.path;
        }
    }
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
