// A restore manifest as one more document of its capture's text.
#include "core/snapshot/documents.h"
#include "core/snapshot/manifestcheck.h"
#include "core/snapshot/restoreadded.h"
#include "tests/core/snapshot/captures.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace wb::snapshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

TEST(AddRestoreManifest, IsProvedForEveryUpstreamCaptureAndKeepsItsText)
{
    SRTWB_NEEDS_SHARED("snapshot/manifests/upstream");
    std::size_t count = 0;
    for (const fs::path& path : test::upstreamCaptures()) {
        ++count;
        SCOPED_TRACE(path.string());
        const std::string text = test::bytesOf(path);
        const auto capture = captureAt(text, 0);
        ASSERT_TRUE(capture);
        const auto made = addRestoreManifest(text, *capture, {"my-snapshot", ""}, *builtinCrds("latest"));
        ASSERT_TRUE(made) << made.error().message;
        EXPECT_THAT(made->faults, IsEmpty());
        EXPECT_THAT(made->text, StartsWith(text));
        const CheckedManifest whole = checkManifest(std::make_shared<syntax::SourceText>(made->text), *builtinCrds("latest"));
        EXPECT_EQ(whole.objects.back().kind, "Deployment");
        EXPECT_GE(whole.objects.size(), 2U);
        EXPECT_TRUE(whole.valid);
    }
    EXPECT_EQ(count, 7U);
}

TEST(CaptureAt, TakesTheOneAtTheCursorAndNoRestore)
{
    const std::string pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: source\nspec:\n  containers: []\n";
    const std::string restore = "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: back\n  annotations:\n    nvidia.com/restore-from: s\n";
    const std::string podSnapshot = "---\napiVersion: nvidia.com/v1alpha1\nkind: PodSnapshot\nmetadata:\n  name: shot\n";
    const std::string job = "---\napiVersion: nvidia.com/v1alpha1\nkind: SnapshotJob\nmetadata:\n  name: job\n";
    const std::string all = pod + restore + podSnapshot + job;
    EXPECT_EQ(captureAt(all, 0)->name, "source");
    EXPECT_EQ(captureAt(all, all.size())->name, "job");
    EXPECT_EQ(captureAt(all, pod.size() + 20)->name, "job") << "the cursor is in a restore: the SnapshotJob is what was captured";
    EXPECT_EQ(captureAt(pod + restore, pod.size() + 20)->name, "source");
    EXPECT_EQ(captureAt(all, 0)->podSnapshot, "shot");
    EXPECT_TRUE(captureAt(all, 0)->needsSnapshotName);
    EXPECT_FALSE(captureAt(all, all.size())->needsSnapshotName);
    const auto none = captureAt(podSnapshot, 0);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::NotFound);
}

TEST(LooksLikeManifest, IsSureOfManifestsAndTakesNoRecipe)
{
    EXPECT_TRUE(looksLikeManifest("# x\napiVersion: v1\n"));
    EXPECT_TRUE(looksLikeManifest("\"apiVersion\": v1\n"));
    EXPECT_TRUE(looksLikeManifest("\xEF\xBB\xBF"
                                  "apiVersion: v1\n"));
    EXPECT_TRUE(looksLikeManifest("{\"apiVersion\": \"v1\", \"kind\": \"List\"}"));
    EXPECT_FALSE(looksLikeManifest("name: a\nenv:\n  apiVersion: 2\n"));
    EXPECT_FALSE(looksLikeManifest("# apiVersion: v1\nname: a\n"));
    EXPECT_FALSE(looksLikeManifest("apiVersions: 2\n"));
    EXPECT_FALSE(looksLikeManifest("apiVersion"));
    SRTWB_NEEDS_SHARED("corpus");
    SRTWB_NEEDS_SHARED("snapshot/manifests");
    for (const auto& entry : fs::recursive_directory_iterator(*test::shared("corpus"))) {
        if (entry.path().extension() == ".yaml") {
            EXPECT_FALSE(looksLikeManifest(test::bytesOf(entry.path()))) << entry.path();
        }
    }
    for (const auto& entry : fs::recursive_directory_iterator(*test::shared("snapshot/manifests"))) {
        if (entry.path().extension() == ".yaml") {
            EXPECT_TRUE(looksLikeManifest(test::bytesOf(entry.path()))) << entry.path();
        }
    }
}

} // namespace
} // namespace wb::snapshot
