#include "ui/models/text.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>

namespace wb::ui {
namespace {

TEST(Number, KeepsWhatPeopleCountWithoutAnExponent)
{
    EXPECT_EQ(number(std::optional(1024.0)), QStringLiteral("1024"));
    EXPECT_EQ(number(std::optional(1234567.0)), QStringLiteral("1234567"));
    EXPECT_EQ(number(std::optional(0.0)), QStringLiteral("0"));
    EXPECT_EQ(number(std::optional(12.3456789)), QStringLiteral("12.3457"));
    EXPECT_EQ(number(std::optional(0.5)), QStringLiteral("0.5"));
    EXPECT_EQ(number(std::optional(123456.789)), QStringLiteral("123457"));
    EXPECT_EQ(number(std::optional(-2.50)), QStringLiteral("-2.5"));
}

TEST(Number, IsADashWhenNotKnown)
{
    EXPECT_EQ(number(std::nullopt), dash());
    EXPECT_EQ(number(std::optional(std::numeric_limits<double>::quiet_NaN())), dash());
}

TEST(Duration, IsHoursMinutesSeconds)
{
    EXPECT_EQ(duration(4.0), QStringLiteral("4:00:00"));
    EXPECT_EQ(duration(36.0), QStringLiteral("36:00:00"));
    EXPECT_EQ(duration(0.5125), QStringLiteral("0:30:45"));
    EXPECT_EQ(duration(std::nullopt), dash());
}

TEST(ByteCount, HasItsUnit)
{
    EXPECT_EQ(byteCount(0), QStringLiteral("0 B"));
    EXPECT_EQ(byteCount(1536), QStringLiteral("1.5 KiB"));
    EXPECT_EQ(byteCount(3U << 20), QStringLiteral("3.0 MiB"));
}

} // namespace
} // namespace wb::ui
