// Manifests of NVIDIA Snapshot in the window: live problems, completion, hover, a restore manifest as an edit.
#include "core/base/json.h"
#include "core/snapshot/capturemanifest.h"
#include "tests/core/snapshot/captures.h"
#include "tests/support/corpus.h"
#include "tests/ui/shell/windowfixture.h"
#include "ui/editor/manifestquestions.h"
#include "ui/editor/recipeeditor.h"
#include "ui/models/problemsmodel.h"
#include "ui/shell/commandpalette.h"
#include "ui/shell/conversiondialog.h"
#include "ui/shell/editorarea.h"

#include <QAction>
#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>

#include <filesystem>

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

    /// As a user does it, in the Snapshot pane.
    void chooseCrds(const char* name)
    {
        auto& crds = child<QComboBox>("crdChoice");
        const int index = crds.findData(QString::fromLatin1(name));
        ASSERT_GE(index, 0);
        crds.setCurrentIndex(index);
        Q_EMIT crds.activated(index);
        ASSERT_TRUE(settles());
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

TEST_F(ManifestsTest, EveryDocumentOfUpstreamIsJudgedAsExpectedInBothStates)
{
    SRTWB_NEEDS_SHARED("snapshot/manifests/upstream");
    window->showPane("snapshot");
    const std::filesystem::path root = *wb::test::shared("snapshot/manifests/upstream");
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
        if (entry.path().extension() != ".yaml")
            continue;
        ++count;
        const std::string name = std::filesystem::relative(entry.path(), root).generic_string();
        SCOPED_TRACE(name);
        const bool isPruned = name.ends_with("glm-5.3-snapshotjob.yaml") || name.ends_with("deepseek-v4.1-flash-snapshotjob.yaml");
        const std::vector<std::string> always = name.ends_with("restore/8-gpu.yaml") ? std::vector<std::string>{"contract.restore-from"}
                                                : name == "docs/podsnapshot.yaml"    ? std::vector<std::string>{"warn.placeholder"}
                                                : name == "vllm/capture/qwen3-0.6b.yaml"
                                                    ? std::vector<std::string>{"warn.source-control-env"}
                                                    : std::vector<std::string>{};
        open(wb::test::bytesOf(entry.path()), QStringLiteral("m%1.yaml").arg(count));
        for (const char* state : {"latest", "main-b7e707c"}) {
            chooseCrds(state);
            std::vector<std::string> wanted = always;
            if (isPruned && std::string_view(state) != "latest")
                wanted.emplace_back("unknown");
            EXPECT_THAT(rules(), testing::UnorderedElementsAreArray(wanted)) << state;
        }
    }
    EXPECT_EQ(count, 13U);
}

TEST_F(ManifestsTest, EveryFaultIsListedAtItsLineInBothStates)
{
    SRTWB_NEEDS_SHARED("snapshot/manifests/invalid");
    window->showPane("snapshot");
    const std::filesystem::path root = *wb::test::shared("snapshot/manifests/invalid");
    const auto expected = base::json::read(wb::test::bytesOf(root / "expected.json"));
    ASSERT_TRUE(expected);
    ASSERT_EQ(expected->object().size(), 32U);
    auto& problems = child<QTreeView>("problemsView");
    for (const base::json::Member& fixture : expected->object()) {
        const std::string text = wb::test::bytesOf(root / (fixture.key + ".yaml"));
        open(text, QString::fromStdString(fixture.key) + QStringLiteral(".yaml"));
        for (const char* state : {"latest", "main-b7e707c"}) {
            SCOPED_TRACE(fixture.key + " " + state);
            chooseCrds(state);
            const base::json::Value* wanted = fixture.value.find(state);
            if (!wanted)
                wanted = fixture.value.find("latest");
            std::vector<std::string> pairs;
            for (const base::json::Value& one : wanted->array())
                pairs.push_back(*one.find("rule")->string() + " " + *one.find("path")->string());
            std::vector<std::string> found;
            for (const syntax::Diagnostic& problem : session.documents().current()->checked->diagnostics)
                found.push_back(std::string(syntax::id(problem)) + " " + problem.path);
            EXPECT_THAT(found, testing::UnorderedElementsAreArray(pairs));
            EXPECT_EQ(problems.model()->rowCount(), static_cast<int>(pairs.size())) << "the Problems pane lists them";
        }
        const DocumentId id = session.documents().current()->id;
        session.documents().close(id);
    }
}

TEST_F(ManifestsTest, ARestoreOfEveryCaptureHasNoErrorInTheEditor)
{
    SRTWB_NEEDS_SHARED("snapshot/manifests/upstream");
    int count = 0;
    for (const std::filesystem::path& path : wb::test::upstreamCaptures()) {
        SCOPED_TRACE(path.string());
        const std::string capture = wb::test::bytesOf(path);
        open(capture, QStringLiteral("c%1.yaml").arg(++count));
        window->makeRestoreManifest();
        if (auto* question = window->findChild<QInputDialog*>()) {
            question->setTextValue(QStringLiteral("my-shot"));
            question->accept();
        }
        ASSERT_TRUE(settles());
        ConversionDialog* dialog = nullptr;
        for (ConversionDialog* each : window->findChildren<ConversionDialog*>())
            dialog = each->isVisible() ? each : dialog;
        ASSERT_TRUE(dialog);
        EXPECT_THAT(dialog->findChild<QLabel*>(QStringLiteral("conversionVerdict"))->text().toStdString(), HasSubstr("Checked"));
        dialog->findChild<QPushButton*>(QStringLiteral("applyConversion"))->click();
        ASSERT_TRUE(settles());
        EXPECT_THAT(window->editors().current()->utf8Text(), StartsWith(capture));
        for (const syntax::Diagnostic& problem : session.documents().current()->checked->diagnostics)
            EXPECT_NE(problem.severity, syntax::Severity::Error) << problem.message;
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    EXPECT_EQ(count, 7);
}

TEST_F(ManifestsTest, ANewManifestBeginsWithATemplateThatChecksClean)
{
    window->action("snapshot.new")->trigger();
    auto& palette = child<CommandPalette>("commandPalette");
    ASSERT_TRUE(palette.isVisible());
    auto& line = child<QLineEdit>("paletteEdit");
    QTest::keyClicks(&line, QStringLiteral("restore of sglang on 8"));
    QTest::keyClick(&line, Qt::Key_Return);
    ASSERT_TRUE(settles());
    const Document* document = session.documents().current();
    ASSERT_TRUE(document);
    EXPECT_EQ(document->source->text(), snapshot::findTemplate("sglang-8-restore")->text);
    EXPECT_TRUE(document->isManifest);
    EXPECT_THAT(rules(), IsEmpty());
    // The same by the button of the pane.
    window->showPane("snapshot");
    const auto actions = child<QToolButton>("newManifest").menu()->actions();
    ASSERT_EQ(static_cast<std::size_t>(actions.size()), snapshot::manifestTemplates().size());
    actions.front()->trigger();
    ASSERT_TRUE(settles());
    EXPECT_EQ(session.documents().current()->source->text(), snapshot::manifestTemplates().front().text);
    EXPECT_THAT(rules(), IsEmpty());
}

TEST_F(ManifestsTest, ARecipeOfOneNodeBecomesACaptureAndOthersSayWhyNot)
{
    window->showPane("snapshot");
    open(test::plainRecipe);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->action("snapshot.capture")->isEnabled(); }, 5000));
    auto& button = child<QToolButton>("makeCapture");
    EXPECT_TRUE(button.isEnabled());
    button.click();
    ASSERT_TRUE(settles());
    const std::string made = session.documents().current()->source->text();
    EXPECT_TRUE(session.documents().current()->isManifest);
    EXPECT_THAT(rules(), IsEmpty()) << made;
    EXPECT_THAT(made, testing::AllOf(HasSubstr("kind: SnapshotJob"), HasSubstr("nvidia.com/gpu: 8"), HasSubstr("SGLANG_ENGINE_ARGS"),
                                     HasSubstr("Qwen/Qwen3-0.6B")));
    EXPECT_FALSE(button.isEnabled()) << "a manifest is no recipe";

    std::string wide = test::plainRecipe;
    const std::string nodes = "agg_nodes: 1";
    wide.replace(wide.find(nodes), nodes.size(), "agg_nodes: 2");
    const std::string size = "tensor-parallel-size: 8";
    wide.replace(wide.find(size), size.size(), "tensor-parallel-size: 16");
    open(wide, QStringLiteral("wide.yaml"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !button.isEnabled(); }, 5000));
    EXPECT_THAT(button.toolTip().toStdString(), HasSubstr("one node"));
    EXPECT_FALSE(window->action("snapshot.capture")->isEnabled());
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
