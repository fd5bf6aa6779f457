// Manifests to begin with, and those made of recipes: they check clean, and what is restored fits what is captured.
#include "core/base/text.h"
#include "core/snapshot/capturemanifest.h"
#include "core/snapshot/compat.h"
#include "core/snapshot/manifestcheck.h"
#include "core/snapshot/nodefacts.h"
#include "core/snapshot/restoremanifest.h"
#include "core/syntax/yaml.h"

#include <gmock/gmock.h>

#include <set>

namespace wb::snapshot {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> told(const std::string& text, const char* crds = "latest")
{
    std::vector<std::string> out;
    for (const syntax::Diagnostic& finding : checkManifest(std::make_shared<const syntax::SourceText>(text), *builtinCrds(crds)).findings)
        out.push_back(std::string(syntax::id(finding)) + " " + finding.path + " " + finding.message);
    return out;
}

TEST(ManifestTemplates, CheckWithoutAFindingForEveryEngineCaptureAndRestore)
{
    std::set<std::string> ids;
    for (const ManifestTemplate& each : manifestTemplates()) {
        SCOPED_TRACE(each.id);
        EXPECT_TRUE(ids.insert(each.id).second);
        EXPECT_FALSE(each.title.empty());
        EXPECT_THAT(each.text, testing::StartsWith("# "));
        EXPECT_THAT(told(each.text), IsEmpty()) << each.text;
        const CheckedManifest checked = checkManifest(std::make_shared<const syntax::SourceText>(each.text), *builtinCrds("latest"));
        EXPECT_TRUE(checked.hasVerdict() && checked.valid);
        const bool isForSeveral = each.id.find("-8-capture") != std::string::npos;
        EXPECT_EQ(told(each.text, "main-b7e707c").size(), isForSeveral ? 1U : 0U)
            << "the older server loses the annotation, and it is told";
        EXPECT_EQ(findTemplate(each.id), &each);
    }
    for (const char* engine : {"vllm", "sglang", "trtllm"})
        for (const char* kind : {"-1-capture", "-1-restore", "-8-capture", "-8-restore"})
            EXPECT_TRUE(ids.contains(std::string(engine) + kind)) << engine << kind;
    EXPECT_TRUE(ids.contains("podsnapshot"));
    EXPECT_EQ(findTemplate("nothing"), nullptr);
}

TEST(ManifestTemplates, ARestoreFitsTheCaptureOfItsEngine)
{
    for (const char* stem : {"vllm-1", "vllm-8", "sglang-1", "sglang-8", "trtllm-1", "trtllm-8"}) {
        SCOPED_TRACE(stem);
        const auto source = readPodFacts(findTemplate(std::string(stem) + "-capture")->text);
        const auto target = readPodFacts(findTemplate(std::string(stem) + "-restore")->text);
        ASSERT_TRUE(source && target);
        for (const CompatResult& result : compare(targetOn({}, *source), targetOn({}, *target)))
            EXPECT_NE(result.state, CheckState::Mismatch) << result.check;
        EXPECT_THAT(findTemplate(std::string(stem) + "-restore")->text, HasSubstr("-restore-ready"));
    }
}

recipe::Job aggregated()
{
    recipe::Job job;
    job.name = "Tiny: sglang / h100";
    job.modelPath = "hf:Qwen/Qwen3-0.6B";
    job.container = "lmsysorg/sglang:latest";
    job.resources.gpusPerNode = 8;
    job.resources.aggNodes = 1;
    job.resources.aggWorkers = 1;
    job.backend.type = "sglang";
    job.backend.agg.flags =
        syntax::parse(std::make_shared<const syntax::SourceText>("tensor-parallel-size: 8\ntrust-remote-code: true\n")).root;
    job.backend.agg.environment = {{"A", "mode's \"own\""}};
    job.environment = {{"A", "of all"}, {"B", "1"}};
    return job;
}

TEST(CaptureOfARecipe, HasItsModelEngineGpusArgumentsAndEnvironment)
{
    const auto wish = captureOf(aggregated());
    ASSERT_TRUE(wish) << wish.error().message;
    EXPECT_EQ(wish->name, "tiny-sglang-h100");
    EXPECT_EQ(wish->gpus, 8);
    const std::string text = captureManifest(*wish);
    EXPECT_THAT(told(text), IsEmpty()) << text;
    EXPECT_THAT(text, HasSubstr("\"tensor_parallel_size\": 8"));
    EXPECT_THAT(text, HasSubstr("\"trust_remote_code\": true"));
    EXPECT_THAT(text, HasSubstr("\"model\": \"hf:Qwen/Qwen3-0.6B\""));
    EXPECT_THAT(text, HasSubstr("nvidia.com/gpu: 8"));
    EXPECT_THAT(text, HasSubstr("cuda-shared-memory-support: enabled"));
    EXPECT_THAT(text, HasSubstr("value: \"mode's \\\"own\\\"\"")) << text;
    EXPECT_THAT(text, Not(HasSubstr("of all"))) << "the mode's own comes over that of all";
    EXPECT_THAT(text, HasSubstr("lmsysorg/sglang:latest"));
    const auto restore = restoreManifestOf(text, {});
    ASSERT_TRUE(restore) << restore.error().message;
    EXPECT_THAT(told(restore->text), IsEmpty()) << restore->text;
}

TEST(CaptureOfARecipe, HoldsNoSecret)
{
    recipe::Job job = aggregated();
    job.environment = {{"HF_TOKEN", "hf_s3cret"}, {"PROXY", "http://user:s3cret@proxy:3128"}, {"B", "1"}};
    job.backend.agg.environment = {{"MY_API_KEY", "s3cret"}};
    job.backend.agg.flags = syntax::parse(std::make_shared<const syntax::SourceText>("tp-size: 8\napi-key: sk-s3cret\n")).root;
    const auto wish = captureOf(job);
    ASSERT_TRUE(wish) << wish.error().message;
    const std::string text = captureManifest(*wish);
    EXPECT_THAT(text, Not(HasSubstr("s3cret")));
    EXPECT_THAT(text, HasSubstr("secrets: api-key, HF_TOKEN, MY_API_KEY, PROXY;")) << "what is left out is named";
    EXPECT_THAT(text, HasSubstr("name: \"B\"")) << text;
    EXPECT_THAT(told(text), IsEmpty()) << text;
}

TEST(CaptureOfARecipe, IsRefusedWithTheReason)
{
    const auto why = [](const recipe::Job& job) {
        const auto wish = captureOf(job);
        return wish ? std::string() : wish.error().message;
    };
    recipe::Job job = aggregated();
    job.resources.aggNodes = 2;
    job.resources.aggWorkers = 1;
    EXPECT_THAT(why(job), HasSubstr("a worker has 16 GPUs and a node 8"));
    job.resources.aggWorkers = 2;
    EXPECT_EQ(why(job), "") << "two workers of one node each: one of them";
    EXPECT_THAT(captureManifest(*captureOf(job)), HasSubstr("starts 2 workers"));
    job.backend.type = "mocker";
    EXPECT_THAT(why(job), HasSubstr("not \"mocker\""));
    job = aggregated();
    job.resources.prefillNodes = 1;
    job.resources.decodeNodes = 1;
    EXPECT_THAT(why(job), HasSubstr("prefill and decode run apart"));
}

} // namespace
} // namespace wb::snapshot
