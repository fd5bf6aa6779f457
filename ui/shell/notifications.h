// Tells of jobs while nobody looks at the window: by the desktop's own notifications, one for all that came together.
#pragma once

#include "core/store/jobrecord.h"
#include "ui/async/debounce.h"
#include "ui/async/workers.h"

#include <QObject>
#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

namespace wb::ui {

class Jobs;

class Notifications final : public QObject
{
    Q_OBJECT

public:
    using Show = std::function<void(const QString& title, const QString& body)>;

    /// `show`: instead of the desktop's notifications, for tests; empty: those.
    Notifications(Jobs& jobs, async::Workers& workers, QWidget& window, Show show = {});

private:
    void take(const store::JobEntry& job);
    void tell();
    void showOnDesktop(const QString& title, const QString& body);

    async::Workers& m_workers;
    QWidget& m_window;
    Show m_show;
    std::vector<store::JobEntry> m_jobs; ///< That changed since the last notification.
    async::Debounce m_soon;
};

} // namespace wb::ui
