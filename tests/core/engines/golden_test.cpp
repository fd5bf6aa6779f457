// The worker steps of every job of the corpus against those of the reference.
#include "core/engines/launch.h"
#include "core/plan/paths.h"
#include "tests/support/corpus.h"
#include "tests/support/golden.h"
#include "tests/support/launches.h"

#include <gmock/gmock.h>

#include <map>

namespace wb::engines {
namespace {

using base::json::Value;
using test::inTheirTerms;
using test::textMap;
using test::texts;

void expectLaunch(const Launch& launch, const Value& facts, const recipe::Cluster& cluster)
{
    std::vector<std::string> command;
    for (const std::string& word : launch.command)
        command.push_back(inTheirTerms(word));
    EXPECT_EQ(command, texts(facts.find("command")));

    std::map<std::string, std::string> environment;
    for (const Variable& variable : launch.environment)
        environment[variable.name] = inTheirTerms(variable.value);
    EXPECT_EQ(environment, textMap(facts.find("env_to_set")));
    EXPECT_EQ(environment.size(), launch.environment.size()) << "a name stands once";

    EXPECT_EQ(launch.nodes, texts(facts.find("nodelist")));
    EXPECT_EQ(inTheirTerms(plan::logFolder(cluster)) + "/" + launch.name + ".out", test::textAt(facts, "output"));
    std::map<std::string, std::string> options(launch.srunOptions.begin(), launch.srunOptions.end());
    EXPECT_EQ(options, textMap(facts.find("srun_options")));
    EXPECT_EQ(launch.mpi, test::textAt(facts, "mpi"));
    EXPECT_EQ(launch.cpuBind, test::textAt(facts, "cpu_bind"));
    const Value* oversubscribe = facts.find("oversubscribe");
    EXPECT_EQ(launch.isOversubscribed, oversubscribe && oversubscribe->boolean().value_or(false));
    const Value* installs = facts.find("installs_dynamo");
    EXPECT_EQ(launch.installsDynamo, installs && installs->boolean().value_or(false));
    if (const Value* tasks = facts.find("ntasks")) {
        EXPECT_EQ(launch.tasks, tasks->integer());
    }
}

TEST(EnginesGolden, StartTheWorkersOfTheReference)
{
    SRTWB_NEEDS_SHARED("corpus/v1/golden/gb200");
    recipe::Cluster cluster = test::goldenCluster("gb200");
    cluster.outputDir = "<OUT>";
    std::map<std::string, std::size_t> compared;
    for (const test::GoldenJob& golden : test::goldenJobs("gb200")) {
        const Value* steps = golden.facts->find("launches");
        const plan::Plan plan = plan::plan(golden.job, cluster);
        ASSERT_TRUE(steps && plan.topology) << golden.label;
        const std::vector<Launch> launches = workerLaunches(golden.job, cluster, *plan.topology);
        std::size_t next = 0;
        for (const Value& facts : steps->array()) {
            if (test::textAt(facts, "phase") != "workers")
                continue;
            SCOPED_TRACE(golden.label + " step " + std::to_string(next));
            ASSERT_LT(next, launches.size());
            expectLaunch(launches[next++], facts, cluster);
            ++compared[golden.job.backend.type];
        }
        EXPECT_EQ(next, launches.size()) << golden.label;
        if (HasFailure())
            break; // one job tells the story
    }
    EXPECT_EQ(compared["sglang"], 2450U);
    EXPECT_EQ(compared["trtllm"], 1733U);
    EXPECT_EQ(compared["vllm"], 79U);
    EXPECT_EQ(compared["mocker"], 2U);
}

} // namespace
} // namespace wb::engines
