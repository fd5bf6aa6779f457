// Which nodes can restore, and facts that are typed in.
#include "core/snapshot/preflight.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

namespace wb::snapshot {
namespace {

using testing::ElementsAre;

CompatFacts known()
{
    CompatFacts facts;
    for (const FactField& field : factFields())
        field.set(facts, field.id == "arch"     ? "amd64"
                         : field.id == "kernel" ? "6.8.0-60-generic"
                         : field.id == "memory" ? "1Ti"
                         : field.id == "cpu"    ? "16"
                         : field.id == "mounts" ? "/, /hf-cache"
                         : field.id == "gpus"   ? "NVIDIA B200 x8"
                         : field.id == "driver" ? "595.58.03"
                                                : "vllm@sha256:3fb023cc987cc7c2bca7ca14c1e0aff5ae06bd9431bf07773731ce7e8a682460");
    return facts;
}

ClusterNode nodeOf(const std::string& name, CompatFacts facts)
{
    ClusterNode node;
    node.facts = std::move(facts);
    node.facts.name = name;
    return node;
}

const FactField& field(std::string_view id)
{
    const auto all = factFields();
    return *std::find_if(all.begin(), all.end(), [id](const FactField& each) { return each.id == id; });
}

TEST(Preflight, RanksNodesThatCanRestoreBeforeThoseThatAreNotKnownAndThoseThatRefuse)
{
    CompatFacts otherDriver = known();
    field("driver").set(otherDriver, "615.71.09");
    CompatFacts noKernel = known();
    field("kernel").set(noKernel, "");
    const auto outcomes =
        preflightOf(known(), {nodeOf("refuses", otherDriver), nodeOf("unknown", noKernel), nodeOf("can", known())}, std::nullopt);
    std::vector<std::string> told;
    for (const NodeOutcome& outcome : outcomes)
        told.push_back(outcome.node.facts.name + " " + std::string(name(outcome.verdict)));
    EXPECT_THAT(told, ElementsAre("can can-restore", "unknown not-known", "refuses refused"));
}

TEST(Preflight, TakesLimitsImageAndMountsFromThePodThatIsToRun)
{
    CompatFacts bare = known();
    bare.memory = "2Gi";
    PodFacts pod;
    pod.memory = "1Ti";
    pod.cpu = "16";
    pod.image = known().image;
    pod.gpus = 8;
    pod.mounts = {"/hf-cache"};
    const auto outcomes = preflightOf(known(), {nodeOf("n", bare)}, pod);
    EXPECT_EQ(outcomes.front().verdict, Verdict::CanRestore);
    EXPECT_EQ(outcomes.front().target.memory, "1Ti");
}

TEST(FactFields, ComeBackAsTheyWereTyped)
{
    const CompatFacts facts = known();
    EXPECT_EQ(field("gpus").text(facts), "NVIDIA B200 x8");
    EXPECT_EQ(facts.gpus.size(), 8U);
    EXPECT_EQ(field("mounts").text(facts), "/, /hf-cache");
    EXPECT_EQ(field("driver").text(facts), "595.58.03");
    CompatFacts emptied = facts;
    for (const FactField& each : factFields()) {
        each.set(emptied, "");
        EXPECT_EQ(each.text(emptied), "") << each.id;
    }
    EXPECT_EQ(emptied, CompatFacts()) << "empty is not known, never something else";
    CompatFacts major;
    field("driver").set(major, "595");
    EXPECT_EQ(major.driverMajor, 595);
    EXPECT_EQ(major.driverVersion, "");
}

} // namespace
} // namespace wb::snapshot
