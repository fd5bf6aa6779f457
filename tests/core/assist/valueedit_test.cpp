#include "core/assist/valueedit.h"
#include "core/syntax/yaml.h"

#include <gmock/gmock.h>

namespace wb::assist {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string recipe = "# head\n"
                           "base:\n"
                           "  name: 'n'   # the name\n"
                           "  benchmark:\n"
                           "    isl: 1024 # tokens\n"
                           "    concurrencies: [1, 2]  # as many\n"
                           "    note: \"8\"\n"
                           "override_a: {benchmark: {isl: 8192}}\n"
                           "sweep:\n"
                           "  tp: [4, 8] # sizes\n";

std::shared_ptr<const syntax::SourceText> source(const std::string& text = recipe)
{
    return std::make_shared<const syntax::SourceText>(text);
}

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    text.replace(text.find(from), from.size(), to);
    return text;
}

schema::Type typeOf(schema::TypeKind kind)
{
    schema::Type type;
    type.kind = kind;
    return type;
}
const schema::Type text = typeOf(schema::TypeKind::String);
const schema::Type integer = typeOf(schema::TypeKind::Integer);

TEST(ValueSet, ChangesOnlyTheBytesOfTheValue)
{
    EXPECT_EQ(valueSet(source(), {"base", "benchmark", "isl"}, valueTyped("4096", &integer)).text, replaced(recipe, "1024", "4096"));
    EXPECT_EQ(valueSet(source(), {"base", "name"}, valueTyped("m", &text)).text, replaced(recipe, "'n'", "'m'"));
    EXPECT_EQ(valueSet(source(), {"override_a", "benchmark", "isl"}, valueTyped("1", &integer)).text, replaced(recipe, "8192", "1"));
    EXPECT_EQ(valueSet(source(), {"base", "benchmark", "isl"}, valueTyped("1024", &integer)).text, recipe) << "nothing to change";
}

TEST(ValueSet, KeepsCommentsWhereAKeyIsAddedOrAListChanges)
{
    const std::string added = valueSet(source(), {"base", "benchmark", "osl"}, valueTyped("512", &integer)).text;
    EXPECT_THAT(added, HasSubstr("isl: 1024 # tokens"));
    EXPECT_THAT(added, HasSubstr("    osl: 512\n"));
    EXPECT_THAT(added, HasSubstr("# head\n"));
    const std::string list = valueSet(source(), {"base", "benchmark", "concurrencies"}, valueTyped("[1, 2, 4]", nullptr)).text;
    EXPECT_THAT(list, HasSubstr("4]"));
    EXPECT_THAT(list, HasSubstr("# as many"));
    EXPECT_THAT(valueSet(source(), {"base", "slurm", "time_limit"}, valueTyped("1:00:00", &text)).text, HasSubstr("\"1:00:00\""))
        << "a text that YAML 1.1 takes for a number needs its quotes";
}

TEST(ValueRemoved, TakesTheKeyAndNothingElse)
{
    const ValueChange removed = valueRemoved(source(), {"base", "benchmark", "isl"});
    EXPECT_THAT(removed.whyNot, IsEmpty());
    EXPECT_THAT(removed.text, Not(HasSubstr("isl: 1024")));
    EXPECT_THAT(removed.text, HasSubstr("concurrencies: [1, 2]  # as many"));
    EXPECT_EQ(valueRemoved(source(), {"base", "nothing"}).text, recipe);
}

TEST(ScalarSet, ChangesAnItemOfASweep)
{
    const std::size_t at = recipe.find("8] # sizes");
    EXPECT_EQ(scalarSet(source(), {at, at + 1}, "16").text, replaced(recipe, "8] # sizes", "16] # sizes"));
    EXPECT_THAT(scalarSet(source(), {at, at + 1}, "[1]").whyNot, HasSubstr("list"));
    EXPECT_THAT(scalarSet(source(), {at, at + 2}, "16").whyNot, Not(IsEmpty()));
    const std::size_t note = recipe.find("\"8\"");
    EXPECT_EQ(scalarSet(source(), {note, note + 3}, "9").text, replaced(recipe, "\"8\"", "\"9\"")) << "what was text stays text";
}

TEST(ValueSet, RefusesWhatItCannotChangeInPlace)
{
    EXPECT_THAT(valueSet(source("a: [\n"), {"a"}, valueTyped("1", nullptr)).whyNot, HasSubstr("syntax error"));
    const std::string merged = "x: &x {isl: 1, osl: 2}\nbenchmark: *x\n";
    const ValueChange change = valueSet(source(merged), {"benchmark", "isl"}, valueTyped("5", &integer));
    if (change.whyNot.empty()) {
        const auto root = syntax::parse(source(change.text)).root;
        EXPECT_EQ(syntax::at(root, "benchmark.isl")->integer, 5);
        EXPECT_EQ(syntax::at(root, "x.isl")->integer, 1) << "the anchor means something else";
    }
}

TEST(ValueTyped, FollowsTheType)
{
    EXPECT_TRUE(valueTyped("8", &text)->isString());
    EXPECT_EQ(valueTyped("8", &integer)->kind, syntax::Kind::Integer);
    EXPECT_TRUE(valueTyped("\"\"", &text)->isString());
    EXPECT_EQ(valueTyped("\"\"", &text)->text, "");
    EXPECT_EQ(valueTyped("true", nullptr)->kind, syntax::Kind::Bool);
    schema::Type either = typeOf(schema::TypeKind::Union);
    either.inner = {typeOf(schema::TypeKind::List), typeOf(schema::TypeKind::String)};
    EXPECT_TRUE(valueTyped("[1, 2]", &either)->isSequence());
    EXPECT_TRUE(valueTyped("64", &either)->isString()) << "the field takes no number";
    for (const char* each : {"x", "8", "true", "[1", "a: b", "'q'"}) {
        const auto value = syntax::makeString(each, syntax::Layer::Base);
        EXPECT_EQ(valueTyped(typedOf(*value, nullptr), nullptr)->text, each) << each;
        EXPECT_EQ(valueTyped(typedOf(*value, &text), &text)->text, each) << each;
    }
}

} // namespace
} // namespace wb::assist
