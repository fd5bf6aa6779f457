// What the rules find in the flags of a job, at which place, how severe, and with which fix.
#include "core/recipe/flagrules.h"
#include "core/recipe/rules.h"
#include "core/syntax/diagnostic.h"
#include "tests/support/jobs.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace wb::recipe {
namespace {

using syntax::Diagnostic;
using syntax::Severity;
using test::Marked;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Findings about flags alone, of a recipe with one aggregated worker of that engine.
class FlagRules : public testing::Test
{
protected:
    struct Given {
        std::string engine = "sglang";
        std::string container = "image";
        std::string frontend = "{type: dynamo, args: {}}";
    };

    /// The recipe around the flags, which may be marked.
    static Marked recipeWith(const std::string& flags, const Given& given)
    {
        return Marked("name: n\nmodel: {path: p, container: \"" + given.container +
                      "\", precision: fp8}\nresources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\nfrontend: " +
                      given.frontend + "\nbackend:\n  type: " + given.engine + "\n  " + given.engine +
                      "_config:\n    aggregated: " + flags + "\n");
    }

    static std::vector<Diagnostic> findingsOf(const Marked& yaml)
    {
        const Job job = test::jobFrom(yaml.text());
        std::vector<Diagnostic> out;
        for (Diagnostic& problem : checkRules(job)) {
            const bool isOfFlags = problem.rule == "engine-flags" || problem.rule.starts_with("flag-");
            if (isOfFlags)
                out.push_back(std::move(problem));
        }
        return out;
    }

    static std::vector<Diagnostic> findingsOf(const std::string& flags, const Given& given) { return findingsOf(recipeWith(flags, given)); }

    /// The one finding, or a failure.
    static Diagnostic theOne(const Marked& yaml)
    {
        const std::vector<Diagnostic> found = findingsOf(yaml);
        EXPECT_THAT(found, SizeIs(1)) << yaml.text();
        for (const Diagnostic& problem : found)
            EXPECT_EQ(found.size(), 1U) << problem.rule << ": " << problem.message;
        return found.empty() ? Diagnostic() : found.front();
    }

    static std::string mended(const Marked& yaml, const Diagnostic& problem)
    {
        EXPECT_THAT(problem.fixes, SizeIs(1));
        return problem.fixes.empty() ? std::string() : syntax::applyEdits(yaml.text(), problem.fixes.front().edits);
    }
};

TEST_F(FlagRules, AreSilentAboutGoodFlags)
{
    EXPECT_THAT(
        findingsOf(
            "{tp-size: 8, mem_fraction_static: \"0.8\", enable-dp-attention: true, disable-radix-cache: false, served-model-name: m}", {}),
        IsEmpty());
    EXPECT_THAT(
        findingsOf("{tensor-parallel-size: 8, max-model-len: 16k, no-enable-prefix-caching: true, kv-transfer-config: '{\"a\": 1}'}",
                   {.engine = "vllm"}),
        IsEmpty());
    EXPECT_THAT(findingsOf("{tensor_parallel_size: 8, cuda_graph_config: null, moe_config: {backend: CUTLASS}, kv_cache_config: "
                           "{free_gpu_memory_fraction: 0.8}}",
                           {.engine = "trtllm"}),
                IsEmpty());
}

TEST_F(FlagRules, FindTheNearestNameOfAnUnknownFlagInTheRecipesSpelling)
{
    const Marked yaml = recipeWith("{[[mem_fraction_statc]]: 0.8}", {});
    const Diagnostic problem = theOne(yaml);
    EXPECT_EQ(problem.range, yaml.range());
    EXPECT_EQ(problem.severity, Severity::Warning);
    EXPECT_EQ(problem.path, "backend.sglang_config.aggregated.mem_fraction_statc");
    EXPECT_THAT(mended(yaml, problem), HasSubstr("{mem_fraction_static: 0.8}"));
}

TEST_F(FlagRules, AreAsSureAsTheirTables)
{
    const std::string unknown = "{zzzzzzzzzzzz: 1}";
    const std::string release = "nvcr.io/nvidia/tensorrt-llm/release:";
    EXPECT_EQ(theOne(recipeWith(unknown, {})).severity, Severity::Warning);
    EXPECT_EQ(theOne(recipeWith(unknown, {.engine = "vllm"})).severity, Severity::Hint);
    EXPECT_EQ(theOne(recipeWith(unknown, {.engine = "trtllm", .container = release + "1.3.0rc20"})).severity, Severity::Error);
    EXPECT_EQ(theOne(recipeWith(unknown, {.engine = "trtllm", .container = release + "1.4.0"})).severity, Severity::Hint)
        << "a newer image may have it";
    EXPECT_EQ(theOne(recipeWith(unknown, {.engine = "trtllm"})).severity, Severity::Warning) << "nothing is known of the image";
    EXPECT_EQ(theOne(recipeWith("{max_batch_siz: 1}", {.engine = "trtllm", .container = release + "1.4.0"})).severity, Severity::Hint)
        << "names of new settings are near those of old ones";
}

TEST_F(FlagRules, ReadBlocksOfTensorRtLlmStrictly)
{
    const Given trtllm{.engine = "trtllm", .container = "nvcr.io/nvidia/tensorrt-llm/release:1.3.0rc20"};
    const Marked slip = recipeWith("{kv_cache_config: {[[free_gpu_memory_fracton]]: 0.8}}", trtllm);
    const Diagnostic problem = theOne(slip);
    EXPECT_EQ(problem.range, slip.range());
    EXPECT_EQ(problem.severity, Severity::Error);
    EXPECT_EQ(problem.path, "backend.trtllm_config.aggregated.kv_cache_config.free_gpu_memory_fracton");
    const Marked variant = recipeWith("{speculative_config: {decoding_type: NGram, [[eagle3_layers_to_capture]]: [1]}}", trtllm);
    EXPECT_THAT(theOne(variant).message, HasSubstr("where its \"decoding_type\" is \"NGram\""));
    EXPECT_EQ(theOne(variant).range, variant.range());
    EXPECT_THAT(findingsOf("{quant_config: {anything: 1}}", trtllm), SizeIs(1)) << "of the TensorRT backend; its keys were not read";
    EXPECT_THAT(findingsOf("{backend: tensorrt, quant_config: {anything: 1}}", trtllm), SizeIs(1)) << "the old word alone";
    const Marked dashed = recipeWith("{[[max-batch-size]]: 8}", trtllm);
    EXPECT_THAT(mended(dashed, theOne(dashed)), HasSubstr("{max_batch_size: 8}"));
}

TEST_F(FlagRules, RefuseValuesOfAnotherKind)
{
    const Marked number = recipeWith("{tp-size: [[eight]]}", {});
    EXPECT_EQ(theOne(number).range, number.range());
    EXPECT_EQ(theOne(number).message, "\"tp-size\" takes a whole number, at least 1, not \"eight\".");
    EXPECT_THAT(theOne(recipeWith("{tp-size: 8.0}", {})).message, HasSubstr("takes a whole number"));
    EXPECT_THAT(theOne(recipeWith("{tp-size: true}", {})).message, HasSubstr("needs a value"));
    EXPECT_THAT(theOne(recipeWith("{tp-size: [4, 8]}", {})).message, HasSubstr("a list gives several words"));
    EXPECT_THAT(findingsOf("{cuda-graph-bs-decode: [1, 2, 4]}", {}), IsEmpty());
    const Marked item = recipeWith("{cuda-graph-bs-decode: [1, [[x]]]}", {});
    EXPECT_EQ(theOne(item).range, item.range());
    EXPECT_EQ(theOne(recipeWith("{max_batch_size: many}", {.engine = "trtllm"})).severity, Severity::Warning);
    EXPECT_THAT(theOne(recipeWith("{kv_cache_config: {free_gpu_memory_fraction: 1.5}}", {.engine = "trtllm"})).message,
                HasSubstr("at most 1"));
    EXPECT_THAT(theOne(recipeWith("{kv_cache_config: 3}", {.engine = "trtllm"})).message, HasSubstr("a mapping"));
    EXPECT_THAT(theOne(recipeWith("{moe_config: [1]}", {.engine = "trtllm"})).message, HasSubstr("not a list"));
}

TEST_F(FlagRules, RefuseWordsOutsideClosedChoices)
{
    const Marked yaml = recipeWith("{kv-cache-dtype: [[fp8_e4m]]}", {});
    const std::vector<Diagnostic> found = findingsOf(yaml);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].range, yaml.range());
    EXPECT_THAT(mended(yaml, found[0]), HasSubstr("{kv-cache-dtype: fp8_e4m3}"));
    EXPECT_THAT(findingsOf("{attn_backend: NEW_ONE}", {.engine = "trtllm"}), IsEmpty()) << "an open list is a lower bound";
}

TEST_F(FlagRules, TellASwitchFromAValue)
{
    const Marked text = recipeWith("{enable-dp-attention: [[\"true\"]]}", {});
    EXPECT_EQ(theOne(text).range, text.range());
    EXPECT_THAT(mended(text, theOne(text)), HasSubstr("{enable-dp-attention: true}"));
    EXPECT_THAT(theOne(recipeWith("{enable-dp-attention: 1}", {})).message, HasSubstr("takes no value"));
}

TEST_F(FlagRules, SayThatFalseSwitchesNothingOff)
{
    const Given vllm{.engine = "vllm"};
    const Marked yaml = recipeWith("{enable_prefix_caching: [[false]]}", vllm);
    const Diagnostic problem = theOne(yaml);
    EXPECT_EQ(problem.rule, "flag-values");
    EXPECT_EQ(problem.range, yaml.range());
    EXPECT_EQ(problem.severity, Severity::Hint) << "the engine decides what the default is";
    EXPECT_THAT(mended(yaml, problem), HasSubstr("{no_enable_prefix_caching: true}"));
    const Marked router = recipeWith("{}", {.frontend = "{type: dynamo, args: {router-kv-events: [[false]]}}"});
    EXPECT_EQ(theOne(router).severity, Severity::Warning) << "this one is on by default";
    EXPECT_THAT(findingsOf("{enable-dp-attention: false}", {}), IsEmpty()) << "off by default";
}

TEST_F(FlagRules, WantJsonTextWhereAMappingIsGiven)
{
    const Marked yaml = recipeWith("{[[kv-transfer-config]]: {kv_connector: NixlConnector, n: [1, true]}}", {.engine = "vllm"});
    const Diagnostic problem = theOne(yaml);
    EXPECT_EQ(problem.range, yaml.range());
    EXPECT_EQ(problem.severity, Severity::Warning);
    EXPECT_THAT(mended(yaml, problem), HasSubstr("kv-transfer-config: '{\"kv_connector\":"));
    EXPECT_THAT(findingsOf(Marked(mended(yaml, problem))), IsEmpty());
    EXPECT_THAT(theOne(recipeWith("{kv-transfer-config: \"{'kv_connector': 'x'}\"}", {.engine = "vllm"})).message, HasSubstr("takes JSON"));
    EXPECT_THAT(findingsOf("{unheard-of: {a: 1}}", {.engine = "vllm"}), SizeIs(2)) << "unknown, and a mapping";
}

TEST_F(FlagRules, OfferARenameOnlyWhereTheImageKnowsTheNewName)
{
    const std::string old = "{[[cuda-graph-max-bs]]: 64}";
    const Marked unknown = recipeWith(old, {});
    EXPECT_THAT(theOne(unknown).fixes, IsEmpty());
    EXPECT_EQ(theOne(unknown).severity, Severity::Hint);
    EXPECT_EQ(theOne(unknown).rule, "flag-standing");
    EXPECT_THAT(findingsOf("{cuda-graph-max-bs: 64}", {.container = "lmsysorg/sglang:v0.5.8"}), IsEmpty())
        << "there the old name is the one to use";
    const Marked unseen = recipeWith("{nsa-prefill-cp-mode: in-seq-split}", {.container = "lmsysorg/sglang:v0.5.8"});
    EXPECT_THAT(theOne(unseen).message, HasSubstr("the image's 0.5.8 may not know yet"));
    EXPECT_THAT(theOne(unseen).fixes, IsEmpty());
    const Marked after = recipeWith(old, {.container = "lmsysorg/sglang:v0.6.0"});
    EXPECT_THAT(mended(after, theOne(after)), HasSubstr("{cuda-graph-max-bs-decode: 64}"));
    const Marked withValue = recipeWith("{enable-flashinfer-allreduce-fusion: true}", {.container = "sglang-0.6.0"});
    EXPECT_THAT(mended(withValue, theOne(withValue)), HasSubstr("{flashinfer-allreduce-fusion-backend: auto}"));
    const Marked dynamo = recipeWith(old, {.container = "nvcr.io/nvidia/ai-dynamo/sglang-runtime:9.9.0"});
    EXPECT_THAT(theOne(dynamo).fixes, IsEmpty()) << "Dynamo's version says nothing of the engine's";
}

TEST_F(FlagRules, TellWhatIsGoneFromWhatIsNotYetGone)
{
    EXPECT_THAT(theOne(recipeWith("{enable-ep-moe: true}", {})).message, HasSubstr("have no \"enable-ep-moe\""));
    EXPECT_THAT(findingsOf("{enable-ep-moe: true}", {.container = "lmsysorg/sglang:v0.5.2"}), IsEmpty()) << "that image still has it";
    EXPECT_THAT(theOne(recipeWith("{enable-ep-moe: true}", {.container = "lmsysorg/sglang:v0.5.8"})).message,
                HasSubstr("the image is newer"));
    EXPECT_EQ(theOne(recipeWith("{disable-log-requests: true}", {.engine = "vllm"})).severity, Severity::Hint);
    EXPECT_THAT(theOne(recipeWith("{mm-enable-dp-encoder: true}", {.container = "lmsysorg/sglang:v0.5.8"})).message,
                HasSubstr("the image is older"));
    EXPECT_THAT(theOne(recipeWith("{}", {.frontend = "{type: dynamo, args: {no-kv-events: true}}"})).message,
                HasSubstr("no-router-kv-events"));
    EXPECT_THAT(theOne(recipeWith("{enable_tqdm: true}", {.engine = "trtllm"})).message, HasSubstr("TensorRT backend"));
}

TEST_F(FlagRules, KeepHandsOffWhatSrtctlSets)
{
    const Marked port = recipeWith("{[[port]]: 30000}", {});
    EXPECT_EQ(theOne(port).range, port.range());
    EXPECT_EQ(theOne(port).severity, Severity::Warning);
    EXPECT_EQ(theOne(recipeWith("{model-path: /m}", {})).severity, Severity::Hint);
    EXPECT_THAT(theOne(recipeWith("{model-path: /m}", {})).message, HasSubstr("has no effect"));
    EXPECT_THAT(theOne(recipeWith("{headless: true}", {.engine = "vllm"})).message, HasSubstr("the first one too"));
    EXPECT_THAT(findingsOf("{connector: null, served-model-name: m}", {.engine = "vllm"}), IsEmpty());
    EXPECT_THAT(theOne(recipeWith("{}", {.frontend = "{type: dynamo, args: {http-port: 9000}}"})).message, HasSubstr("srtctl's affair"));
}

TEST_F(FlagRules, WarnOfAFixedBootstrapPortWhereItIsSharedOrNotTheOneThatIsTold)
{
    const auto severity = [](const std::string& resources, const std::string& frontend) {
        const std::vector<Diagnostic> found = findingsOf(
            Marked("name: n\nmodel: {path: p, container: c, precision: fp8}\nresources: {gpu_type: h100, gpus_per_node: 8, " + resources +
                   "}\nfrontend: {type: " + frontend +
                   ", args: {}}\nbackend:\n  type: sglang\n  sglang_config:\n    prefill: {disaggregation-bootstrap-port: 30001}\n"
                   "    decode: {disaggregation-bootstrap-port: 30001}\n"));
        EXPECT_THAT(found, SizeIs(1)) << "in decode nothing listens there";
        return found.empty() ? Severity::Error : found.front().severity;
    };
    const std::string one = "prefill_nodes: 1, prefill_workers: 1, decode_nodes: 1, decode_workers: 1";
    EXPECT_EQ(severity(one, "dynamo"), Severity::Hint);
    EXPECT_EQ(severity(one, "sglang"), Severity::Warning);
    EXPECT_EQ(severity("prefill_nodes: 1, prefill_workers: 2, decode_nodes: 1, decode_workers: 1", "dynamo"), Severity::Warning);
}

TEST_F(FlagRules, FindOneFlagInTwoSpellings)
{
    const Marked yaml = recipeWith("{[[tp-size]]: 4, [[tensor_parallel_size]]: 8}", {});
    const Diagnostic problem = theOne(yaml);
    EXPECT_EQ(problem.range, yaml.range(1));
    ASSERT_THAT(problem.notes, SizeIs(1));
    EXPECT_EQ(problem.notes[0].range, yaml.range(0));
    EXPECT_EQ(problem.severity, Severity::Warning);
    EXPECT_THAT(findingsOf("{no-enable-prefix-caching: true, enable-prefix-caching: true}", {.engine = "vllm"}), SizeIs(1));
}

TEST_F(FlagRules, FindUnderscoresWhereTheyStay)
{
    const Marked yaml = recipeWith("{}", {.frontend = "{type: dynamo, args: {[[router_mode]]: kv}}"});
    const Diagnostic problem = theOne(yaml);
    EXPECT_EQ(problem.range, yaml.range());
    EXPECT_EQ(problem.severity, Severity::Warning);
    EXPECT_THAT(mended(yaml, problem), HasSubstr("{router-mode: kv}"));
    const Marked aiperf(
        "name: n\nmodel: {path: p, container: c, precision: fp8}\nresources: {gpu_type: h100, agg_nodes: 1, agg_workers: 1}\n"
        "benchmark: {type: trace-replay, trace_file: t, concurrencies: [1], aiperf_args: {[[request_count]]: 4}}\n");
    EXPECT_EQ(theOne(aiperf).range, aiperf.range());
}

TEST_F(FlagRules, WriteAbbreviationsInFull)
{
    const Marked yaml = recipeWith("{[[speculative-algo]]: EAGLE}", {});
    const Diagnostic problem = theOne(yaml);
    EXPECT_EQ(problem.severity, Severity::Hint);
    EXPECT_THAT(mended(yaml, problem), HasSubstr("{speculative-algorithm: EAGLE}"));
}

TEST_F(FlagRules, CompareSizesOfOneEngine)
{
    const Given trtllm{.engine = "trtllm"};
    const Marked batch = recipeWith("{max_batch_size: [[640]], max_num_tokens: [[512]]}", trtllm);
    EXPECT_EQ(theOne(batch).range, batch.range(1));
    EXPECT_EQ(theOne(batch).notes.at(0).range, batch.range(0));
    EXPECT_THAT(findingsOf("{max_batch_size: 512, max_num_tokens: 512}", trtllm), IsEmpty());
    const Marked balance = recipeWith("{enable_attention_dp: false, [[attention_dp_config]]: {enable_balance: true}}", trtllm);
    EXPECT_EQ(theOne(balance).range, balance.range());
    const Marked sizes = recipeWith("{cuda_graph_config: {batch_sizes: [1, 2, [[1]]]}}", trtllm);
    EXPECT_EQ(theOne(sizes).range, sizes.range());
    EXPECT_EQ(theOne(recipeWith("{max-num-seqs: 512, max-num-batched-tokens: 256}", {.engine = "vllm"})).rule, "flag-sizes");
}

TEST_F(FlagRules, KeepTheEnginesWordsInTheSecondLanguage)
{
    Job job = test::jobFrom(recipeWith("{backend: pytorch}", {.engine = "trtllm"}).text());
    job.schema = 2;
    job.written = job.config;
    std::vector<Diagnostic> found = checkRules(job);
    std::erase_if(found, [](const Diagnostic& problem) { return problem.rule != "flag-standing"; });
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].path, "roles.agg.args.backend");
    EXPECT_THAT(found[0].message, testing::StartsWith("\"backend\" is old"));
}

TEST_F(FlagRules, TellTheFirstRepeatedItemOfALongList)
{
    std::string list = "[";
    for (int i = 1; i <= 900; ++i)
        list += std::to_string(i) + ", ";
    const Marked yaml = recipeWith("{cuda-graph-bs-decode: " + list + "[[7]], 8]}", {});
    const Diagnostic problem = theOne(yaml);
    EXPECT_EQ(problem.rule, "flag-sizes");
    EXPECT_EQ(problem.range, yaml.range());
    ASSERT_THAT(problem.notes, SizeIs(1));
    EXPECT_EQ(yaml.text().substr(problem.notes[0].range.begin, 4), "7, 8");
    EXPECT_THAT(findingsOf("{cuda-graph-bs-decode: [1, 2, 4]}", {}), IsEmpty());
}

TEST_F(FlagRules, OfferNoFlagThatIsGivenAlready)
{
    const Marked yaml = recipeWith("{mem-fraction-static: 0.8, [[mem-fraction-statik]]: 0.9}", {});
    const Diagnostic problem = theOne(yaml);
    EXPECT_EQ(problem.range, yaml.range());
    EXPECT_THAT(problem.fixes, IsEmpty());
    EXPECT_THAT(problem.message, testing::Not(HasSubstr("did you mean")));
}

TEST_F(FlagRules, AnAbbreviationBesideTheWholeFlagIsTheSameFlagTwice)
{
    const std::vector<Diagnostic> found = findingsOf("{tensor_parallel_size: 4, tp: 8}", {});
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [](const Diagnostic& problem) {
        return problem.severity == Severity::Warning && problem.message.find("are one flag, which is given twice") != std::string::npos;
    }));
}

TEST(FlagRulesOfModes, AnotherModeThanThatOfTheBlockIsAWarning)
{
    const auto found = [](const std::string& mode) {
        std::vector<Diagnostic> out = checkRules(test::jobFrom(
            "name: n\nmodel: {path: p, container: c, precision: fp8}\nresources: {gpu_type: gb200, gpus_per_node: 4, prefill_nodes: 1, "
            "decode_nodes: 1, prefill_workers: 1, decode_workers: 1}\nbackend: {type: sglang, sglang_config: {prefill: "
            "{disaggregation-mode: " +
            mode + "}}}\n"));
        std::erase_if(out, [](const Diagnostic& problem) { return problem.rule != "flag-owners"; });
        return out;
    };
    EXPECT_THAT(found("prefill"), IsEmpty()) << "what srtctl gives anyway";
    const std::vector<Diagnostic> wrong = found("decode");
    ASSERT_THAT(wrong, SizeIs(1));
    EXPECT_EQ(wrong.front().severity, Severity::Warning);
    EXPECT_THAT(wrong.front().message, HasSubstr("prefill workers run as that"));
}

TEST_F(FlagRules, OfferNoNameThatStandsThereAlready)
{
    const auto fixes = [](const std::string& flags, const Given& given) {
        std::vector<std::string> out;
        for (const Diagnostic& problem : findingsOf(flags, given)) {
            for (const syntax::Fix& fix : problem.fixes)
                out.push_back(fix.title);
        }
        return out;
    };
    EXPECT_THAT(fixes("{tp: 4, tp-size: 4}", {}), IsEmpty());
    EXPECT_THAT(fixes("{tp-siz: 4, tp-size: 4}", {}), IsEmpty());
    const Given newer = {"trtllm", "nvcr.io/nvidia/tensorrt-llm/release:1.3.0", "{type: dynamo, args: {}}"};
    EXPECT_THAT(fixes("{speculative_config: {decoding_type: MTP, num_nextn_predict_layers: 1}}", newer), SizeIs(1));
    EXPECT_THAT(fixes("{speculative_config: {decoding_type: MTP, num_nextn_predict_layers: 1, max_draft_len: 1}}", newer), IsEmpty());
    EXPECT_THAT(fixes("{tp-size: {tp}}", {}), IsEmpty()) << "a placeholder without its quotes is no mapping";
}

} // namespace
} // namespace wb::recipe
