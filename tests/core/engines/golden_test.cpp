// The worker steps of every job of the corpus against those of the reference.
#include "core/base/text.h"
#include "core/engines/launch.h"
#include "core/plan/paths.h"
#include "tests/support/corpus.h"
#include "tests/support/golden.h"

#include <gmock/gmock.h>

#include <map>

namespace wb::engines {
namespace {

using base::json::Value;

/// Our names for what is not known yet, in the reference's terms: node k has the address 10.0.0.(k + 1), the job is 4242.
std::string inTheirTerms(std::string text)
{
    if (text.find('<') == std::string::npos)
        return text;
    for (int node = 0; node < 64; ++node) {
        std::string name = std::to_string(node);
        name = "node" + std::string(3 - name.size(), '0') + name;
        text = base::replacedAll(text, plan::addressOf(name), "10.0.0." + std::to_string(node + 1));
    }
    text = base::replacedAll(text, plan::unknownJob, "4242");
    return base::replacedAll(text, plan::unknownUuid, std::string(32, '0'));
}

std::vector<std::string> texts(const Value* list)
{
    std::vector<std::string> out;
    if (list)
        for (const Value& item : list->array())
            out.push_back(item.string() ? *item.string() : "?");
    return out;
}

std::map<std::string, std::string> textMap(const Value* object)
{
    std::map<std::string, std::string> out;
    if (object)
        for (const auto& member : object->object())
            out[member.key] = member.value.string() ? *member.value.string() : "?";
    return out;
}

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
