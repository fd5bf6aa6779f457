// Values of a recipe as srtctl's Python prints them.
#pragma once

#include "core/syntax/value.h"

#include <string>

namespace wb::syntax {

/// A number as Python's `str` prints it: 0.75, 100.0, 1e-05.
[[nodiscard]] std::string pythonText(double number);
/// A value as Python's `str` prints it: text as it is, True, None, [1, 'a'], {'key': 1}.
[[nodiscard]] std::string pythonText(const Value& value);

} // namespace wb::syntax
