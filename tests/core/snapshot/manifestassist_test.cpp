// Completion and hover in manifests, at marked cursors.
#include "core/base/text.h"
#include "core/snapshot/manifestassist.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

#include <string>

namespace wb::snapshot {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

std::vector<std::string> offered(const std::string& marked)
{
    const test::Marked text(marked);
    std::vector<std::string> out;
    for (const ManifestCompletion& one : completionsAt(*text.source(), text.cursor(), *builtinCrds("latest")))
        out.push_back(one.text);
    return out;
}

std::string pathAt(const std::string& marked)
{
    const test::Marked text(marked);
    const ManifestPlace place = manifestPlaceAt(*text.source(), text.cursor());
    return base::joined(place.path, ".") + (place.isValue ? "=" : "");
}

const std::string head = "apiVersion: nvidia.com/v1alpha1\nkind: SnapshotJob\nmetadata:\n  name: x\n";

TEST(ManifestAssist, KnowsWhereTheCursorIs)
{
    EXPECT_EQ(pathAt(head + "spec:\n  ^\n"), "spec");
    EXPECT_EQ(pathAt(head + "^\n"), "");
    EXPECT_EQ(pathAt(head + "spec:\n  podTemplate:\n    spec:\n      containers:\n        - name: a\n          env:\n          - name: b\n "
                            "           val^\n"),
              "spec.podTemplate.spec.containers.[].env.[]");
    EXPECT_EQ(pathAt(head + "spec:\n  podTemplate:\n    spec:\n      containers:\n      - name: a\n      - im^\n"),
              "spec.podTemplate.spec.containers.[]");
    EXPECT_EQ(pathAt(head + "spec:\n  podTemplate:\n    spec:\n      containers:\n      - name: a\n        image: b\n      ho^\n"),
              "spec.podTemplate.spec");
    EXPECT_EQ(pathAt(head + "spec:\n  activeDeadlineSeconds: ^\n"), "spec.activeDeadlineSeconds=");
    EXPECT_EQ(pathAt("a:\n  b: 1\n---\n" + head + "spec:\n  a^\n---\nc: 1\n"), "spec") << "documents are apart";
}

TEST(ManifestAssist, OffersTheKeysThatAreMissingRequiredOnesFirst)
{
    const auto keys = offered(head + "spec:\n  activeDeadlineSeconds: 1\n  ^\n");
    EXPECT_THAT(keys, ElementsAre("podSnapshotTemplate:", "podTemplate:"));
    EXPECT_THAT(offered(head + "spec:\n  podTemplate:\n    spec:\n      containers:\n        - name: a\n          ^\n          image: x\n"),
                AllOf(IsSupersetOf({"command:", "env:", "resources:"}), Not(Contains("image: ")), Not(Contains("name: "))));
    EXPECT_THAT(offered("^\n"), ElementsAre("apiVersion: ", "kind: ", "metadata:"));
    EXPECT_THAT(offered(head + "nothing:\n  ^\n"), IsEmpty());
}

TEST(ManifestAssist, OffersValues)
{
    EXPECT_THAT(offered("apiVersion: nvidia.com/v1alpha1\nkind: ^\n"),
                testing::UnorderedElementsAre("SnapshotJob", "PodSnapshot", "PodSnapshotContent"));
    EXPECT_THAT(offered("apiVersion: ^\n"), testing::UnorderedElementsAre("nvidia.com/v1alpha1", "apps/v1", "v1"));
    EXPECT_THAT(offered("apiVersion: apps/v1\nkind: Deployment\nspec:\n  strategy:\n    type: ^\n"),
                ElementsAre("Recreate", "RollingUpdate"));
    EXPECT_THAT(offered("apiVersion: v1\nkind: Pod\nspec:\n  hostIPC: ^\n"), ElementsAre("true", "false"));
    EXPECT_THAT(offered(head + "spec:\n  activeDeadlineSeconds: ^\n"), ElementsAre("3600"));
}

TEST(ManifestAssist, TellsWhatAKeyIs)
{
    const test::Marked text(head + "spec:\n  [[activeDead^lineSeconds]]: 60\n");
    const auto hover = hoverAt(*text.source(), text.cursor(), *builtinCrds("latest"));
    ASSERT_TRUE(hover);
    EXPECT_EQ(hover->range, text.range());
    EXPECT_EQ(hover->title, ".spec.activeDeadlineSeconds: integer (int64)");
    EXPECT_THAT(hover->text, AllOf(HasSubstr("Default: 3600"), HasSubstr("At least 1")));
    const test::Marked unknown(head + "spec:\n  no^thing: 60\n");
    EXPECT_FALSE(hoverAt(*unknown.source(), unknown.cursor(), *builtinCrds("latest")));
    const test::Marked value(head + "spec:\n  activeDeadlineSeconds: 6^0\n");
    EXPECT_FALSE(hoverAt(*value.source(), value.cursor(), *builtinCrds("latest")));
}

TEST(ManifestAssist, TakesEveryCursorOfAnyText)
{
    const std::string text = head + "spec:\r\n\t- x: \"y\n  -\n- - a: {b: [\n'\n\xff#\n---\n...\n  key:val: v\n";
    const syntax::SourceText source(text);
    for (std::size_t offset = 0; offset <= text.size() + 2; ++offset) {
        (void)completionsAt(source, offset, *builtinCrds("latest"));
        (void)hoverAt(source, offset, *builtinCrds("latest"));
    }
}

} // namespace
} // namespace wb::snapshot
