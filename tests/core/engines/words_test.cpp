#include "core/engines/words.h"
#include "core/syntax/yaml.h"

#include <gmock/gmock.h>

#include <memory>

namespace wb::engines {
namespace {

using testing::ElementsAre;

syntax::ValuePtr yaml(std::string text)
{
    return syntax::parse(std::make_shared<syntax::SourceText>(std::move(text))).root;
}

TEST(JsonText, PrintsBlanksBehindCommasAndEverythingInAscii)
{
    EXPECT_EQ(jsonText(*yaml("{a: [1, 2.0, null], b: \"q\\\"\\n\"}")), R"({"a": [1, 2.0, null], "b": "q\"\n"})");
    EXPECT_EQ(jsonText(std::string_view("\xC3\xA9\xF0\x9F\x98\x80")), "\"\\u00e9\\ud83d\\ude00\"");
}

TEST(Flags, BecomeWordsInTheOrderOfTheKeys)
{
    const Flags flags(yaml("z-last: 1\nbare: true\noff: false\nnone: null\nsome_list: [1, two]\na_text: x y\n"));
    EXPECT_THAT(flags.words(), ElementsAre("--a-text", "x y", "--bare", "--some-list", "1", "two", "--z-last", "1"));
}

TEST(Flags, AreFoundAndDroppedInEitherSpelling)
{
    Flags flags(yaml("served_model_name: a\nnccl-port: 1\n"));
    ASSERT_TRUE(flags.find("served-model-name"));
    flags.drop("served-model-name");
    flags.drop("nccl-port");
    EXPECT_THAT(flags.words(), testing::IsEmpty());
}

TEST(Flags, OfNothingAreNone)
{
    EXPECT_THAT(Flags(nullptr).words(), testing::IsEmpty());
}

} // namespace
} // namespace wb::engines
