#include "core/analysis/outcome.h"
#include "core/analysis/runside.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

namespace wb::analysis {
namespace {

using testing::ElementsAre;
using testing::Optional;

results::Point pointOf(double concurrency, std::optional<double> outputTps, bool valid = true)
{
    results::Point point;
    point.concurrency = concurrency;
    point.outputTps = outputTps;
    point.valid = valid;
    return point;
}

TEST(Outcome, StandsSideBySideForEachConcurrencyAndIsNeverCounted)
{
    const std::vector<std::vector<results::Point>> runs = {
        {pointOf(8, 100.0), pointOf(8, 120.0), pointOf(64, 900.0), pointOf(64, 1.0, false)},
        {pointOf(8, 100.0), pointOf(64, 900.0)},
        {pointOf(8, 100.0)}};
    const Section section = outcomeOf(runs);
    ASSERT_EQ(section.facts.size(), 2U);
    EXPECT_EQ(section.facts[0].key, "concurrency 8: output tokens/s");
    EXPECT_THAT(section.facts[0].values,
                ElementsAre(Optional(std::string("100 to 120 (2)")), Optional(std::string("100")), Optional(std::string("100"))));
    EXPECT_EQ(section.facts[0].state, FactState::Different);
    EXPECT_EQ(section.facts[1].state, FactState::Unknown) << "the third run was not measured there";
    EXPECT_EQ(section.facts[1].values[2], std::nullopt);
    for (const Fact& fact : section.facts)
        EXPECT_FALSE(fact.isCounted());
}

TEST(RunPathOf, IsTheFolderOrTheLockfileOfAPrefix)
{
    EXPECT_EQ(runPathOf(""), "");
    const std::string folder = test::own("resources/samples/results/outputs/1001").string();
    EXPECT_EQ(runPathOf(folder), folder);
    EXPECT_EQ(runPathOf("/none/nightly-1__"), "/none/nightly-1__recipe.lock.yaml");
}

} // namespace
} // namespace wb::analysis
