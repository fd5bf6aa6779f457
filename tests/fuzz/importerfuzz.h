// What must hold for any text that is imported.
#pragma once

#include <string_view>

namespace wb::fuzz {

/// Reads the text by content and, where `importer` is not empty, as of that format; ends the program when something does not hold.
void tryResult(std::string_view text, std::string_view importer = {});

} // namespace wb::fuzz
