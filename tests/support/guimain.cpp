// main() of the tests that need a QApplication. Listing tests must not need one: ctest lists them without a display.
#include <QApplication>
#include <QStandardPaths>
#include <gtest/gtest.h>

#include <string_view>

int main(int argc, char** argv)
{
    testing::InitGoogleTest(&argc, argv);
    if (testing::GTEST_FLAG(list_tests))
        return RUN_ALL_TESTS();
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    return RUN_ALL_TESTS();
}
