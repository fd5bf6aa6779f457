// What differs between runs: the six real lockfiles of one study, and facts made for each rule.
#include "core/analysis/comparison.h"
#include "core/analysis/runside.h"
#include "core/base/json.h"
#include "core/syntax/yaml.h"
#include "tests/support/corpus.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

namespace wb::analysis {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

syntax::ValuePtr yaml(const std::string& text)
{
    return syntax::parse(std::make_shared<const syntax::SourceText>(text)).root;
}

const Fact* find(const RunDifferences& comparison, std::string_view key)
{
    for (const Section& section : comparison.sections) {
        for (const Fact& fact : section.facts) {
            if (fact.key == key)
                return &fact;
        }
    }
    return nullptr;
}

/// Keys of the counted facts that differ.
std::vector<std::string> differing(const RunDifferences& comparison)
{
    std::vector<std::string> out;
    for (const Section& section : comparison.sections) {
        for (const Fact& fact : section.facts) {
            if (fact.isCounted() && fact.state == FactState::Different)
                out.push_back(fact.key);
        }
    }
    return out;
}

const std::string plainRecipe = "name: n\nmodel: {path: m, container: c, precision: fp8}\n"
                                "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n";

Side recipeSide(const std::string& text)
{
    Side side;
    side.label = "side";
    side.recipe = yaml(text);
    return side;
}

/// A fingerprint that has a word for everything, but for what is given.
syntax::ValuePtr fingerprint(const std::string& given)
{
    syntax::ValuePtr out = yaml("{arch: x, os: o, cpu: {model: c}, python_version: '3', cuda_version: '13', nccl_version: '2', "
                                "gpu: {driver: '1', gpus: [{name: g, memory: 80 GiB}]}, frameworks: {}, env: {}, pip_packages: [a==1]}");
    const syntax::ValuePtr over = yaml(given);
    for (const syntax::Member& member : over->members)
        out = syntax::with(out, member.key, member.value);
    return out;
}

/// With a lockfile, without which nothing could be the same.
Side runSide(const std::string& worker, const std::string& given)
{
    Side side = recipeSide(plainRecipe);
    side.isRun = true;
    side.lock = yaml("{slurm: {cluster: c}}");
    side.fingerprints[worker] = fingerprint(given);
    return side;
}

/// Of a run whose fingerprint holds that and nothing else.
Side bareSide(const std::string& whole)
{
    Side side = recipeSide(plainRecipe);
    side.isRun = true;
    side.lock = yaml("{slurm: {cluster: c}}");
    side.fingerprints["decode_w0"] = yaml(whole);
    return side;
}

RunDifferences comparedFingerprints(const std::string& a, const std::string& b)
{
    const std::vector<Side> sides = {runSide("decode_w0", a), runSide("decode_w0", b)};
    return compare(sides);
}

class RealRuns : public testing::Test
{
protected:
    static RunDifferences compared(const std::vector<std::string>& runs)
    {
        std::vector<Side> sides;
        for (const std::string& name : runs) {
            auto run = readRun((*test::shared("results/real/srt-slurm") / (name + "__recipe.lock.yaml")).string());
            EXPECT_TRUE(run) << run.error().message;
            EXPECT_THAT(run->warnings, IsEmpty());
            EXPECT_THAT(run->results, Contains(HasSubstr(name + "__benchmark-rollup.csv")));
            sides.push_back(std::move(run->side));
        }
        return compare(sides);
    }
};

TEST_F(RealRuns, ARevertedChangeIsTheOnlyVariable)
{
    SRTWB_NEEDS_SHARED("results/real/srt-slurm");
    const RunDifferences found = compared({"nightly-a749-revert-pr41015-15975", "nightly-a749-revert-pr41135-15984"});
    EXPECT_EQ(found.verdict, Verdict::SingleVariable) << found.reason << testing::PrintToString(differing(found));
    EXPECT_THAT(differing(found), ElementsAre("setup_script"));
    EXPECT_EQ(found.differences, 1U);
    EXPECT_THAT(found.reason, HasSubstr("\"setup_script\""));
    EXPECT_TRUE(find(found, "name")->label);
    EXPECT_EQ(find(found, "identity.frameworks.vllm")->state, FactState::Different) << "shown, though it is a label";
}

TEST_F(RealRuns, AnotherContainerNamesTheWheelAndItsBuild)
{
    SRTWB_NEEDS_SHARED("results/real/srt-slurm");
    const RunDifferences found = compared({"good-pr-container-15908", "nightly-a749-15902"});
    EXPECT_EQ(found.verdict, Verdict::Differences) << found.reason;
    EXPECT_THAT(differing(found), Contains("pip.vllm"));
    EXPECT_THAT(differing(found), Contains("env.TORCH_CUDA_ARCH_LIST"));
    EXPECT_THAT(find(found, "pip.vllm")->values, ElementsAre("0.20.1rc1.dev38+g61c3a50f4", "0.20.1rc1.dev91+ga749a33d8"));
    EXPECT_EQ(find(found, "frameworks.vllm")->follows, "pip.vllm");
    EXPECT_EQ(find(found, "env.VLLM_IMAGE_TAG")->follows, "model.container");
    EXPECT_THAT(differing(found), Not(Contains(HasSubstr("PORT"))));
    EXPECT_THAT(differing(found), Not(Contains(HasSubstr("CUDA_VISIBLE_DEVICES"))));
}

TEST_F(RealRuns, ARunIsTheSameAsItself)
{
    SRTWB_NEEDS_SHARED("results/real/srt-slurm");
    const RunDifferences found = compared({"nightly-a749-15902", "nightly-a749-15902"});
    EXPECT_EQ(found.verdict, Verdict::Same) << found.reason;
    EXPECT_EQ(found.differences, 0U);
}

TEST_F(RealRuns, ManyAreComparedAtOnce)
{
    SRTWB_NEEDS_SHARED("results/real/srt-slurm");
    const RunDifferences found = compared({"good-pr-container-15908", "nightly-a749-15902", "official-v0201-15963"});
    EXPECT_EQ(found.sides.size(), 3U);
    EXPECT_EQ(find(found, "pip.vllm")->values.size(), 3U);
    EXPECT_EQ(found.verdict, Verdict::Differences);
}

TEST(RunDifferences, ADefaultThatIsSpelledOutIsNoDifference)
{
    const std::vector<Side> sides = {recipeSide(plainRecipe), recipeSide(plainRecipe + "frontend: {type: dynamo}\n")};
    const RunDifferences found = compare(sides);
    EXPECT_EQ(found.verdict, Verdict::Same) << found.reason;
    EXPECT_EQ(find(found, "frontend.type")->state, FactState::Same);
}

TEST(RunDifferences, ARecipeWithABaseIsOfTheLanguageOfItsBase)
{
    const std::string second = "base:\n  schema: 2\n  name: n\n  model: {path: m, container: c, precision: fp8}\n"
                               "  resources: {gpu_type: h100, gpus_per_node: 8}\n  roles: {agg: {nodes: 1, workers: 1}}\n";
    const std::vector<Side> sides = {recipeSide(second), recipeSide(second)};
    EXPECT_EQ(compare(sides).verdict, Verdict::Same);
    EXPECT_FALSE(find(compare(sides), "backend.type")) << "a key of schema 1 only";
}

TEST(RunDifferences, OneKeyIsASingleVariableAndTwoAreDifferences)
{
    const std::string flags = "backend: {type: sglang, sglang_config: {aggregated: {tp-size: 8}}}\n";
    const std::string other = "backend: {type: sglang, sglang_config: {aggregated: {tp-size: 4}}}\n";
    const std::vector<Side> one = {recipeSide(plainRecipe + flags), recipeSide(plainRecipe + other)};
    EXPECT_EQ(compare(one).verdict, Verdict::SingleVariable);
    EXPECT_THAT(compare(one).reason, HasSubstr("backend.sglang_config.aggregated.tp-size"));
    const std::vector<Side> two = {recipeSide(plainRecipe + flags), recipeSide(plainRecipe + other + "setup_script: s.sh\n")};
    EXPECT_EQ(compare(two).verdict, Verdict::Differences);
    EXPECT_EQ(compare(two).differences, 2U);
}

TEST(RunDifferences, WhatOneSideDoesNotTellIsNeverTheSame)
{
    const std::string gpus = ", gpus: [{name: g, memory: 80 GiB}]}}";
    const RunDifferences found = comparedFingerprints("{gpu: {driver: '580'" + gpus, "{gpu: {driver: unavailable" + gpus);
    EXPECT_EQ(find(found, "gpu.driver")->state, FactState::Unknown);
    EXPECT_FALSE(find(found, "gpu.driver")->values.at(1));
    EXPECT_EQ(found.verdict, Verdict::Unknown);
    EXPECT_THAT(found.reason, HasSubstr("\"gpu.driver\""));
}

TEST(RunDifferences, ARunWithoutFingerprintLeavesItsSoftwareUnknown)
{
    Side bare = recipeSide(plainRecipe);
    bare.isRun = true;
    const std::vector<Side> sides = {bare, bare};
    EXPECT_EQ(compare(sides).verdict, Verdict::Unknown);
    const std::vector<Side> recipes = {recipeSide(plainRecipe), recipeSide(plainRecipe)};
    EXPECT_EQ(compare(recipes).verdict, Verdict::Same) << "a recipe that did not run has none to miss";
}

TEST(RunDifferences, APackageThatIsMissingOnOneSideIsADifference)
{
    const RunDifferences found = comparedFingerprints("{pip_packages: {python3: ['a==1', 'B_b==2']}}", "{pip_packages: ['a==1']}");
    EXPECT_THAT(find(found, "pip.b-b")->values, ElementsAre("2", "(not set)"));
    EXPECT_EQ(find(found, "pip.a")->state, FactState::Same) << "whether the list is old or by interpreter";
    EXPECT_EQ(found.verdict, Verdict::SingleVariable);
}

TEST(RunDifferences, PackagesAreNamedAsPipComparesThem)
{
    const RunDifferences found = comparedFingerprints(
        "{pip_packages: ['Foo.Bar_baz==1', '-e git+https://host/x@aaa#egg=edit', 'w @ file:///d/w-2.0+g1-cp38-abi3-linux.whl', 'z @ "
        "https://host/z.zip']}",
        "{pip_packages: ['foo-bar-baz==1', '-e git+https://host/x@bbb#egg=edit', 'w @ file:///e/w-2.0+g1-cp38-abi3-linux.whl', 'z @ "
        "https://host/z.zip']}");
    EXPECT_EQ(find(found, "pip.foo-bar-baz")->state, FactState::Same);
    EXPECT_THAT(find(found, "pip.edit")->values, ElementsAre("aaa", "bbb"));
    EXPECT_THAT(find(found, "pip.w")->values, ElementsAre("2.0+g1", "2.0+g1"));
    EXPECT_EQ(find(found, "pip.w")->state, FactState::Same) << "the folder of a wheel says nothing";
    EXPECT_THAT(find(found, "pip.z")->values.front(), testing::Optional(HasSubstr("z.zip")));
}

TEST(RunDifferences, NoiseAndSecretsAreShownAndNotCounted)
{
    const RunDifferences found = comparedFingerprints("{env: {DYN_SYSTEM_PORT: '1', HF_TOKEN: '***REDACTED***', OMPI_MCA_x: a, A: '1'}}",
                                                      "{env: {DYN_SYSTEM_PORT: '2', HF_TOKEN: '***REDACTED***', OMPI_MCA_x: b, A: '1'}}");
    EXPECT_EQ(find(found, "env.DYN_SYSTEM_PORT")->state, FactState::Different);
    EXPECT_TRUE(find(found, "env.DYN_SYSTEM_PORT")->noise);
    EXPECT_TRUE(find(found, "env.OMPI_MCA_x")->noise);
    EXPECT_EQ(find(found, "env.HF_TOKEN")->state, FactState::Unknown) << "two hidden values may differ";
    EXPECT_TRUE(find(found, "env.HF_TOKEN")->noise);
    EXPECT_EQ(found.verdict, Verdict::Same) << found.reason;
}

TEST(RunDifferences, ASecretThatDiffersIsToldAndNotShown)
{
    const RunDifferences found = comparedFingerprints("{env: {HF_TOKEN: Leak01, PROXY: 'http://me:Leak02@p/', A_KEY: Leak03}}",
                                                      "{env: {HF_TOKEN: Leak04, PROXY: 'http://me:Leak05@p/', A_KEY: Leak03}}");
    EXPECT_EQ(find(found, "env.HF_TOKEN")->state, FactState::Different);
    EXPECT_THAT(find(found, "env.HF_TOKEN")->values, ElementsAre("********", "********"));
    EXPECT_EQ(find(found, "env.A_KEY")->state, FactState::Same);
    EXPECT_THAT(find(found, "env.PROXY")->values, ElementsAre("http://********@p/", "http://********@p/"));
    EXPECT_THAT(base::json::write(toJson(found)), testing::Not(HasSubstr("Leak")));
}

TEST(RunDifferences, WorkersOfARoleThatDisagreeAreAFinding)
{
    Side a = runSide("decode_w0", "{gpu: {driver: '1'}}");
    a.fingerprints["decode_w1"] = fingerprint("{gpu: {driver: '2'}}");
    const std::vector<Side> sides = {a, a};
    const RunDifferences found = compare(sides);
    const Fact* driver = find(found, "decode: gpu.driver");
    ASSERT_TRUE(driver);
    EXPECT_THAT(driver->values, ElementsAre("1 and 2", "1 and 2"));
    EXPECT_THAT(driver->remark, HasSubstr("differ among themselves"));
}

TEST(RunDifferences, WhatNobodyCouldFindOutIsUnknownAndNotTheSame)
{
    struct Case {
        std::string fingerprint;
        std::string key;
    };
    for (const Case& each : {Case{"{cuda_version: unavailable}", "cuda"},
                             Case{"{cuda_version: ''}", "cuda"},
                             Case{"{nccl_version: None}", "nccl"},
                             Case{"{os: null}", "os"},
                             Case{"{os: Unknown}", "os"},
                             Case{"{gpu: unavailable}", "gpu.driver"},
                             Case{"{gpu: {driver: '1', gpus: []}}", "gpu.list"},
                             Case{"{gpu: {driver: '1', gpus: [{name: unavailable}]}}", "gpu.list"},
                             Case{"{gpu: {driver: '1', gpus: [{name: g, memory: '[N/A]'}]}}", "gpu.memory"},
                             Case{"{cpu: unavailable}", "cpu.model"},
                             Case{"{model: null}", "model.revision"},
                             Case{"{pip_packages: unavailable}", "pip"},
                             Case{"{pip_packages: {}}", "pip"},
                             Case{"{pip_packages: [unavailable]}", "pip"},
                             Case{"{pip_packages: {python3: unavailable}}", "pip"},
                             Case{"{pip_packages: {python3: [a==1], uv: unavailable}}", "pip"},
                             Case{"{pip_packages: [vllm]}", "pip.vllm"},
                             Case{"{env: null}", "env"},
                             Case{"{env: {A: unavailable}}", "env.A"},
                             Case{"{frameworks: {vllm: unavailable}}", "frameworks.vllm"},
                             Case{"{frameworks: {vllm: 'N/A'}}", "frameworks.vllm"}}) {
        const std::vector<Side> sides(2, runSide("decode_w0", each.fingerprint));
        const RunDifferences found = compare(sides);
        const Fact* fact = find(found, each.key);
        ASSERT_TRUE(fact) << each.fingerprint;
        EXPECT_EQ(fact->state, FactState::Unknown) << each.fingerprint;
        EXPECT_EQ(found.verdict, Verdict::Unknown) << each.fingerprint;
    }
    // A list that could not be read is no empty one: what the other has is unknown here, not removed.
    const std::vector<Side> sides = {runSide("decode_w0", "{pip_packages: ['vllm==1']}"),
                                     runSide("decode_w0", "{pip_packages: {python3: unavailable}}")};
    const RunDifferences found = compare(sides);
    EXPECT_EQ(find(found, "pip.vllm")->state, FactState::Unknown);
    EXPECT_FALSE(find(found, "pip")) << "its members are facts already";
    EXPECT_THAT(differing(found), IsEmpty());
    // All that one list has stands in the other, which is not whole.
    const std::vector<Side> half = {runSide("decode_w0", "{pip_packages: [a==1]}"),
                                    runSide("decode_w0", "{pip_packages: {python3: [a==1], uv: unavailable}}")};
    ASSERT_TRUE(find(compare(half), "pip"));
    EXPECT_EQ(compare(half).verdict, Verdict::Unknown);
    // A variable may well be empty, or be called so.
    EXPECT_EQ(comparedFingerprints("{env: {A: '', B: none}}", "{env: {A: '', B: none}}").verdict, Verdict::Same);
}

TEST(RunDifferences, WhatNoFingerprintHasAWordForIsUnknown)
{
    // Every version of the fingerprint tells these; one without them is cut down, and two of them are not known to be the same.
    const std::vector<Side> bare(2, bareSide("{arch: x}"));
    const RunDifferences found = compare(bare);
    EXPECT_EQ(found.verdict, Verdict::Unknown);
    for (const char* key : {"os", "python", "cuda", "nccl", "gpu.driver", "gpu.list", "gpu.memory", "frameworks", "env", "pip"}) {
        ASSERT_TRUE(find(found, key)) << key;
        EXPECT_EQ(find(found, key)->state, FactState::Unknown) << key;
        EXPECT_TRUE(find(found, key)->isCounted()) << key;
    }
    // Not every version tells these: they are shown as unknown, and named beside the verdict.
    for (const char* key : {"model.revision", "snapshot.gpus.type", "slurm.srtctl_commit"}) {
        ASSERT_TRUE(find(found, key)) << key;
        EXPECT_EQ(find(found, key)->state, FactState::Unknown) << key;
        EXPECT_FALSE(find(found, key)->isCounted()) << key;
        EXPECT_TRUE(find(found, key)->isQuiet()) << key;
    }
    const RunDifferences whole = comparedFingerprints("{}", "{}");
    EXPECT_EQ(whole.verdict, Verdict::Same);
    EXPECT_GT(whole.unrecorded, 0U);
    EXPECT_THAT(whole.reason, HasSubstr(std::to_string(whole.unrecorded) + " more facts are not recorded of any side."));
    // One that knows that there are no variables, and one that does not tell.
    EXPECT_EQ(comparedFingerprints("{env: {}}", "{env: null}").verdict, Verdict::Unknown);
}

TEST(RunDifferences, WhatALockfileCouldNotFindOutIsUnknown)
{
    struct Case {
        std::string lock;
        std::string key;
    };
    for (const Case& each :
         {Case{"{resolved: {container_path: unavailable}}", "resolved.container_path"}, Case{"{resolved: null}", "resolved.model_path"},
          Case{"{slurm: {srtctl_commit: ''}}", "slurm.srtctl_commit"}, Case{"{slurm: {cluster: unknown}}", "slurm.cluster"},
          Case{"{resource_snapshot: {cpu_check: {status: unknown}}}", "snapshot.cpu_check.status"},
          Case{"{resource_snapshot: {gpus: null}}", "snapshot.gpus.backend_total"}}) {
        std::vector<Side> sides(2, runSide("decode_w0", "{}"));
        for (Side& side : sides)
            side.lock = yaml(each.lock);
        const RunDifferences found = compare(sides);
        ASSERT_TRUE(find(found, each.key)) << each.lock;
        EXPECT_EQ(find(found, each.key)->state, FactState::Unknown) << each.lock;
        EXPECT_TRUE(find(found, each.key)->isCounted()) << each.lock;
        EXPECT_EQ(found.verdict, Verdict::Unknown) << each.lock;
        EXPECT_EQ(compare(std::vector<Side>(2, runSide("decode_w0", "{}"))).verdict, Verdict::Same);
    }
}

TEST(RunDifferences, ARunWithoutALockfileIsNotKnownToBeTheSame)
{
    const Side locked = runSide("decode_w0", "{}");
    Side bare = locked;
    bare.lock = nullptr;
    EXPECT_FALSE(find(compare(std::vector<Side>(2, locked)), "lockfile"));
    for (const auto& sides : std::vector<std::vector<Side>>{{bare, bare}, {bare, locked}, {locked, bare}}) {
        const RunDifferences found = compare(sides);
        EXPECT_EQ(found.verdict, Verdict::Unknown) << found.reason;
        const Fact* fact = find(found, "lockfile");
        ASSERT_TRUE(fact);
        EXPECT_EQ(fact->state, FactState::Unknown);
        EXPECT_TRUE(fact->isCounted());
        EXPECT_EQ(fact->values.front().has_value(), sides.front().lock != nullptr);
    }
    const RunDifferences found = compare(std::vector<Side>{bare, bare});
    EXPECT_THAT(found.reason, HasSubstr("\"lockfile\" is not known of every side"));
    EXPECT_FALSE(find(found, "slurm.cluster")) << "what is not there has no word for nothing";
    // A recipe that did not run has none to miss.
    EXPECT_FALSE(find(compare(std::vector<Side>(2, recipeSide(plainRecipe))), "lockfile"));
}

TEST(RunDifferences, TwoRunsWithoutARecipeAreNotKnownToBeTheSame)
{
    Side side = runSide("decode_w0", "{}");
    side.recipe = nullptr;
    const std::vector<Side> sides = {side, side};
    EXPECT_EQ(compare(sides).verdict, Verdict::Unknown);
    ASSERT_TRUE(find(compare(sides), "recipe"));
}

TEST(RunDifferences, AGpuThatIsNotNamedMakesNoDifference)
{
    const auto with = [](const std::string& gpu) { return "{gpu: {driver: '1', gpus: [" + gpu + "]}}"; };
    const RunDifferences found = comparedFingerprints(with("{name: H100, memory: 80 GiB}"), with("{name: H100, memory: unavailable}"));
    EXPECT_EQ(find(found, "gpu.list")->state, FactState::Same) << "that one does not tell its memory says nothing of its kind";
    EXPECT_EQ(find(found, "gpu.memory")->state, FactState::Unknown);
    EXPECT_THAT(find(found, "gpu.list")->values, ElementsAre("1 x H100", "1 x H100"));
    EXPECT_THAT(differing(found), IsEmpty());
}

TEST(RunDifferences, RolesAreOneWhereTheyAgree)
{
    Side a = runSide("decode_w0", "{arch: x, env: {B: '1'}}");
    a.fingerprints["prefill_w0"] = fingerprint("{arch: x, env: {B: '2'}}");
    const std::vector<Side> sides = {a, a};
    const RunDifferences found = compare(sides);
    EXPECT_TRUE(find(found, "arch"));
    EXPECT_FALSE(find(found, "decode: arch"));
    EXPECT_TRUE(find(found, "decode: env.B"));
    EXPECT_TRUE(find(found, "prefill: env.B"));
}

TEST(RunDifferences, TheTagOfAnImageIsToldApartFromItsContent)
{
    const auto with = [](const std::string& image) {
        return recipeSide("name: n\nmodel: {path: m, container: '" + image +
                          "', precision: fp8}\nresources: {gpu_type: h100, agg_nodes: 1, agg_workers: 1}\n");
    };
    const std::vector<Side> moved = {with("a/b:nightly@sha256:11"), with("a/b:nightly@sha256:22")};
    const RunDifferences found = compare(moved);
    EXPECT_EQ(find(found, "model.container")->state, FactState::Same);
    EXPECT_EQ(find(found, "container digest")->state, FactState::Different);
    EXPECT_EQ(found.verdict, Verdict::SingleVariable);
    const std::vector<Side> half = {with("a/b:nightly@sha256:11"), with("a/b:nightly")};
    EXPECT_EQ(compare(half).verdict, Verdict::Unknown) << "a tag does not tell the content";
}

TEST(RunSide, ReadsAFolderAndItsLogs)
{
    const test::TemporaryFolder folder;
    folder.put("config.yaml", plainRecipe);
    folder.put("logs/fingerprint_decode_w0.json", R"({"arch": "x", "pip_packages": ["a==1"], "env": {}})");
    folder.put("logs/fingerprint_decode_w1.json", R"({"arch": "x", "pip_packa)");
    folder.put("resource_snapshot.json", R"({"gpus": {"type": "h100", "backend_total": 8}})");
    const auto run = readRun(folder.path().string());
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_TRUE(run->side.recipe);
    EXPECT_EQ(run->side.fingerprints.size(), 1U);
    EXPECT_THAT(run->warnings, ElementsAre(HasSubstr("fingerprint_decode_w1.json")));
    const std::vector<Side> sides = {run->side, run->side};
    EXPECT_THAT(find(compare(sides), "snapshot.gpus.backend_total")->values, ElementsAre("8", "8"));
}

TEST(RunSide, ALockfileOfAnOlderProgramIsOneWithoutTheBlock)
{
    const test::TemporaryFolder folder;
    folder.put("recipe.lock.yaml", plainRecipe + "fingerprint: {arch: x}\n");
    const auto run = readRun(folder.path().string());
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->side.fingerprints.size(), 1U);
    EXPECT_FALSE(find(compare(std::vector<Side>(2, run->side)), "lockfile"));
}

TEST(RunSide, ABrokenLockfileIsSaidWithItsPlace)
{
    const test::TemporaryFolder folder;
    folder.put("recipe.lock.yaml", plainRecipe + "lock:\n  resolved: {model_path: \"x}\n");
    const auto run = readRun(folder.path().string());
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ErrorCode::Malformed);
    EXPECT_THAT(run.error().message, HasSubstr("holds a run that cannot be read"));
    EXPECT_THAT(run.error().message, HasSubstr("recipe.lock.yaml\" was left out: line "));
    EXPECT_THAT(run.error().message, HasSubstr("; copy it again from the run, or mend it: \"srtwb check "));
}

TEST(RunSide, AFolderThatHoldsNoRunIsSaidSo)
{
    const test::TemporaryFolder folder;
    const auto run = readRun(folder.path().string());
    ASSERT_FALSE(run);
    EXPECT_THAT(run.error().message, HasSubstr("holds no run"));
    EXPECT_FALSE(readRun(folder.below("gone__recipe.lock.yaml")));
}

TEST(RunDifferences, JsonHasTheKeysOfTheContract)
{
    const std::vector<Side> sides = {recipeSide(plainRecipe), recipeSide(plainRecipe + "setup_script: s.sh\n")};
    const base::json::Value document = toJson(compare(sides));
    EXPECT_EQ(*document.find("verdict")->string(), "single-variable");
    EXPECT_EQ(document.find("differences")->integer(), 1);
    const base::json::Value* found = nullptr;
    for (const base::json::Value& section : document.find("sections")->array()) {
        for (const base::json::Value& fact : section.find("facts")->array()) {
            if (*fact.find("key")->string() == "setup_script")
                found = &fact;
        }
    }
    ASSERT_TRUE(found);
    EXPECT_EQ(*found->find("state")->string(), "different");
    EXPECT_EQ(found->find("counted")->boolean(), true);
    EXPECT_EQ(*found->find("values")->array().at(1).string(), "s.sh");
    EXPECT_EQ(found->find("noise")->boolean(), false);
}

} // namespace
} // namespace wb::analysis
