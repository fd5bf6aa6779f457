#include "core/expand/selector.h"

#include "core/base/text.h"

#include <algorithm>

namespace wb::expand {

namespace {

/// One `[...]` at the front of the pattern against a character; the length of the class, or nothing when it is not closed.
std::optional<std::size_t> classLength(std::string_view pattern)
{
    std::size_t end = 1;
    if (end < pattern.size() && pattern[end] == '!')
        ++end;
    if (end < pattern.size() && pattern[end] == ']')
        ++end;
    end = pattern.find(']', end);
    return end == std::string_view::npos ? std::nullopt : std::optional(end + 1);
}

bool isInClass(std::string_view inside, char c)
{
    const bool isNegated = inside.starts_with('!');
    if (isNegated)
        inside.remove_prefix(1);
    bool found = false;
    for (std::size_t i = 0; i < inside.size(); ++i) {
        if (i + 2 < inside.size() && inside[i + 1] == '-') {
            found = found || (inside[i] <= c && c <= inside[i + 2]);
            i += 2;
        } else {
            found = found || inside[i] == c;
        }
    }
    return found != isNegated;
}

} // namespace

bool matchesGlob(std::string_view pattern, std::string_view text)
{
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;
    std::size_t starText = 0;
    while (t < text.size()) {
        const std::string_view rest = pattern.substr(std::min(p, pattern.size()));
        const auto length = rest.starts_with('[') ? classLength(rest) : std::nullopt;
        if (rest.starts_with('*')) {
            star = p++;
            starText = t;
        } else if (length && isInClass(rest.substr(1, *length - 2), text[t])) {
            p += *length;
            ++t;
        } else if (!length && !rest.empty() && (rest[0] == '?' || rest[0] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++starText;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

std::optional<Selector> readSelector(std::string_view text)
{
    if (text.empty())
        return Selector{};
    if (text == "base")
        return Selector{Selector::Kind::Base, "base", 0};
    if (text.find_first_of("*?") != std::string_view::npos)
        return Selector{Selector::Kind::Glob, std::string(text), 0};
    const bool isZip = text.starts_with("zip_override_");
    if (isZip && text.ends_with(']')) {
        const std::size_t bracket = text.rfind('[');
        if (bracket == std::string_view::npos)
            return std::nullopt;
        const auto slice = base::integerOf(text.substr(bracket + 1, text.size() - bracket - 2));
        if (!slice || *slice < 0)
            return std::nullopt;
        return Selector{Selector::Kind::Slice, std::string(text.substr(0, bracket)), static_cast<std::size_t>(*slice)};
    }
    if (isZip || text.starts_with("override_"))
        return Selector{Selector::Kind::Section, std::string(text), 0};
    return std::nullopt;
}

} // namespace wb::expand
