// The steps of every job of the corpus against those of the reference: infrastructure, workers, frontends, benchmark.
#include "core/plan/paths.h"
#include "core/render/artifact.h"
#include "core/render/portable.h"
#include "core/render/steps.h"
#include "tests/support/corpus.h"
#include "tests/support/golden.h"
#include "tests/support/launches.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

namespace wb::render {
namespace {

using base::json::Value;
using test::inTheirTerms;
using test::textMap;
using test::texts;

/// Where we differ from the reference on purpose: the only places at which the comparison gives way. To add one: a row, with the reason.
struct Difference {
    std::string_view what;
    std::string_view reason;
    std::size_t jobs; ///< In how many jobs of the corpus it shows.
};
constexpr Difference deliberate[] = {
    {"text of a custom benchmark", "The reference masks it as <inline script>, so only its place, variables and options are compared.", 2},
    {"telemetry", "The reference lists no step of it; services_test.cpp has the facts.", 1},
};

recipe::Cluster clusterOfReference()
{
    recipe::Cluster cluster = test::goldenCluster("gb200");
    cluster.srtctlRoot = plan::unknownRoot; // the reference ran with folders of its own, masked by the same names
    cluster.outputDir = "<OUT>";
    return cluster;
}

std::vector<std::string> inTheirTerms(const std::vector<std::string>& words)
{
    std::vector<std::string> out;
    for (const std::string& word : words)
        out.push_back(test::inTheirTerms(word));
    return out;
}

std::map<std::string, std::string> environmentOf(const Step& step)
{
    std::map<std::string, std::string> out;
    for (const Variable& variable : step.launch.environment)
        out[variable.name] = inTheirTerms(variable.value);
    EXPECT_EQ(out.size(), step.launch.environment.size()) << "a name stands once";
    return out;
}

/// Each flag with its values as one text, sorted: the arguments of frontends stand in the order of the file, which golden configurations
/// have lost (corpus_test.cpp compares them in order, from the files).
std::vector<std::string> flagsSorted(const std::vector<std::string>& words)
{
    std::vector<std::string> out;
    for (const std::string& word : words) {
        if (out.empty() || word.starts_with("--"))
            out.push_back(word);
        else
            out.back() += " " + word;
    }
    std::sort(out.begin(), out.end());
    return out;
}

bool isTrue(const Value& facts, std::string_view key, bool otherwise)
{
    const Value* value = facts.find(key);
    return value ? value->boolean().value_or(otherwise) : otherwise;
}

void expectStep(const Step& step, const Value& facts, const recipe::Cluster& cluster, std::size_t& masked)
{
    EXPECT_EQ(name(step.phase), test::textAt(facts, "phase"));
    const std::vector<std::string> command = texts(facts.find("command"));
    if (step.isInlineText && command == std::vector<std::string>{"<inline script>"}) {
        ++masked;
        EXPECT_EQ(step.launch.command.size(), 3U);
    } else if (step.phase == Phase::Frontend) {
        EXPECT_EQ(flagsSorted(inTheirTerms(step.launch.command)), flagsSorted(command));
    } else {
        EXPECT_EQ(inTheirTerms(step.launch.command), command);
    }
    EXPECT_EQ(environmentOf(step), textMap(facts.find("env_to_set")));
    EXPECT_EQ(step.launch.nodes, texts(facts.find("nodelist")));
    EXPECT_EQ(inTheirTerms(plan::logFolder(cluster)) + "/" + step.log, test::textAt(facts, "output"));
    EXPECT_EQ(step.image, test::textAt(facts, "container_image"));
    const std::map<std::string, std::string> options(step.launch.srunOptions.begin(), step.launch.srunOptions.end());
    EXPECT_EQ(options, textMap(facts.find("srun_options")));
    EXPECT_EQ(step.launch.mpi, test::textAt(facts, "mpi"));
    EXPECT_EQ(step.launch.cpuBind, test::textAt(facts, "cpu_bind"));
    EXPECT_EQ(step.launch.isOversubscribed, isTrue(facts, "oversubscribe", false));
    EXPECT_EQ(step.launch.installsDynamo, isTrue(facts, "installs_dynamo", false));
    EXPECT_EQ(step.usesShell, isTrue(facts, "use_bash_wrapper", true));
    EXPECT_EQ(step.remapsRoot,
              textMap(facts.find("srun_export_env")) == (std::map<std::string, std::string>{{"ENROOT_REMAP_ROOT", "yes"}}));
    if (const Value* tasks = facts.find("ntasks")) {
        EXPECT_EQ(step.launch.tasks, tasks->integer());
    }
}

TEST(LaunchesGolden, StartWhatTheReferenceStarts)
{
    SRTWB_NEEDS_SHARED("corpus/v1/golden/gb200");
    const recipe::Cluster cluster = clusterOfReference();
    std::map<std::string, std::size_t> compared;
    std::set<std::string> differing;
    std::size_t masked = 0;
    std::size_t telemetry = 0;
    for (const test::GoldenJob& golden : test::goldenJobs("gb200")) {
        SCOPED_TRACE(golden.label);
        const Value* facts = golden.facts->find("launches");
        const plan::Plan plan = plan::plan(golden.job, cluster);
        ASSERT_TRUE(facts && plan.topology);
        std::vector<Step> made = steps(golden.job, cluster, *plan.topology);
        telemetry += std::erase_if(made, [](const Step& step) { return step.phase == Phase::Telemetry; }) > 0 ? 1 : 0;
        ASSERT_EQ(made.size(), facts->array().size());
        for (std::size_t i = 0; i < made.size(); ++i) {
            SCOPED_TRACE(made[i].launch.name);
            expectStep(made[i], facts->array()[i], cluster, masked);
            ++compared[std::string(name(made[i].phase))];
        }
        if (HasFailure())
            return; // one job tells the story
    }
    EXPECT_EQ(compared["infra"], 680U);
    EXPECT_EQ(compared["workers"], 4264U);
    EXPECT_EQ(compared["frontend"], 2930U);
    EXPECT_EQ(compared["benchmark"], 679U);
    EXPECT_EQ(masked, deliberate[0].jobs);
    EXPECT_EQ(telemetry, deliberate[1].jobs);
}

TEST(LaunchesGolden, WaitForTheWorkersOfTheReference)
{
    SRTWB_NEEDS_SHARED("corpus/v1/golden/gb200");
    const recipe::Cluster cluster = clusterOfReference();
    std::size_t compared = 0;
    for (const test::GoldenJob& golden : test::goldenJobs("gb200")) {
        SCOPED_TRACE(golden.label);
        const Value* facts = golden.facts->find("healthy_when");
        const plan::Plan plan = plan::plan(golden.job, cluster);
        ASSERT_TRUE(facts && facts->array().size() == 4 && plan.topology);
        const Health made = health(golden.job, *plan.topology);
        EXPECT_EQ(made.prefill, facts->array()[0].integer());
        EXPECT_EQ(made.others, facts->array()[1].integer());
        EXPECT_EQ(made.text, *facts->array()[2].string());
        ++compared;
    }
    EXPECT_EQ(compared, 682U);
}

/// What the portable launcher does otherwise than srtctl, in the jobs that both take. Everything else of a step is the same.
constexpr Difference portable[] = {
    {"infra", "nats-server and etcd run as plain processes of the host, from the folder that the profile names, with data of their own.",
     0},
    {"nginx", "Paths of the log folder are passed as words, so that they hold for plain processes too.", 0},
    {"sa-bench", "The client of the engine in the image measures: nothing of srtctl is on the cluster.", 0},
    {"mpi", "Each step has one task, so none is started through MPI.", 0},
    {"--dump-config-to", "The file lies below /logs, which is there in the container; the host's path is not.", 0},
};

/// The words without the place of the configuration dump, which differs on purpose.
std::vector<std::string> withoutDump(std::vector<std::string> words)
{
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (words[i] == "--dump-config-to")
            words[i + 1] = "<dump>";
    }
    return words;
}

TEST(PortableGolden, StartsWhatSrtctlStartsButForListedDifferences)
{
    SRTWB_NEEDS_SHARED("corpus/v1/golden/gb200");
    EXPECT_EQ(std::size(portable), 5U);
    const recipe::Cluster cluster = clusterOfReference();
    Context context{.launcher = Launcher::Portable, .servicesFolder = "/srv/services"};
    std::size_t compared = 0;
    std::map<std::string, std::size_t> reasons;
    std::size_t taken = 0;
    for (const test::GoldenJob& golden : test::goldenJobs("gb200")) {
        SCOPED_TRACE(golden.label);
        const std::vector<Refusal> refused = refusals(golden.job, cluster, context);
        if (!refused.empty()) {
            EXPECT_FALSE(refused.front().key.empty());
            ++reasons[refused.front().key];
            continue;
        }
        ++taken;
        const plan::Plan plan = plan::plan(golden.job, cluster);
        ASSERT_TRUE(plan.topology);
        const std::vector<Step> theirs = steps(golden.job, cluster, *plan.topology);
        const std::vector<Step> ours = portableJob(golden.job, cluster, *plan.topology, context).steps;
        std::map<std::string, const Step*> byName;
        for (const Step& step : ours)
            byName[step.launch.name] = &step;
        for (const Step& step : theirs) {
            const auto found = byName.find(step.launch.name);
            if (found == byName.end()) {
                EXPECT_EQ(step.phase, Phase::Infra);
                EXPECT_EQ(golden.job.frontend.type, "sglang") << "only SGLang's router goes without nats and etcd";
                continue;
            }
            const Step& own = *found->second;
            EXPECT_EQ(own.launch.nodes, step.launch.nodes);
            EXPECT_EQ(own.log, step.log);
            EXPECT_EQ(own.launch.environment, step.launch.environment);
            EXPECT_EQ(own.launch.unset, step.launch.unset);
            if (step.phase == Phase::Infra || step.role == "nginx" || step.role == "sa-bench")
                continue;
            EXPECT_EQ(withoutDump(own.launch.command), withoutDump(step.launch.command));
            ++compared;
        }
        if (HasFailure())
            return;
    }
    EXPECT_GE(taken, 300U);
    EXPECT_GT(compared, 3000U);
    RecordProperty("taken", static_cast<int>(taken));
    std::string told = "The portable launcher takes " + std::to_string(taken) + " of 682 jobs; first refusals:";
    for (const auto& [key, count] : reasons)
        told += " " + key + " " + std::to_string(count);
    std::cout << told << "\n";
}

} // namespace
} // namespace wb::render
