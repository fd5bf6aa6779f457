#include "core/syntax/rewrite.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace wb::syntax {
namespace {

using testing::HasSubstr;

Parsed parsed(const std::string& text)
{
    return parse(std::make_shared<SourceText>(text));
}

ValuePtr value(const std::string& yaml)
{
    const Parsed read = parsed(yaml);
    EXPECT_TRUE(read.complete) << yaml;
    return read.root;
}

/// The text with one key of the root set; the value is YAML of its own.
Rewritten withKey(const std::string& text, const std::string& path, const std::string& yaml)
{
    const Parsed read = parsed(text);
    return rewritten(read, read.root, withPath(read.root, path, relabelled(value(yaml), Layer::Setting)));
}

Rewritten withoutKey(const std::string& text, const std::string& path)
{
    const Parsed read = parsed(text);
    return rewritten(read, read.root, withoutPath(read.root, path));
}

TEST(Rewrite, ChangesAScalarAndNothingElse)
{
    const std::string text = "# head\na:   1   # one\n\nb: {c: 'x', d: [1, 2]}\n# tail\n";
    EXPECT_EQ(withKey(text, "a", "2").text, "# head\na:   2   # one\n\nb: {c: 'x', d: [1, 2]}\n# tail\n");
    EXPECT_EQ(withKey(text, "b.c", "'y'").text, "# head\na:   1   # one\n\nb: {c: 'y', d: [1, 2]}\n# tail\n");
}

TEST(Rewrite, PutsAValueWhereThereWasNone)
{
    EXPECT_EQ(withKey("a: # why\nb: 1\n", "a", "x").text, "a: x # why\nb: 1\n");
    EXPECT_EQ(withKey("a:\n  b: 1 # c\nd: 2\n", "a", "x").text, "a: x # c\nd: 2\n");
    EXPECT_EQ(withKey("a: 1 # c\nd: 2\n", "a", "{x: 1}").text, "a: {x: 1} # c\nd: 2\n");
    EXPECT_EQ(withKey("a: 1 # c\nd: 2\n", "a", "x: 1\nz: [2]").text, "a: # c\n  x: 1\n  z: [2]\nd: 2\n");
}

TEST(Rewrite, PutsNewKeysLastAtTheIndentationOfTheOthers)
{
    const std::string text = "a:\n    b: 1\n    # more of b\n# about c\nc: 1";
    EXPECT_EQ(withKey(text, "a.x", "2").text, "a:\n    b: 1\n    # more of b\n    x: 2\n# about c\nc: 1\n");
    EXPECT_EQ(withKey(text, "x.z", "2").text, "a:\n    b: 1\n    # more of b\n# about c\nc: 1\nx:\n  z: 2\n");
}

TEST(Rewrite, TakesTheCommentsOfADeletedKeyAlong)
{
    const std::string text = "a: 1\n\n# of b alone\nb: 2 # b\n\n# of c and d\nc: 3\nd: 4\n";
    EXPECT_EQ(withoutKey(text, "b").text, "a: 1\n\n\n# of c and d\nc: 3\nd: 4\n");
    EXPECT_EQ(withoutKey(text, "c").text, "a: 1\n\n# of b alone\nb: 2 # b\n\n# of c and d\nd: 4\n");
    EXPECT_EQ(withoutKey("a:\n  b: 1 # c\nd: 1\n", "a.b").text, "a: {} # c\nd: 1\n");
}

TEST(Rewrite, KeepsTextsQuotedThatYaml11ReadsOtherwise)
{
    for (const std::string text :
         {"12:00:00", "1:30", "yes", "on", "n", "010", "1_000", "1e3", "0o17",     "null",         "~",        "2026-01-01", "=", "{x}",
          "a: b",     "# x",  "",    " x", "-", "?",   "x\ny",  "\t",  "\xC2\x85", "\xE2\x80\xA8", "a\\b\"c'd"}) {
        const Parsed read = parsed("a: 1\n");
        const Rewritten made = rewritten(read, read.root, with(read.root, "a", makeString(text, Layer::Setting)));
        EXPECT_TRUE(made.isPatched) << made.text;
        const Parsed again = parsed(made.text);
        ASSERT_TRUE(again.complete) << made.text;
        EXPECT_TRUE(again.root->find("a")->isString()) << made.text;
        EXPECT_EQ(again.root->find("a")->text, text);
    }
}

TEST(Rewrite, CutsABlockOutWithItsComments)
{
    const Parsed read =
        parsed("# about the file\n\nbase: # the base\n  # first\n  a: '1:30' # kept\n  l: |\n    one\n\n    two\n  # last\n\n"
               "# of the override\noverride_x:\n  # new key\n  new:\n    k: 1 # inside\n");
    const ValuePtr base = read.root->find("base");
    ValuePtr wanted = with(base, "a", makeInteger(3, Layer::Override));
    const Member& added = read.root->find("override_x")->members.front();
    wanted = with(wanted, "new", added.value, added.keyRange);
    const Rewritten made = rewritten(read, base, wanted);
    EXPECT_EQ(made.text,
              "# about the file\n\n# the base\n# first\na: 3 # kept\nl: |\n  one\n\n  two\n# last\n# new key\nnew:\n  k: 1 # inside\n");
}

TEST(Rewrite, WritesAliasesOutWhenTheirAnchorStaysBehindOrChanges)
{
    const std::string text = "d: &d {x: 1}\nbase:\n  a: *d\n  b: &b 2\n  c: *b\n  m:\n    <<: *d\n    own: 1\n";
    const Parsed read = parsed(text);
    const ValuePtr base = read.root->find("base");
    const Rewritten made = rewritten(read, base, base);
    EXPECT_EQ(made.text, "a: {x: 1}\nb: &b 2\nc: *b\nm:\n  x: 1\n  own: 1\n");
    const Rewritten changed = rewritten(read, base, with(base, "b", makeInteger(5, Layer::Override)));
    EXPECT_THAT(changed.text, HasSubstr("b: &b 5\nc: 2\n"));
    const Rewritten whole = withKey(text, "base.m.own", "7");
    EXPECT_THAT(whole.text, HasSubstr("<<: *d\n    own: 7\n")) << "an anchor that stays is kept";
}

TEST(Rewrite, ChangesKeysThatCameInByAMerge)
{
    const Rewritten made = withKey("d: &d\n  x: 1\n  w: 2\na:\n  <<: *d # both\n  z: 3\n", "a.x", "9");
    EXPECT_EQ(made.text, "d: &d\n  x: 1\n  w: 2\na:\n  x: 9\n  w: 2\n  z: 3\n");
}

TEST(Rewrite, ChangesItemsOfListsInPlace)
{
    const Parsed read = parsed("a:\n- x # one\n- k: 1\n  v: 2 # two\nb: [1, {c: 2}]\n");
    const ValuePtr wanted = value("a: [z, {k: 1, v: 3}]\nb: [1, {c: 5}]\n");
    EXPECT_EQ(rewritten(read, read.root, wanted).text, "a:\n- z # one\n- k: 1\n  v: 3 # two\nb: [1, {c: 5}]\n");
}

TEST(Rewrite, KeepsTheLineBreaksOfWindows)
{
    EXPECT_EQ(withKey("a: 1\r\nb:\r\n  c: 2\r\n", "b.d", "3").text, "a: 1\r\nb:\r\n  c: 2\r\n  d: 3\r\n");
}

TEST(Rewrite, GivesTheWantedDataForAnyTwoTexts)
{
    // Every pair: what cannot be patched must be written anew, never wrongly.
    const std::vector<std::string> texts = {
        "{}\n",
        "a: 1\n",
        "a: {b: 1}\nc: [1, 2]\n",
        "a:\n  b: 1\n  # x\n  d: |\n    t\n    u\nc:\n- 1\n- {x: y}\n",
        "? a\n: 1\n",
        "\"a\": 'x\n  y'\n\n\nc: \"p\\\n  q\"\n",
        "a: &x\n  b: 1\nc: *x\n",
        "a: &x\n  b: 1\nc:\n  <<: *x\n  b: 2\n  e: 3\n",
        "---\na: 1\n...\n",
        "  a: 1\n  c:\n     - 1\n     -\n       - 2\n       - 3\n",
        "{a: 1, c: {d: [x, 'y']}}\n",
        "a: !!str 5\nc: !!float 3\n",
        "a:\nc:\n\n",
        "1: x\noff: y\n~: z\n",
        "a: >-\n  folded\n  text\n\n  more\nc: |+\n  keep\n\n",
        "\xEF\xBB\xBF"
        "a: \xC3\xA4\n",
        "a: 1 # no break at the end",
    };
    for (const std::string& from : texts) {
        for (const std::string& to : texts) {
            const Parsed source = parsed(from);
            const ValuePtr wanted = value(to);
            ASSERT_TRUE(source.complete) << from;
            const Rewritten made = rewritten(source, source.root, wanted);
            const Parsed again = parsed(made.text);
            EXPECT_TRUE(again.complete && sameData(*again.root, *wanted)) << "from\n" << from << "to\n" << to << "made\n" << made.text;
        }
    }
}

} // namespace
} // namespace wb::syntax
