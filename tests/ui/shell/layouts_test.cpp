#include "tests/ui/shell/windowfixture.h"
#include "ui/shell/layouts.h"
#include "ui/shell/panes.h"

#include <QDockWidget>

#include <algorithm>

namespace wb::ui {
namespace {

class LayoutsTest : public test::WindowTest
{
protected:
    bool isShown(const char* pane) { return !window->dock(pane)->isHidden(); }
    LayoutKeeper& keeper() { return window->layoutKeeper(); }
};

TEST(Layouts, PlaceOnlyPanesThatThereAre)
{
    for (const Layout& layout : layouts()) {
        for (const Place& place : layout.places) {
            const bool isThere =
                std::any_of(panes().begin(), panes().end(), [&](const Pane& pane) { return std::string_view(pane.id) == place.pane; });
            EXPECT_TRUE(isThere) << place.pane << " in " << layout.id;
        }
    }
}

TEST_F(LayoutsTest, ShowThePanesOfTheirRows)
{
    for (const Layout& layout : layouts()) {
        keeper().switchTo(QString::fromLatin1(layout.id));
        for (const Pane& pane : panes()) {
            const bool isPlaced = std::any_of(layout.places.begin(), layout.places.end(),
                                              [&](const Place& place) { return std::string_view(place.pane) == pane.id; });
            EXPECT_EQ(isShown(pane.id), isPlaced) << pane.id << " in " << layout.id;
        }
    }
}

TEST_F(LayoutsTest, KeepWhatWasChangedUntilTheyAreReset)
{
    keeper().switchTo(QStringLiteral("author"));
    window->dock("problems")->hide();
    keeper().switchTo(QStringLiteral("analyse"));
    keeper().switchTo(QStringLiteral("author"));
    EXPECT_FALSE(isShown("problems"));
    keeper().reset();
    EXPECT_TRUE(isShown("problems"));
}

TEST_F(LayoutsTest, AreThereAgainInTheNextWindow)
{
    keeper().switchTo(QStringLiteral("dry-run"));
    window->dock("log")->hide();
    window->close();
    makeWindow();
    EXPECT_EQ(keeper().current(), QStringLiteral("dry-run"));
    EXPECT_FALSE(isShown("log"));
    EXPECT_TRUE(isShown("artifacts"));
}

TEST_F(LayoutsTest, FallBackWhenTheirStateIsCorrupt)
{
    keeper().switchTo(QStringLiteral("author"));
    window->close();
    settings.setValue(QStringLiteral("layouts/author/state"), QByteArray("garbage"));
    settings.setValue(QStringLiteral("window/geometry"), QByteArray("garbage"));
    makeWindow();
    EXPECT_EQ(keeper().current(), QStringLiteral("author"));
    EXPECT_TRUE(isShown("variants"));
    EXPECT_TRUE(isShown("problems"));
}

TEST_F(LayoutsTest, FallBackWhenTheirNameIsUnknown)
{
    keeper().switchTo(QStringLiteral("no such layout"));
    EXPECT_EQ(keeper().current(), QString::fromLatin1(layouts()[0].id));
}

TEST_F(LayoutsTest, PutAPaneThatASavedStateDoesNotKnowAtItsDefaultPlace)
{
    keeper().switchTo(QStringLiteral("author"));
    window->close();
    QStringList known = settings.value(QStringLiteral("layouts/author/panes")).toStringList();
    ASSERT_TRUE(known.removeOne(QStringLiteral("frontier")));
    settings.setValue(QStringLiteral("layouts/author/panes"), known);
    makeWindow();
    QDockWidget* frontier = window->dock("frontier");
    EXPECT_FALSE(frontier->isFloating());
    EXPECT_EQ(window->dockWidgetArea(frontier), Qt::RightDockWidgetArea);
}

TEST_F(LayoutsTest, OfTheUserAreSavedAndRemoved)
{
    keeper().switchTo(QStringLiteral("author"));
    window->dock("results")->show();
    keeper().saveAs(QStringLiteral("mine"));
    EXPECT_EQ(keeper().userLayouts(), QStringList{QStringLiteral("mine")});
    keeper().switchTo(QStringLiteral("author"));
    keeper().reset();
    EXPECT_FALSE(isShown("results"));
    keeper().switchTo(QStringLiteral("user/mine"));
    EXPECT_TRUE(isShown("results"));
    keeper().remove(QStringLiteral("mine"));
    EXPECT_TRUE(keeper().userLayouts().isEmpty());
    EXPECT_EQ(keeper().current(), QString::fromLatin1(layouts()[0].id));
}

TEST_F(LayoutsTest, HideAllPanelsAndShowThemAgain)
{
    keeper().switchTo(QStringLiteral("author"));
    keeper().toggleAll();
    for (const Pane& pane : panes())
        EXPECT_FALSE(isShown(pane.id)) << pane.id;
    keeper().toggleAll();
    EXPECT_TRUE(isShown("variants"));
    EXPECT_FALSE(isShown("frontier")) << "what was hidden before stays hidden";
}

} // namespace
} // namespace wb::ui
