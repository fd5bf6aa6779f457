#include "ui/editor/positions.h"

#include <QPlainTextDocumentLayout>
#include <QPlainTextEdit>
#include <QTextBlock>
#include <QTextCursor>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace wb::ui {
namespace {

/// Texts with every length of UTF-8 and both lengths of UTF-16 in them.
class RandomText
{
public:
    QString next(int most)
    {
        static const std::array<QString, 9> pieces = {QStringLiteral("a"), QStringLiteral(": "),         QStringLiteral("\n"),
                                                      QStringLiteral("é"), QStringLiteral("—"),          QStringLiteral("漢"),
                                                      QStringLiteral("😀"), QStringLiteral("\U0001D11E"), QStringLiteral("\u00a0")};
        QString text;
        for (int left = std::uniform_int_distribution<int>(0, most)(m_random); left > 0; --left)
            text += pieces[std::uniform_int_distribution<std::size_t>(0, pieces.size() - 1)(m_random)];
        return text;
    }
    int below(int limit) { return std::uniform_int_distribution<int>(0, limit)(m_random); }

private:
    std::mt19937 m_random{20240601};
};

/// The document's text by definition.
QString textOf(const QTextDocument& document)
{
    QString text;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        text += (block == document.begin() ? QString() : QStringLiteral("\n")) + block.text();
    return text;
}

bool splitsAPair(const QString& text, qsizetype at)
{
    return at > 0 && at < text.size() && text[at].isLowSurrogate() && text[at - 1].isHighSurrogate();
}

void expectEqual(const Positions& positions, const QString& text)
{
    ASSERT_EQ(positions.text(), text.toStdString());
    for (qsizetype i = 0; i <= text.size(); ++i) {
        const auto offset = static_cast<std::size_t>(text.left(splitsAPair(text, i) ? i - 1 : i).toUtf8().size());
        ASSERT_EQ(positions.offsetOf(static_cast<int>(i)), offset) << "at UTF-16 position " << i;
        if (!splitsAPair(text, i)) {
            ASSERT_EQ(positions.positionOf(offset), i) << "at byte " << offset;
        }
    }
}

TEST(Positions, AreThoseOfTheConvertedPrefixForAnyText)
{
    RandomText random;
    for (int round = 0; round < 200; ++round) {
        const QString text = random.next(60);
        QPlainTextEdit edit;
        edit.setPlainText(text);
        Positions positions;
        positions.reset(*edit.document());
        expectEqual(positions, text);
        if (testing::Test::HasFatalFailure())
            return;
    }
}

TEST(Positions, FollowEveryEditUndoAndRedo)
{
    RandomText random;
    QPlainTextEdit edit;
    Positions positions;
    std::string before;
    QObject::connect(edit.document(), &QTextDocument::contentsChange, &edit, [&](int position, int removed, int added) {
        const TextChange change = positions.follow(*edit.document(), position, removed, added);
        const std::string& now = positions.text();
        std::string made = before;
        made.replace(change.begin, change.oldEnd - change.begin, now, change.begin, change.newEnd - change.begin);
        EXPECT_EQ(made, now) << "the change must turn the text before into the text now";
        before = now;
    });
    for (int round = 0; round < 1500; ++round) {
        const QString text = textOf(*edit.document());
        const int size = static_cast<int>(text.size());
        QTextCursor cursor(edit.document());
        const auto whole = [&text](int at) { return splitsAPair(text, at) ? at - 1 : at; }; // as the keyboard does
        const int begin = whole(random.below(size));
        cursor.setPosition(begin);
        cursor.setPosition(whole(std::min(size, begin + random.below(12))), QTextCursor::KeepAnchor);
        switch (random.below(5)) {
        case 0:
            edit.undo();
            break;
        case 1:
            edit.redo();
            break;
        case 2:
            cursor.removeSelectedText();
            break;
        case 3: {
            cursor.beginEditBlock(); // two places at once, as a fix does
            cursor.insertText(random.next(4));
            cursor.setPosition(0);
            cursor.insertText(random.next(3));
            cursor.endEditBlock();
            break;
        }
        default:
            cursor.insertText(random.next(8));
        }
        if (size > 400)
            edit.setPlainText(random.next(20));
        expectEqual(positions, textOf(*edit.document()));
        if (testing::Test::HasFatalFailure()) {
            ADD_FAILURE() << "after step " << round;
            return;
        }
    }
}

TEST(Positions, TakePlacesBehindTheEndAsTheEnd)
{
    QPlainTextEdit edit;
    edit.setPlainText(QStringLiteral("a: 😀"));
    Positions positions;
    positions.reset(*edit.document());
    EXPECT_EQ(positions.offsetOf(99), 7U);
    EXPECT_EQ(positions.positionOf(99), 5);
    EXPECT_EQ(positions.positionOf(5), 3) << "within a character is its beginning";
}

TEST(ChangeBetween, GivesTheSmallestChangeOfWholeCharacters)
{
    RandomText random;
    for (int round = 0; round < 2000; ++round) {
        const std::string before = random.next(8).toStdString();
        const std::string after = random.next(8).toStdString();
        const TextChange change = changeBetween(before, after);
        ASSERT_LE(change.begin, change.oldEnd);
        ASSERT_LE(change.begin, change.newEnd);
        std::string made = before;
        made.replace(change.begin, change.oldEnd - change.begin, after, change.begin, change.newEnd - change.begin);
        ASSERT_EQ(made, after);
        for (const std::string& part :
             {before.substr(change.begin, change.oldEnd - change.begin), after.substr(change.begin, change.newEnd - change.begin)})
            ASSERT_EQ(QString::fromStdString(part).toStdString(), part) << "cuts a character";
    }
}

TEST(MovedAlong, KeepsWhatLiesBesideTheChangeAndDropsWhatItTook)
{
    const syntax::Range range{10, 14};
    EXPECT_EQ(movedAlong(range, {2, 3, 6}), (syntax::Range{13, 17})) << "longer text before it";
    EXPECT_EQ(movedAlong(range, {20, 25, 20}), range) << "a change behind it";
    EXPECT_EQ(movedAlong(range, {14, 14, 15}), range) << "typed right behind it";
    EXPECT_EQ(movedAlong(range, {10, 10, 11}), (syntax::Range{11, 15})) << "typed right before it";
    EXPECT_EQ(movedAlong(range, {11, 12, 15}), (syntax::Range{10, 17})) << "typed within it";
    EXPECT_EQ(movedAlong(range, {10, 14, 10}), std::nullopt) << "deleted";
    EXPECT_EQ(movedAlong(range, {12, 20, 12}), std::nullopt) << "cut off";
}

} // namespace
} // namespace wb::ui
