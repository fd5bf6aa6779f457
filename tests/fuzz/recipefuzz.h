// What must hold for every text, however broken: used by the fuzzer and, on the inputs kept here, by a test.
#pragma once

#include <string_view>

namespace wb::fuzz {

/// Checks the text as a recipe and what was made of it; aborts with a message when something that must hold does not.
void tryRecipe(std::string_view text);

} // namespace wb::fuzz
