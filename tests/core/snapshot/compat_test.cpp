// The agent's compatibility checks on the shared pairs, and facts from what kubectl prints.
#include "core/base/json.h"
#include "core/snapshot/compat.h"
#include "core/snapshot/nodefacts.h"
#include "core/snapshot/quantity.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

#include <string>

namespace wb::snapshot {
namespace {

using base::json::Value;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// "check gate source target" of each mismatch.
std::vector<std::string> mismatches(const std::vector<CompatResult>& results)
{
    std::vector<std::string> out;
    for (const CompatResult& result : results) {
        if (result.state == CheckState::Mismatch)
            out.push_back(std::string(result.check) + "|" + std::string(name(result.gate)) + "|" + result.source + "|" + result.target);
    }
    return out;
}

CompatFacts factsOf(const Value& flat)
{
    auto read = readSourceFacts(base::json::write(flat));
    EXPECT_TRUE(read);
    return read ? *read : CompatFacts();
}

CheckState stateOf(const std::vector<CompatResult>& results, std::string_view check)
{
    for (const CompatResult& result : results) {
        if (result.check == check)
            return result.state;
    }
    ADD_FAILURE() << check;
    return CheckState::Unknown;
}

TEST(Compat, GivesTheExpectedMismatchesOfEveryPairInOrder)
{
    SRTWB_NEEDS_SHARED("snapshot/compat/pairs.json");
    const auto pairs = base::json::read(test::bytesOf(*test::shared("snapshot/compat/pairs.json")));
    ASSERT_TRUE(pairs);
    ASSERT_EQ(pairs->array().size(), 17U);
    for (const Value& pair : pairs->array()) {
        SCOPED_TRACE(*pair.find("name")->string());
        const auto results = compare(factsOf(*pair.find("source")), factsOf(*pair.find("target")));
        std::vector<std::string> wanted;
        for (const Value& one : pair.find("expected")->array()) {
            wanted.push_back(*one.find("check")->string() + "|" + *one.find("gate")->string() + "|" + *one.find("source")->string() + "|" +
                             *one.find("target")->string());
        }
        EXPECT_EQ(mismatches(results), wanted);
        EXPECT_EQ(verdictOf(results) == Verdict::Refused, !wanted.empty());
    }
}

TEST(Compat, WhatIsNotKnownNeverRefusesAndIsNeverFine)
{
    CompatFacts full;
    full.architecture = "amd64";
    full.kernelVersion = "6.8.0-60-generic";
    full.image = "x@sha256:12";
    full.memory = "1Ti";
    full.cpu = "16";
    full.driverVersion = "595.58.03";
    full.gpus = {"NVIDIA B200"};
    full.mounts = std::vector<std::string>{"/", "/data"};
    EXPECT_EQ(verdictOf(compare(full, full)), Verdict::CanRestore);
    for (const auto& results : {compare(full, {}), compare({}, {})}) {
        EXPECT_EQ(results.size(), compatChecks().size());
        for (const CompatResult& result : results) {
            EXPECT_EQ(result.state, CheckState::Unknown) << result.check;
            EXPECT_FALSE(result.message.empty()) << result.check;
        }
        EXPECT_EQ(verdictOf(results), Verdict::NotKnown);
    }
    CompatFacts odd = full;
    odd.memory = "much";
    odd.kernelVersion = "unreadable";
    odd.driverVersion = "unreadable";
    const auto results = compare(full, odd);
    EXPECT_EQ(stateOf(results, "memory-limit"), CheckState::Unknown);
    EXPECT_EQ(stateOf(results, "kernel-minimum"), CheckState::Unknown);
    EXPECT_EQ(stateOf(results, "driver-minimum"), CheckState::Unknown);
}

constexpr auto nodes = R"({"kind": "List", "items": [
  {"kind": "Node", "metadata": {"name": "b200", "labels": {"nvidia.com/gpu.product": "NVIDIA-B200", "nvidia.com/gpu.count": "8",
     "nvidia.com/cuda.driver-version.major": "595", "nvidia.com/cuda.driver-version.minor": "58", "nvidia.com/cuda.driver-version.revision": "03"}},
   "status": {"nodeInfo": {"architecture": "amd64", "kernelVersion": "6.8.0-60-generic"}, "allocatable": {"nvidia.com/gpu": "8"},
     "conditions": [{"type": "Ready", "status": "True"}]}},
  {"kind": "Node", "metadata": {"name": "old", "labels": {"nvidia.com/gpu.product": "NVIDIA-B200", "nvidia.com/mig.config": "all-1g.10gb",
     "nvidia.com/cuda.driver.major": "570", "nvidia.com/cuda.driver.minor": "10"}},
   "spec": {"unschedulable": true},
   "status": {"nodeInfo": {"architecture": "arm64", "kernelVersion": "5.4.0"}, "allocatable": {"nvidia.com/gpu": "4"},
     "conditions": [{"type": "Ready", "status": "False"}]}}]})";

TEST(NodeFacts, ComeFromLabelsOldAndNew)
{
    const auto read = readNodes(nodes);
    ASSERT_TRUE(read);
    ASSERT_EQ(read->size(), 2U);
    EXPECT_EQ((*read)[0].facts.driverVersion, "595.58.03");
    EXPECT_EQ((*read)[0].facts.nodeGpuCount, 8);
    EXPECT_EQ((*read)[1].facts.driverVersion, "") << "a version that lacks a part is not known";
    EXPECT_EQ((*read)[1].facts.driverMajor, 570);
    EXPECT_EQ((*read)[1].mig, "all-1g.10gb");
    std::vector<std::string> bad;
    for (const NodeAdvice& advice : adviceOn((*read)[1])) {
        if (advice.state == CheckState::Mismatch)
            bad.push_back(advice.id);
    }
    EXPECT_THAT(bad, ElementsAre("amd64", "mig", "ready", "schedulable"));
}

TEST(NodeFacts, OfAContentSayWhichNodesCanRestoreIt)
{
    SRTWB_NEEDS_SHARED("snapshot/status/psc-ready-with-source.json");
    const auto source = readSourceFacts(test::bytesOf(*test::shared("snapshot/status/psc-ready-with-source.json")));
    ASSERT_TRUE(source);
    EXPECT_EQ(source->gpus.size(), 8U);
    const auto read = readNodes(nodes);
    ASSERT_TRUE(read);
    // The nodes alone: labels write dashes, and how many GPUs the Pod gets is not known.
    const auto alone = compare(*source, (*read)[0].facts);
    EXPECT_EQ(stateOf(alone, "gpu-model"), CheckState::Good);
    EXPECT_EQ(stateOf(alone, "gpu-count"), CheckState::Unknown);
    EXPECT_EQ(stateOf(alone, "driver-version"), CheckState::Good);
    EXPECT_EQ(verdictOf(alone), Verdict::NotKnown);
    const auto old = compare(*source, (*read)[1].facts);
    EXPECT_THAT(mismatches(old),
                testing::IsSupersetOf({"cpu-arch|preflight|amd64|arm64", "gpu-count|inspect|8|4",
                                       "kernel-minimum|preflight|5.13 or newer|5.4.0", "driver-minimum|inspect|580 or newer|570"}));
    // With the manifest that is to run there.
    const auto pod = readPodFacts(test::bytesOf(*test::shared("snapshot/manifests/upstream/vllm/restore/8-gpu.yaml")));
    ASSERT_TRUE(pod);
    EXPECT_EQ(pod->gpus, 8);
    EXPECT_EQ(pod->memory, "1Ti");
    const auto both = compare(*source, targetOn((*read)[0], *pod));
    EXPECT_THAT(mismatches(both), IsEmpty());
    EXPECT_EQ(stateOf(both, "image-digest"), CheckState::Good);
    EXPECT_EQ(stateOf(both, "gpu-count"), CheckState::Good);
    EXPECT_EQ(stateOf(both, "cpu-limit"), CheckState::Unknown) << "the manifest limits no CPUs";
    EXPECT_EQ(stateOf(both, "mount"), CheckState::Unknown) << "the content does not tell its mounts";
    const auto capture = readPodFacts(test::bytesOf(*test::shared("snapshot/manifests/upstream/vllm/capture/glm-5.3-snapshotjob.yaml")));
    ASSERT_TRUE(capture);
    const auto mounts = mismatches(compare(completedBy(*source, *capture), targetOn((*read)[0], *pod)));
    for (const std::string& mount : mounts)
        EXPECT_THAT(mount, testing::StartsWith("mount|inspect|")) << "upstream's restore leaves out mounts of its capture";
}

TEST(NodeFacts, OfAContentWithoutFactsAreAnError)
{
    const auto read = readSourceFacts(R"({"kind": "PodSnapshotContent", "status": {}})");
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().message, HasSubstr("status.source"));
    for (const char* text : {"", "{", "[]", "a: b", "kind: Pod"}) {
        EXPECT_FALSE(readSourceFacts(text)) << text;
        EXPECT_FALSE(readNodes(text)) << text;
        EXPECT_FALSE(readPodFacts(text)) << text;
    }
}

TEST(Quantity, IsReadAsKubernetesReadsIt)
{
    EXPECT_EQ(quantityOf("16"), 16.0);
    EXPECT_EQ(quantityOf("500m"), 0.5);
    EXPECT_EQ(quantityOf("1Ki"), 1024.0);
    EXPECT_EQ(quantityOf("1Ti"), 1099511627776.0);
    EXPECT_EQ(quantityOf("1e3"), 1000.0);
    EXPECT_EQ(quantityOf("1.5G"), 1.5e9);
    EXPECT_EQ(quantityOf("2E"), 2e18);
    EXPECT_EQ(quantityOf("+1"), 1.0);
    for (const char* text : {"", "eight", "1X", "Gi", "--1", "1 Gi", "++1"})
        EXPECT_FALSE(quantityOf(text)) << text;
}

} // namespace
} // namespace wb::snapshot
