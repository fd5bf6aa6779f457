#include "ui/theme/colours.h"

#include <QPalette>
#include <gtest/gtest.h>

#include <random>

namespace wb::ui {
namespace {

TEST(Contrast, IsThatOfWcag)
{
    EXPECT_NEAR(contrast(Qt::black, Qt::white), 21.0, 0.01);
    EXPECT_NEAR(contrast(Qt::white, Qt::black), 21.0, 0.01);
    EXPECT_NEAR(contrast(Qt::red, Qt::red), 1.0, 1e-9);
    EXPECT_NEAR(contrast(QColor(0x76, 0x76, 0x76), Qt::white), 4.54, 0.01);
}

TEST(Readable, GivesEveryColourTheContrastOnEveryBackground)
{
    std::mt19937 random(5);
    const auto anyColour = [&random] {
        const auto channel = [&random] { return std::uniform_int_distribution(0, 255)(random); };
        return QColor(channel(), channel(), channel());
    };
    for (int round = 0; round < 2000; ++round) {
        const QColor background = anyColour();
        const QColor colour = readable(anyColour(), background, 3.0);
        ASSERT_GE(contrast(colour, background), 3.0) << colour.name().toStdString() << " on " << background.name().toStdString();
    }
}

TEST(Readable, LeavesAColourThatCanBeReadAlone)
{
    EXPECT_EQ(readable(QColor(0xc6, 0x28, 0x28), Qt::white), QColor(0xc6, 0x28, 0x28));
}

TEST(IsDark, FollowsBaseAndText)
{
    QPalette palette;
    palette.setColor(QPalette::Base, Qt::white);
    palette.setColor(QPalette::Text, Qt::black);
    EXPECT_FALSE(isDark(palette));
    palette.setColor(QPalette::Base, Qt::black);
    palette.setColor(QPalette::Text, Qt::white);
    EXPECT_TRUE(isDark(palette));
}

} // namespace
} // namespace wb::ui
