// Guards over the rows of the built-in packs, and their comparison with the facts about the language.
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/schema/pack.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <set>

namespace wb::schema {

namespace {

namespace json = base::json;

void eachField(const Pack& pack, const std::function<void(const Record&, const Field&)>& visit)
{
    for (const auto& [name, record] : pack.records()) {
        for (const Field& field : record.fields)
            visit(record, field);
    }
}

class BuiltInRows : public testing::TestWithParam<std::string_view>
{
protected:
    std::shared_ptr<const Pack> pack = builtInPack(GetParam());
};

TEST_P(BuiltInRows, HaveDocsOfWholeSentencesAndAGroup)
{
    std::size_t count = 0;
    eachField(*pack, [&](const Record& record, const Field& field) {
        const std::string where = record.name + "." + field.key;
        EXPECT_THAT(field.doc, testing::EndsWith(".")) << where;
        EXPECT_GT(field.doc.size(), 15U) << where;
        EXPECT_FALSE(field.group.empty()) << where;
        EXPECT_TRUE(field.inert.empty() || field.inert.ends_with('.')) << where;
        EXPECT_TRUE(field.deprecated.empty() || field.deprecated.ends_with('.')) << where;
        for (const Choice& choice : field.choices)
            EXPECT_THAT(choice.doc, testing::EndsWith(".")) << where << " " << choice.value;
        for (const OtherName& other : field.otherNames)
            EXPECT_THAT(other.why, testing::Not(testing::EndsWith("."))) << where << " " << other.name << ": a clause, not a sentence";
        ++count;
    });
    EXPECT_GT(count, 30U);
    for (const auto& [name, record] : pack->records())
        EXPECT_THAT(record.doc, testing::EndsWith(".")) << name;
    for (const FormKey& form : pack->forms())
        EXPECT_THAT(form.doc, testing::EndsWith(".")) << form.key;
}

TEST_P(BuiltInRows, SayOfEachWordWhatItMeansAndOfNoTwoTheSame)
{
    eachField(*pack, [&](const Record& record, const Field& field) {
        std::set<std::string> docs = {field.doc};
        for (const Choice& choice : field.choices) {
            EXPECT_TRUE(docs.insert(choice.doc).second) << record.name << "." << field.key << " " << choice.value;
            EXPECT_GT(choice.doc.size(), 10U) << record.name << "." << field.key << " " << choice.value;
        }
    });
}

TEST_P(BuiltInRows, CountWhatTheyCount)
{
    const std::function<bool(const Type&)> isCounted = [&](const Type& type) {
        return type.kind == TypeKind::Integer || type.kind == TypeKind::Number ||
               std::any_of(type.inner.begin(), type.inner.end(), isCounted);
    };
    // Numbers that are pure, or are what their key says.
    const std::set<std::string_view> bare = {"port",          "temperature",          "top_p",      "random_range_ratio",
                                             "prefix_ratios", "default_health_check", "schema",     "sidecar_port",
                                             "status",        "worker_index",         "worker_rank"};
    eachField(*pack, [&](const Record& record, const Field& field) {
        if (!isCounted(field.type) || !field.inert.empty())
            return;
        const std::string where = record.name + "." + field.key;
        EXPECT_TRUE(!field.unit.empty() || bare.contains(field.key)) << where << ": what is counted";
        const bool isRate = field.key == "req_rate"; // "inf" is one too
        EXPECT_TRUE(field.limits.least || field.limits.most || isRate) << where << ": within which limits";
    });
}

TEST(RowsOfV1, SayWhichBenchmarkReadsAKey)
{
    const Record& benchmark = *builtInPack("v1")->record("benchmark");
    const std::set<std::string_view> ofAll = {"type", "client_placement", "client_dedicated_node", "colocate_with_frontend",
                                              "export_node_metrics"};
    std::set<std::string_view> read;
    for (const Field& field : benchmark.fields) {
        EXPECT_NE(ofAll.contains(field.key), !field.readBy.empty() || !field.inert.empty()) << field.key;
        read.insert(field.readBy.begin(), field.readBy.end());
    }
    for (const Choice& choice : benchmark.find("type")->choices) {
        const bool hasNone = choice.value == "manual" || choice.value == "lm-eval";
        EXPECT_NE(read.contains(choice.value), hasNone) << choice.value;
    }
}

TEST_P(BuiltInRows, AreAllReachedFromTheRoot)
{
    std::set<const Record*> seen;
    std::function<void(const Record&)> visit;
    const std::function<void(const Type&)> visitType = [&](const Type& type) {
        if (type.kind == TypeKind::Record)
            visit(*pack->record(type.record));
        for (const auto& [word, name] : type.records)
            visit(*pack->record(name));
        for (const Type& inner : type.inner)
            visitType(inner);
    };
    visit = [&](const Record& record) {
        if (!seen.insert(&record).second)
            return;
        for (const Field& field : record.fields) {
            visitType(field.type);
        }
    };
    visit(pack->root());
    EXPECT_EQ(seen.size(), pack->records().size());
}

INSTANTIATE_TEST_SUITE_P(All, BuiltInRows, testing::ValuesIn(builtInPackIds().begin(), builtInPackIds().end()),
                         [](const auto& one) { return base::replacedAll(one.param, "-", "_"); });

// --- facts ---------------------------------------------------------------------------------------------------------------------------

/// The same type as the fact's kind of field, as far as the fact says it.
void expectType(const Pack& pack, const Type& type, const json::Value& fact, const std::string& where);

void expectSameFields(const Pack& pack, const Record& record, const json::Value& facts, const std::string& where)
{
    std::vector<std::string> keys;
    for (const json::Member& member : facts.object())
        keys.push_back(member.key);
    std::vector<std::string> own;
    for (const Field& field : record.fields)
        own.push_back(field.key);
    EXPECT_EQ(own, keys) << where << ": same keys in the same order";

    for (const json::Member& member : facts.object()) {
        const Field* field = record.find(member.key);
        if (!field)
            continue; // Told by the comparison of the keys.
        const std::string here = where + "." + member.key;
        const json::Value& fact = member.value;
        EXPECT_EQ(field->required, fact.find("required")->boolean().value_or(false)) << here;
        EXPECT_EQ(field->nullable, fact.find("allow_none")->boolean().value_or(false)) << here;
        const json::Value* given = fact.find("default");
        const bool fillsItself = given && given->string() && *given->string() == "<defaults of nested>";
        if (!given || fillsItself)
            EXPECT_FALSE(field->defaultValue) << here;
        else
            EXPECT_EQ(field->defaultValue, *given) << here;
        expectType(pack, field->type, fact, here);
    }
}

void expectContainer(const Pack& pack, const Type& type, TypeKind kind, const json::Value& inner, const std::string& where)
{
    ASSERT_EQ(type.kind, kind) << where;
    EXPECT_EQ(type.valuesNullable, inner.find("allow_none")->boolean().value_or(false)) << where;
    expectType(pack, type.inner.at(0), inner, where + "[]");
}

void expectType(const Pack& pack, const Type& type, const json::Value& fact, const std::string& where)
{
    const std::string kind = *fact.find("field")->string();
    const bool isWord = kind == "Raw" && fact.find("validate");
    const std::map<std::string, TypeKind> plain = {
        {"String", TypeKind::String},   {"Integer", TypeKind::Integer},           {"Float", TypeKind::Number},
        {"Boolean", TypeKind::Boolean}, {"FormattablePathField", TypeKind::Path}, {"SweepConfigField", TypeKind::Any},
        {"Raw", TypeKind::Any},
    };
    if (isWord) {
        EXPECT_EQ(type.kind, TypeKind::String) << where;
    } else if (kind == "Dict") {
        expectContainer(pack, type, TypeKind::Map, *fact.find("values"), where);
    } else if (kind == "List" || kind == "Sequence") {
        expectContainer(pack, type, TypeKind::List, *fact.find("items"), where);
    } else if (kind == "Nested") {
        ASSERT_EQ(type.kind, TypeKind::Record) << where;
        expectSameFields(pack, *pack.record(type.record), *fact.find("nested"), where);
    } else if (kind == "Union") {
        ASSERT_EQ(type.kind, TypeKind::Union) << where;
        const json::Array& alternatives = fact.find("union")->array();
        ASSERT_EQ(type.inner.size(), alternatives.size()) << where;
        for (std::size_t i = 0; i < alternatives.size(); ++i)
            expectType(pack, type.inner[i], alternatives[i], where + "|" + std::to_string(i));
    } else if (kind == "BackendConfigField") {
        EXPECT_EQ(type.kind, TypeKind::Variant) << where;
    } else {
        const auto found = plain.find(kind);
        ASSERT_NE(found, plain.end()) << where << ": a kind that the test does not know: " << kind;
        EXPECT_EQ(type.kind, found->second) << where;
    }
}

json::Value facts()
{
    auto read = json::read(test::bytesOf(*test::shared("facts/schema-v1.json")));
    EXPECT_TRUE(read) << read.error().message;
    return read ? *read : json::Value();
}

TEST(PackFacts, TheRecipeHasTheKeysTypesAndDefaultsOfTheLanguage)
{
    SRTWB_NEEDS_SHARED("facts/schema-v1.json");
    const auto pack = builtInPack("v1");
    expectSameFields(*pack, pack->root(), *facts().find("recipe"), "recipe");
}

TEST(PackFacts, EachEngineHasTheKeysTypesAndDefaultsOfTheLanguage)
{
    SRTWB_NEEDS_SHARED("facts/schema-v1.json");
    const auto pack = builtInPack("v1");
    const json::Value all = facts();
    const json::Object& backends = all.find("backends")->object();
    const Type& backend = pack->root().find("backend")->type;
    ASSERT_EQ(backend.records.size(), backends.size());
    for (const json::Member& engine : backends) {
        const Record* record = pack->recordFor(backend, engine.key);
        ASSERT_NE(record, nullptr) << engine.key;
        expectSameFields(*pack, *record, engine.value, engine.key);
    }
}

TEST(PackFacts, TheClusterFileHasTheKeysTypesAndDefaultsOfTheLanguage)
{
    SRTWB_NEEDS_SHARED("facts/schema-v1.json");
    const auto pack = builtInPack("cluster");
    expectSameFields(*pack, pack->root(), *facts().find("cluster"), "cluster");
}

} // namespace

} // namespace wb::schema
