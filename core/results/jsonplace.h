// Where a value stands in JSON text, for messages: values carry no places, as hardly any needs one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace wb::results {

/// A key of an object, or a position in a list.
using PathStep = std::variant<std::string, std::size_t>;

/// Byte offset of the value that the path leads to from the document at `begin`; of several equal keys the last, which is the one that
/// counts. Nothing when there is none. The text was read before, so it is JSON.
[[nodiscard]] std::optional<std::size_t> offsetOf(std::string_view text, std::size_t begin, std::span<const PathStep> path);

/// "line 3, column 17", from 1, in code points.
[[nodiscard]] std::string lineAndColumn(std::string_view text, std::size_t offset);

} // namespace wb::results
