// Axes of a chart: what is on them, in which unit, and which way is better. An axis never changes its definition to fit a point: a point
// that cannot give it has no value there, and a reason.
//
// To add one: a row in one of the tables of axes.cpp.
#pragma once

#include "core/results/point.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::analysis {

enum class Direction { LessIsBetter, MoreIsBetter };

/// The value, or why there is none.
struct AxisValue {
    std::optional<double> value;
    std::string reason;
    std::string note; ///< How the value was had, where the point gives another number of the same definition ("the file's own ...").
    bool isSubstitute =
        false; ///< The note tells of another metric that stands in (an ITL over each request for a TPOT): to be said loudly.
};

/// `<metric>[-<statistic>][-per-<divisor>]`
struct Axis {
    std::string id;         ///< "output-tps-per-gpu"
    std::string title;      ///< "Output tokens/s per working GPU"
    std::string unit;       ///< "tok/s/GPU"
    std::string definition; ///< Numerator, denominator, statistic, in words.
    Direction direction = Direction::MoreIsBetter;
    std::string field;     ///< The point's key it is made from ("outputTps"); where its origin is written down.
    std::string divisor;   ///< The point's key it is divided by ("gpus.working"); empty for none.
    std::string rate = {}; ///< The point's key of what one GPU costs or draws ("gpuHourPrice"); empty for none.
    AxisValue (*value)(const results::Point&, const Axis&) = nullptr;
};

/// In the order in which they are offered.
[[nodiscard]] std::span<const Axis> axes();
[[nodiscard]] const Axis* findAxis(std::string_view id);
inline constexpr std::string_view defaultX = "tps-per-user";
inline constexpr std::string_view defaultY = "output-tps-per-gpu";

/// A finite value, or the reason.
[[nodiscard]] AxisValue valueOn(const Axis& axis, const results::Point& point);

/// A title inside a sentence: "Median TTFT" is "median TTFT", "TTFT" stays.
[[nodiscard]] std::string inSentence(std::string_view title);

/// The axis, or an error that names the nearest one.
[[nodiscard]] Result<const Axis*> axisNamed(std::string_view id);

} // namespace wb::analysis
