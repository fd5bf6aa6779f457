#include "tests/ui/shell/windowfixture.h"
#include "ui/editor/recipeeditor.h"
#include "ui/shell/actions.h"
#include "ui/shell/editorarea.h"
#include "ui/shell/layouts.h"
#include "ui/shell/panes.h"

#include <QAction>

#include <map>
#include <set>

namespace wb::ui {
namespace {

TEST(Actions, HaveIdsTextsAndTipsOfTheirOwn)
{
    std::set<std::string> ids;
    for (const ActionRow& row : actionRows()) {
        EXPECT_TRUE(ids.insert(row.id).second) << row.id;
        EXPECT_NE(*row.text, '\0') << row.id;
        EXPECT_NE(*row.tip, '\0') << row.id;
        EXPECT_NE(row.run, nullptr) << row.id;
    }
}

class ActionsTest : public test::WindowTest
{
};

TEST_F(ActionsTest, NoTwoShareAKey)
{
    session.documents().open(write(QStringLiteral("a.yaml"), test::plainRecipe));
    ASSERT_TRUE(settles());
    std::map<QKeySequence, std::string> owners;
    const auto claim = [&](const QAction* action) {
        for (const QKeySequence& keys : action->shortcuts()) {
            EXPECT_FALSE(keys.isEmpty()) << action->objectName().toStdString();
            const auto [owner, isFree] = owners.emplace(keys, action->objectName().toStdString());
            EXPECT_TRUE(isFree) << keys.toString().toStdString() << ": " << owner->second << " and " << action->objectName().toStdString();
        }
    };
    for (const QAction* action : window->actions())
        claim(action);
    ASSERT_TRUE(window->editors().current());
    for (const QAction* action : window->editors().current()->actions())
        claim(action);
    EXPECT_GT(owners.size(), 30U);
}

TEST_F(ActionsTest, SayWhyTheyCannotBeDone)
{
    ASSERT_TRUE(settles());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window->action("file.save")->isEnabled(); }));
    int disabled = 0;
    for (const ActionRow& row : actionRows()) {
        const QAction& action = *window->action(row.id);
        if (action.isEnabled())
            continue;
        ++disabled;
        EXPECT_TRUE(action.toolTip().contains(QLatin1Char('\n'))) << row.id << " tells no reason: " << action.toolTip().toStdString();
    }
    EXPECT_GT(disabled, 5);
}

TEST_F(ActionsTest, BecomePossibleWithADocument)
{
    session.documents().open(write(QStringLiteral("a.yaml"), test::plainRecipe));
    ASSERT_TRUE(QTest::qWaitFor([&] { return window->action("file.saveAs")->isEnabled(); }));
    EXPECT_FALSE(window->action("file.save")->isEnabled()) << "there is nothing to save yet";
    session.documents().setText(session.documents().current()->id, "name: b\n");
    EXPECT_TRUE(QTest::qWaitFor([&] { return window->action("file.save")->isEnabled(); }));
}

TEST_F(ActionsTest, AreThereForEveryPaneAndLayout)
{
    for (const Pane& pane : panes())
        EXPECT_TRUE(window->action(std::string("pane.") + pane.id)) << pane.id;
    for (const Layout& layout : layouts())
        EXPECT_TRUE(window->action(std::string("layout.") + layout.id)) << layout.id;
}

} // namespace
} // namespace wb::ui
