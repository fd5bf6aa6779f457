#include "core/analysis/frontier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace wb::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool isWorse(double a, double b, Direction direction)
{
    return direction == Direction::MoreIsBetter ? a < b : a > b;
}

/// The definition itself, in quadratic time.
std::vector<std::size_t> byDefinition(const std::vector<XY>& points, Direction x, Direction y)
{
    std::vector<std::size_t> frontier;
    for (std::size_t a = 0; a < points.size(); ++a) {
        if (!std::isfinite(points[a].x) || !std::isfinite(points[a].y))
            continue;
        bool isDominated = false;
        for (const XY& b : points) {
            if (!std::isfinite(b.x) || !std::isfinite(b.y))
                continue;
            const bool noWorse = !isWorse(b.x, points[a].x, x) && !isWorse(b.y, points[a].y, y);
            const bool better = isWorse(points[a].x, b.x, x) || isWorse(points[a].y, b.y, y);
            if (noWorse && better) {
                isDominated = true;
                break;
            }
        }
        if (!isDominated)
            frontier.push_back(a);
    }
    std::ranges::sort(frontier, [&](std::size_t a, std::size_t b) {
        return std::tuple(points[a].x, points[a].y, a) < std::tuple(points[b].x, points[b].y, b);
    });
    return frontier;
}

struct Directions {
    Direction x, y;
};
constexpr Directions allDirections[] = {
    {Direction::MoreIsBetter, Direction::MoreIsBetter},
    {Direction::MoreIsBetter, Direction::LessIsBetter},
    {Direction::LessIsBetter, Direction::MoreIsBetter},
    {Direction::LessIsBetter, Direction::LessIsBetter},
};

class Frontier : public testing::TestWithParam<Directions>
{
};

TEST_P(Frontier, EqualsTheDefinitionOnSmallGridsWithManyTies)
{
    std::mt19937 random(7);
    for (int round = 0; round < 2000; ++round) {
        std::uniform_int_distribution<int> value(-2, static_cast<int>(random() % 6));
        std::vector<XY> points(random() % 24);
        for (XY& point : points)
            point = {static_cast<double>(value(random)), static_cast<double>(value(random))};
        if (!points.empty() && round % 3 == 0)
            points[random() % points.size()].x = round % 2 == 0 ? nan : infinity;
        ASSERT_EQ(paretoFrontier(points, GetParam().x, GetParam().y), byDefinition(points, GetParam().x, GetParam().y))
            << "round " << round;
    }
}

TEST_P(Frontier, EqualsTheDefinitionWhereBucketsAreUsed)
{
    std::mt19937 random(11);
    for (int round = 0; round < 4; ++round) {
        std::vector<XY> points(3500);
        for (XY& point : points) {
            // Coarse values tie within and across buckets; every second round they crowd at one end.
            const double x = static_cast<double>(random() % 3000);
            const double y = static_cast<double>(random() % 3000);
            point = round % 2 == 0 ? XY{x, y} : XY{std::exp(x / 100.0), -y * y};
        }
        points[17].y = nan;
        points[18].x = -infinity;
        ASSERT_EQ(paretoFrontier(points, GetParam().x, GetParam().y), byDefinition(points, GetParam().x, GetParam().y))
            << "round " << round;
    }
}

INSTANTIATE_TEST_SUITE_P(AllDirections, Frontier, testing::ValuesIn(allDirections));

constexpr auto more = Direction::MoreIsBetter;
constexpr auto less = Direction::LessIsBetter;

TEST(ParetoFrontier, OfNothingIsEmptyAndOfOnePointThatPoint)
{
    EXPECT_THAT(paretoFrontier({}, more, more), IsEmpty());
    const std::vector<XY> one{{3, 4}};
    EXPECT_THAT(paretoFrontier(one, more, more), ElementsAre(0));
}

TEST(ParetoFrontier, EqualPointsAllStay)
{
    const std::vector<XY> points{{1, 1}, {2, 2}, {2, 2}, {2, 1}, {2, 2}};
    EXPECT_THAT(paretoFrontier(points, more, more), ElementsAre(1, 2, 4));
}

TEST(ParetoFrontier, ATieOnOneAxisIsDecidedByTheOther)
{
    const std::vector<XY> points{{1, 5}, {2, 5}, {3, 1}, {3, 2}};
    EXPECT_THAT(paretoFrontier(points, more, more), ElementsAre(1, 3));
}

TEST(ParetoFrontier, WhatIsNotFiniteIsNeverOnItAndHidesNothing)
{
    const std::vector<XY> points{{infinity, infinity}, {nan, 9}, {9, nan}, {1, 1}, {-infinity, 5}};
    EXPECT_THAT(paretoFrontier(points, more, more), ElementsAre(3));
}

TEST(ParetoFrontier, ZerosOfBothSignsAreEqual)
{
    const std::vector<XY> points{{0.0, -0.0}, {-0.0, 0.0}};
    EXPECT_THAT(paretoFrontier(points, more, less), ElementsAre(0, 1));
}

TEST(ParetoFrontier, ThroughputThatFallsWithMoreLoadStaysOff)
{
    // Users' speed falls with load; throughput rises, then collapses.
    const std::vector<XY> points{{100, 10}, {80, 20}, {60, 30}, {40, 25}, {20, 15}};
    EXPECT_THAT(paretoFrontier(points, more, more), ElementsAre(2, 1, 0));
}

TEST(ParetoFrontier, RangesBeyondADoubleDoNotBreakTheBuckets)
{
    std::vector<XY> points(3000, XY{0.0, 0.0});
    points[5] = {std::numeric_limits<double>::max(), 1.0};
    points[6] = {std::numeric_limits<double>::lowest(), 2.0};
    EXPECT_THAT(paretoFrontier(points, more, more), ElementsAre(6, 5));
}

TEST(Hypervolume, IsTheAreaUnderTheStairs)
{
    const std::vector<XY> frontier{{1, 3}, {2, 2}, {4, 1}};
    EXPECT_DOUBLE_EQ(*hypervolume(frontier, more, more, {0, 0}), 1 * 3 + 1 * 2 + 2 * 1);
}

TEST(Hypervolume, CountsEqualPointsOnce)
{
    const std::vector<XY> frontier{{2, 2}, {2, 2}};
    EXPECT_DOUBLE_EQ(*hypervolume(frontier, more, more, {0, 0}), 4);
}

TEST(Hypervolume, MeasuresFromTheWorstValueWhereLessIsBetter)
{
    const std::vector<XY> frontier{{10, 1}, {20, 3}};
    EXPECT_DOUBLE_EQ(*hypervolume(frontier, less, more, {30, 0}), 20 * 1 + 10 * 2);
}

TEST(Hypervolume, OfOnePointAtTheReferenceIsZero)
{
    const std::vector<XY> frontier{{10, 5}};
    EXPECT_DOUBLE_EQ(*hypervolume(frontier, less, more, {10, 0}), 0);
}

TEST(Hypervolume, IsNotDefinedWithoutAFrontierOrBeyondTheReference)
{
    const std::vector<XY> frontier{{10, 5}};
    EXPECT_EQ(hypervolume({}, more, more, {0, 0}), std::nullopt);
    EXPECT_EQ(hypervolume(frontier, more, more, {11, 0}), std::nullopt);
    EXPECT_EQ(hypervolume(frontier, less, more, {9, 0}), std::nullopt);
    EXPECT_EQ(hypervolume(frontier, more, more, {nan, 0}), std::nullopt);
}

TEST(Hypervolume, EqualsCountingCellsOnRandomGrids)
{
    std::mt19937 random(3);
    for (int round = 0; round < 300; ++round) {
        std::vector<XY> points(1 + random() % 8);
        for (XY& point : points)
            point = {static_cast<double>(random() % 7), static_cast<double>(random() % 7)};
        int cells = 0;
        for (int x = 0; x < 7; ++x)
            for (int y = 0; y < 7; ++y)
                cells += std::ranges::any_of(points, [&](const XY& p) { return p.x > x && p.y > y; }) ? 1 : 0;
        std::vector<XY> corners;
        for (const std::size_t index : paretoFrontier(points, more, more))
            corners.push_back(points[index]);
        ASSERT_DOUBLE_EQ(*hypervolume(corners, more, more, {0, 0}), cells) << "round " << round;
    }
}

} // namespace
} // namespace wb::analysis
