// What files of the wild look like, whatever their format: each is read as far as it can be, or refused with its place.
#include "core/base/text.h"
#include "core/results/importer.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <locale>
#include <thread>

namespace wb::results {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A summary of a client with these members more.
std::string summary(const std::string& more = {})
{
    return R"({"backend": "vllm", "max_concurrency": 8, "num_prompts": 10, "completed": 10, "duration": 10, "output_throughput": 50.0,
"median_tpot_ms": 10.0)" +
           (more.empty() ? std::string() : ", " + more) + "}";
}

Point read(const std::string& text)
{
    const ImportedFile file = importText("r_conc8.json", text);
    EXPECT_THAT(file.points, SizeIs(1)) << file.reason;
    return file.points.empty() ? Point() : file.points[0];
}

TEST(Parsing, AByteOrderMarkAndForeignLineEndsMeanNothing)
{
    EXPECT_EQ(read("\xEF\xBB\xBF" + summary()).outputTps, 50);
    EXPECT_EQ(read(base::replacedAll(summary(), "\n", "\r\n")).outputTps, 50);
    const ImportedFile csv = importText("benchmark-rollup.csv", "\xEF\xBB\xBF"
                                                                "Config,Concurrency,Output Token Throughput\r\na,4,5\r\n");
    EXPECT_THAT(csv.points, SizeIs(1)) << csv.reason;
}

TEST(Parsing, TokensThatAreNoJsonAndNumbersBeyondTheRange)
{
    const Point p = read(summary(R"("request_rate": Infinity, "median_ttft_ms": NaN, "mean_ttft_ms": -Infinity, "p99_ttft_ms": 1e999)"));
    EXPECT_EQ(p.ttftMs, Statistics{});
    EXPECT_FALSE(p.valid);
    EXPECT_THAT(p.reasons, SizeIs(3));
    EXPECT_THAT(p.reasons, Contains(AllOf(HasSubstr("p99_ttft_ms"), HasSubstr("line 2"))));
}

TEST(Parsing, NumbersAsTextAndTrueAsText)
{
    const Point p = read(summary(R"("mean_ttft_ms": "550", "median_ttft_ms": " 12.5 ", "simulated": "true")"));
    EXPECT_EQ(p.ttftMs.mean, 550);
    EXPECT_EQ(p.ttftMs.p50, 12.5);
    EXPECT_TRUE(p.simulated);
}

TEST(Parsing, OfEqualKeysTheLastCounts)
{
    EXPECT_EQ(read(summary(R"("output_throughput": 70.0)")).outputTps, 70);
}

TEST(Parsing, WholeNumbersKeepTheirDigits)
{
    const Point p = read(summary(R"("total_input_tokens": 9007199254740993, "date": 1762551801663056100)"));
    EXPECT_EQ(originOf(p, "isl")->key, "total_input_tokens / completed");
    EXPECT_NEAR(*p.isl, 9007199254740993.0 / 10, 1);
}

TEST(Parsing, NamesThatAreNotUtf8AreNoReasonToCrash)
{
    const ImportedFile file = importText("r.json", summary("\"model_id\": \"caf\xE9\""));
    EXPECT_EQ(file.state, FileState::Refused);
    EXPECT_THAT(file.reason, AllOf(HasSubstr("line 2"), HasSubstr("column")));
    const test::TemporaryFolder folder;
    folder.put("caf\xE9_conc8.json", summary());
    EXPECT_THAT(importPaths({folder.path().string()}).points(), SizeIs(1)) << "a file name may hold any bytes";
}

TEST(Parsing, DeepNestingIsRefusedWithItsPlace)
{
    const ImportedFile file = importText("r.json", "{\"a\": " + std::string(100'000, '[') + std::string(100'000, ']') + "}");
    EXPECT_EQ(file.state, FileState::Refused);
    EXPECT_THAT(file.reason, AllOf(HasSubstr("deep"), HasSubstr("line 1")));
}

TEST(Parsing, EmptyBlankTruncatedAndUtf16FilesSayWhatTheyAre)
{
    for (const auto& [text, words] : {std::pair<std::string, const char*>{"", "empty"},
                                      {" \n\t", "blanks"},
                                      {"{\"a\": ", "line 1, column"},
                                      {std::string("\xFF\xFE{\0", 4), "UTF-16"}}) {
        const ImportedFile file = importText("r.json", text);
        EXPECT_EQ(file.state, FileState::Refused);
        EXPECT_THAT(file.reason, HasSubstr(words));
    }
}

TEST(Parsing, ALocaleWithADecimalCommaChangesNothing)
{
    // Installed or not: where its sources are, one is made for this test.
    const test::TemporaryFolder made;
    const std::string command = "localedef -i de_DE -f UTF-8 " + made.below("de_DE.UTF-8") + " >/dev/null 2>&1";
    if (std::system(command.c_str()) == 0) // NOLINT(cert-env33-c,concurrency-mt-unsafe): a test
        ::setenv("LOCPATH", made.path().c_str(), 1);
    const std::string before = std::setlocale(LC_ALL, nullptr);
    bool hasComma = false;
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "fr_FR.utf8", "de_DE", "fr_FR"}) {
        if (!std::setlocale(LC_ALL, name) || std::string_view(std::localeconv()->decimal_point) != ",")
            continue;
        hasComma = true;
        const Point p = read(summary(R"("mean_ttft_ms": 1.5, "median_ttft_ms": "2.5")"));
        EXPECT_EQ(p.ttftMs.mean, 1.5) << name;
        EXPECT_EQ(p.ttftMs.p50, 2.5) << name;
        EXPECT_THAT(base::json::write(toJson(p)), HasSubstr("1.5")) << name;
    }
    std::setlocale(LC_ALL, before.c_str());
    ::unsetenv("LOCPATH");
    if (!hasComma)
        GTEST_SKIP() << "No locale with a decimal comma is installed, and none could be made.";
}

TEST(Parsing, AStreamLocaleWithADecimalCommaChangesNothing)
{
    struct Comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
        char do_thousands_sep() const override { return '.'; }
        std::string do_grouping() const override { return "\3"; }
    };
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
    const Point p = read(summary(R"("mean_ttft_ms": 1234.5)"));
    const ImportedFile csv = importText("benchmark-rollup.csv", "Config,Concurrency,Output Token Throughput\r\na,4,1234.5\r\n");
    std::locale::global(before);
    EXPECT_EQ(p.ttftMs.mean, 1234.5);
    EXPECT_EQ(csv.points.at(0).outputTps, 1234.5);
}

TEST(Parsing, AListOfDocumentsIsAsManyPointsAsOneDocumentEach)
{
    const std::string row = R"({"hw": "b200", "framework": "sglang", "infmax_model_prefix": "m", "tput_per_gpu": 9.0, "tp": 1, "conc": 4})";
    const ImportedFile one = importText("agg.json", row);
    const ImportedFile list = importText("agg.json", "[" + row + ",\n" + row + "]");
    ASSERT_THAT(one.points, SizeIs(1)) << one.reason;
    ASSERT_THAT(list.points, SizeIs(2)) << list.reason;
    EXPECT_EQ(list.points[0].totalTpsPerGpu, one.points[0].totalTpsPerGpu);
    EXPECT_EQ(list.format, one.format);
    const ImportedFile runs = importText("summary.json", "[" + summary() + ",\n" + summary() + "]");
    EXPECT_THAT(runs.points, IsEmpty()) << "each run has a file of its own beside it";
    EXPECT_THAT(runs.reason, HasSubstr("summary of a vLLM sweep"));
    for (const char* text : {"[]", "{}", "[[]]", "3", "\"text\"", "null"}) {
        const ImportedFile file = importText("r.json", text);
        EXPECT_THAT(file.points, IsEmpty()) << text;
        EXPECT_FALSE(file.reason.empty()) << text;
    }
}

TEST(Parsing, AFileThatGrowsWhileItIsReadGivesWhatStoodThereWhole)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.put("grow_conc8.json", summary() + "\n");
    std::jthread writer([&](const std::stop_token& stop) {
        std::ofstream out(path, std::ios::app);
        while (!stop.stop_requested()) {
            out << summary() << "\n";
            out.flush();
            std::this_thread::sleep_for(std::chrono::milliseconds(1)); // a client writes slower than this
        }
    });
    for (int i = 0; i < 20; ++i) {
        const ImportedFile file = importPaths({path}).files.at(0);
        ASSERT_EQ(file.state, FileState::Imported) << file.reason;
        ASSERT_GE(file.points.size(), 1U);
        for (const Point& point : file.points)
            ASSERT_EQ(point.outputTps, 50);
        for (const std::string& warning : file.warnings)
            EXPECT_THAT(warning, HasSubstr("could not be read"));
    }
}

TEST(Parsing, AFolderOfAHundredThousandFilesIsGoneThrough)
{
    const test::TemporaryFolder folder;
    std::string linked;
    for (int i = 0; i < 100'000; ++i) {
        const std::string name = "f" + std::to_string(i) + ".json";
        if (i % 10'000 == 0) // a file has only so many names
            linked = folder.put(name, summary());
        else
            fs::create_hard_link(linked, folder.below(name));
    }
    EXPECT_THAT(listFiles({folder.path().string()}), SizeIs(100'000));
}

TEST(Parsing, NestedRunFoldersAreRunsOfTheirOwn)
{
    const test::TemporaryFolder folder;
    const std::string text =
        R"({"input_config": {"loadgen": {"concurrency": 2}}, "request_count": {"avg": 4.0}, "request_latency": {"unit": "ms", "avg": 5.0}})";
    folder.put("qwen_concurrency2/profile_export_aiperf.json", text);
    folder.put("qwen_concurrency2/qwen_concurrency4/profile_export_aiperf.json", base::replacedAll(text, ": 2", ": 4"));
    folder.put("qwen_concurrency2/warmup/profile_export_aiperf.json", text);
    const Imported imported = importPaths({folder.path().string()});
    EXPECT_THAT(imported.points(), SizeIs(2));
}

} // namespace
} // namespace wb::results
