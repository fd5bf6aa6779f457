#include "core/base/json.h"
#include "core/base/text.h"
#include "core/schema/pack.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

namespace wb::schema {

namespace {

namespace json = base::json;
using testing::HasSubstr;

class Manual : public testing::TestWithParam<std::string_view>
{
};

TEST_P(Manual, IsTheOneThatThePackGives)
{
    const auto path = test::own("resources/manual/" + std::string(GetParam()) + ".md");
    const std::string made = asMarkdown(*builtInPack(GetParam()));
    if (std::getenv("SRTWB_UPDATE_GOLDEN"))
        std::ofstream(path, std::ios::binary) << made;
    EXPECT_EQ(test::bytesOf(path), made) << "SRTWB_UPDATE_GOLDEN=1 rewrites it; read the difference";
}

INSTANTIATE_TEST_SUITE_P(All, Manual, testing::ValuesIn(builtInPackIds().begin(), builtInPackIds().end()),
                         [](const auto& one) { return base::replacedAll(one.param, "-", "_"); });

TEST(AsText, SaysEveryKeyWithWhatItMayBe)
{
    const auto pack = builtInPack("v1");
    const std::string text = asText(*pack);
    for (const auto& [name, record] : pack->records()) {
        EXPECT_THAT(text, HasSubstr("\n" + name + "\n"));
        for (const Field& field : record.fields)
            EXPECT_THAT(text, HasSubstr("\n  " + field.key + ": " + inWords(field.type))) << name;
    }
    EXPECT_THAT(text, HasSubstr("port: a whole number, at least 1, at most 65535 [required]"));
}

TEST(AsText, BreaksLinesAtAHundredColumns)
{
    const std::string text = asText(*builtInPack("v1"));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("      ")) {
            EXPECT_LE(line.size(), 100U) << line;
        }
    }
}

// --- JSON Schema ---------------------------------------------------------------------------------------------------------------------

json::Value definition(const json::Value& schema, std::string_view name)
{
    const json::Value* found = schema.at({"$defs", name});
    EXPECT_NE(found, nullptr) << name;
    return found ? *found : json::Value();
}

/// Every "$ref" below the value.
void collectReferences(const json::Value& value, std::vector<std::string>& out)
{
    for (const json::Member& member : value.object()) {
        if (member.key == "$ref")
            out.push_back(*member.value.string());
        collectReferences(member.value, out);
    }
    for (const json::Value& item : value.array())
        collectReferences(item, out);
}

class JsonSchema : public testing::TestWithParam<std::string_view>
{
};

TEST_P(JsonSchema, PointsToItsOwnDefinitionsAndUsesEachOfThem)
{
    const json::Value schema = asJsonSchema(*builtInPack(GetParam()));
    std::vector<std::string> references;
    collectReferences(schema, references);
    std::set<std::string> used;
    for (const std::string& reference : references) {
        ASSERT_THAT(reference, testing::StartsWith("#/$defs/"));
        std::string name = reference.substr(8);
        for (std::size_t at = name.find("%20"); at != std::string::npos; at = name.find("%20"))
            name.replace(at, 3, " ");
        EXPECT_NE(schema.at({"$defs", name}), nullptr) << name;
        used.insert(name);
    }
    for (const json::Member& member : schema.find("$defs")->object())
        EXPECT_TRUE(used.contains(member.key)) << member.key;
}

TEST_P(JsonSchema, RefusesUnknownKeysOfEveryRecord)
{
    const json::Value schema = asJsonSchema(*builtInPack(GetParam()));
    for (const json::Member& member : schema.find("$defs")->object())
        EXPECT_EQ(*member.value.find("additionalProperties"), json::Value(false)) << member.key;
}

INSTANTIATE_TEST_SUITE_P(All, JsonSchema, testing::ValuesIn(builtInPackIds().begin(), builtInPackIds().end()),
                         [](const auto& one) { return base::replacedAll(one.param, "-", "_"); });

class JsonSchemaOfV1 : public testing::Test
{
protected:
    [[nodiscard]] json::Value property(std::string_view name, std::string_view key) const
    {
        const json::Value found = definition(schema, name);
        const json::Value* value = found.at({"properties", key});
        EXPECT_NE(value, nullptr) << name << "." << key;
        return value ? *value : json::Value();
    }

    json::Value schema = asJsonSchema(*builtInPack("v1"));
};

TEST_F(JsonSchemaOfV1, KeepsLimitsChoicesAndDefaults)
{
    EXPECT_EQ(*property("exporter", "port").find("maximum"), json::Value(65535.0));
    EXPECT_EQ(*property("resources", "gpus_per_node").find("default"), json::Value(4));
    EXPECT_THAT(property("profiling", "type").find("enum")->array(), testing::Contains(json::Value("nsys-time")));
    EXPECT_EQ(property("model", "precision").find("enum"), nullptr) << "other words are only a hint";
    EXPECT_THAT(property("model", "precision").find("examples")->array(), testing::Contains(json::Value("fp8")));
    EXPECT_THAT(definition(schema, "model").find("required")->array(), testing::Contains(json::Value("container")));
}

TEST_F(JsonSchemaOfV1, TakesNumbersThatAreWrittenAsText)
{
    const json::Value count = property("resources", "gpus_per_node");
    EXPECT_EQ(*count.find("type"), json::Value(json::Array{"integer", "string"}));
    EXPECT_THAT(*count.find("pattern")->string(), HasSubstr("[0-9]"));
    EXPECT_EQ(*property("model", "path").find("type"), json::Value("string")) << "but no number as text";
}

TEST_F(JsonSchemaOfV1, ForgetsWhatIsRequiredInPartsOfARecipe)
{
    EXPECT_EQ(definition(schema, "model (override)").find("required"), nullptr);
    EXPECT_EQ(definition(schema, "model (base)").find("required"), nullptr);
    EXPECT_EQ(*property("resources (override)", "gpu_type").find("type"), json::Value("string")) << "null would delete what is required";
    EXPECT_EQ(*property("benchmark (override)", "trace_file").find("type"), json::Value(json::Array{"string", "null"})) << "null deletes";
    EXPECT_EQ(*property("model (base)", "path").find("type"), json::Value("string"));
}

TEST_F(JsonSchemaOfV1, TakesListsForValuesInAZip)
{
    const json::Value nodes = property("resources (zip)", "prefill_nodes");
    EXPECT_THAT(nodes.find("type")->array(), testing::Contains(json::Value("array")));
    const json::Value levels = property("benchmark (zip)", "concurrencies");
    EXPECT_EQ(*levels.at({"items", "type"}), json::Value(json::Array{"array", "string", "null"}))
        << "a list of numbers would give each variant a bare number";
}

} // namespace

} // namespace wb::schema
