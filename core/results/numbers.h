// Numbers for people to read. Documents (JSON, CSV) carry the exact ones.
#pragma once

#include <string>

namespace wb::results {

/// At most `digits` significant digits, without an exponent where a person would write none: 68.53875000000001 is "68.5388".
[[nodiscard]] std::string significant(double number, int digits = 6);

} // namespace wb::results
