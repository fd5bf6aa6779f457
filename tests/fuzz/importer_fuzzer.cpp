// libFuzzer's entry for the importers: SRTWB_FUZZ_IMPORTER names a row of core/results/importers.cpp, none stands for all, by content.
// tests/fuzz/importers.sh runs it for each of them.
#include "tests/fuzz/importerfuzz.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const char* const importer = std::getenv("SRTWB_FUZZ_IMPORTER");
    wb::fuzz::tryResult({reinterpret_cast<const char*>(data), size}, importer ? importer : "");
    return 0;
}
