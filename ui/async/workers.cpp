#include "ui/async/workers.h"

#include <algorithm>

namespace wb::ui::async {

Workers::Workers(Mode mode, QObject* parent)
    : QObject(parent)
    , m_mode(mode)
{
    // An import and a walk through a folder may each hold a thread for long; checking while somebody types must not wait for them.
    m_pool.setMaxThreadCount(std::max(6, QThread::idealThreadCount()));
}

void Workers::begin()
{
    ++m_running;
}

void Workers::end()
{
    Q_ASSERT(m_running > 0);
    if (--m_running == 0)
        Q_EMIT idle();
}

} // namespace wb::ui::async
