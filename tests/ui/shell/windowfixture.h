// The whole window over a session of its own, shown on the offscreen platform.
#pragma once

#include "tests/ui/shell/sessionfixture.h"
#include "ui/shell/mainwindow.h"

#include <QSettings>

#include <memory>

namespace wb::ui::test {

class WindowTest : public SessionTest
{
protected:
    WindowTest()
        : settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat)
    {
        makeWindow();
    }

    void makeWindow()
    {
        window.reset();
        window = std::make_unique<MainWindow>(session, settings);
        window->resize(1440, 900);
        window->show();
        window->activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(window.get()));
    }

    template <typename Widget>
    [[nodiscard]] Widget& child(const char* name) const
    {
        auto* found = window->findChild<Widget*>(QString::fromLatin1(name));
        if (!found)
            throw std::runtime_error(std::string("the window has no ") + name);
        return *found;
    }

    QSettings settings;
    std::unique_ptr<MainWindow> window;
};

} // namespace wb::ui::test
