#include "core/base/untold.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace wb::base {

bool tellsNothing(std::string_view text)
{
    // To add one: a word in lower case, without brackets.
    constexpr auto words = std::to_array<std::string_view>({"", "?", "-", "n/a", "na", "nil", "none", "null", "undefined", "unavailable",
                                                            "unknown", "unknown error", "error", "not available", "not detected",
                                                            "not found", "not supported", "insufficient permissions"});
    std::string_view inner = trimmed(text);
    while (inner.size() >= 2 && std::string_view("[(<").find(inner.front()) != std::string_view::npos &&
           std::string_view("])>").find(inner.back()) != std::string_view::npos)
        inner = trimmed(inner.substr(1, inner.size() - 2));
    return std::find(words.begin(), words.end(), lowered(inner)) != words.end();
}

} // namespace wb::base
