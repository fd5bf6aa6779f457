#include "core/base/unifieddiff.h"

#include <gmock/gmock.h>

#include <random>
#include <string>
#include <vector>

namespace wb::base {
namespace {

TEST(UnifiedDiff, SaysNothingOfTextsThatAreTheSame)
{
    EXPECT_EQ(unifiedDiff("a\nb\n", "a\nb\n", "old", "new"), "");
    EXPECT_EQ(unifiedDiff("", "", "old", "new"), "");
}

TEST(UnifiedDiff, ShowsThreeLinesAroundAChange)
{
    EXPECT_EQ(unifiedDiff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "old", "new"),
              "--- old\n+++ new\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(UnifiedDiff, SaysWhereTheLastLineHasNoEnd)
{
    EXPECT_EQ(unifiedDiff("a\n", "a", "old", "new"), "--- old\n+++ new\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n");
}

/// The second text, made from the first and the difference.
std::string patched(const std::string& before, const std::string& diff)
{
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < before.size();) {
        const std::size_t end = before.find('\n', at);
        lines.push_back(before.substr(at, end - at));
        at = end + 1;
    }
    std::string out;
    std::size_t next = 0;
    bool isInHunk = false;
    for (std::size_t at = 0; at < diff.size();) {
        const std::size_t end = diff.find('\n', at);
        const std::string line = diff.substr(at, end - at);
        at = end + 1;
        if (line.starts_with("@@ -")) {
            std::size_t first = std::stoul(line.substr(4));
            const bool isEmptySide = line.find(",0 +") != std::string::npos;
            first = isEmptySide ? first : first - 1;
            while (next < first)
                out += lines[next++] + "\n";
            isInHunk = true;
        } else if (isInHunk && line[0] == '+') {
            out += line.substr(1) + "\n";
        } else if (isInHunk && line[0] == '-') {
            EXPECT_EQ(line.substr(1), lines[next]);
            ++next;
        } else if (isInHunk) {
            EXPECT_EQ(line.substr(1), lines[next]);
            out += lines[next++] + "\n";
        }
    }
    while (next < lines.size())
        out += lines[next++] + "\n";
    return out;
}

TEST(UnifiedDiff, LeadsFromOneTextToTheOther)
{
    std::mt19937 random(7);
    const auto text = [&] {
        std::string out;
        const auto lines = static_cast<unsigned>(random() % 40);
        for (unsigned i = 0; i < lines; ++i)
            out += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
        return out;
    };
    for (int i = 0; i < 300; ++i) {
        const std::string before = text();
        const std::string after = text();
        EXPECT_EQ(patched(before, unifiedDiff(before, after, "old", "new")), after);
    }
}

} // namespace
} // namespace wb::base
