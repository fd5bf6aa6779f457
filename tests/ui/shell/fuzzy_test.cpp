#include "ui/shell/fuzzy.h"

#include <gtest/gtest.h>

namespace wb::ui {
namespace {

int score(const char* pattern, const char* text)
{
    const auto found = fuzzyScore(QString::fromLatin1(pattern), QString::fromLatin1(text));
    EXPECT_TRUE(found) << pattern << " in " << text;
    return found.value_or(-1000);
}

TEST(FuzzyScore, FindsLettersInTheirOrderWhateverTheirCase)
{
    EXPECT_TRUE(fuzzyScore(QStringLiteral("np"), QStringLiteral("Next problem")));
    EXPECT_TRUE(fuzzyScore(QStringLiteral("NEXT"), QStringLiteral("next problem")));
    EXPECT_FALSE(fuzzyScore(QStringLiteral("pn"), QStringLiteral("Next problem")));
    EXPECT_TRUE(fuzzyScore(QString(), QStringLiteral("anything")));
}

TEST(FuzzyScore, TakesWordsInAnyOrder)
{
    EXPECT_TRUE(fuzzyScore(QStringLiteral("problem next"), QStringLiteral("Go: Next problem")));
}

TEST(FuzzyScore, PrefersBeginningsOfWordsAndRuns)
{
    EXPECT_GT(score("np", "Next problem"), score("np", "Unhelpful"));
    EXPECT_GT(score("save", "Save as"), score("save", "Show all variables"));
    EXPECT_GT(score("open", "Open"), score("open", "Open a folder of recipes"));
}

} // namespace
} // namespace wb::ui
