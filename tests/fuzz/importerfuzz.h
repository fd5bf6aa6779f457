// What must hold for any text that is imported.
#pragma once

#include <string_view>

namespace wb::fuzz {

/// Reads the text as of the format of that importer, or by content where none is named; ends the program when something does not hold.
void tryResult(std::string_view text, std::string_view importer = {});

} // namespace wb::fuzz
