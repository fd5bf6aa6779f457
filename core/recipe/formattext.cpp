#include "core/recipe/formattext.h"

#include <algorithm>
#include <cstddef>

namespace wb::recipe {

namespace {

/// Behind the brace that closes the one at `open`; npos when none does. Format counts braces, also within quotes.
std::size_t behindField(std::string_view text, std::size_t open)
{
    std::size_t depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == '{')
            ++depth;
        else if (text[i] == '}' && --depth == 0)
            return i + 1;
    }
    return std::string_view::npos;
}

/// A width or precision that a text takes, as in {name:>8}.
bool isPlainFormat(std::string_view format)
{
    return std::all_of(format.begin(), format.end(), [](char c) { return (c >= '0' && c <= '9') || c == '<' || c == '>' || c == '^'; });
}

FormatPart fieldPart(std::string_view field)
{
    const std::string_view inside = field.substr(1, field.size() - 2);
    const std::size_t tail = std::min(inside.find_first_of(":!"), inside.size());
    const std::string_view name = inside.substr(0, tail);
    FormatPart part{FormatPart::Kind::Name, field, name};
    const bool isNumber = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }); // an empty one too
    if (isNumber)
        part.kind = FormatPart::Kind::Positional;
    else if (name.find_first_of(".[") != std::string_view::npos)
        part.kind = FormatPart::Kind::Refused;
    else if (tail < inside.size())
        part.kind = inside[tail] == '!' || isPlainFormat(inside.substr(tail + 1)) ? FormatPart::Kind::Narrowed : FormatPart::Kind::Refused;
    return part;
}

} // namespace

std::vector<FormatPart> formatParts(std::string_view text)
{
    using Kind = FormatPart::Kind;
    std::vector<FormatPart> parts;
    for (std::size_t i = text.find_first_of("{}"); i != std::string_view::npos; i = text.find_first_of("{}", i)) {
        if (i + 1 < text.size() && text[i + 1] == text[i]) {
            parts.push_back({Kind::Doubled, text.substr(i, 2), {}});
            i += 2;
            continue;
        }
        const std::size_t end = text[i] == '{' ? behindField(text, i) : std::string_view::npos;
        if (end == std::string_view::npos) {
            parts.push_back({Kind::LoneBrace, text.substr(i, 1), {}});
            ++i;
            continue;
        }
        parts.push_back(fieldPart(text.substr(i, end - i)));
        i = end;
    }
    return parts;
}

} // namespace wb::recipe
