// Which scalars upstream's loader (marshmallow) takes for which kind of field. Source: recipe-language notes, section 4, checked by running
// it.
#pragma once

#include "core/syntax/value.h"

#include <cstdint>
#include <optional>

namespace wb::recipe {

struct Whole {
    std::int64_t value = 0;
    bool isCut = false; ///< A fraction was cut off.
    bool huge = false;  ///< Beyond 64 bits.
};

/// 8, "8", " 8 ", "1_000", digits of any script, 8.0 and, cut, 8.5. Not booleans, not "8.0", not infinite.
[[nodiscard]] std::optional<Whole> asInteger(const syntax::Value& value);
/// 1, "1", 1.5, "1.5", "1e-3". Not booleans, not infinite, not NaN.
[[nodiscard]] std::optional<double> asNumber(const syntax::Value& value);
/// true, false, 0, 1, 0.0, 1.0 and the words t f y n true false yes no on off 0 1 in lower case, Capitalised or UPPER CASE.
[[nodiscard]] std::optional<bool> asBoolean(const syntax::Value& value);

} // namespace wb::recipe
