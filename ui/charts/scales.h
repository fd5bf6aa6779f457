// From values to places along an axis and back, and where an axis has its labels.
//
// A logarithmic axis is log10(value) on a linear one. Labels stand at 1-2-5 steps; within less than a decade they stand at round values.
#pragma once

#include "ui/charts/chartview.h"

#include <QString>

#include <optional>
#include <vector>

namespace wb::ui::charts {

/// How one axis turns values into axis coordinates.
struct AxisScale {
    bool isLog = false;

    [[nodiscard]] std::optional<double>
    place(double value) const; ///< Nothing for what has no place: not finite, or not positive on a log axis.
    [[nodiscard]] double value(double place) const;

    friend bool operator==(const AxisScale&, const AxisScale&) = default;
};

struct Span {
    double from = 0.0;
    double to = 1.0;

    [[nodiscard]] double length() const { return to - from; }

    friend bool operator==(const Span&, const Span&) = default;
};

struct Tick {
    double place = 0.0; ///< Axis coordinate.
    QString label;      ///< Empty for a grid line without one.

    friend bool operator==(const Tick&, const Tick&) = default;
};

/// What values an axis has to show.
struct ValueRange {
    double least = 0.0; ///< Of the finite ones.
    double most = 0.0;
    double leastPositive = 0.0;
    std::size_t finite = 0;
    std::size_t positive = 0;

    void add(double value);
};

/// Log is refused (linear) when no value is positive; Auto is log when all are positive and the most is at least 30 times the least.
[[nodiscard]] bool isLogarithmic(Scale scale, const ValueRange& values);
/// The values with some room around; a linear axis of positive values begins at 0 unless they are far from it.
[[nodiscard]] Span fullSpan(const ValueRange& values, bool isLog);
/// At most `most` labels, at least two wherever the numbers of a double allow it.
[[nodiscard]] std::vector<Tick> ticks(const Span& span, bool isLog, int most);
/// "0.25", "1500", "20k", "3M": at most 4 significant digits, always with a point.
[[nodiscard]] QString shortNumber(double value);

} // namespace wb::ui::charts
