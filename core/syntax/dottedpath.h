// Dotted paths of mapping keys: resources.gpu_type, environment."a.b". A key that holds what divides keys stands in double quotes, in which
// a backslash stands before a quote or a backslash of the key. A quote that closes nowhere, or inside a key, is a character like others.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace wb::syntax {

/// One key of a path.
struct PathKey {
    std::string_view written; ///< Without the quotes around it.
    bool isQuoted = false;    ///< `written` may hold backslashes that are not of the key.

    [[nodiscard]] bool isEmpty() const { return written.empty() && !isQuoted; }
    [[nodiscard]] std::string text() const;
};

struct SplitPath {
    PathKey first;
    std::optional<std::string_view> rest; ///< Behind the dot; nothing when the key was the last.
};

/// Takes the first key off a path. Allocates nothing.
[[nodiscard]] SplitPath splitPath(std::string_view path);

/// How much of the text its first key takes, quotes included, when it stands in quotes; nothing when no quote begins it, or none ends it.
[[nodiscard]] std::optional<std::size_t> quotedKeyLength(std::string_view text);

/// The path of a key below `parent`, which is empty at the top.
[[nodiscard]] std::string joinedPath(std::string_view parent, std::string_view key);

/// How much of the text is a path that `divider` ends ("a.b" of "a.b=5"); the whole text when the divider is not there.
[[nodiscard]] std::size_t pathLength(std::string_view text, char divider);

} // namespace wb::syntax
