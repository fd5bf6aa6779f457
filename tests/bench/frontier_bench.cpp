// Budget: the frontier of 1,000,000 points in at most 100 ms (release build).
#include "core/analysis/frontier.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace {

using wb::analysis::Direction;
using wb::analysis::XY;

enum Shape { Square, Skewed, Curve };

std::vector<XY> pointsOf(std::size_t count, Shape shape)
{
    std::mt19937_64 random(42);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    std::vector<XY> points(count);
    for (XY& point : points) {
        const double a = unit(random);
        const double b = unit(random);
        switch (shape) {
        case Square: // independent axes
            point = {a, b};
            break;
        case Skewed: // over many powers of ten, so that equal buckets are of little help
            point = {std::exp(30.0 * a), std::exp(30.0 * b)};
            break;
        case Curve: // users' speed against throughput: a band along a trade-off
            point = {1.0 - a + 0.05 * b, a + 0.05 * unit(random)};
            break;
        }
    }
    return points;
}

void frontier(benchmark::State& state)
{
    const std::vector<XY> points = pointsOf(static_cast<std::size_t>(state.range(0)), static_cast<Shape>(state.range(1)));
    std::size_t size = 0;
    for (auto _ : state) {
        size = wb::analysis::paretoFrontier(points, Direction::MoreIsBetter, Direction::MoreIsBetter).size();
        benchmark::DoNotOptimize(size);
    }
    state.counters["on_frontier"] = static_cast<double>(size);
}
BENCHMARK(frontier)->ArgsProduct({{1000, 100'000, 1'000'000}, {Square, Skewed, Curve}})->Unit(benchmark::kMillisecond);

/// What any frontier by sorting must at least do.
void sortOnly(benchmark::State& state)
{
    const std::vector<XY> points = pointsOf(1'000'000, Square);
    for (auto _ : state) {
        std::vector<XY> copy = points;
        std::ranges::sort(copy, {}, &XY::x);
        benchmark::DoNotOptimize(copy.data());
    }
}
BENCHMARK(sortOnly)->Unit(benchmark::kMillisecond);

} // namespace
