#include "core/base/text.h"
#include "core/base/untold.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <limits>

namespace wb::base {
namespace {

TEST(Printable, ShowsWhatATerminalWouldObeyOrHide)
{
    EXPECT_EQ(printable("a\nb\x1b[31m\x7f"), "a\\x0ab\\x1b[31m\\x7f");
    EXPECT_EQ(printable("a\xE2\x80\xAE"
                        "b\xE2\x80\x8B\xC2\x9B"),
              "a\\u202eb\\u200b\\u009b");
    EXPECT_EQ(printable("\xF3\xA0\x81\x81"), "\\U000e0041");
    EXPECT_EQ(printable("caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"), "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
    EXPECT_EQ(printable("\xFFq"), "\\xffq");
    EXPECT_EQ(inQuotes("\xE2\x80\xAE"), "\"\\u202e\"");
}

TEST(HasControlCharacter, KnowsWhatEndsALine)
{
    EXPECT_FALSE(hasControlCharacter("plain t\xC3\xA9xt"));
    for (const std::string_view text :
         {std::string_view("a\nb"), std::string_view("a\tb"), std::string_view("\x7f"), std::string_view("a\0b", 3)})
        EXPECT_TRUE(hasControlCharacter(text));
}

TEST(InQuotes, ShowsControlCharactersAndShortensLongTexts)
{
    EXPECT_EQ(inQuotes("node"), "\"node\"");
    EXPECT_EQ(inQuotes("a\tb"), "\"a\\x09b\"");
    EXPECT_EQ(inQuotes("\xFFq"), "\"\\xffq\"") << "a byte that is no UTF-8 is shown, not passed on";
    EXPECT_EQ(inQuotes(std::string(100, 'x')), "\"" + std::string(60, 'x') + "...\"");
    EXPECT_EQ(inQuotes("ä目"), "\"ä目\"");
}

TEST(Numbers, AreReadWholeOrNotAtAll)
{
    EXPECT_EQ(integerOf("42"), 42);
    EXPECT_EQ(integerOf("-7"), -7);
    EXPECT_EQ(integerOf("42 "), std::nullopt);
    EXPECT_EQ(integerOf("4.0"), std::nullopt);
    EXPECT_EQ(integerOf(""), std::nullopt);
    EXPECT_EQ(integerOf("9223372036854775808"), std::nullopt);
    EXPECT_EQ(numberOf("1e-3"), 0.001);
    EXPECT_EQ(numberOf("nan"), std::nullopt);
    EXPECT_EQ(numberOf("inf"), std::nullopt);
}

TEST(Numbers, AreWrittenSoThatTheyReadBackTheSame)
{
    EXPECT_EQ(textOf(8192.0), "8192");
    EXPECT_EQ(textOf(0.1), "0.1");
    for (const double number : {1.0 / 3, 1e300, 5e-324, -2.5, 123456789.125, 1e15, 3166.202362793032})
        EXPECT_EQ(numberOf(textOf(number)), number) << textOf(number);
}

TEST(FirstInvalidUtf8, FindsTheByteAtFault)
{
    EXPECT_EQ(firstInvalidUtf8("ok ä 目 🚀"), std::nullopt);
    EXPECT_EQ(firstInvalidUtf8("ab\x80"), 2U);
    EXPECT_EQ(firstInvalidUtf8("a\xC3"), 1U) << "cut off";
    EXPECT_EQ(firstInvalidUtf8("\xC0\xAF"), 0U) << "overlong";
    EXPECT_EQ(firstInvalidUtf8("\xED\xA0\x80"), 0U) << "half of a surrogate pair";
    EXPECT_EQ(firstInvalidUtf8("\xF4\x90\x80\x80"), 0U) << "above U+10FFFF";
}

TEST(NearestName, FindsSlipsAndLeavesStrangersAlone)
{
    constexpr std::array<std::string_view, 6> names = {"concurrencies", "time_limit", "container", "mem-fraction-static", "hash", "path"};
    EXPECT_EQ(nearestName("contianer", names), "container");
    EXPECT_EQ(nearestName("time-limit", names), "time_limit");
    EXPECT_EQ(nearestName("mem-fraction-statc", names), "mem-fraction-static");
    EXPECT_EQ(nearestName("Concurrency", names), "concurrencies");
    EXPECT_EQ(nearestName("wholly_different", names), "");
    EXPECT_EQ(nearestName("", names), "");
}

TEST(ReplacedAll, ReplacesEveryOneAndNothingElse)
{
    EXPECT_EQ(replacedAll("a-b-c", "-", "+"), "a+b+c");
    EXPECT_EQ(replacedAll("aaa", "aa", "b"), "ba");
    EXPECT_EQ(replacedAll("", "x", "y"), "");
}

TEST(NearestName, PrefersTheSmallestDistanceToALongerNameThatBeginsSo)
{
    const std::vector<std::string_view> names = {"enabled", "enable_otel", "enable_otel_traces"};
    EXPECT_EQ(nearestName("enable", names), "enabled");
    EXPECT_EQ(nearestName("enable_ot", names), "enable_otel") << "of two that begin so, the shorter";
}

TEST(Untold, WordsForNothingAreNoValues)
{
    for (const char* text : {"", "  ", "unavailable", "Unknown", "N/A", "[N/A]", "[Not Supported]", "None", "null", "(unknown)", "<none>"})
        EXPECT_TRUE(tellsNothing(text)) << text;
    for (const char* text : {"0", "NVIDIA H100", "unknown-model", "580.82.07", "[", "no", "(2, 28, 9)"})
        EXPECT_FALSE(tellsNothing(text)) << text;
}

} // namespace
} // namespace wb::base
