// Waiting that ends as soon as it should stop.
#pragma once

#include <chrono>
#include <stop_token>

namespace wb::remote {

/// False when it was stopped before the time was over.
bool waitFor(std::chrono::milliseconds time, const std::stop_token& stop);

} // namespace wb::remote
