#include "core/base/memory.h"

#ifdef __GLIBC__
#include <malloc.h>

#include <algorithm>
#include <limits>
#endif

namespace wb::base {

void keepFreedMemory([[maybe_unused]] std::size_t bytes)
{
#ifdef __GLIBC__
    // Setting either ends the library's own tuning of both, so both are set; blocks above 32 MiB cannot be kept.
    ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
    ::mallopt(M_TOP_PAD, 1 << 20); // heaps grow in steps of so much, not of a few pages with a call of the system for each
    ::mallopt(M_TRIM_THRESHOLD, static_cast<int>(std::min(bytes, static_cast<std::size_t>(std::numeric_limits<int>::max()))));
#endif
}

} // namespace wb::base
