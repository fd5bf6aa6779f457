// The built-in schemas say what the definitions say that they were made from, and odd definitions do no harm.
#include "core/snapshot/celrules.h"
#include "core/snapshot/crd.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>

namespace wb::snapshot {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

/// All of a schema that decides, as one text; descriptions are left out of the built-in ones.
void describe(const Schema& schema, const std::string& path, std::string& out, std::size_t& nodes)
{
    ++nodes;
    out += path + " " + std::to_string(static_cast<int>(schema.type)) + " " + schema.pattern + " " + schema.format + " " +
           std::to_string(static_cast<int>(schema.listType)) + (schema.isOpen ? " open" : "") +
           (schema.isIntOrString ? " int-or-string" : "") + (schema.isNullable ? " nullable" : "");
    for (const auto& limit : {schema.minLength, schema.maxLength, schema.minItems, schema.maxItems, schema.maxProperties})
        out += limit ? " " + std::to_string(*limit) : " -";
    for (const auto& limit : {schema.minimum, schema.maximum})
        out += limit ? " " + std::to_string(*limit) : " -";
    for (const auto* list : {&schema.required, &schema.choices, &schema.listMapKeys}) {
        for (const std::string& item : *list)
            out += " " + item;
        out += ";";
    }
    for (const CelRule& rule : schema.rules)
        out += " " + rule.rule + " => " + rule.message;
    if (schema.standard)
        out += " default " + base::json::write(*schema.standard, 0);
    out += "\n";
    for (const Property& property : schema.properties)
        describe(*property.schema, path + "." + property.name, out, nodes);
    if (schema.items)
        describe(*schema.items, path + "[]", out, nodes);
    if (schema.additional)
        describe(*schema.additional, path + ".*", out, nodes);
}

std::vector<std::string> textsBelow(const fs::path& folder)
{
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder))
        out.push_back(test::bytesOf(entry.path()));
    return out;
}

TEST(Crd, TheBuiltInStatesSayWhatTheirFilesSay)
{
    SRTWB_NEEDS_SHARED("snapshot/crds");
    for (const std::string& name : builtinCrdNames()) {
        const auto builtin = builtinCrds(name);
        ASSERT_TRUE(builtin) << name;
        const auto read = readCrds(textsBelow(*test::shared("snapshot/crds") / name), name);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_TRUE(read->borrowed.empty());
        for (const std::string kind : {"SnapshotJob", "PodSnapshot", "PodSnapshotContent", "Pod", "Deployment"}) {
            ASSERT_TRUE(builtin->findKind(kind) && read->findKind(kind)) << kind;
            std::string a;
            std::string b;
            std::size_t nodes = 0;
            std::size_t others = 0;
            describe(*builtin->findKind(kind)->schema, "", a, nodes);
            describe(*read->findKind(kind)->schema, "", b, others);
            EXPECT_EQ(a, b) << name << " " << kind;
            if (kind == "SnapshotJob") {
                EXPECT_GT(nodes, 1200U);
            }
        }
    }
}

TEST(Crd, EveryRuleOfTheBuiltInStatesIsEvaluatedHere)
{
    const auto each = [](const auto& self, const Schema& schema) -> void {
        for (const CelRule& rule : schema.rules)
            EXPECT_TRUE(isKnownRule(rule.rule)) << rule.rule;
        for (const Property& property : schema.properties)
            self(self, *property.schema);
        if (schema.items)
            self(self, *schema.items);
        if (schema.additional)
            self(self, *schema.additional);
    };
    for (const std::string& name : builtinCrdNames()) {
        for (const ResourceKind& kind : builtinCrds(name)->kinds)
            each(each, *kind.schema);
    }
    EXPECT_FALSE(isKnownRule("self.x > 1"));
}

TEST(Crd, AFileThatLacksKindsGetsTheBuiltInOnes)
{
    const std::vector<std::string> texts{R"({"kind": "CustomResourceDefinition", "spec": {"group": "nvidia.com", "scope": "Namespaced",
        "names": {"kind": "PodSnapshot", "plural": "podsnapshots"}, "versions": [{"name": "v1alpha1", "schema": {"openAPIV3Schema":
        {"type": "object", "properties": {"spec": {"type": "object"}}}}}]}})"};
    const auto read = readCrds(texts, "mine.json");
    ASSERT_TRUE(read);
    EXPECT_THAT(read->borrowed, testing::UnorderedElementsAre("SnapshotJob", "PodSnapshotContent"));
    EXPECT_EQ(read->name, "mine.json");
    EXPECT_EQ(read->sha256.size(), 64U);
    EXPECT_TRUE(read->find("nvidia.com/v1alpha1", "PodSnapshot"));
    EXPECT_TRUE(read->find("apps/v1", "Deployment"));
    EXPECT_TRUE(read->podSpec());
}

TEST(Crd, WhatIsNoDefinitionIsRefusedWithASentence)
{
    for (const std::string text : {"", "a: [", "{\"kind\": \"Pod\"}", "kind: CustomResourceDefinition\nspec: 1\n", "[]", "{"}) {
        const auto read = readCrds(std::vector{text}, "x.yaml");
        ASSERT_FALSE(read) << text;
        EXPECT_THAT(read.error().message, HasSubstr("x.yaml"));
    }
}

TEST(Crd, APatternThatOnlyTheServerReadsIsKeptApart)
{
    const std::vector<std::string> texts{R"({"kind": "CustomResourceDefinition", "spec": {"group": "nvidia.com", "scope": "Namespaced",
        "names": {"kind": "PodSnapshot", "plural": "podsnapshots"}, "versions": [{"name": "v1alpha1", "schema": {"openAPIV3Schema":
        {"type": "object", "properties": {"a": {"type": "string", "pattern": "(?i)x[[:^alpha"}}}}}]}})"};
    const auto read = readCrds(texts, "mine.json");
    ASSERT_TRUE(read);
    const Schema* property = read->findKind("PodSnapshot")->schema->property("a");
    ASSERT_TRUE(property);
    EXPECT_FALSE(property->expression);
    EXPECT_FALSE(property->pattern.empty());
}

} // namespace
} // namespace wb::snapshot
