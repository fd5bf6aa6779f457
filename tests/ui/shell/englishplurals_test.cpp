#include "ui/shell/englishplurals.h"

#include <QCoreApplication>
#include <gtest/gtest.h>

namespace wb::ui {
namespace {

TEST(EnglishPlurals, FollowTheNumber)
{
    EnglishPlurals plurals;
    QCoreApplication::installTranslator(&plurals);
    EXPECT_EQ(QCoreApplication::translate("any", "%n job(s) of %1", nullptr, 1), QStringLiteral("1 job of %1"));
    EXPECT_EQ(QCoreApplication::translate("any", "%n job(s)", nullptr, 0), QStringLiteral("0 jobs"));
    EXPECT_EQ(QCoreApplication::translate("any", "%n job(s)", nullptr, 2), QStringLiteral("2 jobs"));
    EXPECT_EQ(QCoreApplication::translate("any", "plain"), QStringLiteral("plain"));
    QCoreApplication::removeTranslator(&plurals);
}

} // namespace
} // namespace wb::ui
