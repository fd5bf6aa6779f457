// Recipes in schema 2 against what a reference loader said of them, and real ones.
#include "core/base/json.h"
#include "core/check/check.h"
#include "tests/support/corpus.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace wb::check {
namespace {

namespace fs = std::filesystem;
namespace json = base::json;
using testing::HasSubstr;
using testing::IsEmpty;

Checked checked(const std::string& text, const Facts& facts = {}, const Options& options = {})
{
    return check(std::make_shared<syntax::SourceText>(text, "recipe.yaml"), facts, options);
}

std::string errorsOf(const Checked& result)
{
    std::string out;
    for (const syntax::Diagnostic& problem : result.diagnostics) {
        if (problem.severity == syntax::Severity::Error)
            out += std::string(syntax::id(problem)) + ": " + problem.message + "\n";
    }
    return out;
}

struct Exception {
    std::string_view name;
    std::string_view reason;
};
/// Cases whose verdict differs from the reference's on purpose: none.
constexpr std::array<Exception, 0> caseExceptions = {};

TEST(SecondCases, HaveTheVerdictAndTheNodesOfTheReference)
{
    SRTWB_NEEDS_SHARED("corpus/v2/cases.json");
    const auto cases = json::read(test::bytesOf(*test::shared("corpus/v2/cases.json")));
    ASSERT_TRUE(cases);
    EXPECT_EQ(cases->array().size(), 112U);
    for (const json::Value& one : cases->array()) {
        const std::string& name = *one.find("name")->string();
        const bool isException =
            std::any_of(caseExceptions.begin(), caseExceptions.end(), [&](const Exception& known) { return known.name == name; });
        if (isException)
            continue;
        Facts facts;
        facts.pack = schema::builtInPack("v2");
        const Checked result = checked(*one.find("recipe")->string(), facts);
        EXPECT_EQ(result.valid, one.find("valid")->boolean().value()) << name << "\n" << errorsOf(result);
        if (!result.valid) {
            for (const syntax::Diagnostic& problem : result.diagnostics)
                EXPECT_FALSE(problem.range.isEmpty()) << name << ": " << problem.message << " stands nowhere";
            continue;
        }
        ASSERT_EQ(result.variants.size(), 1U) << name;
        EXPECT_EQ(result.variants.front().counts.nodes, one.find("total_nodes")->integer().value()) << name;
        EXPECT_EQ(result.variants.front().counts.workerNodes, one.find("engine_nodes")->integer().value()) << name;
    }
}

TEST(SecondSweep, SaysThatACombinationIsLeftOutOnTheCluster)
{
    const Checked result = checked("schema: 2\n"
                                   "name: n\n"
                                   "model: {path: m, container: c, precision: fp8}\n"
                                   "resources: {gpu_type: h100, gpus_per_node: 8}\n"
                                   "engine: vllm\n"
                                   "roles:\n"
                                   "  agg: {nodes: 1, workers: 2, gpus: 4, args: {tensor-parallel-size: \"{tp}\"}}\n"
                                   "benchmark: {type: manual}\n"
                                   "sweep: {tp: [4, 8]}\n");
    ASSERT_EQ(result.variants.size(), 2U);
    const auto found = std::find_if(result.diagnostics.begin(), result.diagnostics.end(),
                                    [](const syntax::Diagnostic& d) { return d.code == syntax::Code::DoesNotFit; });
    ASSERT_NE(found, result.diagnostics.end()) << errorsOf(result);
    EXPECT_THAT(found->message, HasSubstr("tensor 8"));
    EXPECT_TRUE(std::any_of(found->notes.begin(), found->notes.end(), [](const syntax::Note& note) {
        return note.message.find("leaves such a combination out of the sweep") != std::string::npos;
    }));
}

std::vector<fs::path> recipesBelow(const char* folder)
{
    std::vector<fs::path> out;
    for (const auto& entry : fs::recursive_directory_iterator(*test::shared(folder))) {
        if (entry.path().extension() == ".yaml")
            out.push_back(entry.path());
    }
    std::sort(out.begin(), out.end());
    return out;
}

/// Published examples that carry keys of another state of 2.x.
constexpr std::array<Exception, 3> otherStates = {{
    {"power-noprof.yaml", "client_placement is a key of schema 1"},
    {"profiling-vllm.yaml", "set_cuda_visible_devices is called set_visible_devices"},
    {"vllm-failover.yaml", "failover has no restart of its own"},
}};

TEST(SecondRecipes, OfPublicCollectionsCheckClean)
{
    SRTWB_NEEDS_SHARED("corpus/v2/recipes");
    for (const char* const folder : {"corpus/v2/recipes/upstream", "corpus/v2/recipes/inferencex"}) {
        for (const fs::path& path : recipesBelow(folder)) {
            const Checked result = checked(test::bytesOf(path));
            EXPECT_EQ(result.pack, "v2") << path;
            const std::string name = path.filename().string();
            if (std::any_of(otherStates.begin(), otherStates.end(), [&](const Exception& known) { return known.name == name; })) {
                EXPECT_FALSE(result.valid) << path;
                continue;
            }
            for (const syntax::Diagnostic& problem : result.diagnostics)
                EXPECT_GE(problem.severity, syntax::Severity::Info) << path << ": " << problem.message;
            for (const CheckedVariant& variant : result.variants)
                EXPECT_TRUE(variant.job) << path;
        }
    }
}

TEST(SecondRecipes, OfOlderStatesAreRefused)
{
    SRTWB_NEEDS_SHARED("corpus/v2/recipes/upstream-older");
    for (const fs::path& path : recipesBelow("corpus/v2/recipes/upstream-older")) {
        const Checked result = checked(test::bytesOf(path));
        if (result.pack == "v1")
            EXPECT_TRUE(result.valid) << path << "\n" << errorsOf(result);
        else
            EXPECT_FALSE(result.valid) << path;
    }
}

const std::string frame = "name: n\nmodel: {path: p, container: c, precision: fp8}\nresources: {gpu_type: h100, gpus_per_node: 8}\n";

TEST(Language, IsChosenByTheKeysThatOnlySchema2Has)
{
    EXPECT_EQ(checked("schema: 2\nname: a\n").pack, "v2");
    EXPECT_EQ(checked("name: a\nroles: {}\n").pack, "v2");
    EXPECT_EQ(checked("base: {name: a, engine: sglang}\noverride_x: {}\n").pack, "v2");
    EXPECT_EQ(checked("name: a\nbackend: {type: sglang}\n").pack, "v1");
    EXPECT_EQ(checked("schema: 2\nname: a\n").schema, 2);
}

TEST(Language, DeclaredBesideBaseHoldsForEveryVariant)
{
    const Checked result = checked("schema: 2\nbase:\n  " +
                                   std::string("name: n\n  model: {path: p, container: c, precision: fp8}\n  resources: {gpu_type: h100}\n"
                                               "  roles: {agg: {nodes: 1, workers: 1}}\n") +
                                   "override_a: {}\nzip_override_b:\n  roles: {agg: {nodes: [1, 2]}}\n");
    EXPECT_TRUE(result.valid) << errorsOf(result);
    ASSERT_EQ(result.variants.size(), 3U);
    EXPECT_EQ(result.variants[2].counts.nodes, 2);
    EXPECT_EQ(syntax::at(result.variants[0].config, "schema")->integer, 2);
}

TEST(Language, OfSchema2SaysFindingsOfSharedRulesAndOfThePlanInItsOwnWords)
{
    const test::Marked yaml("schema: 2\n" + frame + "roles:\n  agg: {nodes: 1, [[workers]]: 3, gpus: [[8]]}\n");
    const Checked result = checked(yaml.text());
    ASSERT_FALSE(result.valid);
    const auto found = std::find_if(result.diagnostics.begin(), result.diagnostics.end(),
                                    [](const auto& problem) { return problem.severity == syntax::Severity::Error; });
    EXPECT_EQ(found->range, yaml.range(1)) << found->message;
    EXPECT_EQ(found->path, "roles.agg.gpus");
    EXPECT_THAT(found->message, testing::Not(HasSubstr("gpus_per_agg")));
}

TEST(Language, OfSchema2HasJobsWithoutWorkers)
{
    const Checked result =
        checked("schema: 2\n" + frame + "frontend: {type: none}\nservices:\n  - {name: train, command: [x], nodes: 3}\n");
    ASSERT_TRUE(result.valid) << errorsOf(result);
    EXPECT_EQ(result.variants.front().counts.nodes, 3);
    EXPECT_EQ(result.variants.front().counts.workerNodes, 0);
    EXPECT_EQ(result.variants.front().counts.gpusAllocated, 24);
    const plan::Plan plan = plan::plan(*result.variants.front().job, {});
    ASSERT_TRUE(plan.topology);
    EXPECT_EQ(plan.topology->nodes.size(), 3U);
    EXPECT_THAT(plan.topology->processes, IsEmpty());
}

TEST(Language, OfSchema2PutsPoolsBehindTheWorkers)
{
    const Checked result =
        checked("schema: 2\n" + frame + "roles: {agg: {nodes: 1, workers: 1}}\nservices:\n  - {name: train, command: [x], nodes: 2}\n");
    ASSERT_TRUE(result.valid) << errorsOf(result);
    EXPECT_EQ(result.variants.front().counts.nodes, 3);
    const plan::Plan plan = plan::plan(*result.variants.front().job, {});
    ASSERT_TRUE(plan.topology);
    EXPECT_THAT(plan.topology->workerNodes, testing::ElementsAre("node000"));
    EXPECT_THAT(plan.topology->nodes, testing::ElementsAre("node000", "node001", "node002"));
}

TEST(Language, OfSchema2DoesNotRefuseALayoutThatItCannotShow)
{
    const Checked result = checked("schema: 2\n" + frame + "engine: trtllm\nroles: {agg: {nodes: 3, workers: 2, gpus: 12}}\n");
    ASSERT_TRUE(result.valid) << errorsOf(result);
    EXPECT_EQ(result.variants.front().counts.nodes, 3);
    EXPECT_TRUE(std::any_of(result.diagnostics.begin(), result.diagnostics.end(), [](const syntax::Diagnostic& problem) {
        return problem.code == syntax::Code::NotRendered && problem.path == "roles.agg.gpus";
    }));
    EXPECT_FALSE(plan::plan(*result.variants.front().job, {}).topology);
}

TEST(ClusterOfSecond, HasItsOwnKeysAndItsOwnVerdict)
{
    const ClusterFile file = readCluster(std::make_shared<syntax::SourceText>("cluster: c\ndefault_gpu_type: gb200\n", "srtslurm.yaml"));
    EXPECT_FALSE(file.cluster) << "srtctl 1.x drops the file because of that key";
    ASSERT_TRUE(file.clusterOfSecond);
    const Facts facts = factsFor(file);
    const Checked second = checked(
        "schema: 2\nname: n\nmodel: {path: p, container: c, precision: fp8}\nresources: {}\nroles: {agg: {nodes: 1, workers: 1}}\n", facts);
    EXPECT_TRUE(second.valid) << errorsOf(second);
    EXPECT_EQ(syntax::at(second.variants.front().config, "resources.gpu_type")->text, "gb200");
    const Checked first = checked(
        "name: n\nmodel: {path: p, container: c, precision: fp8}\nresources: {gpu_type: h100, agg_nodes: 1, agg_workers: 1}\n", facts);
    EXPECT_FALSE(first.valid);
    EXPECT_THAT(errorsOf(first), HasSubstr("cluster file"));
}

} // namespace
} // namespace wb::check
