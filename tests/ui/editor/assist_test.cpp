// The editor with somebody who answers: completion, cards, definitions, rename, and what works without: folding, replace, lines.
#include "core/assist/document.h"
#include "tests/core/assist/documents.h"
#include "tests/support/marked.h"
#include "ui/editor/codeedit.h"
#include "ui/editor/completionpopup.h"
#include "ui/editor/hovertext.h"
#include "ui/editor/recipeeditor.h"

#include <QAbstractButton>
#include <QApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <gmock/gmock.h>

#include <algorithm>

namespace wb::ui {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

class EditorAssistTest : public testing::Test
{
protected:
    EditorAssistTest()
    {
        editor.resize(700, 500);
        editor.setAssistant([this] { return answer(); });
        editor.show();
        editor.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&editor));
        editor.setFocus();
        area = editor.findChild<CodeEdit*>();
        popup = editor.findChild<CompletionPopup*>();
    }

    std::shared_ptr<const assist::Document> answer()
    {
        ++asked;
        return std::make_shared<const assist::Document>(
            test::checkedDocument(std::make_shared<syntax::SourceText>(editor.utf8Text(), "recipe.yaml")));
    }

    void place(std::string_view marked)
    {
        const test::Marked text(marked);
        editor.setText(QString::fromStdString(text.text()));
        editor.goTo(text.cursor());
    }
    [[nodiscard]] std::string shown() const
    {
        std::string text = editor.utf8Text();
        text.insert(editor.cursorOffset(), "^");
        return text;
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) { QTest::keyClick(area, key, modifiers); }
    void type(const char* text) { QTest::keyClicks(area, QString::fromLatin1(text)); }
    [[nodiscard]] bool popupShows(bool visible = true)
    {
        return QTest::qWaitFor([&] { return popup->isVisible() == visible; }, 3000);
    }
    [[nodiscard]] std::vector<std::string> labels() const
    {
        std::vector<std::string> out;
        for (const QString& label : popup->labels())
            out.push_back(label.toStdString());
        return out;
    }
    [[nodiscard]] QWidget* card() const { return editor.findChild<QWidget*>(QStringLiteral("hoverCard")); }
    [[nodiscard]] QString cardText() const { return card()->findChild<QLabel*>(QStringLiteral("hoverText"))->text(); }
    [[nodiscard]] std::vector<int> visibleLines() const
    {
        std::vector<int> out;
        for (QTextBlock block = area->document()->begin(); block.isValid(); block = block.next()) {
            if (block.isVisible())
                out.push_back(block.blockNumber());
        }
        return out;
    }

    RecipeEditor editor;
    CodeEdit* area = nullptr;
    CompletionPopup* popup = nullptr;
    int asked = 0;
};

TEST_F(EditorAssistTest, ListsWhatCanBeWrittenOnCtrlSpaceAndTakesItWithEnter)
{
    place("resources:\n  ^\n");
    press(Qt::Key_Space, Qt::ControlModifier);
    ASSERT_TRUE(popup->isVisible());
    EXPECT_THAT(labels(), Contains("gpu_type"));
    EXPECT_TRUE(area->hasFocus()) << "the text keeps the keyboard";
    press(Qt::Key_Return);
    EXPECT_EQ(shown(), "resources:\n  gpu_type: ^\n") << "the required key is the first";
    EXPECT_FALSE(popup->isVisible());
    editor.undo();
    EXPECT_EQ(editor.utf8Text(), "resources:\n  \n") << "one step";
}

TEST_F(EditorAssistTest, ListsAsOneTypesAndNarrows)
{
    place("resources:\n  ^\n");
    type("dec");
    ASSERT_TRUE(popupShows());
    EXPECT_THAT(labels(), Contains("decode_nodes"));
    type("ode_w");
    EXPECT_TRUE(QTest::qWaitFor([&] { return labels().front() == "decode_workers"; }));
    press(Qt::Key_Tab);
    EXPECT_EQ(shown(), "resources:\n  decode_workers: ^\n");
}

TEST_F(EditorAssistTest, GoesOnWithTheValueOfAChoice)
{
    place("benchmark:\n  ^\n");
    type("typ");
    ASSERT_TRUE(popupShows());
    press(Qt::Key_Return);
    EXPECT_EQ(shown(), "benchmark:\n  type: ^\n");
    ASSERT_TRUE(popupShows()) << "the choices follow";
    EXPECT_THAT(labels(), Contains("sa-bench"));
    press(Qt::Key_Escape);
    EXPECT_FALSE(popup->isVisible());
    EXPECT_EQ(shown(), "benchmark:\n  type: ^\n");
}

TEST_F(EditorAssistTest, NeverTakesAKeyFromSomebodyWhoOnlyTypes)
{
    place("benchmark:\n  type:^\n");
    type(" ");
    ASSERT_TRUE(popupShows()) << "a value with choices";
    press(Qt::Key_Return);
    EXPECT_EQ(editor.utf8Text(), "benchmark:\n  type: \n    \n") << "nothing was chosen, so Enter is Enter";
    EXPECT_FALSE(popup->isVisible());

    place("benchmark:\n  type: sa-benc^\n");
    type("h");
    QTest::qWait(150);
    EXPECT_FALSE(popup->isVisible()) << "the word is complete";
    press(Qt::Key_Return);
    EXPECT_EQ(editor.utf8Text(), "benchmark:\n  type: sa-bench\n  \n");

    place("name: ^\n");
    type("some-free-text");
    QTest::qWait(150);
    EXPECT_FALSE(popup->isVisible());
    EXPECT_EQ(editor.utf8Text(), "name: some-free-text\n");
}

TEST_F(EditorAssistTest, ChoosesWithTheArrowsAndTellsAboutTheChosenOne)
{
    place("backend:\n  type: ^\n");
    press(Qt::Key_Space, Qt::ControlModifier);
    ASSERT_TRUE(popup->isVisible());
    const auto* doc = popup->findChild<QLabel*>(QStringLiteral("completionDoc"));
    EXPECT_TRUE(doc->text().contains(QStringLiteral("sglang"))) << doc->text().toStdString();
    press(Qt::Key_Down);
    EXPECT_TRUE(doc->text().contains(QStringLiteral("trtllm"))) << doc->text().toStdString();
    press(Qt::Key_Up);
    press(Qt::Key_Up);
    EXPECT_EQ(popup->chosen()->label, "mocker") << "round at the end";
    press(Qt::Key_Left);
    EXPECT_FALSE(popup->isVisible());
}

TEST_F(EditorAssistTest, TakesTheOnlyCompletionAtOnceAndSaysWhenThereIsNone)
{
    place("resources:\n  spread_w^\n");
    press(Qt::Key_Space, Qt::ControlModifier);
    EXPECT_EQ(shown(), "resources:\n  spread_workers: ^\n");
    place("# nothing^\n");
    press(Qt::Key_Space, Qt::ControlModifier);
    EXPECT_TRUE(card()->isVisible());
    EXPECT_FALSE(popup->isVisible());
}

TEST_F(EditorAssistTest, OffersNothingInAReadOnlyText)
{
    place("resources:\n  ^\n");
    editor.setReadOnly(true);
    editor.complete();
    EXPECT_FALSE(popup->isVisible());
    EXPECT_EQ(asked, 0);
}

TEST_F(EditorAssistTest, TellsAboutTheKeyUnderTheMouseAndByKey)
{
    place("resources:\n  gpus_per_no^de: 8\n");
    const QPoint at = area->cursorRect().center();
    QHelpEvent event(QEvent::ToolTip, at, area->viewport()->mapToGlobal(at));
    QApplication::sendEvent(area->viewport(), &event);
    ASSERT_TRUE(card()->isVisible());
    EXPECT_TRUE(cardText().contains(QStringLiteral("a whole number"))) << cardText().toStdString();
    card()->hide();
    press(Qt::Key_Space, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(card()->isVisible());
    press(Qt::Key_Right);
    EXPECT_FALSE(card()->isVisible());
}

TEST_F(EditorAssistTest, GoesToTheDefinitionAndAsksForTheClusterFile)
{
    QSignalSpy leaps(&editor, &RecipeEditor::leaping);
    place("x: &env {A: \"1\"}\nbase:\n  environment: *en^v\n");
    press(Qt::Key_F12);
    EXPECT_EQ(editor.cursorOffset(), 7U) << "behind the selected name";
    EXPECT_EQ(leaps.count(), 1);

    QSignalSpy cluster(&editor, &RecipeEditor::clusterPlaceWanted);
    place("model:\n  container: ng^inx\n");
    press(Qt::Key_F12);
    ASSERT_EQ(cluster.count(), 1);
    const auto range = cluster[0][0].value<syntax::Range>();
    EXPECT_EQ(test::clusterText.substr(range.begin, range.end - range.begin), "nginx");

    place("name: pl^ain\n");
    press(Qt::Key_F12);
    EXPECT_TRUE(card()->isVisible()) << "says that there is none";
}

TEST_F(EditorAssistTest, FollowsAClickWithCtrl)
{
    place("x: &env {A: \"1\"}\nbase:\n  environment: *en^v\n");
    const QPoint at = area->cursorRect().center();
    QTest::mouseMove(area->viewport(), at);
    QTest::mouseClick(area->viewport(), Qt::LeftButton, Qt::ControlModifier, at);
    EXPECT_EQ(editor.cursorOffset(), 7U);
}

TEST_F(EditorAssistTest, ListsTheUsesOfAName)
{
    place("sweep:\n  len: [1, 2]\nname: \"{le^n}\"\nbenchmark:\n  isl: \"{len}\"\n");
    press(Qt::Key_F12, Qt::ShiftModifier);
    auto* menu = editor.findChild<QMenu*>(QStringLiteral("referencesMenu"));
    ASSERT_TRUE(menu && menu->isVisible());
    ASSERT_EQ(menu->actions().size(), 3);
    EXPECT_TRUE(menu->actions().at(2)->text().startsWith(QStringLiteral("Line 5")));
    menu->actions().at(2)->trigger();
    menu->close();
    EXPECT_EQ(editor.cursorOffset(), editor.utf8Text().find("len}\"\n", 40) + 3);
}

TEST_F(EditorAssistTest, RenamesAPlaceholderEverywhereAsOneStep)
{
    place("sweep:\n  len: [1, 2]\nname: \"{le^n}\"\n");
    press(Qt::Key_F2);
    auto* line = editor.findChild<QLineEdit*>(QStringLiteral("inlineText"));
    ASSERT_TRUE(line->isVisible());
    EXPECT_EQ(line->text(), QStringLiteral("len"));
    QTest::keyClicks(line, QStringLiteral("a b"));
    QTest::keyClick(line, Qt::Key_Return);
    EXPECT_TRUE(line->isVisible()) << "no name: says why and stays";
    EXPECT_TRUE(editor.findChild<QLabel*>(QStringLiteral("inlineHint"))->text().contains(QStringLiteral("letters")));
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("isl"));
    QTest::keyClick(line, Qt::Key_Return);
    EXPECT_EQ(editor.utf8Text(), "sweep:\n  isl: [1, 2]\nname: \"{isl}\"\n");
    EXPECT_FALSE(line->isVisible());
    editor.undo();
    EXPECT_EQ(editor.utf8Text(), "sweep:\n  len: [1, 2]\nname: \"{len}\"\n");
}

TEST_F(EditorAssistTest, GoesToALine)
{
    place("^a: 1\nb: 2\nc: 3\n");
    press(Qt::Key_G, Qt::ControlModifier);
    auto* line = editor.findChild<QLineEdit*>(QStringLiteral("inlineText"));
    ASSERT_TRUE(line->isVisible());
    QTest::keyClicks(line, QStringLiteral("2:3"));
    QTest::keyClick(line, Qt::Key_Return);
    EXPECT_EQ(shown(), "a: 1\nb:^ 2\nc: 3\n");
    EXPECT_TRUE(area->hasFocus());
}

TEST_F(EditorAssistTest, FoldsAndUnfoldsByIndentation)
{
    place("base:\n  na^me: x\n  list:\n  - 1\n\n  - 2\nother: 1\n");
    press(Qt::Key_BracketLeft, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_THAT(visibleLines(), ElementsAre(0, 6, 7)) << "the block around a line that opens none";
    EXPECT_EQ(shown(), "base:^\n  name: x\n  list:\n  - 1\n\n  - 2\nother: 1\n") << "the cursor is not left in the dark";
    press(Qt::Key_BracketRight, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(visibleLines().size(), 8U);
    editor.goTo(editor.utf8Text().find("list"));
    editor.foldBlock();
    EXPECT_THAT(visibleLines(), ElementsAre(0, 1, 2, 6, 7)) << "items may stand at the column of their key";
    editor.goTo(0);
    editor.foldBlock();
    EXPECT_THAT(visibleLines(), ElementsAre(0, 6, 7));
    editor.unfoldBlock();
    EXPECT_THAT(visibleLines(), ElementsAre(0, 1, 2, 6, 7)) << "the inner fold stays";
    EXPECT_THAT(editor.foldedLines(), ElementsAre(2));
    editor.unfoldAll();
    EXPECT_EQ(visibleLines().size(), 8U);
    editor.setFoldedLines({0, 2});
    EXPECT_THAT(visibleLines(), ElementsAre(0, 6, 7));
}

TEST_F(EditorAssistTest, ShowsWhatAFoldHidesWhenTheCursorOrAChangeGoesThere)
{
    place("^base:\n  name: x\nother: 1\n");
    editor.foldAll();
    ASSERT_THAT(visibleLines(), ElementsAre(0, 2, 3));
    editor.goTo(editor.utf8Text().find("name"));
    EXPECT_EQ(visibleLines().size(), 4U);
    editor.goTo(0);
    editor.foldBlock();
    editor.goTo(5);
    press(Qt::Key_Backspace);
    EXPECT_EQ(visibleLines().size(), 4U) << "the line that it hung on is another now";
    EXPECT_TRUE(editor.foldedLines().empty());
}

TEST_F(EditorAssistTest, FoldsAtTheMarkInTheGutter)
{
    place("^base:\n  name: x\n");
    auto* gutter = editor.findChild<QWidget*>(QStringLiteral("editorGutter"));
    const QPoint mark(gutter->width() - 5, area->cursorRect().center().y());
    QTest::mouseClick(gutter, Qt::LeftButton, Qt::NoModifier, mark);
    EXPECT_THAT(visibleLines(), ElementsAre(0, 2));
    QTest::mouseClick(gutter, Qt::LeftButton, Qt::NoModifier, mark);
    EXPECT_EQ(visibleLines().size(), 3U);
}

TEST_F(EditorAssistTest, ReplacesWithRegularExpressions)
{
    place("^prefill_nodes: 1\ndecode_nodes: 2\n");
    press(Qt::Key_H, Qt::ControlModifier);
    auto* text = editor.findChild<QLineEdit*>(QStringLiteral("findText"));
    auto* replacement = editor.findChild<QLineEdit*>(QStringLiteral("replaceText"));
    ASSERT_TRUE(replacement->isVisible());
    editor.findChild<QAbstractButton*>(QStringLiteral("findExpression"))->click();
    QTest::keyClicks(text, QStringLiteral("(\\w+)_(nodes"));
    auto* result = editor.findChild<QLabel*>(QStringLiteral("findResult"));
    EXPECT_TRUE(result->text().contains(QStringLiteral("not complete"))) << result->text().toStdString();
    QTest::keyClicks(text, QStringLiteral(")"));
    EXPECT_EQ(result->text(), QStringLiteral("1 of 2"));
    QTest::keyClicks(replacement, QStringLiteral("\\2_\\1"));
    editor.findChild<QAbstractButton*>(QStringLiteral("replaceOne"))->click();
    EXPECT_EQ(editor.utf8Text(), "nodes_prefill: 1\ndecode_nodes: 2\n");
    editor.undo();
    editor.findChild<QAbstractButton*>(QStringLiteral("replaceAll"))->click();
    EXPECT_EQ(editor.utf8Text(), "nodes_prefill: 1\nnodes_decode: 2\n");
    EXPECT_EQ(result->text(), QStringLiteral("2 replaced"));
    editor.undo();
    EXPECT_EQ(editor.utf8Text(), "prefill_nodes: 1\ndecode_nodes: 2\n") << "all of them are one step";
}

TEST_F(EditorAssistTest, FindsWholeWordsOnly)
{
    place("^node: 1\nnodes: 2\n");
    press(Qt::Key_F, Qt::ControlModifier);
    editor.findChild<QAbstractButton*>(QStringLiteral("findWord"))->click();
    QTest::keyClicks(editor.findChild<QLineEdit*>(QStringLiteral("findText")), QStringLiteral("node"));
    EXPECT_EQ(editor.findChild<QLabel*>(QStringLiteral("findResult"))->text(), QStringLiteral("1 of 1"));
}

TEST_F(EditorAssistTest, ShowsWhatAFixChangesBeforeItIsMade)
{
    const test::Marked text("resources:\n  [[gpu_typ]]: h100\n");
    editor.setText(QString::fromStdString(text.text()));
    const auto source = text.source();
    editor.setProblems(source, check::check(source, *test::clusterFacts()).diagnostics);
    editor.goTo(text.range().begin);
    press(Qt::Key_Period, Qt::ControlModifier);
    auto* preview = editor.findChild<QWidget*>(QStringLiteral("fixPreview"));
    ASSERT_TRUE(preview->isVisible());
    const QString shown = preview->findChild<QLabel*>()->text();
    EXPECT_TRUE(shown.contains(QStringLiteral("gpu_typ: h100"))) << shown.toStdString();
    EXPECT_TRUE(shown.contains(QStringLiteral("gpu_type: h100"))) << shown.toStdString();
    editor.findChild<QMenu*>(QStringLiteral("fixMenu"))->close();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !preview->isVisible(); }));
    EXPECT_EQ(editor.utf8Text(), text.text()) << "looking changes nothing";
}

TEST_F(EditorAssistTest, DuplicatesLines)
{
    place("a: 1\nb: ^2\n");
    press(Qt::Key_Down, Qt::AltModifier | Qt::ShiftModifier);
    EXPECT_EQ(shown(), "a: 1\nb: 2\nb: ^2\n");
}

TEST_F(EditorAssistTest, KeepsFoldsWhileOneTypesInAVeryLongText)
{
    std::string text;
    for (int i = 0; i < 10'000; ++i)
        text += "override_" + std::to_string(i) + ":\n  resources:\n    agg_nodes: 2\n  slurm:\n    account: x\n";
    editor.setText(QString::fromStdString(text));
    editor.foldAll();
    EXPECT_EQ(visibleLines().size(), 10'001U);
    editor.goTo(text.find("override_5000:"));
    for (int i = 0; i < 20; ++i)
        press(Qt::Key_A);
    EXPECT_EQ(visibleLines().size(), 10'005U) << "the section with the cursor is open, all others stay folded";
}

TEST_F(EditorAssistTest, TheListThatComesByItselfWaitsUntilTheAnswerIsAtHand)
{
    bool isReady = false;
    editor.setAssistant([this] { return answer(); }, [&] { return isReady; });
    place("resources:\n  ^\n");
    asked = 0;
    type("dec");
    QTest::qWait(400);
    EXPECT_FALSE(popup->isVisible());
    EXPECT_EQ(asked, 0) << "no key waits for it";
    isReady = true;
    EXPECT_TRUE(popupShows());
    EXPECT_THAT(labels(), Contains("decode_nodes"));
}

TEST_F(EditorAssistTest, ThePopupShrinksWithWhatItShows)
{
    auto* list = popup->findChild<QListView*>(QStringLiteral("completionList"));
    auto* doc = popup->findChild<QLabel*>(QStringLiteral("completionDoc"));
    ASSERT_TRUE(list && doc);
    const auto expectTight = [&](const char* when) {
        const int docWidth = doc->isVisible() ? doc->width() + 1 : 0;
        const int docHeight = doc->isVisible() ? std::min(doc->heightForWidth(doc->width()), 360) : 0;
        EXPECT_EQ(popup->width(), list->width() + docWidth + 2) << when;
        EXPECT_EQ(popup->height(), std::max(list->minimumHeight(), docHeight) + 2) << when;
    };
    place("resources:\n  ^\n");
    press(Qt::Key_Space, Qt::ControlModifier);
    ASSERT_TRUE(popup->isVisible());
    expectTight("all");
    for (int i = 0; i < 12; ++i) {
        press(Qt::Key_Down);
        expectTight("another one chosen");
    }
    type("decode_w");
    ASSERT_TRUE(QTest::qWaitFor([&] { return popup->isVisible() && labels().size() < 5; }, 3000));
    expectTight("narrowed");
}

TEST(HoverText, OfAValueThatNobodySetSaysThatItIsNotSet)
{
    assist::Hover hover;
    hover.title = "benchmark.isl";
    hover.jobs = 1;
    hover.values = {{}};
    EXPECT_FALSE(htmlOf(hover, QPalette(), false).contains(QStringLiteral("Comes to")));
    EXPECT_TRUE(htmlOf(hover, QPalette(), false).contains(QStringLiteral("not set")));
    hover.values[0].value = "8";
    hover.values[0].from = "base";
    EXPECT_TRUE(htmlOf(hover, QPalette(), false).contains(QStringLiteral("Comes to")));
}

} // namespace
} // namespace wb::ui
