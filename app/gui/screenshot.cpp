#include "app/gui/screenshot.h"

#include "ui/charts/chartview.h"
#include "ui/shell/mainwindow.h"

#include <QPixmap>

#include <chrono>
#include <cstdio>

namespace wb::app {

using namespace std::chrono_literals;

Screenshot::Screenshot(ui::MainWindow& window, QString file, QObject* parent)
    : QObject(parent)
    , m_window(window)
    , m_file(std::move(file))
{
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(400ms);
    m_tooLong.setSingleShot(true);
    m_tooLong.setInterval(120s);
    connect(&m_quiet, &QTimer::timeout, this, &Screenshot::settle);
    connect(&m_tooLong, &QTimer::timeout, this, [this] {
        std::fputs("The window did not come to rest; no picture was made.\n", stderr);
        Q_EMIT done(false);
    });
    connect(&window.session().workers(), &ui::async::Workers::idle, &m_quiet, qOverload<>(&QTimer::start));
}

void Screenshot::start()
{
    m_tooLong.start();
    m_quiet.start();
}

void Screenshot::settle()
{
    // Work that began meanwhile ends with another `idle`.
    if (m_window.session().workers().isIdle())
        take();
}

void Screenshot::take()
{
    m_tooLong.stop();
    const Result<void> written = ui::charts::saveImage(m_window.grab().toImage(), m_file);
    if (!written)
        std::fprintf(stderr, "srt-workbench: %s\n", written.error().message.c_str());
    Q_EMIT done(written.has_value());
}

} // namespace wb::app
