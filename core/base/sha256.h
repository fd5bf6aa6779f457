#pragma once

#include <string>
#include <string_view>

namespace wb::base {

/// SHA-256 of the bytes, as 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256Hex(std::string_view bytes);

} // namespace wb::base
