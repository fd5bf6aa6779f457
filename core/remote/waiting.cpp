#include "core/remote/waiting.h"

#include <condition_variable>
#include <mutex>

namespace wb::remote {

bool waitFor(std::chrono::milliseconds time, const std::stop_token& stop)
{
    std::mutex mutex;
    std::condition_variable_any nobody;
    std::unique_lock lock(mutex);
    (void)nobody.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

} // namespace wb::remote
