#include "tests/ui/shell/windowfixture.h"
#include "ui/shell/shortcutsdialog.h"

#include <QAction>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>

namespace wb::ui {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class ShortcutsTest : public test::WindowTest
{
protected:
    static QList<QKeySequence> keys(const char* text) { return {QKeySequence(QString::fromLatin1(text))}; }
};

TEST_F(ShortcutsTest, NoTwoCommandsComeWithTheSameKeys)
{
    for (const Shortcuts::Entry& entry : window->shortcuts().entries()) {
        std::vector<std::string> others;
        for (const QAction* other : window->shortcuts().conflicts(entry.action, entry.original))
            others.push_back(other->objectName().toStdString());
        EXPECT_THAT(others, IsEmpty()) << entry.action->objectName().toStdString();
    }
}

TEST_F(ShortcutsTest, AKeyIsTakenFromTheCommandThatHadIt)
{
    QAction* find = window->action("edit.find");
    QAction* shortcuts = window->action("help.shortcuts");
    const auto conflicts = window->shortcuts().conflicts(shortcuts, find->shortcuts());
    EXPECT_THAT(conflicts, Contains(find));
    window->shortcuts().set(shortcuts, keys("Ctrl+F"));
    EXPECT_TRUE(find->shortcuts().isEmpty());
    EXPECT_EQ(shortcuts->shortcut(), QKeySequence(QStringLiteral("Ctrl+F")));
    window->shortcuts().resetAll();
    EXPECT_EQ(find->shortcut(), QKeySequence(QStringLiteral("Ctrl+F")));
    EXPECT_TRUE(shortcuts->shortcuts().isEmpty());
}

TEST_F(ShortcutsTest, AreKeptForTheNextTime)
{
    window->shortcuts().set(window->action("edit.find"), keys("Ctrl+Alt+F"));
    makeWindow();
    EXPECT_EQ(window->action("edit.find")->shortcut(), QKeySequence(QStringLiteral("Ctrl+Alt+F")));
    window->shortcuts().reset(window->action("edit.find"));
    makeWindow();
    EXPECT_EQ(window->action("edit.find")->shortcut(), QKeySequence(QStringLiteral("Ctrl+F")));
}

TEST_F(ShortcutsTest, AreExportedAndImported)
{
    window->shortcuts().set(window->action("edit.find"), keys("Ctrl+Alt+F"));
    const QString written = window->shortcuts().exported();
    EXPECT_EQ(written, QStringLiteral("edit.find=Ctrl+Alt+F\n"));
    window->shortcuts().resetAll();
    ASSERT_TRUE(window->shortcuts().import(written));
    EXPECT_EQ(window->action("edit.find")->shortcut(), QKeySequence(QStringLiteral("Ctrl+Alt+F")));
    EXPECT_FALSE(window->shortcuts().import(QStringLiteral("no.such=Ctrl+F\n")));
    EXPECT_EQ(window->action("edit.find")->shortcut(), QKeySequence(QStringLiteral("Ctrl+Alt+F"))) << "what is refused changes nothing";
}

TEST_F(ShortcutsTest, TheDialogWarnsOfAConflictBeforeItAssigns)
{
    window->editShortcuts();
    auto& list = child<QTreeWidget>("shortcutsList");
    QTreeWidgetItem* row = nullptr;
    for (int i = 0; i < list.topLevelItemCount(); ++i) {
        if (list.topLevelItem(i)->text(0) == QStringLiteral("About SRT Workbench"))
            row = list.topLevelItem(i);
    }
    ASSERT_TRUE(row);
    list.setCurrentItem(row);
    child<QKeySequenceEdit>("shortcutsKeys").setKeySequence(QKeySequence(QStringLiteral("Ctrl+S")));
    EXPECT_THAT(child<QLabel>("shortcutsNote").text().toStdString(), HasSubstr("Save"));
    child<QPushButton>("assignShortcut").click();
    EXPECT_EQ(window->action("help.about")->shortcut(), QKeySequence(QStringLiteral("Ctrl+S")));
    EXPECT_TRUE(window->action("file.save")->shortcuts().isEmpty());
}

} // namespace
} // namespace wb::ui
