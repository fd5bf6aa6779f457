// Directives, exports and mounts of every job of the corpus against the reference's.
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/plan/paths.h"
#include "core/render/artifact.h"
#include "tests/support/corpus.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

namespace wb::render {
namespace {

using base::json::Value;

std::vector<std::string> texts(const Value& list)
{
    std::vector<std::string> out;
    for (const Value& item : list.array())
        out.push_back(item.string() ? *item.string() : "?");
    return out;
}

/// The free directives of a golden configuration stand in the order of the alphabet, not of the file: they are compared sorted.
std::vector<std::string> freeOnesSorted(std::vector<std::string> directives)
{
    const auto isPartition = [](const std::string& directive) { return directive.starts_with("partition="); };
    const auto partition = std::find_if(directives.begin(), directives.end(), isPartition);
    if (partition != directives.end())
        std::sort(partition + 1, directives.end());
    return directives;
}

TEST(RenderGolden, AsksForTheDirectivesOfTheReference)
{
    SRTWB_NEEDS_SHARED("corpus/v1/golden/hopper");
    std::size_t compared = 0;
    for (const std::string_view name : {"gb200", "hopper"}) {
        const recipe::Cluster cluster = test::goldenCluster(name);
        for (const test::GoldenJob& golden : test::goldenJobs(name)) {
            const Value* expected = golden.facts->find("directives");
            if (!expected)
                continue;
            EXPECT_EQ(freeOnesSorted(directives(golden.job, cluster)), freeOnesSorted(texts(*expected))) << name << " " << golden.label;
            ++compared;
        }
    }
    EXPECT_EQ(compared, 2U * 678U);
}

TEST(RenderGolden, ExportsTheVariablesOfTheReference)
{
    SRTWB_NEEDS_SHARED("corpus/v1/golden/hopper");
    std::size_t compared = 0;
    for (const std::string_view name : {"gb200", "hopper"}) {
        for (const test::GoldenJob& golden : test::goldenJobs(name)) {
            const Value* facts = golden.facts->find("exports");
            if (!facts)
                continue;
            std::map<std::string, std::string> expected;
            for (const auto& member : facts->object())
                expected[member.key] = *member.value.string();
            std::map<std::string, std::string> actual;
            for (const Variable& variable : exports(golden.job))
                actual[variable.name] = base::shellQuoted(variable.value);
            EXPECT_EQ(actual, expected) << name << " " << golden.label;
            compared += expected.size();
        }
    }
    EXPECT_GT(compared, 30U);
}

TEST(RenderGolden, MountsTheFoldersOfTheReference)
{
    SRTWB_NEEDS_SHARED("corpus/v1/golden/gb200");
    recipe::Cluster cluster = test::goldenCluster("gb200");
    cluster.srtctlRoot = plan::unknownRoot; // the reference ran with folders of its own, masked by the same names
    cluster.outputDir = "<OUT>";
    std::size_t compared = 0;
    for (const test::GoldenJob& golden : test::goldenJobs("gb200")) {
        const Value* facts = golden.facts->at({"placement", "container_mounts"});
        if (!facts)
            continue;
        std::vector<std::string> expected;
        for (const Value& pair : facts->array())
            expected.push_back(*pair.array().at(0).string() + " -> " + *pair.array().at(1).string());
        std::vector<std::string> actual;
        for (const Mount& mount : mounts(golden.job, cluster))
            actual.push_back(base::replacedAll(mount.host, plan::unknownJob, "4242") + " -> " + mount.container);
        EXPECT_EQ(actual, expected) << golden.label;
        ++compared;
    }
    EXPECT_EQ(compared, 682U);
}

} // namespace
} // namespace wb::render
