// Plain scalars as PyYAML's SafeLoader resolves them (YAML 1.1, with PyYAML's own deviations).
#include "core/syntax/scalars.h"

#include "core/base/text.h"
#include "core/syntax/yaml.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace wb::syntax {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), text) != words.end();
}

bool isNullWord(std::string_view text)
{
    return text.empty() || isOneOf(text, {"~", "null", "Null", "NULL"});
}

std::optional<bool> boolWord(std::string_view text)
{
    if (isOneOf(text, {"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}))
        return true;
    if (isOneOf(text, {"no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"}))
        return false;
    return std::nullopt;
}

template <typename Allowed>
bool allOf(std::string_view text, Allowed allowed)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

/// `(:[0-5]?[0-9])+` from the first colon on.
bool areSexagesimalParts(std::string_view text)
{
    if (!text.starts_with(':'))
        return false;
    for (const std::string_view part : base::splitAt(text.substr(1), ':')) {
        const bool ok =
            (part.size() == 1 && isDigit(part[0])) || (part.size() == 2 && part[0] >= '0' && part[0] <= '5' && isDigit(part[1]));
        if (!ok)
            return false;
    }
    return true;
}

std::string withoutUnderscores(std::string_view text)
{
    std::string out(text);
    std::erase(out, '_');
    return out;
}

struct Integral {
    std::int64_t value = 0;
    double number = 0;
    bool huge = false;
};

/// Digits of a base, which fit or not.
Integral accumulated(std::string_view digits, int base, bool isNegative)
{
    Integral out;
    std::uint64_t sum = 0;
    double number = 0;
    constexpr std::uint64_t most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const auto radix = static_cast<std::uint64_t>(base);
    for (const char c : digits) {
        const int digit = isDigit(c) ? c - '0' : (c | 0x20) - 'a' + 10;
        number = number * base + digit;
        out.huge = out.huge || sum > (most - static_cast<std::uint64_t>(digit)) / radix;
        if (!out.huge)
            sum = sum * radix + static_cast<std::uint64_t>(digit);
    }
    if (out.huge)
        out.value = isNegative ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
    else
        out.value = isNegative ? -static_cast<std::int64_t>(sum) : static_cast<std::int64_t>(sum);
    out.number = isNegative ? -number : number;
    return out;
}

std::optional<Integral> integerIn(std::string_view text)
{
    std::string_view rest = text;
    const bool isNegative = rest.starts_with('-');
    if (rest.starts_with('-') || rest.starts_with('+'))
        rest.remove_prefix(1);
    if (rest.empty() || !isDigit(rest[0]))
        return std::nullopt;
    const auto octalOrUnderscore = [](char c) { return (c >= '0' && c <= '7') || c == '_'; };
    const auto digitOrUnderscore = [](char c) { return isDigit(c) || c == '_'; };
    if (rest.starts_with("0b") && allOf(rest.substr(2), [](char c) { return c == '0' || c == '1' || c == '_'; })) {
        const std::string digits = withoutUnderscores(rest.substr(2));
        return digits.empty() ? std::nullopt : std::optional(accumulated(digits, 2, isNegative));
    }
    if (rest.starts_with("0x") &&
        allOf(rest.substr(2), [](char c) { return isDigit(c) || c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); })) {
        const std::string digits = withoutUnderscores(rest.substr(2));
        return digits.empty() ? std::nullopt : std::optional(accumulated(digits, 16, isNegative));
    }
    if (rest == "0")
        return Integral{};
    if (rest[0] == '0')
        return allOf(rest.substr(1), octalOrUnderscore) ? std::optional(accumulated(withoutUnderscores(rest), 8, isNegative))
                                                        : std::nullopt;
    const std::size_t colon = rest.find(':');
    if (!allOf(rest.substr(0, colon), digitOrUnderscore))
        return std::nullopt;
    if (colon == std::string_view::npos)
        return accumulated(withoutUnderscores(rest), 10, isNegative);
    if (!areSexagesimalParts(rest.substr(colon)))
        return std::nullopt;
    Integral sum = accumulated(withoutUnderscores(rest.substr(0, colon)), 10, false);
    for (const std::string_view part : base::splitAt(rest.substr(colon + 1), ':')) {
        const std::int64_t digits = *base::integerOf(part);
        sum.number = sum.number * 60 + static_cast<double>(digits);
        if (sum.value > (std::numeric_limits<std::int64_t>::max() - digits) / 60)
            sum.huge = true;
        else
            sum.value = sum.value * 60 + digits;
    }
    if (isNegative) {
        sum.value = -sum.value;
        sum.number = -sum.number;
    }
    return sum;
}

/// The power of ten of the first digit that is not 0, of digits with a point and perhaps an exponent: 2 of 123.4 and of 0.123e3.
std::int64_t firstDigitPower(std::string_view text)
{
    const std::size_t e = std::min(text.find('e'), text.size());
    const std::size_t point = std::min(text.find('.'), e);
    const std::size_t digit = std::min(text.find_first_not_of("0."), e);
    std::int64_t power = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(digit);
    power -= digit < point ? 1 : 0;
    if (e == text.size())
        return power;
    const std::string_view exponent = text.substr(e + 1);
    constexpr std::int64_t farOut = 1'000'000'000'000; // a file is not long enough to make up for it
    return power + std::clamp(base::integerOf(exponent).value_or(exponent.starts_with('-') ? -farOut : farOut), -farOut, farOut);
}

/// strtod would look at the locale; the text is known to be digits with a point.
double decimal(const std::string& text)
{
    if (const auto number = base::numberOf(text))
        return *number;
    return firstDigitPower(text) > 0 ? std::numeric_limits<double>::infinity() : 0.0;
}

std::optional<double> floatIn(std::string_view text)
{
    std::string_view rest = text;
    const bool isSigned = rest.starts_with('-') || rest.starts_with('+');
    const double sign = rest.starts_with('-') ? -1.0 : 1.0;
    if (isSigned)
        rest.remove_prefix(1);
    if (isOneOf(rest, {".inf", ".Inf", ".INF"}))
        return sign * std::numeric_limits<double>::infinity();
    if (!isSigned && isOneOf(rest, {".nan", ".NaN", ".NAN"}))
        return std::numeric_limits<double>::quiet_NaN();
    const std::size_t point = rest.find('.');
    if (point == std::string_view::npos)
        return std::nullopt;
    const auto digitOrUnderscore = [](char c) { return isDigit(c) || c == '_'; };
    const std::string_view whole = rest.substr(0, point);
    std::string_view fraction = rest.substr(point + 1);
    const std::size_t colon = whole.find(':');
    if (colon != std::string_view::npos) {
        if (!isDigit(whole[0]) || !allOf(whole.substr(0, colon), digitOrUnderscore) || !areSexagesimalParts(whole.substr(colon)) ||
            !std::all_of(fraction.begin(), fraction.end(), digitOrUnderscore))
            return std::nullopt;
        double sum = decimal(withoutUnderscores(whole.substr(0, colon)));
        for (const std::string_view part : base::splitAt(whole.substr(colon + 1), ':'))
            sum = sum * 60 + static_cast<double>(*base::integerOf(part));
        const std::string digits = withoutUnderscores(fraction);
        return sign * (sum + (digits.empty() ? 0.0 : decimal("0." + digits)));
    }
    std::string exponent;
    if (const std::size_t e = fraction.find_first_of("eE"); e != std::string_view::npos) {
        const std::string_view power = fraction.substr(e + 1);
        if (power.size() < 2 || (power[0] != '-' && power[0] != '+') || !allOf(power.substr(1), isDigit))
            return std::nullopt;
        exponent = "e" + std::string(power[0] == '+' ? power.substr(1) : power);
        fraction = fraction.substr(0, e);
    }
    if (!std::all_of(fraction.begin(), fraction.end(), digitOrUnderscore))
        return std::nullopt;
    if (whole.empty()) {
        if (isSigned || fraction.empty() || !isDigit(fraction[0])) // "-.5" is text for PyYAML
            return std::nullopt;
        return decimal("0." + withoutUnderscores(fraction) + exponent);
    }
    if (!isDigit(whole[0]) || !allOf(whole, digitOrUnderscore))
        return std::nullopt;
    std::string digits = withoutUnderscores(fraction);
    return sign * decimal(withoutUnderscores(whole) + "." + (digits.empty() ? "0" : digits) + exponent);
}

/// `n` to `m` digits at the front of `rest`, taken off it.
bool takeDigits(std::string_view& rest, std::size_t least, std::size_t most)
{
    std::size_t count = 0;
    while (count < rest.size() && count < most && isDigit(rest[count]))
        ++count;
    if (count < least)
        return false;
    rest.remove_prefix(count);
    return true;
}

bool takeChar(std::string_view& rest, char c)
{
    if (!rest.starts_with(c))
        return false;
    rest.remove_prefix(1);
    return true;
}

bool isTimestamp(std::string_view text)
{
    std::string_view rest = text;
    if (!takeDigits(rest, 4, 4) || !takeChar(rest, '-'))
        return false;
    const std::string_view beforeMonth = rest;
    if (!takeDigits(rest, 1, 2) || !takeChar(rest, '-'))
        return false;
    const std::string_view beforeDay = rest;
    if (!takeDigits(rest, 1, 2))
        return false;
    if (rest.empty())
        return beforeMonth.find('-') == 2 && beforeDay.size() == 2;
    if (!takeChar(rest, 'T') && !takeChar(rest, 't')) {
        if (rest[0] != ' ' && rest[0] != '\t')
            return false;
        while (takeChar(rest, ' ') || takeChar(rest, '\t')) {
        }
    }
    if (!takeDigits(rest, 1, 2) || !takeChar(rest, ':') || !takeDigits(rest, 2, 2) || !takeChar(rest, ':') || !takeDigits(rest, 2, 2))
        return false;
    if (takeChar(rest, '.'))
        takeDigits(rest, 0, rest.size());
    while (takeChar(rest, ' ') || takeChar(rest, '\t')) {
    }
    if (rest.empty() || rest == "Z")
        return true;
    if (!takeChar(rest, '-') && !takeChar(rest, '+'))
        return false;
    if (!takeDigits(rest, 1, 2))
        return false;
    return rest.empty() || (takeChar(rest, ':') && takeDigits(rest, 2, 2) && rest.empty());
}

/// What YAML 1.2 readers (ruamel among them) take for something else than text though 1.1 does not.
bool isOtherIn12(std::string_view text)
{
    std::string_view rest = text;
    if (rest.starts_with('-') || rest.starts_with('+'))
        rest.remove_prefix(1);
    if (rest.starts_with("0o") && allOf(rest.substr(2), [](char c) { return c >= '0' && c <= '7'; }))
        return true;
    if (rest.starts_with('.'))
        return rest.size() > 1 && isDigit(rest[1]);
    if (rest.empty() || !isDigit(rest[0]))
        return false;
    return allOf(rest, [](char c) { return isDigit(c) || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-' || c == '_'; });
}

} // namespace

void resolvePlain(std::string_view text, Value& out)
{
    out.style = Style::Plain;
    out.text = text;
    out.kind = Kind::String;
    if (isNullWord(text)) {
        out.kind = Kind::Null;
        return;
    }
    const char first = text.front();
    const bool isNumeric = isDigit(first) || first == '-' || first == '+' || first == '.';
    if (!isNumeric) {
        if (const auto flag = boolWord(text)) {
            out.kind = Kind::Bool;
            out.boolean = *flag;
        }
        return;
    }
    if (const auto whole = integerIn(text)) {
        out.kind = Kind::Integer;
        out.integer = whole->value;
        out.number = whole->number;
        out.huge = whole->huge;
    } else if (const auto number = floatIn(text)) {
        out.kind = Kind::Float;
        out.number = *number;
    } else if (isTimestamp(text)) {
        out.kind = Kind::Timestamp;
    }
}

std::string floatText(double number)
{
    if (std::isnan(number))
        return ".nan";
    if (std::isinf(number))
        return number < 0 ? "-.inf" : ".inf";
    std::string text = base::textOf(number);
    if (const std::size_t e = text.find('e'); e != std::string::npos) {
        if (text[e + 1] != '-' && text[e + 1] != '+')
            text.insert(e + 1, "+");
        if (text.find('.') == std::string::npos)
            text.insert(e, ".0");
    } else if (text.find('.') == std::string::npos) {
        text += ".0";
    }
    return text;
}

std::string floatText(const Value& value)
{
    Value read;
    resolvePlain(value.text, read);
    return read.kind == Kind::Float ? value.text : floatText(value.number);
}

bool isSafePlain(std::string_view text)
{
    if (text.empty() || base::trimmed(text).size() != text.size())
        return false;
    Value value;
    resolvePlain(text, value);
    if (value.kind != Kind::String || isOtherIn12(text) || text == "=" || text == "<<")
        return false;
    // y and n are booleans for some 1.1 readers.
    if (isOneOf(text, {"y", "Y", "n", "N"}))
        return false;
    constexpr std::string_view indicators = "-?:,[]{}#&*!|>'\"%@`";
    if (indicators.find(text.front()) != std::string_view::npos)
        return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c < 0x20 || c == 0x7F)
            return false;
        const bool endsWord = i + 1 == text.size() || text[i + 1] == ' ';
        if ((text[i] == ':' && endsWord) || (text[i] == '#' && i > 0 && text[i - 1] == ' '))
            return false;
    }
    // Dividers of documents, and what flow collections would cut.
    return !text.starts_with("---") && !text.starts_with("...") && text.find_first_of(",[]{}") == std::string_view::npos;
}

} // namespace wb::syntax
