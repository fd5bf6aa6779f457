// libFuzzer's entry for the importers. Run for each of them:
//   SRTWB_FUZZ_IMPORTER=guidellm build/fuzz/bin/importer_fuzzer -max_total_time=180 -max_len=65536 CORPUS tests/data/results
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
