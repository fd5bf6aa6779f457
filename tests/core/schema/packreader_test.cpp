#include "core/base/text.h"
#include "core/schema/pack.h"

#include <gmock/gmock.h>

namespace wb::schema {

namespace {

using testing::HasSubstr;

/// A good small pack; a test changes one thing in it.
constexpr std::string_view good = R"({
  "id": "tiny", "title": "Tiny", "state": "today", "root": "top",
  "forms": [{"key": "base", "form": "override", "holds": "recipe", "doc": "D."}],
  "shared": {"count": {"key": "count", "type": "integer", "default": 1, "limits": {"least": 1}, "group": "G", "doc": "D."}},
  "records": {
    "top": {"doc": "D.", "fields": [
      {"key": "mode", "type": "string", "default": "a", "choices": [{"value": "a", "doc": "A."}, {"value": "b", "doc": "B."}], "group": "G", "doc": "D."},
      "count",
      {"key": "part", "type": {"record": "part"}, "group": "G", "doc": "D."},
      {"key": "one", "type": {"variant": {"selector": "type", "default": "x", "records": {"x": "part"}}}, "group": "G", "doc": "D."}
    ]},
    "part": {"doc": "D.", "fields": [
      {"key": "type", "type": "string", "default": "x", "choices": [{"value": "x", "doc": "X."}], "group": "G", "doc": "D."},
      {"key": "names", "type": {"list": "string"}, "nullable": true, "default": null, "group": "G", "doc": "D.",
       "readBySelector": "mode", "readBy": ["b"], "otherNames": [{"name": "labels", "why": "schema 2 calls it so"}]}
    ]}
  }
})";

TEST(ReadPack, FillsEveryColumnOfARow)
{
    const auto pack = readPack(good, "tiny.json");
    ASSERT_TRUE(pack) << pack.error().message << "\n" << pack.error().detail;
    EXPECT_EQ((*pack)->id(), "tiny");
    EXPECT_EQ((*pack)->title(), "Tiny");
    EXPECT_EQ((*pack)->state(), "today");
    EXPECT_EQ((*pack)->root().name, "top");
    const Field& count = *(*pack)->root().find("count");
    EXPECT_EQ(count.type.kind, TypeKind::Integer);
    EXPECT_EQ(count.defaultValue, base::json::Value(1));
    EXPECT_EQ(count.limits.least, 1.0);
    const Field& names = *(*pack)->record("part")->find("names");
    EXPECT_EQ(names.type.kind, TypeKind::List);
    EXPECT_EQ(names.type.inner.at(0).kind, TypeKind::String);
    EXPECT_TRUE(names.nullable);
    EXPECT_TRUE(names.defaultValue && names.defaultValue->isNull()) << "a default of null is not the same as none";
    EXPECT_EQ(names.readBySelector, "mode");
    EXPECT_THAT(names.readBy, testing::ElementsAre("b"));
    EXPECT_EQ(names.otherNames.at(0).why, "schema 2 calls it so");
    EXPECT_FALSE((*pack)->root().find("part")->defaultValue) << "a record fills itself in";
}

struct Fault {
    const char* story;
    const char* from; ///< What is replaced in the good pack, once.
    const char* to;
    const char* told; ///< Part of the message.
};

class ReadPackFault : public testing::TestWithParam<Fault>
{
};

TEST_P(ReadPackFault, IsToldWithRecordAndField)
{
    std::string text(good);
    const std::size_t at = text.find(GetParam().from);
    ASSERT_NE(at, std::string::npos) << GetParam().from;
    text.replace(at, std::string_view(GetParam().from).size(), GetParam().to);
    const auto pack = readPack(text, "tiny.json");
    ASSERT_FALSE(pack) << "the fault passed";
    EXPECT_THAT(pack.error().message, HasSubstr("\"tiny.json\""));
    EXPECT_THAT(pack.error().message + "\n" + pack.error().detail, HasSubstr(GetParam().told));
}

const Fault faults[] = {
    {"UnknownType", R"("type": "integer")", R"("type": "int")", "top.count: the type \"int\" is not known."},
    {"NoType", R"("type": "integer", )", "", "top.count: \"type\" is missing."},
    {"UnknownAttribute", R"("limits")", R"("limit")", "top.count: the attribute \"limit\" is not known."},
    {"UnknownAttributeOfALimit", R"("least": 1})", R"("lest": 1})", "top.count: the attribute \"lest\" is not known."},
    {"NoDoc", R"("group": "G", "doc": "D."}})", R"("group": "G"}})", "top.count: \"doc\" is missing."},
    {"EmptyDoc", R"("group": "G", "doc": "D."}})", R"("group": "G", "doc": ""}})", "top.count: \"doc\" must be a text that is not empty."},
    {"NoGroup", R"("group": "G", "doc": "D."}})", R"("doc": "D."}})", "top.count: \"group\" is missing."},
    {"MissingRecord", R"({"record": "part"})", R"({"record": "parts"})", "top.part: there is no record \"parts\"."},
    {"MissingRecordOfAVariant", R"("records": {"x": "part"})", R"("records": {"x": "parts"})", "top.one: there is no record \"parts\"."},
    {"WordOfAVariantThatItsRecordLacks", R"("records": {"x": "part"})", R"("records": {"x": "part", "y": "part"})",
     "has no key \"type\" with the choice \"y\"."},
    {"DefaultOfAVariantThatIsNone", R"("default": "x", "records")", R"("default": "z", "records")",
     "top.one: the default \"z\" is none of the words of the variant."},
    {"MissingRoot", R"("root": "top")", R"("root": "tip")", "root: there is no record \"tip\"."},
    {"MissingSharedRow", R"(      "count",)", R"(      "counts",)", "top: there is no shared row \"counts\"."},
    {"UnusedSharedRow", R"(      "count",)", "", "shared.count: no record uses this row."},
    {"NoDefault", R"("default": 1, )", "", "top.count: \"default\" is missing."},
    {"DefaultOfARequiredKey", R"("default": 1, )", R"("default": 1, "required": true, )", "top.count: a required key has no use for"},
    {"DefaultOfAnotherType", R"("default": 1, )", R"("default": "1", )", "top.count: the default is not a whole number within the limits."},
    {"FractionAsDefaultOfAnInteger", R"("default": 1, )", R"("default": 1.5, )", "top.count: the default is not a whole number"},
    {"DefaultOutsideItsLimits", R"("default": 1, )", R"("default": 0, )",
     "top.count: the default is not a whole number within the limits."},
    {"NullAsDefaultWhereItIsRefused", R"("default": 1, )", R"("default": null, )", "top.count: the default is null"},
    {"DefaultThatIsNoChoice", R"("default": "a", "choices")", R"("default": "c", "choices")",
     "top.mode: the default \"c\" is none of the choices."},
    {"ChoiceTwice", R"({"value": "b")", R"({"value": "a")", "top.mode: the choice \"a\" is there twice."},
    {"ChoiceWithoutDoc", R"({"value": "b", "doc": "B."})", R"({"value": "b"})", "top.mode: \"doc\" is missing."},
    {"ChoicesOfANumber", R"("default": 1, )", R"("default": 1, "choices": [{"value": "a", "doc": "A."}], )",
     "top.count: only a text may have"},
    {"OpenWithoutChoices", R"("default": 1, )", R"("default": 1, "openChoices": true, )", "top.count: \"openChoices\" needs \"choices\"."},
    {"LimitsOfAText", R"({"list": "string"})", R"({"list": "string"}, "limits": {"least": 1})",
     "part.names: it has \"limits\", but no numbers."},
    {"LimitsUpsideDown", R"({"least": 1})", R"({"least": 1, "most": 0})", "top.count: \"least\" is above \"most\"."},
    {"LimitThatIsNoNumber", R"({"least": 1})", R"({"least": "1"})", "top.count: \"least\" must be a number."},
    {"FlagThatIsNone", R"("default": 1, )", R"("default": 1, "expert": "yes", )", "top.count: \"expert\" must be true or false."},
    {"KeyTwice", R"("key": "part")", R"("key": "mode")", "the key is there twice."},
    {"OtherNameThatIsAKey", R"("name": "labels")", R"("name": "type")", "part.names: its other name \"type\" is a key of the record."},
    {"OtherNameTwice", R"({"name": "labels",)", R"({"name": "labels", "why": "w"}, {"name": "labels",)",
     "part.names: its other name \"labels\" is given twice"},
    {"ReadByWithoutSelector", R"("readBySelector": "mode", )", "", "part.names: \"readBySelector\" and \"readBy\" go together."},
    {"ReadByAWordThatIsNone", R"("readBy": ["b"])", R"("readBy": ["c"])", "part.names: \"c\" is no choice of \"mode\"."},
    {"ReadBySelectorThatIsNone", R"("readBySelector": "mode")", R"("readBySelector": "part.names")",
     "part.names: \"readBySelector\" \"part.names\" is no key with choices."},
    {"UnionOfOne", R"({"list": "string"})", R"({"union": ["string"]})", "part.names: a union needs two types or more."},
    {"TypeThatSaysNothing", R"({"list": "string"})", R"({"nullValues": true})", "part.names: the type says neither"},
    {"RecordWithoutFields", R"("fields": [
      {"key": "mode")",
     R"("rows": [
      {"key": "mode")",
     "top: the attribute \"rows\" is not known."},
    {"UnknownForm", R"("form": "override")", R"("form": "overlay")", "forms.base: the form \"overlay\" is not known."},
    {"UnknownContent", R"("holds": "recipe")", R"("holds": "recipes")", "forms.base: the content \"recipes\" is not known."},
    {"UnknownTopAttribute", R"("title")", R"("titel")", "the attribute \"titel\" is not known."},
    {"RecordWithinItself", R"({"key": "names", "type": {"list": "string"})",
     R"({"key": "self", "type": {"record": "part"}, "group": "G", "doc": "D."}, {"key": "names", "type": {"list": "string"})",
     "part.self: the record \"part\" leads back here, so its defaults have no end"},
    {"RecordsWithinEachOther", R"({"key": "names", "type": {"list": "string"})",
     R"({"key": "up", "type": {"record": "top"}, "group": "G", "doc": "D."}, {"key": "names", "type": {"list": "string"})",
     "part.up: the record \"top\" leads back here"},
    {"NoJson", R"("id": )", R"(id: )", "Reading the pack"},
};

INSTANTIATE_TEST_SUITE_P(All, ReadPackFault, testing::ValuesIn(faults), [](const auto& one) { return std::string(one.param.story); });

TEST(ReadPack, TellsAllFaultsInTheDetail)
{
    std::string text = base::replacedAll(good, R"("default": 1, )", R"("default": 0, )");
    text = base::replacedAll(text, R"("group": "G")", R"("groep": "G")");
    const auto pack = readPack(text, "tiny.json");
    ASSERT_FALSE(pack);
    EXPECT_THAT(pack.error().detail, HasSubstr("top.count: the default is not a whole number within the limits."));
    EXPECT_THAT(pack.error().detail, HasSubstr("part.names: the attribute \"groep\" is not known."));
}

TEST(ReadPack, TakesARecordWithinItselfWhereTheDefaultEndsIt)
{
    const std::string tree =
        base::replacedAll(good, R"({"key": "names", "type": {"list": "string"})",
                          R"({"key": "self", "type": {"record": "part"}, "nullable": true, "default": null, "group": "G", )"
                          R"("doc": "D."}, {"key": "names", "type": {"list": "string"})");
    const auto pack = readPack(tree, "tree.json");
    ASSERT_TRUE(pack) << pack.error().message;
    EXPECT_FALSE(asText(**pack).empty());
    EXPECT_TRUE(asJsonSchema(**pack).isObject());
}

TEST(ReadPack, RefusesWhatIsNoObject)
{
    EXPECT_FALSE(readPack("[]", "list.json"));
    EXPECT_FALSE(readPack("", "empty.json"));
    EXPECT_FALSE(readPack(R"({"id": "a", "title": "b", "state": "c", "root": "d"})", "bare.json"));
    EXPECT_FALSE(readPack(R"({"id": "a", "title": "b", "state": "c", "root": "d", "records": []})", "listed.json"));
}

} // namespace

} // namespace wb::schema
