#include "core/engines/words.h"

#include "core/syntax/pythontext.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace wb::engines {

namespace {

using syntax::Kind;
using syntax::Value;
using syntax::ValuePtr;

std::string dashed(std::string_view key)
{
    std::string out(key);
    std::replace(out.begin(), out.end(), '_', '-');
    return out;
}

std::string hex(std::uint32_t code, std::size_t digits)
{
    constexpr std::string_view alphabet = "0123456789abcdef";
    std::string out(digits, '0');
    for (std::size_t i = digits; i > 0 && code > 0; --i, code >>= 4U)
        out[i - 1] = alphabet[code & 0xFU];
    return out;
}

/// The code point at `at`, which moves behind it. The text is valid UTF-8; anything else gives the byte.
std::uint32_t nextCodePoint(std::string_view text, std::size_t& at)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])) : 0U; };
    const std::uint32_t first = byte(at);
    std::size_t length = 1;
    std::uint32_t code = first;
    if (first >= 0xF0) {
        length = 4;
        code = first & 0x07U;
    } else if (first >= 0xE0) {
        length = 3;
        code = first & 0x0FU;
    } else if (first >= 0xC0) {
        length = 2;
        code = first & 0x1FU;
    }
    for (std::size_t i = 1; i < length; ++i)
        code = (code << 6U) | (byte(at + i) & 0x3FU);
    at += length;
    return code;
}

/// The escape that Python has for a control character, or nothing.
std::string_view shortEscape(std::uint32_t code)
{
    switch (code) {
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    case '\\':
        return "\\\\";
    default:
        return {};
    }
}

std::string integerText(const Value& value)
{
    return value.huge ? value.text : std::to_string(value.integer);
}

} // namespace

std::string jsonText(std::string_view text)
{
    std::string out = "\"";
    for (std::size_t at = 0; at < text.size();) {
        const std::uint32_t code = nextCodePoint(text, at);
        if (code == '"')
            out += "\\\"";
        else if (const std::string_view escape = shortEscape(code); !escape.empty())
            out += escape;
        else if (code == '\b')
            out += "\\b";
        else if (code == '\f')
            out += "\\f";
        else if (code >= 0x20 && code < 0x7F)
            out += static_cast<char>(code);
        else if (code >= 0x10000)
            out += "\\u" + hex(0xD800U + ((code - 0x10000U) >> 10U), 4) + "\\u" + hex(0xDC00U + ((code - 0x10000U) & 0x3FFU), 4);
        else if (code == 0x7F)
            out += '\x7F';
        else
            out += "\\u" + hex(code, 4);
    }
    return out + "\"";
}

std::string jsonText(const Value& value)
{
    switch (value.kind) {
    case Kind::Null:
        return "null";
    case Kind::Bool:
        return value.boolean ? "true" : "false";
    case Kind::Integer:
        return integerText(value);
    case Kind::Float:
        return std::isnan(value.number)   ? "NaN"
               : std::isinf(value.number) ? (value.number < 0 ? "-Infinity" : "Infinity")
                                          : syntax::pythonText(value.number);
    case Kind::String:
    case Kind::Timestamp:
        return jsonText(std::string_view(value.text));
    case Kind::Sequence: {
        std::string out = "[";
        for (const ValuePtr& item : value.items)
            out += (out.size() > 1 ? ", " : "") + jsonText(*item);
        return out + "]";
    }
    case Kind::Mapping: {
        std::string out = "{";
        for (const syntax::Member& member : value.members)
            out += (out.size() > 1 ? ", " : "") + jsonText(std::string_view(member.key)) + ": " + jsonText(*member.value);
        return out + "}";
    }
    }
    return {};
}

Flags::Flags(const ValuePtr& mapping)
{
    if (!mapping)
        return;
    for (const syntax::Member& member : mapping->members)
        m_flags.emplace_back(member.key, member.value);
}

ValuePtr Flags::find(std::string_view flag) const
{
    for (const auto& [key, value] : m_flags)
        if (dashed(key) == flag)
            return value;
    return nullptr;
}

void Flags::drop(std::string_view flag)
{
    std::erase_if(m_flags, [&](const auto& each) { return dashed(each.first) == flag; });
}

void Flags::set(std::string key, std::string text)
{
    std::erase_if(m_flags, [&](const auto& each) { return each.first == key; });
    m_flags.emplace_back(std::move(key), syntax::makeString(std::move(text), syntax::Layer::Default));
}

Words Flags::words() const
{
    std::vector<std::pair<std::string, ValuePtr>> sorted = m_flags;
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    Words out;
    for (const auto& [key, value] : sorted) {
        const std::string flag = "--" + dashed(key);
        if (value->kind == Kind::Bool) {
            if (value->boolean)
                out.push_back(flag);
        } else if (value->isSequence()) {
            out.push_back(flag);
            for (const ValuePtr& item : value->items)
                out.push_back(syntax::pythonText(*item));
        } else if (!value->isNull()) {
            out.push_back(flag);
            out.push_back(syntax::pythonText(*value));
        }
    }
    return out;
}

} // namespace wb::engines
