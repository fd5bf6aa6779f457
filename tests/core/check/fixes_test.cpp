// What the program offers to do must help: a fix of one error may not bring another.
#include "core/check/check.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace wb::check {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string good = "name: \"a\"\n"
                         "model:\n  path: /models/x\n  container: img:1\n  precision: fp8\n"
                         "resources:\n  gpu_type: gb200\n  gpus_per_node: 4\n  agg_nodes: 1\n  agg_workers: 1\n"
                         "backend:\n  type: sglang\n  sglang_config:\n    aggregated:\n      tp-size: 4\n"
                         "benchmark:\n  type: sa-bench\n  isl: 1024\n  osl: 1024\n  concurrencies: [4, 8]\n";

std::string with(const std::string& line, const std::string& instead)
{
    std::string out = good;
    const std::size_t at = out.find(line);
    EXPECT_NE(at, std::string::npos) << line;
    return out.replace(at, line.size(), instead);
}

Checked checked(const std::string& text, const Options& options = {})
{
    return check(std::make_shared<syntax::SourceText>(text, "r.yaml"), Facts(), options);
}

std::vector<std::string> errors(const Checked& checked)
{
    std::vector<std::string> out;
    for (const syntax::Diagnostic& problem : checked.diagnostics) {
        if (problem.severity == syntax::Severity::Error)
            out.push_back(problem.message);
    }
    return out;
}

std::vector<std::string> titles(const Checked& checked)
{
    std::vector<std::string> out;
    for (const syntax::Diagnostic& problem : checked.diagnostics) {
        for (const syntax::Fix& fix : problem.fixes)
            out.push_back(fix.title);
    }
    return out;
}

/// Every fix alone, on the text that it was made for.
void expectFixesHelp(const std::string& text)
{
    const Checked before = checked(text);
    for (const syntax::Diagnostic& problem : before.diagnostics) {
        for (const syntax::Fix& fix : problem.fixes) {
            const std::string after = syntax::applyEdits(text, fix.edits);
            const std::size_t least = problem.severity == syntax::Severity::Error ? 1 : 0;
            EXPECT_LE(errors(checked(after)).size() + least, errors(before).size()) << problem.message << "\n"
                                                                                    << fix.title << "\n"
                                                                                    << after;
        }
    }
}

TEST(Fixes, MendWhatTheyAreOfferedFor)
{
    ASSERT_THAT(errors(checked(good)), IsEmpty());
    for (const auto& [line, instead] :
         std::vector<std::pair<std::string, std::string>>{{"  isl: 1024\n", "  isl: 1:30\n"},
                                                          {"  isl: 1024\n", "  isl: 010\n"},
                                                          {"  isl: 1024\n", "  isl: 1024\n  req_rate: .inf\n"},
                                                          {"  isl: 1024\n", "  isl: 1024\n  req_rate: !!float 1.5\n"},
                                                          {"benchmark:\n", "slurm:\n  time_limit: !!int 12\nbenchmark:\n"},
                                                          {"name: \"a\"", "name: 2026-13-45"},
                                                          {"name: \"a\"", "name: !foo x"},
                                                          {"  concurrencies: [4, 8]\n", "  concurrencies:\n    -\t4\n    - 8\n"},
                                                          {"  isl: 1024\n", "\xC2\xA0\xC2\xA0isl: 1024\n"},
                                                          {"benchmark:\n", "observability:\n  enable: true\nbenchmark:\n"}}) {
        const std::string text = with(line, instead);
        EXPECT_THAT(titles(checked(text)), Not(IsEmpty())) << instead;
        expectFixesHelp(text);
    }
}

TEST(Fixes, AreOfTheKeysKind)
{
    EXPECT_THAT(titles(checked(with("  isl: 1024\n", "  isl: 1:30\n"))), ElementsAre("Change to 90"));
    EXPECT_THAT(titles(checked(with("  isl: 1024\n", "  isl: 010\n"))), ElementsAre("Change to 8"));
    EXPECT_THAT(titles(checked(with("[4, 8]", "[4, 010]"))), ElementsAre("Change to 8"));
    EXPECT_THAT(titles(checked(with("  isl: 1024\n", "  isl: 1024\n  req_rate: .inf\n"))), ElementsAre("Change to inf"));
    EXPECT_THAT(titles(checked(with("benchmark:\n", "observability:\n  enable: true\nbenchmark:\n"))),
                ElementsAre("Change to \"enabled\""));
    EXPECT_THAT(titles(checked(with("  isl: 1024\n", "  isl: 1024\n  req_rate: true\n"))), IsEmpty());
    EXPECT_THAT(titles(checked(with("tp-size: 4", "tp-size: {tp}"))), IsEmpty());
    const Checked swept = checked(with("tp-size: 4", "tp-size: {tp}") + "sweep: {tp: [1, 2]}\n");
    EXPECT_THAT(titles(swept), ElementsAre("Put it in quotes"));
}

TEST(Errors, AreTheCauseAndNotItsConsequences)
{
    const auto count = [](const std::string& line, const std::string& instead) { return errors(checked(with(line, instead))).size(); };
    EXPECT_EQ(count("  concurrencies: [4, 8]\n", "  concurrencies:\n    -\t4\n    - 8\n"), 1U);
    EXPECT_EQ(count("  concurrencies: [4, 8]\n", "  concurrencies: ''\n"), 1U);
    EXPECT_EQ(count("  isl: 1024\n", "  isl: 1024\n  ? [a, b]\n  : 1024\n"), 1U);
    EXPECT_EQ(count("name: \"a\"", "name: 2026-13-45"), 1U);
}

TEST(ByteOrderMark, ChangesNothingOfWhatIsFound)
{
    EXPECT_THAT(errors(checked("\xEF\xBB\xBF" + good)), IsEmpty());
    const Checked wrong = checked("\xEF\xBB\xBF"
                                  "naem: \"a\"" +
                                  good.substr(9));
    ASSERT_EQ(errors(wrong).size(), 1U);
    EXPECT_EQ(wrong.source->lineCol(wrong.diagnostics[0].range.begin), (syntax::LineCol{1, 1}));
    EXPECT_EQ(syntax::applyEdits(wrong.source->text(), wrong.diagnostics[0].fixes.at(0).edits), "\xEF\xBB\xBF"
                                                                                                "name: \"a\"" +
                                                                                                    good.substr(9));
    const std::string swept = "\xEF\xBB\xBF# about\n" + with("tp-size: 4", "tp-size: \"{tp}\" # kept") + "sweep: {tp: [1, 2]}\n";
    const Checked all = checked(swept);
    ASSERT_EQ(all.variants.size(), 2U);
    EXPECT_THAT(resolvedYaml(all, 1), HasSubstr("tp-size: 2 # kept")) << "rewritten in place, comments and all";
}

TEST(Settings, AreNamedByWhatIsSaidAboutThem)
{
    for (const auto& [key, value] : {std::pair("model.path.x", "1"), std::pair("name", "#x"), std::pair("benchmark.isl", "")}) {
        Options options;
        options.expansion.settings = {{key, value, false}};
        const Checked wrong = checked(good, options);
        ASSERT_EQ(errors(wrong).size(), 1U) << key;
        const auto problem = std::find_if(wrong.diagnostics.begin(), wrong.diagnostics.end(),
                                          [](const auto& d) { return d.severity == syntax::Severity::Error; });
        EXPECT_EQ(problem->source, syntax::Source::CommandLine) << problem->message;
        ASSERT_FALSE(problem->notes.empty()) << problem->message;
        EXPECT_THAT(problem->notes.back().message, HasSubstr("--set " + std::string(key)));
    }
}

TEST(FirstLanguage, HasNoSchemaKey)
{
    const Checked old = checked("schema: 1\n" + good);
    ASSERT_FALSE(errors(old).empty());
    EXPECT_THAT(errors(old)[0], HasSubstr("srtctl 1.x knows no such key, and srtctl 2.x reads schema 2 only"));
}

TEST(Observability, PutsAFrontendWhereNullStands)
{
    EXPECT_THAT(errors(checked(good + "frontend: null\nobservability: {enabled: true}\n")), IsEmpty());
    EXPECT_THAT(errors(checked(good + "frontend: null\n")), Not(IsEmpty()));
}

} // namespace
} // namespace wb::check
