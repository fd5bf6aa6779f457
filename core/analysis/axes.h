// Axes of a chart: what is on them, in which unit, and which way is better. An axis never changes its definition to fit a point: a point
// that cannot give it has no value there, and a reason.
//
// To add one: a row in axes.cpp.
#pragma once

#include "core/results/point.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::analysis {

enum class Direction { LessIsBetter, MoreIsBetter };

/// `<metric>[-<statistic>][-per-<divisor>]`
struct Axis {
    std::string id;         ///< "output-tps-per-gpu"
    std::string title;      ///< "Output tokens/s per working GPU"
    std::string unit;       ///< "tok/s/GPU"
    std::string definition; ///< Numerator, denominator, statistic, in words.
    Direction direction = Direction::MoreIsBetter;
    std::optional<double> (*value)(const results::Point&, const Axis&) = nullptr;
    int statistic = 0; ///< For `value`: 0 mean, 1 p50, 2 p90, 3 p95, 4 p99.
};

[[nodiscard]] std::span<const Axis> axes();
[[nodiscard]] const Axis* findAxis(std::string_view id);
inline constexpr std::string_view defaultX = "tps-per-user";
inline constexpr std::string_view defaultY = "output-tps-per-gpu";

/// The value, or why there is none.
struct AxisValue {
    std::optional<double> value;
    std::string reason;
};
[[nodiscard]] AxisValue valueOn(const Axis& axis, const results::Point& point);

} // namespace wb::analysis
