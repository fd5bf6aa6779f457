#include "core/base/shell.h"

#include "core/base/text.h"

#include <algorithm>

namespace wb::base {

namespace {

bool isSafe(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("@%_+=:,./-").find(c) != std::string_view::npos;
}

} // namespace

std::string shellQuoted(std::string_view text)
{
    // "=" or "%" at the front of a word means something to some shells (zsh's =cmd, csh's jobs), so such a word is quoted as well.
    if (!text.empty() && std::all_of(text.begin(), text.end(), isSafe) && text.front() != '=' && text.front() != '%')
        return std::string(text);
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'')
            out += "'\\''";
        else
            out += c;
    }
    return out + "'";
}

bool isVariableName(std::string_view text)
{
    constexpr std::string_view parts = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    return !text.empty() && !(text.front() >= '0' && text.front() <= '9') && text.find_first_not_of(parts) == std::string_view::npos;
}

std::string shellCommand(std::span<const std::string> words)
{
    std::string out;
    for (const std::string& word : words) {
        if (!out.empty())
            out += ' ';
        out += shellQuoted(word);
    }
    return out;
}

std::string commandInQuotes(std::initializer_list<std::string> words)
{
    return '"' + printable(shellCommand({words.begin(), words.size()})) + '"';
}

} // namespace wb::base
