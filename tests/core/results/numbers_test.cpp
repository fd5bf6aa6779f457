#include "core/results/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace wb::results {
namespace {

TEST(Significant, GivesAtMostSoManyDigits)
{
    EXPECT_EQ(significant(68.53875000000001), "68.5388");
    EXPECT_EQ(significant(0.0), "0");
    EXPECT_EQ(significant(64), "64");
    EXPECT_EQ(significant(-5), "-5");
    EXPECT_EQ(significant(1234567.8), "1234570");
    EXPECT_EQ(significant(0.00012345678), "0.000123457");
    EXPECT_EQ(significant(0.1 + 0.2), "0.3");
    EXPECT_EQ(significant(999.9996, 4), "1000");
    EXPECT_EQ(significant(12.345, 3), "12.3");
}

TEST(Significant, NeverHasMoreDigitsThanAskedFor)
{
    std::mt19937 random(1);
    for (int i = 0; i < 20'000; ++i) {
        const double number = std::pow(10.0, std::uniform_real_distribution(-6.0, 12.0)(random));
        const std::string text = significant(number);
        std::string digits;
        for (const char c : text)
            if (c >= '0' && c <= '9' && !(digits.empty() && c == '0'))
                digits += c;
        while (text.find('.') == std::string::npos && digits.ends_with('0'))
            digits.pop_back();
        if (text.find('e') == std::string::npos) {
            ASSERT_LE(digits.size(), 6U) << text << " for " << number;
        }
        ASSERT_NEAR(std::stod(text), number, number * 5e-6) << text;
    }
}

} // namespace
} // namespace wb::results
