#include "core/expand/merge.h"
#include "core/expand/selector.h"
#include "core/expand/variant.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

namespace wb::expand {
namespace {

using syntax::Code;
using test::Marked;
using testing::ElementsAre;
using testing::IsEmpty;

Expanded expanded(const Marked& yaml, Options options = {})
{
    static syntax::Parsed parsed; // variants share its values
    parsed = syntax::parse(yaml.source());
    return expand(parsed, options);
}

std::vector<std::string> suffixes(const Expanded& all)
{
    std::vector<std::string> out;
    for (const Variant& variant : all.variants)
        out.push_back(variant.suffix.value_or("-"));
    return out;
}

std::vector<std::string> names(const Expanded& all)
{
    std::vector<std::string> out;
    for (const Variant& variant : all.variants)
        out.push_back(variant.document->find("name")->text);
    return out;
}

std::vector<std::string> codes(const Expanded& all)
{
    std::vector<std::string> out;
    for (const syntax::Diagnostic& problem : all.diagnostics)
        out.emplace_back(syntax::id(problem.code));
    return out;
}

TEST(Expand, TakesAPlainDocumentAsOneJobWithoutItsLock)
{
    const Expanded all = expanded(Marked("name: a\nlock: {version: 2}\n"));
    EXPECT_EQ(all.form, Form::Plain);
    ASSERT_EQ(all.variants.size(), 1U);
    EXPECT_FALSE(all.variants[0].suffix);
    EXPECT_FALSE(all.variants[0].document->member("lock"));
}

TEST(Expand, SortsOverridesAsTextAndPutsZipsBehindThem)
{
    const Expanded all = expanded(Marked("base: {name: n}\nzip_override_z: {a: [1, 2]}\noverride_2: {}\noverride_10: {}\n"));
    EXPECT_THAT(suffixes(all), ElementsAre("10", "2", "z_0", "z_1"));
    EXPECT_THAT(names(all), ElementsAre("n_10", "n_2", "n_z_0", "n_z_1"));
}

TEST(Expand, MergesMapsDeletesByNullAndReplacesLists)
{
    const Expanded all = expanded(Marked(
        "base: {name: n, a: {x: 1, y: 2}, l: [1, 2], gone: 1}\noverride_v: {a: {y: 3, z: {q: null}}, l: [9], gone: null, absent: null}\n"));
    ASSERT_EQ(all.variants.size(), 1U);
    const syntax::ValuePtr& document = all.variants[0].document;
    EXPECT_EQ(syntax::at(document, "a.x")->integer, 1);
    EXPECT_EQ(syntax::at(document, "a.y")->integer, 3);
    EXPECT_TRUE(syntax::at(document, "a.z.q")->isNull()) << "nulls inside a map that is new to base stay";
    EXPECT_EQ(document->find("l")->items.size(), 1U);
    EXPECT_FALSE(document->member("gone"));
    EXPECT_FALSE(document->member("absent"));
    EXPECT_EQ(syntax::at(document, "a.y")->layer, syntax::Layer::Override);
    EXPECT_EQ(syntax::at(document, "a.x")->layer, syntax::Layer::Base);
}

TEST(Expand, WalksTheListsOfAZipInStepAndRepeatsShortOnes)
{
    const Expanded all =
        expanded(Marked("base: {name: n, c: [1]}\nzip_override_g:\n  name: [one, two]\n  c: [ [4], [8, 16] ]\n  d: [7]\n  e: 5\n"));
    EXPECT_THAT(names(all), ElementsAre("one", "two"));
    EXPECT_EQ(all.variants[1].document->find("c")->items.size(), 2U) << "an element that is itself a list is the value";
    EXPECT_EQ(all.variants[1].document->find("d")->integer, 7);
    EXPECT_EQ(all.variants[1].document->find("e")->integer, 5);
    EXPECT_EQ(all.variants[1].section, "zip_override_g[1]");
}

TEST(Expand, UnderlinesTheListOfAnotherLengthAndShowsTheOther)
{
    const Marked yaml("base: {name: n}\nzip_override_g:\n  a:\n  - [[1]]\n  - 2\n  - 3\n  b:\n  - [[1]]\n  - 2\n");
    const Expanded all = expanded(yaml);
    EXPECT_THAT(all.variants, IsEmpty());
    ASSERT_THAT(codes(all), ElementsAre("zip-length"));
    EXPECT_TRUE(all.diagnostics[0].range.overlaps(yaml.range(1)));
    EXPECT_TRUE(all.diagnostics[0].notes.at(0).range.overlaps(yaml.range(0)));
    EXPECT_FALSE(all.diagnostics[0].range.overlaps(yaml.range(0)));
}

TEST(Expand, RefusesSectionsThatUpstreamWouldIgnoreWithoutAWord)
{
    const Marked yaml(
        "base: {name: n}\n[[overide_small]]: {}\n[[zip_overide_tp]]: {}\n[[environment]]: {}\nx-common: {}\noverride_a: {}\n");
    const Expanded all = expanded(yaml);
    ASSERT_THAT(codes(all), ElementsAre("unknown-section", "unknown-section", "unknown-section"));
    EXPECT_EQ(syntax::applyEdits(yaml.text(), all.diagnostics[0].fixes.at(0).edits).find("override_small:"), yaml.range(0).begin);
    EXPECT_THAT(all.diagnostics[1].fixes.at(0).title, testing::HasSubstr("zip_override_tp"));
    EXPECT_THAT(all.diagnostics[2].fixes, IsEmpty());
    EXPECT_THAT(suffixes(all), ElementsAre("a"));
}

TEST(Expand, TellsTwoJobsOfOneSuffixAndASectionCalledBase)
{
    EXPECT_THAT(codes(expanded(Marked("base: {name: n}\noverride_g_0: {}\nzip_override_g: {a: [1, 2]}\n"))), ElementsAre("suffix-clash"));
    EXPECT_THAT(codes(expanded(Marked("base: {name: n}\noverride_base: {a: 1}\n"))), ElementsAre("suffix-clash"));
}

TEST(Expand, SelectsAsTheLanguageSays)
{
    const Marked yaml("base: {name: n}\noverride_a: {}\noverride_b: {}\nzip_override_z: {v: [1, 2, 3]}\n");
    EXPECT_THAT(suffixes(expanded(yaml, {.selector = "base"})), ElementsAre("base"));
    EXPECT_THAT(suffixes(expanded(yaml, {.selector = "override_b"})), ElementsAre("b"));
    EXPECT_THAT(suffixes(expanded(yaml, {.selector = "zip_override_z"})), ElementsAre("z_0", "z_1", "z_2"));
    EXPECT_THAT(suffixes(expanded(yaml, {.selector = "zip_override_z[1]"})), ElementsAre("z_1"));
    EXPECT_THAT(suffixes(expanded(yaml, {.selector = "*_a"})), ElementsAre("a"));
    for (const char* wrong : {"override_c", "zip_override_z[3]", "nonsense", "*q*"}) {
        const Expanded none = expanded(yaml, {.selector = wrong});
        EXPECT_THAT(none.variants, IsEmpty()) << wrong;
        ASSERT_THAT(codes(none), ElementsAre("no-such-selector")) << wrong;
        EXPECT_EQ(none.diagnostics[0].source, syntax::Source::CommandLine);
    }
    EXPECT_THAT(codes(expanded(Marked("name: a\n"), {.selector = "override_a"})), ElementsAre("no-such-selector"));
}

TEST(Expand, ANumberNamesNoJobWhereEachHasASelector)
{
    // As a number "1" would be the second job, override_2, and not the one that was meant.
    const Marked yaml("base: {name: n}\noverride_1: {}\noverride_2: {}\nzip_override_z: {v: [1, 2]}\n");
    for (const char* wrong : {"0", "1", "2", "3", "n_1", "n_z_0"}) {
        const Expanded none = expanded(yaml, {.selector = wrong});
        EXPECT_THAT(none.variants, IsEmpty()) << wrong;
        EXPECT_THAT(codes(none), ElementsAre("no-such-selector")) << wrong;
    }
    EXPECT_THAT(expanded(yaml, {.selector = "1"}).diagnostics.at(0).message, testing::HasSubstr("did you mean \"override_1\"?"));
    // Also where a sweep below base gives several jobs that have a number.
    const Marked swept("base: {name: n, sweep: {v: [1, 2]}, benchmark: {isl: '{v}'}}\noverride_1: {}\noverride_2: {}\n");
    EXPECT_THAT(expanded(swept, {.selector = "1"}).variants, IsEmpty());
    EXPECT_EQ(codes(expanded(swept, {.selector = "1"})).back(), "no-such-selector");
    EXPECT_THAT(expanded(swept, {.selector = "1"}).diagnostics.back().message, testing::HasSubstr("did you mean \"override_1\"?"));
    EXPECT_THAT(suffixes(expanded(swept, {.selector = "3"})), ElementsAre("2_v2"));
}

TEST(Expand, SelectsOneJobOfASweepByNameOrNumber)
{
    const auto names = [](const Expanded& all) {
        std::vector<std::string> out;
        for (const Variant& variant : all.variants)
            out.push_back(variant.document->find("name")->text);
        return out;
    };
    const Marked sweep("name: s\nsweep: {v: [1, 2, 4]}\nbenchmark: {isl: '{v}'}\n");
    EXPECT_THAT(names(expanded(sweep, {.selector = "s_v2"})), ElementsAre("s_v2"));
    EXPECT_THAT(names(expanded(sweep, {.selector = "0"})), ElementsAre("s_v1"));
    EXPECT_THAT(names(expanded(sweep, {.selector = "2"})), ElementsAre("s_v4"));
    for (const char* wrong : {"3", "-1", "s_v3", "s", "base", "*", "override_a", "zip_override_a[0]"}) {
        const Expanded none = expanded(sweep, {.selector = wrong});
        EXPECT_THAT(none.variants, IsEmpty()) << wrong;
        ASSERT_THAT(codes(none), ElementsAre("no-such-selector")) << wrong;
        EXPECT_THAT(none.diagnostics[0].message, testing::HasSubstr("one of its 3 jobs")) << wrong;
    }
    EXPECT_THAT(expanded(sweep, {.selector = "s_v3"}).diagnostics[0].message, testing::HasSubstr("did you mean \"s_v"));
    // Below base each section gives several jobs.
    const Marked both("base: {name: n, sweep: {v: [1, 2]}, benchmark: {isl: '{v}'}}\noverride_a: {}\noverride_b: {}\n");
    EXPECT_THAT(names(expanded(both, {.selector = "n_b_v1"})), ElementsAre("n_b_v1"));
    EXPECT_THAT(names(expanded(both, {.selector = "override_b"})), ElementsAre("n_b_v1", "n_b_v2"));
    EXPECT_THAT(names(expanded(both, {.selector = "3"})), ElementsAre("n_b_v2"));
}

TEST(Expand, CrossesSweepParametersTheLastFastest)
{
    const Expanded all = expanded(Marked("name: s\nsweep: {a: [1, 2], b: [x, y]}\np: '{a}'\nq: 'v-{a}-{b}'\n"));
    EXPECT_EQ(all.form, Form::Sweep);
    EXPECT_THAT(names(all), ElementsAre("s_a1_bx", "s_a1_by", "s_a2_bx", "s_a2_by"));
    EXPECT_EQ(all.variants[3].document->find("q")->text, "v-2-y");
    EXPECT_FALSE(all.variants[0].document->member("sweep"));
}

TEST(Expand, KeepsTheTypeOfAPlaceholderThatIsTheWholeText)
{
    const Expanded all =
        expanded(Marked("name: s\nsweep: {ep: [true], l: [ [1, 2] ], n: [4096]}\na: '{ep}'\nb: '{l}'\nc: '{n}'\nd: 'x{ep}{l}'\n"));
    const syntax::ValuePtr& document = all.variants.at(0).document;
    EXPECT_EQ(document->find("a")->kind, syntax::Kind::Bool);
    EXPECT_TRUE(document->find("b")->isSequence());
    EXPECT_EQ(document->find("c")->integer, 4096);
    EXPECT_EQ(document->find("d")->text, "xtrue1,2");
    EXPECT_EQ(document->find("a")->layer, syntax::Layer::Sweep);
}

TEST(Expand, DoesNotFillInWhatAValueBroughtIn)
{
    const Expanded all = expanded(Marked("name: s\nsweep: {a: ['{b}'], b: [1]}\np: '{a}-{b}'\n"));
    EXPECT_EQ(all.variants.at(0).document->find("p")->text, "{b}-1");
}

TEST(Expand, TellsWhatIsWrongWithASweep)
{
    const Marked unused("name: s\nsweep:\n  [[a]]: [1, 2]\np: 1\n");
    const Expanded all = expanded(unused);
    ASSERT_THAT(codes(all), ElementsAre("unused-sweep-key"));
    EXPECT_EQ(all.diagnostics[0].range, unused.range());

    const Marked unquoted("name: s\nsweep: {mem: [1]}\nm: [[{ mem }]]\n");
    const Expanded fixable = expanded(unquoted);
    ASSERT_THAT(codes(fixable), ElementsAre("unquoted-placeholder"));
    EXPECT_THAT(syntax::applyEdits(unquoted.text(), fixable.diagnostics[0].fixes.at(0).edits), testing::HasSubstr("m: \"{mem}\"\n"));

    EXPECT_THAT(codes(expanded(Marked("name: s\nsweep: {mem: [1]}\nm: '{mem}'\nt: '{mm}'\nr: '{node_id}'\n"))),
                ElementsAre("unknown-placeholder"));
    EXPECT_THAT(codes(expanded(Marked("name: 's{a}'\nsweep: {a: [1]}\nm: '{a}'\n"))), ElementsAre("placeholder-in-name"));
    EXPECT_THAT(codes(expanded(Marked("name: s\nsweep: {a: []}\n"))), ElementsAre("bad-sweep"));
    EXPECT_THAT(codes(expanded(Marked("name: s\nsweep: {a: 5}\n"))), ElementsAre("bad-sweep"));
    EXPECT_THAT(codes(expanded(Marked("name: s\nsweep: [1]\n"))), ElementsAre("bad-sweep"));
    EXPECT_THAT(codes(expanded(Marked("name: s\nsweep: {}\n"))), ElementsAre("bad-sweep"));
}

TEST(Expand, SweepsAnOverrideAfterItWasMergedAndSaysThatUpstreamDoesNot)
{
    const Marked yaml("base: {name: n, p: '{a}', [[sweep]]: {a: [1, 2]}}\noverride_v: {}\noverride_w: {sweep: {a: [3]}}\n");
    const Expanded all = expanded(yaml);
    EXPECT_THAT(names(all), ElementsAre("n_v_a1", "n_v_a2", "n_w_a3"));
    ASSERT_THAT(codes(all), ElementsAre("sweep-in-variant", "sweep-in-variant"));
    EXPECT_EQ(all.diagnostics[0].range, yaml.range());
    EXPECT_EQ(all.diagnostics[0].severity, syntax::Severity::Warning);
    EXPECT_THAT(all.diagnostics[0].message, testing::HasSubstr("srtctl itself refuses"));
    EXPECT_THAT(codes(expanded(Marked("base: {name: n}\nsweep: {a: [1]}\noverride_v: {}\n"))), ElementsAre("unknown-section"));
}

TEST(Expand, MakesTextOfAValueForAKeyThatTakesTextOnly)
{
    const Expanded all =
        expanded(Marked("name: s\nsweep: {n: [4], b: [true]}\nenvironment: {A: '{n}', B: '{b}'}\n"
                        "benchmark: {concurrencies: '{n}', isl: '{n}'}\nbackend: {sglang_config: {prefill: {x: '{n}'}}}\n"));
    const syntax::ValuePtr& document = all.variants.at(0).document;
    EXPECT_EQ(syntax::at(document, "environment.A")->kind, syntax::Kind::String);
    EXPECT_EQ(syntax::at(document, "environment.A")->text, "4");
    EXPECT_EQ(syntax::at(document, "environment.B")->text, "true");
    EXPECT_EQ(syntax::at(document, "benchmark.concurrencies")->kind, syntax::Kind::String) << "a list or text, no number";
    EXPECT_EQ(syntax::at(document, "benchmark.isl")->kind, syntax::Kind::Integer);
    EXPECT_EQ(syntax::at(document, "backend.sglang_config.prefill.x")->kind, syntax::Kind::Integer);
}

TEST(Expand, SaysWhereUpstreamLosesTheTypeOfAValue)
{
    const auto told = [](std::string_view backend, std::string_view value) {
        const Expanded all = expanded(Marked("name: s\nsweep: {v: [" + std::string(value) + "]}\nbackend: " + std::string(backend) + "\n"));
        return codes(all) == std::vector<std::string>{"typed-placeholder"};
    };
    constexpr std::string_view sglang = "{sglang_config: {prefill: {x: '{v}'}}}";
    constexpr std::string_view vllm = "{type: vllm, vllm_config: {prefill: {x: '{v}', data-parallel-size: 8}}}";
    constexpr std::string_view ranks = "{type: vllm, vllm_config: {prefill: {data-parallel-size: '{v}'}}}";
    constexpr std::string_view trtllm = "{type: trtllm, trtllm_config: {prefill: {x: '{v}'}}}";
    EXPECT_TRUE(told(sglang, "true"));
    EXPECT_TRUE(told(sglang, "null"));
    EXPECT_FALSE(told(sglang, "4")) << "the command line is the same";
    EXPECT_FALSE(told(sglang, "auto"));
    EXPECT_FALSE(told(vllm, "4"));
    EXPECT_TRUE(told(ranks, "4")) << "srtctl counts with the text";
    EXPECT_FALSE(told("{type: vllm, vllm_config: {prefill: {tensor-parallel-size: '{v}'}}}", "4")) << "no ranks to count";
    EXPECT_TRUE(told(trtllm, "4")) << "a number in quotes in the engine's file";
    EXPECT_FALSE(told("{type: vllm, set_cuda_visible_devices: '{v}'}", "true")) << "the schema turns the text back";

    const Marked yaml("name: s\nsweep: {v: [8, [[true]]]}\nbackend: {sglang_config: {prefill: {x: [['{v}']]}}}\n");
    const Expanded all = expanded(yaml);
    ASSERT_THAT(codes(all), ElementsAre("typed-placeholder"));
    EXPECT_EQ(all.diagnostics[0].range, yaml.range(1));
    EXPECT_EQ(all.diagnostics[0].notes.at(0).range, yaml.range(0));
    EXPECT_THAT(all.diagnostics[0].message, testing::AllOf(testing::HasSubstr("becomes true here"), testing::HasSubstr("\"True\"")));
    EXPECT_THAT(codes(expanded(Marked("name: s\nsweep: {v: [true]}\nmodel: {path: 'a-{v}'}\n"))), ElementsAre("typed-placeholder"));
}

TEST(Expand, SaysWhichSelectorIsMeantByTheSuffixOfAJob)
{
    const Marked file("base: {name: n}\noverride_low: {name: l}\nzip_override_tp: {environment: {TP: [a, b]}}\n");
    const auto said = [&](const std::string& selector) {
        Options options;
        options.selector = selector;
        const Expanded all = expand(syntax::parse(file.source()), options);
        EXPECT_TRUE(all.variants.empty()) << "srtctl does not take it";
        return all.diagnostics.size() == 1 ? all.diagnostics[0].message : std::string();
    };
    EXPECT_THAT(said("low"), testing::HasSubstr("did you mean \"override_low\"?"));
    EXPECT_THAT(said("tp_1"), testing::HasSubstr("did you mean \"zip_override_tp[1]\"?"));
    EXPECT_THAT(said("gone"), testing::HasSubstr("the file has base, override_low, zip_override_tp (one of it: zip_override_tp[0])"));
}

TEST(Expand, NamesJobsOfASweepAsSrtctlDoes)
{
    const Expanded all = expanded(Marked("name: s\nsweep: {v: [true, false, 8]}\nbackend: {sglang_config: {prefill: {x: '{v}'}}}\n"));
    std::vector<std::string> names;
    for (const Variant& variant : all.variants)
        names.push_back(variant.document->find("name")->text);
    EXPECT_THAT(names, ElementsAre("s_vTrue", "s_vFalse", "s_v8"));
}

TEST(Expand, TellsOfPlaceholdersInKeysAndInsideValuesAndOfRepeatedValues)
{
    const Marked key("name: s\nsweep: {a: [1]}\nenvironment: {[['X{a}']]: '{a}'}\n");
    ASSERT_THAT(codes(expanded(key)), ElementsAre("placeholder-in-key"));
    EXPECT_EQ(expanded(key).diagnostics[0].range, key.range());

    const Marked inside("name: s\nsweep: {a: [[['{b}']]], b: [1]}\np: '{a}{b}'\n");
    ASSERT_THAT(codes(expanded(inside)), ElementsAre("refilled-placeholder"));
    EXPECT_THAT(codes(expanded(Marked("name: s\nsweep: {b: [1], a: ['{b}']}\np: '{a}{b}'\n"))), IsEmpty()) << "upstream leaves it too";

    const Marked twice("name: s\nsweep: {a: [8, 16, [[8]]]}\np: '{a}'\n");
    ASSERT_THAT(codes(expanded(twice)), ElementsAre("repeated-sweep-value"));
    EXPECT_EQ(expanded(twice).diagnostics[0].range, twice.range());
    EXPECT_THAT(codes(expanded(Marked("name: s\nsweep: {a: [8, '8']}\np: '{a}'\n"))), IsEmpty()) << "a number and a text";
}

TEST(Expand, MendsUnknownAndUnquotedPlaceholdersByTheNearestName)
{
    const Marked unknown("name: s\nsweep: {mem: [1]}\na: '{mem}'\nb: [['{mem_}']]\n");
    const Expanded all = expanded(unknown);
    ASSERT_THAT(codes(all), ElementsAre("unknown-placeholder"));
    EXPECT_EQ(all.diagnostics[0].range, unknown.range());
    EXPECT_THAT(syntax::applyEdits(unknown.text(), all.diagnostics[0].fixes.at(0).edits), testing::HasSubstr("b: \"{mem}\"\n"));

    const Marked bare("name: s\nsweep: {memory: [1]}\na: '{memory}'\nb: {memry}\n");
    ASSERT_THAT(codes(expanded(bare)), ElementsAre("unquoted-placeholder"));
    EXPECT_THAT(syntax::applyEdits(bare.text(), expanded(bare).diagnostics[0].fixes.at(0).edits), testing::HasSubstr("b: \"{memory}\"\n"));
}

TEST(Expand, SaysThatTheDocumentedFormOfASweepIsNotImplemented)
{
    const Marked yaml("name: s\nsweep:\n  mode: [[zip]]\n  parameters: {a: [1]}\np: '{a}'\n");
    const Expanded all = expanded(yaml);
    ASSERT_THAT(codes(all), ElementsAre("bad-sweep", "bad-sweep"));
    EXPECT_EQ(all.diagnostics[0].range, yaml.range());
    EXPECT_THAT(all.diagnostics[0].message, testing::HasSubstr("documented, but srtctl"));
}

TEST(Expand, SaysWhereUpstreamUndoesANullOfAZip)
{
    const Marked yaml("base: {name: n, a: {x: 1}, l: 2}\nzip_override_g:\n  a: {x: [[null]], new: null}\n  l: [3, [[null]]]\n");
    const Expanded all = expanded(yaml);
    ASSERT_THAT(codes(all), ElementsAre("zip-null", "zip-null"));
    EXPECT_EQ(all.diagnostics[0].range, yaml.range(0));
    EXPECT_EQ(all.diagnostics[1].range, yaml.range(1));
    EXPECT_THAT(codes(expanded(Marked("base: {name: n}\nzip_override_g: {l: [3, null]}\n"))), IsEmpty()) << "nothing to delete";
}

TEST(Expand, OffersListsOfListsForAListThatAZipCuts)
{
    const Marked yaml("base: {name: n, benchmark: {type: sa-bench}}\nzip_override_g:\n  benchmark: {concurrencies: [[[4, 8]]]}\n");
    const Expanded all = expanded(yaml);
    ASSERT_THAT(codes(all), ElementsAre("zip-scalar-list"));
    EXPECT_EQ(all.diagnostics[0].range.begin, yaml.range().begin);
    ASSERT_EQ(all.diagnostics[0].fixes.size(), 2U);
    EXPECT_THAT(syntax::applyEdits(yaml.text(), all.diagnostics[0].fixes[0].edits), testing::HasSubstr("concurrencies: [[4], [8]]}"));
    EXPECT_THAT(syntax::applyEdits(yaml.text(), all.diagnostics[0].fixes[1].edits), testing::HasSubstr("concurrencies: [[4, 8]]}"));
    EXPECT_THAT(codes(expanded(Marked("base: {name: n}\nzip_override_g: {benchmark: {concurrencies: ['4', '8x9'], isl: [1, 2]}}\n"))),
                IsEmpty())
        << "a text is a value of its own";
    EXPECT_THAT(codes(expanded(Marked(
                    "base: {name: n}\nzip_override_g: {benchmark: {concurrencies: [ [4], [8] ]}, extra_mount: ['/a:/b', '/c:/d']}\n"))),
                ElementsAre("zip-scalar-list"));
}

TEST(Expand, SaysWhereUpstreamLosesQuotesInAZip)
{
    const Marked yaml("base: {name: n, a: [[\"on\"]], t: [['12:00:00']], u: '04:00:00', v: \"true\"}\nzip_override_g: {x: [1, 2]}\n");
    const Expanded all = expanded(yaml);
    ASSERT_THAT(codes(all), ElementsAre("zip-quotes", "zip-quotes"));
    EXPECT_EQ(all.diagnostics[0].range, yaml.range(0));
    EXPECT_EQ(all.diagnostics[1].range, yaml.range(1));
    EXPECT_EQ(all.variants.at(0).document->find("a")->text, "on");
    EXPECT_THAT(codes(expanded(Marked("base: {name: n, a: 'on'}\noverride_v: {x: 1}\n"))), IsEmpty()) << "overrides keep their quotes";
}

TEST(Expand, RefusesNullSectionsAndKeysThatAreNoText)
{
    EXPECT_THAT(codes(expanded(Marked("base: {name: n}\noverride_v:\n"))), ElementsAre("bad-section"));
    EXPECT_THAT(codes(expanded(Marked("base:\noverride_v: {}\n"))), ElementsAre("bad-section"));
    EXPECT_THAT(codes(expanded(Marked("base: {name: n}\n1: x\noverride_v: {}\n"))), ElementsAre("unknown-section"));
    EXPECT_THAT(codes(expanded(Marked("base: {name: n}\nzip_override_g: {name: one, a: [1, 2]}\n"))), ElementsAre("zip-name"));
    EXPECT_THAT(codes(expanded(Marked("base: {name: n}\nzip_override_g: {a: 1}\n"))), ElementsAre("zip-empty"));
    EXPECT_THAT(codes(expanded(Marked("base: {name: n}\nzip_override_g: {a: []}\n"))), ElementsAre("zip-empty"));
}

TEST(Expand, RefusesMoreJobsThanTheLimitBeforeMakingThem)
{
    std::string list = "[0";
    for (int i = 1; i < 1000; ++i)
        list += ", " + std::to_string(i);
    const Expanded all = expanded(Marked("name: s\nsweep:\n  a: " + list + "]\n  b: " + list + "]\n  c: " + list + "]\np: '{a}{b}{c}'\n"));
    EXPECT_THAT(all.variants, IsEmpty());
    EXPECT_THAT(codes(all), ElementsAre("too-many-jobs"));
}

TEST(Expand, AppliesSettingsToEveryVariant)
{
    const Expanded all = expanded(Marked("base: {name: n, a: {b: 1}}\noverride_v: {}\noverride_w: {a: {b: 2}}\n"),
                                  {.settings = {{"a.b", "7", false}, {"c.d", "[x]", false}, {"name", "", true}}});
    for (const Variant& variant : all.variants) {
        EXPECT_EQ(syntax::at(variant.document, "a.b")->integer, 7);
        EXPECT_TRUE(syntax::at(variant.document, "c.d")->isSequence());
        EXPECT_FALSE(variant.document->member("name"));
        EXPECT_EQ(syntax::at(variant.document, "a.b")->layer, syntax::Layer::Setting);
    }
    EXPECT_THAT(codes(expanded(Marked("name: a\n"), {.settings = {{"a", "[1", false}}})), ElementsAre("bad-setting"));
    EXPECT_THAT(codes(expanded(Marked("name: a\n"), {.settings = {{"a..b", "1", false}}})), ElementsAre("bad-setting"));
}

TEST(MatchesGlob, KnowsStarsMarksAndClasses)
{
    EXPECT_TRUE(matchesGlob("*stp*", "override_stp_tp4"));
    EXPECT_TRUE(matchesGlob("override_?", "override_a"));
    EXPECT_FALSE(matchesGlob("override_?", "override_ab"));
    EXPECT_TRUE(matchesGlob("*_[ab]?", "x_b1"));
    EXPECT_FALSE(matchesGlob("*_[!ab]", "x_b"));
    EXPECT_TRUE(matchesGlob("a*b*c", "aXbYbZc"));
    EXPECT_FALSE(matchesGlob("a*b*c", "aXbYbZ"));
}

TEST(Settings, RefuseWhatIsNoYamlAndTakeARemarkForNull)
{
    for (const char* text : {"@foo", "%x", "`x`", "[1", "{a: 1", "\"open", "*none"}) {
        Options options;
        options.settings = {{"setup_script", text, false}};
        const Expanded all = expanded(Marked("name: n\nsetup_script: s.sh\n"), options);
        EXPECT_THAT(codes(all), ElementsAre("bad-setting")) << text;
        ASSERT_EQ(all.variants.size(), 1U) << text;
        EXPECT_EQ(all.variants[0].document->find("setup_script")->text, "s.sh") << text << " changes nothing";
    }
    for (const char* text : {" ", "null", "~", "# a remark"}) {
        Options options;
        options.settings = {{"setup_script", text, false}};
        const Expanded all = expanded(Marked("name: n\nsetup_script: s.sh\n"), options);
        EXPECT_THAT(codes(all), IsEmpty()) << text;
        EXPECT_TRUE(all.variants.at(0).document->find("setup_script")->isNull()) << text;
    }
}

TEST(Settings, TakeKeysInQuotes)
{
    Options options;
    options.settings = {{"environment.\"a.b\"", "1", false}, {"environment.\"q\\\"\\\\\"", "2", false}, {"environment.\"x.y\"", "", true}};
    const Expanded all = expanded(Marked("name: n\nenvironment: {x.y: 3, x: {y: 4}}\n"), options);
    EXPECT_THAT(codes(all), IsEmpty());
    const syntax::ValuePtr environment = all.variants.at(0).document->find("environment");
    ASSERT_TRUE(environment->find("a.b"));
    EXPECT_EQ(environment->find("a.b")->integer, 1);
    ASSERT_TRUE(environment->find("q\"\\"));
    EXPECT_FALSE(environment->member("x.y"));
    EXPECT_TRUE(environment->member("x"));
    for (const char* key : {"", ".a", "a.", "a..b"}) {
        options.settings = {{key, "1", false}};
        EXPECT_THAT(codes(expanded(Marked("name: n\n"), options)), ElementsAre("bad-setting")) << key;
    }
}

/// As srtctl names them: Python's str() of what its reader makes of the value.
TEST(Sweep, NamesJobsAsSrtctlDoes)
{
    const std::vector<std::pair<std::string, std::string>> rows = {{"0.90", "0.9"},
                                                                   {".5", "0.5"},
                                                                   {"1_000", "1000"},
                                                                   {"0x10", "16"},
                                                                   {"1e3", "1e3"},
                                                                   {"1.0e+3", "1000.0"},
                                                                   {"1.0e+20", "1e+20"},
                                                                   {"1.0e-5", "1e-05"},
                                                                   {"010", "8"},
                                                                   {"[1, 2]", "[1, 2]"},
                                                                   {"[a, 'b c', null, 0.50]", "['a', 'b c', None, 0.5]"},
                                                                   {"[ [1], [x] ]", "[[1], ['x']]"},
                                                                   {"{k: 1}", "{'k': 1}"},
                                                                   {"\"it's\"", "it's"},
                                                                   {"[\"it's\"]", "[\"it's\"]"},
                                                                   {".inf", "inf"},
                                                                   {"2024-01-02", "2024-01-02"}};
    for (const auto& [written, named] : rows) {
        const Expanded all = expanded(Marked("name: s\nsweep: {v: [ " + written + " ]}\np: '{v}'\n"));
        EXPECT_THAT(names(all), ElementsAre("s_v" + named)) << written;
    }
}

TEST(Sweep, SaysWhereSrtctlWritesAnotherTextThanTheFile)
{
    const Expanded all = expanded(Marked("name: s\nsweep: {f: [0.90], h: [0x10], l: [ [true, 2] ], n: [4]}\np: 'a{f}b{h}c{l}d{n}'\n"));
    EXPECT_EQ(all.variants.at(0).document->find("p")->text, "a0.90b0x10ctrue,2d4");
    ASSERT_THAT(codes(all), ElementsAre("typed-placeholder", "typed-placeholder", "typed-placeholder"));
    EXPECT_THAT(all.diagnostics[0].message, testing::HasSubstr("\"{f}\" becomes \"0.90\" in this text; srtctl writes \"0.9\"."));
    EXPECT_THAT(all.diagnostics[2].message, testing::HasSubstr("becomes \"true,2\" in this text; srtctl writes \"True,2\"."));
}

TEST(Sweep, OfBaseIsLookedAtOnceHoweverManyOverridesThereAre)
{
    std::string text = "base:\n  name: n\n  sweep: {used: [1], unused: [1]}\n  p: '{used}'\n  environment:\n";
    for (int i = 0; i < 150; ++i)
        text += "    K" + std::to_string(i) + ": '{nothing" + std::to_string(i) + "}'\n";
    for (int i = 0; i < 40; ++i)
        text += "override_" + std::to_string(i) + ": {model: {path: p" + std::to_string(i) + "}}\n";
    const Expanded all = expanded(Marked(text));
    EXPECT_EQ(all.variants.size(), 40U);
    std::map<std::string, std::size_t> counts;
    for (const std::string& code : codes(all))
        ++counts[code];
    EXPECT_EQ(counts["sweep-in-variant"], 1U);
    EXPECT_EQ(counts["unused-sweep-key"], 1U);
    EXPECT_EQ(counts["unknown-placeholder"], 100U);
    const auto last = std::find_if(all.diagnostics.rbegin(), all.diagnostics.rend(),
                                   [](const syntax::Diagnostic& d) { return d.code == Code::UnknownPlaceholder; });
    EXPECT_THAT(last->message, testing::EndsWith("(and 50 more)."));
}

TEST(Sweep, OfBaseIsUsedByEachOverrideOnItsOwn)
{
    // A part that both share is looked at once, and yet counts for both; the parameter of the other is unused in one.
    const Expanded all =
        expanded(Marked("base: {name: n, sweep: {a: [1], b: [1]}, x: {y: '{a}'}, z: '{b}'}\noverride_v: {z: 0}\noverride_w: {}\n"));
    EXPECT_THAT(codes(all), ElementsAre("sweep-in-variant", "unused-sweep-key"));
    EXPECT_EQ(syntax::at(all.variants.at(0).document, "x.y")->integer, 1);
    EXPECT_EQ(syntax::at(all.variants.at(1).document, "x.y")->integer, 1);
}

TEST(Sweep, FillsInWhereverSrtctlDoes)
{
    const Expanded all = expanded(Marked("name: n\nbenchmark: {command: 'x --tp ${tp} ${other} {{tp}} {{none}}'}\nsweep: {tp: [1, 2]}\n"));
    EXPECT_THAT(codes(all), IsEmpty());
    ASSERT_EQ(all.variants.size(), 2U);
    EXPECT_EQ(syntax::at(all.variants[1].document, "benchmark.command")->text, "x --tp $2 ${other} {2} {{none}}");
    const Expanded single = expanded(Marked("name: n\nsweep: {tp: [1]}\n"));
    ASSERT_THAT(codes(single), ElementsAre("unused-sweep-key"));
    EXPECT_THAT(single.diagnostics[0].message, testing::HasSubstr("so its value changes nothing"));
}

TEST(Sweep, SaysWhereSrtctlRefusesANumber)
{
    const Expanded all = expanded(Marked("name: n\nresources: {agg_workers: '{w}'}\nsweep: {w: [1, 1.5]}\n"));
    ASSERT_THAT(codes(all), ElementsAre("typed-placeholder"));
    EXPECT_THAT(all.diagnostics[0].message, testing::HasSubstr("\"1.5\" of it, which it refuses"));
}

TEST(Settings, TakeIndexesAndSayWhatIsWrongWithAPath)
{
    const auto one = [](const std::string& key, const std::string& value, bool isRemoved = false) {
        return expanded(Marked("name: n\nbenchmark: {concurrencies: [4, 8], isl: 1}\n"), {.settings = {{key, value, isRemoved}}});
    };
    const auto list = [](const Expanded& all) {
        std::vector<std::string> out;
        for (const syntax::ValuePtr& item : syntax::at(all.variants.at(0).document, "benchmark.concurrencies")->items)
            out.push_back(item->text);
        return out;
    };
    EXPECT_THAT(list(one("benchmark.concurrencies[1]", "16")), ElementsAre("4", "16"));
    EXPECT_THAT(list(one("benchmark.concurrencies[0]", "", true)), ElementsAre("8"));
    EXPECT_THAT(list(one("benchmark.concurrencies[7]", "", true)), ElementsAre("4", "8"));
    EXPECT_EQ(syntax::at(one("a.\"b.c[0]\".d", "1").variants[0].document, "a.\"b.c[0]\".d")->integer, 1);
    EXPECT_EQ(syntax::at(one("benchmark.isl", "{a: b}").variants[0].document, "benchmark.isl")->text, "{a: b}");
    EXPECT_TRUE(syntax::at(one("benchmark.isl", "").variants[0].document, "benchmark.isl")->isString());
    EXPECT_EQ(syntax::at(one("name.x", "1").variants[0].document, "name")->source, syntax::Source::CommandLine);
    const std::vector<std::pair<std::string, std::string>> faults = {
        {"benchmark.concurrencies[2]", "names an item of a list that the recipe does not have"},
        {"benchmark.isl[0]", "names an item of a list"},
        {"", "it is empty"},
        {"a..b", "a key in it is empty"},
        {"[0].a", "it begins with an index"},
        {"a[x]", "not the number of an item"},
        {"a[0", "not the number of an item"},
        {"a.\"b", "a quote in it is not closed"},
        {"a.", "it ends with a \".\""},
        {"a[0]b", "a \".\" is missing"}};
    for (const auto& [key, why] : faults) {
        const Expanded all = one(key, "1");
        ASSERT_THAT(codes(all), ElementsAre("bad-setting")) << key;
        EXPECT_THAT(all.diagnostics[0].message, testing::HasSubstr(why));
        EXPECT_EQ(all.diagnostics[0].source, syntax::Source::CommandLine);
    }
    const Expanded nothing = one("benchmark.concurrencies[7]", "", true);
    ASSERT_THAT(codes(nothing), ElementsAre("bad-setting"));
    EXPECT_EQ(nothing.diagnostics[0].severity, syntax::Severity::Hint);
}

} // namespace
} // namespace wb::expand
