// Helpers on UTF-8 text. Nothing here depends on the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::base {

/// The text as one line that a terminal or a list shows as it is: control characters and bytes that are not UTF-8 become \xNN, line breaks
/// and tabs too, characters that turn or hide what stands around them (U+202E, U+200B, ...) \uNNNN. For everything that came from a file,
/// a name or a server and is printed.
[[nodiscard]] std::string printable(std::string_view text);
/// The text in double quotes, made printable and shortened to 60 code points: for messages.
[[nodiscard]] std::string inQuotes(std::string_view text);
/// As `inQuotes`, and whole: the end of a path says more than its begin.
[[nodiscard]] std::string pathInQuotes(std::string_view path);
/// The text holds a control character (line breaks and tabs are some, DEL and NUL too), so it cannot be one line of a script.
[[nodiscard]] bool hasControlCharacter(std::string_view text);

[[nodiscard]] std::string_view trimmed(std::string_view text);
[[nodiscard]] std::vector<std::string_view> splitAt(std::string_view text, char separator);
[[nodiscard]] std::string joined(std::span<const std::string> parts, std::string_view separator);
[[nodiscard]] std::string lowered(std::string_view text); ///< ASCII letters only.
/// Every `from` becomes `to`; `from` must not be empty.
[[nodiscard]] std::string replacedAll(std::string_view text, std::string_view from, std::string_view to);

/// The whole text as a number, or nothing; no blanks, no locale, no "+".
[[nodiscard]] std::optional<std::int64_t> integerOf(std::string_view text);
/// As integerOf, for floating-point numbers; "inf" and "nan" are not numbers here.
[[nodiscard]] std::optional<double> numberOf(std::string_view text);
/// The shortest text that reads back as the same number; whole numbers below 1e15 without a point.
[[nodiscard]] std::string textOf(double number);

/// Byte offset of the first byte that is not part of valid UTF-8, or nothing when all is well.
[[nodiscard]] std::optional<std::size_t> firstInvalidUtf8(std::string_view text);
[[nodiscard]] std::size_t codePoints(std::string_view text);

/// Edit distance (insert, delete, change, swap of neighbours), counted in bytes, at most `limit` + 1.
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit);
/// The candidate that was most likely meant: within a third of its length, `_` and `-` and case counting little. Empty when none is near.
[[nodiscard]] std::string_view nearestName(std::string_view written, std::span<const std::string_view> candidates);

} // namespace wb::base
