// Texts as Python's str.format reads them, which is how srtctl fills in its templates.
#pragma once

#include <string_view>
#include <vector>

namespace wb::recipe {

/// A place in a text where format does something.
struct FormatPart {
    enum class Kind {
        Name,       ///< {name}
        Positional, ///< {} or {0}: refused by a template that has names only.
        LoneBrace,  ///< A brace without its partner: refused.
        Doubled,    ///< {{ or }}: becomes one.
        Narrowed,   ///< {name:8} or {name!r}: what stands behind the name does not stay as it is.
        Refused,    ///< {"a": 1}, {a.b}, {a[0]}: a format or a look-up that fails.
    };
    Kind kind = Kind::Name;
    std::string_view text; ///< As written, with its braces.
    std::string_view name; ///< Name, Narrowed: the name alone.
};

[[nodiscard]] std::vector<FormatPart> formatParts(std::string_view text);

} // namespace wb::recipe
