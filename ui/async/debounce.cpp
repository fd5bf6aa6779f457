#include "ui/async/debounce.h"

#include <utility>

namespace wb::ui::async {

Debounce::Debounce(std::chrono::milliseconds delay, std::function<void()> action, QObject* parent)
    : QObject(parent)
    , m_action(std::move(action))
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(delay);
    connect(&m_timer, &QTimer::timeout, this, [this] { m_action(); });
}

void Debounce::trigger()
{
    m_timer.start();
}

void Debounce::flush()
{
    if (!m_timer.isActive())
        return;
    m_timer.stop();
    m_action();
}

} // namespace wb::ui::async
