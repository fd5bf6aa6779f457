#include "ui/editor/highlighter.h"

#include <QApplication>
#include <QPlainTextEdit>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <gtest/gtest.h>

namespace wb::ui {
namespace {

class HighlighterTest : public testing::Test
{
protected:
    void open(const QString& text)
    {
        highlighter.setLanguage(QStringLiteral("YAML"));
        highlighter.setPalette(QApplication::palette());
        edit.setPlainText(text);
        highlighter.showLines(0, edit.blockCount() - 1);
        ASSERT_TRUE(QTest::qWaitFor([this] { return highlighter.isFinished(); }, 20'000));
    }
    [[nodiscard]] QColor colourAt(int line, int column) const
    {
        const auto formats = edit.document()->findBlockByNumber(line).layout()->formats();
        for (const QTextLayout::FormatRange& range : formats) {
            if (range.start <= column && column < range.start + range.length)
                return range.format.foreground().color();
        }
        return {};
    }

    QPlainTextEdit edit;
    Highlighter highlighter{*edit.document()};
};

TEST_F(HighlighterTest, ColoursKeysAndCommentsApart)
{
    open(QStringLiteral("name: test # why\n"));
    EXPECT_TRUE(colourAt(0, 0).isValid());
    EXPECT_TRUE(colourAt(0, 12).isValid());
    EXPECT_NE(colourAt(0, 0), colourAt(0, 12));
    EXPECT_EQ(highlighter.commentMark(), QStringLiteral("#"));
}

TEST_F(HighlighterTest, CarriesAnOpenQuoteToTheLinesBelowAndBackWhenItIsClosed)
{
    open(QStringLiteral("a: 1\nb: 2\nc: 3\n"));
    const QColor key = colourAt(2, 0);
    QTextCursor cursor(edit.document());
    cursor.setPosition(3);
    cursor.insertText(QStringLiteral("\""));
    EXPECT_TRUE(QTest::qWaitFor([&] { return colourAt(2, 0) != key; }, 5000)) << "the lines below are within the quotes now";
    cursor.deletePreviousChar();
    EXPECT_TRUE(QTest::qWaitFor([&] { return colourAt(2, 0) == key; }, 5000));
}

TEST_F(HighlighterTest, FollowsThePaletteLive)
{
    open(QStringLiteral("name: test # why\n"));
    const QColor onLight = colourAt(0, 0);
    QPalette dark;
    dark.setColor(QPalette::Base, QColor(0x1e, 0x1e, 0x1e));
    dark.setColor(QPalette::Text, Qt::white);
    highlighter.setPalette(dark);
    EXPECT_NE(colourAt(0, 0), onLight);
    EXPECT_GT(colourAt(0, 0).lightnessF(), onLight.lightnessF());
}

TEST_F(HighlighterTest, DoesNotChangeTheDocument)
{
    open(QStringLiteral("name: test\n"));
    edit.document()->setModified(false);
    const int revision = edit.document()->revision();
    highlighter.setLanguage(QStringLiteral("Bash"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return highlighter.isFinished(); }, 5000));
    EXPECT_FALSE(edit.document()->isModified());
    EXPECT_EQ(edit.document()->revision(), revision);
    EXPECT_FALSE(edit.document()->isUndoAvailable());
}

TEST_F(HighlighterTest, KnowsTheLanguagesOfRecipesAndArtifacts)
{
    struct Case {
        const char* language;
        const char* text;
        int column;
    };
    for (const auto& [language, text, column] : {Case{"YAML", "a: 1 # x", 6}, Case{"JSON", "{\"a\": true}", 7}, Case{"Bash", "a=1 # x", 5},
                                                 Case{"nginx", "worker_processes 1; # x", 21}}) {
        open(QString::fromLatin1(text));
        highlighter.setLanguage(QString::fromLatin1(language));
        ASSERT_TRUE(QTest::qWaitFor([this] { return highlighter.isFinished(); }, 20'000));
        highlighter.showLines(0, 0);
        EXPECT_TRUE(colourAt(0, column).isValid()) << language;
    }
}

TEST_F(HighlighterTest, TakesAnUnknownLanguageAsPlainText)
{
    open(QStringLiteral("name: test\n"));
    highlighter.setLanguage(QStringLiteral("no such language"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return highlighter.isFinished(); }, 5000));
    EXPECT_FALSE(colourAt(0, 0).isValid() && colourAt(0, 0) != colourAt(0, 6));
}

} // namespace
} // namespace wb::ui
