// What may stand between the braces of a placeholder: `{name}` in a value, which a sweep or the job fills in.
#pragma once

namespace wb::syntax {

/// Letters and digits of ASCII, `_`, `-` and `.`, whatever the locale says.
[[nodiscard]] constexpr bool isPlaceholderChar(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

} // namespace wb::syntax
