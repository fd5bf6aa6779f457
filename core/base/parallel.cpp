#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace wb::base {

namespace {

/// This thread works for a parallelFor: one within it has the cores taken already.
thread_local bool isWorker = false;

} // namespace

bool parallelFor(std::size_t count, const std::function<void(std::size_t)>& work, std::stop_token stop)
{
    std::atomic<std::size_t> next = 0;
    const auto run = [&] {
        const bool wasWorker = std::exchange(isWorker, true);
        for (;;) {
            const std::size_t index = next.fetch_add(1, std::memory_order_relaxed);
            if (index >= count || stop.stop_requested())
                break;
            work(index);
        }
        isWorker = wasWorker;
    };
    const std::size_t cores = isWorker ? 1 : std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::jthread> threads; // the caller works too
    threads.reserve(std::min(cores, count));
    try {
        for (std::size_t i = 1; i < std::min(cores, count); ++i)
            threads.emplace_back(run);
    } catch (const std::system_error&) {
        // The system gives no more threads: those that there are do the work.
    }
    run();
    threads.clear();
    return !stop.stop_requested();
}

} // namespace wb::base
