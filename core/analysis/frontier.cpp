#include "core/analysis/frontier.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace wb::analysis {

namespace {

/// A point with both axes turned so that more is better.
struct Turned {
    double x, y;
    std::size_t index;
};

double turned(double value, Direction direction)
{
    return direction == Direction::MoreIsBetter ? value : -value;
}

constexpr std::size_t bucketCount = 4096;
constexpr std::size_t worthFiltering = 2048;

/// Drops points that a point of a bucket with larger x beats: those of one bucket are not compared. Cheaper than sorting all.
/// False when it did not help much.
bool dropBeaten(std::vector<Turned>& points)
{
    const auto [least, most] = std::ranges::minmax(points, {}, &Turned::x);
    const double span = most.x - least.x;
    if (points.size() < worthFiltering || !(span > 0) || !std::isfinite(span))
        return false;
    const double scale = static_cast<double>(bucketCount - 1) / span;
    const double origin = least.x;
    // Rounding keeps the order, so a higher bucket always means a larger x.
    const auto bucketOf = [&](double x) { return static_cast<std::size_t>((x - origin) * scale); };
    std::array<double, bucketCount + 2> bestAbove; // NOLINT: filled in the next line
    bestAbove.fill(-std::numeric_limits<double>::infinity());
    for (const Turned& point : points) {
        double& best = bestAbove[std::min(bucketOf(point.x), bucketCount - 1)];
        best = std::max(best, point.y);
    }
    for (std::size_t bucket = bucketCount; bucket-- > 0;)
        bestAbove[bucket] = std::max(bestAbove[bucket], bestAbove[bucket + 1]);
    const std::size_t before = points.size();
    std::erase_if(points, [&](const Turned& point) { return bestAbove[std::min(bucketOf(point.x), bucketCount - 1) + 1] >= point.y; });
    return points.size() * 2 < before;
}

std::vector<Turned> finitePoints(std::span<const XY> points, Direction x, Direction y)
{
    std::vector<Turned> finite;
    finite.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        if (std::isfinite(points[i].x) && std::isfinite(points[i].y))
            finite.push_back({turned(points[i].x, x), turned(points[i].y, y), i});
    return finite;
}

} // namespace

std::vector<std::size_t> paretoFrontier(std::span<const XY> points, Direction x, Direction y)
{
    std::vector<Turned> left = finitePoints(points, x, y);
    while (!left.empty() && dropBeaten(left)) {
    }
    std::ranges::sort(left, [](const Turned& a, const Turned& b) {
        return a.x != b.x ? a.x > b.x : a.y != b.y ? a.y > b.y : a.index < b.index;
    });

    std::vector<std::size_t> frontier;
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < left.size();) {
        std::size_t end = i;
        while (end < left.size() && left[end].x == left[i].x)
            ++end;
        if (left[i].y > best) {
            best = left[i].y;
            for (std::size_t tie = i; tie < end && left[tie].y == best; ++tie)
                frontier.push_back(left[tie].index);
        }
        i = end;
    }
    std::ranges::sort(frontier, [&](std::size_t a, std::size_t b) {
        return points[a].x != points[b].x ? points[a].x < points[b].x : points[a].y != points[b].y ? points[a].y < points[b].y : a < b;
    });
    return frontier;
}

std::optional<double> hypervolume(std::span<const XY> frontier, Direction x, Direction y, XY reference)
{
    const double refX = turned(reference.x, x);
    const double refY = turned(reference.y, y);
    if (frontier.empty() || !std::isfinite(refX) || !std::isfinite(refY))
        return std::nullopt;
    std::vector<Turned> steps = finitePoints(frontier, x, y);
    if (steps.size() != frontier.size() || std::ranges::any_of(steps, [&](const Turned& p) { return p.x < refX || p.y < refY; }))
        return std::nullopt;
    std::ranges::sort(steps, std::ranges::greater{}, &Turned::x);
    double area = 0.0;
    double covered = refY;
    for (const Turned& step : steps)
        if (step.y > covered) {
            area += (step.x - refX) * (step.y - covered);
            covered = step.y;
        }
    return area;
}

} // namespace wb::analysis
