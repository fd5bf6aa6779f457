// The cluster file: found, checked like a recipe, and what it says about recipes.
#include "core/base/text.h"
#include "core/check/check.h"
#include "tests/support/marked.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace wb::check {
namespace {

namespace fs = std::filesystem;
using syntax::Code;
using syntax::Diagnostic;
using syntax::Severity;
using test::Marked;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view clusterText = R"(default_account: acct
gpus_per_node: 8
model_paths:
  dsr1: /models/DeepSeek-R1
  glm-5: /models/GLM-5
containers:
  dynamo-sglang: [[/images/sglang-v0.5.8.sqsh]]
  nginx: nginx:1.27.4
)";

Facts facts(const Marked& cluster = Marked(clusterText))
{
    return factsFor(readCluster(cluster.source("srtslurm.yaml")));
}

std::string recipe(const std::string& model, const std::string& rest = {})
{
    return "name: n\nmodel: " + model + "\nresources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n" + rest;
}

std::vector<Diagnostic> of(const Checked& checked, Code code)
{
    std::vector<Diagnostic> out;
    for (const Diagnostic& problem : checked.diagnostics) {
        if (problem.code == code)
            out.push_back(problem);
    }
    return out;
}

TEST(ClusterFile, IsCheckedLikeARecipeWhenItIsNamed)
{
    const Marked yaml("default_account: a\n[[default_acount]]: b\n");
    const Checked checked = check(yaml.source("srtslurm.yaml"), {});
    EXPECT_EQ(checked.pack, "cluster");
    EXPECT_FALSE(checked.valid);
    EXPECT_THAT(checked.variants, IsEmpty());
    ASSERT_THAT(checked.diagnostics, SizeIs(1));
    const Diagnostic& problem = checked.diagnostics[0];
    EXPECT_EQ(problem.range, yaml.range());
    EXPECT_EQ(problem.source, syntax::Source::Cluster);
    EXPECT_EQ(checked.clusterSource, checked.source) << "places of the cluster file count in this text";
    ASSERT_THAT(problem.notes, SizeIs(1));
    EXPECT_THAT(problem.notes[0].message, HasSubstr("srtctl drops the whole file"));
    EXPECT_THAT(problem.fixes, IsEmpty()) << "the key that is near stands there already";
    EXPECT_TRUE(check(Marked(clusterText).source(), {}).valid);
    EXPECT_EQ(check(Marked(recipe("{path: /p, container: c, precision: fp8}")).source(), {}).pack, "v1");
    EXPECT_TRUE(isClusterFile(checked));
    EXPECT_FALSE(isClusterFile(check(Marked(recipe("{path: /p, container: c, precision: fp8}")).source(), {})));
}

TEST(ClusterFile, IsGoodWhereOnlyTheSecondVersionOfSrtctlTakesIt)
{
    const Marked yaml("default_account: a\n[[default_gpu_type]]: gb200\n");
    const Checked checked = check(yaml.source("srtslurm.yaml"), {});
    EXPECT_EQ(checked.pack, "cluster-v2");
    EXPECT_TRUE(checked.valid);
    ASSERT_THAT(checked.diagnostics, SizeIs(1));
    EXPECT_EQ(checked.diagnostics[0].severity, Severity::Warning);
    EXPECT_EQ(checked.diagnostics[0].range, yaml.range());
    EXPECT_THAT(checked.diagnostics[0].notes.at(0).message, HasSubstr("srtctl 1.x drops the whole of it"));
}

TEST(ClusterFile, IsOneAlsoWhenItIsBroken)
{
    for (const std::string& text :
         {std::string("default_account: a\n[[default_account]]: b\n"), std::string("default_account: a\n[[\t]]gpus_per_node: 8\n")}) {
        const Marked marked(text);
        const Checked checked = check(marked.source("srtslurm.yaml"), {});
        ASSERT_TRUE(checked.pack) << text;
        EXPECT_TRUE(isClusterFile(checked)) << text;
        for (const Diagnostic& problem : checked.diagnostics)
            EXPECT_NE(problem.code, Code::UnknownKey) << problem.message;
        EXPECT_FALSE(checked.valid);
    }
    // What recipes have, too, says nothing of a file that could be read in part only.
    const Checked recipe = check(Marked("telemetry: {}\ntelemetry: {}\n").source(), {});
    EXPECT_FALSE(isClusterFile(recipe));
}

TEST(ClusterFile, IsNoRecipeInAFolder)
{
    Options found;
    found.isNamed = false;
    EXPECT_EQ(check(Marked(clusterText).source(), {}, found).pack, std::nullopt);
}

TEST(ClusterFile, IsReadByThePackThatIsGiven)
{
    Facts given;
    given.pack = schema::builtInPack("cluster");
    const Checked checked = check(Marked("name: n\n").source(), given);
    EXPECT_EQ(checked.pack, "cluster");
    EXPECT_FALSE(checked.valid);
}

TEST(ClusterFile, IsDroppedBySrtctlForWhateverIsWrong)
{
    for (const char* text : {"", "# nothing\n", "[1]\n", "use_het_jobs: null\n", "unknown: 1\n", "default_account: 7\n", "a: [\n"}) {
        const ClusterFile file = readCluster(std::make_shared<syntax::SourceText>(text, "srtslurm.yaml"));
        EXPECT_FALSE(file.cluster) << text;
        EXPECT_TRUE(syntax::hasErrors(file.diagnostics)) << text;
        for (const Diagnostic& problem : file.diagnostics)
            EXPECT_EQ(problem.source, syntax::Source::Cluster) << text;
        const Checked checked = check(Marked(recipe("{path: /p, container: c, precision: fp8}")).source(), factsFor(file));
        EXPECT_FALSE(checked.valid) << text;
        EXPECT_THAT(of(checked, Code::ClusterFile), SizeIs(1)) << text;
    }
}

TEST(ClusterFile, GivesNamesWhereverAnImageOrAModelIsNamed)
{
    const Checked checked =
        check(Marked(recipe("{path: dsr1, container: dynamo-sglang, precision: fp8}",
                            "frontend: {nginx_container: nginx}\nbenchmark: {type: custom, command: c, container_image: dynamo-sglang}\n"
                            "observability: {enabled: true, tachometer: {enabled: true, dcgm_exporter: {container_image: nginx, port: 1}, "
                            "node_exporter: {container_image: nginx, port: 2}}}\n"))
                  .source(),
              facts());
    ASSERT_THAT(checked.variants, SizeIs(1));
    const syntax::ValuePtr config = checked.variants[0].config;
    const auto text = [&](std::string_view path) { return syntax::at(config, path)->text; };
    EXPECT_EQ(text("model.path"), "/models/DeepSeek-R1");
    EXPECT_EQ(text("model.container"), "/images/sglang-v0.5.8.sqsh");
    EXPECT_EQ(text("frontend.nginx_container"), "nginx:1.27.4");
    EXPECT_EQ(text("benchmark.container_image"), "/images/sglang-v0.5.8.sqsh");
    EXPECT_EQ(text("observability.tachometer.dcgm_exporter.container_image"), "nginx:1.27.4");
    EXPECT_EQ(text("observability.tachometer.node_exporter.container_image"), "nginx:1.27.4");
    EXPECT_THAT(of(checked, Code::UnknownAliasName), IsEmpty());
}

TEST(ClusterFile, TellsANameThatItLacks)
{
    const Marked yaml(recipe("{path: [[dsr2]], container: [[dynamo-sglagn]], precision: fp8}"));
    const Checked checked = check(yaml.source(), facts());
    const auto found = of(checked, Code::UnknownAliasName);
    ASSERT_THAT(found, SizeIs(2));
    EXPECT_EQ(found[0].range, yaml.range(0));
    EXPECT_EQ(found[1].range, yaml.range(1));
    EXPECT_EQ(found[1].severity, Severity::Warning);
    ASSERT_THAT(found[1].fixes, SizeIs(1));
    EXPECT_THAT(syntax::applyEdits(yaml.text(), found[1].fixes[0].edits), HasSubstr("container: \"dynamo-sglang\""));
    EXPECT_TRUE(checked.valid) << "the name may be known elsewhere";
}

TEST(ClusterFile, TakesPathsImagesAndHubNamesForWhatTheyAre)
{
    for (const char* model :
         {"{path: /p, container: ./c.sqsh, precision: fp8}", "{path: \"hf:org/model\", container: \"org/image:1\", precision: fp8}",
          "{path: $MODELS/x, container: \"nvcr.io#a/b:1\", precision: fp8}"})
        EXPECT_THAT(of(check(Marked(recipe(model)).source(), facts()), Code::UnknownAliasName), IsEmpty()) << model;
    EXPECT_THAT(of(check(Marked(recipe("{path: some-name, container: c, precision: fp8}")).source(), {}), Code::UnknownAliasName),
                IsEmpty())
        << "without a cluster file nothing is known of names";
}

TEST(ClusterFile, SaysThatItsNumberOfGpusIsNotTaken)
{
    const Marked yaml(
        "name: n\nmodel: {path: dsr1, container: nginx, precision: fp8}\n[[resources]]: {gpu_type: h100, agg_nodes: 1, agg_workers: 1}\n");
    const auto found = of(check(yaml.source(), facts()), Code::ClusterFile);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].severity, Severity::Hint);
    EXPECT_EQ(found[0].range, yaml.range());
    EXPECT_THAT(found[0].message, HasSubstr("8 GPUs in a node, but srtctl does not read it there and counts with 4"));
    EXPECT_EQ(syntax::at(check(yaml.source(), facts()).variants.at(0).config, "resources.gpus_per_node")->integer, 4) << "as srtctl counts";
    EXPECT_THAT(of(check(Marked(recipe("{path: dsr1, container: nginx, precision: fp8}")).source(), facts()), Code::ClusterFile),
                IsEmpty());
}

TEST(ClusterFile, TellsTheVersionOfAnImageByItsFileOrByItsAlias)
{
    const std::string flags = "backend: {type: sglang, sglang_config: {aggregated: {enable-ep-moe: true}}}\n";
    const auto standing = [&](const std::string& container, const std::string& cluster) {
        std::string messages;
        for (const Diagnostic& problem :
             check(Marked(recipe("{path: dsr1, container: \"" + container + "\", precision: fp8}", flags)).source(), facts(Marked(cluster)))
                 .diagnostics)
            messages += problem.rule == "flag-standing" ? problem.message : "";
        return messages;
    };
    EXPECT_THAT(standing("image", "model_paths: {dsr1: /m}\ncontainers: {image: /images/sglang-v0.5.8.sqsh}\n"),
                HasSubstr("the image is newer"));
    EXPECT_THAT(standing("0.5.8", "model_paths: {dsr1: /m}\ncontainers: {\"0.5.8\": /images/latest.sqsh}\n"),
                HasSubstr("the image is newer"));
    EXPECT_EQ(standing("0.5.2", "model_paths: {dsr1: /m}\ncontainers: {\"0.5.2\": /images/latest.sqsh}\n"), "")
        << "that image still has the flag";
}

// --- definitions ---------------------------------------------------------------------------------------------------------------------

TEST(DefinitionOf, ANameIsInTheClusterFile)
{
    const Marked cluster(clusterText);
    const Marked yaml(recipe("{path: ds^r1, container: dynamo-^sglang, prec^ision: fp8}"));
    const Checked checked = check(yaml.source(), facts(cluster));
    const auto model = definitionOf(checked, yaml.cursor(0));
    ASSERT_TRUE(model);
    EXPECT_EQ(model->source, syntax::Source::Cluster);
    EXPECT_EQ(model->text, "/models/DeepSeek-R1");
    EXPECT_EQ(cluster.text().substr(model->range.begin, model->range.end - model->range.begin), "/models/DeepSeek-R1");
    const auto image = definitionOf(checked, yaml.cursor(1));
    ASSERT_TRUE(image);
    EXPECT_EQ(image->range, cluster.range());
    EXPECT_FALSE(definitionOf(checked, yaml.cursor(2)));
    EXPECT_FALSE(definitionOf(check(yaml.source(), {}), yaml.cursor(0))) << "no cluster file";
}

TEST(DefinitionOf, ANameInAnOverrideIsFoundInItsVariant)
{
    const Marked yaml(
        "base:\n  name: n\n  model: {path: /p, container: c, precision: fp8}\n  resources: {gpu_type: h100, agg_nodes: 1, agg_workers: 1}\n"
        "override_a:\n  model: {path: gl^m-5}\n");
    const auto found = definitionOf(check(yaml.source(), facts()), yaml.cursor());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->text, "/models/GLM-5");
}

TEST(DefinitionOf, AnAliasIsAtItsAnchor)
{
    const Marked yaml(recipe("{path: &p [[/p]], container: *^p, precision: fp8}"));
    const auto found = definitionOf(check(yaml.source(), {}), yaml.cursor());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->source, syntax::Source::Recipe);
    EXPECT_EQ(found->range, yaml.range());
}

// --- search --------------------------------------------------------------------------------------------------------------------------

class ClusterSearch : public testing::Test
{
protected:
    ClusterSearch() { fs::create_directories(m_folder / "a" / "b" / "c"); }

    std::string write(const fs::path& below) const
    {
        std::ofstream(m_folder / below) << "cluster: c\n";
        return (m_folder / below).string();
    }
    [[nodiscard]] std::string in(const fs::path& below) const { return (m_folder / below).string(); }

private:
    const test::TemporaryFolder m_own; // tests run side by side
    const fs::path m_folder = m_own.path();
};

TEST_F(ClusterSearch, GoesUpTwoFoldersAndNoFurther)
{
    EXPECT_EQ(findClusterFile("", in("a/b/c")).path, "");
    const std::string above = write("a/srtslurm.yaml");
    EXPECT_EQ(findClusterFile("", in("a/b/c")).path, above);
    EXPECT_EQ(findClusterFile("", in("a")).path, above);
    const std::string nearer = write("a/b/srtslurm.yaml");
    EXPECT_EQ(findClusterFile("", in("a/b/c")).path, nearer) << "the nearest one wins";
    fs::remove(above);
    fs::remove(nearer);
    write("srtslurm.yaml");
    EXPECT_EQ(findClusterFile("", in("a/b/c")).path, "") << "three folders up is too far";
}

TEST_F(ClusterSearch, EndsAtTheFileThatTheEnvironmentNames)
{
    write("a/srtslurm.yaml");
    const std::string named = write("other.yaml");
    EXPECT_EQ(findClusterFile(named, in("a")).path, named);
    const FoundCluster missing = findClusterFile(in("none.yaml"), in("a"));
    EXPECT_EQ(missing.path, "") << "no further search";
    EXPECT_THAT(missing.warning, HasSubstr("does not exist"));
}

TEST(ClusterFile, IsTheSourceOfAnUnknownKeyOfItsDefaults)
{
    const Marked cluster("default_health_check:\n  max_attempts: 5\n  [[max_attemps]]: 6\n");
    const ClusterFile file = readCluster(cluster.source("srtslurm.yaml"));
    ASSERT_TRUE(file.cluster);
    const Checked checked = check(Marked(recipe("{path: p, container: c, precision: fp8}")).source(), factsFor(file));
    const std::vector<Diagnostic> found = of(checked, Code::UnknownKey);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].source, syntax::Source::Cluster);
    EXPECT_EQ(found[0].range, cluster.range());
}

TEST(Switches, OfAnEngineAreNotOfferedQuotes)
{
    const auto titlesOf = [](const std::string& rest) {
        const Checked checked = check(Marked(recipe("{path: p, container: c, precision: fp8}", rest)).source(), {});
        std::vector<std::string> out;
        for (const Diagnostic& problem : of(checked, Code::WordBoolean)) {
            for (const syntax::Fix& fix : problem.fixes)
                out.push_back(fix.title);
        }
        return out;
    };
    EXPECT_THAT(titlesOf("backend: {sglang_config: {aggregated: {disable-radix-cache: yes}}}\n"), testing::ElementsAre("Change to true"));
    EXPECT_THAT(titlesOf("backend: {sglang_config: {aggregated: {served-model-name: yes}}}\n"),
                testing::ElementsAre("Change to true", "Put it in quotes"));
}

TEST(ClusterFile, IsThePlaceOfAnOptionThatItGives)
{
    const Marked cluster("default_sbatch_directives: {[[\"a b\"]]: c, \"--d\": e}\n");
    const Checked checked = check(Marked(recipe("{path: /m, container: /c, precision: fp8}")).source(), facts(cluster));
    std::vector<Diagnostic> found = of(checked, Code::Rule);
    ASSERT_THAT(found, SizeIs(2));
    std::sort(found.begin(), found.end(), [](const Diagnostic& a, const Diagnostic& b) { return a.range < b.range; });
    EXPECT_EQ(found[0].source, syntax::Source::Cluster);
    EXPECT_EQ(found[0].range, cluster.range());
    EXPECT_THAT(found[1].fixes, IsEmpty()) << "an edit would go into the recipe";
}

TEST_F(ClusterSearch, FindsWhatCannotBeRead)
{
    const fs::path inner = fs::path(testing::TempDir()) / "unreadable_cluster";
    fs::remove_all(inner);
    fs::create_directories(inner / "folder" / "srtslurm.yaml");
    fs::create_directories(inner / "loop");
    fs::create_directories(inner / "dangling");
    fs::create_symlink("srtslurm.yaml", inner / "loop" / "srtslurm.yaml");
    fs::create_symlink("nowhere", inner / "dangling" / "srtslurm.yaml");
    EXPECT_EQ(findClusterFile({}, (inner / "folder").string()).path, (inner / "folder" / "srtslurm.yaml").string());
    EXPECT_EQ(findClusterFile({}, (inner / "loop").string()).path, (inner / "loop" / "srtslurm.yaml").string());
    const FoundCluster dangling = findClusterFile({}, (inner / "dangling").string());
    EXPECT_EQ(dangling.path, "");
    EXPECT_THAT(dangling.warning, HasSubstr("is a link to a file that does not exist"));
    fs::remove_all(inner);
}

} // namespace
} // namespace wb::check
