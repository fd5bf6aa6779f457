#include "core/base/json.h"
#include "core/results/importer.h"
#include "core/results/slimjson.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace wb::results {
namespace {

std::string slimmed(std::string_view text, std::size_t longestList, std::size_t pieceSize = 1)
{
    JsonSlimmer slimmer(longestList);
    for (std::size_t at = 0; at < text.size(); at += pieceSize)
        slimmer.feed(text.substr(at, pieceSize));
    return slimmer.taken();
}

TEST(JsonSlimmer, LeavesLongListsOutAndShortOnesIn)
{
    EXPECT_EQ(slimmed(R"({"a": [1, 2], "b": [1, 2, 3, 4, 5, 6], "c": 7})", 6), R"({"a": [1, 2], "b": [], "c": 7})");
}

TEST(JsonSlimmer, BracketsAndQuotesInTextsMeanNothing)
{
    EXPECT_EQ(slimmed(R"({"a": ["]]\"]", "x"], "b": "[{", "c\\": 1})", 3), R"({"a": [], "b": "[{", "c\\": 1})");
}

TEST(JsonSlimmer, ListsOfListsGoAsOne)
{
    EXPECT_EQ(slimmed(R"({"itls": [[0.1, 0.2], [0.3]], "x": {"y": [[1]]}})", 5), R"({"itls": [], "x": {"y": [[1]]}})");
}

TEST(JsonSlimmer, AListOfRowsIsKept)
{
    EXPECT_EQ(slimmed(R"([{"a": [1, 2, 3]}, {"a": 1}])", 4), R"([{"a": []}, {"a": 1}])");
}

TEST(JsonSlimmer, LinesKeepTheirNumbers)
{
    EXPECT_EQ(slimmed("{\"a\": [\n1,\n2,\n3],\n\"b\": }", 3), "{\"a\": [\n\n\n],\n\"b\": }");
}

TEST(JsonSlimmer, DoesNotMindWherePiecesEnd)
{
    const std::string text = R"({"texts": ["a\"]", "b\\", "[[["], "n": 1, "short": [1], "deep": {"l": [{"k": "]"}, 2, 3, 4, 5]}})";
    const std::string whole = slimmed(text, 8, text.size());
    for (std::size_t size = 1; size < text.size(); ++size)
        ASSERT_EQ(slimmed(text, 8, size), whole) << "pieces of " << size;
    EXPECT_TRUE(base::json::read(whole));
}

TEST(JsonSlimmer, AnythingAtAllIsSurvived)
{
    std::mt19937 random(5);
    const std::string_view alphabet = "[]{}\"\\,:1\na";
    for (int round = 0; round < 5000; ++round) {
        std::string text;
        for (std::size_t i = random() % 40; i > 0; --i)
            text += alphabet[random() % alphabet.size()];
        ASSERT_LE(slimmed(text, 2).size(), text.size() + 2) << text;
    }
}

TEST(ImportPaths, ALargeFileGivesThePointOfItsSummary)
{
    const test::TemporaryFolder folder;
    std::string text = R"({"backend": "vllm", "max_concurrency": 8, "completed": 10, "duration": 10, "generated_texts": [)";
    while (text.size() < (std::size_t{9} << 20))
        text += R"("a \"quoted\" [text] of some length", )";
    text += R"("end"], "output_throughput": 50.0, "median_tpot_ms": 10.0})";
    const ImportedFile file = importPaths({folder.put("large_conc8.json", text)}).files.at(0);
    ASSERT_EQ(file.state, FileState::Imported) << file.reason;
    EXPECT_EQ(file.points.at(0).outputTps, 50);
    EXPECT_EQ(file.points.at(0).tpotMs.p50, 10);
}

TEST(ReadSlimmed, CanBeStoppedInTheMiddle)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.put("large.json", "{\"itls\": [" + std::string(std::size_t{9} << 20, ' ') + "1]}");
    std::stop_source source;
    ASSERT_TRUE(readSlimmed(path, source.get_token()));
    source.request_stop();
    const auto stopped = readSlimmed(path, source.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled);
}

TEST(ImportPaths, ALargeFileThatIsCutOffIsRefusedWithItsPlace)
{
    const test::TemporaryFolder folder;
    std::string text = "{\"backend\": \"vllm\",\n \"itls\": [";
    while (text.size() < (std::size_t{9} << 20))
        text += "0.0125, ";
    const ImportedFile file = importPaths({folder.put("cut_conc8.json", text)}).files.at(0);
    EXPECT_EQ(file.state, FileState::Refused);
    EXPECT_THAT(file.reason, testing::HasSubstr("line 2"));
}

} // namespace
} // namespace wb::results
