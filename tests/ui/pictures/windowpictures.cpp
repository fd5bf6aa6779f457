#include "tests/ui/pictures/windowpictures.h"

#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QPainter>
#include <QScreen>
#include <QTest>

#include <utility>

namespace wb::test {

WindowPictures::WindowPictures(ui::Session& session, ui::MainWindow& window, QString folder)
    : m_session(session)
    , m_window(window)
    , m_folder(std::move(folder))
{
    QDir().mkpath(m_folder);
}

void WindowPictures::rest()
{
    static_cast<void>(QTest::qWaitFor([this] { return m_session.workers().isIdle(); }, 60'000));
    QTest::qWait(400);
}

void WindowPictures::picture(const char* name)
{
    rest();
    const QString file =
        QStringLiteral("%1/%2-%3.png").arg(m_folder).arg(++m_number, 2, 10, QLatin1Char('0')).arg(QString::fromLatin1(name));
    if (QGuiApplication::platformName() == QLatin1String("xcb")) {
        static_cast<void>(m_window.screen()->grabWindow(0, m_window.x(), m_window.y(), m_window.width(), m_window.height()).save(file));
        return;
    }
    QImage image(m_window.size() * m_window.devicePixelRatioF(), QImage::Format_RGB32);
    image.setDevicePixelRatio(m_window.devicePixelRatioF());
    m_window.render(&image);
    QPainter painter(&image);
    for (QWidget* top : QApplication::topLevelWidgets()) {
        if (top == &m_window || !top->isVisible() || top->windowType() == Qt::Desktop)
            continue;
        const QPoint at = qobject_cast<QDialog*>(top)
                              ? QPoint((m_window.width() - top->width()) / 2, (m_window.height() - top->height()) / 2)
                              : m_window.mapFromGlobal(top->pos());
        painter.drawPixmap(at, top->grab());
    }
    painter.end();
    image.save(file);
}

void WindowPictures::closeDialogs()
{
    for (QWidget* top : QApplication::topLevelWidgets()) {
        if (auto* dialog = qobject_cast<QDialog*>(top))
            dialog->reject();
    }
    QTest::qWait(50);
}

} // namespace wb::test
