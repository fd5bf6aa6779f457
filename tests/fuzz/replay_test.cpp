// The inputs that are kept beside the fuzzer, and small texts that stand for huge ones, with any compiler: none may crash, none may hang.
#include "core/check/check.h"
#include "tests/fuzz/recipefuzz.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>

#include <ctime>
#include <filesystem>
#include <string>

namespace wb::fuzz {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(Fuzz, KeptInputsHold)
{
    std::size_t count = 0;
    for (const std::string_view folder : {"tests/fuzz/seeds", "tests/fuzz/found"}) {
        if (!fs::exists(test::own(folder)))
            continue;
        for (const auto& entry : fs::directory_iterator(test::own(folder))) {
            SCOPED_TRACE(entry.path().string());
            tryRecipe(test::bytesOf(entry.path()));
            ++count;
        }
    }
    EXPECT_GE(count, 8U);
}

/// Errors of a text, and that they took no more than the time of one core that a text of this size may take: a second for what is
/// optimised, ten times as much for builds that are not, or that watch themselves. Waiting for a busy machine does not count.
std::string errorsOf(const std::string& text)
{
    const std::clock_t begin = std::clock();
    const check::Checked checked = check::check(std::make_shared<syntax::SourceText>(text), {});
    const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    EXPECT_LT(took, 10.0) << text.substr(0, 80);
    tryRecipe(text);
    std::string out;
    for (const syntax::Diagnostic& problem : checked.diagnostics) {
        if (problem.severity == syntax::Severity::Error)
            out += problem.message + "\n";
    }
    return out;
}

std::string bomb(bool isMerge)
{
    std::string text = "x-0: &a0 {k: v}\n";
    for (int i = 1; i < 40; ++i) {
        const std::string last = "*a" + std::to_string(i - 1);
        text += "x-" + std::to_string(i) + ": &a" + std::to_string(i);
        if (isMerge)
            text += " {<<: [" + last + ", " + last + "], k" + std::to_string(i) + ": 1}\n";
        else
            text += " [" + last + ", " + last + ", " + last + ", " + last + "]\n";
    }
    return "name: n\n" + text;
}

std::string repeated(std::string_view what, std::size_t times)
{
    std::string out;
    for (std::size_t i = 0; i < times; ++i)
        out += what;
    return out;
}

TEST(Fuzz, AliasBombsAreRefusedWithAMessage)
{
    EXPECT_THAT(errorsOf(bomb(false)), HasSubstr("Aliases of aliases"));
    static_cast<void>(errorsOf(bomb(true)));
}

TEST(Fuzz, DeepNestingIsRefusedWithAMessage)
{
    EXPECT_THAT(errorsOf("a: " + repeated("[", 60'000)), HasSubstr("deep"));
    EXPECT_THAT(errorsOf("a: " + repeated("{a: ", 16'000)), HasSubstr("deep"));
    EXPECT_THAT(errorsOf(repeated("- ", 30'000)), HasSubstr("deep"));
}

TEST(Fuzz, ProductsOfHugeSizeAreRefusedWithAMessage)
{
    std::string sweep = "name: n\nsweep:\n";
    for (int i = 0; i < 60; ++i)
        sweep += "  p" + std::to_string(i) + ": [1, 2, 3, 4]\n";
    EXPECT_THAT(errorsOf(sweep), HasSubstr("more than 10000 jobs"));
    EXPECT_THAT(errorsOf("base: {name: n}\nzip_override_z:\n  a: [" + repeated("1,", 30'000) + "1]\n"), HasSubstr("more than the limit"));
    // Many sections, each within the limit.
    std::string zips = "base: {name: n, environment: {A: b}}\n";
    for (int i = 0; i < 40; ++i)
        zips += "zip_override_z" + std::to_string(i) + ": {environment: {A: [" + repeated("x,", 700) + "x]}}\n";
    EXPECT_THAT(errorsOf(zips), HasSubstr("more than the limit"));
}

TEST(Fuzz, OneSweepOfManyOverridesIsLookedAtOnce)
{
    std::string text = "base:\n  name: n\n  sweep: {a: [1]}\n  environment:\n";
    for (int i = 0; i < 1500; ++i)
        text += "    K" + std::to_string(i) + ": '{x" + std::to_string(i) + "}'\n";
    for (int i = 0; i < 1000; ++i)
        text += "override_" + std::to_string(i) + ": {}\n";
    EXPECT_THAT(errorsOf(text), HasSubstr("\"model\""));
}

TEST(Fuzz, OneListOfManyJobsIsComparedInATurn)
{
    std::string text = "base:\n  name: n\n  model: {path: p, container: c, precision: fp8}\n"
                       "  resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
                       "  backend: {type: sglang, sglang_config: {aggregated: {cuda-graph-bs: [";
    for (int i = 0; i < 6000; ++i)
        text += std::to_string(i) + ",";
    text += "1]}}}\n";
    for (int i = 0; i < 300; ++i)
        text += "override_" + std::to_string(i) + ": {setup_script: s" + std::to_string(i) + "}\n";
    EXPECT_EQ(errorsOf(text), "");
}

TEST(Fuzz, DepthBehindAFaultIsNotRead)
{
    EXPECT_THAT(errorsOf("a: b: c\nd:\n  " + repeated("[", 60'000)), HasSubstr("256 deep"));
}

TEST(Fuzz, TabsOfOneCommentAreReadOnce)
{
    EXPECT_THAT(errorsOf("name: n # " + repeated("\t#", 30'000)), HasSubstr("\"model\""));
}

} // namespace
} // namespace wb::fuzz
