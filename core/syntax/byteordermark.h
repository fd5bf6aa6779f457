// The byte order mark that some editors put in front of UTF-8: kept in every text, and no column, no character of a key.
#pragma once

#include <string_view>

namespace wb::syntax {

inline constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

} // namespace wb::syntax
