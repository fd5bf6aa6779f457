// Snapshot on a cluster, with a stub of kubectl that replays the shared status shapes and answers as kubectl does.
#include "core/base/text.h"
#include "core/snapshot/compat.h"
#include "core/snapshot/kubectl.h"
#include "core/snapshot/nodefacts.h"
#include "core/snapshot/startupimport.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <string>

namespace wb::snapshot {
namespace {

namespace fs = std::filesystem;
using base::json::Value;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// One call that was made.
struct Call {
    std::vector<std::string> arguments;
    std::string input;

    [[nodiscard]] std::string line() const { return base::joined(arguments, " "); }
};

/// Answers in the order given; the calls are kept.
class StubKubectl final : public KubectlRunner
{
public:
    Result<KubectlOutcome> run(const std::vector<std::string>& arguments, std::string_view input, std::stop_token /*stop*/) override
    {
        calls.push_back({arguments, std::string(input)});
        if (answers.empty())
            return failure(ErrorCode::Unreachable, "The stub has no more answers.");
        Result<KubectlOutcome> answer = std::move(answers.front());
        answers.pop_front();
        return answer;
    }

    void says(std::string out) { answers.push_back(KubectlOutcome{0, std::move(out), {}}); }
    void refuses(std::string err) { answers.push_back(KubectlOutcome{1, {}, std::move(err)}); }
    void isNotFound(const std::string& what) { refuses("Error from server (NotFound): " + what + " not found\n"); }

    std::deque<Result<KubectlOutcome>> answers;
    std::vector<Call> calls;
};

const KubeTarget place{"lab", "perf"};

CheckedManifest manifestOf(std::string text)
{
    return checkManifest(std::make_shared<const syntax::SourceText>(std::move(text)), *builtinCrds("latest"));
}

const std::string job =
    "apiVersion: nvidia.com/v1alpha1\nkind: SnapshotJob\nmetadata:\n  name: j\nspec:\n  activeDeadlineSeconds: 0\n"
    "  podSnapshotTemplate: {}\n  podTemplate:\n    spec:\n      containers:\n        - name: main\n          image: x\n";

std::string fixture(std::string_view stem)
{
    return test::bytesOf(*test::shared("snapshot/status") / (std::string(stem) + ".json"));
}

TEST(Kubectl, WhatIsNotFoundByTheShellIsNotMissingOnTheServer)
{
    for (const char* words : {"sh: 1: kubectl: command not found\n", "error: context \"lab\" not found\n",
                              "Unable to connect to the server: dial tcp: lookup api.lab: host not found\n"}) {
        StubKubectl kubectl;
        kubectl.refuses(words);
        kubectl.refuses(words);
        kubectl.refuses(words);
        const Connection found = connect(kubectl, place, {});
        EXPECT_EQ(found.hasDefinitions, std::nullopt) << words;
        EXPECT_THAT(found.problems, Not(testing::Contains(HasSubstr("not installed")))) << words;
        StubKubectl other;
        other.refuses(words);
        other.says("{}");
        const auto created = create(other, place, manifestOf(job), {});
        ASSERT_FALSE(created) << words;
        EXPECT_EQ(created.error().code, ErrorCode::Refused);
        EXPECT_EQ(other.calls.size(), 1U) << "nothing is created when it is not known whether there is a PodSnapshot of the name";
    }
}

TEST(ClusterStatus, OfEveryShapeIsTheExpectedOne)
{
    SRTWB_NEEDS_SHARED("snapshot/status");
    const auto expected = base::json::read(fixture("expected"));
    ASSERT_TRUE(expected);
    ASSERT_EQ(expected->object().size(), 18U);
    for (const base::json::Member& one : expected->object()) {
        SCOPED_TRACE(one.key);
        const auto object = base::json::read(fixture(one.key));
        ASSERT_TRUE(object);
        const ObjectStatus status = statusOf(*object);
        EXPECT_EQ(shown(status), *one.value.string());
        const bool isOpen = one.value.string()->starts_with("Pending") || *one.value.string() == "Submitted" ||
                            *one.value.string() == "Capturing" || *one.value.string() == "Unknown";
        EXPECT_EQ(status.isFinal(), !isOpen);
        if (status.progress == Progress::Failed && status.kind != "PodSnapshot") {
            EXPECT_FALSE(status.advice.empty());
        }
    }
    std::size_t shapes = 0;
    for (const auto& entry : fs::directory_iterator(*test::shared("snapshot/status")))
        shapes += entry.path().filename() != "expected.json" ? 1 : 0;
    EXPECT_EQ(shapes, 19U);
}

TEST(ClusterStatus, OfTheNineteenthShapeFeedsThePreflight)
{
    SRTWB_NEEDS_SHARED("snapshot/status");
    const auto object = base::json::read(fixture("psc-ready-with-source"));
    ASSERT_TRUE(object);
    EXPECT_EQ(statusOf(*object).progress, Progress::Ready);
    EXPECT_EQ(statusOf(*object).snapshot, "gpu-node-3") << "the node on which the agent's log is";
    EXPECT_TRUE(readSourceFacts(fixture("psc-ready-with-source")));
}

TEST(ClusterStatus, KeepsTheClustersTimes)
{
    SRTWB_NEEDS_SHARED("snapshot/status");
    const ObjectStatus status = statusOf(*base::json::read(fixture("sj-3-completed")));
    EXPECT_EQ(status.snapshot, "j");
    EXPECT_EQ(status.deadlineSeconds, 7200);
    ASSERT_EQ(status.timeline.size(), 3U);
    EXPECT_EQ(status.timeline[0].text, "created");
    EXPECT_EQ(status.timeline[1].text, "Captured: CaptureCompleted");
    EXPECT_EQ(status.timeline[2].time, "2026-10-08T10:12:01Z");
    EXPECT_EQ(shown(statusOf(Value())), "Unknown");
    EXPECT_EQ(shown(statusOf(*base::json::read(R"({"kind": "Job", "status": {"conditions": 3}})"))), "Unknown");
}

TEST(Follower, AsksUntilNothingMoreHappens)
{
    SRTWB_NEEDS_SHARED("snapshot/status");
    StubKubectl kubectl;
    for (const char* stem : {"sj-0-no-status", "sj-1-pending", "sj-1-pending", "sj-2-running", "sj-3-completed"})
        kubectl.says(fixture(stem));
    Follower follower(place, {"SnapshotJob", "j"});
    std::vector<std::string> seen;
    std::vector<long> waits;
    while (!follower.isDone()) {
        const auto status = follower.poll(kubectl);
        ASSERT_TRUE(status);
        seen.push_back(shown(*status));
        waits.push_back(static_cast<long>(follower.wait().count()));
    }
    EXPECT_THAT(seen, ElementsAre("Submitted", "Pending", "Pending", "Capturing", "Completed"));
    EXPECT_THAT(waits, ElementsAre(2, 2, 3, 2, 2)) << "where nothing changes it asks more rarely";
    for (const Call& call : kubectl.calls)
        EXPECT_EQ(call.line(), "--context=lab --namespace=perf --request-timeout=60s get snapshotjobs.nvidia.com j -o json");
}

TEST(Follower, GoesThroughEveryShapeOfAPod)
{
    SRTWB_NEEDS_SHARED("snapshot/status");
    const auto expected = base::json::read(fixture("expected"));
    for (const base::json::Member& one : expected->object()) {
        StubKubectl kubectl;
        kubectl.says(fixture(one.key));
        const std::string kind = one.key.starts_with("sj-") ? "SnapshotJob" : one.key.starts_with("ps-") ? "PodSnapshot" : "Pod";
        Follower follower(place, {kind, "x"});
        const auto status = follower.poll(kubectl);
        ASSERT_TRUE(status);
        EXPECT_EQ(shown(*status), *one.value.string()) << one.key;
    }
}

TEST(Follower, KeepsTheLastStatusWhenTheClusterCannotBeAsked)
{
    SRTWB_NEEDS_SHARED("snapshot/status");
    StubKubectl kubectl;
    kubectl.says(fixture("sj-2-running"));
    kubectl.answers.emplace_back(failure(ErrorCode::Unreachable, "No route to host."));
    kubectl.says("{ cut");
    kubectl.isNotFound("snapshotjobs.nvidia.com \"j\"");
    Follower follower(place, {"SnapshotJob", "j"});
    ASSERT_TRUE(follower.poll(kubectl));
    for (int i = 0; i < 3; ++i) {
        const auto status = follower.poll(kubectl);
        ASSERT_FALSE(status);
        EXPECT_THAT(status.error().message, HasSubstr("SnapshotJob \"j\""));
        EXPECT_EQ(follower.last()->progress, Progress::Capturing);
        EXPECT_FALSE(follower.isDone());
    }
    EXPECT_EQ(follower.wait().count(), 16) << "it asks more and more rarely";
}

TEST(Kubectl, AsksTheServerBeforeItCreates)
{
    StubKubectl kubectl;
    kubectl.refuses(
        "The SnapshotJob \"j\" is invalid: spec.activeDeadlineSeconds: Invalid value: 0: spec.activeDeadlineSeconds in body should "
        "be greater than or equal to 1\n");
    const CheckedManifest manifest = manifestOf(job);
    const auto answer = dryRun(kubectl, place, manifest);
    ASSERT_TRUE(answer);
    EXPECT_FALSE(answer->isAccepted);
    ASSERT_EQ(answer->findings.size(), 1U);
    const syntax::Diagnostic& finding = answer->findings.front();
    EXPECT_EQ(finding.rule, "server");
    EXPECT_EQ(finding.path, ".spec.activeDeadlineSeconds");
    EXPECT_EQ(manifest.source->lineCol(finding.range.begin).line, 6U);
    EXPECT_THAT(finding.message, HasSubstr("greater than or equal to 1"));
    EXPECT_EQ(kubectl.calls.front().line(),
              "--context=lab --namespace=perf --request-timeout=60s create --dry-run=server --validate=strict -o name -f -");
    EXPECT_EQ(kubectl.calls.front().input, job);
}

TEST(Kubectl, FindsTheFieldsOfEveryKindOfRefusal)
{
    const CheckedManifest manifest = manifestOf("---\n" + job);
    const auto lines = [&manifest](std::string words) {
        StubKubectl kubectl;
        kubectl.refuses(std::move(words));
        const auto answer = dryRun(kubectl, place, manifest);
        std::vector<std::size_t> out;
        for (const syntax::Diagnostic& finding : answer->findings)
            out.push_back(manifest.source->lineCol(finding.range.begin).line);
        return out;
    };
    EXPECT_THAT(lines("The SnapshotJob \"j\" is invalid: \n* spec.podTemplate.spec.containers[0].name: Required value\n"
                      "* spec.podSnapshotTemplate: Invalid value: \"object\": no\n"),
                ElementsAre(12U, 8U));
    EXPECT_THAT(
        lines("Error from server (BadRequest): error when creating \"STDIN\": SnapshotJob in version \"v1alpha1\" cannot be handled as a "
              "SnapshotJob: strict decoding error: unknown field \"spec.podTemplate.x\", unknown field \"spec.y\"\n"),
        ElementsAre(9U, 6U))
        << "a field that is not in the text ends at the last that is";
    EXPECT_THAT(lines("Warning: something\nerror: no matches for kind\n"), ElementsAre(2U));
}

TEST(Kubectl, CreatesAndNeverApplies)
{
    StubKubectl kubectl;
    kubectl.isNotFound("podsnapshots.nvidia.com \"j\"");
    kubectl.says(R"({"kind": "SnapshotJob", "metadata": {"name": "j"}})");
    const auto created = create(kubectl, place, manifestOf(job));
    ASSERT_TRUE(created) << created.error().message;
    ASSERT_EQ(created->size(), 1U);
    EXPECT_EQ(created->front().kind, "SnapshotJob");
    ASSERT_EQ(kubectl.calls.size(), 2U);
    EXPECT_EQ(kubectl.calls[1].line(), "--context=lab --namespace=perf --request-timeout=60s create --validate=strict -o json -f -");
    for (const Call& call : kubectl.calls)
        EXPECT_THAT(call.arguments, Not(Contains("apply")));
}

TEST(Kubectl, CreatesNothingWhereAPodSnapshotHasTheName)
{
    SRTWB_NEEDS_SHARED("snapshot/status");
    StubKubectl kubectl;
    kubectl.says(fixture("ps-ready"));
    const auto created = create(kubectl, place, manifestOf(job));
    ASSERT_FALSE(created);
    EXPECT_EQ(created.error().code, ErrorCode::Refused);
    EXPECT_THAT(created.error().message, AllOf(HasSubstr("PodSnapshot \"j\""), HasSubstr("\"perf\""), HasSubstr("\"lab\"")));
    EXPECT_EQ(kubectl.calls.size(), 1U) << "nothing was created";

    StubKubectl forbidden;
    forbidden.refuses("Error from server (Forbidden): podsnapshots.nvidia.com \"j\" is forbidden\n");
    const auto denied = create(forbidden, place, manifestOf(job));
    ASSERT_FALSE(denied);
    EXPECT_EQ(denied.error().code, ErrorCode::Denied);
    EXPECT_EQ(forbidden.calls.size(), 1U) << "what is not known is not taken for free";
}

TEST(Kubectl, SaysWhatCanBeDone)
{
    StubKubectl kubectl;
    kubectl.says(R"({"clientVersion": {"gitVersion": "v1.33.4"}, "serverVersion": {"gitVersion": "v1.32.1"}})");
    kubectl.says("yes\n");
    kubectl.says("customresourcedefinition.apiextensions.k8s.io/snapshotjobs.nvidia.com\n");
    const Connection good = connect(kubectl, place);
    EXPECT_EQ(good.serverVersion, "v1.32.1");
    EXPECT_EQ(good.canCreateJobs, true);
    EXPECT_EQ(good.hasDefinitions, true);
    EXPECT_THAT(good.problems, IsEmpty());

    StubKubectl bare;
    bare.refuses("The connection to the server was refused\n");
    bare.answers.push_back(KubectlOutcome{1, "no\n", "Warning: x\n"});
    bare.isNotFound("customresourcedefinitions \"snapshotjobs.nvidia.com\"");
    const Connection bad = connect(bare, place);
    EXPECT_EQ(bad.canCreateJobs, false);
    EXPECT_EQ(bad.hasDefinitions, false);
    EXPECT_EQ(bad.problems.size(), 3U);

    StubKubectl none; // kubectl is not there at all: nothing is known
    const Connection unknown = connect(none, place);
    EXPECT_EQ(unknown.canCreateJobs, std::nullopt);
    EXPECT_EQ(unknown.hasDefinitions, std::nullopt);
    EXPECT_EQ(unknown.problems.size(), 3U);
}

TEST(Kubectl, FetchesTheClustersDefinitions)
{
    SRTWB_NEEDS_SHARED("snapshot/crds");
    StubKubectl kubectl;
    kubectl.says(test::bytesOf(test::own("resources/snapshot/main-b7e707c.json")));
    const auto set = fetchCrds(kubectl, place);
    ASSERT_TRUE(set) << set.error().message;
    EXPECT_THAT(set->origin, HasSubstr("lab"));
    const CheckedManifest checked = checkManifest(std::make_shared<const syntax::SourceText>(test::bytesOf(
                                                      *test::shared("snapshot/manifests/upstream/vllm/capture/glm-5.3-snapshotjob.yaml"))),
                                                  *set);
    ASSERT_EQ(checked.findings.size(), 1U);
    EXPECT_EQ(checked.findings.front().path, ".spec.podTemplate.metadata.annotations");
}

TEST(Kubectl, BringsTheAgentsLogOfTheNodeIntoTheChart)
{
    SRTWB_NEEDS_SHARED("snapshot/logs");
    StubKubectl kubectl;
    kubectl.says(R"({"kind": "List", "items": [{"kind": "Pod", "metadata": {"name": "snapshot-agent-x7k2p"}}]})");
    kubectl.says(test::bytesOf(*test::shared("snapshot/logs/agent-restore.log")));
    const auto log = agentLog(kubectl, place, {}, "gpu-node-3");
    ASSERT_TRUE(log);
    EXPECT_THAT(kubectl.calls[0].line(), HasSubstr("--field-selector spec.nodeName=gpu-node-3"));
    EXPECT_EQ(kubectl.calls[1].line(),
              "--context=lab --namespace=snapshot-system --request-timeout=60s logs snapshot-agent-x7k2p -c agent --limit-bytes=67108864");
    EXPECT_EQ(importStartupText("cluster", *log).runs.size(), 2U);

    StubKubectl none;
    none.says(R"({"kind": "List", "items": []})");
    const auto absent = agentLog(none, place, {}, "gpu-node-3");
    ASSERT_FALSE(absent);
    EXPECT_THAT(absent.error().message, HasSubstr("Helm"));
}

TEST(Kubectl, TellsTheEventsOfAnObjectInTheirOrder)
{
    StubKubectl kubectl;
    kubectl.says(R"({"kind": "List", "items": [
        {"kind": "Event", "type": "Warning", "reason": "FailedScheduling", "message": "0/3 nodes", "count": 4, "lastTimestamp": "2026-10-02T10:00:05Z"},
        {"kind": "Event", "type": "Normal", "reason": "Created", "message": "made", "lastTimestamp": null, "eventTime": "2026-10-02T10:00:01Z"}]})");
    const auto events = eventsOf(kubectl, place, {"Pod", "p"});
    ASSERT_TRUE(events) << events.error().message;
    EXPECT_THAT(*events, testing::ElementsAre(TimelineEntry{"2026-10-02T10:00:01Z", "Normal Created: made"},
                                              TimelineEntry{"2026-10-02T10:00:05Z", "Warning FailedScheduling: 0/3 nodes (4 times)"}));
    EXPECT_THAT(kubectl.calls[0].line(), HasSubstr("--field-selector involvedObject.kind=Pod,involvedObject.name=p -o json"));
    StubKubectl broken;
    broken.says("{");
    EXPECT_FALSE(eventsOf(broken, place, {"Pod", "p"}));
}

TEST(Kubectl, SaysThatTheArtifactGoesToo)
{
    EXPECT_THAT(deletionWarning(place, {"PodSnapshot", "j"}),
                AllOf(HasSubstr("PodSnapshot \"j\""), HasSubstr("\"perf\""), HasSubstr("\"lab\""), HasSubstr("artifact")));
    EXPECT_THAT(deletionWarning({}, {"Pod", "p"}), HasSubstr("current context"));
    StubKubectl kubectl;
    kubectl.says("podsnapshot.nvidia.com \"j\" deleted\n");
    ASSERT_TRUE(deleteObject(kubectl, place, {"PodSnapshot", "j"}));
    EXPECT_EQ(kubectl.calls.front().line(),
              "--context=lab --namespace=perf --request-timeout=60s delete podsnapshots.nvidia.com j --wait=false");
    kubectl.isNotFound("podsnapshots.nvidia.com \"j\"");
    const auto gone = deleteObject(kubectl, place, {"PodSnapshot", "j"});
    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error().code, ErrorCode::NotFound);
}

} // namespace
} // namespace wb::snapshot
