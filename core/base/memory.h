// How the process deals with memory that it has freed.
#pragma once

#include <cstddef>

namespace wb::base {

/// Keeps up to so many freed bytes of a thread's heap instead of giving them back to the system at once: a program that checks the same
/// text again at every key press would else have each page cleared anew for each check. Only the GNU C library can be told; elsewhere
/// nothing happens.
void keepFreedMemory(std::size_t bytes);

} // namespace wb::base
