#include "tests/ui/shell/sessionfixture.h"
#include "ui/shell/notifications.h"

#include <QWidget>

namespace wb::ui {
namespace {

using testing::HasSubstr;

class NotificationsTest : public test::SessionTest
{
protected:
    static store::JobEntry job(const std::string& id, const std::string& state)
    {
        store::JobEntry entry;
        entry.id = id;
        entry.host = "bed";
        entry.name = "job-" + id;
        entry.state = state;
        return entry;
    }

    QWidget window; ///< Nobody looks at it: it is not shown.
    std::vector<std::pair<std::string, std::string>> shown;
    Notifications::Show show = [this](const QString& title, const QString& body) {
        shown.emplace_back(title.toStdString(), body.toStdString());
    };
};

TEST_F(NotificationsTest, WhatCameTogetherIsToldOnce)
{
    const Notifications notifications(session.jobs(), session.workers(), window, show);
    for (int i = 0; i < 7; ++i)
        Q_EMIT session.jobs().stateChanged(job(std::to_string(i), i == 0 ? "failed" : "completed"), "running");
    ASSERT_TRUE(QTest::qWaitFor([this] { return !shown.empty(); }));
    ASSERT_EQ(shown.size(), 1U);
    EXPECT_THAT(shown.front().first, testing::AllOf(HasSubstr("7 job"), HasSubstr("bed"), HasSubstr("1 failed")));
    EXPECT_THAT(shown.front().second, testing::AllOf(HasSubstr("job-0: failed"), HasSubstr("2 more")));
}

TEST_F(NotificationsTest, WaitingInTheQueueIsNoNews)
{
    const Notifications notifications(session.jobs(), session.workers(), window, show);
    Q_EMIT session.jobs().stateChanged(job("1", "pending"), "submitted");
    Q_EMIT session.jobs().stateChanged(job("2", "running"), "pending");
    ASSERT_TRUE(QTest::qWaitFor([this] { return !shown.empty(); }));
    EXPECT_THAT(shown.front().first, HasSubstr("1 job"));
    EXPECT_EQ(shown.front().second, "job-2: running");
}

} // namespace
} // namespace wb::ui
