// Texts that are being typed: broken nearly always, and all that is below the break must stay.
#include "core/check/check.h"
#include "tests/support/corpus.h"
#include "tests/support/marked.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <random>

namespace wb::check {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

Checked checked(const std::string& text)
{
    return check(std::make_shared<syntax::SourceText>(text, "r.yaml"), Facts());
}

std::vector<std::string> names(const Checked& checked)
{
    std::vector<std::string> out;
    for (const CheckedVariant& variant : checked.variants)
        out.push_back(variant.variant.suffix.value_or("") + "/" + variant.name);
    return out;
}

std::vector<std::string> told(const Checked& checked)
{
    std::vector<std::string> out;
    for (const syntax::Diagnostic& problem : checked.diagnostics) {
        if (problem.severity == syntax::Severity::Error || problem.severity == syntax::Severity::Warning)
            out.push_back(std::to_string(checked.source->lineCol(problem.range.begin).line) + " " + std::string(syntax::id(problem)));
    }
    return out;
}

std::size_t errors(const Checked& checked)
{
    return static_cast<std::size_t>(std::count_if(checked.diagnostics.begin(), checked.diagnostics.end(),
                                                  [](const auto& problem) { return problem.severity == syntax::Severity::Error; }));
}

/// The text with a line put in behind one that is given by its number.
std::string withLine(const std::string& text, std::size_t behind, const std::string& line)
{
    const syntax::SourceText source(text);
    std::string out = text;
    out.insert(source.lineStart(behind + 1), line + "\n");
    return out;
}

const std::string overrides = "base:\n"
                              "  name: b\n"
                              "  model:\n"
                              "    path: hf:o/m\n"
                              "    container: image:1\n"
                              "    precision: fp8\n"
                              "  resources:\n"
                              "    gpu_type: h100\n"
                              "    gpus_per_node: 8\n"
                              "    agg_nodes: 1\n"
                              "    agg_workers: 1\n"
                              "  backend: {type: vllm}\n"
                              "override_a:\n"
                              "  slurm:\n"
                              "    time_limit: \"1:00:00\"\n"
                              "zip_override_b:\n"
                              "  benchmark:\n"
                              "    type: [sa-bench]\n"
                              "    isl: [1, 2]\n"
                              "    osl: [1]\n"
                              "    concurrencies: [\"4\"]\n";

TEST(BrokenText, AHalfTypedKeyCostsNothingButItself)
{
    const std::vector<std::string> whole = names(checked(overrides));
    ASSERT_EQ(whole.size(), 3U);
    const Checked typing = checked(withLine(overrides, 9, "    p"));
    EXPECT_EQ(names(typing), whole);
    EXPECT_THAT(told(typing), ElementsAre("10 yaml-syntax"));
    EXPECT_FALSE(typing.valid);
    EXPECT_FALSE(typing.parsed.complete);
    for (const CheckedVariant& variant : typing.variants) {
        EXPECT_FALSE(variant.valid);
        EXPECT_EQ(variant.job, nullptr) << "a guess must never run";
        EXPECT_EQ(variant.counts.nodes, 1) << "and may be shown";
    }
}

TEST(BrokenText, IsToldOnceAtTheLineAtFaultWithItsMend)
{
    const auto only = [](std::string text, std::string_view from, std::string_view to) {
        text.replace(text.find(from), from.size(), to);
        const Checked broken = checked(text);
        EXPECT_THAT(told(broken), testing::SizeIs(1)) << text << testing::PrintToString(told(broken));
        EXPECT_EQ(names(broken), names(checked(overrides))) << to;
        return broken;
    };
    EXPECT_THAT(told(only(overrides, "  resources:\n", "  resources:x\n")), ElementsAre("7 yaml-syntax"));
    EXPECT_THAT(told(only(overrides, "  resources:\n", "  resources\n")), ElementsAre("7 yaml-syntax"));
    EXPECT_THAT(told(only(overrides, "gpu_type: h100", "gpu_type: \"h100")), ElementsAre("8 yaml-syntax"));
    EXPECT_THAT(told(only(overrides, "gpus_per_node: 8", "gpus_per_node:8")), ElementsAre("9 yaml-syntax"));
    EXPECT_THAT(told(only(overrides, "    gpus_per_node", "   gpus_per_node")), ElementsAre("9 yaml-syntax"));
    EXPECT_THAT(told(only(overrides, "{type: vllm}", "{type: vllm")), ElementsAre("12 yaml-syntax"));
    EXPECT_THAT(told(only(overrides, "\"1:00:00\"", "\"1:00:00")), ElementsAre("15 yaml-syntax"));
    EXPECT_THAT(told(only(overrides, "    agg_nodes", "\tagg_nodes")), ElementsAre("10 yaml-tab"));

    for (const char* typed : {"x", ",", "\"", "]", ":"}) {
        const Checked behind = only(overrides, "    isl: [1, 2]", std::string("    isl: [1, 2]") + typed);
        EXPECT_THAT(told(behind), ElementsAre("19 yaml-syntax"));
        EXPECT_THAT(behind.diagnostics.at(0).message, testing::StartsWith("Something stands behind the end of this value")) << typed;
        EXPECT_EQ(syntax::applyEdits(behind.source->text(), behind.diagnostics[0].fixes.at(0).edits), overrides);
    }
    const Checked colon = only(overrides, "  resources:\n", "  resources\n");
    ASSERT_EQ(colon.diagnostics.at(0).fixes.size(), 1U);
    EXPECT_EQ(syntax::applyEdits(colon.source->text(), colon.diagnostics[0].fixes[0].edits), overrides);
}

TEST(BrokenText, TheOtherProblemsKeepTheirPlaces)
{
    std::string text = overrides;
    text.replace(text.find("gpu_type"), 8, "gpu_tipe");
    const Checked broken = checked(withLine(text, 2, "  mod"));
    EXPECT_THAT(told(broken), ElementsAre("3 yaml-syntax", "9 unknown-key"))
        << "the word that was left out could be what is missing, and what is wrong elsewhere stays wrong there";
}

TEST(BrokenText, SaysNothingOfSectionsThatItDoesNotKnow)
{
    const Checked cut = checked("base:\n  name: n\n<<<<<<< ours\noverride_a: {}\n");
    for (const std::string& problem : told(cut))
        EXPECT_THAT(problem, HasSubstr("conflict-marker"));
}

struct Measured {
    std::size_t texts = 0;
    std::size_t broken = 0;   ///< By syntax.
    std::size_t same = 0;     ///< Of these: with all variants.
    std::size_t quiet = 0;    ///< At most one error more than before, the syntax error included.
    std::size_t followed = 0; ///< With more than two follow-up errors.
};

void measure(const std::string& text, std::mt19937& random, int rounds, Measured& sum)
{
    const Checked whole = checked(text);
    const std::vector<std::string> expected = names(whole);
    const std::size_t before = errors(whole);
    constexpr std::string_view typed = "ax1:-\"' {[#\t,";
    const syntax::SourceText source(text);
    for (int round = 0; round < rounds; ++round) {
        std::string changed = text;
        const std::size_t at = random() % text.size();
        const std::size_t line = 1 + random() % source.lineCount();
        const syntax::Range range = source.lineRange(line);
        switch (random() % 4) {
        case 0:
            changed.erase(at, 1);
            break;
        case 1:
            changed.insert(at, 1, typed[random() % typed.size()]);
            break;
        case 2:
            changed.erase(range.begin, range.end - range.begin + 1);
            break;
        default: {
            const std::size_t first = text.find_first_not_of(' ', range.begin);
            const std::size_t indent = first == std::string::npos || first > range.end ? 0 : first - range.begin;
            changed.insert(range.begin, std::string(indent, ' ') + "pre\n");
            break;
        }
        }
        const Checked broken = checked(changed);
        ++sum.texts;
        for (const syntax::Diagnostic& problem : broken.diagnostics) {
            ASSERT_LE(problem.range.begin, problem.range.end);
            ASSERT_TRUE(problem.source != syntax::Source::Recipe || problem.range.end <= changed.size()) << problem.message;
        }
        const auto isSyntax = [](const syntax::Diagnostic& problem) {
            return problem.code == syntax::Code::YamlSyntax || problem.code == syntax::Code::Tab;
        };
        if (broken.parsed.complete || std::none_of(broken.diagnostics.begin(), broken.diagnostics.end(), isSyntax))
            continue;
        ++sum.broken;
        const std::size_t after = errors(broken);
        sum.same += names(broken) == expected ? 1 : 0;
        sum.quiet += after <= before + 1 ? 1 : 0;
        sum.followed += after > before + 3 ? 1 : 0;
    }
}

TEST(BrokenText, OfRealRecipesKeepsItsVariantsInMostCases)
{
    SRTWB_NEEDS_SHARED("corpus/v1/recipes");
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(*test::shared("corpus/v1/recipes"))) {
        if (entry.path().extension() == ".yaml")
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::mt19937 random(20240817);
    Measured sum;
    for (std::size_t i = 0; i < files.size(); i += 40)
        measure(test::bytesOf(files[i]), random, 60, sum);
    const auto share = [&](std::size_t part) { return static_cast<double>(part) / static_cast<double>(sum.broken); };
    std::printf("%zu changed texts, %zu of them broken: variants kept %.3f, no follow-up error %.3f, more than two %.3f\n", sum.texts,
                sum.broken, share(sum.same), share(sum.quiet), share(sum.followed));
    EXPECT_GT(sum.broken, 100U) << "the changes break too little to tell anything";
    EXPECT_GT(share(sum.same), 0.9);
    EXPECT_GT(share(sum.quiet), 0.8);
    EXPECT_LT(share(sum.followed), 0.03);
}

const std::string severalProblems = "name: \"two words\"\n"
                                    "model: {path: hf:o/m, container: image:1, precision: fp8}\n"
                                    "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 3}\n"
                                    "backend: {type: sglang, sglang_config: {aggregated: {atention-backend: x, tp-size: 64}}}\n"
                                    "benchmark: {type: sa-bench, isl: 1, osl: 1, concurrencies: [0], req_rate: fast}\n";

std::vector<std::string> ids(const Checked& checked)
{
    std::vector<std::string> out;
    for (const syntax::Diagnostic& problem : checked.diagnostics)
        out.emplace_back(problem.rule.empty() ? std::string(syntax::id(problem)) : problem.rule);
    return out;
}

TEST(OneProblem, HidesNoOtherThatDoesNotDependOnIt)
{
    const std::vector<std::string> all = ids(checked(severalProblems));
    const std::vector<std::string> beside = ids(checked(severalProblems + "slrm: {}\n"));
    EXPECT_THAT(beside, testing::Contains("unknown-key"));
    for (const std::string& id : all)
        EXPECT_THAT(beside, testing::Contains(id)) << "hidden by an unknown key in another block";
}

TEST(OneProblem, MakesNoOtherOneUp)
{
    // What is missing or wrong has a default in its place, which must not be judged as if the author had written it.
    const std::string good = "name: n\nmodel: {path: hf:o/m, container: image:1, precision: fp8}\n"
                             "resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\nbackend: {type: vllm}\n";
    for (const auto& [from, to] : {std::pair("backend: {type: vllm}", "backend: {type: vlm}"), std::pair("agg_nodes: 1", "agg_nodes: many"),
                                   std::pair("gpus_per_node: 8", "gpus_per_node: []"), std::pair("precision: fp8", "precison: fp8"),
                                   std::pair("path: hf:o/m, ", "")}) {
        std::string text = good;
        text.replace(text.find(from), std::string(from).size(), to);
        EXPECT_EQ(errors(checked(text)), 1U) << text << testing::PrintToString(told(checked(text)));
    }
}

} // namespace
} // namespace wb::check
