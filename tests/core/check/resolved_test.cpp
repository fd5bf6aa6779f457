// The recipe of a variant as a text: it must stand for the very job that the variant is, for every real recipe.
#include "core/check/check.h"
#include "core/check/equality.h"
#include "core/expand/provenance.h"
#include "core/expand/resolved.h"
#include "tests/support/corpus.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace wb::check {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Checked checkedText(const std::string& text, const Facts& facts = {}, const Options& options = {})
{
    return check(std::make_shared<syntax::SourceText>(text, "recipe.yaml"), facts, options);
}

Facts factsOf(const std::string& cluster)
{
    const fs::path path = *test::shared("corpus/clusters/" + cluster + ".yaml");
    return factsFor(readCluster(std::make_shared<syntax::SourceText>(test::bytesOf(path), path.string())));
}

std::vector<fs::path> corpusRecipes()
{
    std::vector<fs::path> out;
    for (const std::string_view folder : {"corpus/v1/recipes", "corpus/v1/examples", "corpus/v1/invalid"}) {
        for (const auto& entry : fs::recursive_directory_iterator(*test::shared(folder))) {
            if (entry.path().extension() == ".yaml")
                out.push_back(entry.path());
        }
    }
    return out;
}

std::set<std::string> commentsOf(const std::string& text)
{
    std::set<std::string> out;
    for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', text.find('\n', at)))
        out.insert(text.substr(at, text.find('\n', at) - at));
    return out;
}

const std::string recipe = "name: n\n"
                           "model: {path: hf:org/model, container: image:1, precision: fp8}\n"
                           "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
                           "backend: {type: vllm}\n";

std::string asBase(const std::string& text)
{
    std::string out = "base:\n";
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at) + 1;
        out += "  " + text.substr(at, end - at);
        at = end;
    }
    return out;
}

bool hasCode(const Checked& checked, syntax::Code code)
{
    return std::any_of(checked.diagnostics.begin(), checked.diagnostics.end(), [&](const syntax::Diagnostic& d) { return d.code == code; });
}

std::map<std::string, std::string> originsOf(const CheckedVariant& variant)
{
    std::map<std::string, std::string> out;
    for (const expand::Origin& origin : expand::provenance(variant.variant, variant.config))
        out[origin.path] = origin.from;
    return out;
}

TEST(Resolved, StandsForTheSameJobForEveryVariantOfTheCorpus)
{
    SRTWB_NEEDS_SHARED("corpus/v1");
    const Facts facts = factsOf("gb200");
    std::size_t variants = 0;
    for (const fs::path& path : corpusRecipes()) {
        const Checked checked = checkedText(test::bytesOf(path), facts);
        if (!checked.parsed.complete)
            continue;
        for (std::size_t i = 0; i < checked.variants.size(); ++i) {
            const CheckedVariant& variant = checked.variants[i];
            if (!variant.variant.document || !variant.variant.document->isMapping())
                continue;
            SCOPED_TRACE(path.string() + " " + variant.variant.suffix.value_or(variant.name));
            const std::string text = resolvedYaml(checked, i);
            const syntax::Parsed read = syntax::parse(std::make_shared<syntax::SourceText>(text));
            ASSERT_TRUE(read.complete) << text;
            EXPECT_TRUE(syntax::sameData(*read.root, *variant.variant.document)) << text;
            if (!variant.job)
                continue;
            const Checked again = checkedText(text, facts);
            ASSERT_EQ(again.variants.size(), 1U);
            EXPECT_EQ(difference(variant, again.variants.front()), std::nullopt) << text;
            ++variants;
        }
    }
    EXPECT_GE(variants, 682U);
}

TEST(Resolved, KeepsEveryCommentOfBaseThatItsVariantDoesNotDelete)
{
    SRTWB_NEEDS_SHARED("corpus/v1/recipes");
    const fs::path path = *test::shared("corpus/v1/recipes/gb300-fp8/glm5.yaml");
    const std::string source = test::bytesOf(path);
    const Checked checked = checkedText(source);
    ASSERT_EQ(checked.variants.size(), 28U);
    const std::set<std::string> ofBase = commentsOf(source.substr(0, source.find("################# 8k1k")));
    for (std::size_t i = 0; i < checked.variants.size(); ++i) {
        const std::set<std::string> kept = commentsOf(resolvedYaml(checked, i));
        for (const std::string& comment : ofBase)
            EXPECT_TRUE(kept.contains(comment)) << checked.variants[i].name << " lost " << comment;
    }
}

TEST(Resolved, GivesAPlainFileBackByteForByte)
{
    const std::string text = "# c\n" + recipe + "\n\n# end";
    EXPECT_EQ(resolvedYaml(checkedText(text), 0), text);
}

TEST(Resolved, DoesWhatUpstreamsWriterGetsWrong)
{
    const Checked checked = checkedText(asBase(recipe) + "  slurm: {time_limit: \"12:00:00\", account: a}\n"
                                                         "  environment: {A: \"yes\", B: 'on', C: \"1:30\", GONE: x}\n"
                                                         "zip_override_z:\n  environment:\n    GONE: [null, left]\n"
                                                         "override_base:\n  slurm: {account: mine}\n"
                                                         "override_z_0:\n  slurm: {account: other}\n");
    std::map<std::string, std::string> texts;
    for (std::size_t i = 0; i < checked.variants.size(); ++i)
        texts[checked.variants[i].variant.section] = resolvedYaml(checked, i);
    EXPECT_THAT(texts["zip_override_z[0]"], Not(HasSubstr("GONE"))) << "a null in a zip deletes";
    EXPECT_THAT(texts["zip_override_z[1]"], HasSubstr("GONE: left"));
    EXPECT_THAT(texts["zip_override_z[0]"],
                AllOf(HasSubstr("\"12:00:00\""), HasSubstr("\"yes\""), HasSubstr("'on'"), HasSubstr("\"1:30\"")));
    EXPECT_THAT(texts["override_base"], HasSubstr("account: mine")) << "override_base has its changes";
    EXPECT_THAT(texts["override_z_0"], HasSubstr("account: other"));
    EXPECT_FALSE(checked.valid) << "clashing suffixes are told";
}

TEST(Resolved, FillsASweepInPlace)
{
    const Checked checked = checkedText("# head\n" + recipe +
                                        "benchmark: # load\n  type: sa-bench\n  concurrencies: \"{c}\" # how many\n"
                                        "sweep:\n  c: [[4], [8]] # two\n");
    ASSERT_EQ(checked.variants.size(), 2U);
    EXPECT_EQ(resolvedYaml(checked, 1), "# head\nname: \"n_c[8]\"\n" + recipe.substr(recipe.find('\n') + 1) +
                                            "benchmark: # load\n  type: sa-bench\n  concurrencies: [8] # how many\n");
}

TEST(Provenance, NamesTheLayerOfEveryValue)
{
    const fs::path cluster = test::own("recipes/cluster/srtslurm.yaml");
    const ClusterFile file = readCluster(std::make_shared<syntax::SourceText>(test::bytesOf(cluster), cluster.string()));
    ASSERT_TRUE(file.cluster);
    Options options;
    options.expansion.settings = {{"health_check.max_attempts", "7", false}, {"environment.\"x\"", "", true}};
    const Checked checked = checkedText(asBase(recipe) + "  observability: {enabled: true}\n  dynamo: {hash: abc}\n"
                                                         "  environment: {a.b: c, x: y}\n"
                                                         "  benchmark: {type: sa-bench, isl: \"{isl}\", osl: 8, concurrencies: [4]}\n"
                                                         "  sweep: {isl: [1, 2]}\n"
                                                         "override_o: {resources: {gpus_per_node: 4}}\n"
                                                         "zip_override_z: {benchmark: {osl: [1, 2]}}\n",
                                        factsFor(file), options);
    ASSERT_EQ(checked.variants.size(), 6U);
    const auto plain = originsOf(checked.variants[0]);
    EXPECT_EQ(plain.at("resources.gpu_type"), "base");
    EXPECT_EQ(plain.at("resources.gpus_per_node"), "override_o");
    EXPECT_EQ(plain.at("name"), "sweep");
    EXPECT_EQ(plain.at("benchmark.isl"), "sweep");
    EXPECT_EQ(plain.at("benchmark.concurrencies"), "base");
    EXPECT_EQ(plain.at("health_check.max_attempts"), "--set");
    EXPECT_EQ(plain.at("health_check.interval_seconds"), "default");
    EXPECT_EQ(plain.at("slurm.partition"), "cluster");
    EXPECT_EQ(plain.at("frontend.env.DYN_LOG"), "computed");
    EXPECT_EQ(plain.at("dynamo.hash"), "base");
    EXPECT_EQ(plain.at("dynamo.version"), "computed");
    EXPECT_EQ(plain.at("environment.\"a.b\""), "base");
    EXPECT_FALSE(plain.contains("environment.x")) << "--unset takes a key in quotes, too";
    const auto zip = originsOf(checked.variants[4]);
    EXPECT_EQ(zip.at("benchmark.osl"), "zip_override_z[1]");
    EXPECT_EQ(zip.at("resources.gpus_per_node"), "base");
}

TEST(Provenance, TellsTheTruthForEveryVariantOfTheCorpus)
{
    SRTWB_NEEDS_SHARED("corpus/v1");
    const Facts facts = factsOf("gb200");
    std::set<std::string> seen;
    for (const fs::path& path : corpusRecipes()) {
        const Checked checked = checkedText(test::bytesOf(path), facts);
        for (const CheckedVariant& variant : checked.variants) {
            if (!variant.job)
                continue;
            SCOPED_TRACE(path.string() + " " + variant.name);
            for (const expand::Origin& origin : expand::provenance(variant.variant, variant.config)) {
                seen.insert(origin.from.substr(0, origin.from.find('_')));
                const bool isWritten = origin.from != "default" && origin.from != "computed";
                // The cluster file's own defaults and what upstream derives stand in no text; all else stands somewhere.
                ASSERT_EQ(origin.range != syntax::Range{}, isWritten) << origin.path << " " << origin.from;
                if (!isWritten || origin.value->isSequence() || origin.value->isMapping() || origin.path == "name")
                    continue;
                const syntax::SourceText& text = origin.source == syntax::Source::Cluster ? *checked.clusterSource : *checked.source;
                const std::string written = text.text().substr(origin.range.begin, origin.range.end - origin.range.begin);
                const auto read = syntax::parse(std::make_shared<syntax::SourceText>(written));
                ASSERT_TRUE(read.root && read.root->isScalar()) << origin.path << ": " << written;
                // The reader may turn "8" into 8; the letters are the same.
                EXPECT_TRUE(origin.from == "sweep" || read.root->text == origin.value->text ||
                            std::trunc(read.root->number) == origin.value->number)
                    << origin.path << ": " << written << " and " << origin.value->text;
            }
        }
    }
    EXPECT_THAT(seen, testing::IsSupersetOf({"base", "override", "zip", "sweep", "cluster", "default"}));
}

TEST(Consolidate, IsUndoneByExplodeForRealRecipesThatDifferInFewKeys)
{
    SRTWB_NEEDS_SHARED("corpus/v1/recipes");
    std::map<fs::path, std::vector<Checked>> folders;
    for (const auto& entry : fs::recursive_directory_iterator(*test::shared("corpus/v1/recipes"))) {
        if (entry.path().extension() != ".yaml")
            continue;
        Checked checked = check(std::make_shared<syntax::SourceText>(test::bytesOf(entry.path()), entry.path().string()), {});
        if (checked.form == expand::Form::Plain && checked.valid)
            folders[entry.path().parent_path()].push_back(std::move(checked));
    }
    std::size_t groups = 0;
    std::size_t refused = 0;
    for (auto& [folder, files] : folders) {
        std::sort(files.begin(), files.end(), [](const Checked& a, const Checked& b) { return a.source->path() < b.source->path(); });
        if (files.size() < 2)
            continue;
        SCOPED_TRACE(folder.string());
        const Consolidation made = consolidate(files, "all", {});
        if (!made.isEqual) {
            // Only a null against a value at the top level may be refused.
            ++refused;
            ADD_FAILURE() << testing::PrintToString(made.reasons);
            continue;
        }
        ++groups;
        ASSERT_EQ(made.checked.variants.size(), files.size());
        std::size_t most = 0;
        for (const Checked& file : files)
            most += file.source->text().size();
        if (files.size() > 2) {
            EXPECT_LT(made.text.size(), most) << "the one file is shorter than all of them";
        }
        for (std::size_t i = 0; i < files.size(); ++i) {
            EXPECT_EQ(made.checked.variants[i].name, files[i].variants.front().name);
            EXPECT_EQ(difference(made.checked.variants[i], files[i].variants.front()), std::nullopt);
            const Exploded one = explode(made.checked, i, {});
            EXPECT_EQ(one.whyNot, std::nullopt) << one.text;
            const Checked again = checkedText(one.text);
            ASSERT_EQ(again.variants.size(), 1U);
            EXPECT_EQ(difference(again.variants.front(), files[i].variants.front()), std::nullopt);
        }
    }
    EXPECT_GE(groups, 20U);
    EXPECT_EQ(refused, 0U);
}

TEST(Explode, IsUndoneByConsolidateForEveryOverrideRecipeOfTheCorpus)
{
    SRTWB_NEEDS_SHARED("corpus/v1/recipes");
    std::size_t recipes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(*test::shared("corpus/v1/recipes"))) {
        if (entry.path().extension() != ".yaml")
            continue;
        const Checked checked = checkedText(test::bytesOf(entry.path()));
        if (checked.form == expand::Form::Plain || !checked.valid || checked.variants.size() < 2)
            continue;
        ++recipes;
        SCOPED_TRACE(entry.path().string());
        std::vector<Checked> files;
        for (std::size_t i = 0; i < checked.variants.size(); ++i) {
            const Exploded one = explode(checked, i, {});
            ASSERT_EQ(one.whyNot, std::nullopt) << one.text;
            files.push_back(checkedText(one.text));
        }
        const Consolidation made = consolidate(files, "all", {});
        EXPECT_TRUE(made.isEqual) << testing::PrintToString(made.reasons) << made.text;
    }
    EXPECT_GE(recipes, 7U);
}

TEST(Consolidate, KeepsTheFirstFileAndAddsOnlyWhatDiffers)
{
    const std::string first = "# A recipe\n---\n" + recipe + "environment:\n  A: \"yes\" # why\n  B: x\n";
    const std::string second = "# Another\n" + recipe + "environment:\n  A: \"no\"\n  C: z\n";
    const Consolidation made = consolidate({checkedText(first), checkedText(second)}, "g", {});
    ASSERT_TRUE(made.isEqual) << testing::PrintToString(made.reasons) << made.text;
    EXPECT_FALSE(hasCode(made.checked, syntax::Code::ZipNull)) << "nothing of base is deleted";
    EXPECT_EQ(
        made.text,
        "# A recipe\n" + asBase(recipe + "environment:\n  A: \"yes\" # why\n") +
            "\nzip_override_g:\n  name: [\"n\", \"n\"]\n  environment:\n    A: [\"yes\", \"no\"]\n    B: [x, null]\n    C: [null, z]\n");
    EXPECT_THAT(made.notes, testing::ElementsAre(HasSubstr("1 other comment"), HasSubstr("srtctl drops quotes in a zip")));
}

TEST(Consolidate, MovesAMappingAsAWholeWhereANullStandsInTheWay)
{
    const std::string first = recipe + "profiling: {type: none, extra_nsys_args: null}\n";
    const std::string second = recipe + "profiling: {type: none, extra_nsys_args: [\"-x\"]}\n";
    const Consolidation made = consolidate({checkedText(first), checkedText(second)}, "g", {});
    EXPECT_TRUE(made.isEqual) << testing::PrintToString(made.reasons) << made.text;
}

TEST(Consolidate, RefusesWhatItCannotProve)
{
    const Checked good = checkedText(recipe);
    EXPECT_THAT(consolidate({good}, "g", {}).reasons, testing::ElementsAre(HasSubstr("at least two")));
    EXPECT_THAT(consolidate({good, checkedText(recipe + "nonsense: 1\n")}, "g", {}).reasons,
                testing::ElementsAre(HasSubstr("has an error")));
    EXPECT_THAT(consolidate({good, checkedText(asBase(recipe) + "override_x: {}\n")}, "g", {}).reasons,
                testing::ElementsAre(HasSubstr("explode it first")));
    const Consolidation null =
        consolidate({checkedText(recipe + "setup_script: null\n"), checkedText(recipe + "setup_script: x.sh\n")}, "g", {});
    EXPECT_FALSE(null.isEqual);
    EXPECT_THAT(null.reasons, testing::ElementsAre(HasSubstr("\"setup_script\"")));
    EXPECT_THAT(null.text, IsEmpty());
}

TEST(Provenance, NamesEveryValueSoThatSetChangesIt)
{
    const std::string text = recipe + "environment: {a.b: one, \"q\\\"r\": two, \"e=f\": three, \"[x]\": four, plain: five}\n";
    const Checked checked = checkedText(text);
    ASSERT_EQ(checked.variants.size(), 1U);
    std::size_t count = 0;
    for (const expand::Origin& origin : expand::provenance(checked.variants[0].variant, checked.variants[0].config)) {
        if (!origin.path.starts_with("environment."))
            continue;
        ++count;
        Options options;
        options.expansion.settings = {{origin.path, "changed", false}};
        const Checked changed = checkedText(text, {}, options);
        const syntax::ValuePtr value = syntax::at(changed.variants.at(0).config, origin.path);
        ASSERT_TRUE(value) << origin.path;
        EXPECT_EQ(value->text, "changed") << origin.path;
        EXPECT_EQ(changed.variants[0].config->find("environment")->members.size(), 5U) << origin.path << " is no key beside the others";
        EXPECT_EQ(originsOf(changed.variants[0]).at(origin.path), "--set");
    }
    EXPECT_EQ(count, 5U);
}

} // namespace
} // namespace wb::check
