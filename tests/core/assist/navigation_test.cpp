#include "core/assist/completion.h"
#include "core/assist/navigation.h"
#include "tests/core/assist/documents.h"

#include <gmock/gmock.h>

namespace wb::assist {
namespace {

using test::Marked;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<Location> definitions(const Marked& text)
{
    return definitionsAt(test::bareDocument(text.source()), text.cursor());
}

TEST(Definition, OfAnAliasIsInTheClusterFile)
{
    const auto found = definitions(Marked("model:\n  container: sglang-^dev\n"));
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].source, syntax::Source::Cluster);
    EXPECT_EQ(test::clusterText.substr(found[0].range.begin, found[0].range.end - found[0].range.begin), "sglang-dev");
}

TEST(Definition, OfAStarIsItsAnchor)
{
    const Marked text("x-a: &[[env]] {A: \"1\"}\nx-b: &other 1\nbase:\n  environment: *e^nv\n");
    const auto found = definitions(text);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].range, text.range());
}

TEST(Definition, OfAKeyInAnOverrideIsTheKeyOfBase)
{
    const Marked text("base:\n  resources:\n    [[gpu_type]]: h100\noverride_a:\n  resources:\n    gpu_ty^pe: b200\n");
    const auto found = definitions(text);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].range, text.range());
    EXPECT_THAT(definitions(Marked("base:\n  resources:\n    gpu_t^ype: h100\n")), IsEmpty());
}

TEST(Definition, OfAPlaceholderIsItsParameter)
{
    const Marked text("sweep:\n  [[len]]: [1, 2]\nbenchmark:\n  isl: \"{l^en}\"\n");
    const auto found = definitions(text);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].range, text.range());
}

TEST(References, FindEveryUseOfAPlaceholderAndEverySectionOfAKey)
{
    const Marked sweep("sweep:\n  [[len]]: [1]\nname: \"a-{[[len]]}\"\nbenchmark:\n  isl: \"{[[l^en]]}\"\n");
    const auto uses = referencesAt(test::bareDocument(sweep.source()), sweep.cursor());
    ASSERT_THAT(uses, SizeIs(3));
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(uses[i].range, sweep.range(i));

    const Marked keys("base:\n  slurm:\n    [[acc^ount]]: a\noverride_x:\n  slurm:\n    [[account]]: b\noverride_y:\n  name: c\n");
    const auto sections = referencesAt(test::bareDocument(keys.source()), keys.cursor());
    ASSERT_THAT(sections, SizeIs(2));
    EXPECT_EQ(sections[1].range, keys.range(1));
    EXPECT_THAT(sections[1].what, HasSubstr("override_x"));
}

TEST(Rename, ChangesAParameterAndAllItsPlaceholders)
{
    const Marked text("sweep:\n  len: [1]\nname: \"a-{len}-{lens}\"\nbenchmark:\n  command: |\n    run {l^en} ${len} {{len}}\n");
    const Rename done = renamed(test::bareDocument(text.source()), text.cursor(), "isl");
    EXPECT_EQ(done.whyNot, "");
    EXPECT_EQ(syntax::applyEdits(text.text(), done.edits),
              "sweep:\n  isl: [1]\nname: \"a-{isl}-{lens}\"\nbenchmark:\n  command: |\n    run {isl} ${len} {{len}}\n");
}

TEST(Rename, ChangesAnAnchorAndItsAliases)
{
    const Marked text("a: &e^nv {x: 1}\nb: *env\nc:\n  <<: [*env, *en]\nd: &en 1\n");
    const Rename done = renamed(test::bareDocument(text.source()), text.cursor(), "vars");
    EXPECT_EQ(syntax::applyEdits(text.text(), done.edits), "a: &vars {x: 1}\nb: *vars\nc:\n  <<: [*vars, *en]\nd: &en 1\n");
}

TEST(Rename, RefusesNamesThatAreTakenOrNoNames)
{
    const Marked text("sweep:\n  len: [1]\n  other: [2]\nname: \"{l^en}-{other}\"\n");
    const Document document = test::bareDocument(text.source());
    EXPECT_THAT(renamed(document, text.cursor(), "other").whyNot, HasSubstr("\"other\""));
    EXPECT_THAT(renamed(document, text.cursor(), "a b").whyNot, HasSubstr("letters"));
    EXPECT_THAT(renamed(document, text.cursor(), "").edits, IsEmpty());
    const Marked runtime("name: x\nbenchmark:\n  command: \"{node^_id}\"\n");
    EXPECT_FALSE(renameableAt(test::bareDocument(runtime.source()), runtime.cursor())) << "the job fills it in";
}

TEST(Outline, IsTheTreeOfKeysWithTheirRanges)
{
    const Marked text("[[base:\n  [[name: x]]\n  [[backend:\n    type: sglang]]]]\n\n# comment\n[[override_a:\n  name: y]]\n");
    const auto symbols = outlineOf(test::bareDocument(text.source()));
    ASSERT_THAT(symbols, SizeIs(6));
    EXPECT_EQ(symbols[0].range, text.range(0));
    EXPECT_TRUE(symbols[0].isSection);
    EXPECT_EQ(symbols[1].detail, "x");
    EXPECT_EQ(symbols[2].range, text.range(2));
    EXPECT_EQ(symbols[3].name, "type");
    EXPECT_EQ(symbols[3].parent, 2U);
    EXPECT_EQ(symbols[3].depth, 2U);
    EXPECT_EQ(symbols[4].range, text.range(3));
    EXPECT_EQ(symbolAt(symbols, text.text().find("sglang")), 3U);
    EXPECT_EQ(symbolAt(symbols, text.text().find("# comment")), Symbol::npos);
}

TEST(Selectors, AreTheSectionsAndTheSlicesOfZips)
{
    const Marked text("base:\n  name: x\noverride_a:\n  name: y\nzip_override_z:\n  name: [a, b]\nx-note: 1\n");
    std::vector<std::string> names;
    for (const SelectorName& each : selectorsOf(test::checkedDocument(text.source())))
        names.push_back(each.selector);
    EXPECT_THAT(names, ElementsAre("base", "override_a", "zip_override_z", "zip_override_z[0]", "zip_override_z[1]"));
}

} // namespace
} // namespace wb::assist
