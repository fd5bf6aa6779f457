#include "core/analysis/rerun.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<results::Point> sweep(std::initializer_list<double> concurrencies)
{
    std::vector<results::Point> points;
    for (const double concurrency : concurrencies) {
        points.emplace_back();
        points.back().run.text = "run";
        points.back().concurrency = concurrency;
    }
    return points;
}

TEST(Rerun, IsBetweenThePointAndItsNeighbours)
{
    auto points = sweep({64, 256, 16, 4});
    EXPECT_THAT(concurrenciesNear(points, points[0]), ElementsAre(32, 64, 128));
    EXPECT_THAT(concurrenciesNear(points, points[1]), ElementsAre(128, 256, 384)) << "a half more beyond the last";
    EXPECT_THAT(concurrenciesNear(points, points[3]), ElementsAre(3, 4, 8));
    EXPECT_EQ(asConcurrencies({32, 64, 128}), "[32, 64, 128]");
}

TEST(Rerun, AsksOnlyPointsOfTheSameRunAndNeverRepeatsOne)
{
    auto points = sweep({1, 2, 3});
    EXPECT_THAT(concurrenciesNear(points, points[1]), ElementsAre(2)) << "there is nothing between";
    EXPECT_THAT(concurrenciesNear(points, points[0]), ElementsAre(1));
    points = sweep({64, 65});
    points[1].run.text = "another";
    EXPECT_THAT(concurrenciesNear(points, points[0]), ElementsAre(43, 64, 96));
    points[0].concurrency.reset();
    EXPECT_THAT(concurrenciesNear(points, points[0]), IsEmpty());
}

} // namespace
} // namespace wb::analysis
