#include "tests/ui/shell/sessionfixture.h"
#include "ui/models/tasksmodel.h"
#include "ui/panes/tableview.h"
#include "ui/panes/taskspane.h"

#include <QToolButton>

namespace wb::ui {
namespace {

class TasksTest : public test::SessionTest
{
};

TEST_F(TasksTest, AreStoppedAndDoneAgainByTheOneWhoRunsThem)
{
    Tasks& tasks = session.tasks();
    int stops = 0;
    int again = 0;
    const TaskId id = tasks.begin(
        QStringLiteral("work"), [&] { ++stops; }, [&] { ++again; });
    ASSERT_TRUE(tasks.running());
    tasks.retry(id);
    EXPECT_EQ(again, 0) << "it still runs";
    tasks.cancel(id);
    EXPECT_EQ(stops, 1);
    tasks.finish(id, TaskState::Cancelled);
    tasks.finish(id, TaskState::Done, QStringLiteral("late"));
    EXPECT_EQ(tasks.find(id)->state, TaskState::Cancelled) << "what is over stays as it ended";
    tasks.retry(id);
    EXPECT_EQ(again, 1);
    EXPECT_FALSE(tasks.running());
    tasks.clearHistory();
    EXPECT_TRUE(tasks.all().empty());
}

TEST_F(TasksTest, WhatIsDoneIsDoneToTheLast)
{
    Tasks& tasks = session.tasks();
    const TaskId id = tasks.begin(QStringLiteral("work"));
    tasks.report(id, 538, 555);
    tasks.finish(id, TaskState::Done);
    EXPECT_EQ(tasks.find(id)->done, 555U);
    const TaskId stopped = tasks.begin(QStringLiteral("work"));
    tasks.report(stopped, 3, 555);
    tasks.finish(stopped, TaskState::Cancelled);
    EXPECT_EQ(tasks.find(stopped)->done, 3U);
}

TEST_F(TasksTest, ThePaneShowsTheNewestFirstAndCancels)
{
    TasksPane pane(session);
    pane.resize(700, 300);
    pane.show();
    session.tasks().finish(session.tasks().begin(QStringLiteral("old")), TaskState::Failed, QStringLiteral("because"));
    bool isStopped = false;
    session.tasks().begin(QStringLiteral("new"), [&] { isStopped = true; });
    auto& view = *pane.findChild<TableView*>(QStringLiteral("tasksView"));
    ASSERT_EQ(view.model()->rowCount(), 2);
    EXPECT_EQ(view.model()->index(0, TasksModel::TitleColumn).data().toString(), QStringLiteral("new"));
    EXPECT_EQ(view.model()->index(1, TasksModel::OutcomeColumn).data().toString(), QStringLiteral("because"));
    view.setCurrentIndex(view.model()->index(0, 0));
    auto& cancel = *pane.findChild<QToolButton*>(QStringLiteral("cancelTask"));
    ASSERT_TRUE(cancel.isEnabled());
    cancel.click();
    EXPECT_TRUE(isStopped);
    EXPECT_FALSE(pane.findChild<QToolButton*>(QStringLiteral("retryTask"))->isEnabled());
}

TEST_F(TasksTest, AnImportIsATaskThatCanBeDoneAgain)
{
    write(QStringLiteral("results/x.txt"), "nothing");
    session.results().import({folder.filePath(QStringLiteral("results"))});
    ASSERT_TRUE(settles());
    ASSERT_FALSE(session.tasks().all().empty());
    const Task& task = session.tasks().all().back();
    EXPECT_EQ(task.state, TaskState::Done);
    EXPECT_TRUE(task.outcome.startsWith(QStringLiteral("Imported 0 point")));
    EXPECT_TRUE(task.retry);
}

} // namespace
} // namespace wb::ui
