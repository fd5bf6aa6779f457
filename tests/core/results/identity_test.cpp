#include "core/results/identity.h"
#include "core/results/importer.h"
#include "core/results/runfacts.h"
#include "tests/support/corpus.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace wb::results {
namespace {

using base::json::Value;
using testing::HasSubstr;
using testing::SizeIs;

Value json(const std::string& text)
{
    return *base::json::read(text);
}

const Value declared = json(R"({"model": {"repo": "org/m", "revision": "0366e4e"}, "container": {"image": "x:1"},
    "frameworks": {"vllm": "0.20.1", "dynamo": "1.2.0"}})");

std::map<std::string, IdentityFact> factsWith(const std::vector<std::pair<std::string, Value>>& fingerprints)
{
    std::map<std::string, IdentityFact> byField;
    for (const IdentityFact& fact : identityFacts(declared, fingerprints))
        byField[fact.field] = fact;
    return byField;
}

TEST(Identity, IsVerifiedDeclaredFailedOrUnknown)
{
    auto facts = factsWith({{"decode_w0", json(R"({"model": {"hf_revision": "0366e4e064385807", "hf_repo": "unavailable"},
        "frameworks": {"vllm": "0.20.2"}})")}});
    EXPECT_EQ(facts["model.revision"].state, IdentityState::Verified) << "a declared revision may be shortened";
    EXPECT_EQ(facts["model.repo"].state, IdentityState::DeclaredOnly) << "\"unavailable\" is nothing";
    EXPECT_EQ(facts["container.image"].state, IdentityState::DeclaredOnly);
    EXPECT_EQ(facts["frameworks.vllm"].state, IdentityState::Failed);
    EXPECT_EQ(facts["frameworks.vllm"].observed, "0.20.2");
    EXPECT_EQ(facts["frameworks.dynamo"].state, IdentityState::Unknown) << "never counted as the same";
}

TEST(Identity, OneWorkerThatDiffersFailsIt)
{
    auto facts = factsWith(
        {{"decode_w0", json(R"({"frameworks": {"vllm": "0.20.1"}})")}, {"prefill_w0", json(R"({"frameworks": {"vllm": "0.20.0"}})")}});
    EXPECT_EQ(facts["frameworks.vllm"].state, IdentityState::Failed);
    EXPECT_EQ(facts["frameworks.vllm"].observed, "0.20.1, 0.20.0");
}

TEST(Identity, WithoutFingerprintsNothingIsKnown)
{
    for (const auto& [field, fact] : factsWith({}))
        EXPECT_EQ(fact.state, field == "container.image" ? IdentityState::DeclaredOnly : IdentityState::Unknown) << field;
}

TEST(Identity, OfARealRunIsThatOfItsLockfile)
{
    SRTWB_NEEDS_SHARED("results/real");
    const std::string path = (*test::shared("results/real") / "srt-slurm/good-pr-container-15908__benchmark-rollup.csv").string();
    const Imported imported = importPaths({path});
    ASSERT_THAT(imported.runs, SizeIs(1));
    std::map<std::string, std::string> states;
    for (const IdentityFact& fact : imported.runs[0].identity)
        states[fact.field] = name(fact.state);
    // The lockfile's own verdicts: two verified, two declared, one failed.
    EXPECT_EQ(states, (std::map<std::string, std::string>{{"container.image", "declared only"},
                                                          {"frameworks.dynamo", "verified"},
                                                          {"frameworks.vllm", "failed"},
                                                          {"model.repo", "declared only"},
                                                          {"model.revision", "verified"}}));
}

TEST(RunNotes, ContradictingSourcesRelaunchesAndAccuracyAreTold)
{
    const test::TemporaryFolder folder;
    folder.put("1001/1001.json", R"({"version": "2.0", "job_id": "1001", "resources": {"gpus_per_node": 4, "prefill_nodes": 1,
        "prefill_workers": 1, "gpus_per_prefill": 4, "decode_nodes": 0, "decode_workers": 2, "gpus_per_decode": 2, "agg_nodes": null}})");
    folder.put("1001/recipe.lock.yaml",
               "name: x\nresources: {gpus_per_node: 4, prefill_nodes: 2, prefill_workers: 1, gpus_per_prefill: 8}\n"
               "lock: {version: 2, worker_restarts: {decode_w0: 1}}\n");
    folder.put("1001/logs/accuracy/gsm8k_run0.json", R"({"accuracy": 0.93, "num_questions": 100})");
    folder.put("1001/logs/r_conc8.json", R"({"backend": "vllm", "max_concurrency": 8, "completed": 1, "duration": 1, "mean_ttft_ms": 5})");
    const Imported imported = importPaths({folder.path().string()});
    const Point p = imported.points().at(0);
    EXPECT_EQ(p.gpus.decode, 4) << "decode on prefill nodes has no nodes of its own";
    EXPECT_THAT(p.notes, testing::Contains("Prefill GPUs: recipe.lock.yaml says 8, 1001.json says 4."));
    EXPECT_THAT(p.notes, testing::Contains(HasSubstr("relaunched")));
    EXPECT_THAT(p.notes, testing::Contains("Accuracy of gsm8k_run0: 0.93."));
}

TEST(RunNotes, TheStartOfARunAndItsAccuracyStandInItsPoints)
{
    const test::TemporaryFolder folder;
    folder.put("1001/1001.json", R"({"version": "2.0", "job_id": "1001"})");
    folder.put("1001/run_lifecycle.json", R"({"milestones": {}, "durations_s": {"time_to_ready": 650.0}})");
    folder.put("1001/logs/accuracy/gsm8k_run0.json", R"({"accuracy": 0.9, "num_questions": 100})");
    folder.put("1001/logs/accuracy/gsm8k_run1.json", R"({"accuracy": 0.0, "num_questions": 100})");
    const std::string result =
        R"({"backend": "vllm", "max_concurrency": 8, "completed": 1, "duration": 1, "mean_ttft_ms": 5, "request_goodput": 0.75})";
    folder.put("1001/logs/r_conc8.json", result);
    Point p = importPaths({folder.path().string()}).points().at(0);
    EXPECT_EQ(p.timeToReadyS, 650.0);
    EXPECT_THAT(originOf(p, "timeToReadyS")->file, HasSubstr("run_lifecycle.json"));
    EXPECT_EQ(p.accuracy, 0.45) << "the mean of the repeats, a score of 0 among them";
    EXPECT_EQ(p.accuracyTask, "gsm8k");
    EXPECT_EQ(p.goodput, 0.75);
    EXPECT_EQ(*pointFromJson(toStoredJson(p)), p);

    folder.put("1001/logs/accuracy/gpqa_run0.json", R"({"accuracy": 0.5, "num_questions": 100})");
    folder.put("1001/run_lifecycle.json", R"({"milestones": {}, "durations_s": {"time_to_ready": null}})");
    p = importPaths({folder.path().string()}).points().at(0);
    EXPECT_EQ(p.accuracy, std::nullopt) << "two tasks have no mean";
    EXPECT_EQ(p.timeToReadyS, std::nullopt);
    EXPECT_THAT(p.notes, testing::Not(testing::Contains(HasSubstr("never ready")))) << "the file tells nothing of the workers";
    EXPECT_THAT(p.notes, testing::Contains("The time to ready is not known, run_lifecycle.json does not tell both when the workers started "
                                           "and when the model was ready."));
    folder.put("1001/run_lifecycle.json", R"({"milestones": {"workers_start": "2026-10-02 03:00:08", "model_ready": null,
        "benchmark_start": null, "run_end": "2026-10-02 03:30:20"}, "durations_s": {"time_to_ready": null}})");
    p = importPaths({folder.path().string()}).points().at(0);
    EXPECT_THAT(p.notes, testing::Contains("The model was never ready, by run_lifecycle.json."));
}

TEST(RunNotes, AnotherStartOfTheRunMeansThatItsPointsAreReadAgain)
{
    const test::TemporaryFolder folder;
    folder.put("1001/1001.json", R"({"version": "2.0", "job_id": "1001"})");
    folder.put("1001/logs/r_conc8.json", "{}");
    const std::string file = (folder.path() / "1001/logs/r_conc8.json").string();
    const std::string before = RunFinder().stampFor(file);
    folder.put("1001/run_lifecycle.json", R"({"milestones": {}, "durations_s": {"time_to_ready": 650.0}})");
    EXPECT_NE(RunFinder().stampFor(file), before);
}

TEST(RunNotes, ALockfileOfTheSecondLanguageTellsItsRoles)
{
    const test::TemporaryFolder folder;
    folder.put("1001/recipe.lock.yaml", "schema: 2\nname: x\nengine: {type: sglang}\nresources: {gpu_type: gb200, gpus_per_node: 4}\n"
                                        "roles:\n  prefill: {nodes: 1, workers: 1}\n  decode: {nodes: 2, workers: 4, gpus: 2}\n"
                                        "lock: {version: 2}\n");
    folder.put("1001/logs/r_conc8.json", R"({"backend": "vllm", "max_concurrency": 8, "completed": 1, "duration": 1, "mean_ttft_ms": 5})");
    const Point p = importPaths({folder.path().string()}).points().at(0);
    EXPECT_EQ(p.gpus, (Gpus{12, 4, 8, 12, 12, "recipe lockfile"}));
    EXPECT_EQ(p.hardware, "gb200");
}

} // namespace
} // namespace wb::results
