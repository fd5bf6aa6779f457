#include "core/recipe/coerce.h"
#include "core/recipe/defaults.h"
#include "core/recipe/lower.h"
#include "core/recipe/reader.h"
#include "core/recipe/rules.h"
#include "core/syntax/yaml.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

#include <set>

namespace wb::recipe {
namespace {

using syntax::Code;
using syntax::Diagnostic;
using test::Marked;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string frame =
    "name: n\nmodel: {path: p, container: c, precision: fp8}\nresources: {gpu_type: h100, agg_nodes: 1, agg_workers: 1}\n";

struct Read {
    syntax::Parsed parsed;
    Reader::Outcome outcome;
};

Read readRecipe(const Marked& yaml)
{
    Read out;
    out.parsed = syntax::parse(yaml.source());
    Reader reader(schema::builtInPack("v1"));
    out.outcome = reader.read(out.parsed.root);
    return out;
}

std::vector<std::string> codes(const std::vector<Diagnostic>& problems)
{
    std::vector<std::string> out;
    for (const Diagnostic& problem : problems)
        out.emplace_back(syntax::id(problem));
    return out;
}

TEST(Reader, WritesEveryDefaultOut)
{
    const Read read = readRecipe(Marked(frame));
    EXPECT_THAT(read.outcome.diagnostics, IsEmpty());
    EXPECT_EQ(syntax::at(read.outcome.config, "health_check.max_attempts")->integer, 180);
    EXPECT_EQ(syntax::at(read.outcome.config, "backend.type")->text, "sglang");
    EXPECT_EQ(syntax::at(read.outcome.config, "frontend.enable_multiple_frontends")->layer, syntax::Layer::Default);
    EXPECT_EQ(syntax::at(read.outcome.config, "resources.agg_nodes")->layer, syntax::Layer::Base);
}

TEST(Reader, OffersTheNearestKeyForAnUnknownOne)
{
    const Marked yaml(frame + "benchmark:\n  [[concurencies]]: [4]\n");
    const Read read = readRecipe(yaml);
    ASSERT_THAT(codes(read.outcome.diagnostics), ElementsAre("unknown-key"));
    EXPECT_EQ(read.outcome.diagnostics[0].range, yaml.range());
    EXPECT_THAT(syntax::applyEdits(yaml.text(), read.outcome.diagnostics[0].fixes.at(0).edits), HasSubstr("\n  concurrencies: [4]\n"));
    EXPECT_EQ(syntax::at(read.outcome.config, "model.path")->text, "p") << "one wrong key must not spoil the others";
}

TEST(Reader, SaysWhichBlockAKeyBelongsTo)
{
    const Read read = readRecipe(Marked(frame + "backend:\n  gpus_per_node: 4\n"));
    ASSERT_EQ(read.outcome.diagnostics.size(), 1U);
    EXPECT_THAT(read.outcome.diagnostics[0].message, HasSubstr("\"resources\""));
}

TEST(Reader, TellsWhyAnUnquotedTimeIsANumberAndQuotesIt)
{
    const Marked yaml(frame + "slurm:\n  time_limit: [[4:00:00]]\n");
    const Read read = readRecipe(yaml);
    ASSERT_THAT(codes(read.outcome.diagnostics), ElementsAre("base-sixty"));
    EXPECT_EQ(read.outcome.diagnostics[0].range, yaml.range());
    EXPECT_THAT(read.outcome.diagnostics[0].message, HasSubstr("14400"));
    EXPECT_THAT(syntax::applyEdits(yaml.text(), read.outcome.diagnostics[0].fixes.at(0).edits), HasSubstr("time_limit: \"4:00:00\""));
}

TEST(Reader, RefusesWhatTheClusterRefuses)
{
    const std::vector<std::pair<std::string, std::string>> wrong = {
        {"environment: {PORT: 8000}", "wrong-type"},
        {"environment: [A=B]", "wrong-type"},
        {"backend: vllm", "wrong-type"},
        {"backend:", "null"},
        {"benchmark:", "null"},
        {"slurm: {partition: no}", "wrong-type"},
        {"dynamo: {version: 1.0}", "wrong-type"},
        {"benchmark: {concurrencies: 256}", "wrong-type"},
        {"frontend: {num_additional_frontends: yes}", "wrong-type"},
        {"benchmark: {type: sa-bench, isl: -5}", "out-of-range"},
        {"backend: {type: tensorrt}", "not-a-choice"},
        {"extra_mount: /a:/b", "wrong-type"},
        {"health_check: {max_attempts: 1e3}", "wrong-type"},
        {"benchmark: {isl: 1000000000000000000000000000000}", "number-too-large"},
    };
    for (const auto& [line, code] : wrong) {
        const Read read = readRecipe(Marked(frame + line + "\n"));
        ASSERT_EQ(read.outcome.diagnostics.size(), 1U) << line;
        const std::string expected = code == "null" ? std::string(syntax::id(Code::NotNull)) : code;
        EXPECT_EQ(syntax::id(read.outcome.diagnostics[0]), expected) << line << ": " << read.outcome.diagnostics[0].message;
        EXPECT_FALSE(read.outcome.diagnostics[0].range.isEmpty()) << line;
    }
}

TEST(Reader, TakesWhatTheClusterTakesAndChangesItLikewise)
{
    const Read read = readRecipe(Marked("name: n\nmodel: {path: p, container: c, precision: fp8}\n"
                                        "resources: {gpu_type: h100, gpus_per_node: \" 8 \", agg_nodes: 1.0, agg_workers: \"1_0\"}\n"
                                        "frontend: {enable_multiple_frontends: \"off\", dedicated_node: 1}\nbenchmark: "
                                        "{type: sa-bench, random_range_ratio: \"1e-3\", concurrencies: [\"4\", 8]}\n"));
    EXPECT_THAT(read.outcome.diagnostics, IsEmpty());
    EXPECT_EQ(syntax::at(read.outcome.config, "resources.gpus_per_node")->integer, 8);
    EXPECT_EQ(syntax::at(read.outcome.config, "resources.agg_workers")->integer, 10);
    EXPECT_EQ(syntax::at(read.outcome.config, "resources.agg_nodes")->kind, syntax::Kind::Integer);
    EXPECT_FALSE(syntax::at(read.outcome.config, "frontend.enable_multiple_frontends")->boolean);
    EXPECT_TRUE(syntax::at(read.outcome.config, "frontend.dedicated_node")->boolean);
    EXPECT_EQ(syntax::at(read.outcome.config, "benchmark.random_range_ratio")->number, 0.001);
    EXPECT_EQ(syntax::at(read.outcome.config, "benchmark.concurrencies")->items.at(0)->integer, 4);
}

TEST(Reader, WarnsWhereAFractionIsCut)
{
    const Marked yaml(frame + "benchmark: {type: sa-bench, concurrencies: [256, [[512.5]]]}\n");
    const Read read = readRecipe(yaml);
    ASSERT_THAT(codes(read.outcome.diagnostics), ElementsAre("truncated"));
    EXPECT_EQ(read.outcome.diagnostics[0].severity, syntax::Severity::Warning);
    EXPECT_EQ(read.outcome.diagnostics[0].range, yaml.range());
}

TEST(Reader, PlacesAMissingKeyAtTheSiblingBeforeIt)
{
    const Marked yaml("name: n\nmodel:\n  [[path]]: p\n  precision: fp8\nresources: {gpu_type: h100}\n");
    const Read read = readRecipe(yaml);
    ASSERT_THAT(codes(read.outcome.diagnostics), ElementsAre("missing-key"));
    EXPECT_EQ(read.outcome.diagnostics[0].range, yaml.range());
}

TEST(Reader, ReportsAMergedValueAtTheMergeAndNamesItsPlace)
{
    const Marked yaml("x: &x {[[isl]]: many}\n" + frame + "benchmark:\n  [[<<]]: *x\n");
    const Read read = readRecipe(yaml);
    ASSERT_EQ(read.outcome.diagnostics.size(), 2U) << "beside the unknown key x";
    const Diagnostic& problem = read.outcome.diagnostics[1];
    EXPECT_EQ(problem.range, yaml.range(1));
    EXPECT_THAT(problem.notes, testing::Not(IsEmpty()));
}

TEST(Reader, ReadsASharedPartOnceAndReportsItEachTime)
{
    Reader reader(schema::builtInPack("v1"));
    const syntax::Parsed parsed = syntax::parse(Marked(frame + "benchmark: {isl: -1}\n").source());
    std::vector<syntax::ValuePtr> variants; // as of one file: all there before the first is read
    for (const char* name : {"a", "b", "c"})
        variants.push_back(syntax::with(parsed.root, "name", syntax::makeString(name, syntax::Layer::Override)));
    const Reader::Outcome first = reader.read(variants[0]);
    const Reader::Outcome second = reader.read(variants[1]);
    EXPECT_EQ(first.diagnostics, second.diagnostics);
    EXPECT_EQ(first.config->find("benchmark"), second.config->find("benchmark")) << "the very same value";
}

TEST(Reader, ReportsAPartThatStandsAtTwoPlacesAtBoth)
{
    Reader reader(schema::builtInPack("v2"));
    const syntax::Parsed parsed = syntax::parse(Marked("schema: 2\nname: n\nmodel: {path: m, container: c, precision: fp8}\n"
                                                       "resources: {gpu_type: h100, gpus_per_node: 8}\nengine: sglang\n"
                                                       "roles:\n  prefill: &same {nodes: 1, workers: 1, gpu: 8}\n  decode: *same\n")
                                                    .source());
    std::vector<syntax::ValuePtr> variants;
    for (const char* name : {"a", "b", "c"})
        variants.push_back(syntax::with(parsed.root, "name", syntax::makeString(name, syntax::Layer::Override)));
    for (const syntax::ValuePtr& variant : variants) {
        const Reader::Outcome read = reader.read(variant);
        std::set<std::string> paths;
        for (const syntax::Diagnostic& problem : read.diagnostics)
            paths.insert(problem.path);
        EXPECT_TRUE(paths.contains("roles.prefill.gpu")) << testing::PrintToString(paths);
        EXPECT_TRUE(paths.contains("roles.decode.gpu")) << testing::PrintToString(paths);
    }
}

TEST(ClusterDefaults, FillWhatTheRecipeLeavesOpen)
{
    const Marked file("default_account: acct\ndefault_time_limit: \"04:00:00\"\nmodel_paths: {m: /models/m}\ncontainers: {c: "
                      "/images/c.sqsh}\ndefault_sbatch_directives: {mem: \"0\", qos: high}\n");
    const syntax::Parsed text = syntax::parse(file.source("srtslurm.yaml"), syntax::Source::Cluster);
    Reader clusterReader(schema::builtInPack("cluster"));
    const Reader::Outcome read = clusterReader.read(text.root);
    ASSERT_THAT(read.diagnostics, IsEmpty());
    const Cluster cluster = lowerCluster(read.config, "srtslurm.yaml");
    const syntax::Parsed recipe = syntax::parse(
        Marked("name: n\nmodel: {path: m, container: c, precision: fp8}\nslurm: {account: null}\nsbatch_directives: {qos: low}\n")
            .source());
    const syntax::ValuePtr filled = withClusterDefaults(recipe.root, cluster);
    EXPECT_EQ(syntax::at(filled, "model.path")->text, "/models/m");
    EXPECT_EQ(syntax::at(filled, "model.path")->source, syntax::Source::Cluster);
    EXPECT_EQ(syntax::at(filled, "model.container")->text, "/images/c.sqsh");
    EXPECT_TRUE(syntax::at(filled, "slurm.account")->isNull()) << "null blocks the default";
    EXPECT_EQ(syntax::at(filled, "slurm.time_limit")->text, "04:00:00");
    EXPECT_EQ(syntax::at(filled, "sbatch_directives.qos")->text, "low");
    EXPECT_EQ(syntax::at(filled, "sbatch_directives.mem")->text, "0");
}

TEST(Reader, TellsOfKeysThatTheChosenTypeDoesNotRead)
{
    const Marked yaml(frame + "benchmark:\n  type: [[gpqa]]\n  [[isl]]: 1024\n  req_rate: inf\n  num_examples: 5\n");
    const Read read = readRecipe(yaml);
    ASSERT_THAT(codes(read.outcome.diagnostics), ElementsAre("not-read")) << "a default that is written says nothing wrong";
    EXPECT_EQ(read.outcome.diagnostics[0].range, yaml.range(1));
    EXPECT_EQ(read.outcome.diagnostics[0].severity, syntax::Severity::Warning);
    EXPECT_EQ(read.outcome.diagnostics[0].notes.at(0).range, yaml.range(0));
    EXPECT_THAT(codes(readRecipe(Marked(frame + "benchmark: {type: sa-bench, isl: 1, command: x}\n")).outcome.diagnostics),
                ElementsAre("not-read"));
    EXPECT_THAT(readRecipe(Marked(frame + "benchmark: {type: sa-bench, isl: 1, command: null}\n")).outcome.diagnostics, IsEmpty());
    EXPECT_THAT(codes(readRecipe(Marked(frame + "benchmark: {type: of-tomorrow, isl: 1}\n")).outcome.diagnostics),
                ElementsAre("unusual-value"))
        << "what an unknown type reads is not known";
}

TEST(Coerce, KnowsUpstreamsWordsForTrueAndFalse)
{
    const auto flag = [](std::string text) { return asBoolean(*syntax::makeString(std::move(text), syntax::Layer::Base)); };
    EXPECT_EQ(flag("Yes"), true);
    EXPECT_EQ(flag("OFF"), false);
    EXPECT_EQ(flag("t"), true);
    EXPECT_EQ(flag("tRUE"), std::nullopt);
    EXPECT_EQ(flag(""), std::nullopt);
    EXPECT_EQ(asBoolean(*syntax::makeInteger(2, syntax::Layer::Base)), std::nullopt);
}

TEST(Reader, OffersQuotesOnlyWhereTextIsTaken)
{
    const auto fixesOf = [](const std::string& rest) {
        const Read read = readRecipe(Marked(frame + rest));
        std::vector<std::string> titles;
        for (const Diagnostic& problem : read.outcome.diagnostics) {
            for (const syntax::Fix& fix : problem.fixes)
                titles.push_back(fix.title);
        }
        return titles;
    };
    EXPECT_THAT(fixesOf("extra_mount: /a:/b\n"), ElementsAre("Make it a list"));
    EXPECT_THAT(fixesOf("setup_script: 5\n"), ElementsAre("Put it in quotes"));
    EXPECT_THAT(fixesOf("environment: {A: 5}\n"), ElementsAre("Put it in quotes"));
}

TEST(Reader, OffersNoKeyThatIsThereAlready)
{
    const Marked yaml("name: n\nmodel: {path: p, container: c, precision: fp8, [[precison]]: fp4}\n" +
                      frame.substr(frame.find("resources")));
    const Read read = readRecipe(yaml);
    ASSERT_THAT(codes(read.outcome.diagnostics), ElementsAre("unknown-key"));
    EXPECT_THAT(read.outcome.diagnostics[0].fixes, IsEmpty());
    EXPECT_THAT(read.outcome.diagnostics[0].message, testing::Not(HasSubstr("did you mean")));
}

TEST(Reader, NamesTypesInGoodGrammar)
{
    const auto messageOf = [](const std::string& rest) {
        const Read read = readRecipe(Marked(frame + rest));
        return read.outcome.diagnostics.empty() ? std::string() : read.outcome.diagnostics[0].message;
    };
    EXPECT_EQ(messageOf("extra_mount: /a:/b\n"), "\"extra_mount\" must be a list of texts, not \"/a:/b\".");
    EXPECT_EQ(messageOf("setup_script: 5\n"), "\"setup_script\" must be a text, not 5.");
    for (const std::string_view pack : schema::builtInPackIds()) {
        for (const auto& [name, record] : schema::builtInPack(pack)->records()) {
            for (const schema::Field& field : record.fields)
                EXPECT_THAT(schema::inWords(field.type), testing::Not(testing::ContainsRegex("of an? .* values")))
                    << name << "." << field.key;
        }
    }
}

TEST(Coerce, ReadsNumbersInQuotesAsPythonDoes)
{
    const auto numberOf = [](const char* text) { return asNumber(*syntax::makeString(text, syntax::Layer::Base)); };
    EXPECT_EQ(numberOf("1_000"), 1000.0);
    EXPECT_EQ(numberOf(" +1_0.2_5e1_0 "), 10.25e10);
    EXPECT_EQ(numberOf("-5"), -5.0);
    EXPECT_EQ(numberOf(".5"), 0.5);
    for (const char* text : {"+-5", "1__0", "_1", "1_", "1_.5", "++5", "inf", "nan", "", "+"})
        EXPECT_FALSE(numberOf(text)) << text;
}

TEST(Coerce, ReadsDigitsOfAllScriptsAsPythonDoes)
{
    const auto wholeOf = [](const char* text) {
        const auto whole = asInteger(*syntax::makeString(text, syntax::Layer::Base));
        return whole ? std::optional(whole->value) : std::nullopt;
    };
    EXPECT_EQ(wholeOf("\uff11\uff10\uff12\uff14"), 1024) << "full width";
    EXPECT_EQ(wholeOf("-\u0661_\u0666"), -16) << "Arabic-Indic";
    EXPECT_EQ(wholeOf("\u00a0\u096b\u3000"), 5) << "Devanagari, between blanks that are none of ASCII";
    EXPECT_EQ(wholeOf("\U0001d7d7"), 9) << "mathematical";
    EXPECT_EQ(asNumber(*syntax::makeString("\uff11.\uff15e\uff12", syntax::Layer::Base)), 150.0);
    for (const char* text : {"\u00b2", "\u2160", "\u4e94", "1\u00a02", "\uff0d1", "1\uff0e5"}) // no decimal digits, or no signs, for Python
        EXPECT_FALSE(wholeOf(text)) << text;
    const Read read = readRecipe(Marked(frame + "benchmark: {type: sa-bench, isl: [[\uff18]], osl: 8, concurrencies: [4]}\n"));
    ASSERT_THAT(codes(read.outcome.diagnostics), ElementsAre("old-number"));
    EXPECT_EQ(read.outcome.diagnostics[0].severity, syntax::Severity::Warning);
    EXPECT_EQ(read.outcome.diagnostics[0].fixes.at(0).title, "Change to 8");
    EXPECT_EQ(syntax::at(read.outcome.config, "benchmark.isl")->integer, 8);
}

} // namespace
} // namespace wb::recipe
