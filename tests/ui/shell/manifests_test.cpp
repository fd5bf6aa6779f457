// Manifests of NVIDIA Snapshot in the window: live problems, completion, hover, a restore manifest as an edit.
#include "tests/support/corpus.h"
#include "tests/ui/shell/windowfixture.h"
#include "ui/editor/manifestquestions.h"
#include "ui/editor/recipeeditor.h"
#include "ui/models/problemsmodel.h"
#include "ui/shell/conversiondialog.h"
#include "ui/shell/editorarea.h"

#include <QAction>
#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>

namespace wb::ui {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const std::string smallJob = R"(apiVersion: nvidia.com/v1alpha1
kind: SnapshotJob
metadata:
  name: small
spec:
  activeDeadlineSecond: 60
  podSnapshotTemplate: {}
  podTemplate:
    spec:
      containers:
      - name: main
        image: vllm/vllm-openai:v0.31.0
        env:
        - name: A
          value: 1
---
apiVersion: nvidia.com/v1alpha1
kind: PodSnapshot
metadata:
  name: shot
spec:
  source:
    podRef:
      name: p
      containers: []
)";

class ManifestsTest : public test::WindowTest
{
protected:
    void open(const std::string& bytes, const QString& name = QStringLiteral("job.yaml"))
    {
        session.documents().open(write(name, bytes));
        ASSERT_TRUE(settles());
        ASSERT_TRUE(window->editors().current());
    }

    [[nodiscard]] std::vector<std::string> rules()
    {
        std::vector<std::string> out;
        for (const syntax::Diagnostic& problem : session.documents().current()->checked->diagnostics)
            out.emplace_back(syntax::id(problem));
        return out;
    }
};

TEST_F(ManifestsTest, AreCheckedAsTheyAreTypedInEveryDocument)
{
    open(smallJob);
    const Document* document = session.documents().current();
    ASSERT_TRUE(document->isManifest);
    ASSERT_TRUE(document->manifest);
    EXPECT_EQ(document->manifest->objects.size(), 2U);
    EXPECT_THAT(rules(), testing::IsSupersetOf({"unknown", "type", "minItems"}));
    EXPECT_EQ(child<QTreeView>("problemsView").model()->rowCount(), static_cast<int>(rules().size()));
    std::string mended = smallJob;
    mended.replace(mended.find("activeDeadlineSecond:"), 21, "activeDeadlineSeconds:");
    session.documents().setText(document->id, mended);
    ASSERT_TRUE(settles());
    EXPECT_THAT(rules(), Not(Contains("unknown")));
}

TEST_F(ManifestsTest, ProblemsHaveFixesThatAreEdits)
{
    open(smallJob);
    const Document* document = session.documents().current();
    for (const syntax::Diagnostic& problem : document->checked->diagnostics) {
        if (syntax::id(problem) == "unknown")
            session.documents().applyFix(document->id, document->checked->version, problem.fixes.front());
    }
    EXPECT_THAT(window->editors().current()->utf8Text(), HasSubstr("activeDeadlineSeconds: 60"));
}

TEST_F(ManifestsTest, OtherSchemasFindOtherThings)
{
    SRTWB_NEEDS_SHARED("snapshot/manifests/upstream/vllm/capture/glm-5.3-snapshotjob.yaml");
    open(wb::test::bytesOf(*wb::test::shared("snapshot/manifests/upstream/vllm/capture/glm-5.3-snapshotjob.yaml")));
    EXPECT_THAT(rules(), IsEmpty());
    session.snapshots().useBuiltinCrds(QStringLiteral("main-b7e707c"));
    ASSERT_TRUE(settles());
    EXPECT_THAT(rules(), ElementsAre("unknown"));
    EXPECT_EQ(session.documents().current()->checked->diagnostics.front().path, ".spec.podTemplate.metadata.annotations")
        << "the older server would prune it silently";
    session.snapshots().readCrds(
        QString::fromStdString(wb::test::shared("snapshot/crds/latest/nvidia.com_snapshotjobs.spliced.yaml")->string()));
    ASSERT_TRUE(settles());
    EXPECT_THAT(rules(), IsEmpty());
    EXPECT_THAT(session.snapshots().crds()->name, HasSubstr("spliced"));
    const CrdsPtr before = session.snapshots().crds();
    session.snapshots().readCrds(write(QStringLiteral("none.yaml"), "a: 1\n"));
    ASSERT_TRUE(settles());
    EXPECT_EQ(session.snapshots().crds(), before) << "a file without definitions changes nothing";
}

TEST_F(ManifestsTest, ATextBecomesAManifestWhenItSaysSo)
{
    open(test::plainRecipe);
    EXPECT_FALSE(session.documents().current()->isManifest);
    EXPECT_FALSE(session.documents().current()->manifest);
    session.documents().setText(session.documents().current()->id, smallJob);
    ASSERT_TRUE(settles());
    EXPECT_TRUE(session.documents().current()->manifest);
    session.documents().setText(session.documents().current()->id, test::plainRecipe);
    ASSERT_TRUE(settles());
    EXPECT_FALSE(session.documents().current()->manifest);
    EXPECT_EQ(session.documents().current()->checked->variants.size(), 1U);
}

TEST_F(ManifestsTest, OffersTheKeysOfTheSchemaInTheEditor)
{
    open("apiVersion: nvidia.com/v1alpha1\nkind: SnapshotJob\nmetadata:\n  name: a\nspec:\n  \n");
    RecipeEditor& editor = *window->editors().current();
    editor.goTo(editor.utf8Text().size() - 1);
    auto* edit = editor.findChild<QPlainTextEdit*>();
    edit->setFocus();
    QTest::keyClicks(edit, QStringLiteral("activeD"));
    editor.complete(); // the only one that fits is taken at once
    EXPECT_THAT(editor.utf8Text(), HasSubstr("\n  activeDeadlineSeconds: "));
}

TEST_F(ManifestsTest, ARestoreManifestIsShownBeforeItIsAddedAndCanBeUndone)
{
    SRTWB_NEEDS_SHARED("snapshot/manifests/upstream/vllm/capture/qwen3-0.6b-snapshotjob.yaml");
    const std::string capture =
        wb::test::bytesOf(*wb::test::shared("snapshot/manifests/upstream/vllm/capture/qwen3-0.6b-snapshotjob.yaml"));
    open(capture);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->action("snapshot.restore")->isEnabled(); }, 5000));
    window->action("snapshot.restore")->trigger();
    ASSERT_TRUE(settles());
    auto* dialog = window->findChild<ConversionDialog*>();
    ASSERT_TRUE(dialog);
    EXPECT_THAT(dialog->findChild<QLabel*>(QStringLiteral("conversionVerdict"))->text().toStdString(), HasSubstr("Checked"));
    EXPECT_EQ(window->editors().current()->utf8Text(), capture) << "nothing changes before it is applied";
    dialog->findChild<QPushButton*>(QStringLiteral("applyConversion"))->click();
    ASSERT_TRUE(settles());
    EXPECT_THAT(window->editors().current()->utf8Text(), StartsWith(capture));
    EXPECT_THAT(window->editors().current()->utf8Text(), HasSubstr("nvidia.com/restore-from: "));
    EXPECT_THAT(rules(), IsEmpty());
    window->editors().current()->undo();
    EXPECT_EQ(window->editors().current()->utf8Text(), capture);
}

TEST_F(ManifestsTest, ACaptureWithoutANameOfItsSnapshotAsksForIt)
{
    SRTWB_NEEDS_SHARED("snapshot/manifests/upstream/vllm/capture/qwen3-0.6b.yaml");
    open(wb::test::bytesOf(*wb::test::shared("snapshot/manifests/upstream/vllm/capture/qwen3-0.6b.yaml")));
    window->makeRestoreManifest();
    auto* dialog = window->findChild<QInputDialog*>();
    ASSERT_TRUE(dialog);
    dialog->setTextValue(QStringLiteral("my-shot"));
    dialog->accept();
    ASSERT_TRUE(settles());
    auto* made = window->findChild<ConversionDialog*>();
    ASSERT_TRUE(made);
    made->findChild<QPushButton*>(QStringLiteral("applyConversion"))->click();
    EXPECT_THAT(window->editors().current()->utf8Text(), HasSubstr("nvidia.com/restore-from: my-shot"));
}

TEST_F(ManifestsTest, ARecipeHasNoRestoreManifest)
{
    open(test::plainRecipe);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window->action("snapshot.restore")->isEnabled(); }, 5000));
}

TEST_F(ManifestsTest, TheSnapshotPaneListsObjectsAndDefaults)
{
    window->showPane("snapshot");
    open(smallJob);
    auto& objects = child<QTreeView>("manifestObjects");
    ASSERT_EQ(objects.model()->rowCount(), 2);
    EXPECT_EQ(objects.model()->index(0, 0).data().toString(), QStringLiteral("SnapshotJob"));
    EXPECT_EQ(objects.model()->index(1, 3).data().toString(), QStringLiteral("1 error(s)"));
    auto& defaults = child<QTreeView>("manifestDefaults");
    std::vector<std::string> paths;
    for (int row = 0; row < defaults.model()->rowCount(); ++row)
        paths.push_back(defaults.model()->index(row, 0).data().toString().toStdString());
    EXPECT_THAT(paths, Contains(".spec.activeDeadlineSeconds"));
    EXPECT_THAT(paths, Contains(".spec.podSnapshotTemplate.targetContainers"));
    EXPECT_TRUE(child<QToolButton>("makeRestore").isEnabled());
    auto& crds = child<QComboBox>("crdChoice");
    EXPECT_EQ(crds.currentText(), QStringLiteral("latest"));
}

TEST(ManifestQuestions, HasFactsOfAKeyAndKeepsAColonThatIsThere)
{
    const std::string text = "apiVersion: nvidia.com/v1alpha1\nkind: SnapshotJob\nspec:\n  activeDeadlineSeconds: 60\n";
    const ManifestQuestions questions(std::make_shared<syntax::SourceText>(text), nullptr);
    const std::size_t key = text.find("activeDeadline");
    const auto hover = questions.hoverAt(key + 3);
    ASSERT_TRUE(hover);
    EXPECT_THAT(hover->title, HasSubstr(".spec.activeDeadlineSeconds: integer"));
    EXPECT_THAT(hover->facts, Contains(testing::Field(&assist::Fact::label, "Default")));
    EXPECT_FALSE(questions.hoverAt(text.size()));
    const auto found = questions.completionsAt(key + 6);
    ASSERT_FALSE(found.items.empty());
    EXPECT_EQ(found.prefix, "active");
    EXPECT_EQ(syntax::applyEdits(text, {found.items.front().edit}), text) << "the key is the same, and its colon stays one";
}

TEST(ManifestQuestions, AValueDoesNotTakeTheCommentBehindIt)
{
    const std::string text = "apiVersion: apps/v1\nkind: Deployment\nspec:\n  strategy:\n    type: Rec # words\n";
    const ManifestQuestions questions(std::make_shared<syntax::SourceText>(text), nullptr);
    const auto found = questions.completionsAt(text.find("Rec") + 3);
    for (const assist::Completion& item : found.items)
        EXPECT_THAT(syntax::applyEdits(text, {item.edit}), HasSubstr(" # words\n"));
    const std::string manifest = "apiVersion: nvidia.com/v1alpha1 # group\nkind: SnapshotJ # kind\n";
    const ManifestQuestions kinds(std::make_shared<syntax::SourceText>(manifest), nullptr);
    const auto kind = kinds.completionsAt(manifest.find("SnapshotJ") + 9);
    ASSERT_FALSE(kind.items.empty());
    EXPECT_THAT(syntax::applyEdits(manifest, {kind.items.front().edit}), HasSubstr("\nkind: SnapshotJob # kind\n"));
}

} // namespace
} // namespace wb::ui
