// Arithmetic on figures that a person wrote, which may be anything.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace wb::base {

/// Nothing when the result is beyond 64 bits.
[[nodiscard]] inline std::optional<std::int64_t> exactProduct(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

[[nodiscard]] inline std::optional<std::int64_t> exactSum(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

/// Beyond 64 bits the nearest limit.
[[nodiscard]] inline std::int64_t product(std::int64_t a, std::int64_t b)
{
    if (const auto exact = exactProduct(a, b))
        return *exact;
    return (a < 0) == (b < 0) ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

/// Beyond 64 bits the nearest limit.
[[nodiscard]] inline std::int64_t sum(std::int64_t a, std::int64_t b)
{
    if (const auto exact = exactSum(a, b))
        return *exact;
    return a > 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

/// Rounded up; both above 0.
[[nodiscard]] inline std::int64_t dividedUp(std::int64_t a, std::int64_t b)
{
    return a / b + (a % b != 0 ? 1 : 0);
}

} // namespace wb::base
