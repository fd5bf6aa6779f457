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
    const auto digits = pythonDigits(value.text);
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
        number = pythonNumber(value.text);
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
