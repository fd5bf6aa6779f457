#include "core/analysis/rerun.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace wb::analysis {

using results::Point;

namespace {

bool isOfSameSweep(const Point& a, const Point& b)
{
    return a.run == b.run && a.simulated == b.simulated && a.recipe == b.recipe && a.variant == b.variant && a.isl == b.isl &&
           a.osl == b.osl;
}

std::int64_t rounded(double number)
{
    return static_cast<std::int64_t>(std::llround(number));
}

} // namespace

std::vector<std::int64_t> concurrenciesNear(const std::vector<Point>& points, const Point& point)
{
    constexpr double most = 1e9; // beyond that no client counts
    if (!point.concurrency || !(*point.concurrency >= 1) || *point.concurrency > most)
        return {};
    const double own = *point.concurrency;
    std::optional<double> below;
    std::optional<double> above;
    for (const Point& other : points) {
        if (!other.concurrency || !isOfSameSweep(point, other))
            continue;
        if (*other.concurrency < own)
            below = std::max(below.value_or(0.0), *other.concurrency);
        else if (*other.concurrency > own)
            above = std::min(above.value_or(most), *other.concurrency);
    }
    constexpr double beyond = 1.5;
    std::vector<std::int64_t> near{rounded(below ? std::sqrt(*below * own) : own / beyond), rounded(own),
                                   rounded(above ? std::sqrt(own * *above) : own * beyond)};
    std::erase_if(near, [&](std::int64_t each) {
        const auto number = static_cast<double>(each);
        return each < 1 || (below && number <= *below) || (above && number >= *above);
    });
    near.erase(std::unique(near.begin(), near.end()), near.end());
    return near;
}

std::string asConcurrencies(const std::vector<std::int64_t>& concurrencies)
{
    std::string text;
    for (const std::int64_t concurrency : concurrencies)
        text += (text.empty() ? "[" : ", ") + std::to_string(concurrency);
    return text + ']';
}

} // namespace wb::analysis
