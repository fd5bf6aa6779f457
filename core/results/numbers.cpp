#include "core/results/numbers.h"

#include "core/base/text.h"

#include <cmath>

namespace wb::results {

std::string significant(double number, int digits)
{
    constexpr double largest = 1e15; // whole numbers up to here have no exponent
    const double magnitude = std::abs(number);
    if (number == 0.0)
        return "0";
    if (!std::isfinite(number) || magnitude >= largest || magnitude < 1e-15)
        return base::textOf(number);
    const int behindPoint = digits - 1 - static_cast<int>(std::floor(std::log10(magnitude)));
    // Powers of ten up to 22 are exact, so the quotient is the double nearest to the rounded decimal, and its shortest text that decimal.
    const double scale = std::pow(10.0, std::abs(behindPoint));
    return base::textOf(behindPoint >= 0 ? std::round(number * scale) / scale : std::round(number / scale) * scale);
}

} // namespace wb::results
