#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace wb::base {

bool parallelFor(std::size_t count, const std::function<void(std::size_t)>& work, std::stop_token stop)
{
    std::atomic<std::size_t> next = 0;
    const auto run = [&] {
        for (;;) {
            const std::size_t index = next.fetch_add(1, std::memory_order_relaxed);
            if (index >= count || stop.stop_requested())
                return;
            work(index);
        }
    };
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::jthread> threads; // the caller works too
    for (std::size_t i = 1; i < std::min(cores, count); ++i)
        threads.emplace_back(run);
    run();
    threads.clear();
    return !stop.stop_requested();
}

} // namespace wb::base
