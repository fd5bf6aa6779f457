// How values become words of the window. A value that is not known is a dash here, with its reason in the tooltip; it is never 0.
#pragma once

#include <QString>

#include <cstdint>
#include <optional>
#include <string_view>

namespace wb::ui {

[[nodiscard]] QString text(std::string_view utf8);
[[nodiscard]] QString dash();

/// At most `digits` significant digits, no exponent for what people count, the point as decimal sign; a dash when not known.
[[nodiscard]] QString number(std::optional<double> value, int digits = 6);
[[nodiscard]] QString wholeNumber(std::int64_t value);
/// "1.5 KiB"
[[nodiscard]] QString byteCount(std::size_t bytes);
/// "4:00:00"; a dash when not known.
[[nodiscard]] QString duration(std::optional<double> hours);

} // namespace wb::ui
