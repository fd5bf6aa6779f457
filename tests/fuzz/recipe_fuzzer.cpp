// libFuzzer's entry. Run: build/fuzz/bin/recipe_fuzzer -dict=tests/fuzz/recipe.dict -max_len=65536 CORPUS tests/fuzz/seeds tests/fuzz/found
#include "tests/fuzz/recipefuzz.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    wb::fuzz::tryRecipe({reinterpret_cast<const char*>(data), size});
    return 0;
}
