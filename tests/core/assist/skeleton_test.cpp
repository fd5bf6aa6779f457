#include "core/assist/skeleton.h"
#include "core/base/text.h"
#include "core/syntax/yaml.h"
#include "tests/support/corpus.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <map>

namespace wb::assist {
namespace {

using testing::ElementsAre;
using Id = Skeleton::Id;

Skeleton skeletonOf(std::string text)
{
    return Skeleton(std::make_shared<syntax::SourceText>(std::move(text)));
}

/// "path = value" of each node that has a value.
std::vector<std::string> valuesOf(const Skeleton& skeleton)
{
    std::vector<std::string> out;
    for (Id id = 0; id < skeleton.nodes().size(); ++id) {
        const Skeleton::Node& node = skeleton.node(id);
        if (!node.value.isEmpty() && node.style != Skeleton::Style::FlowMap && node.style != Skeleton::Style::FlowList)
            out.push_back(dotted(skeleton.pathOf(id)) + " = " + skeleton.scalarOf(id));
    }
    return out;
}

TEST(Skeleton, ReadsKeysItemsAndFlowCollections)
{
    const Skeleton skeleton = skeletonOf("a: 1 # one\nb:\n  c: \"x # y\"\n  d:\n  - e: 2\n    f: 3\n  - 4\ng: {h: [5, 6], i: {j: 7}}\n");
    EXPECT_THAT(valuesOf(skeleton),
                ElementsAre("a = 1", "b.c = x # y", "b.d[0].e = 2", "b.d[0].f = 3", "b.d[1] = 4", "g.h[0] = 5", "g.h[1] = 6", "g.i.j = 7"));
    EXPECT_EQ(skeleton.comments().size(), 1U);
    EXPECT_TRUE(skeleton.isInComment(7));
}

TEST(Skeleton, SkipsTheBodiesOfBlockScalarsAndQuotedTextsOverSeveralLines)
{
    const Skeleton skeleton = skeletonOf("a: |\n  x: 1\n\n  # no comment\nb: \"one\n  two: 3\"\nc: [1,\n  2]\nd: 4\n");
    EXPECT_THAT(valuesOf(skeleton), ElementsAre("a = |\n  x: 1\n\n  # no comment", "b = one\n  two: 3", "c[0] = 1", "c[1] = 2", "d = 4"));
    EXPECT_TRUE(skeleton.comments().empty());
}

TEST(Skeleton, AnOpenQuoteOrBracketEndsWhereTheNextKeyBegins)
{
    EXPECT_THAT(valuesOf(skeletonOf("a:\n  b: \"open\n  c: 1\nd: 2\n")), ElementsAre("a.b = open", "a.c = 1", "d = 2"));
    EXPECT_THAT(valuesOf(skeletonOf("a:\n  b: [1, 2\n  c: {x: 1\nd: 2\n")), ElementsAre("a.b[0] = 1", "a.b[1] = 2", "a.c.x = 1", "d = 2"));
}

TEST(Skeleton, AQuotedTextOfManyLinesIsReadOnce)
{
    // Its lines hold quotes and backslashes at their begins and ends, which a reader that goes on line by line must not take for the end.
    std::string text = "a: \"one\n";
    for (int i = 0; i < 20'000; ++i)
        text += "  \\\" \\\n";
    text += "  end\"\nb: 'it''s\n  two'\nc: 3\n";
    const Skeleton skeleton = skeletonOf(text);
    ASSERT_EQ(skeleton.nodes().size(), 3U);
    EXPECT_TRUE(skeleton.text(skeleton.node(0).value).ends_with("end\""));
    EXPECT_EQ(dotted(skeleton.pathOf(2)), "c");
}

TEST(Skeleton, AWordWithoutItsColonIsAWord)
{
    const Skeleton skeleton = skeletonOf("resources:\n  gpu\n  decode_nodes: 2\n");
    ASSERT_EQ(skeleton.nodes().size(), 3U);
    EXPECT_EQ(skeleton.node(1).kind, Skeleton::Kind::Word);
    EXPECT_EQ(dotted(skeleton.pathOf(2)), "resources.decode_nodes");
}

TEST(Skeleton, KeepsAnchorsApartFromValues)
{
    const test::Marked text("base: [[&b]]\n  x: [[&n]] [[5]]\nother:\n  <<: [[*b]]\nlist:\n- [[&i]] k: [[v]]\n");
    const Skeleton skeleton(text.source());
    EXPECT_EQ(skeleton.node(0).anchor, text.range(0));
    EXPECT_EQ(skeleton.node(1).anchor, text.range(1));
    EXPECT_EQ(skeleton.node(1).value, text.range(2));
    EXPECT_EQ(skeleton.node(3).value, text.range(3));
    EXPECT_EQ(skeleton.node(5).anchor, text.range(4));
    EXPECT_EQ(skeleton.node(6).value, text.range(5));
}

/// All scalars of a parsed tree that stand in the text themselves, by place.
void collect(const syntax::Value& value, std::map<std::size_t, std::size_t>& out)
{
    for (const syntax::ValuePtr& item : value.items)
        collect(*item, out);
    for (const syntax::Member& member : value.members) {
        if (!member.merged && !member.keyRange.isEmpty())
            out.emplace(member.keyRange.begin, member.keyRange.end);
        if (!member.merged && member.value->definition.isEmpty())
            collect(*member.value, out);
    }
}

TEST(Skeleton, AgreesWithTheParserOnTheKeysOfEveryRealRecipe)
{
    SRTWB_NEEDS_SHARED("corpus/v1/recipes");
    std::size_t files = 0;
    for (const char* folder : {"corpus/v1/recipes", "corpus/v2/recipes"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(*test::shared(folder))) {
            if (entry.path().extension() != ".yaml")
                continue;
            const auto source = std::make_shared<syntax::SourceText>(test::bytesOf(entry.path()), entry.path().string());
            const syntax::Parsed parsed = syntax::parse(source);
            if (!parsed.complete || !parsed.root)
                continue;
            ++files;
            std::map<std::size_t, std::size_t> keys;
            collect(*parsed.root, keys);
            const Skeleton skeleton(source);
            std::map<std::size_t, std::size_t> own;
            for (const Skeleton::Node& node : skeleton.nodes()) {
                if (node.kind != Skeleton::Kind::Item && skeleton.text(node.key) != "<<")
                    own.emplace(node.key.begin, node.key.end);
            }
            EXPECT_EQ(own, keys) << entry.path();
        }
    }
    EXPECT_GT(files, 500U);
}

} // namespace
} // namespace wb::assist
