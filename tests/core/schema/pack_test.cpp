#include "core/schema/pack.h"

#include <gmock/gmock.h>

namespace wb::schema {

namespace {

using testing::ElementsAre;
using testing::IsNull;
using testing::NotNull;

std::shared_ptr<const Pack> v1()
{
    return builtInPack("v1");
}

TEST(BuiltInPacks, AreBothLanguagesEachWithItsClusterFile)
{
    EXPECT_THAT(builtInPackIds(), ElementsAre("v1", "v2", "cluster", "cluster-v2"));
    for (const std::string_view id : builtInPackIds()) {
        const auto pack = builtInPack(id);
        ASSERT_THAT(pack, NotNull()) << id;
        EXPECT_EQ(pack->id(), id);
        EXPECT_EQ(pack->state(), id.ends_with("v2") ? "2.x" : "2026-08-21");
    }
    EXPECT_THAT(builtInPack("v7"), IsNull());
}

TEST(BuiltInPacks, AreReadOnce)
{
    EXPECT_EQ(builtInPack("v1"), builtInPack("v1"));
}

TEST(PackLookUp, FindsFieldsByKeyAndNothingElse)
{
    const Record* benchmark = v1()->record("benchmark");
    ASSERT_THAT(benchmark, NotNull());
    for (const Field& field : benchmark->fields)
        EXPECT_EQ(benchmark->find(field.key), &field) << field.key;
    EXPECT_THAT(benchmark->find("concurrency_list"), IsNull());
    EXPECT_THAT(benchmark->find(""), IsNull());
    EXPECT_THAT(benchmark->find("zzz"), IsNull());
}

TEST(PackLookUp, FindsFieldsOfARecordMadeByHand)
{
    Record record;
    record.fields.resize(2);
    record.fields[0].key = "b";
    record.fields[1].key = "a";
    EXPECT_EQ(record.find("a"), &record.fields[1]);
    EXPECT_THAT(record.find("c"), IsNull());
}

TEST(PackLookUp, TellsWhichFieldAForeignNameMeans)
{
    const auto [field, name] = v1()->record("benchmark")->findByOtherName("concurrency_list");
    ASSERT_THAT(field, NotNull());
    EXPECT_EQ(field->key, "concurrencies");
    EXPECT_EQ(name->name, "concurrency_list");
    EXPECT_THAT(v1()->record("benchmark")->findByOtherName("concurrencies").first, IsNull()) << "a key is not a foreign name";
}

TEST(PackLookUp, GivesTheRecordOfAVariantByItsWord)
{
    const Field* backend = v1()->root().find("backend");
    ASSERT_THAT(backend, NotNull());
    EXPECT_EQ(backend->type.selectorDefault, "sglang");
    EXPECT_EQ(v1()->recordFor(backend->type, "vllm")->name, "vllm_backend");
    EXPECT_THAT(v1()->recordFor(backend->type, "VLLM"), IsNull()) << "words count by case";
    EXPECT_THAT(v1()->recordFor(backend->type, ""), IsNull());
}

TEST(PackLookUp, GivesTheRecordOfARecordWhateverTheWord)
{
    const Field* model = v1()->root().find("model");
    EXPECT_EQ(v1()->recordFor(model->type, "any")->name, "model");
    EXPECT_THAT(v1()->recordFor(v1()->root().find("name")->type, ""), IsNull()) << "a text has no record";
}

TEST(PackLookUp, FollowsADottedPath)
{
    EXPECT_EQ(v1()->fieldAt("benchmark.type"), v1()->record("benchmark")->find("type"));
    EXPECT_EQ(v1()->fieldAt("observability.tachometer.dcgm_exporter.port"), v1()->record("exporter")->find("port"));
    EXPECT_EQ(v1()->fieldAt("backend.sglang_config"), v1()->record("sglang_backend")->find("sglang_config"));
    EXPECT_THAT(v1()->fieldAt("benchmark.type.more"), IsNull());
    EXPECT_THAT(v1()->fieldAt("nothing.type"), IsNull());
}

// Every key of every job is looked up; ten thousand jobs of a sweep have half a second in all. The bound is wide for slow machines and
// builds without optimisation: it fails when a look-up walks or copies what it should not.
TEST(FormKeys, MatchNamesBehindThePrefixOnly)
{
    const FormKey overrides{.key = "override_*", .form = Form::Override, .holds = Content::Changes, .doc = "d"};
    EXPECT_TRUE(overrides.matches("override_tp8"));
    EXPECT_FALSE(overrides.matches("override_"));
    EXPECT_FALSE(overrides.matches("zip_override_tp8"));
    const FormKey base{.key = "base", .form = Form::Override, .holds = Content::Recipe, .doc = "d"};
    EXPECT_TRUE(base.matches("base"));
    EXPECT_FALSE(base.matches("base2"));
}

TEST(FormKeys, OfV1MakeOverrideFilesAndSweeps)
{
    std::vector<std::string> keys;
    for (const FormKey& form : v1()->forms())
        keys.push_back(form.key);
    EXPECT_THAT(keys, ElementsAre("base", "override_*", "zip_override_*", "x-*", "sweep", "lock"));
    EXPECT_THAT(builtInPack("cluster")->forms(), testing::IsEmpty());
}

TEST(Limits, RefuseTheLeastItselfOnlyWhenTheySaySo)
{
    const Limits closed{.least = 0, .most = 1};
    EXPECT_TRUE(closed.allow(0));
    EXPECT_TRUE(closed.allow(1));
    EXPECT_FALSE(closed.allow(-0.001));
    EXPECT_FALSE(closed.allow(1.001));
    const Limits open{.least = 0, .most = {}, .aboveLeast = true};
    EXPECT_FALSE(open.allow(0));
    EXPECT_TRUE(open.allow(1e300));
    EXPECT_TRUE(Limits{}.allow(-1e300));
}

TEST(InWords, SaysTypesAsMessagesNeedThem)
{
    const auto words = [](std::string_view path) { return inWords(v1()->fieldAt(path)->type); };
    EXPECT_EQ(words("name"), "a text");
    EXPECT_EQ(words("resources.gpus_per_node"), "a whole number");
    EXPECT_EQ(words("benchmark.top_p"), "a number");
    EXPECT_EQ(words("dynamo.install"), "true or false");
    EXPECT_EQ(words("benchmark.concurrencies"), "a list of whole numbers or a text");
    EXPECT_EQ(words("backend.kv_events_config"), "true or false or a mapping of values");
    EXPECT_EQ(words("environment"), "a mapping of texts");
    EXPECT_EQ(words("container_mounts"), "a mapping of paths");
    EXPECT_EQ(words("model"), "a mapping");
}

} // namespace

} // namespace wb::schema
