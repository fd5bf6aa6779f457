// Manifests against both states of the definitions: the shared fixtures, and what they do not cover.
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/snapshot/findingrules.h"
#include "core/snapshot/manifestcheck.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace wb::snapshot {
namespace {

namespace fs = std::filesystem;
using base::json::Value;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

CheckedManifest checkText(std::string text, std::string_view state = "latest")
{
    return checkManifest(std::make_shared<const syntax::SourceText>(std::move(text), "x.yaml"), *builtinCrds(state));
}

/// "rule path"
std::vector<std::string> told(const CheckedManifest& checked)
{
    std::vector<std::string> out;
    for (const syntax::Diagnostic& finding : checked.findings)
        out.push_back(std::string(syntax::id(finding)) + " " + finding.path);
    return out;
}

std::string lineOf(const CheckedManifest& checked, const syntax::Diagnostic& finding)
{
    const syntax::Range range = checked.source->lineRange(checked.source->lineCol(finding.range.begin).line);
    return std::string(base::trimmed(std::string_view(checked.source->text()).substr(range.begin, range.end - range.begin)));
}

const syntax::Diagnostic* findingOf(const CheckedManifest& checked, std::string_view rule)
{
    const auto found = std::find_if(checked.findings.begin(), checked.findings.end(), [&](const auto& f) { return syntax::id(f) == rule; });
    return found == checked.findings.end() ? nullptr : &*found;
}

/// What each fault's line begins with: a person looks there.
const std::map<std::string, std::vector<std::string>> faultLines = {
    {"sj-missing-podtemplate", {"spec:"}},
    {"sj-missing-podsnapshottemplate", {"spec:"}},
    {"sj-two-targets", {"targetContainers:", "- aux"}},
    {"sj-target-not-a-container", {"- engine"}},
    {"sj-default-target-but-container-renamed", {"podSnapshotTemplate:"}},
    {"sj-target-bad-name", {"- Main_", "- Main_"}},
    {"sj-deadline-zero", {"activeDeadlineSeconds: 0"}},
    {"sj-deadline-string", {"activeDeadlineSeconds:"}},
    {"sj-typo-field", {"activeDeadlineSecond:"}},
    {"sj-name-too-long", {"name: "}},
    {"sj-reserved-label", {"nvidia.com/snapshot-job: x"}},
    {"sj-gpu-bad-quantity", {"nvidia.com/gpu: 8 GPUs"}},
    {"sj-containers-missing", {"spec:"}},
    {"sj-env-value-number", {"value: 2048"}},
    {"sj-duplicate-volume", {"- name: shm"}},
    {"sj-shared-memory-bad-case", {"nvidia.com/cuda-shared-memory-support: Enabled"}},
    {"sj-multigpu-without-shared-memory", {"spec:"}},
    {"ps-no-containers", {"podRef:"}},
    {"ps-two-containers", {"containers:"}},
    {"ps-empty-name", {"name: ''"}},
    {"ps-no-source", {"spec: {}"}},
    {"restore-bad-snapshot-name", {"nvidia.com/restore-from: Vllm_Snapshot"}},
    {"restore-no-control-volume", {"spec:"}},
    {"restore-control-not-emptydir", {"- name: snapshot-control"}},
    {"restore-wrong-subpath", {"- name: snapshot-control"}},
    {"restore-no-control-env", {"- name: main"}},
    {"restore-control-env-wrong", {"value: /"}},
    {"restore-not-inert", {"command:"}},
    {"restore-skip-compat-yes", {"nvidia.com/snapshot-skip-compat-check: 'yes'"}},
    {"restore-map-missing-destination", {"nvidia.com/restore-container-map:"}},
    {"restore-map-duplicate", {"nvidia.com/restore-container-map:"}},
    {"restore-map-syntax", {"nvidia.com/restore-container-map:"}},
};

TEST(FindingRules, SayWhatEveryFindingOfTheFixturesMeans)
{
    SRTWB_NEEDS_SHARED("snapshot/manifests/invalid");
    std::set<std::string_view> known;
    for (const FindingRule& rule : findingRules())
        EXPECT_TRUE(known.insert(rule.id).second) << rule.id;
    for (const auto& entry : std::filesystem::directory_iterator(*test::shared("snapshot/manifests/invalid"))) {
        if (entry.path().extension() != ".yaml")
            continue;
        auto source = std::make_shared<syntax::SourceText>(test::bytesOf(entry.path()));
        for (const syntax::Diagnostic& finding : checkManifest(std::move(source), *builtinCrds("latest")).findings)
            EXPECT_TRUE(known.contains(syntax::id(finding))) << syntax::id(finding);
    }
}

TEST(ManifestFixtures, GiveExactlyTheExpectedFindingsForBothStates)
{
    SRTWB_NEEDS_SHARED("snapshot/manifests/invalid");
    const fs::path folder = *test::shared("snapshot/manifests/invalid");
    const auto expected = base::json::read(test::bytesOf(folder / "expected.json"));
    ASSERT_TRUE(expected);
    ASSERT_EQ(expected->object().size(), 32U);
    std::size_t invalid = 0;
    for (const base::json::Member& fixture : expected->object()) {
        const std::string text = test::bytesOf(folder / (fixture.key + ".yaml"));
        for (const std::string state : {"latest", "main-b7e707c"}) {
            SCOPED_TRACE(fixture.key + " " + state);
            const Value* wanted = fixture.value.find(state);
            if (!wanted)
                wanted = fixture.value.find("latest");
            std::vector<std::string> pairs;
            bool hasError = false;
            for (const Value& one : wanted->array()) {
                pairs.push_back(*one.find("rule")->string() + " " + *one.find("path")->string());
                hasError = hasError || !one.find("rule")->string()->starts_with("warn.");
            }
            const CheckedManifest checked = checkText(text, state);
            EXPECT_THAT(told(checked), testing::UnorderedElementsAreArray(pairs));
            EXPECT_EQ(checked.valid, !hasError);
            invalid += state == "latest" && !checked.valid ? 1 : 0;
        }
    }
    EXPECT_EQ(invalid, 29U);
}

TEST(ManifestFixtures, PointAtTheLineOfTheFault)
{
    SRTWB_NEEDS_SHARED("snapshot/manifests/invalid");
    const fs::path folder = *test::shared("snapshot/manifests/invalid");
    for (const auto& [stem, lines] : faultLines) {
        SCOPED_TRACE(stem);
        const CheckedManifest checked = checkText(test::bytesOf(folder / (stem + ".yaml")));
        ASSERT_EQ(checked.findings.size(), lines.size());
        std::vector<std::string> found;
        for (const syntax::Diagnostic& finding : checked.findings)
            found.push_back(lineOf(checked, finding));
        for (const std::string& line : lines)
            EXPECT_THAT(found, Contains(testing::StartsWith(line)));
    }
}

TEST(ManifestFixtures, OfUpstreamAreFineButForTheirPlaceholders)
{
    SRTWB_NEEDS_SHARED("snapshot/manifests/upstream");
    const fs::path folder = *test::shared("snapshot/manifests/upstream");
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".yaml")
            continue;
        ++count;
        const std::string name = fs::relative(entry.path(), folder).generic_string();
        SCOPED_TRACE(name);
        const bool isPlaceholder = name.ends_with("restore/8-gpu.yaml");
        const bool hasSeveralGpus = name.ends_with("glm-5.3-snapshotjob.yaml") || name.ends_with("deepseek-v4.1-flash-snapshotjob.yaml");
        std::vector<std::string> wanted;
        if (isPlaceholder)
            wanted = {"contract.restore-from .spec.template.spec"};
        else if (name == "docs/podsnapshot.yaml")
            wanted = {"warn.placeholder .spec.source.podRef.name"};
        else if (name == "vllm/capture/qwen3-0.6b.yaml")
            wanted = {"warn.source-control-env .spec.template.spec"};
        const std::string text = test::bytesOf(entry.path());
        EXPECT_THAT(told(checkText(text)), testing::ElementsAreArray(wanted));
        EXPECT_EQ(checkText(text).valid, !isPlaceholder);
        if (hasSeveralGpus)
            wanted.emplace_back("unknown .spec.podTemplate.metadata.annotations");
        EXPECT_THAT(told(checkText(text, "main-b7e707c")), testing::UnorderedElementsAreArray(wanted));
    }
    EXPECT_EQ(count, 13U);
}

TEST(ManifestFixtures, SayTheSameWithTheDefinitionsFromTheirFiles)
{
    SRTWB_NEEDS_SHARED("snapshot/crds");
    std::vector<std::string> texts;
    for (const auto& entry : fs::directory_iterator(*test::shared("snapshot/crds/main-b7e707c")))
        texts.push_back(test::bytesOf(entry.path()));
    const auto crds = readCrds(texts, "folder");
    ASSERT_TRUE(crds);
    for (const auto& entry : fs::directory_iterator(*test::shared("snapshot/manifests/invalid"))) {
        if (entry.path().extension() != ".yaml")
            continue;
        const std::string text = test::bytesOf(entry.path());
        const CheckedManifest own = checkManifest(std::make_shared<const syntax::SourceText>(text), *crds);
        EXPECT_EQ(told(own), told(checkText(text, "main-b7e707c"))) << entry.path();
    }
}

const std::string goodJob = "apiVersion: nvidia.com/v1alpha1\n"
                            "kind: SnapshotJob\n"
                            "metadata:\n"
                            "  name: job\n"
                            "spec:\n"
                            "  podSnapshotTemplate: {}\n"
                            "  podTemplate:\n"
                            "    spec:\n"
                            "      containers:\n"
                            "        - name: main\n"
                            "          image: x@sha256:00\n";

std::string replaced(const std::string& text, std::string_view from, std::string_view to)
{
    EXPECT_NE(text.find(from), std::string::npos) << from;
    return base::replacedAll(text, from, to);
}

TEST(ManifestCheck, TakesSeveralDocumentsAndCountsLinesOfTheWholeFile)
{
    const std::string text = "# first\n---\n" + goodJob + "---\n# nothing here\n...\n---\n" +
                             replaced(goodJob, "  podSnapshotTemplate: {}", "  podSnapshotTemplat: {}") +
                             "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  any: thing\n";
    const CheckedManifest checked = checkText(text);
    ASSERT_EQ(checked.objects.size(), 3U);
    EXPECT_THAT(told(checked), UnorderedElementsAre("required .spec", "unknown .spec.podSnapshotTemplat", "kind .kind"));
    EXPECT_EQ(lineOf(checked, *findingOf(checked, "unknown")), "podSnapshotTemplat: {}");
    EXPECT_EQ(lineOf(checked, *findingOf(checked, "kind")), "kind: ConfigMap");
    EXPECT_EQ(findingOf(checked, "kind")->severity, syntax::Severity::Info);
    const syntax::Diagnostic& typo = *findingOf(checked, "unknown");
    ASSERT_EQ(typo.fixes.size(), 1U);
    EXPECT_EQ(syntax::applyEdits(text, typo.fixes.front().edits), replaced(text, "podSnapshotTemplat: {}", "podSnapshotTemplate: {}"));
}

TEST(ManifestCheck, OpensLists)
{
    std::string items;
    for (const std::string_view line : base::splitAt(goodJob, '\n'))
        items += line.empty() ? "" : "    " + std::string(line) + "\n";
    items.replace(2, 1, "-");
    const CheckedManifest checked = checkText("apiVersion: v1\nkind: List\nitems:\n" + replaced(items, "name: main", "name: other"));
    EXPECT_THAT(told(checked), ElementsAre("cel .items[0].spec"));
    ASSERT_EQ(checked.objects.size(), 1U);
    EXPECT_EQ(checked.objects.front().path, ".items[0]");
}

TEST(ManifestCheck, NamesWhatTheServerFillsIn)
{
    const CheckedManifest checked = checkText(goodJob);
    EXPECT_THAT(told(checked), IsEmpty());
    std::vector<std::string> filled;
    for (const FilledDefault& one : checked.defaults)
        filled.push_back(one.path + "=" + one.text);
    EXPECT_THAT(filled,
                testing::IsSupersetOf({".spec.activeDeadlineSeconds=3600", ".spec.podSnapshotTemplate.targetContainers=[\"main\"]"}));
}

TEST(ManifestCheck, AnEmptyListIsNotTheDefault)
{
    EXPECT_THAT(told(checkText(replaced(goodJob, "podSnapshotTemplate: {}", "podSnapshotTemplate: {targetContainers: []}"))),
                ElementsAre("minItems .spec.podSnapshotTemplate.targetContainers"));
    // A null is absent, and the default comes in.
    EXPECT_THAT(told(checkText(replaced(goodJob, "podSnapshotTemplate: {}", "podSnapshotTemplate: {targetContainers: null}"))), IsEmpty());
}

TEST(ManifestCheck, ReadsScalarsAsKubectlDoes)
{
    const auto withEnvironment = [](const std::string& value) {
        return goodJob + "          env:\n            - name: A\n              value: " + value + "\n";
    };
    for (const std::string text : {"1", "true", "yes", "y", "1.5", "[a]"}) {
        EXPECT_THAT(told(checkText(withEnvironment(text))), Contains("type .spec.podTemplate.spec.containers[0].env[0].value")) << text;
    }
    for (const std::string good : {"\"1\"", "text", "2026-10-08", "22:30", "''"}) {
        const CheckedManifest checked = checkText(withEnvironment(good));
        EXPECT_TRUE(checked.valid) << good << " " << testing::PrintToString(told(checked));
    }
    const std::string text = withEnvironment("1");
    const CheckedManifest checked = checkText(text);
    EXPECT_EQ(syntax::applyEdits(text, findingOf(checked, "type")->fixes.at(0).edits), withEnvironment("\"1\""));
}

TEST(ManifestCheck, TakesQuantitiesAsNumberAndText)
{
    const auto withGpus = [](const std::string& value) {
        return goodJob + "          resources:\n            limits:\n              nvidia.com/gpu: " + value + "\n";
    };
    EXPECT_THAT(told(checkText(withGpus("1"))), IsEmpty());
    EXPECT_THAT(told(checkText(withGpus("\"1\""))), IsEmpty());
    EXPECT_THAT(told(checkText(withGpus("\"8\""))), ElementsAre("warn.multi-gpu-without-shared-memory .spec.podTemplate.spec"));
    const std::string path = ".spec.podTemplate.spec.containers[0].resources.limits.nvidia.com/gpu";
    EXPECT_THAT(told(checkText(withGpus("eight"))), ElementsAre("pattern " + path));
    EXPECT_THAT(checkText(withGpus("eight")).findings.front().message, testing::StartsWith("\"nvidia.com/gpu\" is \"eight\""));
    EXPECT_THAT(told(checkText(withGpus("0.5"))), ElementsAre("type " + path));
    EXPECT_THAT(told(checkText(withGpus("\"1\\n\""))), ElementsAre("pattern " + path));
}

TEST(ManifestCheck, TellsDoublesByTheirKeys)
{
    const std::string ports = goodJob + "          ports:\n"
                                        "            - containerPort: 80\n"
                                        "            - {containerPort: 80, protocol: UDP}\n"
                                        "            - {containerPort: 80, protocol: TCP}\n";
    EXPECT_THAT(told(checkText(ports)), ElementsAre("duplicate .spec.podTemplate.spec.containers[0].ports[2]"));
}

TEST(ManifestCheck, KnowsKindsByTheirVersion)
{
    const CheckedManifest version = checkText(replaced(goodJob, "nvidia.com/v1alpha1", "nvidia.com/v1beta1"));
    EXPECT_THAT(told(version), ElementsAre("kind .apiVersion"));
    EXPECT_FALSE(version.valid);
    const CheckedManifest typo = checkText(replaced(goodJob, "kind: SnapshotJob", "kind: SnapshotJobs"));
    EXPECT_THAT(told(typo), ElementsAre("kind .kind"));
    EXPECT_FALSE(typo.valid);
    EXPECT_EQ(findingOf(typo, "kind")->fixes.at(0).title, "Change to \"SnapshotJob\"");
    const CheckedManifest other = checkText("apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nmetadata: {name: x}\n");
    EXPECT_TRUE(other.valid);
    EXPECT_FALSE(other.hasVerdict());
}

TEST(ManifestCheck, AsksForMetadataThatTheServerTakes)
{
    EXPECT_THAT(told(checkText(replaced(goodJob, "  name: job\n", "  labels: {a: 1}\n  nmae: x\n"))),
                UnorderedElementsAre("required .metadata", "type .metadata.labels.a", "unknown .metadata.nmae"));
    EXPECT_THAT(told(checkText(replaced(goodJob, "name: job", "name: My_Job"))), ElementsAre("name .metadata.name"));
    EXPECT_THAT(told(checkText(replaced(goodJob, "name: job", "name: <job-name>"))), ElementsAre("warn.placeholder .metadata.name"));
    EXPECT_THAT(told(checkText(replaced(goodJob, "metadata:\n  name: job\n", ""))), ElementsAre("required "));
}

TEST(ManifestCheck, SaysThatWhatIsOnAClusterCannotBeChanged)
{
    const CheckedManifest checked = checkText(replaced(goodJob, "  name: job\n", "  name: job\n  uid: abc\n"));
    EXPECT_THAT(told(checked), ElementsAre("immutable .spec"));
    EXPECT_TRUE(checked.valid);
}

TEST(ManifestCheck, CallsTheOldContractByItsName)
{
    const std::string pod =
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels:\n    nvidia.com/snapshot-is-restore-target: \"true\"\n"
        "    nvidia.com/snapshot-checkpoint-id: abc\nspec:\n  containers:\n    - name: main\n";
    EXPECT_THAT(told(checkText(pod)), ElementsAre("warn.alpha-contract .metadata"));
}

TEST(ManifestCheck, LooksIntoEngineArguments)
{
    const std::string bad = goodJob + "          env:\n            - name: VLLM_ENGINE_ARGS\n              value: |-\n"
                                      "                {\"a\": 1,}\n";
    EXPECT_THAT(told(checkText(bad)), ElementsAre("warn.engine-args-json .spec.podTemplate.spec.containers[0].env[0].value"));
    EXPECT_THAT(told(checkText(replaced(bad, "1,}", "1}"))), IsEmpty());
}

TEST(ManifestCheck, LeavesRulesThatItDoesNotKnowToTheServer)
{
    const std::vector<std::string> texts{R"({"kind": "CustomResourceDefinition", "spec": {"group": "nvidia.com", "scope": "Namespaced",
        "names": {"kind": "PodSnapshot", "plural": "podsnapshots"}, "versions": [{"name": "v1alpha1", "schema": {"openAPIV3Schema":
        {"type": "object", "properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"},
        "spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": true,
        "x-kubernetes-validations": [{"rule": "self.a == 1", "message": "a"}, {"rule": "self.b == oldSelf.b"}]}}}}}]}})"};
    const auto crds = readCrds(texts, "mine");
    ASSERT_TRUE(crds);
    const CheckedManifest checked =
        checkManifest(std::make_shared<const syntax::SourceText>(
                          "apiVersion: nvidia.com/v1alpha1\nkind: PodSnapshot\nmetadata: {name: x}\nspec: {a: 2}\n"),
                      *crds);
    EXPECT_THAT(told(checked), ElementsAre("cel.server-only .spec"));
    EXPECT_TRUE(checked.valid);
    EXPECT_THAT(checked.findings.front().message, HasSubstr("self.a == 1"));
}

TEST(ManifestCheck, SaysWhatIsNoManifest)
{
    EXPECT_THAT(told(checkText("")), ElementsAre("empty "));
    EXPECT_THAT(told(checkText("# only words\n---\n")), ElementsAre("empty "));
    EXPECT_FALSE(checkText("- a\n").valid);
    EXPECT_FALSE(checkText("text\n").valid);
    EXPECT_FALSE(checkText("a: [1\n").valid);
    EXPECT_FALSE(checkText("kind: SnapshotJob\n").valid);
    EXPECT_FALSE(checkText("apiVersion: nvidia.com/v1alpha1\nkind: SnapshotJob\nmetadata: 1\nspec: text\n").valid);
}

TEST(ManifestCheck, DoesNotMissWhatABrokenTextMayHold)
{
    const CheckedManifest checked = checkText("apiVersion: v1\nkind: Pod\nmetadata:\n  name: [x\nspec:\n  containers:\n    - name: a\n");
    EXPECT_FALSE(checked.valid);
    EXPECT_THAT(told(checked), Not(Contains(testing::StartsWith("required"))));
    EXPECT_THAT(checkText(std::string("\0\1", 2)).findings.front().message, Not(HasSubstr("recipe")));
}

/// Every prefix of a manifest and every line left out is checked without harm: a text is broken most of the time that it is typed.
TEST(ManifestCheck, NeverFailsOnATextThatIsBeingTyped)
{
    SRTWB_NEEDS_SHARED("snapshot/manifests/upstream");
    const std::string text = test::bytesOf(*test::shared("snapshot/manifests/upstream/docs/restore-pod-fanout.yaml"));
    for (std::size_t length = 0; length < text.size(); length += 7)
        (void)checkText(text.substr(0, length));
    const auto lines = base::splitAt(text, '\n');
    for (std::size_t left = 0; left < lines.size(); ++left) {
        std::string without;
        for (std::size_t i = 0; i < lines.size(); ++i)
            without += i == left ? "" : std::string(lines[i]) + "\n";
        (void)checkText(without);
    }
}

} // namespace
} // namespace wb::snapshot
