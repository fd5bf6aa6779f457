// Words that stand where a value would be and say that there is none to be had.
#pragma once

#include <string_view>

namespace wb::base {

/// The text is empty, or what a program writes when it could not find out: "unavailable" (srtctl), "unknown", "N/A", "[Not Supported]"
/// (nvidia-smi), "None" (Python). Case, blanks and brackets around it do not count. Such a text is nobody's value: two of them are not the
/// same.
[[nodiscard]] bool tellsNothing(std::string_view text);

} // namespace wb::base
