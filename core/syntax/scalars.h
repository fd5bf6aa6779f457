// Numbers as YAML 1.1 and 1.2 read them back.
#pragma once

#include "core/syntax/value.h"

#include <string>

namespace wb::syntax {

/// A float with the point, and the sign of the exponent, without which YAML 1.1 reads an integer or a text: 5.0, 1.0e+20, .inf.
[[nodiscard]] std::string floatText(double number);
/// As the value is written, where that is read back as a float.
[[nodiscard]] std::string floatText(const Value& value);

} // namespace wb::syntax
