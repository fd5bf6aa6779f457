// The proof of the migration on real recipes: every one of the corpus, and pairs that were published in both languages.
#include "core/base/text.h"
#include "core/check/verify.h"
#include "core/recipe/migrate.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

namespace wb::check {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

std::shared_ptr<const syntax::SourceText> sourceOf(const std::string& text)
{
    return std::make_shared<syntax::SourceText>(text, "recipe.yaml");
}

recipe::Migration migrated(const std::string& text)
{
    return recipe::migrate(syntax::parse(sourceOf(text)));
}

Verified verified(const std::string& text)
{
    return verifyMigration(sourceOf(text), sourceOf(migrated(text).text), {});
}

std::string story(const Verified& proof)
{
    std::string out;
    for (const VerifyFault& fault : proof.faults)
        out += fault.message + "\n";
    for (const VerifiedDifference& found : proof.differences) {
        if (found.difference.reason.empty())
            out += found.variant + " " + found.difference.path + ": " + found.difference.first + " | " + found.difference.second + "\n";
    }
    return out;
}

/// The comments of a text, without their places.
std::multiset<std::string> commentsOf(const std::string& text)
{
    std::multiset<std::string> out;
    for (const std::string_view line : base::splitAt(text, '\n')) {
        const std::string_view trimmed = base::trimmed(line);
        if (trimmed.starts_with('#'))
            out.emplace(trimmed);
    }
    return out;
}

std::vector<fs::path> recipesBelow(const std::string& folder)
{
    std::vector<fs::path> out;
    for (const auto& entry : fs::recursive_directory_iterator(*test::shared(folder))) {
        if (entry.path().extension() == ".yaml" || entry.path().extension() == ".yml")
            out.push_back(entry.path());
    }
    std::sort(out.begin(), out.end());
    return out;
}

struct Exception {
    std::string_view name;
    std::string_view reason;
};
/// Recipes of schema 1 whose migration cannot be proved.
constexpr std::array<Exception, 3> notProved = {{
    {"enable-profiling.yaml", "it is no valid recipe of schema 1: an unknown key below profiling"},
    {"1p1d-dep4tp4-gsm8k-bench.yaml", "its benchmark does not exist; schema 1 finds out in the job, schema 2 refuses the recipe"},
    {"1p1d-dep4tp4-staging-gsm8k-bench.yaml", "its benchmark does not exist; schema 1 finds out in the job, schema 2 refuses the recipe"},
}};

TEST(MigrationOfTheCorpus, IsProvedLosesNoCommentAndIsDoneOnce)
{
    SRTWB_NEEDS_SHARED("corpus/v1/recipes");
    std::size_t count = 0;
    std::size_t proved = 0;
    for (const char* const folder : {"corpus/v1/recipes", "corpus/v1/examples"}) {
        for (const fs::path& path : recipesBelow(folder)) {
            ++count;
            const std::string text = test::bytesOf(path);
            const recipe::Migration migration = migrated(text);
            const auto before = commentsOf(text);
            const auto after = commentsOf(migration.text);
            EXPECT_TRUE(std::includes(after.begin(), after.end(), before.begin(), before.end())) << path << " lost a comment";
            EXPECT_EQ(migrated(migration.text).text, migration.text) << path << " changes when it is migrated again";
            const Verified proof = verifyMigration(sourceOf(text), sourceOf(migration.text), {});
            proved += proof.equal ? 1 : 0;
            const std::string name = path.filename().string();
            const bool isException =
                std::any_of(notProved.begin(), notProved.end(), [&](const Exception& known) { return known.name == name; });
            EXPECT_EQ(proof.equal, !isException) << path << "\n" << story(proof);
        }
    }
    EXPECT_EQ(count, 560U);
    EXPECT_EQ(proved, 557U);
}

/// What the authors of the pairs changed beside the language (corpus/README.md): the client of the fixed-sequence runs became a script of
/// theirs that takes its lengths from the environment, the script of the agentic ones moved, and a drafter got other options.
struct AuthorsOwn {
    std::string_view pairs; ///< How their names begin.
    std::string_view path;
    std::string_view first; ///< Empty: whatever it was.
    std::string_view second;
};
constexpr std::string_view none = "—";
constexpr std::string_view drafter = R"("{"method":"eagle3","model":"Inferact/MiniMax-M3-EAGLE3-GQA",...")";
constexpr std::array authorsOwn = {
    AuthorsOwn{"dsr1__sglang__b200-fp4__8k1k__", "benchmark.type", R"("sa-bench")", R"("custom")"},
    AuthorsOwn{"dsr1__sglang__b200-fp4__8k1k__", "benchmark.command", none,
               R"("bash /infmax-workspace/benchmarks/multi_node/srt_fixed_seque...")"},
    AuthorsOwn{"dsr1__sglang__b200-fp4__8k1k__", "benchmark.concurrencies", {}, none},
    AuthorsOwn{"dsr1__sglang__b200-fp4__8k1k__", "benchmark.isl", "8192", none},
    AuthorsOwn{"dsr1__sglang__b200-fp4__8k1k__", "benchmark.osl", "1024", none},
    AuthorsOwn{"dsr1__sglang__b200-fp4__8k1k__", "benchmark.req_rate", "300", R"("inf")"},
    AuthorsOwn{"dsr1__sglang__b200-fp4__8k1k__", "benchmark.env.ISL", none, R"("8192")"},
    AuthorsOwn{"dsr1__sglang__b200-fp4__8k1k__", "benchmark.env.OSL", none, R"("1024")"},
    AuthorsOwn{"dsr1__sglang__b200-fp4__8k1k__", "benchmark.env.MODEL", none, R"("deepseek-ai/DeepSeek-R1")"},
    AuthorsOwn{"dsr1__sglang__b200-fp4__8k1k__", "benchmark.env.TOKENIZER", none, R"("/model")"},
    AuthorsOwn{"", "benchmark.command", R"("bash /infmax-workspace/benchmarks/multi_node/agentic_srt.sh")",
               R"("bash /infmax-workspace/benchmarks/srt_agentic.sh")"},
    AuthorsOwn{"minimaxm3__vllm__gb300-fp4__agentx__", "backend.vllm_config.decode.speculative-config", drafter, drafter},
    AuthorsOwn{"minimaxm3__vllm__gb300-fp4__agentx__", "backend.vllm_config.prefill.speculative-config", drafter, drafter},
};

bool isAuthorsOwn(const std::string& pair, const recipe::JobDifference& found)
{
    return std::any_of(authorsOwn.begin(), authorsOwn.end(), [&](const AuthorsOwn& row) {
        return pair.starts_with(row.pairs) && found.path == row.path && (row.first.empty() || found.first == row.first) &&
               found.second == row.second;
    });
}

TEST(MigrationOfPairs, GivesTheJobThatWasPublished)
{
    SRTWB_NEEDS_SHARED("corpus/v2/pairs");
    Facts facts;
    facts.pack = schema::builtInPack("v2");
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(*test::shared("corpus/v2/pairs"))) {
        ++count;
        const std::string text = test::bytesOf(entry.path() / "v1.yaml");
        const recipe::Migration migration = migrated(text);
        EXPECT_FALSE(migration.hasRefusals()) << entry.path();
        EXPECT_TRUE(verifyMigration(sourceOf(text), sourceOf(migration.text), {}).equal) << entry.path();
        const Checked ours = check(sourceOf(migration.text), facts);
        const Checked theirs = check(sourceOf(test::bytesOf(entry.path() / "v2.genuine.yaml")), facts);
        ASSERT_EQ(ours.variants.size(), theirs.variants.size()) << entry.path();
        ASSERT_TRUE(ours.variants.front().job && theirs.variants.front().job) << entry.path();
        EXPECT_EQ(ours.variants.front().counts.nodes, theirs.variants.front().counts.nodes) << entry.path();
        for (const recipe::JobDifference& found : recipe::differences(*ours.variants.front().job, *theirs.variants.front().job))
            EXPECT_TRUE(isAuthorsOwn(entry.path().filename(), found))
                << entry.path() << ": " << found.path << " is " << found.first << " and was published as " << found.second;
    }
    EXPECT_EQ(count, 15U);
}

const std::string frame = "name: n\nmodel: {path: p, container: c, precision: fp8}\n";

TEST(Verify, ExplainsTheDifferencesOfTheLanguages)
{
    const Verified proof = verified(frame + "resources:\n  gpu_type: h100\n  agg_nodes: 1\n  agg_workers: 1\nbackend:\n  type: "
                                            "trtllm\nobservability:\n  enabled: true\n  scrape_metrics: true\n");
    EXPECT_TRUE(proof.equal) << story(proof);
    std::vector<std::string> paths;
    for (const VerifiedDifference& found : proof.differences)
        paths.push_back(found.difference.path);
    EXPECT_THAT(paths, testing::Contains("observability.tachometer.enabled"));
    EXPECT_THAT(paths, testing::Contains("observability.scrape_metrics"));
    EXPECT_THAT(paths, testing::Contains("backend.trtllm_config.aggregated.enable_iter_perf_stats"));
    EXPECT_THAT(paths, testing::Not(testing::Contains("observability.scrape_output"))) << "a default that nobody asked for";
}

TEST(Verify, SeesEveryKindOfDifference)
{
    const std::string before = frame + "resources:\n  gpu_type: h100\n  gpus_per_node: 8\n  agg_nodes: 1\n  agg_workers: 2\nbackend:\n  "
                                       "type: vllm\n  aggregated_environment:\n    A: '1'\n"
                                       "  vllm_config:\n    aggregated:\n      x: 1\n";
    const std::string after = migrated(before).text;
    EXPECT_TRUE(verifyMigration(sourceOf(before), sourceOf(after), {}).equal);
    for (const auto& [from, to] :
         {std::pair("workers: 2", "workers: 1"), std::pair("A: '1'", "A: '2'"), std::pair("A: '1'", "B: '1'"), std::pair("x: 1", "x: '1'"),
          std::pair("x: 1", "x: 1\n      y: 2"), std::pair("engine: vllm", "engine: {type: vllm, connector: kvbm}"),
          std::pair("nodes: 1", "nodes: 2"), std::pair("precision: fp8", "precision: fp4"), std::pair("name: n", "name: m")}) {
        const std::string changed = base::replacedAll(after, from, to);
        ASSERT_NE(changed, after) << from;
        EXPECT_FALSE(verifyMigration(sourceOf(before), sourceOf(changed), {}).equal) << from << " became " << to;
    }
}

TEST(Verify, SaysWhyItCannotCompare)
{
    const Verified broken = verifyMigration(sourceOf(frame), sourceOf("schema: 2\n" + frame), {});
    EXPECT_FALSE(broken.equal);
    ASSERT_EQ(broken.faults.size(), 2U);
    EXPECT_THAT(broken.faults[0].message, HasSubstr("schema 1 has an error in line"));
    EXPECT_TRUE(broken.faults[0].range);
    EXPECT_FALSE(broken.faults[1].range) << "a place in the migrated text is none in the recipe";
}

TEST(Verify, HoldsForFilesWithVariants)
{
    const Verified proof = verified("base:\n  name: n\n  model: {path: p, container: c, precision: fp8}\n  resources:\n    gpu_type: "
                                    "h100\n    gpus_per_node: 8\n    prefill_nodes: 1\n    prefill_workers: 4\n"
                                    "    decode_nodes: 0\n    decode_workers: 1\n    gpus_per_prefill: 1\n  dynamo:\n    version: '1.0'\n  "
                                    "backend:\n    kv_events_config: true\n    sglang_config:\n      prefill:\n        a: 1\n"
                                    "override_hash:\n  dynamo:\n    hash: abcdef\n"
                                    "override_agg:\n  resources:\n    prefill_nodes: null\n    prefill_workers: null\n    decode_nodes: "
                                    "null\n    decode_workers: null\n    agg_nodes: 1\n    agg_workers: 1\n"
                                    "override_apart:\n  resources:\n    decode_nodes: 1\n"
                                    "zip_override_z:\n  resources:\n    decode_nodes: [1, 2]\n    decode_workers: [1, 2]\n");
    EXPECT_TRUE(proof.equal) << story(proof);
}

TEST(Verify, ReadsTheFirstLanguageWithoutItsSchema)
{
    const std::string text =
        "  # first\nschema: 1  # old\n" + frame + "resources:\n  gpu_type: h100\n  gpus_per_node: 8\n  agg_nodes: 1\n  agg_workers: 2\n";
    const Verified proof = verified(text);
    EXPECT_TRUE(proof.equal) << story(proof);
    const Verified bad = verified("schema: 1\n" + frame + "resources: {gpu_type: h100}\nx-none: 1\n");
    ASSERT_FALSE(bad.faults.empty());
    EXPECT_EQ(bad.faults[0].message.find("\"schema\""), std::string::npos) << bad.faults[0].message;
    EXPECT_TRUE(bad.faults[0].range);
}

TEST(Verify, HoldsForAnOverrideThatTakesKeysAway)
{
    const Verified proof = verified(
        "base:\n  name: a\n  model: {path: /models/x, container: img:1, precision: fp8}\n  resources:\n    gpu_type: gb200\n    "
        "gpus_per_node: 4\n"
        "    agg_nodes: 1\n    agg_workers: 1\n  backend:\n    type: sglang\n  benchmark:\n    type: sa-bench\n    isl: 1024\n    osl: "
        "1024\n"
        "    concurrencies: [4, 8]\noverride_a:\n  benchmark:\n    type: gsm8k\n    concurrencies: null\n    isl: null\n    osl: null\n");
    EXPECT_TRUE(proof.equal) << story(proof);
}

} // namespace
} // namespace wb::check
