// Arithmetic on the figures of a recipe, which may be anything: results beyond 64 bits stay at the limit.
#pragma once

#include <cstdint>
#include <limits>

namespace wb::plan {

[[nodiscard]] inline std::int64_t product(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (!__builtin_mul_overflow(a, b, &result))
        return result;
    return (a < 0) == (b < 0) ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

[[nodiscard]] inline std::int64_t sum(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (!__builtin_add_overflow(a, b, &result))
        return result;
    return a > 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

/// Rounded up; both above 0.
[[nodiscard]] inline std::int64_t dividedUp(std::int64_t a, std::int64_t b)
{
    return a / b + (a % b != 0 ? 1 : 0);
}

} // namespace wb::plan
