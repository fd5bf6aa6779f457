#include "core/syntax/dottedpath.h"

#include <algorithm>
#include <array>

namespace wb::syntax {

namespace {

/// Where the key that begins the text ends: at a divider, which inside of quotes is none.
std::size_t keyLength(std::string_view text, std::string_view dividers)
{
    const auto quoted = quotedKeyLength(text);
    if (quoted && (*quoted == text.size() || dividers.find(text[*quoted]) != std::string_view::npos))
        return *quoted;
    // Paths are short, and rules take thousands of them apart for each job: one look at each character is the least there is.
    std::size_t end = 0;
    for (; end < text.size(); ++end) {
        for (const char divider : dividers) {
            if (text[end] == divider)
                return end;
        }
    }
    return end;
}

} // namespace

std::string PathKey::text() const
{
    std::string out;
    out.reserve(written.size());
    for (std::size_t i = 0; i < written.size(); ++i) {
        const bool isEscape = isQuoted && written[i] == '\\' && i + 1 < written.size();
        out += written[isEscape ? ++i : i];
    }
    return out;
}

std::optional<std::size_t> quotedKeyLength(std::string_view text)
{
    for (std::size_t i = 1; text.starts_with('"') && i < text.size(); ++i) {
        if (text[i] == '"')
            return i + 1;
        if (text[i] == '\\')
            ++i;
    }
    return std::nullopt;
}

SplitPath splitPath(std::string_view path)
{
    const std::size_t end = keyLength(path, ".");
    SplitPath out;
    out.first.written = path.substr(0, end);
    constexpr std::size_t quotes = 2;
    if (end >= quotes && path.front() == '"' && path[end - 1] == '"') {
        out.first.isQuoted = true;
        out.first.written = path.substr(1, end - quotes);
    }
    if (end < path.size())
        out.rest = path.substr(end + 1);
    return out;
}

std::string joinedPath(std::string_view parent, std::string_view key)
{
    std::string out(parent);
    if (!parent.empty())
        out += '.';
    if (!key.empty() && key.find_first_of(".[]\"=") == std::string_view::npos)
        return out += key;
    out += '"';
    for (const char c : key) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out += '"';
}

std::size_t pathLength(std::string_view text, char divider)
{
    const std::array<char, 2> dividers = {'.', divider};
    std::size_t at = 0;
    for (;;) {
        at += keyLength(text.substr(at), {dividers.data(), dividers.size()});
        if (at >= text.size() || text[at] == divider)
            return std::min(at, text.size());
        ++at;
    }
}

} // namespace wb::syntax
