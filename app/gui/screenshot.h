#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

namespace wb::ui {
class MainWindow;
}

namespace wb::app {

/// Waits until every check, import and chart of the window is done, writes a picture of it and says so. Nothing is waited for in a loop:
/// each step follows a signal.
class Screenshot final : public QObject
{
    Q_OBJECT

public:
    Screenshot(ui::MainWindow& window, QString file, QObject* parent = nullptr);

    void start();

Q_SIGNALS:
    void done(bool isWritten);

private:
    void settle();
    void take();

    ui::MainWindow& m_window;
    QString m_file;
    QTimer m_quiet; ///< Runs while nothing is under way.
    QTimer m_tooLong;
};

} // namespace wb::app
