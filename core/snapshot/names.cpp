#include "core/snapshot/names.h"

#include "core/base/text.h"

#include <algorithm>

namespace wb::snapshot {

namespace {

bool isLower(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool isLetterOrDigit(char c)
{
    return isLower(c) || (c >= 'A' && c <= 'Z');
}

/// A label without the limit of its length, as the parts of a subdomain are.
bool isLabelText(std::string_view text)
{
    return !text.empty() && isLower(text.front()) && isLower(text.back()) &&
           std::all_of(text.begin(), text.end(), [](char c) { return isLower(c) || c == '-'; });
}

} // namespace

bool isDnsLabel(std::string_view text)
{
    return text.size() <= 63 && isLabelText(text);
}

bool isDnsSubdomain(std::string_view text)
{
    const auto parts = base::splitAt(text, '.');
    return text.size() <= 253 && std::all_of(parts.begin(), parts.end(), isLabelText);
}

bool isQualifiedName(std::string_view text)
{
    if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
        if (!isDnsSubdomain(text.substr(0, slash)))
            return false;
        text.remove_prefix(slash + 1);
    }
    return !text.empty() && text.size() <= 63 && isLetterOrDigit(text.front()) && isLetterOrDigit(text.back()) &&
           std::all_of(text.begin(), text.end(), [](char c) { return isLetterOrDigit(c) || c == '-' || c == '_' || c == '.'; });
}

std::string_view placeholderIn(std::string_view text)
{
    for (std::size_t begin = text.find('<'); begin != std::string_view::npos; begin = text.find('<', begin + 1)) {
        const std::size_t end = text.find('>', begin);
        if (end == std::string_view::npos)
            return {};
        const std::string_view inside = text.substr(begin + 1, end - begin - 1);
        const bool isName = !inside.empty() && isLetterOrDigit(inside.front()) && std::all_of(inside.begin(), inside.end(), [](char c) {
            return isLetterOrDigit(c) || c == '-' || c == '_' || c == '.' || c == ' ';
        });
        if (isName)
            return text.substr(begin, end - begin + 1);
    }
    return {};
}

} // namespace wb::snapshot
