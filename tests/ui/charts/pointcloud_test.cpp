#include "tests/ui/charts/charts.h"
#include "ui/charts/pointcloud.h"

#include <QElapsedTimer>
#include <QPalette>
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <random>

namespace wb::ui::charts {
namespace {

const QRectF area(60, 20, 700, 420);

analysis::Chart randomChart(std::size_t points, unsigned seed, bool onAGrid)
{
    std::mt19937 random(seed);
    std::vector<analysis::ChartSeries> series;
    for (const char* key : {"a", "b", "c"}) {
        std::vector<analysis::XY> places;
        for (std::size_t i = 0; i < points / 3; ++i) {
            const double x = std::uniform_real_distribution(1.0, 100.0)(random);
            const double y = std::uniform_real_distribution(1.0, 100.0)(random);
            places.push_back(onAGrid ? analysis::XY{std::round(x / 10), std::round(y / 10)} : analysis::XY{x, y});
        }
        series.push_back(test::seriesOf(key, places));
    }
    return test::chartOf(std::move(series));
}

/// By definition: the smallest distance, the first of equals, of visible points within the view.
std::optional<PointRef> nearestByDefinition(const PointCloud& cloud, const analysis::Chart& chart, const std::vector<bool>& hidden,
                                            const QPointF& place, double reach)
{
    std::optional<PointRef> found;
    double best = reach * reach;
    for (std::size_t series = 0; series < chart.series.size(); ++series) {
        for (std::size_t i = 0; i < chart.series[series].points.size(); ++i) {
            const auto at = cloud.positionOf({series, i});
            if (hidden[series] || !at || !area.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(*at))
                continue;
            const QPointF away = *at - place;
            const double distance = away.x() * away.x() + away.y() * away.y();
            if (distance < best || (distance == best && !found)) {
                best = distance;
                found = PointRef{series, i};
            }
        }
    }
    return found;
}

TEST(PointCloud, FindsTheNearestPointAsAComparisonWithAllDoes)
{
    std::mt19937 random(11);
    for (const bool onAGrid : {false, true}) {
        for (const bool isLog : {false, true}) {
            const analysis::Chart chart = randomChart(900, 3, onAGrid);
            PointCloud cloud;
            cloud.setChart(&chart);
            cloud.setScales({isLog}, {isLog});
            std::vector<bool> hidden{false, false, false};
            for (int round = 0; round < 400; ++round) {
                if (round == 200)
                    hidden[1] = true;
                if (round % 50 == 0) {
                    const double from = std::uniform_real_distribution(0.0, isLog ? 1.0 : 50.0)(random);
                    cloud.setView({from, from + (isLog ? 1.0 : 60.0)}, {0.1, isLog ? 1.9 : 90.0}, area);
                    cloud.setHidden(hidden);
                }
                const QPointF place(std::uniform_real_distribution(40.0, 780.0)(random),
                                    std::uniform_real_distribution(0.0, 460.0)(random));
                ASSERT_EQ(cloud.nearest(place, 20.0), nearestByDefinition(cloud, chart, hidden, place, 20.0)) << "round " << round;
            }
        }
    }
}

TEST(PointCloud, CountsAndKeepsOutWhatHasNoPlaceOnALogarithmicAxis)
{
    const analysis::Chart chart = test::chartOf({test::seriesOf("a", {{0, 5}, {10, 5}, {100, 5}, {10, -1}})});
    PointCloud cloud;
    cloud.setChart(&chart);
    cloud.setScales({true}, {true});
    cloud.setView({0, 3}, {0, 1}, area);
    EXPECT_EQ(cloud.withoutPlace(), 2U);
    EXPECT_FALSE(cloud.positionOf({0, 0}));
    EXPECT_TRUE(cloud.positionOf({0, 1})) << "its neighbours are still there";
    cloud.setScales({false}, {false});
    EXPECT_EQ(cloud.withoutPlace(), 0U);
}

TEST(PointCloud, KnowsPointsAtExactlyTheSamePlace)
{
    const analysis::Chart chart = test::chartOf({test::seriesOf("a", {{1, 1}, {1, 1}, {2, 1}}), test::seriesOf("b", {{1, 1}})});
    PointCloud cloud;
    cloud.setChart(&chart);
    cloud.setScales({}, {});
    EXPECT_EQ(cloud.coincident({0, 0}).size(), 3U);
    EXPECT_EQ(cloud.coincident({0, 2}).size(), 1U);
    cloud.setHidden({false, true});
    EXPECT_EQ(cloud.coincident({0, 0}).size(), 2U);
}

TEST(PointCloud, PaintsEachVisiblePointWhereItSaysThatItIs)
{
    const analysis::Chart chart = test::chartOf({test::seriesOf("a", {{1, 1}, {5, 5}}), test::seriesOf("b", {{9, 2}})});
    PointCloud cloud;
    cloud.setChart(&chart);
    cloud.setScales({}, {});
    cloud.setView({0, 10}, {0, 10}, area);
    cloud.setHidden({false, true});
    for (const double ratio : {1.0, 2.0}) {
        const QImage& image = cloud.image(ratio, 8, QPalette());
        const auto alphaAt = [&](PointRef ref) {
            const QPointF at = (*cloud.positionOf(ref) - area.topLeft() + QPointF(8, 8)) * ratio;
            return qAlpha(image.pixel(at.toPoint()));
        };
        EXPECT_GT(alphaAt({0, 0}), 150);
        EXPECT_GT(alphaAt({0, 1}), 150);
        EXPECT_EQ(alphaAt({1, 0}), 0) << "its series is hidden";
    }
}

TEST(PointCloud, CarriesAHundredThousandPoints)
{
    const analysis::Chart chart = randomChart(100'000, 5, false);
    PointCloud cloud;
    cloud.setChart(&chart);
    cloud.setScales({true}, {true});
    QElapsedTimer clock;
    const std::clock_t began = std::clock(); // of this process: other work on the machine must not fail this
    constexpr int frames = 20;
    for (int frame = 0; frame < frames; ++frame) {
        cloud.setView({0.0 + frame * 0.01, 2.0 + frame * 0.01}, {0.0, 2.0}, QRectF(60, 20, 1100, 700));
        ASSERT_FALSE(cloud.image(1.0, 8, QPalette()).isNull());
    }
    const double frameMs = 1000.0 * static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC / frames;
    clock.start();
    ASSERT_TRUE(cloud.nearest({600, 300}, 12.0));
    const double firstMs = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    clock.restart();
    int found = 0;
    for (int i = 0; i < 1000; ++i)
        found += cloud.nearest({100.0 + i, 300}, 12.0) ? 1 : 0;
    const double hoverUs = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    EXPECT_GT(found, 500);
    std::printf("100,000 points: raster %.1f ms a frame, first hover in a view %.2f ms, next %.2f us\n", frameMs, firstMs, hoverUs);
    EXPECT_LT(frameMs, 100.0) << "the budget is 16 ms for the whole frame in a release build; this catches only the hopeless";
}

} // namespace
} // namespace wb::ui::charts
