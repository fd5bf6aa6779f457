#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace wb::base {

namespace {

constexpr std::size_t shownCodePoints = 60;

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool isContinuation(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Length of the valid sequence at `at`, 0 when it is not valid (overlong forms, surrogates and above U+10FFFF are not).
std::size_t sequenceLength(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(at);
    if (first < 0x80)
        return 1;
    std::size_t length = 0;
    unsigned char least = 0x80;
    unsigned char most = 0xBF;
    if (first >= 0xC2 && first <= 0xDF) {
        length = 2;
    } else if (first >= 0xE0 && first <= 0xEF) {
        length = 3;
        least = first == 0xE0 ? 0xA0 : 0x80;
        most = first == 0xED ? 0x9F : 0xBF;
    } else if (first >= 0xF0 && first <= 0xF4) {
        length = 4;
        least = first == 0xF0 ? 0x90 : 0x80;
        most = first == 0xF4 ? 0x8F : 0xBF;
    } else {
        return 0;
    }
    if (at + length > text.size() || byte(at + 1) < least || byte(at + 1) > most)
        return 0;
    for (std::size_t i = 2; i < length; ++i) {
        if (!isContinuation(text[at + i]))
            return 0;
    }
    return length;
}

char32_t codePointAt(std::string_view text, std::size_t at, std::size_t length)
{
    const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + i])); };
    switch (length) {
    case 1:
        return byte(0);
    case 2:
        return ((byte(0) & 0x1FU) << 6U) | (byte(1) & 0x3FU);
    case 3:
        return ((byte(0) & 0x0FU) << 12U) | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU);
    default:
        return ((byte(0) & 0x07U) << 18U) | ((byte(1) & 0x3FU) << 12U) | ((byte(2) & 0x3FU) << 6U) | (byte(3) & 0x3FU);
    }
}

/// Characters that are not seen themselves and change how their neighbours look: C1 controls, marks of direction, joiners, separators of
/// lines, the byte order mark inside a text.
bool isUnseen(char32_t c)
{
    return (c >= 0x80 && c <= 0x9F) || c == 0xAD || c == 0x61C || c == 0x180E || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) ||
           (c >= 0xE0000 && c <= 0xE007F);
}

/// Adds the character at that place as `printable` shows it; its length in bytes.
std::size_t addPrintable(std::string& out, std::string_view text, std::size_t at)
{
    constexpr std::string_view digits = "0123456789abcdef";
    const std::size_t length = sequenceLength(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    if (length == 0 || byte < 0x20 || byte == 0x7F) {
        out += "\\x";
        out += digits[byte >> 4U];
        out += digits[byte & 0xFU];
        return 1;
    }
    const char32_t c = length == 1 ? 0 : codePointAt(text, at, length);
    if (length == 1 || !isUnseen(c)) {
        out.append(text, at, length);
        return length;
    }
    out += c > 0xFFFF ? "\\U" : "\\u";
    for (unsigned shift = c > 0xFFFF ? 32 : 16; shift > 0; shift -= 4)
        out += digits[(static_cast<std::uint32_t>(c) >> (shift - 4)) & 0xFU];
    return length;
}

std::string foldedName(std::string_view name)
{
    std::string folded = lowered(name);
    std::replace(folded.begin(), folded.end(), '-', '_');
    return folded;
}

} // namespace

std::string printable(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();)
        i += addPrintable(out, text, i);
    return out;
}

std::string inQuotes(std::string_view text)
{
    std::string out = "\"";
    std::size_t shown = 0;
    for (std::size_t i = 0; i < text.size();) {
        if (++shown > shownCodePoints) {
            out += "...";
            break;
        }
        i += addPrintable(out, text, i);
    }
    return out + "\"";
}

std::string pathInQuotes(std::string_view path)
{
    return "\"" + printable(path) + "\"";
}

bool hasControlCharacter(std::string_view text)
{
    return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::vector<std::string_view> splitAt(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::string joined(std::span<const std::string> parts, std::string_view separator)
{
    std::string out;
    for (const std::string& part : parts) {
        if (&part != parts.data())
            out += separator;
        out += part;
    }
    return out;
}

std::string lowered(std::string_view text)
{
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

std::string replacedAll(std::string_view text, std::string_view from, std::string_view to)
{
    std::string out;
    for (;;) {
        const std::size_t at = text.find(from);
        out += text.substr(0, at);
        if (at == std::string_view::npos)
            return out;
        out += to;
        text.remove_prefix(at + from.size());
    }
}

std::optional<std::int64_t> integerOf(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty())
        return std::nullopt;
    return value;
}

std::optional<double> numberOf(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::string textOf(double number)
{
    std::array<char, 40> buffer{};
    const bool isWhole = std::isfinite(number) && std::abs(number) < 1e15 && number == std::trunc(number);
    const auto result = isWhole ? std::to_chars(buffer.data(), buffer.data() + buffer.size(), static_cast<std::int64_t>(number))
                                : std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    return {buffer.data(), result.ptr};
}

std::optional<std::size_t> firstInvalidUtf8(std::string_view text)
{
    constexpr std::uint64_t highBits = 0x8080808080808080U;
    for (std::size_t i = 0; i < text.size();) {
        std::uint64_t eight = 0; // most text is ASCII: as many bytes at once as a register holds
        if (i + sizeof eight <= text.size()) {
            std::memcpy(&eight, text.data() + i, sizeof eight);
            if ((eight & highBits) == 0) {
                i += sizeof eight;
                continue;
            }
        }
        const std::size_t length = sequenceLength(text, i);
        if (length == 0)
            return i;
        i += length;
    }
    return std::nullopt;
}

std::size_t codePoints(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !isContinuation(c); }));
}

namespace {

/// How many letters one of the texts has more often than the other; a change of a letter takes two off, an insertion one, a swap none.
std::size_t differingLetters(std::string_view a, std::string_view b)
{
    std::array<int, 64> counts{};
    for (const char c : a)
        ++counts[static_cast<unsigned char>(c) % counts.size()];
    for (const char c : b)
        --counts[static_cast<unsigned char>(c) % counts.size()];
    int sum = 0;
    for (const int count : counts)
        sum += std::abs(count);
    return static_cast<std::size_t>(sum);
}

} // namespace

std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit)
{
    const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    if (difference > limit || differingLetters(a, b) > 2 * limit)
        return limit + 1;
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> previous(b.size() + 1);
    std::vector<std::size_t> current(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        previous[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        std::size_t best = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
            current[j] = std::min({change, previous[j] + 1, current[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                current[j] = std::min(current[j], before[j - 2] + 1);
            best = std::min(best, current[j]);
        }
        if (best > limit)
            return limit + 1;
        std::swap(before, previous);
        std::swap(previous, current);
    }
    return std::min(previous[b.size()], limit + 1);
}

std::string_view nearestName(std::string_view written, std::span<const std::string_view> candidates)
{
    const std::string folded = foldedName(written);
    std::string_view nearest;
    const std::size_t most = std::max<std::size_t>(folded.size() / 3, 1);
    std::pair<std::size_t, std::size_t> least = {most + 1, 0}; // distance, difference in length
    for (const std::string_view candidate : candidates) {
        const std::string other = foldedName(candidate);
        std::size_t distance = editDistance(folded, other, most);
        // One word too many or too few is what people write from memory: "gpus" for "gpus_per_node" is not near, "time-limit" is.
        if (distance > most && folded.size() >= 4 && other.size() <= folded.size() * 2 &&
            (other.starts_with(folded) || folded.starts_with(other)))
            distance = most;
        const std::size_t lengths = other.size() > folded.size() ? other.size() - folded.size() : folded.size() - other.size();
        if (distance <= most && std::pair(distance, lengths) < least) {
            least = {distance, lengths};
            nearest = candidate;
        }
    }
    return nearest;
}

} // namespace wb::base
