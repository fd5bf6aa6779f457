#include "core/results/jsonplace.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wb::results {
namespace {

std::string placeIn(std::string_view text, std::vector<PathStep> path)
{
    const auto offset = offsetOf(text, 0, path);
    return offset ? std::string(text.substr(std::min(*offset, text.size()), 4)) + " at " + lineAndColumn(text, *offset) : "nowhere";
}

TEST(JsonPlace, FindsMembersAndItems)
{
    const std::string_view text = "{\"a\": 1,\n \"b\": [10, {\"c\": NaN}]}";
    EXPECT_EQ(placeIn(text, {"a"}), "1,\n  at line 1, column 7");
    EXPECT_EQ(placeIn(text, {"b", std::size_t{1}, "c"}), "NaN} at line 2, column 18");
    EXPECT_EQ(placeIn(text, {"c"}), "nowhere") << "only what is at that place";
    EXPECT_EQ(placeIn(text, {"b", std::size_t{2}}), "nowhere");
    EXPECT_EQ(placeIn(text, {"a", "b"}), "nowhere");
}

TEST(JsonPlace, TextsAndNestingBeforeItMeanNothing)
{
    const std::string_view text = R"({"x": "}\",[", "y": {"k": [[], {}]}, "k": true})";
    EXPECT_EQ(placeIn(text, {"k"}), "true at line 1, column 43");
}

TEST(JsonPlace, OfEqualKeysTheLastCounts)
{
    EXPECT_EQ(placeIn(R"({"k": 1, "k": 22222})", {"k"}), "2222 at line 1, column 15");
}

TEST(JsonPlace, ColumnsAreCodePointsAndTheMarkOfBytesIsNone)
{
    EXPECT_EQ(placeIn("\xEF\xBB\xBF{\"\u00e9\": 1, \"k\": null}", {}), "\xEF\xBB\xBF{ at line 1, column 1");
    EXPECT_EQ(lineAndColumn("\xEF\xBB\xBF{\"\xC3\xA9\": 1}", 9), "line 1, column 6");
}

TEST(JsonPlace, CutOffTextIsSurvived)
{
    const std::string text = R"({"a": {"b": ["x\"", 1, {"c": 2}]}, "k": 5})";
    for (std::size_t size = 0; size <= text.size(); ++size)
        static_cast<void>(placeIn(std::string_view(text).substr(0, size), {"a", "b", std::size_t{2}, "c"}));
}

} // namespace
} // namespace wb::results
