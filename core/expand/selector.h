// What stands behind the colon of PATH:SELECTOR.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace wb::expand {

/// Shell-style glob: `*`, `?`, `[abc]`, `[!abc]`.
[[nodiscard]] bool matchesGlob(std::string_view pattern, std::string_view text);

struct Selector {
    enum class Kind { All, Base, Section, Slice, Glob };
    Kind kind = Kind::All;
    std::string section; ///< Key or pattern.
    std::size_t slice = 0;
};

/// As srtctl takes it: "base", "override_x", "zip_override_x", "zip_override_x[1]", a glob. Nothing when the text is none of them.
[[nodiscard]] std::optional<Selector> readSelector(std::string_view text);

} // namespace wb::expand
