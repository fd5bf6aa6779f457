#include "core/base/secrets.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <optional>

namespace wb::base {

namespace {

constexpr std::array<std::string_view, 8> words = {"token", "key", "keys", "secret", "password", "passwd", "credential", "auth"};

/// Behind "token": it is one of a text.
constexpr std::array<std::string_view, 10> measures = {"threshold", "limit",  "count", "size", "budget",
                                                       "length",    "number", "rate",  "map",  "group"};

bool isSecretWord(std::string_view word)
{
    return word == "authorization" || word == "credentials" || word == "secrets" ||
           std::any_of(words.begin(), words.end(), [&](std::string_view each) { return word.ends_with(each); });
}

bool isNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

/// Tells nothing by itself: a variable's name, a switch, what is masked already.
bool isOpen(std::string_view value)
{
    return value.empty() || value.front() == '$' || value == "true" || value == "false" || value == "null" || value == "0" ||
           value == "1" || value.starts_with("***");
}

constexpr std::string_view quotes = "\"'";

/// Where the value ends that begins there: at the quote before it, else where a word of a shell, of a list or of a URL does.
std::size_t endOfValue(std::string_view text, std::size_t begin)
{
    const char quote = begin > 0 && quotes.find(text[begin - 1]) != std::string_view::npos ? text[begin - 1] : '\0';
    if (quote == '\0')
        return std::min(text.find_first_of(" \t\r\n\"'`,;&|<>)]}", begin), text.size());
    if (begin > 1 && text[begin - 2] == '\\') // JSON within JSON
        return std::min(text.find_first_of("\\\n", begin), text.size());
    std::size_t at = begin;
    while (at < text.size() && text[at] != '\n') {
        if (quote == '"' && text[at] == '\\' && at + 1 < text.size())
            at += 2;
        else if (quote == '\'' && text.substr(at).starts_with("'\\''"))
            at += 4;
        else if (quote == '\'' && text.substr(at).starts_with("''"))
            at += 2;
        else if (text[at] == quote)
            break;
        else
            ++at;
    }
    return std::min(at, text.size());
}

/// The place of the value behind "NAME=", "NAME: " or "--name " (in a command, in lists of JSON and YAML, behind a line that goes on);
/// nothing when the name is followed by neither.
std::optional<std::size_t> valueBehind(std::string_view text, std::string_view name, std::size_t at, bool isFlag)
{
    const auto skipped = [&text](std::size_t from, std::string_view characters) {
        return std::min(text.find_first_not_of(characters, from), text.size());
    };
    if (at < text.size() && text[at] == '=')
        return skipped(at + 1, "\"'\\");
    if (isFlag) {
        std::size_t next = skipped(at, "\"', \t\r\n\\");
        if (text.substr(next).starts_with("- "))
            next = skipped(next + 2, "\"' ");
        const bool isFound = next > at && next < text.size() && text[next] != '-';
        return isFound ? std::optional(next) : std::nullopt;
    }
    const std::size_t colon = skipped(at, "\"'\\");
    // "key: value" of a remark is prose more often than a secret.
    if (colon == text.size() || text[colon] != ':' || name == "key" || name == "keys")
        return {};
    const std::size_t next = skipped(colon + 1, " ");
    const bool isApart = next > colon + 1 || (next < text.size() && text[next] == '"');
    return isApart ? std::optional(skipped(next, "\"'\\")) : std::nullopt;
}

/// "https://name:word@host" without what stands before the "@".
std::string withoutCredentials(const std::string& text)
{
    std::string out;
    std::size_t from = 0;
    for (std::size_t at = text.find("://"); at != std::string::npos; at = text.find("://", from)) {
        const std::size_t begin = at + 3;
        const std::size_t end = std::min(text.find_first_of("/?#\"'` \t\r\n,;()<>", begin), text.size());
        const std::size_t sign = text.rfind('@', end == 0 ? 0 : end - 1);
        out += text.substr(from, begin - from);
        from = begin;
        if (sign == std::string::npos || sign < begin || sign >= end)
            continue;
        out += secretMask;
        from = sign;
    }
    return out + text.substr(from);
}

} // namespace

bool isSecretName(std::string_view name)
{
    std::vector<std::string> parts(1);
    for (const char c : lowered(name)) {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            parts.back() += c;
        else if (!parts.back().empty())
            parts.emplace_back();
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!isSecretWord(parts[i]))
            continue;
        // "..._PER_TOKEN_..." and "..-token-threshold" count tokens of text.
        const bool isCounted = (i > 0 && parts[i - 1] == "per") ||
                               (i + 1 < parts.size() && std::find(measures.begin(), measures.end(), parts[i + 1]) != measures.end());
        if (parts[i] != "token" || !isCounted)
            return true;
    }
    return false;
}

std::vector<SecretPlace> secretsIn(std::string_view text)
{
    std::vector<SecretPlace> out;
    std::size_t at = 0;
    while (at < text.size()) {
        if (!isNameCharacter(text[at])) {
            ++at;
            continue;
        }
        const std::size_t begin = at;
        while (at < text.size() && isNameCharacter(text[at]))
            ++at;
        const std::size_t dashes = std::min(text.substr(begin, at - begin).find_first_not_of('-'), at - begin);
        const std::string_view name = text.substr(begin + dashes, at - begin - dashes);
        if (name.empty() || !isSecretName(name))
            continue;
        std::optional<std::size_t> value = valueBehind(text, name, at, dashes > 0);
        if (!value)
            continue;
        for (const std::string_view scheme : {"Bearer ", "Basic ", "Token "})
            *value += text.substr(*value).starts_with(scheme) ? scheme.size() : 0;
        const std::size_t end = endOfValue(text, *value);
        if (isOpen(text.substr(*value, end - *value)))
            continue;
        out.push_back({name, *value, end});
        at = end;
    }
    return out;
}

std::string maskedSecrets(std::string_view text)
{
    std::string out;
    std::size_t from = 0;
    for (const SecretPlace& found : secretsIn(text)) {
        out += text.substr(from, found.begin - from);
        out += secretMask;
        from = found.end;
    }
    out += text.substr(from);
    return withoutCredentials(out);
}

std::string shownValue(std::string_view key, std::string_view value)
{
    const std::string_view last = key.substr(key.find_last_of(". ") + 1); // npos + 1 is 0
    return isSecretName(last) && !isOpen(value) ? std::string(secretMask) : maskedSecrets(value);
}

} // namespace wb::base
