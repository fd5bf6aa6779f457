#include "core/base/shell.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <memory>
#include <random>

namespace wb::base {
namespace {

/// What a real shell makes of the words.
std::string shellPrints(const std::string& command)
{
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
    std::string out;
    std::array<char, 4096> buffer{};
    std::size_t got = 0;
    while ((got = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0)
        out.append(buffer.data(), got);
    return out;
}

TEST(ShellQuoted, LeavesPlainWordsAndQuotesTheRest)
{
    EXPECT_EQ(shellQuoted("/shared/models/DeepSeek-R1"), "/shared/models/DeepSeek-R1");
    EXPECT_EQ(shellQuoted(""), "''");
    EXPECT_EQ(shellQuoted("a b"), "'a b'");
    EXPECT_EQ(shellQuoted("it's"), "'it'\\''s'");
    EXPECT_EQ(shellQuoted("=cat"), "'=cat'");
    EXPECT_EQ(shellQuoted("~"), "'~'");
}

TEST(CommandInQuotes, IsACommandThatCanBeRun)
{
    EXPECT_EQ(commandInQuotes({"srtwb", "check", "a.yaml"}), "\"srtwb check a.yaml\"");
    EXPECT_EQ(commandInQuotes({"srtwb", "check", "it's here.yaml"}), "\"srtwb check 'it'\\''s here.yaml'\"");
    EXPECT_EQ(commandInQuotes({"srtwb", "compare", "a b.yaml:zip_override_x[1]", "OTHER"}),
              "\"srtwb compare 'a b.yaml:zip_override_x[1]' OTHER\"");
    EXPECT_EQ(commandInQuotes({"cat", "a\x1b[31m"}), "\"cat 'a\\x1b[31m'\"") << "a terminal must not obey it";
}

TEST(ShellQuoted, GivesEveryTextBackThroughARealShell)
{
    std::mt19937 random(7);
    constexpr std::string_view alphabet = "aZ0 '\"\\$`!*?[]{}()<>|&;#~=%\n\t-";
    for (int round = 0; round < 60; ++round) {
        std::string text = "x"; // printf would take a leading dash for an option
        for (int i = 0; i < 12; ++i)
            text += alphabet[random() % alphabet.size()];
        EXPECT_EQ(shellPrints("printf %s " + shellQuoted(text)), text);
    }
}

TEST(VariableName, IsWhatAShellTakes)
{
    for (const std::string_view name : {"A", "_", "HF_TOKEN", "a1", "__x9"})
        EXPECT_TRUE(isVariableName(name)) << name;
    for (const std::string_view name : {"", "1A", "A-B", "A B", "A=1; x", "A.B", "\xC3\xA4", "A\n"})
        EXPECT_FALSE(isVariableName(name)) << name;
}

TEST(ShellCommand, QuotesEachWord)
{
    const std::array<std::string, 3> words = {"echo", "a b", "$HOME"};
    EXPECT_EQ(shellCommand(words), "echo 'a b' '$HOME'");
}

} // namespace
} // namespace wb::base
