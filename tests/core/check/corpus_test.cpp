// Real recipes against what the reference loader said of them: verdict, jobs, names, counts and the whole resolved configuration.
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/check/check.h"
#include "core/syntax/yaml.h"
#include "tests/support/corpus.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>
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

/// Warnings on the 560 real recipes: all were looked at, and a new kind of them is to be. By cluster file, as most are about names it
/// lacks.
using Warnings = std::map<std::string, std::size_t>;
const std::map<std::string, Warnings> knownWarnings = {
    {"gb200",
     {
         {"concurrencies-repeated", 1}, // 2 stands twice in a recipe of 128k8k
         {"does-not-fit", 8},           // example-override: tensor parallel 16 to 64 on 8 GPUs, as upstream ships it
         {"idle-nodes", 5},             // prefill workers of half a node on whole nodes
         {"model-name", 1},             // a path in a $VARIABLE
         {"not-read", 3},               // a manual benchmark with isl, osl and concurrencies
         {"unknown-name", 67},          // models and images that this cluster does not have
         {"unusual-value", 2},          // benchmark.type gsm8k-bench, which srtctl cannot run
         {"vllm-hybrid", 2},            // data-parallel-hybrid-lb, which srtctl drops
     }},
    {"hopper",
     {
         {"concurrencies-repeated", 1},
         {"does-not-fit", 8},
         {"idle-nodes", 5},
         {"model-name", 1},
         {"not-read", 3},
         {"unknown-name", 310},
         {"unusual-value", 2},
         {"vllm-hybrid", 2},
     }},
};

/// Jobs with GPUs without a worker on nodes that are used: in each of the 108 recipes as many as in the golden placement.
constexpr int knownIdleGpus = 113;

TEST_P(Corpus, WarnsOfWhatWasLookedAtOnly)
{
    SRTWB_NEEDS_SHARED("corpus/v1/recipes");
    const Facts facts = factsOf(GetParam());
    Warnings warnings;
    std::string hints;
    int idleGpus = 0;
    for (const char* folder : {"corpus/v1/recipes", "corpus/v1/examples"}) {
        for (const auto& entry : fs::recursive_directory_iterator(*test::shared(folder))) {
            if (!entry.is_regular_file())
                continue;
            for (const syntax::Diagnostic& problem : checkedFile(entry.path(), facts).diagnostics) {
                const bool isOfFlags = problem.rule.starts_with("flag-"); // judged below
                if (isOfFlags)
                    continue;
                const bool isOfIdleGpus = problem.code == syntax::Code::IdleNodes && problem.severity == syntax::Severity::Info;
                if (problem.severity == syntax::Severity::Warning)
                    ++warnings[std::string(syntax::id(problem))];
                else if (isOfIdleGpus)
                    ++idleGpus;
                else if (problem.severity != syntax::Severity::Error)
                    hints += entry.path().string() + ": " + problem.message + "\n";
            }
        }
    }
    EXPECT_EQ(warnings, knownWarnings.at(GetParam()));
    EXPECT_EQ(hints, "");
    EXPECT_EQ(idleGpus, knownIdleGpus);
}

/// Entries of which we say something else than the manifest, or nothing.
const std::map<std::string, std::string_view> exceptions = {
    {"C10", "said to lack a topology, but the file has a whole one"},
};

/// Why the recipe is not judged as corpus/README.md says; empty when it is.
std::string misjudged(const Value& entry, const Checked& checked)
{
    const bool isBroken = *entry.find("broken")->boolean();
    std::string found;
    bool hasAny = false;
    bool isPlaced = false;
    const Value* lines = entry.find("lines");
    for (const syntax::Diagnostic& problem : checked.diagnostics) {
        if (problem.severity != syntax::Severity::Error && problem.severity != syntax::Severity::Warning)
            continue;
        hasAny = true;
        std::vector<std::pair<syntax::Range, syntax::Source>> places = {{problem.range, problem.source}};
        for (const syntax::Note& note : problem.notes)
            places.emplace_back(note.range, note.source);
        found += "\n   ";
        for (const auto& [range, source] : places) {
            if (source != syntax::Source::Recipe)
                continue;
            const auto first = static_cast<std::int64_t>(checked.source->lineCol(range.begin).line);
            const auto last = static_cast<std::int64_t>(checked.source->lineCol(range.end).line);
            found += " " + std::to_string(first) + "-" + std::to_string(last);
            if (lines && lines->isArray())
                isPlaced = isPlaced || (first <= *lines->array()[1].integer() && last >= *lines->array()[0].integer());
        }
        found += " " + problem.message;
    }
    if (!isBroken)
        return checked.valid ? "" : "false error" + found;
    if (!*entry.find("upstream_valid")->boolean() && checked.valid)
        return "no error" + found;
    if (!hasAny)
        return "nothing is found";
    if (lines && lines->isArray() && !isPlaced)
        return "not placed at " + base::json::write(*lines, 0) + found;
    return {};
}

TEST(Invalid, IsJudgedAsTheManifestSaysAndPlaced)
{
    SRTWB_NEEDS_SHARED("corpus/v1/invalid");
    const Value manifest = base::json::read(test::bytesOf(*test::shared("corpus/v1/invalid/manifest.json"))).value();
    std::size_t judged = 0;
    std::string missed;
    for (const Value& entry : manifest.array()) {
        const std::string id = *entry.find("id")->string();
        const fs::path path = *test::shared("corpus/v1/invalid/" + *entry.find("file")->string());
        Facts facts;
        if (const Value* cluster = entry.find("cluster"); cluster && cluster->isString())
            facts = factsOf(*cluster->string());
        Options options;
        if (const Value* selector = entry.find("selector"); selector && selector->isString())
            options.expansion.selector = *selector->string();
        const Checked checked = check(std::make_shared<syntax::SourceText>(test::bytesOf(path), path.string()), facts, options);
        ++judged;
        const std::string why = misjudged(entry, checked);
        if (why.empty() && exceptions.contains(id))
            missed += id + " is judged as the manifest says: delete it from the exceptions\n";
        if (!why.empty() && !exceptions.contains(id))
            missed += id + " " + *entry.find("what")->string() + ": " + why + "\n";
    }
    EXPECT_EQ(judged, 178U);
    EXPECT_EQ(missed, "");
    EXPECT_LT(exceptions.size(), 178U * 5 / 100);
}

TEST(SameName, StandsAtTheNamesOfAZip)
{
    const test::Marked yaml("base: {name: n, model: {path: /m, container: /c, precision: fp8},\n"
                            "  resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}}\n"
                            "zip_override_g:\n  name: [one, [[one]]]\n  health_check: {max_attempts: [5, 6]}\n");
    const Checked checked = check(yaml.source(), Facts());
    ASSERT_EQ(checked.diagnostics.size(), 1U);
    EXPECT_EQ(checked.diagnostics[0].code, syntax::Code::SameName);
    EXPECT_EQ(checked.diagnostics[0].range, yaml.range());
    const Checked single =
        check(std::make_shared<syntax::SourceText>(base::replacedAll(yaml.text(), "[one, one]", "[one]"), "r.yaml"), Facts());
    ASSERT_EQ(single.diagnostics.size(), 1U) << "a list of one name gives all jobs that name";
    EXPECT_EQ(single.diagnostics[0].code, syntax::Code::SameName);
}

TEST(Doubles, AreFoundInTimeThatGrowsWithTheJobs)
{
    // Two values that run against each other, and values that are all the same: each was a way to compare every job with every other.
    const std::string head = "base:\n  name: b\n  model: {path: hf:o/m, container: image:1, precision: fp8}\n"
                             "  resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n  backend: {type: vllm}\n"
                             "zip_override_z:\n  benchmark:\n    type: [sa-bench]\n    concurrencies: [\"4\"]\n";
    constexpr int count = 8'000; // each compared with each takes longer than a test may run
    std::string up;
    std::string down;
    std::string same;
    for (int i = 1; i <= count; ++i) {
        up += std::to_string(i) + ",";
        down += std::to_string(count + 1 - i) + ",";
        same += "1,";
    }
    const auto doubles = [&](const std::string& lists) {
        const Checked checked = check(std::make_shared<syntax::SourceText>(head + lists, "r.yaml"), Facts());
        EXPECT_EQ(checked.variants.size(), static_cast<std::size_t>(count));
        return std::count_if(checked.variants.begin(), checked.variants.end(),
                             [](const CheckedVariant& variant) { return variant.duplicateOf.has_value(); });
    };
    EXPECT_EQ(doubles("    isl: [" + up + "]\n    osl: [" + down + "]\n"), 0);
    EXPECT_EQ(doubles("    isl: [" + same + "]\n    osl: [" + same + "]\n"), count - 1);
}

TEST(OldNotation, IsToldOnceWhereTheValueIsRefused)
{
    const std::string head = "name: n\nmodel: {path: /m, container: /c, precision: fp8}\n"
                             "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n";
    const auto codes = [&](const std::string& line) {
        std::vector<std::string> out;
        for (const syntax::Diagnostic& problem : check(std::make_shared<syntax::SourceText>(head + line, "r.yaml"), Facts()).diagnostics)
            out.emplace_back(syntax::id(problem));
        return out;
    };
    EXPECT_THAT(codes("slurm: {time_limit: 4:00:00}\n"), testing::ElementsAre("base-sixty"));
    EXPECT_THAT(codes("slurm: {partition: no}\n"), testing::ElementsAre("wrong-type"));
    EXPECT_THAT(codes("dynamo: {hash: 0123456}\n"), testing::ElementsAre("wrong-type"));
    EXPECT_THAT(codes("health_check: {max_attempts: 010}\n"), testing::ElementsAre("old-number"));
    EXPECT_THAT(codes("frontend: {enable_multiple_frontends: off}\n"), testing::ElementsAre("word-boolean"));
}

TEST(MisspeltKey, OfAnOverrideIsNamedThoughBaseHasTheRightOne)
{
    const std::string head = "base:\n  name: n\n  model: {path: /m, container: /c, precision: fp8}\n"
                             "  resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
                             "  backend:\n    type: sglang\n    sglang_config: {aggregated: {mem-fraction-static: 0.8}}\n"
                             "  benchmark: {type: sa-bench, isl: 1, osl: 1, concurrencies: [4]}\noverride_a:\n";
    const auto titles = [&](const std::string& rest) {
        std::vector<std::string> out;
        for (const syntax::Diagnostic& problem : check(std::make_shared<syntax::SourceText>(head + rest, "r.yaml"), Facts()).diagnostics) {
            for (const syntax::Fix& fix : problem.fixes)
                out.push_back(fix.title);
        }
        return out;
    };
    EXPECT_THAT(titles("  benchmark: {concurencies: [8]}\n"), testing::ElementsAre("Change to \"concurrencies\""));
    EXPECT_THAT(titles("  bakcend: {type: vllm}\n"), testing::ElementsAre("Change to \"backend\""));
    EXPECT_THAT(titles("  backend: {sglang_config: {aggregated: {mem-fraction-statc: 0.7}}}\n"),
                testing::ElementsAre("Change to \"mem-fraction-static\""));
    EXPECT_THAT(titles("  benchmark: {concurrencies: [16], concurencies: [8]}\n"), testing::IsEmpty()) << "it would stand there twice";
}

TEST(MisspeltKey, IsNamedThoughTheClusterFileGivesTheRightOne)
{
    const auto cluster = std::make_shared<syntax::SourceText>("default_account: a\ndefault_time_limit: '1:00:00'\n", "srtslurm.yaml");
    const std::string text = "name: n\nSlurm: {time_limit: '2:00:00'}\nmodel: {path: /m, container: /c, precision: fp8}\n"
                             "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n";
    const Checked checked = check(std::make_shared<syntax::SourceText>(text, "r.yaml"), factsFor(readCluster(cluster)));
    const auto found = std::find_if(checked.diagnostics.begin(), checked.diagnostics.end(),
                                    [](const syntax::Diagnostic& d) { return d.code == syntax::Code::UnknownKey; });
    ASSERT_NE(found, checked.diagnostics.end());
    ASSERT_EQ(found->fixes.size(), 1U);
    EXPECT_EQ(found->fixes[0].title, "Change to \"slurm\"");
}

TEST(Load, IsAboveZeroInEveryNotation)
{
    const auto messages = [](const std::string& benchmark) {
        const std::string text = "name: n\nmodel: {path: /m, container: /c, precision: fp8}\n"
                                 "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\nbenchmark: " +
                                 benchmark + "\n";
        std::vector<std::string> out;
        for (const syntax::Diagnostic& problem : check(std::make_shared<syntax::SourceText>(text, "r.yaml"), Facts()).diagnostics)
            out.push_back(problem.message);
        return out;
    };
    for (const std::string type : {"sa-bench", "sglang-bench"}) {
        EXPECT_THAT(messages("{type: " + type + ", isl: 1, osl: 1, concurrencies: [0, 4, -4]}"),
                    testing::ElementsAre("\"benchmark.concurrencies[0]\" is 0; it must be at least 1.",
                                         "\"benchmark.concurrencies[2]\" is -4; it must be at least 1."))
            << type;
        EXPECT_EQ(messages("{type: " + type + ", isl: 1, osl: 1, concurrencies: '0x4'}").size(), 1U) << type;
        EXPECT_THAT(messages("{type: " + type + ", isl: 0, osl: 1, concurrencies: [4]}"),
                    testing::ElementsAre("\"benchmark.isl\" is 0; " + type + " needs more than 0."));
    }
    EXPECT_THAT(messages("{type: sa-bench, dataset_name: custom, dataset_path: /d, isl: 0, concurrencies: [4]}"), testing::IsEmpty());
}

TEST(SweepValues, ThatMakeTheSameJobAreTold)
{
    const auto found = [](const std::string& values, const std::string& line) {
        const std::string text = "name: n\nsweep: {p: " + values +
                                 "}\nmodel: {path: /m, container: /c, precision: fp8}\n"
                                 "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n" +
                                 line;
        const Checked checked = check(std::make_shared<syntax::SourceText>(text, "r.yaml"), Facts());
        std::vector<std::string> out;
        for (const syntax::Diagnostic& problem : checked.diagnostics) {
            if (problem.code == syntax::Code::RepeatedSweepValue || problem.code == syntax::Code::SameName ||
                problem.code == syntax::Code::UnusedSweepKey)
                out.push_back(problem.message);
        }
        return out;
    };
    const std::string flag = "backend: {type: sglang, sglang_config: {aggregated: {chunked-prefill-size: '{p}'}}}\n";
    const auto same = [](const std::string& a, const std::string& b) {
        return testing::ElementsAre("The values " + a + " and " + b + " of the parameter \"p\" make the same job.");
    };
    EXPECT_THAT(found("[16, 0x10]", flag), same("16", "0x10"));
    EXPECT_THAT(found("[0.5, 0.50]", flag), same("0.5", "0.50"));
    EXPECT_THAT(found("[true, yes]", flag), same("true", "yes"));
    EXPECT_THAT(found("[[1,2],[1, 2]]", flag), same("[1, 2]", "[1, 2]"));
    EXPECT_THAT(found("[8192, 8192]", flag), testing::ElementsAre(testing::HasSubstr("has the value 8192 twice")));
    EXPECT_THAT(found("[8192, '8192']", flag), testing::ElementsAre("Two jobs of this file are called \"n_p8192\"."));
    EXPECT_THAT(found("[1, 2]", {}), testing::ElementsAre(testing::HasSubstr("No placeholder")));
    EXPECT_THAT(found("[1, 2]", flag), testing::IsEmpty());
}

TEST(EngineNumbers, HaveTheLimitsOfTheirTables)
{
    const auto found = [](const std::string& engine, const std::string& flags) {
        const std::string text = "name: n\nmodel: {path: /m, container: /c, precision: fp8}\n"
                                 "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\nbackend: {type: " +
                                 engine + ", " + engine + "_config: {aggregated: {" + flags + "}}}\n";
        std::vector<std::string> out;
        for (const syntax::Diagnostic& problem : check(std::make_shared<syntax::SourceText>(text, "r.yaml"), Facts()).diagnostics) {
            if (problem.message.find(" takes ") != std::string::npos)
                out.push_back(std::string(syntax::name(problem.severity)) + " " + problem.path.substr(problem.path.rfind('.') + 1));
        }
        return out;
    };
    EXPECT_THAT(found("vllm", "tensor-parallel-size: -4, gpu-memory-utilization: 90, max-num-seqs: '-4'"),
                testing::UnorderedElementsAre("hint tensor-parallel-size", "hint gpu-memory-utilization", "hint max-num-seqs"));
    EXPECT_THAT(found("vllm", "gpu-memory-utilization: 1, max-num-seqs: 1"), testing::IsEmpty());
    EXPECT_THAT(found("sglang", "mem-fraction-static: 85"), testing::ElementsAre("warning mem-fraction-static"));
    EXPECT_THAT(found("sglang", "mem-fraction-static: -1"), testing::ElementsAre("warning mem-fraction-static"));
    EXPECT_THAT(found("sglang", "mem-fraction-static: 0.85, tensor-parallel-size: 8"), testing::IsEmpty());
}

TEST(BrokenYaml, MissesNothingOfWhatStandsBehindTheBreak)
{
    const auto codes = [](const std::string& text) {
        std::vector<std::string> out;
        for (const syntax::Diagnostic& problem : check(std::make_shared<syntax::SourceText>(text, "r.yaml"), Facts()).diagnostics)
            out.emplace_back(syntax::id(problem));
        return out;
    };
    const std::string rest = "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\nbackend: {type: vllm}\n";
    EXPECT_THAT(codes("name: n\nslurm:\nmodel:\n\tpath: hf:o/m\n  container: i:1\n  precision: fp8\n" + rest),
                testing::ElementsAre(std::string(syntax::id(syntax::Code::NotNull)), "yaml-tab"));
    EXPECT_THAT(codes("name: n\nnaem: x\nmodel: {path: hf:o/m, container: i:1, precision: fp8\n" + rest),
                testing::ElementsAre("unknown-key", "yaml-syntax"));
}

TEST(Exporters, KeepAwayFromThePortsOfTheJob)
{
    const std::string head = "name: n\nmodel: {path: /m, container: /c, precision: fp8}\n"
                             "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
                             "benchmark: {type: sa-bench, isl: 1, osl: 1, concurrencies: [4]}\n";
    const test::Marked yaml(head + "telemetry: {enabled: true, dcgm_exporter: {container_image: 'a:b', port: [[8000]]}}\n");
    const Checked checked = check(yaml.source(), Facts());
    ASSERT_EQ(checked.diagnostics.size(), 1U);
    EXPECT_EQ(checked.diagnostics[0].code, syntax::Code::PortClash);
    EXPECT_EQ(checked.diagnostics[0].range, yaml.range());
    const test::Marked twice(
        head + "observability: {enabled: true, tachometer: {enabled: true,\n"
               "  dcgm_exporter: {container_image: 'a:b', port: [[9400]]}, node_exporter: {container_image: 'a:b', port: [[9400]]}}}\n");
    const Checked both = check(twice.source(), Facts());
    ASSERT_EQ(both.diagnostics.size(), 1U);
    EXPECT_EQ(both.diagnostics[0].range, twice.range(1));
    EXPECT_EQ(both.diagnostics[0].notes.at(0).range, twice.range(0));
}

} // namespace
} // namespace wb::check
