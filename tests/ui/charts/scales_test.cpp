#include "ui/charts/scales.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace wb::ui::charts {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels(const std::vector<Tick>& made)
{
    std::vector<std::string> texts;
    for (const Tick& tick : made)
        texts.push_back(tick.label.toStdString());
    return texts;
}

ValueRange rangeOf(const std::vector<double>& values)
{
    ValueRange range;
    for (const double value : values)
        range.add(value);
    return range;
}

TEST(Ticks, StandAtRoundValuesOnALinearAxis)
{
    EXPECT_THAT(labels(ticks({0, 100}, false, 6)), ElementsAre("0", "20", "40", "60", "80", "100"));
    EXPECT_THAT(labels(ticks({0.11, 0.32}, false, 6)), ElementsAre("0.15", "0.20", "0.25", "0.30"));
    EXPECT_THAT(labels(ticks({-10, 10}, false, 5)), ElementsAre("-10", "-5", "0", "5", "10"));
}

TEST(Ticks, StandAt125StepsOverDecades)
{
    EXPECT_THAT(labels(ticks({0, 2}, true, 8)), ElementsAre("1", "2", "5", "10", "20", "50", "100"));
    EXPECT_THAT(labels(ticks({0, 6}, true, 8)), ElementsAre("1", "10", "100", "1000", "10k", "100k", "1M"));
}

TEST(Ticks, HaveLabelsWithinOneDecade)
{
    const std::vector<Tick> made = ticks({std::log10(120.0), std::log10(480.0)}, true, 8);
    EXPECT_GE(made.size(), 3U);
    EXPECT_THAT(labels(made), testing::Contains("200"));
    for (const Tick& tick : made)
        EXPECT_NEAR(std::pow(10.0, tick.place), tick.label.toDouble(), 1e-6) << "the label says where it stands";
}

TEST(Ticks, AreAtLeastTwoAndNotTooManyForAnySpan)
{
    std::mt19937 random(7);
    for (int round = 0; round < 3000; ++round) {
        const bool isLog = round % 2 == 0;
        const double from = std::uniform_real_distribution(-4.0, 6.0)(random);
        const Span span{from, from + std::pow(10.0, std::uniform_real_distribution(-2.5, 1.0)(random))};
        const int most = std::uniform_int_distribution(4, 14)(random);
        const std::vector<Tick> made = ticks(span, isLog, most);
        ASSERT_GE(made.size(), 2U) << span.from << " to " << span.to << (isLog ? " log" : " linear");
        ASSERT_LE(made.size(), static_cast<std::size_t>(most) + 1);
        for (std::size_t i = 0; i < made.size(); ++i) {
            ASSERT_GE(made[i].place, span.from - 1e-6);
            ASSERT_LE(made[i].place, span.to + 1e-6);
            ASSERT_FALSE(made[i].label.isEmpty());
            if (i > 0) {
                ASSERT_LT(made[i - 1].place, made[i].place);
                ASSERT_NE(made[i - 1].label, made[i].label) << "two places with one label";
            }
        }
    }
}

TEST(Scales, AreLogarithmicByThemselvesOnlyForPositiveValuesThatSpanMuch)
{
    EXPECT_TRUE(isLogarithmic(Scale::Auto, rangeOf({1, 100})));
    EXPECT_FALSE(isLogarithmic(Scale::Auto, rangeOf({10, 100})));
    EXPECT_FALSE(isLogarithmic(Scale::Auto, rangeOf({0, 1, 100})));
    EXPECT_FALSE(isLogarithmic(Scale::Auto, rangeOf({})));
    EXPECT_TRUE(isLogarithmic(Scale::Log, rangeOf({0, 1})));
    EXPECT_FALSE(isLogarithmic(Scale::Log, rangeOf({0, -1}))) << "no value could be shown";
}

TEST(Scales, HaveNoPlaceForWhatHasNoLogarithm)
{
    EXPECT_EQ(AxisScale{true}.place(0.0), std::nullopt);
    EXPECT_EQ(AxisScale{true}.place(-3.0), std::nullopt);
    EXPECT_EQ(AxisScale{false}.place(std::nan("")), std::nullopt);
    EXPECT_EQ(AxisScale{false}.place(-3.0), -3.0);
    EXPECT_DOUBLE_EQ(AxisScale{true}.place(1000.0).value(), 3.0);
    EXPECT_DOUBLE_EQ(AxisScale{true}.value(3.0), 1000.0);
}

TEST(FullSpan, HoldsAllValuesAndIsNeverEmpty)
{
    for (const std::vector<double>& values :
         {std::vector<double>{}, {5}, {0}, {-2}, {1, 2, 3}, {990, 1000}, {-5, 5}, {1e-9, 1e9}, {0, 0, 0}}) {
        for (const bool isLog : {false, true}) {
            const Span span = fullSpan(rangeOf(values), isLog);
            ASSERT_GT(span.length(), 0.0);
            for (const double value : values) {
                if (const auto place = AxisScale{isLog}.place(value)) {
                    EXPECT_GE(*place, span.from);
                    EXPECT_LE(*place, span.to);
                }
            }
        }
    }
    EXPECT_EQ(fullSpan(rangeOf({10, 100}), false).from, 0.0) << "near to zero, the axis begins there";
    EXPECT_GT(fullSpan(rangeOf({990, 1000}), false).from, 900.0) << "far from zero it does not";
}

TEST(ShortNumber, SaysAtMostFourDigitsWithoutLocale)
{
    EXPECT_EQ(shortNumber(0), QStringLiteral("0"));
    EXPECT_EQ(shortNumber(0.25), QStringLiteral("0.25"));
    EXPECT_EQ(shortNumber(1234.56), QStringLiteral("1235"));
    EXPECT_EQ(shortNumber(12.3456), QStringLiteral("12.35"));
    EXPECT_EQ(shortNumber(20000), QStringLiteral("20k"));
    EXPECT_EQ(shortNumber(3e6), QStringLiteral("3M"));
    EXPECT_EQ(shortNumber(100), QStringLiteral("100"));
    EXPECT_EQ(shortNumber(std::nan("")), QStringLiteral("—"));
}

} // namespace
} // namespace wb::ui::charts
