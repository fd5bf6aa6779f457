#include "core/assist/completion.h"
#include "core/assist/place.h"
#include "tests/core/assist/documents.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace wb::assist {
namespace {

using test::Marked;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Completions completed(const Marked& text)
{
    const Document document = test::bareDocument(text.source());
    return completionsAt(document, text.cursor());
}

std::vector<std::string> labels(const Completions& completions)
{
    std::vector<std::string> out;
    for (const Completion& each : completions.items)
        out.push_back(each.label);
    return out;
}

std::vector<std::string> labels(std::string_view marked)
{
    return labels(completed(Marked(marked)));
}

/// The text with that completion taken; "^" where the cursor then is.
std::string accepted(std::string_view marked, std::string_view label)
{
    const Marked text(marked);
    for (const Completion& each : completed(text).items) {
        if (each.label != label)
            continue;
        std::string out = syntax::applyEdits(text.text(), {each.edit});
        out.insert(each.edit.range.begin + each.cursor, "^");
        return out;
    }
    return "not offered";
}

TEST(Completion, OffersTheKeysThatAreNotThereYet)
{
    const auto offered = labels("name: x\nresources:\n  gpu_type: gb200\n  ^\n");
    EXPECT_THAT(offered, Contains("decode_nodes"));
    EXPECT_THAT(offered, Not(Contains("gpu_type")));
    EXPECT_THAT(offered, Not(Contains("name")));
}

TEST(Completion, RequiredKeysComeFirstAndSaySo)
{
    const auto offered = completed(Marked("name: x\nmodel:\n  ^\n"));
    ASSERT_GE(offered.items.size(), 4U);
    EXPECT_TRUE(offered.items[0].isRequired);
    EXPECT_THAT(offered.items[0].detail, HasSubstr("required"));
    EXPECT_EQ(offered.items.back().label, "stage_dir");
    EXPECT_FALSE(offered.items[0].doc.empty());
}

TEST(Completion, WorksOnTextThatDoesNotParse)
{
    EXPECT_THAT(labels("name: \"x\nmodel: {path: [a\nresources:\n  prefill_nodes: 2\n  dec^\n"), Contains("decode_nodes"));
    EXPECT_THAT(labels("a: b: c\n\tx\nbenchmark:\n  type: sa-be^"), Contains("sa-bench"));
}

TEST(Completion, WritesAKeyWithItsColonAndAMappingWithItsRequiredKeys)
{
    EXPECT_EQ(accepted("resources:\n  gpu_t^\n", "gpu_type"), "resources:\n  gpu_type: ^\n");
    EXPECT_EQ(accepted("name: x\nmod^\n", "model"), "name: x\nmodel:\n  path: ^\n  container:\n  precision:\n");
    EXPECT_EQ(accepted("name: x\nslu^\n", "slurm"), "name: x\nslurm:\n  ^\n");
    EXPECT_EQ(accepted("resources:\n  gpu_^: 3\n", "gpu_type"), "resources:\n  gpu_type^: 3\n")
        << "a colon that is there stays the only one";
    EXPECT_EQ(accepted("resources: {gpu_^}\n", "gpu_type"), "resources: {gpu_type: ^}\n");
}

TEST(Completion, PutsAWrongIndentationRight)
{
    EXPECT_EQ(accepted("resources:\n  gpu_type: h100\n   dec^\n", "decode_nodes"), "not offered") << "goes on with the text before";
    EXPECT_EQ(accepted("resources:\n  gpu_type: h100\n    ^\n", "decode_nodes"), "resources:\n  gpu_type: h100\n  decode_nodes: ^\n");
    EXPECT_EQ(accepted("base:\n    name: x\n    resources:\n        gpu_type: h100\n      ^\n", "slurm"), "not offered");
}

TEST(Completion, OffersChoicesWithTheirDocs)
{
    const auto offered = completed(Marked("benchmark:\n  type: ^\n"));
    EXPECT_THAT(labels(offered), Contains("sa-bench"));
    EXPECT_EQ(accepted("benchmark:\n  type:^\n", "sa-bench"), "benchmark:\n  type: sa-bench^\n");
    EXPECT_EQ(accepted("benchmark:\n  type: \"sa^\"\n", "sa-bench"), "benchmark:\n  type: \"sa-bench\"^\n") << "quotes stay";
    EXPECT_EQ(labels("backend:\n  type: ^\n"), (std::vector<std::string>{"sglang", "trtllm", "vllm", "mocker"}));
}

TEST(Completion, OffersSwitchesAndNull)
{
    EXPECT_THAT(labels("resources:\n  spread_workers: ^\n"), ElementsAre("true", "false"));
    EXPECT_THAT(labels("resources:\n  het_jobs: ^\n"), Contains("null"));
}

TEST(Completion, OffersTheFlagsOfTheEngineInTheText)
{
    EXPECT_THAT(labels("backend:\n  type: vllm\n  vllm_config:\n    prefill:\n      max-num-b^\n"), Contains("max-num-batched-tokens"));
    EXPECT_THAT(labels("backend:\n  sglang_config:\n    decode:\n      mem-fr^\n"), Contains("mem-fraction-static"))
        << "sglang is the default";
    EXPECT_THAT(labels("backend:\n  type: sglang\n  sglang_config:\n    decode:\n      mem_fraction_static: 0.9\n      mem-fr^\n"),
                IsEmpty())
        << "it is there, spelt with underscores";
    EXPECT_THAT(labels("backend:\n  type: sglang\n  sglang_config:\n    prefill:\n      attention-backend: fla^\n"),
                Contains("flashinfer"));
    EXPECT_THAT(labels("backend:\n  type: sglang\n  sglang_config:\n    prefill:\n      trust-remote-code: ^\n"),
                ElementsAre("true", "false"));
}

TEST(Completion, OffersTheNamesOfTheClusterFile)
{
    const auto offered = completed(Marked("model:\n  path: ds^\n"));
    EXPECT_THAT(labels(offered), ElementsAre("dsr1", "dsr1-fp4"));
    EXPECT_EQ(offered.items[0].detail, "/models/DeepSeek-R1");
    EXPECT_THAT(labels("frontend:\n  nginx_container: ^\n"), Contains("nginx"));
    EXPECT_THAT(labels("base:\n  name: x\nzip_override_m:\n  model:\n    path: [dsr1, ^]\n"), Contains("dsr1-fp4")) << "each item of a zip";
}

TEST(Completion, OffersTheParametersOfTheSweepInsideBraces)
{
    const std::string_view sweep = "sweep:\n  mem: [0.8, 0.9]\n  ep: [true, false]\n";
    EXPECT_EQ(accepted(std::string(sweep) + "name: \"x-{m^\"\n", "mem"), std::string(sweep) + "name: \"x-{mem}^\"\n");
    EXPECT_EQ(accepted(std::string(sweep) + "name: \"x-{m^em}\"\n", "mem"), std::string(sweep) + "name: \"x-{mem}^\"\n");
    EXPECT_EQ(accepted(std::string(sweep) + "slurm:\n  account: {^}\n", "ep"), std::string(sweep) + "slurm:\n  account: \"{ep}\"^\n");
    EXPECT_EQ(accepted(std::string(sweep) + "slurm: {^}\n", "ep"), "not offered") << "a mapping is meant there";
    EXPECT_EQ(accepted(std::string(sweep) + "benchmark:\n  isl: {^\n", "ep"), std::string(sweep) + "benchmark:\n  isl: \"{ep}\"^\n")
        << "without quotes it would be a mapping";
    EXPECT_EQ(accepted("sweep:\n  mem.x: [1]\nname: \"x-{m^em.y}\"\n", "mem.x"), "sweep:\n  mem.x: [1]\nname: \"x-{mem.x}^\"\n")
        << "a point is of the name";
    EXPECT_THAT(labels("sweep:\n  ^\nname: \"{mem}\"\n"), ElementsAre("mem")) << "a placeholder that has no parameter yet";
}

TEST(Completion, OffersSectionsAndInThemTheKeysOfBaseFirst)
{
    const std::string_view base =
        "base:\n  name: x\n  resources:\n    gpu_type: h100\n    decode_nodes: 2\n  environment:\n    MY_VAR: \"1\"\n";
    EXPECT_EQ(accepted(std::string(base) + "over^\n", "override_"), std::string(base) + "override_^:\n  \n");
    EXPECT_EQ(accepted(std::string(base) + "override_small^\n", "override_small"), std::string(base) + "override_small:\n  ^\n");
    const auto offered = completed(Marked(std::string(base) + "override_a:\n  resources:\n    ^\n"));
    ASSERT_GE(offered.items.size(), 3U);
    EXPECT_EQ(offered.items[0].label, "gpu_type");
    EXPECT_EQ(offered.items[0].detail, "base: h100");
    EXPECT_EQ(offered.items[1].label, "decode_nodes");
    EXPECT_THAT(labels(std::string(base) + "override_a:\n  environment:\n    ^\n"), ElementsAre("MY_VAR"));
    EXPECT_EQ(accepted(std::string(base) + "zip_override_a:\n  resources:\n    dec^\n", "decode_nodes"),
              std::string(base) + "zip_override_a:\n  resources:\n    decode_nodes: [^]\n");
}

TEST(Completion, OffersAnchorsBehindAStarAndAMerge)
{
    EXPECT_THAT(labels("x-a: &env\n  A: \"1\"\nx-b: &other 5\nbase:\n  environment: *e^\n"), ElementsAre("*env"));
    EXPECT_EQ(accepted("x-a: &env\n  A: \"1\"\nbase:\n  environment:\n    <<: ^\n", "*env"),
              "x-a: &env\n  A: \"1\"\nbase:\n  environment:\n    <<: *env^\n");
}

TEST(Completion, HasNothingToSayInCommentsAndTexts)
{
    EXPECT_THAT(labels("name: x # ^\n"), IsEmpty());
    EXPECT_THAT(labels("# mod^\n"), IsEmpty());
    EXPECT_THAT(labels("benchmark:\n  command: |\n    typ^\n"), IsEmpty());
    EXPECT_THAT(labels("name: x  ^\n"), IsEmpty());
}

TEST(Completion, OffersWhatTheJobWouldNotReadLast)
{
    const auto offered = completed(Marked("benchmark:\n  type: mmlu\n  ^\n"));
    const auto at = [&](std::string_view label) {
        return std::find_if(offered.items.begin(), offered.items.end(), [&](const Completion& each) { return each.label == label; });
    };
    ASSERT_NE(at("num_examples"), offered.items.end());
    ASSERT_NE(at("concurrencies"), offered.items.end());
    EXPECT_FALSE(at("num_examples")->isDoubtful);
    EXPECT_TRUE(at("concurrencies")->isDoubtful);
    EXPECT_LT(at("num_examples"), at("concurrencies"));
}

TEST(Completion, SaysWhenTheWordIsComplete)
{
    EXPECT_TRUE(completed(Marked("benchmark:\n  type: sa-bench^\n")).isComplete);
    EXPECT_FALSE(completed(Marked("benchmark:\n  type: sa-benc^\n")).isComplete);
}

TEST(Completion, KnowsTheKeysOfAClusterFile)
{
    const Marked text("cluster: x\ndefault_^\n");
    check::Facts facts = *test::clusterFacts();
    facts.clusterSource = std::make_shared<syntax::SourceText>("", "srtslurm.yaml");
    const Document document(text.source("srtslurm.yaml"), std::make_shared<check::Facts>(facts), nullptr);
    EXPECT_THAT(labels(completionsAt(document, text.cursor())), Contains("default_account"));
}

TEST(Completion, KnowsTheSecondLanguage)
{
    EXPECT_THAT(labels("schema: 2\nroles:\n  prefill:\n    ^\n"), Contains("nodes"));
    EXPECT_THAT(labels("schema: 2\nengine: vllm\nroles:\n  prefill:\n    args:\n      max-num-b^\n"), Contains("max-num-batched-tokens"));
    EXPECT_THAT(labels("schema: 2\nengine: vllm\nroles:\n  prefill:\n    engine: sglang\n    args:\n      mem-fr^\n"),
                Contains("mem-fraction-static"))
        << "the role's own engine counts";
    EXPECT_THAT(labels("schema: 2\nengine:\n  type: ^\n"), Contains("tilert"));
    EXPECT_THAT(labels("schema: 2\nroles:\n  prefill:\n    container: sg^\n"), ElementsAre("sglang-dev"));
}

TEST(Fit, RanksBeginningsOverWordsOverParts)
{
    EXPECT_EQ(fit("mem", "mem-fraction-static"), 4);
    EXPECT_EQ(fit("MEM_fr", "mem-fraction-static"), 4);
    EXPECT_EQ(fit("frac", "mem-fraction-static"), 3);
    EXPECT_EQ(fit("racti", "mem-fraction-static"), 2);
    EXPECT_EQ(fit("mfs", "mem-fraction-static"), 1);
    EXPECT_EQ(fit("xyz", "mem-fraction-static"), 0);
}

TEST(Place, KnowsPathAndSideWhereverTheCursorIs)
{
    const auto pathAt = [](std::string_view marked) {
        const Marked text(marked);
        const Place place = placeAt(test::bareDocument(text.source()), text.cursor());
        const char* side = place.side == Side::Key     ? "key "
                           : place.side == Side::Value ? "value "
                           : place.side == Side::Text  ? "text "
                                                       : "none ";
        return side + dotted(place.path);
    };
    EXPECT_EQ(pathAt("a:\n  b: ^1\n"), "value a.b");
    EXPECT_EQ(pathAt("a:\n  b^: 1\n"), "key a");
    EXPECT_EQ(pathAt("a:\n  b: 1\n  ^\n"), "key a");
    EXPECT_EQ(pathAt("a:\n  b: 1\n^\n"), "key ");
    EXPECT_EQ(pathAt("a:\n  - ^\n"), "value a[0]");
    EXPECT_EQ(pathAt("a: [1, ^]\n"), "value a[1]");
    EXPECT_EQ(pathAt("a: {b: 1, ^}\n"), "key a");
    EXPECT_EQ(pathAt("a: {b: ^}\n"), "value a.b");
    EXPECT_EQ(pathAt("a: |\n  x^\nb: 1\n"), "text a");
    EXPECT_EQ(pathAt("a: |\n  x\n  ^\n"), "text a");
    EXPECT_EQ(pathAt("^"), "key ");
    EXPECT_EQ(pathAt("a:\n- b: 1\n  ^\n"), "key a[0]");
}

} // namespace
} // namespace wb::assist
