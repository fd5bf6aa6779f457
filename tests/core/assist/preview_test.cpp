#include "core/assist/preview.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

namespace wb::assist {
namespace {

std::string shown(const Preview& preview)
{
    std::string out;
    for (const PreviewLine& line : preview.lines)
        out += (line.kind == PreviewLine::Kind::Taken ? "-" : "+") + std::to_string(line.line) + " " + line.text + "\n";
    return out;
}

TEST(Preview, ShowsTheLinesThatDiffer)
{
    const test::Marked text("a: 1\nb:\n  [[node]]: 4\n  c: [[x]]\nd: 5\n");
    EXPECT_EQ(shown(previewOf(text.text(), {{text.range(0), "nodes"}, {text.range(1), "y"}})),
              "-3   node: 4\n+3   nodes: 4\n-4   c: x\n+4   c: y\n");
}

TEST(Preview, ShowsLinesPutInAndTakenOut)
{
    const test::Marked text("a: 1\n[[b: 2\n]]c: 3^\nd: 4\n");
    EXPECT_EQ(shown(previewOf(text.text(), {{text.range(), ""}})), "-2 b: 2\n");
    EXPECT_EQ(shown(previewOf(text.text(), {{{text.cursor(), text.cursor()}, "\nnew: 1"}})), "+4 new: 1\n");
    EXPECT_EQ(shown(previewOf(text.text(), {{text.range(), ""}, {{text.cursor(), text.cursor()}, "\nnew: 1"}})), "-2 b: 2\n+3 new: 1\n");
}

TEST(Preview, CountsWhatItLeavesOut)
{
    const Preview preview = previewOf("a\nb\nc\nd\n", {{{0, 7}, "x"}}, 3);
    EXPECT_EQ(preview.lines.size(), 3U);
    EXPECT_EQ(preview.more, 2U);
}

} // namespace
} // namespace wb::assist
