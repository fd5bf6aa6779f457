#include "ui/async/debounce.h"

#include <QTest>
#include <gtest/gtest.h>

namespace wb::ui::async {
namespace {

using namespace std::chrono_literals;

TEST(Debounce, RunsOnceForABurst)
{
    int runs = 0;
    Debounce debounce(1ms, [&] { ++runs; });
    for (int i = 0; i < 5; ++i)
        debounce.trigger();
    EXPECT_EQ(runs, 0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs > 0; }));
    EXPECT_EQ(runs, 1);
}

TEST(Debounce, FlushRunsOnlyWhatIsDue)
{
    int runs = 0;
    Debounce debounce(1h, [&] { ++runs; });
    debounce.flush();
    EXPECT_EQ(runs, 0);
    debounce.trigger();
    debounce.flush();
    debounce.flush();
    EXPECT_EQ(runs, 1);
}

} // namespace
} // namespace wb::ui::async
