// The restore made of a capture: no errors, nothing for the compatibility checks to mind, and the author's text is still the author's.
#include "core/base/text.h"
#include "core/snapshot/compat.h"
#include "core/snapshot/manifestcheck.h"
#include "core/snapshot/nodefacts.h"
#include "core/snapshot/restoremanifest.h"
#include "core/snapshot/yamledit.h"
#include "tests/core/snapshot/captures.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>

namespace wb::snapshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> told(const std::string& text)
{
    std::vector<std::string> out;
    for (const syntax::Diagnostic& finding :
         checkManifest(std::make_shared<const syntax::SourceText>(text), *builtinCrds("latest")).findings)
        out.push_back(std::string(syntax::id(finding)) + " " + finding.path + " " + finding.message);
    return out;
}

TEST(RestoreManifest, OfEveryUpstreamCaptureHasNoFindingAndFitsItsCapture)
{
    SRTWB_NEEDS_SHARED("snapshot/manifests/upstream");
    std::size_t count = 0;
    for (const fs::path& path : test::upstreamCaptures()) {
        ++count;
        SCOPED_TRACE(path.string());
        const std::string capture = test::bytesOf(path);
        const auto made = restoreManifestOf(capture, {"my-snapshot", ""});
        ASSERT_TRUE(made) << made.error().message;
        EXPECT_TRUE(made->areCommentsKept);
        EXPECT_THAT(made->notes, IsEmpty());
        EXPECT_THAT(told(made->text), IsEmpty()) << made->text;
        EXPECT_THAT(made->text, testing::StartsWith("# SPDX-FileCopyrightText")) << "comments stay";
        EXPECT_THAT(made->text, HasSubstr("kind: Deployment"));
        EXPECT_THAT(made->text, HasSubstr("nvidia.com/restore-from: my-snapshot"));
        EXPECT_THAT(made->text, HasSubstr("-restore-ready"));
        EXPECT_THAT(made->text, Not(HasSubstr("initContainers")));
        EXPECT_THAT(made->text, Not(HasSubstr("ENGINE_ARGS")));
        const auto source = readPodFacts(capture);
        const auto target = readPodFacts(made->text);
        ASSERT_TRUE(source && target);
        ClusterNode node;
        node.facts.architecture = "amd64";
        node.facts.kernelVersion = "6.8.0-60-generic";
        node.facts.driverVersion = "595.58.03";
        node.facts.nodeGpuProduct = "NVIDIA-B200";
        for (const CompatResult& result : compare(targetOn(node, *source), targetOn(node, *target)))
            EXPECT_NE(result.state, CheckState::Mismatch) << result.check << " " << result.source << " " << result.target;
    }
    EXPECT_EQ(count, 7U);
}

TEST(RestoreManifest, OfOurOwnSampleChecksClean)
{
    const std::string capture = test::bytesOf(test::own("resources/samples/snapshot/capture-vllm.yaml"));
    EXPECT_THAT(told(capture), IsEmpty());
    const auto made = restoreManifestOf(capture, {});
    ASSERT_TRUE(made);
    EXPECT_THAT(told(made->text), IsEmpty()) << made->text;
    EXPECT_THAT(made->text, HasSubstr("# Captures an inference server"));
}

const std::string job = "# about the job\n"
                        "apiVersion: nvidia.com/v1alpha1\n"
                        "kind: SnapshotJob\n"
                        "metadata:\n"
                        "  name: tiny   # a good name\n"
                        "  namespace: perf\n"
                        "spec:\n"
                        "  # how long\n"
                        "  activeDeadlineSeconds: 60\n"
                        "  podSnapshotTemplate:\n"
                        "    targetContainers: [engine]\n"
                        "  podTemplate:\n"
                        "    spec:\n"
                        "      restartPolicy: Never\n"
                        "      containers:\n"
                        "      # the one that counts\n"
                        "      - command: [python3, app.py]\n"
                        "        name: engine\n"
                        "        image: vllm/vllm-openai@sha256:3fb0 # pinned\n"
                        "        args:\n"
                        "        - --x\n"
                        "        volumeMounts:\n"
                        "        - name: shm # shared\n"
                        "          mountPath: /dev/shm\n"
                        "      - name: sidecar\n"
                        "        image: helper\n"
                        "      volumes:\n"
                        "      # the memory\n"
                        "      - name: shm\n"
                        "        emptyDir: {medium: Memory}\n";

TEST(RestoreManifest, KeepsTheAuthorsCommentsAndOrder)
{
    const auto made = restoreManifestOf(job, {});
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_THAT(told(made->text), IsEmpty()) << made->text;
    EXPECT_TRUE(made->areCommentsKept) << made->text;
    for (const char* kept :
         {"# about the job", "# a good name", "# the one that counts", "# pinned", "# shared", "# the memory", "namespace: perf",
          "nvidia.com/restore-from: tiny", "subPath: engine", "- name: sidecar", "name: tiny-restored"})
        EXPECT_THAT(made->text, HasSubstr(kept));
    for (const char* gone : {"# how long", "activeDeadlineSeconds", "restartPolicy", "app.py", "--x", "targetContainers", "podTemplate"})
        EXPECT_THAT(made->text, Not(HasSubstr(gone)));
}

TEST(RestoreManifest, OfAPlainPodNeedsTheSnapshotsName)
{
    const std::string pod =
        "apiVersion: v1\nkind: Pod\nmetadata: {name: source}\nspec:\n  containers:\n    - name: main\n      image: own/image:1\n";
    const auto unnamed = restoreManifestOf(pod, {});
    ASSERT_FALSE(unnamed);
    EXPECT_THAT(unnamed.error().message, HasSubstr("PodSnapshot"));
    const auto made = restoreManifestOf(pod, {"snap", "again"});
    ASSERT_TRUE(made);
    EXPECT_THAT(told(made->text), IsEmpty()) << made->text;
    EXPECT_THAT(made->text, HasSubstr("kind: Pod"));
    EXPECT_EQ(made->notes.size(), 2U) << "the engine is not known, and the image is not pinned";
    EXPECT_FALSE(restoreManifestOf(pod, {"Bad_Name", ""}));
    EXPECT_FALSE(restoreManifestOf(pod, {"snap", "Bad_Name"}));
}

TEST(RestoreManifest, IsRefusedForWhatCannotBeRestored)
{
    for (const std::string text :
         {"", "a: [", "kind: ConfigMap\n", "kind: SnapshotJob\n", "kind: Pod\nmetadata: {name: a}\nspec: {containers: []}\n",
          "kind: SnapshotJob\nmetadata: {name: a}\nspec: {podTemplate: {spec: {containers: [{name: other}]}}}\n"}) {
        const auto made = restoreManifestOf(text, {"snap", "b"});
        EXPECT_FALSE(made) << text;
    }
}

TEST(YamlEdit, ChangesTheLinesThatItMust)
{
    YamlEdit edit("a: 1 # one\nlist:\n- x\n# about y\n- y\nmap:\n  k: v\n");
    ASSERT_TRUE(edit.isGood());
    edit.set({std::string("a")}, newText("two"));
    edit.append({std::string("list")}, newMapping({{"name", newText("z")}, {"count", newInteger(1)}}));
    edit.set({std::string("map"), std::string("deep"), std::string("er")}, newText("w"));
    edit.rename({std::string("map")}, "renamed");
    edit.set({std::string("first")}, newText("f"), "list");
    EXPECT_EQ(edit.text(),
              "a: two # one\nfirst: f\nlist:\n- x\n# about y\n- y\n- name: z\n  count: 1\nrenamed:\n  k: v\n  deep:\n    er: w\n");
    edit.remove({std::string("list")});
    edit.remove({std::string("absent")});
    EXPECT_EQ(edit.text(), "a: two # one\nfirst: f\nrenamed:\n  k: v\n  deep:\n    er: w\n");
    EXPECT_TRUE(edit.areCommentsKept());
}

TEST(YamlEdit, NeverChangesTheDataOtherwiseWhateverTheLayout)
{
    YamlEdit edit("{a: {b: 1, c: [1, 2]}, d: x}\n");
    ASSERT_TRUE(edit.isGood());
    edit.set({std::string("a"), std::string("e")}, newText("new"));
    edit.append({std::string("a"), std::string("c")}, newInteger(3));
    edit.remove({std::string("a"), std::string("b")});
    const YamlEdit wanted("{a: {c: [1, 2, 3], e: new}, d: x}\n");
    EXPECT_TRUE(syntax::sameData(*edit.root(), *wanted.root())) << edit.text();
}

} // namespace
} // namespace wb::snapshot
