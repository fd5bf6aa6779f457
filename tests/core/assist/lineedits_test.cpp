#include "core/assist/lineedits.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

#include <functional>

namespace wb::assist {
namespace {

/// The text after the edit with its selection marked; the given text has its selection in [[ ]] or a cursor ^.
std::string edited(std::string_view marked, const std::function<LineEdit(std::string_view, syntax::Range)>& edit)
{
    const test::Marked text(marked);
    const bool hasCursor = marked.find('^') != std::string_view::npos;
    const syntax::Range selection = hasCursor ? syntax::Range{text.cursor(), text.cursor()} : text.range();
    const LineEdit done = edit(text.text(), selection);
    if (done.edits.empty())
        return "nothing";
    std::string out = syntax::applyEdits(text.text(), done.edits);
    if (hasCursor) {
        EXPECT_TRUE(done.selection.isEmpty());
        out.insert(done.selection.begin, "^");
        return out;
    }
    out.insert(done.selection.end, "]]");
    out.insert(done.selection.begin, "[[");
    return out;
}

LineEdit comment(std::string_view text, syntax::Range selection)
{
    return toggledComment(text, selection, "#");
}
LineEdit up(std::string_view text, syntax::Range selection)
{
    return movedLines(text, selection, -1);
}
LineEdit down(std::string_view text, syntax::Range selection)
{
    return movedLines(text, selection, 1);
}

TEST(LineEdits, CommentAtTheSmallestIndentationAndBack)
{
    EXPECT_EQ(edited("a:\n  b^: 1\n", comment), "a:\n  # b^: 1\n");
    EXPECT_EQ(edited("a:\n  # b^: 1\n", comment), "a:\n  b^: 1\n");
    EXPECT_EQ(edited("a:\n[[  b: 1\n\n    c: 2\n]]d: 3\n", comment), "a:\n[[  # b: 1\n\n  #   c: 2\n]]d: 3\n") << "d is not touched";
    EXPECT_EQ(edited("a:\n[[  # b: 1\n\n  #   c: 2\n]]d: 3\n", comment), "a:\n[[  b: 1\n\n    c: 2\n]]d: 3\n");
    EXPECT_EQ(edited("\n^\n", comment), "nothing");
}

TEST(LineEdits, MoveLinesAndWhatIsSelected)
{
    EXPECT_EQ(edited("a: 1\nb^: 2\nc: 3\n", up), "b^: 2\na: 1\nc: 3\n");
    EXPECT_EQ(edited("a: 1\nb^: 2\nc: 3\n", down), "a: 1\nc: 3\nb^: 2\n");
    EXPECT_EQ(edited("a: 1\n[[b: 2\nc]]: 3\nd: 4\n", up), "[[b: 2\nc]]: 3\na: 1\nd: 4\n");
    EXPECT_EQ(edited("a: 1\n[[b: 2\n]]c: 3", down), "a: 1\nc: 3\n[[b: 2]]") << "a text without a last line end stays without";
    EXPECT_EQ(edited("a^: 1\nb: 2\n", up), "nothing");
    EXPECT_EQ(edited("a: 1\nb^: 2\n", down), "nothing");
}

TEST(LineEdits, DuplicateLinesAndSelectTheCopy)
{
    EXPECT_EQ(edited("a: 1\nb^: 2\n", duplicatedLines), "a: 1\nb: 2\nb^: 2\n");
    EXPECT_EQ(edited("[[a: 1\nb]]: 2", duplicatedLines), "a: 1\nb: 2\n[[a: 1\nb]]: 2");
}

} // namespace
} // namespace wb::assist
