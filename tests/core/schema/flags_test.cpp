#include "core/base/text.h"
#include "core/schema/builtin.h"
#include "core/schema/flags.h"

#include <gmock/gmock.h>

#include <set>

namespace wb::schema {

namespace {

using testing::HasSubstr;
using testing::IsNull;
using testing::NotNull;

class Tables : public testing::TestWithParam<std::string_view>
{
};

TEST_P(Tables, AreReadWithoutAFault)
{
    const std::string file = std::string(GetParam()) + ".json";
    const auto table = readFlagTable(resources::engineFlags(file), file);
    ASSERT_TRUE(table) << table.error().message << "\n" << table.error().detail;
    EXPECT_EQ(table->engine(), GetParam());
    EXPECT_GE(table->flags().size(), 50U);
}

void checkRow(const Flag& flag)
{
    SCOPED_TRACE(flag.name);
    EXPECT_FALSE(flag.typeText.empty());
    EXPECT_EQ(flag.srtctl == SrtctlUse::None, flag.srtctlDoc.empty()) << "what srtctl does is said in a sentence";
    if (flag.kind == FlagKind::OptionalSwitch) {
        EXPECT_TRUE(flag.negatable);
    }
    if (!flag.choices.empty() && !flag.openChoices && flag.defaultKnown && flag.defaultValue.isString()) {
        EXPECT_THAT(flag.choices, testing::Contains(*flag.defaultValue.string()));
    }
    if (const auto number = flag.defaultValue.number()) {
        EXPECT_TRUE(flag.limits.allow(*number));
    }
    for (const std::string& text : {flag.doc, flag.srtctlDoc, flag.deprecated}) {
        if (!text.empty()) {
            EXPECT_TRUE(text.ends_with('.') || text.ends_with(')')) << text;
        }
    }
    for (const Flag& key : flag.keys)
        checkRow(key);
}

TEST_P(Tables, HaveRowsThatAgreeWithThemselves)
{
    for (const Flag& flag : flagTable(GetParam())->flags())
        checkRow(flag);
}

TEST_P(Tables, SayWhatTheyKnowOfFlagsThatRecipesUse)
{
    for (const Flag& flag : flagTable(GetParam())->flags()) {
        if (flag.uses > 0) {
            EXPECT_FALSE(flag.doc.empty()) << flag.name;
        }
    }
}

TEST_P(Tables, ArePrintedWhole)
{
    const FlagTable& table = *flagTable(GetParam());
    const std::string text = asText(table);
    const std::string markdown = asMarkdown(table);
    const base::json::Value schema = asJsonSchema(table);
    for (const Flag& flag : table.flags()) {
        EXPECT_THAT(text, HasSubstr("\n" + flag.name));
        EXPECT_THAT(markdown, HasSubstr("| `" + flag.name));
        EXPECT_THAT(schema.at({"properties", flag.name}), NotNull());
    }
}

INSTANTIATE_TEST_SUITE_P(All, Tables, testing::ValuesIn(flagTableIds().begin(), flagTableIds().end()),
                         [](const auto& one) { return base::replacedAll(one.param, "-", "_"); });

TEST(FlagTable, FindsNamesAliasesNegationsAndFormerNamesInEverySpelling)
{
    const FlagTable& sglang = *flagTable("sglang");
    EXPECT_EQ(sglang.find("mem_fraction_static"), sglang.find("mem-fraction-static"));
    EXPECT_EQ(sglang.find("tensor_parallel_size"), sglang.find("tp-size"));
    const FlagTable::Match off = flagTable("vllm")->match("no_enable_prefix_caching");
    ASSERT_TRUE(off);
    EXPECT_EQ(off.flag->name, "enable-prefix-caching");
    EXPECT_TRUE(off.isNegated);
    const FlagTable::Match former = flagTable("dynamo-frontend")->match("no-kv-events");
    ASSERT_TRUE(former);
    EXPECT_EQ(former.flag->name, "router-kv-events");
    EXPECT_TRUE(former.isNegated && former.isFormer);
    EXPECT_FALSE(sglang.match("mem-fraction-statc"));
    EXPECT_THAT(flagTable("other"), IsNull());
}

TEST(FlagTable, GivesTheNearestNameAndTheFullOneOfAShortForm)
{
    EXPECT_EQ(flagTable("sglang")->nearest("mem-fraction-statc"), "mem-fraction-static");
    EXPECT_EQ(flagTable("vllm")->nearest("dpa"), "data-parallel-address") << "-dpa has one dash and cannot be given by a recipe";
    EXPECT_EQ(flagTable("sglang")->nearest("zzzzzzzzzz"), "");
}

TEST(FlagTable, TakesAbbreviationsAsArgparseDoes)
{
    const FlagTable& sglang = *flagTable("sglang");
    ASSERT_THAT(sglang.abbreviated("speculative-algo"), NotNull());
    EXPECT_EQ(sglang.abbreviated("speculative-algo")->name, "speculative-algorithm");
    EXPECT_THAT(sglang.abbreviated("speculative"), IsNull()) << "several begin so";
    EXPECT_THAT(flagTable("trtllm")->abbreviated("max_batch_siz"), IsNull()) << "a file has no short forms";
}

TEST(FlagTable, KnowsTheKeysOfBlocksAndTheirVariants)
{
    const Flag* speculative = flagTable("trtllm")->find("speculative_config");
    ASSERT_THAT(speculative, NotNull());
    EXPECT_EQ(speculative->discriminator, "decoding_type");
    EXPECT_THAT(speculative->key("max_draft_len"), NotNull());
    EXPECT_THAT(speculative->key("max-draft-len"), IsNull()) << "a file is read by exact names";
    EXPECT_EQ(speculative->key("speculative_model_dir"), speculative->key("speculative_model"));
}

// Each flag of each job is looked up: ten thousand jobs of seventy flags have half a second for everything.
TEST(FlagTable, RefusesATableThatItDoesNotUnderstand)
{
    const std::string good =
        R"({"engine": "e", "title": "E", "state": "s", "certainty": "likely", "flags": [{"name": "a", "type": "int"}]})";
    EXPECT_TRUE(readFlagTable(good, "e.json"));
    for (const auto& [from, to] : {std::pair<std::string, std::string>{R"("int")", R"("integer")"},
                                   {R"("type")", R"("tipe")"},
                                   {R"("likely")", R"("sure")"},
                                   {R"({"name": "a", "type": "int"})", R"({"name": "a", "type": "int"}, {"name": "a", "type": "int"})"},
                                   {R"("int")", R"("int", "discriminator": "x")"}}) {
        const auto table = readFlagTable(base::replacedAll(good, from, to), "e.json");
        EXPECT_FALSE(table) << to;
    }
}

// --- versions ------------------------------------------------------------------------------------------------------------------------

TEST(Versions, AreReadAndOrderedAsReleasesAre)
{
    const std::vector<std::string> ascending = {"0.5.5",    "0.5.5.post2", "0.5.6.post2", "0.5.10",    "1.1.0-dev.3",
                                                "1.1.0rc2", "1.1.0",       "1.3.0rc18",   "1.3.0rc24", "1.3.0"};
    for (std::size_t i = 1; i < ascending.size(); ++i) {
        const auto before = versionOf(ascending[i - 1]);
        const auto after = versionOf(ascending[i]);
        ASSERT_TRUE(before && after);
        EXPECT_LT(*before, *after) << ascending[i - 1] << " and " << ascending[i];
    }
    EXPECT_EQ(versionOf("v0.5.8-cu130"), versionOf("0.5.8"));
    EXPECT_EQ(versionOf("0.5"), versionOf("0.5.0"));
    EXPECT_EQ(textOf(*versionOf("1.3.0rc24")), "1.3.0rc24");
    EXPECT_FALSE(versionOf("latest"));
    EXPECT_FALSE(versionOf("12"));
    EXPECT_FALSE(versionOf("99999999999999999999.1"));
}

struct Image {
    std::string_view text;
    std::string_view program;
    std::string_view version; ///< Empty: it tells nothing.
};

TEST(Versions, AreReadFromImagesFilesAndAliases)
{
    constexpr Image images[] = {
        {"lmsysorg/sglang:v0.5.8-cu130", "sglang", "0.5.8"},
        {"lmsysorg/sglang:v0.5.8.post1-cu130", "sglang", "0.5.8.post1"},
        {"vllm/vllm-openai:v0.20.0-ubuntu2404@sha256:46da022ce07aae43e4ffae844aeab467", "vllm", "0.20.0"},
        {"nvcr.io/nvidia/tensorrt-llm/release:1.3.0rc24", "trtllm", "1.3.0rc24"},
        {"nvcr.io#nvidia/ai-dynamo/tensorrtllm-runtime:0.8.1.post3", "dynamo", "0.8.1.post3"},
        {"nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.8.0", "dynamo", "0.8.0"},
        {"/shared/containers/sglang-v0.5.8-cu130.sqsh", "sglang", "0.5.8"},
        {"sglang-v0.5.11-cu130", "sglang", "0.5.11"},
        {"0.5.6.post2", "", "0.5.6.post2"},
        {"v0.5.7", "", "0.5.7"},
        {"nginx:1.27.4", "", ""},
        {"/shared/containers/nginx-1.27.4.sqsh", "", ""},
        {"lmsysorg/sglang:nightly-dev-cu13-20260520-425dffbd", "", ""},
        {"dev-0318", "", ""},
        {"dynamo-trtllm", "", ""},
        {"", "", ""},
    };
    for (const Image& image : images) {
        const auto found = imageVersion(image.text);
        ASSERT_EQ(found.has_value(), !image.version.empty()) << image.text;
        if (found) {
            EXPECT_EQ(found->program, image.program) << image.text;
            EXPECT_EQ(textOf(found->version), image.version) << image.text;
        }
    }
}

} // namespace

} // namespace wb::schema
