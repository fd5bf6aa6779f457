#include "ui/async/background.h"
#include "ui/async/latestjob.h"

#include <QTest>
#include <gmock/gmock.h>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace wb::ui::async {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(LatestJob, DeliversOnTheThreadOfItsOwner)
{
    Workers workers;
    std::vector<int> got;
    bool isHome = false;
    LatestJob<int> job(workers, [&](int value) {
        got.push_back(value);
        isHome = QThread::currentThread() == QCoreApplication::instance()->thread();
    });
    job.start([](std::stop_token) { return 7; });
    EXPECT_TRUE(job.isRunning());
    ASSERT_TRUE(QTest::qWaitFor([&] { return workers.isIdle(); }));
    EXPECT_THAT(got, ElementsAre(7));
    EXPECT_TRUE(isHome);
}

TEST(LatestJob, ForgetsAndStopsTheJobBefore)
{
    Workers workers;
    std::vector<int> got;
    const auto wasStopped = std::make_shared<std::atomic<bool>>(false);
    LatestJob<int> job(workers, [&](int value) { got.push_back(value); });
    job.start([wasStopped](const std::stop_token& stop) {
        while (!stop.stop_requested())
            std::this_thread::yield();
        *wasStopped = true;
        return 1;
    });
    job.start([](std::stop_token) { return 2; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return workers.isIdle() && wasStopped->load(); }));
    EXPECT_THAT(got, ElementsAre(2));
}

TEST(LatestJob, DeliversNothingOnceCancelled)
{
    Workers workers;
    std::vector<int> got;
    const auto isDone = std::make_shared<std::atomic<bool>>(false);
    LatestJob<int> job(workers, [&](int value) { got.push_back(value); });
    job.start([isDone](const std::stop_token& stop) {
        while (!stop.stop_requested())
            std::this_thread::yield();
        *isDone = true;
        return 1;
    });
    job.cancel();
    EXPECT_FALSE(job.isRunning());
    EXPECT_TRUE(workers.isIdle());
    ASSERT_TRUE(QTest::qWaitFor([&] { return isDone->load(); }));
    QCoreApplication::processEvents();
    EXPECT_THAT(got, IsEmpty());
}

TEST(LatestJob, MayGoAwayWhileItsJobRuns)
{
    Workers workers;
    const auto isDone = std::make_shared<std::atomic<bool>>(false);
    {
        LatestJob<int> job(workers, [](int) { FAIL() << "nobody is there to be told"; });
        job.start([isDone](const std::stop_token& stop) {
            while (!stop.stop_requested())
                std::this_thread::yield();
            *isDone = true;
            return 1;
        });
    }
    ASSERT_TRUE(QTest::qWaitFor([&] { return isDone->load(); }));
    QCoreApplication::processEvents();
    EXPECT_TRUE(workers.isIdle());
}

TEST(LatestJob, MayStartAnotherFromTheResultOfTheFirst)
{
    Workers workers;
    std::vector<int> got;
    std::function<void(int)> next;
    LatestJob<int> job(workers, [&](int value) { next(value); });
    next = [&](int value) {
        got.push_back(value);
        if (value < 3)
            job.start([value](std::stop_token) { return value + 1; });
    };
    job.start([](std::stop_token) { return 1; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return workers.isIdle(); }));
    EXPECT_THAT(got, ElementsAre(1, 2, 3));
}

TEST(LatestJob, TellsProgress)
{
    Workers workers;
    std::size_t done = 0;
    std::size_t total = 0;
    LatestJob<int> job(workers, [](int) {});
    job.onProgress([&](std::size_t d, std::size_t t) {
        done = d;
        total = t;
    });
    job.startReporting([](const std::stop_token&, const Report& report) {
        report(5, 5);
        return 0;
    });
    ASSERT_TRUE(QTest::qWaitFor([&] { return workers.isIdle(); }));
    EXPECT_EQ(done, 5U);
    EXPECT_EQ(total, 5U);
}

TEST(LatestJob, RunsInsideTheCallWhenInline)
{
    Workers workers(Mode::Inline);
    std::vector<int> got;
    LatestJob<int> job(workers, [&](int value) { got.push_back(value); });
    job.start([](std::stop_token) { return 4; });
    EXPECT_THAT(got, ElementsAre(4));
    EXPECT_TRUE(workers.isIdle());
}

TEST(Workers, SaysWhenTheLastJobIsDone)
{
    Workers workers;
    int idle = 0;
    QObject::connect(&workers, &Workers::idle, &workers, [&] { ++idle; });
    LatestJob<int> job(workers, [](int) {});
    QObject context;
    int read = 0;
    job.start([](std::stop_token) { return 1; });
    runInBackground(
        workers, &context, [] { return 9; }, [&](int value) { read = value; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return workers.isIdle(); }));
    EXPECT_EQ(read, 9);
    EXPECT_EQ(idle, 1);
}

} // namespace
} // namespace wb::ui::async
