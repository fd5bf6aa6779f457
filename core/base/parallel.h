// The one thread pool of core: spreads independent items over the cores.
//
// Contract: `work` is called once for each index, in any order, from several threads at once, and must touch only its own item.
// It must not throw. A call from within `work` does its items one after the other, as the cores are taken. With `stop` requested, items not
// yet begun are left out and `parallelFor` gives false.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

namespace wb::base {

bool parallelFor(std::size_t count, const std::function<void(std::size_t)>& work, std::stop_token stop = {});

} // namespace wb::base
