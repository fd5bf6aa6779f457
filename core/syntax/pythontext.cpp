#include "core/syntax/pythontext.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace wb::syntax {

namespace {

/// A text within a Python list or dict.
std::string quotedText(std::string_view text)
{
    const char quote = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"' : '\'';
    std::string out(1, quote);
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        constexpr std::string_view digits = "0123456789abcdef";
        if (c == quote || c == '\\')
            (out += '\\') += c;
        else if (c == '\n')
            out += "\\n";
        else if (c == '\r')
            out += "\\r";
        else if (c == '\t')
            out += "\\t";
        else if (code < 0x20 || code == 0x7F)
            ((out += "\\x") += digits[code >> 4U]) += digits[code & 0xFU];
        else
            out += c;
    }
    return out + quote;
}

std::string literal(const Value& value)
{
    return value.isString() ? quotedText(value.text) : pythonText(value);
}

} // namespace

std::string pythonText(double number)
{
    if (std::isnan(number))
        return "nan";
    if (std::isinf(number))
        return number < 0 ? "-inf" : "inf";
    std::array<char, 40> buffer{};
    const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific);
    const std::string_view scientific(buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data()));
    const std::size_t e = scientific.find('e');
    int exponent = 0;
    const std::string_view digits = scientific.substr(e + 1 + (scientific[e + 1] == '+' ? 1 : 0));
    std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (number != 0 && (exponent < -4 || exponent >= 16))
        return std::string(scientific);
    const auto fixed = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed);
    std::string out(buffer.data(), fixed.ptr);
    if (out.find('.') == std::string::npos)
        out += ".0";
    return out;
}

std::string pythonText(const Value& value)
{
    switch (value.kind) {
    case Kind::Null:
        return "None";
    case Kind::Bool:
        return value.boolean ? "True" : "False";
    case Kind::Integer:
        return value.huge ? value.text : std::to_string(value.integer);
    case Kind::Float:
        return pythonText(value.number);
    case Kind::String:
    case Kind::Timestamp:
        return value.text;
    case Kind::Sequence: {
        std::string out = "[";
        for (const ValuePtr& item : value.items)
            out += (out.size() > 1 ? ", " : "") + literal(*item);
        return out + "]";
    }
    case Kind::Mapping: {
        std::string out = "{";
        for (const Member& member : value.members)
            out += (out.size() > 1 ? ", " : "") + quotedText(member.key) + ": " + literal(*member.value);
        return out + "}";
    }
    }
    return {};
}

} // namespace wb::syntax
