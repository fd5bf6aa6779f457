#include "core/analysis/measured.h"

#include <gmock/gmock.h>

namespace wb::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

results::Point point(std::string variant, double concurrency, std::string recipe = {})
{
    results::Point made;
    made.variant = std::move(variant);
    made.concurrency = concurrency;
    made.source = "/results/1001/logs/r.json";
    if (!recipe.empty())
        made.recipe = std::move(recipe);
    return made;
}

const std::vector<WantedJob> two{{"/r/a.yaml", "a_one", "one", {1, 2}}, {"/r/a.yaml", "a_two", "two", {1, 2}}};

TEST(MeasuredJobs, TellWhichConcurrenciesOfWhichJobAreMissing)
{
    results::Point bad = point("a_one", 2);
    bad.valid = false;
    results::Point simulated = point("a_two", 1);
    simulated.simulated = true;
    const std::vector<results::Point> points{point("a_one", 1), bad, simulated, point("other", 1)};
    const auto made = measuredJobs(two, points, {});
    EXPECT_EQ(made[0].points, 2U);
    EXPECT_EQ(made[0].valid, 1U);
    EXPECT_THAT(made[0].missing, ElementsAre(2)) << "a point that cannot be trusted is no result";
    EXPECT_TRUE(made[0].hasResults());
    EXPECT_FALSE(made[0].isComplete());
    EXPECT_FALSE(made[1].hasResults()) << "a simulated point is no result";
    EXPECT_THAT(made[1].missing, ElementsAre(1, 2));
}

TEST(MeasuredJobs, WithoutKnownConcurrenciesAreCompleteWithAnyResult)
{
    const std::vector<WantedJob> wanted{{"/r/a.yaml", "a", "", {}}};
    const auto made = measuredJobs(wanted, std::vector{point("a", 7)}, {});
    EXPECT_TRUE(made[0].isComplete());
    EXPECT_FALSE(made[0].isExpectationKnown);
    EXPECT_FALSE(measuredJobs(wanted, {}, {})[0].isComplete());
    EXPECT_THAT(measuredJobs({}, {}, {}), IsEmpty());
}

TEST(MeasuredJobs, OfAnotherRecipeWithTheSameNameDoNotCount)
{
    const std::vector<results::Point> points{point("a_one", 1, "recipes/b.yaml"), point("a_one", 2, "/old/place/a.yaml"),
                                             point("a_two", 1, "/results/1001/config.yaml")};
    const auto made = measuredJobs(two, points, {});
    EXPECT_THAT(made[0].missing, ElementsAre(1)) << "a recipe that moved is still called so";
    EXPECT_THAT(made[1].missing, ElementsAre(2)) << "the run's own copy says nothing of the file";
}

TEST(MeasuredJobs, OfOneNameAreToldApartByTheCopyOfTheOverride)
{
    const std::vector<WantedJob> same{{"/r/a.yaml", "a", "one", {1}}, {"/r/a.yaml", "a", "two", {1}}};
    const auto made = measuredJobs(same, std::vector{point("a", 1, "/results/1/config_two.yaml")}, {});
    EXPECT_FALSE(made[0].hasResults());
    EXPECT_TRUE(made[1].isComplete());
}

TEST(MeasuredJobs, WhatWasFetchedFromAJobIsOfThatJobWhateverItsFilesSay)
{
    const std::vector<FetchedJob> fetched{{"/results/1001", "/r/a.yaml", "a_two", "two"}};
    results::Point nameless = point("", 1);
    nameless.variant.reset();
    results::Point elsewhere = point("a_one", 1);
    elsewhere.source = "/results/10012/logs/r.json";
    const auto made = measuredJobs(two, std::vector{nameless, point("a_one", 2), elsewhere}, fetched);
    EXPECT_THAT(made[0].missing, ElementsAre(2));
    EXPECT_TRUE(made[1].isComplete());
}

} // namespace
} // namespace wb::analysis
