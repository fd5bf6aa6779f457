#include "core/base/text.h"
#include "core/recipe/migrate.h"
#include "core/recipe/migratecompare.h"
#include "core/schema/pack.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

#include <limits>

namespace wb::recipe {
namespace {

using test::Marked;
using testing::HasSubstr;
using testing::IsEmpty;

Migration migrated(const Marked& yaml)
{
    return migrate(syntax::parse(yaml.source()));
}

std::string textOf(const std::string& yaml)
{
    const Migration out = migrated(Marked(yaml));
    for (const MigrationNote& note : out.notes)
        EXPECT_FALSE(note.isRefused) << note.message;
    return out.text;
}

TEST(Migrate, MovesCountsEnvironmentsAndFlagsToTheRolesWithTheirComments)
{
    EXPECT_EQ(textOf("# about\n"
                     "name: a\n"
                     "resources:\n"
                     "  gpu_type: h100\n"
                     "  # two of them\n"
                     "  prefill_nodes: 2   # really\n"
                     "  prefill_workers: 4\n"
                     "  decode_nodes: 1\n"
                     "  decode_workers: 1\n"
                     "\n"
                     "backend:\n"
                     "  type: \"vllm\"  # the engine\n"
                     "  prefill_environment: &env\n"
                     "    A: '1'\n"
                     "  decode_environment: *env\n"
                     "  vllm_config:\n"
                     "    prefill:\n"
                     "      text: |\n"
                     "        two\n"
                     "\n"
                     "        lines\n"
                     "    # the other\n"
                     "    decode: {x: 1}\n"
                     "    # behind\n"
                     "\n"
                     "environment: {}\n"),
              "# about\n"
              "schema: 2\n"
              "name: a\n"
              "resources:\n"
              "  gpu_type: h100\n"
              "\n"
              "engine: \"vllm\"  # the engine\n"
              "roles:\n"
              "  prefill:\n"
              "    # two of them\n"
              "    nodes: 2   # really\n"
              "    workers: 4\n"
              "    env: &env\n"
              "      A: '1'\n"
              "    args:\n"
              "      text: |\n"
              "        two\n"
              "\n"
              "        lines\n"
              "  decode:\n"
              "    nodes: 1\n"
              "    workers: 1\n"
              "    env: *env\n"
              "    # the other\n"
              "    args: {x: 1}\n"
              "    # behind\n"
              "\n"
              "environment: {}\n");
}

TEST(Migrate, KeepsSettingsOfTheEngineInPlace)
{
    EXPECT_EQ(textOf("name: a\nresources: {agg_nodes: 1, agg_workers: 1, gpu_type: h100}\nbackend: # b\n    # kv\n    connector: null\n    "
                     "type: vllm\n    set_cuda_visible_devices: true\n"),
              "schema: 2\nname: a\nresources:\n  gpu_type: h100\nengine: # b\n    # kv\n    connector: null\n    type: vllm\n    "
              "set_visible_devices: true\nroles:\n"
              "  agg:\n    nodes: 1\n    workers: 1\n");
}

TEST(Migrate, WritesTheEngineThatIsMeantWithoutAWord)
{
    EXPECT_EQ(textOf("name: a\nresources:\n  agg_nodes: 1\n  gpu_type: h100\n"),
              "schema: 2\nname: a\nresources:\n  gpu_type: h100\nengine: sglang\nroles:\n  agg:\n    nodes: 1\n");
}

TEST(Migrate, RenamesTheRouterAndKeepsItsQuotes)
{
    EXPECT_THAT(textOf("name: a\nfrontend: {type: 'sglang'}\n"), HasSubstr("frontend: {type: 'sglang-router'}\n"));
    EXPECT_THAT(textOf("name: a\nfrontend:\n  type: dynamo # sglang\n"), HasSubstr("  type: dynamo # sglang\n"));
}

TEST(Migrate, MakesPlacementsOfNodes)
{
    EXPECT_EQ(textOf("name: a\nfrontend:\n  orchestrator_placement: first_decode # near\n  type: dynamo\nbenchmark:\n  type: manual\n  "
                     "client_dedicated_node: true # alone\n"
                     "engine: sglang\n"),
              "schema: 2\nname: a\nfrontend:\n  placement:\n    node: first_decode # near\n  type: dynamo\nbenchmark:\n  type: manual\n  "
              "placement:\n    node: dedicated # alone\n"
              "engine: sglang\n");
}

TEST(Migrate, GivesDynamoASource)
{
    EXPECT_THAT(textOf("name: a\ndynamo:\n  hash: 'abc' # pinned\n  install: true\n"),
                HasSubstr("dynamo:\n  source:\n    rev: 'abc' # pinned\n  install: true\n"));
    const std::string both = textOf("name: a\ndynamo:\n  version: '1.0'\n  wheel: '2.0'\n");
    EXPECT_THAT(both, HasSubstr("dynamo:\n  # version: '1.0'\n  source:\n    wheel: '2.0'\n")) << "the wheel won in schema 1 too";
    EXPECT_THAT(textOf("name: a\ndynamo: {version: null}\n"), HasSubstr("dynamo:\n  top_of_tree: true\n"));
}

TEST(Migrate, MakesServicesOfInfraAndStore)
{
    EXPECT_EQ(textOf("name: a\nresources:\n  gpu_type: h100\n  agg_nodes: 1\n  agg_workers: 1\ninfra:\n  nats_max_payload_mb: 32 # "
                     "large\nbackend:\n  mooncake_kv_store:\n    # where from\n"
                     "    container: mc\n    master_extra_args: [--x]\n    env:\n      MC: '1'\n"),
              "schema: 2\nname: a\nresources:\n  gpu_type: h100\nservices:\n  - name: etcd\n    type: etcd\n    placement:\n      node: "
              "infra\n  - name: nats\n    type: nats\n    placement:\n"
              "      node: infra\n    options:\n      max_payload_mb: 32 # large\n  - name: mooncake-master\n    type: mooncake-master\n   "
              " # where from\n    container: mc\n    args: [--x]\n"
              "engine: sglang\nroles:\n  agg:\n    nodes: 1\n    workers: 1\n    env:\n      MC: '1'\n");
}

TEST(Migrate, SaysTheGpusOfWorkersThatShareNodes)
{
    const std::string out = textOf("name: a\nresources:\n  gpus_per_node: 8\n  prefill_nodes: 1\n  prefill_workers: 2\n  decode_nodes: 0 # "
                                   "same\n  decode_workers: 1\n");
    EXPECT_THAT(
        out,
        HasSubstr(
            "  prefill:\n    nodes: 1\n    workers: 2\n    gpus: 4\n  decode:\n    nodes: colocate # same\n    workers: 1\n    gpus: 4\n"));
}

TEST(Migrate, TurnsWhatNothingReadsIntoComments)
{
    const Marked yaml("name: a\nresources:\n  agg_nodes: 1\nbackend:\n  [[prefill_environment]]:\n    A: '1'\nbenchmark:\n  type: manual\n "
                      " [[isl]]: 8\n");
    const Migration out = migrated(yaml);
    EXPECT_THAT(out.text, HasSubstr("  # prefill_environment:\n  #   A: '1'\n"));
    EXPECT_THAT(out.text, HasSubstr("  # isl: 8\n"));
    ASSERT_EQ(out.notes.size(), 2U);
    EXPECT_EQ(out.notes[0].range, yaml.range(0)) << "in the text as given";
    EXPECT_EQ(out.notes[1].range, yaml.range(1));
}

TEST(Migrate, UnfoldsBracesThatItTakesApartAndNoOthers)
{
    const std::string out = textOf("name: a\nmodel: {path: p}\ndynamo: {version: \"1.0\", install: true} # which\nresources: {gpu_type: "
                                   "h100, agg_nodes: 1, agg_workers: 1}\nbenchmark: {type: manual}\n");
    EXPECT_THAT(out, HasSubstr("model: {path: p}\ndynamo: # which\n  source:\n    pypi: \"1.0\"\n  install: true\n"));
    EXPECT_THAT(out, HasSubstr("benchmark: {type: manual}\n"));
}

TEST(Migrate, ChangesEveryVariantOfAFile)
{
    const std::string out =
        textOf("base:\n  name: a\n  resources:\n    gpu_type: h100\n    agg_nodes: 1\n    agg_workers: 1\n  dynamo:\n    version: '1.0'\n"
               "override_x:\n  resources:\n    agg_workers: 2\n  backend:\n    connector: null\n    type: vllm\n"
               "override_y:\n  dynamo:\n    hash: abc\n"
               "zip_override_z:\n  backend:\n    sglang_config:\n      aggregated:\n        a: [1, 2]\n");
    EXPECT_TRUE(out.starts_with("schema: 2\nbase:\n  name: a\n"));
    EXPECT_THAT(out, HasSubstr("  engine:\n    type: sglang\n  roles:\n    agg:\n      nodes: 1\n      workers: 1\n"))
        << "a bare word would be replaced by the variant";
    EXPECT_THAT(
        out,
        HasSubstr("override_x:\n  resources: {}\n  engine:\n    connector: null\n    type: vllm\n  roles:\n    agg:\n      workers: 2\n"));
    EXPECT_THAT(out, HasSubstr("override_y:\n  dynamo:\n    source:\n      rev: abc\n      pypi: null\n")) << "else both would be named";
    EXPECT_THAT(out, HasSubstr("zip_override_z:\n  roles:\n    agg:\n      args:\n        a: [1, 2]\n"));
}

TEST(Migrate, DropsARoleThatAVariantDoesAwayWith)
{
    const std::string out = textOf("base:\n  name: a\n  resources:\n    prefill_nodes: 1\n    prefill_workers: 1\n    decode_nodes: 1\n    "
                                   "decode_workers: 1\noverride_agg:\n  resources:\n"
                                   "    prefill_nodes: null\n    prefill_workers: null\n    decode_nodes: null\n    decode_workers: null\n "
                                   "   agg_nodes: 1\n    agg_workers: 1\n");
    EXPECT_THAT(out, HasSubstr("  roles:\n    prefill: null\n    decode: null\n    agg:\n      nodes: 1\n      workers: 1\n"));
}

TEST(Migrate, LeavesWhatItCannotAndSaysWhere)
{
    const Marked yaml("x-common: &c {prefill_nodes: 1}\nname: a\nresources:\n  [[<<]]: *c\n  gpu_type: h100\n  agg_nodes: 1\n");
    const Migration out = migrated(yaml);
    EXPECT_TRUE(out.hasRefusals());
    ASSERT_THAT(out.notes, testing::Not(IsEmpty()));
    EXPECT_EQ(out.notes.front().range, yaml.range());
    EXPECT_THAT(out.text, HasSubstr("  agg_nodes: 1\n")) << "half a move would be worse";
}

TEST(Migrate, LeavesATextWithErrors)
{
    for (const char* const yaml : {"a: [\n", "a: 1\na: 2\n", "", "- a\n", "schema: 3\nname: a\n", "a: 1\rb: 2\r"}) {
        const Migration out = migrated(Marked(yaml));
        EXPECT_EQ(out.text, yaml);
        EXPECT_FALSE(out.changed);
        EXPECT_TRUE(out.hasRefusals()) << yaml;
    }
}

TEST(Migrate, IsDoneOnce)
{
    const std::string once = textOf("name: a\nresources:\n  gpu_type: h100\n  agg_nodes: 1\n  agg_workers: 1\nfrontend:\n  type: sglang\n");
    const Migration again = migrated(Marked(once));
    EXPECT_EQ(again.text, once) << "\"sglang\" means another frontend there";
    EXPECT_FALSE(again.changed);
    EXPECT_TRUE(again.wasSecond);
}

TEST(Migrate, KeepsLineEndsAndAMissingLast)
{
    EXPECT_EQ(textOf("name: a\r\nresources:\r\n  agg_nodes: 1\r\n  gpu_type: h100"),
              "schema: 2\r\nname: a\r\nresources:\r\n  gpu_type: h100\r\nengine: sglang\r\nroles:\r\n  agg:\r\n    nodes: 1");
}

TEST(Migrate, TakesAnOlderDraftOfSchema2)
{
    EXPECT_EQ(textOf("schema: 2\nname: a\nbackend:\n  type: sglang\nroles:\n  decode: {nodes: 0}\n"),
              "schema: 2\nname: a\nengine: sglang\nroles:\n  decode: {nodes: colocate}\n");
}

TEST(Migrate, RefusesGpusThatNoNumberHolds)
{
    const Migration out =
        migrated(Marked("name: a\nresources:\n  gpu_type: h100\n  gpus_per_node: 8\n  prefill_nodes: 9223372036854775807\n"
                        "  prefill_workers: 1\n  decode_nodes: 0\n  decode_workers: 1\n"));
    EXPECT_TRUE(out.hasRefusals());
    EXPECT_THAT(out.text, testing::Not(HasSubstr("gpus: -")));
}

TEST(Migrate, CountsWithTheDefaultOfTheLanguage)
{
    EXPECT_THAT(textOf("name: a\nresources:\n  gpu_type: h100\n  prefill_nodes: 2\n  prefill_workers: 1\n  decode_nodes: 0\n"
                       "  decode_workers: 1\n"),
                HasSubstr("gpus: 8\n"));
}

TEST(LanguageDifferences, CountFiguresBeyondAllNumbersAsNone)
{
    Job job;
    job.resources.gpusPerNode = 8;
    job.resources.aggNodes = std::numeric_limits<std::int64_t>::max();
    job.resources.aggWorkers = 1;
    job.config = syntax::makeNull(syntax::Layer::Default);
    EXPECT_THAT(differences(job, job), IsEmpty());
}

TEST(LanguageDifferences, AreWholeSentences)
{
    for (const LanguageDifference& row : languageDifferences()) {
        EXPECT_THAT(std::string(row.reason), testing::EndsWith(".")) << row.path;
        EXPECT_FALSE(row.path.empty());
    }
}

const std::string disaggregated =
    "base:\n  name: a\n  resources:\n    gpu_type: h100\n    gpus_per_node: 8\n    prefill_nodes: 1\n    "
    "prefill_workers: 1\n    decode_nodes: 1\n    decode_workers: 1\n  benchmark:\n    type: sa-bench\n    isl: "
    "1024\n    concurrencies: [4]\n";

TEST(Migrate, KeepsTheNullsThatDeleteKeysOfTheBase)
{
    const std::string text =
        textOf(disaggregated + "override_a:\n  benchmark:\n    type: gsm8k\n    isl: null\n    concurrencies: null\n    num_shots: 5\n");
    EXPECT_THAT(text, HasSubstr("    type: gsm8k\n    isl: null\n    concurrencies: null\n"));
    EXPECT_THAT(textOf("name: a\nbenchmark:\n  type: gsm8k\n  isl: null\n"), HasSubstr("# isl: null"))
        << "in a plain recipe they say nothing";
}

TEST(Migrate, RefusesWhatIsAnotherThingInEachJob)
{
    const auto refusedAt = [](const std::string& text, const std::string& place) {
        const Migration out = migrated(Marked(text));
        EXPECT_TRUE(out.hasRefusals()) << text;
        for (const MigrationNote& note : out.notes) {
            EXPECT_EQ(note.message.find("which wins"), std::string::npos) << note.message;
            if (note.isRefused) {
                EXPECT_EQ(text.substr(note.range.begin, place.size()), place) << note.message;
            }
        }
        return out.text;
    };
    const std::string kept =
        refusedAt(disaggregated + "zip_override_a:\n  resources: [{decode_nodes: 1}, {decode_nodes: 2}]\n", "resources: [");
    EXPECT_THAT(kept, testing::Not(HasSubstr("null")));
    EXPECT_THAT(kept, HasSubstr("resources: [{decode_nodes: 1}, {decode_nodes: 2}]"));
    refusedAt(disaggregated + "zip_override_a:\n  backend: [{type: vllm}, {type: sglang}]\n", "backend: [");
    refusedAt(disaggregated + "zip_override_a:\n  frontend: [{type: sglang}, {type: dynamo}]\n", "frontend: [");
    refusedAt(disaggregated + "zip_override_a:\n  dynamo:\n    version: ['0.8.0', null]\n    hash: [null, abcdef1]\n", "version: [");
    refusedAt(disaggregated + "zip_override_a:\n  benchmark:\n    type: [sa-bench, gsm8k]\n    osl: [1024, 1024]\n", "osl: [");
    const std::string swept = "name: a\nresources:\n  gpu_type: h100\n  prefill_nodes: 1\n  prefill_workers: 1\n  decode_nodes: \"{d}\"\n  "
                              "decode_workers: 1\nsweep:\n  d: [0, 1]\n";
    refusedAt(swept, "decode_nodes: \"{d}\"");
    refusedAt("name: a\nfrontend:\n  type: \"{f}\"\nsweep:\n  f: [sglang, dynamo]\n", "sglang, dynamo");
    EXPECT_FALSE(migrated(Marked(base::replacedAll(swept, "[0, 1]", "[1, 2]"))).hasRefusals());
    EXPECT_FALSE(migrated(Marked(disaggregated + "zip_override_a:\n  dynamo:\n    version: ['0.8.0', '0.8.1']\n")).hasRefusals());
}

TEST(Migrate, SaysTheFirstRealProblemAtItsLine)
{
    const auto first = [](const Marked& yaml) {
        const Migration out = migrated(yaml);
        EXPECT_FALSE(out.changed);
        EXPECT_EQ(out.notes.size(), 1U);
        EXPECT_EQ(yaml.source()->lineCol(out.notes.at(0).range.begin).line, 2U) << out.notes.at(0).message;
        return out.notes.at(0).message;
    };
    EXPECT_THAT(first(Marked("name: a\nname: b\n")), HasSubstr("\"name\" is set twice"));
    EXPECT_THAT(first(Marked("model:\n\tpath: b\n")), HasSubstr("tab"));
    EXPECT_THAT(first(Marked("name: a\nmodel: [\n")), HasSubstr("nothing was migrated"));
}

TEST(Migrate, KeepsAByteOrderMarkInFront)
{
    EXPECT_EQ(textOf("\xEF\xBB\xBF"
                     "# about\nname: a\nbackend:\n  type: vllm\n"),
              "\xEF\xBB\xBF"
              "# about\nschema: 2\nname: a\nengine: vllm\n");
    EXPECT_THAT(textOf("\xEF\xBB\xBF"
                       "name: a\nbackend:\n  type: vllm\n"),
                testing::StartsWith("\xEF\xBB\xBF"
                                    "schema: 2\nname: a\n"));
}

} // namespace
} // namespace wb::recipe
