#include "core/analysis/chart.h"
#include "core/analysis/rates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

results::Point pointOn(const char* id, const char* hardware)
{
    results::Point p;
    p.id.text = id;
    p.run.text = "run";
    if (hardware)
        p.hardware = hardware;
    p.outputTps = 100;
    p.tpotMs.p50 = 10;
    p.gpus.working = 2;
    return p;
}

TEST(Rates, AreReadByKindOfGpuAndForAllOthers)
{
    const auto rates = parseRates(" gb200=3.5, H100=2\t4 ", "price");
    ASSERT_TRUE(rates) << rates.error().message;
    EXPECT_THAT(*rates, ElementsAre(Rate{"gb200", 3.5}, Rate{"H100", 2}, Rate{"", 4}));
    EXPECT_EQ(*parseRates(written(*rates), "price"), *rates);
    EXPECT_THAT(*parseRates("", "price"), IsEmpty());
    EXPECT_EQ(rateOf(*rates, "GB200")->value, 3.5);
    EXPECT_EQ(rateOf(*rates, "h100")->value, 2);
    EXPECT_EQ(rateOf(*rates, "b300")->value, 4);
    EXPECT_EQ(rateOf(*rates, {})->value, 4);
    EXPECT_EQ(rateOf({{"gb200", 3.5}}, "b300"), nullptr);
}

TEST(Rates, AreNumbersAboveZeroEachGivenOnce)
{
    for (const char* wrong : {"x", "gb200=", "=3", "gb200=-1", "0", "inf", "nan", "gb200=3,5x", "3 4", "gb200=1 GB200=2"}) {
        const auto rates = parseRates(wrong, "price");
        ASSERT_FALSE(rates) << wrong;
        EXPECT_THAT(rates.error().message, HasSubstr("price")) << wrong;
    }
}

TEST(Rates, ComeBackFromTheirFile)
{
    const Rates rates{{{"gb200", 3.5}, {"", 4}}, {{"h100", 700}}};
    EXPECT_EQ(*ratesFromJson(toJson(rates)), rates);
    EXPECT_EQ(*ratesFromJson(*base::json::read("{}")), Rates());
    EXPECT_FALSE(ratesFromJson(*base::json::read("[]")));
    EXPECT_FALSE(ratesFromJson(*base::json::read(R"({"prices": {"gb200": "much"}})")));
    EXPECT_FALSE(ratesFromJson(*base::json::read(R"({"powers": {"": 0}})")));
}

TEST(Rates, GoToThePointsThatHaveNoneOfTheirOwn)
{
    std::vector<results::Point> points{pointOn("a", "gb200"), pointOn("b", "h100"), pointOn("c", nullptr), pointOn("d", "gb200")};
    points[3].gpuPowerW = 812; // measured
    points[3].origins["gpuPowerW"] = {{}, "gpu.mean_power_per_gpu_w", "812"};
    applyRates(points, {{{"GB200", 3.5}}, {{"", 1000}}});
    EXPECT_EQ(points[0].gpuHourPrice, 3.5);
    EXPECT_EQ(points[1].gpuHourPrice, std::nullopt);
    EXPECT_EQ(points[2].gpuHourPrice, std::nullopt);
    EXPECT_EQ(points[2].gpuPowerW, 1000);
    EXPECT_EQ(points[3].gpuPowerW, 812);
    EXPECT_TRUE(isGivenByUser(points[0], "gpuHourPrice"));
    EXPECT_FALSE(isGivenByUser(points[3], "gpuPowerW"));
}

TEST(Rates, StandInTheAxisAndPointsWithoutOneAreCounted)
{
    std::vector<results::Point> points{pointOn("a", "gb200"), pointOn("b", "h100"), pointOn("c", "gb200")};
    points[2].gpuPowerW = 500;
    applyRates(points, {{{"gb200", 3.6}}, {{"", 1000}}});
    const auto cost = makeChart(points, {.y = "cost-per-m-output-tokens"});
    ASSERT_TRUE(cost) << cost.error().message;
    EXPECT_EQ(cost->withoutY, 1U);
    ASSERT_EQ(cost->series.front().points.size(), 2U);
    EXPECT_DOUBLE_EQ(cost->series.front().points.front().y, 2 * 3.6 / 0.36);
    EXPECT_THAT(cost->y.definition, HasSubstr("given by the user in $: gb200 3.6"));
    EXPECT_THAT(cost->excluded.front().reason, HasSubstr("The price of a GPU-hour is not known"));

    const auto energy = makeChart(points, {.y = "joules-per-output-token", .group = "none"});
    ASSERT_TRUE(energy);
    EXPECT_THAT(energy->y.definition, HasSubstr("measured for 1 of 3 points"));
    EXPECT_THAT(energy->warnings, testing::Contains(HasSubstr("measured for 1 points and given by the user for 2")));
    EXPECT_DOUBLE_EQ(energy->series.front().points.back().y, 10.0);
}

} // namespace
} // namespace wb::analysis
