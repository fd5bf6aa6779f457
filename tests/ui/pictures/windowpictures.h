// What the programs that take pictures of the whole window have in common.
#pragma once

#include "ui/shell/mainwindow.h"
#include "ui/shell/session.h"

#include <QString>

namespace wb::test {

class WindowPictures
{
public:
    /// Numbered pictures go to `folder`, which is made.
    WindowPictures(ui::Session& session, ui::MainWindow& window, QString folder);

    /// Until no worker is at work and what it brought is shown.
    void rest();
    /// The window with what floats over it; on a real display (Xvfb) the screen itself.
    void picture(const char* name);
    void closeDialogs();

    template <typename Widget>
    Widget& child(const char* name)
    {
        auto* found = m_window.findChild<Widget*>(QString::fromLatin1(name));
        if (!found)
            qFatal("no %s", name);
        return *found;
    }

protected:
    ui::Session& m_session;
    ui::MainWindow& m_window;
    QString m_folder;

private:
    int m_number = 0;
};

} // namespace wb::test
