#include "core/recipe/coerce.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::recipe {

using syntax::Kind;
using syntax::Value;

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// The zeros of all scripts beside ASCII (Unicode 14, general category Nd); the nine other digits of a script follow its zero.
constexpr auto zeros = std::to_array<char32_t>({
    0x0660,  0x06F0,  0x07C0,  0x0966,  0x09E6,  0x0A66,  0x0AE6,  0x0B66,  0x0BE6,  0x0C66,  0x0CE6,  0x0D66,  0x0DE6,
    0x0E50,  0x0ED0,  0x0F20,  0x1040,  0x1090,  0x17E0,  0x1810,  0x1946,  0x19D0,  0x1A80,  0x1A90,  0x1B50,  0x1BB0,
    0x1C40,  0x1C50,  0xA620,  0xA8D0,  0xA900,  0xA9D0,  0xA9F0,  0xAA50,  0xABF0,  0xFF10,  0x104A0, 0x10D30, 0x11066,
    0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50,
    0x11DA0, 0x16A60, 0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E950, 0x1FBF0,
});

/// The code point that a valid UTF-8 text begins with, taken off it.
char32_t takeCodePoint(std::string_view& text)
{
    const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : '\0'); };
    const unsigned char first = byte(0);
    const std::size_t length = first < 0x80U ? 1 : first < 0xE0U ? 2 : first < 0xF0U ? 3 : 4;
    constexpr std::array<unsigned, 5> masks = {0, 0x7FU, 0x1FU, 0x0FU, 0x07U};
    char32_t point = first & masks.at(length);
    for (std::size_t i = 1; i < length; ++i)
        point = (point << 6U) | (byte(i) & 0x3FU);
    text.remove_prefix(std::min(length, text.size()));
    return point;
}

/// The text with digits of other scripts, and blanks that are none of ASCII, as their like in ASCII: Python's int() and float() take both.
std::string asciiDigits(std::string_view text)
{
    const bool isAscii = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80U; });
    std::string out;
    while (!isAscii && !text.empty()) {
        const std::string_view before = text;
        const char32_t point = takeCodePoint(text);
        const auto above = std::upper_bound(zeros.begin(), zeros.end(), point);
        const bool isBlank = point == 0x85 || point == 0xA0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
                             point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000;
        if (above != zeros.begin() && point - *(above - 1) < 10)
            out += static_cast<char>('0' + static_cast<int>(point - *(above - 1)));
        else if (isBlank)
            out += ' ';
        else
            out += before.substr(0, before.size() - text.size());
    }
    return isAscii ? std::string(text) : out;
}

/// Digits as Python's int() takes them: a sign, single underscores between digits.
std::optional<std::string> pythonDigits(std::string_view text)
{
    text = base::trimmed(text);
    std::string digits;
    if (text.starts_with('-') || text.starts_with('+')) {
        if (text.front() == '-')
            digits = "-";
        text.remove_prefix(1);
    }
    bool wasDigit = false;
    for (const char c : text) {
        if (!isDigit(c) && (c != '_' || !wasDigit))
            return std::nullopt;
        if (isDigit(c))
            digits += c;
        wasDigit = isDigit(c);
    }
    return wasDigit ? std::optional(digits) : std::nullopt;
}

/// A number as Python's float() takes it: a sign, single underscores between digits. Not its words for infinity.
std::optional<double> pythonNumber(std::string_view text)
{
    text = base::trimmed(text);
    std::string digits;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isBetween = i > 0 && i + 1 < text.size() && isDigit(text[i - 1]) && isDigit(text[i + 1]);
        if (text[i] == '_' && !isBetween)
            return std::nullopt;
        if (text[i] != '_')
            digits += text[i];
    }
    const bool isPlus = digits.starts_with('+');
    if (isPlus && digits.starts_with("+-"))
        return std::nullopt;
    return base::numberOf(std::string_view(digits).substr(isPlus ? 1 : 0));
}

} // namespace

std::optional<Whole> asInteger(const Value& value)
{
    if (value.kind == Kind::Integer)
        return Whole{value.integer, false, value.huge};
    if (value.kind == Kind::Float) {
        if (!std::isfinite(value.number))
            return std::nullopt;
        const double whole = std::trunc(value.number);
        const bool isHuge = std::abs(whole) > 9.0e18;
        return Whole{isHuge ? 0 : static_cast<std::int64_t>(whole), whole != value.number, isHuge};
    }
    if (value.kind != Kind::String)
        return std::nullopt;
    const auto digits = pythonDigits(asciiDigits(value.text));
    if (!digits)
        return std::nullopt;
    const auto whole = base::integerOf(*digits);
    return whole ? Whole{*whole, false, false} : Whole{0, false, true};
}

std::optional<double> asNumber(const Value& value)
{
    std::optional<double> number;
    if (value.kind == Kind::Integer || value.kind == Kind::Float) {
        number = value.number;
    } else if (value.kind == Kind::String) {
        number = pythonNumber(asciiDigits(value.text));
    }
    return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<bool> asBoolean(const Value& value)
{
    if (value.kind == Kind::Bool)
        return value.boolean;
    if (value.kind == Kind::Integer || value.kind == Kind::Float) {
        if (value.number == 0.0)
            return false;
        return value.number == 1.0 ? std::optional(true) : std::nullopt;
    }
    if (value.kind != Kind::String)
        return std::nullopt;
    const std::string& text = value.text;
    const std::string low = base::lowered(text);
    std::string capitalised = low;
    if (!capitalised.empty() && capitalised[0] >= 'a' && capitalised[0] <= 'z')
        capitalised[0] = static_cast<char>(capitalised[0] - 'a' + 'A');
    const bool isUpper = std::none_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    if (text != low && text != capitalised && !isUpper)
        return std::nullopt;
    constexpr std::array<std::string_view, 6> yes = {"t", "true", "y", "yes", "on", "1"};
    constexpr std::array<std::string_view, 6> no = {"f", "false", "n", "no", "off", "0"};
    if (std::find(yes.begin(), yes.end(), low) != yes.end())
        return true;
    if (std::find(no.begin(), no.end(), low) != no.end())
        return false;
    return std::nullopt;
}

} // namespace wb::recipe
