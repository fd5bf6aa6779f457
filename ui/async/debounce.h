#pragma once

#include <QTimer>

#include <chrono>
#include <functional>

namespace wb::ui::async {

/// Runs an action once after a burst of triggers, when nothing came for the delay.
class Debounce final : public QObject
{
    Q_OBJECT

public:
    Debounce(std::chrono::milliseconds delay, std::function<void()> action, QObject* parent = nullptr);

    void trigger();
    void flush(); ///< Runs the action now when it was due.

private:
    QTimer m_timer;
    std::function<void()> m_action;
};

} // namespace wb::ui::async
