#include "ui/shell/notifications.h"

#include "core/remote/slurmstates.h"
#include "ui/async/background.h"
#include "ui/models/text.h"
#include "ui/shell/jobs.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QFileInfo>
#include <QStandardPaths>
#include <QVariantMap>

#include <algorithm>
#include <utility>

namespace wb::ui {

namespace {

using namespace std::chrono_literals;

/// All jobs of a cluster are asked for at once: what changed comes within a moment.
constexpr auto together = 300ms;

/// Without one, asking for it would start a bus of its own.
bool hasSessionBus()
{
    return !qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS") ||
           QFileInfo::exists(QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation) + QStringLiteral("/bus"));
}

} // namespace

Notifications::Notifications(Jobs& jobs, async::Workers& workers, QWidget& window, Show show)
    : QObject(&window)
    , m_workers(workers)
    , m_window(window)
    , m_show(std::move(show))
    , m_soon(together, [this] { tell(); })
{
    if (!m_show)
        m_show = [this](const QString& title, const QString& body) { showOnDesktop(title, body); };
    connect(&jobs, &Jobs::stateChanged, this, [this](const store::JobEntry& job) { take(job); });
}

void Notifications::take(const store::JobEntry& job)
{
    const bool isNews = remote::isEnd(job.state) || job.state == "running" || job.state == "unknown";
    if (!isNews)
        return;
    m_jobs.push_back(job);
    m_soon.trigger();
}

void Notifications::tell()
{
    const std::vector<store::JobEntry> jobs = std::exchange(m_jobs, {});
    if (jobs.empty() || m_window.isActiveWindow()) // it is seen there
        return;
    constexpr std::size_t mostNamed = 5;
    QStringList lines;
    for (std::size_t i = 0; i < std::min(jobs.size(), mostNamed); ++i)
        lines += QStringLiteral("%1: %2").arg(text(jobs[i].name), text(jobs[i].state));
    if (jobs.size() > mostNamed)
        lines += tr("\u2026 and %1 more").arg(jobs.size() - mostNamed);
    const auto failed = std::count_if(jobs.begin(), jobs.end(), [](const store::JobEntry& job) { return remote::isFailure(job.state); });
    QString title = tr("%n job(s) changed on %1", nullptr, static_cast<int>(jobs.size())).arg(text(jobs.front().host));
    if (failed > 0)
        title += tr(", %1 failed").arg(failed);
    QApplication::alert(&m_window);
    m_show(title, lines.join(QLatin1Char('\n')));
}

void Notifications::showOnDesktop(const QString& title, const QString& body)
{
    if (!hasSessionBus())
        return;
    async::runInBackground(
        m_workers, this,
        [title, body] {
            constexpr int patienceMs = 2'000;
            QDBusMessage call = QDBusMessage::createMethodCall(QStringLiteral("org.freedesktop.Notifications"),
                                                               QStringLiteral("/org/freedesktop/Notifications"),
                                                               QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
            call << QStringLiteral("SRT Workbench") << 0U << QStringLiteral("org.srtworkbench.Workbench") << title << body.toHtmlEscaped()
                 << QStringList() << QVariantMap() << -1;
            return QDBusConnection::sessionBus().call(call, QDBus::Block, patienceMs).type() == QDBusMessage::ReplyMessage;
        },
        [](bool) {}); // a desktop without notifications is no fault: the log has it
}

} // namespace wb::ui
