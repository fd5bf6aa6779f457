// Where the jobs of the window run, and whether any is under way.
//
// Contract: all functions are called on the UI thread. `Mode::Inline` runs a job inside the call that starts it: for tests that want
// one thing after the other.
#pragma once

#include <QObject>
#include <QThreadPool>

namespace wb::ui::async {

enum class Mode { Pool, Inline };

class Workers final : public QObject
{
    Q_OBJECT

public:
    explicit Workers(Mode mode = Mode::Pool, QObject* parent = nullptr);

    [[nodiscard]] Mode mode() const { return m_mode; }
    [[nodiscard]] QThreadPool& pool() { return m_pool; }
    /// No job is under way whose result somebody still waits for.
    [[nodiscard]] bool isIdle() const { return m_running == 0; }

    void begin();
    void end();

Q_SIGNALS:
    void idle(); ///< The last job has delivered.

private:
    Mode m_mode;
    int m_running = 0;
    QThreadPool m_pool;
};

} // namespace wb::ui::async
