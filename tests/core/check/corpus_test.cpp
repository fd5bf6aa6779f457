// Real recipes against what the reference loader said of them: verdict, jobs, names, counts and the whole resolved configuration.
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/check/check.h"
#include "core/syntax/yaml.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

namespace wb::check {
namespace {

namespace fs = std::filesystem;
using base::json::Value;

Facts factsOf(const std::string& cluster)
{
    const fs::path path = *test::shared("corpus/clusters/" + cluster + ".yaml");
    const ClusterFile file = readCluster(std::make_shared<syntax::SourceText>(test::bytesOf(path), path.string()));
    EXPECT_TRUE(file.cluster) << path << ": " << (file.diagnostics.empty() ? "" : file.diagnostics.front().message);
    return factsFor(file);
}

Checked checkedFile(const fs::path& path, const Facts& facts)
{
    return check(std::make_shared<syntax::SourceText>(test::bytesOf(path), path.string()), facts);
}

/// Equal as data; keys of objects in any order; 1 and 1.0 are one number.
bool isSame(const Value& a, const Value& b, const std::string& path, std::string& where)
{
    const auto differs = [&] {
        where = path + ": ours " + base::json::write(a, 0) + ", golden " + base::json::write(b, 0);
        return false;
    };
    if (a.number() && b.number())
        return *a.number() == *b.number() || differs();
    if (a.kind() != b.kind())
        return differs();
    if (a.isArray()) {
        if (a.array().size() != b.array().size())
            return differs();
        for (std::size_t i = 0; i < a.array().size(); ++i) {
            if (!isSame(a.array()[i], b.array()[i], path + "[" + std::to_string(i) + "]", where))
                return false;
        }
        return true;
    }
    if (!a.isObject())
        return a == b || differs();
    for (const base::json::Member& member : b.object()) {
        const Value* own = a.find(member.key);
        if (!own) {
            where = path + "." + member.key + " is missing; golden " + base::json::write(member.value, 0);
            return false;
        }
        if (!isSame(*own, member.value, path + "." + member.key, where))
            return false;
    }
    for (const base::json::Member& member : a.object()) {
        if (!b.find(member.key)) {
            where = path + "." + member.key + " is not in golden";
            return false;
        }
    }
    return true;
}

/// Nodes of the allocation: `nodes=` of every component; `summary` counts the workers' nodes alone.
std::optional<std::int64_t> nodesOf(const Value& job)
{
    const Value* directives = job.find("directives");
    if (!directives)
        return std::nullopt;
    std::int64_t nodes = 0;
    for (const Value& directive : directives->array()) {
        if (directive.string()->starts_with("nodes="))
            nodes += base::integerOf(std::string_view(*directive.string()).substr(6)).value();
    }
    return nodes;
}

/// Recipes of which our configuration differs on purpose.
const std::set<std::string> typedSweeps = {"examples/example-sweep.yaml"};

class Corpus : public testing::TestWithParam<std::string>
{
};

TEST_P(Corpus, VerdictsNamesCountsAndConfigurationsAreGolden)
{
    SRTWB_NEEDS_SHARED("corpus/v1/golden");
    const Facts facts = factsOf(GetParam());
    std::size_t recipes = 0;
    std::size_t jobs = 0;
    for (const auto& entry : fs::directory_iterator(*test::shared("corpus/v1/golden/" + GetParam()))) {
        const Value golden = base::json::read(test::bytesOf(entry.path())).value();
        const std::string recipe = *golden.find("recipe")->string();
        SCOPED_TRACE(recipe);
        const Checked checked = checkedFile(*test::shared("corpus/v1/" + recipe), facts);
        ++recipes;
        std::string errors;
        for (const syntax::Diagnostic& problem : checked.diagnostics) {
            if (problem.severity == syntax::Severity::Error)
                errors += problem.message + "\n";
        }
        EXPECT_EQ(checked.valid, *golden.find("valid")->boolean()) << errors;
        const base::json::Array& expected = golden.find("jobs")->array();
        if (expected.empty())
            continue;
        ASSERT_EQ(checked.variants.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const CheckedVariant& ours = checked.variants[i];
            const Value& job = expected[i];
            ++jobs;
            EXPECT_EQ(ours.name, *job.find("name")->string());
            const Value* suffix = job.find("suffix");
            if (suffix && suffix->isString()) {
                EXPECT_EQ(ours.variant.suffix, *suffix->string());
            }
            if (const auto nodes = nodesOf(job)) {
                EXPECT_EQ(ours.counts.nodes, *nodes);
            }
            std::string where;
            ASSERT_TRUE(ours.config);
            if (!typedSweeps.contains(recipe)) {
                EXPECT_TRUE(isSame(syntax::toJson(*ours.config), *job.find("config"), "config", where)) << ours.name << ": " << where;
            }
        }
    }
    EXPECT_EQ(recipes, 560U);
    EXPECT_EQ(jobs, 682U);
}

INSTANTIATE_TEST_SUITE_P(Clusters, Corpus, testing::Values("gb200", "hopper"), [](const auto& cluster) { return cluster.param; });

/// What the rules about engine flags say above a hint of real recipes: each was looked at, and is right.
const std::set<std::string> knownFlagWarnings = {
    // A batch of 640 within 512 tokens.
    "flag-sizes recipes/trtllm/b200-fp8/8k1k/stp/ctx2_gen1_dep8_batch640_eplb0_mtp0_640.yaml",
    // The router is told the port that srtctl gives; the recipe fixes another.
    "flag-owners recipes/qwen3.5/nvfp4/disagg/mtp_radix_off/1p1d-dep8-dpep-mtp-1k1k-gb300.yaml",
};

TEST(RealRecipes, HaveNoWrongFlagsButTheKnownOnes)
{
    SRTWB_NEEDS_SHARED("corpus/v1/recipes");
    const fs::path root = *test::shared("corpus/v1");
    std::set<std::string> found;
    std::size_t recipes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(root / "recipes")) {
        if (entry.path().extension() != ".yaml")
            continue;
        ++recipes;
        for (const syntax::Diagnostic& problem : checkedFile(entry.path(), {}).diagnostics) {
            const bool isOfFlags = problem.rule == "engine-flags" || problem.rule.starts_with("flag-");
            if (!isOfFlags || problem.severity == syntax::Severity::Hint)
                continue;
            EXPECT_NE(problem.severity, syntax::Severity::Error) << entry.path() << ": " << problem.message;
            found.insert(problem.rule + " " + fs::relative(entry.path(), root).generic_string());
        }
    }
    EXPECT_GT(recipes, 500U);
    EXPECT_EQ(found, knownFlagWarnings);
}

TEST(Invalid, EachBrokenRecipeOfTheShapeCategoriesIsFoundAtItsLines)
{
    SRTWB_NEEDS_SHARED("corpus/v1/invalid");
    const std::set<std::string> categories = {"unknown-key", "wrong-type", "missing", "enum", "yaml"};
    const Value manifest = base::json::read(test::bytesOf(*test::shared("corpus/v1/invalid/manifest.json"))).value();
    std::size_t judged = 0;
    std::string missed;
    for (const Value& entry : manifest.array()) {
        const std::string category = *entry.find("category")->string();
        if (!categories.contains(category))
            continue;
        const std::string id = *entry.find("id")->string();
        if (id == "C10") // said to lack a topology; the file has a whole one
            continue;
        const fs::path path = *test::shared("corpus/v1/invalid/" + *entry.find("file")->string());
        Facts facts;
        if (const Value* cluster = entry.find("cluster"); cluster && cluster->isString())
            facts = factsOf(*cluster->string());
        Options options;
        if (const Value* selector = entry.find("selector"); selector && selector->isString())
            options.expansion.selector = *selector->string();
        const Checked checked = check(std::make_shared<syntax::SourceText>(test::bytesOf(path), path.string()), facts, options);
        ++judged;
        const bool isBroken = *entry.find("broken")->boolean();
        const bool upstreamValid = *entry.find("upstream_valid")->boolean();
        if (!isBroken) {
            if (!checked.valid)
                missed += id + " " + *entry.find("what")->string() + ": false error " + checked.diagnostics.front().message + "\n";
            continue;
        }
        if (!upstreamValid && checked.valid) {
            missed += id + " " + category + " " + *entry.find("what")->string() + ": no error\n";
            continue;
        }
        const Value* lines = entry.find("lines");
        bool isPlaced = !lines || !lines->isArray();
        std::string found;
        for (const syntax::Diagnostic& problem : checked.diagnostics) {
            if (problem.severity != syntax::Severity::Error && problem.severity != syntax::Severity::Warning)
                continue;
            std::vector<syntax::Range> ranges = {problem.range};
            for (const syntax::Note& note : problem.notes)
                ranges.push_back(note.range);
            for (const syntax::Range range : ranges) {
                const auto first = static_cast<std::int64_t>(checked.source->lineCol(range.begin).line);
                const auto last = static_cast<std::int64_t>(checked.source->lineCol(range.end).line);
                found += " " + std::to_string(first) + "-" + std::to_string(last);
                if (lines && lines->isArray())
                    isPlaced = isPlaced || (first <= *lines->array()[1].integer() && last >= *lines->array()[0].integer());
            }
            found += " " + problem.message;
        }
        if (!isPlaced)
            missed +=
                id + " " + category + " " + *entry.find("what")->string() + " at " + base::json::write(*lines, 0) + ":" + found + "\n";
    }
    EXPECT_EQ(judged, 99U);
    EXPECT_EQ(missed, "");
}

} // namespace
} // namespace wb::check
