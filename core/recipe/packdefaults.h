// Defaults of the recipe languages for code that counts before a recipe is read: asked of the pack, where alone they stand.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wb::recipe {

/// Of the built-in pack of that id; nothing when the key has no whole number for its default.
[[nodiscard]] std::optional<std::int64_t> defaultNumber(std::string_view pack, std::string_view path);
/// As defaultNumber, any number.
[[nodiscard]] std::optional<double> defaultAmount(std::string_view pack, std::string_view path);

} // namespace wb::recipe
